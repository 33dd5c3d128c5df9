//! Least squares by conjugate gradients.
//!
//! A sample's row has a one for each of its patterns' arrangements, so the system is huge and sparse and is never
//! written down: each step goes over the samples once. Ridge regression keeps rare arrangements near zero;
//! dividing by how often each occurs (Jacobi) makes some forty steps enough.

use std::ops::ControlFlow;

use agon_othello::expertise::patterns::{Arrangement, PATTERNS, WEIGHTS, representatives};
use agon_othello::expertise::weights::{STAGES, UNIT, Weights, stage};

use super::label::Sample;

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Steps of the conjugate gradients for each stage.
    pub steps: usize,
    /// The strength of the pull towards zero, in samples.
    pub ridge: f32,
    /// How many discs beyond a stage its samples reach, so that neighbouring stages agree.
    pub overlap: u32,
}

impl Default for Fit {
    fn default() -> Self {
        Self { steps: 40, ridge: 8.0, overlap: 2 }
    }
}

/// How well a stage is fitted.
#[derive(Clone, Copy, Debug)]
pub struct StageReport {
    /// Which stage.
    pub stage: usize,
    /// Samples trained on.
    pub samples: usize,
    /// The root of the mean squared error on them, in discs.
    pub error: f32,
    /// Samples held out.
    pub held_out: usize,
    /// The error on those.
    pub held_out_error: f32,
}

/// Fits the weights of every stage; `report` is called after each and may end the fit, which then has no result.
pub fn fit(
    samples: &[Sample],
    settings: Fit,
    mut report: impl FnMut(StageReport) -> ControlFlow<()>,
) -> Option<Weights> {
    let representatives = representatives();
    let stages: Option<Vec<_>> = (0..STAGES)
        .map(|number| {
            let in_stage = |sample: &&Sample, overlap: u32| {
                let discs = (sample.own | sample.opponent).count_ones();
                stage(discs.saturating_sub(overlap)) <= number && number <= stage(discs + overlap)
            };
            let training = samples.iter().filter(|sample| !sample.is_held_out);
            let system = System::new(training.filter(|it| in_stage(it, settings.overlap)), &representatives);
            let held_out = samples.iter().filter(|sample| sample.is_held_out);
            let measured = System::new(held_out.filter(|it| in_stage(it, 0)), &representatives);
            let weights = system.solve(settings);
            let told = report(StageReport {
                stage: number,
                samples: system.scores.len(),
                error: system.error(&weights),
                held_out: measured.scores.len(),
                held_out_error: measured.error(&weights),
            });
            told.is_continue().then(|| quantise(&weights, &representatives))
        })
        .collect();
    stages.map(Weights::new)
}

fn quantise(weights: &[f32], representatives: &[u32]) -> Box<[i16; WEIGHTS]> {
    let limit = f32::from(i16::MAX);
    let scaled = representatives
        .iter()
        .map(|&place| (weights[place as usize] * UNIT as f32).round().clamp(-limit, limit) as i16);
    let boxed: Box<[i16]> = scaled.collect();
    boxed.try_into().expect("a weight for each place")
}

/// The samples of a stage as a system of equations.
struct System {
    rows: Vec<[u32; PATTERNS]>,
    scores: Vec<f32>,
}

impl System {
    fn new<'a>(samples: impl Iterator<Item = &'a Sample>, representatives: &[u32]) -> Self {
        let (mut rows, mut scores) = (Vec::new(), Vec::new());
        for sample in samples {
            let places = Arrangement::new(sample.own, sample.opponent).places(1);
            rows.push(places.map(|place| representatives[place as usize]));
            scores.push(f32::from(sample.score));
        }
        Self { rows, scores }
    }

    fn value(weights: &[f32], row: &[u32; PATTERNS]) -> f32 {
        row.iter().map(|&place| weights[place as usize]).sum()
    }

    fn error(&self, weights: &[f32]) -> f32 {
        let squares = self.rows.iter().zip(&self.scores).map(|(row, score)| {
            let difference = f64::from(Self::value(weights, row) - score);
            difference * difference
        });
        (squares.sum::<f64>() / self.scores.len().max(1) as f64).sqrt() as f32
    }

    /// Solves the normal equations (AᵀA + ridge) x = Aᵀy.
    fn solve(&self, settings: Fit) -> Vec<f32> {
        let mut scale = vec![settings.ridge; WEIGHTS];
        let mut residual = vec![0.0; WEIGHTS];
        for (row, &score) in self.rows.iter().zip(&self.scores) {
            for &place in row {
                scale[place as usize] += 1.0;
                residual[place as usize] += score;
            }
        }
        for scale in &mut scale {
            *scale = scale.recip();
        }
        let scaled = |vector: &[f32]| -> Vec<f32> { vector.iter().zip(&scale).map(|(a, b)| a * b).collect() };
        let mut weights = vec![0.0; WEIGHTS];
        let mut direction = scaled(&residual);
        let mut length = dot(&residual, &direction);
        for _ in 0..settings.steps {
            let image = self.image(&direction, settings.ridge);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 {
                break;
            }
            let step = (length / curvature) as f32;
            add(&mut weights, step, &direction);
            add(&mut residual, -step, &image);
            let mut next = scaled(&residual);
            let next_length = dot(&residual, &next);
            add(&mut next, (next_length / length) as f32, &direction);
            (direction, length) = (next, next_length);
        }
        weights
    }

    /// (AᵀA + ridge) times `vector`.
    fn image(&self, vector: &[f32], ridge: f32) -> Vec<f32> {
        let mut image: Vec<f32> = vector.iter().map(|value| value * ridge).collect();
        for row in &self.rows {
            let value = Self::value(vector, row);
            for &place in row {
                image[place as usize] += value;
            }
        }
        image
    }
}

fn dot(one: &[f32], other: &[f32]) -> f64 {
    one.iter().zip(other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

fn add(vector: &mut [f32], factor: f32, other: &[f32]) {
    for (value, other) in vector.iter_mut().zip(other) {
        *value += factor * other;
    }
}
