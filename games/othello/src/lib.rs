//! Othello on n×n boards, n even from 4 to 26.
//!
//! A position holds the discs of the side to move and of its opponent rather than of black and
//! white, so that no step of the rules asks for a colour. The rules are written once over sets of
//! squares and compiled for three kinds of them; how lines are followed on each is the matter of
//! [`Flank`]. Besides its own notation the game reads that of other programs: transcripts and
//! board strings.
//!
//! Rules: <https://www.worldothello.org/about/about-othello/othello-rules/official-rules/english>

// The entry brings every search of the game with it, which unit tests have no need to compile.
#[cfg(not(test))]
mod entry;
pub mod expertise;
mod flank;
mod import;
mod lessons;
mod notation;
mod rules;
mod view;

use agon_core::{GameSpec, OptionKind, OptionSpec, Options, OptionsError, Player};

use agon_board::Rows;
#[cfg(not(test))]
pub use entry::ENTRY;
pub use flank::Flank;

/// The smallest board.
const MIN_SIZE: usize = 4;
/// The largest board: its columns take the whole alphabet.
const MAX_SIZE: usize = 26;

/// What the game is called and which options it takes.
pub static SPEC: GameSpec = GameSpec {
    id: "othello",
    options: &[OptionSpec::of_game(
        "size",
        OptionKind::Integer { min: MIN_SIZE as u32, max: MAX_SIZE as u32, step: 2 },
        "8",
    )],
    lessons: lessons::LESSONS,
    styles: view::STYLES,
    messages: &view::MESSAGES,
};

/// The rules on a board of one size, its squares kept in sets of type `B`.
#[derive(Clone, Copy, Debug)]
pub struct Othello<B> {
    size: usize,
    board: B,
}

impl<B: Flank> Othello<B> {
    /// The rules on a board of `size` × `size`.
    ///
    /// # Panics
    /// If `size` is odd, out of 4 to 26, or more than `B` has room for.
    pub fn new(size: usize) -> Self {
        let sizes = MIN_SIZE..=MAX_SIZE.min(B::MAX_SIZE);
        assert!(size.is_multiple_of(2) && sizes.contains(&size), "no board of size {size}");
        Self { size, board: B::board(size) }
    }

    /// How many squares a side of the board has.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// All squares of the board.
    #[inline(always)]
    pub fn board(&self) -> B {
        self.board
    }
}

/// Othello on a board of any size: the narrowest set of squares that holds it.
#[derive(Clone, Copy, Debug)]
pub enum AnyOthello {
    /// Sizes 4 to 8.
    Small(Othello<u64>),
    /// Size 10.
    Medium(Othello<u128>),
    /// Sizes 12 to 26.
    Large(Othello<Rows>),
}

impl AnyOthello {
    /// The rules that `options` ask for.
    ///
    /// # Errors
    /// None beyond what [`Options::parse`] has refused already.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        Ok(match options.integer("size") as usize {
            size @ ..=8 => Self::Small(Othello::new(size)),
            size @ ..=10 => Self::Medium(Othello::new(size)),
            size => Self::Large(Othello::new(size)),
        })
    }
}

/// The discs on the board and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    /// The discs of the side to move.
    pub own: B,
    /// The discs of the other side, none of them on a square of `own`.
    pub opponent: B,
    /// The side to move: player 0 is `x`, black; player 1 is `o`, white.
    pub to_move: Player,
}

impl<B: Flank> Position<B> {
    /// The discs of `player`.
    #[inline]
    pub fn discs(&self, player: Player) -> B {
        if player == self.to_move { self.own } else { self.opponent }
    }
}

/// What the side to move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Puts a disc on the square with this bit of the board's layout.
    Place(u16),
    /// Does nothing, because there is no square to play on.
    Pass,
}
