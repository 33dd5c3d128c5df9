//! Playing a tournament: whatever its folder does not hold yet.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_core::random::mix;
use agon_core::text::duration_text;
use agon_match::{Fault, Late, Millis, Occupant, Seat, TimeControl};
use agon_players::external::{Hosting, Launcher, Patience, Printing, Transcript, program_of};
use agon_records::{Record, date_text};
use agon_registry::{Bot, Clock};

use super::judge::Slot;
use super::pairing::{Met, Pairing, Pairings, planned_games};
use super::plan::{Format, Kind, Openings, PrintingRule, Round, Tournament};
use super::store::{Ledger, Store, StoreError};
use crate::desk::Play;
use crate::entrants::{Chair, Entrant, Entrants};
use crate::in_order::Crew;
use crate::openings::Opening;
use crate::referee::{Contestant, GRACE, Terms};
use crate::report;
use crate::results::{self, GameResult, Results, State};
use crate::runner::{RunError, Runner, Variant};
use crate::schedule::Fixture;
use crate::statistics::{Decision, Score, Sprt, Tally};

/// How much of what an agent writes in a game is kept for its author, in bytes.
const MAX_LOG: usize = 1 << 20;
/// How long an agent that was told the result may take to end.
const FAREWELL: Duration = Duration::from_secs(1);
/// Results are written no more often than this while games are being played.
const WRITE_EVERY: Duration = Duration::from_secs(1);
/// And so that writing them takes no more than one part in so many of the time.
const WRITE_SHARE: u32 = 20;

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
    /// Plays everything that `store` does not hold yet. `observe` is told of every game in the order of the schedule.
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
    ) -> Result<RunEnd, TournamentError> {
        let (ledger, finished) = store.ledger()?;
        let mut run = Run {
            tournament: self,
            store,
            host,
            ledger,
            finished,
            disqualified: Mutex::new(vec![None; self.players.len()]),
            results: self.results(host),
            written: Instant::now(),
            writing: Duration::ZERO,
            observe,
        };
        run.write()?;
        for index in 0..self.rounds.len() {
            if run.play_round(index)? == RunEnd::Stopped {
                run.results.state = State::Stopped;
                run.write()?;
                return Ok(RunEnd::Stopped);
            }
        }
        run.results.state = State::Finished;
        run.ledger.sync()?;
        run.write()?;
        Ok(RunEnd::Finished)
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
    /// When the results were last written, and how long that took.
    written: Instant,
    writing: Duration,
    observe: &'a mut dyn FnMut(Progress),
}

/// A game that is to be played, or was.
struct Item {
    slot: Slot,
    fixture: Fixture,
    /// Its result, if it was entered as finished before.
    known: Option<GameResult>,
}

/// A game on its way to its result.
struct Half {
    slot: Slot,
    /// `None` if it was stopped.
    result: Option<GameResult>,
    /// What has to be synced before it counts.
    journal: Option<File>,
    /// Whether it stands in the ledger.
    is_entered: bool,
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
        let items: Vec<Item> = batch
            .iter()
            .enumerate()
            .map(|(offset, pairing)| {
                let slot = Slot { number: began + offset, round: index + 1, seats: pairing.seats.clone() };
                let known = self.finished.remove(&slot.number);
                Item { fixture: tournament.fixture(round, &slot, pairing.pair), slot, known }
            })
            .collect();
        let make = |chair: Chair| tournament.contestant(chair, round, store, host);
        let runner = tournament.runner(round, &make);
        // What is set at the end of a batch must not stop the next one.
        let abort = Arc::new(AtomicBool::new(false));
        let terms =
            Terms { clock: Arc::clone(&host.clock), stop: Arc::clone(&abort), max_plies: round.max_plies };
        let (mut failure, mut end) = (None, BatchEnd::Played);
        let disqualified = std::mem::take(&mut self.disqualified);
        let play = |item: Item| match host.stops.abort.load(Ordering::Relaxed) {
            true => Ok(Half { slot: item.slot, result: None, journal: None, is_entered: false }),
            false => tournament.half(item, &runner, &terms, store, &disqualified),
        };
        let crew = Crew { jobs: host.jobs, drain: &host.stops.drain, abort: &abort };
        let watch = Watch::over(&host.stops.abort, &abort);
        let run = crew.in_order_finished(items.into_iter(), play, finish, |half| {
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
            BatchEnd::Played if ended < began + batch.len() => Ok(BatchEnd::Stopped),
            BatchEnd::Decided(_) => {
                (ended..began + batch.len()).try_for_each(|number| store.discard(number))?;
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
        if is_new && self.written.elapsed() > WRITE_EVERY.max(self.writing * WRITE_SHARE) {
            self.write()?;
        }
        let planned = self.results.scheduled();
        (self.observe)(Progress { results: &self.results, planned, is_new });
        Ok(())
    }

    fn write(&mut self) -> Result<(), TournamentError> {
        let began = Instant::now();
        report::write(self.store.dir(), &self.results)?;
        self.written = Instant::now();
        self.writing = self.written - began;
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Syncs the journal of a game.
fn finish(half: Result<Half, TournamentError>) -> Result<Half, TournamentError> {
    let half = half?;
    if let Some(journal) = &half.journal {
        journal.sync_data()?;
    }
    Ok(half)
}

impl Tournament {
    /// The game of a slot: what decides its opening, its luck and its players' randomness are the seed and its number.
    fn fixture(&self, round: &Round, slot: &Slot, pair: usize) -> Fixture {
        /// Keeps the players' randomness apart from luck.
        const PLAYERS: u64 = 1 << 32;
        let is_race = round.rules.seats().len() == 1;
        let pair_seed = mix(mix(self.seed, slot.round as u64), pair as u64);
        let opening = match &round.openings {
            Openings::Start => Some(Opening::default()),
            Openings::Random { .. } => None,
            Openings::Listed(list) => Some(list[pair % list.len()].clone()),
        };
        Fixture {
            number: slot.number,
            variant: 0,
            seats: slot.seats.clone(),
            opening,
            // Where both have the same luck in a game, another game is to bring other luck.
            luck_seed: if is_race { mix(pair_seed, slot.number as u64) } else { pair_seed },
            player_seed: mix(mix(self.seed, PLAYERS), slot.number as u64),
        }
    }

    fn runner<'a>(
        &self,
        round: &Round,
        make: &'a crate::entrants::MakePlayer<'a>,
    ) -> Runner<'a> {
        let plies = if let Openings::Random { plies } = round.openings { plies } else { 0 };
        let entrants = self.players.iter().map(|player| {
            let occupant = match &player.kind {
                Kind::Bot(spec) => Occupant::Bot(spec.clone()),
                Kind::Program { spec, .. } => Occupant::Program(spec.clone()),
                Kind::Person => Occupant::Person,
            };
            // No clock runs for people.
            let control = if player.is_person() { TimeControl::None } else { round.time };
            Entrant { seat: Seat { name: player.name.clone(), ..Seat::of(occupant) }, control }
        });
        Runner {
            variants: vec![Variant { rules: Arc::clone(&round.rules), opening_plies: plies }],
            entrants: Entrants { entrants: entrants.collect(), make },
            late: Late::Loses,
        }
    }

    /// The player for a chair.
    fn contestant(
        &self,
        chair: Chair,
        round: &Round,
        store: &Store,
        host: &Host,
    ) -> Result<Contestant, String> {
        let player = &self.players[chair.entrant];
        match &player.kind {
            Kind::Bot(spec) => {
                let bot = chair.rules.bot(spec, chair.seed).map_err(|error| error.to_string())?;
                Ok(Contestant::house(bot, chair.seed))
            }
            Kind::Person => Ok(Contestant::house((host.person)(&player.name), chair.seed)),
            Kind::Program { spec, command, .. } => {
                let transcript = store
                    .begin_log(&player.name, chair.game)
                    .and_then(|path| Transcript::create(&path, MAX_LOG))
                    .map_err(|error| format!("its log cannot be written: {error}"))?;
                let hosting = Hosting {
                    launcher: Arc::clone(&host.launchers[chair.entrant]),
                    patience: Patience {
                        setup: round.setup,
                        overtime: GRACE.into(),
                        unlimited: Duration::from(Millis(60_000)),
                        farewell: FAREWELL,
                    },
                    printing: match self.printing {
                        PrintingRule::Warn => Printing::Counted,
                        PrintingRule::Loss | PrintingRule::Disqualify => Printing::Fails,
                    },
                    liaison: Arc::default(),
                    transcript: Some(Arc::new(transcript)),
                };
                let liaison = Arc::clone(&hosting.liaison);
                let bot = program_of(chair.rules, spec, command.clone(), hosting)
                    .map_err(|error| error.to_string())?;
                Ok(Contestant::program(bot, chair.seed, liaison))
            }
        }
    }

    /// Plays a game, or takes it from where it was written down.
    fn half(
        &self,
        item: Item,
        runner: &Runner,
        terms: &Terms,
        store: &Store,
        disqualified: &Mutex<Vec<Option<Fault>>>,
    ) -> Result<Half, TournamentError> {
        let Item { slot, fixture, known } = item;
        if let Some(result) = known {
            return Ok(Half { slot, result: Some(result), journal: None, is_entered: true });
        }
        let barred = {
            let disqualified = lock(disqualified);
            let is_barred = slot.seats.iter().any(|player| disqualified[*player].is_some());
            is_barred.then(|| self.walkover(&slot, &disqualified))
        };
        if let Some(result) = barred {
            // What was written before its player was disqualified does not count either.
            store.discard(slot.number)?;
            return Ok(Half { slot, result: Some(result), journal: None, is_entered: false });
        }
        let rules = runner.rules(&fixture);
        let is_race = rules.seats().len() == 1;
        if let Some(play) = store.load(slot.number, rules, is_race)?
            && let Some(result) = self.judge(&slot, &play, None)
        {
            if !is_of(&play, &fixture) {
                return Err(TournamentError::OtherGame(slot.number));
            }
            let result = self.written_down(&slot, result, &play, store)?;
            return Ok(Half { slot, result: Some(result), journal: None, is_entered: false });
        }
        let journal = store.begin(slot.number)?;
        let played = runner.play(&fixture, terms, Some(Box::new(journal.try_clone()?)))?;
        let Some(result) = self.judge(&slot, &played.play, Some(played.notes)) else {
            return Ok(Half { slot, result: None, journal: None, is_entered: false });
        };
        let result = self.written_down(&slot, result, &played.play, store)?;
        Ok(Half { slot, result: Some(result), journal: Some(journal), is_entered: false })
    }

    /// Writes the record of a game, and notes in its result where that and the players' logs are.
    fn written_down(
        &self,
        slot: &Slot,
        result: GameResult,
        play: &Play,
        store: &Store,
    ) -> Result<GameResult, TournamentError> {
        let mut record = match play {
            Play::One(game) => Record::of(game),
            Play::Race(race) => Record::of_race(race),
        };
        record.date = Some(date_text(std::time::SystemTime::now()));
        store.save_record(slot.number, &record)?;
        let log = |player: &usize| {
            let player = &self.players[*player];
            matches!(player.kind, Kind::Program { .. })
                .then(|| Store::log_name(&player.name, slot.number).to_string_lossy().into_owned())
        };
        Ok(GameResult {
            record: Some(Store::record_name(slot.number)),
            logs: slot.seats.iter().map(log).collect(),
            ..result
        })
    }

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

/// Whether a game that was found is the one that is to be played.
fn is_of(play: &Play, fixture: &Fixture) -> bool {
    play.boards().iter().all(|game| game.seed() == fixture.luck_seed)
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
