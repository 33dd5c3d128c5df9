//! Randomness: always passed in, always seeded, the same on every machine.

pub use rand_xoshiro::rand_core::{Rng as RandomSource, SeedableRng};

/// The generator used everywhere: small, fast, reproducible.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator that always yields the same numbers for the same seed.
pub fn seeded(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// A number below `bound`, from one draw of the generator.
#[inline(always)]
pub fn below(rng: &mut Rng, bound: u64) -> u64 {
    scale(rng.next_u64(), bound)
}

/// A number from 0 on and below 1, from one draw of the generator.
#[inline(always)]
pub fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Maps an evenly distributed `number` to one below `bound` (Lemire's multiplication; its bias is
/// `bound / 2^64`, far below what any number of games could show).
#[inline(always)]
pub fn scale(number: u64, bound: u64) -> u64 {
    ((u128::from(number) * u128::from(bound)) >> 64) as u64
}

/// Mixes `word` into the hash `state`: the step with which games build their position keys.
#[inline(always)]
pub fn mix(state: u64, word: u64) -> u64 {
    let product = u128::from(state ^ word ^ 0x9E37_79B9_7F4A_7C15)
        * u128::from(word.rotate_left(32) ^ 0xD6E8_FEB8_6659_FD93);
    (product as u64) ^ ((product >> 64) as u64)
}
