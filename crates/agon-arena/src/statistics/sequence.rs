//! An interval that may be looked at after every observation.
//!
//! An ordinary 95% interval holds if one looks at it once. Somebody who looks after every game and stops when it is clear will find
//! it wrong far more often. A confidence sequence covers the mean at all times together with the promised probability, so stopping
//! by it keeps the error rate. This is the empirical-Bernstein sequence of Waudby-Smith and Ramdas, "Estimating means of bounded
//! random variables by betting" (2023), theorem 2: it adapts to the variance and needs no more than values between 0 and 1.

/// A confidence sequence for the mean of observations between 0 and 1, such as the scores of games or pairs of games.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfidenceSequence {
    /// ln(2 / alpha).
    log_odds: f64,
    count: f64,
    /// Sums over all observations so far: of values, of squared deviations, of weights, of weighted values, and of the bound on
    /// their spread.
    values: f64,
    squares: f64,
    weights: f64,
    weighted: f64,
    spread: f64,
    /// The intersection of all intervals so far.
    interval: (f64, f64),
}

impl ConfidenceSequence {
    /// A sequence that is ever wrong with probability `alpha` at most; `alpha` lies between 0 and 1. For several sequences that
    /// together may be wrong with that probability, divide it by their number.
    pub fn new(alpha: f64) -> Self {
        Self {
            log_odds: (2.0 / alpha).ln(),
            count: 0.0,
            values: 0.0,
            squares: 0.0,
            weights: 0.0,
            weighted: 0.0,
            spread: 0.0,
            interval: (0.0, 1.0),
        }
    }

    /// Takes an observation between 0 and 1 into account.
    pub fn push(&mut self, value: f64) {
        /// The largest weight; the theorem allows anything below 1.
        const MAX_WEIGHT: f64 = 0.5;
        let value = value.clamp(0.0, 1.0);
        // Mean, variance and weight may depend on earlier observations only. A half and a quarter stand in before the first.
        let mean = (0.5 + self.values) / (self.count + 1.0);
        let variance = (0.25 + self.squares) / (self.count + 1.0);
        self.count += 1.0;
        let weight =
            (2.0 * self.log_odds / (variance * self.count * (1.0 + self.count).ln())).sqrt().min(MAX_WEIGHT);
        self.weights += weight;
        self.weighted += weight * value;
        self.spread += (value - mean).powi(2) * (-(1.0 - weight).ln() - weight);
        self.values += value;
        let mean_now = (0.5 + self.values) / (self.count + 1.0);
        self.squares += (value - mean_now).powi(2);
        let centre = self.weighted / self.weights;
        let reach = (self.log_odds + self.spread) / self.weights;
        self.interval = (self.interval.0.max(centre - reach), self.interval.1.min(centre + reach));
    }

    /// The interval so far. With a probability of `alpha` it is wrong, and in the rarest cases empty.
    pub fn interval(&self) -> (f64, f64) {
        self.interval
    }

    /// Whether the mean is known to differ from `value`, and on which side it lies.
    pub fn side_of(&self, value: f64) -> Option<std::cmp::Ordering> {
        let (low, high) = self.interval;
        if low > value {
            Some(std::cmp::Ordering::Greater)
        } else if high < value {
            Some(std::cmp::Ordering::Less)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use agon_core::random::{seeded, unit};

    use super::*;

    /// The observations after which a sequence of pairs of games is clear of a half; `None` if it never is.
    fn decided(score: f64, pairs: usize, alpha: f64, seed: u64) -> Option<(usize, Ordering)> {
        let mut rng = seeded(seed);
        let mut sequence = ConfidenceSequence::new(alpha);
        (1..=pairs).find_map(|pair| {
            let mut game = || if unit(&mut rng) < score { 0.5 } else { 0.0 };
            sequence.push(game() + game());
            Some((pair, sequence.side_of(0.5)?))
        })
    }

    #[test]
    fn equal_players_are_hardly_ever_told_apart_however_often_one_looks() {
        let wrong = (0..1000).filter(|seed| decided(0.5, 500, 0.05, *seed).is_some()).count();
        assert!(wrong <= 50, "{wrong} of 1000");
        // Ten comparisons that share the error rate: a study with any false claim is counted.
        let study = |study: &u64| {
            (0..10).any(|setting| decided(0.5, 100, 0.005, 7000 + 10 * study + setting).is_some())
        };
        let wrong = (0..200).filter(study).count();
        assert!(wrong <= 10, "{wrong} of 200 studies");
    }

    #[test]
    fn different_players_are_told_apart_in_good_time() {
        let mut games: Vec<usize> = (0..101)
            .map(|seed| {
                let (pairs, side) = decided(0.7, 1000, 0.05, seed).expect("70% is clear within 1000 pairs");
                assert_eq!(side, Ordering::Greater);
                2 * pairs
            })
            .collect();
        games.sort_unstable();
        assert!(games[50] < 200, "{} games", games[50]);
    }

    #[test]
    fn intervals_hold_the_mean_and_shrink() {
        let mut sequence = ConfidenceSequence::new(0.05);
        assert_eq!(sequence.interval(), (0.0, 1.0));
        let mut rng = seeded(3);
        let mut width = 1.0;
        for index in 0..4000 {
            sequence.push(unit(&mut rng));
            let (low, high) = sequence.interval();
            assert!(low < 0.5 && 0.5 < high, "{low} {high}");
            assert!(high - low <= width);
            width = high - low;
            if index == 999 {
                assert!(width < 0.1, "{width}");
            }
        }
        // The width goes with the root of the number; the ordinary interval has 0.018.
        assert!(width < 0.045, "{width}");
    }
}
