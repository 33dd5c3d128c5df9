//! Lobbies, the games that they become, and the keys of links to both.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use agon_erased::Rules;
use agon_messages::Refused;
use agon_protocol::web::online::{Invitation, InvitationKind, LobbyState};
use agon_protocol::web::{ClientAction, RefusalCode};
use agon_table::chat::{self, Chat};
use agon_table::online::Start;
use agon_table::view::stored_text;
use agon_table::{Command, ConnectionId, TableSettings};
use tokio::sync::oneshot;

use super::quota::NEW_GAME_BYTES;
use super::{DAY, Origin, StoredLimits, Tables, chat_of, locked};
use crate::bots::Requester;
use crate::catalogue;
use crate::lobby::{self, Lobby, LobbyCommand};
use crate::random;
use crate::store::{StoreError, TableId, VisitorId};
use crate::table::{Follower, TaskCommand};

/// How many tables are looked after at once that nobody follows.
const SWEPT: usize = 1000;

impl Tables {
    /// Has a connection follow a lobby or a table.
    ///
    /// # Errors
    /// If there is neither, if there is no room for another table, or the server stops.
    pub async fn follow(
        self: &Arc<Self>,
        id: &str,
        connection: Follower,
        message: String,
        since: Option<u64>,
    ) -> Result<(), Refused> {
        if let Some(lobby) = self.lobbies.handle(id) {
            let join = LobbyCommand::Join { connection: connection.clone(), id: message.clone() };
            if lobby.send(join).await.is_ok() {
                return Ok(());
            }
        }
        // One that is played here has to be in memory to be counted.
        if random::is_name(id) {
            self.table(id).await?;
            locked(&self.memory).reserve(&id.to_owned(), connection.requester, &self.limits.followed)?;
        }
        self.tell(id, TaskCommand::Join { connection, id: message, since }).await
    }

    /// Has a connection follow a lobby or a table no longer.
    pub async fn leave(self: &Arc<Self>, id: &str, connection: ConnectionId) {
        if let Some(lobby) = self.lobbies.handle(id)
            && lobby.send(LobbyCommand::Leave(connection)).await.is_ok()
        {
            return;
        }
        // A table that is not there has nobody who follows it.
        let _ = self.tell(id, TaskCommand::Table(Command::Leave(connection))).await;
    }

    /// Has a connection do something in a lobby or at a table.
    ///
    /// # Errors
    /// If there is neither, or the server stops.
    pub async fn act(
        self: &Arc<Self>,
        id: &str,
        connection: Follower,
        message: String,
        action: ClientAction,
    ) -> Result<(), Refused> {
        if let Some(lobby) = self.lobbies.handle(id) {
            let (action, id) = (action.clone(), message.clone());
            let act = LobbyCommand::Act { connection: connection.clone(), id, action };
            if lobby.send(act).await.is_ok() {
                return Ok(());
            }
        }
        let is_for_lobbies =
            matches!(action, ClientAction::Sit { .. } | ClientAction::Leave | ClientAction::Remove { .. });
        let told = self
            .tell(id, TaskCommand::Table(Command::Act { from: connection.id, id: message, action }))
            .await;
        told.map_err(|refused| match refused.code {
            RefusalCode::Unknown if is_for_lobbies => Refused::lobby_gone(),
            _ => refused,
        })
    }

    /// Opens a lobby.
    ///
    /// # Errors
    /// If there are too many, its name is taken, there is no room for its game, or it cannot be stored.
    pub async fn open_lobby(self: &Arc<Self>, lobby: Lobby, rules: Arc<dyn Rules>) -> Result<(), Refused> {
        let by = Requester::new(lobby.address, lobby.host);
        self.check_room(by).await?;
        self.lobbies.reserve(&lobby, &self.limits.lobbies)?;
        if let Err(refused) = self.count_stored(by, NEW_GAME_BYTES) {
            self.lobbies.remove(&lobby.id);
            return Err(refused);
        }
        if let Err(error) = self.store.save_lobby(lobby.id.clone(), stored_text(&lobby)).await {
            tracing::warn!(%error, "a lobby could not be opened");
            self.lobbies.remove(&lobby.id);
            return Err(Refused::storage());
        }
        let id = lobby.id.clone();
        self.lobbies.set_handle(&id, lobby::spawn(Arc::clone(self), lobby, rules, Chat::default()));
        metrics::counter!("agon_lobbies_total").increment(1);
        Ok(())
    }

    /// Opens the lobbies again that were open when the server ended.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn restore_lobbies(self: &Arc<Self>) -> Result<(), StoreError> {
        for body in self.store.lobbies().await? {
            let Ok(lobby) = serde_json::from_str::<Lobby>(&body) else {
                tracing::error!("a lobby cannot be read");
                continue;
            };
            let Ok(rules) = catalogue::rules(self.games, &lobby.game, &lobby.options) else { continue };
            let chat = chat_of(self.store.chat(lobby.id.clone(), chat::KEPT).await?);
            self.lobbies.restore(&lobby);
            let id = lobby.id.clone();
            self.lobbies.set_handle(&id, lobby::spawn(Arc::clone(self), lobby, rules, chat));
        }
        Ok(())
    }

    /// A lobby as a visitor sees it.
    ///
    /// # Errors
    /// If it is gone, or its game has started.
    pub async fn lobby(self: &Arc<Self>, id: &str, visitor: VisitorId) -> Result<LobbyState, Refused> {
        if let Some(lobby) = self.lobbies.handle(id) {
            let (reply, answer) = oneshot::channel();
            if lobby.send(LobbyCommand::State(visitor, reply)).await.is_ok()
                && let Ok(state) = answer.await
            {
                return Ok(state);
            }
        }
        match self.table(id).await {
            Ok(_) => Err(Refused::plain(RefusalCode::Started, "refused.lobby-started")),
            Err(refused) if refused.code == RefusalCode::Unknown => Err(Refused::lobby_gone()),
            Err(refused) => Err(refused),
        }
    }

    /// Starts the next game of people at different browsers, which one at this address has asked for.
    ///
    /// # Errors
    /// If there is no room for it, or it cannot be set up or stored.
    pub async fn start_rematch(self: &Arc<Self>, start: Start, address: IpAddr) -> Result<(), Refused> {
        let by = Requester::new(address, start.owner);
        let said: usize = start.lines.iter().map(|line| line.body.len()).sum();
        self.check_room(by).await?;
        self.count_stored(by, NEW_GAME_BYTES + said)?;
        self.start_online(start, address).await
    }

    /// Starts a game of people at different browsers, which was opened from this address.
    ///
    /// # Errors
    /// If it cannot be set up or stored.
    pub async fn start_online(self: &Arc<Self>, start: Start, address: IpAddr) -> Result<(), Refused> {
        let settings = TableSettings { online: Some(start.online()), ..TableSettings::default() };
        let play = start.game(random::seed())?;
        let origin =
            Origin { address: Some(address), key: start.key, lines: start.lines, ..Origin::default() };
        self.create(start.id, start.owner, play, settings, origin).await
    }

    /// Looks after the games whose time is up at the moment `now`, in seconds since 1970, although nobody may follow them.
    pub async fn sweep(self: &Arc<Self>, now: u64) {
        let due = match self.store.due(now, SWEPT).await {
            Ok(due) => due,
            Err(error) => return tracing::warn!(%error, "games that are due cannot be read"),
        };
        for id in due {
            let _ = self.tell(&id, TaskCommand::Table(Command::Overdue(now))).await;
        }
        self.note_in_use(now).await;
        let StoredLimits { kept_days, uploads_kept_days, .. } = self.limits.stored;
        let ago = |days: u32| now.saturating_sub((DAY * days).as_secs());
        if let Err(error) = self.store.expire(ago(kept_days), ago(uploads_kept_days)).await {
            tracing::warn!(%error, "games that nobody opens cannot be deleted");
        }
    }

    /// Notes once a day, and whenever the date is another one, that what somebody follows is in use and does not go.
    async fn note_in_use(&self, now: u64) {
        if now.abs_diff(self.noted_in_use.load(Ordering::Relaxed)) < DAY.as_secs() {
            return;
        }
        self.noted_in_use.store(now, Ordering::Relaxed);
        let in_use = locked(&self.memory).followed();
        for id in in_use {
            if let Err(error) = self.store.note_opened(id, now).await {
                tracing::warn!(%error, "that games are in use cannot be noted");
            }
        }
    }

    /// What a key is good for. That of a lobby leads to its game once that has started.
    ///
    /// # Errors
    /// If it is good for nothing any more.
    pub async fn invitation(self: &Arc<Self>, key: &str, visitor: VisitorId) -> Result<Invitation, Refused> {
        if let Some(id) = self.lobbies.by_key(key) {
            match self.lobby(&id, visitor).await {
                Ok(state) => {
                    return Ok(Invitation { id, kind: InvitationKind::Lobby, name: state.lobby.name });
                }
                // It has started just now, and the store knows the key.
                Err(refused) if refused.code == RefusalCode::Started => {}
                Err(refused) => return Err(refused),
            }
        }
        let (id, seat) = self.link(key).await?;
        let state = self.ask(&id, |reply| TaskCommand::State(visitor, reply)).await?;
        let (kind, name) = match seat {
            Some(seat) => (InvitationKind::Seat, state.seats.get(seat).map(|seat| seat.name.clone())),
            None => (InvitationKind::Lobby, state.online.map(|online| online.name)),
        };
        Ok(Invitation { id, kind, name: name.unwrap_or_default() })
    }

    /// Moves the seat that a key is good for to a visitor's browser, and says of which game it is.
    ///
    /// # Errors
    /// If the key is good for nothing any more.
    pub async fn redeem(self: &Arc<Self>, key: &str, visitor: VisitorId) -> Result<TableId, Refused> {
        // A lobby is joined by sitting down.
        if let Some(id) = self.lobbies.by_key(key) {
            return Ok(id);
        }
        let (id, seat) = self.link(key).await?;
        let Some(seat) = seat else { return Ok(id) };
        let key = random::hash(key);
        self.ask(&id, |reply| TaskCommand::TakeSeat { seat, visitor, key, reply }).await??;
        Ok(id)
    }

    async fn link(&self, key: &str) -> Result<(TableId, Option<usize>), Refused> {
        let found = if random::is_name(key) { self.store.link(random::hash(key)).await? } else { None };
        found.ok_or_else(|| Refused::plain(RefusalCode::Gone, "refused.key"))
    }
}
