//! Bots that think for the tables: a few threads, and a fair line in front of them.

mod limits;
mod pool;
mod think;

pub use limits::{BotLimits, check_bot};
pub use pool::{Pool, Ticket, Worker};
pub use think::{BotKey, News, Question, think};
