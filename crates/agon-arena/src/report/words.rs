//! Numbers and strangers' words, fit for reports.

use std::time::Duration;

use agon_core::message::{Message, Messages};
use agon_match::Fault;
use agon_plot::markup::printable;

/// The most characters of a sentence that are shown.
const MAX_SENTENCE: usize = 400;

/// A stranger's text on one line without control characters or signs that reorder what follows, cut if it is long.
pub fn plain(text: &str) -> String {
    let mut plain: String = text.chars().take(MAX_SENTENCE).map(printable).collect();
    if text.chars().nth(MAX_SENTENCE).is_some() {
        plain.push('…');
    }
    plain
}

/// A player's name as reports show it: never empty, and no longer than a line.
pub fn name_text(name: &str) -> String {
    const MAX_NAME: usize = 60;
    let name = plain(name);
    if name.trim().is_empty() {
        return "(no name)".to_owned();
    }
    if name.chars().nth(MAX_NAME).is_none() {
        return name;
    }
    name.chars().take(MAX_NAME).chain(std::iter::once('…')).collect()
}

/// Points: `3`, `-2`, `0.5`.
pub(super) fn points_text(points: f64) -> String {
    let text = format!("{points:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A rating: `+212 ± 61`.
pub fn elo_text((elo, error): (f64, f64)) -> String {
    // The sum does away with a negative zero.
    format!("{:+.0} ± {error:.0}", elo.round() + 0.0).replace('-', "−")
}

/// A time for people: `0.3 ms`, `12 ms`, `1.25 s`.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 0.000_1 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 0.01 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}

/// What reports and servers say about offences, in all languages.
pub static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("../messages/en.txt")), ("he", include_str!("../messages/he.txt"))]);

/// What an author has to know about an offence: the rule, and how to fix it.
pub fn advice(fault: Fault) -> (Message, Message) {
    let say = |what: &str| MESSAGES.say(format!("offence.{}.{what}", fault.word()), []);
    (say("rule"), say("fix"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_write_them() {
        assert_eq!(
            [3.0, -2.0, 0.5, -0.0, 1.25, 10.0].map(points_text),
            ["3", "-2", "0.5", "0", "1.25", "10"]
        );
        assert_eq!(
            [(211.7, 61.4), (-31.2, 55.0), (-0.2, 5.0)].map(elo_text),
            ["+212 ± 61", "−31 ± 55", "+0 ± 5"]
        );
        let times =
            [45e-6, 0.0003, 0.0125, 0.5, 1.25].map(|seconds| time_text(Duration::from_secs_f64(seconds)));
        assert_eq!(times, ["45 µs", "0.3 ms", "12 ms", "500 ms", "1.25 s"]);
    }

    #[test]
    fn every_offence_is_explained_in_both_languages() {
        MESSAGES.check().expect("the catalogues hold");
        for language in ["en", "he"] {
            let own = MESSAGES.own(language).expect("it is spoken");
            for fault in Fault::ALL {
                let (rule, fix) = advice(fault);
                assert!(own.get(&rule.key).is_some() && own.get(&fix.key).is_some(), "{fault} in {language}");
            }
            assert_eq!(own.iter().count(), 2 * Fault::ALL.len());
        }
    }

    #[test]
    fn strangers_words_stay_on_their_line() {
        assert_eq!(plain("a\nb\u{1b}[2Jc\u{202e}d"), "a b\u{fffd}[2Jc\u{fffd}d");
        assert_eq!(plain(&"x".repeat(1 << 20)).chars().count(), 401);
        assert_eq!(["a b", " \n", ""].map(name_text), ["a b", "(no name)", "(no name)"]);
        assert_eq!(name_text(&"x".repeat(1 << 20)).chars().count(), 61);
    }
}
