//! Game records: a few header lines, an empty line, the moves. Reading replays every move and refuses a
//! record that does not hold.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use agon_core::text::{number, quote};
use agon_core::{Outcome, Verdict};
use agon_registry::{Rules, Session, find};

/// The largest record that is read, in bytes.
pub const MAX_BYTES: usize = 4 << 20;
/// The version of the format, the value of the header `agon`.
const VERSION: &str = "1";
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
    /// The time control, in free words.
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
    /// The file cannot be opened or read.
    #[error("{0}")]
    Unreadable(String),
    /// The file is too large.
    #[error("the record has {0} bytes; at most {MAX_BYTES} are read")]
    TooLarge(u64),
    /// The file is not text.
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
    /// The record of `session`, a game of `rules`, up to where it stands.
    pub fn of(rules: &dyn Rules, session: &dyn Session) -> Self {
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

    /// Reads a record from a file, no more of it than a record may have, without replaying it.
    ///
    /// # Errors
    /// If it cannot be read, or as [`Record::parse`].
    pub fn load(path: &Path) -> Result<Self, RecordError> {
        let unreadable =
            |what: &str, error: &io::Error| RecordError::Unreadable(format!("cannot be {what}: {error}"));
        let file = File::open(path).map_err(|error| unreadable("opened", &error))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable("read", &error))?;
        if bytes.len() > MAX_BYTES {
            // A device does not know its length.
            let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
            return Err(RecordError::TooLarge(length.max(bytes.len() as u64)));
        }
        Self::parse(&bytes)
    }

    /// Writes the record to `path`, whole or not at all: what stood there is kept until the new record is safe.
    ///
    /// # Errors
    /// If the folder or the disk does not take it.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            // A device or a pipe takes the text itself and must not be replaced by a file.
            return fs::write(path, self.to_string());
        }
        let mut draft = path.as_os_str().to_owned();
        draft.push(format!(".{}.tmp", std::process::id()));
        let draft = PathBuf::from(draft);
        let written = File::create_new(&draft).and_then(|mut file| {
            file.write_all(self.to_string().as_bytes())?;
            file.sync_all()
        });
        written.and_then(|()| fs::rename(&draft, path)).inspect_err(|_| {
            // The error that matters is the first one.
            let _ = fs::remove_file(&draft);
        })
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
                    "{} is no header; expected agon, game, options, start, players, date, seed, clock, result or x-…",
                    quote(key)
                ));
            }
        }
        Ok(())
    }

    /// Plays the record through and gives the game as it stands at the end.
    ///
    /// # Errors
    /// If the game, an option, the start, a move or the result does not hold.
    pub fn replay(&self) -> Result<Box<dyn Session>, RecordError> {
        let setup = |fault: &dyn fmt::Display| RecordError::Setup(fault.to_string());
        let rules = find(&self.game)
            .map_err(|error| setup(&error))?
            .rules(&self.options)
            .map_err(|error| setup(&error))?;
        let seats = rules.seats();
        if !self.players.is_empty() && self.players.len() != seats.len() {
            let fault = format!("players: {} names for {} seats", self.players.len(), seats.len());
            return Err(RecordError::Setup(fault));
        }
        let mut session = match &self.start {
            Some(position) => rules.start_from(position).map_err(|error| setup(&error))?,
            None => rules.start(),
        };
        for (index, token) in self.moves.iter().enumerate() {
            session
                .play(token)
                .map_err(|error| RecordError::Move { number: index + 1, fault: error.to_string() })?;
        }
        if let Some(said) = &self.result {
            let given = RecordResult::of(&*rules, session.outcome());
            if !said.holds(&given, &seats) {
                return Err(RecordError::Result { said: said.to_string(), given: given.to_string() });
            }
        }
        Ok(session)
    }
}

impl RecordResult {
    /// The result of a game of `rules` that ended in `outcome`.
    pub fn of(rules: &dyn Rules, outcome: Option<Outcome>) -> Self {
        let Some(Outcome { verdict, reason }) = outcome else { return Self::Unfinished };
        let reason = reason.to_owned();
        match verdict {
            Verdict::Won(player) => {
                let seat = rules.seats().swap_remove(player.index());
                Self::Won { seat, reason }
            }
            Verdict::Drawn => Self::Drawn { reason },
            Verdict::Lost => Self::Lost { reason },
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
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
            Self::Drawn { reason } if open => reason == "agreement",
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

/// Whether `text` is a moment in UTC, `YYYY-MM-DDTHH:MM:SSZ`, on a day that exists.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pattern = b"0000-00-00T00:00:00Z";
    let matches = |(byte, form): (&u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == form };
    if bytes.len() != pattern.len() || !bytes.iter().zip(pattern).all(matches) {
        return false;
    }
    let part = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap_or(u32::MAX);
    let (year, month, day) = (part(0, 4), part(5, 7), part(8, 10));
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day) && part(11, 13) < 24 && part(14, 16) < 60 && part(17, 19) < 60
}

/// A moment in UTC as records write it, `YYYY-MM-DDTHH:MM:SSZ`; moments before 1970 are taken for its beginning.
pub fn date_text(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years from March on, in eras of 400 years of 146,097 days each (Hinnant, "chrono-compatible low-level date algorithms",
    // https://howardhinnant.github.io/date_algorithms.html).
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_794_766_800, "2026-11-15T18:20:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            let date = date_text(UNIX_EPOCH + Duration::from_secs(seconds));
            assert_eq!(date, text);
            assert!(is_date(&date));
        }
    }
}
