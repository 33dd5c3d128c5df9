//! The match runner: one job from its opening to its end. Duels, tournaments and whatever else needs games played all have them played
//! here.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use agon_core::Player;
use agon_core::random::mix;
use agon_erased::{Clock, Rules};
use agon_match::{Fault, Late, Match, MatchSetup, Setup, StartError};

use crate::entrants::{Entrant, MakePlayer, PlayerRequest};
use crate::experiment::telemetry::{Telemetry, TelemetrySink, lock};
use crate::experiment::{Job, JobOpening, JobPlayer};
use crate::journaled::JournaledGame;
use crate::openings::Opening;
use crate::referee::{self, Conduct, Contestant, Doubt, RefereeStatistics, Terms};
use crate::results::Overhead;
use crate::schedule::Fixture;

/// A game by some rules from random openings.
#[derive(Clone)]
pub struct Variant {
    /// The rules.
    pub rules: Arc<dyn Rules>,
    /// How many random plies open a game that has no opening of its own.
    pub opening_plies: usize,
}

/// Who plays what, and how strictly.
#[derive(Clone)]
pub struct Runner<'a> {
    /// What is played.
    pub variants: Vec<Variant>,
    /// Who plays: one for each side.
    pub entrants: Vec<Entrant>,
    /// Makes their players.
    pub make: &'a MakePlayer<'a>,
    /// What lateness costs.
    pub late: Late,
}

/// A game as it was played.
#[derive(Debug)]
pub struct Played {
    /// What was played.
    pub game: Match,
    /// How each player behaved, in turn order.
    pub conduct: Vec<Conduct>,
    /// The time that the referee itself needed, if moves were made.
    pub overhead: Option<Overhead>,
    /// What each player's searches did, where that was measured; otherwise empty.
    pub telemetry: Vec<Telemetry>,
    /// Why it should not count.
    pub doubt: Option<Doubt>,
}

/// Why a game could not be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// It could not be set up.
    #[error("cannot set up a game: {0}")]
    Setup(#[from] StartError),
    /// It failed again and again, by no fault of its players.
    #[error("game {} cannot be played: {fault}", .number + 1)]
    OurFault {
        /// The number of the game from 0.
        number: usize,
        /// What failed the last time.
        fault: String,
    },
    /// Its journal could not be written.
    #[error("cannot write down a game: {0}")]
    Journal(#[from] io::Error),
}

impl Runner<'_> {
    /// The rules of a fixture.
    pub fn rules(&self, fixture: &Fixture) -> &Arc<dyn Rules> {
        &self.variants[fixture.variant].rules
    }

    /// A fixture as a job that anybody can play.
    pub fn job(&self, fixture: &Fixture, max_plies: usize) -> Job {
        let Variant { rules, opening_plies } = &self.variants[fixture.variant];
        let player = |side: &usize| {
            let Entrant { seat, control } = &self.entrants[*side];
            let plays = seat.occupant.clone();
            JobPlayer { name: seat.name.clone(), plays, side: *side, time: *control, limits: None }
        };
        Job {
            game: rules.spec().id.to_owned(),
            options: rules.options(),
            opening: fixture.opening.clone().map_or(JobOpening::Random(*opening_plies), JobOpening::At),
            players: fixture.seats.iter().map(player).collect(),
            late: self.late,
            tolerates_printing: false,
            max_plies,
            luck_seed: fixture.luck_seed,
            player_seed: fixture.player_seed,
        }
    }

    /// Plays a game.
    ///
    /// # Errors
    /// If it cannot be set up.
    pub fn play(&self, fixture: &Fixture, terms: &Terms) -> Result<Played, RunError> {
        let job = self.job(fixture, terms.max_plies);
        let task = Task { number: fixture.number, job: &job, rules: self.rules(fixture), stop: &terms.stop };
        LocalWorker { make: self.make, clock: Arc::clone(&terms.clock) }.play(task, None)
    }
}

/// A job that somebody is to play now.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// Its number in the schedule, which logs are named after.
    pub number: usize,
    /// The job.
    pub job: &'a Job,
    /// Its rules.
    pub rules: &'a Arc<dyn Rules>,
    /// Set by others to end the game where it stands.
    pub stop: &'a Arc<AtomicBool>,
}

/// Whoever plays jobs.
pub trait Worker: Sync {
    /// Plays a job, writing what happens to `journal`.
    ///
    /// # Errors
    /// If the game cannot be set up, or the journal cannot be written.
    fn play(&self, task: Task, journal: Option<Box<dyn Write + Send>>) -> Result<Played, RunError>;
}

/// Plays jobs on this machine.
pub struct LocalWorker<'a> {
    /// Makes the players.
    pub make: &'a MakePlayer<'a>,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
}

impl Worker for LocalWorker<'_> {
    /// A game for one that has several players is a race: all have the same luck, and play one after the other.
    fn play(&self, task: Task, journal: Option<Box<dyn Write + Send>>) -> Result<Played, RunError> {
        let Task { job, rules, stop, .. } = task;
        let terms =
            Terms { clock: Arc::clone(&self.clock), stop: Arc::clone(stop), max_plies: job.max_plies };
        let is_race = rules.seats().len() == 1 && job.players.len() > 1;
        let boards: Vec<&[JobPlayer]> =
            if is_race { job.players.chunks(1).collect() } else { vec![&job.players] };
        let Opening { position, moves } = job.opening(&**rules);
        let setup = |players: &[JobPlayer]| Setup {
            position: position.clone(),
            moves: moves.iter().map(|token| token.as_str().into()).collect(),
            seats: players.iter().map(JobPlayer::seat).collect(),
            policy: referee::policy(players.iter().map(|player| player.time).collect(), job.late),
            ..Setup::default()
        };
        let (rules, now) = (Arc::clone(rules), terms.now());
        let setups = boards.iter().map(|players| setup(players)).collect();
        let setup = MatchSetup { boards: setups, ..MatchSetup::default() };
        let game = Match::start(rules, setup, job.luck_seed, now)?;
        let mut game = JournaledGame::new(game, journal)?;
        let mut statistics = RefereeStatistics::default();
        let sinks: Vec<TelemetrySink> = job.players.iter().map(|_| TelemetrySink::default()).collect();
        for (board, players) in boards.iter().enumerate() {
            game.go_to(board);
            let first = statistics.conduct.len();
            let here =
                self.play_board(&mut game, task, first, &sinks[first..first + players.len()], &terms)?;
            statistics.conduct.extend(here.conduct);
            statistics.overhead.extend(&here.overhead);
            statistics.doubt = statistics.doubt.or(here.doubt);
        }
        let mut telemetry: Vec<Telemetry> = sinks.iter().map(|sink| lock(sink).clone()).collect();
        if telemetry.iter().all(|noted| *noted == Telemetry::default()) {
            telemetry.clear();
        }
        let overhead = Overhead::of(std::mem::take(&mut statistics.overhead));
        let RefereeStatistics { conduct, doubt, .. } = statistics;
        Ok(Played { game: game.into_match(), conduct, overhead, telemetry, doubt })
    }
}

impl LocalWorker<'_> {
    /// Plays the board that the game is at, whose players are those of the job from `first` on, one for each sink.
    fn play_board(
        &self,
        game: &mut JournaledGame,
        task: Task,
        first: usize,
        sinks: &[TelemetrySink],
        terms: &Terms,
    ) -> io::Result<RefereeStatistics> {
        let mut statistics = RefereeStatistics::new(sinks.len());
        let rules = Arc::clone(game.board().rules());
        let contestants: Result<Vec<Contestant>, _> = (0..)
            .zip(sinks)
            .map(|(seat, telemetry)| {
                let player = &task.job.players[first + usize::from(seat)];
                let seed = mix(task.job.player_seed, u64::from(seat));
                let request = PlayerRequest {
                    rules: &*rules,
                    job: task.job,
                    player,
                    entrant: player.side,
                    game: task.number,
                    seed,
                    telemetry,
                };
                (self.make)(request).map_err(|fault| (Player(seat), fault))
            })
            .collect();
        match contestants {
            Ok(mut contestants) => referee::play(game, &mut contestants, terms, &mut statistics)?,
            Err((seat, detail)) => {
                referee::forfeit(game, seat, Fault::Setup, detail, terms, &mut statistics)?;
            }
        }
        Ok(statistics)
    }
}
