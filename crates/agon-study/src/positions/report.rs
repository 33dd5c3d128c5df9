//! What came of a suite, as text, CSV and JSON.

use std::io;
use std::path::Path;
use std::time::Duration;

use agon_arena::report::words::time_text;
use agon_arena::report::{Csv, decimal};
use agon_core::text::grouped;
use agon_files::replace_derived;

use super::{Attempt, Outcome};
use crate::summary::percent;

/// The most positions that a table lists one by one.
const MAX_LISTED: usize = 60;

/// The table for a terminal: a line per bot, then a line per position.
pub fn table(outcome: &Outcome) -> String {
    let time = |seconds: Option<f64>| {
        seconds.map_or_else(|| "–".to_owned(), |seconds| time_text(Duration::from_secs_f64(seconds)))
    };
    let header =
        ["bot", "solved", "rate", "95% interval", "time to solution", "nodes to solution", "nodes", "time"];
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).into()];
    for bot in &outcome.bots {
        let nodes =
            bot.mean_solution_nodes.map_or_else(|| "–".to_owned(), |nodes| grouped(nodes.round() as u64));
        rows.push(vec![
            bot.bot.clone(),
            format!("{} of {}", bot.solved, bot.positions),
            percent(bot.rate),
            format!("{} to {}", percent(bot.interval.0), percent(bot.interval.1)),
            time(bot.median_solution_seconds),
            nodes,
            grouped(bot.nodes),
            time(Some(bot.seconds)),
        ]);
    }
    let mut text = aligned(&rows);
    text.push_str("\nTimes to solution are medians and nodes to solution means over the positions solved.\n");
    if outcome.attempts.len() > MAX_LISTED {
        return text;
    }
    let header = ["position", "bot", "chosen", "best", "solved", "depth", "nodes", "time"];
    let mut rows: Vec<Vec<String>> = vec![header.map(str::to_owned).into()];
    rows.extend(outcome.attempts.iter().map(|attempt| {
        vec![
            attempt.position.clone(),
            attempt.bot.clone(),
            attempt.chosen.clone(),
            attempt.best.join(" "),
            if attempt.solved { "yes" } else { "no" }.to_owned(),
            attempt.depth.to_string(),
            grouped(attempt.nodes),
            time(Some(attempt.seconds)),
        ]
    }));
    text.push('\n');
    text.push_str(&aligned(&rows));
    text
}

/// Rows of cells in columns.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The same as JSON.
///
/// # Errors
/// If it holds a number that JSON cannot hold.
pub fn json(outcome: &Outcome) -> io::Result<String> {
    let mut text = serde_json::to_string_pretty(outcome)?;
    text.push('\n');
    Ok(text)
}

/// Writes `positions.json`, `positions.csv` (a row per attempt) and `bots.csv` to a directory.
///
/// # Errors
/// If a file cannot be written.
pub fn write(dir: &Path, outcome: &Outcome) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let file = |name: &str, contents: &str| replace_derived(&dir.join(name), contents.as_bytes());
    file("positions.json", &json(outcome)?)?;
    file("positions.csv", &attempts(&outcome.attempts))?;
    file("bots.csv", &bots(outcome))
}

fn attempts(attempts: &[Attempt]) -> String {
    let mut csv = Csv::new(&[
        "position",
        "bot",
        "chosen",
        "best",
        "solved",
        "score",
        "depth",
        "nodes",
        "seconds",
        "solution_nodes",
        "solution_seconds",
    ]);
    for attempt in attempts {
        csv.row([
            attempt.position.clone(),
            attempt.bot.clone(),
            attempt.chosen.clone(),
            attempt.best.join(" "),
            attempt.solved.to_string(),
            decimal(attempt.score, 3),
            attempt.depth.to_string(),
            attempt.nodes.to_string(),
            decimal(Some(attempt.seconds), 6),
            attempt.solution_nodes.map_or_else(String::new, |nodes| nodes.to_string()),
            decimal(attempt.solution_seconds, 6),
        ]);
    }
    csv.finish()
}

fn bots(outcome: &Outcome) -> String {
    let mut csv = Csv::new(&[
        "bot",
        "positions",
        "solved",
        "rate",
        "low",
        "high",
        "median_solution_seconds",
        "mean_solution_nodes",
        "nodes",
        "seconds",
    ]);
    for bot in &outcome.bots {
        csv.row([
            bot.bot.clone(),
            bot.positions.to_string(),
            bot.solved.to_string(),
            decimal(Some(bot.rate), 4),
            decimal(Some(bot.interval.0), 4),
            decimal(Some(bot.interval.1), 4),
            decimal(bot.median_solution_seconds, 6),
            decimal(bot.mean_solution_nodes, 1),
            bot.nodes.to_string(),
            decimal(Some(bot.seconds), 6),
        ]);
    }
    csv.finish()
}
