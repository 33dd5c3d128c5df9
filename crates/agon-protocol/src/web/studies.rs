//! Studies on the web: what `agon study` found out about bots, and how certain that is.
//!
//! A study is one of our own runs, which are part of the program, or a directory that `agon study run` writes to, in whichever process.

use agon_core::Message;
use schemars::JsonSchema;
use serde::Serialize;

/// The studies that the server shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyList {
    /// The studies: running ones first, then those of directories with the most recently updated one first, then our own runs by name.
    pub studies: Vec<StudySummary>,
    /// Whether there are more than are listed.
    pub more: bool,
}

/// A study in a list.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudySummary {
    /// Its name in links, `/studies/ID`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it asks; the text is empty if nobody has said so. An empty key means that the text is its author's own.
    pub question: Message,
    /// How far it has come.
    pub state: StudyState,
    /// Whether it is the quick version: few games, and fixed nodes instead of time.
    pub quick: bool,
    /// Whether it is one of our own runs, which come with the program.
    pub published: bool,
    /// The names of the games played, such as `othello`, each once.
    pub games: Vec<String>,
    /// The number of games that have ended.
    pub played: u64,
    /// The most games there will be.
    pub planned: u64,
    /// The number of comparisons.
    pub comparisons: usize,
    /// The number of comparisons that have ended.
    pub ended: usize,
    /// The number of main effects that came to a claim about strength.
    pub claims: usize,
    /// When its results last changed, `2026-11-15T18:00:00Z`; left out for our own runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
}

/// How far a study has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyState {
    /// Games are being played.
    Running,
    /// It was stopped or cut off before its end, and can be resumed.
    Stopped,
    /// All comparisons have ended.
    Finished,
    /// Its results cannot be read.
    Damaged,
}

/// A study as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Study {
    /// What lists show of it.
    pub summary: StudySummary,
    /// The answer to what it asks, a sentence each, to be quoted.
    pub answer: Vec<Message>,
    /// What else it comes to, a sentence each.
    pub findings: Vec<Message>,
    /// Fixes openings, luck and the randomness of the bots: a whole number, which may be too large for a number of JavaScript.
    pub seed: String,
    /// The most games of a comparison.
    pub games_per_comparison: usize,
    /// How likely the study was to make any false claim about strength.
    pub error: f64,
    /// Whether settings are played no further once everything about them is clear.
    pub early_stopping: bool,
    /// Whether every setting meets every other one, and not the reference alone.
    pub all_against_all: bool,
    /// The settings that are compared; the first is the reference.
    pub settings: Vec<StudySetting>,
    /// The values that the reference has of what settings vary, as far as they are numbers.
    pub reference_values: Vec<StudyValue>,
    /// Where they are compared.
    pub circumstances: Vec<StudyCircumstance>,
    /// The main effects: what settings are worth over all circumstances together; at most [`MAX_COMPARISONS`].
    pub effects: Vec<StudyEffect>,
    /// What so many games can show; left out before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlook: Option<StudyOutlook>,
    /// The comparisons under single circumstances; at most [`MAX_COMPARISONS`], of which `comparisons.csv` has all.
    pub comparisons: Vec<StudyComparison>,
    /// What was observed in the games; at most [`MAX_OBSERVATIONS`].
    pub observations: Vec<StudyObservation>,
    /// The names of the files that can be had at `/api/v1/studies/ID/files/NAME`: `report.html`, `comparisons.csv` and so on.
    pub files: Vec<String>,
    /// The command that repeats the study; left out if nobody knows its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// The most comparisons that are sent.
pub const MAX_COMPARISONS: usize = 400;
/// The most observations that are sent.
pub const MAX_OBSERVATIONS: usize = 100;
/// The most depths of a side that are sent.
pub const MAX_DEPTHS: usize = 40;

/// A setting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudySetting {
    /// What it is called: its label, or how it differs from the reference, `tt=off`. An empty key means that the text is its author's own.
    pub name: Message,
    /// What was varied; left out for the reference and where several things were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor: Option<String>,
    /// Its value, if that is a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

/// A value of something that is varied.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyValue {
    /// What is varied.
    pub factor: String,
    /// The value.
    pub value: f64,
}

/// Where settings are compared: a game, and limits for both sides.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyCircumstance {
    /// What it is called, `8×8, 10 ms` or `size=8, nodes=1000`. An empty key means that the text is its author's own.
    pub name: Message,
    /// The game's name, such as `othello`.
    pub game: String,
    /// All its options, as `key=value` separated by commas.
    pub options: String,
    /// The bot of each setting.
    pub bots: Vec<String>,
    /// The strength of each setting among all others, if all met all; empty otherwise.
    pub ratings: Vec<StudyRating>,
}

/// The strength of a setting among all others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyRating {
    /// In Elo, relative to the mean of all.
    pub elo: f64,
    /// The half-width of its 95% interval.
    pub error: f64,
}

/// A measured value with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyEstimate {
    /// The value.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What a comparison says about strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StudyVerdict {
    /// The setting is stronger than its opponent.
    Stronger,
    /// It is weaker.
    Weaker,
    /// Neither could be shown.
    Open,
}

/// What a setting is worth over all circumstances together, each of which counts the same.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyEffect {
    /// The setting, by index.
    pub setting: usize,
    /// The setting that it meets.
    pub opponent: usize,
    /// Games played, under all circumstances.
    pub games: u64,
    /// Its share of the points. The interval holds however often one looks, for the whole study together.
    pub score: StudyEstimate,
    /// The difference in Elo that the score stands for; `null` if it is infinite. The same holds for the ends of its interval.
    pub elo: Option<f64>,
    /// The lower end.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// What that says.
    pub verdict: StudyVerdict,
    /// How many times the nodes per move of its opponent the setting needed. Intervals of this and the following are approximate.
    pub nodes: Option<StudyEstimate>,
    /// How many times the time per move of its opponent.
    pub time: Option<StudyEstimate>,
    /// By how many plies it searched deeper.
    pub depth: Option<StudyEstimate>,
}

/// What the games of a study can show, and what others would take.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyOutlook {
    /// The most games of each setting.
    pub games: u64,
    /// How far from even a score has to be that so many games of a setting show.
    pub curve: Vec<StudyReach>,
    /// What the study shows, and what it takes to show less.
    pub rows: Vec<StudyCost>,
}

/// What so many games of a setting are likely to show.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyReach {
    /// The games, under all circumstances together.
    pub games: u64,
    /// How far from even a main effect has to be; `null` if none would be shown.
    pub main: Option<f64>,
    /// The same for every circumstance by itself; `null` also if there is one alone.
    pub each: Option<f64>,
}

/// What it takes to show a difference from even.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyCost {
    /// The difference, a share of the points.
    pub distance: f64,
    /// Whether it is to be shown under every circumstance by itself.
    pub each: bool,
    /// The games of each setting.
    pub games: u64,
    /// How long those of all settings take on one core, in seconds.
    pub seconds: f64,
}

/// A comparison of two settings under one circumstance.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyComparison {
    /// Where it is played, by index.
    pub circumstance: usize,
    /// The setting, by index.
    pub setting: usize,
    /// The setting that it meets.
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
    pub score: StudyEstimate,
    /// The difference in Elo that the score stands for; `null` if it is infinite. The same holds for the ends of its interval.
    pub elo: Option<f64>,
    /// The lower end.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// What that says.
    pub verdict: StudyVerdict,
    /// Whether it ended before all games were played, because everything about its setting was clear.
    pub early: bool,
    /// How many times the nodes per move of its opponent the setting needed. Intervals of this and the following are approximate.
    pub nodes: Option<StudyEstimate>,
    /// How many times the time per move of its opponent.
    pub time: Option<StudyEstimate>,
    /// By how many plies it searched deeper.
    pub depth: Option<StudyEstimate>,
    /// What the setting and its opponent did.
    pub sides: [StudySide; 2],
}

/// What a side did, on average per move.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudySide {
    /// Moves made.
    pub moves: u64,
    /// Seconds per move.
    pub seconds: f64,
    /// Nodes per move.
    pub nodes: f64,
    /// The depth.
    pub depth: f64,
    /// The effective branching factor.
    pub branching: Option<f64>,
    /// The share of nodes that ended in a cut-off.
    pub cutoffs: Option<f64>,
    /// The share of cut-offs by the first move that was tried.
    pub first_move: Option<f64>,
    /// The share of nodes that the transposition table answered.
    pub table_hits: Option<f64>,
    /// Mean points, in games for one.
    pub points: Option<StudyEstimate>,
    /// How long it took to finish each depth, in the moves in which that happened; at most [`MAX_DEPTHS`] depths that were finished in at least
    /// a twentieth of the moves.
    pub depths: Vec<StudyDepth>,
}

/// What it took to finish a depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyDepth {
    /// The depth.
    pub depth: usize,
    /// Mean seconds until then.
    pub seconds: f64,
}

/// What was seen of one thing in all games under the same circumstances.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyObservation {
    /// What was looked at. An empty key means that the text is the author's own.
    pub name: Message,
    /// Where, by index.
    pub circumstance: usize,
    /// Games in which there was something to measure.
    pub seen: u64,
    /// All games.
    pub games: u64,
    /// The mean value.
    pub mean: f64,
    /// The titles of the seats.
    pub seats: Vec<Message>,
    /// How the seats did by ranges of the value.
    pub ranges: Vec<StudyRange>,
}

/// Games in which a value lay in a range.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StudyRange {
    /// The smallest value.
    pub from: u64,
    /// The largest value; `null` stands for games in which it did not happen.
    pub to: Option<u64>,
    /// Games.
    pub games: u64,
    /// The share of points of each seat.
    pub shares: Vec<f64>,
}
