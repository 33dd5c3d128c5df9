//! The connections of those who follow a table.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use agon_messages::Refused;
use agon_protocol::web::{RefusalCode, ServerMessage};
use agon_table::ConnectionId;

use super::{Follower, message_text};

/// Those who follow a table.
#[derive(Default)]
pub(super) struct Watchers {
    followers: BTreeMap<ConnectionId, Follower>,
}

impl Watchers {
    pub(super) fn len(&self) -> usize {
        self.followers.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.followers.is_empty()
    }

    /// One of them.
    pub(super) fn first(&self) -> Option<&Follower> {
        self.followers.values().next()
    }

    pub(super) fn get(&self, id: ConnectionId) -> Option<&Follower> {
        self.followers.get(&id)
    }

    pub(super) fn insert(&mut self, follower: Follower) {
        self.followers.insert(follower.id, follower);
    }

    pub(super) fn remove(&mut self, id: ConnectionId) {
        self.followers.remove(&id);
    }

    /// All of them, who do not follow the table any more.
    pub(super) fn take(&mut self) -> Vec<Follower> {
        std::mem::take(&mut self.followers).into_values().collect()
    }

    /// Lets everybody's connection know whether clocks run here.
    pub(super) fn set_timed(&self, is_timed: bool) {
        for follower in self.followers.values() {
            follower.is_timed.store(is_timed, Ordering::Relaxed);
        }
    }

    /// Tells everybody.
    pub(super) fn tell(&self, message: &ServerMessage) {
        if self.is_empty() {
            return;
        }
        let Some(text) = message_text(message) else { return };
        for follower in self.followers.values() {
            follower.outbox.send(text.clone());
        }
    }

    /// Tells some of them.
    pub(super) fn tell_some(&self, to: &[ConnectionId], message: &ServerMessage) {
        let Some(text) = message_text(message) else { return };
        for follower in to.iter().filter_map(|id| self.followers.get(id)) {
            follower.outbox.send(text.clone());
        }
    }

    /// Tells everybody that the server stops.
    pub(super) fn tell_stop(&self) {
        let Refused { code, message, field } = Refused::plain(RefusalCode::Stopping, "refused.stopping");
        self.tell(&ServerMessage::Error { id: None, code, message, field });
    }
}
