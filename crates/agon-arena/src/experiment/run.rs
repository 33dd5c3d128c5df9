//! Running an experiment: whatever its store does not hold yet is played, and all results are judged in order.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_erased::{Clock, Rules};

use super::job::Job;
use super::store::{ResultStore, StoredResult};
use crate::folder::FolderError;
use crate::in_order::Crew;
use crate::runner::{Played, RunError, Task, Worker};

/// What is played next, and what results mean. One thread at a time asks.
pub trait Experiment: Send {
    /// A game of its schedule.
    type Game: ScheduledGame<Result = Self::Result, Error = Self::Error>;
    /// What it keeps of a game.
    type Result: StoredResult;
    /// Why it cannot go on.
    type Error: From<ExperimentError> + Send;

    /// The next game of the schedule, which may depend on the results counted so far.
    ///
    /// # Errors
    /// If it cannot be said.
    fn next(&mut self) -> Result<Next<Self::Game>, Self::Error>;

    /// Whether the result of a game still counts, before it is written down: `None` if not, and another result if what happened before it in
    /// the schedule decides it differently. Asked in the order of the schedule.
    ///
    /// # Errors
    /// If what no longer counts cannot be set aside.
    fn accept(
        &mut self,
        _game: &Self::Game,
        result: Self::Result,
    ) -> Result<Option<Self::Result>, Self::Error> {
        Ok(Some(result))
    }

    /// Counts a result, which has been written down, in the order of the schedule. `is_new` says whether the game was played in this run. A
    /// break ends the run: enough is known.
    ///
    /// # Errors
    /// If reports cannot be written.
    fn count(
        &mut self,
        game: Self::Game,
        result: Self::Result,
        examined: <Self::Game as ScheduledGame>::Examined,
        is_new: bool,
    ) -> Result<ControlFlow<()>, Self::Error>;

    /// How many games have been counted, and how many there will be in all as far as that is known.
    fn extent(&self) -> (usize, usize);

    /// What there is to tell people about how it stands; may be empty.
    fn details(&self) -> String;
}

/// What an experiment has for a thread that could play.
pub enum Next<G> {
    /// A game.
    Play(G),
    /// Nothing until more games have been counted.
    Wait,
    /// Nothing any more.
    End,
}

/// A game in the schedule of an experiment. Many threads ask about different games at once.
pub trait ScheduledGame: Send {
    /// What is kept of it.
    type Result: StoredResult;
    /// What else is found out about it, each time that the experiment is run.
    type Examined: Send;
    /// Why it came to nothing.
    type Error: From<ExperimentError> + Send;

    /// What tells it from others of the experiment.
    fn key(&self) -> <Self::Result as StoredResult>::Key;

    /// Its number in the schedule from 0.
    fn number(&self) -> usize;

    /// What is to be played.
    fn job(&self) -> &Job;

    /// Its rules.
    fn rules(&self) -> &Arc<dyn Rules>;

    /// Its result where nothing is to be played: what happened before it has decided it.
    ///
    /// # Errors
    /// If what was played of it cannot be set aside.
    fn foregone(&self) -> Result<Option<Self::Result>, Self::Error> {
        Ok(None)
    }

    /// Where its events are written as they happen.
    ///
    /// # Errors
    /// If that cannot be read or written.
    fn journal(&self) -> Result<Journal, Self::Error> {
        Ok(Journal::None)
    }

    /// What is kept of it now that it was played; `None` if it was stopped.
    ///
    /// # Errors
    /// If it cannot be written down.
    fn result(&self, played: Played) -> Result<Option<Self::Result>, Self::Error>;

    /// Whether what was played does not count, so that the game is played again. What was written of it is set aside.
    ///
    /// # Errors
    /// If that cannot be done, or it has failed too often.
    fn repeats(&self, _played: &Played) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Finds out what else the experiment wants to know.
    fn examine(&self, result: &Self::Result) -> Self::Examined;
}

/// Where the events of a game are written.
pub enum Journal {
    /// Nowhere.
    None,
    /// To a new file.
    New(File),
    /// They have been, in an earlier run, to the end of the game.
    Whole(Box<Played>, File),
}

/// What a machine gives to an experiment.
pub struct Host {
    /// Games played at once.
    pub jobs: usize,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// How it is stopped.
    pub stops: Stops,
}

/// Ways to stop an experiment from outside.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// Lets running games be played to their end, and begins no others.
    pub drain: Arc<AtomicBool>,
    /// Ends running games where they stand.
    pub abort: Arc<AtomicBool>,
}

/// How far an experiment has come.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// Games that count so far.
    pub done: usize,
    /// How many games there will be, as far as that is known.
    pub total: usize,
    /// Whether the last game was played now, and not before the experiment was resumed.
    pub is_new: bool,
    /// Tells what else there is to tell.
    pub details: &'a dyn Fn() -> String,
}

impl Progress<'_> {
    /// How long the rest will take, if it goes on like the games that were played in `elapsed`; `None` before the first.
    pub fn time_left(&self, played: usize, elapsed: Duration) -> Option<Duration> {
        let left = self.total.saturating_sub(self.done) as f64;
        (played > 0).then(|| elapsed.div_f64(played as f64).mul_f64(left))
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Everything has been played.
    Finished,
    /// It was stopped and can be resumed.
    Stopped,
}

/// Why an experiment could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] RunError),
    /// The folder holds games of another schedule.
    #[error("game {} in the folder is not the one that its file asks for; was it changed?", .0 + 1)]
    OtherGame(usize),
    /// Reports could not be written, or threads not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What the threads that play and the one that judges share.
struct Shared<'a, E: Experiment> {
    experiment: &'a mut E,
    store: &'a mut ResultStore<E::Result>,
    /// Whether there are no more to give out.
    has_ended: bool,
    /// When the disk was last asked to keep what was written.
    synced: Instant,
}

/// A game that is to be played, or was in an earlier run.
struct Item<G: ScheduledGame> {
    game: G,
    known: Option<G::Result>,
}

/// A game that has its result.
struct Done<G: ScheduledGame> {
    game: G,
    /// `None` if it was stopped.
    outcome: Option<(G::Result, G::Examined)>,
    is_new: bool,
    /// What has to be synced before it counts.
    journal: Option<File>,
}

/// How much a power failure may cost an experiment that keeps no journals.
const SYNC_EVERY: Duration = Duration::from_secs(2);
/// How often threads that wait look whether they are to stop.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Has `worker` play everything that `store` does not hold yet, and says whether that was all. `observe` is told of every game that counts.
///
/// Neither the number of jobs nor interruptions change what is counted: games are independent of each other and counted in the order of
/// the schedule, each after it was written down.
///
/// # Errors
/// If a game cannot be played, or what happens cannot be written down. Nothing that was finished is lost.
pub fn run<E: Experiment>(
    experiment: &mut E,
    store: &mut ResultStore<E::Result>,
    host: &Host,
    worker: &dyn Worker,
    observe: &mut dyn FnMut(Progress),
) -> Result<RunEnd, E::Error> {
    let shared = Mutex::new(Shared { experiment, store, has_ended: false, synced: Instant::now() });
    let counted_one = Condvar::new();
    // What is set at the end of this run must not stop the next one.
    let abort = Arc::new(AtomicBool::new(false));
    let is_stopped = || host.stops.drain.load(Ordering::Relaxed) || abort.load(Ordering::Relaxed);
    let items = std::iter::from_fn(|| {
        let mut guard = lock(&shared);
        while !is_stopped() {
            match guard.give_out() {
                Ok(Next::Play(item)) => return Some(Ok(item)),
                Ok(Next::End) => return None,
                Ok(Next::Wait) => {
                    let waited = counted_one.wait_timeout(guard, LOOK_EVERY);
                    guard = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Err(error) => return Some(Err(error)),
            }
        }
        None
    });
    let mut end = None;
    let crew = Crew { jobs: host.jobs, drain: &host.stops.drain, abort: &abort };
    let watch = Watch::over(&host.stops.abort, &abort);
    let started = crew.in_order_finished(
        items,
        |item: Result<Item<E::Game>, E::Error>| play(item?, worker, &abort),
        |done| {
            let done = done?;
            if let Some(journal) = &done.journal {
                journal.sync_data().map_err(ExperimentError::from)?;
            }
            Ok(done)
        },
        |done: Result<Done<E::Game>, E::Error>| {
            let judged = done.and_then(|done| lock(&shared).judge(done, observe));
            counted_one.notify_all();
            match judged {
                Ok(None) => return ControlFlow::Continue(()),
                Ok(Some(ended)) => end = Some(Ok(ended)),
                Err(error) => end = Some(Err(error)),
            }
            ControlFlow::Break(())
        },
    );
    drop(watch);
    started.map_err(ExperimentError::from)?;
    let shared = lock(&shared);
    // Every game that was given out has been judged, or one of them has ended the run.
    let end = end.unwrap_or(Ok(if shared.has_ended { RunEnd::Finished } else { RunEnd::Stopped }))?;
    shared.store.sync().map_err(ExperimentError::from)?;
    Ok(end)
}

/// Plays a game, or takes it from where it was written down.
fn play<G: ScheduledGame>(
    item: Item<G>,
    worker: &dyn Worker,
    stop: &Arc<AtomicBool>,
) -> Result<Done<G>, G::Error> {
    let Item { game, known } = item;
    let examined = |game: &G, result: G::Result| {
        let examined = game.examine(&result);
        (result, examined)
    };
    if let Some(result) = known {
        let outcome = Some(examined(&game, result));
        return Ok(Done { game, outcome, is_new: false, journal: None });
    }
    if let Some(result) = game.foregone()? {
        let outcome = Some(examined(&game, result));
        return Ok(Done { game, outcome, is_new: true, journal: None });
    }
    let begin = |journal: Option<&File>| {
        let task = Task { number: game.number(), job: game.job(), rules: game.rules(), stop };
        let journal = journal.map(File::try_clone).transpose().map_err(ExperimentError::from)?;
        let journal = journal.map(|file| Box::new(file) as Box<dyn io::Write + Send>);
        worker.play(task, journal).map_err(ExperimentError::from)
    };
    let (played, journal) = loop {
        let (played, journal) = match game.journal()? {
            Journal::None => (begin(None)?, None),
            Journal::New(file) => (begin(Some(&file))?, Some(file)),
            Journal::Whole(played, file) => (*played, Some(file)),
        };
        if stop.load(Ordering::Relaxed) || !game.repeats(&played)? {
            break (played, journal);
        }
    };
    let outcome = game.result(played)?.map(|result| examined(&game, result));
    let journal = journal.filter(|_| outcome.is_some());
    Ok(Done { game, outcome, is_new: true, journal })
}

impl<E: Experiment> Shared<'_, E> {
    /// The next game, with its result if that is known.
    fn give_out(&mut self) -> Result<Next<Item<E::Game>>, E::Error> {
        let game = match self.experiment.next()? {
            Next::Play(game) => game,
            Next::Wait => return Ok(Next::Wait),
            Next::End => {
                self.has_ended = true;
                return Ok(Next::End);
            }
        };
        let other = |_| ExperimentError::OtherGame(game.number());
        let known = self.store.take(&game.key(), game.job().hash()).map_err(other)?;
        Ok(Next::Play(Item { game, known }))
    }

    /// Writes a result down and counts it. Says how the run has ended, if it has.
    fn judge(
        &mut self,
        done: Done<E::Game>,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<Option<RunEnd>, E::Error> {
        let Done { game, outcome, is_new, .. } = done;
        let Some((result, examined)) = outcome else { return Ok(Some(RunEnd::Stopped)) };
        let Some(result) = self.experiment.accept(&game, result)? else { return Ok(None) };
        if is_new {
            self.store.enter(game.job().hash(), &result).map_err(ExperimentError::from)?;
            if self.synced.elapsed() >= SYNC_EVERY {
                self.store.sync().map_err(ExperimentError::from)?;
                self.synced = Instant::now();
            }
        }
        let flow = self.experiment.count(game, result, examined, is_new)?;
        let (done, total) = self.experiment.extent();
        observe(Progress { done, total, is_new, details: &|| self.experiment.details() });
        Ok(flow.is_break().then_some(RunEnd::Finished))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes a request to stop at once on to a run.
struct Watch {
    done: Arc<AtomicBool>,
}

impl Watch {
    fn over(from: &Arc<AtomicBool>, to: &Arc<AtomicBool>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (from, to, stop) = (Arc::clone(from), Arc::clone(to), Arc::clone(&done));
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                if from.load(Ordering::Relaxed) {
                    return to.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(LOOK_EVERY);
            }
        });
        Self { done }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
