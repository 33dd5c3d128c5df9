//! The results of a study as files that people and programs read.
//!
//! | file | for |
//! | --- | --- |
//! | `report.html` | everybody: one page that needs nothing else |
//! | `summary.txt` | terminals and mails |
//! | `effects.csv`, `comparisons.csv`, `depths.csv` | spreadsheets |
//! | `results.json` | programs |
//! | `plots/*.png` | slides and papers |

mod csv;
mod html;
mod plots;
mod text;

use std::path::Path;
use std::{fs, io};

use agon_files::replace_derived;
use agon_plot::Theme;

use crate::results::Results;
use crate::run::StudyError;

pub use html::page as html;
pub use plots::{Part, Plot, plots};
pub use text::{summary, table};

/// The name of the results for programs, from which all other files can be made.
pub const RESULTS: &str = "results.json";
/// The names of all files but the PNG.
pub const FILES: [&str; 6] =
    [RESULTS, "report.html", "summary.txt", "effects.csv", "comparisons.csv", "depths.csv"];

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
    for name in FILES {
        replace_derived(&dir.join(name), file(results, name)?.as_bytes())?;
    }
    Ok(())
}

/// One of [`FILES`].
///
/// # Errors
/// If there is no such file, or the results hold a number that JSON cannot hold.
pub fn file(results: &Results, name: &str) -> io::Result<String> {
    Ok(match name {
        RESULTS => json(results)?,
        "report.html" => html(results),
        "summary.txt" => summary(results),
        "effects.csv" => csv::effects(results),
        "comparisons.csv" => csv::comparisons(results),
        "depths.csv" => csv::depths(results),
        _ => return Err(io::ErrorKind::NotFound.into()),
    })
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
