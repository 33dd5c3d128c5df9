//! Playing a tournament: its rounds one after the other, each an experiment of its own.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use agon_core::text::{counted, duration_text};
use agon_erased::Bot;
use agon_match::Fault;
use agon_players::external::{Launcher, Liaison};

use super::game::TournamentGame;
use super::judge::Slot;
use super::pairing::{Met, Pairing, Pairings, bye_points, planned_games};
use super::plan::{Format, Round, Tournament};
use super::store::{Store, StoreError};
use crate::entrants::PlayerRequest;
use crate::experiment::{self, Experiment, ExperimentError, Host, Next, Progress, RunEnd};
use crate::folder::FolderError;
use crate::report;
use crate::results::{self, Bye, GameResult, Results, State};
use crate::runner::LocalWorker;
use crate::statistics::{Decision, Score, Sprt, Tally};

/// Makes a player of a person, given a name and the line on which the referee tells of the clock.
pub type MakePerson<'a> = dyn Fn(&str, Arc<Liaison>) -> Box<dyn Bot> + Sync + 'a;

/// What a machine gives to a tournament.
pub struct TournamentHost<'a> {
    /// What it gives to every experiment.
    pub host: Host,
    /// What starts the programs of each player, in the order of the file.
    pub launchers: Vec<Arc<dyn Launcher>>,
    /// Plays for the person of this name, who hears of the clock on this line.
    pub person: &'a MakePerson<'a>,
    /// Remarks that readers of the results should know.
    pub notes: Vec<String>,
}

/// Why a tournament could not be run.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Its folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game could not be played, or not be written down.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

impl From<FolderError> for TournamentError {
    fn from(error: FolderError) -> Self {
        Self::Experiment(error.into())
    }
}

impl From<io::Error> for TournamentError {
    fn from(error: io::Error) -> Self {
        Self::Experiment(error.into())
    }
}

impl Tournament {
    /// Plays everything that `store` does not hold yet, and says whether that was all. `observe` is told of every game in the order of
    /// the schedule.
    ///
    /// Neither the number of jobs nor interruptions change the table: games are independent of each other, have their randomness
    /// from their numbers, and are looked at in order.
    ///
    /// # Errors
    /// If a game cannot be played, or what happens cannot be written down. Nothing that was finished is lost.
    pub fn run(
        &self,
        store: &Store,
        host: &TournamentHost,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<(RunEnd, Results), TournamentError> {
        let mut games = store.results()?;
        let mut run = Run {
            tournament: self,
            store,
            disqualified: vec![None; self.players.len()],
            results: self.results(&host.notes),
            pace: report::Pace::default(),
            began: Instant::now(),
        };
        // For those who watch: the rest of the reports has time until there is something to report. A tournament that is resumed has its
        // results already.
        if games.is_empty() {
            agon_files::replace(
                &store.dir().join("results.json"),
                run.results.to_json(&[]).map_err(io::Error::from)?.as_bytes(),
            )?;
        }
        let make = |request: PlayerRequest| self.contestant(request, store, host);
        let worker = LocalWorker { make: &make, clock: Arc::clone(&host.host.clock) };
        let mut end = RunEnd::Finished;
        for index in 0..self.rounds.len() {
            let mut round = RoundRun::new(&mut run, index);
            end = experiment::run(&mut round, &mut games, &host.host, &worker, observe)?;
            if end == RunEnd::Stopped {
                break;
            }
            round.end()?;
        }
        run.results.state = if end == RunEnd::Stopped { State::Stopped } else { State::Finished };
        run.write()?;
        Ok((end, run.results))
    }

    /// The results before the first game.
    fn results(&self, notes: &[String]) -> Results {
        let round = |round: &Round| results::Round {
            game: round.rules.spec().id.to_owned(),
            title: round.rules.spec().title().to_owned(),
            options: round.rules.options(),
            time: round.time.to_string(),
            setup: duration_text(round.setup),
            format: round.format.name().to_owned(),
            games: planned_games(round, self.players.len()),
            finalists: Vec::new(),
        };
        Results {
            name: self.name.clone(),
            state: State::Running,
            seed: self.seed,
            points: self.points,
            players: self.players.iter().map(|player| player.described()).collect(),
            rounds: self.rounds.iter().map(round).collect(),
            games: Vec::new(),
            byes: Vec::new(),
            notes: notes.to_vec(),
        }
    }
}

/// A tournament that is being played.
struct Run<'a> {
    tournament: &'a Tournament,
    store: &'a Store,
    /// Who was disqualified, and for what.
    disqualified: Vec<Option<Fault>>,
    results: Results,
    /// How often reports are written.
    pace: report::Pace,
    began: Instant,
}

impl Run<'_> {
    fn write(&mut self) -> Result<(), TournamentError> {
        let began = self.began.elapsed();
        report::write(self.store.dir(), &self.results)?;
        self.pace.wrote(began, self.began.elapsed());
        Ok(())
    }
}

/// A round that is being played, batch by batch.
struct RoundRun<'r, 'a> {
    run: &'r mut Run<'a>,
    index: usize,
    round: &'a Round,
    pairings: Pairings,
    /// The number of the first game of the round.
    first: usize,
    /// The number of the next game.
    next: usize,
    /// What is left of the present batch.
    batch: VecDeque<Pairing>,
    /// What came of the games of the present batch.
    met: Vec<Met>,
    tally: Tally,
    /// What the sequential test has decided.
    decision: Option<Decision>,
}

impl<'r, 'a> RoundRun<'r, 'a> {
    fn new(run: &'r mut Run<'a>, index: usize) -> Self {
        let tournament = run.tournament;
        let round = &tournament.rounds[index];
        let first = run.results.games.len();
        Self {
            index,
            round,
            pairings: Pairings::new(round, tournament.players.len(), &tournament.points),
            first,
            next: first,
            batch: VecDeque::new(),
            met: Vec::new(),
            tally: Tally::default(),
            decision: None,
            run,
        }
    }

    /// Notes what came of the round, all of whose games have been played.
    fn end(self) -> Result<(), TournamentError> {
        let results = &mut self.run.results;
        let played = results.games.len();
        results.rounds[self.index].games = played - self.first;
        if let Some(winner) = self.pairings.winner() {
            let name = &self.run.tournament.players[winner].name;
            let what = if self.pairings.finalists().is_empty() { "knock-out" } else { "finals" };
            results.notes.push(format!("Round {}: {name} has won the {what}.", self.index + 1));
        }
        if let Some(decision) = self.decision {
            // Games that were begun in vain: their numbers belong to the next round.
            self.run.store.discard_all(played..self.next + self.batch.len())?;
            self.note_decision(decision);
        }
        Ok(())
    }

    /// Notes who pauses in the batch that begins, and who has reached the finals.
    fn note_stage(&mut self) {
        let tournament = self.run.tournament;
        let name = |player: usize| tournament.players[player].name.clone();
        if let Some(player) = self.pairings.bye().filter(|_| !self.batch.is_empty()) {
            let points = bye_points(self.round, &tournament.points);
            self.run.results.byes.push(Bye { round: self.index + 1, player: name(player), points });
        }
        let finalists = self.pairings.finalists().iter().map(|player| name(*player)).collect();
        self.run.results.rounds[self.index].finalists = finalists;
    }

    fn note_decision(self, decision: Decision) {
        let Format::Gauntlet { challenger, sprt: Some(Sprt { elo0, elo1, .. }) } = self.round.format else {
            return;
        };
        let name = &self.run.tournament.players[challenger].name;
        let (elo, games) = (if decision == Decision::Alternative { elo1 } else { elo0 }, self.tally.games());
        self.run.results.notes.push(format!(
            "Round {}: after {games} games the sequential test holds that {name} is nearer to {elo} Elo than to {}.",
            self.index + 1,
            if decision == Decision::Alternative { elo0 } else { elo1 },
        ));
    }
}

impl<'a> Experiment for RoundRun<'_, 'a> {
    type Game = TournamentGame<'a>;
    type Result = GameResult;
    type Error = TournamentError;

    fn next(&mut self) -> Result<Next<TournamentGame<'a>>, TournamentError> {
        let counted = self.run.results.games.len();
        if self.batch.is_empty() {
            if counted < self.next {
                return Ok(Next::Wait);
            }
            self.batch = self.pairings.next(&std::mem::take(&mut self.met)).into();
            self.note_stage();
            let planned = &mut self.run.results.rounds[self.index].games;
            *planned = (counted - self.first + self.batch.len()).max(*planned);
        }
        let Some(Pairing { seats, pair }) = self.batch.pop_front() else { return Ok(Next::End) };
        let (tournament, round) = (self.run.tournament, self.round);
        let slot = Slot { number: self.next, round: self.index + 1, seats };
        self.next += 1;
        let is_barred = slot.seats.iter().any(|player| self.run.disqualified[*player].is_some());
        Ok(Next::Play(TournamentGame {
            tournament,
            store: self.run.store,
            job: tournament.job(round, &slot, pair),
            rules: &round.rules,
            walkover: is_barred.then(|| tournament.walkover(&slot, &self.run.disqualified)),
            repeats: RefCell::default(),
            slot,
        }))
    }

    /// A player who was disqualified in a game before this one has lost it, even if it was played meanwhile.
    fn accept(
        &mut self,
        game: &TournamentGame,
        mut result: GameResult,
    ) -> Result<Option<GameResult>, TournamentError> {
        let (tournament, slot) = (self.run.tournament, &game.slot);
        let names = slot.seats.iter().map(|player| &tournament.players[*player].name);
        if result.round != slot.round || !result.seats.iter().eq(names) {
            return Err(ExperimentError::OtherGame(slot.number).into());
        }
        let disqualified = &mut self.run.disqualified;
        if slot.seats.iter().any(|player| disqualified[*player].is_some()) {
            if result.was_played() {
                self.run.store.discard(slot.number)?;
            }
            result = tournament.walkover(slot, disqualified);
        }
        for offence in result.outcome.offences().iter().filter(|offence| offence.disqualified) {
            disqualified[slot.seats[offence.seat]].get_or_insert(offence.reason);
        }
        Ok(Some(result))
    }

    fn count(
        &mut self,
        game: TournamentGame,
        result: GameResult,
        (): (),
        is_new: bool,
    ) -> Result<ControlFlow<()>, TournamentError> {
        self.met.push(Met { seats: game.slot.seats, points: result.points.clone() });
        self.decision = self.run.tournament.test(self.round, &result, &mut self.tally);
        if !result.repeats.is_empty() {
            let (shown, players) = (result.shown_number(), result.seats.join(" against "));
            let times = counted(result.repeats.len(), "time");
            let why = result.repeats.join("; ");
            let note = format!("Game {shown}, {players}, was void {times} and played again: {why}.");
            self.run.results.notes.push(note);
        }
        self.run.results.games.push(result);
        if is_new && self.run.pace.is_due(self.run.began.elapsed()) {
            self.run.write()?;
        }
        Ok(if self.decision.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn extent(&self) -> (usize, usize) {
        (self.run.results.games.len(), self.run.results.scheduled())
    }

    fn details(&self) -> String {
        report::table_text(&self.run.results)
    }
}

impl Tournament {
    /// Counts a game in the sequential test of a round, and says whether that is decided.
    fn test(&self, round: &Round, game: &GameResult, tally: &mut Tally) -> Option<Decision> {
        let Format::Gauntlet { challenger, sprt: Some(sprt) } = round.format else { return None };
        let seat = game.seats.iter().position(|name| *name == self.players[challenger].name)?;
        tally.push(match game.standing(seat).share() {
            1.0 => Score::Win,
            0.0 => Score::Loss,
            _ => Score::Draw,
        });
        if tally.is_paired() { sprt.decision(tally) } else { None }
    }
}
