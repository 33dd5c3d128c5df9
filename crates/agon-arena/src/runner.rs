//! The match runner: one game of a schedule from its opening to its end. Duels, tournaments and whatever else needs games played all
//! have them played here.

use std::io::{self, Write};
use std::sync::Arc;

use agon_match::{Fault, Late, Match, Race, RaceOrder, Setup, StartError};
use agon_registry::Rules;

use crate::desk::{Desk, Play};
use crate::entrants::Entrants;
use crate::openings::{Opening, opening};
use crate::referee::{self, Notes, Terms};
use crate::schedule::Fixture;

/// A game by some rules from random openings.
#[derive(Clone)]
pub struct Variant {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// How many random plies open a game that has no opening of its own.
    pub opening_plies: usize,
}

/// Who plays what, and how strictly.
#[derive(Clone)]
pub struct Runner<'a> {
    /// What is played.
    pub variants: Vec<Variant>,
    /// Who plays.
    pub entrants: Entrants<'a>,
    /// What lateness costs.
    pub late: Late,
}

/// A game as it was played.
#[derive(Debug)]
pub struct Played {
    /// The board or boards.
    pub play: Play,
    /// What the referee noted, a seat for each chair of the game.
    pub notes: Notes,
}

/// Why a game could not be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not be set up.
    #[error("cannot set up a game: {0}")]
    Setup(#[from] StartError),
    /// Its journal could not be written.
    #[error("cannot write down a game: {0}")]
    Journal(#[from] io::Error),
}

impl Runner<'_> {
    /// The rules of a fixture.
    pub fn rules(&self, fixture: &Fixture) -> &Arc<dyn Rules> {
        &self.variants[fixture.variant].rules
    }

    /// Plays a game, writing what happens to `journal`. A game for one that has several players is a race: all have the same luck,
    /// and play one after the other.
    ///
    /// # Errors
    /// If the game cannot be set up, or the journal cannot be written.
    pub fn play(
        &self,
        fixture: &Fixture,
        terms: &Terms,
        journal: Option<Box<dyn Write + Send>>,
    ) -> Result<Played, RunError> {
        let rules = self.rules(fixture);
        let is_race = rules.seats().len() == 1 && fixture.seats.len() > 1;
        let boards: Vec<&[usize]> =
            if is_race { fixture.seats.chunks(1).collect() } else { vec![&fixture.seats] };
        let Opening { position, moves } = match &fixture.opening {
            Some(given) => given.clone(),
            None => {
                let plies = self.variants[fixture.variant].opening_plies;
                Opening { position: None, moves: opening(&**rules, plies, fixture.luck_seed) }
            }
        };
        let setup = |seats: &[usize]| {
            let seated = || seats.iter().map(|entrant| &self.entrants.entrants[*entrant]);
            Setup {
                position: position.clone(),
                moves: moves.iter().map(|token| token.as_str().into()).collect(),
                seats: seated().map(|entrant| entrant.seat.clone()).collect(),
                policy: referee::policy(seated().map(|entrant| entrant.control).collect(), self.late),
                ..Setup::default()
            }
        };
        let (rules, now) = (Arc::clone(rules), terms.now());
        let play = if is_race {
            let setups = boards.iter().map(|seats| setup(seats)).collect();
            Play::Race(Race::start(rules, setups, RaceOrder::Together, fixture.luck_seed, now)?)
        } else {
            Play::One(Box::new(Match::start(rules, setup(&fixture.seats), fixture.luck_seed, now)?))
        };
        let mut desk = Desk::new(play, journal)?;
        let mut notes = Notes::default();
        for (board, seats) in boards.iter().enumerate() {
            desk.go_to(board);
            let here = self.play_board(&mut desk, seats, fixture, notes.conduct.len(), terms)?;
            notes.conduct.extend(here.conduct);
            notes.overhead.extend(&here.overhead);
        }
        Ok(Played { play: desk.into_play(), notes })
    }

    /// Plays the board that the desk is at, whose chairs are those from `first` on.
    fn play_board(
        &self,
        desk: &mut Desk,
        seats: &[usize],
        fixture: &Fixture,
        first: usize,
        terms: &Terms,
    ) -> io::Result<Notes> {
        let mut notes = Notes::new(seats.len());
        let rules = Arc::clone(desk.game().rules());
        match self.entrants.contestants(&*rules, seats, fixture.number, first, fixture.player_seed) {
            Ok(mut contestants) => referee::play(desk, &mut contestants, terms, &mut notes)?,
            Err((seat, detail)) => {
                referee::forfeit(desk, seat, Fault::Setup, detail, terms, &mut notes)?;
            }
        }
        Ok(notes)
    }
}
