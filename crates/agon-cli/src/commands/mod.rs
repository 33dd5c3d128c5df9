//! One module a command.

pub(crate) mod bench;
pub(crate) mod games;
pub(crate) mod menu;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod query;
pub(crate) mod record;
pub(crate) mod show;
