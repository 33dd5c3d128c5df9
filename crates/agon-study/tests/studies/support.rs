//! Studies in directories that go when the test does.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agon_arena::tournament::{RunEnd, Stops};
use agon_registry::Clock;
use agon_study::{Host, Results, Store, Study};

/// A directory for one test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-study-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a directory for the test");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
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

/// A clock that stands still, so that times are the same in every run.
pub(crate) struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A study that holds.
pub(crate) fn study(text: &str) -> Study {
    Study::parse("test.toml", text, "test", Path::new("."), false)
        .unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

/// Runs a study in a directory, so many games at once, and stops it when so many have been played.
pub(crate) fn run(study: &Study, dir: &Path, jobs: usize, most: usize) -> (RunEnd, Results) {
    let store = Store::open(dir, &study.name, false).expect("a directory");
    let stops = Stops::default();
    stops.drain.store(most == 0, Ordering::Relaxed);
    let host = Host { jobs, clock: Arc::new(Still), stops: stops.clone() };
    let run = study.run(&store, &host, &mut |progress| {
        if progress.done >= most {
            stops.drain.store(true, Ordering::Relaxed);
        }
        assert!(progress.done <= progress.planned && progress.ended <= progress.comparisons);
    });
    run.expect("the study can be run")
}
