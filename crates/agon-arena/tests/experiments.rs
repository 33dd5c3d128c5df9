//! Experiments: jobs that anybody can play, results that anybody can check, and counting that depends on neither threads nor stops.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use agon_arena::entrants::PlayerRequest;
use agon_arena::experiment::{
    Experiment, ExperimentError, Host, Job, JobOpening, JobPlayer, JobResult, JobResultError, Next,
    ResultStore, RunEnd, ScheduledGame, Stops, StoredResult, run,
};
use agon_arena::folder::Held;
use agon_arena::runner::{LocalWorker, Played, RunError, Task, Worker};
use agon_erased::{Clock, Rules, SystemClock};
use agon_match::Late;
use agon_testkit::TemporaryFolder;
use serde::{Deserialize, Serialize};

fn job(game: &str, options: &str, players: [&str; 2], seed: u64) -> Job {
    let player = |side: usize| JobPlayer::of(players[side].parse().expect("a player"), side);
    Job {
        game: game.to_owned(),
        options: options.to_owned(),
        opening: JobOpening::Random(0),
        players: vec![player(0), player(1)],
        late: Late::Counted,
        tolerates_printing: false,
        max_plies: 12,
        luck_seed: seed,
        player_seed: seed,
    }
}

fn play(job: &Job) -> (Played, Arc<dyn Rules>) {
    let rules = job.rules(agon_registry::GAMES).expect("a game");
    let make = |request: PlayerRequest| request.metered_bot(Arc::new(SystemClock::default()));
    let worker = LocalWorker { make: &make, clock: Arc::new(SystemClock::default()) };
    let stop = Arc::new(AtomicBool::new(false));
    let played = worker.play(Task { number: 0, job, rules: &rules, stop: &stop }, None);
    (played.expect("a game"), rules)
}

#[test]
fn a_result_is_a_value_that_replays_to_the_game_it_came_of() {
    for job in [
        job("othello", "size=6", ["alphabeta:nodes=50", "random"], 3),
        job("2048", "", ["greedy", "random"], 4),
    ] {
        let (played, rules) = play(&job);
        let result = JobResult::of(&job, &played);
        assert_eq!(result.telemetry.len(), 2);
        let text = serde_json::to_string(&result).expect("JSON");
        let read: JobResult = serde_json::from_str(&text).expect("a result");
        assert_eq!(read.events, result.events);
        let again = read.clone().replay(&job, &rules).expect("it holds");
        let texts = |played: &Played| -> Vec<String> {
            let boards = played.game.boards().iter();
            boards.map(|board| format!("{:?} {:?}", board.session().history(), board.end())).collect()
        };
        assert_eq!(texts(&again), texts(&played));
        assert_eq!(JobResult::of(&job, &again).events, result.events);
        // Nobody can pass it off as another job's, nor another game as its result.
        let other = Job { luck_seed: 5, ..job.clone() };
        assert!(matches!(read.clone().replay(&other, &rules), Err(JobResultError::OtherJob(_))));
        let forged = JobResult { job: other.hash(), ..read };
        assert!(matches!(forged.replay(&other, &rules), Err(JobResultError::OtherSeed)));
    }
}

/// What is kept of a game of the experiment below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    number: usize,
    plies: usize,
}

impl StoredResult for Kept {
    type Key = usize;

    fn key(&self) -> usize {
        self.number
    }
}

struct Scheduled {
    number: usize,
    job: Job,
    rules: Arc<dyn Rules>,
}

impl ScheduledGame for Scheduled {
    type Result = Kept;
    type Examined = ();
    type Error = ExperimentError;

    fn key(&self) -> usize {
        self.number
    }

    fn number(&self) -> usize {
        self.number
    }

    fn job(&self) -> &Job {
        &self.job
    }

    fn rules(&self) -> &Arc<dyn Rules> {
        &self.rules
    }

    fn result(&self, played: Played) -> Result<Option<Kept>, ExperimentError> {
        let plies = played.game.boards()[0].session().len();
        Ok(Some(Kept { number: self.number, plies }))
    }

    fn examine(&self, _: &Kept) {}
}

/// Batches of three games; what a batch is depends on all results of the one before it.
struct Batches {
    rules: Arc<dyn Rules>,
    batches: usize,
    given: usize,
    /// The seed of the present batch.
    seed: u64,
    counted: Vec<Kept>,
}

impl Batches {
    fn new(batches: usize, seed: u64) -> Self {
        let rules = agon_registry::GAMES.rules("othello", "size=4").expect("a game");
        Self { rules, batches, given: 0, seed, counted: Vec::new() }
    }
}

impl Experiment for Batches {
    type Game = Scheduled;
    type Result = Kept;
    type Error = ExperimentError;

    fn next(&mut self) -> Result<Next<Scheduled>, ExperimentError> {
        if self.given == 3 * self.batches {
            return Ok(Next::End);
        }
        if self.given.is_multiple_of(3) {
            if self.counted.len() < self.given {
                return Ok(Next::Wait);
            }
            let plies = self.counted.iter().map(|kept| kept.plies as u64);
            self.seed = plies.fold(self.seed, |seed, plies| seed.wrapping_mul(31).wrapping_add(plies));
        }
        let number = self.given;
        self.given += 1;
        let job = job("othello", "size=4", ["random", "random"], self.seed.wrapping_add(number as u64));
        Ok(Next::Play(Scheduled { number, job, rules: Arc::clone(&self.rules) }))
    }

    fn count(
        &mut self,
        game: Scheduled,
        kept: Kept,
        (): (),
        _: bool,
    ) -> Result<ControlFlow<()>, ExperimentError> {
        assert_eq!(
            (game.number, self.counted.len()),
            (kept.number, kept.number),
            "in the order of the schedule"
        );
        self.counted.push(kept);
        Ok(ControlFlow::Continue(()))
    }

    fn extent(&self) -> (usize, usize) {
        (self.counted.len(), 3 * self.batches)
    }

    fn details(&self) -> String {
        String::new()
    }
}

/// Plays on this machine, notes what it has played, and asks to stop after so many games.
struct Noting<'a> {
    local: LocalWorker<'a>,
    played: Mutex<Vec<usize>>,
    left: AtomicUsize,
    stops: Stops,
}

impl Worker for Noting<'_> {
    fn play(&self, task: Task, journal: Option<Box<dyn std::io::Write + Send>>) -> Result<Played, RunError> {
        self.played.lock().expect("no panic").push(task.number);
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stops.drain.store(true, Ordering::Relaxed);
        }
        self.local.play(task, journal)
    }
}

/// Runs the experiment in a directory until `most` games were played; says which were, and what is counted.
fn run_batches(
    folder: &TemporaryFolder,
    seed: u64,
    jobs: usize,
    most: usize,
) -> (Result<RunEnd, ExperimentError>, Vec<usize>, Vec<Kept>) {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::default());
    let stops = Stops::default();
    let make = |request: PlayerRequest| request.house_bot();
    let worker = Noting {
        local: LocalWorker { make: &make, clock: Arc::clone(&clock) },
        played: Mutex::default(),
        left: AtomicUsize::new(most),
        stops: stops.clone(),
    };
    let (end, counted) = run_batches_by(&worker, folder, seed, &Host { jobs, clock, stops });
    (end, worker.played.into_inner().expect("no panic"), counted)
}

/// Runs the experiment in a directory with a worker; says what is counted.
fn run_batches_by(
    worker: &dyn Worker,
    folder: &TemporaryFolder,
    seed: u64,
    host: &Host,
) -> (Result<RunEnd, ExperimentError>, Vec<Kept>) {
    let held = Held::hold(&folder.path("")).expect("a folder");
    let mut store = ResultStore::open(&held, "games.jsonl").expect("results");
    let mut batches = Batches::new(6, seed);
    let mut last = 0;
    let end = run(&mut batches, &mut store, host, worker, &mut |progress| {
        last += 1;
        assert_eq!((progress.done, progress.total), (last, 18));
        let left = progress.time_left(2, Duration::from_secs(4)).expect("games were played");
        assert_eq!(left, Duration::from_secs(2 * (18 - last as u64)));
        assert_eq!(progress.time_left(0, Duration::from_secs(4)), None);
    });
    (end, batches.counted)
}

/// Plays on this machine, but ends the first game of every batch after the other two.
struct FirstEndsLast<'a> {
    local: LocalWorker<'a>,
    /// How many of the others have been played.
    others: Mutex<usize>,
    other_played: Condvar,
}

impl Worker for FirstEndsLast<'_> {
    fn play(&self, task: Task, journal: Option<Box<dyn std::io::Write + Send>>) -> Result<Played, RunError> {
        let (batch, is_first) = (task.number / 3, task.number.is_multiple_of(3));
        let played = self.local.play(task, journal);
        let mut others = self.others.lock().expect("no panic");
        if is_first {
            drop(self.other_played.wait_while(others, |others| *others < 2 * (batch + 1)).expect("no panic"));
        } else {
            *others += 1;
            self.other_played.notify_all();
        }
        played
    }
}

#[test]
fn results_are_judged_in_the_order_of_the_schedule_whichever_game_ends_first() {
    let (_, _, expected) = run_batches(&TemporaryFolder::new(), 1, 1, usize::MAX);
    let host = Host { jobs: 3, clock: Arc::new(SystemClock::default()), stops: Stops::default() };
    let make = |request: PlayerRequest| request.house_bot();
    let worker = FirstEndsLast {
        local: LocalWorker { make: &make, clock: Arc::clone(&host.clock) },
        others: Mutex::default(),
        other_played: Condvar::new(),
    };
    let folder = TemporaryFolder::new();
    let (end, counted) = run_batches_by(&worker, &folder, 1, &host);
    assert_eq!(end.expect("it can be run"), RunEnd::Finished);
    assert_eq!(counted, expected);
    let written: Vec<Kept> = folder
        .read("games.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a result"))
        .collect();
    assert_eq!(written, expected, "and written down in that order");
}

#[test]
fn what_is_counted_depends_on_neither_threads_nor_stops_and_nothing_is_played_twice() {
    let (end, _, whole) = run_batches(&TemporaryFolder::new(), 1, 1, usize::MAX);
    assert!(matches!(end, Ok(RunEnd::Finished)) && whole.len() == 18);
    for jobs in [1, 4] {
        let folder = TemporaryFolder::new();
        let mut seen = BTreeSet::new();
        for most in [1, 2, 5, usize::MAX] {
            let (end, played, counted) = run_batches(&folder, 1, jobs, most);
            let expected = if most == usize::MAX { RunEnd::Finished } else { RunEnd::Stopped };
            assert_eq!(end.expect("it can be run"), expected);
            assert_eq!(counted, whole[..counted.len()]);
            assert!(played.iter().all(|number| seen.insert(*number)), "{played:?} after {seen:?}");
        }
        assert_eq!(seen.len(), 18);
        let lines = folder.read("games.jsonl");
        assert_eq!(lines.lines().count(), 18);
        assert!(lines.lines().all(|line| line.starts_with("{\"job\":\"")), "{lines}");
    }
}

#[test]
fn results_of_other_jobs_are_refused_and_those_without_a_job_are_believed() {
    let folder = TemporaryFolder::new();
    run_batches(&folder, 1, 2, usize::MAX).0.expect("it can be run");
    let (end, played, _) = run_batches(&folder, 2, 2, usize::MAX);
    let error = end.expect_err("they are another experiment's").to_string();
    assert!(error.contains("game 1 ") && error.contains("was it changed?"), "{error}");
    assert!(played.is_empty());
    let without: String = (0..18).map(|number| format!("{{\"number\":{number},\"plies\":1}}\n")).collect();
    folder.write("games.jsonl", &without);
    let (end, played, counted) = run_batches(&folder, 2, 2, usize::MAX);
    assert_eq!(end.expect("it can be run"), RunEnd::Finished);
    assert!(played.is_empty() && counted.iter().all(|kept| kept.plies == 1));
    assert_eq!(folder.read("games.jsonl"), without);
}
