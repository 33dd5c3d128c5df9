//! 2048: one player and chance.
//!
//! The rules are the project's own, after Gabriele Cirulli's game of 2014
//! (<https://github.com/gabrielecirulli/2048>), up to a largest tile of 131072. A tile is kept as its
//! exponent of two. A [`Board`] knows how tiles slide and where they appear, fast by tables and masks; a
//! [`Position`] adds the score and whose turn it is; `notation` says how all of it is written.
//!
//! Whether chance acts is one flag, a tile being due. The two tiles of the start need no count: a tile
//! that comes to an empty board leaves one more due, and nothing else does.

mod board;
// The entry brings every search of the game with it, which unit tests have no need to compile.
#[cfg(not(test))]
mod entry;
pub mod expertise;
mod lessons;
mod notation;
mod rows;
mod view;

use std::ops::ControlFlow;

use agon_core::random::{Rng, below, mix};
use agon_core::{Game, GameSpec, Options, OptionsError, Outcome, Payoffs, Player, Standing, Turn};

pub use board::{Board, Direction, Directions, Tile};
#[cfg(not(test))]
pub use entry::ENTRY;

/// What the game is called; it has no options.
pub static SPEC: GameSpec = GameSpec {
    id: "2048",
    options: &[],
    lessons: lessons::LESSONS,
    styles: view::STYLES,
    messages: &view::MESSAGES,
};

/// The only seat.
pub const PLAYER: Player = Player(0);

/// The exponent of the tile that wins, 2048.
const WINNING: u8 = 11;

/// The rules of 2048: nothing to set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Game2048;

impl Game2048 {
    /// The game; it takes no options.
    ///
    /// # Errors
    /// None today: options that the game does not have are refused when they are read.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        debug_assert_eq!(options.owner(), SPEC.id);
        Ok(Self)
    }
}

/// The tiles, the score, and whether a tile is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    score: u64,
    /// Never on a full board.
    tile_due: bool,
}

impl Position {
    /// The tiles.
    #[inline(always)]
    pub fn board(&self) -> Board {
        self.board
    }

    /// What all merges have scored so far.
    #[inline(always)]
    pub fn score(&self) -> u64 {
        self.score
    }

    /// Whether a tile is to appear before the player slides again.
    #[inline(always)]
    pub fn is_tile_due(&self) -> bool {
        self.tile_due
    }

    /// The directions in which the player may slide now.
    #[inline(always)]
    fn moves(&self) -> Directions {
        if self.tile_due { Directions::NONE } else { self.board.directions() }
    }
}

/// The largest tile; 0 on an empty board.
fn mark(position: &Position) -> u64 {
    // No tile shows 1, which two to the power of nothing would be.
    (1 << position.board.largest()) & !1
}

impl Game for Game2048 {
    type Position = Position;
    type Move = Direction;
    type Chance = Tile;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> Position {
        Position { board: Board::EMPTY, score: 0, tile_due: true }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.tile_due { Turn::Chance } else { Turn::Player(PLAYER) }
    }

    #[inline(always)]
    fn try_for_each_move<T>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Direction) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let moves = position.moves();
        for direction in Direction::ALL {
            if moves.contains(direction) {
                visit(direction)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn play_unchecked(&self, position: &mut Position, mv: Direction) {
        debug_assert!(self.is_legal(position, mv));
        let (board, gained) = position.board.slide(mv);
        // A slide that changes the board leaves an empty cell: it had one, or it merged two tiles.
        *position = Position { board, score: position.score + u64::from(gained), tile_due: true };
    }

    #[inline(always)]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if position.tile_due || !position.board.directions().is_empty() {
            return None;
        }
        Some(if position.board.largest() >= WINNING {
            Outcome::won(PLAYER, "no move")
        } else {
            Outcome::lost("no move")
        })
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let small = u64::from(position.board.fifth_bits()) << 1 | u64::from(position.tile_due);
        mix(mix(mix(0, position.board.nibbles()), position.score), small)
    }

    #[inline(always)]
    fn count_moves(&self, position: &Position) -> u64 {
        position.moves().count()
    }

    #[inline(always)]
    fn is_legal(&self, position: &Position, mv: Direction) -> bool {
        position.moves().contains(mv)
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, rng: &mut Rng) -> Option<Direction> {
        let moves = position.moves();
        if moves.is_empty() {
            return None;
        }
        Some(moves.nth(below(rng, moves.count())))
    }

    fn has_chance(&self) -> bool {
        true
    }

    #[inline(always)]
    fn for_each_chance(&self, position: &Position, mut visit: impl FnMut(Tile, f64)) {
        if !position.tile_due {
            return;
        }
        let cells = position.board.count_empty() as f64;
        position.board.for_each_empty(|cell| {
            visit(Tile::new(cell, 1), 0.9 / cells);
            visit(Tile::new(cell, 2), 0.1 / cells);
        });
    }

    #[inline(always)]
    fn count_chances(&self, position: &Position) -> u64 {
        if position.tile_due { 2 * position.board.count_empty() } else { 0 }
    }

    #[inline(always)]
    fn draw(&self, position: &Position, number: u64) -> Option<Tile> {
        position.tile_due.then(|| position.board.draw(number))
    }

    #[inline(always)]
    fn play_chance(&self, position: &mut Position, chance: Tile) {
        debug_assert!(position.tile_due);
        let is_first = position.board == Board::EMPTY;
        *position =
            Position { board: position.board.with_new(chance), score: position.score, tile_due: is_first };
    }

    fn standing(&self, position: &Position) -> Option<Standing> {
        Some(Standing { score: position.score, mark: mark(position) })
    }

    fn payoffs(&self, position: &Position, _outcome: &Outcome) -> Payoffs {
        let mut payoffs = Payoffs::default();
        payoffs.0[PLAYER.index()] = position.score as f64;
        payoffs
    }
}
