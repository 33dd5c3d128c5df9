//! The driver of the table: it performs effects as the server does, and has everything go wrong that can.

use std::collections::VecDeque;
use std::time::Duration;

use agon_protocol::web::ServerMessage;
use agon_table::{Command, ConnectionId, Effect, Now, Purpose, StoreFailure, Table};

use crate::bots::Bots;
use crate::checks;
use crate::clients::Clients;
use crate::dice::Dice;
use crate::model::Model;
use crate::scenario::{Scenario, Troubles, VISITORS, visitor};
use crate::store::Store;
use crate::summary::Summary;

/// More ticks or questions than this at one moment lead nowhere.
const AT_ONE_MOMENT: usize = 40;

/// How long a table is kept after the last follower has left it, as the server does.
const KEEP: Duration = Duration::from_secs(120);

/// A table, its surroundings, and what is expected of it.
pub(crate) struct World {
    pub(crate) dice: Dice,
    pub(crate) troubles: Troubles,
    pub(crate) seed: u64,
    pub(crate) store: Store,
    /// `None` while it is not in memory.
    pub(crate) table: Option<Table>,
    pub(crate) bots: Bots,
    pub(crate) clients: Clients,
    pub(crate) model: Model,
    pub(crate) summary: Summary,
    /// The time, and when the table's clock showed zero.
    pub(crate) clock: Duration,
    epoch: Duration,
    /// How far the date has been set forward.
    pub(crate) date_shift: u64,
    /// When the table is to be woken.
    pub(crate) wake: Duration,
    /// Until when nothing can be stored.
    broken_until: Duration,
    /// Whether the next write fails whatever the dice say.
    pub(crate) fails_next: bool,
    /// Whether a write has failed since this was last reset.
    pub(crate) has_failed: bool,
    questions_now: (Duration, usize),
    trace: Option<Vec<String>>,
}

impl World {
    pub(crate) fn new(scenario: Scenario, dice: Dice, is_traced: bool) -> Self {
        let Scenario { name, game, settings, house, troubles, seed } = scenario;
        let now = Now { monotonic: Duration::ZERO, seconds: START };
        let store = Store::new(&game, &settings, visitor(0), house, now);
        let mut world = Self {
            dice,
            troubles,
            seed,
            store,
            table: None,
            bots: Bots::default(),
            clients: Clients::default(),
            model: Model::default(),
            summary: Summary::default(),
            clock: Duration::ZERO,
            epoch: Duration::ZERO,
            date_shift: 0,
            wake: Duration::ZERO,
            broken_until: Duration::ZERO,
            fails_next: false,
            has_failed: false,
            questions_now: (Duration::ZERO, 0),
            trace: is_traced.then(Vec::new),
        };
        world.note(|| name);
        world
    }

    /// Notes what happens, if somebody wants to know.
    pub(crate) fn note(&mut self, line: impl FnOnce() -> String) {
        if self.trace.is_some() {
            crate::note(format!("{:>9} ms  {}", self.clock.as_millis(), line()));
        }
    }

    pub(crate) fn now(&self) -> Now {
        let seconds = START + self.clock.as_secs() + self.date_shift;
        Now { monotonic: self.clock - self.epoch, seconds }
    }

    pub(crate) fn table(&self) -> &Table {
        self.table.as_ref().expect("the table is in memory")
    }

    /// Has the table in memory, fetched from the store if need be.
    pub(crate) fn open(&mut self) {
        while self.table.is_none() {
            self.note(|| "open".to_owned());
            self.epoch = self.clock.saturating_sub(Duration::from_millis(self.dice.below(2) as u64 * 1000));
            let now = self.now();
            let (table, effects) = Table::open(self.store.opening(), now);
            self.model.open(&table, self.clock);
            self.table = Some(table);
            self.perform(effects);
        }
    }

    /// Has the table do something, fetched from the store if need be; `false` if the driver has crashed.
    pub(crate) fn command(&mut self, command: Command) -> bool {
        self.open();
        self.note(|| brief(&command));
        self.summary.commands += 1;
        let now = self.now();
        let known = self.table().game().event_count();
        let is_tick = matches!(command, Command::Tick);
        // A game that all have abandoned, or whose bots fail again and again, ends without anybody's choice.
        let may_end = matches!(command, Command::Overdue(_) | Command::BotNews { .. });
        let comes_or_goes = matches!(command, Command::Join { .. } | Command::Begin(_) | Command::Leave(_));
        if comes_or_goes || (is_tick && self.clock >= self.model.rests_until) {
            self.note_presence();
        }
        let effects = self.table.as_mut().expect("open").handle(command, now);
        self.perform(effects);
        if let Some(table) = self.table.as_ref().filter(|_| !may_end) {
            self.model.check_choices(table, known);
        }
        self.settle(known, is_tick)
    }

    /// Has the model notice who is there.
    pub(crate) fn note_presence(&mut self) {
        let table = self.table.as_ref().expect("open");
        self.model.note_presence(table, &self.clients, self.clock);
    }

    /// Has the driver do something with the table that no command is for.
    pub(crate) fn drive(&mut self, what: &str, act: impl FnOnce(&mut Table, Now) -> Vec<Effect>) -> bool {
        self.open();
        self.note(|| what.to_owned());
        self.summary.commands += 1;
        let now = self.now();
        let known = self.table().game().event_count();
        let effects = act(self.table.as_mut().expect("open"), now);
        self.perform(effects);
        self.settle(known, false)
    }

    fn settle(&mut self, known: usize, is_tick: bool) -> bool {
        let Some(table) = &self.table else { return false };
        self.model.note_bot_moves(table, known);
        if self.model.seat_taken == Some(true) {
            self.note_presence();
        }
        checks::at_rest(self, is_tick);
        true
    }

    /// Performs effects in their order. If something cannot be stored, the rest is dropped.
    fn perform(&mut self, effects: Vec<Effect>) {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            if self.dice.below(1000) < self.troubles.crash {
                return self.crash();
            }
            match effect {
                Effect::Store(write) => {
                    let done = if self.is_store_broken() {
                        Err(StoreFailure::Unavailable)
                    } else {
                        self.store.write(*write)
                    };
                    if let Err(failure) = done {
                        waiting = self.fail(failure);
                    }
                }
                Effect::OpenTable(start) => {
                    if self.is_store_broken() {
                        waiting = self.fail(StoreFailure::Unavailable);
                    } else {
                        assert!(self.store.opened.insert(start.id.clone()), "a name is used twice");
                        start.game(1).expect("the next game can be played");
                    }
                }
                Effect::Tell(to, message) => self.tell(&to, &message),
                Effect::SeatTaken(done) => {
                    let taken = self.model.seat_taken.replace(done.is_ok());
                    assert_eq!(taken, None, "who takes a seat is answered twice");
                }
                Effect::ReserveBots => {
                    assert!(!self.bots.may_think, "bots are allowed to think twice");
                    let may_think = !self.dice.percent(self.troubles.permission);
                    self.bots.may_think = may_think;
                    self.model.asked_permission = Some(self.clock);
                    self.note(|| format!("  bots may think: {may_think}"));
                    let now = self.now();
                    let table = self.table.as_mut().expect("open");
                    waiting.extend(table.handle(Command::BotsReserved(may_think), now));
                }
                Effect::ReleaseBots => {
                    assert!(self.bots.may_think, "bots are forbidden to think that never were allowed to");
                    self.bots.may_think = false;
                    self.model.asked_permission = None;
                }
                Effect::AskBot(question) => {
                    self.note(|| format!("  ask bot {}: board {}", question.number, question.board));
                    checks::question(self, &question);
                    if self.questions_now.0 != self.clock {
                        self.questions_now = (self.clock, 0);
                    }
                    self.questions_now.1 += 1;
                    let limit = AT_ONE_MOMENT * 4;
                    assert!(self.questions_now.1 < limit, "bots are asked again and again at one moment");
                    self.bots.ask(&question, self.troubles, self.clock, &mut self.dice);
                }
                Effect::CancelBot(number) => {
                    self.note(|| format!("  cancel {number}"));
                    self.bots.cancel(number, &mut self.dice);
                }
                Effect::WakeAt(moment) => self.wake = self.epoch + moment,
            }
        }
    }

    fn is_store_broken(&mut self) -> bool {
        let breaks = std::mem::take(&mut self.fails_next) || self.dice.percent(self.troubles.store);
        if breaks && self.dice.percent(30) {
            self.broken_until = self.clock + Duration::from_millis(self.dice.below(5000) as u64);
        }
        breaks || self.clock < self.broken_until
    }

    fn fail(&mut self, failure: StoreFailure) -> VecDeque<Effect> {
        self.note(|| format!("  the store fails: {failure:?}"));
        self.summary.store_failures += 1;
        self.has_failed = true;
        self.model.store_failed(self.clock);
        let now = self.now();
        self.table.as_mut().expect("open").store_failed(failure, now).into()
    }

    fn tell(&mut self, to: &[ConnectionId], message: &ServerMessage) {
        checks::message(self, to, message);
        for connection in to {
            self.clients.deliver(*connection, message, self.clock);
        }
        if let ServerMessage::Ack { id, .. } = message {
            self.model.acknowledged(id);
        }
    }

    /// The driver forgets everything in the middle of what it does.
    pub(crate) fn crash(&mut self) {
        self.note(|| "  crash".to_owned());
        self.summary.crashes += 1;
        self.forget();
    }

    fn forget(&mut self) {
        self.table = None;
        self.bots = Bots::default();
        self.clients.leave_all();
        self.clients.forget_unstored(&self.store);
        self.clients.answers.clear();
        self.model.forget();
        checks::nothing_is_lost(self);
    }

    /// Has the table forgotten if nobody would miss it, as the server does after every command.
    pub(crate) fn forget_idle(&mut self) {
        let rest = self.table.as_ref().and_then(|table| table.rest(self.now()));
        if rest.is_some_and(|rest| rest.left_for >= KEEP && rest.clock.is_none()) {
            self.note(|| "forget".to_owned());
            assert!(self.clients.here.is_empty(), "somebody follows the table");
            let has_hints = self.bots.open.values().any(|asked| asked.purpose == Purpose::Hint);
            assert!(!has_hints, "somebody waits for a hint");
            self.summary.forgotten += 1;
            self.forget();
        }
    }

    /// Lets time pass until `until`, and has everything happen that is due by then.
    pub(crate) fn pass_time(&mut self, until: Duration, is_late: bool) {
        loop {
            let next = [Some(self.wake), self.bots.next()];
            let next = next.into_iter().flatten().filter(|_| self.table.is_some()).min();
            let Some(next) = next.filter(|next| *next <= until) else { break };
            if !is_late {
                self.clock = self.clock.max(next);
            } else {
                self.clock = until;
            }
            self.catch_up();
        }
        self.clock = self.clock.max(until);
    }

    /// Has everything happen that is due now.
    pub(crate) fn catch_up(&mut self) {
        for round in 0.. {
            assert!(round < AT_ONE_MOMENT * 8, "what is due at one moment never ends");
            if let Some((number, news, is_wanted)) = self.bots.hear(self.clock) {
                let known = self.store.events.len();
                if !self.command(Command::BotNews { number, news }) {
                    return;
                }
                assert!(
                    is_wanted || self.store.events.len() == known,
                    "an answer counts that was not wanted"
                );
            } else if self.table.is_some() && self.wake <= self.clock {
                self.tick();
            } else {
                return;
            }
        }
    }

    /// Wakes the table until it does not want to be woken any more now.
    fn tick(&mut self) {
        for _ in 0..AT_ONE_MOMENT {
            if !self.command(Command::Tick) || self.wake > self.clock {
                return;
            }
        }
        panic!("the table wants to be woken again and again at one moment");
    }
}

/// A command in a line: visitors by their numbers.
fn brief(command: &Command) -> String {
    let mut text = format!("{command:?}");
    for index in 0..VISITORS {
        text = text.replace(&format!("{:?}", visitor(index)), &format!("visitor {index}"));
    }
    text
}

/// When a run begins, in seconds since 1970.
const START: u64 = 1_790_000_000;
