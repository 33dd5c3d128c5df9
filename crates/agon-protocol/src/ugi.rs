//! The Universal Game Interface: what chess programs know as UCI, for any game of two without chance. The controller
//! names positions and asks for moves; the engine thinks and tells. See <https://github.com/kz04px/ugi>.

use std::fmt;
use std::time::Duration;

use crate::parameters::Parameter;

use agon_core::text::{number, quote};

/// The option by which our own engine is told the options of its game.
pub const GAME_OPTIONS: &str = "Options";

/// What a controller says to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: say who you are and which options you have.
    Ugi,
    /// `isready`: answer when everything before is done.
    IsReady,
    /// `setoption name … value …`.
    SetOption {
        /// The option.
        name: String,
        /// Its value; empty if none is given.
        value: String,
    },
    /// `uginewgame`: what follows belongs to another game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position {
        /// Where the game begins; `None` for the usual start.
        start: Option<String>,
        /// What has been played since.
        moves: Vec<String>,
    },
    /// `go …`: think.
    Go(Go),
    /// `stop`: enough thought.
    Stop,
    /// `query …`: a question about the position.
    Query(Query),
    /// `quit`.
    Quit,
}

/// How long to think; the two players are counted in playing order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What is left on each player's clock.
    pub left: [Option<Duration>; 2],
    /// What each player's clock gains by a move.
    pub increment: [Duration; 2],
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Moves made.
    pub nodes: Option<u64>,
    /// Until told to stop.
    pub infinite: bool,
}

/// What can be asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Whether the first player is to move.
    FirstPlayersTurn,
    /// Whether the game is over.
    GameOver,
    /// How it has ended.
    Result,
}

/// A line that is no command, or lacks something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(String);

/// The largest time that is read, in milliseconds: a day.
const MAX_MILLISECONDS: u64 = 24 * 60 * 60 * 1000;

impl Command {
    /// Reads a line; `None` if it is empty.
    ///
    /// # Errors
    /// If the command is not known or cannot be understood.
    pub fn parse(line: &str) -> Result<Option<Self>, CommandError> {
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { return Ok(None) };
        let rest: Vec<&str> = words.collect();
        let command = match name {
            "ugi" => Self::Ugi,
            "isready" => Self::IsReady,
            "setoption" => set_option(&rest)?,
            "uginewgame" => Self::NewGame,
            "position" => position(&rest)?,
            "go" => Self::Go(go(&rest)?),
            "stop" => Self::Stop,
            "query" => Self::Query(query(&rest)?),
            "quit" => Self::Quit,
            _ => return Err(CommandError(format!("unknown command {}", quote(name)))),
        };
        Ok(Some(command))
    }
}

fn set_option(words: &[&str]) -> Result<Command, CommandError> {
    let expected = || CommandError("setoption: expected 'name NAME value VALUE'".to_owned());
    let [first, rest @ ..] = words else { return Err(expected()) };
    let value = rest.iter().position(|word| *word == "value");
    let name = &rest[..value.unwrap_or(rest.len())];
    if *first != "name" || name.is_empty() {
        return Err(expected());
    }
    let value = value.map_or(&[][..], |at| &rest[at + 1..]);
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

fn position(words: &[&str]) -> Result<Command, CommandError> {
    let cut = words.iter().position(|word| *word == "moves");
    let (start, moves) = words.split_at(cut.unwrap_or(words.len()));
    let start = match start {
        ["startpos"] => None,
        ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => {
            let fault =
                "position: expected 'startpos' or 'fen POSITION', optionally followed by 'moves' and moves";
            return Err(CommandError(fault.to_owned()));
        }
    };
    let moves = moves.iter().skip(1).map(|word| (*word).to_owned()).collect();
    Ok(Command::Position { start, moves })
}

fn go(words: &[&str]) -> Result<Go, CommandError> {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if *word == "infinite" {
            go.infinite = true;
            continue;
        }
        let mut value = |max: u64| {
            let text = words.next().ok_or_else(|| CommandError(format!("go {word}: a number is missing")))?;
            number(text, 0..=max).map_err(|fault| CommandError(format!("go {word}: {fault}")))
        };
        let mut time = || value(MAX_MILLISECONDS).map(Duration::from_millis);
        match *word {
            "movetime" => go.movetime = Some(time()?),
            // Controllers that come from chess call the player who moves first white.
            "p1time" | "wtime" => go.left[0] = Some(time()?),
            "p2time" | "btime" => go.left[1] = Some(time()?),
            "p1inc" | "winc" => go.increment[0] = time()?,
            "p2inc" | "binc" => go.increment[1] = time()?,
            "depth" => go.depth = Some(value(u64::from(u32::MAX))? as u32),
            "nodes" => go.nodes = Some(value(u64::MAX)?),
            _ => return Err(CommandError(format!("go: unknown limit {}", quote(word)))),
        }
    }
    Ok(go)
}

fn query(words: &[&str]) -> Result<Query, CommandError> {
    match words {
        ["p1turn"] => Ok(Query::FirstPlayersTurn),
        ["gameover"] => Ok(Query::GameOver),
        ["result"] => Ok(Query::Result),
        _ => Err(CommandError("query: expected p1turn, gameover or result".to_owned())),
    }
}

impl fmt::Display for Go {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("go")?;
        if self.infinite {
            formatter.write_str(" infinite")?;
        }
        let times = [
            ("movetime", self.movetime),
            ("p1time", self.left[0]),
            ("p2time", self.left[1]),
            ("p1inc", self.left[0].map(|_| self.increment[0])),
            ("p2inc", self.left[1].map(|_| self.increment[1])),
        ];
        for (name, time) in times {
            if let Some(time) = time {
                write!(formatter, " {name} {}", time.as_millis())?;
            }
        }
        if let Some(depth) = self.depth {
            write!(formatter, " depth {depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(formatter, " nodes {nodes}")?;
        }
        Ok(())
    }
}

/// What an engine says to a controller.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// `id name …`.
    Name(String),
    /// `option name … type …`.
    Option {
        /// Its name.
        name: String,
        /// What it takes; `None` for buttons and types that are not known.
        parameter: Option<Parameter>,
    },
    /// `ugiok`.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `info …`.
    Info(Info),
    /// `bestmove …`.
    BestMove(String),
    /// Anything else, to be ignored.
    Other,
}

/// How the engine's thought stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// What the best move is worth to the engine.
    pub score: Option<Score>,
    /// Moves made.
    pub nodes: Option<u64>,
    /// Moves made a second.
    pub nodes_per_second: Option<u64>,
    /// Time so far.
    pub time: Option<Duration>,
    /// How the engine expects the game to go on.
    pub line: Vec<String>,
}

/// What a move is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// An opinion, in hundredths of whatever the engine counts in.
    Points(f64),
    /// The end is certain in so many plies; negative for a loss.
    End(i64),
}

/// The most moves that are read of an expected line.
const MAX_LINE: usize = 200;

impl Answer {
    /// Reads a line. What cannot be understood is to be ignored.
    pub fn parse(line: &str) -> Self {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["id", "name", name @ ..] => Self::Name(name.join(" ")),
            ["option", "name", rest @ ..] => {
                let end = rest.iter().position(|word| *word == "type").unwrap_or(rest.len());
                Self::Option { name: rest[..end].join(" "), parameter: option_parameter(&rest[end..]) }
            }
            ["ugiok"] => Self::UgiOk,
            ["readyok"] => Self::ReadyOk,
            ["info", rest @ ..] => Self::Info(Info::parse(rest)),
            ["bestmove", best, ..] => Self::BestMove((*best).to_owned()),
            ["bestmove"] => Self::BestMove(String::new()),
            _ => Self::Other,
        }
    }
}

/// What an option takes, by the words from `type` on.
fn option_parameter(words: &[&str]) -> Option<Parameter> {
    const KEYS: [&str; 5] = ["type", "default", "min", "max", "var"];
    // A value goes on until the next key: defaults and choices may have several words.
    let mut values: Vec<(&str, String)> = Vec::new();
    for word in words {
        if KEYS.contains(word) {
            values.push((word, String::new()));
        } else if let Some((_, value)) = values.last_mut() {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(word);
        }
    }
    let find = |key: &str| values.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str());
    let whole = |key| find(key).and_then(|value| value.parse::<i64>().ok());
    let text = || find("default").filter(|value| *value != "<empty>").unwrap_or_default().to_owned();
    match find("type")? {
        "spin" => Some(Parameter::Int { default: whole("default")?, min: whole("min"), max: whole("max") }),
        "check" => Some(Parameter::Bool { default: find("default")? == "true" }),
        "combo" => {
            let choices = values.iter().filter(|(key, _)| *key == "var").map(|(_, value)| value.clone());
            Some(Parameter::Choice { default: text(), choices: choices.collect() })
        }
        "string" => Some(Parameter::Text { default: text() }),
        _ => None,
    }
}

impl Info {
    fn parse(words: &[&str]) -> Self {
        fn next<T: std::str::FromStr>(words: &mut std::slice::Iter<&str>) -> Option<T> {
            words.next().and_then(|word| word.parse().ok())
        }
        let mut info = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "depth" => info.depth = next(&mut words),
                "nodes" => info.nodes = next(&mut words),
                "nps" => info.nodes_per_second = next(&mut words),
                "time" => info.time = next(&mut words).map(Duration::from_millis),
                "cp" => {
                    info.score = next(&mut words).filter(|score: &f64| score.is_finite()).map(Score::Points)
                }
                "mate" => info.score = next(&mut words).map(Score::End),
                "pv" => info.line = words.by_ref().take(MAX_LINE).map(|word| (*word).to_owned()).collect(),
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

impl fmt::Display for Info {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("info")?;
        if let Some(depth) = self.depth {
            write!(formatter, " depth {depth}")?;
        }
        match self.score {
            Some(Score::Points(points)) => write!(formatter, " score cp {points:.0}")?,
            Some(Score::End(plies)) => write!(formatter, " score mate {plies}")?,
            None => {}
        }
        if let Some(nodes) = self.nodes {
            write!(formatter, " nodes {nodes}")?;
        }
        if let Some(speed) = self.nodes_per_second {
            write!(formatter, " nps {speed}")?;
        }
        if let Some(time) = self.time {
            write!(formatter, " time {}", time.as_millis())?;
        }
        if !self.line.is_empty() {
            write!(formatter, " pv {}", self.line.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        Command::parse(line).expect(line).expect("a command")
    }

    #[test]
    fn commands_are_read() {
        assert_eq!(
            command(" setoption name My Hash value 1 GB "),
            Command::SetOption { name: "My Hash".to_owned(), value: "1 GB".to_owned() }
        );
        assert_eq!(
            command("position fen 8/8 x 0 moves d3 c3"),
            Command::Position {
                start: Some("8/8 x 0".to_owned()),
                moves: vec!["d3".to_owned(), "c3".to_owned()]
            }
        );
        assert_eq!(command("position startpos"), Command::Position { start: None, moves: Vec::new() });
        assert_eq!(command("query gameover"), Command::Query(Query::GameOver));
        assert_eq!(Command::parse(" \t "), Ok(None));
        let go = Go {
            left: [Some(Duration::from_secs(1)), Some(Duration::from_secs(2))],
            increment: [Duration::from_millis(10), Duration::ZERO],
            depth: Some(3),
            ..Go::default()
        };
        assert_eq!(command("go wtime 1000 btime 2000 winc 10 depth 3"), Command::Go(go));
        assert_eq!(command(&go.to_string()), Command::Go(go));
        let go = Go { infinite: true, nodes: Some(7), movetime: Some(Duration::ZERO), ..Go::default() };
        assert_eq!(command(&go.to_string()), Command::Go(go));
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (line, words) in [
            ("hello", "unknown command 'hello'"),
            ("go movetime", "go movetime: a number is missing"),
            ("go movetime -5", "go movetime: '-5' is not a whole number"),
            ("go movetime 99999999999999", "is not a whole number from 0 to 86400000"),
            ("go sideways", "go: unknown limit 'sideways'"),
            ("go ponder", "go: unknown limit 'ponder'"),
            ("position", "position: expected 'startpos' or 'fen POSITION'"),
            ("position fen moves d3", "position: expected 'startpos' or 'fen POSITION'"),
            ("position startpos d3", "position: expected 'startpos' or 'fen POSITION'"),
            ("query weather", "query: expected p1turn, gameover or result"),
            ("setoption Hash 3", "setoption: expected 'name NAME value VALUE'"),
        ] {
            let error = Command::parse(line).expect_err(line).to_string();
            assert!(error.contains(words), "{line}: {error}");
        }
    }

    #[test]
    fn answers_are_read_and_nonsense_is_ignored() {
        let info = Info {
            depth: Some(4),
            score: Some(Score::End(-3)),
            nodes: Some(100),
            nodes_per_second: Some(50),
            time: Some(Duration::from_secs(2)),
            line: vec!["d3".to_owned(), "c5".to_owned()],
        };
        assert_eq!(info.to_string(), "info depth 4 score mate -3 nodes 100 nps 50 time 2000 pv d3 c5");
        assert_eq!(Answer::parse(&info.to_string()), Answer::Info(info));
        let lone = Info { score: Some(Score::Points(12.0)), ..Info::default() };
        assert_eq!(Answer::parse("info seldepth score cp 12 string depth 9"), Answer::Info(lone));
        assert_eq!(Answer::parse("info depth x"), Answer::Info(Info::default()));
        assert_eq!(
            Answer::parse("option name My Bot type string"),
            Answer::Option {
                name: "My Bot".to_owned(),
                parameter: Some(Parameter::Text { default: String::new() })
            }
        );
        let option = |line: &str| match Answer::parse(line) {
            Answer::Option { parameter, .. } => parameter,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            option("option name Hash type spin default 16 min 1 max 1024"),
            Some(Parameter::Int { default: 16, min: Some(1), max: Some(1024) })
        );
        assert_eq!(
            option("option name Own type check default true"),
            Some(Parameter::Bool { default: true })
        );
        let choices = ["very solid", "wild"].map(str::to_owned).into();
        assert_eq!(
            option("option name Style type combo default very solid var very solid var wild"),
            Some(Parameter::Choice { default: "very solid".to_owned(), choices })
        );
        assert_eq!(
            option("option name File type string default <empty>"),
            Some(Parameter::Text { default: String::new() })
        );
        for unknown in ["option name Clear type button", "option name X type spin default x", "option name X"]
        {
            assert_eq!(option(unknown), None, "{unknown}");
        }
        assert_eq!(Answer::parse("bestmove d3 ponder c5"), Answer::BestMove("d3".to_owned()));
        assert_eq!(Answer::parse("bestmove"), Answer::BestMove(String::new()));
        assert_eq!(Answer::parse("Hello, I am an engine"), Answer::Other);
        assert_eq!(Answer::parse(""), Answer::Other);
    }
}
