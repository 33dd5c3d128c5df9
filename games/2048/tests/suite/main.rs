//! All tests of 2048 in one program, which is linked once.

mod expertise;
mod hostile;
mod plain;
mod refusals;
mod rules;
mod twin;
mod typed;
