//! The trained weights of the patterns: one set for each stage of the game.
//!
//! The file holds each weight once that symmetry repeats, as 16-bit numbers, little-endian, stage by stage, compressed.
//! How it is made is told in `docs/training.md`.

use agon_core::weight_file;
use agon_core::weights::Shipped;

use super::patterns::{Arrangement, WEIGHTS, representatives};

/// How many stages the game is divided into, each of four discs.
pub const STAGES: usize = 15;
/// Parts of a disc that weights and sums are counted in.
pub const UNIT: i32 = 128;

/// The weights that come with the program.
pub static SHIPPED: Shipped<Weights> =
    Shipped::new(weight_file!("../../data/weights.bin"), |file| Weights::decode(file).ok());

/// The stage of a position with `discs` discs.
#[inline(always)]
pub const fn stage(discs: u32) -> usize {
    let stage = discs.saturating_sub(4) as usize / 4;
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

/// The weights of every stage.
#[derive(Debug, PartialEq, Eq)]
pub struct Weights {
    stages: Vec<Box<[i16; WEIGHTS]>>,
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
    pub fn new(stages: Vec<Box<[i16; WEIGHTS]>>) -> Self {
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
        let expected = independent.len() * STAGES * 2;
        let bytes = agon_compression::unpack(file, expected)?;
        if bytes.len() != expected {
            return Err(WeightsError::Length { expected, found: bytes.len() });
        }
        let stages = bytes.chunks_exact(independent.len() * 2).map(|stage| {
            let mut weights = vec![0; WEIGHTS].into_boxed_slice();
            for (&place, pair) in independent.iter().zip(stage.chunks_exact(2)) {
                weights[place] = i16::from_le_bytes([pair[0], pair[1]]);
            }
            for place in 0..WEIGHTS {
                weights[place] = weights[representatives[place] as usize];
            }
            weights.try_into().expect("a weight for each place")
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
            .flat_map(|stage| independent.iter().flat_map(|&place| stage[place].to_le_bytes()))
            .collect();
        agon_compression::pack(&bytes)
    }

    /// What the patterns say of a position with `discs` discs, in parts of a disc; `factor` as in
    /// [`Arrangement::sum`].
    #[inline(always)]
    pub fn value(&self, arrangement: &Arrangement, discs: u32, factor: i16) -> i32 {
        arrangement.sum(&self.stages[stage(discs)], factor)
    }
}

/// The places whose weights no symmetry derives from others.
fn independent(representatives: &[u32]) -> Vec<usize> {
    (0..WEIGHTS).filter(|&place| representatives[place] as usize == place).collect()
}
