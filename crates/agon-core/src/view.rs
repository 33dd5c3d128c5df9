//! What a board looks like, in words that no game owns: cells, pieces, counts, and what a move does to them.
//!
//! Whoever draws boards (a terminal, a browser) knows [`Layout`]s and [`Style`]s and not games; whoever turns clicks into
//! moves looks for the [`Step`]s that a [`Gesture`] means. Both are told here by the game, so that
//! neither has to hold a rule. What is said in words is a [`Message`].
//!
//! All of it can be sent to a browser.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::game::{Outcome, Player};
use crate::message::{COMMON, Message};
use crate::notation::Notation;

/// A name that a game gives to a style, a surface, a colour, a row or a column.
pub type Token = &'static str;

/// A place on the board: row and column of its grid, from 0 at the top left. Browsers get it as `[row, column]`, because most of what
/// they are told is places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(into = "(u8, u8)", from = "(u8, u8)")]
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

impl From<(u8, u8)> for Spot {
    fn from((row, column): (u8, u8)) -> Self {
        Self { row, column }
    }
}

impl From<Spot> for (u8, u8) {
    fn from(Spot { row, column }: Spot) -> Self {
        (row, column)
    }
}

/// How cells lie to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Squares in rows and columns, pieces on them.
    Squares,
    /// Holes of a star: neighbours in a row are two columns apart, those in the next row one.
    Star,
    /// Tiles that slide.
    Tiles,
}

/// How a ground or a piece is drawn: hints that need no knowledge of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Style {
    /// By what cells and pieces refer to it.
    pub token: Token,
    /// The key of the message that names it: "castle", "white disc".
    pub name: &'static str,
    /// What it is.
    #[serde(flatten)]
    pub form: Form,
    /// The colour by its role, which a theme knows; `None` for that of the surface.
    pub colour: Option<Token>,
    /// What is drawn on it so that it is known without its colour.
    pub sign: Option<Sign>,
    /// What else sets it apart.
    pub ornament: Option<Ornament>,
    /// The letter by which positions name it; `None` for what they do not name by a letter.
    pub letter: Option<char>,
}

/// The colour role of pieces whose colour goes by the number on them.
pub const BY_NUMBER: Token = "by-number";

/// What a style is the style of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A cell, whatever stands on it.
    Ground(Pattern),
    /// A piece.
    Piece(Shape),
}

/// How a ground is told from plain ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Pattern {
    /// Parallel strokes.
    Hatched,
    /// Two diagonals.
    Crossed,
    /// A point towards the nearest edge.
    Chevron,
    /// Outlined in its colour.
    Outlined,
}

/// The outline of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A flat disc.
    Disc,
    /// A ball.
    Marble,
    /// A square with a number.
    Tile,
}

/// What is drawn on a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// A triangle.
    Triangle,
    /// A ring.
    Ring,
    /// A bar.
    Bar,
    /// A cross.
    Cross,
    /// A diamond.
    Diamond,
    /// Two bars.
    TwoBars,
}

/// What sets a piece or a ground apart from its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ornament {
    /// A crown.
    Crown,
    /// A frame.
    Frame,
}

impl Style {
    const fn new(token: Token, name: &'static str, form: Form) -> Self {
        Self { token, name, form, colour: None, sign: None, ornament: None, letter: None }
    }

    /// A ground named by the message `name`.
    pub const fn ground(token: Token, name: &'static str, pattern: Pattern) -> Self {
        Self::new(token, name, Form::Ground(pattern))
    }

    /// A piece named by the message `name`.
    pub const fn piece(token: Token, name: &'static str, shape: Shape, colour: Token) -> Self {
        Self { colour: Some(colour), ..Self::new(token, name, Form::Piece(shape)) }
    }

    /// The same in a colour.
    #[must_use]
    pub const fn coloured(self, colour: Token) -> Self {
        Self { colour: Some(colour), ..self }
    }

    /// The same with a sign on it.
    #[must_use]
    pub const fn signed(self, sign: Sign) -> Self {
        Self { sign: Some(sign), ..self }
    }

    /// The same with an ornament.
    #[must_use]
    pub const fn with(self, ornament: Ornament) -> Self {
        Self { ornament: Some(ornament), ..self }
    }

    /// The same with the letter by which positions name it.
    #[must_use]
    pub const fn lettered(self, letter: char) -> Self {
        Self { letter: Some(letter), ..self }
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Piece {
    /// The token of its style.
    pub style: Token,
    /// Whose it is.
    pub owner: Player,
    /// The number on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// A place that exists, and what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cell {
    /// Where.
    #[serde(rename = "at")]
    pub spot: Spot,
    /// The token of its ground's style; `None` for plain ground.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Token>,
    /// Who stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<Piece>,
}

/// A figure about a player: discs, pieces taken, marbles home, points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Count {
    /// The player.
    pub owner: Player,
    /// What is counted, as a heading: "discs", "marbles home".
    pub name: Message,
    /// How many.
    pub value: u64,
    /// Of how many, where there is such a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// The figure and what it counts: "12 discs", "3/10 home".
    pub text: Message,
}

/// How far a game has gone towards its limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Progress {
    /// How many moves, turns or rounds have been played.
    pub played: u32,
    /// After how many the game is a draw; `None` if it has no limit.
    pub limit: Option<u32>,
    /// In words, which one is being played, or was the last: "Turn 3 of 100" after two turns.
    pub text: Message,
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

/// A piece that could fall at once and decide the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Threat {
    /// Where it stands.
    pub at: Spot,
    /// What players are told.
    pub message: Message,
}

/// Something that has been achieved for good although the game goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Milestone {
    /// What whoever has achieved it is told.
    pub text: Message,
    /// What has been achieved, in a word that can follow "has reached".
    pub what: Message,
    /// Whether it is a feat for a bot as well, and not for people only.
    pub counts_for_bots: bool,
}

/// How far the only player of a game has come besides points: the mark of [`Standing`](crate::Standing).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Mark {
    /// What it is called: "largest tile".
    pub name: Message,
    /// How high it is; 0 before the first.
    pub value: u64,
}

/// A position as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Board {
    /// How cells lie to one another.
    pub layout: Layout,
    /// What the board is made of, which a theme knows the colours of: "felt", "wood", "tray".
    pub surface: Token,
    /// How the game's grounds and pieces are drawn. It is the same for all boards of a game, so it is not sent with each.
    #[serde(skip)]
    pub styles: &'static [Style],
    /// How moves name a place, `{row}` and `{column}` standing for the names of its row and column. Moves whose [`Step`] says
    /// itself how they are pointed at need not name places.
    pub places: &'static str,
    /// The names of the rows, from the top.
    pub rows: Vec<Token>,
    /// The names of the columns, from the left.
    pub columns: Vec<Token>,
    /// Crossings of the lines between squares that are marked with a dot, to help the eye: each is named by the place
    /// to its upper left. Front ends that draw no lines leave them out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dots: Vec<Spot>,
    /// Every place that exists, row by row.
    pub cells: Vec<Cell>,
    /// What is counted for each player.
    pub counts: Vec<Count>,
    /// How far the game has gone, where that is worth telling.
    pub progress: Option<Progress>,
    /// Pieces that could fall at once and decide the game.
    pub threats: Vec<Threat>,
    /// What has been achieved for good although the game goes on.
    pub milestone: Option<Milestone>,
    /// The highest mark reached, in games for one that have such.
    pub mark: Option<Mark>,
}

impl Board {
    /// A board without cells, and with nothing to tell about it.
    pub fn new(
        layout: Layout,
        surface: Token,
        styles: &'static [Style],
        places: &'static str,
        rows: Vec<Token>,
        columns: Vec<Token>,
    ) -> Self {
        Self {
            layout,
            surface,
            styles,
            places,
            rows,
            columns,
            dots: Vec::new(),
            cells: Vec::new(),
            counts: Vec::new(),
            progress: None,
            threats: Vec::new(),
            milestone: None,
            mark: None,
        }
    }

    /// The name of a place as moves have it; empty beyond the board.
    pub fn place_name(&self, spot: Spot) -> String {
        let names = (self.rows.get(usize::from(spot.row)), self.columns.get(usize::from(spot.column)));
        let (Some(row), Some(column)) = names else { return String::new() };
        self.places.replace("{row}", row).replace("{column}", column)
    }

    /// The cell at a place, if it exists.
    pub fn cell(&self, spot: Spot) -> Option<&Cell> {
        self.cells.binary_search_by_key(&spot, |cell| cell.spot).ok().map(|index| &self.cells[index])
    }
}

/// Where a slide of the whole board goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
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
    /// Pieces turn over.
    Flip {
        /// Where, in the order in which they do.
        spots: Vec<Spot>,
        /// What each becomes; left out of legal moves as browsers get them, to keep messages short.
        #[serde(skip_serializing_if = "Option::is_none")]
        piece: Option<Piece>,
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
    /// A tile slides into another, and both become one.
    Merge {
        /// Where it was.
        from: Spot,
        /// Where both are now.
        to: Spot,
        /// What they become.
        piece: Piece,
    },
}

impl Effect {
    /// Calls `each` with every place where something changes.
    fn for_each_spot(&self, mut each: impl FnMut(Spot)) {
        match self {
            Self::Place { at, .. } | Self::Remove { at } => each(*at),
            Self::Flip { spots, .. } => spots.iter().copied().for_each(each),
            Self::Turn { corner } => block_spots(*corner).into_iter().for_each(each),
            Self::Move { from, to } | Self::Slide { from, to } | Self::Merge { from, to, .. } => {
                each(*from);
                each(*to);
            }
        }
    }
}

/// The places of the block with this top left cell, clockwise from there.
pub fn block_spots(corner: Spot) -> [Spot; 4] {
    let Spot { row, column } = corner;
    [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)].map(Spot::from)
}

/// What kind of move a step is, hence how somebody points at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StepKind {
    /// A piece is put on the board.
    Place,
    /// A piece moves.
    Move,
    /// Nothing happens.
    Pass,
    /// A block turns.
    Turn,
    /// The whole board slides.
    Slide,
    /// Chance puts a piece on the board.
    Appear,
}

/// What a move or a draw of chance does, for people who want to see it and to point at it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Step {
    /// What it is.
    pub kind: StepKind,
    /// Where the piece that moves stands; `None` if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Spot>,
    /// Where a piece arrives or appears; `None` for passes, turned blocks and slides of the whole board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Spot>,
    /// The places that the piece visits, both ends included; empty if it goes straight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<Spot>,
    /// Where the whole board slides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<Heading>,
    /// Sequences of places, any of which makes the move when somebody points at its places in order; empty if pointing at `from`
    /// and then at `to` does, or at `to` alone where there is no `from`. No sequence may be the beginning of one that makes
    /// another move. Two moves may share a sequence: players are then asked which of them they mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Vec<Spot>>,
    /// All that changes.
    pub effects: Vec<Effect>,
}

impl Step {
    fn new(kind: StepKind, effects: Vec<Effect>) -> Self {
        Self { kind, from: None, to: None, path: Vec::new(), heading: None, places: Vec::new(), effects }
    }

    /// The step of a piece that is put on the board.
    pub fn place(at: Spot, piece: Piece) -> Self {
        Self { to: Some(at), ..Self::new(StepKind::Place, vec![Effect::Place { at, piece }]) }
    }

    /// The step of a piece that is put on the board and turns those at `flipped` into its like.
    pub fn place_and_flip(at: Spot, piece: Piece, flipped: Vec<Spot>) -> Self {
        let effects = vec![Effect::Place { at, piece }, Effect::Flip { spots: flipped, piece: Some(piece) }];
        Self { to: Some(at), ..Self::new(StepKind::Place, effects) }
    }

    /// The step of a piece that chance puts on the board.
    pub fn appear(at: Spot, piece: Piece) -> Self {
        Self { kind: StepKind::Appear, ..Self::place(at, piece) }
    }

    /// The step of a piece that moves straight from one place to another.
    pub fn between(from: Spot, to: Spot) -> Self {
        let effects = vec![Effect::Move { from, to }];
        Self { from: Some(from), to: Some(to), ..Self::new(StepKind::Move, effects) }
    }

    /// The step of a block that turns.
    pub fn turn(corner: Spot) -> Self {
        Self::new(StepKind::Turn, vec![Effect::Turn { corner }])
    }

    /// The step in which the whole board slides.
    pub fn slide(heading: Heading, effects: Vec<Effect>) -> Self {
        Self { heading: Some(heading), ..Self::new(StepKind::Slide, effects) }
    }

    /// The step of a pass.
    pub fn pass() -> Self {
        Self::new(StepKind::Pass, Vec::new())
    }

    /// The same step, meant by pointing at these sequences of places and at nothing else.
    #[must_use]
    pub fn meant_by(self, places: Vec<Vec<Spot>>) -> Self {
        Self { places, ..self }
    }

    /// Calls `each` with every sequence of places that means the step. What chance does is nobody's to point at.
    fn for_each_sequence(&self, mut each: impl FnMut(&[Spot])) {
        match (self.from, self.to) {
            _ if !self.places.is_empty() => self.places.iter().for_each(|places| each(places)),
            _ if self.kind == StepKind::Appear => {}
            (Some(from), Some(to)) => each(&[from, to]),
            (None, Some(to)) => each(&[to]),
            (_, None) => {}
        }
    }

    /// Whether somebody who has pointed at these places can go on to make the step.
    pub fn is_begun_by(&self, places: &[Spot]) -> bool {
        let mut begun = false;
        self.for_each_next_place(places, |_| begun = true);
        begun
    }

    /// Calls `each` with every place that somebody who has pointed at `chosen` may point at next.
    pub fn for_each_next_place(&self, chosen: &[Spot], mut each: impl FnMut(Spot)) {
        self.for_each_sequence(|places| {
            if let Some([next, ..]) = places.strip_prefix(chosen) {
                each(*next);
            }
        });
    }

    /// Whether a gesture means the step.
    pub fn is_meant_by(&self, gesture: &Gesture) -> bool {
        match gesture {
            Gesture::Point { places } => self.is_at(places),
            Gesture::Turn { corner } => self.block() == Some(*corner),
            Gesture::Slide { heading } => self.heading == Some(*heading),
        }
    }

    /// Whether pointing at these places, one after another, means the step.
    pub fn is_at(&self, places: &[Spot]) -> bool {
        let mut found = false;
        self.for_each_sequence(|sequence| found |= sequence == places);
        found
    }

    /// The places where something changes, in no order; some may come more than once.
    pub fn changed_spots(&self) -> Vec<Spot> {
        let mut spots = Vec::new();
        self.effects.iter().for_each(|effect| effect.for_each_spot(|spot| spots.push(spot)));
        spots
    }

    /// Whether it is a pass.
    pub fn is_pass(&self) -> bool {
        self.kind == StepKind::Pass
    }

    /// The top left cell of the block that turns.
    pub fn block(&self) -> Option<Spot> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Turn { corner } => Some(*corner),
            _ => None,
        })
    }
}

/// How somebody makes a move without writing it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Gesture {
    /// Points at places, one after another.
    Point {
        /// The places, in order.
        places: Vec<Spot>,
    },
    /// Turns the block with this top left cell.
    Turn {
        /// That cell.
        corner: Spot,
    },
    /// Slides the whole board.
    Slide {
        /// Where to.
        heading: Heading,
    },
}

impl Gesture {
    /// The first and the last of the places that are pointed at, which are the same if there is only one.
    pub fn ends(&self) -> Option<(Spot, Spot)> {
        let Self::Point { places } = self else { return None };
        Some((*places.first()?, *places.last()?))
    }
}

/// A game that people can look at.
pub trait View: Notation {
    /// What people call a seat: "Black", "Attackers", "Green".
    fn title(&self, player: Player) -> Message;

    /// The styles of the pieces that a seat may have on the board, the one it is known by first: lists of players show them beside
    /// its title. They are declared because a board may be empty at the start. Empty in games for one player, which need
    /// not tell seats apart.
    fn seat_styles(&self, player: Player) -> Vec<Token>;

    /// The position as people see it.
    fn board(&self, position: &Self::Position) -> Board;

    /// What a legal move does.
    fn step(&self, position: &Self::Position, mv: Self::Move) -> Step;

    /// What a possible draw of chance does.
    fn chance_step(&self, _position: &Self::Position, _chance: Self::Chance) -> Step {
        Step::pass()
    }

    /// What a draw of chance has brought, in a sentence; `None` in games without chance.
    fn chance_message(&self, _chance: Self::Chance) -> Option<Message> {
        None
    }

    /// Why the game has ended as `outcome` says: a phrase that can follow a colon, without a full stop.
    fn end_message(&self, position: &Self::Position, outcome: &Outcome) -> Message;

    /// The rule that a move breaks which is well-formed on this board and not legal, where a player is to move and the game goes on.
    fn broken_rule(&self, position: &Self::Position, mv: Self::Move) -> Message;

    /// The move that a gesture probably means, asked about gestures that the [`step`](View::step) of no legal move names. If the
    /// move is illegal, players are told which rule it breaks; if it is legal, the gesture makes it.
    ///
    /// # Errors
    /// If there is no such move on this board, the rule that it would break.
    fn gestured_move(&self, position: &Self::Position, gesture: &Gesture) -> Result<Self::Move, Message>;
}

/// What somebody is told who points beyond the board.
pub fn off_board() -> Message {
    COMMON.say("illegal.off-board", [])
}

/// What somebody is told whose gesture means nothing in the game.
pub fn no_move() -> Message {
    COMMON.say("illegal.move", [])
}

/// One of a game's rules: the board that shows it. Its words are in the game's messages.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The options of the game that is shown.
    pub options: &'static str,
    /// The position that is shown; the start if there is none.
    pub position: Option<&'static str>,
    /// A move that is shown in it, or a draw of chance.
    pub example: Option<&'static str>,
    /// A piece of which is shown where it can go.
    pub piece: Option<Spot>,
    /// The part of the board that matters, as its first and last place; all of it if there is none.
    pub part: Option<[Spot; 2]>,
}

impl Lesson {
    /// The start of a game with these options.
    pub const fn start(options: &'static str) -> Self {
        Self { options, position: None, example: None, piece: None, part: None }
    }

    /// A position of a game with these options.
    pub const fn at(options: &'static str, position: &'static str) -> Self {
        Self { position: Some(position), ..Self::start(options) }
    }

    /// The same after a move or a draw of chance.
    pub const fn after(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    /// The same with a piece of which is shown where it can go.
    pub const fn moving(self, row: u8, column: u8) -> Self {
        Self { piece: Some(Spot { row, column }), ..self }
    }

    /// The part of the board from one place to another.
    pub const fn part(self, first: (u8, u8), last: (u8, u8)) -> Self {
        let [first, last] = [Spot { row: first.0, column: first.1 }, Spot { row: last.0, column: last.1 }];
        Self { part: Some([first, last]), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(row: u8, column: u8) -> Spot {
        Spot { row, column }
    }

    fn pointed(places: &[Spot]) -> Gesture {
        Gesture::Point { places: places.to_vec() }
    }

    fn next(step: &Step, chosen: &[Spot]) -> Vec<Spot> {
        let mut places = Vec::new();
        step.for_each_next_place(chosen, |place| places.push(place));
        places
    }

    #[test]
    fn a_step_is_meant_by_its_ends_unless_it_names_other_places() {
        let step = Step::between(at(0, 0), at(2, 0));
        assert!(step.is_meant_by(&pointed(&[at(0, 0), at(2, 0)])));
        assert!(!step.is_meant_by(&pointed(&[at(2, 0)])));
        assert_eq!((next(&step, &[]), next(&step, &[at(0, 0)])), (vec![at(0, 0)], vec![at(2, 0)]));
        // A piece that moves and then shoots, as in Amazons.
        let shot = step.meant_by(vec![vec![at(0, 0), at(2, 0), at(2, 3)]]);
        assert!(!shot.is_meant_by(&pointed(&[at(0, 0), at(2, 0)])));
        assert!(shot.is_meant_by(&pointed(&[at(0, 0), at(2, 0), at(2, 3)])));
        assert_eq!(next(&shot, &[at(0, 0), at(2, 0)]), [at(2, 3)]);
        assert!(next(&shot, &[at(2, 0)]).is_empty());
    }

    #[test]
    fn what_chance_does_is_not_pointed_at() {
        let piece = Piece { style: "tile", owner: Player(0), number: Some(2) };
        assert!(Step::place(at(1, 1), piece).is_meant_by(&pointed(&[at(1, 1)])));
        assert!(!Step::appear(at(1, 1), piece).is_meant_by(&pointed(&[at(1, 1)])));
    }
}
