//! Results as text.

use agon_core::text::counted;

use agon_arena::report::words::plain;

use crate::count::Estimate;
use crate::messages;
use crate::results::{EffectResult, Results, Verdict};
use crate::summary::{self, elo_text, percent};

/// What a setting is called.
pub(super) fn setting_name(results: &Results, setting: usize) -> String {
    plain(&messages::name(&results.settings[setting].name).text)
}

/// What a circumstance is called.
pub(super) fn place(results: &Results, circumstance: usize) -> String {
    plain(&results.circumstances[circumstance].name)
}

/// What a main effect is about.
pub(super) fn effect_name(results: &Results, effect: &EffectResult) -> String {
    let [setting, opponent] = [effect.setting, effect.opponent].map(|index| setting_name(results, index));
    if results.all_against_all { format!("{setting} against {opponent}") } else { setting }
}

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
pub(super) fn elo(differences: [Option<f64>; 3]) -> String {
    let end = |elo: Option<f64>, infinite: &str| elo.map_or_else(|| infinite.to_owned(), elo_text);
    match differences {
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

/// A difference of depth, if it was measured.
pub(super) fn depth(difference: Option<Estimate>) -> String {
    difference.map_or_else(|| "–".to_owned(), |depth| summary::depth_text(depth.value).text.into_owned())
}

/// A ratio with its interval, if it was measured.
pub(super) fn ratio(ratio: Option<Estimate>) -> String {
    let text = |Estimate { value, low, high }| format!("× {value:.2} ({low:.2} to {high:.2})");
    ratio.map_or_else(|| "–".to_owned(), text)
}

/// The results as a table for a terminal: the main effects, and what they are the means of.
pub fn table(results: &Results) -> String {
    let header = ["", "games", "score", "Elo", "verdict", "depth"].map(str::to_owned);
    let mut rows = vec![header];
    for effect in results.effects.iter().filter(|effect| effect.games > 0) {
        rows.push([
            effect_name(results, effect),
            effect.games.to_string(),
            score(effect.score),
            elo(effect.elo),
            verdict(effect.verdict).to_owned(),
            depth(effect.depth_difference),
        ]);
        if results.circumstances.len() == 1 {
            continue;
        }
        let parts = results.parts_of(effect).filter(|part| part.games > 0);
        rows.extend(parts.map(|part| {
            [
                format!("  {}", place(results, part.circumstance)),
                part.games.to_string(),
                score(part.score),
                elo(part.elo),
                verdict(part.verdict).to_owned(),
                depth(part.depth_difference),
            ]
        }));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> = (0..)
            .zip(row.iter().zip(widths))
            .map(|(column, (cell, width))| match column {
                0 | 4 | 5 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// The answer and what else was found, with a heading.
pub fn summary(results: &Results) -> String {
    let mut text = format!("{}\n", results.name);
    if !results.question.is_empty() {
        text.push_str(&format!("{}\n", results.question));
    }
    let answer: Vec<String> =
        summary::answer(results).into_iter().map(|sentence| sentence.text.into_owned()).collect();
    text.push_str(&format!("\n{}\n\n", answer.join(" ")));
    for sentence in summary::findings(results) {
        text.push_str(&format!("- {}\n", sentence.text));
    }
    text.push_str(&format!(
        "\nSeed {}, at most {} per comparison.\n",
        results.seed,
        counted(results.games_per_comparison, "game")
    ));
    text
}
