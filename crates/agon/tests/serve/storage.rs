//! What is stored, when the disk is full or the file is damaged.

use std::path::Path;

use rustix::process::{Resource, Rlimit, prlimit};
use serde_json::json;

use crate::client::{Client, Refused, number};
use crate::process::{Failed, Folder, Running, new_table, serve_in_little_room, start, start_on};
use crate::request::Request;

const ANNA: &str = "anna-keeps-this-token-to-herself";
const BENNO: &str = "benno-keeps-another-one-of-them";

/// How large files of a server may become.
fn limit_files(server: &Running, bytes: Option<u64>) {
    let limit = Rlimit { current: bytes, maximum: None };
    prlimit(Some(server.pid()), Resource::Fsize, limit).expect("limits can be set");
}

async fn play(client: &mut Client, table: &str) -> Result<u64, Refused> {
    let (_, _, tokens) = client.to_move(table).expect("somebody is to move");
    let seq = client.play(table, &tokens[0]).await?;
    client.until("it is seen", |client| client.seq(table) >= seq).await;
    Ok(seq)
}

#[tokio::test]
async fn a_full_disk_refuses_moves_and_recovers() {
    let folder = Folder::new();
    let mut command = serve_in_little_room(&folder.0);
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
