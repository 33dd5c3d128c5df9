//! Numbers and strangers' words, fit for reports.

use std::time::Duration;

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
pub(super) fn name_text(name: &str) -> String {
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

/// What an author has to know about an offence: the rule, and how to fix it.
pub(super) fn advice(fault: Fault) -> (&'static str, &'static str) {
    match fault {
        Fault::Time => (
            "A move must arrive within the time per move. The referee allows a grace of 20 ms, and unused time is not saved for later \
             moves.",
            "Look at the clock inside your search, every few thousand nodes, and stop at 80 to 90% of the limit with the best move \
             found so far. Look for loops that may never end. Starting up, loading and garbage collection count too.",
        ),
        Fault::Illegal => (
            "A move must be one of the legal moves, written exactly as the referee lists them.",
            "Choose from the list `legal` of the move message. If you generate moves yourself, compare them with that list in a test, \
             and check the order of coordinates, the far side of the board, and positions in which you must pass.",
        ),
        Fault::Setup => (
            "A program must start and say that it is ready within the setup time.",
            "Try the command on another computer: are all files submitted, is the interpreter the right one, are paths relative to \
             your folder? Move slow preparations to the first moves.",
        ),
        Fault::Crash => (
            "A program must keep running until its input closes.",
            "Read the end of the log of that game: the error message of your program is there. Positions without a choice, a full \
             board and the last turns are where most programs fail.",
        ),
        Fault::Protocol => (
            "Every answer is one line that holds one JSON object of the kind that was asked for.",
            "Compare what your program wrote, in the log of that game, with the protocol. End every line, and flush standard output \
             after it.",
        ),
        Fault::Printing => (
            "Standard output belongs to the protocol: nothing may be printed there but answers, one for each question.",
            "Remove debugging output, or print it to standard error, which is kept for you in the log.",
        ),
        Fault::Memory => (
            "A program may not use more memory than the tournament allows.",
            "Bound your tables: give transposition tables a fixed number of entries, and do not keep whole game trees.",
        ),
        Fault::Threads => (
            "A program may not use more threads or processes than the tournament allows.",
            "Search in one thread. Libraries may start threads of their own: limit them (for example `OMP_NUM_THREADS=1`), or do \
             without.",
        ),
        Fault::Network => (
            "A program may not use the network.",
            "Remove everything that opens a connection, including downloads, telemetry and name lookups by libraries.",
        ),
        Fault::Files => (
            "A program may read its own folder and write to its scratch folder; all other files are out of bounds.",
            "Keep what you need in your own folder and name it by a relative path. Write temporary files to the folder that `TMPDIR` \
             names.",
        ),
        Fault::Resigned => ("A player who resigns has lost.", "Nothing is wrong with the program."),
    }
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
    fn strangers_words_stay_on_their_line() {
        assert_eq!(plain("a\nb\u{1b}[2Jc\u{202e}d"), "a b\u{fffd}[2Jc\u{fffd}d");
        assert_eq!(plain(&"x".repeat(1 << 20)).chars().count(), 401);
        assert_eq!(["a b", " \n", ""].map(name_text), ["a b", "(no name)", "(no name)"]);
        assert_eq!(name_text(&"x".repeat(1 << 20)).chars().count(), 61);
    }
}
