//! The results of a tournament as files that people and programs read.
//!
//! | file | for |
//! | --- | --- |
//! | `report.html` | everybody: one page that needs nothing else |
//! | `report.txt` | terminals |
//! | `results.json` | programs |
//! | `table.csv`, `crosstable.csv`, `games.csv` | spreadsheets |
//! | `grades.csv` | teachers |
//! | `authors/NAME/report.txt` | the author of a player alone |
//!
//! Names and sentences come from strangers: each format has one place that makes them harmless.

mod analysis;
mod authors;
mod csv;
mod html;
mod markup;
mod text;
pub mod words;

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use crate::results::Results;
use agon_files::replace_derived;
use analysis::Analysis;

pub use authors::{author_folder, folder_name};
pub use csv::{Csv, decimal};
pub use markup::Html;

/// Writes all reports to the folder of a tournament, each file whole or not at all. [`Pace`] says how often that is worth it. They follow
/// from the games, which are stored elsewhere, so nobody waits for the disk.
///
/// # Errors
/// If a file cannot be written.
pub fn write(dir: &Path, results: &Results) -> io::Result<()> {
    let analysis = Analysis::new(results);
    let file = |name: &str, contents: &str| replace_derived(&dir.join(name), contents.as_bytes());
    file("results.json", &results.to_json(&analysis.strengths())?)?;
    file("report.html", &html::page(&analysis))?;
    file("report.txt", &text::report(&analysis))?;
    file("table.csv", &csv::table(&analysis))?;
    file("crosstable.csv", &csv::cross_table(&analysis))?;
    file("games.csv", &csv::games(&analysis))?;
    file("grades.csv", &csv::grades(&analysis))?;
    for row in &analysis.table.rows {
        let folder = dir.join(author_folder(dir, &row.name));
        fs::create_dir_all(&folder)?;
        replace_derived(&folder.join("report.txt"), authors::report(&analysis, row).as_bytes())?;
    }
    Ok(())
}

/// The table as text, for a terminal.
pub fn table_text(results: &Results) -> String {
    text::table(&Analysis::new(results))
}

/// The whole report as text.
pub fn text(results: &Results) -> String {
    text::report(&Analysis::new(results))
}

/// The report as one self-contained HTML page.
pub fn html(results: &Results) -> String {
    html::page(&Analysis::new(results))
}

/// How often reports are written while games are being played: so that they are fresh, and take at most a twentieth of the time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// When the next report is due.
    next: Duration,
}

impl Pace {
    /// The shortest time between two reports.
    const SHORTEST: Duration = Duration::from_secs(2);

    /// Whether a report is due at this time of any clock that started at 0.
    pub fn is_due(&self, now: Duration) -> bool {
        now >= self.next.max(Self::SHORTEST)
    }

    /// Notes that a report was written.
    pub fn wrote(&mut self, began: Duration, ended: Duration) {
        self.next = ended + Self::SHORTEST.max(20 * ended.saturating_sub(began));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_take_a_small_part_of_the_time() {
        let mut pace = Pace::default();
        let at = Duration::from_millis;
        // A tournament of a second needs one report, at its end.
        assert!(!pace.is_due(at(1000)));
        assert!(pace.is_due(at(2000)));
        pace.wrote(at(2000), at(2010));
        assert!(!pace.is_due(at(4000)));
        assert!(pace.is_due(at(4010)));
        pace.wrote(at(4010), at(5010));
        assert!(!pace.is_due(at(25_000)));
        assert!(pace.is_due(at(25_010)));
    }
}
