//! The task of one lobby.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use agon_core::Message;
use agon_erased::Rules;
use agon_messages::{MESSAGES, Refused};
use agon_protocol::web::online::LobbyState;
use agon_protocol::web::{ClientAction, RefusalCode, ServerMessage};
use agon_table::chat::{Chat, Speaker};
use agon_table::view::stored_text;
use agon_table::{Command, ConnectionId, Now, Write};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::{Lobby, Titles, titles};
use crate::store::VisitorId;
use crate::table::{Follower, TaskCommand};
use crate::tables::Tables;

/// How many commands may wait for a lobby.
const COMMANDS: usize = 64;
/// How long after the last seat has filled the game starts.
const COUNTDOWN: Duration = Duration::from_secs(3);
/// How long somebody may be away from a public lobby in which others wait.
const ABSENCE: Duration = Duration::from_secs(30);
/// How long a lobby waits when its game could not be stored, before it tries again.
const RETRY: Duration = Duration::from_secs(2);
/// How long a lobby sleeps when there is nothing to wait for.
const QUIET: Duration = Duration::from_secs(60);

/// How a lobby is told what to do.
pub type LobbyHandle = mpsc::Sender<LobbyCommand>;

/// What a lobby is told.
pub enum LobbyCommand {
    /// A browser wants to follow it.
    Join {
        /// The connection.
        connection: Follower,
        /// The message that asks for it.
        id: String,
    },
    /// A browser follows it no longer.
    Leave(ConnectionId),
    /// A browser does something.
    Act {
        /// The connection.
        connection: Follower,
        /// Names the message.
        id: String,
        /// What.
        action: ClientAction,
    },
    /// The lobby as a browser sees it.
    State(VisitorId, oneshot::Sender<LobbyState>),
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// Starts the task of a lobby.
pub fn spawn(tables: Arc<Tables>, lobby: Lobby, rules: Arc<dyn Rules>, chat: Chat) -> LobbyHandle {
    let (handle, commands) = mpsc::channel(COMMANDS);
    let titles = titles(&*rules, lobby.mode, lobby.seats.len());
    let actor = Actor {
        tables,
        lobby,
        rules,
        titles,
        chat,
        followers: HashMap::new(),
        away: HashMap::new(),
        missed: HashSet::new(),
        starts: None,
        is_left: false,
        has_started: false,
        opened: Instant::now(),
    };
    tokio::spawn(actor.run(commands));
    handle
}

struct Actor {
    tables: Arc<Tables>,
    lobby: Lobby,
    rules: Arc<dyn Rules>,
    titles: Titles,
    chat: Chat,
    followers: HashMap<ConnectionId, Follower>,
    /// Since when those are away who hold a seat, or host the lobby.
    away: HashMap<VisitorId, Instant>,
    /// Those of them whom the others were told to be away.
    missed: HashSet<VisitorId>,
    /// When the game starts.
    starts: Option<Instant>,
    /// Whether the host has left and there is nobody to hand the lobby on to.
    is_left: bool,
    /// Whether its game has started.
    has_started: bool,
    /// When this task began.
    opened: Instant,
}

impl Actor {
    async fn run(mut self, mut commands: mpsc::Receiver<LobbyCommand>) {
        self.changed();
        loop {
            let next = tokio::select! {
                command = commands.recv() => match command {
                    Some(LobbyCommand::Stop(done)) => {
                        self.tell_stop();
                        let _ = done.send(());
                        return;
                    }
                    Some(command) => {
                        self.obey(command).await;
                        ControlFlow::Continue(())
                    }
                    None => return,
                },
                () = sleep_until(self.next_wake()) => self.look_around().await,
            };
            if next.is_break() || self.closes_if_empty().await {
                break;
            }
        }
        // Whoever comes now is told by `Tables` what has become of it; those who were on their way hear it here.
        commands.close();
        while let Some(command) = commands.recv().await {
            self.turn_away(command).await;
        }
    }

    /// How long somebody may be away. Whoever was invited to a private lobby, or waits alone in a public one, may have gone to send the
    /// link to others; strangers are not kept waiting.
    fn patience(&self, visitor: &VisitorId) -> Duration {
        let is_alone =
            *visitor == self.lobby.host && self.lobby.people().all(|(_, holder, _)| holder == visitor);
        if is_alone || !self.lobby.terms.public { self.tables.limits().lobbies.wait } else { ABSENCE }
    }

    fn next_wake(&self) -> Instant {
        let absent = self.away.iter().map(|(visitor, since)| *since + self.patience(visitor));
        absent.chain(self.starts).min().unwrap_or_else(|| Instant::now() + QUIET)
    }

    async fn obey(&mut self, command: LobbyCommand) {
        match command {
            LobbyCommand::Join { connection, id } => {
                let outbox = connection.outbox.clone();
                let lines = self.chat.heard_by(&connection.requester.visitor, &self.lobby.muted);
                let visitor = connection.requester.visitor;
                let is_back = self.missed.remove(&visitor);
                self.followers.insert(connection.id, connection);
                if is_back && let Some(name) = self.lobby.name_of(&visitor) {
                    self.notify(say("notice.back", name.to_owned()), None);
                }
                self.changed();
                outbox.say(&ServerMessage::Chat { game: self.lobby.id.clone(), lines });
                outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            LobbyCommand::Leave(connection) => {
                if let Some(follower) = self.followers.remove(&connection) {
                    let visitor = follower.requester.visitor;
                    if !self.is_here(&visitor)
                        && let Some(name) = self.lobby.name_of(&visitor)
                    {
                        self.missed.insert(visitor);
                        self.notify(say("notice.away", name.to_owned()), None);
                    }
                    self.changed();
                }
            }
            LobbyCommand::Act { connection, id, action } => {
                let done = self.act(connection.requester.visitor, &id, action).await;
                connection.outbox.answer(id, done.map(|()| None));
            }
            LobbyCommand::State(visitor, reply) => {
                let _ = reply.send(self.state(&visitor));
            }
            LobbyCommand::Stop(_) => {}
        }
    }

    async fn act(&mut self, by: VisitorId, id: &str, action: ClientAction) -> Result<(), Refused> {
        let mut next = self.lobby.clone();
        let is_left = matches!(action, ClientAction::Leave) && by == self.lobby.host;
        let mut removed = None;
        let notice = match action {
            ClientAction::Sit { seat, name, key, program } => {
                let is_new = next.seats_of(&by).is_empty();
                next.sit(by, seat, &name, key.as_deref(), program)?;
                let name = next.name_of(&by).unwrap_or_default().to_owned();
                is_new.then(|| say("notice.joined", name))
            }
            ClientAction::Leave => {
                let name = next.name_of(&by).map(str::to_owned);
                next.leave(&by);
                name.map(|name| say("notice.left", name))
            }
            ClientAction::Remove { seat } => {
                let (guest, name) = next.remove(&by, seat)?;
                removed = Some(guest);
                Some(say("notice.removed", name))
            }
            ClientAction::Seat { seat, occupant } => {
                next.set_seat(&by, seat, &occupant, &*self.rules, &self.tables.limits().bots)?;
                None
            }
            ClientAction::Say { text, name } => return self.say(by, id, &text, name.as_deref()).await,
            ClientAction::Mute { seat, muted } => {
                self.check_inside(&by)?;
                let speaker = next.seats.get(seat).and_then(|player| player.as_ref()?.holder);
                let speaker = speaker.ok_or_else(|| Refused::plain(RefusalCode::Unknown, "refused.seat"))?;
                next.mute(by, speaker, muted);
                None
            }
            _ => return Err(Refused::plain(RefusalCode::State, "refused.not-started")),
        };
        let (host, crowd) = (self.lobby.host, self.lobby.people().count());
        self.keep(next).await?;
        self.is_left = is_left && self.lobby.people().next().is_none();
        if let Some(message) = notice {
            self.notify(message, removed.as_ref());
        }
        self.notify_host(&host);
        // Whoever was away while nobody else waited is given time once somebody does.
        if self.lobby.people().count() > crowd {
            self.away.values_mut().for_each(|since| *since = Instant::now());
        }
        self.changed();
        Ok(())
    }

    /// Tells everybody what has happened; somebody who was `removed` is addressed in person.
    fn notify(&self, message: Message, removed: Option<&VisitorId>) {
        let game = self.lobby.id.clone();
        let notice = ServerMessage::Notice { game: game.clone(), message };
        let personal = ServerMessage::Notice { game, message: MESSAGES.say("refused.removed", []) };
        for follower in self.followers.values() {
            let is_removed = removed == Some(&follower.requester.visitor);
            follower.outbox.say(if is_removed { &personal } else { &notice });
        }
    }

    /// Says who the host is now, if that was somebody else before.
    fn notify_host(&self, before: &VisitorId) {
        if self.lobby.host != *before
            && let Some(name) = self.lobby.name_of(&self.lobby.host)
        {
            self.notify(say("notice.host", name.to_owned()), None);
        }
    }

    /// Stores the lobby as it is to be from now on.
    async fn keep(&mut self, next: Lobby) -> Result<(), Refused> {
        if next != self.lobby {
            self.tables.store().save_lobby(next.id.clone(), stored_text(&next)).await?;
            self.lobby = next;
        }
        Ok(())
    }

    async fn say(&mut self, by: VisitorId, id: &str, text: &str, name: Option<&str>) -> Result<(), Refused> {
        let speaker = match self.check_inside(&by) {
            Err(_) if self.lobby.terms.spectators_chat => {
                self.chat.spectator(by, name, self.lobby.people().map(|(_, _, name)| name))?
            }
            inside => {
                inside?;
                let seat = self.lobby.seats_of(&by).first().copied();
                let name = self.lobby.name_of(&by).unwrap_or_default().to_owned();
                Speaker { visitor: by, seat, name, is_spectator: false }
            }
        };
        let now = Now { monotonic: self.opened.elapsed(), seconds: self.tables.date() };
        let Some(spoken) = self.chat.hear(speaker, id, text, now)? else { return Ok(()) };
        let (table, line) = (self.lobby.id.clone(), Some(spoken.stored()));
        self.tables.store().write(Write { table, line, ..Write::default() }).await?;
        let chat = ServerMessage::Chat { game: self.lobby.id.clone(), lines: vec![spoken.line.clone()] };
        self.chat.keep(spoken);
        for follower in self.followers.values() {
            if !self.lobby.muted.contains(&(follower.requester.visitor, by)) {
                follower.outbox.say(&chat);
            }
        }
        Ok(())
    }

    /// Refuses what those ask for who only look on.
    fn check_inside(&self, visitor: &VisitorId) -> Result<(), Refused> {
        if *visitor == self.lobby.host || !self.lobby.seats_of(visitor).is_empty() {
            Ok(())
        } else {
            Err(Refused::plain(RefusalCode::Forbidden, "refused.not-in-lobby"))
        }
    }

    fn is_here(&self, visitor: &VisitorId) -> bool {
        self.followers.values().any(|follower| follower.requester.visitor == *visitor)
    }

    /// Notices who is there and whether the game can start, and tells everybody how the lobby stands.
    fn changed(&mut self) {
        let mut wanted: Vec<VisitorId> = self.lobby.people().map(|(_, holder, _)| *holder).collect();
        wanted.push(self.lobby.host);
        let now = Instant::now();
        let before = std::mem::take(&mut self.away);
        for visitor in wanted {
            if !self.is_here(&visitor) {
                self.away.insert(visitor, before.get(&visitor).copied().unwrap_or(now));
            }
        }
        self.missed.retain(|visitor| self.away.contains_key(visitor));
        // Nobody's game begins without them.
        let is_ready = self.lobby.is_full() && self.lobby.people().all(|(_, holder, _)| self.is_here(holder));
        self.starts = is_ready.then(|| self.starts.unwrap_or(now + COUNTDOWN));
        for follower in self.followers.values() {
            let state = self.state(&follower.requester.visitor);
            follower.outbox.say(&ServerMessage::Lobby(Box::new(state)));
        }
        let info = self.lobby.info(&self.titles, self.spectators(), |visitor| self.is_here(visitor));
        self.tables.lobbies().show(&self.lobby, info);
    }

    fn spectators(&self) -> usize {
        let mut others: Vec<&VisitorId> =
            self.followers.values().map(|follower| &follower.requester.visitor).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|visitor| self.lobby.seats_of(visitor).is_empty());
        others.len()
    }

    fn state(&self, visitor: &VisitorId) -> LobbyState {
        let mine = self.lobby.seats_of(visitor);
        let is_host = *visitor == self.lobby.host;
        let knows_key = is_host || !mine.is_empty();
        LobbyState {
            lobby: self.lobby.info(&self.titles, self.spectators(), |visitor| self.is_here(visitor)),
            host: is_host,
            mine,
            key: knows_key.then(|| self.lobby.key.clone()),
            kept: self.patience(visitor).as_secs(),
            starts_in: self.starts.map(|at| at.saturating_duration_since(Instant::now()).as_millis() as u64),
        }
    }

    fn tell(&self, message: &ServerMessage) {
        for follower in self.followers.values() {
            follower.outbox.say(message);
        }
    }

    fn tell_stop(&self) {
        let refused = Refused::plain(RefusalCode::Stopping, "refused.stopping");
        for follower in self.followers.values() {
            follower.outbox.refuse(None, refused.clone());
        }
    }

    /// Removes those who have been away for too long, or starts the game. Breaks if the lobby has ended.
    async fn look_around(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        let gone: Vec<VisitorId> = self
            .away
            .iter()
            .filter(|(visitor, since)| now >= **since + self.patience(visitor))
            .map(|(visitor, _)| *visitor)
            .collect();
        let host = self.lobby.host;
        let mut next = self.lobby.clone();
        let mut notices = Vec::new();
        for visitor in &gone {
            notices.extend(next.name_of(visitor).map(|name| say("notice.away-too-long", name.to_owned())));
            next.leave(visitor);
            // A host without a seat is away like others; with nobody to hand the lobby on to, it closes.
            self.away.remove(visitor);
        }
        if !gone.is_empty() {
            if self.keep(next).await.is_err() {
                // It is tried again when the store is well.
                let retry = now + RETRY;
                let since: Vec<_> =
                    gone.into_iter().map(|visitor| (visitor, retry - self.patience(&visitor))).collect();
                self.away.extend(since);
                return ControlFlow::Continue(());
            }
            for message in notices {
                self.notify(message, None);
            }
            self.notify_host(&host);
            let is_left = gone.contains(&self.lobby.host) && !self.is_here(&self.lobby.host);
            if is_left && self.lobby.people().next().is_none() {
                self.close(MESSAGES.say("notice.closed-waiting", [])).await;
                return ControlFlow::Break(());
            }
            self.changed();
        }
        if self.starts.is_some_and(|at| now >= at) {
            return self.start().await;
        }
        ControlFlow::Continue(())
    }

    /// Closes the lobby if nobody is left in it, and says whether.
    async fn closes_if_empty(&mut self) -> bool {
        let is_empty = self.lobby.people().next().is_none() && !self.is_here(&self.lobby.host);
        // A host who has opened it and is still on the way is given time.
        let is_awaited = self.away.contains_key(&self.lobby.host);
        if self.is_left || (is_empty && !is_awaited) {
            self.close(MESSAGES.say("notice.closed-left", [])).await;
            return true;
        }
        false
    }

    /// Closes the lobby, and says why.
    async fn close(&mut self, reason: Message) {
        if let Err(error) = self.tables.store().drop_lobby(self.lobby.id.clone()).await {
            tracing::warn!(lobby = self.lobby.id, %error, "a lobby that has closed is still stored");
        }
        self.tables.lobbies().remove(&self.lobby.id);
        self.tell(&ServerMessage::Gone { game: self.lobby.id.clone(), message: reason });
    }

    /// Starts the game and hands everybody over to it. Continues if the game could not be stored.
    async fn start(&mut self) -> ControlFlow<()> {
        let start = self.lobby.start(Arc::clone(&self.rules));
        if let Err(refused) = self.tables.start_online(start, self.lobby.address).await {
            tracing::warn!(lobby = self.lobby.id, reason = %refused.message, "a game could not start");
            self.starts = Some(Instant::now() + RETRY);
            return ControlFlow::Continue(());
        }
        self.has_started = true;
        self.tables.lobbies().remove(&self.lobby.id);
        let followers = std::mem::take(&mut self.followers).into_values().collect();
        if let Err(refused) = self.tables.tell(&self.lobby.id, TaskCommand::Begin(followers)).await {
            tracing::warn!(
                lobby = self.lobby.id,
                reason = %refused.message,
                "a lobby cannot be handed over"
            );
        }
        ControlFlow::Break(())
    }

    /// Answers a command that has come too late.
    async fn turn_away(&mut self, command: LobbyCommand) {
        match command {
            LobbyCommand::Join { connection, id } => {
                let outbox = connection.outbox.clone();
                let join = TaskCommand::Join { connection, id: id.clone(), since: None };
                if self.tables.tell(&self.lobby.id, join).await.is_err() {
                    outbox.answer(id, Err(Refused::lobby_gone()));
                }
            }
            LobbyCommand::Leave(connection) => {
                let _ =
                    self.tables.tell(&self.lobby.id, TaskCommand::Table(Command::Leave(connection))).await;
            }
            LobbyCommand::Act { connection, id, .. } => {
                let started = Refused::plain(RefusalCode::Started, "refused.lobby-started");
                let refused = if self.has_started { started } else { Refused::lobby_gone() };
                connection.outbox.answer(id, Err(refused));
            }
            LobbyCommand::State(..) => {}
            LobbyCommand::Stop(done) => {
                let _ = done.send(());
            }
        }
    }
}

/// A sentence about somebody.
fn say(key: &'static str, name: String) -> Message {
    MESSAGES.say(key, [("name", name.into())])
}
