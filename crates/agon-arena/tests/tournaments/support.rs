//! Tournaments in folders that go when the test does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_arena::results::{GameResult, Results};
use agon_arena::tournament::{Host, Progress, RunEnd, Stops, Store, Tournament, TournamentError};
use agon_players::external::{Launcher, OwnGroup};
use agon_registry::{Bot, SystemClock};

/// A folder for one test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-arena-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file for the test");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the tournament of a folder, so many games at once; `observe` may stop it.
pub(crate) fn run_with(
    tournament: &Tournament,
    store: &Store,
    jobs: usize,
    observe: impl FnMut(Progress, &Stops),
) -> (RunEnd, Results) {
    try_run(tournament, store, jobs, observe).expect("the tournament can be run")
}

/// The same where it may fail.
pub(crate) fn try_run(
    tournament: &Tournament,
    store: &Store,
    jobs: usize,
    mut observe: impl FnMut(Progress, &Stops),
) -> Result<(RunEnd, Results), TournamentError> {
    let person = |_: &str| -> Box<dyn Bot> { panic!("nobody is here") };
    let stops = Stops::default();
    let launchers = tournament.players.iter().map(|_| Arc::new(OwnGroup) as Arc<dyn Launcher>).collect();
    let host = Host {
        launchers,
        person: &person,
        jobs,
        clock: Arc::new(SystemClock::default()),
        stops: stops.clone(),
        notes: Vec::new(),
    };
    tournament.run(store, &host, &mut |progress| observe(progress, &stops))
}

/// Plays the tournament of `text` in `folder/out` from its beginning to its end.
pub(crate) fn play(folder: &Folder, text: &str, jobs: usize) -> Results {
    let file = folder.write("file.toml", text);
    let tournament = Tournament::read(&file).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let out = folder.path("out");
    let _ = fs::remove_dir_all(&out);
    let store = Store::create(&out, &file).expect("a new folder");
    let (end, results) = run_with(&tournament, &store, jobs, |_, _| {});
    assert_eq!(end, RunEnd::Finished);
    results
}

/// Goes on with the tournament in a folder.
pub(crate) fn resume(dir: &Path, jobs: usize) -> Results {
    let (store, tournament) = Store::open(dir).expect("a tournament");
    let (end, results) = run_with(&tournament, &store, jobs, |_, _| {});
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
