//! GGF, the format in which Othello servers and programs keep games: `(;GM[Othello]PB[name]…BO[8 squares side]B[F5//2]W[D6]…;)`.
//!
//! A game is a list of properties, each a name and a value in brackets; those that say nothing about the play (`PC`, `DT`, …) are
//! passed over. Times in a move and in `TI` are kept, because programs that are told a game by GGF have their clocks from it.

use std::fmt::{self, Display};
use std::time::Duration;

use agon_core::text::{decimal, number, quote};

use crate::grid::compress;

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 1 << 20;
/// The most moves of a game that are read; no board that GGF can name has as many squares.
const MAX_MOVES: usize = 2_000;
/// The smallest and the largest board.
const SIZES: std::ops::RangeInclusive<u64> = 4..=26;
/// What GGF calls a pass.
const PASS: &str = "pa";

/// A side as GGF names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `B`, on the board `*`.
    Black,
    /// `W`, on the board `O`.
    White,
}

impl Side {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct GgfMove {
    /// Who made it.
    pub side: Side,
    /// The square, `f5`; `None` for a pass.
    pub square: Option<String>,
    /// How long it took, if that is said.
    pub time: Option<Duration>,
}

/// A game as GGF has it.
#[derive(Clone, Debug, PartialEq)]
pub struct GgfGame {
    /// Who plays black and white, where named.
    pub players: [Option<String>; 2],
    /// The time that each side has for all its moves, if that is said.
    pub time: Option<Duration>,
    /// The final disc difference for black, if it is known.
    pub result: Option<f64>,
    /// How many rows and columns the board has.
    pub size: usize,
    /// The squares at the beginning from the top left, row by row: `x` black, `o` white, `.` empty.
    pub squares: Vec<char>,
    /// Who moves first from there.
    pub first: Side,
    /// What was played.
    pub moves: Vec<GgfMove>,
}

/// Text that is not GGF.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GgfError {
    /// It has not the form of GGF.
    #[error("GGF: {what} at character {at}")]
    Form {
        /// What is wrong.
        what: String,
        /// Where, counted from 1.
        at: usize,
    },
    /// A property does not hold.
    #[error("GGF: {name}[{}]: {fault}", shown(.value))]
    Property {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
        /// What is wrong with it.
        fault: String,
    },
    /// A property is missing.
    #[error("GGF: the game has no {0}")]
    Missing(&'static str),
    /// There is too much of it.
    #[error("GGF: {0}")]
    TooLarge(String),
}

/// A value as an error repeats it: cut if it is long, without line breaks.
fn shown(value: &str) -> String {
    let quoted = quote(value);
    quoted[1..quoted.len() - 1].to_owned()
}

/// Reads every game in `text`.
///
/// # Errors
/// If the text is not GGF, holds no game, or is too long.
pub fn parse_all(text: &str) -> Result<Vec<GgfGame>, GgfError> {
    if text.len() > MAX_TEXT {
        return Err(GgfError::TooLarge(format!(
            "the text has {} bytes; at most {MAX_TEXT} are read",
            text.len()
        )));
    }
    let mut scanner = Scanner { text, at: 0 };
    let mut games = Vec::new();
    loop {
        scanner.skip_between_games();
        if scanner.is_at_end() {
            break;
        }
        games.push(game_of(scanner.properties()?)?);
    }
    if games.is_empty() {
        Err(GgfError::Missing("beginning: expected (;GM[Othello]…;)"))
    } else {
        Ok(games)
    }
}

/// Reads the one game that `text` holds.
///
/// # Errors
/// As [`parse_all`], and if there are several.
pub fn parse(text: &str) -> Result<GgfGame, GgfError> {
    let mut games = parse_all(text)?;
    match (games.pop(), games.len()) {
        (Some(game), 0) => Ok(game),
        (_, others) => Err(GgfError::TooLarge(format!("the text holds {} games; expected one", others + 1))),
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    fn fault(&self, what: impl Into<String>) -> GgfError {
        GgfError::Form { what: what.into(), at: self.text[..self.at].chars().count() + 1 }
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Collections number their games: `1 (;GM[Othello]…;)`.
    fn skip_between_games(&mut self) {
        self.skip_space();
        let rest = self.rest();
        let number = rest.trim_start_matches(|char: char| char.is_ascii_digit());
        if number.len() < rest.len() && number.trim_start().starts_with("(;") {
            self.at = self.text.len() - number.len();
            self.skip_space();
        }
    }

    fn take(&mut self, expected: &str) -> Result<(), GgfError> {
        if !self.rest().starts_with(expected) {
            return Err(self.fault(format!("expected {}", quote(expected))));
        }
        self.at += expected.len();
        Ok(())
    }

    /// The properties of the next game.
    fn properties(&mut self) -> Result<Vec<(String, String)>, GgfError> {
        self.take("(;")?;
        let mut properties = Vec::new();
        loop {
            self.skip_space();
            if self.rest().starts_with(";)") {
                self.take(";)")?;
                return Ok(properties);
            }
            let name: String = self.rest().chars().take_while(char::is_ascii_alphabetic).collect();
            if name.is_empty() {
                return Err(self.fault("expected a property such as BO[…], or the end ;)"));
            }
            self.at += name.len();
            self.take("[")?;
            let Some(length) = self.rest().find(']') else {
                return Err(self.fault("a closing ] is missing"));
            };
            let value = self.rest()[..length].to_owned();
            self.at += length + 1;
            properties.push((name, value));
        }
    }
}

fn game_of(properties: Vec<(String, String)>) -> Result<GgfGame, GgfError> {
    let mut players = [None, None];
    let (mut time, mut result, mut board, mut moves) = (None, None, None, Vec::new());
    for (name, value) in properties {
        let fault = |fault: String| GgfError::Property { name: name.clone(), value: value.clone(), fault };
        match name.as_str() {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(fault("expected a game of Othello".to_owned()));
            }
            "PB" => players[0] = named(&value),
            "PW" => players[1] = named(&value),
            "TI" => time = clock(&value),
            "RE" => result = value.split(':').next().and_then(|discs| signed(discs.trim())),
            "BO" => board = Some(squares(&value).map_err(fault)?),
            "B" | "W" if board.is_none() => return Err(GgfError::Missing("BO before its first move")),
            "B" | "W" => {
                let side = if name == "B" { Side::Black } else { Side::White };
                moves.push(one_move(side, &value).map_err(fault)?);
            }
            // Komi, synchronous games, and what else servers note.
            _ => {}
        }
        if moves.len() > MAX_MOVES {
            return Err(GgfError::TooLarge(format!("a game of more than {MAX_MOVES} moves")));
        }
    }
    let (size, squares, first) = board.ok_or(GgfError::Missing("BO, the board at its beginning"))?;
    Ok(GgfGame { players, time, result, size, squares, first, moves })
}

fn named(value: &str) -> Option<String> {
    let name = value.trim();
    (!name.is_empty() && name != "?").then(|| name.to_owned())
}

/// `8 --------… *`: the size, the squares in rows that spaces may divide, and the side to move.
fn squares(value: &str) -> Result<(usize, Vec<char>, Side), String> {
    let mut words = value.split_whitespace();
    let size = number(words.next().unwrap_or_default(), SIZES).map_err(|fault| format!("the size {fault}"))?
        as usize;
    let mut chars: Vec<char> = words.flat_map(str::chars).collect();
    let first = match chars.pop() {
        Some('*') => Side::Black,
        Some('O' | 'o') => Side::White,
        _ => return Err("expected the side to move, * or O, at the end".to_owned()),
    };
    if chars.len() != size * size {
        return Err(format!("{} squares where {} are expected", chars.len(), size * size));
    }
    for char in &mut chars {
        *char = match *char {
            '*' => 'x',
            'O' | 'o' => 'o',
            '-' => '.',
            other => return Err(format!("{} is not *, O or -", quote(&other.to_string()))),
        };
    }
    Ok((size, chars, first))
}

/// `F5/EVAL/SECONDS`, of which all but the square may be missing.
fn one_move(side: Side, value: &str) -> Result<GgfMove, String> {
    let mut parts = value.trim().split('/');
    let square = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let time = parts.nth(1).map(str::trim).and_then(seconds);
    let is_pass = square == PASS || square == "pass";
    let mut chars = square.chars();
    let has_form = chars.next().is_some_and(|column| column.is_ascii_lowercase())
        && number(chars.as_str(), 1..=*SIZES.end()).is_ok();
    if !is_pass && !has_form {
        return Err("expected a square such as F5, or PA for a pass".to_owned());
    }
    Ok(GgfMove { side, square: (!is_pass).then_some(square), time })
}

/// `15:00//02:00` or `05:00` or `1:00:00`: the main time alone. Servers write more than is known here, so what cannot be read
/// counts as no time.
fn clock(value: &str) -> Option<Duration> {
    let main = value.split(['/', ',']).next()?.trim();
    let mut total = 0.0;
    for part in main.split(':') {
        total = total * 60.0 + decimal(part.trim()).ok().filter(|part| (0.0..1e6).contains(part))?;
    }
    (0.0..1e9).contains(&total).then(|| Duration::from_secs_f64(total))
}

fn seconds(text: &str) -> Option<Duration> {
    decimal(text).ok().filter(|seconds| (0.0..1e9).contains(seconds)).map(Duration::from_secs_f64)
}

fn signed(text: &str) -> Option<f64> {
    decimal(text.strip_prefix('+').unwrap_or(text)).ok()
}

impl GgfGame {
    /// The position at the beginning, as our records write it: rows with the lengths of runs of empty squares, then the side to move.
    pub fn start(&self) -> String {
        let side = if self.first == Side::Black { 'x' } else { 'o' };
        format!("{} {side}", compress(self.squares.chunks(self.size)))
    }

    /// What each side has used of its time.
    pub fn used(&self, side: Side) -> Duration {
        self.moves.iter().filter(|mv| mv.side == side).filter_map(|mv| mv.time).sum()
    }
}

impl Display for GgfGame {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let name = |name: &Option<String>| match name {
            // A bracket would end the property.
            Some(name) => {
                name.chars().filter(|char| !matches!(char, '[' | ']') && !char.is_control()).collect()
            }
            None => "?".to_owned(),
        };
        let result = self.result.map_or("?".to_owned(), |discs| format!("{discs:+.3}"));
        let seconds = self.time.unwrap_or_default().as_secs();
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        let [black, white] = [name(&self.players[0]), name(&self.players[1])];
        write!(formatter, "(;GM[Othello]PB[{black}]PW[{white}]RE[{result}]TI[{minutes:02}:{seconds:02}]")?;
        let squares: String = self
            .squares
            .iter()
            .map(|char| match char {
                'x' => '*',
                'o' => 'O',
                _ => '-',
            })
            .collect();
        let first = if self.first == Side::Black { '*' } else { 'O' };
        write!(formatter, "TY[{}]BO[{} {squares} {first}]", self.size, self.size)?;
        for mv in &self.moves {
            let side = if mv.side == Side::Black { 'B' } else { 'W' };
            let square = mv.square.as_deref().unwrap_or(PASS).to_ascii_uppercase();
            match mv.time {
                Some(time) => write!(formatter, "{side}[{square}//{:.2}]", time.as_secs_f64())?,
                None => write!(formatter, "{side}[{square}]")?,
            }
        }
        formatter.write_str(";)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GAME: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]RW[2199.72]\
        TI[05:00//02:00]TY[8]RE[+0.000]BO[8 ---------------------------O*------*O--------------------------- *]\
        B[d3//0.01]W[c5/-0.23/0.02]B[F6];)";

    #[test]
    fn games_of_servers_are_read() {
        let game = parse(GAME).expect("it is a game");
        assert_eq!(game.players, [Some("Saio1200".to_owned()), Some("Saio3000".to_owned())]);
        assert_eq!((game.time, game.result), (Some(Duration::from_secs(300)), Some(0.0)));
        assert_eq!(game.start(), "8/8/8/3ox3/3xo3/8/8/8 x");
        let squares: Vec<Option<&str>> = game.moves.iter().map(|mv| mv.square.as_deref()).collect();
        assert_eq!(squares, [Some("d3"), Some("c5"), Some("f6")]);
        assert_eq!(game.moves[1].side, Side::White);
        assert_eq!(game.used(Side::Black), Duration::from_millis(10));
        assert_eq!(parse(&game.to_string()).as_ref(), Ok(&game));
        let two = format!("2 {GAME} {GAME}\n");
        assert_eq!(parse_all(&two).map(|games| games.len()), Ok(2));
        assert!(parse(&two).is_err_and(|error| error.to_string().contains("holds 2 games")));
    }

    #[test]
    fn faults_name_their_place() {
        for (text, fault) in [
            ("", "the game has no beginning"),
            ("(;GM[Chess];)", "GM[Chess]: expected a game of Othello"),
            ("(;GM[Othello];)", "no BO"),
            ("(;GM[Othello]B[F5];)", "no BO before its first move"),
            ("(;GM[Othello", "a closing ] is missing at character 6"),
            ("(;GM(Othello);)", "expected '[' at character 5"),
            ("GM[Othello]", "expected '(;' at character 1"),
            ("(;BO[8 * *];)", "1 squares where 64 are expected"),
            ("(;BO[3 --------- *];)", "the size '3' is not a whole number from 4 to 26"),
            ("(;BO[4 -----O?--*O----- *];)", "'?' is not *, O or -"),
            ("(;BO[4 -----O*--*O-----];)", "expected the side to move"),
            ("(;BO[4 -----O*--*O----- *]B[Z99];)", "B[Z99]: expected a square such as F5"),
            ("(;BO[4 -----O*--*O----- *]B[b1]", "expected a property"),
        ] {
            let error = parse(text).expect_err(text).to_string();
            assert!(error.contains(fault), "{text}: {error}");
        }
        let long = format!("(;BO[4 -----O*--*O----- *]{};)", "B[a1]".repeat(MAX_MOVES + 1));
        assert!(parse(&long).is_err_and(|error| error.to_string().contains("more than 2000 moves")));
    }

    #[test]
    fn names_cannot_end_a_property() {
        let mut game = parse(GAME).expect("it is a game");
        game.players[0] = Some("a]B[h8".to_owned());
        let again = parse(&game.to_string()).expect("still a game");
        assert_eq!(again.moves, game.moves);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[(;)\\[\\]A-Z*O 0-9:/.\\-é]{0,80}") {
            if let Ok(games) = parse_all(&text) {
                for game in games {
                    prop_assert!(parse(&game.to_string()).is_ok());
                }
            }
        }
    }
}
