//! Results read back from `results.json`, which may have been written by anybody: whatever is read can be reported.

use std::ops::RangeInclusive;

use agon_arena::experiment::telemetry::MAX_COUNTERS;

use crate::count::Estimate;
use crate::file::{MAX_COMPARISONS, MAX_GAMES, MAX_SETTINGS, MAX_TABLES};
use crate::results::{
    CircumstanceResult, ComparisonResult, EffectResult, ObservationResult, Rating, Results, SideResult,
    VERSION, Verdict,
};

/// The most seats, bins and depths; more than any game or search has.
const MAX_SEATS: usize = 16;
const MAX_BINS: usize = 16;
const MAX_DEPTHS: usize = 1000;
/// Larger than whatever is measured.
const LARGE: f64 = 1e15;
const LARGE_COUNT: u64 = 1 << 50;
/// Longer than any bot thinks about a move, in seconds.
const LONG: f64 = 1e7;

/// The result of a check: what is wrong.
type Checked = Result<(), String>;

impl Results {
    /// Reads `results.json` and checks that its parts fit together and that its numbers are within reason.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut results: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if results.version == 1 {
            results.effects = first_effects(&results);
        }
        results.check()?;
        Ok(results)
    }

    fn check(&self) -> Checked {
        if !(1..=VERSION).contains(&self.version) {
            return Err(format!("it has version {}, expected 1 to {VERSION}", self.version));
        }
        count("settings", self.settings.len(), 1..=MAX_SETTINGS)?;
        count("circumstances", self.circumstances.len(), 1..=MAX_COMPARISONS)?;
        count("comparisons", self.comparisons.len(), 0..=MAX_COMPARISONS)?;
        count("observations", self.observations.len(), 0..=MAX_TABLES * self.circumstances.len())?;
        count("games_per_comparison", self.games_per_comparison, 0..=MAX_GAMES)?;
        within("error", self.error, 0.0..=1.0)?;
        for (index, circumstance) in self.circumstances.iter().enumerate() {
            self.circumstance(circumstance).map_err(|fault| format!("circumstances[{index}].{fault}"))?;
        }
        count("effects", self.effects.len(), 0..=MAX_COMPARISONS)?;
        for (index, effect) in self.effects.iter().enumerate() {
            self.effect(effect).map_err(|fault| format!("effects[{index}].{fault}"))?;
        }
        for (index, comparison) in self.comparisons.iter().enumerate() {
            self.comparison(comparison).map_err(|fault| format!("comparisons[{index}].{fault}"))?;
        }
        for (index, observation) in self.observations.iter().enumerate() {
            self.observation(observation).map_err(|fault| format!("observations[{index}].{fault}"))?;
        }
        Ok(())
    }

    fn circumstance(&self, circumstance: &CircumstanceResult) -> Checked {
        let settings = self.settings.len();
        count("bots", circumstance.bots.len(), settings..=settings)?;
        let rated = if self.all_against_all { settings } else { 0 };
        count("ratings", circumstance.ratings.len(), rated..=rated)?;
        for Rating { elo, error } in &circumstance.ratings {
            within("ratings", *elo, -LARGE..=LARGE)?;
            within("ratings", *error, 0.0..=LARGE)?;
        }
        Ok(())
    }

    fn effect(&self, effect: &EffectResult) -> Checked {
        let settings = 0..=self.settings.len() - 1;
        count("setting", effect.setting, settings.clone())?;
        count("opponent", effect.opponent, settings)?;
        counted("games", effect.games, (MAX_GAMES * self.circumstances.len()) as u64)?;
        counted("pairs", effect.pairs, effect.games / 2)?;
        estimate("score", Some(effect.score), 0.0..=1.0)?;
        effect.elo.iter().flatten().try_for_each(|elo| within("elo", *elo, -LARGE..=LARGE))?;
        within("deviation", effect.deviation.unwrap_or(0.0), 0.0..=1.0)?;
        estimate("nodes_ratio", effect.nodes_ratio, 0.0..=LARGE)?;
        estimate("seconds_ratio", effect.seconds_ratio, 0.0..=LARGE)?;
        estimate("depth_difference", effect.depth_difference, -LARGE..=LARGE)
    }

    fn comparison(&self, comparison: &ComparisonResult) -> Checked {
        let ComparisonResult { games, wins, draws, losses, .. } = *comparison;
        let settings = 0..=self.settings.len() - 1;
        count("circumstance", comparison.circumstance, 0..=self.circumstances.len() - 1)?;
        count("setting", comparison.setting, settings.clone())?;
        count("opponent", comparison.opponent, settings)?;
        for (name, number) in [("games", games), ("wins", wins), ("draws", draws), ("losses", losses)] {
            counted(name, number, MAX_GAMES as u64)?;
        }
        if wins + draws + losses != games {
            return Err(format!("games: {wins} + {draws} + {losses} is not {games}"));
        }
        counted("cut", comparison.cut, games)?;
        counted("faults", comparison.faults, games)?;
        within("plies", comparison.plies, 0.0..=LARGE)?;
        estimate("score", Some(comparison.score), 0.0..=1.0)?;
        comparison.elo.iter().flatten().try_for_each(|elo| within("elo", *elo, -LARGE..=LARGE))?;
        estimate("nodes_ratio", comparison.nodes_ratio, 0.0..=LARGE)?;
        estimate("seconds_ratio", comparison.seconds_ratio, 0.0..=LARGE)?;
        estimate("depth_difference", comparison.depth_difference, -LARGE..=LARGE)?;
        comparison.sides.iter().try_for_each(side)
    }

    fn observation(&self, observation: &ObservationResult) -> Checked {
        let seats = observation.seats.len();
        count("circumstance", observation.circumstance, 0..=self.circumstances.len() - 1)?;
        count("seats", seats, 1..=MAX_SEATS)?;
        count("bins", observation.bins.len(), 0..=MAX_BINS)?;
        within("mean", observation.mean, 0.0..=LARGE)?;
        observation.games.iter().try_for_each(|games| counted("games", *games, LARGE_COUNT))?;
        for bin in &observation.bins {
            counted("games", bin.games, LARGE_COUNT)?;
            counted("from", bin.from, LARGE_COUNT)?;
            counted("to", bin.to.unwrap_or(0), LARGE_COUNT)?;
            count("shares", bin.shares.len(), seats..=seats)?;
            bin.shares.iter().try_for_each(|share| within("shares", *share, 0.0..=1.0))?;
        }
        Ok(())
    }
}

/// What results of the first version say about main effects. Their intervals hold all together, so the mean of the scores under all
/// circumstances lies between the mean of the lower and the mean of the upper ends. Where there is one circumstance, that is its interval;
/// where there are several, it is wider than one from whole blocks would be, but holds as well.
fn first_effects(results: &Results) -> Vec<EffectResult> {
    let mut effects: Vec<EffectResult> = Vec::new();
    for comparison in &results.comparisons {
        let (setting, opponent) = (comparison.setting, comparison.opponent);
        if effects.iter().any(|effect| (effect.setting, effect.opponent) == (setting, opponent)) {
            continue;
        }
        let parts: Vec<&ComparisonResult> = results
            .comparisons
            .iter()
            .filter(|part| (part.setting, part.opponent) == (setting, opponent))
            .collect();
        let has_ended = |part: &&ComparisonResult| {
            let is_clear = results.early_stopping && part.verdict != Verdict::Open;
            is_clear || part.games >= results.games_per_comparison as u64
        };
        let score = mean(&parts, |part| Some(part.score)).unwrap_or(comparison.score);
        let ratio = |of: fn(&ComparisonResult) -> Option<Estimate>| {
            mean(&parts, |part| Some(of(part)?.map(f64::ln))).map(|ratio| ratio.map(f64::exp))
        };
        effects.push(EffectResult {
            setting,
            opponent,
            games: parts.iter().map(|part| part.games).sum(),
            pairs: parts.iter().map(|part| part.games / 2).sum(),
            score,
            elo: score.elo(),
            verdict: match score {
                Estimate { low, .. } if low > 0.5 => Verdict::Stronger,
                Estimate { high, .. } if high < 0.5 => Verdict::Weaker,
                _ => Verdict::Open,
            },
            ended: parts.iter().all(has_ended),
            deviation: None,
            nodes_ratio: ratio(|part| part.nodes_ratio),
            seconds_ratio: ratio(|part| part.seconds_ratio),
            depth_difference: mean(&parts, |part| part.depth_difference),
        });
    }
    effects
}

/// The means of values and of the ends of their intervals; `None` if one is missing.
fn mean(parts: &[&ComparisonResult], of: impl Fn(&ComparisonResult) -> Option<Estimate>) -> Option<Estimate> {
    let estimates: Vec<Estimate> = parts.iter().map(|part| of(part)).collect::<Option<_>>()?;
    let mean = |end: fn(&Estimate) -> f64| estimates.iter().map(end).sum::<f64>() / estimates.len() as f64;
    Some(Estimate { value: mean(|one| one.value), low: mean(|one| one.low), high: mean(|one| one.high) })
}

fn side(side: &SideResult) -> Checked {
    counted("moves", side.moves, LARGE_COUNT)?;
    within("seconds", side.seconds, 0.0..=LONG)?;
    within("nodes", side.nodes, 0.0..=LARGE)?;
    within("depth", side.depth, 0.0..=LARGE)?;
    for share in [side.cutoff_rate, side.first_move_cutoffs, side.table_hits].into_iter().flatten() {
        within("cutoff_rate", share, 0.0..=LARGE)?;
    }
    within("branching", side.branching.unwrap_or(0.0), 0.0..=LARGE)?;
    estimate("points", side.points, -LARGE..=LARGE)?;
    counted("late", side.late, LARGE_COUNT)?;
    count("counters", side.counters.len(), 0..=MAX_COUNTERS)?;
    side.counters.values().try_for_each(|mean| within("counters", *mean, -LARGE..=LARGE))?;
    count("depths", side.depths.len(), 0..=MAX_DEPTHS)?;
    for depth in &side.depths {
        count("depths", depth.depth, 0..=MAX_DEPTHS)?;
        within("depths", depth.reached, 0.0..=LARGE)?;
        within("depths", depth.seconds, 0.0..=LONG)?;
        within("depths", depth.nodes, 0.0..=LARGE)?;
    }
    Ok(())
}

/// Checks an estimate and both ends of its interval.
fn estimate(name: &str, estimate: Option<Estimate>, range: RangeInclusive<f64>) -> Checked {
    let Some(Estimate { value, low, high }) = estimate else { return Ok(()) };
    [value, low, high].into_iter().try_for_each(|number| within(name, number, range.clone()))
}

fn within(name: &str, number: f64, range: RangeInclusive<f64>) -> Checked {
    if range.contains(&number) { Ok(()) } else { Err(unfit(name, number, range.start(), range.end())) }
}

fn count(name: &str, number: usize, range: RangeInclusive<usize>) -> Checked {
    if range.contains(&number) { Ok(()) } else { Err(unfit(name, number, range.start(), range.end())) }
}

fn counted(name: &str, number: u64, most: u64) -> Checked {
    if number <= most { Ok(()) } else { Err(unfit(name, number, 0, most)) }
}

fn unfit(name: &str, number: impl ToString, low: impl ToString, high: impl ToString) -> String {
    format!("{name}: expected {} to {}, found {}", low.to_string(), high.to_string(), number.to_string())
}
