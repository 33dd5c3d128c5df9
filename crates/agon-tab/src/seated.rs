//! A table in memory, and what it waits for.

use std::collections::VecDeque;

use agon_match::Occupant;
use agon_requests::thinking::needs_weights;
use agon_table::limits::BotLimits;
use agon_table::view::stored_text;
use agon_table::view::summary::{TableHeader, TableStatus};
use agon_table::{
    BotNews, BotQuestion, Command, Effect, NewEvent, Now, Purpose, StoreFailure, Table, Write as TableWrite,
};

use crate::tab::{Around, OWNER, Origin};
use crate::wire::{Game, MoveQuestion, Outgoing, Question, Row, StoredEvent, Write};

/// What is asked of a table, one after the other.
#[derive(Debug)]
pub(crate) enum Work {
    /// What a table understands by itself.
    Command(Command),
    /// A request of a page.
    Request(u64, Asking),
}

/// What is asked of a table by requests.
#[derive(Debug)]
pub(crate) enum Asking {
    /// How it stands.
    State,
    /// Its record.
    Record,
    /// Some of its plies.
    Plies(usize, agon_table::view::changes::PlyRange),
    /// A look back at a board, from a ply on.
    Review(usize, usize),
    /// To be forgotten.
    Delete,
}

/// A table in memory.
pub(crate) struct Seated {
    pub(crate) table: Table,
    created: u64,
    /// What is still to be done of what the table wants.
    effects: VecDeque<Effect>,
    /// What has been asked of it meanwhile.
    work: VecDeque<Work>,
    /// What is being stored. Until it is, nothing behind it is done, and nothing else is asked of the table.
    pub(crate) storing: Option<u64>,
    /// When it is to be woken.
    pub(crate) wake: Option<std::time::Duration>,
    /// How many connections follow it.
    pub(crate) followers: usize,
}

impl Seated {
    pub(crate) fn new(table: Table, created: u64, effects: Vec<Effect>) -> Self {
        Self {
            table,
            created,
            effects: effects.into(),
            work: VecDeque::new(),
            storing: None,
            wake: None,
            followers: 0,
        }
    }

    /// Has it do something once everything before that is done.
    pub(crate) fn ask(&mut self, work: Work) {
        self.work.push_back(work);
    }

    /// Whether it can leave memory without anybody missing it.
    pub(crate) fn is_idle(&self, now: Now) -> bool {
        let is_quiet = self.storing.is_none() && self.effects.is_empty() && self.work.is_empty();
        is_quiet && self.followers == 0 && self.table.rest(now).is_some()
    }

    /// Notes that what was to be stored is, or is not.
    pub(crate) fn note_stored(&mut self, done: Result<(), StoreFailure>, now: Now) {
        self.storing = None;
        if let Err(failure) = done {
            self.effects = self.table.store_failed(failure, now).into();
        }
    }

    /// Does what can be done now. Gives the next request of a page where one is due, which the caller answers before it goes on.
    pub(crate) fn advance(&mut self, around: &mut Around, now: Now) -> Option<(u64, Asking)> {
        loop {
            self.perform(around, now);
            if self.storing.is_some() {
                return None;
            }
            match self.work.pop_front()? {
                Work::Command(command) => self.effects.extend(self.table.handle(command, now)),
                Work::Request(request, asking) => return Some((request, asking)),
            }
        }
    }

    /// Does what the table wants, up to something that has to be stored first.
    fn perform(&mut self, around: &mut Around, now: Now) {
        while self.storing.is_none() {
            let Some(effect) = self.effects.pop_front() else { return };
            match effect {
                Effect::Store(write) => {
                    let number = around.number();
                    let write = self.write(*write, now);
                    around.stores.insert(number, self.table.id().clone());
                    around.out.push(Outgoing::Store { number, write: Box::new(write) });
                    self.storing = Some(number);
                }
                Effect::Tell(to, message) => around.tell(to, &message),
                Effect::ReserveBots => {
                    self.effects.extend(self.table.handle(Command::BotsReserved(true), now));
                }
                Effect::AskBot(question) => self.ask_bot(*question, around),
                Effect::CancelBot(number) => around.cancel(self.table.id(), number),
                Effect::WakeAt(moment) => self.wake = Some(moment),
                // Only tables of people at several browsers open others.
                Effect::OpenTable(_) => {
                    self.effects = self.table.store_failed(StoreFailure::Unavailable, now).into();
                }
                Effect::SeatTaken(_) | Effect::ReleaseBots => {}
            }
        }
    }

    fn write(&self, write: TableWrite, now: Now) -> Write {
        let game = self.table.game();
        let known = write.events.as_ref().map_or(self.table.stored() as u64, |append| append.known);
        let ends = write.events.as_ref().is_some_and(|append| append.ends);
        let events = write.events.map(|append| append.events).unwrap_or_default();
        Write::Append {
            table: self.table.id().clone(),
            row: Box::new(Row {
                id: self.table.id().clone(),
                game: game.rules().spec().id.to_owned(),
                created: self.created,
                updated: now.seconds,
                over: game.is_over(),
                head: stored_text(&TableHeader::of(game, None)),
                status: stored_text(&TableStatus::of(game)),
                summary: self.table.summary(OWNER, now),
            }),
            known,
            events: events.into_iter().map(StoredEvent::from).collect(),
            settings: stored_text(self.table.settings()),
            ends,
        }
    }

    /// Hands a question of the table on to the engine.
    fn ask_bot(&self, question: BotQuestion, around: &mut Around) {
        let BotQuestion { number, purpose, board, seat, occupant, rules, session, limits, seed } = question;
        let is_hint = purpose == Purpose::Hint;
        let bots: &BotLimits = &around.house.bots;
        let time = match &occupant {
            Occupant::Bot(spec) if !is_hint => bots.time(&*rules, spec, limits.time),
            _ => limits.time.unwrap_or(bots.time),
        };
        let occupant = bots.fitted(&*rules, occupant);
        let table = self.table.id().clone();
        let question = Question::Move(Box::new(MoveQuestion {
            seat: format!("{table} {board} {} {is_hint}", seat.index()),
            game: Game {
                game: rules.spec().id.to_owned(),
                options: rules.options(),
                position: Some(session.start_position()),
                moves: session.history(),
            },
            bot: occupant.to_string(),
            millis: Some(time.as_millis() as u64),
            limits: None,
            seed: seed.to_string(),
            is_hint,
        }));
        around.ask(Origin::Bot { table, number }, needs_weights(&*rules, &occupant), question);
    }

    /// Notes what a bot says.
    pub(crate) fn hear_bot(&mut self, number: u64, news: BotNews) {
        self.ask(Work::Command(Command::BotNews { number, news }));
    }
}

impl From<NewEvent> for StoredEvent {
    fn from(event: NewEvent) -> Self {
        let NewEvent { schema, message, body } = event;
        Self { schema, message, body }
    }
}
