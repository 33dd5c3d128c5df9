//! A made-up game on an empty board of three columns and two rows: players drop discs, which fall to the lowest empty place, until
//! the board is full. Its moves name a column and not a place, so that what points at moves can be tested where one place means
//! a move that ends on another.

use std::convert::Infallible;
use std::ops::ControlFlow;

use agon_core::view::{
    Board, Cell, Gesture, Layout, Piece, Shape, Spot, Step, Style, Token, no_move, off_board,
};
use agon_core::{
    Diagram, Game, GameSpec, Message, Messages, MoveError, Notation, Outcome, Payoffs, Player, PositionError,
    Turn, View,
};
use agon_erased::{EvaluationSpec, Expertise, Preset};
use agon_search::{Evaluation, Feature, Tactics};

const COLUMNS: [&str; 3] = ["a", "b", "c"];
const ROWS: [&str; 2] = ["2", "1"];

static MESSAGES: Messages = Messages::new(&[(
    "en",
    "title = Columns\nseat.first = First\nseat.second = Second\npiece.disc = disc\nend.full = the board is full\n\
     illegal.full = This column is full.\n",
)]);

const STYLES: &[Style] = &[
    Style::piece("first", "piece.disc", Shape::Disc, "black"),
    Style::piece("second", "piece.disc", Shape::Disc, "white"),
];

/// What the game is called.
pub static SPEC: GameSpec =
    GameSpec { id: "columns", options: &[], lessons: &[], styles: STYLES, messages: &MESSAGES };

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Columns;

/// The discs in each column from below, as their owners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discs([[Option<Player>; ROWS.len()]; COLUMNS.len()]);

impl Discs {
    fn height(&self, column: usize) -> usize {
        self.0[column].iter().flatten().count()
    }

    fn count(&self) -> usize {
        (0..COLUMNS.len()).map(|column| self.height(column)).sum()
    }
}

/// The place of the disc with this height in a column.
fn spot(column: usize, height: usize) -> Spot {
    Spot::new(ROWS.len() - 1 - height, column)
}

impl Game for Columns {
    type Position = Discs;
    type Move = usize;
    type Chance = Infallible;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Discs {
        Discs::default()
    }

    fn turn(&self, discs: &Discs) -> Turn {
        Turn::Player(Player((discs.count() % 2) as u8))
    }

    fn try_for_each_move<T>(
        &self,
        discs: &Discs,
        visit: impl FnMut(usize) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        (0..COLUMNS.len()).filter(|&column| discs.height(column) < ROWS.len()).try_for_each(visit)
    }

    fn play_unchecked(&self, discs: &mut Discs, column: usize) {
        let (owner, height) = (Player((discs.count() % 2) as u8), discs.height(column));
        discs.0[column][height] = Some(owner);
    }

    fn outcome(&self, discs: &Discs) -> Option<Outcome> {
        (discs.count() == COLUMNS.len() * ROWS.len()).then_some(Outcome::drawn("full"))
    }

    fn key(&self, discs: &Discs) -> u64 {
        let places = discs.0.iter().flatten();
        places.fold(1, |key, owner| 3 * key + owner.map_or(0, |owner| 1 + u64::from(owner.0)))
    }
}

impl Notation for Columns {
    fn options(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn seat(&self, player: Player) -> &str {
        ["1", "2"][player.index()]
    }

    fn position_text(&self, discs: &Discs) -> String {
        let letter = |owner: &Option<Player>| owner.map_or("-", |owner| self.seat(owner));
        discs.0.iter().flatten().map(letter).collect()
    }

    fn parse_position(&self, _text: &str) -> Result<Discs, PositionError> {
        Err(PositionError::new("this game always starts empty"))
    }

    fn move_text(&self, column: usize) -> String {
        COLUMNS[column].to_owned()
    }

    fn parse_move(&self, token: &str) -> Result<usize, MoveError> {
        let column = COLUMNS.iter().position(|name| *name == token);
        column.ok_or_else(|| MoveError::new(token, "expected a column"))
    }

    fn diagram(&self, discs: &Discs) -> Diagram {
        Diagram { board: self.position_text(discs), facts: format!("discs: {}", discs.count()) }
    }
}

impl View for Columns {
    fn title(&self, player: Player) -> Message {
        MESSAGES.say(["seat.first", "seat.second"][player.index()], [])
    }

    fn seat_styles(&self, player: Player) -> Vec<Token> {
        vec![STYLES[player.index()].token]
    }

    fn board(&self, discs: &Discs) -> Board {
        let mut cells: Vec<Cell> = Vec::new();
        for (column, owners) in discs.0.iter().enumerate() {
            for (height, owner) in owners.iter().enumerate() {
                let disc = |owner: Player| Piece { style: STYLES[owner.index()].token, owner, number: None };
                cells.push(Cell { spot: spot(column, height), ground: None, piece: owner.map(disc) });
            }
        }
        cells.sort_by_key(|cell| cell.spot);
        let board =
            Board::new(Layout::Squares, "wood", STYLES, "{column}{row}", ROWS.to_vec(), COLUMNS.to_vec());
        Board { cells, ..board }
    }

    fn step(&self, discs: &Discs, column: usize) -> Step {
        let owner = Player((discs.count() % 2) as u8);
        let piece = Piece { style: STYLES[owner.index()].token, owner, number: None };
        let places = (0..ROWS.len()).map(|height| vec![spot(column, height)]).collect();
        Step::place(spot(column, discs.height(column)), piece).meant_by(places)
    }

    fn end_message(&self, _discs: &Discs, _outcome: &Outcome) -> Message {
        MESSAGES.say("end.full", [])
    }

    fn broken_rule(&self, _discs: &Discs, _column: usize) -> Message {
        MESSAGES.say("illegal.full", [])
    }

    fn gestured_move(&self, _discs: &Discs, gesture: &Gesture) -> Result<usize, Message> {
        let (_, to) = gesture.ends().ok_or_else(no_move)?;
        let column = usize::from(to.column);
        if column < COLUMNS.len() && usize::from(to.row) < ROWS.len() { Ok(column) } else { Err(off_board()) }
    }
}

/// Nothing is known about the game.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Evaluation<Columns> for Nothing {
    type State = ();

    fn state(&self, _: &Columns, _: &Discs) {}

    fn advance(&self, _: &Columns, _: &mut (), _: &Discs, _: usize, _: &Discs) {}

    fn payoffs(&self, _: &Columns, _: &Discs, _: &()) -> Payoffs {
        Payoffs::default()
    }

    fn features(&self, _: &Columns, _: &Discs, _: Player) -> Vec<Feature> {
        Vec::new()
    }
}

impl Tactics<Columns> for Nothing {
    fn slots(&self, _: &Columns) -> usize {
        COLUMNS.len()
    }

    fn slot(&self, _: &Columns, column: usize) -> usize {
        column
    }
}

impl Expertise for Columns {
    type Knowledge = Nothing;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        &[EvaluationSpec { name: "nothing", summary: "Nothing." }]
    }

    fn knowledge(&self, _evaluation: &str) -> Option<Nothing> {
        Some(Nothing)
    }

    fn presets(&self) -> &'static [Preset] {
        &[]
    }
}
