//! Strict reading of small pieces of text, and safe quoting of what could not be read.

use std::fmt::{Display, Write};
use std::ops::RangeInclusive;
use std::time::Duration;

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

/// Reads a decimal such as `3`, `0.25` or `-1.5`: digits, at most one point with digits on both sides, at most
/// a minus before them.
///
/// # Errors
/// A phrase that names the text and what was expected.
pub fn decimal(text: &str) -> Result<f64, String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // Sixteen digits are all that the number can hold.
    if !is_plain(whole) || !is_plain(fraction) || digits.len() > 17 {
        return Err(format!("{} is not a decimal number such as 0.25", quote(text)));
    }
    text.parse().map_err(|_| format!("{} is not a decimal number such as 0.25", quote(text)))
}

/// Reads a span of time with its unit: `250ms`, `0.5s`, `2s`, `1m`.
///
/// # Errors
/// A phrase that names the text and what was expected; a bare number is refused.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0)];
    let found = units.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, *seconds)));
    let value = found.and_then(|(digits, seconds)| Some(decimal(digits).ok()? * seconds));
    value
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("{} is not a time with its unit, such as 250ms, 0.5s, 2s or 1m", quote(text)))
}

/// A span of time as [`duration`] reads it.
pub fn duration_text(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 60.0 && seconds % 60.0 == 0.0 => format!("{}m", seconds / 60.0),
        seconds if seconds >= 1.0 => format!("{seconds}s"),
        seconds => format!("{}ms", seconds * 1000.0),
    }
}

/// A moment in UTC, in seconds since 1970, as records write it: `YYYY-MM-DDTHH:MM:SSZ`.
pub fn date_text(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years from March on, in eras of 400 years of 146,097 days each (Hinnant, "chrono-compatible low-level date algorithms",
    // https://howardhinnant.github.io/date_algorithms.html).
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

/// `1 row`, `2 rows`: a number of things for people.
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A whole number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

/// What to tell somebody who asked for a `name` that is not among the candidates.
pub fn advice<'a>(name: &str, candidates: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(name, candidates.clone()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => format!("choose {}", or_list(candidates)),
    }
}

/// The candidate nearest to a misspelt `name`, if any is near enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Edit distance is quadratic; nobody misspells a name at such length.
    if name.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name.to_lowercase(), candidate), candidate))
        .filter(|(distance, candidate)| 2 * distance < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_from_the_right() {
        assert_eq!(
            [0, 999, 1000, 12_345, 1_234_567].map(grouped),
            ["0", "999", "1,000", "12,345", "1,234,567"]
        );
    }

    #[test]
    fn numbers_are_plain_decimals_within_their_range() {
        assert_eq!(number("0", 0..=5), Ok(0));
        assert_eq!(number("5", 0..=5), Ok(5));
        for bad in ["", "00", "05", "+1", "-1", "6", " 1", "1 ", "1.0", "٣", "99999999999999999999"] {
            assert!(number(bad, 0..=5).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn times_have_a_unit_and_are_written_as_they_are_read() {
        for (text, milliseconds) in [("250ms", 250), ("0.5s", 500), ("2s", 2000), ("1m", 60_000), ("0s", 0)] {
            let time = duration(text).expect(text);
            assert_eq!(time, Duration::from_millis(milliseconds), "{text}");
            assert_eq!(duration(&duration_text(time)), Ok(time), "{text}");
        }
        for bad in [
            "",
            "5",
            "-1s",
            "1 s",
            "s",
            ".5s",
            "1.s",
            "1e3s",
            "infs",
            "nanms",
            "1h",
            "1S",
            "99999999999999999999s",
        ] {
            assert!(duration(bad).is_err(), "{bad:?} was taken");
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

    #[test]
    fn near_misses_are_recognised_and_far_ones_are_not() {
        let games = ["othello", "tablut", "loa", "chinese-checkers", "2048"];
        assert_eq!(nearest("otello", games), Some("othello"));
        assert_eq!(nearest("Tablutt", games), Some("tablut"));
        assert_eq!(nearest("chinese_checkers", games), Some("chinese-checkers"));
        assert_eq!(nearest("backgammon", games), None);
        assert_eq!(nearest("go", games), None);
        assert_eq!(nearest(&"x".repeat(100_000), games), None);
    }
}
