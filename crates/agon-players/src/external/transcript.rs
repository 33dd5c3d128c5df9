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
    /// The beginning of a character whose rest is to come, and the stream that it came from.
    begun: Option<(Stream, Vec<u8>)>,
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
        Ok(Self(Mutex::new(Sheet { file: File::create(path)?, left: limit, begun: None, last: None })))
    }

    /// Keeps a piece of a stream. Every line is marked with the stream that it came from; where the streams interrupt each other, a
    /// line is broken. Returns whether there is room for more.
    pub(crate) fn keep(&self, stream: Stream, bytes: &[u8]) -> bool {
        let mut sheet = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sheet.left == 0 {
            return false;
        }
        let mut piece = match sheet.begun.take() {
            Some((begun, start)) if begun == stream => start,
            begun => {
                sheet.begun = begun;
                Vec::new()
            }
        };
        piece.extend(bytes);
        let (piece, begun) = printable(&piece);
        if !begun.is_empty() {
            sheet.begun = Some((stream, begun.to_owned()));
        }
        let mut text = Vec::with_capacity(piece.len() + 8);
        for line in piece.split_inclusive('\n') {
            match sheet.last {
                Some((last, false)) if last == stream => {}
                Some((_, false)) => text.extend([b"\n", stream.mark()].concat()),
                _ => text.extend(stream.mark()),
            }
            text.extend(line.as_bytes());
            sheet.last = Some((stream, line.ends_with('\n')));
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

/// Bytes as text that does nothing to whatever shows it: control characters, those that change the direction of text and bytes that are not UTF-8
/// are escaped. With it comes the beginning of a last character whose rest is missing.
fn printable(bytes: &[u8]) -> (String, &[u8]) {
    let mut text = String::with_capacity(bytes.len());
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        for char in chunk.valid().chars() {
            let turns = matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            if (char.is_control() || turns) && !matches!(char, '\n' | '\t') {
                text.extend(char.escape_default());
            } else {
                text.push(char);
            }
        }
        let invalid = chunk.invalid();
        if chunks.peek().is_none() && is_beginning(invalid) {
            return (text, invalid);
        }
        for byte in invalid {
            text += &format!("\\x{byte:02x}");
        }
    }
    (text, &[])
}

/// Whether these bytes are the beginning of a character.
fn is_beginning(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
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

    #[test]
    fn what_would_act_on_a_terminal_is_escaped() {
        let path = std::env::temp_dir().join(format!("agon-transcript-{}-escaped", std::process::id()));
        let transcript = Transcript::create(&path, 1000).expect("a file");
        transcript.keep(Stream::Error, "\u{1b}[2J\ta\r\u{9b}m\u{202e}x\0\u{7f}\n".as_bytes());
        // A character in two pieces, something else in between; and bytes that are none.
        let dice = "🎲".as_bytes();
        transcript.keep(Stream::Error, &dice[..3]);
        transcript.keep(Stream::Output, b"ok\n");
        transcript.keep(Stream::Error, &[&dice[3..], b"\xff\x9b\n"].concat());
        let text = std::fs::read_to_string(&path).expect("it was written, and is UTF-8");
        std::fs::remove_file(&path).expect("it is ours");
        let expected = "err: \\u{1b}[2J\ta\\r\\u{9b}m\\u{202e}x\\u{0}\\u{7f}\nout: ok\nerr: 🎲\\xff\\x9b\n";
        assert_eq!(text, expected);
    }
}
