//! Rounds of attacks, as many as there is time for, and what they come to.

use std::fmt;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The seed of the test, which is the same every time.
const SEED: u64 = 1;

/// Something that is tried.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// Tries it once. Whatever the server does not withstand is a panic.
    pub(crate) run: fn(&Round) -> Outcome,
}

/// One attack in one round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// What all chance in it depends on.
    pub(crate) seed: u64,
    is_long: bool,
}

impl Round {
    /// How much there is of something: in a test, and in a soak.
    pub(crate) fn either<T>(&self, test: T, soak: T) -> T {
        if self.is_long { soak } else { test }
    }
}

/// What attacks have come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// How often the server was attacked: killed, flooded, disconnected …
    pub(crate) attacks: u64,
    /// Failures of the disk, damaged bytes, jumps of the clock.
    pub(crate) faults: u64,
    /// Moves that were acknowledged, and found afterwards.
    pub(crate) acknowledged: u64,
    pub(crate) figures: Figures,
}

/// What one who plays notices of attacks, and what the server takes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// The most memory of the server, in bytes.
    pub(crate) memory: u64,
    /// How long moves took from one player to the other.
    pub(crate) delays: Vec<Duration>,
    /// How long bots took to answer them.
    pub(crate) answers: Vec<Duration>,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        let Outcome { attacks, faults, acknowledged, figures } = other;
        self.attacks += attacks;
        self.faults += faults;
        self.acknowledged += acknowledged;
        self.figures.memory = self.figures.memory.max(figures.memory);
        self.figures.delays.extend(figures.delays);
        self.figures.answers.extend(figures.answers);
    }
}

/// The time that 99 of 100 do not exceed, in milliseconds.
fn p99(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort();
    times.get(times.len() * 99 / 100).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Figures { memory, delays, answers } = self;
        writeln!(out, "server memory: {} MB (required 300, goal 150)", memory / 1_000_000)?;
        let (count, time) = (delays.len(), p99(delays));
        writeln!(
            out,
            "a move of others to the opponent, p99 of {count}: {time:.1} ms (required 100, goal 40)"
        )?;
        write!(out, "a bot's answer to others, p99 of {}: {:.0} ms", answers.len(), p99(answers))
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let Outcome { attacks, faults, acknowledged, .. } = self;
        write!(out, "attacks tried: {attacks}, faults injected: {faults}, moves acknowledged: {acknowledged}")
    }
}

/// Which attacks are tried, and how long.
pub(crate) struct Plan {
    seed: u64,
    time: Option<Duration>,
    only: Vec<String>,
}

impl Plan {
    pub(crate) fn from_environment() -> Self {
        let number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(text.parse().unwrap_or_else(|_| panic!("{name}: expected a number, not {text:?}")))
        };
        let time = number("AGON_SOAK_MINUTES").map(|minutes: u64| Duration::from_secs(60 * minutes));
        let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(SEED, |time| time.as_secs());
        let seed = number("AGON_SOAK_SEED").unwrap_or_else(|| if time.is_some() { now() } else { SEED });
        let only = std::env::var("AGON_SOAK_ONLY").unwrap_or_default();
        let only = only.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Self { seed, time, only }
    }

    /// Tries all of them once, and again as long as there is time.
    pub(crate) fn run(&self, attacks: &[Attack]) {
        let unknown = self.only.iter().find(|name| attacks.iter().all(|attack| attack.name != **name));
        assert!(unknown.is_none(), "AGON_SOAK_ONLY: there is no attack {unknown:?}");
        let began = Instant::now();
        let mut total = Outcome::default();
        for number in 0.. {
            let round = Round { seed: self.seed.wrapping_add(number), is_long: self.time.is_some() };
            for attack in attacks {
                if self.only.is_empty() || self.only.iter().any(|name| name == attack.name) {
                    say(&format!("{}, seed {}; {}", attack.name, round.seed, self.left(began)));
                    match catch_unwind(AssertUnwindSafe(|| (attack.run)(&round))) {
                        Ok(outcome) => {
                            say(&format!("  {outcome}"));
                            if !outcome.figures.delays.is_empty() {
                                say(&outcome.figures.to_string());
                            }
                            total.add(outcome);
                        }
                        Err(panic) => {
                            say(&format!("{total}, then: FAILED"));
                            let again =
                                format!("AGON_SOAK_SEED={} AGON_SOAK_ONLY={}", round.seed, attack.name);
                            let minutes = if round.is_long { " AGON_SOAK_MINUTES=0" } else { "" };
                            say(&format!("the same again: {again}{minutes}"));
                            resume_unwind(panic);
                        }
                    }
                }
            }
            if self.time.is_none_or(|time| began.elapsed() >= time) {
                break;
            }
        }
        if !total.figures.delays.is_empty() {
            say(&total.figures.to_string());
        }
        say(&format!("{total}, lost: none"));
    }

    fn left(&self, began: Instant) -> String {
        match self.time {
            Some(time) => format!("{} min left", time.saturating_sub(began.elapsed()).as_secs().div_ceil(60)),
            None => "one round".to_owned(),
        }
    }
}

fn say(line: &str) {
    // Past the test harness, which would keep it until the end.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Runs something that takes part in an attack.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(future)
}
