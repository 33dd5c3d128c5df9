//! Requests for which somebody has to think: what is asked is checked first, then done by whoever has time.
//!
//! A task is made of a request, and refuses what does not hold; it is run with a budget, where bots think.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use agon_answers::review::{Fault, Mark, faults, review_limits, reviewer};
use agon_answers::{
    AnalysisError, Analyst, Judge, TREE_DEPTHS, TREE_PLAYOUTS, TreeError, TreeRequest, analyze,
    default_tree_bot, explore, features, judging_bot,
};
use agon_erased::{
    Bot, BotSpec, Budget, Games, Limits, Opened, Rules, Session, SpecificationError, default_bot,
};
use agon_match::Occupant;
use agon_messages::Refused;
use agon_protocol::analysis::Analysis;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::{AnalysisQuestion, FaultMark, FaultState, ReviewPart};
use agon_protocol::web::tree::{FeatureAnswer, FeatureQuestion, TreeAnswer, TreeQuestion};
use agon_table::limits::{BotLimits, check_bot};
use serde::Deserialize;

use crate::catalogue::entry;
use crate::opened;

/// How long an analysis takes unless the question says so.
const ANALYSIS_TIME: Duration = Duration::from_secs(1);
/// For how long moves are judged before what has been found is answered.
const REVIEW_TIME: Duration = Duration::from_millis(1200);

/// Makes players that are no bots of a game, and those that are.
pub type PlayerMaker = fn(&dyn Rules, &Occupant, u64) -> Result<Box<dyn Bot>, SpecificationError>;

/// An analysis of a position.
pub struct AnalysisTask {
    rules: Arc<dyn Rules>,
    session: Box<dyn Session>,
    bot: Occupant,
    time: Duration,
}

impl AnalysisTask {
    /// What the question asks for.
    ///
    /// # Errors
    /// If anything about it does not hold.
    pub fn new(games: Games, limits: &BotLimits, question: AnalysisQuestion) -> Result<Self, Refused> {
        let AnalysisQuestion { game, options, position, moves, bot, millis } = question;
        let (rules, session) = opened(games, &game, &options, position.as_deref(), &moves)?;
        let bot = bot.map(|text| check_bot(&*rules, &text, limits)).transpose();
        let bot = bot.map_err(|refused| refused.about("bot"))?;
        let bot = limits.fitted(&*rules, bot.unwrap_or_else(|| Occupant::Bot(default_bot(&*rules))));
        let time =
            millis.map_or(ANALYSIS_TIME, |millis| Duration::from_millis(millis.into())).min(limits.time);
        Ok(Self { rules, session, bot, time })
    }

    /// Whether it can only be run once the game's trained weights are there.
    pub fn needs_weights(&self) -> bool {
        needs_weights(&*self.rules, &self.bot)
    }

    /// The analysis, within `allowed` where others wait too.
    ///
    /// # Errors
    /// If the game is over, or the bot fails.
    pub fn run(
        self,
        allowed: Option<Duration>,
        budget: Budget,
        player: PlayerMaker,
    ) -> Result<Analysis, Refused> {
        let Self { rules, mut session, bot, time } = self;
        let time = allowed.map_or(time, |allowed| allowed.min(time));
        let budget = Budget { limits: Limits::of_time(time), ..budget };
        let analysis = Analyst::of_occupant(&*rules, &bot, 0, player)
            .map_err(AnalysisError::from)
            .and_then(|mut analyst| analyze(&*rules, &mut *session, &mut analyst, 0, budget, &mut |_| {}));
        analysis.map_err(|error| Refused::because(RefusalCode::Invalid, "refused.analysis", error))
    }
}

/// A search whose tree is shown.
pub struct TreeTask {
    rules: Arc<dyn Rules>,
    session: Box<dyn Session>,
    request: TreeRequest,
}

impl TreeTask {
    /// What the question asks for.
    ///
    /// # Errors
    /// If anything about it does not hold.
    pub fn new(games: Games, limits: &BotLimits, question: TreeQuestion) -> Result<Self, Refused> {
        let TreeQuestion { game, options, position, moves, bot, depth, playouts } = question;
        check_range("depth", depth, TREE_DEPTHS)?;
        check_range("playouts", playouts, TREE_PLAYOUTS)?;
        let (rules, session) = opened(games, &game, &options, position.as_deref(), &moves)?;
        let text = bot.unwrap_or_else(|| default_tree_bot(&*rules).to_owned());
        let bot = match check_bot(&*rules, &text, limits).map(|bot| limits.fitted(&*rules, bot)) {
            Ok(Occupant::Bot(spec)) => spec,
            Ok(_) => return Err(no_tree()),
            Err(refused) => return Err(refused.about("bot")),
        };
        Ok(Self { rules, session, request: TreeRequest { bot: Some(bot), depth, playouts, seed: 0 } })
    }

    /// Whether it can only be run once the game's trained weights are there.
    pub fn needs_weights(&self) -> bool {
        self.request.bot.as_ref().is_some_and(|bot| self.rules.needs_weights(bot))
    }

    /// The tree. Time is no limit of the search itself, which would make it deepen step by step instead of as it was asked to: whoever
    /// gives the budget stops it.
    ///
    /// # Errors
    /// If the game is over, the bot has no tree, or it took too long.
    pub fn run(self, budget: Budget) -> Result<TreeAnswer, Refused> {
        let Self { rules, mut session, request } = self;
        let budget = Budget { limits: Limits::default(), ..budget };
        explore(&*rules, &mut *session, &request, budget).map_err(|error| match error {
            TreeError::NoTree(_) => no_tree(),
            TreeError::Stopped => Refused::plain(RefusalCode::Limit, "refused.tree-limit").about("depth"),
            TreeError::Analysis(error) => Refused::because(RefusalCode::Invalid, "refused.tree", error),
        })
    }
}

/// The bot does not search by a tree.
fn no_tree() -> Refused {
    Refused::plain(RefusalCode::Invalid, "refused.no-tree").about("bot")
}

/// What an evaluation sees in a position.
pub struct FeatureTask {
    rules: Arc<dyn Rules>,
    session: Box<dyn Session>,
    evaluation: Option<String>,
    bot: Option<BotSpec>,
}

impl FeatureTask {
    /// What the question asks for.
    ///
    /// # Errors
    /// If anything about it does not hold.
    pub fn new(games: Games, limits: &BotLimits, question: FeatureQuestion) -> Result<Self, Refused> {
        let FeatureQuestion { game, options, position, moves, evaluation, bot } = question;
        let (rules, session) = opened(games, &game, &options, position.as_deref(), &moves)?;
        let bot = match bot.map(|bot| check_bot(&*rules, &bot, limits)) {
            Some(Ok(Occupant::Bot(spec))) => Some(spec),
            Some(Ok(_)) => return Err(Refused::plain(RefusalCode::Invalid, "refused.no-judge").about("bot")),
            Some(Err(refused)) => return Err(refused.about("bot")),
            None => None,
        };
        Ok(Self { rules, session, evaluation, bot })
    }

    fn judge(&self) -> Judge<'_> {
        match (&self.bot, &self.evaluation) {
            (Some(bot), _) => Judge::Bot(bot),
            (None, Some(name)) => Judge::Evaluation(name),
            (None, None) => Judge::Best,
        }
    }

    /// Whether it can only be run once the game's trained weights are there.
    pub fn needs_weights(&self) -> bool {
        judging_bot(&*self.rules, self.judge()).is_ok_and(|(_, bot)| self.rules.needs_weights(&bot))
    }

    /// What it sees.
    ///
    /// # Errors
    /// If the game has no such evaluation.
    pub fn run(&self) -> Result<FeatureAnswer, Refused> {
        let failed =
            |error| Refused::because(RefusalCode::Invalid, "refused.evaluation", error).about("evaluation");
        features(&*self.rules, &*self.session, self.judge()).map_err(failed)
    }
}

/// Which moves are to be judged.
#[derive(Clone, Copy, Deserialize)]
pub struct ReviewQuery {
    /// The board, from 0.
    #[serde(default)]
    pub board: usize,
    /// The first ply.
    #[serde(default)]
    pub from: usize,
}

/// A look back at a game that is over.
pub struct ReviewTask {
    rules: Arc<dyn Rules>,
    session: Box<dyn Session>,
    from: usize,
    bot: Occupant,
}

impl ReviewTask {
    /// A look back at `game` from a ply on.
    pub fn new(limits: &BotLimits, (rules, session): Opened, from: usize) -> Self {
        let bot = limits.fitted(&*rules, Occupant::Bot(reviewer(&*rules)));
        Self { rules, session, from, bot }
    }

    /// The answer where no move is left to be judged.
    pub fn done(&self) -> Option<ReviewPart> {
        let plies = self.session.len();
        (self.from >= plies).then(|| ReviewPart { to: plies, plies, faults: Vec::new() })
    }

    /// Whether it can only be run once the game's trained weights are there.
    pub fn needs_weights(&self) -> bool {
        needs_weights(&*self.rules, &self.bot)
    }

    /// Judges moves for a while, within `allowed` where others wait too.
    ///
    /// # Errors
    /// If the bot fails.
    pub fn run(
        self,
        games: Games,
        allowed: Option<Duration>,
        budget: Budget,
        player: PlayerMaker,
    ) -> Result<ReviewPart, Refused> {
        let Self { rules, session, from, bot } = self;
        let yardstick = entry(games, rules.spec().id)?.yardstick;
        let failed = |error: String| Refused::because(RefusalCode::State, "refused.analysis", error);
        let mut bot = player(&*rules, &bot, 0).map_err(|error| failed(error.to_string()))?;
        let (clock, began) = (Arc::clone(&budget.clock), budget.clock.now());
        let part = allowed.map_or(REVIEW_TIME, |allowed| allowed.min(REVIEW_TIME));
        let goes_on = || clock.now().saturating_sub(began) < part;
        let budget = Budget { limits: review_limits(), keeps_own_limits: false, is_analysis: true, ..budget };
        let judged = faults(&*rules, yardstick, &*session, from, &mut *bot, &budget, goes_on);
        let (found, to) = judged.map_err(|error| failed(error.to_string()))?;
        let state = |Fault { ply, mark, better }: Fault| FaultState { ply, mark: mark_state(mark), better };
        Ok(ReviewPart { to, plies: session.len(), faults: found.into_iter().map(state).collect() })
    }
}

fn mark_state(mark: Mark) -> FaultMark {
    match mark {
        Mark::Dubious => FaultMark::Dubious,
        Mark::Mistake => FaultMark::Mistake,
        Mark::Blunder => FaultMark::Blunder,
    }
}

/// Whether whoever it is can only think once the game's trained weights are there.
pub fn needs_weights(rules: &dyn Rules, occupant: &Occupant) -> bool {
    match occupant {
        Occupant::Bot(spec) => rules.needs_weights(spec),
        Occupant::Person | Occupant::Program(_) => false,
    }
}

fn check_range(field: &str, value: Option<u32>, allowed: RangeInclusive<u32>) -> Result<(), Refused> {
    if value.is_none_or(|value| allowed.contains(&value)) {
        return Ok(());
    }
    let ends = [("n", (*allowed.start()).into()), ("m", (*allowed.end()).into())];
    Err(Refused::new(RefusalCode::Invalid, "refused.range", ends).about(field))
}
