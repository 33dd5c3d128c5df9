//! A plan of training: until when, what is told meanwhile, what is kept in case it is interrupted.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{CheckpointError, Learner};

/// How long training goes on and what happens meanwhile.
#[derive(Clone, Debug)]
pub struct TrainingPlan {
    /// The number of games from the start, earlier ones included, at which it is over; no limit if `None`.
    pub games: Option<u64>,
    /// The time after which it is over; no limit if `None`.
    pub time: Option<Duration>,
    /// Where the learner is kept, and how often.
    pub checkpoint: Option<(PathBuf, Duration)>,
    /// How often progress is told.
    pub report_every: Duration,
    /// Set by others to end training after the game that is being played.
    pub stop: Arc<AtomicBool>,
}

/// How training goes.
#[derive(Clone, Copy, Debug)]
pub struct TrainingProgress {
    /// Games from the start so far.
    pub games: u64,
    /// Moves so far.
    pub moves: u64,
    /// The mean score of the games from the start since the last report.
    pub mean: f64,
    /// The share of those games that reached 2048, 4096, 8192, 16384 and 32768.
    pub reached: [f64; 5],
    /// Moves a second since the last report.
    pub speed: f64,
    /// Time since training began or was taken up again.
    pub elapsed: Duration,
    /// What is left, by the limit that is nearer.
    pub left: Option<Duration>,
}

/// The exponent of the first tile that reports count, 2048.
const FIRST_COUNTED: usize = 11;

/// Trains until the plan is over; `report` is told how it goes.
///
/// # Errors
/// If a checkpoint cannot be written.
pub fn train(
    learner: &mut Learner,
    plan: &TrainingPlan,
    mut report: impl FnMut(&TrainingProgress),
) -> Result<(), CheckpointError> {
    let began = Instant::now();
    let first_games = learner.games();
    let mut saved = began;
    let mut since = Since::new(learner, began);
    let is_over = |learner: &Learner| {
        plan.games.is_some_and(|games| learner.games() >= games)
            || plan.time.is_some_and(|time| began.elapsed() >= time)
            || plan.stop.load(Ordering::Relaxed)
    };
    while !is_over(learner) {
        since.count(learner);
        let now = Instant::now();
        if now - since.time >= plan.report_every || is_over(learner) {
            let elapsed = now - began;
            let played = learner.games() - first_games;
            let by_games = plan
                .games
                .filter(|_| played > 0)
                .map(|games| elapsed.mul_f64(games.saturating_sub(learner.games()) as f64 / played as f64));
            let by_time = plan.time.map(|time| time.saturating_sub(elapsed));
            let left = by_games.into_iter().chain(by_time).min();
            report(&since.progress(learner, now, elapsed, left));
            since = Since::new(learner, now);
        }
        if let Some((path, every)) = &plan.checkpoint
            && now - saved >= *every
        {
            learner.save(path)?;
            saved = Instant::now();
        }
    }
    match &plan.checkpoint {
        Some((path, _)) => learner.save(path),
        None => Ok(()),
    }
}

/// What has happened since the last report.
struct Since {
    time: Instant,
    moves: u64,
    games: u64,
    score: u64,
    reached: [u64; 5],
}

impl Since {
    fn new(learner: &Learner, time: Instant) -> Self {
        Self { time, moves: learner.moves(), games: 0, score: 0, reached: [0; 5] }
    }

    /// Plays a game and counts it.
    fn count(&mut self, learner: &mut Learner) {
        let played = learner.play();
        if !played.is_whole {
            return;
        }
        self.games += 1;
        self.score += played.score;
        for (step, reached) in self.reached.iter_mut().enumerate() {
            *reached += u64::from(usize::from(played.largest) >= FIRST_COUNTED + step);
        }
    }

    fn progress(
        &self,
        learner: &Learner,
        now: Instant,
        elapsed: Duration,
        left: Option<Duration>,
    ) -> TrainingProgress {
        let share = |count: u64| if self.games == 0 { 0.0 } else { count as f64 / self.games as f64 };
        let seconds = (now - self.time).as_secs_f64().max(1e-9);
        TrainingProgress {
            games: learner.games(),
            moves: learner.moves(),
            mean: share(self.score),
            reached: self.reached.map(share),
            speed: (learner.moves() - self.moves) as f64 / seconds,
            elapsed,
            left,
        }
    }
}
