//! The table itself: what it consists of, how commands reach its parts, and how what they change is stored or undone.

use std::time::Duration;

use agon_core::Player;
use agon_core::text::date_text;
use agon_match::{Action, Event, LogEvent, Match, Millis, Refusal, SCHEMA};
use agon_messages::Refused;
use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage};

use crate::actions::{Setting, TableAction};
use crate::bots::Bots;
use crate::chat::Chat;
use crate::command::Command;
use crate::done::DoneMessages;
use crate::effect::{Append, Change, Effect, Effects, NewEvent, NewLine, StoreFailure, Write};
use crate::followers::{Followers, Told};
use crate::hints::Hints;
use crate::online::Start;
use crate::presence::{Attendance, Presences};
use crate::settings::{HouseRules, TableSettings};
use crate::time::{Now, TimeLine};
use crate::view::stored_text;
use crate::view::summary::{TableHeader, TableStatus};
use crate::{ConnectionId, TableId, VisitorId, scoped};

/// How long nothing is done of its own accord after something could not be stored: whatever is wrong, trying again at once would not
/// help.
const REST: Duration = Duration::from_secs(1);

/// What a table is opened with.
pub struct Opening {
    /// Its name.
    pub id: TableId,
    /// Who has opened it.
    pub owner: VisitorId,
    /// When, in seconds since 1970.
    pub created: u64,
    /// What is played.
    pub game: Match,
    /// What has been set.
    pub settings: TableSettings,
    /// The names that followers gave to what led to events, and the number of the last event of each.
    pub messages: Vec<(String, u64)>,
    /// How many of the events are stored.
    pub stored: usize,
    /// What has been said.
    pub chat: Chat,
    /// When it is to be looked after, in seconds since 1970.
    pub deadline: Option<u64>,
    /// The present moment of the match, if its clocks went on running while the table was not in memory. Otherwise they have stood since
    /// the last event.
    pub time: Option<Millis>,
    /// What the driver decides.
    pub house: HouseRules,
    /// Makes names that nobody can guess.
    pub new_name: Box<dyn FnMut() -> String + Send>,
}

/// A table that can leave memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRest {
    /// How long ago the last follower left.
    pub left_for: Duration,
    /// The clock that still runs, if one does.
    pub clock: Option<RunningClock>,
}

/// A clock that runs although nobody follows the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningClock {
    /// How long until it has run out.
    pub wakes_in: Duration,
    /// The present moment of the match.
    pub time: Millis,
}

/// A match, those who follow it, and what they are told.
pub struct Table {
    pub(crate) id: TableId,
    pub(crate) owner: VisitorId,
    pub(crate) created: String,
    pub(crate) house: HouseRules,
    pub(crate) new_name: Box<dyn FnMut() -> String + Send>,
    pub(crate) game: Match,
    pub(crate) settings: TableSettings,
    pub(crate) chat: Chat,
    pub(crate) journal: Journal,
    pub(crate) followers: Followers,
    pub(crate) live: Live,
    /// How to take back what the last command has changed, should it turn out that it cannot be stored.
    undo: Option<Undo>,
}

/// What is known of the stored events.
pub(crate) struct Journal {
    /// How many there are.
    stored: usize,
    /// What followers have asked for.
    done: DoneMessages,
    /// When the table is to be looked after although nobody may follow it, in seconds since 1970.
    pub(crate) deadline: Option<u64>,
}

/// What is not stored, and is as it was if a command turns out not to be possible.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) bots: Bots,
    pub(crate) hints: Hints,
    pub(crate) presences: Presences,
    pub(crate) told: Told,
    pub(crate) time: TimeLine,
    /// How many clocks stood because of an interruption when they were looked at last.
    pub(crate) standing: usize,
    /// Until when nothing is done of its own accord.
    rests_until: Option<Duration>,
}

/// Who waits for the answer to a command.
pub(crate) enum Asker {
    /// A follower who has sent this message.
    Message(ConnectionId, String),
    /// Somebody who takes a seat.
    SeatTaker,
}

/// A change that is being made, all of which is stored together.
pub(crate) struct Transaction {
    /// Where among the effects it is stored: everything behind that depends on it.
    slot: usize,
    undo: Undo,
    /// How many events there were.
    pub(crate) events: usize,
    /// A change of the settings to be stored.
    pub(crate) change: Option<Change>,
    /// A line of chat to be stored.
    pub(crate) line: Option<NewLine>,
    /// A table that is opened before.
    pub(crate) opens: Option<Box<Start>>,
    /// Whether followers are to hear of how the bots play.
    pub(crate) tells_settings: bool,
}

/// How things were before a change.
struct Undo {
    stored: usize,
    deadline: Option<u64>,
    live: Live,
    settings: Option<TableSettings>,
    chat: Option<Chat>,
    /// How many messages had been done.
    done: u64,
    asker: Option<Asker>,
}

impl Transaction {
    /// Names who waits for the answer.
    pub(crate) fn asked_by(mut self, asker: Asker) -> Self {
        self.undo.asker = Some(asker);
        self
    }
}

impl Table {
    /// Opens a table, and says what is to be done first.
    pub fn open(opening: Opening, now: Now) -> (Self, Vec<Effect>) {
        let Opening {
            id,
            owner,
            created,
            mut game,
            settings,
            messages,
            stored,
            chat,
            deadline,
            time,
            house,
            new_name,
        } = opening;
        let seats = settings.online.as_ref().map_or(0, |online| online.players.len());
        let rests = seats > 0 && time.is_none() && (game.has_clock() || game.deadline().is_some());
        game.shrink();
        let mut done = DoneMessages::default();
        for (message, seq) in messages {
            // Messages that were stored before others than the owner could send any are the owner's.
            done.insert(if message.contains(' ') { message } else { scoped(&owner, &message) }, seq);
        }
        let live = Live {
            bots: Bots::new(),
            hints: Hints::default(),
            presences: Presences::new(seats, rests),
            told: Told::up_to(game.event_count() as u64),
            time: TimeLine::new(now, time.unwrap_or_else(|| game.last_time())),
            standing: 0,
            rests_until: None,
        };
        let mut table = Self {
            id,
            owner,
            created: date_text(created),
            house,
            new_name,
            settings,
            chat,
            journal: Journal { stored, done, deadline },
            followers: Followers::new(now),
            live,
            undo: None,
            game,
        };
        let mut out = Effects::default();
        // A match that was cut short has made up for what followed from its last action.
        let change = table.begin(&out);
        table.commit(change, None, now, &mut out);
        table.settle(now, &mut out);
        (table, out.into_vec())
    }

    /// What is played.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// Its name.
    pub fn id(&self) -> &TableId {
        &self.id
    }

    /// Who has opened it.
    pub fn owner(&self) -> VisitorId {
        self.owner
    }

    /// What has been set.
    pub fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// How many of the match's events are stored, provided that the last effects were performed.
    pub fn stored(&self) -> usize {
        self.journal.stored
    }

    /// The present moment of the match: clocks stand while the table rests.
    pub fn time(&self, now: Now) -> Millis {
        if self.live.presences.rests() { self.game.last_time() } else { self.live.time.at(now) }
    }

    /// Whether people at different browsers play.
    pub fn is_shared(&self) -> bool {
        self.settings.online.as_ref().is_some_and(|online| online.browsers() > 1)
    }

    /// How the table can leave memory: nobody follows it, and nothing but a clock is waited for. It is fetched again when somebody
    /// wants to see it, or when the clock has run out. `None` if it has to stay.
    pub fn rest(&self, now: Now) -> Option<TableRest> {
        if !self.followers.is_empty() || self.rests_until(now).is_some() {
            return None;
        }
        let presences = &self.live.presences;
        if presences.has_returning()
            || self.attendance(now).is_some_and(|attendance| presences.wait(attendance).is_some())
        {
            return None;
        }
        let time = self.time(now);
        let due = self.due().map(|(_, due)| due.minus(time));
        Some(TableRest {
            left_for: self.followers.left_for(now),
            clock: due.map(|due| RunningClock { wakes_in: due.into(), time }),
        })
    }

    /// Whether time counts here for those who play, so that connections are to be looked after closely.
    pub fn is_timed(&self) -> bool {
        self.game.has_clock() && !self.game.is_over()
    }

    /// Does what a command says, and gives the effects of that in their order.
    pub fn handle(&mut self, command: Command, now: Now) -> Vec<Effect> {
        // What was done before has been stored.
        self.undo = None;
        let mut out = Effects::default();
        self.obey(command, now, &mut out);
        self.settle(now, &mut out);
        out.into_vec()
    }

    /// Takes back what the last command has changed, because it could not be stored. The effects behind it must not be performed;
    /// those that are returned are to be performed instead.
    pub fn store_failed(&mut self, failure: StoreFailure, now: Now) -> Vec<Effect> {
        let mut out = Effects::default();
        if let Some(undo) = self.undo.take() {
            self.roll_back(undo, failure, &mut out);
            self.live.rests_until = Some(now.monotonic + REST);
        }
        self.tell_presence(now, &mut out);
        self.settle(now, &mut out);
        out.into_vec()
    }

    fn roll_back(&mut self, undo: Undo, failure: StoreFailure, out: &mut Effects) {
        let Undo { stored, deadline, live, settings, chat, done, asker } = undo;
        if self.game.event_count() > stored
            && let Ok(game) = self.game.rewound(stored)
        {
            self.game = game;
        }
        self.journal.stored = stored;
        self.journal.deadline = deadline;
        self.journal.done.truncate(done);
        self.live = live;
        self.settings = settings.unwrap_or_else(|| self.settings.clone());
        if let Some(chat) = chat {
            self.chat = chat;
        }
        let refused = match (failure, &asker) {
            (StoreFailure::Conflict, Some(Asker::SeatTaker)) => {
                Refused::plain(RefusalCode::Gone, "refused.key")
            }
            (StoreFailure::Refused(refused), _) => refused,
            _ => Refused::storage(),
        };
        match asker {
            Some(Asker::Message(to, id)) => out.answer(to, id, Err(refused)),
            Some(Asker::SeatTaker) => out.push(Effect::SeatTaken(Err(refused))),
            None => {}
        }
    }

    fn obey(&mut self, command: Command, now: Now, out: &mut Effects) {
        match command {
            Command::Join { follower, id, since } => self.join(follower, id, since, now, out),
            Command::Begin(followers) => self.begin_with(&followers, now, out),
            Command::Leave(connection) => {
                self.live.hints.leave(connection, out);
                if self.followers.remove(connection, now) {
                    self.tell_watchers(out);
                    self.note_presence(now, out);
                }
            }
            Command::Silent { connection, silent_for } => {
                if let Some(visitor) = self.followers.fall_silent(connection) {
                    self.note_presence(now, out);
                    self.interrupt(&visitor, silent_for, now, out);
                }
            }
            Command::Heard(connection) => {
                if let Some(visitor) = self.followers.hear(connection) {
                    self.hear_again(&visitor, now, out);
                }
            }
            Command::Move { from, id, attempt } => {
                self.perform(from, id, now, out, |table, by| table.requested_move(by, attempt, now));
            }
            Command::Act { from, id, action } if is_social(&action) => {
                self.socialise(from, id, action, now, out);
            }
            Command::Act { from, id, action } => {
                self.perform(from, id, now, out, |table, by| table.requested_action(by, action));
            }
            Command::Ask { from, id, board, question } => {
                if let Err(refused) = self.ask(from, &id, board, &question, out) {
                    out.answer(from, id, Err(refused));
                }
            }
            Command::BotsReserved(is_given) => self.live.bots.note_permission(is_given),
            Command::BotNews { number, news } => self.hear_bot(number, news, now, out),
            Command::TakeSeat { seat, visitor, key } => {
                if let Err(refused) = self.take_seat(seat, visitor, key, now, out) {
                    out.push(Effect::SeatTaken(Err(refused)));
                }
            }
            Command::Overdue(date) => self.look_after_overdue(date, now, out),
            Command::Tick => self.tick(now, out),
            Command::Stop => {
                let Refused { code, message, field } =
                    Refused::plain(RefusalCode::Stopping, "refused.stopping");
                self.tell_all(ServerMessage::Error { id: None, code, message, field }, out);
            }
        }
    }

    /// Does what a follower has asked for, unless it was done before, and answers.
    fn perform(
        &mut self,
        from: ConnectionId,
        id: String,
        now: Now,
        out: &mut Effects,
        request: impl FnOnce(&Self, &VisitorId) -> Result<TableAction, Refused>,
    ) {
        let Some(visitor) = self.followers.visitor(from) else { return };
        let message = scoped(&visitor, &id);
        if let Some(seq) = self.was_done(&message) {
            return out.answer(from, id, Ok(Some(seq)));
        }
        let requested = if self.is_player(&visitor) {
            request(self, &visitor)
        } else {
            Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"))
        };
        let mut change = self.begin(out).asked_by(Asker::Message(from, id.clone()));
        let (known, asker) = (change.events, self.asker());
        let done = requested.and_then(|action| self.make(action, &mut change, now, out));
        let done = done.map(|()| {
            let mut notices = self.refusals(known, asker);
            notices.extend(self.do_without_absent(now));
            self.finish(change, Some(&message), now, out);
            self.tell_notices(notices, now, out);
            Some(self.game.event_count() as u64)
        });
        out.answer(from, id, done);
    }

    /// The number of the last event of what was done under this name, if anything was.
    pub(crate) fn was_done(&self, message: &str) -> Option<u64> {
        self.journal.done.seq(message)
    }

    /// Remembers that something has been done under this name, provided that it can be stored.
    pub(crate) fn remember(&mut self, message: String) {
        self.journal.done.insert(message, self.game.event_count() as u64);
    }

    /// Begins a change, all of which will be stored at this point of the effects.
    pub(crate) fn begin(&self, out: &Effects) -> Transaction {
        Transaction {
            slot: out.len(),
            undo: Undo {
                stored: self.journal.stored,
                deadline: self.journal.deadline,
                live: self.live.clone(),
                settings: None,
                chat: None,
                done: self.journal.done.count(),
                asker: None,
            },
            events: self.game.event_count(),
            change: None,
            line: None,
            opens: None,
            tells_settings: false,
        }
    }

    /// Makes `settings` those of the table, as a part of a change.
    pub(crate) fn set_settings(&mut self, settings: TableSettings, change: &mut Transaction) {
        let stored = stored_text(&settings);
        let holders = |settings: &TableSettings| {
            settings.online.as_ref().map(|online| online.holders().collect::<Vec<_>>())
        };
        let held = holders(&settings).filter(|held| holders(&self.settings).as_ref() != Some(held));
        change.undo.settings = Some(std::mem::replace(&mut self.settings, settings));
        change.change = Some(Change { settings: stored, holders: held, key: None });
    }

    /// Makes `chat` what has been said, as a part of a change.
    pub(crate) fn set_chat(&mut self, chat: Chat, change: &mut Transaction) {
        change.undo.chat = Some(std::mem::replace(&mut self.chat, chat));
    }

    /// Has everything stored that a change consists of. `message` is what the follower calls it who has asked for it.
    pub(crate) fn commit(&mut self, change: Transaction, message: Option<&str>, now: Now, out: &mut Effects) {
        let Transaction { slot, undo, change, line, opens, .. } = change;
        let events = self.unstored(message, now);
        if let Some(append) = &events {
            self.journal.stored = self.game.event_count();
            self.journal.deadline = append.deadline;
        }
        if events.is_some() || change.is_some() || line.is_some() {
            let write = Write { table: self.id.clone(), change, events, line };
            out.insert(slot, Effect::Store(Box::new(write)));
            if let Some(start) = opens {
                out.insert(slot, Effect::OpenTable(start));
            }
            self.undo = Some(undo);
        }
        if let Some(message) = message {
            self.remember(message.to_owned());
        }
    }

    /// What has happened and is not stored yet; `None` if nothing has.
    fn unstored(&self, message: Option<&str>, now: Now) -> Option<Append> {
        let known = self.journal.stored;
        let events: Vec<LogEvent> = self.game.events(known).collect();
        let event = |(index, event): (usize, &LogEvent)| NewEvent {
            schema: SCHEMA,
            message: message.filter(|_| index == events.len() - 1).map(str::to_owned),
            body: stored_text(event),
        };
        let head = events.iter().any(|entry| entry.event.changes_seats());
        (!events.is_empty()).then(|| Append {
            known: known as u64,
            // The end of a game must survive a failure of power.
            ends: events.iter().any(|entry| matches!(entry.event, Event::Ended { .. })),
            events: events.iter().enumerate().map(event).collect(),
            head: head.then(|| stored_text(&self.header())),
            status: stored_text(&TableStatus::of(&self.game)),
            over: self.game.is_over(),
            deadline: self.next_deadline(now),
        })
    }

    /// When the table is to be looked after although nobody may follow it.
    fn next_deadline(&self, now: Now) -> Option<u64> {
        let online = self.settings.online.as_ref().filter(|_| !self.game.is_over())?;
        Some(online.deadline(&self.house, now))
    }

    pub(crate) fn header(&self) -> TableHeader {
        TableHeader::of(&self.game, self.settings.online.as_ref().map(|online| online.name.as_str()))
    }

    /// Whether nothing is done of its own accord, because something could not be stored a moment ago.
    pub(crate) fn rests_until(&self, now: Now) -> Option<Duration> {
        self.live.rests_until.filter(|until| now.monotonic < *until)
    }

    /// Whether a visitor holds a seat. Whoever has opened a game that is not played online holds all of them.
    pub(crate) fn holds(&self, visitor: &VisitorId, seat: usize) -> bool {
        match &self.settings.online {
            Some(online) => online.holds(visitor, seat),
            None => *visitor == self.owner,
        }
    }

    /// Whether a visitor holds any seat.
    pub(crate) fn is_player(&self, visitor: &VisitorId) -> bool {
        match &self.settings.online {
            Some(online) => online.holders().any(|(_, holder)| holder == *visitor),
            None => *visitor == self.owner,
        }
    }

    /// The game and who follows it, if it is played online.
    pub(crate) fn attendance(&self, now: Now) -> Option<Attendance<'_>> {
        let online = self.settings.online.as_ref()?;
        Some(Attendance { online, followers: &self.followers, game: &self.game, now })
    }

    /// Whether hints, evaluations and the thinking of bots are withheld.
    pub(crate) fn hides_help(&self) -> bool {
        !self.game.is_over() && self.settings.online.as_ref().is_some_and(|online| !online.terms.help)
    }

    pub(crate) fn tell_all(&self, message: ServerMessage, out: &mut Effects) {
        if !self.followers.is_empty() {
            out.push(Effect::Tell(
                self.followers.iter().map(|follower| follower.id).collect(),
                Box::new(message),
            ));
        }
    }

    /// Sets how the bots play, for whoever drives the table.
    pub fn set(&mut self, setting: Setting, now: Now) -> Vec<Effect> {
        self.undo = None;
        let mut out = Effects::default();
        let mut change = self.begin(&out);
        self.set_bots(setting, &mut change, &mut out);
        self.finish(change, None, now, &mut out);
        self.settle(now, &mut out);
        out.into_vec()
    }

    /// Does something in the match, for whoever drives the table.
    ///
    /// # Errors
    /// If that is impossible; nothing has changed then.
    pub fn apply(&mut self, board: usize, action: Action, now: Now) -> Result<Vec<Effect>, Refusal> {
        self.undo = None;
        let mut out = Effects::default();
        let change = self.begin(&out);
        self.game.apply(board, action, self.time(now))?;
        self.finish(change, None, now, &mut out);
        self.settle(now, &mut out);
        Ok(out.into_vec())
    }

    /// Has the bot of a board that failed be asked again, where it waits for that.
    pub fn retry_bot(&mut self, board: usize, now: Now) -> Vec<Effect> {
        self.undo = None;
        let mut out = Effects::default();
        let change = self.begin(&out);
        self.live.bots.forgive(board);
        self.finish(change, None, now, &mut out);
        self.settle(now, &mut out);
        out.into_vec()
    }

    /// The bot that has failed and waits until somebody has decided what becomes of it: its board, its seat there, and why.
    pub fn failure(&self) -> Option<(usize, Player, &str)> {
        self.live.bots.failure()
    }

    /// Whether bots play to the end of their games without waiting.
    pub fn is_skipping(&self) -> bool {
        self.live.bots.is_skipping()
    }
}

/// Whether an action is no part of the game.
fn is_social(action: &ClientAction) -> bool {
    matches!(
        action,
        ClientAction::Sit { .. }
            | ClientAction::Leave
            | ClientAction::Remove { .. }
            | ClientAction::Say { .. }
            | ClientAction::Mute { .. }
            | ClientAction::DecideAbsence { .. }
            | ClientAction::Rematch { .. }
            | ClientAction::HandOver { .. }
    )
}
