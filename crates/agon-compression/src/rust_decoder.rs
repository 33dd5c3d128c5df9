//! The decoder in Rust.

use std::io;

use ruzstd::decoding::StreamingDecoder;

pub(crate) fn decoder(packed: &[u8]) -> io::Result<impl io::Read> {
    StreamingDecoder::new(packed)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
}
