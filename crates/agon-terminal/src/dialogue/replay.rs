//! A record as a conversation.

use std::io;

use agon_core::text::number;
use agon_erased::Session;
use agon_records::Record;

use super::{Dialogue, Ended, first_word};
use crate::driver::{MatchDriver, NewGame};
use crate::words;

const HELP: &str = "Type one of
  next, or just Enter   one move on
  back                  one move back
  start, end            the beginning, the end
  a number              jump to the position after so many plies
  play                  play on from here with the same players
  exit                  leave";

impl Dialogue<'_> {
    /// Goes through a record that holds.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn replay(&mut self, record: &Record, whole: &dyn Session) -> io::Result<Ended> {
        let plies = record.moves.len();
        let result = words::recorded_result(self.games, record);
        let title = self.games.find(&record.game).map_or(record.game.as_str(), |entry| entry.spec.title());
        let players = if record.players.is_empty() {
            String::new()
        } else {
            format!(", {}", record.players.join(" - "))
        };
        self.say(&format!("{title}{players}, {plies} plies, {result}."))?;
        let mut session = whole.fork();
        while session.undo() {}
        let mut at: usize = 0;
        loop {
            write!(self.out, "\n{}", self.coordinates.diagram(&*session))?;
            let last = session.last_step().zip(session.last_ply()).map(|(step, token)| {
                format!(", {} was played", self.coordinates.move_text(&session.board(), &token, &step))
            });
            let prompt = format!(
                "After {at} of {plies} plies{}. next, back, a number, play, help or exit:",
                last.unwrap_or_default()
            );
            let Some(answer) = self.ask(&prompt)? else { return Ok(Ended::Left) };
            let wanted = match first_word(&answer) {
                "" | "next" if at == plies => {
                    self.say("This is the end of the game.")?;
                    at
                }
                "" | "next" => at + 1,
                "back" => at.saturating_sub(1),
                "start" => 0,
                "end" => plies,
                "help" => {
                    self.say(HELP)?;
                    at
                }
                "play" if session.outcome().is_some() => {
                    self.say("The game is over here: step back to play on.")?;
                    at
                }
                "play" => return self.branch(record, &*session),
                other => match number(other, 0..=plies as u64) {
                    Ok(ply) => ply as usize,
                    Err(_) => {
                        self.refuse(
                            other,
                            &format!("expected next, back, start, end, play or a number from 0 to {plies}"),
                        )?;
                        at
                    }
                },
            };
            while at > wanted && session.undo() {
                at -= 1;
            }
            while at < wanted && session.play(&record.moves[at]).is_ok() {
                at += 1;
            }
        }
    }

    fn branch(&mut self, record: &Record, session: &dyn Session) -> io::Result<Ended> {
        let rules = match self.games.rules(&record.game, &record.options) {
            Ok(rules) => rules,
            Err(error) => return self.say(&error.to_string()).map(|()| Ended::Done),
        };
        let seed = record.seed.unwrap_or_default();
        match MatchDriver::start(NewGame::branching_off(rules, session, record, self.home.person(), seed)) {
            Ok(mut driver) => self.play(&mut driver),
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }
}
