//! Hints that are being looked for.

use std::collections::BTreeMap;

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;

use crate::ConnectionId;
use crate::effect::{Effect, Effects};

/// A hint that somebody waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hint {
    /// Which question a bot was asked.
    pub(crate) number: u64,
    /// The message that asks for it.
    pub(crate) id: String,
    /// The board.
    pub(crate) board: usize,
    /// After how many plies it was asked.
    pub(crate) ply: usize,
}

/// Hints that are being looked for: one for each follower who waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    waiting: BTreeMap<ConnectionId, Hint>,
}

impl Hints {
    /// Whether somebody waits for one.
    pub(crate) fn is_awaited_by(&self, follower: ConnectionId) -> bool {
        self.waiting.contains_key(&follower)
    }

    pub(crate) fn insert(&mut self, follower: ConnectionId, hint: Hint) {
        self.waiting.insert(follower, hint);
    }

    /// The hint for which a question was asked, and who waits for it; nobody does from now on.
    pub(crate) fn take(&mut self, number: u64) -> Option<(ConnectionId, Hint)> {
        let follower = *self.waiting.iter().find(|(_, hint)| hint.number == number)?.0;
        Some((follower, self.waiting.remove(&follower)?))
    }

    /// Gives up the hint of a follower who has left.
    pub(crate) fn leave(&mut self, follower: ConnectionId, out: &mut Effects) {
        if let Some(hint) = self.waiting.remove(&follower) {
            out.push(Effect::CancelBot(hint.number));
        }
    }

    /// Gives up all hints: the position is another.
    pub(crate) fn refuse(&mut self, out: &mut Effects) {
        for (follower, hint) in std::mem::take(&mut self.waiting) {
            out.push(Effect::CancelBot(hint.number));
            out.answer(follower, hint.id, Err(Refused::plain(RefusalCode::Stale, "refused.stale")));
        }
    }
}
