//! Playing a study: whatever its directory does not hold yet.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use agon_arena::bout::Bout;
use agon_arena::entrants::{Chair, Entrant, Entrants};
use agon_arena::folder::{FolderError, Ledger};
use agon_arena::in_order::Crew;
use agon_arena::referee::{Contestant, Terms};
use agon_arena::report::Pace;
use agon_arena::runner::{RunError, Runner, Variant};
use agon_arena::schedule::{Fixture, Schedule};
use agon_arena::tournament::{RunEnd, Stops};
use agon_core::random::mix;
use agon_match::{Late, Occupant, Seat, TimeControl};
use agon_registry::Clock;

use crate::count::{Count, GameResult};
use crate::plan::{Comparison, Study};
use crate::report;
use crate::results::{Results, State};
use crate::store::{Games, Store, StoreError};
use crate::telemetry::{Metered, Sink, Telemetry, lock};

/// Who runs a study.
pub struct Host {
    /// Games played at once.
    pub jobs: usize,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// How it is stopped.
    pub stops: Stops,
}

/// How far a study has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Games that count so far.
    pub done: usize,
    /// How many games there will be at most.
    pub planned: usize,
    /// Whether the last game was played now, and not before the study was resumed.
    pub is_new: bool,
    /// Comparisons that have ended.
    pub ended: usize,
    /// All comparisons.
    pub comparisons: usize,
}

/// Why a study could not be run.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Its directory cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file in it cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] RunError),
    /// Reports could not be written, or threads not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A plot could not be drawn.
    #[error("a plot could not be drawn: {0}")]
    Plot(#[from] agon_plot::PngError),
}

/// A game that is to be played, or was.
struct Item {
    comparison: usize,
    fixture: Fixture,
    known: Option<GameResult>,
}

/// What became of an item.
enum Done {
    /// Its comparison had ended before.
    Skipped,
    /// It was stopped.
    Stopped,
    Played {
        result: Box<GameResult>,
        is_new: bool,
    },
}

impl Study {
    /// Plays everything that `store` does not hold yet, writes the reports, and says whether that was all. `observe` is told of every
    /// game that counts, in order.
    ///
    /// Neither the number of jobs nor interruptions change the result if bots are limited by nodes or depth: games are independent of
    /// each other, have their randomness from their numbers, and whether a comparison ends early depends on its own games alone.
    ///
    /// # Errors
    /// If a game cannot be played, or what happens cannot be written down. Nothing that was finished is lost.
    pub fn run(
        &self,
        store: &Store,
        host: &Host,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<(RunEnd, Results), StudyError> {
        let (ledger, known) = store.ledger()?;
        let comparisons = self.comparisons();
        let alpha = self.error_per_comparison();
        let ended: Vec<AtomicBool> = comparisons.iter().map(|_| AtomicBool::new(false)).collect();
        let mut run = Run {
            study: self,
            store,
            ledger,
            counts: vec![Count::new(alpha); comparisons.len()],
            games: Vec::new(),
            pace: Pace::default(),
            began: Instant::now(),
            observe,
        };
        let mut failure = None;
        let mut is_stopped = false;
        let crew = Crew { jobs: host.jobs, drain: &host.stops.drain, abort: &host.stops.abort };
        crew.in_order(
            self.items(&comparisons, known),
            |item| self.play(item, &comparisons, &ended, host),
            |done| match done.map_err(StudyError::from).and_then(|done| run.count(done, &ended)) {
                Ok(true) => ControlFlow::Continue(()),
                Ok(false) => {
                    is_stopped = true;
                    ControlFlow::Break(())
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
        is_stopped |= !ended.iter().all(|ended| ended.load(Ordering::Relaxed));
        run.ledger.sync()?;
        let state = if is_stopped { State::Stopped } else { State::Finished };
        let results = Results::of(self, &run.counts, &run.games, state);
        report::write(store.dir(), &results)?;
        Ok((if is_stopped { RunEnd::Stopped } else { RunEnd::Finished }, results))
    }

    /// The games in the order in which they are played: a pair of each comparison in turn, so that all of them grow together.
    fn items<'a>(
        &'a self,
        comparisons: &'a [Comparison],
        mut known: Games,
    ) -> impl Iterator<Item = Item> + Send + 'a {
        let mut schedules: Vec<Schedule> = (0..)
            .zip(&self.circumstances)
            .map(|(number, circumstance)| {
                let seats = circumstance.rules.seats().len();
                Schedule::new(&[seats], self.games, mix(self.seed, number))
            })
            .collect();
        (0..self.games / 2).flat_map(move |pair| {
            // All comparisons under the same circumstances have the same openings and luck.
            let fixtures: Vec<Vec<Fixture>> = schedules
                .iter_mut()
                .zip(&self.circumstances)
                .map(|(schedule, circumstance)| {
                    let pair_of_games = schedule.by_ref().take(2);
                    pair_of_games
                        .map(|fixture| Fixture { opening: circumstance.openings.of_pair(pair), ..fixture })
                        .collect()
                })
                .collect();
            let mut items = Vec::new();
            for (index, comparison) in comparisons.iter().enumerate() {
                for fixture in &fixtures[comparison.circumstance] {
                    let known = known.remove(&(index, fixture.number));
                    items.push(Item { comparison: index, fixture: fixture.clone(), known });
                }
            }
            items
        })
    }

    /// Plays a game, or takes it from where it was written down.
    fn play(
        &self,
        item: Item,
        comparisons: &[Comparison],
        ended: &[AtomicBool],
        host: &Host,
    ) -> Result<Done, RunError> {
        let Item { comparison: index, fixture, known } = item;
        if ended[index].load(Ordering::Relaxed) {
            return Ok(Done::Skipped);
        }
        if let Some(result) = known {
            return Ok(Done::Played { result: Box::new(result), is_new: false });
        }
        let Comparison { circumstance, setting, opponent } = comparisons[index];
        let circumstance = &self.circumstances[circumstance];
        let players = [setting, opponent];
        let sinks: [Sink; 2] = Default::default();
        let make = |chair: Chair| {
            let spec = &circumstance.bots[players[chair.entrant]];
            let bot = chair.rules.bot(spec, chair.seed).map_err(|error| error.to_string())?;
            let bot = Metered { bot, sink: Arc::clone(&sinks[chair.entrant]) };
            Ok(Contestant::house(Box::new(bot), chair.seed))
        };
        let entrants = players.map(|player| {
            let seat = Seat::of(Occupant::Bot(circumstance.bots[player].clone()));
            Entrant { seat, control: TimeControl::None }
        });
        let runner = Runner {
            variants: vec![Variant {
                rules: Arc::clone(&circumstance.rules),
                opening_plies: circumstance.openings.plies(),
            }],
            entrants: Entrants { entrants: entrants.into(), make: &make },
            late: Late::Counted,
        };
        let terms = Terms {
            clock: Arc::clone(&host.clock),
            stop: Arc::clone(&host.stops.abort),
            max_plies: circumstance.max_plies,
        };
        let played = runner.play(&fixture, &terms, None)?;
        let bout = Bout::of(fixture, played);
        let sides: [Telemetry; 2] = [0, 1].map(|side| lock(&sinks[side]).clone());
        let result = GameResult::of(index, &bout, sides, &self.observations, &*circumstance.rules);
        Ok(result.map_or(Done::Stopped, |result| Done::Played { result: Box::new(result), is_new: true }))
    }
}

struct Run<'a> {
    study: &'a Study,
    store: &'a Store,
    ledger: Ledger,
    counts: Vec<Count>,
    /// All games that count, if something was observed in them.
    games: Vec<GameResult>,
    /// How often reports are written.
    pace: Pace,
    began: Instant,
    observe: &'a mut dyn FnMut(Progress),
}

impl Run<'_> {
    /// Counts a game; `false` if it was stopped.
    fn count(&mut self, done: Done, ended: &[AtomicBool]) -> Result<bool, StudyError> {
        let (result, is_new) = match done {
            Done::Skipped => return Ok(true),
            Done::Stopped => return Ok(false),
            Done::Played { result, is_new } => (result, is_new),
        };
        let index = result.comparison;
        // It was begun before its comparison ended.
        if ended[index].load(Ordering::Relaxed) {
            return Ok(true);
        }
        if is_new {
            self.ledger.enter(&result)?;
        }
        let count = &mut self.counts[index];
        count.push(&result);
        let is_clear = self.study.stops_early && count.is_paired() && count.verdict().is_some();
        if is_clear || count.tally.games() == self.study.games as u64 {
            ended[index].store(true, Ordering::Relaxed);
        }
        if !self.study.observations.is_empty() {
            self.games.push(*result);
        }
        if is_new && self.pace.is_due(self.began.elapsed()) {
            let began = self.began.elapsed();
            self.ledger.sync()?;
            let results = Results::of(self.study, &self.counts, &self.games, State::Running);
            report::write_page(self.store.dir(), &results)?;
            self.pace.wrote(began, self.began.elapsed());
        }
        let progress = self.progress(ended, is_new);
        (self.observe)(progress);
        Ok(true)
    }

    fn progress(&self, ended: &[AtomicBool], is_new: bool) -> Progress {
        let is_over = |index: usize| ended[index].load(Ordering::Relaxed);
        let games = |index: usize| self.counts[index].tally.games() as usize;
        let all = 0..self.counts.len();
        Progress {
            done: all.clone().map(games).sum(),
            planned: all
                .clone()
                .map(|index| if is_over(index) { games(index) } else { self.study.games })
                .sum(),
            is_new,
            ended: all.filter(|index| is_over(*index)).count(),
            comparisons: self.counts.len(),
        }
    }
}
