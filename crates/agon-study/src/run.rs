//! Playing a study: whatever its directory does not hold yet.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use agon_arena::bout::Bout;
use agon_arena::entrants::PlayerRequest;
use agon_arena::experiment::telemetry::Telemetry;
use agon_arena::experiment::{
    self, Experiment, ExperimentError, Host, Job, JobPlayer, Next, ProgramLimits, Progress, RunEnd,
    ScheduledGame,
};
use agon_arena::folder::{ClaimError, FolderError};
use agon_arena::program_keys::Program;
use agon_arena::referee::Contestant;
use agon_arena::report::Pace;
use agon_arena::runner::{LocalWorker, Played};
use agon_arena::schedule::{Fixture, Schedule};
use agon_core::random::mix;
use agon_erased::{Clock, Rules};
use agon_match::{Late, Occupant, TimeControl};
use agon_players::external::{Hosting, Launcher, Patience};

use crate::count::GameResult;
use crate::effects::Counts;
use crate::plan::{Circumstance, Comparison, Study, StudyPlayer};
use crate::report;
use crate::results::{Results, State};
use crate::store::Store;

/// Why a study could not be run.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Its directory cannot be used.
    #[error(transparent)]
    Directory(#[from] ClaimError),
    /// A game could not be played, or not be written down.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A plot could not be drawn.
    #[error("a plot could not be drawn: {0}")]
    Plot(#[from] agon_plot::PngError),
}

impl From<FolderError> for StudyError {
    fn from(error: FolderError) -> Self {
        Self::Experiment(error.into())
    }
}

impl From<io::Error> for StudyError {
    fn from(error: io::Error) -> Self {
        Self::Experiment(error.into())
    }
}

/// What players need.
pub struct Means<'a> {
    /// What starts the study's programs, in their order.
    pub launchers: &'a [Arc<dyn Launcher>],
    /// The clock by which bots think, and by which their time is measured.
    pub clock: Arc<dyn Clock>,
}

impl Study {
    /// Plays everything that `store` does not hold yet, writes the reports, and says whether that was all. `observe` is told of every
    /// game that counts, in order.
    ///
    /// Neither the number of jobs nor interruptions change the result if bots are limited by nodes or depth: games are independent of
    /// each other, have their randomness from their numbers, and whether a setting ends early depends on its own games alone.
    ///
    /// # Errors
    /// If a game cannot be played, or what happens cannot be written down. Nothing that was finished is lost.
    pub fn run(
        &self,
        store: &Store,
        host: &Host,
        means: &Means,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<(RunEnd, Results), StudyError> {
        let mut games = store.results()?;
        let mut run = Run::new(self, store);
        let make = |request: PlayerRequest| self.contestant(request, means);
        let worker = LocalWorker { make: &make, clock: Arc::clone(&host.clock) };
        let end = experiment::run(&mut run, &mut games, host, &worker, observe)?;
        let state = if end == RunEnd::Stopped { State::Stopped } else { State::Finished };
        let results = Results::of(self, &run.counts, &run.games, state);
        report::write(store.dir(), &results)?;
        Ok((end, results))
    }

    /// The player that is asked for.
    fn contestant(&self, request: PlayerRequest, means: &Means) -> Result<Contestant, String> {
        let Occupant::Program(spec) = &request.player.plays else {
            return request.metered_bot(Arc::clone(&means.clock));
        };
        let is_meant = |program: &Program| {
            let limits = program_limits(program);
            (&program.spec.command, program.spec.language) == (&spec.command, spec.language)
                && request.player.limits == Some(limits)
        };
        let index = self.programs.iter().position(is_meant);
        let found = index.and_then(|index| Some((&self.programs[index], means.launchers.get(index)?)));
        let (program, launcher) = found.ok_or("nothing starts this program")?;
        let hosting = Hosting { launcher: Arc::clone(launcher), ..Hosting::default() };
        request.metered_program(program, hosting)
    }
}

/// What a program is granted.
fn program_limits(program: &Program) -> ProgramLimits {
    let setup = Patience::default().setup.into();
    ProgramLimits { setup, memory: program.memory, threads: program.threads }
}

/// A game of a comparison.
struct StudyGame<'a> {
    study: &'a Study,
    comparison: usize,
    fixture: Fixture,
    job: Job,
    rules: &'a Arc<dyn Rules>,
}

impl ScheduledGame for StudyGame<'_> {
    type Result = GameResult;
    type Examined = ();
    type Error = StudyError;

    fn key(&self) -> (usize, usize) {
        (self.comparison, self.fixture.number)
    }

    fn number(&self) -> usize {
        self.fixture.number
    }

    fn job(&self) -> &Job {
        &self.job
    }

    fn rules(&self) -> &Arc<dyn Rules> {
        self.rules
    }

    fn result(&self, mut played: Played) -> Result<Option<GameResult>, StudyError> {
        let mut sides: [Telemetry; 2] = Default::default();
        for (noted, player) in std::mem::take(&mut played.telemetry).iter().zip(&self.job.players) {
            sides[player.side].add(noted);
        }
        let bout = Bout::of(self.fixture.clone(), played);
        Ok(GameResult::of(self.comparison, &bout, sides, &self.study.observations, &**self.rules))
    }

    fn examine(&self, _: &GameResult) {}
}

/// A study that is being played.
struct Run<'a> {
    study: &'a Study,
    store: &'a Store,
    comparisons: Vec<Comparison>,
    /// The games of each circumstance: all comparisons under the same circumstances have the same openings and luck.
    schedules: Vec<Schedule>,
    /// How many pairs of games each comparison has had.
    pairs: usize,
    /// The rest of the pairs that are being given out.
    waiting: VecDeque<StudyGame<'a>>,
    counts: Counts,
    /// All games that count, if something was observed in them.
    games: Vec<GameResult>,
    /// How often reports are written.
    pace: Pace,
    began: Instant,
}

impl<'a> Run<'a> {
    fn new(study: &'a Study, store: &'a Store) -> Self {
        let comparisons = study.comparisons();
        let schedule = |(number, circumstance): (u64, &Circumstance)| {
            let seats = circumstance.rules.seats().len();
            Schedule::new(&[seats], study.games, mix(study.seed, number))
        };
        Self {
            study,
            store,
            schedules: (0..).zip(&study.circumstances).map(schedule).collect(),
            pairs: 0,
            waiting: VecDeque::new(),
            counts: Counts::new(study),
            comparisons,
            games: Vec::new(),
            pace: Pace::default(),
            began: Instant::now(),
        }
    }

    /// A pair of games of each comparison in turn, so that all of them grow together.
    fn next_pairs(&mut self) -> VecDeque<StudyGame<'a>> {
        if self.pairs == self.study.games / 2 {
            return VecDeque::new();
        }
        let fixtures: Vec<Vec<Fixture>> =
            self.schedules.iter_mut().map(|schedule| schedule.by_ref().take(2).collect()).collect();
        let games = (0..).zip(&self.comparisons).flat_map(|(index, comparison)| {
            let fixtures = fixtures[comparison.circumstance].iter();
            fixtures.map(move |fixture| (index, comparison, fixture.clone()))
        });
        let games =
            games.map(|(index, comparison, fixture)| self.game(index, *comparison, fixture)).collect();
        self.pairs += 1;
        games
    }

    fn game(&self, index: usize, comparison: Comparison, fixture: Fixture) -> StudyGame<'a> {
        let Comparison { circumstance, setting, opponent } = comparison;
        let circumstance = &self.study.circumstances[circumstance];
        let player = |side: &usize| {
            let setting = [setting, opponent][*side];
            let StudyPlayer { plays, program, time } = &circumstance.bots[setting];
            JobPlayer {
                time: time.map_or(TimeControl::None, |time| TimeControl::PerMove(time.into())),
                limits: program.map(|index| program_limits(&self.study.programs[index])),
                ..JobPlayer::of(plays.clone(), *side)
            }
        };
        let job = Job {
            game: circumstance.rules.spec().id.to_owned(),
            options: circumstance.rules.options(),
            opening: circumstance.openings.job_opening(self.pairs),
            players: fixture.seats.iter().map(player).collect(),
            late: Late::Counted,
            tolerates_printing: false,
            max_plies: circumstance.max_plies,
            luck_seed: fixture.luck_seed,
            player_seed: fixture.player_seed,
        };
        StudyGame { study: self.study, comparison: index, fixture, job, rules: &circumstance.rules }
    }
}

impl<'a> Experiment for Run<'a> {
    type Game = StudyGame<'a>;
    type Result = GameResult;
    type Error = StudyError;

    fn next(&mut self) -> Result<Next<StudyGame<'a>>, StudyError> {
        loop {
            if self.waiting.is_empty() {
                self.waiting = self.next_pairs();
            }
            match self.waiting.pop_front() {
                None => return Ok(Next::End),
                Some(game) if self.counts.has_ended(game.comparison) => {}
                Some(game) => return Ok(Next::Play(game)),
            }
        }
    }

    /// A game that was begun before its setting ended does not count.
    fn accept(&mut self, game: &StudyGame, result: GameResult) -> Result<Option<GameResult>, StudyError> {
        Ok(Some(result).filter(|_| !self.counts.has_ended(game.comparison)))
    }

    fn count(
        &mut self,
        _: StudyGame,
        result: GameResult,
        (): (),
        is_new: bool,
    ) -> Result<ControlFlow<()>, StudyError> {
        self.counts.push(&result);
        if !self.study.observations.is_empty() {
            self.games.push(result);
        }
        if is_new && self.pace.is_due(self.began.elapsed()) {
            let began = self.began.elapsed();
            let results = Results::of(self.study, &self.counts, &self.games, State::Running);
            report::write_page(self.store.dir(), &results)?;
            self.pace.wrote(began, self.began.elapsed());
        }
        let is_over = self.counts.ended.iter().all(|has_ended| *has_ended);
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn extent(&self) -> (usize, usize) {
        self.counts.extent()
    }

    fn details(&self) -> String {
        let ended = self.counts.ended.iter().filter(|has_ended| **has_ended).count();
        let shown = self.counts.effects.iter().filter(|effect| effect.verdict().is_some()).count();
        let all = self.counts.ended.len();
        format!("{shown} of {all} main effects shown, {ended} played to the end")
    }
}
