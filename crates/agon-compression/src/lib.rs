//! Trained weights in the format of Zstandard. The C library packs and unpacks them; on WebAssembly, where it cannot be compiled without a
//! C compiler for that target, a decoder in Rust unpacks them.

use std::io::{self, Read};

#[cfg(not(target_family = "wasm"))]
mod c_library;
#[cfg(any(target_family = "wasm", test))]
mod rust_decoder;

#[cfg(not(target_family = "wasm"))]
pub use c_library::pack;

#[cfg(not(target_family = "wasm"))]
use c_library::decoder;
#[cfg(target_family = "wasm")]
use rust_decoder::decoder;

/// What `packed` holds, at most `most` bytes of it.
///
/// # Errors
/// If it is damaged, or would be longer than that.
pub fn unpack(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    read_at_most(decoder(packed)?, most)
}

fn read_at_most(decoder: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than is allowed is enough to see that there is too much.
    decoder.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it unpacks to more than is allowed"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packed parts of the weights that come with the program.
    fn shipped_parts() -> Vec<&'static [u8]> {
        let othello: &[u8] = include_bytes!("../../../games/othello/data/weights.bin");
        let file_of_2048: &[u8] = include_bytes!("../../../games/2048/data/weights.bin");
        let mut parts = vec![othello];
        // A line of text and a number, then parts, each after its length.
        let mut rest = &file_of_2048[12..];
        while let Some((length, others)) = rest.split_first_chunk() {
            let (part, others) = others.split_at(u32::from_le_bytes(*length) as usize);
            parts.push(part);
            rest = others;
        }
        parts
    }

    #[test]
    fn both_decoders_unpack_the_shipped_weights_to_the_same_bytes() {
        let parts = shipped_parts();
        assert!(parts.len() > 2);
        for part in parts {
            let native = read_at_most(c_library::decoder(part).expect("a decoder"), 1 << 28).expect("whole");
            let portable =
                read_at_most(rust_decoder::decoder(part).expect("a decoder"), 1 << 28).expect("whole");
            assert!(!native.is_empty() && native == portable, "{} bytes", part.len());
        }
    }

    #[test]
    fn what_is_damaged_or_too_long_is_refused_by_both_decoders() {
        let bytes: Vec<u8> = (0..10_000_u32).map(|number| ((number * number) >> 3) as u8).collect();
        let packed = pack(&bytes).expect("enough memory");
        assert_eq!(unpack(&packed, bytes.len()).expect("whole"), bytes);
        assert!(unpack(&packed, bytes.len() - 1).is_err());
        let unpack_portably = |packed| read_at_most(rust_decoder::decoder(packed)?, bytes.len());
        assert_eq!(unpack_portably(&packed).expect("whole"), bytes);
        for damaged in [&packed[..packed.len() / 2], &packed[1..], b""] {
            assert!(unpack(damaged, bytes.len()).is_err());
            assert!(unpack_portably(damaged).is_err());
        }
    }
}
