//! Perft: counting the positions after exactly n plies, the classic check and speed test of a
//! move generator. The last ply is counted in bulk, not played, and the last two together where the
//! game knows how.
//!
//! [`perft`] walks the whole tree and is what speed is measured by; [`perft_shared`] counts a position
//! that is reached in several ways only once and is what one asks who just wants to know.

mod shared;

use crate::cpu::{self, Level, Root};
use crate::game::{Game, Turn};
use crate::random::{Rng, below, seeded};

pub use shared::{SharedPerft, perft_shared};

/// A count that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftError {
    /// It passes the limit that was set.
    #[error("the count passes the limit of {limit} nodes")]
    TooManyNodes {
        /// The limit.
        limit: u64,
    },
    /// It may be within its limit, but there are too many ways that end before they count.
    #[error("the count takes too long: too many games end before they reach the depth")]
    TooMuchWork,
}

/// Counts the positions exactly `depth` plies after `position`. Passes and chance draws are plies,
/// repetition is ignored, and a game that ends earlier adds nothing.
///
/// # Errors
/// If the count is larger than `limit`.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, limit: u64) -> Result<u64, PerftError> {
    match foresee(game, position, depth, limit) {
        Some(count) => count,
        None => cpu::dispatch(Perft { game, position, depth, limit }),
    }
}

/// What can be said of a count without counting.
fn foresee<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    limit: u64,
) -> Option<Result<u64, PerftError>> {
    if game.plies_left(position).is_some_and(|left| depth > left) {
        Some(Ok(0))
    } else if is_hopeless(game, position, depth, limit) {
        Some(Err(PerftError::TooManyNodes { limit }))
    } else {
        None
    }
}

/// A count to be run at a level of one's choice; [`perft`] is what one usually wants.
#[derive(Clone, Copy, Debug)]
pub struct Perft<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where to count from.
    pub position: &'a G::Position,
    /// How many plies deep.
    pub depth: u32,
    /// The count at which to give up.
    pub limit: u64,
}

impl<G: Game> Root for Perft<'_, G> {
    type Output = Result<u64, PerftError>;

    fn at<L: Level>(self, level: L) -> Self::Output {
        let mut counter = Counter { game: self.game, level, total: 0, limit: self.limit };
        counter.count(self.position, self.depth);
        if counter.total > self.limit {
            return Err(PerftError::TooManyNodes { limit: self.limit });
        }
        Ok(counter.total)
    }
}

struct Counter<'a, G: Game, L: Level> {
    game: &'a G,
    level: L,
    total: u64,
    limit: u64,
}

impl<G: Game, L: Level> Counter<'_, G, L> {
    fn count(&mut self, position: &G::Position, depth: u32) {
        // A closure that is not inlined would be compiled without the level's instructions.
        // The cases stand here and not in a function shared with `shared::Counter`: that was tried and cost
        // Othello a seventh of its speed.
        self.level.run(
            #[inline(always)]
            || match (depth, self.game.turn(position)) {
                (0, _) => self.total += 1,
                (1, Turn::Player(_)) => self.total += self.game.count_moves(position),
                (1, Turn::Chance) => self.total += self.game.count_chances(position),
                (2, Turn::Player(_)) => self.total += self.game.count_replies(position),
                _ => for_each_next(
                    self.game,
                    position,
                    #[inline(always)]
                    |next| self.descend(&next, depth - 1),
                ),
            },
        );
    }

    #[inline(always)]
    fn descend(&mut self, position: &G::Position, depth: u32) {
        if self.total > self.limit {
            return;
        }
        if depth == 1
            && let Turn::Player(_) = self.game.turn(position)
        {
            self.total += self.game.count_moves(position);
        } else {
            self.count(position, depth);
        }
    }
}

/// How many random descents [`is_hopeless`] makes.
const DESCENTS: u32 = 256;
/// How far beyond the limit at least half of the descents must point.
const MARGIN: f64 = 5.0;

/// Tells a count that would run far beyond `limit` without running it.
///
/// The product of the branching factors along one random descent is an unbiased estimate of the
/// count (Knuth 1975). If the true count is within the limit, Markov's inequality gives a descent at most one
/// chance in five to point five times beyond it; by Chernoff's bound, that half of 256 do so then has a probability
/// below (2 √(1/5 · 4/5))^256 = 0.8^256 < 10^-24. Such a count is refused at once.
fn is_hopeless<G: Game>(game: &G, position: &G::Position, depth: u32, limit: u64) -> bool {
    let mut rng = seeded(u64::from(depth));
    let beyond =
        (0..DESCENTS).filter(|_| estimate(game, position, depth, &mut rng) > limit as f64 * MARGIN).count();
    beyond as u32 >= DESCENTS / 2
}

/// The product of the branching factors along one random descent.
fn estimate<G: Game>(game: &G, position: &G::Position, depth: u32, rng: &mut Rng) -> f64 {
    let (mut estimate, mut position) = (1.0, *position);
    for _ in 0..depth {
        match game.turn(&position) {
            Turn::Player(_) => {
                let Some(mv) = game.random_move(&position, rng) else { return 0.0 };
                estimate *= game.count_moves(&position) as f64;
                game.play_unchecked(&mut position, mv);
            }
            Turn::Chance => {
                let mut draws = Vec::new();
                game.for_each_chance(&position, |draw, _| draws.push(draw));
                if draws.is_empty() {
                    return 0.0;
                }
                estimate *= draws.len() as f64;
                game.play_chance(&mut position, draws[below(rng, draws.len() as u64) as usize]);
            }
        }
    }
    estimate
}

/// Calls `visit` with every position one ply on, whoever acts.
#[inline(always)]
fn for_each_next<G: Game>(game: &G, position: &G::Position, mut visit: impl FnMut(G::Position)) {
    match game.turn(position) {
        Turn::Player(_) => game.for_each_move(
            position,
            #[inline(always)]
            |mv| {
                let mut next = *position;
                game.play_unchecked(&mut next, mv);
                visit(next);
            },
        ),
        Turn::Chance => game.for_each_chance(
            position,
            #[inline(always)]
            |chance, _| {
                let mut next = *position;
                game.play_chance(&mut next, chance);
                visit(next);
            },
        ),
    }
}
