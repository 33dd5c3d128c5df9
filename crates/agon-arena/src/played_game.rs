//! A game between entrants, from its opening to its record.

use std::sync::Arc;

use agon_core::Standing;
use agon_core::random::seeded;
use agon_registry::{Rules, Session};

use crate::entrants::Entrants;
use crate::openings::opening;
use crate::record::{Record, RecordResult};
use crate::referee::{self, Conduct, Ending, Terms};
use crate::schedule::Side;

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
    pub seats: Vec<Side>,
    /// How it ended.
    pub ending: Ending,
    /// Who has the first place, or shares it; nobody in a game that did not end by its rules.
    pub first_place: Vec<Side>,
    /// How far the only player came, in games of one.
    pub standing: Option<Standing>,
    /// The game written down.
    pub record: Record,
}

impl Entrants<'_> {
    /// Plays one game of `variant`, the sides seated as `seats` says; what they do is added to `conduct`.
    pub(crate) fn play_game(
        &self,
        variant: &Variant,
        seats: Vec<Side>,
        seeds: Seeds,
        terms: &Terms,
        conduct: &mut [Conduct; 2],
    ) -> PlayedGame {
        let Variant { rules, opening_plies } = variant;
        let mut session = rules.start();
        for token in opening(&**rules, *opening_plies, seeds.luck) {
            let played = session.play(&token);
            debug_assert!(played.is_ok(), "an opening is legal");
        }
        let mut by_seat = vec![Conduct::default(); seats.len()];
        let ending = self.contestants(&**rules, &seats, seeds.players).and_then(|mut contestants| {
            referee::prepare(&*session, &mut contestants, terms)?;
            let mut chance = seeded(seeds.luck);
            let ending = referee::play(&mut *session, &mut contestants, &mut chance, terms, &mut by_seat);
            referee::conclude(&*session, &mut contestants);
            Ok(ending)
        });
        let ending = ending.unwrap_or_else(|(seat, fault)| {
            by_seat[seat.index()].illegal += 1;
            Ending::Forfeit(seat, fault)
        });
        for (side, seen) in seats.iter().zip(&by_seat) {
            conduct[side.index()].add(seen);
        }
        let record = self.record(&**rules, &*session, &seats, &ending, seeds.luck);
        let ranking = session.ranking();
        let first_place = ranking.first().into_iter().flatten().map(|player| seats[player.index()]).collect();
        PlayedGame { first_place, standing: session.standing(), seats, ending, record }
    }

    fn record(
        &self,
        rules: &dyn Rules,
        session: &dyn Session,
        seats: &[Side],
        ending: &Ending,
        luck: u64,
    ) -> Record {
        let mut record = Record::of_session(rules, session);
        record.players = seats.iter().map(|side| self.entrants[side.index()].name.clone()).collect();
        record.seed = Some(luck);
        if let Ending::Forfeit(player, fault) = ending {
            let seat = rules.seats().swap_remove(player.index());
            record.result = Some(RecordResult::Forfeit { seat, reason: fault.reason.to_owned() });
            record.extra.push(("x-fault".to_owned(), fault.detail.clone()));
        }
        record
    }
}
