//! How much memory a table takes while people follow it, counted in bytes that are allocated and not yet given back. What the process
//! keeps for itself does not count, so the figures are the same on every machine.

use std::alloc::{GlobalAlloc, Layout, System};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

use agon_erased::{Budget, Limits as BotBudget, Rules};
use agon_match::{Action, Match, Millis, Move, MoveRequest, Occupant, Seat, Setup};
use agon_records::Record;
use agon_registry::GAMES;
use agon_server::arena::Arena;
use agon_server::bots::Requester;
use agon_server::dates::Dates;
use agon_server::store::sqlite::SqliteStore;
use agon_server::table::{Follower, Outbox, TaskCommand};
use agon_server::tables::{Limits, Tables};
use agon_table::{Command, MoveAttempt, TableSettings};
use axum::extract::ws::Utf8Bytes;
use serde_json::Value;
use tokio::sync::mpsc;

/// Counts the bytes that are allocated.
struct Counting;

static ALLOCATED: AtomicIsize = AtomicIsize::new(0);

fn count(bytes: usize, sign: isize) {
    ALLOCATED.fetch_add(sign * bytes as isize, Ordering::Relaxed);
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: the caller promises what the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the block comes from the system's allocator, by `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Whose tables they are.
const VISITOR: [u8; 32] = [7; 32];

/// Tables in a folder that is gone with the test.
struct House {
    tables: Arc<Tables>,
    folder: PathBuf,
    next: u64,
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A browser that follows a table.
struct Browser {
    id: u64,
    inbox: mpsc::Receiver<Utf8Bytes>,
}

impl Browser {
    /// Waits for the answer to a message, and returns the longest message until then.
    async fn answered(&mut self, message: &str) -> usize {
        let mut longest = 0;
        loop {
            let text = self.inbox.recv().await.expect("the table goes on");
            longest = longest.max(text.len());
            let heard: Value = serde_json::from_str(&text).expect("JSON");
            assert_ne!(heard["type"], "error", "{text}");
            if heard["type"] == "ack" && heard["id"] == message {
                return longest;
            }
        }
    }
}

impl House {
    fn open() -> Self {
        let folder = std::env::temp_dir().join(format!("agon-memory-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let store = SqliteStore::open(&folder.join("agon.sqlite")).expect("the store opens");
        let arena = Arena::open(&folder, &[]).expect("a folder of tournaments");
        let (store, arena) = (Arc::new(store), Arc::new(arena));
        let tables = Tables::new(GAMES, store, Limits::default(), 1, arena, Dates::by_system());
        Self { tables, folder, next: 0 }
    }

    fn requester() -> Requester {
        Requester::new(IpAddr::V4(Ipv4Addr::LOCALHOST), VISITOR)
    }

    /// Opens a table at which this is played.
    async fn table(&self, play: Match) -> String {
        let opened = self.tables.open(Self::requester(), play, TableSettings::default(), true).await;
        opened.unwrap_or_else(|refused| panic!("{}", refused.message.text))
    }

    /// Has another browser follow a table, and says how long the longest message was that it was sent.
    async fn follow(&mut self, table: &str) -> (Browser, usize) {
        self.next += 1;
        let (outbox, inbox) = Outbox::new(128);
        let is_timed = Arc::new(AtomicBool::new(false));
        let follower = Follower { id: self.next, requester: Self::requester(), outbox, is_timed };
        let mut browser = Browser { id: self.next, inbox };
        let followed = self.tables.follow(table, follower, "watch".to_owned(), None).await;
        followed.unwrap_or_else(|refused| panic!("{}", refused.message.text));
        let longest = browser.answered("watch").await;
        (browser, longest)
    }

    /// Opens tables, has them used, and says how many bytes each has added. The first one is not counted: it finds out what is the
    /// same for all.
    async fn bytes_of_a_table<T>(&mut self, mut using: impl AsyncFnMut(&mut Self) -> T) -> (isize, Vec<T>) {
        const TABLES: usize = 4;
        let mut used = vec![using(self).await];
        let before = ALLOCATED.load(Ordering::Relaxed);
        for _ in 0..TABLES {
            used.push(using(self).await);
        }
        ((ALLOCATED.load(Ordering::Relaxed) - before) / TABLES as isize, used)
    }
}

fn rules(game: &str) -> Arc<dyn Rules> {
    GAMES.rules(game, "").expect("the game")
}

/// A game of 2048 that a bot has played until `is_enough`, for a person, so that no bot goes on with it.
fn long_game(is_enough: impl Fn(&Match) -> bool) -> Match {
    let mut games = (1..100).filter_map(|seed| played_2048(seed, &is_enough));
    games.next().expect("some games are long")
}

/// `None` if the game ends before.
fn played_2048(seed: u64, is_enough: impl Fn(&Match) -> bool) -> Option<Match> {
    let rules = rules("2048");
    let mut bot = rules.bot(&"hard".parse().expect("a bot"), seed).expect("a bot");
    let setup = Setup { seats: vec![Seat::of(Occupant::Person)], ..Setup::default() };
    let mut game = Match::start(rules, setup, seed, Millis::ZERO).expect("a game");
    let mut now = Millis::ZERO;
    while !is_enough(&game) {
        let board = game.board();
        let seat = board.to_move()?;
        let thought = bot.think(board.session(), &Budget::new(BotBudget::default()), &mut |_| {});
        let action = Action::Move(Move::of_thought(seat, &thought.expect("a move"), Millis(1)));
        now = now.plus(Millis(400));
        game.apply(0, action, now).expect("a legal move");
    }
    Some(game)
}

/// A game of Othello of two people, played to its end over a table.
async fn played_othello(house: &mut House) -> [Browser; 2] {
    let rules = rules("othello");
    let seats = vec![Seat::of(Occupant::Person), Seat::of(Occupant::Person)];
    let setup = Setup { seats, ..Setup::default() };
    let game = Match::start(Arc::clone(&rules), setup, 1, Millis::ZERO).expect("a game");
    let table = house.table(game).await;
    let (mut one, _) = house.follow(&table).await;
    let (mut other, _) = house.follow(&table).await;
    let mut session = rules.start();
    while session.len() < 60 {
        let (ply, legal) = (session.len(), session.legal());
        let token = legal[ply % legal.len()].clone();
        session.play(&token).expect("a legal move");
        let id = format!("move-{ply}-of-somebody");
        let attempt = MoveAttempt { board: 0, ply, request: MoveRequest::Token(token), delay: Millis::ZERO };
        let command = Command::Move { from: one.id, id: id.clone(), attempt };
        let told = house.tables.tell(&table, TaskCommand::Table(command)).await;
        assert!(told.is_ok());
        one.answered(&id).await;
        while other.inbox.try_recv().is_ok() {}
    }
    [one, other]
}

/// One test, because the memory of all that run at the same time is counted together.
#[tokio::test]
async fn tables_take_only_so_much_memory_while_they_are_followed() {
    let mut house = House::open();
    a_game_of_othello(&mut house).await;
    an_uploaded_record(&mut house).await;
    a_game_of_20000_plies(&mut house).await;
}

async fn a_game_of_othello(house: &mut House) {
    let (bytes, _browsers) = house.bytes_of_a_table(played_othello).await;
    assert!(bytes < 60_000, "Othello after 60 plies, followed by two, takes {bytes} bytes");
}

async fn an_uploaded_record(house: &mut House) {
    let text = |game: &Match| Record::of(game).to_string();
    let game = long_game(|game| game.board().session().len() % 500 == 0 && text(game).len() >= 84_000);
    let record = text(&game).into_bytes();
    let uploaded = async |house: &mut House| {
        let game = house.tables.read_record(&record, "Anna").expect("a record");
        let table = house.table(game).await;
        house.follow(&table).await
    };
    let (bytes, _browsers) = house.bytes_of_a_table(uploaded).await;
    assert!(bytes < 400_000, "a record of {} bytes takes {bytes} bytes", record.len());
}

/// The history of a game takes a little room on the server, and only a part of it is sent unasked.
async fn a_game_of_20000_plies(house: &mut House) {
    let game = long_game(|game| game.board().session().len() >= 20_000);
    let log = game.log();
    let watched = async |house: &mut House| {
        let table = house.table(Match::replay(rules("2048"), &log).expect("a game")).await;
        house.follow(&table).await
    };
    let (bytes, browsers) = house.bytes_of_a_table(watched).await;
    let longest = browsers.iter().map(|(_, longest)| *longest).max().unwrap_or(0);
    assert!(bytes < 1_500_000, "20,000 plies take {bytes} bytes");
    assert!(longest < 200_000, "a message of {longest} bytes is sent");
}
