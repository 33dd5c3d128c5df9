//! What a study comes to, in plain language: messages, so that it can be said in every language.

use std::collections::BTreeMap;

use agon_core::message::{Message, Value};

use crate::count::Estimate;
use crate::messages::{self, MESSAGES};
use crate::results::{ComparisonResult, Results, State, Verdict};

/// The most sentences of one kind.
const MAX_LISTED: usize = 12;

/// The summary, a sentence each: what was played, what mattered, what could not be told, and what things cost.
pub fn summary(results: &Results) -> Vec<Message> {
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

fn frame(results: &Results) -> Message {
    let comparisons = results.comparisons.len() as u64;
    let key = match results.state {
        State::Finished => "played",
        State::Running => "played.running",
        State::Stopped => "played.stopped",
    };
    let counted = MESSAGES.say("comparisons", [("n", comparisons.into())]);
    let mut played =
        MESSAGES.say(key, [("comparisons", counted.into()), ("games", messages::games(results.games()))]);
    if results.quick {
        played = MESSAGES.say("played.quick", [("played", played.into())]);
    }
    let error = percent(results.error);
    let mut claims = MESSAGES.say("claims", [("n", comparisons.into()), ("error", error.into())]);
    if results.early_stopping {
        claims = MESSAGES.say("claims.early", [("claims", claims.into())]);
    }
    MESSAGES.say("summary.frame", [("played", played.into()), ("claims", claims.into())])
}

/// The comparisons that came to a claim, the greatest difference first.
fn strength(results: &Results) -> Vec<Message> {
    let mut clear: Vec<&ComparisonResult> =
        results.comparisons.iter().filter(|comparison| comparison.verdict != Verdict::Open).collect();
    clear.sort_by(|one, other| {
        let far = |comparison: &ComparisonResult| (comparison.score.value - 0.5).abs();
        far(other).total_cmp(&far(one))
    });
    if clear.is_empty() {
        return vec![MESSAGES.say("summary.no-claim", [])];
    }
    let more = clear.len().saturating_sub(MAX_LISTED);
    let shown = clear.iter().take(MAX_LISTED).map(|comparison| claim(results, comparison));
    shown.chain(and_more("summary.more-claims", more)).collect()
}

/// A sentence about so many more things than were listed, if there are any.
fn and_more(key: &'static str, more: usize) -> Option<Message> {
    (more > 0).then(|| MESSAGES.say(key, [("n", (more as u64).into())]))
}

fn claim(results: &Results, comparison: &ComparisonResult) -> Message {
    let opponent: Value = if results.all_against_all {
        results.settings[comparison.opponent].name.clone().into()
    } else {
        MESSAGES.say("reference", []).into()
    };
    let Estimate { value, low, high } = comparison.score;
    let [score, low, high] = [value, low, high].map(|share| Value::from(percent(share)));
    let games = messages::games(comparison.games);
    let scored = [("score", score), ("low", low), ("high", high), ("games", games)];
    let result = match comparison.elo[0] {
        Some(elo) => {
            let [score, low, high, games] = scored;
            MESSAGES.say("scored-elo", [score, low, high, games, ("elo", elo_text(elo).into())])
        }
        None => MESSAGES.say("scored", scored),
    };
    let setting: Value = results.settings[comparison.setting].name.clone().into();
    let is_stronger = comparison.verdict == Verdict::Stronger;
    let parts = [("setting", setting), ("opponent", opponent), ("result", result.into())];
    match place(results, comparison.circumstance) {
        Some(place) => {
            let key = if is_stronger { "summary.stronger-with" } else { "summary.weaker-with" };
            let [setting, opponent, result] = parts;
            MESSAGES.say(key, [setting, opponent, result, ("place", place)])
        }
        None => MESSAGES.say(if is_stronger { "summary.stronger" } else { "summary.weaker" }, parts),
    }
}

/// The name of a circumstance, if there are several.
fn place(results: &Results, circumstance: usize) -> Option<Value> {
    (results.circumstances.len() > 1).then(|| results.circumstances[circumstance].name.clone().into())
}

/// The same, with the circumstance behind it if there are several.
fn placed(results: &Results, circumstance: usize, what: Value) -> Value {
    match place(results, circumstance) {
        Some(place) => MESSAGES.say("at", [("what", what), ("place", place)]).into(),
        None => what,
    }
}

/// What a comparison is about: the setting, the opponent if it is not always the same, and the circumstances if there are several.
pub(crate) fn label(results: &Results, comparison: &ComparisonResult) -> Value {
    let name = |setting: usize| Value::from(results.settings[setting].name.clone());
    let mut label = name(comparison.setting);
    if results.all_against_all {
        let parts = [("setting", label), ("opponent", name(comparison.opponent))];
        label = MESSAGES.say("against", parts).into();
    }
    placed(results, comparison.circumstance, label)
}

/// The labels of comparisons in one sentence, the first of them if there are many; `None` if there are none.
fn names(results: &Results, comparisons: &[&ComparisonResult]) -> Option<Value> {
    let labels = comparisons.iter().take(MAX_LISTED).map(|comparison| label(results, comparison));
    let names =
        labels.reduce(|first, second| MESSAGES.say("list", [("first", first), ("second", second)]).into())?;
    let more = comparisons.len().saturating_sub(MAX_LISTED) as u64;
    Some(match more {
        0 => names,
        _ => MESSAGES.say("list-more", [("names", names), ("n", more.into())]).into(),
    })
}

/// What could not be told apart, and how large a difference might have been missed.
fn open(results: &Results) -> Option<Message> {
    let open: Vec<&ComparisonResult> = results
        .comparisons
        .iter()
        .filter(|comparison| comparison.verdict == Verdict::Open && comparison.games > 0)
        .collect();
    let low = open.iter().map(|comparison| comparison.score.low).fold(1.0, f64::min);
    let high = open.iter().map(|comparison| comparison.score.high).fold(0.0, f64::max);
    let ends = [("low", percent(low).into()), ("high", percent(high).into())];
    let names = names(results, &open)?;
    if open.len() == results.comparisons.len() {
        return Some(MESSAGES.say("summary.all-open", ends));
    }
    let [low, high] = ends;
    Some(MESSAGES.say("summary.open", [("names", names), low, high]))
}

/// Settings that searched exactly as many nodes as their opponents in every game and split every pair: what they change never came to
/// bear.
fn idle(results: &Results) -> Option<Message> {
    let is_idle = |comparison: &&ComparisonResult| {
        let is_same = |ratio: Estimate| ratio.low == 1.0 && ratio.high == 1.0;
        comparison.score.value == 0.5
            && comparison.nodes_ratio.is_some_and(is_same)
            && comparison.sides[0].moves == comparison.sides[1].moves
    };
    let idle: Vec<&ComparisonResult> = results.comparisons.iter().filter(is_idle).collect();
    names(results, &idle).map(|names| MESSAGES.say("summary.idle", [("names", names)]))
}

/// What settings cost or saved, where that is beyond chance, by setting over all circumstances.
fn effort(results: &Results) -> Vec<Message> {
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
        let nodes = nodes.filter(|(low, high)| (low - 1.0).abs().max((high - 1.0).abs()) > 0.02);
        let depth = span(comparisons.iter().filter_map(|comparison| comparison.depth_difference), 0.0);
        let depth = depth.filter(|(low, high)| low.abs().max(high.abs()) > 0.05);
        let name = ("setting", Value::from(results.settings[setting].name.clone()));
        let ratio = nodes.map(|ends| ("ratio", range(ends, "× ")));
        let difference = depth.map(|ends| ("difference", range(ends, "")));
        sentences.extend(match (ratio, difference) {
            (Some(ratio), Some(difference)) => {
                Some(MESSAGES.say("summary.nodes-depth", [name, ratio, difference]))
            }
            (Some(ratio), None) => Some(MESSAGES.say("summary.nodes", [name, ratio])),
            (None, Some(difference)) => Some(MESSAGES.say("summary.depth", [name, difference])),
            (None, None) => None,
        });
    }
    let more = sentences.len().saturating_sub(MAX_LISTED);
    sentences.truncate(MAX_LISTED);
    sentences.extend(and_more("summary.more-effort", more));
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

fn range((low, high): (f64, f64), sign: &str) -> Value {
    let text = |value: f64| format!("{sign}{value:.2}").replace('-', "−");
    let [low, high] = [low, high].map(text);
    if low == high {
        return low.into();
    }
    MESSAGES.say("range", [("low", low.into()), ("high", high.into())]).into()
}

/// What was observed in the games.
fn observed(results: &Results) -> Vec<Message> {
    let sentence = |observation: &crate::results::ObservationResult| {
        let what = messages::observation(&observation.name).into();
        let [seen, all] = observation.games;
        let mean = format!("{:.1}", observation.mean);
        let what = placed(results, observation.circumstance, what);
        let parts =
            [("what", what), ("mean", mean.into()), ("m", seen.into()), ("games", messages::games(all))];
        MESSAGES.say("summary.observed", parts)
    };
    results.observations.iter().map(sentence).collect()
}

fn warnings(results: &Results) -> Vec<Message> {
    let mut sentences = Vec::new();
    let (faults, cut) = results
        .comparisons
        .iter()
        .fold((0, 0), |(faults, cut), comparison| (faults + comparison.faults, cut + comparison.cut));
    if faults > 0 {
        let first = results.comparisons.iter().find_map(|comparison| comparison.fault.clone());
        let fault = first.unwrap_or_default().into();
        sentences
            .push(MESSAGES.say("summary.faults", [("games", messages::games(faults)), ("fault", fault)]));
    }
    if cut > 0 {
        sentences.push(MESSAGES.say("summary.cut", [("n", cut.into())]));
    }
    sentences
}
