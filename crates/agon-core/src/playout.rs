//! Random playouts: games played to their end by moves drawn evenly, without allocation.

use crate::cpu::{self, Level, Root};
use crate::game::{Game, Turn};
use crate::random::{RandomSource, Rng};

/// What a number of playouts amounted to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Plies in all of them, passes and chance draws included.
    pub plies: u64,
}

/// Plays `games` random games from `position`, none longer than `max_plies`.
pub fn playouts<G: Game>(
    game: &G,
    position: &G::Position,
    games: u64,
    max_plies: u64,
    rng: &mut Rng,
) -> Tally {
    cpu::dispatch(Playouts { game, position, games, max_plies, rng })
}

/// Playouts to be run at a level of one's choice; [`playouts`] is what one usually wants.
#[derive(Debug)]
pub struct Playouts<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// Where every game begins.
    pub position: &'a G::Position,
    /// How many games.
    pub games: u64,
    /// Where a game that does not end is cut off.
    pub max_plies: u64,
    /// The source of moves and draws.
    pub rng: &'a mut Rng,
}

impl<G: Game> Root for Playouts<'_, G> {
    type Output = Tally;

    fn at<L: Level>(self, level: L) -> Tally {
        level.run(
            #[inline(always)]
            || {
                let mut tally = Tally::default();
                for _ in 0..self.games {
                    let mut position = *self.position;
                    tally.plies += finish(self.game, &mut position, self.max_plies, self.rng);
                    tally.games += 1;
                }
                tally
            },
        )
    }
}

/// Plays random moves until the game is over or `max_plies` are played; says how many.
#[inline(always)]
pub fn finish<G: Game>(game: &G, position: &mut G::Position, max_plies: u64, rng: &mut Rng) -> u64 {
    for ply in 0..max_plies {
        match game.turn(position) {
            Turn::Player(_) => match game.random_move(position, rng) {
                Some(mv) => game.play_unchecked(position, mv),
                None => return ply,
            },
            Turn::Chance => match game.draw(position, rng.next_u64()) {
                Some(chance) => game.play_chance(position, chance),
                None => return ply,
            },
        }
    }
    max_plies
}
