//! What is stored, when the disk is full or the file is damaged.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, prlimit};
use serde_json::json;
use tokio::time::timeout;

use crate::client::{Client, Refused, number};
use crate::process::{
    Failed, Folder, Running, new_table, serve, serve_in_little_room, start, start_on, start_with_log,
};
use crate::request::Request;

const ANNA: &str = "anna-keeps-this-token-to-herself";
const BENNO: &str = "benno-keeps-another-one-of-them";

/// How large files of a server may become.
fn limit_files(server: &Running, bytes: Option<u64>) {
    let limit = Rlimit { current: bytes, maximum: None };
    prlimit(Some(server.pid()), Resource::Fsize, limit).expect("limits can be set");
}

pub(crate) async fn play(client: &mut Client, table: &str) -> Result<u64, Refused> {
    let (_, _, tokens) = client.to_move(table).expect("somebody is to move");
    let seq = client.play(table, &tokens[0]).await?;
    client.until("it is seen", |client| client.seq(table) >= seq).await;
    Ok(seq)
}

#[tokio::test]
async fn a_full_disk_refuses_moves_and_recovers() {
    let folder = Folder::new();
    let mut command = serve_in_little_room(&folder.0, "true");
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.data());
    let server = start(command, &folder.0).expect("it starts");
    let table = server.open(ANNA, &new_table("othello", "size=6", &["human", "human"])).await;
    let against = server.open(BENNO, &new_table("othello", "size=6", &["human", "random"])).await;
    let mut client = Client::connect(server.address, ANNA).await;
    let mut other = Client::connect(server.address, BENNO).await;
    client.open(&table).await.expect("it opens");
    other.open(&against).await.expect("it opens");
    let stored = play(&mut client, &table).await.expect("there is room");
    let health = || Request::new(server.address, "GET", "/healthz").send();
    assert_eq!(health().await.status, 200);
    limit_files(&server, Some(4096));
    let refused = play(&mut client, &table).await.expect_err("there is no room");
    assert_eq!(refused.code, "storage");
    assert!(refused.text.contains("Nothing is lost"), "{refused:?}");
    assert_eq!(play(&mut other, &against).await.expect_err("there is no room").code, "storage");
    assert_eq!(health().await.expect(503).json()["storage"], false);
    let request = Request::new(server.address, "POST", "/api/v1/games").token(ANNA);
    request.json(&new_table("othello", "", &["human", "human"])).send().await.refusal(503, "storage");
    assert_eq!(client.seq(&table), stored, "nobody has heard of a move that is not stored");
    let look = client.ask(json!({"type": "look", "game": table, "board": 0, "ply": 1})).await.expect("ok");
    assert_eq!(look["type"], "looked", "what is stored can be looked at");
    limit_files(&server, None);
    assert_eq!(play(&mut client, &table).await, Ok(stored + 1), "the same move is played now");
    play(&mut other, &against).await.expect("there is room again");
    other.until("the bot answers", |client| client.to_move(&against).is_some()).await;
    assert_eq!(health().await.status, 200);
    let known = client.table(&table)["boards"][0]["picture"].clone();
    server.kill();
    let server = start_on(&folder).expect("the file is sound");
    let mut client = Client::connect(server.address, ANNA).await;
    assert_eq!(client.open(&table).await, Ok(stored + 1));
    assert_eq!(client.table(&table)["boards"][0]["picture"], known);
}

/// A database with a game in it, which no server uses.
async fn database(folder: &Folder) {
    let server = start_on(folder).expect("it starts");
    let table = server.open(ANNA, &new_table("othello", "", &["human", "human"])).await;
    let mut client = Client::connect(server.address, ANNA).await;
    client.open(&table).await.expect("it opens");
    for _ in 0..20 {
        play(&mut client, &table).await.expect("legal");
    }
    assert!(number(&client.facts(&table, 0)["ply"]) >= 20);
    assert!(server.terminate().success());
}

/// A server refuses to start on a file with these bytes, says why, and leaves it as it is.
fn refuses(folder: &Folder, bytes: &[u8], words: &[&str]) {
    std::fs::write(folder.database(), bytes).expect("written");
    let Err(Failed { status, said, errors }) = start_on(folder) else {
        panic!("it must not start: {words:?}")
    };
    assert!(!status.success());
    assert_eq!(said, "");
    for word in words.iter().chain(&["agon.sqlite"]) {
        assert!(errors.contains(word), "{word}: {errors}");
    }
    assert!(std::fs::read(folder.database()).expect("it is there") == bytes, "the file is another: {errors}");
    assert!(!left_over(&folder.data(), "agon.sqlite-wal"), "nothing was written beside it");
}

fn left_over(data: &Path, name: &str) -> bool {
    std::fs::metadata(data.join(name)).is_ok_and(|file| file.len() > 0)
}

#[tokio::test]
async fn a_damaged_database_is_reported_and_left_alone() {
    let folder = Folder::new();
    database(&folder).await;
    let sound = std::fs::read(folder.database()).expect("it is there");
    assert!(!left_over(&folder.data(), "agon.sqlite-wal"), "a server that ends well leaves one file");
    refuses(
        &folder,
        b"This is not a database, but it may be somebody's only copy of something.",
        &["damaged"],
    );
    let mut torn = sound.clone();
    torn.truncate(sound.len() / 2 - 100);
    refuses(&folder, &torn, &["damaged"]);
    let mut scribbled = sound.clone();
    scribbled[4096..].iter_mut().step_by(3).for_each(|byte| *byte ^= 0x5a);
    refuses(&folder, &scribbled, &["damaged"]);
    let mut newer = sound.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    refuses(&folder, &newer, &["version 99"]);
    // The write-ahead format is marked in the header; a file that somebody has converted is not converted back before it is checked.
    newer[18..20].copy_from_slice(&[1, 1]);
    refuses(&folder, &newer, &["version 99"]);
    std::fs::write(folder.database(), &sound).expect("written");
    start_on(&folder).expect("the sound file is still good");
}

#[tokio::test]
async fn what_a_killed_server_has_left_is_not_merged_into_a_damaged_database() {
    let folder = Folder::new();
    database(&folder).await;
    let server = start_on(&folder).expect("it starts");
    server.open(ANNA, &new_table("othello", "", &["human", "human"])).await;
    server.kill();
    let beside = folder.data().join("agon.sqlite-wal");
    let left = std::fs::read(&beside).expect("a server that is killed leaves what it has not merged");
    assert!(!left.is_empty());
    let mut bytes = std::fs::read(folder.database()).expect("it is there");
    bytes[4096..].iter_mut().step_by(3).for_each(|byte| *byte ^= 0x5a);
    std::fs::write(folder.database(), &bytes).expect("written");
    let Err(Failed { errors, .. }) = start_on(&folder) else { panic!("it must not start") };
    assert!(errors.contains("damaged"), "{errors}");
    assert!(std::fs::read(folder.database()).expect("it is there") == bytes, "the file is another");
    assert!(std::fs::read(&beside).expect("it is there") == left, "what was left is another");
}

#[tokio::test]
async fn a_lost_database_is_not_replaced() {
    let folder = Folder::new();
    database(&folder).await;
    let sound = std::fs::read(folder.database()).expect("it is there");
    let fails = |word: &str| {
        let Err(Failed { errors, said, .. }) = start_on(&folder) else { panic!("it must not start: {word}") };
        assert_eq!(said, "");
        for word in [word, "agon.sqlite", "agon restore"] {
            assert!(errors.contains(word), "{word}: {errors}");
        }
    };
    std::fs::write(folder.database(), b"").expect("written");
    refuses(&folder, b"", &["empty", "agon restore"]);
    std::fs::remove_file(folder.database()).expect("it is there");
    fails("missing");
    assert!(!folder.database().exists(), "none was made");
    // The token and the secret may be lost as well. What is beside the database is enough.
    for name in ["admin-token", "arena-secret"] {
        std::fs::remove_file(folder.data().join(name)).expect("it is there");
    }
    std::fs::write(folder.data().join("agon.sqlite-wal"), "moves").expect("written");
    fails("missing");
    std::fs::remove_file(folder.data().join("agon.sqlite-wal")).expect("it is there");
    std::fs::write(folder.database(), &sound).expect("written");
    start_on(&folder).expect("the database was put back").kill();

    // A server that was killed as it started for the first time has left nothing that could be lost.
    let fresh = Folder::new();
    std::fs::create_dir_all(fresh.data()).expect("a folder");
    std::fs::write(fresh.database(), b"").expect("written");
    start_on(&fresh).expect("there is nothing to lose");
}

/// A server that finds no room at all when it starts.
fn start_without_room(folder: &Folder) -> Running {
    let mut command = serve_in_little_room(&folder.0, "ulimit -S -f 0");
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.data());
    start(command, &folder.0).expect("it starts")
}

#[tokio::test]
async fn a_server_starts_on_a_full_disk_and_serves_what_can_be_read() {
    for is_killed in [false, true] {
        let folder = Folder::new();
        let server = start_on(&folder).expect("it starts");
        let table = server.open(ANNA, &new_table("othello", "size=6", &["human", "human"])).await;
        let mut client = Client::connect(server.address, ANNA).await;
        client.open(&table).await.expect("it opens");
        let stored = play(&mut client, &table).await.expect("legal");
        if is_killed {
            server.kill();
        } else {
            assert!(server.terminate().success());
        }
        let server = start_without_room(&folder);
        let health = || Request::new(server.address, "GET", "/healthz").send();
        let games = || Request::new(server.address, "GET", "/api/v1/games?mine=true").token(ANNA).send();
        assert_eq!(health().await.expect(503).json()["storage"], false, "killed: {is_killed}");
        let mut client = Client::connect(server.address, ANNA).await;
        assert_eq!(client.open(&table).await, Ok(stored), "the game can be seen");
        // Under the name of a message that was answered before, a move would count as done.
        (0..10).for_each(|_| drop(client.id()));
        assert_eq!(games().await.expect(200).json()["games"][0]["id"], json!(table));
        for _ in 0..2 {
            assert_eq!(play(&mut client, &table).await.expect_err("there is no room").code, "storage");
        }
        assert_eq!(games().await.expect(200).json()["games"][0]["id"], json!(table), "still");
        limit_files(&server, None);
        assert_eq!(play(&mut client, &table).await, Ok(stored + 1), "there is room again");
        health().await.expect(200);
        server.kill();
        let server = start_on(&folder).expect("the file is sound");
        let mut client = Client::connect(server.address, ANNA).await;
        assert_eq!(client.open(&table).await, Ok(stored + 1));
    }
}

/// The log may be on the disk that is full. Then it is lost, and nothing else.
#[tokio::test]
async fn a_log_that_cannot_be_written_ends_nothing() {
    let folder = Folder::new();
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--log", "text", "--data"]).arg(folder.data());
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device that is full");
    let server = start_with_log(command, full).expect("it starts");
    let foreign = || Request::new(server.address, "GET", "/").header("host", "elsewhere.example").send();
    for _ in 0..3 {
        foreign().await.expect(403);
    }
    Request::new(server.address, "GET", "/healthz").send().await.expect(200);
}

#[tokio::test]
async fn a_damaged_game_is_found_and_reported() {
    let folder = Folder::new();
    database(&folder).await;
    let mut bytes = std::fs::read(folder.database()).expect("it is there");
    // One letter of a move: what SQLite itself keeps is sound. The same text may stand in pages that are free by now.
    let text = b"\"token\":\"";
    let places: Vec<usize> =
        bytes.windows(text.len()).enumerate().filter(|(_, part)| part == text).map(|(at, _)| at).collect();
    let letter = |place: usize| place + text.len();
    let changed = bytes[letter(places[places.len() / 2])];
    for place in places {
        if bytes[letter(place)] == changed {
            bytes[letter(place)] ^= 1;
        }
    }
    std::fs::write(folder.database(), &bytes).expect("written");
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.data());
    let log = folder.0.join("log");
    let server = start_with_log(command, std::fs::File::create(&log).expect("a file")).expect("it starts");
    let health = || Request::new(server.address, "GET", "/healthz").send();
    let found = async { while health().await.expect(200).json()["damagedGames"] != 1 {} };
    timeout(Duration::from_secs(60), found).await.expect("it is found");
    let log = std::fs::read_to_string(log).expect("text");
    assert!(log.contains("a stored game is damaged"), "{log}");
}
