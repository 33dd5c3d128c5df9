//! All tests of 2048 in one program, which is linked once.

mod expertise;
mod hostile;
mod plain;
mod rules;
mod twin;
