//! How a game that is being played is kept on disk: on the full screen and on lines of text alike.

use std::io;

use crate::driver::MatchDriver;
use crate::home::{Home, Kept, KeptGame};

/// Writes a game down at every move, so that nothing is lost whatever happens, and puts it on the shelf in
/// the end.
#[derive(Debug, Default)]
pub struct Keeper {
    place: Option<KeptGame>,
    /// How many events the game had when it was last looked at.
    seen: usize,
    is_kept: bool,
}

impl Keeper {
    /// Keeps a game that begins; without a folder for it, it is not kept.
    pub fn new(driver: &MatchDriver, home: &Home) -> Self {
        let (name, seed) = (driver.game().rules().spec().id, driver.game().seed());
        Self { place: home.place(name, seed), seen: driver.game().event_count(), is_kept: false }
    }

    /// Keeps a resumed game in its old place; `None` if another process has resumed it.
    pub fn taking_up(driver: &MatchDriver, kept: &Kept) -> Option<Self> {
        Some(Self { place: Some(kept.take()?), seen: driver.game().event_count(), is_kept: true })
    }

    /// Whether the game is on disk and will be offered again.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Writes the match down if anything has happened since the last time. One in which nobody has moved, or
    /// in which the person has nothing left to play, is taken off the disk.
    ///
    /// # Errors
    /// If it cannot be written. It is not tried again.
    pub fn keep(&mut self, driver: &MatchDriver) -> io::Result<()> {
        let Some(place) = &mut self.place else { return Ok(()) };
        if std::mem::replace(&mut self.seen, driver.game().event_count()) == driver.game().event_count() {
            return Ok(());
        }
        self.is_kept = driver.game().moves_made() > 0 && driver.board().end().is_none();
        if !self.is_kept {
            place.forget();
            return Ok(());
        }
        place.keep(&driver.record()).inspect_err(|_| *self = Self::default())
    }

    /// Takes the game off the disk, because it was restarted, and keeps `driver` from now on.
    pub fn start_over(&mut self, driver: &MatchDriver, home: &Home) {
        if let Some(place) = &mut self.place {
            place.forget();
            *self = Self::new(driver, home);
        }
    }

    /// Puts a game that is over on the shelf.
    pub fn shelve(&mut self, driver: &MatchDriver, home: &Home) {
        // Both can fail, which is no reason to disturb the players.
        let _ = self.keep(driver);
        if self.place.is_some() {
            let _ = home.shelve(&driver.record());
        }
    }
}
