//! Chinese Checkers for two to six seats, each with one to three colours.
//!
//! Marbles step or hop in chains, nothing is captured, the first seat with its marbles across the
//! board wins, and a round limit draws.
//! `holes.rs` tells how the star is laid out in bits so that the moves of all marbles are found
//! together, and `moves.rs` finds them; `rules.rs` and `notation.rs` are the game as others see it.

mod colours;
// The entry brings every search of the game with it, which unit tests have no need to compile.
#[cfg(not(test))]
mod entry;
pub mod expertise;
mod holes;
mod lessons;
mod moves;
mod notation;
mod path;
mod position;
mod rules;
pub mod solo;
mod view;

pub use colours::{Colour, LETTERS, MARBLES};
pub use holes::{COLUMNS, EVERY_HOLE, Hole, Holes, ROWS, WIDTHS};
pub use moves::{Direction, Mobility};
pub use path::path;
pub use position::{Move, Position};

use agon_core::random::{RandomSource, seeded};
use agon_core::{GameSpec, MAX_PLAYERS, OptionKind, OptionSpec, Options, OptionsError, Player};
#[cfg(not(test))]
pub use entry::ENTRY;

/// The seats of a game whose options do not say.
const DEFAULT_SEATS: &str = "g/r";

/// What the game is called and which options it takes.
pub static SPEC: GameSpec = GameSpec {
    id: "chinese-checkers",
    options: &[
        OptionSpec::of_game(
            "seats",
            OptionKind::Text {
                expected: "2 to 6 seats in playing order separated by /, each 1 to 3 of the colours \
                           g, y, o, r, p and b, no colour twice",
                suggestions: &[
                    DEFAULT_SEATS,
                    "gy/rp",
                    "gyo/rpb",
                    "g/o/p",
                    "gr/yp/ob",
                    "g/y/r/p",
                    "g/y/o/r/p",
                    "g/y/o/r/p/b",
                ],
            },
            DEFAULT_SEATS,
        ),
        OptionSpec::of_game("goal", OptionKind::Choice(&["strict", "fill"]), "strict"),
        OptionSpec::of_game("rounds", OptionKind::Integer { min: 20, max: 1000, step: 1 }, "300"),
    ],
    lessons: lessons::LESSONS,
    styles: view::STYLES,
    messages: &view::MESSAGES,
};

/// What a seat must do to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// All its marbles stand in their targets.
    Strict,
    /// Each of its targets is full and holds a marble of the colour that belongs there.
    Fill,
}

/// A seat: its name, which lists its colours, and those colours.
#[derive(Clone, Debug)]
struct Seat {
    name: String,
    colours: Vec<Colour>,
}

/// The game with its options.
#[derive(Clone, Debug)]
pub struct ChineseCheckers {
    /// In playing order.
    seats: Vec<Seat>,
    goal: Goal,
    rounds: u32,
    /// All targets of all seats: only a move into one of them can win.
    targets: Holes,
    /// A random number for a marble in each hole, by the code of its colour and [`Hole::index`].
    keys: Box<[[u64; 256]; 8]>,
}

impl ChineseCheckers {
    /// The game that `options` describe.
    ///
    /// # Errors
    /// If `seats` is not a list of seats.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        let text = options.value("seats").unwrap_or(DEFAULT_SEATS);
        let seats = read_seats(text).ok_or_else(|| options.fault("seats"))?;
        let goal = if options.value("goal") == Some("fill") { Goal::Fill } else { Goal::Strict };
        let targets = seats
            .iter()
            .flat_map(|seat| &seat.colours)
            .fold(Holes::EMPTY, |all, colour| all | colour.target());
        let mut rng = seeded(121);
        let mut keys = Box::new([[0; 256]; 8]);
        keys.as_flattened_mut().fill_with(|| rng.next_u64());
        Ok(Self { seats, goal, rounds: options.integer("rounds"), targets, keys })
    }

    /// The colours of a seat, as its name lists them.
    pub fn colours(&self, player: Player) -> &[Colour] {
        &self.seats[player.index()].colours
    }

    /// What wins.
    pub fn goal(&self) -> Goal {
        self.goal
    }
}

/// Reads seats like `g/yo/r`; `None` if they are not as [`SPEC`] says.
fn read_seats(text: &str) -> Option<Vec<Seat>> {
    let (mut seats, mut taken) = (Vec::new(), Vec::new());
    for name in text.split('/') {
        let mut colours = Vec::new();
        for letter in name.chars() {
            let colour = Colour::from_letter(letter).filter(|colour| !taken.contains(colour))?;
            taken.push(colour);
            colours.push(colour);
        }
        if !(1..=3).contains(&colours.len()) {
            return None;
        }
        seats.push(Seat { name: name.to_owned(), colours });
    }
    (2..=MAX_PLAYERS).contains(&seats.len()).then_some(seats)
}
