//! Tables driven through seeded chaos, and held against a simple model.
//!
//! In every run a table is told whatever visitors, bots and time may bring, in an order that dice decide,
//! while writes fail and the driver crashes between any two effects and opens the table again from what was
//! stored. After every command the [`checks`] say what must hold. A run is repeated by its number:
//! `AGON_SIMULATION_SEED=7 cargo test -p agon-table --test simulation`. `AGON_SIMULATION_RUNS=100000` makes
//! more of them.

mod bots;
mod checks;
mod clients;
mod dice;
mod model;
mod picture;
mod scenario;
mod store;
mod summary;
mod visits;
mod world;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dice::Dice;
use scenario::Scenario;
use summary::Summary;
use world::World;

const RUNS: u64 = 6000;
/// How many things happen in a run.
const STEPS: usize = 60;
/// How much of what happened before a failure is shown.
const SHOWN: usize = 50;

thread_local! {
    static TRACE: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(mut line: String) {
    line.truncate(line.floor_char_boundary(250));
    TRACE.with_borrow_mut(|trace| trace.push(line));
}

fn run(seed: u64, is_traced: bool) -> Summary {
    let mut dice = Dice::new(seed);
    let scenario = Scenario::random(&mut dice);
    let mut world = World::new(scenario, dice, is_traced);
    world.begin();
    for _ in 0..STEPS {
        world.step();
    }
    world.end();
    world.summary
}

#[test]
#[expect(clippy::print_stdout, reason = "who asks for the output of a test wants to know what it has done")]
fn tables_keep_their_promises_whatever_happens() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("AGON_SIMULATION_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("AGON_SIMULATION_RUNS").unwrap_or(RUNS),
    };
    let mut summary = Summary::default();
    for seed in seeds {
        match catch_unwind(AssertUnwindSafe(|| run(seed, false))) {
            Ok(run) => summary.add(&run),
            Err(reason) => {
                // Once more, to see how it came about.
                let _ = catch_unwind(AssertUnwindSafe(|| run(seed, true)));
                let text = reason.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let reason = reason.downcast_ref::<String>().cloned().or(text).unwrap_or_default();
                let trace = TRACE.take();
                let shown = trace.len().saturating_sub(SHOWN);
                let first = trace.first().cloned().unwrap_or_default();
                let trace = trace[shown..].join("\n");
                panic!("AGON_SIMULATION_SEED={seed} fails: {reason}\n{first}\n...\n{trace}");
            }
        }
    }
    println!("{summary}");
}
