//! What a bot thinks of a position, and why.

use agon_arena::RecordResult;
use agon_core::Turn;
use agon_core::random::{RandomSource, seeded};
use agon_players::{default_bot, player, sets, with_several_moves};
use agon_protocol::analysis::{Analysis, NamedFeature, ScoredMove};
use agon_registry::{
    Bot, BotError, Budget, Feature, Limits, Rules, Session, SpecificationError, Thought, proven_in,
};

/// How many moves are given their exact scores, if the bot can.
pub const COMPARED_MOVES: usize = 5;

/// Who is asked about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnalysisRequest {
    /// The bot's specification; our best one if there is none.
    pub bot: Option<String>,
    /// Fixes the bot's randomness, and that of chance where it is to act before a player.
    pub seed: u64,
}

/// Why there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The game is over.
    #[error("the game is over in this position: {0}; there is nothing to analyze")]
    GameOver(RecordResult),
    /// There is no such bot.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
    /// The bot has failed.
    #[error("the bot has not answered: {0}")]
    Bot(BotError),
}

/// Has a bot think about `session`, a game of `rules`, in which chance acts first if it is its turn.
///
/// The limits by which the bot plays are set aside for those of `budget`, unless its specification sets some; without any it thinks as
/// it plays, and one that plays by none has a second. `observe` hears of its progress.
///
/// # Errors
/// If the game is over, there is no such bot, or it fails.
pub fn analyze(
    rules: &dyn Rules,
    session: &mut dyn Session,
    request: &AnalysisRequest,
    mut budget: Budget,
    observe: &mut dyn FnMut(&Thought<String>),
) -> Result<Analysis, AnalysisError> {
    let mut chance = seeded(request.seed);
    while session.outcome().is_none() && session.turn() == Turn::Chance {
        session.draw(chance.next_u64()).ok_or(AnalysisError::Bot(BotError::NoMove))?;
    }
    if session.outcome().is_some() {
        return Err(AnalysisError::GameOver(RecordResult::of(rules, session.outcome())));
    }
    let specification = request.bot.as_deref().unwrap_or_else(|| default_bot(rules));
    // A bot that was told how long to think is taken at its word.
    let limits_itself = ["time", "depth", "nodes"].iter().any(|key| sets(specification, key));
    budget.keeps_own_limits = limits_itself || budget.limits == Limits::default();
    budget.is_analysis = true;
    let mut bot = player(rules, &with_several_moves(rules, specification, COMPARED_MOVES), request.seed)?;
    let (thought, moves_depth) = think(&mut *bot, session, &budget, observe).map_err(AnalysisError::Bot)?;
    let seconds = thought.elapsed.as_secs_f64();
    let features = bot.features(session).into_iter();
    Ok(Analysis {
        best: thought.best,
        score: thought.score,
        depth: thought.depth,
        nodes: thought.nodes,
        nodes_per_second: if seconds > 0.0 { (thought.nodes as f64 / seconds) as u64 } else { 0 },
        line: thought.line,
        moves: thought
            .moves
            .into_iter()
            .map(|known| ScoredMove { name: known.mv, score: known.score })
            .collect(),
        features: features
            .map(|Feature { name, value, weight }| NamedFeature { name, value, weight })
            .collect(),
        proven: thought.score.and_then(|score| proven_text(score, rules.seats().len())),
        moves_depth,
        statistics: thought
            .statistics
            .into_iter()
            .map(|statistic| (statistic.name, statistic.value))
            .collect(),
        seconds,
        bot: specification.to_owned(),
        position: session.position(),
    })
}

/// A score in words where it says that the end has been found, in games of several `players`.
pub fn proven_text(score: f64, players: usize) -> Option<String> {
    let plies = proven_in(score).filter(|_| players > 1)?;
    let word = if score > 0.0 { "win" } else { "loss" };
    Some(format!("{word} in {}", plies.abs()))
}

/// The bot's thought, and the depth at which it compared the moves.
fn think(
    bot: &mut dyn Bot,
    session: &dyn Session,
    budget: &Budget,
    observe: &mut dyn FnMut(&Thought<String>),
) -> Result<(Thought<String>, u32), BotError> {
    let began = budget.clock.now();
    let (mut known, mut known_depth) = (Vec::new(), 0);
    let mut thought = bot.think(session, budget, &mut |thought| {
        if thought.moves.len() >= known.len() {
            known.clone_from(&thought.moves);
            known_depth = thought.depth;
        }
        observe(thought);
    })?;
    // An iteration that was cut short knows its first moves only: then all are shown as the last whole one saw them.
    let moves_depth = if thought.moves.len() < known.len() {
        thought.moves = known;
        known_depth
    } else {
        thought.depth
    };
    // Other people's programs do not say how long they took.
    thought.elapsed = budget.clock.now().saturating_sub(began);
    Ok((thought, moves_depth))
}
