//! The state of a tournament while it is played: a bar, the time left and the table on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use agon_arena::results::{Results, Row};
use agon_arena::tournament::{Progress, Tournament};
use agon_core::text::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use unicode_width::UnicodeWidthStr;

/// How often the table is computed anew.
const EVERY: Duration = Duration::from_millis(500);
/// How often a line is printed where nobody sees a bar.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The most rows of the live table.
const MAX_ROWS: usize = 12;

/// What is shown while games are played.
pub(super) struct Live {
    bar: ProgressBar,
    is_plain: bool,
    began: Instant,
    drawn: Option<Instant>,
    /// Games that were played in this run.
    played: usize,
    results: Option<Results>,
}

impl Live {
    pub(super) fn new(tournament: &Tournament) -> Self {
        let is_plain = !io::stderr().is_terminal();
        let bar = ProgressBar::new(tournament.planned_games().iter().sum::<usize>() as u64);
        // People need the terminal for their own board.
        if tournament.has_people() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let template = "{bar:30} {pos}/{len} games  {elapsed} (left: {eta})\n{msg}";
        // The template is ours; if it were wrong the plain style would do.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, is_plain, began: Instant::now(), drawn: None, played: 0, results: None }
    }

    /// Shows how far it has come.
    pub(super) fn show(&mut self, progress: Progress) {
        let Progress { results, planned, is_new } = progress;
        self.played += usize::from(is_new);
        let done = results.games.len();
        let every = if self.is_plain { LINE_EVERY } else { EVERY };
        let since = self.drawn.unwrap_or(self.began);
        let is_last = done == planned;
        if since.elapsed() >= every || is_last {
            self.drawn = Some(Instant::now());
            if self.is_plain {
                self.line(done, planned);
            } else {
                self.bar.set_length(planned as u64);
                self.bar.set_position(done as u64);
                self.bar.set_message(table_text(results, MAX_ROWS));
            }
        }
        // The last table is the one that is printed.
        if is_last || self.results.as_ref().is_none_or(|known| known.games.len() + 100 < done) {
            self.results = Some(results.clone());
        }
    }

    fn line(&self, done: usize, planned: usize) {
        let left = if self.played == 0 {
            String::new()
        } else {
            let each = self.began.elapsed() / self.played as u32;
            let left = each * (planned - done) as u32;
            format!(", about {} s left", left.as_secs())
        };
        let _ = writeln!(io::stderr(), "{done}/{} played{left}", counted(planned, "game"));
    }

    /// Takes the display away and gives the last results.
    pub(super) fn finish(self) -> Option<Results> {
        self.bar.finish_and_clear();
        self.results
    }
}

/// Writes the table of a tournament.
pub(super) fn write_table(results: &Results, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", table_text(results, usize::MAX))
}

fn table_text(results: &Results, most: usize) -> String {
    let rows = results.table().rows;
    let width = rows.iter().map(|row| row.name.width()).max().unwrap_or(0).max(6);
    let mut lines = vec![format!(
        "{:>5}  {}  {:>7}  {:>5}  {:>5}  {:>5}  {:>6}  {:>9}",
        "place",
        padded("player", width),
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "technical"
    )];
    lines.extend(rows.iter().take(most).map(|row| line(row, width)));
    if rows.len() > most {
        lines.push(format!("       … and {}", counted(rows.len() - most, "more player")));
    }
    lines.join("\n")
}

fn line(row: &Row, width: usize) -> String {
    let technical = format!("+{} -{}", row.technical_wins, row.technical_losses);
    let disqualified = if row.disqualified { "  disqualified" } else { "" };
    format!(
        "{:>5}  {}  {:>7}  {:>5}  {:>5}  {:>5}  {:>6}  {technical:>9}{disqualified}",
        row.place,
        padded(&row.name, width),
        row.points,
        row.games,
        row.wins,
        row.draws,
        row.losses
    )
}

/// The text with spaces up to a width that terminals show.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}
