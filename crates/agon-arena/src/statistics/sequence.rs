//! An interval that may be looked at after every observation.
//!
//! An ordinary 95% interval holds if one looks at it once. Somebody who looks after every game and stops when it is clear will find
//! it wrong far more often. A confidence sequence covers the mean at all times together with the promised probability, so stopping
//! by it keeps the error rate. This is the hedged capital process of Waudby-Smith and Ramdas, "Estimating means of bounded random
//! variables by betting" (2023), theorem 3: for every possible mean somebody bets that the true one is larger and somebody else that
//! it is smaller, each with half of the money. If the mean is what they bet against, their capital hardly ever grows much, so a mean at
//! which it has grown beyond 1 / alpha is ruled out. It adapts to the variance, and all it needs is values between 0 and 1.

use std::cmp::Ordering;

/// Possible means are told apart to this many parts of 1.
const PARTS: usize = 500;
/// The largest part of one's capital that may be lost at once.
const MAX_STAKE: f64 = 0.75;

/// A confidence sequence for the mean of observations between 0 and 1, such as the scores of games or pairs of games.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfidenceSequence {
    /// The capital at which a mean is ruled out.
    enough: f64,
    /// ln(2 / alpha).
    log_odds: f64,
    count: f64,
    /// Sums over all observations so far: of values, and of squared deviations.
    values: f64,
    squares: f64,
    /// The capital of those who bet that the mean is larger and smaller than each possible one.
    capital: Vec<[f64; 2]>,
    /// The first and the last possible mean that have not been ruled out; in the rarest cases all have been.
    first: usize,
    last: usize,
}

impl ConfidenceSequence {
    /// A sequence that is ever wrong with probability `alpha` at most; `alpha` lies between 0 and 1. For several sequences that
    /// together may be wrong with that probability, divide it by their number.
    pub fn new(alpha: f64) -> Self {
        Self {
            enough: 2.0 / alpha,
            log_odds: (2.0 / alpha).ln(),
            count: 0.0,
            values: 0.0,
            squares: 0.0,
            capital: vec![[1.0; 2]; PARTS + 1],
            first: 0,
            last: PARTS,
        }
    }

    /// Takes an observation between 0 and 1 into account.
    pub fn push(&mut self, value: f64) {
        self.push_block(&[value]);
    }

    /// Takes a block into account: an observation from each of several sources, the same ones in every block, whose means may differ.
    /// Then the sequence is for the mean of their means.
    ///
    /// Within a block the observations must be independent of each other. One stake, fixed before the block, is bet on each of them. If
    /// sources have the means m₁ … mₙ, a capital that bets the part λ against m is expected to grow by the product of 1 + λ (mᵢ - m), which
    /// by the inequality of arithmetic and geometric means is at most 1 if m is the mean of them all: so the sequence holds. It is as narrow
    /// as if all observations came from one source, where one that takes the mean of each block could bet only once a block.
    pub fn push_block(&mut self, values: &[f64]) {
        // Variance and bets may depend on earlier blocks only. A half and a quarter stand in before the first.
        let variance = (0.25 + self.squares) / (self.count + 1.0);
        let after = self.count + values.len() as f64;
        let bet = (2.0 * self.log_odds / (variance * after * (1.0 + after).ln())).sqrt();
        for value in values {
            self.pay(value.clamp(0.0, 1.0), bet);
        }
        let is_out = |[larger, smaller]: [f64; 2]| larger.max(smaller) >= self.enough;
        while self.first < self.last && is_out(self.capital[self.first]) {
            self.first += 1;
        }
        while self.last > self.first && is_out(self.capital[self.last]) {
            self.last -= 1;
        }
    }

    /// Pays out what was bet on an observation.
    fn pay(&mut self, value: f64, bet: f64) {
        self.count += 1.0;
        self.values += value;
        let mean = (0.5 + self.values) / (self.count + 1.0);
        self.squares += (value - mean).powi(2);
        for index in self.first..=self.last {
            let mean = index as f64 / PARTS as f64;
            let [larger, smaller] = &mut self.capital[index];
            *larger *= 1.0 + bet.min(MAX_STAKE / mean) * (value - mean);
            *smaller *= 1.0 - bet.min(MAX_STAKE / (1.0 - mean)) * (value - mean);
        }
    }

    /// The interval so far. With a probability of `alpha` it is wrong.
    pub fn interval(&self) -> (f64, f64) {
        let at = |index: usize| index as f64 / PARTS as f64;
        (at(self.first.saturating_sub(1)), at((self.last + 1).min(PARTS)))
    }

    /// Whether the mean is known to differ from `value`, and on which side it lies.
    pub fn side_of(&self, value: f64) -> Option<Ordering> {
        let (low, high) = self.interval();
        if low > value {
            Some(Ordering::Greater)
        } else if high < value {
            Some(Ordering::Less)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
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
        let wrong = (0..400).filter(|seed| decided(0.5, 300, 0.05, *seed).is_some()).count();
        assert!(wrong <= 20, "{wrong} of 400");
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
        assert!(games[50] < 130, "{} games", games[50]);
    }

    #[test]
    fn a_side_that_wins_everything_is_better_after_a_few_pairs() {
        // Bets on a larger mean than a half win as much as they could have lost, at most 0.75 of the capital: it reaches 2 / 0.05 = 40
        // when 1.75^n does, after 7 pairs.
        let mut sequence = ConfidenceSequence::new(0.05);
        let pairs = (1..).find(|_| {
            sequence.push(1.0);
            sequence.side_of(0.5).is_some()
        });
        assert_eq!(pairs, Some(7));
        assert_eq!(sequence.side_of(0.5), Some(Ordering::Greater));
        assert_eq!(sequence.interval().1, 1.0);
    }

    /// Blocks of a study of so many circumstances, in each of which a setting has a score of its own: whether its mean score was ever
    /// ruled out, and after how many blocks a half was.
    fn blocks(scores: &[f64], blocks: usize, by_block: bool, seed: u64) -> (bool, Option<usize>) {
        let mut rng = seeded(seed);
        let mut sequence = ConfidenceSequence::new(0.05);
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let (mut is_wrong, mut decided) = (false, None);
        for block in 1..=blocks {
            let mut pair =
                |score: &f64| (0..2).map(|_| if unit(&mut rng) < *score { 0.5 } else { 0.0 }).sum();
            let values: Vec<f64> = scores.iter().map(&mut pair).collect();
            if by_block {
                sequence.push_block(&values);
            } else {
                sequence.push(values.iter().sum::<f64>() / values.len() as f64);
            }
            is_wrong |= sequence.side_of(mean).is_some();
            decided = decided.or(sequence.side_of(0.5).map(|_| block));
        }
        (is_wrong, decided)
    }

    #[test]
    fn the_mean_of_different_circumstances_is_hardly_ever_ruled_out() {
        for (case, scores) in
            [vec![0.5; 6], vec![0.95, 0.05], vec![0.9, 0.9, 0.1, 0.1], vec![0.2, 0.5, 0.8, 0.8]]
                .iter()
                .enumerate()
        {
            let seeds = (0..200).map(|seed| 10_000 * case as u64 + seed);
            let wrong = seeds.filter(|seed| blocks(scores, 60, true, *seed).0).count();
            assert!(wrong <= 10, "{scores:?}: {wrong} of 200");
        }
    }

    #[test]
    fn betting_on_every_pair_of_a_block_shows_smaller_differences_than_betting_on_their_mean() {
        let scores = [0.3, 0.35, 0.4, 0.4, 0.45, 0.45];
        let shown =
            |by_block: bool| (0..200).filter(|seed| blocks(&scores, 25, by_block, *seed).1.is_some()).count();
        let (each, mean) = (shown(true), shown(false));
        assert!(each > 100 && each > mean + 25, "{each} and {mean} of 200");
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
