//! What a server is to a page, in a tab: connections, tables that are loaded when somebody wants to see them, requests, bots.
//!
//! Everything happens in the order in which it comes. Where something has to be waited for, a table to be loaded or an event to be stored,
//! what concerns that table waits behind it, and everything else goes on.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use agon_core::Rng;
use agon_core::random::{RandomSource, SeedableRng};
use agon_erased::Games;
use agon_match::Millis;
use agon_messages::Refused;
use agon_protocol::web::{
    ClientMessage, MAX_CLIENT_BYTES, MAX_MESSAGE_ID, PROTOCOL, RefusalCode, ServerMessage,
};
use agon_requests::ids::{LETTERS, letters};
use agon_requests::messages::{is_message_id, message_id, named, table_command};
use agon_table::chat::Chat;
use agon_table::{
    BotNews, Command, Follower, HouseRules, Now, Opening, StoreFailure, Table, TableId, VisitorId, stored,
};

use crate::engine::limits;
use crate::seated::{Seated, Work};
use crate::wire::{Incoming, News, NewsKind, Outgoing, Question, Reply, StoredTable, millis};

/// Whoever sits at this browser.
pub(crate) const OWNER: VisitorId = [1; 32];
/// The network between a page and its own worker takes no time.
const NO_DELAY: Millis = Millis(0);

/// Tables of one tab, and those who follow them.
pub struct Tab {
    games: Games,
    pub(crate) around: Around,
    tables: BTreeMap<TableId, Slot>,
    connections: BTreeMap<u64, Connection>,
    /// The tables that are being loaded.
    loads: BTreeMap<u64, TableId>,
    /// The requests that wait for the list of stored tables, and the game that they are about.
    pub(crate) listings: BTreeMap<u64, (u64, String)>,
    /// Requests that wait for something to be stored, with their answers.
    pub(crate) replies: BTreeMap<u64, (u64, u16, String)>,
}

/// What tables share.
pub(crate) struct Around {
    pub(crate) out: Vec<Outgoing>,
    pub(crate) house: HouseRules,
    /// Which table each thing that is being stored belongs to.
    pub(crate) stores: BTreeMap<u64, TableId>,
    pub(crate) rng: Rng,
    questions: BTreeMap<u64, Origin>,
    build: String,
    last_number: u64,
    told_wake: Option<Duration>,
}

/// Who has asked the engine something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A table, for one of its bots.
    Bot {
        /// The table.
        table: TableId,
        /// Its own number of the question.
        number: u64,
    },
    /// A request of a page.
    Request(u64),
}

/// A table that somebody wants to see.
enum Slot {
    /// It is being loaded, and this waits for it.
    Loading(VecDeque<Work>),
    /// It is in memory.
    Seated(Box<Seated>),
}

/// A page.
#[derive(Default)]
struct Connection {
    is_greeted: bool,
    followed: Vec<TableId>,
}

impl Around {
    /// A number that nothing else has.
    pub(crate) fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// A name that nobody can guess.
    pub(crate) fn new_name(&mut self) -> String {
        let mut bytes = [0; LETTERS];
        self.rng.fill_bytes(&mut bytes);
        letters(&bytes)
    }

    pub(crate) fn tell(&mut self, to: Vec<u64>, message: &ServerMessage) {
        // Only numbers that JSON does not know could fail, and they are left out where they arise.
        if let Ok(text) = serde_json::to_string(message) {
            self.out.push(Outgoing::Tell { to, text });
        }
    }

    fn refuse(&mut self, to: u64, id: Option<String>, refused: Refused) {
        let Refused { code, message, field } = refused;
        self.tell(vec![to], &ServerMessage::Error { id, code, message, field });
    }

    fn acknowledge(&mut self, to: u64, id: String) {
        self.tell(vec![to], &ServerMessage::Ack { id, seq: None });
    }

    pub(crate) fn ask(&mut self, origin: Origin, weights: bool, question: Question) {
        let number = self.number();
        self.questions.insert(number, origin);
        self.out.push(Outgoing::Ask { number, weights, question: Box::new(question) });
    }

    pub(crate) fn cancel(&mut self, table: &TableId, number: u64) {
        let wanted = Origin::Bot { table: table.clone(), number };
        let known = self.questions.iter().find(|(_, origin)| **origin == wanted).map(|(number, _)| *number);
        if let Some(number) = known {
            self.questions.remove(&number);
            self.out.push(Outgoing::Cancel { number });
        }
    }

    /// Answers a request.
    pub(crate) fn reply(&mut self, request: u64, status: u16, body: String) {
        let content_type = "application/json";
        self.out.push(Outgoing::Reply(Reply { request, status, content_type, body, filename: None }));
    }
}

impl Tab {
    /// A tab in which `games` are played. Nothing happens before its first message.
    pub fn new(games: Games) -> Self {
        let around = Around {
            out: Vec::new(),
            house: HouseRules::default(),
            stores: BTreeMap::new(),
            rng: Rng::seed_from_u64(0),
            questions: BTreeMap::new(),
            build: String::new(),
            last_number: 0,
            told_wake: None,
        };
        Self {
            games,
            around,
            tables: BTreeMap::new(),
            connections: BTreeMap::new(),
            loads: BTreeMap::new(),
            listings: BTreeMap::new(),
            replies: BTreeMap::new(),
        }
    }

    /// The games that are played.
    pub(crate) fn games(&self) -> Games {
        self.games
    }

    /// Does what a message in JSON says at a moment, in milliseconds of the worker's clock and in seconds since 1970, and gives what is to
    /// be done, as JSON, in its order. What cannot be read is ignored: only a worker of another build would say it.
    pub fn handle(&mut self, message: &[u8], now: f64, date: f64) -> Vec<u8> {
        let now = Now { monotonic: millis(now), seconds: date.max(0.0) as u64 };
        if let Ok(message) = serde_json::from_slice(message) {
            self.obey(message, now);
        }
        self.tell_wake(now);
        let out = std::mem::take(&mut self.around.out);
        serde_json::to_vec(&out).unwrap_or_else(|_| b"[]".to_vec())
    }

    fn obey(&mut self, message: Incoming, now: Now) {
        match message {
            Incoming::Open { random, build, memory } => {
                self.around.rng = Rng::from_seed(seed_of(&random));
                self.around.build = build;
                self.around.house.bots = limits(memory);
            }
            Incoming::Connect { connection } => {
                self.connections.insert(connection, Connection::default());
                let build = self.around.build.clone();
                self.around.tell(vec![connection], &ServerMessage::Welcome { protocol: PROTOCOL, build });
            }
            Incoming::Disconnect { connection } => {
                for table in self.connections.remove(&connection).unwrap_or_default().followed {
                    self.leave(&table, connection, now);
                }
            }
            Incoming::Message { connection, text } => self.receive(connection, &text, now),
            Incoming::Request(request) => self.request(request, now),
            Incoming::Stored { number } => self.note_stored(number, Ok(()), now),
            Incoming::StoreFailed { number, conflict } => {
                let failure = if conflict { StoreFailure::Conflict } else { StoreFailure::Unavailable };
                self.note_stored(number, Err(failure), now);
            }
            Incoming::Loaded { number, table } => self.note_loaded(number, table, now),
            Incoming::Rows { number, rows } => self.answer_statistics(number, &rows),
            Incoming::News { news } => self.hear(news, now),
            Incoming::Tick => {
                // Another moment has to be named in any case.
                self.around.told_wake = None;
                let due = |slot: &Slot| match slot {
                    Slot::Seated(seated) => seated.wake.is_some_and(|wake| wake <= now.monotonic),
                    Slot::Loading(_) => false,
                };
                let due: Vec<TableId> =
                    self.tables.iter().filter(|(_, slot)| due(slot)).map(|(id, _)| id.clone()).collect();
                for id in due {
                    if let Some(Slot::Seated(seated)) = self.tables.get_mut(&id) {
                        seated.wake = None;
                    }
                    self.work(&id, Work::Command(Command::Tick), now);
                }
            }
        }
    }

    /// Names the moment at which time is to pass, if it is another than before.
    fn tell_wake(&mut self, now: Now) {
        let moments = self.tables.values().filter_map(|slot| match slot {
            Slot::Seated(seated) => seated.wake,
            Slot::Loading(_) => None,
        });
        let next = moments.min().map(|moment| moment.max(now.monotonic));
        if next.is_some() && next != self.around.told_wake {
            self.around.told_wake = next;
            let at = next.unwrap_or_default().as_secs_f64() * 1000.0;
            self.around.out.push(Outgoing::Wake { at });
        }
    }

    /// Hears what a page says, as a server would over a WebSocket.
    fn receive(&mut self, from: u64, text: &str, now: Now) {
        let Some(connection) = self.connections.get_mut(&from) else { return };
        let malformed = |key, reason: String| Refused::because(RefusalCode::Malformed, key, reason);
        if text.len() > MAX_CLIENT_BYTES {
            let most = ("n", (MAX_CLIENT_BYTES as u64).into());
            let refused = Refused::new(RefusalCode::TooLarge, "refused.too-large", [most]);
            return self.around.refuse(from, None, refused);
        }
        let message = match serde_json::from_str::<ClientMessage>(text) {
            Ok(message) => message,
            Err(error) => {
                let refused = malformed("refused.unknown-message", error.to_string());
                return self.around.refuse(from, named(text), refused);
            }
        };
        if let ClientMessage::Hello { protocol } = message {
            connection.is_greeted = protocol == PROTOCOL;
            if !connection.is_greeted {
                self.around.refuse(from, None, Refused::plain(RefusalCode::Version, "refused.version"));
            }
            return;
        }
        let id = message_id(&message).to_owned();
        if !is_message_id(&id) {
            let most = ("n", (MAX_MESSAGE_ID as u64).into());
            let refused = Refused::new(RefusalCode::Malformed, "refused.message-id", [most]);
            return self.around.refuse(from, None, refused);
        }
        let done = if connection.is_greeted {
            self.carry_out(from, message, &id, now)
        } else {
            Err(malformed("refused.unknown-message", "the first one is hello".to_owned()))
        };
        if let Err(refused) = done {
            self.around.refuse(from, Some(id), refused);
        }
    }

    fn carry_out(&mut self, from: u64, message: ClientMessage, id: &str, now: Now) -> Result<(), Refused> {
        let followed = self.connections.get_mut(&from).map(|connection| &mut connection.followed);
        let Some(followed) = followed else { return Ok(()) };
        let (game, command) = match message {
            ClientMessage::Ping { id } => {
                self.around.acknowledge(from, id);
                return Ok(());
            }
            ClientMessage::Watch { id, game, since } => {
                let is_new = !followed.contains(&game);
                if is_new {
                    followed.push(game.clone());
                }
                let follower = Follower { id: from, visitor: OWNER };
                self.follow(&game, usize::from(is_new), Command::Join { follower, id, since }, now);
                return Ok(());
            }
            ClientMessage::Unwatch { id, game } => {
                if let Some(index) = followed.iter().position(|known| *known == game) {
                    followed.remove(index);
                    self.leave(&game, from, now);
                }
                self.around.acknowledge(from, id);
                return Ok(());
            }
            ClientMessage::Act { id, game, action } => (game, Command::Act { from, id, action }),
            message => match table_command(message, from, NO_DELAY)? {
                Some(command) => command,
                None => {
                    let refused = Refused::plain(RefusalCode::Disabled, "refused.path");
                    self.around.refuse(from, Some(id.to_owned()), refused);
                    return Ok(());
                }
            },
        };
        if !followed.contains(&game) {
            return Err(Refused::unknown_table());
        }
        self.work(&game, Work::Command(command), now);
        Ok(())
    }

    fn follow(&mut self, game: &TableId, count: usize, command: Command, now: Now) {
        self.work(game, Work::Command(command), now);
        if let Some(Slot::Seated(seated)) = self.tables.get_mut(game) {
            seated.followers += count;
        }
    }

    fn leave(&mut self, game: &TableId, from: u64, now: Now) {
        if self.tables.contains_key(game) {
            if let Some(Slot::Seated(seated)) = self.tables.get_mut(game) {
                seated.followers = seated.followers.saturating_sub(1);
            }
            self.work(game, Work::Command(Command::Leave(from)), now);
        }
    }

    /// Has a table do something, loading it if need be.
    pub(crate) fn work(&mut self, id: &TableId, work: Work, now: Now) {
        match self.tables.get_mut(id) {
            Some(Slot::Seated(seated)) => {
                seated.ask(work);
                self.advance(id, now);
            }
            Some(Slot::Loading(waiting)) => waiting.push_back(work),
            None => {
                let number = self.around.number();
                self.loads.insert(number, id.clone());
                self.tables.insert(id.clone(), Slot::Loading([work].into()));
                self.around.out.push(Outgoing::Load { number, table: id.clone() });
            }
        }
    }

    /// Has a table go on, answers what was asked of it, and lets it leave memory once nobody would miss it.
    fn advance(&mut self, id: &TableId, now: Now) {
        loop {
            let Some(Slot::Seated(seated)) = self.tables.get_mut(id) else { return };
            let Some((request, asking)) = seated.advance(&mut self.around, now) else { break };
            let answer = self.answer_about(id, request, asking, now);
            if let Err(refused) = answer {
                self.refuse_request(request, refused);
            }
        }
        if matches!(self.tables.get(id), Some(Slot::Seated(seated)) if seated.is_idle(now)) {
            self.tables.remove(id);
        }
    }

    /// A table that is in memory.
    pub(crate) fn seated(&self, id: &TableId) -> Option<&Seated> {
        match self.tables.get(id) {
            Some(Slot::Seated(seated)) => Some(seated),
            Some(Slot::Loading(_)) | None => None,
        }
    }

    /// Forgets a table.
    pub(crate) fn forget(&mut self, id: &TableId) {
        self.tables.remove(id);
        for connection in self.connections.values_mut() {
            connection.followed.retain(|followed| followed != id);
        }
    }

    fn note_stored(&mut self, number: u64, done: Result<(), StoreFailure>, now: Now) {
        if let Some((request, status, body)) = self.replies.remove(&number) {
            match done {
                Ok(()) => self.around.reply(request, status, body),
                Err(_) => self.refuse_request(request, Refused::storage()),
            }
        }
        let Some(id) = self.around.stores.remove(&number) else { return };
        if let Some(Slot::Seated(seated)) = self.tables.get_mut(&id) {
            seated.note_stored(done, now);
            self.advance(&id, now);
        }
    }

    fn note_loaded(&mut self, number: u64, table: Option<StoredTable>, now: Now) {
        let Some(id) = self.loads.remove(&number) else { return };
        let Some(Slot::Loading(waiting)) = self.tables.remove(&id) else { return };
        match table.ok_or_else(Refused::unknown_table).and_then(|table| self.opening(&id, table)) {
            Ok(opening) => {
                let created = opening.created;
                let (table, first) = Table::open(opening, now);
                let mut seated = Seated::new(table, created, first);
                waiting.into_iter().for_each(|work| seated.ask(work));
                let follows = |connection: &&Connection| connection.followed.contains(&id);
                seated.followers = self.connections.values().filter(follows).count();
                self.tables.insert(id.clone(), Slot::Seated(Box::new(seated)));
                self.advance(&id, now);
            }
            Err(refused) => {
                for connection in self.connections.values_mut() {
                    connection.followed.retain(|followed| *followed != id);
                }
                waiting.into_iter().for_each(|work| self.refuse_work(work, refused.clone()));
            }
        }
    }

    /// A stored table as it opens.
    fn opening(&mut self, id: &TableId, table: StoredTable) -> Result<Opening, Refused> {
        let StoredTable { row, settings, events } = table;
        let messages = events.iter().zip(1..).filter_map(|(event, seq)| Some((event.message.clone()?, seq)));
        let messages = messages.collect();
        let bodies: Vec<String> = events.into_iter().map(|event| event.body).collect();
        let damaged = |_| Refused::plain(RefusalCode::State, "refused.damaged-game");
        let game = stored::replay(self.games, &bodies).map_err(damaged)?;
        let mut rng = Rng::seed_from_u64(self.around.rng.next_u64());
        Ok(Opening {
            id: id.clone(),
            owner: OWNER,
            created: row.created,
            game,
            settings: serde_json::from_str(&settings).unwrap_or_default(),
            messages,
            stored: bodies.len(),
            chat: Chat::default(),
            deadline: None,
            // Nobody was there: its clocks have stood.
            time: None,
            house: self.around.house,
            new_name: Box::new(move || {
                let mut bytes = [0; LETTERS];
                rng.fill_bytes(&mut bytes);
                letters(&bytes)
            }),
        })
    }

    fn refuse_work(&mut self, work: Work, refused: Refused) {
        match work {
            Work::Request(request, _) => self.refuse_request(request, refused),
            Work::Command(
                Command::Join { follower: Follower { id: from, .. }, id, .. }
                | Command::Move { from, id, .. }
                | Command::Act { from, id, .. }
                | Command::Ask { from, id, .. },
            ) => self.around.refuse(from, Some(id), refused),
            Work::Command(_) => {}
        }
    }

    /// Hears what the engine says.
    fn hear(&mut self, news: News, now: Now) {
        let News { number, what } = news;
        let is_last = !matches!(what, NewsKind::Thought(_));
        let questions = &mut self.around.questions;
        let origin = if is_last { questions.remove(&number) } else { questions.get(&number).cloned() };
        match (origin, what) {
            (Some(Origin::Request(request)), NewsKind::Reply(status, body)) => {
                self.around.reply(request, status, body);
            }
            (Some(Origin::Request(request)), NewsKind::Failed(reason)) => {
                let refused = Refused::because(RefusalCode::State, "refused.analysis", reason);
                self.refuse_request(request, refused);
            }
            (Some(Origin::Bot { table, number }), what) => {
                let news = match what {
                    NewsKind::Thought(thought) => BotNews::Thought(thought.into()),
                    NewsKind::Answer(thought, spent) => BotNews::Answer(thought.into(), millis(spent)),
                    NewsKind::Failed(reason) => BotNews::Failed(reason),
                    NewsKind::Reply(..) => return,
                };
                if let Some(Slot::Seated(seated)) = self.tables.get_mut(&table) {
                    seated.hear_bot(number, news);
                    self.advance(&table, now);
                }
            }
            _ => {}
        }
    }
}

/// What hexadecimal digits stand for; whatever else is there counts as 0.
fn seed_of(digits: &str) -> [u8; 32] {
    let mut seed = [0; 32];
    for (index, digit) in digits.chars().take(64).enumerate() {
        let value = digit.to_digit(16).unwrap_or(0) as u8;
        seed[index / 2] |= if index % 2 == 0 { value << 4 } else { value };
    }
    seed
}
