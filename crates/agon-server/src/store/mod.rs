//! Where tables are kept. Everything else knows only the trait [`Store`]; SQL is spoken in [`sqlite`] alone.

pub mod sqlite;

use std::future::Future;
use std::pin::Pin;

use agon_protocol::web::TableMode;
pub use agon_table::{Append, Change, KeyChange, KeyHash, NewEvent, NewLine, TableId, VisitorId, Write};

/// An answer that comes later.
pub type Later<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Where tables are kept. What is stored survives the end of the process the moment the answer has come; the end of a game
/// survives a failure of power too.
pub trait Store: Send + Sync {
    /// Stores a new table with its first events.
    fn create(&self, table: NewTable) -> Later<()>;

    /// Stores what has happened at a table or in a lobby, all of it or nothing.
    fn write(&self, write: Write) -> Later<()>;

    /// A table with all its events; `None` if there is none of that name.
    fn load(&self, table: TableId) -> Later<Option<StoredTable>>;

    /// The names of tables that come after `after` in their order; at most `limit`.
    fn names(&self, after: TableId, limit: usize) -> Later<Vec<TableId>>;

    /// Tables that a browser has opened or holds a seat at, the one in which something happened last first; at most `limit`, leaving out the first `skip`.
    fn owned(&self, owner: VisitorId, skip: usize, limit: usize) -> Later<Vec<Listed>>;

    /// The name that a browser's user has given; `None` if it has given none.
    fn name(&self, visitor: VisitorId) -> Later<Option<String>>;

    /// Remembers the name of a browser's user.
    fn set_name(&self, visitor: VisitorId, name: String) -> Later<()>;

    /// Tables that are due to be looked after at a moment, in seconds since 1970; at most `limit`.
    fn due(&self, now: u64, limit: usize) -> Later<Vec<TableId>>;

    /// The table that a key leads to, by its hash, and the seat that it moves to another device. The key of a lobby moves none.
    fn link(&self, hash: KeyHash) -> Later<Option<(TableId, Option<usize>)>>;

    /// Stores a lobby as JSON, in place of what is stored of it.
    fn save_lobby(&self, id: TableId, body: String) -> Later<()>;

    /// Forgets a lobby and what was said there.
    fn drop_lobby(&self, id: TableId) -> Later<()>;

    /// All lobbies.
    fn lobbies(&self) -> Later<Vec<String>>;

    /// The last lines of a lobby or table, oldest first.
    fn chat(&self, table: TableId, limit: usize) -> Later<Vec<StoredLine>>;

    /// How much a browser and an address have stored, and all together.
    fn usage(&self, owner: VisitorId, address: String) -> Later<Usage>;

    /// Notes that somebody has opened a table, at a moment in seconds since 1970.
    fn note_opened(&self, table: TableId, now: u64) -> Later<()>;

    /// Puts other words in the place of what is stored of a table whose game is over, all of it or nothing.
    fn rewrite(&self, rewrite: Rewrite) -> Later<()>;

    /// Deletes a table with everything that belongs to it.
    fn delete(&self, table: TableId) -> Later<()>;

    /// Deletes tables that nobody has opened since `opened`, and uploads since `uploads`, in seconds since 1970, some of them if there
    /// are many.
    fn expire(&self, opened: u64, uploads: u64) -> Later<()>;

    /// Whether anything can be stored at the moment.
    fn is_well(&self) -> bool;
}

/// A new table.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Its name.
    pub id: TableId,
    /// Who has opened it.
    pub owner: VisitorId,
    /// When, in seconds since 1970.
    pub created: u64,
    /// How its boards belong together.
    pub mode: TableMode,
    /// What the owner has set, as JSON.
    pub settings: String,
    /// What is played and who plays, as JSON.
    pub head: String,
    /// How the game stands, as JSON.
    pub status: String,
    /// Whether its game is over.
    pub over: bool,
    /// Its first events.
    pub events: Vec<NewEvent>,
    /// Who holds its seats, if it is played online. The lobby of the same id ends with that.
    pub holders: Option<Vec<(usize, VisitorId)>>,
    /// What was said before it was opened.
    pub lines: Vec<NewLine>,
    /// The key of the lobby that it comes from, which leads to it from now on.
    pub key: Option<KeyHash>,
    /// When it is to be looked after, in seconds since 1970.
    pub deadline: Option<u64>,
    /// From which address it is opened, as quotas count it.
    pub address: Option<String>,
    /// Whether it is an uploaded record.
    pub uploaded: bool,
}

/// A table whose game is over, as it is to be stored from now on: one of those who played is forgotten.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// Its name.
    pub id: TableId,
    /// Who has opened it.
    pub owner: VisitorId,
    /// What the owner has set, as JSON.
    pub settings: String,
    /// What is played and who plays, as JSON.
    pub head: String,
    /// How the game stands, as JSON.
    pub status: String,
    /// Who still holds its seats. Keys to other seats are forgotten.
    pub holders: Vec<(usize, VisitorId)>,
    /// The events that change, by their numbers.
    pub events: Vec<(u64, NewEvent)>,
    /// The lines of chat that change.
    pub lines: Vec<NewLine>,
}

/// How much is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Games.
    pub games: u64,
    /// Bytes of their events.
    pub bytes: u64,
}

/// How much of the store is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// By one browser.
    pub browser: Stored,
    /// By one address.
    pub address: Stored,
    /// By all together, in bytes.
    pub total: u64,
}

/// A stored line of chat.
#[derive(Clone, Debug)]
pub struct StoredLine {
    /// The browser's name for the message that brought it.
    pub message: String,
    /// The line as JSON.
    pub body: String,
}

/// A stored table.
#[derive(Clone, Debug)]
pub struct StoredTable {
    /// Who has opened it.
    pub owner: VisitorId,
    /// How its boards belong together.
    pub mode: TableMode,
    /// What the owner has set, as JSON.
    pub settings: String,
    /// What lists show of what is played and who plays, as JSON.
    pub head: String,
    /// What lists show of how the game stands, as JSON.
    pub status: String,
    /// When it was opened, in seconds since 1970.
    pub created: u64,
    /// When somebody fetched it last, as far as that was noted.
    pub last_opened: u64,
    /// When it is to be looked after, in seconds since 1970.
    pub deadline: Option<u64>,
    /// Its events as JSON.
    pub events: Vec<String>,
    /// The names that browsers gave to what led to events, and the number of the last event of each.
    pub messages: Vec<(String, u64)>,
}

/// A table in a list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name.
    pub id: TableId,
    /// What is played and who plays, as JSON.
    pub head: String,
    /// How the game stands, as JSON.
    pub status: String,
    /// When it was opened, in seconds since 1970.
    pub created: u64,
    /// When something happened last.
    pub updated: u64,
    /// The seats that the browser holds, if it is played online.
    pub held: Option<Vec<usize>>,
}

/// Why something was not stored or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no room left.
    #[error("there is no room left on the disk")]
    Full,
    /// Nothing can be written.
    #[error("the database cannot be written: {0}")]
    Unwritable(String),
    /// What is stored is damaged.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// Somebody else has stored events of the table meanwhile.
    #[error("the table has other events already")]
    Conflict,
    /// Anything else.
    #[error("the database cannot be used: {0}")]
    Failed(String),
    /// The store is closed.
    #[error("the database is closed")]
    Closed,
}
