//! A table in real time, with one follower: whoever sits at this terminal.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agon_core::{Player, Turn};
use agon_erased::{Clock, Games, Session, SystemClock, Thought};
use agon_files::date_text;
use agon_match::{
    Action, Board, Fault, LogEvent, Match, MatchSetup, Millis, Move, MoveRequest, Occupant, Refusal, Seat,
    Setup, StartError, TakeBackTo,
};
use agon_records::Record;
use agon_table::chat::Chat;
use agon_table::{
    BotNews, Command, Effect, FailingBots, Follower, HouseRules, Now, Opening, RaceBots, Setting, Table,
    TableSettings,
};

use super::bots::Bots;
use super::new_game::{DriveError, NewGame, seat_again};
use super::told::Told;

/// Whoever sits at this terminal, as the table knows them.
const FOLLOWER: Follower = Follower { id: 0, visitor: [0; 32] };

/// Something that a driver tells.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// Something has happened on a board. Every event is told once and in order, even if a person caused it.
    Event(LogEvent),
    /// A bot that is thinking has found out more.
    Thought,
    /// A bot has failed; its seat waits for a decision. [`MatchDriver::failure`] says which and why.
    Failed,
}

/// A bot that cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure<'a> {
    /// The index of its board.
    pub board: usize,
    /// Its seat there.
    pub seat: Player,
    /// What is wrong with it.
    pub reason: &'a str,
}

/// A table with the bots that play there, in real time. People at this terminal play on one board, their own;
/// in a race, all other boards are bots'.
pub struct MatchDriver {
    table: Table,
    /// The index of the people's own board.
    own: usize,
    /// The bots of each board.
    bots: Vec<Bots>,
    clock: Arc<dyn Clock>,
    /// When the table is to be woken, on that clock.
    wake: Duration,
    told: Told,
    /// Whether it has been told that a bot has failed.
    has_told_failure: bool,
}

impl MatchDriver {
    /// Starts a match.
    ///
    /// # Errors
    /// If anything in `new` does not hold.
    pub fn start(new: NewGame) -> Result<Self, DriveError> {
        Self::start_by(new, Arc::new(SystemClock::default()))
    }

    /// The same, with time read from `clock`.
    ///
    /// # Errors
    /// If anything in `new` does not hold.
    pub fn start_by(new: NewGame, clock: Arc<dyn Clock>) -> Result<Self, DriveError> {
        let NewGame { rules, setup, seed } = new;
        Self::of(Match::start(rules, setup, seed, Millis::ZERO)?, clock)
    }

    /// Resumes an interrupted match; `person` sits where the only person sat.
    ///
    /// # Errors
    /// If the record does not hold, or one of its bots does not exist.
    pub fn resume(games: Games, record: &Record, person: &str) -> Result<Self, DriveError> {
        let game = record.to_match(games, Millis::ZERO, |setup| seat_again(setup, person))?;
        Self::of(game, Arc::new(SystemClock::default()))
    }

    /// Drives a match that has just begun or was just resumed: all but its first event is still to be told.
    ///
    /// # Errors
    /// If one of its bots does not exist, or people play on several boards.
    pub fn of(game: Match, clock: Arc<dyn Clock>) -> Result<Self, DriveError> {
        let mut peoples = (0..game.boards().len())
            .filter(|board| game.boards()[*board].seats().iter().any(Seat::is_person));
        let own = peoples.next().unwrap_or(0);
        if peoples.next().is_some() {
            let fault = "at this terminal, one person races against a bot or several";
            return Err(StartError::Boards(fault.to_owned()).into());
        }
        let bots = game.boards().iter().map(Bots::new).collect::<Result<_, _>>()?;
        let (told, stored) = (Told::of(&game), game.event_count());
        let opening = Opening {
            id: String::new(),
            owner: FOLLOWER.visitor,
            created: 0,
            game,
            settings: TableSettings { pace: 0, ..TableSettings::default() },
            messages: Vec::new(),
            // Games are kept on disk as records, each time they have changed.
            stored,
            chat: Chat::default(),
            deadline: None,
            time: None,
            house: HouseRules {
                failing_bots: FailingBots::Wait,
                race_bots: RaceBots::MoveForMove,
                waiting_stops_clocks: true,
                ..HouseRules::default()
            },
            new_name: Box::new(String::new),
        };
        let (table, effects) = Table::open(opening, now_by(&*clock));
        let wake = Duration::ZERO;
        let mut driver = Self { table, own, bots, clock, wake, told, has_told_failure: false };
        driver.perform(effects);
        driver.handle(Command::Join { follower: FOLLOWER, id: String::new(), since: Some(stored as u64) });
        Ok(driver)
    }

    /// The match.
    pub fn game(&self) -> &Match {
        self.table.game()
    }

    /// The index of the board that people at this terminal play on, or that is watched.
    pub fn own(&self) -> usize {
        self.own
    }

    /// That board.
    pub fn board(&self) -> &Board {
        &self.game().boards()[self.own]
    }

    /// The indexes of all other boards, which only a race has.
    pub fn rivals(&self) -> impl Iterator<Item = usize> + use<> {
        let own = self.own;
        (0..self.game().boards().len()).filter(move |board| *board != own)
    }

    /// Whether the games on all boards are over, by the rules or otherwise.
    pub fn is_over(&self) -> bool {
        self.game().is_over()
    }

    /// The person to move, if one is.
    pub fn person_to_move(&self) -> Option<Player> {
        self.board().due_person()
    }

    /// Whether any seat is a person's.
    pub fn has_people(&self) -> bool {
        self.board().seats().iter().any(Seat::is_person)
    }

    /// The present moment of the match.
    pub fn now(&self) -> Millis {
        self.table.time(now_by(&*self.clock))
    }

    /// What is left on a player's clock; `None` without one.
    pub fn time_left(&self, seat: Player) -> Option<Duration> {
        self.board().time_left(seat, self.now()).map(Duration::from)
    }

    /// How long the player to move has been thinking.
    pub fn thinking_time(&self) -> Duration {
        self.board().thinking_time(self.now()).into()
    }

    /// What the bot that thinks on the own board knows so far, or has thought of its last move.
    pub fn live(&self) -> Option<&Thought<String>> {
        self.bots[self.own].live.as_ref()
    }

    /// The record from which the match can be resumed.
    pub fn record(&self) -> Record {
        Record { date: Some(date_text(SystemTime::now())), ..Record::of(self.game()) }
    }

    /// The least time from one move of a bot to the next.
    pub fn pace(&self) -> Duration {
        Duration::from_millis(self.table.settings().pace.into())
    }

    /// Sets the least time from one move of a bot to the next.
    pub fn set_pace(&mut self, pace: Duration) {
        self.set(Setting::Pace(u32::try_from(pace.as_millis()).unwrap_or(u32::MAX)));
    }

    /// Whether bots wait.
    pub fn is_paused(&self) -> bool {
        self.table.settings().paused
    }

    /// Pauses the bots, or lets them go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.set(Setting::Paused(paused));
    }

    /// Lets a bot make one move, then pauses all of them.
    pub fn step(&mut self) {
        self.set(Setting::Step);
    }

    /// Makes the bots that are thinking answer at once.
    pub fn hurry(&mut self) {
        for bots in &self.bots {
            bots.hurry();
        }
    }

    /// Has the bots of a race play to the end of their games as fast as they can.
    pub fn skip(&mut self) {
        self.set(Setting::Skip);
    }

    /// Whether nobody waits to see the moves of bots: those of a race that goes on without the person.
    pub fn is_hurried(&self) -> bool {
        let is_left_alone = self.pace().is_zero() && self.board().end().is_some();
        self.game().is_race() && (self.table.is_skipping() || is_left_alone)
    }

    /// Whether a bot is to move on some board and does so by itself.
    pub fn awaits_bot(&self) -> bool {
        (0..self.bots.len()).any(|board| self.table.bot_to_move(board).is_some())
    }

    fn set(&mut self, setting: Setting) {
        let effects = self.table.set(setting, now_by(&*self.clock));
        self.perform(effects);
    }

    fn handle(&mut self, command: Command) {
        let effects = self.table.handle(command, now_by(&*self.clock));
        self.perform(effects);
    }

    /// Does what the table wants to have done. What is to be told is seen on the screen, and games are kept by whoever shows them.
    fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::ReserveBots => {
                    let allowed = Command::BotsReserved(true);
                    waiting.extend(self.table.handle(allowed, now_by(&*self.clock)));
                }
                Effect::AskBot(question) => self.bots[question.board].take(*question),
                Effect::CancelBot(number) => self.bots.iter_mut().for_each(|bots| bots.cancel(number)),
                Effect::WakeAt(moment) => self.wake = moment,
                Effect::Store(_)
                | Effect::OpenTable(_)
                | Effect::Tell(..)
                | Effect::SeatTaken(_)
                | Effect::ReleaseBots => {}
            }
        }
    }

    /// What has happened that was not told yet, without letting anything more happen.
    pub fn untold(&mut self) -> Option<LogEvent> {
        self.told.next(self.table.game())
    }

    /// The game on a board as it stood after the event that was told last.
    pub fn told(&self, board: usize) -> Box<dyn Session> {
        self.told.session(self.table.game(), board)
    }

    /// Does what can be done now on any board, waiting for a bot no longer than `patience`.
    pub fn advance(&mut self, mut patience: Duration) -> Option<Happening> {
        if let Some(event) = self.untold() {
            return Some(Happening::Event(event));
        }
        if self.clock.now() >= self.wake {
            self.handle(Command::Tick);
        }
        for board in 0..self.bots.len() {
            let game = &self.table.game().boards()[board];
            if game.end().is_some() {
                self.bots[board].conclude(game);
            }
            // While the first bot is waited for, the others think as well.
            let patience =
                if self.bots[board].is_asked() { std::mem::take(&mut patience) } else { Duration::ZERO };
            let Some((number, news)) = self.bots[board].news(&self.clock, patience) else { continue };
            let is_thought = matches!(news, BotNews::Thought(_));
            self.handle(Command::BotNews { number, news });
            if is_thought {
                return Some(Happening::Thought);
            }
        }
        if let Some(event) = self.untold() {
            return Some(Happening::Event(event));
        }
        let has_failed = self.table.failure().is_some();
        if !std::mem::replace(&mut self.has_told_failure, has_failed) && has_failed {
            return Some(Happening::Failed);
        }
        if self.awaits_bot() {
            // Its move is held back by the pace.
            std::thread::sleep(self.wake.saturating_sub(self.clock.now()).min(patience));
        }
        None
    }

    /// Does something on the people's own board.
    ///
    /// # Errors
    /// If that is impossible; nothing has changed then.
    pub fn act(&mut self, action: Action) -> Result<(), Refusal> {
        self.act_on(self.own, action)
    }

    fn act_on(&mut self, board: usize, action: Action) -> Result<(), Refusal> {
        let replaced = match &action {
            Action::ReplaceSeat(seat, _) => Some(*seat),
            _ => None,
        };
        let effects = self.table.apply(board, action, now_by(&*self.clock))?;
        if let Some(seat) = replaced {
            self.bots[board].dismiss(seat);
        }
        self.perform(effects);
        Ok(())
    }

    /// Plays a person's move.
    ///
    /// # Errors
    /// If it is not a person's turn, or the move is not legal; nothing has changed then.
    pub fn request(&mut self, request: MoveRequest) -> Result<(), Refusal> {
        let seat = self.mover()?;
        self.act(Action::Move(Move::requested(seat, request)))
    }

    /// Plays a person's move as records have it.
    ///
    /// # Errors
    /// As [`MatchDriver::request`].
    pub fn play(&mut self, token: &str) -> Result<(), Refusal> {
        self.request(MoveRequest::Token(token.to_owned()))
    }

    /// Plays a person's move as people type it.
    ///
    /// # Errors
    /// As [`MatchDriver::request`].
    pub fn play_typed(&mut self, text: &str) -> Result<(), Refusal> {
        self.request(MoveRequest::Typed(text.to_owned()))
    }

    /// The person who is to move, or why nobody can.
    fn mover(&self) -> Result<Player, Refusal> {
        let is_over = self.board().end().is_some();
        self.person_to_move().ok_or(if is_over { Refusal::Over } else { Refusal::NotYourTurn })
    }

    /// Whether the person to move can only pass, and is given time to notice it.
    pub fn awaits_pass(&self) -> bool {
        self.board().forced_pass().is_some()
    }

    /// Passes at once for the person who can only pass; `false` if there is none.
    pub fn pass(&mut self) -> bool {
        let pass = self.board().forced_pass();
        pass.is_some_and(|pass| self.act(Action::Move(pass)).is_ok())
    }

    /// Takes plies back until a person has a choice again, or, where only bots play, the last one.
    ///
    /// # Errors
    /// If there is no such moment.
    pub fn take_back(&mut self) -> Result<(), Refusal> {
        self.act(Action::RequestTakeBack(regretful(self.board()), TakeBackTo::Choice))
    }

    /// The bot that has failed, if one has.
    pub fn failure(&self) -> Option<Failure<'_>> {
        self.table.failure().map(|(board, seat, reason)| Failure { board, seat, reason })
    }

    /// Rebuilds the bots that failed.
    pub fn retry(&mut self) {
        while let Some((board, seat, _)) = self.table.failure() {
            self.bots[board].renew(seat);
            let effects = self.table.retry_bot(board, now_by(&*self.clock));
            self.perform(effects);
        }
    }

    /// Puts a person on the seat of a bot, one that failed for example.
    ///
    /// # Errors
    /// If the game is over.
    pub fn take_over(&mut self, seat: Player, person: &str) -> Result<(), Refusal> {
        self.act(Action::ReplaceSeat(seat, Seat::person(person)))
    }

    /// Changes the players; the game continues where it stands, and later games keep them.
    ///
    /// # Errors
    /// If one of the bots does not exist, or the game is over; nothing has changed then.
    pub fn reseat(&mut self, seats: Vec<Seat>) -> Result<(), DriveError> {
        for (index, seat) in seats.iter().enumerate() {
            if let Occupant::Bot(spec) = &seat.occupant {
                self.game().rules().bot(spec, self.board().bot_seed(Player(index as u8)))?;
            }
        }
        let seats = (0..).map(Player).zip(seats);
        let changed: Vec<_> =
            seats.filter(|(player, seat)| self.board().seats()[player.index()] != *seat).collect();
        for (player, seat) in changed {
            self.act(Action::ReplaceSeat(player, seat)).map_err(DriveError::Refused)?;
        }
        Ok(())
    }

    /// The same match from its beginning, with the same players and other luck.
    pub fn again(&self, seed: u64) -> NewGame {
        let boards = self.game().boards().iter().map(setup_again).collect();
        let setup = MatchSetup { boards, order: self.game().order(), goal: self.game().goal() };
        NewGame { rules: Arc::clone(self.game().rules()), setup, seed }
    }

    /// Starts again with the same players and other luck, at the same pace.
    ///
    /// # Errors
    /// If a bot cannot be started again; the match is as it was then.
    pub fn restart(&mut self, seed: u64) -> Result<(), DriveError> {
        let pace = self.pace();
        *self = Self::start_by(self.again(seed), Arc::clone(&self.clock))?;
        self.set_pace(pace);
        Ok(())
    }
}

/// The present moment, by `clock` and by the calendar.
fn now_by(clock: &dyn Clock) -> Now {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Now { monotonic: clock.now(), seconds }
}

/// What another game with the players of `board` begins with. Where somebody has left the game and a bot
/// plays on, the one who left sits again.
fn setup_again(board: &Board) -> Setup {
    let first = board.setup().seats;
    let seat = |index: usize| {
        let has_left = board.has_forfeited(Player(index as u8));
        let seats = if has_left { &first } else { board.seats() };
        seats[index].clone()
    };
    Setup {
        position: Some(board.session().start_position()),
        seats: (0..board.seats().len()).map(seat).collect(),
        policy: board.policy().clone(),
        ..Setup::default()
    }
}

/// Who asks for moves to be taken back: the person who has just resigned, or any other one.
fn regretful(board: &Board) -> Player {
    let is_person = |seat: &Player| board.seats()[seat.index()].is_person();
    let moved_since = |ply: usize| {
        let mut movers = board.plies().skip(ply).map(|note| note.mover);
        movers.any(|mover| matches!(mover, Turn::Player(seat) if is_person(&seat)))
    };
    let resigned = board.forfeits().filter(|forfeit| forfeit.reason == Fault::Resigned).last();
    let resigned = resigned.filter(|forfeit| !moved_since(forfeit.ply)).map(|forfeit| forfeit.seat);
    let mut seats = (0..board.seats().len() as u8).map(Player);
    resigned.or_else(|| seats.find(is_person)).unwrap_or(Player(0))
}
