//! Openings, some of which are set aside.
//!
//! A position belongs to tuning or to the match by its own text: whatever seed is used, the match begins with positions that no game of
//! tuning began with.

use agon_arena::openings::{Opening, opening};
use agon_core::random::mix;
use agon_erased::Rules;

/// Who an opening is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Games that tuning learns from: three openings in four.
    Tuning,
    /// The match at the end.
    Match,
}

/// How many random openings are looked at for one that fits.
const TRIES: u64 = 200;

impl Part {
    /// Who may begin a game with the position of this text.
    pub fn of(position: &str) -> Self {
        let hash = position.bytes().fold(0x243f_6a88_85a3_08d3, |hash, byte| mix(hash, u64::from(byte)));
        if hash % 4 == 0 { Self::Match } else { Self::Tuning }
    }
}

/// A random opening of `plies` plies for one part, decided by `seed`; `None` if there seems to be none.
pub fn split_opening(rules: &dyn Rules, plies: usize, part: Part, seed: u64) -> Option<Opening> {
    (0..TRIES).find_map(|attempt| {
        let moves = opening(rules, plies, mix(seed, attempt));
        let session = rules.open(None, &moves).ok()?;
        (Part::of(&session.position()) == part).then_some(Opening { position: None, moves })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use agon_registry::GAMES;

    use super::*;

    #[test]
    fn tuning_and_match_never_begin_alike() {
        for entry in GAMES.iter().filter(|entry| entry.spec.id != "2048") {
            let rules = entry.rules("").expect("defaults");
            let plies = entry.opening_rounds * 2;
            // The same seeds for both, and a short opening, so that positions would coincide if they could.
            let positions = |part: Part| -> HashSet<String> {
                let openings = (0..60).filter_map(|seed| split_opening(&*rules, plies.min(3), part, seed));
                let position =
                    |opening: Opening| rules.open(None, &opening.moves).expect("legal moves").position();
                openings.map(position).collect()
            };
            let (tuning, set_aside) = (positions(Part::Tuning), positions(Part::Match));
            assert!(tuning.len() > 5 && set_aside.len() > 2, "{}", entry.spec.id);
            assert!(tuning.is_disjoint(&set_aside), "{}", entry.spec.id);
        }
    }

    #[test]
    fn without_random_plies_one_part_has_no_opening() {
        let rules = GAMES.iter().next().expect("a game").rules("").expect("defaults");
        let found = [Part::Tuning, Part::Match].map(|part| split_opening(&*rules, 0, part, 1).is_some());
        assert_eq!(found.iter().filter(|is_found| **is_found).count(), 1);
    }
}
