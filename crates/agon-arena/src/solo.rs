//! Many games of one player alone, and how far it came in them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use agon_core::random::mix;
use agon_match::{Abort, End};

use crate::bout::{Bout, PlayedGame};
use crate::duel::DuelError;
use crate::in_order::Crew;
use crate::referee::{Conduct, Terms};
use crate::runner::{RunError, Runner};
use crate::schedule::Fixture;

/// What is played alone.
pub struct Solo<'a> {
    /// The player, and the game: one without an opponent.
    pub runner: Runner<'a>,
    /// How many games.
    pub games: usize,
    /// Fixes the luck and the player's randomness.
    pub seed: u64,
    /// Games played at once.
    pub jobs: usize,
}

/// How far a player came.
#[derive(Clone, Debug, Default)]
pub struct Achievements {
    /// The points of every game, in the order of play.
    pub scores: Vec<u64>,
    /// How many games reached which mark as their highest.
    pub marks: BTreeMap<u64, usize>,
    /// How the player behaved.
    pub conduct: Conduct,
    /// Games that it forfeited; they count with the points they had.
    pub forfeits: u64,
    /// What was wrong the first time that it forfeited a game.
    pub fault: Option<String>,
    /// Whether it was stopped before all games were played.
    pub is_stopped: bool,
}

impl Achievements {
    /// The mean of the points; 0 without games.
    pub fn mean(&self) -> f64 {
        self.scores.iter().sum::<u64>() as f64 / self.scores.len().max(1) as f64
    }

    /// The half-width of the 95% interval of the mean; 0 for fewer than two games.
    pub fn mean_error(&self) -> f64 {
        let (games, mean) = (self.scores.len() as f64, self.mean());
        if games < 2.0 {
            return 0.0;
        }
        let squares: f64 = self.scores.iter().map(|&score| (score as f64 - mean).powi(2)).sum();
        1.96 * (squares / (games - 1.0) / games).sqrt()
    }

    /// The median of the points; 0 without games.
    pub fn median(&self) -> f64 {
        let mut sorted = self.scores.clone();
        sorted.sort_unstable();
        match sorted.len() {
            0 => 0.0,
            games if games % 2 == 1 => sorted[games / 2] as f64,
            games => (sorted[games / 2 - 1] + sorted[games / 2]) as f64 / 2.0,
        }
    }

    /// The most points; 0 without games.
    pub fn max(&self) -> u64 {
        self.scores.iter().copied().max().unwrap_or(0)
    }

    /// The share of games that reached each mark, from `least` to the highest, and at least `least` itself.
    pub fn reached(&self, least: u64) -> Vec<(u64, f64)> {
        let highest = self.marks.keys().next_back().copied().unwrap_or(0).max(least);
        let games = self.scores.len().max(1) as f64;
        std::iter::successors(Some(least), |mark| mark.checked_mul(2))
            .take_while(|mark| *mark <= highest)
            .map(|mark| {
                (mark, self.marks.range(mark..).map(|(_, games)| games).sum::<usize>() as f64 / games)
            })
            .collect()
    }

    /// Moves a second of thinking.
    pub fn moves_per_second(&self) -> f64 {
        match self.conduct.time.as_secs_f64() {
            0.0 => 0.0,
            seconds => self.conduct.moves as f64 / seconds,
        }
    }

    fn add(&mut self, game: &PlayedGame, conduct: &Conduct) {
        self.conduct.add(conduct);
        if let Some(standing) = game.standing {
            self.scores.push(standing.score);
            *self.marks.entry(standing.mark).or_default() += 1;
        }
        if let End::Forfeit { detail, .. } = &game.end {
            self.forfeits += 1;
            self.fault.get_or_insert_with(|| detail.clone());
        }
    }
}

impl Solo<'_> {
    /// Plays the games on the given terms, whose `stop` is set at the end. `observe` sees every game in order and may end it all.
    ///
    /// # Errors
    /// If a game cannot be set up, or threads cannot be started.
    pub fn run(
        &self,
        terms: &Terms,
        observe: &mut dyn FnMut(&Achievements, &PlayedGame) -> ControlFlow<()>,
    ) -> Result<Achievements, DuelError> {
        let mut achievements = Achievements::default();
        let play = |number: usize| {
            let seed = mix(self.seed, number as u64);
            let fixture = Fixture {
                number,
                variant: 0,
                seats: vec![0],
                opening: None,
                luck_seed: seed,
                player_seed: mix(seed, 1),
            };
            let played = self.runner.play(&fixture, terms)?;
            Ok(Bout::of(fixture, played))
        };
        let mut failure = None;
        let crew = Crew { jobs: self.jobs, drain: &terms.stop, abort: &terms.stop };
        crew.in_order(0..self.games, play, |played: Result<Bout, RunError>| {
            let bout = match played {
                Ok(bout) => bout,
                Err(error) => {
                    failure = Some(error.into());
                    return ControlFlow::Break(());
                }
            };
            let (Some(game), Some(conduct)) = (bout.games.first(), bout.conduct.first()) else {
                return ControlFlow::Break(());
            };
            if game.end == (End::Aborted { reason: Abort::Stopped }) {
                return ControlFlow::Break(());
            }
            achievements.add(game, conduct);
            observe(&achievements, game)
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        achievements.is_stopped = achievements.scores.len() < self.games;
        Ok(achievements)
    }
}
