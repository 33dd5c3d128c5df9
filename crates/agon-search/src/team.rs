//! Several threads at one search.
//!
//! The thread that was asked for a move leads, and others help it for the length of one search. Only the leader reads the clock (a clock
//! may be one that runs with its thread) and listens to whoever wants an answer at once; where all look for the same, whoever is done first
//! ends the search of all. Nodes count for all together: a limit of nodes is handed out in small portions, so that no more are used than
//! were granted.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread::{self, Builder, ScopedJoinHandle};
use std::time::Duration;

use crate::limits::{Clock, Watch};

/// How many nodes are granted at once, and made between two looks at what the others do.
pub(crate) const PORTION: u64 = 256;

/// What the threads of one search know of each other.
struct Team {
    is_done: AtomicBool,
    /// The nodes that its members have published.
    counted: AtomicU64,
    /// The nodes that have not been granted yet, where they are limited.
    left: AtomicU64,
    /// The time at which the leader looked at the clock last, in nanoseconds.
    now: AtomicU64,
}

/// The part that one thread has in a team.
pub(crate) struct Member {
    team: Arc<Team>,
    leads: bool,
    /// How many of its nodes the others know of.
    published: u64,
    /// Up to how many nodes it may go until it has to ask for more.
    allowance: u64,
}

impl Member {
    /// The leader of a new team, who has made `nodes` so far; all together may go up to `limit`.
    pub(crate) fn leader(nodes: u64, limit: Option<u64>, now: Duration) -> Self {
        let left = limit.unwrap_or(0).saturating_sub(nodes);
        let [counted, left, now] = [nodes, left, nanoseconds(now)].map(AtomicU64::new);
        let team = Team { is_done: AtomicBool::new(false), counted, left, now };
        Self { team: Arc::new(team), leads: true, published: nodes, allowance: nodes }
    }

    /// Another member of the same team.
    pub(crate) fn helper(&self) -> Self {
        Self { team: Arc::clone(&self.team), leads: false, published: 0, allowance: 0 }
    }

    /// Whether it is the one that reads the clock and listens to others.
    pub(crate) fn leads(&self) -> bool {
        self.leads
    }

    /// Whether the search of all has come to its end.
    pub(crate) fn is_done(&self) -> bool {
        self.team.is_done.load(Relaxed)
    }

    /// The time, which the leader reads from the `clock`, and the others from what it has read.
    pub(crate) fn now(&self, clock: &dyn Clock) -> Duration {
        if !self.leads {
            return Duration::from_nanos(self.team.now.load(Relaxed));
        }
        let now = clock.now();
        self.team.now.store(nanoseconds(now), Relaxed);
        now
    }

    /// Lets the others know that it has made `nodes` in all.
    pub(crate) fn publish(&mut self, nodes: u64) {
        self.team.counted.fetch_add(nodes - self.published, Relaxed);
        self.published = nodes;
    }

    /// How many nodes all have made together, itself `nodes`.
    pub(crate) fn total(&self, nodes: u64) -> u64 {
        self.team.counted.load(Relaxed) + nodes - self.published
    }

    /// Up to how many nodes it may go, having made `nodes`: no further if there are none left.
    pub(crate) fn allowance(&mut self, nodes: u64) -> u64 {
        if nodes >= self.allowance {
            let take = |left: u64| Some(left - left.min(PORTION));
            let left = self.team.left.fetch_update(Relaxed, Relaxed, take).unwrap_or(0);
            self.allowance += left.min(PORTION);
        }
        self.allowance
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Ends the search of a team when it is dropped: always, or in a panic only.
struct Ending {
    team: Arc<Team>,
    always: bool,
}

impl Drop for Ending {
    fn drop(&mut self) {
        if self.always || thread::panicking() {
            self.team.is_done.store(true, Relaxed);
        }
    }
}

/// How long a search of several threads goes on, unless it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// Until one has come to its end: all look for the same.
    FirstIsDone,
    /// Until all have come to their ends: everybody does a part.
    AllAreDone,
}

/// How often a leader who has nothing left to do looks whether the others are done.
const LOOK_EVERY: Duration = Duration::from_micros(50);

/// Has `lead` search in this thread, and each of `helpers` in one of its own; what comes of it, that of the helpers in their order. Where
/// the system has no thread left, there are fewer of them. Without helpers, no thread is started.
pub(crate) fn together<H, L, T>(
    watch: &mut Watch,
    until: Until,
    helpers: Vec<H>,
    lead: impl FnOnce(&mut Watch) -> L,
) -> (L, Vec<T>)
where
    H: FnOnce(&mut Watch) -> T + Send,
    T: Send,
{
    if helpers.is_empty() {
        return (lead(watch), Vec::new());
    }
    let member = watch.lead();
    let ending = || Ending { team: Arc::clone(&member.team), always: until == Until::FirstIsDone };
    let both = thread::scope(|scope| {
        let own_ending = ending();
        let mut running = Vec::new();
        for help in helpers {
            let (mut watch, ending) = (watch.helper(member.helper()), ending());
            let run = move || {
                let found = help(&mut watch);
                watch.publish();
                drop(ending);
                found
            };
            // Whoever reports panics knows the thread by its name.
            let name = thread::current().name().unwrap_or("search").to_owned();
            running.extend(Builder::new().name(name).spawn_scoped(scope, run));
        }
        let led = lead(watch);
        drop(own_ending);
        while running.iter().any(|thread| !thread.is_finished()) {
            if watch.look() {
                member.team.is_done.store(true, Relaxed);
            }
            thread::sleep(LOOK_EVERY);
        }
        let join =
            |thread: ScopedJoinHandle<'_, T>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        (led, running.into_iter().map(join).collect())
    });
    watch.leave();
    both
}
