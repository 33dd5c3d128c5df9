//! What a tuning has come to: what `results.json` holds.

use agon_arena::statistics::Tally;
use serde::{Deserialize, Serialize};

/// The results of a tuning, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The version of this format.
    pub version: u32,
    /// The game.
    pub game: String,
    /// Its options; games alternated between several.
    pub options: Vec<String>,
    /// The bot as it was.
    pub before: String,
    /// The bot with what was found; `None` before anything was.
    pub after: Option<String>,
    /// The evaluation by which it judges.
    pub evaluation: String,
    /// The method: `regression` or `spsa`.
    pub method: String,
    /// The command that does the same again.
    pub command: String,
    /// Games that tuning has learned from.
    pub tuning_games: usize,
    /// How the values changed.
    pub changes: Vec<Change>,
    /// The fit, if there was one.
    pub fit: Option<FitResult>,
    /// The values after each step of a climb, in the order of the changes.
    pub climb: Vec<Vec<f64>>,
    /// The match.
    pub contest: Option<MatchResult>,
    /// What came of it, a sentence each.
    pub summary: Vec<String>,
}

/// A value before and after.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What it is called.
    pub name: String,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
    /// In what share of the positions it played a part, by regression.
    pub seen: Option<f64>,
}

/// A fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitResult {
    /// Positions that were fitted.
    pub positions: usize,
    /// Positions of the games that were held out.
    pub held_out: usize,
    /// The lead by which the odds grow e-fold.
    pub scale: f64,
    /// The log loss on the held-out games before and after.
    pub loss: [f64; 2],
    /// The share of decided games predicted right there, before and after.
    pub accuracy: [f64; 2],
    /// By how much the spread of the evaluation has grown: 1 if not at all.
    pub spread: f64,
    /// Each step of the fit.
    pub steps: Vec<StepResult>,
}

/// A step of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepResult {
    /// The log loss on the fitted positions.
    pub train: f64,
    /// On those held out.
    pub held_out: f64,
}

/// What the match says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// What was found is better.
    Better,
    /// It is worse.
    Worse,
    /// Neither could be shown.
    Open,
}

/// The match between the bot with what was found and the bot as it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchResult {
    /// The limit of both sides.
    pub limit: String,
    /// Games played.
    pub games: u64,
    /// Won by the tuned bot.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by it.
    pub losses: u64,
    /// The score, of 0 to 1.
    pub score: f64,
    /// Its 95% interval (Wilson).
    pub interval: [f64; 2],
    /// What that says.
    pub verdict: Verdict,
    /// The first fault by which a side lost a game.
    pub fault: Option<String>,
}

impl MatchResult {
    pub(crate) fn new(tally: &Tally, limit: String, fault: Option<String>) -> Self {
        let (low, high) = tally.interval();
        let verdict = if low > 0.5 {
            Verdict::Better
        } else if high < 0.5 {
            Verdict::Worse
        } else {
            Verdict::Open
        };
        let Tally { wins, draws, losses, .. } = *tally;
        let interval = [low, high];
        Self {
            limit,
            games: tally.games(),
            wins,
            draws,
            losses,
            score: tally.score(),
            interval,
            verdict,
            fault,
        }
    }
}
