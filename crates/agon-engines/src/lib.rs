//! Our bots where other programs run the game: as engines that speak UGI, GTP or the agent protocol on lines of text, and at
//! the servers of the [Bologna](bologna) Tablut Challenge, of which this is also one.
//!
//! An engine never ends because of what it is told: what it cannot understand it answers in the protocol's own way, or, where
//! the protocol has none, says to whoever started it. It ends when told to, or when its input does.

pub mod bologna;
pub mod gtp;
pub mod jsonl;
pub mod ugi;

use std::io::{self, BufRead};
use std::time::Duration;

use agon_core::MoveError;
use agon_players::{default_bot, player};
use agon_protocol::lines::read_line;
use agon_registry::{Bot, Rules, Session, SpecificationError};

/// Which bot plays in an engine.
#[derive(Clone, Debug, Default)]
pub struct Casting {
    /// Its specification; our best one if there is none.
    pub bot: Option<String>,
    /// What fixes its randomness.
    pub seed: u64,
}

impl Casting {
    /// The specification of the bot that plays by `rules`.
    pub fn specification(&self, rules: &dyn Rules) -> String {
        self.bot.clone().unwrap_or_else(|| default_bot(rules).to_owned())
    }

    /// A new bot that plays by `rules`.
    ///
    /// # Errors
    /// If the game has no such bot.
    pub fn bot(&self, rules: &dyn Rules) -> Result<Box<dyn Bot>, SpecificationError> {
        player(rules, &self.specification(rules), self.seed)
    }
}

/// The time to think of the time that was granted: some goes by on the way here and back.
fn thinking_time(granted: Duration) -> Duration {
    const WAY: Duration = Duration::from_millis(5);
    granted.saturating_sub(WAY.min(granted / 10)).max(Duration::from_millis(1))
}

/// The next line of text; an error in words if it is too long or not UTF-8; `None` at the end of the input.
fn next_line(input: &mut impl BufRead, max: usize) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    Ok(read_line(input, max, &mut line)?.map(|read| {
        if read.length > max {
            return Err(format!("the line has {} bytes; at most {max} are read", read.length));
        }
        String::from_utf8(line).map_err(|error| {
            format!("the line is not UTF-8 from byte {} on", error.utf8_error().valid_up_to())
        })
    }))
}

/// Brings `session` to where it stands after `moves` from its start, by taking back and playing as little as possible.
///
/// # Errors
/// If a move cannot be played; the session is then as it was.
fn follow(session: &mut dyn Session, moves: &[String]) -> Result<(), MoveError> {
    let before = session.history();
    let common = before.iter().zip(moves).take_while(|(one, other)| one == other).count();
    for _ in common..before.len() {
        session.undo();
    }
    for (index, token) in moves.iter().enumerate().skip(common) {
        if let Err(error) = session.play(token) {
            for _ in common..index {
                session.undo();
            }
            for token in &before[common..] {
                let replayed = session.play(token);
                debug_assert!(replayed.is_ok(), "what was played can be played again");
            }
            return Err(error);
        }
    }
    Ok(())
}
