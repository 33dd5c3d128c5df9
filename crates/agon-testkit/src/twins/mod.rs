//! Twins: every game a second time, written straight from the rules and from nothing else. A game's twin stands in its own tests;
//! here is what twins share, and how [`compare`] holds a game against its twin.
//!
//! A twin is as plain as the rules allow: boards are arrays of characters, every question is
//! answered by looking at the whole board, nothing is kept that can be looked up. It shares no
//! code with the games, so that a fast game and its twin do not make the same mistake; where the two
//! differ, the text of the rules decides. Twins speak only the written forms: options, positions,
//! moves, seats and reasons as interfaces print them.

mod compare;

use std::collections::BTreeMap;
use std::fmt;

use agon_core::random::{below, seeded};
use agon_core::text::number;
use agon_core::{Game, Notation, Outcome, Rng, Verdict};

pub use compare::{compare, rounds};

/// The largest ply count that a position may carry.
pub const MAX_PLY: u64 = 1_000_000;

/// A game in its plainest form. Options are taken as valid: their keys and values in any order.
pub trait Twin: Clone {
    /// A game at its start.
    fn start(options: &str) -> Self;

    /// A game that begins at `position`; `None` if that is malformed or impossible.
    fn read(options: &str, position: &str) -> Option<Self>;

    /// The position as it is written.
    fn position(&self) -> String;

    /// The seat that the position names, over or not.
    fn to_move(&self) -> String;

    /// The tokens of all legal moves, chance moves too, in byte order: none once the game is over.
    fn legal(&self) -> Vec<String>;

    /// Plays a legal move.
    fn play(&mut self, token: &str);

    /// Whether and how the game has ended.
    fn standing(&self) -> Standing;

    /// A possible position, more often than not one that no game reaches: crowded, empty, or a step
    /// from one of the endings.
    fn sample(options: &str, rng: &mut Rng) -> String;
}

/// Whether a game goes on, and how it has ended if it does not, in the words of the interfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// `ongoing`, `won`, `drawn` or `lost`.
    pub status: &'static str,
    /// The seat that has won.
    pub winner: Option<String>,
    /// Why the game is over.
    pub reason: Option<&'static str>,
}

impl Standing {
    /// The game goes on.
    pub const ONGOING: Self = Self { status: "ongoing", winner: None, reason: None };

    /// A seat has won.
    pub fn won(winner: impl Into<String>, reason: &'static str) -> Self {
        Self { status: "won", winner: Some(winner.into()), reason: Some(reason) }
    }

    /// Nobody has won.
    pub const fn drawn(reason: &'static str) -> Self {
        Self { status: "drawn", winner: None, reason: Some(reason) }
    }

    /// The only player has lost.
    pub const fn lost(reason: &'static str) -> Self {
        Self { status: "lost", winner: None, reason: Some(reason) }
    }

    /// How a game stands that has this outcome.
    pub fn of<G: Game + Notation>(game: &G, outcome: Option<Outcome>) -> Self {
        let Some(Outcome { verdict, reason }) = outcome else { return Self::ONGOING };
        match verdict {
            Verdict::Won(winner) => Self::won(game.seat(winner), reason),
            Verdict::Drawn => Self::drawn(reason),
            Verdict::Lost => Self::lost(reason),
        }
    }
}

/// As records write it: `ongoing`, `won b (connected)`, `drawn (limit)`.
impl fmt::Display for Standing {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.status)?;
        if let Some(winner) = &self.winner {
            write!(formatter, " {winner}")?;
        }
        self.reason.map_or(Ok(()), |reason| write!(formatter, " ({reason})"))
    }
}

/// Counts the positions exactly `depth` plies after `position`. Each is read again from its text: a
/// repetition cannot be seen, and perft is to ignore it.
///
/// # Panics
/// If `position` is impossible, or the twin writes one that it cannot read.
pub fn perft<T: Twin>(options: &str, position: &str, depth: u32) -> u64 {
    let Some(twin) = T::read(options, position) else { panic!("{options}: {position} is impossible") };
    match depth {
        0 => 1,
        1 => twin.legal().len() as u64,
        _ => {
            let after = |token: &String| {
                let mut next = twin.clone();
                next.play(token);
                perft::<T>(options, &next.position(), depth - 1)
            };
            twin.legal().iter().map(after).sum()
        }
    }
}

/// The value of `key` in `options`, or `default`.
pub fn option<'a>(options: &'a str, key: &str, default: &'a str) -> &'a str {
    let pairs = options.split(',').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(known, _)| *known == key).map(|(_, value)| value).next().unwrap_or(default)
}

/// The number given for `key` in `options`, or `default`.
pub fn number_option(options: &str, key: &str, default: usize) -> usize {
    option(options, key, &default.to_string()).parse().expect("a number")
}

/// Reads rows of `letters` and run lengths of empty cells (`.`), each as wide as `widths` says.
pub fn read_rows(text: &str, letters: &str, widths: &[usize]) -> Option<Vec<Vec<char>>> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != widths.len() {
        return None;
    }
    rows.iter().zip(widths).map(|(row, width)| read_row(row, letters, *width)).collect()
}

fn read_row(mut text: &str, letters: &str, width: usize) -> Option<Vec<char>> {
    let mut row = Vec::new();
    while let Some(first) = text.chars().next() {
        if letters.contains(first) {
            row.push(first);
            text = &text[first.len_utf8()..];
        } else {
            let end = text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len());
            let run = number(&text[..end], 1..=width as u64).ok()?;
            row.extend((0..run).map(|_| '.'));
            text = &text[end..];
        }
    }
    (row.len() == width).then_some(row)
}

/// Reads a position of black and white: rows of `letters` on a square board, the side to move, the ply
/// count.
pub fn read_black_and_white(
    position: &str,
    letters: &str,
    size: usize,
) -> Option<(Vec<Vec<char>>, char, usize)> {
    let fields: Vec<&str> = position.split(' ').collect();
    let [rows, side, ply] = fields[..] else { return None };
    let side = match side {
        "b" => 'b',
        "w" => 'w',
        _ => return None,
    };
    Some((read_rows(rows, letters, &vec![size; size])?, side, read_ply(ply)?))
}

/// Reads the ply count of a position.
pub fn read_ply(text: &str) -> Option<usize> {
    number(text, 0..=MAX_PLY).ok().map(|ply| ply as usize)
}

/// The cell, or `None` beyond the edge.
pub fn cell(board: &[Vec<char>], row: i32, column: i32) -> Option<char> {
    board.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
}

/// One of `items`.
pub fn choose<T: Copy>(items: &[T], rng: &mut Rng) -> T {
    items[below(rng, items.len() as u64) as usize]
}

/// True in `percent` of all cases.
pub fn chance(percent: u64, rng: &mut Rng) -> bool {
    below(rng, 100) < percent
}

/// A random number from 0 to `max`.
pub fn up_to(max: usize, rng: &mut Rng) -> usize {
    below(rng, max as u64 + 1) as usize
}

/// `items` in random order.
pub fn shuffled<T>(mut items: Vec<T>, rng: &mut Rng) -> Vec<T> {
    for last in (1..items.len()).rev() {
        items.swap(last, up_to(last, rng));
    }
    items
}

/// A ply count that is more often than not near `limit`.
pub fn sample_ply(limit: usize, rng: &mut Rng) -> usize {
    match up_to(7, rng) {
        0 => 0,
        1 => limit - 3,
        2 => limit - 2,
        3 => limit - 1,
        4 => limit,
        5 => limit + 1,
        6 => choose(&[999_000, 999_900], rng),
        _ => up_to(2 * limit, rng),
    }
}

/// What a thousand samples show, in alphabetical order: that the game goes on, that a pass is due, or how the game has
/// ended.
///
/// # Panics
/// If a sample is impossible, or shows what hardly any other does.
pub fn kinds_of_samples<T: Twin>(options: &str) -> Vec<&'static str> {
    let mut rng = seeded(1);
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for _ in 0..1_000 {
        let position = T::sample(options, &mut rng);
        let Some(twin) = T::read(options, &position) else { panic!("{options}: {position}") };
        assert_eq!(twin.position(), position, "{options}");
        let (legal, standing) = (twin.legal(), twin.standing());
        assert_eq!(legal.is_empty(), standing != Standing::ONGOING, "{options}: {position}");
        let kind = if legal == ["pass"] { "pass" } else { standing.reason.unwrap_or(standing.status) };
        *seen.entry(kind).or_default() += 1;
    }
    assert!(seen.values().all(|count| *count >= 5), "{options}: {seen:?}");
    seen.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_wherever_they_stand() {
        assert_eq!(option("size=6,rules=standard", "rules", "rotating"), "standard");
        assert_eq!(option("size=6", "rules", "rotating"), "rotating");
        assert_eq!(number_option("turns=20,size=6", "size", 8), 6);
    }

    #[test]
    fn rows_are_read_strictly() {
        let board = read_rows("x1o/3/oxo", "xo", &[3, 3, 3]).expect("three rows of three");
        assert_eq!(board, [['x', '.', 'o'], ['.', '.', '.'], ['o', 'x', 'o']]);
        for bad in ["", "3", "4", "x", "x02", "0xoo", "x1O", "xo ", "é2", "٣", "+3", "1x1/3"] {
            assert_eq!(read_rows(&format!("3/3/{bad}"), "xo", &[3, 3, 3]).is_some(), bad == "3", "{bad:?}");
        }
    }
}
