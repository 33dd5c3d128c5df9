//! Least squares by conjugate gradients.
//!
//! A sample's row has a one for each of its patterns' arrangements and for each of its counts, so the system is huge and sparse and is
//! never written down: each step goes over the samples once. Ridge regression keeps rare arrangements near zero;
//! dividing by how often each occurs (Jacobi) makes some fifteen steps enough.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use agon_othello::expertise::patterns::{Arrangement, PATTERNS, WEIGHTS, representatives};
use agon_othello::expertise::terms::{self, COUNTS, TERMS};
use agon_othello::expertise::weights::{STAGES, Stage, UNIT, Weights, stage};

use super::sample::{Sample, Source};

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Steps of the conjugate gradients for each stage.
    pub steps: usize,
    /// The strength of the pull towards zero, in samples.
    pub ridge: f32,
    /// How many discs beyond a stage its samples reach, so that neighbouring stages agree.
    pub overlap: u32,
    /// How much the search counts in a label, from 0 to 1; the rest is the result.
    pub searched: f32,
    /// How much a sample of people's games counts, where one of self-play counts 1.
    pub people: f32,
    /// The numbers in the file are multiples of this, in parts of a disc.
    pub grain: i16,
}

impl Default for Fit {
    fn default() -> Self {
        Self { steps: 14, ridge: 25.0, overlap: 3, searched: 0.4, people: 0.3, grain: 4 }
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

/// Fits the weights of every stage in `jobs` threads; `report` is called after each. `None` once `stop` is set.
pub fn fit(
    samples: &[Sample],
    settings: Fit,
    jobs: usize,
    stop: &AtomicBool,
    report: impl FnMut(StageReport) + Send,
) -> Option<Weights> {
    let representatives = representatives();
    let (next, stages) = (AtomicUsize::new(0), Mutex::new(vec![None; STAGES]));
    let report = Mutex::new(report);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= STAGES {
                break;
            }
            let (fitted, told) = fit_stage(number, samples, settings, &representatives);
            if let (Ok(mut stages), Ok(mut report)) = (stages.lock(), report.lock()) {
                stages[number] = Some(fitted);
                report(told);
            }
        }
    };
    thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
    let stages: Option<Vec<Stage>> = stages.into_inner().ok()?.into_iter().collect();
    stages.map(Weights::new)
}

fn fit_stage(
    number: usize,
    samples: &[Sample],
    settings: Fit,
    representatives: &[u32],
) -> (Stage, StageReport) {
    let in_stage = |sample: &&Sample, overlap: u32| {
        let discs = sample.discs();
        stage(discs.saturating_sub(overlap)) <= number && number <= stage(discs + overlap)
    };
    let training = samples.iter().filter(|sample| !sample.is_held_out);
    let system = System::new(training.filter(|it| in_stage(it, settings.overlap)), settings, representatives);
    let held_out = samples.iter().filter(|sample| sample.is_held_out);
    let measured = System::new(held_out.filter(|it| in_stage(it, 0)), settings, representatives);
    let weights = system.solve(settings);
    let report = StageReport {
        stage: number,
        samples: system.scores.len(),
        error: system.error(&weights),
        held_out: measured.scores.len(),
        held_out_error: measured.error(&weights),
    };
    (quantise(&weights, representatives, settings.grain), report)
}

fn quantise(weights: &[f32], representatives: &[u32], grain: i16) -> Stage {
    let grain = f32::from(grain.max(1));
    let limit = (f32::from(i16::MAX) / grain).floor();
    let round = |weight: f32| ((weight * UNIT as f32 / grain).round().clamp(-limit, limit) * grain) as i16;
    let patterns: Box<[i16]> = representatives.iter().map(|&place| round(weights[place as usize])).collect();
    let patterns = patterns.try_into().expect("a weight for each place");
    Stage { patterns, terms: std::array::from_fn(|term| round(weights[WEIGHTS + term])) }
}

/// How many weights a sample has.
const ROW: usize = PATTERNS + COUNTS;

/// The samples of a stage as a system of equations.
struct System {
    rows: Vec<[u32; ROW]>,
    scores: Vec<f32>,
    /// How much each sample counts.
    weights: Vec<f32>,
}

impl System {
    fn new<'a>(samples: impl Iterator<Item = &'a Sample>, settings: Fit, representatives: &[u32]) -> Self {
        let mut system = Self { rows: Vec::new(), scores: Vec::new(), weights: Vec::new() };
        for sample in samples {
            let mut row = [0; ROW];
            let patterns = Arrangement::new(sample.own, sample.opponent).places(1);
            row[..PATTERNS].copy_from_slice(&patterns.map(|place| representatives[place as usize]));
            let counted = terms::places(sample.own, sample.opponent);
            row[PATTERNS..].copy_from_slice(&counted.map(|place| (WEIGHTS + place) as u32));
            system.rows.push(row);
            let (searched, result) = (f32::from(sample.searched), f32::from(sample.result));
            system.scores.push(settings.searched * searched + (1.0 - settings.searched) * result);
            system.weights.push(if sample.source == Source::People { settings.people } else { 1.0 });
        }
        system
    }

    fn value(weights: &[f32], row: &[u32; ROW]) -> f32 {
        row.iter().map(|&place| weights[place as usize]).sum()
    }

    fn error(&self, weights: &[f32]) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for ((row, score), weight) in self.rows.iter().zip(&self.scores).zip(&self.weights) {
            let difference = f64::from(Self::value(weights, row) - score);
            sum += f64::from(*weight) * difference * difference;
            count += f64::from(*weight);
        }
        (sum / f64::max(count, 1.0)).sqrt() as f32
    }

    /// Solves the normal equations (AᵀWA + ridge) x = AᵀWy.
    fn solve(&self, settings: Fit) -> Vec<f32> {
        let mut scale = vec![settings.ridge; WEIGHTS + TERMS];
        let mut residual = vec![0.0; WEIGHTS + TERMS];
        for ((row, &score), &weight) in self.rows.iter().zip(&self.scores).zip(&self.weights) {
            for &place in row {
                scale[place as usize] += weight;
                residual[place as usize] += weight * score;
            }
        }
        for scale in &mut scale {
            *scale = scale.recip();
        }
        let scaled = |vector: &[f32]| -> Vec<f32> { vector.iter().zip(&scale).map(|(a, b)| a * b).collect() };
        let mut weights = vec![0.0; WEIGHTS + TERMS];
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

    /// (AᵀWA + ridge) times `vector`.
    fn image(&self, vector: &[f32], ridge: f32) -> Vec<f32> {
        let mut image: Vec<f32> = vector.iter().map(|value| value * ridge).collect();
        for (row, weight) in self.rows.iter().zip(&self.weights) {
            let value = weight * Self::value(vector, row);
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
