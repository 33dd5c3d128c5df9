//! Game records: a few header lines, an empty line, the moves. Reading replays every move and refuses a
//! record that does not hold.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use agon_core::text::{number, quote};
use agon_core::{Outcome, Player, Verdict};
use agon_erased::{Games, OpenError, Rules, Session};
use agon_match::{End, StartError};

use crate::date::is_date;

/// The largest record that is read, in bytes.
pub const MAX_BYTES: usize = 4 << 20;
/// The version of the format, the value of the header `agon`.
const VERSION: &str = "1";
/// The reason of a draw that the players have agreed on.
pub(crate) const AGREEMENT: &str = "agreement";
/// Where the moves are wrapped.
const LINE_WIDTH: usize = 80;

/// A game written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The game's name.
    pub game: String,
    /// Its options.
    pub options: String,
    /// The position it began with, if not the usual one.
    pub start: Option<String>,
    /// The players in playing order; empty if nobody noted them.
    pub players: Vec<String>,
    /// When it was played, `2026-11-15T18:00:00Z`.
    pub date: Option<String>,
    /// The seed of its randomness.
    pub seed: Option<u64>,
    /// The time control: `none`, `15s` or `5m+3s`; older records have free words.
    pub clock: Option<String>,
    /// How it ended.
    pub result: Option<RecordResult>,
    /// Further lines whose names begin with `x-`.
    pub extra: Vec<(String, String)>,
    /// The moves and draws.
    pub moves: Vec<String>,
}

/// How a recorded game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordResult {
    /// `won SEAT (reason)`.
    Won {
        /// Who has won.
        seat: String,
        /// Why.
        reason: String,
    },
    /// `drawn (reason)`; the reason `agreement` is the players' own.
    Drawn {
        /// Why.
        reason: String,
    },
    /// `lost (reason)`: the only player has lost.
    Lost {
        /// Why.
        reason: String,
    },
    /// `forfeit SEAT (reason)`: the seat has lost for a reason outside the rules.
    Forfeit {
        /// Who has lost.
        seat: String,
        /// Why.
        reason: String,
    },
    /// `*`: unfinished.
    Unfinished,
}

/// A record that could not be read or does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// There is too much of it.
    #[error("the record has {0} bytes; at most {MAX_BYTES} are read")]
    TooLarge(u64),
    /// It is not text.
    #[error("the record is not UTF-8 text from byte {0} on")]
    NotText(usize),
    /// A line of the header is wrong.
    #[error("line {line}: {fault}")]
    Header {
        /// The line's number from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// A header that must be there is not.
    #[error("the header {0} is missing")]
    Missing(&'static str),
    /// The header names what does not exist or does not fit.
    #[error("{0}")]
    Setup(String),
    /// A move does not hold.
    #[error("move {number}: {fault}")]
    Move {
        /// The move's number from 1, draws of chance counted too.
        number: usize,
        /// What is wrong.
        fault: String,
    },
    /// The result is not that of the game.
    #[error("result: the record says {said}, but the moves give {given}")]
    Result {
        /// What the header says.
        said: String,
        /// What the replay says.
        given: String,
    },
}

impl Record {
    /// The record of `session`, a game of `rules` that nobody plays, up to where it stands.
    pub fn of_session(rules: &dyn Rules, session: &dyn Session) -> Self {
        let start = session.start_position();
        Self {
            game: rules.spec().id.to_owned(),
            options: rules.options(),
            start: (start != rules.start().position()).then_some(start),
            result: Some(RecordResult::of(rules, session.outcome())),
            moves: session.history(),
            ..Self::default()
        }
    }

    /// Whether `old` is a record of the same game, written earlier or before moves were taken back.
    pub fn continues(&self, old: &Self) -> bool {
        let shared = old.moves.len().min(self.moves.len());
        old.game == self.game && old.seed == self.seed && old.moves[..shared] == self.moves[..shared]
    }

    /// Reads a record without replaying it.
    ///
    /// # Errors
    /// If it is too large, no text, or its header is malformed.
    pub fn parse(bytes: &[u8]) -> Result<Self, RecordError> {
        if bytes.len() > MAX_BYTES {
            return Err(RecordError::TooLarge(bytes.len() as u64));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| RecordError::NotText(error.valid_up_to()))?;
        let mut record = Self::default();
        let mut seen = HashSet::new();
        let mut lines = text.lines().enumerate();
        for (index, line) in lines.by_ref() {
            if line.is_empty() {
                break;
            }
            let fail = |fault: String| RecordError::Header { line: index + 1, fault };
            let (key, value) = line
                .split_once(": ")
                // Editors trim the space behind an empty value.
                .or_else(|| line.strip_suffix(':').map(|key| (key, "")))
                .ok_or_else(|| fail(format!("{} is not of the form 'key: value'", quote(line))))?;
            if value.is_empty() && key != "options" {
                return Err(fail(format!("{} has no value", quote(key))));
            }
            if value.contains(char::is_control) {
                return Err(fail(format!("{} holds a control character", quote(key))));
            }
            if !seen.insert(key) {
                return Err(fail(format!("{} is given twice", quote(key))));
            }
            record.set_header(key, value).map_err(fail)?;
        }
        for required in ["agon", "game", "options"] {
            if !seen.contains(required) {
                return Err(RecordError::Missing(required));
            }
        }
        record.moves = lines.flat_map(|(_, line)| line.split_whitespace()).map(str::to_owned).collect();
        Ok(record)
    }

    fn set_header(&mut self, key: &str, value: &str) -> Result<(), String> {
        let owned = || value.to_owned();
        match key {
            "agon" if value == VERSION => {}
            "agon" => return Err(format!("version {} is not known, only {VERSION}", quote(value))),
            "game" => self.game = owned(),
            "options" => self.options = owned(),
            "start" => self.start = Some(owned()),
            "players" => {
                self.players = value.split(" | ").map(str::to_owned).collect();
                if self.players.iter().any(|name| name.is_empty() || name.contains('|')) {
                    return Err(format!("players {} are not names separated by ' | '", quote(value)));
                }
            }
            "date" if is_date(value) => self.date = Some(owned()),
            "date" => return Err(format!("date {} is not of the form 2026-11-15T18:00:00Z", quote(value))),
            "seed" => self.seed = Some(number(value, 0..=u64::MAX).map_err(|fault| format!("seed {fault}"))?),
            "clock" => self.clock = Some(owned()),
            "result" => self.result = Some(RecordResult::parse(value)?),
            _ if key.len() > 2 && key.starts_with("x-") && !key.contains(char::is_whitespace) => {
                self.extra.push((key.to_owned(), owned()));
            }
            _ => {
                return Err(format!(
                    "{} is not a header; expected agon, game, options, start, players, date, seed, clock, result or x-…",
                    quote(key)
                ));
            }
        }
        Ok(())
    }

    /// The value of the further line `name`.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.extra.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The rules of its game, which is one of `games`.
    ///
    /// # Errors
    /// If there is no such game, its options do not hold, or it has another number of players.
    pub fn rules(&self, games: Games) -> Result<Arc<dyn Rules>, RecordError> {
        let rules =
            games.rules(&self.game, &self.options).map_err(|error| RecordError::Setup(error.to_string()))?;
        let seats = rules.seats().len();
        if !self.players.is_empty() && self.players.len() != seats {
            let fault = format!("players: {} names for {seats} seats", self.players.len());
            return Err(RecordError::Setup(fault));
        }
        Ok(rules)
    }

    /// Plays the record, a game of `games`, through and gives the game as it stands at the end.
    ///
    /// # Errors
    /// If the game, an option, the start, a move or the result does not hold.
    pub fn replay(&self, games: Games) -> Result<Box<dyn Session>, RecordError> {
        let rules = self.rules(games)?;
        let session = rules.open(self.start.as_deref(), &self.moves)?;
        self.check_result(&*rules, &*session)?;
        Ok(session)
    }

    /// Checks that the game can have ended as the record says.
    pub(crate) fn check_result(&self, rules: &dyn Rules, session: &dyn Session) -> Result<(), RecordError> {
        let given = RecordResult::of(rules, session.outcome());
        match &self.result {
            Some(said) if !said.holds(&given, &rules.seats()) => {
                Err(RecordError::Result { said: said.to_string(), given: given.to_string() })
            }
            _ => Ok(()),
        }
    }
}

impl From<StartError> for RecordError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Open(error) => error.into(),
            other => Self::Setup(other.to_string()),
        }
    }
}

impl From<OpenError> for RecordError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Position(error) => Self::Setup(error.to_string()),
            OpenError::Move { number, error } => Self::Move { number, fault: error.to_string() },
        }
    }
}

impl RecordResult {
    /// The result of a game of `rules` that ended in `outcome`.
    pub fn of(rules: &dyn Rules, outcome: Option<Outcome>) -> Self {
        let by_rules = |Outcome { verdict, reason }| End::Rules { verdict, reason: reason.to_owned() };
        Self::of_end(rules, outcome.map(by_rules).as_ref())
    }

    /// The result of a match that ended so, or has not.
    pub fn of_end(rules: &dyn Rules, end: Option<&End>) -> Self {
        let name = |seat: &Player| rules.seats().swap_remove(seat.index());
        match end {
            None | Some(End::Goal | End::Aborted { .. }) => Self::Unfinished,
            Some(End::Agreed) => Self::Drawn { reason: AGREEMENT.to_owned() },
            Some(End::Forfeit { seat, reason, .. }) => {
                Self::Forfeit { seat: name(seat), reason: reason.to_string() }
            }
            Some(End::Rules { verdict, reason }) => {
                let reason = reason.clone();
                match verdict {
                    Verdict::Won(seat) => Self::Won { seat: name(seat), reason },
                    Verdict::Drawn => Self::Drawn { reason },
                    Verdict::Lost => Self::Lost { reason },
                }
            }
        }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let malformed = || {
            format!(
                "result {} is not 'won SEAT (reason)', 'drawn (reason)', 'lost (reason)', 'forfeit SEAT (reason)' or '*'",
                quote(text)
            )
        };
        if text == "*" {
            return Ok(Self::Unfinished);
        }
        let (head, reason) = text
            .strip_suffix(')')
            .and_then(|text| text.split_once(" ("))
            .filter(|(_, reason)| !reason.is_empty() && !reason.contains(['(', ')']))
            .ok_or_else(malformed)?;
        let reason = reason.to_owned();
        let one_word = |seat: &str| !seat.is_empty() && !seat.contains(char::is_whitespace);
        match head.split_once(' ') {
            None if head == "drawn" => Ok(Self::Drawn { reason }),
            None if head == "lost" => Ok(Self::Lost { reason }),
            Some(("won", seat)) if one_word(seat) => Ok(Self::Won { seat: seat.to_owned(), reason }),
            Some(("forfeit", seat)) if one_word(seat) => Ok(Self::Forfeit { seat: seat.to_owned(), reason }),
            _ => Err(malformed()),
        }
    }

    /// Whether a game whose moves give `given` may be recorded with this result: the rules have the last
    /// word, and only a game that they leave open can be forfeited or agreed a draw.
    fn holds(&self, given: &Self, seats: &[String]) -> bool {
        let open = *given == Self::Unfinished;
        match self {
            Self::Forfeit { seat, .. } => open && seats.contains(seat),
            Self::Drawn { reason } if open => reason == AGREEMENT,
            _ => self == given,
        }
    }
}

impl fmt::Display for RecordResult {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Won { seat, reason } => write!(formatter, "won {seat} ({reason})"),
            Self::Drawn { reason } => write!(formatter, "drawn ({reason})"),
            Self::Lost { reason } => write!(formatter, "lost ({reason})"),
            Self::Forfeit { seat, reason } => write!(formatter, "forfeit {seat} ({reason})"),
            Self::Unfinished => formatter.write_str("*"),
        }
    }
}

impl fmt::Display for Record {
    /// The record as a file holds it. Line breaks inside values would break the format and become spaces.
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut header = |key: &str, value: &str| {
            let value: String =
                value.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
            writeln!(formatter, "{key}: {value}")
        };
        header("agon", VERSION)?;
        header("game", &self.game)?;
        header("options", &self.options)?;
        if let Some(start) = &self.start {
            header("start", start)?;
        }
        if !self.players.is_empty() {
            let names: Vec<String> = self.players.iter().map(|name| name.replace('|', "/")).collect();
            header("players", &names.join(" | "))?;
        }
        if let Some(date) = &self.date {
            header("date", date)?;
        }
        if let Some(seed) = self.seed {
            header("seed", &seed.to_string())?;
        }
        if let Some(clock) = &self.clock {
            header("clock", clock)?;
        }
        if let Some(result) = &self.result {
            header("result", &result.to_string())?;
        }
        for (key, value) in &self.extra {
            header(key, value)?;
        }
        let mut width = 0;
        for token in &self.moves {
            let separator = if width == 0 || width + 1 + token.len() > LINE_WIDTH { '\n' } else { ' ' };
            width = if separator == '\n' { token.len() } else { width + 1 + token.len() };
            write!(formatter, "{separator}{token}")?;
        }
        writeln!(formatter)
    }
}
