//! Who follows a table, and how much of the game they have been told.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::command::Follower;
use crate::time::Now;
use crate::{ConnectionId, VisitorId};

/// Moves that come faster than this are told together.
pub(crate) const TELL_EVERY: Duration = Duration::from_millis(40);

/// Those who follow a table.
#[derive(Debug)]
pub(crate) struct Followers {
    visitors: BTreeMap<ConnectionId, VisitorId>,
    /// The connections of which nothing has been heard for a while.
    silent: BTreeSet<ConnectionId>,
    /// When the last one left, or the table was opened.
    left_at: Duration,
}

impl Followers {
    pub(crate) fn new(now: Now) -> Self {
        Self { visitors: BTreeMap::new(), silent: BTreeSet::new(), left_at: now.monotonic }
    }

    pub(crate) fn len(&self) -> usize {
        self.visitors.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.visitors.is_empty()
    }

    /// Whose browser a connection belongs to; `None` if it does not follow the table.
    pub(crate) fn visitor(&self, connection: ConnectionId) -> Option<VisitorId> {
        self.visitors.get(&connection).copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Follower> {
        self.visitors.iter().map(|(id, visitor)| Follower { id: *id, visitor: *visitor })
    }

    /// Whether a visitor follows the table by any connection that is heard.
    pub(crate) fn is_here(&self, visitor: &VisitorId) -> bool {
        self.visitors.iter().any(|(id, known)| known == visitor && !self.silent.contains(id))
    }

    /// Notes that nothing is heard of a connection, and says whose it is if that is new.
    pub(crate) fn fall_silent(&mut self, id: ConnectionId) -> Option<VisitorId> {
        let visitor = self.visitor(id)?;
        self.silent.insert(id).then_some(visitor)
    }

    /// Notes that a connection is heard again, and says whose it is if that is new.
    pub(crate) fn hear(&mut self, id: ConnectionId) -> Option<VisitorId> {
        self.silent.remove(&id).then(|| self.visitor(id))?
    }

    /// How many visitors follow the table who satisfy `is_counted`.
    pub(crate) fn count(&self, is_counted: impl Fn(&VisitorId) -> bool) -> usize {
        let visitors: BTreeSet<&VisitorId> = self.visitors.values().collect();
        visitors.into_iter().filter(|visitor| is_counted(visitor)).count()
    }

    pub(crate) fn insert(&mut self, follower: Follower) {
        self.visitors.insert(follower.id, follower.visitor);
        self.silent.remove(&follower.id);
    }

    /// Forgets a connection and says whether it was known.
    pub(crate) fn remove(&mut self, id: ConnectionId, now: Now) -> bool {
        let was_here = self.visitors.remove(&id).is_some();
        self.silent.remove(&id);
        if was_here {
            self.left_at = now.monotonic;
        }
        was_here
    }

    /// How long ago the last follower left.
    pub(crate) fn left_for(&self, now: Now) -> Duration {
        now.monotonic.saturating_sub(self.left_at)
    }
}

/// How much of the game the followers have been told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    /// The last event that was told.
    pub(crate) seq: u64,
    at: Option<Duration>,
}

impl Told {
    /// Everything up to this event.
    pub(crate) fn up_to(seq: u64) -> Self {
        Self { seq, at: None }
    }

    /// Notes that everything up to `seq` is told now, and says up to where it was told before; `None` if there is nothing new.
    pub(crate) fn advance(&mut self, seq: u64, now: Now) -> Option<u64> {
        let before = self.seq;
        if before == seq {
            return None;
        }
        *self = Self { seq, at: Some(now.monotonic) };
        Some(before)
    }

    /// Whether something new may be told at once, because nothing has been told for a while.
    pub(crate) fn may_tell(&self, now: Now) -> bool {
        self.at.is_none_or(|at| now.monotonic.saturating_sub(at) >= TELL_EVERY)
    }
}
