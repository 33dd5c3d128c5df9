//! One game of a tournament: what decides it, who plays it, and how it is kept.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use agon_core::random::mix;
use agon_erased::Rules;
use agon_files::date_text;
use agon_match::{Late, Millis, Occupant};
use agon_players::external::{Hosting, Liaison, Patience, Printing, Transcript, program_of};
use agon_records::Record;

use super::judge::{Slot, found};
use super::plan::{Kind, LateRule, PrintingRule, Round, Tournament};
use super::run::{TournamentError, TournamentHost};
use super::store::Store;
use crate::entrants::PlayerRequest;
use crate::experiment::{ExperimentError, Job, JobPlayer, Journal, ProgramLimits, ScheduledGame};
use crate::program_keys::Program;
use crate::referee::{Contestant, Doubt, GRACE};
use crate::results::GameResult;
use crate::runner::{Played, RunError};

/// How much of what an agent writes in a game is kept for its author, in bytes.
const MAX_LOG: usize = 1 << 20;
/// How often a game is begun until it counts, or nobody can play it.
const MAX_ATTEMPTS: usize = 5;
/// How long an agent that was told the result may take to end.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a program is waited for that has no limit of time, which none has in a tournament.
const UNLIMITED: Duration = Duration::from_secs(60);

/// A game of a tournament.
pub(super) struct TournamentGame<'a> {
    pub(super) tournament: &'a Tournament,
    pub(super) store: &'a Store,
    pub(super) slot: Slot,
    pub(super) job: Job,
    pub(super) rules: &'a Arc<dyn Rules>,
    /// Its result if a player had been disqualified when it was to begin.
    pub(super) walkover: Option<GameResult>,
    /// Why it has been played again, once for each time.
    pub(super) repeats: RefCell<Vec<String>>,
}

impl Tournament {
    /// The job of a slot: what decides its opening, its luck and its players' randomness are the seed and its number.
    pub(super) fn job(&self, round: &Round, slot: &Slot, pair: usize) -> Job {
        /// Keeps the players' randomness apart from luck.
        const PLAYERS: u64 = 1 << 32;
        let is_race = round.rules.seats().len() == 1;
        let pair_seed = mix(mix(self.seed, slot.round as u64), pair as u64);
        Job {
            game: round.rules.spec().id.to_owned(),
            options: round.rules.options(),
            opening: round.openings.job_opening(pair),
            players: slot
                .seats
                .iter()
                .enumerate()
                .map(|(side, player)| self.player(round, *player, side))
                .collect(),
            late: Late::Loses,
            tolerates_printing: self.printing == PrintingRule::Warn,
            max_plies: round.max_plies,
            // Where both have the same luck in a game, another game is to bring other luck.
            luck_seed: if is_race { mix(pair_seed, slot.number as u64) } else { pair_seed },
            player_seed: mix(mix(self.seed, PLAYERS), slot.number as u64),
        }
    }

    fn player(&self, round: &Round, index: usize, side: usize) -> JobPlayer {
        let player = &self.players[index];
        let (plays, limits) = match &player.kind {
            Kind::Bot(spec) => (Occupant::Bot(spec.clone()), None),
            Kind::Program(Program { spec, memory, threads, .. }) => {
                let setup = Millis::from(round.setup);
                let limits = ProgramLimits { setup, memory: *memory, threads: *threads };
                (Occupant::Program(spec.clone()), Some(limits))
            }
            Kind::Person(_) => (Occupant::Person, None),
        };
        // People have a clock of their own, or none.
        let time = if let Kind::Person(time) = player.kind { time } else { round.time };
        JobPlayer { name: player.name.clone(), plays, side, time, limits }
    }

    /// The player that is asked for.
    pub(super) fn contestant(
        &self,
        request: PlayerRequest,
        store: &Store,
        host: &TournamentHost,
    ) -> Result<Contestant, String> {
        let name = &request.player.name;
        let index = self.players.iter().position(|player| player.name == *name);
        let index = index.ok_or_else(|| "there is no such player".to_owned())?;
        match &self.players[index].kind {
            Kind::Bot(_) => request.house_bot(),
            Kind::Person(_) => {
                let liaison: Arc<Liaison> = Arc::default();
                let person = (host.person)(name, Arc::clone(&liaison));
                Ok(Contestant::program(person, request.seed, liaison))
            }
            Kind::Program(Program { spec, command, .. }) => {
                let transcript = store
                    .begin_log(name, request.game)
                    .and_then(|path| Transcript::create(&path, MAX_LOG))
                    .map_err(|error| format!("its log cannot be written: {error}"))?;
                let hosting = Hosting {
                    launcher: Arc::clone(&host.launchers[index]),
                    patience: Patience {
                        setup: request.player.limits.map_or(Duration::ZERO, |limits| limits.setup.into()),
                        overtime: GRACE.into(),
                        unlimited: UNLIMITED,
                        farewell: FAREWELL,
                    },
                    printing: if request.job.tolerates_printing {
                        Printing::Counted
                    } else {
                        Printing::Fails
                    },
                    liaison: Arc::default(),
                    transcript: Some(Arc::new(transcript)),
                };
                let liaison = Arc::clone(&hosting.liaison);
                let bot = program_of(request.rules, spec, command.clone(), hosting)
                    .map_err(|error| error.to_string())?;
                Ok(Contestant::program(bot, request.seed, liaison))
            }
        }
    }
}

impl ScheduledGame for TournamentGame<'_> {
    type Result = GameResult;
    type Examined = ();
    type Error = TournamentError;

    fn key(&self) -> usize {
        self.slot.number
    }

    fn number(&self) -> usize {
        self.slot.number
    }

    fn job(&self) -> &Job {
        &self.job
    }

    fn rules(&self) -> &Arc<dyn Rules> {
        self.rules
    }

    fn foregone(&self) -> Result<Option<GameResult>, TournamentError> {
        if self.walkover.is_some() {
            // What was written before its player was disqualified does not count either.
            self.store.discard(self.slot.number)?;
        }
        Ok(self.walkover.clone())
    }

    fn journal(&self) -> Result<Journal, TournamentError> {
        let number = self.slot.number;
        let Some(played) = self.store.load(number, self.rules)?.and_then(found) else {
            return Ok(Journal::New(self.store.begin(number)?));
        };
        if played.game.seed() != self.job.luck_seed {
            return Err(ExperimentError::OtherGame(number).into());
        }
        Ok(Journal::Whole(Box::new(played), self.store.journal(number)?))
    }

    /// A game that failed by our fault is void, and so is one that was lost on time on an overloaded machine, if the file says so.
    fn repeats(&self, played: &Played) -> Result<bool, TournamentError> {
        let Some(doubt) = &played.doubt else { return Ok(false) };
        let number = self.slot.number;
        let attempts = self.repeats.borrow().len() + 1;
        match doubt {
            Doubt::OurFault(fault) if attempts >= MAX_ATTEMPTS => {
                let fault = fault.clone();
                return Err(ExperimentError::from(RunError::OurFault { number, fault }).into());
            }
            Doubt::OurFault(_) => {}
            Doubt::Overload(_) if self.tournament.late == LateRule::Loss || attempts >= MAX_ATTEMPTS => {
                return Ok(false);
            }
            Doubt::Overload(_) => {}
        }
        self.store.discard(number)?;
        self.repeats.borrow_mut().push(doubt.sentence().to_owned());
        Ok(true)
    }

    /// Writes the record of the game, and notes in its result where that and the players' logs are.
    fn result(&self, played: Played) -> Result<Option<GameResult>, TournamentError> {
        let number = self.slot.number;
        let mut record = Record::of(&played.game);
        let Some(result) = self.tournament.judge(&self.slot, played) else { return Ok(None) };
        record.date = Some(date_text(std::time::SystemTime::now()));
        self.store.save_record(number, &record)?;
        let log = |player: &usize| {
            let player = &self.tournament.players[*player];
            matches!(player.kind, Kind::Program { .. }).then(|| {
                Store::log_name(self.store.dir(), &player.name, number).to_string_lossy().into_owned()
            })
        };
        Ok(Some(GameResult {
            record: Some(Store::record_name(number)),
            logs: self.slot.seats.iter().map(log).collect(),
            repeats: self.repeats.take(),
            ..result
        }))
    }

    fn examine(&self, _: &GameResult) {}
}
