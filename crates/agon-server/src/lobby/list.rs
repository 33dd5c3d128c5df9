//! The list of open lobbies, and those who follow it.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_messages::Refused;
use agon_messages::names::{self, Looks};
use agon_protocol::web::online::{LobbyInfo, LobbyList};
use agon_protocol::web::{RefusalCode, ServerMessage};
use agon_table::ConnectionId;

use super::{Lobby, LobbyHandle};
use crate::store::VisitorId;
use crate::table::{Outbox, message_text};

/// Changes that come within this time are told together.
const GATHER: Duration = Duration::from_millis(20);
/// How many lobbies are told in one message.
const CHUNK: usize = 50;
/// How many lobbies those are told of who begin to follow the list: more than anybody reads, and few enough to be sent at once.
const TOLD: usize = 2000;
/// How many lobbies a request is answered with.
const LISTED: usize = 200;

/// How many lobbies there may be, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct LobbyLimits {
    /// In all.
    pub total: usize,
    /// Opened from one address: a whole class may sit behind one.
    pub per_address: usize,
    /// Opened by one browser.
    pub per_browser: usize,
    /// How long seats are kept for those who are away from a private lobby, or alone in a public one.
    pub wait: Duration,
}

impl Default for LobbyLimits {
    fn default() -> Self {
        Self { total: 10_000, per_address: 300, per_browser: 10, wait: Duration::from_secs(15 * 60) }
    }
}

/// All open lobbies.
#[derive(Default)]
pub struct Lobbies {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    open: HashMap<String, Entry>,
    /// The lobby that each key leads to.
    keys: HashMap<String, String>,
    viewers: HashMap<ConnectionId, Outbox>,
    /// Lobbies whose change has not been told yet.
    changed: HashSet<String>,
    gone: HashSet<String>,
    /// Whether a task waits to tell them.
    is_gathering: bool,
}

struct Entry {
    /// How to reach it; `None` while it is being opened.
    handle: Option<LobbyHandle>,
    /// As it was last shown; `None` until then, and if it is not listed.
    info: Option<LobbyInfo>,
    looks: Looks,
    is_public: bool,
    key: String,
    host: VisitorId,
    address: IpAddr,
}

impl Lobbies {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.inner().open.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps a place, and the name, for a lobby that is about to be opened.
    ///
    /// # Errors
    /// If its name is taken, or there are too many.
    pub fn reserve(&self, lobby: &Lobby, limits: &LobbyLimits) -> Result<(), Refused> {
        let mut inner = self.inner();
        let looks = Looks::of(&lobby.name);
        // Lobbies that are not listed cannot be taken for others.
        let listed = inner.open.values().filter(|known| known.is_public);
        let all: Vec<Looks> = listed.map(|known| known.looks.clone()).collect();
        if lobby.terms.public && all.iter().any(|known| known.resemble(&looks)) {
            return Err(names::taken(&lobby.name, all.iter()));
        }
        let opened =
            |is_same: &dyn Fn(&Entry) -> bool| inner.open.values().filter(|known| is_same(known)).count();
        let bounds = [
            (inner.open.len(), limits.total),
            (opened(&|known| known.address == lobby.address), limits.per_address),
            (opened(&|known| known.host == lobby.host), limits.per_browser),
        ];
        if let Some((_, most)) = bounds.into_iter().find(|(count, most)| count >= most) {
            let most = ("n", (most as u64).into());
            return Err(Refused::new(RefusalCode::Limit, "refused.too-many-lobbies", [most]));
        }
        inner.insert(lobby, looks);
        Ok(())
    }

    /// Enters a lobby that was open before the server was started again.
    pub fn restore(&self, lobby: &Lobby) {
        self.inner().insert(lobby, Looks::of(&lobby.name));
    }

    /// Says how a lobby is reached.
    pub fn set_handle(&self, id: &str, handle: LobbyHandle) {
        if let Some(entry) = self.inner().open.get_mut(id) {
            entry.handle = Some(handle);
        }
    }

    /// How a lobby is reached.
    pub fn handle(&self, id: &str) -> Option<LobbyHandle> {
        self.inner().open.get(id)?.handle.clone()
    }

    /// All handles.
    pub fn handles(&self) -> Vec<LobbyHandle> {
        self.inner().open.values().filter_map(|entry| entry.handle.clone()).collect()
    }

    /// The lobby that a key leads to.
    pub fn by_key(&self, key: &str) -> Option<String> {
        self.inner().keys.get(key).cloned()
    }

    /// Shows a lobby as it is now. Those that are not public are not listed.
    pub fn show(self: &Arc<Self>, lobby: &Lobby, info: LobbyInfo) {
        let mut inner = self.inner();
        let Some(entry) = inner.open.get_mut(&lobby.id) else { return };
        entry.host = lobby.host;
        if !lobby.terms.public || entry.info.as_ref() == Some(&info) {
            return;
        }
        entry.info = Some(info);
        inner.changed.insert(lobby.id.clone());
        self.gather(inner);
    }

    /// Forgets a lobby that has closed or started.
    pub fn remove(self: &Arc<Self>, id: &str) {
        let mut inner = self.inner();
        let Some(entry) = inner.open.remove(id) else { return };
        inner.keys.remove(&entry.key);
        inner.changed.remove(id);
        if entry.info.is_some() {
            inner.gone.insert(id.to_owned());
            self.gather(inner);
        }
    }

    /// The lobbies that can be joined, the newest first.
    pub fn list(&self, game: Option<&str>) -> LobbyList {
        let mut lobbies = self.inner().newest(game, LISTED + 1);
        let more = lobbies.len() > LISTED;
        lobbies.truncate(LISTED);
        LobbyList { lobbies, more }
    }

    /// Tells a connection of all lobbies, and of every change from now on.
    pub fn follow(&self, connection: ConnectionId, outbox: Outbox) {
        let mut inner = self.inner();
        let all = inner.newest(None, TOLD);
        let mut chunks = all.chunks(CHUNK);
        let message = |reset: bool, lobbies: &[LobbyInfo]| ServerMessage::Lobbies {
            reset,
            lobbies: lobbies.to_vec(),
            gone: Vec::new(),
        };
        outbox.say(&message(true, chunks.next().unwrap_or_default()));
        chunks.for_each(|chunk| outbox.say(&message(false, chunk)));
        inner.viewers.insert(connection, outbox);
    }

    /// Tells a connection no more.
    pub fn unfollow(&self, connection: ConnectionId) {
        self.inner().viewers.remove(&connection);
    }

    /// Has what was changed told in a moment, together with what changes until then.
    fn gather(self: &Arc<Self>, mut inner: MutexGuard<'_, Inner>) {
        if inner.is_gathering {
            return;
        }
        inner.is_gathering = true;
        let lobbies = Arc::clone(self);
        tokio::spawn(async move {
            tokio::time::sleep(GATHER).await;
            lobbies.tell();
        });
    }

    fn tell(&self) {
        let mut inner = self.inner();
        inner.is_gathering = false;
        let changed = std::mem::take(&mut inner.changed);
        let lobbies = changed.iter().filter_map(|id| inner.open.get(id)?.info.clone()).collect();
        let gone = std::mem::take(&mut inner.gone).into_iter().collect();
        let Some(text) = message_text(&ServerMessage::Lobbies { reset: false, lobbies, gone }) else {
            return;
        };
        for outbox in inner.viewers.values() {
            outbox.send(text.clone());
        }
    }
}

impl Inner {
    /// The lobbies that are listed, those of one game or all, the newest first.
    fn newest(&self, game: Option<&str>, most: usize) -> Vec<LobbyInfo> {
        let is_asked_for = |info: &&LobbyInfo| game.is_none_or(|game| info.game == game);
        let listed = self.open.values().filter_map(|entry| entry.info.as_ref());
        let mut lobbies: Vec<LobbyInfo> = listed.filter(is_asked_for).cloned().collect();
        lobbies.sort_by(|one, other| other.created.cmp(&one.created).then_with(|| one.id.cmp(&other.id)));
        lobbies.truncate(most);
        lobbies
    }

    fn insert(&mut self, lobby: &Lobby, looks: Looks) {
        let entry = Entry {
            handle: None,
            info: None,
            looks,
            is_public: lobby.terms.public,
            key: lobby.key.clone(),
            host: lobby.host,
            address: lobby.address,
        };
        self.keys.insert(lobby.key.clone(), lobby.id.clone());
        self.open.insert(lobby.id.clone(), entry);
    }
}
