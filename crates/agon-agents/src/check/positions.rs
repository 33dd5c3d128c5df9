//! Positions that agents stumble over, found by playing at random: whoever adds a game need not list them.

use agon_core::random::{RandomSource, below, mix, seeded};
use agon_core::{Player, Rng, Turn};
use agon_erased::{Rules, Session};

/// The most random games that are looked through.
const GAMES: u64 = 40;
/// The most plies of each.
const MAX_PLIES: usize = 1000;

/// Where an agent is put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TestPosition {
    /// What is special about it.
    pub(super) what: &'static str,
    pub(super) position: String,
    pub(super) seat: Player,
}

/// The special positions of a game.
pub(super) fn places(rules: &dyn Rules, seed: u64) -> Vec<TestPosition> {
    let mut pass = None;
    let mut last = None;
    let mut fewest: Option<(usize, TestPosition)> = None;
    let mut most: Option<(usize, TestPosition)> = None;
    for game in 0..GAMES {
        let mut session = rules.start();
        let mut random = seeded(mix(seed, game));
        let mut before = None;
        while session.outcome().is_none() && session.len() < MAX_PLIES {
            if let Turn::Player(seat) = session.turn() {
                let legal = session.legal();
                let place = |what| TestPosition { what, position: session.position(), seat };
                if legal == ["pass"] {
                    pass.get_or_insert_with(|| place("has to pass"));
                } else if fewest.as_ref().is_none_or(|(count, _)| legal.len() < *count) {
                    fewest = Some((legal.len(), place("has hardly any moves")));
                }
                if most.as_ref().is_none_or(|(count, _)| legal.len() > *count) {
                    most = Some((legal.len(), place("has very many moves")));
                }
                before = Some(place("makes the last move of a game"));
            }
            step(&mut *session, &mut random);
        }
        if session.outcome().is_some() {
            last = last.or(before);
        }
    }
    let counted = [fewest, most].into_iter().flatten().map(|(_, place)| place);
    pass.into_iter().chain(last).chain(counted).collect()
}

/// Plays any move, or lets chance act.
pub(super) fn step(session: &mut dyn Session, random: &mut Rng) {
    if session.draw(random.next_u64()).is_some() {
        return;
    }
    let legal = session.legal();
    if let Some(token) = legal.get(below(random, legal.len() as u64) as usize) {
        let played = session.play(token);
        debug_assert!(played.is_ok(), "a legal move can be played");
    }
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES as ALL;

    use super::*;

    #[test]
    fn every_game_has_its_special_positions() {
        for entry in ALL {
            let rules = entry.rules("").expect("the defaults hold");
            let found = places(&*rules, 1);
            assert!(found.iter().any(|place| place.what.contains("last move")), "{}", entry.spec.id);
            for place in found {
                let session = rules.start_from(&place.position).expect("it was reached");
                assert_eq!(session.turn(), Turn::Player(place.seat), "{place:?}");
                assert!(session.outcome().is_none(), "{place:?}");
            }
        }
        let othello = ALL.iter().find(|entry| entry.spec.id == "othello").expect("a game of passes");
        let places = places(&*othello.rules("").expect("the defaults hold"), 1);
        assert!(places.iter().any(|place| place.what == "has to pass"));
    }
}
