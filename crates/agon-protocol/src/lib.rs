//! The wire types of Agon's interfaces: what is read, strictly, and what is written. Nothing here knows a game or
//! waits for anybody; the engines and players that speak these languages live in `agon-arena`.

pub mod agent;
pub mod bologna;
pub mod gtp;
pub mod lines;
pub mod query;
pub mod ugi;
