//! What a board looks like, in words that no game owns: cells, pieces, counts, and what a move does to them.
//!
//! Whoever draws boards (a terminal, a browser) knows [`Layout`]s and not games; whoever turns clicks into moves
//! looks for the [`Step`] that begins and ends where somebody pointed. Both are told here by the game, so that neither has
//! to hold a rule.

use crate::game::Player;
use crate::notation::Notation;

/// A place on the board: row and column of its grid, from 0 at the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    /// The row.
    pub row: u8,
    /// The column.
    pub column: u8,
}

impl Spot {
    /// The place in a row and a column, which no board has more than 255 of.
    pub fn new(row: usize, column: usize) -> Self {
        Self { row: row as u8, column: column as u8 }
    }
}

/// How cells lie to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Squares in rows and columns, pieces on them; the felt of a disc game or the wood of others.
    Squares {
        /// Whether the board is covered with felt.
        felt: bool,
    },
    /// Holes of a star: neighbours in a row are two columns apart, those in the next row one.
    Star,
    /// Tiles with numbers.
    Tiles,
}

/// What a cell is, whoever stands on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Nothing special.
    Plain,
    /// A camp, closed to most.
    Camp,
    /// The castle, closed to all.
    Castle,
    /// A way out.
    Exit,
    /// Where the pieces of a colour start.
    Home(char),
}

impl Ground {
    /// In one word, for those who cannot see it; empty for plain ground.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Camp => "camp",
            Self::Castle => "castle",
            Self::Exit => "exit",
            Self::Home(_) => "home",
        }
    }
}

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A black disc.
    Black,
    /// A white disc.
    White,
    /// A white disc with a crown.
    King,
    /// A marble of the colour with this letter.
    Marble(char),
    /// A tile with a number.
    Tile(u32),
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it looks like.
    pub look: Look,
    /// The letter by which positions name it; for a tile, which has none, `#`.
    pub letter: char,
    /// Whose it is.
    pub owner: Player,
}

/// A place that exists, and what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where.
    pub spot: Spot,
    /// What it is.
    pub ground: Ground,
    /// Who stands there.
    pub piece: Option<Piece>,
}

/// A figure about a player: discs, pieces taken, marbles home, points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The player.
    pub owner: Player,
    /// What is counted.
    pub what: &'static str,
    /// How many.
    pub value: u64,
    /// Of how many, where there is such a number.
    pub of: Option<u64>,
}

/// How far a game has gone towards its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is counted: moves, turns, rounds.
    pub unit: &'static str,
    /// How many have been played.
    pub played: u32,
    /// After how many the game is a draw; `None` if it has no limit.
    pub limit: Option<u32>,
}

impl Progress {
    /// How many are left, where there is a limit.
    pub fn left(&self) -> Option<u32> {
        self.limit.map(|limit| limit.saturating_sub(self.played))
    }

    /// Whether the limit is so near that players must be warned: the last ten.
    pub fn is_pressing(&self) -> bool {
        self.left().is_some_and(|left| left <= 10)
    }
}

/// A position as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// How cells lie to one another.
    pub layout: Layout,
    /// The names of the rows, from the top.
    pub rows: Vec<String>,
    /// The names of the columns, from the left.
    pub columns: Vec<String>,
    /// Every place that exists, row by row.
    pub cells: Vec<Cell>,
    /// What is counted for each player.
    pub counts: Vec<Count>,
    /// How far the game has gone, where that is worth telling.
    pub progress: Option<Progress>,
    /// Pieces that could fall at once and decide the game.
    pub threats: Vec<Spot>,
}

impl Board {
    /// The cell at a place, if it exists.
    pub fn cell(&self, spot: Spot) -> Option<&Cell> {
        self.cells.binary_search_by_key(&spot, |cell| cell.spot).ok().map(|index| &self.cells[index])
    }
}

/// Where a slide of the whole board goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heading {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// One change that a move makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A piece appears.
    Place {
        /// Where.
        at: Spot,
        /// What.
        piece: Piece,
    },
    /// A piece goes from one place to another.
    Move {
        /// Where it stood.
        from: Spot,
        /// Where it stands.
        to: Spot,
    },
    /// A piece changes sides.
    Flip {
        /// Where.
        at: Spot,
    },
    /// A piece leaves the board.
    Remove {
        /// Where it stood.
        at: Spot,
    },
    /// A block of four turns clockwise.
    Turn {
        /// Its top left cell.
        corner: Spot,
    },
    /// A tile slides; one that stays where it is does so too.
    Slide {
        /// Where it was.
        from: Spot,
        /// Where it is.
        to: Spot,
    },
    /// A tile slides into an equal one, and one of twice the value is there.
    Merge {
        /// Where it was.
        from: Spot,
        /// Where both are now.
        to: Spot,
    },
}

/// What a move or a draw of chance does, for people who want to see it and to point at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Where the piece that moves stands; `None` if none does.
    pub from: Option<Spot>,
    /// Where a piece arrives or appears; `None` for passes, turned blocks and slides of the whole board.
    pub to: Option<Spot>,
    /// The places that the piece visits, both ends included; empty if it goes straight.
    pub path: Vec<Spot>,
    /// Where the whole board slides.
    pub heading: Option<Heading>,
    /// All that changes.
    pub effects: Vec<Effect>,
}

impl Step {
    /// The top left cell of the block that turns.
    pub fn block(&self) -> Option<Spot> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Turn { corner } => Some(*corner),
            _ => None,
        })
    }

    /// The step of a piece that moves straight from one place to another.
    pub fn between(from: Spot, to: Spot) -> Self {
        Self { from: Some(from), to: Some(to), effects: vec![Effect::Move { from, to }], ..Self::default() }
    }
}

/// A game that people can look at.
pub trait View: Notation {
    /// What people call a seat: "Black", "Attackers", "Green".
    fn title(&self, player: Player) -> String;

    /// The position as people see it.
    fn board(&self, position: &Self::Position) -> Board;

    /// What a legal move does.
    fn step(&self, position: &Self::Position, mv: Self::Move) -> Step;

    /// What a possible draw of chance does.
    fn chance_step(&self, _position: &Self::Position, _chance: Self::Chance) -> Step {
        Step::default()
    }
}

/// One page of what newcomers are taught about a game.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// What it is about.
    pub title: &'static str,
    /// The text, a paragraph a line.
    pub text: &'static str,
    /// The options of the game that is shown.
    pub options: &'static str,
    /// The position that is shown; the start if there is none.
    pub position: Option<&'static str>,
    /// A move that is shown in it, or a draw of chance.
    pub example: Option<&'static str>,
}
