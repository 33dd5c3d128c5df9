//! WebSockets: a browser's messages in, the server's messages out.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agon_match::Millis;
use agon_messages::Refused;
use agon_protocol::web::{
    ClientMessage, MAX_CLIENT_BYTES, MAX_MESSAGE_ID, PROTOCOL, RefusalCode, ServerMessage,
};
use agon_requests::messages::{is_message_id, message_id, named, table_command};
use agon_table::{Command, ConnectionId};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{Extensions, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::SinkExt;
use governor::{DefaultDirectRateLimiter, RateLimiter};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::App;
use super::guard::{Address, HttpRefusal, forwarded_slot};
use super::identity::Visitor;
use super::pulse::{Beat, Pulse};
use super::refusals::excerpt;
use crate::bots::Requester;
use crate::store::VisitorId;
use crate::table::{Follower, Outbox, TaskCommand};

/// How many messages may wait to be sent over a connection.
const WAITING: usize = 128;
/// How many tables one connection may follow.
const FOLLOWED: usize = 16;
/// After so many messages that cannot be read or come too fast a connection is closed.
const PATIENCE: u32 = 20;
/// How much is read at once, in bytes: a move or two. All of it is cleared before every reading.
const READ: usize = 512;
/// How much is gathered before it is written, in bytes, if more waits to be sent.
const WRITTEN: usize = 32 << 10;

/// Opens a WebSocket.
pub(super) async fn upgrade(
    State(app): State<Arc<App>>,
    Address(address): Address,
    visitor: Visitor,
    extensions: Extensions,
    upgrade: WebSocketUpgrade,
) -> Response {
    let slot = match forwarded_slot(&app, &extensions, address) {
        Ok(slot) => slot,
        Err(refused) => return HttpRefusal::from(refused).into_response(),
    };
    let id = app.next_connection.fetch_add(1, Ordering::Relaxed);
    let mut response = upgrade
        .read_buffer_size(READ)
        .write_buffer_size(WRITTEN)
        .max_write_buffer_size(1 << 20)
        // A little more than is allowed, so that what is too large can be answered.
        .max_message_size(2 * MAX_CLIENT_BYTES)
        .max_frame_size(2 * MAX_CLIENT_BYTES)
        .on_upgrade(move |socket| async move {
            metrics::gauge!("agon_connections").increment(1.0);
            Connection::new(app, id, visitor.id, address).run(socket).await;
            metrics::gauge!("agon_connections").decrement(1.0);
            drop(slot);
        });
    if let Some(cookie) = visitor.cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// A connection of a browser.
struct Connection {
    app: Arc<App>,
    id: ConnectionId,
    requester: Requester,
    /// Where the browser is.
    address: IpAddr,
    outbox: Outbox,
    waiting: mpsc::Receiver<Utf8Bytes>,
    /// Whether the first message has come.
    is_greeted: bool,
    /// The tables that it follows, the one opened last at the end.
    followed: VecDeque<Followed>,
    rate: DefaultDirectRateLimiter,
    faults: u32,
    /// How long a message takes there and back, in milliseconds.
    delay: u32,
    /// When the browser was last asked whether it is still there, until it has answered.
    asked: Option<Instant>,
    pulse: Pulse,
}

/// A table that a connection follows.
struct Followed {
    game: String,
    /// Whether clocks run there, as the table says.
    is_timed: Arc<AtomicBool>,
}

/// Why a connection is closed.
struct Close(u16, &'static str);

impl Connection {
    fn new(app: Arc<App>, id: ConnectionId, visitor: VisitorId, address: IpAddr) -> Self {
        let (outbox, waiting) = Outbox::new(WAITING);
        let quota = app.limits.quota(1);
        Self {
            app,
            id,
            requester: Requester::new(address, visitor),
            address,
            outbox,
            waiting,
            is_greeted: false,
            followed: VecDeque::new(),
            rate: RateLimiter::direct(quota),
            faults: 0,
            delay: 0,
            asked: None,
            pulse: Pulse::new(Instant::now()),
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        let welcome = ServerMessage::Welcome { protocol: PROTOCOL, build: self.app.web_app.build() };
        self.outbox.say(&welcome);
        let Close(code, reason) = self.exchange(&mut socket).await;
        for Followed { game, .. } in std::mem::take(&mut self.followed) {
            self.app.tables.leave(&game, self.id).await;
        }
        self.app.tables.lobbies().unfollow(self.id);
        self.app.tables.arena().following().unfollow(self.id, None);
        // What has been said last, such as why the connection is closed, is still worth hearing.
        while let Ok(text) = self.waiting.try_recv() {
            if socket.send(Message::Text(text)).await.is_err() {
                return;
            }
        }
        let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    }

    /// Reads and writes until the connection is to be closed.
    async fn exchange(&mut self, socket: &mut WebSocket) -> Close {
        let mut alarm = pin!(sleep_until(Instant::now()));
        loop {
            let next = self.pulse.next(self.is_timed());
            // To be woken too early does no harm, and putting the alarm off after every message would cost more.
            if next < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(next);
            }
            // Whoever has lost a message would be wrong about everything after it.
            if self.outbox.is_given_up() {
                return Close(close_code::POLICY, "too slow");
            }
            tokio::select! {
                // What happens seldom comes first, so that what happens often cannot keep it from happening.
                biased;
                () = &mut alarm => match self.pulse.beat(Instant::now(), self.is_timed()) {
                    Beat::Wait => {}
                    Beat::Ask => {
                        self.asked = Some(Instant::now());
                        if socket.send(Message::Ping(Vec::new().into())).await.is_err() {
                            return Close(close_code::AWAY, "gone");
                        }
                    }
                    Beat::FallSilent(silent_for) => {
                        let connection = self.id;
                        self.tell_tables(&Command::Silent { connection, silent_for }).await;
                    }
                    Beat::GiveUp => return Close(close_code::AWAY, "silent"),
                },
                Some(text) = self.waiting.recv() => {
                    if self.send_waiting(socket, text).await.is_err() {
                        return Close(close_code::AWAY, "gone");
                    }
                }
                message = socket.recv() => {
                    if self.pulse.hear(Instant::now()) {
                        self.tell_tables(&Command::Heard(self.id)).await;
                    }
                    match message {
                        None | Some(Ok(Message::Close(_))) => return Close(close_code::NORMAL, ""),
                        Some(Err(_)) => {
                            self.refuse(None, Refused::new(RefusalCode::TooLarge, "refused.too-large", [("n", (MAX_CLIENT_BYTES as u64).into())]));
                            return Close(close_code::SIZE, "malformed or too large");
                        }
                        Some(Ok(message)) => {
                            if let Err(close) = self.receive(message).await {
                                return close;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Whether clocks run at a table that it follows.
    fn is_timed(&self) -> bool {
        self.followed.iter().any(|followed| followed.is_timed.load(Ordering::Relaxed))
    }

    /// Tells the tables where clocks run something about this connection.
    async fn tell_tables(&self, command: &Command) {
        for followed in self.followed.iter().filter(|followed| followed.is_timed.load(Ordering::Relaxed)) {
            // A table that is no longer there does not wait for anybody.
            let _ = self.app.tables.tell(&followed.game, TaskCommand::Table(command.clone())).await;
        }
    }

    /// Sends `first` and all that waits behind it, such as a change and the acknowledgement of the move that led to it, at once. It fails
    /// if the browser takes too long to read, as every connection does.
    async fn send_waiting(&mut self, socket: &mut WebSocket, first: Utf8Bytes) -> Result<(), axum::Error> {
        let mut next = Some(first);
        while let Some(text) = next {
            socket.feed(Message::Text(text)).await?;
            next = self.waiting.try_recv().ok();
        }
        socket.flush().await
    }

    async fn receive(&mut self, message: Message) -> Result<(), Close> {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                return self.fault(None, Refused::plain(RefusalCode::Malformed, "refused.binary"));
            }
            Message::Pong(_) => {
                if let Some(asked) = self.asked.take() {
                    let millis = u32::try_from(asked.elapsed().as_millis()).unwrap_or(u32::MAX);
                    self.delay = millis;
                }
                return Ok(());
            }
            Message::Ping(_) | Message::Close(_) => return Ok(()),
        };
        if self.rate.check().is_err() {
            return self.fault(named(&text), Refused::plain(RefusalCode::TooFast, "refused.too-fast"));
        }
        if text.len() > MAX_CLIENT_BYTES {
            let most = MAX_CLIENT_BYTES as u64;
            let refused = Refused::new(RefusalCode::TooLarge, "refused.too-large", [("n", most.into())]);
            return self.fault(None, refused);
        }
        match serde_json::from_str::<ClientMessage>(&text) {
            Ok(message) => self.obey(message).await,
            Err(error) => {
                let refused = Refused::because(RefusalCode::Malformed, "refused.unknown-message", error);
                self.fault(named(&text), refused)
            }
        }
    }

    /// Refuses a message that no page of ours would send; too many of them close the connection.
    fn fault(&mut self, id: Option<String>, refused: Refused) -> Result<(), Close> {
        let (connection, address) = (self.id, self.address);
        self.app.refusals.note(address, |left_out| {
            let reason = excerpt(&refused.message.text);
            tracing::warn!(%address, connection, reason, left_out, "a message was refused");
        });
        self.refuse(id, refused);
        self.faults += 1;
        if self.faults > PATIENCE { Err(Close(close_code::POLICY, "too many faults")) } else { Ok(()) }
    }

    fn refuse(&self, id: Option<String>, refused: Refused) {
        self.outbox.refuse(id, refused);
    }

    async fn obey(&mut self, message: ClientMessage) -> Result<(), Close> {
        if let ClientMessage::Hello { protocol } = message {
            if protocol != PROTOCOL {
                self.refuse(None, Refused::plain(RefusalCode::Version, "refused.version"));
                return Err(Close(close_code::POLICY, "another version"));
            }
            self.is_greeted = true;
            return Ok(());
        }
        if !self.is_greeted {
            let reason = "the first one is hello";
            let refused = Refused::because(RefusalCode::Malformed, "refused.unknown-message", reason);
            let id = Some(message_id(&message)).filter(|id| is_message_id(id)).map(str::to_owned);
            return self.fault(id, refused);
        }
        let id = message_id(&message).to_owned();
        if !is_message_id(&id) {
            let most = MAX_MESSAGE_ID as u64;
            let refused = Refused::new(RefusalCode::Malformed, "refused.message-id", [("n", most.into())]);
            return self.fault(None, refused);
        }
        if let Err(refused) = self.carry_out(message, &id).await {
            self.refuse(Some(id), refused);
        }
        Ok(())
    }

    async fn carry_out(&mut self, message: ClientMessage, id: &str) -> Result<(), Refused> {
        let (from, id) = (self.id, id.to_owned());
        match message {
            ClientMessage::Hello { .. } => {}
            ClientMessage::Ping { .. } => {
                self.outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            ClientMessage::WatchLobbies { .. } => {
                self.app.tables.lobbies().follow(self.id, self.outbox.clone());
                self.outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            ClientMessage::UnwatchLobbies { .. } => {
                self.app.tables.lobbies().unfollow(self.id);
                self.outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            ClientMessage::WatchArena { tournament, .. } => {
                self.app.tables.arena().follow(self.id, self.outbox.clone(), tournament).await?;
                self.outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            ClientMessage::UnwatchArena { tournament, .. } => {
                self.app.tables.arena().following().unfollow(self.id, Some(&tournament));
                self.outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            ClientMessage::Watch { game, since, .. } => {
                let known = self.followed(&game).map(|followed| Arc::clone(&followed.is_timed));
                if known.is_none() && self.followed.len() >= FOLLOWED {
                    return Err(Refused::plain(RefusalCode::Limit, "refused.too-many-tables"));
                }
                let is_new = known.is_none();
                let is_timed = known.unwrap_or_default();
                self.app.tables.follow(&game, self.follower(&is_timed), id, since).await?;
                if is_new {
                    self.followed.push_back(Followed { game, is_timed });
                }
            }
            ClientMessage::Unwatch { game, .. } => {
                if let Some(index) = self.followed.iter().position(|known| known.game == game) {
                    self.followed.remove(index);
                    self.app.tables.leave(&game, from).await;
                }
                self.outbox.say(&ServerMessage::Ack { id, seq: None });
            }
            ClientMessage::Act { game, action, .. } => {
                let followed = self.followed(&game).ok_or_else(Refused::unknown_table)?;
                let follower = self.follower(&followed.is_timed);
                self.app.tables.act(&game, follower, id, action).await?;
            }
            message => {
                let delay = Millis(self.delay.into());
                if let Some((game, command)) = table_command(message, from, delay)? {
                    self.followed(&game).ok_or_else(Refused::unknown_table)?;
                    self.app.tables.tell(&game, TaskCommand::Table(command)).await?;
                }
            }
        }
        Ok(())
    }

    fn followed(&self, game: &str) -> Option<&Followed> {
        self.followed.iter().find(|followed| followed.game == game)
    }

    fn follower(&self, is_timed: &Arc<AtomicBool>) -> Follower {
        let (outbox, is_timed) = (self.outbox.clone(), Arc::clone(is_timed));
        Follower { id: self.id, requester: self.requester, outbox, is_timed }
    }
}
