//! One module a command.

pub(crate) mod agent;
pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod bench;
mod bench_arena;
mod bench_serve;
pub(crate) mod bots;
pub(crate) mod duel;
mod duel_report;
pub(crate) mod engine;
pub(crate) mod games;
pub(crate) mod join;
mod lateness;
pub(crate) mod learn;
pub(crate) mod menu;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod query;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod study;
pub(crate) mod tablut;
pub(crate) mod train;
