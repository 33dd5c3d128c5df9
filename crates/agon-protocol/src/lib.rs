//! The wire types of Agon's interfaces: what is read, strictly, and what is written.

pub mod query;
