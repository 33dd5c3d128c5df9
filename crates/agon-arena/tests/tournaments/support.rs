//! Tournaments in folders that go when the test does.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agon_arena::experiment::{Host, RunEnd, Stops};
use agon_arena::results::{GameResult, Results};
use agon_arena::tournament::{Store, Tournament, TournamentError, TournamentHost};
use agon_erased::{Bot, Clock, SystemClock};
use agon_players::external::{Launcher, OwnGroup};
use agon_registry::GAMES;
use agon_testkit::TemporaryFolder;

/// A clock that stops the tournament, as the first Ctrl-C does, when it has been read so many times.
pub(crate) struct StoppingClock {
    pub(crate) stops: Stops,
    pub(crate) readings: AtomicUsize,
    pub(crate) last: usize,
}

impl Clock for StoppingClock {
    fn now(&self) -> Duration {
        let reading = self.readings.fetch_add(1, Ordering::Relaxed);
        if reading == self.last {
            self.stops.drain.store(true, Ordering::Relaxed);
        }
        Duration::from_micros(reading as u64)
    }
}

/// Runs the tournament of a folder, so many games at once.
pub(crate) fn run(tournament: &Tournament, store: &Store, jobs: usize) -> (RunEnd, Results) {
    try_run(tournament, store, jobs).expect("the tournament can be run")
}

/// The same where it may fail.
pub(crate) fn try_run(
    tournament: &Tournament,
    store: &Store,
    jobs: usize,
) -> Result<(RunEnd, Results), TournamentError> {
    run_by(tournament, store, jobs, Arc::new(SystemClock::default()), Stops::default())
}

/// The same by another clock, and with ways to stop it.
pub(crate) fn run_by(
    tournament: &Tournament,
    store: &Store,
    jobs: usize,
    clock: Arc<dyn Clock>,
    stops: Stops,
) -> Result<(RunEnd, Results), TournamentError> {
    let host = Host { jobs, clock, stops };
    run_with(tournament, store, host, &Arc::new(OwnGroup))
}

/// The same with another launcher for everybody's programs.
pub(crate) fn run_with<L: Launcher + 'static>(
    tournament: &Tournament,
    store: &Store,
    host: Host,
    launcher: &Arc<L>,
) -> Result<(RunEnd, Results), TournamentError> {
    let person = |_: &str, _| -> Box<dyn Bot> { panic!("nobody is here") };
    let launchers = tournament.players.iter().map(|_| Arc::clone(launcher) as Arc<dyn Launcher>).collect();
    let host = TournamentHost { host, launchers, person: &person, notes: Vec::new() };
    tournament.run(store, &host, &mut |_| {})
}

/// Plays the tournament of `text` in `folder/out` from its beginning to its end.
pub(crate) fn play(folder: &TemporaryFolder, text: &str, jobs: usize) -> Results {
    let file = folder.write("file.toml", text);
    let tournament = Tournament::read(GAMES, &file).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let out = folder.path("out");
    let _ = fs::remove_dir_all(&out);
    let store = Store::create(&out, &file).expect("a new folder");
    let (end, results) = run(&tournament, &store, jobs);
    assert_eq!(end, RunEnd::Finished);
    results
}

/// Goes on with the tournament in a folder.
pub(crate) fn resume(dir: &Path, jobs: usize) -> Results {
    let (store, tournament) = Store::open(GAMES, dir).expect("a tournament");
    let (end, results) = run(&tournament, &store, jobs);
    assert_eq!(end, RunEnd::Finished);
    results
}

/// What must not depend on how a tournament was run: everything but times.
pub(crate) fn essence(results: &Results) -> Vec<GameResult> {
    let timeless = |game: &GameResult| {
        let mut game = game.clone();
        game.overhead = None;
        for conduct in &mut game.conduct {
            (conduct.time, conduct.slowest) = Default::default();
        }
        game
    };
    results.games.iter().map(timeless).collect()
}
