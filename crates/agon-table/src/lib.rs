//! A table: a match, those who follow it, and what they are told, without I/O.
//!
//! A [`Table`] takes [`Command`]s and the time, and gives an ordered list of [`Effect`]s: store these events, then tell these followers
//! this; ask this bot; wake me at that moment. It starts no thread, reads no clock and waits for nothing. Whoever drives it (a
//! server, a terminal, a page in a browser) performs the effects in their order. If something cannot be stored, the driver drops the
//! effects behind it and says so by [`Table::store_failed`]; the table is then as it was before the command, and says what follows
//! from that.
//!
//! The table itself only puts its collaborators together: [`followers`] are who is told what, [`bots`] when bots are asked and when
//! their moves are played, [`hints`] what people ask for, [`presence`] who is there and who stands in for the absent, [`chat`]
//! what is said, [`online`] who holds which seat, `rematch` who plays again, `view` what each follower may see.

mod absence;
mod actions;
mod bots;
pub mod chat;
mod command;
mod done;
mod effect;
mod followers;
mod hints;
mod interruptions;
pub mod limits;
pub mod online;
mod play;
mod presence;
mod rematch;
mod settings;
mod social;
pub mod stored;
mod table;
mod telling;
mod time;
pub mod view;

pub use actions::Setting;
pub use command::{BotNews, Command, Follower, MoveAttempt, Question};
pub use effect::{
    Append, BotQuestion, Change, Effect, KeyChange, KeyHash, NewEvent, NewLine, Purpose, StoreFailure, Write,
};
pub use settings::{FailingBots, HouseRules, MAX_PACE, RaceBots, TableSettings};
pub use table::{Opening, RunningClock, Table, TableRest};
pub use time::Now;

/// Names a connection of somebody who follows a table.
pub type ConnectionId = u64;

/// Whoever follows a table, by the hash of the token that their browser keeps.
pub type VisitorId = [u8; 32];

/// No browser at all: the place of one that has been forgotten.
pub const NOBODY: VisitorId = [0; 32];

/// A table's name.
pub type TableId = String;

/// A message's name together with its sender: others may use the same name.
pub fn scoped(visitor: &VisitorId, id: &str) -> String {
    let mut scoped = String::with_capacity(17 + id.len());
    for byte in &visitor[..8] {
        scoped
            .extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
    }
    scoped.push(' ');
    scoped.push_str(id);
    scoped
}
