//! Studies in directories that go when the test does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_arena::experiment::{Host, RunEnd, Stops};
use agon_erased::Clock;
use agon_registry::GAMES;
use agon_study::{Means, Results, Store, Study};

/// A clock that stands still, so that times are the same in every run.
pub(crate) struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A study that holds.
pub(crate) fn study(text: &str) -> Study {
    Study::parse(GAMES, "test.toml", text, "test", Path::new("."), false)
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Runs a study in a directory, so many games at once, and stops it when so many have been played.
pub(crate) fn run(study: &Study, dir: &Path, jobs: usize, most: usize) -> (RunEnd, Results) {
    run_text(study, &study.name, dir, jobs, most)
}

/// The same for a study whose file has this text.
pub(crate) fn run_text(study: &Study, text: &str, dir: &Path, jobs: usize, most: usize) -> (RunEnd, Results) {
    let store = Store::open(dir, text, false).expect("a directory");
    let stops = Stops::default();
    stops.drain.store(most == 0, Ordering::Relaxed);
    let host = Host { jobs, clock: Arc::new(Still), stops: stops.clone() };
    let run = study.run(&store, &host, &Means { launchers: &[], clock: Arc::new(Still) }, &mut |progress| {
        if progress.done >= most {
            stops.drain.store(true, Ordering::Relaxed);
        }
        assert!(progress.done <= progress.total);
    });
    run.expect("the study can be run")
}
