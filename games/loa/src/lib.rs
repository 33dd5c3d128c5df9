//! Lines of Action on boards from 5×5 to 30×30, standard or with rotating 2×2 blocks.
//!
//! A piece moves as far as there are pieces on its line, and a side whose pieces are all in one group has
//! won ([Sackson's rules](https://en.wikipedia.org/wiki/Lines_of_Action), with the options of
//! [`SPEC`]). The rules are written once over [`Grid`], a set of squares, and compiled for one word up to
//! 8×8, a double word up to 11×11 and a word a row above ([`AnyLoa`]).
//!
//! * [`Grid`]: what a set of squares must be able to do beyond [`Bits`];
//! * `lanes`, `bands`: all moves of all pieces at once, on one word and on a word a row;
//! * `field`: the board, and one move of one piece, for drawing random moves and checking given ones;
//! * `groups`: whether pieces are connected;
//! * `rules`, `notation`: [`agon_core::Game`] and [`agon_core::Notation`].

mod bands;
// The entry brings every search of the game with it, which unit tests have no need to compile.
#[cfg(not(test))]
mod entry;
pub mod expertise;
mod field;
mod grid;
mod groups;
mod lanes;
mod lessons;
mod notation;
mod rules;
mod view;

use agon_core::{GameSpec, OptionKind, OptionSpec, Options, OptionsError, Player};

use agon_board::{Bits, Rows};
#[cfg(not(test))]
pub use entry::ENTRY;
use field::Field;
pub use grid::Grid;
pub use groups::is_one_group;

/// Lines of Action: its name and its options.
pub static SPEC: GameSpec = GameSpec {
    id: "loa",
    options: &[
        OptionSpec::of_game("size", OptionKind::Integer { min: 5, max: 30, step: 1 }, "8"),
        OptionSpec::of_game("turns", OptionKind::Integer { min: 10, max: 100, step: 1 }, "100"),
        OptionSpec::of_game("rules", OptionKind::Choice(&["rotating", "standard"]), "rotating"),
        OptionSpec::of_game("first", OptionKind::Choice(&["black", "white"]), "black"),
    ],
    lessons: lessons::LESSONS,
    styles: view::STYLES,
    messages: &view::MESSAGES,
};

/// The game on the set of squares that its size asks for.
#[derive(Clone, Debug)]
pub enum AnyLoa {
    /// 5×5 to 8×8.
    Small(Loa<u64>),
    /// 9×9 to 11×11.
    Medium(Loa<u128>),
    /// 12×12 to 30×30.
    Large(Loa<Rows>),
}

impl AnyLoa {
    /// The game with these options.
    ///
    /// # Errors
    /// None so far: every combination of allowed values is a game.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        let size = options.integer("size") as usize;
        Ok(if size <= <u64 as Bits>::MAX_SIZE {
            Self::Small(Loa::new(options, size))
        } else if size <= <u128 as Bits>::MAX_SIZE {
            Self::Medium(Loa::new(options, size))
        } else {
            Self::Large(Loa::new(options, size))
        })
    }
}

/// The rules of Lines of Action with their options fixed.
#[derive(Clone, Debug)]
pub struct Loa<B: Grid> {
    turns: u32,
    rotating: bool,
    white_first: bool,
    field: Box<Field<B>>,
}

impl<B: Grid> Loa<B> {
    fn new(options: &Options, size: usize) -> Self {
        Self {
            turns: options.integer("turns"),
            rotating: options.value("rules") != Some("standard"),
            white_first: options.value("first") == Some("white"),
            field: Box::new(Field::new(size)),
        }
    }

    /// Squares a side.
    pub fn size(&self) -> usize {
        self.field.size
    }

    /// Whether 2×2 blocks may be turned.
    pub fn is_rotating(&self) -> bool {
        self.rotating
    }

    /// All squares of the board.
    #[inline(always)]
    pub fn squares(&self) -> B {
        self.field.squares
    }

    /// The top left squares of the blocks that a side with these `pieces` may turn under rotating rules.
    #[inline(always)]
    pub fn blocks_of(&self, pieces: B) -> B {
        self.field.blocks_of(pieces)
    }

    /// Where the piece on `from`, one of the [`Grid::movers`] of `direction`, lands.
    #[inline(always)]
    pub fn landing(&self, position: &Position<B>, from: usize, direction: usize) -> usize {
        self.field.landing(position, from, direction)
    }

    /// The number of plies after which the game is a draw.
    pub fn limit(&self) -> u32 {
        2 * self.turns
    }

    /// How many pieces each side starts with, and the most it can ever have.
    fn pieces_at_start(&self) -> u32 {
        2 * (self.size() as u32 - 2)
    }
}

/// The board, whose turn it is, and how many plies have been played. Each side has a piece at least: a last
/// piece is a group of its own, so the game ends before it could be captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    own: B,
    enemy: B,
    ply: u32,
    turn: Player,
}

impl<B: Grid> Position<B> {
    /// The pieces of the side to move.
    #[inline(always)]
    pub fn own(&self) -> B {
        self.own
    }

    /// The pieces of the other side.
    #[inline(always)]
    pub fn enemy(&self) -> B {
        self.enemy
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// The same board with the other side to move, a ply later: what a pass would lead to, whether the rules
    /// allow one or not. Searches ask so what the other side threatens.
    #[must_use]
    #[inline(always)]
    pub fn passed(&self) -> Self {
        Self { own: self.enemy, enemy: self.own, ply: self.ply + 1, turn: other(self.turn) }
    }

    /// The pieces of `player`.
    #[inline(always)]
    pub fn pieces(&self, player: Player) -> B {
        if player == self.turn { self.own } else { self.enemy }
    }
}

/// One decision. Squares are bits of the board's layout, see [`Bits::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece moves along a line.
    Slide {
        /// Where it stands.
        from: u16,
        /// Where it lands.
        to: u16,
    },
    /// A 2×2 block turns clockwise.
    Rotate {
        /// The block's top left square.
        corner: u16,
    },
    /// Nothing else is possible.
    Pass,
}

/// The player who does not move.
#[inline(always)]
fn other(player: Player) -> Player {
    Player(player.0 ^ 1)
}
