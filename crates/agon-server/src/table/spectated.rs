//! A game that is played elsewhere, such as one of a tournament: those who follow it are told what its journal says, in the same messages as
//! those of a table. Nobody can act in it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_files::date_text;
use agon_match::{Millis, Occupant};
use agon_messages::Refused;
use agon_protocol::web::{BoardUpdate, RefusalCode, ServerMessage, TableState, Update};
use agon_table::view::changes::{self, Viewpoint, bare_state, known_event, updates_since};
use agon_table::{Command, ConnectionId, TableId};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::journal::{Growth, Journal, JournalError};
use super::watchers::Watchers;
use super::{Follower, TableHandle, TaskCommand};
use crate::tables::Tables;

/// How many commands may wait.
const COMMANDS: usize = 64;
/// How often the journal is looked at while anybody follows the game.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long a game stays in memory after the last browser has left it.
const KEEP: Duration = Duration::from_secs(30);

/// Reads the journal at `path` and starts a task that shows its game as the table `id`.
///
/// # Errors
/// If it cannot be shown.
pub async fn spawn(tables: Arc<Tables>, id: TableId, path: PathBuf) -> Result<TableHandle, JournalError> {
    let games = tables.games();
    let opened = tokio::task::spawn_blocking(move || Journal::open(games, &path)).await;
    let journal = opened.map_err(|error| std::io::Error::other(error.to_string()))??;
    let (handle, commands) = mpsc::channel(COMMANDS);
    let play = journal.play();
    let now = Instant::now();
    let game = SpectatedGame {
        tables,
        id,
        created: date_text(journal.begun()),
        began: (now, play.last_time()),
        told_seq: play.event_count() as u64,
        first_seq: 0,
        watchers: Watchers::default(),
        looked_at: now,
        left_at: now,
        journal: Arc::new(Mutex::new(journal)),
    };
    tokio::spawn(game.run(commands));
    Ok(handle)
}

struct SpectatedGame {
    tables: Arc<Tables>,
    id: TableId,
    created: String,
    journal: Arc<Mutex<Journal>>,
    /// When something was last heard of the game, on the machine's clock and on the game's time line.
    began: (Instant, Millis),
    watchers: Watchers,
    /// How many events have been told.
    told_seq: u64,
    /// How many there were when the journal was last written anew. Who knows fewer may know others.
    first_seq: u64,
    looked_at: Instant,
    left_at: Instant,
}

impl SpectatedGame {
    async fn run(mut self, mut commands: mpsc::Receiver<TaskCommand>) {
        loop {
            let wake =
                if self.watchers.is_empty() { self.left_at + KEEP } else { self.looked_at + LOOK_EVERY };
            tokio::select! {
                command = commands.recv() => match command {
                    Some(TaskCommand::Stop(done)) => {
                        self.watchers.tell_stop();
                        let _ = done.send(());
                        return;
                    }
                    Some(command) => self.obey(command).await,
                    None => return,
                },
                () = sleep_until(wake) => self.look().await,
            }
            let is_idle = self.watchers.is_empty() && self.left_at.elapsed() >= KEEP;
            if is_idle && self.tables.forget(&self.id, None, || commands.is_empty()) {
                return;
            }
        }
    }

    async fn obey(&mut self, command: TaskCommand) {
        let forbidden = || Refused::plain(RefusalCode::Forbidden, "refused.not-seated");
        match command {
            TaskCommand::Join { connection, id, since } => self.join(connection, id, since).await,
            TaskCommand::Table(Command::Leave(connection)) => {
                self.watchers.remove(connection);
                self.left_at = Instant::now();
                self.tell_watchers();
            }
            TaskCommand::Table(Command::Move { from, id, .. } | Command::Act { from, id, .. }) => {
                self.answer(from, id, Err(forbidden()));
            }
            TaskCommand::Table(Command::Ask { from, id, board, question }) => {
                let answer = {
                    let journal = self.journal();
                    let game = changes::board(journal.play(), board);
                    game.and_then(|game| changes::answer_by_rules(game, &id, &question))
                };
                match (answer, self.watchers.get(from)) {
                    (Ok(Some(answer)), Some(follower)) => follower.outbox.say(&answer),
                    (Ok(None), _) => self.answer(from, id, Err(forbidden())),
                    (Err(refused), _) => self.answer(from, id, Err(refused)),
                    (_, None) => {}
                }
            }
            TaskCommand::State(_, reply) => {
                self.look().await;
                let _ = reply.send(Box::new(self.state()));
            }
            TaskCommand::Record(reply) => {
                self.look().await;
                let record = changes::record(self.journal().play(), &self.created);
                let _ = reply.send(record.to_string());
            }
            TaskCommand::Plies { board, range, reply } => {
                let _ = reply.send(changes::plies(self.journal().play(), board, range, false));
            }
            TaskCommand::Finished { board, reply } => {
                let journal = self.journal();
                let game = journal.play();
                let session = changes::finished(game, board);
                let _ = reply.send(session.map(|session| (Arc::clone(game.rules()), session)));
            }
            TaskCommand::TakeSeat { reply, .. } => {
                let _ = reply.send(Err(forbidden()));
            }
            // It is no table of this server: no list shows it, and nothing here moves it on.
            TaskCommand::Summary(..)
            | TaskCommand::Begin(_)
            | TaskCommand::Table(_)
            | TaskCommand::Retire
            | TaskCommand::HandOver(_)
            | TaskCommand::Stop(_) => {}
        }
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        locked(&self.journal)
    }

    fn answer(&self, to: ConnectionId, id: String, done: Result<Option<u64>, Refused>) {
        if let Some(follower) = self.watchers.get(to) {
            follower.outbox.answer(id, done);
        }
    }

    async fn join(&mut self, follower: Follower, id: String, since: Option<u64>) {
        self.look().await;
        let seq = self.told_seq;
        match known_event(since, seq).and_then(|since| Some((since, self.updates_since(since)?))) {
            Some((since, boards)) => {
                follower.outbox.say(&ServerMessage::Event(Box::new(self.update(since, boards))));
            }
            None => {
                let state = Box::new(self.state());
                follower.outbox.say(&ServerMessage::State { game: self.id.clone(), state });
            }
        }
        follower.outbox.say(&ServerMessage::Ack { id, seq: Some(seq) });
        self.watchers.insert(follower);
        self.tell_watchers();
    }

    /// Reads what the journal has got, and tells it.
    async fn look(&mut self) {
        self.looked_at = Instant::now();
        let journal = Arc::clone(&self.journal);
        let look = move || locked(&journal).look();
        let growth = match tokio::task::spawn_blocking(look).await {
            Ok(Ok(growth)) => growth,
            Ok(Err(error)) => {
                // The game is shown as far as it could be read.
                tracing::debug!(table = self.id, %error, "a journal cannot be read on");
                return;
            }
            Err(error) => {
                tracing::error!(table = self.id, %error, "a journal cannot be read on");
                return;
            }
        };
        match growth {
            Growth::None => {}
            Growth::More => self.tell_more(),
            Growth::Anew => self.tell_anew(),
        }
    }

    fn tell_more(&mut self) {
        let from = self.told_seq;
        self.note_growth();
        match self.updates_since(from) {
            Some(boards) => {
                self.watchers.tell(&ServerMessage::Event(Box::new(self.update(from, boards))));
            }
            None => self.tell_state(),
        }
    }

    /// Tells everybody everything.
    fn tell_anew(&mut self) {
        self.note_growth();
        self.first_seq = self.told_seq;
        self.tell_state();
    }

    fn note_growth(&mut self) {
        let (time, seq) = {
            let journal = self.journal();
            (journal.play().last_time(), journal.play().event_count() as u64)
        };
        self.began = (Instant::now(), time);
        self.told_seq = seq;
    }

    fn tell_state(&self) {
        let state = Box::new(self.state());
        self.watchers.tell(&ServerMessage::State { game: self.id.clone(), state });
    }

    fn updates_since(&self, from: u64) -> Option<Vec<BoardUpdate>> {
        if from < self.first_seq {
            return None;
        }
        let journal = self.journal();
        let play = journal.play();
        updates_since(play, from, Viewpoint { now: play.last_time(), hides_help: false })
    }

    fn tell_watchers(&self) {
        let (game, count) = (self.id.clone(), self.watchers.len());
        self.watchers.tell(&ServerMessage::Watchers { game, count });
    }

    fn update(&self, from: u64, boards: Vec<BoardUpdate>) -> Update {
        Update {
            game: self.id.clone(),
            from,
            seq: self.told_seq,
            boards,
            paused: false,
            skipping: false,
            pace: 0,
            ranking: self.journal().play().ranking(),
        }
    }

    fn state(&self) -> TableState {
        let (instant, time) = self.began;
        let viewpoint = Viewpoint { now: time.plus(instant.elapsed().into()), hides_help: false };
        let journal = self.journal();
        let play = journal.play();
        let mut state = bare_state(&self.id, &self.created, play, viewpoint);
        let occupants = play.boards().iter().flat_map(|game| game.seats()).map(|seat| &seat.occupant);
        for (seat, occupant) in state.seats.iter_mut().zip(occupants) {
            // Which command is run on whose machine is nobody's business.
            if let Occupant::Program(program) = occupant {
                seat.occupant = program.language.name().to_owned();
                seat.program = true;
            }
        }
        state.watchers = self.watchers.len();
        state.spectators = self.watchers.len();
        state
    }
}

fn locked(journal: &Mutex<Journal>) -> MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}
