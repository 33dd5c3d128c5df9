//! Running a tuning: whatever its directory does not hold yet.

use std::io;
use std::sync::Arc;

use agon_arena::entrants::PlayerRequest;
use agon_arena::experiment::{self, ExperimentError, Host, Progress, RunEnd};
use agon_arena::folder::{ClaimError, FolderError};
use agon_arena::runner::LocalWorker;
use agon_core::random::mix;
use agon_core::text::duration_text;
use agon_erased::{BotSpec, MAX_WEIGHT};
use agon_files::replace_derived;
use agon_study::bots::Cast;

use crate::dimension::{Kind, number_text};
use crate::fit::{self, Problem, Quality, Sample};
use crate::parts::{Ascent, FinalMatch, Part, PartRun, SelfPlay};
use crate::plan::{Climb, Limit, Method, Plan, PlanError, Regression};
use crate::play::Sampling;
use crate::report;
use crate::results::{Change, FitResult, MatchResult, Results, StepResult};
use crate::sample::{Lens, LensError, with_weights};
use crate::store::Store;
use crate::weight_file::WeightFile;

const TUNING: &str = "tuning.jsonl";
const MATCH: &str = "match.jsonl";
/// The weights that were found.
const WEIGHTS: &str = "weights.toml";

/// What the seed of the choice of positions is made of; those of games are in `parts`.
const SAMPLING: u64 = 4;

/// Why a tuning could not be run.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Its directory cannot be used.
    #[error(transparent)]
    Directory(#[from] ClaimError),
    /// A game could not be played, or not be written down.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A bot cannot be set as it would have to be.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Nor asked what it sees.
    #[error(transparent)]
    Lens(#[from] LensError),
    /// A bot cannot be set so.
    #[error("{0}")]
    Bot(String),
    /// There are not enough different openings.
    #[error(
        "openings of {0} random plies are too few to set some aside for the match; choose more --opening-plies"
    )]
    Openings(usize),
    /// There is nothing to fit.
    #[error("no position of these games is fit to learn from; play more games, or longer ones")]
    NoPositions,
}

impl From<FolderError> for TuneError {
    fn from(error: FolderError) -> Self {
        Self::Experiment(error.into())
    }
}

impl From<io::Error> for TuneError {
    fn from(error: io::Error) -> Self {
        Self::Experiment(error.into())
    }
}

/// What tuning has found.
struct Found {
    /// The bot with it, and as it was, set the same way so that neither is faster.
    after: BotSpec,
    before: BotSpec,
    changes: Vec<Change>,
    fit: Option<FitResult>,
    climb: Vec<Vec<f64>>,
    /// The weights for the file, if weights were tuned.
    weights: Vec<(String, f64)>,
}

impl Plan {
    /// Plays everything that `store` does not hold yet, writes the reports and the weights, and says whether that was all. `observe` is told
    /// of every game that counts, in order.
    ///
    /// Neither the number of jobs nor interruptions change the result if bots are limited by nodes or depth: games have their randomness
    /// from their numbers and are looked at in order, and everything else is computed from them.
    ///
    /// # Errors
    /// If a game cannot be played, or what happens cannot be written down. Nothing that was finished is lost.
    pub fn run(
        &self,
        store: &Store,
        host: &Host,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<(RunEnd, Results), TuneError> {
        let mut run = Run { plan: self, store, host, observe, done: 0 };
        let mut results = self.blank();
        let found = match &self.method {
            Method::Regression(regression) => run.regress(regression)?,
            Method::Spsa(climb) => run.climb(climb, &mut results)?,
        };
        results.tuning_games = run.done;
        let Some(found) = found else { return run.end(results, RunEnd::Stopped) };
        results.after = Some(found.after.to_string());
        (results.changes, results.fit, results.climb) = (found.changes, found.fit, found.climb);
        if !found.weights.is_empty() {
            let file = WeightFile {
                name: self.name().to_owned(),
                game: results.game.clone(),
                evaluation: self.linear.evaluation.clone(),
                command: self.command(),
                weights: found.weights,
            };
            store.write(WEIGHTS, &file.to_text())?;
        }
        if self.contest.games == 0 {
            return run.end(results, RunEnd::Finished);
        }
        let (contest, is_whole) = run.contest(&found.after, &found.before)?;
        results.contest = (contest.games > 0).then_some(contest);
        run.end(results, if is_whole { RunEnd::Finished } else { RunEnd::Stopped })
    }

    fn blank(&self) -> Results {
        Results {
            version: 1,
            game: self.entry().spec.id.to_owned(),
            options: self.variants.iter().map(|variant| variant.rules.options()).collect(),
            before: self.bot.to_string(),
            after: None,
            evaluation: self.linear.evaluation.clone(),
            method: if matches!(self.method, Method::Spsa(_)) { "spsa" } else { "regression" }.to_owned(),
            command: self.command(),
            tuning_games: 0,
            changes: Vec::new(),
            fit: None,
            climb: Vec::new(),
            contest: None,
            summary: Vec::new(),
        }
    }

    /// The limit of the match, for people.
    fn limit_text(&self) -> String {
        match self.contest.limit {
            Some(Limit::Nodes(nodes)) => format!("{nodes} nodes"),
            Some(Limit::Time(time)) => duration_text(time),
            None => {
                let nodes = self.bot.value("nodes").map(|nodes| format!("{nodes} nodes"));
                let depth = self.bot.value("depth").map(|depth| format!("depth {depth}"));
                let limits: Vec<String> = nodes.into_iter().chain(depth).collect();
                if limits.is_empty() { "the bot's own limits".to_owned() } else { limits.join(", ") }
            }
        }
    }
}

/// A tuning that is being run.
struct Run<'a> {
    plan: &'a Plan,
    store: &'a Store,
    host: &'a Host,
    observe: &'a mut dyn FnMut(Progress),
    /// Games that count so far.
    done: usize,
}

impl<'a> Run<'a> {
    /// Plays what the file of this name does not hold yet of a part of the tuning.
    fn play<P: Part<'a>>(&mut self, file: &str, part: P) -> Result<(RunEnd, P), TuneError> {
        let mut results = self.store.results(file)?;
        let make = |request: PlayerRequest| request.house_bot();
        let worker = LocalWorker { make: &make, clock: Arc::clone(&self.host.clock) };
        let mut games = PartRun { plan: self.plan, part, done: self.done };
        let end = experiment::run(&mut games, &mut results, self.host, &worker, self.observe)?;
        self.done = games.done;
        Ok((end, games.part))
    }

    /// The weights fitted to self-play; `None` if it was stopped.
    fn regress(&mut self, regression: &Regression) -> Result<Option<Found>, TuneError> {
        let plan = self.plan;
        // Whether it can be asked is found out before anything is played.
        for variant in &plan.variants {
            Lens::new(&*variant.rules, &plan.linear, &plan.bot)?;
        }
        let sampling = Sampling { positions: regression.positions, seed: mix(plan.seed(), SAMPLING) };
        let (end, SelfPlay { train, held_out, .. }) =
            self.play(TUNING, SelfPlay::new(plan, regression.games, sampling))?;
        if end == RunEnd::Stopped {
            return Ok(None);
        }
        if train.is_empty() {
            return Err(TuneError::NoPositions);
        }
        self.fit(regression, &train, &held_out).map(Some)
    }

    fn fit(
        &self,
        regression: &Regression,
        train: &[Sample],
        held_out: &[Sample],
    ) -> Result<Found, TuneError> {
        let Plan { linear, bot, .. } = self.plan;
        let present: Vec<f64> = linear.weights.iter().map(|weight| weight.value).collect();
        let fitted = fit::fit(
            &Problem {
                present: &present,
                is_free: &regression.is_free,
                is_whole: &regression.is_whole,
                most: MAX_WEIGHT,
                ridge: regression.ridge / regression.games as f64,
                scale: linear.scale / 3_f64.ln(),
            },
            train,
            held_out,
        );
        let names = || linear.weights.iter().map(|weight| weight.name.as_str());
        let with = |weights: &[f64]| {
            with_weights(bot, names().zip(weights.iter().copied()))
                .map_err(|error| TuneError::Bot(error.to_string()))
        };
        // An evaluation whose weights change in the course of a game has no other form.
        let is_constant = train.iter().all(|sample| {
            let sum: f64 = sample.amounts.iter().zip(&present).map(|(amount, weight)| amount * weight).sum();
            (sample.constant + sum - sample.opinion).abs() <= 0.001 * sample.opinion.abs().max(1000.0)
        });
        let before = if is_constant { with(&present)? } else { bot.clone() };
        let [was, is] = [None, Some(&fitted.weights[..])]
            .map(|weights| -> Quality { fit::quality(held_out, weights, fitted.scale) });
        let spread = |weights: Option<&[f64]>| -> f64 {
            let values = train.iter().map(|sample| match weights {
                None => sample.opinion,
                Some(weights) => {
                    sample.constant + sample.amounts.iter().zip(weights).map(|(a, w)| a * w).sum::<f64>()
                }
            });
            values.map(|value| value * value).sum::<f64>().sqrt()
        };
        let seen = |place: usize| {
            let count = train.iter().filter(|sample| sample.amounts[place] != 0.0).count();
            count as f64 / train.len() as f64
        };
        let changes = names()
            .enumerate()
            .map(|(place, name)| Change {
                name: name.to_owned(),
                before: number_text(present[place]),
                after: number_text(fitted.weights[place]),
                seen: Some(seen(place)),
            })
            .collect();
        let step = |step: &fit::Step| StepResult { train: step.train, held_out: step.held_out };
        Ok(Found {
            after: with(&fitted.weights)?,
            before,
            changes,
            climb: Vec::new(),
            weights: names().map(str::to_owned).zip(fitted.weights.iter().copied()).collect(),
            fit: Some(FitResult {
                positions: train.len(),
                held_out: held_out.len(),
                scale: fitted.scale,
                loss: [was.loss, is.loss],
                accuracy: [was.accuracy, is.accuracy],
                spread: spread(Some(&fitted.weights)) / spread(None).max(f64::MIN_POSITIVE),
                steps: fitted.steps.iter().map(step).collect(),
            }),
        })
    }

    /// The values found by a climb; `None` if it was stopped.
    fn climb(&mut self, climb: &'a Climb, results: &mut Results) -> Result<Option<Found>, TuneError> {
        let plan = self.plan;
        let dimensions = &climb.dimensions;
        let cast = Cast::of(&*plan.variants[0].rules);
        let (end, Ascent { spsa, points, .. }) = self.play(TUNING, Ascent::new(plan, climb))?;
        results.climb = points;
        if end == RunEnd::Stopped {
            return Ok(None);
        }
        let mut after = plan.bot.clone();
        let (mut changes, mut weights) = (Vec::new(), Vec::new());
        for (dimension, at) in dimensions.iter().zip(spsa.found()) {
            let value = dimension.value(at, 0.5);
            after = dimension.apply(&cast, &after, &value).map_err(TuneError::Bot)?;
            if dimension.kind == Kind::Weight {
                weights.push((dimension.name.clone(), value.parse().unwrap_or_default()));
            }
            changes.push(Change {
                name: dimension.name.clone(),
                before: dimension.before.clone(),
                after: value,
                seen: None,
            });
        }
        let climb = std::mem::take(&mut results.climb);
        Ok(Some(Found { after, before: plan.bot.clone(), changes, fit: None, climb, weights }))
    }

    /// The match, and whether all of it was played.
    fn contest(&mut self, after: &BotSpec, before: &BotSpec) -> Result<(MatchResult, bool), TuneError> {
        let plan = self.plan;
        let bots = [plan.in_match(after)?, plan.in_match(before)?];
        let (end, FinalMatch { tally, fault, .. }) = self.play(MATCH, FinalMatch::new(plan, bots))?;
        Ok((MatchResult::new(&tally, plan.limit_text(), fault), end == RunEnd::Finished))
    }

    /// Writes the reports.
    fn end(self, mut results: Results, end: RunEnd) -> Result<(RunEnd, Results), TuneError> {
        results.summary = report::sentences(&results);
        let mut json = serde_json::to_string_pretty(&results).map_err(io::Error::from)?;
        json.push('\n');
        let dir = self.store.dir();
        for (name, text) in [
            ("results.json", json),
            ("summary.txt", report::summary(&results)),
            ("report.html", report::html(&results)),
        ] {
            replace_derived(&dir.join(name), text.as_bytes())?;
        }
        Ok((end, results))
    }
}
