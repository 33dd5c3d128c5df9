//! How far a shallow search is off a deeper one: what ProbCut has to know.
//!
//! Positions are searched to every depth without selection, and solved where few squares are empty. The differences between
//! depths are taken to be normal around zero, with a standard deviation whose logarithm is linear in the number of empty squares and in
//! both depths; its four coefficients are those that make the differences most likely, found by Fisher's scoring.

use agon_othello::expertise::solver::{Effort, Solver};
use agon_othello::expertise::weights::Weights;
use agon_othello::{Othello, Position};

/// How much two searches of one position differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Empty squares of the position.
    pub empties: u32,
    /// The depth of the deeper search; the number of empty squares if the position was solved.
    pub depth: u32,
    /// The depth of the shallower search.
    pub shallow: u32,
    /// The deeper score less the shallower one, in discs.
    pub discs: i32,
}

/// Searches positions to find [`Difference`]s.
#[derive(Debug)]
pub struct Comparison {
    solver: Solver,
    deepest: u32,
    solve_from: u32,
}

/// The size of the solver's table, in megabytes.
const TABLE: usize = 16;

impl Comparison {
    /// Searches to `deepest`, and to the end from `solve_from` empty squares on.
    pub fn new(deepest: u32, solve_from: u32) -> Self {
        let solver = Solver::with_weights(&Othello::new(8), TABLE, Some(Weights::builtin()));
        Self { solver, deepest, solve_from }
    }

    /// Compares the searches of `position`, each with all that are shallower and of the same parity, and its solution with all.
    pub fn compare(&mut self, position: &Position<u64>) -> Vec<Difference> {
        let empties = 64 - (position.own | position.opponent).count_ones();
        // A search that sees the end of the game no longer errs as one that does not.
        let deepest = self.deepest.min(empties.saturating_sub(1));
        let scores: Vec<i32> = (1..=deepest)
            .filter_map(|depth| self.solver.outlook(position, depth, false, &mut |_| false))
            .map(|outlook| outlook.score)
            .collect();
        let mut differences = Vec::new();
        let mut pair = |depth: u32, score: i32, shallow: u32| {
            let discs = score - scores[shallow as usize - 1];
            differences.push(Difference { empties, depth, shallow, discs });
        };
        for depth in 3..=deepest {
            let score = scores[depth as usize - 1];
            (1..=depth - 2)
                .filter(|shallow| shallow % 2 == depth % 2)
                .for_each(|shallow| pair(depth, score, shallow));
        }
        if empties <= self.solve_from
            && let Some(solution) = self.solver.solve(position, Effort::Score, &mut |_| false)
        {
            (1..=deepest).for_each(|shallow| pair(empties, solution.score, shallow));
        }
        differences
    }
}

/// The coefficients of the logarithm of the standard deviation: a constant, that of the empty squares, of the deeper search and of the
/// shallower one.
pub type Coefficients = [f64; 4];

/// The coefficients that make `differences` most likely; `None` if there are too few of them to tell.
pub fn fit_deviation(differences: &[Difference]) -> Option<Coefficients> {
    let mut coefficients = [1.0, 0.0, 0.0, 0.0];
    for _ in 0..100 {
        let (mut gradient, mut information) = ([0.0; 4], [[0.0; 4]; 4]);
        for difference in differences {
            let inputs = inputs(difference);
            let deviation = deviation(&coefficients, difference);
            let surprise = (f64::from(difference.discs) / deviation).powi(2) - 1.0;
            for (row, input) in inputs.iter().enumerate() {
                gradient[row] += input * surprise;
                for (column, other) in inputs.iter().enumerate() {
                    information[row][column] += 2.0 * input * other;
                }
            }
        }
        let step = solve(information, gradient)?;
        for (coefficient, step) in coefficients.iter_mut().zip(step) {
            *coefficient += step;
        }
        if step.iter().all(|step| step.abs() < 1e-9) {
            return Some(coefficients);
        }
    }
    None
}

fn inputs(difference: &Difference) -> [f64; 4] {
    [1.0, f64::from(difference.empties), f64::from(difference.depth), f64::from(difference.shallow)]
}

/// The standard deviation, in discs, that `coefficients` foretell for searches like those of `difference`.
pub fn deviation(coefficients: &Coefficients, difference: &Difference) -> f64 {
    coefficients
        .iter()
        .zip(inputs(difference))
        .map(|(coefficient, input)| coefficient * input)
        .sum::<f64>()
        .exp()
}

/// Solves four linear equations by elimination; `None` if they do not determine the unknowns.
fn solve(mut rows: [[f64; 4]; 4], mut right: [f64; 4]) -> Option<[f64; 4]> {
    for pivot in 0..4 {
        let best =
            (pivot..4).max_by(|&one, &other| rows[one][pivot].abs().total_cmp(&rows[other][pivot].abs()))?;
        rows.swap(pivot, best);
        right.swap(pivot, best);
        let lead = rows[pivot];
        if lead[pivot].abs() < 1e-9 {
            return None;
        }
        for row in (0..4).filter(|row| *row != pivot) {
            let factor = rows[row][pivot] / lead[pivot];
            for (value, lead) in rows[row].iter_mut().zip(lead) {
                *value -= factor * lead;
            }
            right[row] -= factor * right[pivot];
        }
    }
    Some(std::array::from_fn(|row| right[row] / rows[row][row]))
}

#[cfg(test)]
mod tests {
    use agon_core::Game;
    use agon_core::random::{seeded, unit};

    use super::*;

    #[test]
    fn the_coefficients_behind_differences_are_found_again() {
        let truth = [1.5, -0.01, 0.06, -0.09];
        let mut rng = seeded(1);
        let mut differences = Vec::new();
        for _ in 0..4_000 {
            for (depth, shallow) in [(3, 1), (6, 2), (8, 4), (9, 5), (12, 6), (12, 2)] {
                let empties = 10 + (40.0 * unit(&mut rng)) as u32;
                let mut difference = Difference { empties, depth, shallow, discs: 0 };
                // The sum of twelve even numbers is normal enough.
                let normal = (0..12).map(|_| unit(&mut rng)).sum::<f64>() - 6.0;
                difference.discs = (normal * deviation(&truth, &difference)).round() as i32;
                differences.push(difference);
            }
        }
        let found = fit_deviation(&differences).expect("enough of them");
        for difference in &differences {
            let ratio = deviation(&found, difference) / deviation(&truth, difference);
            assert!((0.94..1.06).contains(&ratio), "{found:?}");
        }
        assert_eq!(fit_deviation(&[]), None);
        assert_eq!(fit_deviation(&differences[..1]), None);
    }

    #[test]
    fn searches_are_compared_with_shallower_ones_and_with_the_end() {
        let game = Othello::<u64>::new(8);
        let mut rng = seeded(2);
        let mut position = game.start();
        while 64 - (position.own | position.opponent).count_ones() > 10 {
            let mv = game.random_move(&position, &mut rng).expect("not over yet");
            game.play_unchecked(&mut position, mv);
        }
        let differences = Comparison::new(6, 10).compare(&position);
        let pairs: Vec<_> = differences.iter().map(|found| (found.depth, found.shallow)).collect();
        let expected = [(3, 1), (4, 2), (5, 1), (5, 3), (6, 2), (6, 4)];
        assert_eq!(pairs[..6], expected);
        assert_eq!(pairs[6..], [(10, 1), (10, 2), (10, 3), (10, 4), (10, 5), (10, 6)]);
        assert_eq!(Comparison::new(6, 9).compare(&position).len(), 6);
    }
}
