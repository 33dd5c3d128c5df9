//! What a bot thinks of a position, and why.

use agon_core::Turn;
use agon_core::random::{RandomSource, seeded};
use agon_erased::{
    Bot, BotError, BotSpec, Bound, Budget, Feature, Limits, Rules, Session, SpecificationError, Thought,
    with_several_moves,
};
use agon_match::Occupant;
use agon_protocol::analysis::{self, Analysis, NamedFeature, ScoredMove};
use agon_records::RecordResult;

use crate::score::{ScoreScale, Unit, chances, proven_text};

/// How many moves are given their exact scores, if the bot can.
pub const COMPARED_MOVES: usize = 5;
/// The settings by which a bot is told how long to think.
const OWN_LIMITS: [&str; 3] = ["time", "depth", "nodes"];

/// Who is asked about a position.
pub struct Analyst {
    bot: Box<dyn Bot>,
    name: String,
    /// Whether it was told how long to think. Then it is taken at its word.
    limits_itself: bool,
}

impl Analyst {
    /// A bot of the game, its randomness fixed by `seed`. It compares [`COMPARED_MOVES`] moves, if it can and was not told of how many.
    ///
    /// # Errors
    /// If there is no such bot.
    pub fn of_spec(rules: &dyn Rules, spec: &BotSpec, seed: u64) -> Result<Self, SpecificationError> {
        let limits_itself = OWN_LIMITS.iter().any(|key| spec.sets(key));
        let bot = rules.bot(&with_several_moves(rules, spec.clone(), COMPARED_MOVES), seed)?;
        Ok(Self { bot, name: spec.to_string(), limits_itself })
    }

    /// Whoever `occupant` is. `player` builds those who are no bots of the game, such as other programs.
    ///
    /// # Errors
    /// If there is no such bot, or `player` has none.
    pub fn of_occupant(
        rules: &dyn Rules,
        occupant: &Occupant,
        seed: u64,
        player: impl FnOnce(&dyn Rules, &Occupant, u64) -> Result<Box<dyn Bot>, SpecificationError>,
    ) -> Result<Self, SpecificationError> {
        match occupant {
            Occupant::Bot(spec) => Self::of_spec(rules, spec, seed),
            other => {
                Ok(Self { bot: player(rules, other, seed)?, name: other.to_string(), limits_itself: false })
            }
        }
    }
}

/// Why there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    /// The game is over.
    #[error("there is nothing to analyze: the game is over in this position ({0})")]
    GameOver(String),
    /// There is no such bot.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
    /// The bot has failed.
    #[error("the bot did not answer: {0}")]
    Bot(BotError),
}

/// Has `analyst` think about `session`, a game of `rules`, in which chance acts first if it is its turn, fixed by `seed`.
///
/// The limits by which the bot plays are set aside for those of `budget`, unless its specification sets some; without any it thinks as
/// it plays, and one that plays by none has a second. `observe` hears of its progress.
///
/// # Errors
/// If the game is over, or the bot fails.
pub fn analyze(
    rules: &dyn Rules,
    session: &mut dyn Session,
    analyst: &mut Analyst,
    seed: u64,
    mut budget: Budget,
    observe: &mut dyn FnMut(&Thought<String>),
) -> Result<Analysis, AnalysisError> {
    let_chance_act(rules, session, seed)?;
    budget.keeps_own_limits = analyst.limits_itself || budget.limits == Limits::default();
    budget.is_analysis = true;
    let bot = &mut *analyst.bot;
    let (thought, moves_depth) = think(bot, session, &budget, observe).map_err(AnalysisError::Bot)?;
    let seconds = thought.elapsed.as_secs_f64();
    let scale = ScoreScale { unit: bot.unit(), players: rules.seats().len() };
    let scored = |known: agon_erased::ScoredMove<String>| ScoredMove {
        name: known.mv,
        score: scale.value(known.score),
        bound: match known.bound {
            Bound::Exact => None,
            Bound::Lower => Some(analysis::Bound::Lower),
            Bound::Upper => Some(analysis::Bound::Upper),
        },
        text: scale.text(known.score),
    };
    let chances = seat_chances(session, &thought, scale);
    let features = bot.features(session).into_iter();
    Ok(Analysis {
        best: thought.best,
        score: thought.score.map(|score| scale.value(score)),
        unit: thought.score.and(scale.name()),
        depth: thought.depth,
        nodes: thought.nodes,
        nodes_per_second: if seconds > 0.0 { (thought.nodes as f64 / seconds) as u64 } else { 0 },
        chances,
        line: thought.line,
        moves: thought.moves.into_iter().map(scored).collect(),
        features: features
            .map(|Feature { name, value, weight }| NamedFeature { name, value, weight })
            .collect(),
        proven: thought.score.and_then(|score| proven_text(score, scale.players)),
        moves_depth,
        statistics: thought
            .statistics
            .into_iter()
            .map(|statistic| (statistic.name, statistic.value))
            .collect(),
        seconds,
        bot: analyst.name.clone(),
        position: session.position(),
        text: thought.score.map(|score| scale.text(score)),
    })
}

/// Lets chance act in `session`, a game of `rules`, until a player is to move.
pub(crate) fn let_chance_act(
    rules: &dyn Rules,
    session: &mut dyn Session,
    seed: u64,
) -> Result<(), AnalysisError> {
    let mut chance = seeded(seed);
    while session.outcome().is_none() && session.turn() == Turn::Chance {
        session.draw(chance.next_u64()).ok_or(AnalysisError::Bot(BotError::NoMove))?;
    }
    if session.outcome().is_some() {
        let result = RecordResult::of(rules, session.outcome());
        return Err(AnalysisError::GameOver(result.sentence(rules, session)));
    }
    Ok(())
}

/// Each seat's chance of winning in per cent, in games of three or more whose evaluation is fitted to results. That of the player to
/// move is the score; the others share the rest by what the evaluation says at the end of the principal variation.
fn seat_chances(session: &dyn Session, thought: &Thought<String>, scale: ScoreScale) -> Option<Vec<f64>> {
    let Some(Unit::Expectation { scale: lead }) = scale.unit.filter(|_| scale.players > 2) else {
        return None;
    };
    let Turn::Player(mover) = session.turn() else { return None };
    let own = scale.value(thought.score?);
    let mut end = session.fork();
    for token in &thought.line {
        end.play(token).ok()?;
    }
    let shares = chances(&end.prospects(), lead);
    let others = 1.0 - shares[mover.index()];
    let rest = 100.0 - own;
    let part = |share: f64| match others {
        // The mover has won there: nobody else is ahead.
        0.0 => rest / (scale.players - 1) as f64,
        _ => rest * share / others,
    };
    let all = shares.iter().enumerate();
    Some(all.map(|(seat, &share)| if seat == mover.index() { own } else { part(share) }).collect())
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
