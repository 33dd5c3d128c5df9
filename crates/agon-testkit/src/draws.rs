//! Whether random moves are drawn evenly.

use std::collections::HashMap;

use agon_core::{Game, Rng};

/// Draws `mean` times as many moves as there are, and checks that each comes as often as any other,
/// within five standard deviations.
///
/// # Panics
/// If a move that is not listed is drawn, one that is listed never is, or one comes too often or too
/// seldom.
pub fn random_moves_are_even<G: Game>(game: &G, position: &G::Position, mean: u32, rng: &mut Rng) {
    let mut counts = HashMap::new();
    game.for_each_move(position, |mv| _ = counts.insert(mv, 0_u32));
    for _ in 0..mean as usize * counts.len() {
        let mv = game.random_move(position, rng).expect("there are moves");
        *counts.get_mut(&mv).unwrap_or_else(|| panic!("{mv:?} is drawn and not listed")) += 1;
    }
    let mean = f64::from(mean);
    let deviation = (mean * (1.0 - 1.0 / counts.len() as f64)).sqrt();
    for (mv, count) in counts {
        let surprise = (f64::from(count) - mean).abs();
        assert!(surprise <= 5.0 * deviation, "{mv:?} is drawn {count} times instead of {mean}");
    }
}
