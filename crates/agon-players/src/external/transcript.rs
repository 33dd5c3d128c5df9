//! Everything that a program writes, kept for its author within bounds.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A file that takes what a program writes, as it comes, until it is full.
#[derive(Debug)]
pub struct Transcript(Mutex<Sheet>);

#[derive(Debug)]
struct Sheet {
    file: File,
    left: usize,
    /// The stream that the last piece came from, and whether that ended its line.
    last: Option<(Stream, bool)>,
}

/// Where a program has written something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
    /// It has not, but whoever started it has something to say about it.
    Note,
}

impl Stream {
    fn mark(self) -> &'static [u8] {
        match self {
            Self::Output => b"out: ",
            Self::Error => b"err: ",
            Self::Note => b"note: ",
        }
    }
}

/// What ends a transcript that is full.
const FULL: &[u8] = b"\n[the rest was not kept]\n";

impl Transcript {
    /// A new file at `path` for at most `limit` bytes.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path, limit: usize) -> io::Result<Self> {
        Ok(Self(Mutex::new(Sheet { file: File::create(path)?, left: limit, last: None })))
    }

    /// Keeps a piece of a stream. Every line is marked with the stream that it came from; where the streams interrupt each other, a
    /// line is broken. Returns whether there is room for more.
    pub(crate) fn keep(&self, stream: Stream, bytes: &[u8]) -> bool {
        let mut sheet = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sheet.left == 0 {
            return false;
        }
        let mut text = Vec::with_capacity(bytes.len() + 8);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match sheet.last {
                Some((last, false)) if last == stream => {}
                Some((_, false)) => text.extend([b"\n", stream.mark()].concat()),
                _ => text.extend(stream.mark()),
            }
            text.extend(line);
            sheet.last = Some((stream, line.ends_with(b"\n")));
        }
        if text.len() > sheet.left {
            text.truncate(sheet.left);
            text.extend(FULL);
            sheet.left = 0;
        } else {
            sheet.left -= text.len();
        }
        // An author's log that cannot be written must not cost anybody a game.
        let _ = sheet.file.write_all(&text);
        sheet.left > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_marked_and_the_file_is_bounded() {
        let path = std::env::temp_dir().join(format!("agon-transcript-{}", std::process::id()));
        let transcript = Transcript::create(&path, 60).expect("a file");
        assert!(transcript.keep(Stream::Output, b"hello\n"));
        assert!(transcript.keep(Stream::Error, b"half"));
        assert!(transcript.keep(Stream::Error, b" a line"));
        assert!(transcript.keep(Stream::Output, b"x\n"));
        assert!(!transcript.keep(Stream::Error, &[b'y'; 100]));
        assert!(!transcript.keep(Stream::Error, b"more"));
        let text = std::fs::read_to_string(&path).expect("it was written");
        std::fs::remove_file(&path).expect("it is ours");
        assert!(text.starts_with("out: hello\nerr: half a line\nout: x\nerr: yyy"), "{text}");
        assert!(text.ends_with("y\n[the rest was not kept]\n"), "{text}");
        assert!(text.len() < 60 + 40);
    }
}
