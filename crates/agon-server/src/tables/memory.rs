//! Which tables are in memory, and which of those leave it first.
//!
//! A table that nobody follows stays for a while, because people come back. If such tables take too much room, those leave first that
//! were left first: they are a replay away. A clock that runs on meanwhile is remembered, and its table is fetched when it has run out.
//! What somebody follows stays; how much that may be is up to [`followed`](super::followed).

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use agon_match::Millis;
use agon_messages::Refused;
use agon_table::{RunningClock, TableId};
use tokio::time::Instant;

use super::followed::{Followed, FollowedLimits};
use crate::bots::Requester;
use crate::table::TableHandle;

/// How much room the tables that nobody follows may take together, in bytes.
const UNFOLLOWED_BYTES: usize = 32 << 20;

/// The tables that are in memory, and the clocks of those that are not.
#[derive(Default)]
pub(super) struct TableMemory {
    /// How those in memory are told what to do.
    pub(super) handles: HashMap<TableId, TableHandle>,
    /// About how much room those take that are played here, in bytes.
    sizes: HashMap<TableId, usize>,
    followed: Followed,
    unfollowed: Unfollowed,
    sleeping: Sleeping,
}

/// Tables that nobody follows, in the order in which they were left.
#[derive(Default)]
struct Unfollowed {
    order: BTreeMap<u64, TableId>,
    /// When each was left, counted, and how much room it takes.
    known: HashMap<TableId, (u64, usize)>,
    bytes: usize,
    next: u64,
}

/// Tables that are not in memory and whose clocks run on.
#[derive(Default)]
struct Sleeping {
    order: BTreeMap<(Instant, TableId), ()>,
    /// When each wakes, and a moment of the machine's clock with the moment of its match that it stands for.
    known: HashMap<TableId, (Instant, Instant, Millis)>,
}

impl TableMemory {
    /// Takes in a table that takes so much room.
    pub(super) fn seat(&mut self, id: TableId, handle: TableHandle, bytes: usize) {
        self.sizes.insert(id.clone(), bytes);
        self.handles.insert(id, handle);
    }

    /// Keeps room for a table that somebody wants to follow.
    ///
    /// # Errors
    /// If there is none for them.
    pub(super) fn reserve(
        &mut self,
        id: &TableId,
        by: Requester,
        limits: &FollowedLimits,
    ) -> Result<(), Refused> {
        match self.sizes.get(id) {
            Some(bytes) => self.followed.reserve(id, by, *bytes, limits),
            // It has just left memory again, or is played elsewhere.
            None => Ok(()),
        }
    }

    /// The tables that somebody follows.
    pub(super) fn followed(&self) -> Vec<TableId> {
        self.followed.tables().cloned().collect()
    }

    /// Notes that nobody follows a table that takes so much room, and gives those that are to leave memory for it.
    pub(super) fn leave(&mut self, id: &TableId, bytes: usize) -> Vec<TableHandle> {
        self.followed.remove(id);
        self.unfollowed.insert(id.clone(), bytes);
        let first = self.unfollowed.take_first(UNFOLLOWED_BYTES);
        first.iter().filter_map(|id| self.handles.get(id)).cloned().collect()
    }

    /// Notes that somebody follows a table that takes so much room.
    pub(super) fn follow(&mut self, id: &TableId, by: Requester, bytes: usize) {
        self.unfollowed.remove(id);
        self.sizes.insert(id.clone(), bytes);
        self.followed.insert(id, by, bytes);
    }

    /// Forgets a table that has ended; `clock` is the one that runs on without it.
    pub(super) fn forget(&mut self, id: &TableId, clock: Option<RunningClock>) {
        self.handles.remove(id);
        self.sizes.remove(id);
        self.followed.remove(id);
        self.unfollowed.remove(id);
        if let Some(RunningClock { wakes_in, time }) = clock {
            let now = Instant::now();
            self.sleeping.insert(id.clone(), now + wakes_in, now, time);
        }
    }

    /// The present moment of the match of a table whose clock has run on; it does not any more.
    pub(super) fn wake(&mut self, id: &TableId) -> Option<Millis> {
        self.sleeping.remove(id)
    }

    /// The tables whose clocks have run out.
    pub(super) fn due(&self) -> Vec<TableId> {
        let now = Instant::now();
        self.sleeping.order.keys().take_while(|(wakes, _)| *wakes <= now).map(|(_, id)| id.clone()).collect()
    }

    /// How long until the next clock runs out.
    pub(super) fn next_due(&self) -> Option<Duration> {
        let ((wakes, _), ()) = self.sleeping.order.first_key_value()?;
        Some(wakes.saturating_duration_since(Instant::now()))
    }
}

impl Unfollowed {
    fn insert(&mut self, id: TableId, bytes: usize) {
        self.remove(&id);
        self.next += 1;
        self.order.insert(self.next, id.clone());
        self.known.insert(id, (self.next, bytes));
        self.bytes += bytes;
    }

    fn remove(&mut self, id: &TableId) {
        if let Some((number, bytes)) = self.known.remove(id) {
            self.order.remove(&number);
            self.bytes -= bytes;
        }
    }

    /// Takes those out that were left first, until the others take no more than `most` bytes.
    fn take_first(&mut self, most: usize) -> Vec<TableId> {
        let mut taken = Vec::new();
        while self.bytes > most
            && let Some((_, id)) = self.order.first_key_value()
        {
            let id = id.clone();
            self.remove(&id);
            taken.push(id);
        }
        taken
    }
}

impl Sleeping {
    fn insert(&mut self, id: TableId, wakes: Instant, now: Instant, time: Millis) {
        self.remove(&id);
        self.order.insert((wakes, id.clone()), ());
        self.known.insert(id, (wakes, now, time));
    }

    fn remove(&mut self, id: &TableId) -> Option<Millis> {
        let (wakes, since, time) = self.known.remove(id)?;
        self.order.remove(&(wakes, id.clone()));
        Some(time.plus(since.elapsed().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_leave_first_that_were_left_first() {
        let mut unfollowed = Unfollowed::default();
        for (id, bytes) in [("a", 30), ("b", 30), ("c", 30)] {
            unfollowed.insert(id.to_owned(), bytes);
        }
        assert_eq!(unfollowed.take_first(90), [] as [&str; 0]);
        // Whoever was there again meanwhile stays longer.
        unfollowed.remove(&"a".to_owned());
        unfollowed.insert("a".to_owned(), 30);
        assert_eq!(unfollowed.take_first(60), ["b"]);
        assert_eq!(unfollowed.take_first(0), ["c", "a"]);
        assert_eq!((unfollowed.bytes, unfollowed.known.len()), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn clocks_run_on_while_tables_sleep() {
        let mut memory = TableMemory::default();
        let id = "sleeper".to_owned();
        let clock = RunningClock { wakes_in: Duration::from_secs(60), time: Millis(5000) };
        memory.forget(&id, Some(clock));
        assert_eq!((memory.due().len(), memory.next_due()), (0, Some(Duration::from_secs(60))));
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(memory.due(), std::slice::from_ref(&id));
        assert_eq!(memory.wake(&id), Some(Millis(65_000)));
        assert_eq!((memory.wake(&id), memory.due().len(), memory.next_due()), (None, 0, None));
    }
}
