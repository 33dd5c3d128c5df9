//! Counting with a memory: a position that is reached in several ways is counted once.

use std::collections::HashMap;

use super::{PerftError, foresee};
use crate::cpu::{self, Level, Root};
use crate::game::{Game, Turn};
use crate::random::mix;

/// How much the memory may hold, in bytes; when it is full it is emptied.
const MEMORY: usize = 64 << 20;
/// How many positions may be looked into by default: minutes of work. Counts that fit into any sensible limit
/// need far fewer, unless most games end before they reach the depth.
const MAX_VISITS: u64 = 300_000_000;
/// The least depth that is remembered: below it counting is faster than looking up.
const REMEMBERED_DEPTH: u32 = 3;

/// Counts as [`perft`](super::perft) does, but remembers what it has counted. Remembered positions are
/// compared in full, so the count is exact.
///
/// # Errors
/// If the count is larger than `limit`, or takes too long for what it is.
pub fn perft_shared<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    limit: u64,
) -> Result<u64, PerftError> {
    match foresee(game, position, depth, limit) {
        Some(count) => count,
        None => cpu::dispatch(SharedPerft { game, position, depth, limit, max_visits: MAX_VISITS }),
    }
}

/// A count with a memory, to be run at a level of one's choice; [`perft_shared`] is what one usually wants.
#[derive(Clone, Copy, Debug)]
pub struct SharedPerft<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where to count from.
    pub position: &'a G::Position,
    /// How many plies deep.
    pub depth: u32,
    /// The count at which to give up.
    pub limit: u64,
    /// How many positions may be looked into, the last plies apart.
    pub max_visits: u64,
}

impl<G: Game> Root for SharedPerft<'_, G> {
    type Output = Result<u64, PerftError>;

    fn at<L: Level>(self, level: L) -> Self::Output {
        let SharedPerft { game, position, depth, limit, max_visits } = self;
        Counter { game, level, limit, visits_left: max_visits, memory: HashMap::new() }.count(position, depth)
    }
}

/// A position, how deep it was counted, and the count.
type Counted<P> = (P, u32, u64);

struct Counter<'a, G: Game, L: Level> {
    game: &'a G,
    level: L,
    limit: u64,
    visits_left: u64,
    memory: HashMap<u64, Counted<G::Position>>,
}

impl<G: Game, L: Level> Counter<'_, G, L> {
    fn count(&mut self, position: &G::Position, depth: u32) -> Result<u64, PerftError> {
        if depth < REMEMBERED_DEPTH {
            return self.within_limit(self.count_shallow(position, depth));
        }
        if self.game.plies_left(position).is_some_and(|left| depth > left) {
            return Ok(0);
        }
        let key = mix(self.game.key(position), u64::from(depth));
        if let Some((known, at, count)) = self.memory.get(&key)
            && (known, *at) == (position, depth)
        {
            return Ok(*count);
        }
        self.visits_left = self.visits_left.checked_sub(1).ok_or(PerftError::TooMuchWork)?;
        let mut branches = Vec::new();
        self.for_each_next(position, |next| branches.push(next));
        let mut total = 0;
        for next in &branches {
            total += self.count(next, depth - 1)?;
            self.within_limit(total)?;
        }
        if self.memory.len() >= MEMORY / size_of::<Counted<G::Position>>() {
            self.memory.clear();
        }
        self.memory.insert(key, (*position, depth, total));
        Ok(total)
    }

    fn within_limit(&self, count: u64) -> Result<u64, PerftError> {
        if count > self.limit { Err(PerftError::TooManyNodes { limit: self.limit }) } else { Ok(count) }
    }

    fn count_shallow(&self, position: &G::Position, depth: u32) -> u64 {
        self.level.run(
            #[inline(always)]
            || match (depth, self.game.turn(position)) {
                (0, _) => 1,
                (1, Turn::Player(_)) => self.game.count_moves(position),
                (1, Turn::Chance) => self.game.count_chances(position),
                (2, Turn::Player(_)) => self.game.count_replies(position),
                _ => {
                    let mut total = 0;
                    self.for_each_next(position, |next| total += self.count_shallow(&next, depth - 1));
                    total
                }
            },
        )
    }

    #[inline(always)]
    fn for_each_next(&self, position: &G::Position, visit: impl FnMut(G::Position)) {
        super::for_each_next(self.game, position, visit);
    }
}
