//! The results of a study as files that people and programs read.
//!
//! | file | for |
//! | --- | --- |
//! | `report.html` | everybody: one page that needs nothing else |
//! | `summary.txt` | terminals and mails |
//! | `comparisons.csv`, `depths.csv` | spreadsheets |
//! | `results.json` | programs |
//! | `plots/*.png` | slides and papers |

mod csv;
mod html;
mod plots;
mod text;

use std::path::Path;
use std::{fs, io};

use agon_plot::Theme;
use agon_records::replace_derived;

use crate::results::Results;
use crate::run::StudyError;

pub use html::page as html;
pub use plots::{Plot, plots};
pub use text::{summary, table};

/// PNG files have twice as many pixels as the plots on the page.
const SCALE: f64 = 2.0;

/// Writes all files to the directory of a study, each of them whole or not at all.
///
/// # Errors
/// If a file cannot be written.
pub fn write(dir: &Path, results: &Results) -> Result<(), StudyError> {
    write_page(dir, results)?;
    let folder = dir.join("plots");
    fs::create_dir_all(&folder)?;
    for Plot { name, drawing, .. } in plots(results) {
        replace_derived(&folder.join(format!("{name}.png")), &drawing.to_png(Theme::Light, SCALE)?)?;
    }
    Ok(())
}

/// Writes all files but the PNG, which take longer.
///
/// # Errors
/// If a file cannot be written.
pub fn write_page(dir: &Path, results: &Results) -> Result<(), StudyError> {
    let file = |name: &str, contents: &str| replace_derived(&dir.join(name), contents.as_bytes());
    file("results.json", &json(results)?)?;
    file("report.html", &html(results))?;
    file("summary.txt", &summary(results))?;
    file("comparisons.csv", &csv::comparisons(results))?;
    file("depths.csv", &csv::depths(results))?;
    Ok(())
}

/// The results as JSON.
///
/// # Errors
/// If they hold a number that JSON cannot hold.
pub fn json(results: &Results) -> io::Result<String> {
    let mut text = serde_json::to_string_pretty(results)?;
    text.push('\n');
    Ok(text)
}
