//! The task of one table.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_core::view::StepKind;
use agon_match::{Action, Millis, SCHEMA};
use agon_protocol::web::api::{PlyList, TableSummary};
use agon_protocol::web::{BoardUpdate, RefusalCode, ServerMessage, TableState, Update};
use agon_records::date_text;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::acts::{Deed, Setting, deed, deed_of_move};
use super::bots::{Bots, due_person, forced_pass, has_bots};
use super::picture::{board_state, changed_cells, facts, ply_states, seat_states};
use super::play::{LogEvent, Play};
use super::summary::{Course, Place, written};
use super::watchers::{Told, Watchers};
use super::{Command, ConnectionId, Follower, TableHandle, TableSettings};
use crate::bots::Ticket;
use crate::hall::Hall;
use crate::store::{Append, Durability, NewEvent, TableId, VisitorId};
use crate::words::Refused;

/// How many commands may wait for a table.
const COMMANDS: usize = 256;
/// How long a table stays in memory after the last browser has left it.
const KEEP: Duration = Duration::from_secs(120);
/// Moves that come faster than this are told together.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(40);
/// More moves than this are not shown one by one.
const SHOWN_STEPS: usize = 8;

/// What a table is opened with.
pub struct Opening {
    /// Its name.
    pub id: TableId,
    /// Who has opened it.
    pub owner: VisitorId,
    /// When, in seconds since 1970.
    pub created: u64,
    /// What is played.
    pub play: Play,
    /// What the owner has set.
    pub settings: TableSettings,
    /// The names that browsers gave to what led to events, and the number of the last event of each.
    pub messages: Vec<(String, u64)>,
    /// How many of the events are stored.
    pub stored: usize,
}

/// Starts the task of a table.
pub fn spawn(hall: Arc<Hall>, opening: Opening) -> TableHandle {
    let (handle, commands) = mpsc::channel(COMMANDS);
    let Opening { id, owner, created, play, settings, messages, stored } = opening;
    let boards = play.boards().len();
    let mut actor = Actor {
        hall,
        id,
        owner,
        created: date_text(std::time::UNIX_EPOCH + Duration::from_secs(created)),
        began: (Instant::now(), play.last_time()),
        settings,
        seen: messages.into_iter().collect(),
        watchers: Watchers::default(),
        told: Vec::new(),
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
    actor.told = (0..boards).map(|board| actor.as_told(board)).collect();
    tokio::spawn(actor.run(commands));
    handle
}

pub(super) struct Actor {
    pub(super) hall: Arc<Hall>,
    pub(super) id: TableId,
    pub(super) owner: VisitorId,
    pub(super) created: String,
    pub(super) play: Play,
    /// When this task began, on the machine's clock and on the game's time line.
    pub(super) began: (Instant, Millis),
    pub(super) settings: TableSettings,
    /// What browsers have asked for, and the number of the last event of each.
    pub(super) seen: HashMap<String, u64>,
    pub(super) watchers: Watchers,
    /// The boards as they were last told.
    pub(super) told: Vec<Told>,
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
            tracing::error!(table = self.id, reason = refused.message.text, "a table cannot be kept");
        }
        loop {
            self.consult();
            let wake = self.next_wake();
            tokio::select! {
                command = commands.recv() => match command {
                    Some(Command::Stop(done)) => {
                        self.tell_stop();
                        let _ = done.send(());
                        break;
                    }
                    Some(command) => self.obey(command).await,
                    None => break,
                },
                () = sleep_until(wake) => self.look_around().await,
            }
            if self.is_idle() && self.hall.forget(&self.id, || commands.is_empty()) {
                break;
            }
        }
        self.hall.release(&self.owner, &self.id);
    }

    pub(super) fn now(&self) -> Millis {
        let (instant, time) = self.began;
        time.plus(instant.elapsed().into())
    }

    /// Whether nobody would miss the table: not those who follow it, nor anybody whose clock runs.
    fn is_idle(&self) -> bool {
        let clock_runs =
            self.play.boards().iter().any(|game| due_person(game).is_some() && game.due().is_some());
        self.watchers.is_empty() && !clock_runs && self.left_at.elapsed() >= KEEP
    }

    async fn obey(&mut self, command: Command) {
        match command {
            Command::Join { connection, id, since } => self.join(connection, id, since),
            Command::Leave(connection) => {
                self.hints.remove(&connection);
                if self.watchers.remove(connection) {
                    self.left_at = Instant::now();
                    self.tell_watchers();
                }
            }
            Command::Move { from, id, wish } => {
                self.obey_deed(from, id, |actor| deed_of_move(&actor.play, wish)).await;
            }
            Command::Act { from, id, action } => {
                let limits = self.hall.limits().bots;
                self.obey_deed(from, id, |actor| deed(&actor.play, action, &limits)).await;
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
                let mut record = self.play.record();
                record.date = Some(self.created.clone());
                if !self.play.is_over() {
                    // From the seed all luck could be foretold.
                    record.seed = None;
                }
                let _ = reply.send(record.to_string());
            }
            Command::Plies { board, from, to, reply } => {
                let unknown = || Refused::plain(RefusalCode::Unknown, "refused.unknown-board");
                let game = self.play.boards().get(board).ok_or_else(unknown);
                let plies = game.map(|game| PlyList {
                    from,
                    plies: ply_states(game, from, to.min(game.session().len())),
                });
                let _ = reply.send(plies);
            }
            Command::Stop(_) => {}
        }
    }

    fn join(&mut self, follower: Follower, id: String, since: Option<u64>) {
        self.flush();
        let seq = self.play.event_count() as u64;
        let gap = match since {
            Some(since) if since == seq => Some(Vec::new()),
            Some(since) => self.watchers.gap(since),
            None => None,
        };
        match gap {
            Some(updates) => {
                updates.into_iter().for_each(|update| follower.outbox.send(update));
                let current = self.update(seq, seq, Vec::new());
                follower.outbox.say(&ServerMessage::Event(Box::new(current)));
            }
            None => self.tell_state_to(&follower),
        }
        follower.outbox.say(&ServerMessage::Ack { id, seq: Some(seq) });
        self.watchers.insert(follower);
        self.tell_watchers();
    }

    /// Does what a browser has asked for, unless it was done before, and answers.
    async fn obey_deed(
        &mut self,
        from: ConnectionId,
        id: String,
        deed: impl FnOnce(&Self) -> Result<Deed, Refused>,
    ) {
        let Some(follower) = self.watchers.get(from).cloned() else { return };
        if let Some(seq) = self.seen.get(&id) {
            return follower.outbox.say(&ServerMessage::Ack { id, seq: Some(*seq) });
        }
        let done = self.act(&follower, &id, deed).await;
        answer(&follower, id, done);
    }

    async fn act(
        &mut self,
        follower: &Follower,
        id: &str,
        deed: impl FnOnce(&Self) -> Result<Deed, Refused>,
    ) -> Result<u64, Refused> {
        if follower.visitor != self.owner {
            return Err(Refused::plain(RefusalCode::Forbidden, "refused.not-seated"));
        }
        match deed(self)? {
            Deed::Play(board, action) => self.play(board, action, Some(id)).await,
            Deed::Set(setting) => {
                let seq = self.set(setting).await?;
                // A step that is sent again must not be made twice.
                self.seen.insert(id.to_owned(), seq);
                Ok(seq)
            }
        }
    }

    async fn set(&mut self, setting: Setting) -> Result<u64, Refused> {
        if !has_bots(&self.play) {
            return Err(Refused::plain(RefusalCode::State, "refused.no-bots"));
        }
        let before = self.settings;
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
            let stored = self.hall.store().set_settings(self.id.clone(), written(&self.settings)).await;
            if stored.is_err() {
                self.settings = before;
                return Err(Refused::storage());
            }
            self.flush();
            let seq = self.play.event_count() as u64;
            let update = self.update(seq, seq, Vec::new());
            self.watchers.tell_update(update);
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
        let events = self.play.events_since(known);
        if events.is_empty() {
            return Ok(());
        }
        let last = events.len() - 1;
        let event = |(index, (_, event)): (usize, &(usize, LogEvent))| NewEvent {
            schema: SCHEMA,
            message: message.filter(|_| index == last).map(str::to_owned),
            body: serde_json::to_string(event).unwrap_or_default(),
        };
        let ends = self.play.has_just_ended(known);
        let head = events.iter().any(|(_, event)| event.changes_seats());
        let append = Append {
            table: self.id.clone(),
            known: known as u64,
            events: events.iter().enumerate().map(event).collect(),
            head: head.then(|| written(&Place::of(&self.play))),
            course: written(&Course::of(&self.play)),
            over: self.play.is_over(),
            durability: if ends { Durability::Power } else { Durability::Process },
        };
        match self.hall.store().append(append).await {
            Ok(()) => {
                self.stored = self.play.event_count();
                if let Some(message) = message {
                    self.seen.insert(message.to_owned(), self.stored as u64);
                }
                metrics::counter!("agon_events_total").increment(events.len() as u64);
                Ok(())
            }
            Err(error) => {
                tracing::warn!(table = self.id, %error, "a move was refused because it could not be stored");
                match self.play.cut(known) {
                    Ok(play) => self.play = play,
                    Err(error) => tracing::error!(table = self.id, %error, "a game cannot be rebuilt"),
                }
                Err(Refused::storage())
            }
        }
    }

    /// Tells what has happened and was not told yet.
    pub(super) fn flush(&mut self) {
        let (from, seq) = (self.told_seq, self.play.event_count() as u64);
        if from == seq {
            return;
        }
        self.told_seq = seq;
        self.told_at = Some(Instant::now());
        let events = self.play.events_since(from as usize);
        if events.iter().any(|(_, event)| event.changes_seats()) {
            return self.tell_state();
        }
        let mut boards: Vec<usize> = events.iter().map(|(board, _)| *board).collect();
        boards.sort_unstable();
        boards.dedup();
        let boards = boards.into_iter().map(|board| self.board_update(board, &events)).collect();
        let update = self.update(from, seq, boards);
        self.watchers.tell_update(update);
    }

    fn update(&self, from: u64, seq: u64, boards: Vec<BoardUpdate>) -> Update {
        let TableSettings { pace, paused } = self.settings;
        Update { game: self.id.clone(), from, seq, boards, paused, pace, ranking: self.play.ranking() }
    }

    fn board_update(&mut self, board: usize, events: &[(usize, LogEvent)]) -> BoardUpdate {
        let own = events.iter().filter(|(known, _)| *known == board).map(|(_, event)| event);
        let kept = own.filter_map(LogEvent::taken_back_to).fold(self.told[board].plies, usize::min);
        let game = &self.play.boards()[board];
        let mut seen = game.session().board();
        let cells = std::mem::take(&mut seen.cells);
        let changed = changed_cells(&self.told[board].cells, &cells);
        let total = game.session().len();
        let steps = if total - kept <= SHOWN_STEPS { game.session().steps_since(kept) } else { Vec::new() };
        let plies = ply_states(game, kept, total);
        let facts = facts(&self.play, board, seen, self.now());
        let must_pass = matches!(facts.moves.as_slice(), [only] if only.kind == StepKind::Pass);
        self.told[board] = Told { cells, plies: total, must_pass };
        BoardUpdate { board, kept, plies, steps, cells: changed, facts }
    }

    fn as_told(&self, board: usize) -> Told {
        let game = &self.play.boards()[board];
        let session = game.session();
        Told { cells: session.board().cells, plies: session.len(), must_pass: forced_pass(game).is_some() }
    }

    /// Tells everybody everything.
    fn tell_state(&mut self) {
        self.told = (0..self.play.boards().len()).map(|board| self.as_told(board)).collect();
        self.watchers.forget_updates();
        for follower in self.watchers.iter() {
            self.tell_state_to(follower);
        }
    }

    fn tell_state_to(&self, follower: &Follower) {
        let state = Box::new(self.state(follower.visitor));
        follower.outbox.say(&ServerMessage::State { game: self.id.clone(), state });
    }

    fn tell_watchers(&self) {
        let (game, count) = (self.id.clone(), self.watchers.len());
        self.watchers.tell(&ServerMessage::Watchers { game, count });
    }

    fn tell_stop(&mut self) {
        let message = Refused::plain(RefusalCode::Stopping, "refused.stopping").message;
        let code = RefusalCode::Stopping;
        self.watchers.tell(&ServerMessage::Error { id: None, code, message, field: None });
    }

    fn state(&self, visitor: VisitorId) -> TableState {
        let owner = visitor == self.owner;
        let now = self.now();
        let policy = &self.play.boards()[0].policy().time;
        let TableSettings { pace, paused } = self.settings;
        TableState {
            id: self.id.clone(),
            seq: self.play.event_count() as u64,
            game: self.play.rules().spec().id.to_owned(),
            options: self.play.rules().options(),
            mode: self.play.mode(),
            created: self.created.clone(),
            owner,
            seats: seat_states(&self.play, owner),
            clock: policy.control(Player(0)).to_string(),
            pace,
            paused,
            boards: (0..self.play.boards().len()).map(|board| board_state(&self.play, board, now)).collect(),
            ranking: self.play.ranking(),
            watchers: self.watchers.len(),
            spectators: 0,
            online: None,
            styles: self.play.rules().spec().styles.to_vec(),
        }
    }

    fn summary(&self, visitor: VisitorId) -> TableSummary {
        let place = Place::of(&self.play);
        let quiet: Duration = self.now().minus(self.play.last_time()).into();
        TableSummary {
            id: self.id.clone(),
            created: self.created.clone(),
            updated: date_text(std::time::SystemTime::now() - quiet),
            watchers: self.watchers.len(),
            ..place.summary(Course::of(&self.play), visitor == self.owner)
        }
    }
}

/// Answers a message by an acknowledgement or a refusal.
pub(super) fn answer(follower: &Follower, id: String, done: Result<u64, Refused>) {
    follower.outbox.say(&match done {
        Ok(seq) => ServerMessage::Ack { id, seq: Some(seq) },
        Err(Refused { code, message, field }) => {
            metrics::counter!("agon_refusals_total").increment(1);
            ServerMessage::Error { id: Some(id), code, message, field }
        }
    });
}
