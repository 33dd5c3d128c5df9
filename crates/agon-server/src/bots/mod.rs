//! Bots that think for the tables: a few threads, and a fair line in front of them.

mod pool;
mod think;

pub use pool::{Pool, Requester, Ticket, Worker};
pub use think::{BotKey, Question, think};
