//! Programs for Othello that speak GTP, above all GRhino's `gtp-rhino`.
//!
//! Passes are not said: GRhino takes `play white pass` for a syntax error and passes by itself where a side has no
//! move, and a program that keeps to the rules of Othello can always tell.

use std::time::{Duration, Instant};

use agon_core::{Player, text::quote};
use agon_erased::{BotError, Session, Thought};
use agon_formats::grid::expand;
use agon_match::Fault;
use agon_protocol::gtp::{Answer, Colour, NoAnswer, Reader};

use super::{Dialogue, Failure, KnownGame, Talk, Wait};

/// The longest answer, in bytes.
const MAX_ANSWER: usize = 64 << 10;

/// The dialogue with a GTP program.
#[derive(Default)]
pub(super) struct Gtp {
    commands: Option<Vec<String>>,
    told: Option<KnownGame>,
    /// The time limit for a move that holds.
    time: Option<Duration>,
    /// The time for a move that the program was told, which is longer if it takes whole seconds only.
    told_time: Option<Duration>,
}

impl Gtp {
    fn knows(&self, command: &str) -> bool {
        self.commands.iter().flatten().any(|known| known == command)
    }

    /// Sets the board up for a new game.
    fn set_up(&mut self, talk: &mut Talk, known: &KnownGame) -> Result<(), Failure> {
        let deadline = talk.setup_deadline();
        let size = talk.rules.options.strip_prefix("size=").unwrap_or("8").to_owned();
        must(talk, &format!("boardsize {size}"), deadline)?;
        must(talk, "clear_board", deadline)?;
        if known.start == talk.rules.start {
            return Ok(());
        }
        // GTP itself knows no other start; GRhino has a command of its own.
        if !self.knows("grhino-setup_board") {
            let fault =
                "it can only start from the usual position: it does not know the command grhino-setup_board";
            return Err(Failure::protocol(fault));
        }
        must(talk, &format!("grhino-setup_board {}", board_string(&known.start)), deadline)?;
        Ok(())
    }

    /// Tells the program what it does not know of the game.
    fn catch_up(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        let game = KnownGame::of(talk.session);
        let news = self.told.as_ref().and_then(|told| told.news(&game)).map(<[String]>::len);
        if news.is_none() {
            // If it fails half-way, nobody knows what the program knows.
            self.told = None;
            self.set_up(talk, &game)?;
        }
        let known = game.history.len() - news.unwrap_or(game.history.len());
        let deadline = talk.setup_deadline();
        for (index, token) in game.history.iter().enumerate().skip(known) {
            if token != "pass" {
                let colour = colour_after(&game.start, index);
                must(talk, &format!("play {colour} {token}"), deadline)?;
            }
        }
        self.told = Some(game);
        Ok(())
    }

    /// Tells the program its time, in seconds: whole ones if it takes no others.
    fn set_time(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        let Some(time) = talk.budget.limits.time else { return Ok(()) };
        if self.time == Some(time) || !self.knows("time_settings") {
            return Ok(());
        }
        (self.time, self.told_time) = (Some(time), Some(time));
        let deadline = talk.setup_deadline();
        let exact = format!("time_settings 0 {} 1", time.as_secs_f64());
        if exchange(talk, &exact, deadline)?.is_err() && time.subsec_nanos() != 0 {
            // A program that does not want to know the time is left without it.
            let whole = time.as_secs().max(1);
            let _ = exchange(talk, &format!("time_settings 0 {whole} 1"), deadline)?;
            self.told_time = Some(time.max(Duration::from_secs(whole)));
        }
        Ok(())
    }
}

impl Dialogue for Gtp {
    fn serves(&self, _session: &dyn Session, _player: Player) -> bool {
        true
    }

    fn prepare(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        if self.commands.is_none() {
            let deadline = talk.setup_deadline();
            let commands = exchange(talk, "list_commands", deadline)?.unwrap_or_default();
            self.commands = Some(commands.split_whitespace().map(str::to_owned).collect());
        }
        self.set_time(talk)?;
        self.catch_up(talk)
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Failure> {
        let legal = talk.session.legal();
        if legal == ["pass"] {
            return Ok(Thought::instinct("pass".to_owned()));
        }
        let mut told = self.told.take().unwrap_or_default();
        let colour = colour_after(&told.start, told.history.len());
        let granted = talk.budget.limits.time.map(|time| time.max(self.told_time.unwrap_or(time)));
        let deadline = talk.deadline_of(granted);
        let answer = exchange(talk, &format!("genmove {colour}"), deadline)?;
        let best =
            answer.map_err(|fault| Failure::protocol(format!("it refused to move: {}", quote(&fault))))?;
        let best = best.trim().to_ascii_lowercase();
        if best == "resign" {
            return Err(Failure { error: BotError::Failed("it resigns".to_owned()), fault: Fault::Resigned });
        }
        // The program has made its move on its own board.
        told.history.push(best.clone());
        self.told = Some(told);
        Ok(Thought::instinct(best))
    }

    fn farewell(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// Who moves after `plies` plies from `start`: a pass is a ply.
fn colour_after(start: &str, plies: usize) -> Colour {
    if start.ends_with('x') == plies.is_multiple_of(2) { Colour::Black } else { Colour::White }
}

/// A position as `grhino-setup_board` takes it: the squares row by row, then the side to move.
fn board_string(position: &str) -> String {
    let (rows, side) = position.rsplit_once(' ').unwrap_or((position, "x"));
    let squares = expand(rows).concat();
    let board: String =
        squares.iter().map(|square| if *square == '.' { '-' } else { square.to_ascii_uppercase() }).collect();
    format!("{board} {}", side.to_uppercase())
}

/// Sends a command that may not fail.
fn must(talk: &mut Talk, command: &str, deadline: Instant) -> Result<String, Failure> {
    let answer = exchange(talk, command, deadline)?;
    answer.map_err(|fault| Failure::protocol(format!("it refused {}: {}", quote(command), quote(&fault))))
}

/// Sends a command and reads its answer.
fn exchange(talk: &mut Talk, command: &str, deadline: Instant) -> Result<Answer, Failure> {
    talk.process.send(command)?;
    let mut reader = Reader::default();
    let mut wait = Wait::until(deadline);
    loop {
        let line = talk.receive(&mut wait)?;
        match reader.line(&line) {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) if reader.length() <= MAX_ANSWER => {}
            Ok(None) => return Err(Failure::protocol("its answer is endless")),
            Err(NoAnswer) => {
                return Err(Failure::protocol(format!("it answered {}: {NoAnswer}", quote(&line))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_alternate_from_the_side_that_began() {
        assert_eq!(colour_after("8/8 x", 0), Colour::Black);
        assert_eq!(colour_after("8/8 x", 3), Colour::White);
        assert_eq!(colour_after("8/8 o", 0), Colour::White);
    }

    #[test]
    fn boards_are_written_square_by_square() {
        assert_eq!(board_string("4/1ox1/1xo1/4 o"), "-----OX--XO----- O");
        assert_eq!(board_string("12/x11 x"), format!("{}X{} X", "-".repeat(12), "-".repeat(11)));
    }
}
