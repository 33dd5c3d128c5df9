//! The parts of a tuning: self-play, a climb in matches, and the match at the end. Each is a schedule of games and says what is learned
//! from them.

use std::ops::ControlFlow;

use agon_arena::experiment::{Experiment, Next};
use agon_arena::schedule::{Fixture, Schedule};
use agon_arena::statistics::Tally;
use agon_core::random::{mix, seeded, unit};
use agon_erased::BotSpec;
use agon_study::bots::Cast;

use crate::dimension::Dimension;
use crate::fit::Sample;
use crate::openings;
use crate::plan::{Climb, HELD_OUT, Plan};
use crate::play::{Entry, Sampling, TuningGame};
use crate::run::TuneError;
use crate::spsa::{Gains, Spsa, Trial};

/// What the seeds of games and trials are made of.
const SELF_PLAY: u64 = 1;
const CLIMB: u64 = 2;
const CONTEST: u64 = 3;
const TRIALS: u64 = 5;

/// A part of a tuning.
pub(crate) trait Part<'a>: Send {
    /// The next game.
    fn next(&mut self) -> Result<Next<TuningGame<'a>>, TuneError>;

    /// Learns from a game, in the order of the schedule.
    fn learn(&mut self, entry: Entry, samples: Vec<Sample>);

    /// What is going on.
    fn details(&self) -> String;
}

/// The games of a part, counted together with those of the parts before it.
pub(crate) struct PartRun<'a, P> {
    pub(crate) plan: &'a Plan,
    pub(crate) part: P,
    /// Games that count so far.
    pub(crate) done: usize,
}

impl<'a, P: Part<'a>> Experiment for PartRun<'a, P> {
    type Game = TuningGame<'a>;
    type Result = Entry;
    type Error = TuneError;

    fn next(&mut self) -> Result<Next<TuningGame<'a>>, TuneError> {
        self.part.next()
    }

    fn count(
        &mut self,
        _: TuningGame,
        entry: Entry,
        samples: Vec<Sample>,
        _: bool,
    ) -> Result<ControlFlow<()>, TuneError> {
        self.done += 1;
        self.part.learn(entry, samples);
        Ok(ControlFlow::Continue(()))
    }

    fn extent(&self) -> (usize, usize) {
        (self.done, self.plan.tuning_games() + self.plan.contest.games)
    }

    fn details(&self) -> String {
        self.part.details()
    }
}

/// So many games, both of a pair with the same opening.
fn pairs(plan: &Plan, games: usize, salt: u64) -> Schedule {
    Schedule::new(&vec![2; plan.variants.len()], games, mix(plan.seed(), salt))
}

/// Games of the bot against itself.
pub(crate) struct SelfPlay<'a> {
    plan: &'a Plan,
    games: usize,
    next: usize,
    sampling: Sampling,
    /// Positions that weights are fitted to.
    pub(crate) train: Vec<Sample>,
    /// Positions of the games that are held out.
    pub(crate) held_out: Vec<Sample>,
}

impl<'a> SelfPlay<'a> {
    pub(crate) fn new(plan: &'a Plan, games: usize, sampling: Sampling) -> Self {
        Self { plan, games, next: 0, sampling, train: Vec::new(), held_out: Vec::new() }
    }
}

impl<'a> Part<'a> for SelfPlay<'a> {
    fn next(&mut self) -> Result<Next<TuningGame<'a>>, TuneError> {
        let (plan, number) = (self.plan, self.next);
        if number == self.games {
            return Ok(Next::End);
        }
        self.next += 1;
        let seed = mix(mix(plan.seed(), SELF_PLAY), number as u64);
        let fixture = Fixture {
            number,
            variant: number % plan.variants.len(),
            seats: vec![0, 1],
            opening: None,
            luck_seed: seed,
            player_seed: mix(seed, 1),
        };
        let bots = [plan.bot.clone(), plan.bot.clone()];
        let sampling = Some(self.sampling);
        TuningGame::new(plan, fixture, &bots, openings::Part::Tuning, sampling).map(Next::Play)
    }

    fn learn(&mut self, entry: Entry, samples: Vec<Sample>) {
        let is_held_out = entry.game % HELD_OUT == HELD_OUT - 1;
        if is_held_out { &mut self.held_out } else { &mut self.train }.extend(samples);
    }

    fn details(&self) -> String {
        "self-play".to_owned()
    }
}

/// A climb by SPSA: a batch of games between two bots for each step.
pub(crate) struct Ascent<'a> {
    plan: &'a Plan,
    climb: &'a Climb,
    schedule: Schedule,
    cast: Cast,
    pub(crate) spsa: Spsa,
    /// The values after each step, and before the first.
    pub(crate) points: Vec<Vec<f64>>,
    /// What is tried in the present step.
    step: Option<Step>,
}

struct Step {
    trial: Trial,
    bots: [BotSpec; 2],
    tally: Tally,
    /// Games that have been given out.
    begun: usize,
}

impl<'a> Ascent<'a> {
    pub(crate) fn new(plan: &'a Plan, climb: &'a Climb) -> Self {
        let Climb { iterations, batch, dimensions } = climb;
        let start = dimensions.iter().map(|dimension| dimension.start()).collect();
        let least = dimensions.iter().map(|dimension| dimension.least()).collect();
        let mut ascent = Self {
            plan,
            climb,
            schedule: pairs(plan, iterations * batch, CLIMB),
            cast: Cast::of(&*plan.variants[0].rules),
            spsa: Spsa::new(Gains::new(*iterations, *batch), start, least),
            points: Vec::new(),
            step: None,
        };
        ascent.note();
        ascent
    }

    /// Notes where the climb has come to.
    fn note(&mut self) {
        let value =
            |(at, dimension): (&f64, &Dimension)| dimension.from + at * (dimension.to - dimension.from);
        self.points.push(self.spsa.point().iter().zip(&self.climb.dimensions).map(value).collect());
    }

    /// Steps that have been taken.
    fn taken(&self) -> usize {
        self.points.len() - 1
    }

    fn begin_step(&self) -> Result<Step, TuneError> {
        let Climb { dimensions, .. } = self.climb;
        let mut rng = seeded(mix(mix(self.plan.seed(), TRIALS), self.taken() as u64));
        let trial = self.spsa.trial(&mut rng);
        // Both sides are rounded by the same draws.
        let draws: Vec<f64> = dimensions.iter().map(|_| unit(&mut rng)).collect();
        let bot = |point: &[f64]| {
            let mut bot = self.plan.bot.clone();
            for ((dimension, at), draw) in dimensions.iter().zip(point).zip(&draws) {
                let value = dimension.value(*at, *draw);
                bot = dimension.apply(&self.cast, &bot, &value).map_err(TuneError::Bot)?;
            }
            Ok::<_, TuneError>(bot)
        };
        let bots = [bot(&trial.plus)?, bot(&trial.minus)?];
        Ok(Step { trial, bots, tally: Tally::default(), begun: 0 })
    }
}

impl<'a> Part<'a> for Ascent<'a> {
    fn next(&mut self) -> Result<Next<TuningGame<'a>>, TuneError> {
        if self.taken() == self.climb.iterations {
            return Ok(Next::End);
        }
        let mut step = match self.step.take() {
            Some(step) => step,
            None => self.begin_step()?,
        };
        let fixture = if step.begun < self.climb.batch { self.schedule.next() } else { None };
        step.begun += usize::from(fixture.is_some());
        let game = fixture
            .map(|fixture| TuningGame::new(self.plan, fixture, &step.bots, openings::Part::Tuning, None));
        self.step = Some(step);
        Ok(game.transpose()?.map_or(Next::Wait, Next::Play))
    }

    fn learn(&mut self, entry: Entry, _: Vec<Sample>) {
        let Some(mut step) = self.step.take() else { return };
        step.tally.push(entry.score());
        if step.tally.games() == self.climb.batch as u64 {
            self.spsa.learn(&step.trial, step.tally.score());
            self.note();
        } else {
            self.step = Some(step);
        }
    }

    fn details(&self) -> String {
        let Climb { iterations, .. } = self.climb;
        format!("step {} of {iterations}", (self.taken() + 1).min(*iterations))
    }
}

/// The match between the bot with what was found and the bot as it was.
pub(crate) struct FinalMatch<'a> {
    plan: &'a Plan,
    bots: [BotSpec; 2],
    schedule: Schedule,
    pub(crate) tally: Tally,
    /// The first fault by which a side lost a game.
    pub(crate) fault: Option<String>,
}

impl<'a> FinalMatch<'a> {
    pub(crate) fn new(plan: &'a Plan, bots: [BotSpec; 2]) -> Self {
        let schedule = pairs(plan, plan.contest.games, CONTEST);
        Self { plan, bots, schedule, tally: Tally::default(), fault: None }
    }
}

impl<'a> Part<'a> for FinalMatch<'a> {
    fn next(&mut self) -> Result<Next<TuningGame<'a>>, TuneError> {
        let Some(fixture) = self.schedule.next() else { return Ok(Next::End) };
        TuningGame::new(self.plan, fixture, &self.bots, openings::Part::Match, None).map(Next::Play)
    }

    fn learn(&mut self, entry: Entry, _: Vec<Sample>) {
        self.tally.push(entry.score());
        self.fault = self.fault.take().or(entry.fault);
    }

    fn details(&self) -> String {
        let (low, high) = self.tally.interval();
        let score = 100.0 * self.tally.score();
        format!("the match: {score:.1}%, interval {:.1}% to {:.1}%", 100.0 * low, 100.0 * high)
    }
}
