//! Somebody at one address who takes as much as they are given: uploads, games that are followed, bots, connections and lines of the log.
//!
//! A thread of its own does all of it, and rests whenever it has had more than half a core.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_erased::{Budget, Limits};
use agon_match::{Action, Match, Millis, Move, Occupant, Seat, Setup};
use agon_records::Record;
use agon_registry::GAMES;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::sleep;

use crate::client::Client;
use crate::process::new_table;
use crate::request::{Answer, Request, connect};

/// The address from which everything comes.
pub(crate) const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
/// How long the uploaded record is at least, in bytes.
const RECORD: usize = 84_000;
/// How often the thread looks at how much it has had.
const TICK: Duration = Duration::from_millis(1);

/// How much is tried.
#[derive(Clone, Copy)]
pub(crate) struct Force {
    /// Connections that are slow, of each of three kinds.
    pub(crate) slow: usize,
    /// Readers of a large file.
    pub(crate) readers: usize,
    /// Analyses and games between bots at a time.
    pub(crate) bots: usize,
    /// Connections that follow as many games as they may.
    pub(crate) followers: usize,
    /// Whether 2048's best bot, which needs a network, is asked as well.
    pub(crate) asks_2048: bool,
}

/// What was tried, and what became of it.
#[derive(Default)]
pub(crate) struct Tried {
    /// Requests and connections.
    pub(crate) all: AtomicU64,
    /// Bytes of records that were taken.
    pub(crate) uploaded: AtomicU64,
    /// Uploads that were refused because so much had been stored.
    pub(crate) uploads_refused: AtomicU64,
    /// Games with long clocks that were opened.
    pub(crate) games: AtomicU64,
    /// Analyses that were made.
    pub(crate) analyses: AtomicU64,
    /// Requests that leave a line in the log.
    pub(crate) logged: AtomicU64,
    /// Readers of a large file who have begun to read it.
    pub(crate) read: AtomicU64,
    /// Games that were followed.
    pub(crate) followed: AtomicU64,
    /// Games that were opened and that nobody follows yet.
    opened: Mutex<Vec<String>>,
    /// Slow connections that the server has closed, of each kind.
    pub(crate) cut_off: [AtomicU64; 3],
    is_done: AtomicBool,
    next_token: AtomicU64,
}

impl Tried {
    pub(crate) fn count(&self, counter: impl Fn(&Self) -> &AtomicU64) -> u64 {
        counter(self).load(Ordering::SeqCst)
    }

    fn add(&self, counter: impl Fn(&Self) -> &AtomicU64, number: u64) {
        counter(self).fetch_add(number, Ordering::SeqCst);
    }

    /// Notes a game that was opened, to be followed.
    fn open(&self, answer: &Answer) {
        let opened: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        if let Some(id) = opened["id"].as_str() {
            self.opened.lock().unwrap_or_else(PoisonError::into_inner).push(id.to_owned());
        }
    }

    fn next_opened(&self) -> Option<String> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn is_done(&self) -> bool {
        self.is_done.load(Ordering::SeqCst)
    }

    /// Another name for the same browser.
    fn token(&self) -> String {
        format!("a-new-name-each-time-{:08}", self.next_token.fetch_add(1, Ordering::SeqCst))
    }

    fn post(&self, server: SocketAddr, path: &str) -> Request {
        self.add(|tried| &tried.all, 1);
        Request::new(server, "POST", path).from(ADDRESS).token(&self.token())
    }
}

/// An attack that is under way, until it is stopped.
pub(crate) struct Attacker {
    pub(crate) tried: Arc<Tried>,
    thread: std::thread::JoinHandle<()>,
}

impl Attacker {
    /// Attacks a server that shows a large file at `file`.
    pub(crate) fn start(server: SocketAddr, force: Force, file: String) -> Self {
        let tried = Arc::new(Tried::default());
        let record = long_record();
        let its = Arc::clone(&tried);
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let attack = everything(server, force, &record, &file, &its);
                tokio::select! {
                    () = attack => {}
                    () = rest(&its) => {}
                }
            });
        });
        Self { tried, thread }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    pub(crate) fn stop(self) -> Arc<Tried> {
        self.tried.is_done.store(true, Ordering::SeqCst);
        self.thread.join().expect("the attack goes on");
        self.tried
    }
}

/// A game that is as long as needed, as text.
fn long_record() -> String {
    let rules = GAMES.rules("chinese-checkers", "seats=g/y/o/r/p/b,rounds=1000").expect("the game");
    let mut bot = rules.bot(&"random".parse().expect("a bot"), 1).expect("a bot");
    let seats = vec![Seat::of(Occupant::Person); 6];
    let mut game = Match::start(rules, Setup { seats, ..Setup::default() }, 1, Millis::ZERO).expect("a game");
    loop {
        let board = game.board();
        if board.session().len().is_multiple_of(500) {
            let text = Record::of(&game).to_string();
            if text.len() >= RECORD {
                return text;
            }
        }
        let seat = board.to_move().expect("the game goes on");
        let thought =
            bot.think(board.session(), &Budget::new(Limits::default()), &mut |_| {}).expect("a move");
        game.apply(0, Action::Move(Move::of_thought(seat, &thought, Millis(1))), Millis::ZERO)
            .expect("legal");
    }
}

/// Sleeps with everything else in this thread whenever it has had more than half of the time, until it is over.
async fn rest(tried: &Tried) {
    let (began, had) = (Instant::now(), processor_time());
    while !tried.is_done() {
        sleep(TICK).await;
        let too_much = (2 * (processor_time() - had)).saturating_sub(began.elapsed());
        std::thread::sleep(too_much);
    }
}

/// How long this thread has had a processor.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts it");
    let nanos = text.split(' ').next().and_then(|nanos| nanos.parse().ok()).expect("a number");
    Duration::from_nanos(nanos)
}

async fn everything(server: SocketAddr, force: Force, record: &str, file: &str, tried: &Tried) {
    let readers = (0..force.readers).map(|_| read_slowly(server, file, tried));
    let slow = (0..3 * force.slow).map(|number| slow(server, number % 3, tried));
    let followers = (0..force.followers).map(|_| follow(server, tried));
    let bots = (0..force.bots).map(|_| async {
        tokio::join!(analyse(server, force, tried), bot_games(server, tried));
    });
    tokio::join!(
        upload(server, record, tried),
        long_games(server, tried),
        fill_log(server, tried),
        futures_util::future::join_all(followers),
        futures_util::future::join_all(readers),
        futures_util::future::join_all(slow),
        futures_util::future::join_all(bots),
    );
}

/// The same record again and again.
async fn upload(server: SocketAddr, record: &str, tried: &Tried) {
    while !tried.is_done() {
        let Ok(answer) = tried.post(server, "/api/v1/records").body(record).try_send().await else {
            continue;
        };
        match answer.status {
            201 => {
                tried.open(&answer);
                tried.add(|tried| &tried.uploaded, record.len() as u64);
            }
            // There is a limit for requests, too: only this one has to do with what is stored.
            429 if answer.text().contains("stored-fast") => tried.add(|tried| &tried.uploads_refused, 1),
            429 => sleep(Duration::from_millis(20)).await,
            _ => panic!("an upload: {}", answer.text()),
        }
    }
}

/// Games that nobody plays and whose clocks run for a day.
async fn long_games(server: SocketAddr, tried: &Tried) {
    let mut table = new_table("othello", "", &["human", "human"]);
    table["clock"] = json!("1440m+0s");
    while !tried.is_done() {
        let request = tried.post(server, "/api/v1/games").json(&table);
        match request.try_send().await {
            Ok(answer) if answer.status == 201 => {
                tried.open(&answer);
                tried.add(|tried| &tried.games, 1);
            }
            Ok(answer) => assert_eq!(answer.status, 429, "a game: {}", answer.text()),
            Err(_) => {}
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Games that were opened, as many as there are and a connection may follow, so that they stay in memory.
async fn follow(server: SocketAddr, tried: &Tried) {
    while !tried.is_done() {
        sleep(Duration::from_millis(50)).await;
        let Ok(stream) = connect(server, Some(ADDRESS)).await else { continue };
        let Ok(mut client) = Client::try_connect_on(stream, server, &tried.token()).await else { continue };
        while !tried.is_done() {
            if let Some(id) = tried.next_opened() {
                match client.ask(json!({"type": "watch", "game": id})).await {
                    Ok(answer) if answer["type"] == "ack" => tried.add(|tried| &tried.followed, 1),
                    Ok(_) => {}
                    Err(_) => break,
                }
            }
            // What is told must be read, or the connection is given up.
            if let Ok(Err(_)) = tokio::time::timeout(Duration::from_millis(50), client.hear()).await {
                break;
            }
        }
    }
}

/// Analyses, each by a browser of its own.
async fn analyse(server: SocketAddr, force: Force, tried: &Tried) {
    let games: &[&str] =
        if force.asks_2048 { &["othello", "loa", "tablut", "2048"] } else { &["othello", "loa", "tablut"] };
    for game in games.iter().cycle() {
        if tried.is_done() {
            return;
        }
        let asked = json!({"game": game, "bot": "expert"});
        match tried.post(server, "/api/v1/analysis").json(&asked).try_send().await {
            Ok(answer) if answer.status == 200 => tried.add(|tried| &tried.analyses, 1),
            Ok(answer) => assert_eq!(answer.status, 429, "an analysis: {}", answer.text()),
            Err(_) => {}
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Games between bots that never stop thinking.
async fn bot_games(server: SocketAddr, tried: &Tried) {
    let table = new_table("tablut", "", &["expert", "expert"]);
    while !tried.is_done() {
        sleep(Duration::from_millis(200)).await;
        let token = tried.token();
        let request = tried.post(server, "/api/v1/games").token(&token).json(&table);
        let Ok(answer) = request.try_send().await else { continue };
        let opened: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let (Some(id), Ok(stream)) = (opened["id"].as_str(), connect(server, Some(ADDRESS)).await) else {
            continue;
        };
        let Ok(mut client) = Client::try_connect_on(stream, server, &token).await else { continue };
        if client.open(id).await.is_ok() {
            while !client.is_over(id) && !tried.is_done() {
                if client.hear().await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Requests that are refused, as long as a line can be.
async fn fill_log(server: SocketAddr, tried: &Tried) {
    let path = "x".repeat(5000);
    let request = format!("GET /{path} HTTP/1.1\r\nhost: evil.example\r\n\r\n");
    while !tried.is_done() {
        let Ok(mut stream) = connect(server, Some(ADDRESS)).await else { continue };
        let mut answer = [0; 4096];
        while !tried.is_done() && stream.write_all(request.as_bytes()).await.is_ok() {
            match stream.read(&mut answer).await {
                Ok(1..) => tried.add(|tried| &tried.logged, 1),
                Ok(0) | Err(_) => break,
            }
        }
        tried.add(|tried| &tried.all, 1);
    }
}

/// One slow connection after the other: without the end of its headers, without its body, or without reading.
async fn slow(server: SocketAddr, kind: usize, tried: &Tried) {
    let host =
        format!("host: {server}\r\norigin: http://{server}\r\nauthorization: Bearer {}\r\n", tried.token());
    let request = match kind {
        0 => format!("GET / HTTP/1.1\r\n{host}"),
        1 => format!(
            "POST /api/v1/positions HTTP/1.1\r\n{host}content-type: application/json\r\ncontent-length: 90000\r\n\r\n{}",
            " ".repeat(80_000)
        ),
        _ => format!("GET /api HTTP/1.1\r\n{host}\r\n").repeat(300),
    };
    while !tried.is_done() {
        tried.add(|tried| &tried.all, 1);
        if let Ok(stream) = narrow(server).await
            && until_closed(stream, request.as_bytes(), kind < 2, tried).await.is_ok()
        {
            tried.add(|tried| &tried.cut_off[kind], 1);
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// A large file, no faster than is needed not to be given up.
async fn read_slowly(server: SocketAddr, file: &str, tried: &Tried) {
    let request = format!("GET {file} HTTP/1.1\r\nhost: {server}\r\n\r\n");
    while !tried.is_done() {
        sleep(Duration::from_millis(100)).await;
        tried.add(|tried| &tried.all, 1);
        let Ok(mut stream) = narrow(server).await else { continue };
        let mut piece = [0; 8192];
        let mut is_answered = false;
        if stream.write_all(request.as_bytes()).await.is_err() {
            continue;
        }
        while !tried.is_done()
            && let Ok(1..) = stream.read(&mut piece).await
        {
            if !is_answered {
                assert!(piece.starts_with(b"HTTP/1.1 200"), "a file: {}", String::from_utf8_lossy(&piece));
                tried.add(|tried| &tried.read, 1);
                is_answered = true;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }
}

/// A connection that holds little of what it does not read.
async fn narrow(server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(4096)?;
    socket.bind(SocketAddr::new(ADDRESS, 0))?;
    socket.connect(server).await
}

/// Sends what is given and then a byte now and then, until the server has had enough.
async fn until_closed(mut stream: TcpStream, first: &[u8], reads: bool, tried: &Tried) -> Result<(), ()> {
    // Where nothing is read, not everything can be sent either.
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(first)).await;
    while !tried.is_done() {
        if reads {
            let mut answer = [0; 512];
            match tokio::time::timeout(Duration::from_millis(500), stream.read(&mut answer)).await {
                Ok(Ok(0) | Err(_)) => return Ok(()),
                Ok(Ok(_)) => continue,
                Err(_) => {}
            }
        } else {
            sleep(Duration::from_millis(500)).await;
        }
        let byte = if reads { b"x" } else { b"\n" };
        if let Ok(Err(_)) = tokio::time::timeout(Duration::from_millis(1), stream.write_all(byte)).await {
            return Ok(());
        }
    }
    Err(())
}
