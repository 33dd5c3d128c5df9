//! The processor level that searches run at. Results are the same at every level, so no other test would notice a
//! release that has lost its fast searches.

use std::backtrace::Backtrace;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_erased::{Budget, Clock, Limits};
use agon_tablut::ENTRY;

/// A clock that stands still, and remembers who looked at it: the calls that led to each look.
#[derive(Default)]
struct CallRecorder(Mutex<Vec<String>>);

impl Clock for CallRecorder {
    fn now(&self) -> Duration {
        let calls = Backtrace::force_capture().to_string();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(calls);
        Duration::ZERO
    }
}

/// Whether this machine has all instructions of x86-64-v3 that searches are compiled for.
fn has_x86_64_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[test]
fn released_searches_run_at_the_best_level_of_the_machine() {
    let rules = ENTRY.rules("").expect("the usual options");
    for spec in ["alphabeta", "mcts"] {
        let mut bot = rules.bot(&spec.parse().expect("a specification"), 0).expect("a bot");
        let clock = Arc::new(CallRecorder::default());
        // Only with a limit of time does a search look at the clock.
        let limits = Limits { nodes: Some(500), time: Some(Duration::from_secs(1)), ..Limits::default() };
        let budget = Budget::on_clock(limits, Arc::clone(&clock) as Arc<dyn Clock>);
        bot.think(&*rules.start(), &budget, &mut |_| {}).expect("a move");
        let looks = clock.0.lock().expect("no panic");
        let has_names = looks.iter().all(|calls| calls.contains("think"));
        assert!(has_names && !looks.is_empty(), "{spec}: {looks:#?}");
        let is_fast = looks.iter().any(|calls| calls.contains("X86V3"));
        let should_be_fast = has_x86_64_v3() && !cfg!(debug_assertions);
        assert_eq!(is_fast, should_be_fast, "{spec}: {looks:#?}");
    }
}
