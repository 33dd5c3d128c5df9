//! A server inside the test, and those who talk to it.

pub(crate) mod client;
pub(crate) mod request;
pub(crate) mod schema;
pub(crate) mod store;
pub(crate) mod tournament;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agon_registry::GAMES;
use agon_server::admin::AdminToken;
use agon_server::arena::Arena;
use agon_server::dates::{Dates, Shown};
use agon_server::http::{App, ConnectionLimits, Site, answer};
use agon_server::set_nodelay;
use agon_server::store::Store;
use agon_server::store::sqlite::SqliteStore;
use agon_server::studies::Studies;
use agon_server::tables::{Limits, Tables};
use axum::serve::ListenerExt;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub(crate) use client::{Client, asking, judged, number};
pub(crate) use request::{Answer, Request};

/// The browser that opens tables, and another one.
pub(crate) const ANNA: &str = "anna-keeps-this-token-to-herself";
pub(crate) const BENNO: &str = "benno-keeps-another-one-of-them";
/// The admin token.
pub(crate) const ADMIN: &str = "the-token-of-the-administrator";
pub(crate) const CLEO: &str = "cleo-has-a-third-one-and-is-shy";

/// A folder that is gone with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a server of a test is started with.
pub(crate) struct Options {
    pub(crate) limits: Limits,
    pub(crate) connections: ConnectionLimits,
    pub(crate) public_url: Option<&'static str>,
    pub(crate) proxies: &'static [&'static str],
    pub(crate) workers: usize,
    /// Tournaments that are shown besides those in the folder of the server.
    pub(crate) shown: Vec<PathBuf>,
    /// Studies that are shown besides our own and those in the folder of the server.
    pub(crate) studies: Vec<PathBuf>,
    /// The program that plays tournaments; uploads are off without one.
    pub(crate) uploads: Option<PathBuf>,
    /// The clock by which the date is kept; the system's if there is none.
    pub(crate) clock: Option<Shown>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            // Tests play faster than people.
            connections: ConnectionLimits { total: 1000, per_address: 1000, messages_per_second: 100_000 },
            public_url: None,
            proxies: &[],
            workers: 2,
            shown: Vec::new(),
            studies: Vec::new(),
            uploads: None,
            clock: None,
        }
    }
}

pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    pub(crate) app: Arc<App>,
    pub(crate) folder: Folder,
    options: Options,
    task: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        let folder = Folder::new();
        let store = SqliteStore::open(&folder.0.join("agon.sqlite")).expect("the store opens");
        Self::on(Arc::new(store), folder, options).await
    }

    /// A server on a store of the test's own.
    pub(crate) async fn on(store: Arc<dyn Store>, folder: Folder, options: Options) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let mut arena = Arena::open(&folder.0, &options.shown).expect("a folder of tournaments");
        if let Some(program) = &options.uploads {
            arena = arena.with_uploads(&folder.0, program.clone()).expect("a folder of uploads");
        }
        let dates = options.clock.clone().map_or_else(Dates::by_system, Dates::by);
        let tables = Tables::new(GAMES, store, options.limits, options.workers, Arc::new(arena), dates);
        tables.restore_lobbies().await.expect("lobbies can be read");
        let proxies = options.proxies.iter().map(|proxy| proxy.parse().expect("a network")).collect();
        let site = Site::new(options.public_url, proxies).expect("a public address");
        let mut app = App::new(tables, site, options.connections);
        app.admin = Some(AdminToken::chosen(ADMIN).expect("a token"));
        app.studies =
            Arc::new(Studies::open(GAMES, &folder.0, &options.studies).expect("a folder of studies"));
        let app = Arc::new(app);
        let task = tokio::spawn(answer(listener.tap_io(set_nodelay), Arc::clone(&app)));
        Self { address, app, folder, options, task }
    }

    /// Stops the server and starts another one on the same data.
    pub(crate) async fn restart(self) -> Self {
        self.app.tables.stop().await;
        self.task.abort();
        let Self { app, folder, options, .. } = self;
        drop(app);
        let store = SqliteStore::open(&folder.0.join("agon.sqlite")).expect("the store opens again");
        Self::on(Arc::new(store), folder, options).await
    }

    pub(crate) fn get(&self, path: &str) -> Request {
        Request::new(self.address, "GET", path)
    }

    /// A request with a body, by a browser that keeps this token.
    pub(crate) fn send(&self, method: &str, path: &str, token: &str, body: &Value) -> Request {
        Request::new(self.address, method, path).header("cookie", format!("agon={token}").as_str()).json(body)
    }

    /// Opens a table for Anna.
    pub(crate) async fn open(&self, table: &Value) -> String {
        self.open_by(ANNA, table).await
    }

    pub(crate) async fn open_by(&self, token: &str, table: &Value) -> String {
        let answer = self.send("POST", "/api/v1/games", token, table).send().await.expect(201);
        answer.json()["id"].as_str().expect("a name").to_owned()
    }

    /// Opens a lobby and returns its id.
    pub(crate) async fn open_lobby(&self, token: &str, lobby: &Value) -> String {
        let answer = self.send("POST", "/api/v1/lobbies", token, lobby).send().await.expect(201);
        answer.json()["id"].as_str().expect("an id").to_owned()
    }

    pub(crate) async fn client(&self, token: &str) -> Client {
        Client::connect(self.address, token).await
    }

    /// The table as the server sees it for Anna.
    pub(crate) async fn table(&self, table: &str) -> Value {
        self.get(&format!("/api/v1/games/{table}")).token(ANNA).send().await.expect(200).json()
    }
}

impl Answer {
    /// Checks that the answer is what the OpenAPI document says about the path and the method.
    pub(crate) async fn as_described(&self, server: &Server, path: &str, method: &str) {
        assert!((200..300).contains(&self.status), "{path}: {}", self.text());
        let document = server.get("/api").send().await.expect(200).json();
        let content = &document["paths"][path][method]["responses"][self.status.to_string()]["content"];
        let schema = &content["application/json"]["schema"];
        assert!(schema.is_object(), "{method} {path} is described");
        schema::fits(&document, schema, &self.json())
            .unwrap_or_else(|fault| panic!("{method} {path}: {fault}"));
    }
}

/// A lobby of `game` with these seats, opened by Anna.
pub(crate) fn new_lobby(name: &str, game: &str, options: &str, seats: &[&str]) -> Value {
    let seats: Vec<Value> = seats.iter().map(|occupant| json!({"occupant": occupant})).collect();
    json!({"name": name, "player": "Anna", "game": game, "options": options, "seats": seats})
}

/// Lets so many seconds pass at once.
pub(crate) async fn pass(seconds: u64) {
    tokio::time::pause();
    tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
    tokio::time::resume();
}

/// A table of `game` with these players, bots without pace.
pub(crate) fn new_table(game: &str, options: &str, seats: &[&str]) -> Value {
    let seats: Vec<Value> = seats.iter().map(|occupant| json!({"occupant": occupant})).collect();
    json!({"game": game, "options": options, "seats": seats, "pace": 0})
}
