//! All tests of Tablut in one program, which is linked once.

mod alphabeta;
mod expertise;
mod hostile;
mod level;
mod plain;
mod refusals;
mod rules;
mod twin;
mod typed;
mod view;
