//! Logistic regression: the weights by which an evaluation predicts results best.
//!
//! A position that the evaluation calls `e` is expected to score σ(e / K) for the side to move. K is fitted to the present weights first
//! and then stays as it is, so that a lead means the same chance of winning before and after, and the margins and windows of searches keep
//! their meaning. The weights then minimise the mean log loss plus a penalty for leaving the present weights: a weight about which the
//! games say nothing stays where it is.

use agon_arena::statistics::Cholesky;

/// A position and how its game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What the evaluation says with all weights at zero, for the side to move.
    pub constant: f64,
    /// How much there is of each weight: the evaluation's derivative by it.
    pub amounts: Vec<f64>,
    /// What the evaluation says with the present weights.
    pub opinion: f64,
    /// How the game ended for the side to move: 0, ½ or 1.
    pub label: f64,
}

/// How to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem<'a> {
    /// The weights as they are.
    pub present: &'a [f64],
    /// Which weights may change.
    pub is_free: &'a [bool],
    /// Whether weights are whole numbers.
    pub is_whole: &'a [bool],
    /// The largest size of a weight.
    pub most: f64,
    /// How strongly weights are held to the present ones, relative to the mean loss.
    pub ridge: f64,
    /// A first guess of K.
    pub scale: f64,
}

/// The state after a step of the fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The mean log loss on the positions that are fitted.
    pub train: f64,
    /// The mean log loss on the positions that were held out.
    pub held_out: f64,
}

/// What a fit has come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// K: the lead by which the odds grow e-fold.
    pub scale: f64,
    /// The weights, rounded.
    pub weights: Vec<f64>,
    /// How it got there; the first step is the beginning.
    pub steps: Vec<Step>,
}

/// How good predictions are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The mean log loss; a draw counts as half a win and half a loss.
    pub loss: f64,
    /// The share of decided games in which the side that was thought to be ahead won.
    pub accuracy: f64,
}

const MAX_STEPS: usize = 40;
/// A fit ends when a step gains less than this.
const ENOUGH: f64 = 1e-10;
/// A whole number is coarse if a change of one changes the logit by more than this, on average: such weights are rounded first, and the others
/// are fitted again.
const COARSE: f64 = 0.05;
/// Weights that are not whole numbers have so many steps per unit.
const FINENESS: f64 = 100.0;

impl Sample {
    fn value(&self, weights: &[f64]) -> f64 {
        self.constant + self.amounts.iter().zip(weights).map(|(amount, weight)| amount * weight).sum::<f64>()
    }
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The log loss of one prediction, without overflow for any logit.
fn loss(logit: f64, label: f64) -> f64 {
    let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
    softplus - label * logit
}

fn mean_loss(samples: &[Sample], value: impl Fn(&Sample) -> f64, scale: f64) -> f64 {
    let sum: f64 = samples.iter().map(|sample| loss(value(sample) / scale, sample.label)).sum();
    sum / samples.len().max(1) as f64
}

/// How well the present evaluation (`None`) or one with other weights predicts.
pub fn quality(samples: &[Sample], weights: Option<&[f64]>, scale: f64) -> Quality {
    let value = |sample: &Sample| weights.map_or(sample.opinion, |weights| sample.value(weights));
    let decided: Vec<&Sample> = samples.iter().filter(|sample| sample.label != 0.5).collect();
    let right = decided.iter().filter(|sample| (value(sample) > 0.0) == (sample.label > 0.5)).count();
    Quality { loss: mean_loss(samples, value, scale), accuracy: right as f64 / decided.len().max(1) as f64 }
}

/// The K with which the present evaluation predicts best, near a first guess: a search by golden section on a logarithmic scale.
fn best_scale(samples: &[Sample], guess: f64) -> f64 {
    let at = |log: f64| mean_loss(samples, |sample| sample.opinion, log.exp());
    let ratio = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (guess.ln() - 3.0, guess.ln() + 3.0);
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..40 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = at(right);
        }
    }
    f64::midpoint(low, high).exp()
}

/// Fits weights to `train`; `held_out` is only measured.
pub fn fit(problem: &Problem, train: &[Sample], held_out: &[Sample]) -> Fit {
    let scale = best_scale(train, problem.scale);
    let count = train.len().max(1) as f64;
    let places = 0..problem.present.len();
    let squares = |index: usize| train.iter().map(|sample| sample.amounts[index].powi(2)).sum::<f64>();
    let present = |index: usize| train.iter().filter(|sample| sample.amounts[index] != 0.0).count();
    let spread: Vec<f64> = places.clone().map(|index| (squares(index) / count).sqrt()).collect();
    let size: Vec<f64> = places.map(|index| (squares(index) / present(index).max(1) as f64).sqrt()).collect();
    let mut search =
        Search { problem, train, held_out, scale, spread: &spread, size: &size, steps: Vec::new() };
    let mut weights = problem.present.to_vec();
    let mut is_free: Vec<bool> =
        problem.is_free.iter().zip(&spread).map(|(is_free, spread)| *is_free && *spread > 0.0).collect();
    search.note(&weights);
    search.descend(&mut weights, &is_free);
    let round = |index: usize, weight: f64| {
        let fineness = if problem.is_whole[index] { 1.0 } else { FINENESS };
        // The sum does away with a negative zero.
        ((weight * fineness).round() / fineness).clamp(-problem.most, problem.most) + 0.0
    };
    let coarse: Vec<usize> = (0..weights.len())
        .filter(|&index| is_free[index] && problem.is_whole[index] && spread[index] / scale > COARSE)
        .collect();
    if !coarse.is_empty() {
        for index in coarse {
            weights[index] = round(index, weights[index]);
            is_free[index] = false;
        }
        search.descend(&mut weights, &is_free);
    }
    for index in (0..weights.len()).filter(|&index| is_free[index]) {
        weights[index] = round(index, weights[index]);
    }
    search.note(&weights);
    let steps = search.steps;
    Fit { scale, weights, steps }
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    train: &'a [Sample],
    held_out: &'a [Sample],
    scale: f64,
    /// The root of the mean square of each amount.
    spread: &'a [f64],
    /// The same over the positions in which there is any: what is rare is then held to its present weight the more firmly.
    size: &'a [f64],
    steps: Vec<Step>,
}

impl Search<'_> {
    fn note(&mut self, weights: &[f64]) {
        let loss = |samples| mean_loss(samples, |sample: &Sample| sample.value(weights), self.scale);
        let step = Step { train: loss(self.train), held_out: loss(self.held_out) };
        self.steps.push(step);
    }

    /// What is minimised: the mean loss and the penalty.
    fn cost(&self, weights: &[f64]) -> f64 {
        let penalty: f64 =
            (0..weights.len()).map(|index| (self.drift(weights, index) * self.size[index]).powi(2)).sum();
        mean_loss(self.train, |sample| sample.value(weights), self.scale) + self.problem.ridge / 2.0 * penalty
    }

    /// How far a weight is from the present one, in units of the logit.
    fn drift(&self, weights: &[f64], index: usize) -> f64 {
        (weights[index] - self.problem.present[index]) / self.scale
    }

    /// Newton's method on the weights that are free; a step that does not help is halved.
    fn descend(&mut self, weights: &mut Vec<f64>, is_free: &[bool]) {
        let free: Vec<usize> = (0..weights.len()).filter(|&index| is_free[index]).collect();
        let mut cost = self.cost(weights);
        for _ in 0..MAX_STEPS {
            let Some(direction) = self.newton(weights, &free) else { return };
            let next = (0..12).find_map(|halvings| {
                let mut next = weights.clone();
                for (&index, step) in free.iter().zip(&direction) {
                    next[index] -= step * 0.5_f64.powi(halvings);
                }
                let cost_there = self.cost(&next);
                (cost_there < cost).then_some((next, cost_there))
            });
            let Some((next, cost_there)) = next else { return };
            let gain = cost - cost_there;
            (*weights, cost) = (next, cost_there);
            self.note(weights);
            if gain < ENOUGH {
                return;
            }
        }
    }

    /// The step to take from `weights`, with its sign reversed; `None` if there is none.
    fn newton(&self, weights: &[f64], free: &[usize]) -> Option<Vec<f64>> {
        let size = free.len();
        let count = self.train.len().max(1) as f64;
        // In units in which every amount has a mean square of one, which keeps the matrix in good condition.
        let unit: Vec<f64> = free.iter().map(|&index| 1.0 / self.spread[index]).collect();
        let mut gradient = vec![0.0; size];
        let mut hessian = vec![0.0; size * size];
        let mut row = vec![0.0; size];
        for sample in self.train {
            let expected = sigmoid(sample.value(weights) / self.scale);
            let slope = (expected - sample.label) / count;
            let curvature = expected * (1.0 - expected) / count;
            for place in 0..size {
                row[place] = sample.amounts[free[place]] * unit[place];
                gradient[place] += slope * row[place];
            }
            for place in 0..size {
                let factor = curvature * row[place];
                for (cell, value) in hessian[place * size..][..=place].iter_mut().zip(&row) {
                    *cell += factor * value;
                }
            }
        }
        for (place, &index) in free.iter().enumerate() {
            let rarity = (self.size[index] / self.spread[index]).powi(2);
            gradient[place] += self.problem.ridge * rarity * self.drift(weights, index) * self.spread[index];
            hessian[place * size + place] += self.problem.ridge * rarity;
            for column in 0..place {
                hessian[column * size + place] = hessian[place * size + column];
            }
        }
        let step = Cholesky::new(&hessian, size)?.solve(&gradient);
        Some(step.iter().zip(&unit).map(|(step, unit)| step * unit * self.scale).collect())
    }
}

#[cfg(test)]
mod tests {
    use agon_core::random::{seeded, unit};

    use super::*;

    const TRUE: [f64; 4] = [300.0, -120.0, 40.0, 7.0];
    const SCALE: f64 = 200.0;

    /// Positions of made-up games in which the true weights decide the chances.
    fn samples(count: usize, seed: u64, present: &[f64]) -> Vec<Sample> {
        let mut rng = seeded(seed);
        (0..count)
            .map(|_| {
                // The last feature never occurs.
                let amounts: Vec<f64> = [1.0, 3.0, 5.0, 0.0]
                    .iter()
                    .map(|reach| (reach * (2.0 * unit(&mut rng) - 1.0)).round())
                    .collect();
                let value = |weights: &[f64]| amounts.iter().zip(weights).map(|(a, w)| a * w).sum::<f64>();
                let chance = sigmoid(value(&TRUE) / SCALE);
                let label = if unit(&mut rng) < chance { 1.0 } else { 0.0 };
                Sample { constant: 0.0, opinion: value(present), amounts, label }
            })
            .collect()
    }

    fn problem<'a>(present: &'a [f64], is_whole: &'a [bool], ridge: f64) -> Problem<'a> {
        Problem { present, is_free: &[true; 4], is_whole, most: 20_000.0, ridge, scale: 100.0 }
    }

    #[test]
    fn known_weights_are_recovered_up_to_scale_and_unseen_ones_stay() {
        let present = [250.0, -160.0, 70.0, 7.0];
        let (train, held_out) = (samples(40_000, 1, &present), samples(10_000, 2, &present));
        let fitted = fit(&problem(&present, &[true; 4], 1e-6), &train, &held_out);
        let factor = fitted.scale / SCALE;
        for (weight, real) in fitted.weights.iter().zip(TRUE).take(3) {
            assert!((weight / factor / real - 1.0).abs() < 0.06, "{fitted:?}");
            assert_eq!(weight.fract(), 0.0);
        }
        assert_eq!(fitted.weights[3], 7.0, "nothing was seen of it");
        let before = quality(&held_out, None, fitted.scale);
        let after = quality(&held_out, Some(&fitted.weights), fitted.scale);
        assert!(after.loss < before.loss && after.accuracy > before.accuracy, "{before:?} {after:?}");
        assert!(fitted.steps.windows(2).all(|pair| pair[1].train <= pair[0].train + 1e-5), "{fitted:?}");
        // The scale is that of the present weights.
        assert!((fitted.scale - best_scale(&train, 1000.0)).abs() < 1e-3 * fitted.scale);
    }

    #[test]
    fn a_strong_ridge_keeps_the_present_weights_and_fixed_ones_never_move() {
        let present = [250.0, -160.0, 70.0, 7.0];
        let train = samples(4_000, 3, &present);
        let held = fit(&problem(&present, &[true; 4], 1e6), &train, &train);
        assert_eq!(held.weights, present);
        let fixed = Problem { is_free: &[false, true, true, true], ..problem(&present, &[true; 4], 1e-6) };
        let fitted = fit(&fixed, &train, &train);
        assert_eq!(fitted.weights[0], 250.0);
        assert_ne!(fitted.weights[1], -160.0);
    }

    #[test]
    fn what_is_rare_is_held_more_firmly() {
        let present = [0.0; 4];
        let mut train = samples(4_000, 5, &present);
        // The same feature twice: the second time in one position of fifty only.
        for (index, sample) in train.iter_mut().enumerate() {
            let amount = sample.amounts[1];
            sample.amounts = vec![
                0.0,
                if index % 50 == 0 { 0.0 } else { amount },
                0.0,
                if index % 50 == 0 { amount } else { 0.0 },
            ];
            sample.opinion = amount;
        }
        let free = fit(&problem(&present, &[false; 4], 1e-9), &train, &train);
        let held = fit(&problem(&present, &[false; 4], 0.05), &train, &train);
        let kept = |place: usize| held.weights[place] / free.weights[place];
        assert!(kept(1) > 0.7 && kept(3) < 0.4, "{} {}", kept(1), kept(3));
    }

    #[test]
    fn coarse_weights_are_rounded_first_and_fine_ones_have_fractions() {
        // One unit of the first weight is worth hundreds of the others.
        let present = [1.0, -160.0, 70.0, 7.0];
        let train: Vec<Sample> = samples(20_000, 4, &TRUE)
            .into_iter()
            .map(|mut sample| {
                sample.amounts[0] *= 200.0;
                sample.opinion = sample.value(&present);
                sample
            })
            .collect();
        let whole = fit(&problem(&present, &[true; 4], 1e-6), &train, &train);
        assert!(whole.weights.iter().all(|weight| weight.fract() == 0.0), "{whole:?}");
        let fine = fit(&problem(&present, &[false; 4], 1e-6), &train, &train);
        assert!(fine.weights[0].fract() != 0.0, "{fine:?}");
        assert!(fine.weights.iter().all(|weight| ((weight * 100.0).round() - weight * 100.0).abs() < 1e-6));
        let loss = |fit: &Fit| quality(&train, Some(&fit.weights), fit.scale).loss;
        assert!(loss(&fine) <= loss(&whole) && loss(&whole) < loss(&fine) + 0.01);
    }

    #[test]
    fn the_loss_is_that_of_the_books() {
        assert!((loss(0.0, 1.0) - 2_f64.ln()).abs() < 1e-12);
        assert!((loss(3_f64.ln(), 1.0) + 0.75_f64.ln()).abs() < 1e-12);
        assert!((loss(2.0, 0.5) - (loss(2.0, 1.0) + loss(2.0, 0.0)) / 2.0).abs() < 1e-12);
        assert!(loss(1e6, 0.0).is_finite() && loss(-1e6, 0.0) == 0.0);
    }

    #[test]
    fn without_positions_nothing_changes() {
        let present = [250.0, -160.0, 70.0, 7.0];
        let fitted = fit(&problem(&present, &[true; 4], 0.01), &[], &[]);
        assert_eq!(fitted.weights, present);
    }
}
