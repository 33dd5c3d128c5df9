//! A race as a conversation.

use std::io;
use std::time::Duration;

use agon_match::RaceOrder;

use super::{Dialogue, Ended, first_word};
use crate::driver::{Driver, Happening, RaceDriver, Racer};
use crate::words;

impl Dialogue<'_> {
    /// Says what a race is about. A bot that goes first plays its whole game.
    pub(super) fn open_race(&mut self, race: &mut RaceDriver) -> io::Result<Ended> {
        let bot = race.name(Racer::Rival).to_owned();
        if race.race().order() == RaceOrder::Together {
            self.say(&format!("{bot} plays beside you with the same luck, a move for each of yours."))?;
            if race.board(Racer::Rival).moves_made() > 0 {
                let (mine, theirs) = (race.score(Racer::Person), race.score(Racer::Rival));
                self.say(&format!("It has {theirs} points, you have {mine}."))?;
            }
            return Ok(Ended::Done);
        }
        self.say(&format!("{bot} plays first; then it is your turn, with the same luck."))?;
        if self.pursue(race, usize::MAX)? == Ended::Left {
            return Ok(Ended::Left);
        }
        write!(self.out, "\n{}", race.board(Racer::Rival).session().diagram())?;
        self.say(&format!("{bot} has scored {}. Can you do better?", race.score(Racer::Rival)))?;
        Ok(Ended::Done)
    }

    /// Lets the bot of a race play as long as it is its turn, until it has made this many moves.
    fn pursue(&mut self, race: &mut RaceDriver, moves: usize) -> io::Result<Ended> {
        while race.is_rivals_turn() && race.board(Racer::Rival).moves_made() < moves {
            if let Some(Happening::Failed(_)) = race.advance_board(Racer::Rival, Duration::from_millis(200)) {
                let reason = race.failure().map_or("", |(_, reason)| reason);
                self.say(&format!("{} has failed: {reason}", race.name(Racer::Rival)))?;
                let Some(answer) = self.ask_for("Type retry to let it try again, or exit:")? else {
                    return Ok(Ended::Left);
                };
                if first_word(&answer) == "retry" {
                    race.retry();
                } else {
                    self.refuse(&answer, "expected retry")?;
                }
            }
        }
        Ok(Ended::Done)
    }

    /// Lets the bot that plays beside the person make as many moves as the person has, and says where that leaves both.
    pub(super) fn keep_up(&mut self, race: &mut RaceDriver) -> io::Result<Ended> {
        let before = race.board(Racer::Rival).moves_made();
        if self.pursue(race, race.board(Racer::Person).moves_made())? == Ended::Left {
            return Ok(Ended::Left);
        }
        if race.board(Racer::Rival).moves_made() > before {
            let (mine, theirs) = (race.score(Racer::Person), race.score(Racer::Rival));
            let bot = race.name(Racer::Rival).to_owned();
            self.say(&format!("{bot} moves too and has {theirs} points, you have {mine}."))?;
        }
        Ok(Ended::Done)
    }

    /// Lets the bot come to the end of its game and says who has won.
    pub(super) fn close_race(&mut self, race: &mut RaceDriver) -> io::Result<()> {
        if self.pursue(race, usize::MAX)? == Ended::Done {
            self.say(&words::race_text(race))?;
        }
        Ok(())
    }
}

/// The person's board, and beside it that of a bot that plays at the same time.
pub(super) fn race_diagram(race: &RaceDriver) -> String {
    let [left, right] = [Racer::Person, Racer::Rival].map(|racer| race.board(racer).session().diagram());
    if race.race().order() == RaceOrder::InTurn {
        return left;
    }
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 3;
    let rows = left.lines().count().max(right.lines().count());
    let row = |index: usize| {
        let [left, right] = [&left, &right].map(|text| text.lines().nth(index).unwrap_or_default());
        format!("{left:<width$}{right}").trim_end().to_owned() + "\n"
    };
    (0..rows).map(row).collect()
}
