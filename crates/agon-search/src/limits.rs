//! How long a search may go on, and how it notices.
//!
//! Time is read from a [`Clock`] that is passed in, so that tests bring their own. A search counts its nodes on a
//! [`Watch`], which looks at the clock now and then: often enough to be on time on a board where a node takes
//! long, seldom enough to cost nothing where it takes no time at all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_core::Rng;
use agon_core::random::seeded;

use crate::team::{Member, PORTION};

/// Where time comes from.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment.
    fn now(&self) -> Duration;

    /// Whether it is to be looked at even where no time limits a search: where nobody else can run meanwhile, that is when they do.
    fn wants_looks(&self) -> bool {
        false
    }
}

/// What a search for one move may use; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time from the moment the move was asked for.
    pub time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Moves made.
    pub nodes: Option<u64>,
}

impl Limits {
    /// A limit of time alone.
    pub fn of_time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// The share of a clock for one move: so much is left for the rest of the game, and each move adds the
    /// increment.
    pub fn of_clock(left: Duration, increment: Duration) -> Self {
        /// How many more moves a game is taken to last.
        const MOVES_TO_GO: u32 = 25;
        let share = left / MOVES_TO_GO + increment.mul_f64(0.8);
        // Never so much that the flag could fall.
        Self::of_time(share.min(left.mul_f64(0.5)))
    }

    /// What both limits allow.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
            one.into_iter().chain(other).min()
        }
        Self {
            time: least(self.time, other.time),
            depth: least(self.depth, other.depth),
            nodes: least(self.nodes, other.nodes),
        }
    }
}

/// How many threads a search may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// So many for a bot that has not been told how many, if only time limits it: then its answer depends on the machine in any case.
    pub usual: usize,
    /// No bot has more, whatever it has been told.
    pub most: usize,
}

impl Threads {
    /// One, unless a bot has been told to use more.
    pub const AS_TOLD: Self = Self { usual: 1, most: usize::MAX };

    /// At most so many.
    pub fn at_most(most: usize) -> Self {
        Self { usual: 1, most }
    }

    /// So many for bots that have not been told how many.
    pub fn usually(usual: usize) -> Self {
        Self { usual, most: usize::MAX }
    }

    /// How many a bot has that is told to use `told`, and limited by `limits`.
    fn of(self, told: Option<usize>, limits: Limits) -> usize {
        let is_by_time = limits.time.is_some() && limits.depth.is_none() && limits.nodes.is_none();
        let wanted = told.unwrap_or(if is_by_time { self.usual } else { 1 });
        // There are no threads on WebAssembly.
        if cfg!(target_family = "wasm") { 1 } else { wanted.min(self.most).max(1) }
    }
}

/// What somebody who asks for a move gives to the one who thinks.
#[derive(Clone)]
pub struct Budget {
    /// The limits of this move.
    pub limits: Limits,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// Set by others to have the best move so far at once.
    pub stop: Arc<AtomicBool>,
    /// How many threads may think.
    pub threads: Threads,
    /// Whether a bot keeps to its own limits too.
    pub keeps_own_limits: bool,
    /// Whether a judgement of the position is wanted rather than a move to play. Then a single legal move is judged too, noise is
    /// left out, and without a limit of time nothing counts that was remembered from before: the same question gets the same
    /// answer.
    pub is_analysis: bool,
    /// What fixes the randomness of this move. A bot that is given none goes on with the numbers that it was made with, so
    /// that its move depends on how often it has been asked.
    pub seed: Option<u64>,
}

impl Budget {
    /// A budget on that clock.
    pub fn on_clock(limits: Limits, clock: Arc<dyn Clock>) -> Self {
        Self {
            limits,
            clock,
            stop: Arc::new(AtomicBool::new(false)),
            threads: Threads::AS_TOLD,
            keeps_own_limits: true,
            is_analysis: false,
            seed: None,
        }
    }

    /// How many threads think for a bot that is told to use `told` of them and keeps to the limits of `watch`.
    pub(crate) fn threads(&self, told: Option<usize>, watch: &Watch) -> usize {
        self.threads.of(told, watch.limits())
    }

    /// Whether a position with a single legal move is to be judged all the same.
    pub(crate) fn judges_single_moves(&self) -> bool {
        self.is_analysis || !self.keeps_own_limits
    }

    /// Whether the answer must not depend on what was thought before.
    pub(crate) fn starts_afresh(&self, watch: &Watch) -> bool {
        self.is_analysis && watch.limits().time.is_none()
    }

    /// Reseeds `rng` where this move has a seed of its own, or is to depend on the bot's own `seed` alone.
    pub(crate) fn reseed(&self, rng: &mut Rng, seed: u64) {
        if let Some(seed) = self.seed.or_else(|| self.is_analysis.then_some(seed)) {
            *rng = seeded(seed);
        }
    }

    /// Begins to watch the limits, those of the bot itself (`own`) included. A bot that keeps to its own limits where
    /// nobody has set any takes a second.
    pub fn watch(&self, own: Limits) -> Watch {
        let limits = match self.limits.and(own) {
            _ if !self.keeps_own_limits => self.limits,
            none if none == Limits::default() => Limits::of_time(DEFAULT_TIME),
            limits => limits,
        };
        let began = self.clock.now();
        Watch {
            clock: Arc::clone(&self.clock),
            stop: Arc::clone(&self.stop),
            limits,
            began,
            deadline: limits.time.map(|time| began + time.saturating_sub(margin(time))),
            looks_at_clock: limits.time.is_some() || self.clock.wants_looks(),
            nodes: 0,
            next_look: 0,
            stride: 1,
            last_look: began,
            stopped: false,
            turns_aside: false,
            member: None,
            threads: 1,
        }
    }
}

/// Enough to play well, short enough to wait for.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// What is kept back for all that comes after a search has been told to stop, and for moments in which a busy machine
/// lets others run.
fn margin(time: Duration) -> Duration {
    (time / 10).min(Duration::from_millis(8))
}

/// Between two looks at the clock there should be about this much time, and no more than twice as much.
const LOOK_EVERY: Duration = Duration::from_micros(200);
/// The most nodes between two looks.
const MAX_STRIDE: u64 = 1 << 14;

/// Counts the nodes of a search and says when to stop.
pub struct Watch {
    clock: Arc<dyn Clock>,
    stop: Arc<AtomicBool>,
    limits: Limits,
    began: Duration,
    deadline: Option<Duration>,
    /// Whether the clock is looked at.
    looks_at_clock: bool,
    nodes: u64,
    next_look: u64,
    stride: u64,
    last_look: Duration,
    stopped: bool,
    /// Whether a search that can be watched turns aside after each move: because it must stop, or because it is being watched. One flag
    /// for both, so that being watched costs nothing where nobody watches.
    turns_aside: bool,
    /// Its part in a search of several threads.
    member: Option<Member>,
    threads: usize,
}

impl Watch {
    /// Counts a node; true if the search must stop now.
    #[inline(always)]
    pub fn tick(&mut self) -> bool {
        self.nodes += 1;
        self.nodes > self.next_look && self.look_at_tick()
    }

    /// Looks; a move that is not made because the search has stopped is not counted either.
    #[cold]
    fn look_at_tick(&mut self) -> bool {
        self.nodes -= u64::from(self.stopped);
        self.look()
    }

    /// Counts `nodes` at once; true if the search must stop now.
    pub fn count(&mut self, nodes: u64) -> bool {
        self.nodes += nodes;
        self.look()
    }

    /// Looks at everything that could end the search; true if something has.
    #[cold]
    pub fn look(&mut self) -> bool {
        let limit = self.limit();
        let over = limit.is_some_and(|limit| self.nodes >= limit);
        let helps = self.member.as_ref().is_some_and(|member| !member.leads());
        self.stopped |= over || self.member.as_ref().is_some_and(Member::is_done);
        self.stopped |= !helps && self.stop.load(Ordering::Relaxed);
        if self.looks_at_clock && !helps {
            let now = self.now();
            self.stopped |= self.deadline.is_some_and(|deadline| now >= deadline);
            let since = now.saturating_sub(self.last_look);
            self.stride = match since {
                _ if since > 2 * LOOK_EVERY => (self.stride / 4).max(1),
                _ if since > LOOK_EVERY => (self.stride / 2).max(1),
                _ if since < LOOK_EVERY / 2 => (self.stride * 2).min(MAX_STRIDE),
                _ => self.stride,
            };
            self.last_look = now;
        } else {
            self.stride = if self.member.is_some() { PORTION } else { MAX_STRIDE };
        }
        let limit = limit.unwrap_or(u64::MAX);
        // With a limit of nodes the search stops at exactly that number, whatever the clock did.
        let next = (self.nodes + self.stride).min(limit.saturating_sub(1)).max(self.nodes);
        self.next_look = if self.stopped { 0 } else { next };
        self.turns_aside |= self.stopped;
        self.stopped
    }

    /// How many threads a search by a game's own means may have.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Grants so many threads.
    pub(crate) fn grant_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// Up to how many nodes it may go.
    fn limit(&mut self) -> Option<u64> {
        let limit = self.limits.nodes;
        let Some(member) = &mut self.member else { return limit };
        let limit = limit.map(|_| member.allowance(self.nodes));
        // Who has come too late to be granted any more has not made the node that was asked for.
        self.nodes = self.nodes.min(limit.unwrap_or(u64::MAX));
        member.publish(self.nodes);
        limit
    }

    /// Has it count together with others from now on; the part of any helper.
    pub(crate) fn lead(&mut self) -> Member {
        let leader = Member::leader(self.nodes, self.limits.nodes, self.last_look);
        let helper = leader.helper();
        (self.member, self.next_look) = (Some(leader), 0);
        helper
    }

    /// The watch of a helper.
    pub(crate) fn helper(&self, member: Member) -> Self {
        Self {
            clock: Arc::clone(&self.clock),
            stop: Arc::clone(&self.stop),
            nodes: 0,
            next_look: 0,
            stride: 1,
            stopped: false,
            turns_aside: false,
            member: Some(member),
            ..*self
        }
    }

    /// Lets the others know of its last nodes.
    pub(crate) fn publish(&mut self) {
        if let Some(member) = &mut self.member {
            member.publish(self.nodes);
        }
    }

    /// Goes on alone, with the nodes of all.
    pub(crate) fn leave(&mut self) {
        self.nodes = self.nodes();
        self.next_look = 0;
        self.member = None;
    }

    /// Whether the search has been told to stop.
    #[inline(always)]
    pub fn has_stopped(&self) -> bool {
        self.stopped
    }

    /// Has a search that can be watched turn aside after each move, to have it recorded.
    pub(crate) fn turn_aside(&mut self) {
        self.turns_aside = true;
    }

    /// Whether a search that can be watched is to turn aside: to stop, or to have its move recorded.
    #[inline(always)]
    pub(crate) fn turns_aside(&self) -> bool {
        self.turns_aside
    }

    /// The nodes counted so far, by all threads together.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.member.as_ref().map_or(self.nodes, |member| member.total(self.nodes))
    }

    /// The limits that are watched.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.now().saturating_sub(self.began)
    }

    /// The time; for a helper that at which its leader looked last.
    fn now(&self) -> Duration {
        self.member.as_ref().map_or_else(|| self.clock.now(), |member| member.now(&*self.clock))
    }

    /// The share of the time that has been used, 0 without a limit of time.
    pub fn used(&self) -> f64 {
        self.deadline.map_or(0.0, |deadline| {
            let all = deadline.saturating_sub(self.began).as_secs_f64();
            if all == 0.0 { 1.0 } else { self.elapsed().as_secs_f64() / all }
        })
    }
}
