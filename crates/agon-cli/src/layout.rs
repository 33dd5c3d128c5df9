//! Text set for people: wrapped to the terminal.

use std::io::{self, Write};

/// Lines longer than this tire the eye, however wide the terminal is.
const WIDEST: usize = 110;

/// The width to which text is set: that of the terminal, or 80 where there is none.
pub(crate) fn width() -> usize {
    textwrap::termwidth().min(WIDEST)
}

/// Writes `text` beside a `label`, wrapped to `width` with further lines under the first.
pub(crate) fn entry(
    indent: usize,
    label: &str,
    column: usize,
    text: &str,
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let hanging = " ".repeat(column);
    // A label that is too long for its column has a line of its own.
    let first = format!("{:indent$}{label}", "");
    let fits = label.is_empty() || first.chars().count() < column;
    let initial = if fits { format!("{first:<column$}") } else { hanging.clone() };
    if !fits {
        writeln!(out, "{first}")?;
    }
    let options =
        textwrap::Options::new(width.max(column + 20)).initial_indent(&initial).subsequent_indent(&hanging);
    for line in textwrap::wrap(text, options) {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::entry;

    #[test]
    fn text_hangs_beside_its_label() {
        let mut out = Vec::new();
        entry(2, "key", 8, "one two three four five six seven", 30, &mut out)
            .expect("a buffer takes everything");
        entry(2, "a-long-key", 8, "text", 30, &mut out).expect("a buffer takes everything");
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text, "  key   one two three four\n        five six seven\n  a-long-key\n        text\n");
    }
}
