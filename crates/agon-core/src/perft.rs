//! Perft: counting the positions after exactly n plies, the classic check and speed test of a
//! move generator. The last ply is counted in bulk, not played.

use crate::cpu::{self, Level, Root};
use crate::game::{Game, Turn};
use crate::random::{below, seeded};

/// The count was given up because it passes the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the count passes the limit of {limit} nodes")]
pub struct TooManyNodes {
    /// The limit that was set.
    pub limit: u64,
}

/// Counts the positions exactly `depth` plies after `position`. Passes and chance draws are plies,
/// repetition is ignored, and a game that ends earlier adds nothing.
///
/// # Errors
/// If the count is larger than `limit`.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, limit: u64) -> Result<u64, TooManyNodes> {
    if is_hopeless(game, position, depth, limit) {
        return Err(TooManyNodes { limit });
    }
    cpu::dispatch(Perft { game, position, depth, limit })
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
    type Output = Result<u64, TooManyNodes>;

    fn at<L: Level>(self, level: L) -> Self::Output {
        let mut counter = Counter { game: self.game, level, total: 0, limit: self.limit };
        counter.count(self.position, self.depth);
        if counter.total > self.limit {
            return Err(TooManyNodes { limit: self.limit });
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
        self.level.run(
            #[inline(always)]
            || match (depth, self.game.turn(position)) {
                (0, _) => self.total += 1,
                (1, Turn::Player(_)) => self.total += self.game.count_moves(position),
                (1, Turn::Chance) => self.total += self.game.count_chances(position),
                (_, Turn::Player(_)) => self.game.for_each_move(position, |mv| {
                    let mut next = *position;
                    self.game.play_unchecked(&mut next, mv);
                    self.descend(&next, depth - 1);
                }),
                (_, Turn::Chance) => self.game.for_each_chance(position, |chance, _| {
                    let mut next = *position;
                    self.game.play_chance(&mut next, chance);
                    self.descend(&next, depth - 1);
                }),
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
const DESCENTS: u32 = 64;
/// How far beyond the limit at least half of the descents must point.
const MARGIN: f64 = 1000.0;

/// Tells a count that would run far beyond `limit` without running it.
///
/// The product of the branching factors along one random descent is an unbiased estimate of the
/// count (Knuth 1975). If the true count is within the limit, Markov's inequality gives a descent
/// at most one chance in `MARGIN` to point `MARGIN` times beyond it, so half of 64 doing so has a
/// probability below 2^64 / 1000^32 = 10^-76: such a count is refused at once.
fn is_hopeless<G: Game>(game: &G, position: &G::Position, depth: u32, limit: u64) -> bool {
    let mut rng = seeded(u64::from(depth));
    let beyond = (0..DESCENTS)
        .filter(|_| {
            let (mut estimate, mut position) = (1.0, *position);
            for _ in 0..depth {
                let mut branches = Vec::new();
                match game.turn(&position) {
                    Turn::Player(_) => game.for_each_move(&position, |mv| {
                        let mut next = position;
                        game.play_unchecked(&mut next, mv);
                        branches.push(next);
                    }),
                    Turn::Chance => game.for_each_chance(&position, |chance, _| {
                        let mut next = position;
                        game.play_chance(&mut next, chance);
                        branches.push(next);
                    }),
                }
                if branches.is_empty() {
                    return false;
                }
                estimate *= branches.len() as f64;
                position = branches[below(&mut rng, branches.len() as u64) as usize];
            }
            estimate > limit as f64 * MARGIN
        })
        .count();
    beyond as u32 >= DESCENTS / 2
}
