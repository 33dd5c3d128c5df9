//! A game in front of its referee: its board or boards, and the journal that keeps what happens.

use std::io::{self, Write};

use agon_match::{Action, Match, Millis, Race, Refusal};
use serde::Serialize;

/// What is being played.
#[derive(Debug)]
pub enum Play {
    /// One board for all.
    One(Box<Match>),
    /// A game for one, with a board for each player and the same luck on all.
    Race(Race),
}

impl Play {
    /// The boards.
    pub fn boards(&self) -> &[Match] {
        match self {
            Self::One(game) => std::slice::from_ref(&**game),
            Self::Race(race) => race.boards(),
        }
    }
}

/// A game, the board of it that is being played on, and where its events are written.
pub struct Desk {
    play: Play,
    board: usize,
    journal: Option<Box<dyn Write + Send>>,
    /// Lines on their way to the journal.
    lines: Vec<u8>,
}

impl Desk {
    /// A game whose events go to `journal`, beginning with those that it has had: a JSON object per line, each written out before
    /// [`Desk::act`] returns.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn new(play: Play, journal: Option<Box<dyn Write + Send>>) -> io::Result<Self> {
        let mut desk = Self { play, board: 0, journal, lines: Vec::new() };
        desk.note(0)?;
        Ok(desk)
    }

    /// A match that nobody keeps a journal of.
    pub fn of(game: Match) -> Self {
        Self { play: Play::One(Box::new(game)), board: 0, journal: None, lines: Vec::new() }
    }

    /// The board that is being played on.
    pub fn game(&self) -> &Match {
        &self.play.boards()[self.board]
    }

    /// Goes to another board.
    pub(crate) fn go_to(&mut self, board: usize) {
        self.board = board;
    }

    /// Does what `action` says on the board and writes down what follows.
    ///
    /// # Errors
    /// If the journal cannot be written; inside, if the action is refused.
    pub fn act(&mut self, action: Action, now: Millis) -> io::Result<Result<(), Refusal>> {
        let known = self.events();
        let done = match &mut self.play {
            Play::One(game) => game.apply(action, now).map(|_| ()),
            Play::Race(race) => race.apply(self.board, action, now).map(|_| ()),
        };
        if done.is_ok() {
            self.note(known)?;
        }
        Ok(done)
    }

    fn events(&self) -> usize {
        match &self.play {
            Play::One(game) => game.log().len(),
            Play::Race(race) => race.log().len(),
        }
    }

    /// Writes down the events from the one with this index on.
    fn note(&mut self, from: usize) -> io::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        self.lines.clear();
        match &self.play {
            Play::One(game) => add_lines(&mut self.lines, &game.log()[from..])?,
            Play::Race(race) => add_lines(&mut self.lines, &race.log()[from..])?,
        }
        journal.write_all(&self.lines)
    }

    /// What was played.
    pub fn into_play(self) -> Play {
        self.play
    }
}

fn add_lines(lines: &mut Vec<u8>, events: &[impl Serialize]) -> io::Result<()> {
    for event in events {
        serde_json::to_writer(&mut *lines, event)?;
        lines.push(b'\n');
    }
    Ok(())
}
