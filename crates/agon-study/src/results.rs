//! What a study has come to: computed from its games, and what `results.json` holds.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use agon_arena::statistics::rating::{self, Encounter, Prior};
use agon_arena::statistics::{Score, elo};
use serde::{Deserialize, Serialize};

use crate::count::{Estimate, GameResult};
use crate::effects::{Counts, Effect};
use crate::observe;
use crate::plan::{Against, Asks, Contrast, Shares, Study};
use crate::summary;
use agon_arena::experiment::telemetry::Telemetry;

/// The version of the format of `results.json`. The first had no main effects: each comparison had an equal share of the error, and ended by
/// itself. In the second, bots think by processor time.
pub(crate) const VERSION: u32 = 2;

/// Whether a study goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Games are being played.
    Running,
    /// It was stopped and can be resumed.
    Stopped,
    /// Everything has been played.
    Finished,
}

/// What a comparison says about strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The setting is stronger than its opponent.
    Stronger,
    /// It is weaker.
    Weaker,
    /// Neither could be shown.
    Open,
}

impl From<Option<Ordering>> for Verdict {
    /// By the side of a half on which the score lies, if that is known.
    fn from(side: Option<Ordering>) -> Self {
        match side {
            Some(Ordering::Greater) => Self::Stronger,
            Some(Ordering::Less) => Self::Weaker,
            _ => Self::Open,
        }
    }
}

/// The results of a study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The version of this format.
    pub version: u32,
    /// What the study is called.
    pub name: String,
    /// What it asks.
    pub question: String,
    /// What that is about.
    #[serde(default)]
    pub asks: Asks,
    /// Whether it goes on.
    pub state: State,
    /// Whether it is the quick version.
    pub quick: bool,
    /// The seed.
    pub seed: u64,
    /// The most games of a comparison.
    pub games_per_comparison: usize,
    /// How likely the study was to make any false claim about strength.
    pub error: f64,
    /// Whether settings were played no further once everything about them was clear.
    pub early_stopping: bool,
    /// Whether every setting met every other one, and not the reference alone.
    pub all_against_all: bool,
    /// What it comes to in plain language, a sentence each.
    pub summary: Vec<String>,
    /// The settings that were compared; the first is the reference.
    pub settings: Vec<SettingResult>,
    /// Where they were compared.
    pub circumstances: Vec<CircumstanceResult>,
    /// The main effects: what settings are worth over all circumstances together.
    #[serde(default)]
    pub effects: Vec<EffectResult>,
    /// The comparisons under single circumstances.
    pub comparisons: Vec<ComparisonResult>,
    /// What was observed in the games.
    pub observations: Vec<ObservationResult>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettingResult {
    /// What it is called.
    pub name: String,
    /// What was varied, and to what value; for the reference, the values that it has of what others vary, as far as they are known.
    pub changes: Vec<(String, String)>,
}

/// Where settings were compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CircumstanceResult {
    /// What it is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// What people call it.
    pub title: String,
    /// Its options.
    pub options: String,
    /// What was varied, and to what value.
    pub changes: Vec<(String, String)>,
    /// The bot of each setting.
    pub bots: Vec<String>,
    /// The strength of each setting, where all met all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<Rating>,
}

/// The strength of a setting among all others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// In Elo, relative to the mean of all.
    pub elo: f64,
    /// The half-width of its 95% interval.
    pub error: f64,
}

/// What a setting is worth over all circumstances together, each of which counts the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EffectResult {
    /// The setting, by index.
    pub setting: usize,
    /// The setting that it met.
    pub opponent: usize,
    /// Games played, under all circumstances.
    pub games: u64,
    /// Pairs of games that count: as many under each of the circumstances.
    pub pairs: u64,
    /// The share of the points. The interval holds however often one looks, for the whole study together.
    pub score: Estimate,
    /// The same as a difference in Elo; ends that are infinite are left out.
    pub elo: [Option<f64>; 3],
    /// What that says.
    pub verdict: Verdict,
    /// Whether it has been played to its end.
    pub ended: bool,
    /// The standard deviation of the scores of pairs; none before the second, and in results of the first version.
    pub deviation: Option<f64>,
    /// How many times the nodes per move of its opponent the setting needed. Intervals of this and the following are approximate.
    pub nodes_ratio: Option<Estimate>,
    /// How many times the time per move of its opponent.
    pub seconds_ratio: Option<Estimate>,
    /// By how many plies it searched deeper.
    pub depth_difference: Option<Estimate>,
}

/// A comparison under one circumstance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonResult {
    /// Where it was played, by index.
    pub circumstance: usize,
    /// The setting, by index.
    pub setting: usize,
    /// The setting that it met.
    pub opponent: usize,
    /// Games played.
    pub games: u64,
    /// Games that the setting won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that it lost.
    pub losses: u64,
    /// Its share of the points. The interval holds however often one looks, for the whole study together.
    pub score: Estimate,
    /// The same as a difference in Elo; ends that are infinite are left out.
    pub elo: [Option<f64>; 3],
    /// What that says.
    pub verdict: Verdict,
    /// Whether it ended before all games were played, because everything about its setting was clear.
    pub stopped_early: bool,
    /// Mean plies of a game.
    pub plies: f64,
    /// Games that were cut at the limit of plies and count as draws.
    pub cut: u64,
    /// Games that a side lost by a fault of its own.
    pub faults: u64,
    /// The first such fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// What the setting and its opponent did.
    pub sides: [SideResult; 2],
    /// How many times the nodes per move of its opponent the setting needed. Intervals of this and the following are approximate, and
    /// corrected for the number of comparisons.
    pub nodes_ratio: Option<Estimate>,
    /// How many times the time per move of its opponent.
    pub seconds_ratio: Option<Estimate>,
    /// By how many plies it searched deeper.
    pub depth_difference: Option<Estimate>,
}

/// What a side did, per move that was searched if not said otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideResult {
    /// Moves made.
    pub moves: u64,
    /// Seconds per move.
    pub seconds: f64,
    /// Nodes per move.
    pub nodes: f64,
    /// The depth.
    pub depth: f64,
    /// The share of nodes that ended in a cut-off.
    pub cutoff_rate: Option<f64>,
    /// The share of cut-offs by the first move that was tried.
    pub first_move_cutoffs: Option<f64>,
    /// The share of nodes that the transposition table answered.
    pub table_hits: Option<f64>,
    /// The effective branching factor: by how much a search grows when it goes one ply deeper (geometric mean).
    pub branching: Option<f64>,
    /// Mean points, in games for one.
    pub points: Option<Estimate>,
    /// What it took to finish each depth.
    pub depths: Vec<DepthResult>,
    /// Moves that came too late, where programs have a time for them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late: u64,
    /// What a program counted under names of its own, per move in which it did.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, f64>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What it took to finish a depth, in the moves in which it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DepthResult {
    /// The depth.
    pub depth: usize,
    /// The share of moves in which it was finished.
    pub reached: f64,
    /// Mean seconds until then.
    pub seconds: f64,
    /// Mean nodes until then.
    pub nodes: f64,
}

/// What was seen of one thing in all games under the same circumstances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObservationResult {
    /// What was looked at.
    pub name: String,
    /// Where, by index.
    pub circumstance: usize,
    /// Games in which there was something to measure, of all games.
    pub games: [u64; 2],
    /// The mean value.
    pub mean: f64,
    /// By ranges of values: their ends, how many games, and the share of points of each seat.
    pub bins: Vec<Bin>,
    /// The titles of the seats.
    pub seats: Vec<String>,
}

/// Games in which a value lay in a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// The smallest value.
    pub from: u64,
    /// The largest value; `None` stands for games in which it did not happen.
    pub to: Option<u64>,
    /// Games.
    pub games: u64,
    /// The share of points of each seat.
    pub shares: Vec<f64>,
}

/// The mean of a sum over so many things.
pub(crate) fn mean(sum: u64, count: u64) -> f64 {
    sum as f64 / count.max(1) as f64
}

impl Estimate {
    /// A score as a difference in Elo; ends that are infinite are left out.
    pub(crate) fn elo(self) -> [Option<f64>; 3] {
        let finite = |score: f64| (score > 0.0 && score < 1.0).then(|| elo(score));
        [self.value, self.low, self.high].map(finite)
    }
}

impl EffectResult {
    fn of(contrast: Contrast, effect: &Effect, games: u64, ended: bool, alpha: f64) -> Self {
        let (low, high) = effect.sequence.interval();
        let score = Estimate { value: effect.scores.mean().unwrap_or(0.5), low, high };
        Self {
            setting: contrast.setting,
            opponent: contrast.opponent,
            games,
            pairs: effect.scores.count(),
            score,
            elo: score.elo(),
            verdict: effect.verdict().into(),
            ended,
            deviation: effect.scores.deviation(),
            nodes_ratio: effect.nodes.estimate(alpha).map(|ratio| ratio.map(f64::exp)),
            seconds_ratio: effect.time.estimate(alpha).map(|ratio| ratio.map(f64::exp)),
            depth_difference: effect.depth.estimate(alpha),
        }
    }
}

impl SideResult {
    fn of(telemetry: &Telemetry, points: Option<Estimate>, late: u64) -> Self {
        let share = |part: u64, all: u64| (all > 0).then(|| mean(part, all));
        let Telemetry { moves, micros, searched, nodes, depth, .. } = *telemetry;
        let depths = (1..).zip(&telemetry.depths).filter(|(_, reach)| reach.moves > 0);
        Self {
            moves,
            seconds: mean(micros, moves) / 1e6,
            nodes: mean(nodes, searched),
            depth: mean(depth, searched),
            cutoff_rate: share(telemetry.cuts, telemetry.counted_nodes).filter(|_| telemetry.cuts > 0),
            first_move_cutoffs: share(telemetry.first_cuts, telemetry.cuts),
            table_hits: share(telemetry.table_cuts, telemetry.counted_nodes),
            branching: share(telemetry.growth, telemetry.deepenings).map(|growth| (growth / 1e6).exp()),
            points,
            depths: depths
                .map(|(depth, reach)| DepthResult {
                    depth,
                    reached: mean(reach.moves, searched),
                    seconds: mean(reach.micros, reach.moves) / 1e6,
                    nodes: mean(reach.nodes, reach.moves),
                })
                .collect(),
            late,
            counters: telemetry.counters.iter().map(|(name, count)| (name.clone(), count.mean())).collect(),
        }
    }
}

impl Results {
    /// What `study` has come to, whose games have been counted.
    pub(crate) fn of(study: &Study, counts: &Counts, games: &[GameResult], state: State) -> Self {
        let comparisons = study.comparisons();
        let shares = study.shares();
        let effects = (0..).zip(study.contrasts()).map(|(index, contrast)| {
            let games = counts.of_contrast(index).map(|count| count.tally.games()).sum();
            EffectResult::of(contrast, &counts.effects[index], games, counts.ended[index], shares.main)
        });
        let compared =
            (0..).zip(comparisons.iter().zip(&counts.singles)).map(|(index, (comparison, count))| {
                let (low, high) = count.sequence.interval();
                let points = |side: usize| count.points[side].estimate(shares.single);
                let score = Estimate { value: count.tally.score(), low, high };
                ComparisonResult {
                    circumstance: comparison.circumstance,
                    setting: comparison.setting,
                    opponent: comparison.opponent,
                    games: count.tally.games(),
                    wins: count.tally.wins,
                    draws: count.tally.draws,
                    losses: count.tally.losses,
                    score,
                    elo: score.elo(),
                    verdict: count.verdict().into(),
                    stopped_early: counts.has_ended(index) && count.tally.games() < study.games as u64,
                    plies: mean(count.plies, count.tally.games()),
                    cut: count.cut,
                    faults: count.faults,
                    fault: count.fault.clone(),
                    sides: [0, 1]
                        .map(|side| SideResult::of(&count.sides[side], points(side), count.late[side])),
                    nodes_ratio: count.nodes.estimate(shares.single).map(|ratio| ratio.map(f64::exp)),
                    seconds_ratio: count.time.estimate(shares.single).map(|ratio| ratio.map(f64::exp)),
                    depth_difference: count.depth.estimate(shares.single),
                }
            });
        let mut results = Self {
            version: VERSION,
            name: study.name.clone(),
            question: study.question.clone(),
            asks: study.asks,
            state,
            quick: study.is_quick,
            seed: study.seed,
            games_per_comparison: study.games,
            error: study.error,
            early_stopping: study.stops_early,
            all_against_all: study.against == Against::All,
            summary: Vec::new(),
            settings: study
                .settings
                .iter()
                .map(|setting| SettingResult { name: setting.name.clone(), changes: setting.changes.clone() })
                .collect(),
            circumstances: study
                .circumstances
                .iter()
                .map(|circumstance| CircumstanceResult {
                    name: circumstance.title(),
                    game: circumstance.rules.spec().id.to_owned(),
                    title: circumstance.rules.spec().title().to_owned(),
                    options: circumstance.rules.options(),
                    changes: circumstance.changes.clone(),
                    bots: circumstance.bots.iter().map(ToString::to_string).collect(),
                    ratings: Vec::new(),
                })
                .collect(),
            effects: effects.collect(),
            comparisons: compared.collect(),
            observations: observe::results(study, games),
        };
        if study.against == Against::All {
            results.rate();
        }
        results.summary =
            summary::summary(&results).into_iter().map(|sentence| sentence.text.into_owned()).collect();
        results
    }

    /// Fits the strengths of all settings under each circumstance.
    fn rate(&mut self) {
        let settings = self.settings.len();
        for (index, circumstance) in self.circumstances.iter_mut().enumerate() {
            let mut encounters = Vec::new();
            for comparison in self.comparisons.iter().filter(|comparison| comparison.circumstance == index) {
                let ComparisonResult { setting: first, opponent: second, wins, draws, losses, .. } =
                    *comparison;
                // Each side has moved first equally often.
                let encounter = |score| Encounter { first, second, group: 0, score, is_ordered: false };
                for (score, count) in [(Score::Win, wins), (Score::Draw, draws), (Score::Loss, losses)] {
                    encounters.extend((0..count).map(|_| encounter(score)));
                }
            }
            let ratings = rating::fit(settings, 1, &encounters, &Prior::default());
            let all = ratings.elo.iter().zip(&ratings.error);
            circumstance.ratings = all.map(|(&elo, &error)| Rating { elo, error }).collect();
        }
    }

    /// The main effect that a comparison is part of.
    pub fn effect_of(&self, comparison: &ComparisonResult) -> Option<&EffectResult> {
        let pair = (comparison.setting, comparison.opponent);
        self.effects.iter().find(|effect| (effect.setting, effect.opponent) == pair)
    }

    /// The comparisons that a main effect is the mean of.
    pub fn parts_of(&self, effect: &EffectResult) -> impl Iterator<Item = &ComparisonResult> {
        let pair = (effect.setting, effect.opponent);
        self.comparisons.iter().filter(move |comparison| (comparison.setting, comparison.opponent) == pair)
    }

    /// Whether a comparison has ended.
    pub fn has_ended(&self, comparison: &ComparisonResult) -> bool {
        let has_ended = self.effect_of(comparison).is_some_and(|effect| effect.ended);
        has_ended || comparison.games >= self.games_per_comparison as u64
    }

    /// How the study's error is divided.
    pub(crate) fn shares(&self) -> Shares {
        Shares::of(self.error, self.effects.len(), self.circumstances.len())
    }

    /// The most games that will have been played when all comparisons have ended.
    pub fn planned_games(&self) -> u64 {
        let most = self.games_per_comparison as u64;
        let planned = |comparison| if self.has_ended(comparison) { comparison.games } else { most };
        self.comparisons.iter().map(planned).sum()
    }

    /// The most games of a setting under all circumstances together.
    pub fn games_for_each_setting(&self) -> u64 {
        (self.games_per_comparison * self.circumstances.len()) as u64
    }

    /// How long a game took, on average.
    pub(crate) fn seconds_per_game(&self) -> f64 {
        let sides = self.comparisons.iter().flat_map(|comparison| &comparison.sides);
        sides.map(|side| side.seconds * side.moves as f64).sum::<f64>() / self.games().max(1) as f64
    }

    /// Games played in all.
    pub fn games(&self) -> u64 {
        self.comparisons.iter().map(|comparison| comparison.games).sum()
    }

    /// The names of everything that programs counted on their own.
    pub fn counters(&self) -> Vec<&str> {
        let sides = self.comparisons.iter().flat_map(|comparison| &comparison.sides);
        let names: BTreeSet<&str> = sides.flat_map(|side| side.counters.keys().map(String::as_str)).collect();
        names.into_iter().collect()
    }

    /// What a comparison is about: the setting, the opponent if it is not always the same, and the circumstances if there are several.
    pub fn label(&self, comparison: &ComparisonResult) -> String {
        summary::label(self, comparison).to_string()
    }
}

#[cfg(test)]
mod tests {
    use agon_arena::experiment::telemetry::Counter;

    use super::*;

    #[test]
    fn rates_are_shares_of_what_was_counted() {
        let telemetry = Telemetry {
            moves: 4,
            micros: 2_000_000,
            searched: 2,
            nodes: 600,
            depth: 7,
            counted_nodes: 400,
            cuts: 100,
            first_cuts: 90,
            table_cuts: 20,
            deepenings: 2,
            growth: 2_772_589,
            depths: vec![agon_arena::experiment::telemetry::DepthCost { moves: 1, micros: 500, nodes: 30 }],
            counters: [("hits".to_owned(), Counter { moves: 4, sum: 6_000_000 })].into(),
        };
        let side = SideResult::of(&telemetry, None, 3);
        assert_eq!((side.seconds, side.nodes, side.depth), (0.5, 300.0, 3.5));
        assert_eq!((side.late, side.counters["hits"]), (3, 1.5));
        assert_eq!(
            (side.cutoff_rate, side.first_move_cutoffs, side.table_hits),
            (Some(0.25), Some(0.9), Some(0.05))
        );
        assert!((side.branching.expect("it deepened") - 4.0).abs() < 1e-5);
        assert_eq!(side.depths, [DepthResult { depth: 1, reached: 0.5, seconds: 0.0005, nodes: 30.0 }]);
        let nothing = SideResult::of(&Telemetry::default(), None, 0);
        assert_eq!((nothing.cutoff_rate, nothing.table_hits, nothing.branching), (None, None, None));
    }
}
