//! Zstandard's own library.

use std::io;

/// As small as it gets in reasonable time: weights are packed once.
const LEVEL: i32 = 19;

/// `bytes`, packed.
///
/// # Errors
/// If there is not enough memory.
pub fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, LEVEL)
}

pub(crate) fn decoder(packed: &[u8]) -> io::Result<impl io::Read> {
    zstd::Decoder::with_buffer(packed)
}
