//! All tables and lobbies: those that are in memory, and those that are stored.

mod claims;
mod deletion;
mod followed;
mod memory;
mod online;
mod quota;
mod statistics;

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};

use agon_erased::Games;
use agon_files::date_text;
use agon_match::{Match, Seat, Setup};
use agon_protocol::web::RefusalCode;
use agon_protocol::web::api::{TableList, TableSummary};
use agon_records::Record;
use tokio::sync::{Notify, oneshot};

use self::claims::Claims;
pub use self::followed::FollowedLimits;
use self::memory::TableMemory;
pub(crate) use self::quota::NEW_GAME_BYTES;
pub use self::quota::StoredLimits;
use self::quota::StoringPace;

use crate::arena::Arena;
use crate::bots::{Pool, Requester};
use crate::dates::Dates;
use crate::lobby::{Lobbies, LobbyCommand, LobbyLimits};
use crate::random;
use crate::store::{NewEvent, NewLine, NewTable, Store, StoreError, StoredLine, TableId, VisitorId};
use crate::table::journal::JournalError;
use crate::table::{TableHandle, TaskCommand, size_of, spawn, spectated};
use agon_messages::Refused;
use agon_messages::reasons;
use agon_table::chat::{self, Chat};
use agon_table::limits::{BotLimits, check_bot};
use agon_table::view::stored_text;
use agon_table::view::summary::{TableHeader, TableStatus};
use agon_table::{Command, HouseRules, Now, Opening, RunningClock, TableSettings, stored};

/// How many tables a list shows at once.
const LISTED: usize = 50;
/// How many games that are played elsewhere may be shown at once.
const SPECTATED_GAMES: usize = 300;
/// How many analyses may be under way for one address: a whole class may sit behind one.
const ADDRESS_ANALYSES: usize = 64;
const DAY: Duration = Duration::from_secs(24 * 3600);

/// What visitors may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// What they may ask of bots.
    pub bots: BotLimits,
    /// At how many tables of one browser bots may think at once.
    pub bot_games: usize,
    /// The same for all browsers at one address: a whole class may sit behind one.
    pub address_bot_games: usize,
    /// How many lobbies there may be, and for how long.
    pub lobbies: LobbyLimits,
    /// After how long a game that is played online, and in which nothing happens, is aborted.
    pub abandoned_after: Duration,
    /// What they may store.
    pub stored: StoredLimits,
    /// How much room the games that they follow may take.
    pub followed: FollowedLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bots: BotLimits::default(),
            bot_games: 4,
            address_bot_games: 256,
            lobbies: LobbyLimits::default(),
            abandoned_after: DAY * 30,
            stored: StoredLimits::default(),
            followed: FollowedLimits::default(),
        }
    }
}

/// All tables and lobbies: those in memory, and through the store those that nobody follows.
pub struct Tables {
    games: Games,
    store: Arc<dyn Store>,
    pool: Pool,
    limits: Limits,
    /// Those that are in memory.
    memory: Mutex<TableMemory>,
    /// Told when a clock begins to run without its table.
    clock_started: Notify,
    lobbies: Arc<Lobbies>,
    arena: Arc<Arena>,
    /// Held while a table is fetched from the store, so that none is there twice.
    fetching: tokio::sync::Mutex<()>,
    /// Held while a game that is played elsewhere is fetched.
    staging: tokio::sync::Mutex<()>,
    /// The tables at which bots may think.
    claims: Mutex<Claims>,
    /// For whom an analysis is under way.
    analysing: Mutex<Vec<Requester>>,
    is_stopping: AtomicBool,
    dates: Dates,
    /// When it was noted last which tables are in use.
    noted_in_use: AtomicU64,
    storing_pace: StoringPace,
    /// How many events were stored, for those who watch over the server. Looking the counter up for every move would cost more than
    /// counting.
    events: metrics::Counter,
}

impl Tables {
    /// The tables of `store`, at which `games` are played, with so many threads for their bots, and the tournaments of `arena`.
    pub fn new(
        games: Games,
        store: Arc<dyn Store>,
        limits: Limits,
        workers: usize,
        arena: Arc<Arena>,
        dates: Dates,
    ) -> Arc<Self> {
        Arc::new(Self {
            games,
            store,
            pool: Pool::new(workers),
            limits,
            memory: Mutex::default(),
            clock_started: Notify::new(),
            lobbies: Arc::default(),
            arena,
            staging: tokio::sync::Mutex::default(),
            fetching: tokio::sync::Mutex::default(),
            claims: Mutex::default(),
            analysing: Mutex::default(),
            is_stopping: AtomicBool::new(false),
            noted_in_use: AtomicU64::new(dates.date()),
            dates,
            storing_pace: StoringPace::default(),
            events: metrics::counter!("agon_events_total"),
        })
    }

    /// The date, in seconds since 1970. If the system's clock jumps, it does not.
    pub fn date(&self) -> u64 {
        self.dates.date()
    }

    /// What the server decides for all tables.
    fn house(&self) -> HouseRules {
        let Limits { bots, abandoned_after, .. } = self.limits;
        HouseRules { bots, abandoned_after, ..HouseRules::default() }
    }

    /// The games that are played here.
    pub fn games(&self) -> Games {
        self.games
    }

    /// Counts events that were stored.
    pub(crate) fn count_events(&self, count: usize) {
        self.events.increment(count as u64);
    }

    /// Where tables are kept.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The threads in which bots think.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// What visitors may use.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The lobbies.
    pub fn lobbies(&self) -> &Arc<Lobbies> {
        &self.lobbies
    }

    /// The tournaments.
    pub fn arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// How many tables are in memory.
    pub fn len(&self) -> usize {
        locked(&self.memory).handles.len()
    }

    /// Whether no table is in memory.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The table of this name.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub async fn table(self: &Arc<Self>, id: &str) -> Result<TableHandle, Refused> {
        if let Some(handle) = self.in_memory(id) {
            return Ok(handle);
        }
        if !random::is_name(id) {
            return self.spectate(id).await;
        }
        let _fetching = self.fetching.lock().await;
        if let Some(handle) = self.in_memory(id) {
            return Ok(handle);
        }
        Ok(self.seat(self.fetch(id).await?))
    }

    /// A stored table as it opens.
    async fn fetch(&self, id: &str) -> Result<Opening, Refused> {
        let stored = self.store.load(id.to_owned()).await.map_err(|error| unreadable(id, &error))?;
        let stored = stored.ok_or_else(Refused::unknown_table)?;
        let count = stored.events.len();
        let date = self.date();
        if date.saturating_sub(stored.last_opened) > DAY.as_secs() {
            // What cannot be noted now is noted the next time.
            let _ = self.store.note_opened(id.to_owned(), date).await;
        }
        let chat =
            self.store.chat(id.to_owned(), chat::KEPT).await.map_err(|error| unreadable(id, &error))?;
        let games = self.games;
        let replay = move || (stored::replay(games, &stored.events), stored);
        let replayed = tokio::task::spawn_blocking(replay).await;
        let (play, stored) = replayed.map_err(|error| unreadable(id, &error))?;
        let play = play.map_err(|error| unreadable(id, &error))?;
        let time = locked(&self.memory).wake(&id.to_owned());
        Ok(Opening {
            id: id.to_owned(),
            owner: stored.owner,
            created: stored.created,
            game: play,
            settings: serde_json::from_str(&stored.settings).unwrap_or_default(),
            messages: stored.messages,
            stored: count,
            chat: chat_of(chat),
            deadline: stored.deadline,
            time,
            house: self.house(),
            new_name: Box::new(random::name),
        })
    }

    /// A game of a tournament as a table.
    async fn spectate(self: &Arc<Self>, id: &str) -> Result<TableHandle, Refused> {
        let path = self.arena.journal(id).await.ok_or_else(Refused::unknown_table)?;
        let _staging = self.staging.lock().await;
        if let Some(handle) = self.in_memory(id) {
            return Ok(handle);
        }
        let is_spectated = |id: &&TableId| !random::is_name(id);
        if locked(&self.memory).handles.keys().filter(is_spectated).count() >= SPECTATED_GAMES {
            return Err(Refused::plain(RefusalCode::Limit, "refused.busy"));
        }
        let opened = spectated::spawn(Arc::clone(self), id.to_owned(), path).await;
        let handle = opened.map_err(|error| match error {
            JournalError::Empty => Refused::plain(RefusalCode::State, "refused.not-started"),
            error => {
                tracing::warn!(game = id, %error, "a game of a tournament cannot be shown");
                Refused::plain(RefusalCode::State, "refused.damaged-game")
            }
        })?;
        locked(&self.memory).handles.insert(id.to_owned(), handle.clone());
        Ok(handle)
    }

    fn in_memory(&self, id: &str) -> Option<TableHandle> {
        locked(&self.memory).handles.get(id).filter(|handle| !handle.is_closed()).cloned()
    }

    /// Starts the task of a table.
    fn seat(self: &Arc<Self>, opening: Opening) -> TableHandle {
        let (id, bytes) = (opening.id.clone(), size_of(&opening.game));
        let handle = spawn(Arc::clone(self), opening);
        locked(&self.memory).seat(id, handle.clone(), bytes);
        handle
    }

    /// Tells a table something, fetching it if need be.
    ///
    /// # Errors
    /// If there is no such table, or the server stops.
    pub async fn tell(self: &Arc<Self>, id: &str, command: TaskCommand) -> Result<(), Refused> {
        let mut command = command;
        // A table may end just when it is told something; then it is fetched again.
        for _ in 0..3 {
            if self.is_stopping.load(Ordering::Relaxed) {
                break;
            }
            match self.table(id).await?.send(command).await {
                Ok(()) => return Ok(()),
                Err(unsent) => command = unsent.0,
            }
        }
        Err(Refused::plain(RefusalCode::Stopping, "refused.stopping"))
    }

    /// Asks a table something.
    ///
    /// # Errors
    /// If there is no such table, or it does not answer.
    pub async fn ask<T>(
        self: &Arc<Self>,
        id: &str,
        question: impl FnOnce(oneshot::Sender<T>) -> TaskCommand,
    ) -> Result<T, Refused> {
        let (reply, answer) = oneshot::channel();
        self.tell(id, question(reply)).await?;
        answer.await.map_err(|_| Refused::plain(RefusalCode::Stopping, "refused.stopping"))
    }

    /// Forgets a table that is to end, unless it has been told something meanwhile; `clock` is the one that runs on without it.
    pub(crate) fn forget(
        &self,
        id: &TableId,
        clock: Option<RunningClock>,
        is_quiet: impl FnOnce() -> bool,
    ) -> bool {
        let mut memory = locked(&self.memory);
        let goes = is_quiet();
        if goes {
            memory.forget(id, clock);
            if clock.is_some() {
                self.clock_started.notify_one();
            }
        }
        goes
    }

    /// Notes by whom a table is followed, or that nobody does any more, and how much room it takes.
    pub(crate) fn note_followed(&self, id: &TableId, by: Option<Requester>, bytes: usize) {
        let mut memory = locked(&self.memory);
        if let Some(by) = by {
            return memory.follow(id, by, bytes);
        }
        for handle in memory.leave(id, bytes) {
            // One that is busy looks after itself.
            let _ = handle.try_send(TaskCommand::Retire);
        }
    }

    /// Fetches tables when clocks have run out that ran on without them, as long as this is awaited.
    pub async fn keep_time(self: &Arc<Self>) {
        loop {
            let next = locked(&self.memory).next_due().unwrap_or(DAY);
            tokio::select! {
                () = tokio::time::sleep(next) => {}
                () = self.clock_started.notified() => {}
            }
            let due = locked(&self.memory).due();
            for id in due {
                if self.tell(&id, TaskCommand::Table(Command::Tick)).await.is_err() {
                    // It cannot be read now. Whoever wants to see it finds its clock standing.
                    let _ = locked(&self.memory).wake(&id);
                }
            }
        }
    }

    /// Opens a table for a browser.
    ///
    /// # Errors
    /// If anything about it does not hold, or it cannot be stored.
    pub async fn open(
        self: &Arc<Self>,
        by: Requester,
        play: Match,
        settings: TableSettings,
        is_upload: bool,
    ) -> Result<TableId, Refused> {
        let owner = by.visitor;
        let has_bots = play.boards().iter().flat_map(|game| game.seats()).any(|seat| !seat.is_person());
        if has_bots
            && !play.is_over()
            && let Some(refused) = locked(&self.claims).refuses(by, &self.limits)
        {
            return Err(refused);
        }
        self.check_room(by).await?;
        let id = random::name();
        let origin = Origin { address: Some(by.address), is_upload, ..Origin::default() };
        self.create(id.clone(), owner, play, settings, origin).await?;
        Ok(id)
    }

    /// Refuses to store another game if there is no room for it.
    ///
    /// # Errors
    /// If there is none for the browser, the address or the whole server, or if what is stored cannot be counted.
    pub async fn check_room(&self, by: Requester) -> Result<(), Refused> {
        let used = self.store.usage(by.visitor, by.address.to_string()).await?;
        self.limits.stored.check(&used)
    }

    /// Counts so many bytes that somebody wants to have stored.
    ///
    /// # Errors
    /// If much has been stored from their address, until when they have to wait.
    pub fn count_stored(&self, by: Requester, bytes: usize) -> Result<(), Refused> {
        self.storing_pace.count(by.address, bytes)
    }

    /// Stores a new table, which is fetched when somebody wants to see it.
    async fn create(
        self: &Arc<Self>,
        id: TableId,
        owner: VisitorId,
        play: Match,
        settings: TableSettings,
        origin: Origin,
    ) -> Result<(), Refused> {
        let online = settings.online.as_ref();
        let name = online.map(|online| online.name.as_str());
        let created = self.date();
        let now = Now { monotonic: Duration::ZERO, seconds: created };
        let deadline = online.map(|online| online.deadline(&self.house(), now));
        let new = NewTable {
            id: id.clone(),
            owner,
            created,
            mode: stored::mode(&play),
            settings: stored_text(&settings),
            head: stored_text(&TableHeader::of(&play, name)),
            status: stored_text(&TableStatus::of(&play)),
            over: play.is_over(),
            events: play
                .events(0)
                .map(|event| NewEvent {
                    schema: agon_match::SCHEMA,
                    message: None,
                    body: stored_text(&event),
                })
                .collect(),
            holders: online.map(|online| online.holders().collect()),
            lines: origin.lines,
            key: origin.key.as_deref().map(random::hash),
            deadline,
            address: origin.address.map(|address| address.to_string()),
            uploaded: origin.is_upload,
        };
        let stored = self.store.create(new);
        stored.await.map_err(|error| {
            tracing::warn!(%error, "a table could not be opened");
            Refused::storage()
        })?;
        metrics::counter!("agon_tables_total").increment(1);
        Ok(())
    }

    /// What a record is of, played on by the people of a browser: other people's programs are people here.
    ///
    /// # Errors
    /// If the record does not hold.
    pub fn read_record(&self, bytes: &[u8], name: &str) -> Result<Match, Refused> {
        let fail = |error: agon_records::RecordError| reasons::bad_record(self.games, bytes, &error);
        let record = Record::parse(bytes).map_err(fail)?;
        let rules = record.rules(self.games).map_err(fail)?;
        let adjust = |setup: &mut Setup| {
            for seat in &mut setup.seats {
                if check_bot(&*rules, &seat.occupant.to_string(), &self.limits.bots).is_err() {
                    *seat = Seat::person(name);
                }
            }
        };
        let now = agon_match::Millis::ZERO;
        record.to_match(self.games, now, adjust).map_err(fail)
    }

    /// The tables that a browser has opened or holds a seat at.
    ///
    /// # Errors
    /// If they cannot be read.
    pub async fn owned(self: &Arc<Self>, owner: VisitorId, skip: usize) -> Result<TableList, Refused> {
        let listed =
            self.store.owned(owner, skip, LISTED + 1).await.map_err(|error| unreadable("", &error))?;
        let more = listed.len() > LISTED;
        let mut tables = Vec::with_capacity(listed.len().min(LISTED));
        for listed in listed.into_iter().take(LISTED) {
            let date = |seconds: u64| date_text(UNIX_EPOCH + Duration::from_secs(seconds));
            let watchers = match self.in_memory(&listed.id) {
                Some(handle) => summary_of(&handle, owner).await.map_or(0, |summary| summary.watchers),
                None => 0,
            };
            let Ok(header) = serde_json::from_str::<TableHeader>(&listed.head) else { continue };
            let status: TableStatus = serde_json::from_str(&listed.status).unwrap_or_default();
            let is_online = header.is_online();
            let held = listed.held.unwrap_or_default();
            let rules = header.rules(self.games);
            let summary = header.summary(rules.as_deref(), status, |seat| !is_online || held.contains(&seat));
            tables.push(TableSummary {
                id: listed.id,
                created: date(listed.created),
                updated: date(listed.updated),
                watchers,
                ..summary
            });
        }
        Ok(TableList { games: tables, more })
    }

    /// The games that are being played for everybody to watch: those between bots, and those of public lobbies.
    pub async fn running(self: &Arc<Self>, visitor: VisitorId) -> TableList {
        let handles: Vec<TableHandle> = locked(&self.memory).handles.values().cloned().collect();
        let mut tables = Vec::new();
        for handle in handles {
            let Some(summary) = summary_of(&handle, visitor).await else { continue };
            let is_shown = summary.public || summary.seats.iter().all(|seat| !seat.person);
            if summary.end.is_none() && is_shown {
                tables.push(summary);
            }
        }
        tables.sort_by(|one, other| other.created.cmp(&one.created).then(one.id.cmp(&other.id)));
        let more = tables.len() > LISTED;
        tables.truncate(LISTED);
        TableList { games: tables, more }
    }

    /// Takes one of the places for games in which bots think for a browser and an address, and says whether there was one.
    pub(crate) fn claim(&self, by: Requester, table: &TableId) -> bool {
        locked(&self.claims).take(by, table, &self.limits)
    }

    /// Gives such a place back.
    pub(crate) fn release(&self, by: Requester, table: &TableId) {
        locked(&self.claims).give_back(by, table);
    }

    /// Begins an analysis for a browser, which has one at a time, as an address has only so many; it ends when what is returned is
    /// dropped.
    ///
    /// # Errors
    /// If one is under way.
    pub fn begin_analysis(self: &Arc<Self>, by: Requester) -> Result<Analysing, Refused> {
        let mut analysing = locked(&self.analysing);
        let of_address = analysing.iter().filter(|other| other.address == by.address).count();
        if analysing.iter().any(|other| other.visitor == by.visitor) || of_address >= ADDRESS_ANALYSES {
            return Err(Refused::plain(RefusalCode::Limit, "refused.one-analysis"));
        }
        analysing.push(by);
        Ok(Analysing { tables: Arc::clone(self), by })
    }

    /// Tells everybody that the server stops, and ends all tables.
    pub async fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        for handle in self.lobbies.handles() {
            let (done, ended) = oneshot::channel();
            if handle.send(LobbyCommand::Stop(done)).await.is_ok() {
                let _ = ended.await;
            }
        }
        let handles: Vec<TableHandle> =
            locked(&self.memory).handles.drain().map(|(_, handle)| handle).collect();
        for handle in handles {
            let (done, ended) = oneshot::channel();
            if handle.send(TaskCommand::Stop(done)).await.is_ok() {
                let _ = ended.await;
            }
        }
        self.arena.halt().await;
    }
}

/// Where a table comes from.
#[derive(Default)]
struct Origin {
    /// The address that it was opened from.
    address: Option<IpAddr>,
    /// Whether it is an uploaded record.
    is_upload: bool,
    /// The key of the lobby that it comes from.
    key: Option<String>,
    /// What was said before.
    lines: Vec<NewLine>,
}

/// An analysis that is under way.
pub struct Analysing {
    tables: Arc<Tables>,
    by: Requester,
}

impl Drop for Analysing {
    fn drop(&mut self) {
        locked(&self.tables.analysing).retain(|other| *other != self.by);
    }
}

async fn summary_of(handle: &TableHandle, visitor: VisitorId) -> Option<TableSummary> {
    let (reply, answer) = oneshot::channel();
    handle.send(TaskCommand::Summary(visitor, reply)).await.ok()?;
    answer.await.ok().map(|summary| *summary)
}

fn unreadable(table: &str, error: &dyn std::fmt::Display) -> Refused {
    tracing::error!(table, %error, "a table cannot be read");
    Refused::storage()
}

/// What has been said at a table or in a lobby, as it is stored.
fn chat_of(lines: Vec<StoredLine>) -> Chat {
    Chat::of(lines.into_iter().map(|StoredLine { message, body }| (message, body)))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl From<StoreError> for Refused {
    fn from(_: StoreError) -> Self {
        Self::storage()
    }
}
