//! The results of a tournament as files that people and programs read.

mod authors;

use std::io;
use std::path::Path;

use agon_records::replace;

use crate::results::Results;

pub use authors::author_folder;

/// Writes all reports to the folder of a tournament, each file whole or not at all. Cheap enough to be called after every game of
/// a small tournament; callers with thousands of games should let a second pass between calls.
///
/// # Errors
/// If a file cannot be written.
pub fn write(dir: &Path, results: &Results) -> io::Result<()> {
    replace(&dir.join("results.json"), results.to_json(&[])?.as_bytes())
}
