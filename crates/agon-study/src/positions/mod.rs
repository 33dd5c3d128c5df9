//! Position suites: how many of a set of positions bots solve, how quickly, and with how many nodes.
//!
//! A [`Suite`] is read from a file in OBF, as the FFO endgame test has it, or in the project's own format. A position is solved if the bot
//! chooses one of its best moves. Its *time to solution* is the moment from which on the bot stays with such a move.

mod file;
mod report;

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agon_arena::in_order::Crew;
use agon_arena::statistics::Tally;
use agon_erased::{Bot, BotError, BotSpec, Budget, Clock, Games, Limits, Rules, Session, Threads};
use serde::Serialize;

use crate::bots::Cast;

pub use file::{FileError, MAX_BYTES};
pub use report::{json, table, write};

/// A set of positions with known best moves.
pub struct Suite {
    /// The game.
    pub rules: Arc<dyn Rules>,
    /// The positions.
    pub positions: Vec<Position>,
}

/// A position with its best moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// What it is called: its number in the file, or in the list.
    pub name: String,
    /// The position; the usual start if there is none.
    pub start: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
    /// The best moves, at least one.
    pub best: Vec<String>,
}

/// What a bot did in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// The position's name.
    pub position: String,
    /// The bot.
    pub bot: String,
    /// The move that it chose.
    pub chosen: String,
    /// The best moves.
    pub best: Vec<String>,
    /// Whether that is one of them.
    pub solved: bool,
    /// Its score, in the unit of its evaluation.
    pub score: Option<f64>,
    /// The depth of its search.
    pub depth: u32,
    /// Nodes of the whole search.
    pub nodes: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Nodes until it stayed with a best move, if it did.
    pub solution_nodes: Option<u64>,
    /// Seconds until then.
    pub solution_seconds: Option<f64>,
}

/// What a bot did in all positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The bot.
    pub bot: String,
    /// Positions that were tried.
    pub positions: u64,
    /// Positions solved.
    pub solved: u64,
    /// The share of positions solved.
    pub rate: f64,
    /// Its 95% interval, by Wilson's formula.
    pub interval: (f64, f64),
    /// The median of the times to solution, in seconds, over the positions solved.
    pub median_solution_seconds: Option<f64>,
    /// The mean of the nodes until the solution, over the positions solved.
    pub mean_solution_nodes: Option<f64>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Seconds of all searches.
    pub seconds: f64,
}

/// What came of a suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The game.
    pub game: String,
    /// Its options.
    pub options: String,
    /// Each bot's score.
    pub bots: Vec<Score>,
    /// Every attempt, by position and then by bot.
    pub attempts: Vec<Attempt>,
    /// Whether everything was tried.
    pub complete: bool,
}

/// Why a suite could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// A bot does not play the game.
    #[error(transparent)]
    Bot(#[from] agon_erased::SpecificationError),
    /// A bot would never answer.
    #[error(
        "{0} would think for ever; give it a limit, as in {0}:nodes=100000, or use --time, --nodes or --depth"
    )]
    Unlimited(BotSpec),
    /// A bot failed.
    #[error("{bot} failed in position {position}: {error}")]
    Failed {
        /// The bot.
        bot: String,
        /// The position.
        position: String,
        /// How.
        error: BotError,
    },
    /// Threads could not be started.
    #[error("cannot start the searches: {0}")]
    Threads(#[from] io::Error),
}

/// How a suite is run.
pub struct Conditions {
    /// The bots.
    pub bots: Vec<BotSpec>,
    /// Limits for all of them, beside their own.
    pub limits: Limits,
    /// Fixes the randomness of the bots.
    pub seed: u64,
    /// Searches at once.
    pub jobs: usize,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// Set by others to end it; what has been tried counts.
    pub stop: Arc<AtomicBool>,
}

impl Suite {
    /// Reads the text of a suite for one of `games`. Options of the game are for files that do not name them.
    ///
    /// # Errors
    /// The first line that does not hold.
    pub fn parse(games: Games, text: &str, options: &str) -> Result<Self, FileError> {
        file::parse(games, text, options)
    }

    /// Lets every bot try every position. `observe` is told of each attempt, in order.
    ///
    /// # Errors
    /// If a bot cannot play, fails, or would never answer.
    pub fn run(
        &self,
        conditions: &Conditions,
        observe: &mut dyn FnMut(&Attempt),
    ) -> Result<Outcome, SuiteError> {
        let cast = Cast::of(&*self.rules);
        let Limits { time, depth, nodes } = conditions.limits;
        let is_limited = time.is_some() || depth.is_some() || nodes.is_some();
        for spec in &conditions.bots {
            self.rules.bot(spec, conditions.seed)?;
            if !is_limited && cast.is_unlimited(spec) {
                return Err(SuiteError::Unlimited(spec.clone()));
            }
        }
        let items =
            self.positions.iter().flat_map(|position| conditions.bots.iter().map(move |bot| (position, bot)));
        // What the crew sets at its end is not what the caller has set.
        let abort = AtomicBool::new(false);
        let crew = Crew { jobs: conditions.jobs, drain: &conditions.stop, abort: &abort };
        let (mut attempts, mut failure) = (Vec::new(), None);
        crew.in_order(
            items,
            |(position, spec)| self.attempt(position, spec, conditions),
            |attempt| match attempt {
                // What a bot says after it was told to stop is half a thought.
                _ if conditions.stop.load(Ordering::Relaxed) => ControlFlow::Break(()),
                Ok(attempt) => {
                    observe(&attempt);
                    attempts.push(attempt);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        if let Some(error) = failure {
            return Err(error);
        }
        let bots = conditions.bots.iter().map(|spec| Score::of(&spec.to_string(), &attempts));
        Ok(Outcome {
            game: self.rules.spec().id.to_owned(),
            options: self.rules.options(),
            bots: bots.collect(),
            complete: attempts.len() == self.positions.len() * conditions.bots.len(),
            attempts,
        })
    }

    fn attempt(
        &self,
        position: &Position,
        spec: &BotSpec,
        conditions: &Conditions,
    ) -> Result<Attempt, SuiteError> {
        // The file was read by the same rules.
        let failed =
            |error| SuiteError::Failed { bot: spec.to_string(), position: position.name.clone(), error };
        let session = self
            .rules
            .open(position.start.as_deref(), &position.moves)
            .map_err(|error| failed(BotError::Failed(error.to_string())))?;
        let mut bot = self.rules.bot(spec, conditions.seed)?;
        try_position(position, spec, &mut *bot, &*session, conditions).map_err(failed)
    }
}

fn try_position(
    position: &Position,
    spec: &BotSpec,
    bot: &mut dyn Bot,
    session: &dyn Session,
    conditions: &Conditions,
) -> Result<Attempt, BotError> {
    let budget = Budget {
        limits: conditions.limits,
        clock: Arc::clone(&conditions.clock),
        stop: Arc::clone(&conditions.stop),
        // The clock may measure one thread.
        threads: Threads::at_most(1),
        keeps_own_limits: true,
        is_analysis: false,
        seed: Some(conditions.seed),
    };
    let is_best = |token: &String| position.best.contains(token);
    // When it came to the best move that it has not left since.
    let mut found = None;
    let began = conditions.clock.now();
    let thought = bot.think(session, &budget, &mut |thought| {
        if !is_best(&thought.best) {
            found = None;
        } else if found.is_none() {
            found = Some((thought.nodes, thought.elapsed.as_secs_f64()));
        }
    })?;
    let seconds = conditions.clock.now().saturating_sub(began).as_secs_f64();
    let solved = is_best(&thought.best);
    let solution = if solved { found.or(Some((thought.nodes, seconds))) } else { None };
    Ok(Attempt {
        position: position.name.clone(),
        bot: spec.to_string(),
        chosen: thought.best,
        best: position.best.clone(),
        solved,
        score: thought.score,
        depth: thought.depth,
        nodes: thought.nodes,
        seconds,
        solution_nodes: solution.map(|(nodes, _)| nodes),
        solution_seconds: solution.map(|(_, seconds)| seconds),
    })
}

impl Score {
    fn of(bot: &str, attempts: &[Attempt]) -> Self {
        let mine = || attempts.iter().filter(|attempt| attempt.bot == bot);
        let (positions, solved) =
            (mine().count() as u64, mine().filter(|attempt| attempt.solved).count() as u64);
        let mut tally = Tally::default();
        (tally.wins, tally.losses) = (solved, positions - solved);
        let mut times: Vec<f64> = mine().filter_map(|attempt| attempt.solution_seconds).collect();
        times.sort_by(f64::total_cmp);
        let nodes: u64 = mine().filter_map(|attempt| attempt.solution_nodes).sum();
        Self {
            bot: bot.to_owned(),
            positions,
            solved,
            rate: solved as f64 / positions.max(1) as f64,
            interval: tally.interval(),
            median_solution_seconds: times.get(times.len() / 2).copied(),
            mean_solution_nodes: (solved > 0).then(|| nodes as f64 / solved as f64),
            nodes: mine().map(|attempt| attempt.nodes).sum(),
            seconds: mine().map(|attempt| attempt.seconds).sum(),
        }
    }
}
