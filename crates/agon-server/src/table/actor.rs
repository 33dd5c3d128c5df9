//! The task of one table.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_files::date_text;
use agon_match::{Action, Event, EventRef, Fault, Match, Millis, Move, SCHEMA};
use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::acts::{Deed, Setting, deed, deed_of_move};
use super::bots::{Bots, has_bots};
use super::chat::Chat;
use super::online::charged;
use super::presence::Presences;
use super::scene::known_event;
use super::summary::{TableStatus, stored_text};
use super::watchers::Watchers;
use super::{Command, ConnectionId, Follower, MoveWish, TableHandle, TableSettings, scene, scoped};
use crate::bots::Ticket;
use crate::random;
use crate::store::{Append, Change, Durability, NewEvent, TableId, VisitorId};
use crate::tables::Tables;
use crate::words::Refused;

/// How many commands may wait for a table.
const COMMANDS: usize = 256;
/// How long a table stays in memory after the last browser has left it.
const KEEP: Duration = Duration::from_secs(120);
/// Moves that come faster than this are told together.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(40);

/// What a table is opened with.
pub struct Opening {
    /// Its name.
    pub id: TableId,
    /// Who has opened it.
    pub owner: VisitorId,
    /// When, in seconds since 1970.
    pub created: u64,
    /// What is played.
    pub play: Match,
    /// What the owner has set.
    pub settings: TableSettings,
    /// The names that browsers gave to what led to events, and the number of the last event of each.
    pub messages: Vec<(String, u64)>,
    /// How many of the events are stored.
    pub stored: usize,
    /// What has been said.
    pub chat: Chat,
    /// When it is to be looked after, in seconds since 1970.
    pub deadline: Option<u64>,
}

/// Starts the task of a table.
pub fn spawn(tables: Arc<Tables>, opening: Opening) -> TableHandle {
    let (handle, commands) = mpsc::channel(COMMANDS);
    let Opening { id, owner, created, play, settings, messages, stored, chat, deadline } = opening;
    let seats = settings.online.as_ref().map_or(0, |online| online.players.len());
    let rests = seats > 0 && (play.has_clock() || play.deadline().is_some());
    // Messages that were stored before others than the owner could send any are the owner's.
    let named = |(message, seq): (String, u64)| {
        (if message.contains(' ') { message } else { scoped(&owner, &message) }, seq)
    };
    let boards = play.boards().len();
    let actor = Actor {
        tables,
        id,
        owner,
        created: date_text(std::time::UNIX_EPOCH + Duration::from_secs(created)),
        began: (Instant::now(), play.last_time()),
        settings,
        seen: messages.into_iter().map(named).collect(),
        chat,
        presences: Presences::new(seats, rests),
        deadline,
        watchers: Watchers::default(),
        told_seq: play.event_count() as u64,
        told_at: None,
        stored,
        bots: Bots::new(boards),
        hints: HashMap::new(),
        left_at: Instant::now(),
        has_claim: false,
        handle: handle.clone(),
        play,
    };
    tokio::spawn(actor.run(commands));
    handle
}

pub(super) struct Actor {
    pub(super) tables: Arc<Tables>,
    pub(super) id: TableId,
    pub(super) owner: VisitorId,
    pub(super) created: String,
    pub(super) play: Match,
    /// When this task began, on the machine's clock and on the game's time line.
    pub(super) began: (Instant, Millis),
    pub(super) settings: TableSettings,
    /// What browsers have asked for, and the number of the last event of each.
    pub(super) seen: HashMap<String, u64>,
    pub(super) watchers: Watchers,
    pub(super) chat: Chat,
    pub(super) presences: Presences,
    /// When the table is to be looked after although nobody may follow it, in seconds since 1970.
    pub(super) deadline: Option<u64>,
    /// The last event that was told.
    pub(super) told_seq: u64,
    pub(super) told_at: Option<Instant>,
    /// How many events are stored.
    pub(super) stored: usize,
    pub(super) bots: Bots,
    /// Hints that are being looked for, and the messages that ask for them.
    pub(super) hints: HashMap<ConnectionId, (String, Ticket)>,
    /// When the last browser left.
    pub(super) left_at: Instant,
    /// Whether the table is among those of its owner in which bots may think.
    pub(super) has_claim: bool,
    pub(super) handle: TableHandle,
}

impl Actor {
    async fn run(mut self, mut commands: mpsc::Receiver<Command>) {
        if let Err(refused) = self.store(None).await {
            tracing::error!(table = self.id, reason = %refused.message, "a table cannot be kept");
        }
        let mut alarm = std::pin::pin!(sleep_until(self.next_wake()));
        loop {
            self.consult();
            let wake = self.next_wake();
            // To be woken too early does no harm, and putting the alarm off after every move would cost more.
            if wake < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(wake);
            }
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Stop(done)) => {
                        self.watchers.tell_stop();
                        let _ = done.send(());
                        break;
                    }
                    Some(command) => self.obey(command).await,
                    None => break,
                },
                () = &mut alarm => self.look_around().await,
            }
            if self.is_idle() && self.tables.forget(&self.id, || commands.is_empty()) {
                break;
            }
        }
        self.tables.release(&self.claimant(), &self.id);
    }

    pub(super) fn now(&self) -> Millis {
        if self.presences.rests() {
            return self.play.last_time();
        }
        let (instant, time) = self.began;
        time.plus(instant.elapsed().into())
    }

    /// In whose name bots think at this table: that of its owner, or its own where several people play.
    pub(super) fn claimant(&self) -> VisitorId {
        let is_shared = self.settings.online.as_ref().is_some_and(|online| online.browsers() > 1);
        if is_shared { random::visitor(&self.id) } else { self.owner }
    }

    /// Whether nobody would miss the table: not those who follow it, nor anybody whose clock runs.
    fn is_idle(&self) -> bool {
        let clock_runs =
            self.play.boards().iter().any(|game| game.due_person().is_some() && game.due().is_some());
        let waits = (clock_runs || self.play.deadline().is_some()) && !self.presences.rests();
        let is_awaited = waits || self.presence_wait().is_some();
        self.watchers.is_empty() && !is_awaited && self.left_at.elapsed() >= KEEP
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Join { connection, id, since } => self.join(connection, id, since).await,
            Command::Begin(followers) => {
                followers.iter().for_each(|follower| self.watchers.insert(follower.clone()));
                for follower in &followers {
                    self.tell_state_to(follower);
                    self.tell_company(follower);
                }
                self.tell_watchers();
                self.note_presence();
            }
            Command::Leave(connection) => {
                self.hints.remove(&connection);
                if self.watchers.remove(connection) {
                    self.left_at = Instant::now();
                    self.tell_watchers();
                    self.note_presence();
                }
            }
            Command::Move { from, id, wish } => {
                self.obey_deed(from, id, |actor, by| actor.deed_of_move(by, wish)).await;
            }
            Command::Act { from, id, action } => {
                if is_social(&action) {
                    let Some(follower) = self.watchers.get(from).cloned() else { return };
                    return self.socialise(&follower, id, action).await;
                }
                self.obey_deed(from, id, |actor, by| actor.deed(&by.visitor, action)).await;
            }
            Command::Ask { from, id, board, question } => {
                let Some(follower) = self.watchers.get(from).cloned() else { return };
                if let Err(refused) = self.ask(&follower, &id, board, question) {
                    answer(&follower, id, Err(refused));
                }
            }
            Command::Bot { board, number, news } => self.hear(board, number, news).await,
            Command::Hint { to, id, board, ply, news } => self.hear_hint(to, id, board, ply, news),
            Command::State(visitor, reply) => {
                let _ = reply.send(Box::new(self.state(visitor)));
            }
            Command::Summary(visitor, reply) => {
                let _ = reply.send(Box::new(self.summary(visitor)));
            }
            Command::Record(reply) => {
                let mut record = scene::record(&self.play, &self.created);
                if self.hides_help() {
                    record.extra.retain(|(name, _)| !["x-scores", "x-depths"].contains(&name.as_str()));
                }
                let _ = reply.send(record.to_string());
            }
            Command::Plies { board, from, to, reply } => {
                let plies = scene::plies(&self.play, board, from, to, self.hides_help());
                let _ = reply.send(plies);
            }
            Command::TakeSeat { seat, visitor, key, reply } => {
                let _ = reply.send(self.take_seat(seat, visitor, key).await);
            }
            Command::Overdue(now) => self.overdue(now).await,
            Command::Stop(_) => {}
        }
    }

    async fn join(&mut self, follower: Follower, id: String, since: Option<u64>) {
        self.flush();
        let seq = self.play.event_count() as u64;
        match known_event(since, seq).and_then(|since| Some((since, self.updates_since(since)?))) {
            Some((since, boards)) => {
                follower.outbox.say(&ServerMessage::Event(Box::new(self.update(since, boards))));
            }
            None => self.tell_state_to(&follower),
        }
        self.tell_company(&follower);
        follower.outbox.say(&ServerMessage::Ack { id, seq: Some(seq) });
        let visitor = follower.visitor;
        self.watchers.insert(follower);
        self.tell_watchers();
        self.came(visitor).await;
    }

    fn deed(&self, by: &VisitorId, action: ClientAction) -> Result<Deed, Refused> {
        let done = deed(&self.play, action, &self.tables.limits().bots, |seat| self.holds(by, seat))?;
        let is_owners = matches!(done, Deed::Set(_) | Deed::Play(_, Action::ReplaceSeat(..)));
        if is_owners && self.settings.online.is_some() {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.online"));
        }
        Ok(done)
    }

    /// The move that a player means. Online the way through the network is given back, as far as it has been measured; a move that
    /// comes too late even so has lost.
    fn deed_of_move(&self, by: &Follower, wish: MoveWish) -> Result<Deed, Refused> {
        let done = deed_of_move(&self.play, wish, |seat| self.holds(&by.visitor, seat))?;
        let Deed::Play(board, Action::Move(mv)) = done else { return Ok(done) };
        let game = &self.play.boards()[board];
        if self.settings.online.is_none() || !self.has_clock() {
            return Ok(Deed::Play(board, Action::Move(mv)));
        }
        let delay = Millis(by.delay.load(Ordering::Relaxed).into());
        let left = game.clocks().left(mv.seat, Millis::ZERO);
        Ok(match charged(game.thinking_time(self.now()), delay, left) {
            Some(spent) => Deed::Play(board, Action::Move(Move { spent: Some(spent), ..mv })),
            None => {
                let fault = Action::Fault { seat: mv.seat, reason: Fault::Time, detail: String::new() };
                Deed::Play(board, fault)
            }
        })
    }

    /// Does what a browser has asked for, unless it was done before, and answers.
    async fn obey_deed(
        &mut self,
        from: ConnectionId,
        id: String,
        deed: impl FnOnce(&Self, &Follower) -> Result<Deed, Refused>,
    ) {
        let Some(follower) = self.watchers.get(from).cloned() else { return };
        let message = scoped(&follower.visitor, &id);
        if let Some(seq) = self.seen.get(&message) {
            return follower.outbox.say(&ServerMessage::Ack { id, seq: Some(*seq) });
        }
        let done = self.act(&follower, &message, deed).await;
        answer(&follower, id, done);
    }

    async fn act(
        &mut self,
        follower: &Follower,
        message: &str,
        deed: impl FnOnce(&Self, &Follower) -> Result<Deed, Refused>,
    ) -> Result<u64, Refused> {
        if !self.is_player(&follower.visitor) {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"));
        }
        match deed(self, follower)? {
            Deed::Play(board, action) => self.play(board, action, Some(message)).await,
            Deed::Set(setting) => {
                let seq = self.set(setting).await?;
                // A step that is sent again must not be made twice.
                self.seen.insert(message.to_owned(), seq);
                Ok(seq)
            }
        }
    }

    async fn set(&mut self, setting: Setting) -> Result<u64, Refused> {
        if !has_bots(&self.play) {
            return Err(Refused::plain(RefusalCode::State, "refused.no-bots"));
        }
        let before = self.settings.clone();
        match setting {
            Setting::Paused(paused) => {
                self.settings.paused = paused;
                self.bots.steps = 0;
            }
            Setting::Step => {
                self.settings.paused = true;
                self.bots.steps += 1;
            }
            Setting::Pace(pace) => self.settings.pace = pace,
            Setting::Skip => self.bots.skipping.fill(true),
        }
        if self.settings.paused && self.bots.steps == 0 {
            self.bots.silence();
        }
        if self.settings != before {
            let (table, settings) = (self.id.clone(), stored_text(&self.settings));
            let change = Change { table, settings, holders: None, key: None };
            let stored = self.tables.store().change(change).await;
            if stored.is_err() {
                self.settings = before;
                return Err(Refused::storage());
            }
            self.flush();
            self.tell_update(self.play.event_count() as u64, Vec::new());
        }
        Ok(self.play.event_count() as u64)
    }

    /// Does something in the game: it is stored, then everybody hears of it.
    pub(super) async fn play(
        &mut self,
        board: usize,
        action: Action,
        message: Option<&str>,
    ) -> Result<u64, Refused> {
        self.play.apply(board, action, self.now())?;
        self.store(message).await?;
        self.bots.drop_stale(&self.play);
        self.refuse_hints();
        let is_due = self.told_at.is_none_or(|told| told.elapsed() >= TELL_EVERY);
        if is_due || message.is_some() || self.play.is_over() {
            self.flush();
        }
        Ok(self.play.event_count() as u64)
    }

    /// Stores what has happened since the last time. If that fails, it has not happened.
    async fn store(&mut self, message: Option<&str>) -> Result<(), Refused> {
        let known = self.stored;
        let Some(append) = self.unstored(message) else { return Ok(()) };
        let (count, deadline) = (append.events.len(), append.deadline);
        match self.tables.store().append(append).await {
            Ok(()) => {
                self.stored = self.play.event_count();
                self.deadline = deadline;
                if let Some(message) = message {
                    self.seen.insert(message.to_owned(), self.stored as u64);
                }
                self.tables.count_events(count);
                Ok(())
            }
            Err(error) => {
                tracing::warn!(table = self.id, %error, "a move was refused because it could not be stored");
                match self.play.rewound(known) {
                    Ok(play) => self.play = play,
                    Err(error) => tracing::error!(table = self.id, %error, "a game cannot be rebuilt"),
                }
                Err(Refused::storage())
            }
        }
    }

    /// What has happened since the last time, as it is stored; `None` if nothing has.
    fn unstored(&self, message: Option<&str>) -> Option<Append> {
        let known = self.stored;
        let events = self.play.events(known);
        let count = events.len();
        let event = |(index, event): (usize, EventRef<'_>)| NewEvent {
            schema: SCHEMA,
            message: message.filter(|_| index == count - 1).map(str::to_owned),
            body: stored_text(&event),
        };
        // The end of a game must survive a failure of power.
        let ends = events.clone().any(|entry| matches!(entry.event, Event::Ended { .. }));
        let head = events.clone().any(|entry| entry.event.changes_seats());
        (count > 0).then(|| Append {
            table: self.id.clone(),
            known: known as u64,
            events: events.enumerate().map(event).collect(),
            head: head.then(|| stored_text(&self.header())),
            course: stored_text(&TableStatus::of(&self.play)),
            over: self.play.is_over(),
            deadline: self.next_deadline(),
            durability: if ends { Durability::Power } else { Durability::Process },
        })
    }
}

/// Answers a message by an acknowledgement or a refusal.
pub(super) fn answer(follower: &Follower, id: String, done: Result<u64, Refused>) {
    follower.outbox.answer(id, done.map(Some));
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
            | ClientAction::Rematch { .. }
            | ClientAction::HandOver { .. }
    )
}
