//! The state of a tournament or a study while it is played: a bar, the time left and what there is to see on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use agon_arena::experiment::Progress;
use agon_core::text::{counted, duration_text};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often the table is drawn anew.
const EVERY: Duration = Duration::from_millis(500);
/// How often a line is printed where nobody sees a bar.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The most lines below the bar.
const MAX_LINES: usize = 14;

/// What is shown while games are played; it goes when this is dropped.
pub(crate) struct Live {
    bar: ProgressBar,
    /// Whether lines are printed instead of a bar.
    is_plain: bool,
    began: Instant,
    drawn: Instant,
    /// Games that were played in this run.
    played: usize,
}

impl Live {
    /// Nothing yet. `is_hidden` leaves the terminal to others.
    pub(crate) fn new(is_hidden: bool) -> Self {
        let bar = ProgressBar::new(0);
        if is_hidden {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        // The template is ours; if it were wrong the plain style would do.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {prefix}\n{msg}") {
            bar.set_style(style);
        }
        let (is_plain, now) = (!io::stderr().is_terminal(), Instant::now());
        Self { bar, is_plain, began: now, drawn: now, played: 0 }
    }

    /// Shows how far it has come, if it last did so some time ago. The details stand below the bar.
    pub(crate) fn show(&mut self, progress: Progress) {
        let Progress { done, total, is_new, details } = progress;
        self.played += usize::from(is_new);
        if self.drawn.elapsed() < if self.is_plain { LINE_EVERY } else { EVERY } {
            return;
        }
        let left = progress.time_left(self.played, self.began.elapsed()).map_or_else(String::new, |left| {
            format!(", about {} left", duration_text(Duration::from_secs(left.as_secs().max(1))))
        });
        let state = format!("{done} of {} played{left}", counted(total, "game"));
        if self.is_plain {
            let _ = writeln!(io::stderr(), "{state}");
        } else {
            self.bar.set_length(total as u64);
            self.bar.set_position(done as u64);
            self.bar.set_prefix(state);
            let details = details();
            self.bar.set_message(details.lines().take(MAX_LINES).collect::<Vec<_>>().join("\n"));
        }
        self.drawn = Instant::now();
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
