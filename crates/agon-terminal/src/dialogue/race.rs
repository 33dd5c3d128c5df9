//! What is said about the boards of bots in a race.

use std::io;

use agon_match::{BoardOrder, Event, LogEvent};

use super::Dialogue;
use crate::driver::MatchDriver;
use crate::words;

impl Dialogue<'_> {
    /// Says what a race is about; nothing about any other match.
    pub(super) fn introduce(&mut self, driver: &MatchDriver) -> io::Result<()> {
        let order = driver.game().order();
        for board in driver.rivals().map(|board| &driver.game().boards()[board]) {
            let bot = &board.seats()[0].name;
            if order == BoardOrder::InTurn {
                self.say(&format!("{bot} plays first; then it is your turn, with the same luck."))?;
                continue;
            }
            self.say(&format!("{bot} plays beside you with the same luck, a move for each of yours."))?;
            if board.moves_made() > 0 {
                let (mine, theirs) = (words::score(driver.board()), words::score(board));
                self.say(&format!("It has {theirs} points, you have {mine}."))?;
            }
        }
        Ok(())
    }

    /// Says what has happened on a bot's board: side by side, where each move leaves both; in turn, how the
    /// whole game has ended.
    pub(super) fn tell_rival(&mut self, driver: &MatchDriver, event: &LogEvent) -> io::Result<()> {
        let board = &driver.game().boards()[event.board];
        let (bot, theirs) = (&board.seats()[0].name, words::score(board));
        match (&event.event, driver.game().order()) {
            (Event::Played(played), BoardOrder::Together)
                if played.seat.is_some() && driver.board().end().is_none() =>
            {
                let mine = words::score(driver.board());
                self.say(&format!("{bot} moves too and has {theirs} points, you have {mine}."))
            }
            (Event::Ended { .. }, BoardOrder::InTurn) => {
                write!(self.out, "\n{}", board.session().diagram())?;
                self.say(&format!("{bot} has scored {theirs}. Can you do better?"))
            }
            _ => Ok(()),
        }
    }

    /// The people's own board, and beside it those of bots that play at the same time.
    pub(super) fn diagrams(&self, driver: &MatchDriver) -> String {
        let own = self.coordinates.diagram(driver.board().session());
        if driver.game().order() == BoardOrder::InTurn {
            return own;
        }
        let rivals = driver.rivals().map(|board| driver.game().boards()[board].session().diagram());
        rivals.fold(own, |left, right| beside(&left, &right))
    }
}

/// Two diagrams beside each other.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 3;
    let rows = left.lines().count().max(right.lines().count());
    let row = |index: usize| {
        let [left, right] = [left, right].map(|text| text.lines().nth(index).unwrap_or_default());
        format!("{left:<width$}{right}").trim_end().to_owned() + "\n"
    };
    (0..rows).map(row).collect()
}
