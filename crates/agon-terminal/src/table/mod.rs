//! A game and those who play it: the one model behind the full screen and the dialogue on lines.
//!
//! A table knows whose turn it is, lets bots think in their threads, draws for chance, keeps clocks, takes moves back and writes the
//! record. It never waits by itself: [`Table::advance`] does what can be done now and says what happened.

mod rival;
mod setup;
mod turns;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use agon_arena::record::date_text;
use agon_arena::{Record, RecordResult};
use agon_core::random::{Rng, mix, seeded};
use agon_core::{MoveError, Player, Turn};
use agon_match::{Millis, TimePolicy};
use agon_players::{Thinker, player};
use agon_registry::{Clock, Rules, Session, SystemClock, Thought, find};

pub use agon_match::{Clocks, TimeControl, clock_text};
pub use rival::{RaceOrder, Rival, moves_made, rival_in, score};
pub use setup::{Setup, SetupError};

/// The specification of a seat that a person takes.
pub const HUMAN: &str = "human";
/// The header of a record that says who takes the seats, person or bot.
const SEATS_HEADER: &str = "x-seats";
/// The header of a record that says what is left on the clocks of a game that goes on.
const CLOCKS_HEADER: &str = "x-clocks";

/// Somebody at the table.
pub struct Seat {
    /// The name that is shown.
    pub name: String,
    /// [`HUMAN`], or the bot's specification.
    pub specification: String,
    thinker: Option<Thinker>,
}

impl Seat {
    /// Whether a person sits here.
    pub fn is_human(&self) -> bool {
        self.thinker.is_none()
    }
}

/// What is remembered about a ply.
#[derive(Clone, Debug)]
pub struct Note {
    /// How long it took.
    pub time: Duration,
    /// What the bot thought that made it.
    pub thought: Option<Thought<String>>,
    /// The clocks before it.
    clocks: Clocks,
}

/// An end that the rules do not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// A player's time is up.
    Time(Player),
    /// A player has given up.
    Resigned(Player),
}

/// What has happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move was made, or chance drew.
    Played {
        /// Who acted.
        mover: Turn,
        /// The move.
        token: String,
        /// Whether it was a pass.
        is_pass: bool,
    },
    /// The bot that thinks knows more.
    Thought,
    /// A bot has failed; its seat waits for a decision.
    Failed(Player),
    /// Somebody's time is up.
    TimeUp(Player),
}

/// A game and those who play it.
pub struct Table {
    rules: Arc<dyn Rules>,
    session: Box<dyn Session>,
    seats: Vec<Seat>,
    seed: u64,
    /// The numbers from which chance draws, as far as they are known, and where more come from: the k-th draw is made from the k-th
    /// number, also after a move was taken back.
    numbers: (Vec<u64>, Rng),
    clocks: Clocks,
    clock: Arc<dyn Clock>,
    turn_began: Duration,
    notes: Vec<Note>,
    live: Option<Thought<String>>,
    held: Option<(Thought<String>, Duration)>,
    failure: Option<(Player, String)>,
    forfeit: Option<Forfeit>,
    concluded: bool,
    /// The least time from one move of a bot to the next.
    pub pace: Duration,
    /// Whether bots are to wait, and how many moves they may make nevertheless.
    pause: Option<u32>,
}

impl Table {
    /// Lays the table.
    ///
    /// # Errors
    /// If anything in `setup` does not hold.
    pub fn new(setup: &Setup) -> Result<Self, SetupError> {
        Self::with_clock(setup, Arc::new(SystemClock::default()))
    }

    /// Lays the table; time is read from `clock`.
    ///
    /// # Errors
    /// If anything in `setup` does not hold.
    pub fn with_clock(setup: &Setup, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        let rules = find(&setup.game)?.rules(&setup.options)?;
        let mut session = match &setup.position {
            Some(position) => rules.start_from(position)?,
            None => rules.start(),
        };
        for token in &setup.moves {
            session.play(token)?;
        }
        Self::around(rules, session, setup, clock)
    }

    /// Lays the table around a game that is running already.
    ///
    /// # Errors
    /// If the seats do not fit.
    pub fn around(
        rules: Arc<dyn Rules>,
        session: Box<dyn Session>,
        setup: &Setup,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SetupError> {
        let names = rules.seats();
        if setup.seats.len() != names.len() {
            return Err(SetupError::Players { given: setup.seats.len(), seats: names });
        }
        let people = setup.seats.iter().filter(|seat| *seat == HUMAN).count();
        let titles = rules.titles();
        let mut seats = Vec::new();
        for (index, specification) in setup.seats.iter().enumerate() {
            let seed = mix(setup.seed, index as u64 + 1);
            let (name, thinker) = if specification != HUMAN {
                let bot = player(&*rules, specification, seed)?;
                let thinker = Thinker::ready(Arc::clone(&rules), specification, seed, bot);
                (specification.clone(), Some(thinker))
            } else if people > 1 {
                // Several people at one screen are told apart by what they play.
                (titles[index].clone(), None)
            } else {
                (setup.person.clone(), None)
            };
            seats.push(Seat { name, specification: specification.clone(), thinker });
        }
        let clocks = Clocks::new(TimePolicy::new(setup.clock, Millis::ZERO), seats.len());
        let note = Note { time: Duration::ZERO, thought: None, clocks: clocks.clone() };
        Ok(Self {
            notes: vec![note; session.history().len()],
            rules,
            session,
            seats,
            seed: setup.seed,
            numbers: (Vec::new(), seeded(setup.seed)),
            clocks,
            turn_began: clock.now(),
            clock,
            live: None,
            held: None,
            failure: None,
            forfeit: None,
            concluded: false,
            pace: Duration::ZERO,
            pause: None,
        })
    }

    /// Lays the table for a game that was interrupted; `person` sits where a person sat.
    ///
    /// # Errors
    /// If the record does not hold.
    pub fn resume(record: &Record, person: &str) -> Result<Self, SetupError> {
        let seats = match record.extra.iter().find(|(key, _)| key == SEATS_HEADER) {
            Some((_, seats)) => seats.split(" | ").map(str::to_owned).collect(),
            None => vec![HUMAN.to_owned(); find(&record.game)?.rules(&record.options)?.seats().len()],
        };
        Self::resume_seated(record, seats, person)
    }

    /// The same, whoever sat there.
    ///
    /// # Errors
    /// If the record does not hold, or the seats do not fit.
    pub fn resume_seated(record: &Record, seats: Vec<String>, person: &str) -> Result<Self, SetupError> {
        let session = record.replay()?;
        let rules = find(&record.game)?.rules(&record.options)?;
        let clock = record.clock.as_deref().and_then(|text| TimeControl::parse(text).ok());
        let setup = Setup {
            game: record.game.clone(),
            options: record.options.clone(),
            position: None,
            moves: Vec::new(),
            seats,
            person: person.to_owned(),
            clock: clock.unwrap_or_default(),
            seed: record.seed.unwrap_or_default(),
        };
        let mut table = Self::around(rules, session, &setup, Arc::new(SystemClock::default()))?;
        if let Some((_, times)) = record.extra.iter().find(|(key, _)| key == CLOCKS_HEADER) {
            let times: Option<Vec<Millis>> =
                times.split(" | ").map(|part| Millis::parse(part).ok()).collect();
            // What does not fit changes nothing.
            let _ = times.is_some_and(|times| table.clocks.restore(&times));
        }
        Ok(table)
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<dyn Rules> {
        &self.rules
    }

    /// The game as it stands.
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// Who sits where.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// What is remembered about each ply of the history.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// What fixes the randomness.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How time is given.
    pub fn control(&self) -> TimeControl {
        self.clocks.policy().control(Player(0))
    }

    /// What the bot that thinks knows so far.
    pub fn live(&self) -> Option<&Thought<String>> {
        self.live.as_ref()
    }

    /// The seat whose bot has failed, and why.
    pub fn failure(&self) -> Option<(Player, &str)> {
        self.failure.as_ref().map(|(player, reason)| (*player, reason.as_str()))
    }

    /// The end outside of the rules, if there is one.
    pub fn forfeit(&self) -> Option<Forfeit> {
        self.forfeit
    }

    /// Whether the game is over, by the rules or otherwise.
    pub fn is_over(&self) -> bool {
        self.forfeit.is_some() || self.session.outcome().is_some()
    }

    /// The player to move; `None` if chance is, or the game is over.
    pub fn to_move(&self) -> Option<Player> {
        match self.session.turn() {
            Turn::Player(player) if !self.is_over() => Some(player),
            _ => None,
        }
    }

    /// The person to move, if one is.
    pub fn person_to_move(&self) -> Option<Player> {
        self.to_move().filter(|player| self.seats[player.index()].is_human())
    }

    /// Whether anybody at the table is a person.
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(Seat::is_human)
    }

    /// What is left on a player's clock; `None` without one.
    pub fn time_left(&self, player: Player) -> Option<Duration> {
        if self.forfeit == Some(Forfeit::Time(player)) {
            return Some(Duration::ZERO);
        }
        let spent = if self.to_move() == Some(player) { self.spent() } else { Duration::ZERO };
        self.clocks.left(player, spent.into()).map(Duration::from)
    }

    /// How long the player to move has been thinking.
    pub fn spent(&self) -> Duration {
        self.clock.now().saturating_sub(self.turn_began)
    }

    /// Whether bots wait.
    pub fn is_paused(&self) -> bool {
        self.pause.is_some()
    }

    /// Has bots wait, or go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.pause = paused.then_some(0);
    }

    /// Lets a bot make one move while others wait.
    pub fn step(&mut self) {
        self.pause = Some(1);
    }

    /// Plays a person's move.
    ///
    /// # Errors
    /// If it is not a person's turn, or the move is not legal; nothing has changed then.
    pub fn play(&mut self, token: &str) -> Result<(), MoveError> {
        self.check_turn(token)?;
        let spent = self.spent();
        self.commit(token, None, spent)
    }

    /// Plays a person's move as people type it.
    ///
    /// # Errors
    /// As [`Table::play`].
    pub fn play_typed(&mut self, text: &str) -> Result<(), MoveError> {
        self.check_turn(text)?;
        // What was typed is played in a fork to learn how it is written.
        let mut fork = self.session.fork();
        let token = fork.play_typed(text)?;
        let spent = self.spent();
        self.commit(&token, None, spent)
    }

    fn check_turn(&self, text: &str) -> Result<(), MoveError> {
        let reason = match self.person_to_move() {
            Some(_) => return Ok(()),
            None if self.is_over() => "the game is over",
            None => "not your turn",
        };
        Err(MoveError::new(text, reason))
    }

    /// Takes plies back until a person is to move again, or, where only bots play, the last one; if there is no such
    /// moment, nothing changes.
    pub fn take_back(&mut self) -> bool {
        if let Some(Forfeit::Resigned(_)) = self.forfeit {
            // Who has given up by mistake goes on where they were.
            (self.forfeit, self.concluded) = (None, false);
            self.turn_began = self.clock.now();
            return true;
        }
        let movers = self.session.movers();
        let is_choice = |mover: &Turn| match mover {
            Turn::Player(player) => self.seats[player.index()].is_human() || !self.has_people(),
            Turn::Chance => false,
        };
        // A pass is nobody's choice: going back to it would lead here again.
        let mut fork = self.session.fork();
        let mut keep = None;
        for (index, mover) in movers.iter().enumerate().rev() {
            fork.undo();
            if is_choice(mover) && fork.legal().len() > 1 {
                keep = Some(index);
                break;
            }
        }
        let keep = keep.or_else(|| movers.iter().rposition(is_choice));
        let Some(keep) = keep else { return false };
        self.silence();
        while self.session.history().len() > keep && self.session.undo() {}
        if let Some(note) = self.notes.get(keep) {
            self.clocks = note.clocks.clone();
        }
        self.notes.truncate(keep);
        self.forfeit = None;
        self.failure = None;
        self.concluded = false;
        self.turn_began = self.clock.now();
        true
    }

    /// Has the bots forget what they were asked.
    fn silence(&mut self) {
        self.held = None;
        self.live = None;
        for seat in &mut self.seats {
            if let Some(thinker) = &mut seat.thinker {
                thinker.cancel();
            }
        }
    }

    /// Has the bot that thinks answer at once.
    pub fn hurry(&mut self) {
        for thinker in self.seats.iter().filter_map(|seat| seat.thinker.as_ref()) {
            thinker.hurry();
        }
    }

    /// A player gives up.
    pub fn resign(&mut self, player: Player) {
        if !self.is_over() {
            self.silence();
            self.forfeit = Some(Forfeit::Resigned(player));
        }
    }

    /// Has a bot that failed built anew.
    pub fn retry(&mut self) {
        if let Some((player, _)) = self.failure.take()
            && let Some(thinker) = &mut self.seats[player.index()].thinker
        {
            thinker.renew();
        }
    }

    /// Puts a person on the seat of a bot, one that failed for example.
    pub fn take_over(&mut self, player: Player, person: &str) {
        self.silence();
        self.failure = None;
        let seat = &mut self.seats[player.index()];
        *seat = Seat { name: person.to_owned(), specification: HUMAN.to_owned(), thinker: None };
        self.turn_began = self.clock.now();
    }

    fn conclude(&mut self) {
        if std::mem::replace(&mut self.concluded, true) {
            return;
        }
        for (index, seat) in self.seats.iter_mut().enumerate() {
            if let Some(thinker) = &mut seat.thinker {
                thinker.conclude(&*self.session, Player(index as u8));
            }
        }
    }

    /// Writes the record to a file for the user. One that is there already is only replaced if it is an earlier record of this game.
    ///
    /// # Errors
    /// If it cannot be written, or would replace something else.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let record = self.record();
        let is_ours = |old: &Record| {
            let shared = old.moves.len().min(record.moves.len());
            old.game == record.game
                && old.seed == record.seed
                && old.moves[..shared] == record.moves[..shared]
        };
        if path.is_file() && !Record::load(path).is_ok_and(|old| is_ours(&old)) {
            return Err(io::Error::other("there is such a file already; expected a new name"));
        }
        record.save(path)
    }

    /// The result as records say it.
    pub fn result(&self) -> RecordResult {
        let forfeit = |player: Player, reason: &str| RecordResult::Forfeit {
            seat: self.rules.seats().swap_remove(player.index()),
            reason: reason.to_owned(),
        };
        match self.forfeit {
            Some(Forfeit::Time(player)) => forfeit(player, "late"),
            Some(Forfeit::Resigned(player)) => forfeit(player, "resigned"),
            None => RecordResult::of(&*self.rules, self.session.outcome()),
        }
    }

    /// The record of the game as it stands.
    pub fn record(&self) -> Record {
        let mut record = Record::of_session(&*self.rules, &*self.session);
        record.players = self.seats.iter().map(|seat| seat.name.clone()).collect();
        record.date = Some(date_text(SystemTime::now()));
        record.seed = Some(self.seed);
        if self.control() != TimeControl::None {
            record.clock = Some(self.control().to_string());
        }
        record.result = Some(self.result());
        let seats: Vec<&str> = self.seats.iter().map(|seat| seat.specification.as_str()).collect();
        record.extra.push((SEATS_HEADER.to_owned(), seats.join(" | ")));
        let times: Vec<String> = self.clocks.carried().iter().map(|left| format!("{}ms", left.0)).collect();
        if !times.is_empty() && !self.is_over() {
            record.extra.push((CLOCKS_HEADER.to_owned(), times.join(" | ")));
        }
        record
    }

    /// What the table was laid for, to lay it again.
    pub fn setup(&self, person: &str) -> Setup {
        let start = self.session.start_position();
        Setup {
            game: self.rules.spec().id.to_owned(),
            options: self.rules.options(),
            position: (start != self.rules.start().position()).then_some(start),
            moves: Vec::new(),
            seats: self.seats.iter().map(|seat| seat.specification.clone()).collect(),
            person: person.to_owned(),
            clock: self.control(),
            seed: self.seed,
        }
    }
}
