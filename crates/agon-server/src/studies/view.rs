//! Studies as browsers are sent them. Names and sentences may come from strangers: they are cut and made harmless here.

use agon_arena::report::words::{name_text, plain};
use agon_core::Message;
use agon_erased::Games;
use agon_files::date_text;
use agon_protocol::web::studies::{
    MAX_COMPARISONS, MAX_DEPTHS, MAX_OBSERVATIONS, Study, StudyCircumstance, StudyComparison, StudyCost,
    StudyDepth, StudyEffect, StudyEstimate, StudyObservation, StudyOutlook, StudyRange, StudyRating,
    StudyReach, StudySetting, StudySide, StudySummary, StudyValue, StudyVerdict,
};
use agon_study::{
    Bin, CircumstanceResult, ComparisonResult, Cost, EffectResult, Estimate, MESSAGES, ObservationResult,
    Outlook, Reach, Results, SettingResult, SideResult, Verdict, observation, question,
};

use super::{Content, Snapshot};

/// How many games are named.
const MAX_GAMES: usize = 10;
/// Depths that were rarely finished say more about those positions than about the search.
const OFTEN: f64 = 0.05;

pub(super) fn summary(snapshot: &Snapshot) -> StudySummary {
    let updated = snapshot.folder.as_ref().map(|(_, updated)| date_text(*updated));
    let nothing = StudySummary {
        id: snapshot.id.clone(),
        name: String::new(),
        question: question("", ""),
        state: snapshot.state,
        quick: false,
        published: snapshot.folder.is_none(),
        games: Vec::new(),
        played: 0,
        planned: 0,
        comparisons: 0,
        ended: 0,
        claims: 0,
        updated,
    };
    match &snapshot.content {
        Content::Nothing(begun, _) => {
            let name = begun.name.as_deref().unwrap_or_default();
            StudySummary {
                name: name_text(name),
                question: question(name, &plain(&begun.question)),
                quick: begun.is_quick,
                ..nothing
            }
        }
        Content::Results(results, _) => {
            let mut games: Vec<String> = Vec::new();
            for circumstance in &results.circumstances {
                let game = plain(&circumstance.game);
                if !games.contains(&game) && games.len() < MAX_GAMES {
                    games.push(game);
                }
            }
            let comparisons = &results.comparisons;
            let is_clear = |effect: &&EffectResult| effect.verdict != Verdict::Open;
            StudySummary {
                name: name_text(&results.name),
                question: question(&results.name, &plain(&results.question)),
                quick: results.quick,
                games,
                played: results.games(),
                planned: results.planned_games(),
                comparisons: comparisons.len(),
                ended: comparisons.iter().filter(|comparison| results.has_ended(comparison)).count(),
                claims: results.effects.iter().filter(is_clear).count(),
                ..nothing
            }
        }
    }
}

pub(super) fn study(games: Games, snapshot: &Snapshot) -> Study {
    let nothing = Study {
        summary: summary(snapshot),
        answer: Vec::new(),
        findings: Vec::new(),
        seed: String::new(),
        games_per_comparison: 0,
        error: 0.0,
        early_stopping: false,
        all_against_all: false,
        settings: Vec::new(),
        reference_values: Vec::new(),
        circumstances: Vec::new(),
        effects: Vec::new(),
        outlook: None,
        comparisons: Vec::new(),
        observations: Vec::new(),
        files: snapshot.files().map(str::to_owned).collect(),
        command: snapshot.command(),
    };
    let results = match &snapshot.content {
        Content::Results(results, _) => results,
        Content::Nothing(_, None) => return nothing,
        Content::Nothing(_, Some(fault)) => {
            let damaged = MESSAGES.say("summary.damaged", [("fault", plain(fault).into())]);
            return Study { findings: vec![damaged], ..nothing };
        }
    };
    let shown = shown(results);
    Study {
        answer: agon_study::answer(&shown),
        findings: agon_study::findings(&shown),
        seed: results.seed.to_string(),
        games_per_comparison: results.games_per_comparison,
        error: results.error,
        early_stopping: results.early_stopping,
        all_against_all: results.all_against_all,
        settings: (0..).zip(&results.settings).map(setting).collect(),
        reference_values: reference_values(results),
        effects: results.effects.iter().take(MAX_COMPARISONS).map(effect).collect(),
        outlook: (results.games() > 0).then(|| outlook(results)),
        circumstances: results.circumstances.iter().map(circumstance).collect(),
        comparisons: results.comparisons.iter().take(MAX_COMPARISONS).map(comparison).collect(),
        observations: results
            .observations
            .iter()
            .take(MAX_OBSERVATIONS)
            .map(|observation| observed(games, &results.circumstances[observation.circumstance], observation))
            .collect(),
        ..nothing
    }
}

/// A value, if it is a number.
fn number(value: &str) -> Option<f64> {
    value.parse().ok().filter(|value: &f64| value.is_finite())
}

fn reference_values(results: &Results) -> Vec<StudyValue> {
    let changes = results.settings.first().map_or(&[][..], |reference| &reference.changes);
    let value = |(factor, value): &(String, String)| {
        Some(StudyValue { factor: plain(factor), value: number(value)? })
    };
    changes.iter().filter_map(value).collect()
}

fn effect(effect: &EffectResult) -> StudyEffect {
    let [elo, elo_low, elo_high] = effect.elo;
    StudyEffect {
        setting: effect.setting,
        opponent: effect.opponent,
        games: effect.games,
        score: estimate(effect.score),
        elo,
        elo_low,
        elo_high,
        verdict: verdict(effect.verdict),
        nodes: effect.nodes_ratio.map(estimate),
        time: effect.seconds_ratio.map(estimate),
        depth: effect.depth_difference.map(estimate),
    }
}

fn outlook(results: &Results) -> StudyOutlook {
    let Outlook { games, curve, rows } = results.outlook();
    let reach = |reach: Reach| StudyReach { games: reach.games, main: reach.main, each: reach.each };
    let cost = |cost: Cost| StudyCost {
        distance: cost.distance,
        each: cost.is_each,
        games: cost.games,
        seconds: cost.seconds,
    };
    StudyOutlook {
        games,
        curve: curve.into_iter().map(reach).collect(),
        rows: rows.into_iter().map(cost).collect(),
    }
}

/// The results with names that are fit to be shown, for sentences that are made of them.
fn shown(results: &Results) -> Results {
    let mut shown = results.clone();
    shown.settings.iter_mut().for_each(|setting| setting.name = plain(&setting.name));
    shown.circumstances.iter_mut().for_each(|circumstance| circumstance.name = plain(&circumstance.name));
    shown.observations.iter_mut().for_each(|observation| observation.name = plain(&observation.name));
    shown.comparisons.iter_mut().for_each(|comparison| {
        comparison.fault = comparison.fault.as_deref().map(plain);
    });
    shown
}

fn setting((index, SettingResult { name, changes }): (usize, &SettingResult)) -> StudySetting {
    let (factor, value) = match &changes[..] {
        [(factor, value)] if index > 0 => (Some(plain(factor)), number(value)),
        _ => (None, None),
    };
    StudySetting { name: agon_study::name(&plain(name)), factor, value }
}

fn circumstance(circumstance: &CircumstanceResult) -> StudyCircumstance {
    let rating = |rating: &agon_study::Rating| StudyRating { elo: rating.elo, error: rating.error };
    StudyCircumstance {
        name: agon_study::name(&plain(&circumstance.name)),
        game: plain(&circumstance.game),
        options: plain(&circumstance.options),
        bots: circumstance.bots.iter().map(|bot| plain(bot)).collect(),
        ratings: circumstance.ratings.iter().map(rating).collect(),
    }
}

fn estimate(Estimate { value, low, high }: Estimate) -> StudyEstimate {
    StudyEstimate { value, low, high }
}

fn verdict(verdict: Verdict) -> StudyVerdict {
    match verdict {
        Verdict::Stronger => StudyVerdict::Stronger,
        Verdict::Weaker => StudyVerdict::Weaker,
        Verdict::Open => StudyVerdict::Open,
    }
}

fn comparison(comparison: &ComparisonResult) -> StudyComparison {
    let [elo, elo_low, elo_high] = comparison.elo;
    StudyComparison {
        circumstance: comparison.circumstance,
        setting: comparison.setting,
        opponent: comparison.opponent,
        games: comparison.games,
        wins: comparison.wins,
        draws: comparison.draws,
        losses: comparison.losses,
        score: estimate(comparison.score),
        elo,
        elo_low,
        elo_high,
        verdict: verdict(comparison.verdict),
        early: comparison.stopped_early,
        nodes: comparison.nodes_ratio.map(estimate),
        time: comparison.seconds_ratio.map(estimate),
        depth: comparison.depth_difference.map(estimate),
        sides: [0, 1].map(|index| side(&comparison.sides[index])),
    }
}

fn side(side: &SideResult) -> StudySide {
    let often = side.depths.iter().filter(|depth| depth.reached >= OFTEN && depth.seconds > 0.0);
    let depth = |depth: &agon_study::DepthResult| StudyDepth { depth: depth.depth, seconds: depth.seconds };
    StudySide {
        moves: side.moves,
        seconds: side.seconds,
        nodes: side.nodes,
        depth: side.depth,
        branching: side.branching,
        cutoffs: side.cutoff_rate,
        first_move: side.first_move_cutoffs,
        table_hits: side.table_hits,
        points: side.points.map(estimate),
        depths: often.map(depth).take(MAX_DEPTHS).collect(),
    }
}

fn observed(known: Games, place: &CircumstanceResult, observed: &ObservationResult) -> StudyObservation {
    let range =
        |bin: &Bin| StudyRange { from: bin.from, to: bin.to, games: bin.games, shares: bin.shares.clone() };
    let [seen, games] = observed.games;
    StudyObservation {
        name: observation(&plain(&observed.name)),
        circumstance: observed.circumstance,
        seen,
        games,
        mean: observed.mean,
        seats: seats(known, place, &observed.seats),
        ranges: observed.bins.iter().map(range).collect(),
    }
}

/// The titles of seats as their game translates them, if it still calls them so.
fn seats(games: Games, place: &CircumstanceResult, written: &[String]) -> Vec<Message> {
    let rules = games.rules(&place.game, &place.options).ok();
    let titles = rules.map(|rules| rules.title_messages()).unwrap_or_default();
    let is_same = titles.iter().map(|title| &title.text).eq(written);
    if is_same {
        return titles;
    }
    let own = |title: &String| Message::english(plain(title));
    written.iter().map(own).collect()
}
