//! What a study comes to, in plain language: messages, so that it can be said in every language.

use agon_core::message::{Message, Value};

use crate::count::Estimate;
use crate::messages::{self, MESSAGES, name};
use crate::plan::Asks;
use crate::results::{ComparisonResult, EffectResult, Results, State, Verdict};

/// The most sentences of one kind.
const MAX_LISTED: usize = 12;
/// The most settings that one sentence names.
const MAX_NAMED: usize = 6;

/// What the study asked, answered in two sentences that can be quoted.
pub fn answer(results: &Results) -> Vec<Message> {
    let mut sentences = match results.asks {
        Asks::Strength => strength(results).into(),
        Asks::Nodes => vec![effort_shown(results, &NODES), strength(results)[0].clone()],
        Asks::Time => vec![effort_shown(results, &TIME), strength(results)[0].clone()],
        Asks::Observations => observed(results),
    };
    sentences.truncate(2);
    sentences
}

/// What else is to be said, a sentence each: what was played, what single circumstances show, what things cost, and what went wrong.
pub fn findings(results: &Results) -> Vec<Message> {
    let mut all = vec![frame(results)];
    if results.version == 1 && results.circumstances.len() > 1 {
        all.push(MESSAGES.say("summary.first-version", []));
    }
    // What the answer has said already is not repeated.
    let said = match results.asks {
        Asks::Strength => 2,
        Asks::Nodes | Asks::Time => 1,
        Asks::Observations => 0,
    };
    all.extend(strength(results).into_iter().skip(said));
    all.extend(singles(results));
    all.extend(idle(results));
    all.extend(effort(results));
    if results.asks != Asks::Observations {
        all.extend(observed(results));
    }
    all.extend(warnings(results));
    all
}

/// The answer and the findings.
pub fn summary(results: &Results) -> Vec<Message> {
    answer(results).into_iter().chain(findings(results)).collect()
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

/// By how much deeper a setting searches, as people say it.
pub(crate) fn depth_text(difference: f64) -> Message {
    let plies = ("plies", Value::from(format!("{:.2}", difference.abs())));
    match difference {
        difference if difference >= 0.005 => MESSAGES.say("depth.deeper", [plies]),
        difference if difference <= -0.005 => MESSAGES.say("depth.shallower", [plies]),
        _ => MESSAGES.say("depth.same", []),
    }
}

/// Things in a row, of which the last is joined by a word; none for none.
fn all_of(things: Vec<Value>) -> Option<Value> {
    let last = things.len().saturating_sub(1);
    (0..).zip(things).fold(None, |row, (index, thing)| {
        let Some(row) = row else { return Some(thing) };
        let key = if index == last { "list.and" } else { "list.comma" };
        Some(MESSAGES.say(key, [("first", row), ("second", thing)]).into())
    })
}

/// The first of these things, and how many more there are.
fn first_of(mut things: Vec<Value>) -> Option<Value> {
    let more = things.len().saturating_sub(MAX_NAMED) as u64;
    things.truncate(MAX_NAMED);
    match more {
        0 => all_of(things),
        _ => {
            let names = things.into_iter().reduce(comma)?;
            Some(MESSAGES.say("list-more", [("names", names), ("n", more.into())]).into())
        }
    }
}

fn comma(first: Value, second: Value) -> Value {
    MESSAGES.say("list.comma", [("first", first), ("second", second)]).into()
}

fn setting(results: &Results, index: usize) -> Value {
    name(&results.settings[index].name).into()
}

fn with_interval(value: Estimate, text: impl Fn(f64) -> String) -> Value {
    let part = |part: f64| Value::from(text(part));
    let parts = [("value", part(value.value)), ("low", part(value.low)), ("high", part(value.high))];
    MESSAGES.say("interval", parts).into()
}

/// A sentence about everything that was played.
fn over_all(results: &Results, claims: Value) -> Message {
    let claims = ("claims", claims);
    match results.circumstances.len() as u64 {
        0 | 1 => MESSAGES.say("answer.in", [("games", messages::games(results.games())), claims]),
        many => MESSAGES.say("answer.over", [("n", many.into()), claims]),
    }
}

/// Which settings are shown to be stronger or weaker, and how little is known about the others.
fn strength(results: &Results) -> [Message; 2] {
    let played: Vec<&EffectResult> = results.effects.iter().filter(|effect| effect.games > 0).collect();
    let (mut shown, open): (Vec<&EffectResult>, Vec<&EffectResult>) =
        played.iter().partition(|effect| effect.verdict != Verdict::Open);
    let far = |effect: &EffectResult| (effect.score.value - 0.5).abs();
    shown.sort_by(|one, other| far(other).total_cmp(&far(one)));
    let lowest = open.iter().map(|effect| effect.score.low).fold(1.0, f64::min);
    let highest = open.iter().map(|effect| effect.score.high).fold(0.0, f64::max);
    let ends = [("low", Value::from(percent(lowest))), ("high", percent(highest).into())];
    if shown.is_empty() {
        let none = if results.all_against_all {
            MESSAGES.say("answer.none-of-all", [])
        } else {
            MESSAGES.say("answer.none", [("opponent", setting(results, 0))])
        };
        let ends = if open.is_empty() {
            [("low", percent(0.0).into()), ("high", percent(1.0).into())]
        } else {
            ends
        };
        return [over_all(results, none.into()), MESSAGES.say("answer.all-open", ends)];
    }
    let first = over_all(results, claims(results, &shown));
    let count = open.len() as u64;
    let second = match first_of(open.iter().map(|effect| effect_name(results, effect)).collect()) {
        Some(names) => {
            let [low, high] = ends;
            MESSAGES.say("answer.open", [("n", count.into()), ("names", names), low, high])
        }
        None => MESSAGES.say("answer.risk", [("error", percent(results.error).into())]),
    };
    [first, second]
}

/// What was shown, the greatest differences first: of settings against the reference those that are weaker together and those that are
/// stronger together, of all against all one after the other.
fn claims(results: &Results, shown: &[&EffectResult]) -> Value {
    let named = &shown[..shown.len().min(MAX_NAMED)];
    let clause = |key: &'static str, effects: &[(Value, Estimate)], opponent: Value| -> Option<Value> {
        let names = all_of(effects.iter().map(|(name, _)| name.clone()).collect())?;
        let scores = all_of(effects.iter().map(|(_, score)| with_interval(*score, percent)).collect())?;
        let parts = [
            ("n", (effects.len() as u64).into()),
            ("names", names),
            ("opponent", opponent),
            ("scores", scores),
        ];
        Some(MESSAGES.say(key, parts).into())
    };
    let mut clauses: Vec<Value> = Vec::new();
    if results.all_against_all {
        // The stronger one first, whichever is called the setting.
        clauses.extend(named.iter().filter_map(|effect| {
            let (winner, loser, score) = match effect.verdict {
                Verdict::Stronger => (effect.setting, effect.opponent, effect.score),
                _ => (effect.opponent, effect.setting, effect.score.reversed()),
            };
            clause("answer.stronger", &[(setting(results, winner), score)], setting(results, loser))
        }));
    } else {
        for (key, verdict) in [("answer.weaker", Verdict::Weaker), ("answer.stronger", Verdict::Stronger)] {
            let effects: Vec<(Value, Estimate)> = named
                .iter()
                .filter(|effect| effect.verdict == verdict)
                .map(|effect| (setting(results, effect.setting), effect.score))
                .collect();
            clauses.extend(clause(key, &effects, setting(results, 0)));
        }
    }
    let more = (shown.len() - named.len()) as u64;
    if more > 0 {
        clauses.push(MESSAGES.say("answer.more", [("n", more.into())]).into());
    }
    let join = |first: Value, second: Value| -> Value {
        MESSAGES.say("answer.and", [("first", first), ("second", second)]).into()
    };
    clauses.into_iter().reduce(join).unwrap_or_else(|| String::new().into())
}

/// What a main effect is about.
fn effect_name(results: &Results, effect: &EffectResult) -> Value {
    pair_name(results, effect.setting, effect.opponent)
}

fn pair_name(results: &Results, one: usize, other: usize) -> Value {
    if !results.all_against_all {
        return setting(results, one);
    }
    MESSAGES
        .say("against", [("setting", setting(results, one)), ("opponent", setting(results, other))])
        .into()
}

/// What a setting can need more of.
struct Effort {
    ratio: fn(&EffectResult) -> Option<Estimate>,
    shown: &'static str,
    none: &'static str,
}

const NODES: Effort =
    Effort { ratio: |effect| effect.nodes_ratio, shown: "answer.more-nodes", none: "answer.no-nodes" };
const TIME: Effort =
    Effort { ratio: |effect| effect.seconds_ratio, shown: "answer.more-time", none: "answer.no-time" };

/// What settings need more or less of, the greatest differences first.
fn effort_shown(results: &Results, effort: &Effort) -> Message {
    let mut shown: Vec<(Value, Estimate)> = results
        .effects
        .iter()
        .filter_map(|effect| Some((effect_name(results, effect), (effort.ratio)(effect)?)))
        .filter(|(_, ratio)| ratio.excludes(1.0))
        .collect();
    shown.sort_by(|(_, one), (_, other)| other.value.ln().abs().total_cmp(&one.value.ln().abs()));
    let opponent = ("opponent", setting(results, 0));
    shown.truncate(MAX_NAMED);
    let ratio = |ratio: f64| format!("{ratio:.2}");
    let names = all_of(shown.iter().map(|(name, _)| name.clone()).collect());
    let ratios = all_of(shown.iter().map(|(_, value)| with_interval(*value, ratio)).collect());
    let claims = match names.zip(ratios) {
        Some((names, ratios)) => {
            let count = ("n", (shown.len() as u64).into());
            MESSAGES.say(effort.shown, [count, ("names", names), ("ratios", ratios), opponent])
        }
        None => MESSAGES.say(effort.none, [opponent]),
    };
    over_all(results, claims.into())
}

fn frame(results: &Results) -> Message {
    let comparisons = results.comparisons.len() as u64;
    let key = match results.state {
        State::Finished => "played",
        State::Running => "played.running",
        State::Stopped => "played.stopped",
    };
    let counted = MESSAGES.say("comparisons", [("n", comparisons.into())]);
    let played =
        MESSAGES.say(key, [("comparisons", counted.into()), ("games", messages::games(results.games()))]);
    let key = if results.quick { "summary.frame-quick" } else { "summary.frame" };
    MESSAGES.say(key, [("played", played.into()), ("error", percent(results.error).into())])
}

/// A sentence about so many more things than were listed, if there are any.
fn and_more(key: &'static str, more: usize) -> Option<Message> {
    (more > 0).then(|| MESSAGES.say(key, [("n", (more as u64).into())]))
}

/// The name of a circumstance, if there are several.
fn place(results: &Results, circumstance: usize) -> Option<Value> {
    (results.circumstances.len() > 1).then(|| name(&results.circumstances[circumstance].name).into())
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
    let pair = pair_name(results, comparison.setting, comparison.opponent);
    placed(results, comparison.circumstance, pair)
}

/// The labels of comparisons in one sentence, the first of them if there are many; `None` if there are none.
fn names(results: &Results, comparisons: &[&ComparisonResult]) -> Option<Value> {
    first_of(comparisons.iter().map(|comparison| label(results, comparison)).collect())
}

/// What circumstances show by themselves, and where they differ from the main effects. All intervals of a study hold together, so that
/// two that do not meet are a claim.
fn singles(results: &Results) -> Vec<Message> {
    if results.circumstances.len() < 2 {
        return Vec::new();
    }
    let clear: Vec<&ComparisonResult> =
        results.comparisons.iter().filter(|comparison| comparison.verdict != Verdict::Open).collect();
    let mut sentences = vec![match names(results, &clear) {
        Some(names) => {
            let comparisons = MESSAGES.say("comparisons", [("n", (results.comparisons.len() as u64).into())]);
            let count = ("m", (clear.len() as u64).into());
            MESSAGES
                .say("summary.claims-here", [count, ("comparisons", comparisons.into()), ("names", names)])
        }
        None => MESSAGES.say("summary.no-claim-here", []),
    }];
    let differing: Vec<Message> = results
        .comparisons
        .iter()
        .filter_map(|comparison| {
            let effect = results.effect_of(comparison)?.score;
            let key = match comparison.score {
                score if score.low > effect.high => "summary.differs-above",
                score if score.high < effect.low => "summary.differs-below",
                _ => return None,
            };
            let name = pair_name(results, comparison.setting, comparison.opponent);
            let place = place(results, comparison.circumstance)?;
            let score = with_interval(comparison.score, percent);
            Some(MESSAGES.say(key, [("place", place), ("setting", name), ("score", score)]))
        })
        .collect();
    if differing.is_empty() && results.games() > 0 {
        sentences.push(MESSAGES.say("summary.agrees", []));
    }
    let more = differing.len().saturating_sub(MAX_NAMED);
    sentences.extend(differing.into_iter().take(MAX_NAMED));
    sentences.extend(and_more("summary.more-differences", more));
    sentences
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

/// What settings cost or saved over all circumstances, where that is beyond chance.
fn effort(results: &Results) -> Vec<Message> {
    if results.all_against_all {
        return Vec::new();
    }
    let sentence = |effect: &EffectResult| {
        let nodes =
            effect.nodes_ratio.filter(|ratio| ratio.excludes(1.0) && (ratio.value - 1.0).abs() > 0.02);
        let depth = effect.depth_difference;
        let depth = depth.filter(|difference| difference.excludes(0.0) && difference.value.abs() > 0.05);
        let nodes = nodes.map(|ratio| {
            let ratio = format!("× {:.2}", ratio.value).into();
            MESSAGES.say("effort.nodes", [("ratio", ratio)])
        });
        let depth = depth.map(|difference| depth_text(difference.value));
        let effort = match (depth, nodes) {
            (Some(depth), Some(nodes)) => {
                MESSAGES.say("effort.both", [("depth", depth.into()), ("nodes", nodes.into())])
            }
            (depth, nodes) => depth.or(nodes)?,
        };
        let name = setting(results, effect.setting);
        Some(MESSAGES.say("summary.effort", [("setting", name), ("effort", effort.into())]))
    };
    let mut sentences: Vec<Message> = results.effects.iter().filter_map(sentence).collect();
    let more = sentences.len().saturating_sub(MAX_LISTED);
    sentences.truncate(MAX_LISTED);
    sentences.extend(and_more("summary.more-effort", more));
    sentences
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
        MESSAGES.say("answer.observed", parts)
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
