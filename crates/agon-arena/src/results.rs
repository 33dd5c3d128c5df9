//! The results of a tournament: everything that tables, statistics and reports are computed from.
//!
//! [`Results`] is a plain list of who took part, what was to be played and how each finished game ended. It serialises to
//! `results.json` and back (see [`json`]). Nothing in it is a total: the [`Table`] and all statistics are computed from the games,
//! so a tournament that was resumed cannot disagree with itself.

mod cross;
pub mod json;
mod points;
mod table;

use std::time::Duration;

use agon_match::Fault;
use serde::{Deserialize, Serialize};

use crate::authors::Author;
use crate::meter::Meter;
use crate::referee::Conduct;

pub use cross::Cross;
pub(crate) use cross::compared;
pub use points::{Points, Standing};
pub use table::{Row, Table};

/// A tournament up to where it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// What the organiser called it.
    pub name: String,
    /// Whether it is running, finished or was stopped.
    pub state: State,
    /// The seed of the tournament file.
    pub seed: u64,
    /// The rules of points.
    pub points: Points,
    /// Who takes part; names are unique.
    pub players: Vec<Player>,
    /// What is played.
    pub rounds: Vec<Round>,
    /// The games that have ended, in the order of the schedule.
    pub games: Vec<GameResult>,
    /// Who paused in Swiss rounds, in the order of the schedule.
    pub byes: Vec<Bye>,
    /// Remarks that readers of the results should know, such as limits that the machine could not enforce.
    pub notes: Vec<String>,
}

impl Results {
    /// The number of games that the tournament has in all, as far as that is known.
    pub fn scheduled(&self) -> usize {
        let known: usize = self.rounds.iter().map(|round| round.games).sum();
        known.max(self.games.len())
    }

    /// The table as it stands.
    pub fn table(&self) -> Table {
        Table::new(self)
    }

    /// What each player, in the order of [`Results::players`], has done against each other one.
    pub fn cross_table(&self) -> Vec<Vec<Cross>> {
        cross::cross_table(&self.players, &self.games)
    }
}

/// How far a tournament has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Games are being played.
    #[default]
    Running,
    /// All games have been played.
    Finished,
    /// It was stopped before its end and can be resumed.
    Stopped,
}

/// Somebody who takes part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// A unique name, chosen by a stranger: anything but empty.
    pub name: String,
    /// What kind of player it is, in a word or two: `bot`, `python`, `java`, `person`.
    pub kind: String,
    /// What plays: a bot specification or a command line.
    pub plays: String,
    /// Who has written it. For grades alone: `results.json`, which is published, does not have it.
    pub authors: Vec<Author>,
}

/// What a round consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The name of the game, as on the command line.
    pub game: String,
    /// The title of the game for people.
    pub title: String,
    /// Every option, in canonical order.
    pub options: String,
    /// Time per move, or a budget with increment, as the tournament file has it.
    pub time: String,
    /// Time for setup, as the tournament file has it.
    pub setup: String,
    /// The format: `round robin`, `swiss`, …
    pub format: String,
    /// How many games the round has; 0 while that is not known.
    pub games: usize,
    /// Who has reached the finals of a round of groups, the best of the groups first; otherwise nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub finalists: Vec<String>,
}

/// A pause in a Swiss round of an odd number of players.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bye {
    /// The round, from 1.
    pub round: usize,
    /// Who paused.
    pub player: String,
    /// The points for it.
    #[serde(serialize_with = "json::amount")]
    pub points: f64,
}

/// A game that has ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "json::GameJson", into = "json::GameJson")]
pub struct GameResult {
    /// Its place in the schedule of the whole tournament, from 0.
    pub number: usize,
    /// The round it belongs to, from 1.
    pub round: usize,
    /// The players' names, in turn order; at least two.
    pub seats: Vec<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// What each seat gets for it, as [`Points::awarded`] has it.
    pub points: Vec<f64>,
    /// Plies played, opening included.
    pub plies: usize,
    /// How each seat behaved; empty if the game was not played.
    pub conduct: Vec<Conduct>,
    /// Where its record is, relative to the folder of the tournament; `None` if nothing was played, because a player
    /// had been disqualified.
    pub record: Option<String>,
    /// What each seat wrote, one path per seat relative to the folder of the tournament, `None` for seats without a log; may
    /// be empty.
    pub logs: Vec<Option<String>>,
    /// What each seat scored, in games that everybody plays alone, such as 2048; otherwise empty.
    pub scores: Vec<u64>,
    /// The time that the referee itself needed.
    pub overhead: Option<Overhead>,
    /// Why it was void and played again, a sentence for each time; mostly empty.
    pub repeats: Vec<String>,
}

impl GameResult {
    /// The number that people know it by, from 1: the one that its files are named after.
    pub fn shown_number(&self) -> usize {
        self.number + 1
    }

    /// Whether a move could have been made: games of players who had been disqualified are decided without play.
    pub fn was_played(&self) -> bool {
        self.record.is_some()
    }

    /// Whether it ended by an offence.
    pub fn is_technical(&self) -> bool {
        matches!(self.outcome, Outcome::Technical { .. })
    }

    /// How a seat has done.
    pub fn standing(&self, seat: usize) -> Standing {
        self.outcome.standing(seat)
    }

    /// The offences of a seat.
    pub fn offences(&self, seat: usize) -> impl Iterator<Item = &Offence> {
        self.outcome.offences().iter().filter(move |offence| offence.seat == seat)
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// By the rules of its game, or in another way that is nobody's offence.
    Placed {
        /// The place of each seat, from 1. Places can be shared: `[1, 1]` is a draw.
        places: Vec<usize>,
        /// Why, in the words of records.
        reason: String,
        /// Why, in a sentence for people; may be empty.
        sentence: String,
    },
    /// By what one or more seats did: a technical loss for each of them, a technical win for all others.
    Technical {
        /// What they did; at least one.
        offences: Vec<Offence>,
    },
}

impl Default for Outcome {
    fn default() -> Self {
        Self::Placed { places: vec![1, 1], reason: String::new(), sentence: String::new() }
    }
}

impl Outcome {
    /// What was done wrong; empty if nothing was.
    pub fn offences(&self) -> &[Offence] {
        match self {
            Self::Placed { .. } => &[],
            Self::Technical { offences } => offences,
        }
    }

    /// How a seat has done. Having the first place alone wins, sharing it draws, and any other place loses.
    pub fn standing(&self, seat: usize) -> Standing {
        match self {
            Self::Technical { offences } if offences.iter().any(|offence| offence.seat == seat) => {
                Standing::TechnicalLoss
            }
            Self::Technical { .. } => Standing::TechnicalWin,
            Self::Placed { places, .. } => {
                let best = places.iter().min();
                if places.get(seat) != best {
                    Standing::Loss
                } else if places.iter().filter(|place| Some(*place) == best).count() > 1 {
                    Standing::Draw
                } else {
                    Standing::Win
                }
            }
        }
    }

    /// The reason in one word or two, as records have it.
    pub fn reason(&self) -> &str {
        match self {
            Self::Placed { reason, .. } => reason,
            Self::Technical { offences } => offences.first().map_or("", |offence| offence.reason.word()),
        }
    }
}

/// What cost a seat the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offence {
    /// The seat, from 0.
    pub seat: usize,
    /// What it was, in one word.
    pub reason: Fault,
    /// What happened, in a sentence for people; may be empty.
    pub sentence: String,
    /// Plies that had been played by then.
    pub ply: usize,
    /// Whether the player is disqualified for it.
    pub disqualified: bool,
}

/// The time that the referee itself took between moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overhead {
    /// The moves measured.
    pub moves: u64,
    /// The median per move.
    #[serde(with = "json::seconds")]
    pub median: Duration,
    /// The most for a move.
    #[serde(with = "json::seconds")]
    pub most: Duration,
}

impl Overhead {
    /// What a meter says; `None` if it has measured nothing.
    pub(crate) fn of(mut meter: Meter) -> Option<Self> {
        let measured = |meter: &mut Meter| Self {
            moves: meter.len() as u64,
            median: meter.median(),
            most: meter.most(),
        };
        (!meter.is_empty()).then(|| measured(&mut meter))
    }
}
