//! One address takes whatever it is given, while people at other addresses play. The server stays small, stores and logs only so much,
//! gives slow connections up, and others hardly notice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::process::Pid;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::attacker::{ADDRESS, Attacker, Force, Tried};
use crate::honest::{Noticed, against_a_bot, analysed, asks, pair};
use crate::process::{Folder, Running, serve, start_with_log};
use crate::request::{Request, connect};
use crate::rounds::{Figures, Outcome, Round, block_on};
use crate::support::tournament::{COURSE, play as play_tournament};

/// The most memory that the server may take, in bytes.
const MEMORY: u64 = 300_000_000;
/// How long it may take until everything has been seen.
const PATIENCE: Duration = Duration::from_secs(90);
/// How long the file is that many read, in bytes.
const LARGE_FILE: usize = 19_000_000;
/// Pairs of people who play.
const PAIRS: usize = 3;

pub(crate) fn attack(round: &Round) -> Outcome {
    let force = Force {
        slow: round.either(10, 120),
        // Together they would take more than the server may if each had the file in memory.
        readers: round.either(20, 100),
        bots: round.either(2, 8),
        followers: round.either(5, 30),
        asks_2048: round.either(false, true),
    };
    let least = round.either(Duration::ZERO, Duration::from_secs(90));
    let folder = Folder::new();
    let log = folder.0.join("log");
    // As it is started by those who run one, with its own limits; every thread for bots has a bot's memory, whatever the machine has.
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--bot-threads", "2", "--data"]).arg(folder.data());
    let server = start_with_log(command, std::fs::File::create(&log).expect("a file")).expect("it starts");
    block_on(async {
        let network = if force.asks_2048 { network_of_2048(&server).await } else { 0 };
        let file = large_file(&server, &folder).await;
        reset_peak(server.pid());
        let began = Instant::now();
        let noticed = Arc::new(Noticed::default());
        let players = play(server.address, &noticed);
        let attacker = Attacker::start(server.address, force, file);
        while began.elapsed() < least || !is_everything_seen(&attacker.tried, &noticed, force) {
            assert!(!attacker.is_over(), "the attack has failed");
            assert!(!players.iter().any(tokio::task::JoinHandle::is_finished), "a player has failed");
            assert!(
                began.elapsed() < PATIENCE + least,
                "not everything was seen: {}",
                seen(&attacker.tried, &noticed)
            );
            sleep(Duration::from_millis(100)).await;
        }
        noticed.is_done.store(true, Ordering::SeqCst);
        let tried = attacker.stop();
        for player in players {
            player.await.expect("nobody has lost anything");
        }
        is_bounded(&server, &tried, began.elapsed(), &log).await;
        let crowd = crowd(server.address).await;
        let memory = status(server.pid(), "VmHWM").saturating_sub(network);
        assert!(memory < MEMORY, "the server has taken {} MB", memory / 1_000_000);
        let noticed = Arc::into_inner(noticed).expect("everybody has left");
        Outcome {
            attacks: tried.count(|tried| &tried.all) + tried.count(|tried| &tried.logged) + crowd,
            acknowledged: noticed.acknowledged.into_inner() as u64,
            figures: Figures {
                memory,
                delays: noticed.moves.into_inner().expect("nobody has failed"),
                answers: noticed.answers.into_inner().expect("nobody has failed"),
            },
            ..Outcome::default()
        }
    })
}

fn play(server: SocketAddr, noticed: &Arc<Noticed>) -> Vec<tokio::task::JoinHandle<()>> {
    let pair = |number| {
        let noticed = Arc::clone(noticed);
        tokio::spawn(async move { pair(server, number, &noticed).await })
    };
    let mut players: Vec<_> = (0..PAIRS).map(pair).collect();
    let noticed = Arc::clone(noticed);
    players.push(tokio::spawn(async move { against_a_bot(server, &noticed).await }));
    players
}

/// Whether every limit has been reached, and people have played meanwhile. Where a bot keeps them waiting for ten seconds, they have not.
fn is_everything_seen(tried: &Tried, noticed: &Noticed, force: Force) -> bool {
    tried.count(|tried| &tried.uploads_refused) > 0
        && tried.count(|tried| &tried.games) >= 60
        && tried.count(|tried| &tried.followed) >= 40
        && tried.count(|tried| &tried.analyses) > 0
        && tried.count(|tried| &tried.logged) >= 1000
        && tried.count(|tried| &tried.read) >= force.readers as u64
        && (0..3).all(|kind| tried.count(|tried| &tried.cut_off[kind]) > 0)
        && noticed.moves() >= 100
        && noticed.answers() >= 20
}

fn seen(tried: &Tried, noticed: &Noticed) -> String {
    let cut_off = [0, 1, 2].map(|kind| tried.count(|tried| &tried.cut_off[kind]));
    format!(
        "{} bytes uploaded and {} uploads refused, {} games, {} followed, {} analyses, {} lines provoked, {} readers, {cut_off:?} cut off; {} moves, {} of bots",
        tried.count(|tried| &tried.uploaded),
        tried.count(|tried| &tried.uploads_refused),
        tried.count(|tried| &tried.games),
        tried.count(|tried| &tried.followed),
        tried.count(|tried| &tried.analyses),
        tried.count(|tried| &tried.logged),
        tried.count(|tried| &tried.read),
        noticed.moves(),
        noticed.answers(),
    )
}

/// What an attack leaves behind is bounded.
async fn is_bounded(server: &Running, tried: &Tried, time: Duration, log: &std::path::Path) {
    let uploaded = tried.count(|tried| &tried.uploaded);
    // 16 MiB at once, and 16 KiB a second.
    let most = (17 << 20) + (16 << 10) * time.as_secs();
    assert!(uploaded < most, "{uploaded} bytes of records were taken in {time:?}");
    // Ten lines at once and one a second, of less than a kilobyte.
    let logged = std::fs::metadata(log).expect("a log").len();
    let most = 50_000 + 1000 * time.as_secs();
    assert!(logged < most, "{logged} bytes were logged in {time:?}");
    let metrics = asks(server.address, "/metrics").await;
    let tables =
        metrics.lines().find_map(|line| line.strip_prefix("agon_tables ")).expect("tables are counted");
    let tables: f64 = tables.parse().expect("a number");
    let followed = tried.count(|tried| &tried.followed);
    let opened = tried.count(|tried| &tried.games);
    assert!(
        tables < 50.0 + followed as f64,
        "{tables} tables are in memory, {opened} were opened, {followed} followed"
    );
}

/// Silent connections, more than one address may have: others still get in. Says how many there were.
async fn crowd(server: SocketAddr) -> u64 {
    let mut silent = Vec::new();
    for _ in 0..600 {
        silent.push(connect(server, Some(ADDRESS)).await.expect("the machine can bear it"));
    }
    let refused = Request::new(server, "GET", "/healthz").from(ADDRESS).try_send().await;
    assert!(refused.is_err() || refused.is_ok_and(|answer| answer.status == 429), "one address has them all");
    asks(server, "/healthz").await;
    silent.len() as u64
}

/// Where the server shows a file that is large: the report of a tournament.
async fn large_file(server: &Running, folder: &Folder) -> String {
    let dir = play_tournament(&folder.data(), "course", COURSE);
    std::fs::write(dir.join("report.html"), vec![b'a'; LARGE_FILE]).expect("it can be written");
    let listed: Value = serde_json::from_str(&asks(server.address, "/api/v1/arena").await).expect("JSON");
    format!("/api/v1/arena/{}/files/report.html", listed["tournaments"][0]["id"].as_str().expect("an id"))
}

/// How much memory 2048's network takes, which is loaded by this.
async fn network_of_2048(server: &Running) -> u64 {
    let before = status(server.pid(), "VmRSS");
    analysed(server.address, &json!({"game": "2048", "bot": "expert"})).await;
    status(server.pid(), "VmRSS").saturating_sub(before)
}

/// A size of a process, in bytes.
fn status(process: Pid, what: &str) -> u64 {
    let path = format!("/proc/{}/status", process.as_raw_nonzero());
    let text = std::fs::read_to_string(path).expect("it runs");
    let line =
        text.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':')).expect("Linux says so");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

/// Has the largest size of a process be measured from now on.
fn reset_peak(process: Pid) {
    std::fs::write(format!("/proc/{}/clear_refs", process.as_raw_nonzero()), "5").expect("it is ours");
}
