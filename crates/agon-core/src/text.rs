//! Strict reading of small pieces of text, and safe quoting of what could not be read.

use std::fmt::{Display, Write};
use std::ops::RangeInclusive;

/// How many characters of bad input an error repeats.
const QUOTED_CHARS: usize = 40;

/// The text in quotation marks, control characters escaped, cut if it is long: fit for an error
/// message whatever somebody sent.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("'");
    for (index, char) in text.chars().enumerate() {
        if index == QUOTED_CHARS {
            quoted.push('…');
            break;
        }
        if char.is_control() || (char.is_whitespace() && char != ' ') {
            let _ = write!(quoted, "{}", char.escape_default());
        } else {
            quoted.push(char);
        }
    }
    quoted.push('\'');
    quoted
}

/// Reads a plain decimal: ASCII digits, no sign, no leading zero, within `range`.
///
/// # Errors
/// A phrase that names the text and what was expected, to be put after the name of the field.
pub fn number(text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let plain = !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    let value = if plain { text.parse().ok() } else { None };
    value.filter(|value| range.contains(value)).ok_or_else(|| {
        format!(
            "{} is not a whole number from {} to {} in plain digits",
            quote(text),
            range.start(),
            range.end()
        )
    })
}

/// `1 row`, `2 rows`: a number of things for people.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// `a, b or c`: a list for people.
pub fn or_list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [init @ .., last] => format!("{} or {last}", init.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_plain_decimals_within_their_range() {
        assert_eq!(number("0", 0..=5), Ok(0));
        assert_eq!(number("5", 0..=5), Ok(5));
        for bad in ["", "00", "05", "+1", "-1", "6", " 1", "1 ", "1.0", "٣", "99999999999999999999"] {
            assert!(number(bad, 0..=5).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn quoting_is_bounded_and_escapes_control_characters() {
        assert_eq!(quote("a\0b\n"), "'a\\u{0}b\\n'");
        assert!(quote(&"x".repeat(1 << 20)).chars().count() < 50);
    }

    #[test]
    fn lists_read_as_people_write_them() {
        assert_eq!(or_list(["a"]), "a");
        assert_eq!(or_list(["a", "b", "c"]), "a, b or c");
    }
}
