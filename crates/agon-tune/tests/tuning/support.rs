//! Tunings in directories that go when the test does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_arena::experiment::{Host, RunEnd, Stops};
use agon_erased::Clock;
use agon_registry::GAMES;
use agon_tune::{Order, Plan, Results, Store};

/// A clock that stands still.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

/// A small tuning by regression.
pub(crate) fn order(game: &str, bot: &str) -> Order {
    Order {
        entry: GAMES.find(game).expect("a game"),
        options: Vec::new(),
        bot: bot.parse().expect("a specification"),
        is_spsa: false,
        parameters: None,
        games: Some(20),
        batch: None,
        nodes: Some(60),
        positions: None,
        ridge: None,
        opening_plies: None,
        seed: 1,
        match_games: 6,
        match_limit: None,
        name: "test".to_owned(),
    }
}

/// Runs a tuning in a directory, so many games at once, and stops it when so many have been played.
pub(crate) fn run(plan: &Plan, dir: &Path, jobs: usize, most: usize) -> (RunEnd, Results) {
    let store = Store::open(dir, &plan.identity()).expect("a directory");
    let stops = Stops::default();
    stops.drain.store(most == 0, Ordering::Relaxed);
    let host = Host { jobs, clock: Arc::new(Still), stops: stops.clone() };
    let run = plan.run(&store, &host, &mut |progress| {
        if progress.done >= most {
            stops.drain.store(true, Ordering::Relaxed);
        }
        assert!(progress.done <= progress.total);
    });
    run.expect("the tuning can be run")
}
