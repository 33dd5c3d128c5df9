//! All tests of Othello in one program, which is linked once.

mod alphabeta;
mod expertise;
mod hostile;
mod plain;
mod refusals;
mod rules;
mod twin;
mod typed;
