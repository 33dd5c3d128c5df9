//! One game of a tournament: what decides it, who plays it, and how it is kept.

use std::fs::File;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_core::random::mix;
use agon_match::{Fault, Late, Occupant, Seat, TimeControl};
use agon_players::external::{Hosting, Patience, Printing, Transcript, program_of};
use agon_records::{Record, date_text};

use super::judge::Slot;
use super::plan::{Kind, PrintingRule, Round, Tournament};
use super::run::{Host, TournamentError, lock};
use super::store::Store;
use crate::desk::Play;
use crate::entrants::{Chair, Entrant, Entrants, MakePlayer};
use crate::referee::{Contestant, GRACE, Terms};
use crate::results::GameResult;
use crate::runner::{Runner, Variant};
use crate::schedule::Fixture;

/// How much of what an agent writes in a game is kept for its author, in bytes.
const MAX_LOG: usize = 1 << 20;
/// How long an agent that was told the result may take to end.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long a program is waited for that has no limit of time, which none has in a tournament.
const UNLIMITED: Duration = Duration::from_secs(60);

/// A game that is to be played, or was.
pub(super) struct Item {
    pub(super) slot: Slot,
    pub(super) fixture: Fixture,
    /// Its result, if it was entered as finished before.
    pub(super) known: Option<GameResult>,
}

/// A game on its way to its result.
pub(super) struct Half {
    pub(super) slot: Slot,
    /// `None` if it was stopped.
    pub(super) result: Option<GameResult>,
    /// What has to be synced before it counts.
    pub(super) journal: Option<File>,
    /// Whether it stands in the ledger.
    pub(super) is_entered: bool,
}

/// Syncs the journal of a game.
pub(super) fn finish(half: Result<Half, TournamentError>) -> Result<Half, TournamentError> {
    let half = half?;
    if let Some(journal) = &half.journal {
        journal.sync_data()?;
    }
    Ok(half)
}

impl Tournament {
    /// The game of a slot: what decides its opening, its luck and its players' randomness are the seed and its number.
    pub(super) fn fixture(&self, round: &Round, slot: &Slot, pair: usize) -> Fixture {
        /// Keeps the players' randomness apart from luck.
        const PLAYERS: u64 = 1 << 32;
        let is_race = round.rules.seats().len() == 1;
        let pair_seed = mix(mix(self.seed, slot.round as u64), pair as u64);
        Fixture {
            number: slot.number,
            variant: 0,
            seats: slot.seats.clone(),
            opening: round.openings.of_pair(pair),
            // Where both have the same luck in a game, another game is to bring other luck.
            luck_seed: if is_race { mix(pair_seed, slot.number as u64) } else { pair_seed },
            player_seed: mix(mix(self.seed, PLAYERS), slot.number as u64),
        }
    }

    pub(super) fn runner<'a>(&self, round: &Round, make: &'a MakePlayer<'a>) -> Runner<'a> {
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
            variants: vec![Variant {
                rules: Arc::clone(&round.rules),
                opening_plies: round.openings.plies(),
            }],
            entrants: Entrants { entrants: entrants.collect(), make },
            late: Late::Loses,
        }
    }

    /// The player for a chair.
    pub(super) fn contestant(
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
                        unlimited: UNLIMITED,
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
    pub(super) fn half(
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
            let journal = Some(store.journal(slot.number)?);
            return Ok(Half { slot, result: Some(result), journal, is_entered: false });
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
}

/// Whether a game that was found is the one that is to be played.
fn is_of(play: &Play, fixture: &Fixture) -> bool {
    play.boards().iter().all(|game| game.seed() == fixture.luck_seed)
}
