//! Agon on lines of text, for pipes, plain terminals and those who like to talk: every prompt says what can be answered, nothing that
//! is typed is trusted, and the end of the input ends the conversation politely.

mod coordinates;
mod game;
mod learn;
mod menu;
mod race;
mod replay;

use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use agon_core::text::quote;
use agon_erased::Games;

pub use self::coordinates::Coordinates;

use crate::home::{GUEST, Home};

/// The longest line that a person may type.
const MAX_INPUT: u64 = 4096;
/// Where lists of moves are wrapped.
const WIDTH: usize = 78;

/// What came of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is over and another may follow.
    Done,
    /// The user has left, by a word or by ending the input.
    Left,
}

/// A conversation.
pub struct Dialogue<'a> {
    games: Games,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
    /// The user's files.
    pub home: &'a mut Home,
    /// Whether games are kept on disk while they are played, as for users who sit at a terminal.
    pub keeps: bool,
    /// How squares are named.
    pub coordinates: Coordinates,
    /// The least time that bots take for a move.
    pub pace: Duration,
}

impl<'a> Dialogue<'a> {
    /// A conversation about `games` over these two ends.
    pub fn new(
        games: Games,
        input: &'a mut dyn BufRead,
        out: &'a mut dyn Write,
        home: &'a mut Home,
        keeps: bool,
    ) -> Self {
        let pace = if keeps { home.pace() } else { Duration::ZERO };
        Self { games, input, out, home, keeps, coordinates: Coordinates::default(), pace }
    }

    /// Where it is spoken.
    pub fn output(&mut self) -> &mut dyn Write {
        self.out
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Asks for one line, whatever bytes it has, and trims it; `None` if the user leaves.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.out, "{prompt} ")?;
        self.out.flush()?;
        let mut line = Vec::new();
        if (&mut *self.input).take(MAX_INPUT).read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        let answer = String::from_utf8_lossy(&line).trim().to_owned();
        Ok(if matches!(first_word(&answer), "exit" | "EXIT" | "quit") { None } else { Some(answer) })
    }

    /// The same, but asks again after a blank line.
    fn ask_for(&mut self, prompt: &str) -> io::Result<Option<String>> {
        loop {
            let answer = self.ask(prompt)?;
            if answer.as_ref().is_none_or(|answer| !answer.is_empty()) {
                return Ok(answer);
            }
        }
    }

    /// Tells somebody that an answer makes no sense, and what would.
    fn refuse(&mut self, answer: &str, expected: &str) -> io::Result<()> {
        let expected = expected.trim_end_matches('.');
        writeln!(
            self.out,
            "The input {} is invalid: {expected}. Try again, or type exit to leave.",
            quote(answer)
        )
    }

    /// Asks until one of `items` is chosen by its number; `None` if the user leaves. An empty answer takes `default`.
    fn choose(
        &mut self,
        question: &str,
        items: &[String],
        default: Option<usize>,
    ) -> io::Result<Option<usize>> {
        for (number, item) in (1..).zip(items) {
            writeln!(self.out, "  {number:>2}  {item}")?;
        }
        let usual = default.map(|index| format!(", Enter for {}", index + 1)).unwrap_or_default();
        let prompt = format!("{question} 1 to {}{usual}, or exit:", items.len());
        loop {
            let Some(answer) = self.ask(&prompt)? else { return Ok(None) };
            match (agon_core::text::number(first_word(&answer), 1..=items.len() as u64), default) {
                (Ok(number), _) => return Ok(Some(number as usize - 1)),
                (Err(_), Some(index)) if answer.is_empty() => return Ok(Some(index)),
                (Err(_), None) if answer.is_empty() => {}
                (Err(_), _) => {
                    self.refuse(&answer, &format!("expected a number from 1 to {}", items.len()))?
                }
            }
        }
    }

    /// Says goodbye.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn farewell(&mut self) -> io::Result<()> {
        let name = self.home.person().to_owned();
        if name == GUEST {
            self.say("Goodbye. Thank you for playing.")
        } else {
            self.say(&format!("Goodbye, {name}. Thank you for playing."))
        }
    }
}

/// The first word of a line: only it counts, except where a name is asked for.
fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// Words in lines of a limited width.
fn in_lines(words: &[String], indent: usize) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && indent + width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width == 0 {
            text.push_str(&" ".repeat(indent));
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text
}
