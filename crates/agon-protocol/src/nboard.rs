//! The NBoard protocol, version 2, as Othello programs (NBoard, NTest, Edax, Egaroucid) speak it: a line each way, none of
//! which has to be answered but by what it asks for. Lines that a side does not know it passes over.

use std::fmt::{self, Display};
use std::time::Duration;

use agon_core::text::{decimal, number, quote};

/// The game that is played in this protocol.
pub const GAME: &str = "othello";
/// The only version.
pub const VERSION: u32 = 2;
/// The deepest search that can be asked for.
pub const MAX_DEPTH: u32 = 60;
/// What a pass is called.
const PASS: &str = "PA";

/// What a program says that runs an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `nboard 2`: the protocol that is spoken from now on.
    Version(u32),
    /// `set depth N`: how deep midgame searches go.
    Depth(u32),
    /// `set game GGF`: the position is the end of that game.
    Game(String),
    /// `set contempt N`: what a draw in the opening book is worth to black.
    Contempt,
    /// `move F5/EVAL/SECONDS`.
    Move {
        /// The square in small letters; `None` for a pass.
        square: Option<String>,
        /// How long the move took, if that is said.
        time: Option<Duration>,
    },
    /// `hint N`: what the N best moves are worth.
    Hint(usize),
    /// `go`: decide upon a move.
    Go,
    /// `ping N`: stop thinking and say so.
    Ping(String),
    /// `learn`: add the game to the opening book.
    Learn,
    /// `analyze`: what each position of the game is worth.
    Analyze,
    /// `quit`, which is not in the protocol's description, but said by programs.
    Quit,
}

impl Command {
    /// Reads a line; `None` if it is no command of the protocol, which means nothing.
    ///
    /// # Errors
    /// If it is one, and what follows the command does not hold.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        Ok(Some(match word {
            "nboard" => Self::Version(
                number(rest, 0..=u64::from(u32::MAX)).map_err(|fault| format!("nboard: {fault}"))? as u32,
            ),
            "set" => return Self::setting(rest),
            "move" => {
                let (square, time) = square_and_time(rest)?;
                Self::Move { square, time }
            }
            "hint" => Self::Hint(number(rest, 1..=64).map_err(|fault| format!("hint: {fault}"))? as usize),
            "go" => Self::Go,
            "ping" => Self::Ping(rest.to_owned()),
            "learn" => Self::Learn,
            "analyze" => Self::Analyze,
            "quit" => Self::Quit,
            _ => return Ok(None),
        }))
    }

    fn setting(rest: &str) -> Result<Option<Self>, String> {
        let (name, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let value = value.trim();
        Ok(match name {
            "depth" => {
                let depth =
                    number(value, 1..=u64::from(MAX_DEPTH)).map_err(|fault| format!("set depth: {fault}"))?;
                Some(Self::Depth(depth as u32))
            }
            "game" => Some(Self::Game(value.to_owned())),
            "contempt" => Some(Self::Contempt),
            _ => None,
        })
    }
}

/// `F5/EVAL/SECONDS`, of which all but the square may be missing.
fn square_and_time(text: &str) -> Result<(Option<String>, Option<Duration>), String> {
    let mut parts = text.split('/');
    let square = parts.next().unwrap_or_default().trim();
    let time =
        parts.nth(1).and_then(|time| decimal(time.trim()).ok()).filter(|time| (0.0..1e9).contains(time));
    let mut chars = square.chars();
    let has_form = chars.next().is_some_and(|column| column.is_ascii_alphabetic())
        && number(chars.as_str(), 1..=26).is_ok();
    let is_pass = square.eq_ignore_ascii_case(PASS) || square.eq_ignore_ascii_case("pass");
    if !is_pass && !has_form {
        return Err(format!("move: {} is not a square such as F5, or PA for a pass", quote(square)));
    }
    Ok(((!is_pass).then(|| square.to_ascii_lowercase()), time.map(Duration::from_secs_f64)))
}

/// How sure a value is that an engine reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// By a search of so many plies.
    Plies(u32),
    /// Solved to the end of the game.
    Solved,
}

impl Display for Depth {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Plies(plies) => write!(formatter, "{plies}"),
            Self::Solved => formatter.write_str("100%"),
        }
    }
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// `set myname NAME`.
    Name(String),
    /// `status TEXT`: what it is doing, or what was wrong.
    Status(String),
    /// `nodestats NODES SECONDS`.
    Nodes(u64, Duration),
    /// `search PV EVAL 0 DEPTH`, an answer to `hint`.
    Search {
        /// How the game is expected to go on: squares in small letters and `pass`.
        line: Vec<String>,
        /// What the line's first move is worth to the side to move, in discs.
        discs: f64,
        /// How that is known.
        depth: Depth,
    },
    /// `=== F5/EVAL/SECONDS`, the answer to `go`.
    Move {
        /// The square in small letters; `None` for a pass.
        square: Option<String>,
        /// What it is worth to the side to move, in discs, if that is said.
        discs: Option<f64>,
        /// How long it took, if that is said.
        time: Option<Duration>,
    },
    /// `analysis MOVESMADE EVAL`, an answer to `analyze`.
    Analysis {
        /// How many moves were made before the position.
        made: usize,
        /// What it is worth to its side to move, in discs.
        discs: f64,
    },
    /// `learned`.
    Learned,
    /// `pong N`.
    Pong(String),
}

impl Reply {
    /// Reads what an engine says of the things that somebody who wants moves of it listens to; `None` for all else.
    ///
    /// # Errors
    /// If its move cannot be read.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("===") {
            let rest = rest.trim();
            let (square, time) = square_and_time(rest)?;
            let discs = rest.split('/').nth(1).and_then(|eval| signed(eval.trim()));
            return Ok(Some(Self::Move { square, discs, time }));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match (word, rest.trim()) {
            ("pong", number) => Some(Self::Pong(number.to_owned())),
            ("set", rest) => rest.strip_prefix("myname ").map(|name| Self::Name(name.trim().to_owned())),
            ("status", text) => Some(Self::Status(text.to_owned())),
            ("nodestats", rest) => {
                let mut words = rest.split_whitespace();
                let nodes = words.next().and_then(|nodes| nodes.parse().ok());
                let seconds = words.next().and_then(|seconds| decimal(seconds).ok());
                let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                nodes.zip(time).map(|(nodes, time)| Self::Nodes(nodes, time))
            }
            _ => None,
        })
    }
}

fn signed(text: &str) -> Option<f64> {
    decimal(text.strip_prefix('+').unwrap_or(text)).ok()
}

/// A move as the protocol writes it: `F5`, `PA`.
pub fn square_text(square: Option<&str>) -> String {
    square.unwrap_or(PASS).to_ascii_uppercase()
}

impl Display for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Name(name) => write!(formatter, "set myname {name}"),
            // A fault may repeat text of several lines.
            Self::Status(text) => write!(formatter, "status {}", text.replace(['\r', '\n'], " ")),
            Self::Nodes(nodes, time) => write!(formatter, "nodestats {nodes} {:.2}", time.as_secs_f64()),
            Self::Search { line, discs, depth } => {
                let line: String =
                    line.iter().map(|mv| square_text((mv != "pass").then_some(mv.as_str()))).collect();
                write!(formatter, "search {line} {discs:.2} 0 {depth}")
            }
            Self::Move { square, discs, time } => {
                let eval = discs.map_or(String::new(), |discs| format!("{discs:.2}"));
                write!(formatter, "=== {}", square_text(square.as_deref()))?;
                match time {
                    Some(time) => write!(formatter, "/{eval}/{:.2}", time.as_secs_f64()),
                    None if eval.is_empty() => Ok(()),
                    None => write!(formatter, "/{eval}"),
                }
            }
            Self::Analysis { made, discs } => write!(formatter, "analysis {made} {discs:.2}"),
            Self::Learned => formatter.write_str("learned"),
            Self::Pong(number) => write!(formatter, "pong {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_others_passed_over() {
        let second = Duration::from_secs(1);
        for (line, command) in [
            ("nboard 2", Command::Version(2)),
            (" set depth 12\r", Command::Depth(12)),
            ("set game (;GM[Othello];)", Command::Game("(;GM[Othello];)".to_owned())),
            ("set contempt -5", Command::Contempt),
            ("move F5/1.5/1.0", Command::Move { square: Some("f5".to_owned()), time: Some(second) }),
            ("move F5//1", Command::Move { square: Some("f5".to_owned()), time: Some(second) }),
            ("move f5", Command::Move { square: Some("f5".to_owned()), time: None }),
            ("move PA", Command::Move { square: None, time: None }),
            ("hint 3", Command::Hint(3)),
            ("go", Command::Go),
            ("ping 17", Command::Ping("17".to_owned())),
            ("learn", Command::Learn),
            ("analyze", Command::Analyze),
            ("quit", Command::Quit),
        ] {
            assert_eq!(Command::parse(line), Ok(Some(command)), "{line}");
        }
        for line in ["", "hello", "set colour red", "Go", "=== F5"] {
            assert_eq!(Command::parse(line), Ok(None), "{line}");
        }
        for line in
            ["nboard two", "set depth 0", "set depth 61", "hint", "hint 0", "move", "move 5F", "move Z99"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn replies_are_written_as_programs_expect_them() {
        let line = ["f5", "pass", "d6"].map(str::to_owned).to_vec();
        for (reply, text) in [
            (Reply::Search { line, discs: -1.25, depth: Depth::Plies(11) }, "search F5PAD6 -1.25 0 11"),
            (
                Reply::Search { line: vec!["a1".to_owned()], discs: 4.0, depth: Depth::Solved },
                "search A1 4.00 0 100%",
            ),
            (Reply::Analysis { made: 3, discs: -2.0 }, "analysis 3 -2.00"),
            (Reply::Status("two\nlines".to_owned()), "status two lines"),
            (Reply::Learned, "learned"),
        ] {
            assert_eq!(reply.to_string(), text);
        }
        for reply in [
            Reply::Move {
                square: Some("f5".to_owned()),
                discs: Some(1.5),
                time: Some(Duration::from_millis(250)),
            },
            Reply::Move { square: None, discs: None, time: None },
            Reply::Move { square: Some("a1".to_owned()), discs: None, time: Some(Duration::from_secs(2)) },
            Reply::Pong("5".to_owned()),
            Reply::Name("ntest".to_owned()),
            Reply::Nodes(12_345, Duration::from_millis(1500)),
        ] {
            assert_eq!(Reply::parse(&reply.to_string()), Ok(Some(reply)));
        }
        assert!(Reply::parse("=== nowhere").is_err());
        assert_eq!(Reply::parse("book F5 0 100 1"), Ok(None));
    }
}
