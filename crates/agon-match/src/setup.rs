//! What a match is started with.

use agon_core::Player;
use agon_core::text::counted;
use agon_erased::{BotSpec, OpenError, Rules, Thought};
use serde::{Deserialize, Serialize};

use crate::clock::{Millis, TimePolicy};
use crate::end::Forfeit;
use crate::seats::{MAX_TEXT, Seat, is_text};

/// The bot that plays a forfeited seat on unless another was chosen.
const STAND_IN: &str = "medium";
/// The most moves that an expected line of play keeps.
const MAX_LINE: usize = 64;

/// What a match is started with, apart from its rules and its seed. A [`Setup`] alone is that of a match of one board.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MatchSetup {
    /// What each board begins with. Only a game for one is played on several boards.
    pub boards: Vec<Setup>,
    /// Who plays when on several boards.
    #[serde(skip_serializing_if = "BoardOrder::is_default")]
    pub order: BoardOrder,
    /// What decides a match of several boards.
    #[serde(skip_serializing_if = "Goal::is_default")]
    pub goal: Goal,
}

impl From<Setup> for MatchSetup {
    fn from(setup: Setup) -> Self {
        Self { boards: vec![setup], ..Self::default() }
    }
}

/// How many boards a match may have.
const MAX_BOARDS: usize = 6;

impl MatchSetup {
    /// Checks what concerns the boards together.
    pub(crate) fn check(&self, rules: &dyn Rules) -> Result<(), StartError> {
        let refuse = |fault: &str| Err(StartError::Boards(fault.to_owned()));
        let Self { boards, order, goal } = self;
        if boards.is_empty() || boards.len() > MAX_BOARDS {
            return refuse("a match has 1 to 6 boards");
        }
        if boards.len() > 1 && rules.seats().len() != 1 {
            return refuse("only a game for one player is played on several boards");
        }
        if boards.iter().any(|setup| setup.position != boards[0].position) {
            return refuse("all boards of a match begin with the same position");
        }
        if boards.len() == 1 && *goal != Goal::Finish {
            return refuse("only a match of several boards is decided by a number of moves or a time");
        }
        match goal {
            Goal::Moves(0) => refuse("a race by moves has at least one move on each board"),
            Goal::Time(_) if *order == BoardOrder::InTurn => {
                refuse("a race against time is played side by side")
            }
            Goal::Finish | Goal::Moves(_) | Goal::Time(_) => Ok(()),
        }
    }
}

/// Who plays when on several boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardOrder {
    /// All at once, side by side.
    #[default]
    Together,
    /// One whole game after the other, in the order of the boards.
    InTurn,
}

impl BoardOrder {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What decides a match of several boards. Whatever it is, a board ends when its game does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The points at the end of the games.
    #[default]
    Finish,
    /// The points after so many moves on each board.
    Moves(u32),
    /// The points when so much time has passed since the match began.
    Time(Millis),
}

impl Goal {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What one board of a match begins with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The position it begins with; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves and draws that were made before the match began: an opening, or the game that it continues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<PastPly>,
    /// Who plays, one for each seat in playing order.
    pub seats: Vec<Seat>,
    /// What holds outside the rules of the game.
    pub policy: Policy,
    /// What is left on the clocks, as [`Clocks::carried`](crate::Clocks::carried) says it; empty for full clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clocks: Vec<Millis>,
    /// Seats that bots play on because their players have left the game already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeits: Vec<Forfeit>,
}

/// What holds in a match outside the rules of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// How time is given.
    pub time: TimePolicy,
    /// What a fault does to a game of three or more seats.
    pub faults: Faults,
    /// Who plays on for a player who has left such a game.
    pub stand_in: BotSpec,
}

impl Default for Policy {
    fn default() -> Self {
        Self { time: TimePolicy::default(), faults: Faults::default(), stand_in: BotSpec::named(STAND_IN) }
    }
}

/// What a fault does to a game of three or more seats. A resignation never ends such a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Faults {
    /// A bot plays the seat on, as people prefer.
    #[default]
    PlayOn,
    /// It ends the game, as in tournaments.
    End,
}

/// A move or draw from before a match began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PastPly {
    /// The move.
    pub token: String,
    /// How long it took, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Millis>,
    /// What its player thought of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<Remark>,
}

impl From<&str> for PastPly {
    fn from(token: &str) -> Self {
        Self { token: token.to_owned(), ..Self::default() }
    }
}

impl From<String> for PastPly {
    fn from(token: String) -> Self {
        Self { token, ..Self::default() }
    }
}

/// What a player thought of a move when making it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Remark {
    /// What the move is worth to the player who made it, in the unit of the evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// How deep the search was, in plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// How many moves the search made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// How the player expected the game to go on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

impl Remark {
    /// The remark within bounds: what JSON cannot hold or nobody reads is left out.
    pub(crate) fn bounded(mut self) -> Self {
        self.score = self.score.filter(|score| score.is_finite());
        self.line.truncate(MAX_LINE);
        if self.line.iter().map(String::len).sum::<usize>() > MAX_TEXT {
            self.line.clear();
        }
        self
    }
}

impl From<&Thought<String>> for Remark {
    fn from(thought: &Thought<String>) -> Self {
        // What did not search has neither depth nor nodes.
        let searched = thought.nodes > 0 || thought.depth > 0;
        Self {
            score: thought.score,
            depth: searched.then_some(thought.depth),
            nodes: searched.then_some(thought.nodes),
            line: thought.line.iter().take(MAX_LINE).cloned().collect(),
        }
    }
}

/// A match that cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The position or one of the moves does not hold.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Too many or too few players.
    #[error("players: {given} given for the {} seats {}", .seats.len(), .seats.join(", "))]
    Players {
        /// How many were given.
        given: usize,
        /// The seats that there are.
        seats: Vec<String>,
    },
    /// There are too many or too few boards, or they do not fit the game or one another.
    #[error("{0}")]
    Boards(String),
    /// A name is too long or holds a control character.
    #[error("names have at most {MAX_TEXT} bytes and no control characters")]
    Name,
    /// The clocks do not fit the seats and their time controls.
    #[error("clocks: {given} given that do not fit {} and their time control", counted(*.seats, "seat"))]
    Clocks {
        /// How many were given.
        given: usize,
        /// How many seats there are.
        seats: usize,
    },
    /// A seat that was forfeited does not exist, was forfeited before, or nobody else is left.
    #[error("forfeits: they do not fit the game")]
    Forfeits,
}

impl Setup {
    /// Checks what does not depend on the course of the game.
    pub(crate) fn check(&self, rules: &dyn Rules) -> Result<(), StartError> {
        let names = rules.seats();
        let seats = names.len();
        if self.seats.len() != seats {
            return Err(StartError::Players { given: self.seats.len(), seats: names });
        }
        if !self.seats.iter().all(|seat| is_text(&seat.name)) {
            return Err(StartError::Name);
        }
        let controls = self.policy.time.controls.len();
        if controls > 1 && controls != seats {
            return Err(StartError::Clocks { given: controls, seats });
        }
        let mut left: Vec<Player> = (0..seats as u8).map(Player).collect();
        for forfeit in &self.forfeits {
            let index = left.iter().position(|seat| *seat == forfeit.seat);
            let fits = forfeit.ply <= self.moves.len() && left.len() > 2;
            left.remove(index.filter(|_| fits).ok_or(StartError::Forfeits)?);
        }
        Ok(())
    }
}
