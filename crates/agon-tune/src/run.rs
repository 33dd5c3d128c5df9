//! Running a tuning: whatever its directory does not hold yet.

use std::io;
use std::sync::Arc;

use agon_arena::folder::FolderError;
use agon_arena::runner::RunError;
use agon_arena::schedule::{Fixture, Schedule};
use agon_arena::statistics::Tally;
use agon_arena::tournament::RunEnd;
use agon_core::random::{mix, seeded, unit};
use agon_core::text::duration_text;
use agon_records::replace_derived;
use agon_registry::{BotSpec, MAX_WEIGHT};
use agon_study::bots::Cast;

use crate::dimension::{Kind, number_text};
use crate::fit::{self, Problem, Quality, Sample};
use crate::openings::Part;
use crate::plan::{Climb, HELD_OUT, Limit, MAX_PLIES, Method, Plan, PlanError, Regression};
use crate::play::{Book, Hall, Pairing};
use crate::report;
use crate::results::{Change, FitResult, MatchResult, Results, StepResult};
use crate::sample::{Lens, LensError, with_weights};
use crate::spsa::{Gains, Spsa};
use crate::store::{Store, StoreError};
use crate::weight_file::WeightFile;

pub use agon_study::Host;

const TUNING: &str = "tuning.jsonl";
const MATCH: &str = "match.jsonl";
/// The weights that were found.
const WEIGHTS: &str = "weights.toml";

/// What the seeds of the parts of a tuning are made of.
const SELF_PLAY: u64 = 1;
const CLIMB: u64 = 2;
const CONTEST: u64 = 3;
const SAMPLING: u64 = 4;
const TRIALS: u64 = 5;

/// How far a tuning has come.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Games that count so far.
    pub done: usize,
    /// All games.
    pub planned: usize,
    /// Whether the last game was played now, and not before the tuning was resumed.
    pub is_new: bool,
    /// What is going on.
    pub what: String,
}

/// Why a tuning could not be run.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// Its directory cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file in it cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] RunError),
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
    /// Reports could not be written, or threads not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
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

struct Run<'a> {
    plan: &'a Plan,
    store: &'a Store,
    host: &'a Host,
    observe: &'a mut dyn FnMut(Progress),
    /// Games that count so far.
    done: usize,
}

impl<'a> Run<'a> {
    fn hall(&self, part: Part, keeps_moves: bool) -> Hall<'a> {
        Hall { variants: &self.plan.variants, host: self.host, max_plies: MAX_PLIES, part, keeps_moves }
    }

    fn book(&self, name: &str) -> Result<Book, FolderError> {
        let (ledger, known) = self.store.games(name)?;
        Ok(Book { ledger, known })
    }

    /// The games `first..end` of a series of pairs, both of a pair with the same opening.
    fn pairs(
        &self,
        salt: u64,
        first: usize,
        end: usize,
        bots: [BotSpec; 2],
    ) -> impl Iterator<Item = Pairing> + Send + use<> {
        let seats = vec![2; self.plan.variants.len()];
        let bots = Arc::new(bots);
        let fixtures = Schedule::new(&seats, end, mix(self.plan.seed(), salt)).skip(first);
        fixtures.map(move |fixture| Pairing { fixture, bots: Arc::clone(&bots) })
    }

    /// Tells of a game that counts.
    fn count(done: &mut usize, planned: usize, is_new: bool, what: &str, observe: &mut dyn FnMut(Progress)) {
        *done += 1;
        observe(Progress { done: *done, planned, is_new, what: what.to_owned() });
    }

    fn planned(&self) -> usize {
        self.plan.tuning_games() + self.plan.contest.games
    }

    /// The weights fitted to self-play; `None` if it was stopped.
    fn regress(&mut self, regression: &Regression) -> Result<Option<Found>, TuneError> {
        let plan = self.plan;
        let bots = Arc::new([plan.bot.clone(), plan.bot.clone()]);
        let (variants, self_play) = (plan.variants.len(), mix(plan.seed(), SELF_PLAY));
        let pairings = (0..regression.games).map(|number| {
            let seed = mix(self_play, number as u64);
            let fixture = Fixture {
                number,
                variant: number % variants,
                seats: vec![0, 1],
                opening: None,
                luck_seed: seed,
                player_seed: mix(seed, 1),
            };
            Pairing { fixture, bots: Arc::clone(&bots) }
        });
        // Whether it can be asked is found out before anything is played.
        for variant in &plan.variants {
            Lens::new(&*variant.rules, &plan.linear, &plan.bot)?;
        }
        let sampling = mix(plan.seed(), SAMPLING);
        let (mut train, mut held_out): (Vec<Sample>, Vec<Sample>) = Default::default();
        let mut book = self.book(TUNING)?;
        let planned = self.planned();
        let (hall, mut done) = (self.hall(Part::Tuning, true), self.done);
        let is_whole = hall.play_all(
            &mut book,
            regression.games,
            pairings,
            |entry, fixture| {
                let rules = &*plan.variants[fixture.variant].rules;
                Lens::new(rules, &plan.linear, &plan.bot)
                    .map(|lens| lens.samples(rules, entry, regression.positions, sampling))
            },
            &mut |entry, samples: Result<Vec<Sample>, LensError>, is_new| {
                let side = if entry.game % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut train };
                side.extend(samples.unwrap_or_default());
                Self::count(&mut done, planned, is_new, "self-play", self.observe);
            },
        )?;
        self.done = done;
        if !is_whole {
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
    fn climb(&mut self, climb: &Climb, results: &mut Results) -> Result<Option<Found>, TuneError> {
        let plan = self.plan;
        let Climb { iterations, batch, dimensions } = climb;
        let gains = Gains::new(*iterations, *batch);
        let start = dimensions.iter().map(|dimension| dimension.start()).collect();
        let least = dimensions.iter().map(|dimension| dimension.least()).collect();
        let mut spsa = Spsa::new(gains, start, least);
        let mut book = self.book(TUNING)?;
        let cast = Cast::of(&*plan.variants[0].rules);
        let value = |place: usize, at: f64| {
            let dimension = &dimensions[place];
            dimension.from + at * (dimension.to - dimension.from)
        };
        let note =
            |spsa: &Spsa| spsa.point().iter().enumerate().map(|(place, at)| value(place, *at)).collect();
        results.climb.push(note(&spsa));
        for iteration in 0..*iterations {
            let mut rng = seeded(mix(mix(plan.seed(), TRIALS), iteration as u64));
            let trial = spsa.trial(&mut rng);
            // Both sides are rounded by the same draws.
            let draws: Vec<f64> = dimensions.iter().map(|_| unit(&mut rng)).collect();
            let bot = |point: &[f64]| {
                let mut bot = plan.bot.clone();
                for ((dimension, at), draw) in dimensions.iter().zip(point).zip(&draws) {
                    bot =
                        dimension.apply(&cast, &bot, &dimension.value(*at, *draw)).map_err(TuneError::Bot)?;
                }
                Ok::<_, TuneError>(bot)
            };
            let bots = [bot(&trial.plus)?, bot(&trial.minus)?];
            let pairings = self.pairs(CLIMB, iteration * batch, (iteration + 1) * batch, bots);
            let mut tally = Tally::default();
            let what = format!("step {} of {iterations}", iteration + 1);
            let planned = self.planned();
            let (hall, mut done) = (self.hall(Part::Tuning, false), self.done);
            let is_whole =
                hall.play_all(&mut book, *batch, pairings, |_, _| (), &mut |entry, (), is_new| {
                    tally.push(entry.score());
                    Self::count(&mut done, planned, is_new, &what, self.observe);
                })?;
            self.done = done;
            if !is_whole {
                return Ok(None);
            }
            spsa.learn(&trial, tally.score());
            results.climb.push(note(&spsa));
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
        let pairings = self.pairs(CONTEST, 0, plan.contest.games, bots);
        let mut book = self.book(MATCH)?;
        let (mut tally, mut fault) = (Tally::default(), None);
        let planned = self.planned();
        let (hall, mut done) = (self.hall(Part::Match, false), self.done);
        let is_whole =
            hall.play_all(&mut book, plan.contest.games, pairings, |_, _| (), &mut |entry, (), is_new| {
                tally.push(entry.score());
                fault = fault.take().or(entry.fault.clone());
                let (low, high) = tally.interval();
                let what = format!(
                    "the match: {:.1}%, interval {:.1}% to {:.1}%",
                    100.0 * tally.score(),
                    100.0 * low,
                    100.0 * high
                );
                Self::count(&mut done, planned, is_new, &what, self.observe);
            })?;
        self.done = done;
        Ok((MatchResult::new(&tally, plan.limit_text(), fault), is_whole))
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
