//! How a game that is being played is kept on disk: on the full screen and on lines of text alike.

use std::io;

use agon_records::Record;

use crate::driver::{GameDriver, RaceDriver, Racer};
use crate::home::{Home, Kept, Place};

/// A game that can be kept.
pub trait Keepable {
    /// The game's name and its seed, by which its file is named.
    fn identity(&self) -> (&'static str, u64);

    /// How many events it has had.
    fn events(&self) -> usize;

    /// How many moves its players have made.
    fn moves_made(&self) -> usize;

    /// Whether nobody will want to take it up again.
    fn is_done(&self) -> bool;

    /// The record from which it can be taken up.
    fn record(&self) -> Record;
}

impl Keepable for GameDriver {
    fn identity(&self) -> (&'static str, u64) {
        (self.game().rules().spec().id, self.game().seed())
    }

    fn events(&self) -> usize {
        self.game().log().len()
    }

    fn moves_made(&self) -> usize {
        self.game().moves_made()
    }

    fn is_done(&self) -> bool {
        self.is_over()
    }

    fn record(&self) -> Record {
        self.record()
    }
}

impl Keepable for RaceDriver {
    fn identity(&self) -> (&'static str, u64) {
        let board = self.board(Racer::Person);
        (board.rules().spec().id, board.seed())
    }

    fn events(&self) -> usize {
        self.race().log().len()
    }

    fn moves_made(&self) -> usize {
        self.race().boards().iter().map(|board| board.moves_made()).sum()
    }

    /// A person whose game is over has nothing left to do.
    fn is_done(&self) -> bool {
        self.is_over(Racer::Person)
    }

    fn record(&self) -> Record {
        self.record()
    }
}

/// Writes a game down at every move, so that nothing is lost whatever happens, and puts it on the shelf in the end.
#[derive(Debug, Default)]
pub struct Keeper {
    place: Option<Place>,
    /// How many events the game had when it was last looked at.
    seen: usize,
    is_kept: bool,
}

impl Keeper {
    /// Keeps a game that begins; without a folder for it, it is not kept.
    pub fn new(game: &impl Keepable, home: &Home) -> Self {
        let (name, seed) = game.identity();
        Self { place: home.place(name, seed), seen: game.events(), is_kept: false }
    }

    /// Keeps a game that was taken up where it was; `None` if somebody else has taken it up.
    pub fn taking_up(game: &impl Keepable, kept: &Kept) -> Option<Self> {
        Some(Self { place: Some(kept.take()?), seen: game.events(), is_kept: true })
    }

    /// Whether the game is on disk and will be offered again.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Writes the game down if anything has happened since the last time. One in which nobody has moved, or that is over, is
    /// taken off the disk.
    ///
    /// # Errors
    /// If it cannot be written. It is not tried again.
    pub fn keep(&mut self, game: &impl Keepable) -> io::Result<()> {
        let Some(place) = &mut self.place else { return Ok(()) };
        if std::mem::replace(&mut self.seen, game.events()) == game.events() {
            return Ok(());
        }
        self.is_kept = game.moves_made() > 0 && !game.is_done();
        if !self.is_kept {
            place.forget();
            return Ok(());
        }
        place.keep(&game.record()).inspect_err(|_| *self = Self::default())
    }

    /// Puts a game that is over on the shelf.
    pub fn shelve(&mut self, game: &impl Keepable, home: &Home) {
        // Both can fail; that is no reason to disturb a winner.
        let _ = self.keep(game);
        if self.place.is_some() {
            let _ = home.shelve(&game.record());
        }
    }
}
