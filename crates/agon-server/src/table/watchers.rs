//! Who follows a table, and what they have been told.

use std::collections::{HashMap, VecDeque};

use agon_core::view::Cell;
use agon_protocol::web::{RefusalCode, ServerMessage, Update};
use axum::extract::ws::Utf8Bytes;

use super::{ConnectionId, Follower, written};
use crate::words::Refused;

/// How many updates are kept for browsers that come back after a short while. Those that have missed more are told how the table stands,
/// which is shorter than that.
const KEPT: usize = 8;
/// How much is kept for them at most, in bytes.
const KEPT_BYTES: usize = 64 << 10;

/// Those who follow a table.
#[derive(Default)]
pub(super) struct Watchers {
    followers: HashMap<ConnectionId, Follower>,
    /// The last updates, each with the number of the event before it.
    recent: VecDeque<(u64, Utf8Bytes)>,
}

/// A board as it was last told.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// What stood where.
    pub(super) cells: Vec<Cell>,
    /// The plies, of which an update says how many are left.
    pub(super) plies: usize,
    /// Whether a person is to move who can only pass.
    pub(super) must_pass: bool,
}

impl Watchers {
    pub(super) fn len(&self) -> usize {
        self.followers.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.followers.is_empty()
    }

    pub(super) fn get(&self, id: ConnectionId) -> Option<&Follower> {
        self.followers.get(&id)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Follower> {
        self.followers.values()
    }

    pub(super) fn insert(&mut self, follower: Follower) {
        self.followers.insert(follower.id, follower);
    }

    /// Forgets a connection and says whether it was known.
    pub(super) fn remove(&mut self, id: ConnectionId) -> bool {
        self.followers.remove(&id).is_some()
    }

    /// Tells everybody.
    pub(super) fn tell(&self, message: &ServerMessage) {
        if let Some(text) = written(message).filter(|_| !self.is_empty()) {
            for follower in self.iter() {
                follower.outbox.send(text.clone());
            }
        }
    }

    /// Tells everybody that the server stops.
    pub(super) fn tell_stop(&self) {
        let Refused { code, message, field } = Refused::plain(RefusalCode::Stopping, "refused.stopping");
        self.tell(&ServerMessage::Error { id: None, code, message, field });
    }

    /// Tells everybody of a change, and remembers it for those who come back.
    pub(super) fn tell_update(&mut self, update: Update) {
        let from = update.from;
        let advances = update.seq > from;
        let Some(text) = written(&ServerMessage::Event(Box::new(update))) else { return };
        for follower in self.iter() {
            follower.outbox.send(text.clone());
        }
        if advances {
            self.recent.push_back((from, text));
            let size = |recent: &VecDeque<(u64, Utf8Bytes)>| -> usize {
                recent.iter().map(|(_, text)| text.len()).sum()
            };
            while self.recent.len() > KEPT || size(&self.recent) > KEPT_BYTES {
                self.recent.pop_front();
            }
        }
    }

    /// What has happened was told in another way: nobody can catch up across it.
    pub(super) fn forget_updates(&mut self) {
        self.recent.clear();
    }

    /// The updates that a browser has missed that knows the events up to `since`, where `seq` is the last one; `None` if it must be told everything.
    pub(super) fn missed(&self, since: Option<u64>, seq: u64) -> Option<Vec<Utf8Bytes>> {
        let since = since?;
        if since == seq {
            return Some(Vec::new());
        }
        let first = self.recent.iter().position(|(from, _)| *from == since)?;
        Some(self.recent.iter().skip(first).map(|(_, text)| text.clone()).collect())
    }
}
