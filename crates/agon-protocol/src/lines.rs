//! Lines from somebody who may send anything: none is kept beyond a length that the reader chooses.

use std::io::{self, BufRead, Read};

/// A line that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineRead {
    /// Its full length in bytes without its end, however much of it was kept.
    pub length: usize,
    /// Whether it had an end; the last one may lack it.
    pub ended: bool,
}

/// Reads a line into `line`, without its end (`\n` or `\r\n`); `None` at the end of input. Of a line longer than
/// `max` bytes no more than a little beyond that is kept, and its rest is skipped.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead, max: usize, line: &mut Vec<u8>) -> io::Result<Option<LineRead>> {
    line.clear();
    if input.by_ref().take(max as u64 + 2).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") {
        line.pop();
        if line.ends_with(b"\r") {
            line.pop();
        }
        return Ok(Some(LineRead { length: line.len(), ended: true }));
    }
    let mut read = LineRead { length: line.len(), ended: false };
    while read.length > max && !read.ended {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.unwrap_or(buffer.len());
        read.length += used;
        read.ended = end.is_some();
        input.consume(used + usize::from(read.ended));
    }
    Ok(Some(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `input` as a reader of at most `max` bytes sees them.
    fn lines(mut input: &[u8], max: usize) -> Vec<(String, LineRead)> {
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while let Some(read) = read_line(&mut input, max, &mut line).expect("bytes can be read") {
            lines.push((String::from_utf8_lossy(&line).into_owned(), read));
        }
        lines
    }

    #[test]
    fn lines_end_as_on_any_system_and_the_last_may_lack_its_end() {
        let read = |length, ended| LineRead { length, ended };
        assert_eq!(
            lines(b"ab\r\n\nc", 8),
            [
                ("ab".to_owned(), read(2, true)),
                (String::new(), read(0, true)),
                ("c".to_owned(), read(1, false))
            ]
        );
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let mut input = vec![b'x'; 100_000];
        input.extend(b"\nok\n");
        let lines = lines(&input, 10);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].0.len() <= 12);
        assert_eq!(lines[0].1, LineRead { length: 100_000, ended: true });
        assert_eq!(lines[1].0, "ok");
    }
}
