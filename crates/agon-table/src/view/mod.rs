//! What is shown of a table: to those who follow it, and to those who see it in a list.

pub mod changes;
pub mod states;
pub mod summary;

pub use summary::stored_text;
