//! Who follows a table.

use std::collections::HashMap;

use agon_protocol::web::{RefusalCode, ServerMessage};

use super::{ConnectionId, Follower, message_text};
use crate::words::Refused;

/// Those who follow a table.
#[derive(Default)]
pub(super) struct Watchers {
    followers: HashMap<ConnectionId, Follower>,
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
        if self.is_empty() {
            return;
        }
        let Some(text) = message_text(message) else { return };
        for follower in self.iter() {
            follower.outbox.send(text.clone());
        }
    }

    /// Tells everybody that the server stops.
    pub(super) fn tell_stop(&self) {
        let Refused { code, message, field } = Refused::plain(RefusalCode::Stopping, "refused.stopping");
        self.tell(&ServerMessage::Error { id: None, code, message, field });
    }
}
