//! What a study comes to, in plain language.

use std::collections::BTreeMap;

use agon_core::text::counted;

use crate::count::Estimate;
use crate::results::{ComparisonResult, Results, State, Verdict};

/// The most sentences of one kind.
const MAX_LISTED: usize = 12;

/// The summary, a sentence each: what was played, what mattered, what could not be told, and what things cost.
pub(crate) fn sentences(results: &Results) -> Vec<String> {
    let mut all = vec![frame(results)];
    all.extend(strength(results));
    all.extend(open(results));
    all.extend(idle(results));
    all.extend(effort(results));
    all.extend(observed(results));
    all.extend(warnings(results));
    all
}

/// A share as a percentage, with a digit after the point where it is near a half but is not one.
pub(crate) fn percent(share: f64) -> String {
    let from_half = (share - 0.5).abs();
    let digits = usize::from(from_half > 1e-9 && from_half < 0.01);
    format!("{:.digits$}%", 100.0 * share)
}

/// A difference in Elo, with its sign.
pub(crate) fn elo_text(elo: f64) -> String {
    format!("{:+.0}", elo.round() + 0.0).replace('-', "−")
}

fn frame(results: &Results) -> String {
    let comparisons = results.comparisons.len();
    let state = match results.state {
        State::Finished => "",
        State::Running => " so far",
        State::Stopped => " before it was stopped",
    };
    let kind = if results.quick { "a quick study with fixed nodes: " } else { "" };
    let family =
        if comparisons == 1 { "the claim below is" } else { "all claims below about strength together are" };
    let peeking =
        if results.early_stopping { ", although comparisons end as soon as they are clear" } else { "" };
    let text = format!(
        "{kind}{} with {}{state}; {family} wrong with a probability of at most {}{peeking}.",
        counted(comparisons, "comparison"),
        counted(results.games() as usize, "game"),
        percent(results.error),
    );
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The comparisons that came to a claim, the greatest difference first.
fn strength(results: &Results) -> Vec<String> {
    let mut clear: Vec<&ComparisonResult> =
        results.comparisons.iter().filter(|comparison| comparison.verdict != Verdict::Open).collect();
    clear.sort_by(|one, other| {
        let far = |comparison: &ComparisonResult| (comparison.score.value - 0.5).abs();
        far(other).total_cmp(&far(one))
    });
    if clear.is_empty() {
        return vec!["No setting was shown to be stronger or weaker than its opponent.".to_owned()];
    }
    let mut sentences: Vec<String> =
        clear.iter().take(MAX_LISTED).map(|comparison| claim(results, comparison)).collect();
    if clear.len() > MAX_LISTED {
        let more = clear.len() - MAX_LISTED;
        sentences.push(format!(
            "{} more showed a smaller difference; the table lists them.",
            counted(more, "comparison")
        ));
    }
    sentences
}

fn claim(results: &Results, comparison: &ComparisonResult) -> String {
    let word = if comparison.verdict == Verdict::Stronger { "stronger" } else { "weaker" };
    let opponent = if results.all_against_all {
        results.settings[comparison.opponent].name.clone()
    } else {
        "the reference".to_owned()
    };
    let place = place(results, comparison);
    let Estimate { value, low, high } = comparison.score;
    let elo = comparison.elo[0].map_or_else(String::new, |elo| format!(", about {} Elo", elo_text(elo)));
    format!(
        "{} is {word} than {opponent}{place}: it scored {} ({} to {}) in {}{elo}.",
        results.settings[comparison.setting].name,
        percent(value),
        percent(low),
        percent(high),
        counted(comparison.games as usize, "game"),
    )
}

fn place(results: &Results, comparison: &ComparisonResult) -> String {
    if results.circumstances.len() > 1 {
        format!(" with {}", results.circumstances[comparison.circumstance].name)
    } else {
        String::new()
    }
}

/// What could not be told apart, and how large a difference might have been missed.
fn open(results: &Results) -> Vec<String> {
    let open: Vec<&ComparisonResult> = results
        .comparisons
        .iter()
        .filter(|comparison| comparison.verdict == Verdict::Open && comparison.games > 0)
        .collect();
    if open.is_empty() {
        return Vec::new();
    }
    let low = open.iter().map(|comparison| comparison.score.low).fold(1.0, f64::min);
    let high = open.iter().map(|comparison| comparison.score.high).fold(0.0, f64::max);
    let names: Vec<String> =
        open.iter().take(MAX_LISTED).map(|comparison| results.label(comparison)).collect();
    let more = if open.len() > MAX_LISTED {
        format!(" and {} more", open.len() - MAX_LISTED)
    } else {
        String::new()
    };
    let shown = if open.len() == results.comparisons.len() {
        ""
    } else {
        "No difference in strength could be shown for "
    };
    if shown.is_empty() {
        return vec![format!(
            "That does not mean that there is no difference: true scores may lie anywhere between {} and {}.",
            percent(low),
            percent(high)
        )];
    }
    vec![format!(
        "{shown}{}{more}; their true scores may lie anywhere between {} and {}.",
        names.join("; "),
        percent(low),
        percent(high)
    )]
}

/// Settings that searched exactly as many nodes as their opponents in every game and split every pair: what they change never came to
/// bear.
fn idle(results: &Results) -> Option<String> {
    let is_idle = |comparison: &&ComparisonResult| {
        let is_same = |ratio: Estimate| ratio.low == 1.0 && ratio.high == 1.0;
        comparison.score.value == 0.5
            && comparison.nodes_ratio.is_some_and(is_same)
            && comparison.sides[0].moves == comparison.sides[1].moves
    };
    let names: Vec<String> =
        results.comparisons.iter().filter(is_idle).map(|comparison| results.label(comparison)).collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| {
        let names = names[..names.len() - more].join("; ");
        format!("What they change never came to bear, since they played exactly like their opponents: {names}{rest}.")
    })
}

/// What settings cost or saved, where that is beyond chance, by setting over all circumstances.
fn effort(results: &Results) -> Vec<String> {
    if results.all_against_all {
        return Vec::new();
    }
    let mut by_setting: BTreeMap<usize, Vec<&ComparisonResult>> = BTreeMap::new();
    for comparison in &results.comparisons {
        by_setting.entry(comparison.setting).or_default().push(comparison);
    }
    let mut sentences = Vec::new();
    for (setting, comparisons) in by_setting {
        let nodes = span(comparisons.iter().filter_map(|comparison| comparison.nodes_ratio), 1.0);
        let depth = span(comparisons.iter().filter_map(|comparison| comparison.depth_difference), 0.0);
        let mut parts = Vec::new();
        if let Some((low, high)) =
            nodes.filter(|(low, high)| (low - 1.0).abs().max((high - 1.0).abs()) > 0.02)
        {
            parts.push(format!("{} the reference's nodes per move", range(low, high, 2, "× ")));
        }
        if let Some((low, high)) = depth.filter(|(low, high)| low.abs().max(high.abs()) > 0.05) {
            parts.push(format!("a depth that differs by {} plies", range(low, high, 2, "")));
        }
        if !parts.is_empty() {
            sentences.push(format!("{}: {}.", results.settings[setting].name, parts.join(", and ")));
        }
    }
    let more = sentences.len().saturating_sub(MAX_LISTED);
    sentences.truncate(MAX_LISTED);
    if more > 0 {
        sentences.push(format!("{} more differ in effort; the table lists them.", counted(more, "setting")));
    }
    sentences
}

/// The smallest and the largest of the values whose intervals lie on one side of `none`; `None` if there is no such value.
fn span(estimates: impl Iterator<Item = Estimate>, none: f64) -> Option<(f64, f64)> {
    let clear = estimates.filter(|estimate| estimate.low > none || estimate.high < none);
    clear.fold(None, |span, estimate| {
        let (low, high) = span.unwrap_or((estimate.value, estimate.value));
        Some((low.min(estimate.value), high.max(estimate.value)))
    })
}

fn range(low: f64, high: f64, digits: usize, sign: &str) -> String {
    let text = |value: f64| format!("{value:.digits$}").replace('-', "−");
    if text(low) == text(high) {
        format!("{sign}{}", text(low))
    } else {
        format!("{sign}{} to {sign}{}", text(low), text(high))
    }
}

/// What was observed in the games.
fn observed(results: &Results) -> Vec<String> {
    let sentence = |observation: &crate::results::ObservationResult| {
        let place = if results.circumstances.len() > 1 {
            format!(" ({})", results.circumstances[observation.circumstance].name)
        } else {
            String::new()
        };
        let [seen, all] = observation.games;
        format!(
            "{}{place}: {:.1} on average, in {seen} of {}.",
            observation.name,
            observation.mean,
            counted(all as usize, "game")
        )
    };
    results.observations.iter().map(sentence).collect()
}

fn warnings(results: &Results) -> Vec<String> {
    let mut sentences = Vec::new();
    let (faults, cut) = results
        .comparisons
        .iter()
        .fold((0, 0), |(faults, cut), comparison| (faults + comparison.faults, cut + comparison.cut));
    if faults > 0 {
        let first = results.comparisons.iter().find_map(|comparison| comparison.fault.clone());
        let games = counted(faults as usize, "game");
        sentences
            .push(format!("Caution: {games} ended by a fault of a bot ({}).", first.unwrap_or_default()));
    }
    if cut > 0 {
        sentences.push(format!(
            "{} reached the limit of plies and count as draws.",
            counted(cut as usize, "game")
        ));
    }
    sentences
}
