//! How much of a match has been told.

use agon_erased::Session;
use agon_match::{Event, LogEvent, Match};

/// How many events of a match's log have been told.
pub(super) struct Told {
    events: usize,
    /// How many plies had been played on each board by then.
    plies: Vec<usize>,
}

impl Told {
    /// Only how `game` began.
    pub(super) fn of(game: &Match) -> Self {
        Self { events: 1, plies: game.boards().iter().map(|board| board.setup().moves.len()).collect() }
    }

    /// The next event to be told, which counts as told from now on.
    pub(super) fn next(&mut self, game: &Match) -> Option<LogEvent> {
        let event = game.events(self.events).next()?;
        self.events += 1;
        match &event.event {
            Event::Played(_) => self.plies[event.board] += 1,
            Event::TakenBack { to, .. } => self.plies[event.board] = *to,
            _ => {}
        }
        Some(event)
    }

    /// The game on a board as it stood after the last event that was told.
    pub(super) fn session(&self, game: &Match, board: usize) -> Box<dyn Session> {
        let mut session = game.boards()[board].session().fork();
        session.rewind(self.plies[board]);
        session
    }
}
