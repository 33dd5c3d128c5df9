//! A game between entrants, from its opening to its record.

use std::sync::Arc;

use agon_core::Standing;
use agon_match::{Abort, End, Fault, Match, Setup, StartError};
use agon_records::Record;
use agon_registry::Rules;

use crate::entrants::Entrants;
use crate::openings::opening;
use crate::referee::{self, Conduct, Terms};
use crate::schedule::Contender;

/// A game by some rules from random openings.
#[derive(Clone)]
pub struct Variant {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// How many random plies open a game.
    pub opening_plies: usize,
}

/// What decides the randomness of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seeds {
    /// For its opening and its draws.
    pub(crate) luck: u64,
    /// For its players.
    pub(crate) players: u64,
}

/// A game as it was played.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Who had which seat.
    pub seats: Vec<Contender>,
    /// How it ended.
    pub end: End,
    /// Who has the first place, or shares it; nobody in a game without a result.
    pub first_place: Vec<Contender>,
    /// How far the only player came, in games of one.
    pub standing: Option<Standing>,
    /// The game written down.
    pub record: Record,
}

impl Entrants<'_> {
    /// Plays one game of `variant`, the sides seated as `seats` says; what they do is added to `conduct`.
    ///
    /// # Errors
    /// If the game cannot be set up.
    pub(crate) fn play_game(
        &self,
        variant: &Variant,
        seats: Vec<Contender>,
        seeds: Seeds,
        terms: &Terms,
        conduct: &mut [Conduct; 2],
    ) -> Result<PlayedGame, StartError> {
        let Variant { rules, opening_plies } = variant;
        let seated = || seats.iter().map(|side| &self.entrants[side.index()]);
        let setup = Setup {
            moves: opening(&**rules, *opening_plies, seeds.luck).into_iter().map(Into::into).collect(),
            seats: seated().map(|entrant| entrant.seat.clone()).collect(),
            policy: referee::policy(seated().map(|entrant| entrant.control).collect()),
            ..Setup::default()
        };
        let mut game = Match::start(Arc::clone(rules), setup, seeds.luck, terms.now())?;
        let mut by_seat = vec![Conduct::default(); seats.len()];
        match self.contestants(&**rules, &seats, seeds.players) {
            Ok(mut contestants) => referee::play(&mut game, &mut contestants, terms, &mut by_seat),
            Err((seat, detail)) => {
                referee::forfeit(&mut game, seat, Fault::Setup, detail, terms, &mut by_seat);
            }
        }
        for (side, seen) in seats.iter().zip(&by_seat) {
            conduct[side.index()].add(seen);
        }
        let first_place =
            game.ranking().first().into_iter().flatten().map(|seat| seats[seat.index()]).collect();
        let (standing, record) = (game.standing(), Record::of(&game));
        let end = game.end().cloned().unwrap_or(End::Aborted { reason: Abort::Void });
        Ok(PlayedGame { seats, end, first_place, standing, record })
    }
}
