//! Results as text.

use agon_core::text::counted;

use crate::count::Estimate;
use crate::results::{ComparisonResult, Results, Verdict};
use crate::summary::{elo_text, percent};

/// A verdict in one word.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Stronger => "stronger",
        Verdict::Weaker => "weaker",
        Verdict::Open => "open",
    }
}

/// The score with its interval.
pub(super) fn score(Estimate { value, low, high }: Estimate) -> String {
    format!("{} ({} to {})", percent(value), percent(low), percent(high))
}

/// The difference in Elo with its interval, if that is finite.
pub(super) fn elo(comparison: &ComparisonResult) -> String {
    let end = |elo: Option<f64>, infinite: &str| elo.map_or_else(|| infinite.to_owned(), elo_text);
    match comparison.elo {
        [None, ..] => "–".to_owned(),
        [Some(elo), low, high] => format!("{} ({} to {})", elo_text(elo), end(low, "−∞"), end(high, "∞")),
    }
}

/// A number as the tables show it: whole if it is large.
pub(super) fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => agon_core::text::grouped(value.round() as u64),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// A share as the tables show it.
pub(super) fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:.1}%", 100.0 * value))
}

/// The comparisons as a table for a terminal.
pub fn table(results: &Results) -> String {
    let header = ["comparison", "games", "score", "Elo", "verdict", "nodes/move", "depth"].map(str::to_owned);
    let mut rows = vec![header];
    for comparison in results.comparisons.iter().filter(|comparison| comparison.games > 0) {
        let [side, other] = &comparison.sides;
        rows.push([
            results.label(comparison),
            comparison.games.to_string(),
            score(comparison.score),
            elo(comparison),
            verdict(comparison.verdict).to_owned(),
            format!("{} / {}", number(side.nodes), number(other.nodes)),
            format!("{:.2} / {:.2}", side.depth, other.depth),
        ]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = (0..)
            .zip(row.iter().zip(widths))
            .map(|(column, (cell, width))| match column {
                0 | 4 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The summary with its heading.
pub fn summary(results: &Results) -> String {
    let mut text = format!("{}\n", results.name);
    if !results.question.is_empty() {
        text.push_str(&format!("{}\n", results.question));
    }
    text.push('\n');
    for sentence in &results.summary {
        text.push_str(&format!("- {sentence}\n"));
    }
    text.push_str(&format!(
        "\nSeed {}, at most {} per comparison.\n",
        results.seed,
        counted(results.games_per_comparison, "game")
    ));
    text
}
