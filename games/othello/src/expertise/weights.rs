//! The trained weights of the patterns and of what is counted besides: one set for each stage of the game.
//!
//! The file holds, stage by stage, each weight of the patterns once that symmetry repeats, then those of the counts, as 16-bit numbers,
//! little-endian, compressed.
//! How it is made is told in `docs/training.md`.

use agon_core::weight_file;
use agon_core::weights::Shipped;

use super::patterns::{Arrangement, WEIGHTS, representatives};
use super::terms::{self, TERMS};

/// How many stages the game is divided into, each of two discs.
pub const STAGES: usize = 30;
/// Parts of a disc that weights and sums are counted in.
pub const UNIT: i32 = 128;

/// The weights that come with the program.
pub static SHIPPED: Shipped<Weights> =
    Shipped::new(weight_file!("../../data/weights.bin"), |file| Weights::decode(file).ok());

/// The stage of a position with `discs` discs.
#[inline(always)]
pub const fn stage(discs: u32) -> usize {
    let stage = discs.saturating_sub(4) as usize / 2;
    if stage < STAGES { stage } else { STAGES - 1 }
}

/// A file that does not hold weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It cannot be decompressed.
    #[error("the weights cannot be decompressed")]
    Compression(#[from] std::io::Error),
    /// It holds another number of weights.
    #[error("{found} bytes of weights where {expected} are expected")]
    Length {
        /// Bytes needed.
        expected: usize,
        /// Bytes there.
        found: usize,
    },
}

/// The weights of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Those of the patterns.
    pub patterns: Box<[i16; WEIGHTS]>,
    /// Those of the counts.
    pub terms: [i16; TERMS],
}

/// The weights of every stage.
#[derive(Debug, PartialEq, Eq)]
pub struct Weights {
    stages: Vec<Stage>,
}

impl Weights {
    /// The weights that come with the program. Where they are still to be handed in there are none, and nothing may be judged by them.
    pub fn builtin() -> &'static Self {
        static ABSENT: Weights = Weights { stages: Vec::new() };
        SHIPPED.get().unwrap_or(&ABSENT)
    }

    /// Weights given stage by stage.
    ///
    /// # Panics
    /// If there are not [`STAGES`] stages.
    pub fn new(stages: Vec<Stage>) -> Self {
        assert_eq!(stages.len(), STAGES, "a set of weights for each stage");
        Self { stages }
    }

    /// Reads a file of weights.
    ///
    /// # Errors
    /// If it cannot be decompressed or has not just the weights that are needed.
    pub fn decode(file: &[u8]) -> Result<Self, WeightsError> {
        let representatives = representatives();
        let independent = independent(&representatives);
        let length = (independent.len() + TERMS) * 2;
        let expected = length * STAGES;
        let bytes = agon_compression::unpack(file, expected)?;
        if bytes.len() != expected {
            return Err(WeightsError::Length { expected, found: bytes.len() });
        }
        let stages = bytes.chunks_exact(length).map(|stage| {
            let mut numbers = stage.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            let mut weights = vec![0; WEIGHTS].into_boxed_slice();
            for (&place, weight) in independent.iter().zip(&mut numbers) {
                weights[place] = weight;
            }
            for place in 0..WEIGHTS {
                weights[place] = weights[representatives[place] as usize];
            }
            let mut terms = [0; TERMS];
            terms.iter_mut().zip(numbers).for_each(|(term, weight)| *term = weight);
            Stage { patterns: weights.try_into().expect("a weight for each place"), terms }
        });
        Ok(Self { stages: stages.collect() })
    }

    /// The file that [`Weights::decode`] reads.
    ///
    /// # Errors
    /// If compression runs out of memory.
    #[cfg(not(target_family = "wasm"))]
    pub fn encode(&self) -> std::io::Result<Vec<u8>> {
        let independent = independent(&representatives());
        let bytes: Vec<u8> = self
            .stages
            .iter()
            .flat_map(|stage| {
                let patterns = independent.iter().map(|&place| stage.patterns[place]);
                patterns.chain(stage.terms).flat_map(i16::to_le_bytes)
            })
            .collect();
        agon_compression::pack(&bytes)
    }

    /// What a position is worth to the side to move, in parts of a disc; `factor` as in [`Arrangement::sum`], by who is to move.
    #[inline(always)]
    pub fn value(&self, arrangement: &Arrangement, own: u64, opponent: u64, factor: i16) -> i32 {
        let stage = &self.stages[stage((own | opponent).count_ones())];
        let terms = terms::places(own, opponent).map(|place| i32::from(stage.terms[place]));
        arrangement.sum(&stage.patterns, factor) + terms.iter().sum::<i32>()
    }
}

/// The places whose weights no symmetry derives from others.
fn independent(representatives: &[u32]) -> Vec<usize> {
    (0..WEIGHTS).filter(|&place| representatives[place] as usize == place).collect()
}
