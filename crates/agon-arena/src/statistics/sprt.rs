//! A test that ends as soon as enough games have been played.

use super::expected;
use super::tally::Tally;

/// A sequential probability ratio test of two hypotheses about the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference under the null hypothesis.
    pub elo0: f64,
    /// The difference under the alternative, a larger one.
    pub elo1: f64,
    /// The chance to accept the alternative though the null hypothesis holds.
    pub alpha: f64,
    /// The chance to accept the null hypothesis though the alternative holds.
    pub beta: f64,
}

/// What a [`Sprt`] has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The null hypothesis holds: the difference is nearer to `elo0`.
    Null,
    /// The alternative holds: the difference is nearer to `elo1`.
    Alternative,
}

impl Sprt {
    /// The log-likelihood ratio of the two hypotheses.
    pub fn log_likelihood_ratio(&self, tally: &Tally) -> f64 {
        let Some((pairs, mean, variance)) = tally.pair_moments() else { return 0.0 };
        let (score0, score1) = (expected(self.elo0), expected(self.elo1));
        pairs * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
    }

    /// The ratios at which the test ends: below the first the null hypothesis holds, above the second the alternative.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the test has come to; `None` while it goes on.
    pub fn decision(&self, tally: &Tally) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        match self.log_likelihood_ratio(tally) {
            ratio if ratio <= lower => Some(Decision::Null),
            ratio if ratio >= upper => Some(Decision::Alternative),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_core::random::{seeded, unit};

    use super::super::tally::Score;
    use super::*;

    fn close(one: f64, other: f64, tolerance: f64) {
        assert!((one - other).abs() < tolerance, "{one} is not {other}");
    }

    #[test]
    fn the_sequential_test_decides_for_the_nearer_hypothesis() {
        let test = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        close(test.bounds().0, -2.944, 1e-3);
        close(test.bounds().1, 2.944, 1e-3);
        assert_eq!(test.decision(&Tally::default()), None);
        let with = |pairs| test.decision(&Tally { pairs, ..Tally::default() });
        assert_eq!(with([10, 10, 30, 20, 40]), Some(Decision::Alternative));
        assert_eq!(with([40, 20, 30, 10, 10]), Some(Decision::Null));
        assert_eq!(with([60, 20, 140, 20, 60]), Some(Decision::Null), "even is nearer to 0 than to 50");
        // One good pair is not enough, however little it varies.
        assert_eq!(with([0, 0, 0, 1, 0]), None);
        assert_eq!(with([0, 0, 0, 0, 1]), None);
    }

    #[test]
    fn ratios_are_as_published() {
        // Tests of Stockfish in the time when their bounds were in logistic Elo (pull requests 2951, 2920, 2971, 3098 and 3331): bounds,
        // pairs, and the ratio that Fishtest printed.
        for (elo0, elo1, pairs, published) in [
            (-0.5, 1.5, [59, 754, 2467, 865, 75], 2.95),
            (0.25, 1.75, [33, 1185, 8378, 1302, 50], 2.95),
            (-0.5, 1.5, [665, 4806, 9333, 4893, 747], 2.95),
            (0.25, 1.75, [328, 4564, 15580, 4789, 371], 2.98),
            (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
            (0.25, 1.25, [53, 2220, 21459, 2445, 47], 2.97),
            (-0.25, 1.25, [115, 2196, 11328, 2317, 136], 2.94),
        ] {
            let test = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 };
            close(test.log_likelihood_ratio(&Tally { pairs, ..Tally::default() }), published, 0.05);
        }
    }

    #[test]
    fn errors_are_as_rare_as_promised() {
        // Games of two players who are exactly as strong as one of the hypotheses says.
        let test = Sprt { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 };
        let mut rng = seeded(16);
        let mut accepted = |elo: f64| {
            let accepts = |_: &u32| {
                let mut tally = Tally::default();
                loop {
                    for _ in 0..2 {
                        tally.push(if unit(&mut rng) < expected(elo) { Score::Win } else { Score::Loss });
                    }
                    if let Some(decision) = test.decision(&tally) {
                        return decision == Decision::Alternative;
                    }
                }
            };
            f64::from((0..1000).filter(accepts).count() as u32) / 1000.0
        };
        let (wrong, right) = (accepted(0.0), accepted(60.0));
        // Five in a hundred, and what chance and the normal approximation may add.
        assert!(wrong <= 0.07, "{wrong}");
        assert!(right >= 0.93, "{right}");
    }
}
