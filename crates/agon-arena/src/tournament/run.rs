//! Playing a tournament: whatever its folder does not hold yet.

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_core::text::duration_text;
use agon_match::Fault;
use agon_players::external::Launcher;
use agon_registry::{Bot, Clock};

use super::game::{Half, Item, finish};
use super::judge::Slot;
use super::pairing::{Met, Pairing, Pairings, planned_games};
use super::plan::{Format, Round, Tournament};
use super::store::{Store, StoreError};
use crate::entrants::Chair;
use crate::folder::{FolderError, Ledger};
use crate::in_order::Crew;
use crate::referee::Terms;
use crate::report;
use crate::results::{self, GameResult, Results, State};
use crate::runner::RunError;
use crate::statistics::{Decision, Score, Sprt, Tally};

/// Who runs a tournament, and with what.
pub struct Host<'a> {
    /// What starts the programs of each player, in the order of the file.
    pub launchers: Vec<Arc<dyn Launcher>>,
    /// Plays for the person of this name.
    pub person: &'a (dyn Fn(&str) -> Box<dyn Bot> + Sync),
    /// Games played at once.
    pub jobs: usize,
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// How it is stopped.
    pub stops: Stops,
    /// Remarks that readers of the results should know.
    pub notes: Vec<String>,
}

/// Ways to stop a tournament from outside.
#[derive(Clone, Debug, Default)]
pub struct Stops {
    /// Lets running games be played to their end, and begins no others.
    pub drain: Arc<AtomicBool>,
    /// Ends running games where they stand.
    pub abort: Arc<AtomicBool>,
}

/// How far a tournament has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The results so far.
    pub results: &'a Results,
    /// How many games there will be, as far as that is known.
    pub planned: usize,
    /// Whether the last game was played now, and not before the tournament was resumed.
    pub is_new: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Everything has been played.
    Finished,
    /// It was stopped and can be resumed.
    Stopped,
}

/// Why a tournament could not be run.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Its folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file in it cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A game could not be played.
    #[error(transparent)]
    Game(#[from] RunError),
    /// The folder holds games of another schedule.
    #[error("game {} in the folder is not the one that the tournament file asks for; was it changed?", .0 + 1)]
    OtherGame(usize),
    /// Results could not be written, or threads not be started.
    #[error(transparent)]
    Io(#[from] io::Error),
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
        host: &Host,
        observe: &mut dyn FnMut(Progress),
    ) -> Result<(RunEnd, Results), TournamentError> {
        let (ledger, finished) = store.ledger()?;
        let mut run = Run {
            tournament: self,
            store,
            host,
            ledger,
            finished,
            disqualified: Mutex::new(vec![None; self.players.len()]),
            results: self.results(host),
            pace: report::Pace::default(),
            began: Instant::now(),
            observe,
        };
        // For those who watch: the rest of the reports has time until there is something to report. A tournament that is resumed has its
        // results already.
        if run.finished.is_empty() {
            agon_records::replace(
                &store.dir().join("results.json"),
                run.results.to_json(&[]).map_err(io::Error::from)?.as_bytes(),
            )?;
        }
        let mut end = RunEnd::Finished;
        for index in 0..self.rounds.len() {
            end = run.play_round(index)?;
            if end == RunEnd::Stopped {
                break;
            }
        }
        run.results.state = if end == RunEnd::Stopped { State::Stopped } else { State::Finished };
        run.ledger.sync()?;
        run.write()?;
        Ok((end, run.results))
    }

    /// The results before the first game.
    fn results(&self, host: &Host) -> Results {
        let round = |round: &Round| results::Round {
            game: round.rules.spec().id.to_owned(),
            title: round.rules.spec().title().to_owned(),
            options: round.rules.options(),
            time: round.time.to_string(),
            setup: duration_text(round.setup),
            format: round.format.name().to_owned(),
            games: planned_games(round, self.players.len()),
        };
        Results {
            name: self.name.clone(),
            state: State::Running,
            seed: self.seed,
            points: self.points,
            players: self.players.iter().map(|player| player.described()).collect(),
            rounds: self.rounds.iter().map(round).collect(),
            games: Vec::new(),
            notes: host.notes.clone(),
        }
    }
}

struct Run<'a> {
    tournament: &'a Tournament,
    store: &'a Store,
    host: &'a Host<'a>,
    ledger: Ledger,
    /// Games that had been entered as finished before this run.
    finished: HashMap<usize, GameResult>,
    /// Who was disqualified, and for what.
    disqualified: Mutex<Vec<Option<Fault>>>,
    results: Results,
    /// How often reports are written.
    pace: report::Pace,
    began: Instant,
    observe: &'a mut dyn FnMut(Progress),
}

/// How a batch ended.
enum BatchEnd {
    Played,
    /// The sequential test was decided: the round is over.
    Decided(Decision),
    Stopped,
}

impl Run<'_> {
    fn play_round(&mut self, index: usize) -> Result<RunEnd, TournamentError> {
        let tournament = self.tournament;
        let round = &tournament.rounds[index];
        let mut pairings = Pairings::new(round, tournament.players.len());
        let first = self.results.games.len();
        let mut last = Vec::new();
        let mut tally = Tally::default();
        loop {
            let batch = pairings.next(&last);
            if batch.is_empty() {
                break;
            }
            let began = self.results.games.len();
            let planned = (began - first + batch.len()).max(self.results.rounds[index].games);
            self.results.rounds[index].games = planned;
            match self.play_batch(index, &batch, &mut tally)? {
                BatchEnd::Stopped => return Ok(RunEnd::Stopped),
                BatchEnd::Decided(decision) => {
                    self.note_decision(index, decision, &tally);
                    break;
                }
                BatchEnd::Played => {}
            }
            let games = self.results.games[began..].iter().zip(&batch);
            last = games
                .map(|(game, pairing)| Met { seats: pairing.seats.clone(), points: game.points.clone() })
                .collect();
        }
        self.results.rounds[index].games = self.results.games.len() - first;
        if let Some(winner) = pairings.winner() {
            let name = &tournament.players[winner].name;
            self.results.notes.push(format!("Round {}: {name} has won the knock-out.", index + 1));
        }
        Ok(RunEnd::Finished)
    }

    fn note_decision(&mut self, index: usize, decision: Decision, tally: &Tally) {
        let Format::Gauntlet { challenger, sprt: Some(Sprt { elo0, elo1, .. }) } =
            self.tournament.rounds[index].format
        else {
            return;
        };
        let name = &self.tournament.players[challenger].name;
        let (elo, games) = (if decision == Decision::Alternative { elo1 } else { elo0 }, tally.games());
        self.results.notes.push(format!(
            "Round {}: after {games} games the sequential test holds that {name} is nearer to {elo} Elo than to {}.",
            index + 1,
            if decision == Decision::Alternative { elo0 } else { elo1 },
        ));
    }

    fn play_batch(
        &mut self,
        index: usize,
        batch: &[Pairing],
        tally: &mut Tally,
    ) -> Result<BatchEnd, TournamentError> {
        let (tournament, host, store) = (self.tournament, self.host, self.store);
        let round = &tournament.rounds[index];
        let began = self.results.games.len();
        let numbers = began..began + batch.len();
        let mut known: HashMap<usize, GameResult> =
            self.finished.extract_if(|number, _| numbers.contains(number)).collect();
        // One by one: there may be many.
        let items = batch.iter().zip(numbers.clone()).map(|(pairing, number)| {
            let slot = Slot { number, round: index + 1, seats: pairing.seats.clone() };
            let fixture = tournament.fixture(round, &slot, pairing.pair);
            Item { known: known.remove(&number), slot, fixture }
        });
        let make = |chair: Chair| tournament.contestant(chair, round, store, host);
        let runner = tournament.runner(round, &make);
        // What is set at the end of a batch must not stop the next one.
        let abort = Arc::new(AtomicBool::new(false));
        let terms =
            Terms { clock: Arc::clone(&host.clock), stop: Arc::clone(&abort), max_plies: round.max_plies };
        let (mut failure, mut end) = (None, BatchEnd::Played);
        let disqualified = std::mem::take(&mut self.disqualified);
        let play = |item: Item| tournament.half(item, &runner, &terms, store, &disqualified);
        let crew = Crew { jobs: host.jobs, drain: &host.stops.drain, abort: &abort };
        let watch = Watch::over(&host.stops.abort, &abort);
        let run = crew.in_order_finished(items, play, finish, |half| {
            let entered = half.and_then(|half| self.enter(half, &disqualified));
            match entered {
                Err(error) => failure = Some(error),
                Ok(None) => end = BatchEnd::Stopped,
                Ok(Some(game)) => {
                    let decided = tournament.test(round, &game, tally);
                    let counted = self.count(game);
                    match (counted, decided) {
                        (Ok(()), None) => return ControlFlow::Continue(()),
                        (Ok(()), Some(decision)) => end = BatchEnd::Decided(decision),
                        (Err(error), _) => failure = Some(error),
                    }
                }
            }
            ControlFlow::Break(())
        });
        drop(watch);
        self.disqualified = disqualified;
        run?;
        if let Some(error) = failure {
            return Err(error);
        }
        let ended = self.results.games.len();
        match end {
            BatchEnd::Played if ended < numbers.end => Ok(BatchEnd::Stopped),
            BatchEnd::Decided(_) => {
                store.discard_all(ended..numbers.end)?;
                Ok(end)
            }
            end => Ok(end),
        }
    }

    /// Enters a game as finished; `None` if it was stopped. A player who was disqualified in a game before it has lost it, even if it
    /// was played meanwhile.
    fn enter(
        &mut self,
        half: Half,
        disqualified: &Mutex<Vec<Option<Fault>>>,
    ) -> Result<Option<(GameResult, bool)>, TournamentError> {
        let Half { slot, result, is_entered, .. } = half;
        let Some(mut result) = result else { return Ok(None) };
        let names = slot.seats.iter().map(|player| &self.tournament.players[*player].name);
        if result.round != slot.round || !result.seats.iter().eq(names) {
            return Err(TournamentError::OtherGame(slot.number));
        }
        let mut disqualified = lock(disqualified);
        if slot.seats.iter().any(|player| disqualified[*player].is_some()) {
            if result.was_played() {
                self.store.discard(slot.number)?;
            }
            result = self.tournament.walkover(&slot, &disqualified);
        }
        for offence in result.outcome.offences().iter().filter(|offence| offence.disqualified) {
            disqualified[slot.seats[offence.seat]].get_or_insert(offence.reason);
        }
        if !is_entered {
            self.ledger.enter(&result)?;
        }
        Ok(Some((result, !is_entered)))
    }

    /// Adds a game to the results and tells the observer.
    fn count(&mut self, (game, is_new): (GameResult, bool)) -> Result<(), TournamentError> {
        self.results.games.push(game);
        if is_new && self.pace.is_due(self.began.elapsed()) {
            self.write()?;
        }
        let planned = self.results.scheduled();
        (self.observe)(Progress { results: &self.results, planned, is_new });
        Ok(())
    }

    fn write(&mut self) -> Result<(), TournamentError> {
        let began = self.began.elapsed();
        report::write(self.store.dir(), &self.results)?;
        self.pace.wrote(began, self.began.elapsed());
        Ok(())
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tournament {
    /// Counts a game in the sequential test of a round, and says whether that is decided.
    fn test(&self, round: &Round, (game, _): &(GameResult, bool), tally: &mut Tally) -> Option<Decision> {
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

/// Passes a request to stop at once on to a batch that is being played.
struct Watch {
    done: Arc<AtomicBool>,
}

impl Watch {
    /// How often it looks.
    const EVERY: Duration = Duration::from_millis(20);

    fn over(from: &Arc<AtomicBool>, to: &Arc<AtomicBool>) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (from, to, stop) = (Arc::clone(from), Arc::clone(to), Arc::clone(&done));
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                if from.load(Ordering::Relaxed) {
                    return to.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Self::EVERY);
            }
        });
        Self { done }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
