//! Simultaneous perturbation stochastic approximation (Spall 1992): parameters are climbed uphill by comparing two points on either side of
//! the present one, however many parameters there are.
//!
//! Everything happens in the unit cube: 0 and 1 are the ends of each parameter's range. The gains are Spall's, `a / (A + k + 1)^0.602` and
//! `c / (k + 1)^0.101`. What is found is the mean of the points of the second half (Polyak and Juditsky 1992), which in simulations is about half
//! as far from the best point as the last one.

use agon_core::random::{Rng, unit};

/// Spall's exponents of the gains.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// How far the points that are compared lie from the present one at first, as a share of the range.
const REACH: f64 = 0.2;
/// How far a result that noise alone could bring about moves a parameter at first.
const FIRST_STEP: f64 = 0.03;
/// The deviation of the difference of two sides' scores in one game of equals, some of them drawn.
const DEVIATION: f64 = 0.9;

/// How steps shrink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    a: f64,
    c: f64,
    /// The stability constant, a tenth of the iterations.
    slack: f64,
    /// From which iteration on points are averaged.
    half: usize,
}

impl Gains {
    /// Gains for so many iterations of so many games each, chosen as Spall advises: by the first step that is wanted.
    pub fn new(iterations: usize, games: usize) -> Self {
        let slack = 0.1 * iterations as f64;
        let noise = DEVIATION / (games.max(1) as f64).sqrt();
        let a = FIRST_STEP * 2.0 * REACH * (slack + 1.0).powf(ALPHA) / noise;
        Self { a, c: REACH, slack, half: iterations / 2 }
    }

    fn step(&self, iteration: usize) -> f64 {
        self.a / (self.slack + iteration as f64 + 1.0).powf(ALPHA)
    }

    fn reach(&self, iteration: usize) -> f64 {
        self.c / (iteration as f64 + 1.0).powf(GAMMA)
    }
}

/// How far a climb has come.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    gains: Gains,
    /// Where it stands, within the unit cube.
    point: Vec<f64>,
    /// The least perturbation of each parameter: whole numbers must differ.
    least: Vec<f64>,
    iteration: usize,
    /// The sum of the points of the second half.
    sum: Vec<f64>,
}

/// Two points to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The point on one side.
    pub plus: Vec<f64>,
    /// The point on the other.
    pub minus: Vec<f64>,
    /// For each parameter how far the first is above the present point: negative if below.
    shifts: Vec<f64>,
}

impl Spsa {
    /// A climb from `point`. Perturbations are never smaller than `least`.
    pub fn new(gains: Gains, point: Vec<f64>, least: Vec<f64>) -> Self {
        let sum = vec![0.0; point.len()];
        Self { gains, point, least, iteration: 0, sum }
    }

    /// What it has found so far: the mean of the points since the middle, or the present one before that.
    pub fn found(&self) -> Vec<f64> {
        match self.iteration.saturating_sub(self.gains.half) {
            0 => self.point.clone(),
            count => self.sum.iter().map(|sum| sum / count as f64).collect(),
        }
    }

    /// Where it stands.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// What to compare next.
    pub fn trial(&self, rng: &mut Rng) -> Trial {
        let reach = self.gains.reach(self.iteration);
        let shifts: Vec<f64> = self
            .least
            .iter()
            .map(|least| if unit(rng) < 0.5 { reach.max(*least) } else { -reach.max(*least) })
            .collect();
        let side = |sign: f64| {
            self.point.iter().zip(&shifts).map(|(at, shift)| (at + sign * shift).clamp(0.0, 1.0)).collect()
        };
        Trial { plus: side(1.0), minus: side(-1.0), shifts }
    }

    /// Goes on after a comparison in which the first point scored so much against the second, of 0 to 1.
    pub fn learn(&mut self, trial: &Trial, score: f64) {
        let difference = 2.0 * score - 1.0;
        let step = self.gains.step(self.iteration);
        for (at, shift) in self.point.iter_mut().zip(&trial.shifts) {
            *at = (*at + step * difference / (2.0 * shift)).clamp(0.0, 1.0);
        }
        self.iteration += 1;
        if self.iteration > self.gains.half {
            self.sum.iter_mut().zip(&self.point).for_each(|(sum, at)| *sum += at);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_core::random::seeded;

    use super::*;

    /// Climbs a hill on which nothing but won and lost games is seen.
    fn climb(start: [f64; 3], best: [f64; 3], seed: u64) -> Vec<f64> {
        const GAMES: usize = 16;
        let height = |point: &[f64]| -> f64 {
            point.iter().zip(best).map(|(at, best)| -4.0 * (at - best).powi(2)).sum()
        };
        let mut rng = seeded(seed);
        let mut spsa = Spsa::new(Gains::new(400, GAMES), start.to_vec(), vec![0.0; 3]);
        for _ in 0..400 {
            let trial = spsa.trial(&mut rng);
            let chance = 1.0 / (1.0 + (height(&trial.minus) - height(&trial.plus)).exp());
            let wins = (0..GAMES).filter(|_| unit(&mut rng) < chance).count();
            spsa.learn(&trial, wins as f64 / GAMES as f64);
        }
        spsa.found()
    }

    #[test]
    fn the_top_of_a_noisy_hill_is_found_from_every_side() {
        for (seed, start) in (0..).zip([[0.1, 0.1, 0.9], [0.9, 0.9, 0.1], [0.5, 0.0, 1.0]]) {
            let best = [0.3, 0.7, 0.5];
            let found = climb(start, best, seed);
            let distance = |point: &[f64]| -> f64 {
                point.iter().zip(best).map(|(at, best)| (at - best).powi(2)).sum::<f64>().sqrt()
            };
            assert!(distance(&found) < 0.12, "{found:?} from {start:?}");
            assert!(distance(&found) < distance(&start) / 2.0, "{found:?} from {start:?}");
        }
    }

    #[test]
    fn points_stay_in_the_cube_and_whole_numbers_differ() {
        let mut spsa = Spsa::new(Gains::new(10, 2), vec![0.0, 1.0, 0.5], vec![0.0, 0.0, 0.4]);
        let mut rng = seeded(1);
        for iteration in 0..10 {
            let trial = spsa.trial(&mut rng);
            for point in [&trial.plus, &trial.minus] {
                assert!(point.iter().all(|at| (0.0..=1.0).contains(at)), "{trial:?}");
            }
            assert!((trial.plus[2] - trial.minus[2]).abs() >= 0.4, "{trial:?}");
            spsa.learn(&trial, if iteration % 2 == 0 { 1.0 } else { 0.0 });
            assert!(spsa.point().iter().all(|at| (0.0..=1.0).contains(at)));
        }
    }

    #[test]
    fn gains_shrink_as_published_and_a_draw_moves_nothing() {
        let gains = Gains::new(100, 4);
        let ratio = gains.step(9) / gains.step(0);
        assert!((ratio - (11.0_f64 / 20.0).powf(0.602)).abs() < 1e-12);
        assert!((gains.reach(9) / gains.reach(0) - 10_f64.powf(-0.101)).abs() < 1e-12);
        let mut spsa = Spsa::new(gains, vec![0.5; 2], vec![0.0; 2]);
        let trial = spsa.trial(&mut seeded(3));
        spsa.learn(&trial, 0.5);
        assert_eq!((spsa.point(), spsa.found()), (&[0.5; 2][..], vec![0.5; 2]));
        // Steps of the first half are not in the mean.
        let mut spsa = Spsa::new(Gains::new(4, 4), vec![0.5], vec![0.0]);
        let mut points = Vec::new();
        for score in [1.0, 0.7, 0.2, 0.9] {
            let trial = spsa.trial(&mut seeded(3));
            spsa.learn(&trial, score);
            points.push(spsa.point()[0]);
        }
        assert!((spsa.found()[0] - f64::midpoint(points[2], points[3])).abs() < 1e-12);
    }
}
