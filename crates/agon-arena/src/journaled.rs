//! A match in front of its referee, and the journal that keeps what happens in it.

use std::io::{self, Write};

use agon_match::{Action, Board, Match, Millis, Refusal};

/// A match, the board of it that is being played on, and where its events are written.
pub struct JournaledGame {
    game: Match,
    board: usize,
    journal: Option<Box<dyn Write + Send>>,
    /// Lines on their way to the journal.
    lines: Vec<u8>,
}

impl JournaledGame {
    /// A match whose events go to `journal`, beginning with those that it has had: a JSON object per line, each written out before
    /// [`JournaledGame::act`] returns.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn new(game: Match, journal: Option<Box<dyn Write + Send>>) -> io::Result<Self> {
        let mut journaled = Self { game, board: 0, journal, lines: Vec::new() };
        journaled.write_events(0)?;
        Ok(journaled)
    }

    /// A match that nobody keeps a journal of.
    pub fn without_journal(game: Match) -> Self {
        Self { game, board: 0, journal: None, lines: Vec::new() }
    }

    /// The board that is being played on.
    pub fn board(&self) -> &Board {
        &self.game.boards()[self.board]
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
        let known = self.game.event_count();
        let done = self.game.apply(self.board, action, now);
        if done.is_ok() {
            self.write_events(known)?;
        }
        Ok(done)
    }

    /// Writes the events from the one with this index on.
    fn write_events(&mut self, from: usize) -> io::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        self.lines.clear();
        for event in self.game.events(from) {
            serde_json::to_writer(&mut self.lines, &event)?;
            self.lines.push(b'\n');
        }
        journal.write_all(&self.lines)
    }

    /// What was played.
    pub fn into_match(self) -> Match {
        self.game
    }
}
