//! Text inside XML and HTML.

/// The character itself, or what is shown in its place: a blank for one that would end the line, the replacement character for other
/// control characters and for signs that reorder what follows, with which a name could pass for another.
pub fn printable(char: char) -> char {
    match char {
        '\n' | '\r' | '\t' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        char if char.is_control() => '\u{fffd}',
        char => char,
    }
}

/// The text with everything escaped that could end or begin markup, fit for content and for attributes in double or single
/// quotes; only [`printable`] characters are left.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars().map(printable) {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_could_be_markup_is_left() {
        assert_eq!(escape("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(escape("a\0b\u{1b}c\u{202e}d\ne"), "a\u{fffd}b\u{fffd}c\u{fffd}d e");
        assert_eq!(escape("שלום – 8×8"), "שלום – 8×8");
    }
}
