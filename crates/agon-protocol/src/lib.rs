//! The wire types of Agon's interfaces: what is read, strictly, and what is written. Nothing here knows a game or
//! waits for anybody; who speaks these languages lives in `agon-players` (to programs) and `agon-engines` (as a program).

pub mod agent;
pub mod analysis;
pub mod bologna;
pub mod gtp;
pub mod lines;
pub mod nboard;
pub mod parameters;
pub mod query;
pub mod ugi;
pub mod web;
