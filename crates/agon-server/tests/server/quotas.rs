//! What one visitor can take from all others: memory and disk. Both are bounded.

use std::time::Duration;

use agon_server::store::Stored;
use agon_server::tables::{Limits, StoredLimits};
use serde_json::json;

use crate::support::{ANNA, BENNO, Options, Server, new_table, pass};

/// A record of Othello with one move.
const RECORD: &str = "agon: 1\ngame: othello\noptions: size=6\n\nb3\n";

#[tokio::test]
async fn games_that_nobody_looks_at_take_no_memory() {
    let server = Server::start().await;
    for _ in 0..20 {
        server.open(&new_table("othello", "size=6", &["human", "human"])).await;
        server.send("POST", "/api/v1/records", ANNA, &json!(null)).body(RECORD).send().await.expect(201);
    }
    assert_eq!(server.app.tables.len(), 0);
    // Whoever looks at one has it fetched, for a while.
    let table = server.open(&new_table("othello", "size=6", &["human", "human"])).await;
    server.table(&table).await;
    assert_eq!(server.app.tables.len(), 1);
}

#[tokio::test]
async fn a_clock_runs_on_without_its_table() {
    let server = Server::start().await;
    let time_keeper = std::sync::Arc::clone(&server.app.tables);
    let time_keeper = tokio::spawn(async move { time_keeper.keep_time().await });
    let mut timed = new_table("othello", "size=6", &["human", "human"]);
    timed["clock"] = json!("10m+0s");
    let table = server.open(&timed).await;
    let mut anna = server.client(ANNA).await;
    anna.open(&table).await.expect("it opens");
    let (_, _, tokens) = anna.to_move(&table).expect("somebody is to move");
    anna.play(&table, &tokens[0]).await.expect("legal");
    drop(anna);
    pass(200).await;
    assert_eq!(server.app.tables.len(), 0, "it waits for nothing but the clock");
    let left = &server.table(&table).await["boards"][0]["facts"]["clocks"][1];
    assert!((300_000..=400_000).contains(&left.as_u64().expect("a clock")), "{left}");
    pass(200).await;
    assert_eq!(server.app.tables.len(), 0);
    // It is fetched when the clock has run out, though nobody looks.
    pass(220).await;
    let end = &server.table(&table).await["boards"][0]["facts"]["end"];
    assert_eq!((&end["kind"], &end["seat"]), (&json!("forfeit"), &json!(1)), "{end}");
    time_keeper.abort();
}

fn with_room(browser: Stored, address: Stored) -> Options {
    let stored = StoredLimits { browser, address, ..StoredLimits::default() };
    Options { limits: Limits { stored, ..Limits::default() }, ..Options::default() }
}

#[tokio::test]
async fn a_browser_and_an_address_have_room_for_so_many_games() {
    let roomy = Stored { games: 1000, bytes: 1 << 30 };
    let server = Server::with(with_room(Stored { games: 2, ..roomy }, Stored { games: 3, ..roomy })).await;
    let game = new_table("othello", "size=6", &["human", "human"]);
    let first = server.open(&game).await;
    server.open(&game).await;
    let third = server.send("POST", "/api/v1/games", ANNA, &game).send().await;
    assert!(third.refusal(429, "limit").contains("you have 2"));
    let record = server.send("POST", "/api/v1/records", ANNA, &json!(null)).body(RECORD);
    record.send().await.refusal(429, "limit");
    server.open_by(BENNO, &game).await;
    let stranger = server.send("POST", "/api/v1/games", "a new name each time, 24 letters", &game);
    assert!(stranger.send().await.refusal(429, "limit").contains("from your address"));
    // What is deleted makes room.
    server.send("DELETE", &format!("/api/v1/games/{first}"), ANNA, &json!(null)).send().await.expect(204);
    server.open(&game).await;
}

#[tokio::test]
async fn bytes_count_too() {
    let roomy = Stored { games: 1000, bytes: 1 << 30 };
    let server = Server::with(with_room(Stored { games: 1000, bytes: 200 }, roomy)).await;
    let game = new_table("othello", "size=6", &["human", "human"]);
    server.open(&game).await;
    server.send("POST", "/api/v1/games", ANNA, &game).send().await.refusal(429, "limit");
    server.open_by(BENNO, &game).await;
}

#[tokio::test]
async fn an_address_that_uploads_without_end_is_told_when_to_come_back() {
    let server = Server::start().await;
    let padded = format!("agon: 1\ngame: othello\noptions: size=6\nx-note: {}\n\nb3\n", "x".repeat(800_000));
    let upload = || server.send("POST", "/api/v1/records", ANNA, &json!(null)).body(padded.as_str());
    let mut stored = 0;
    let refused = loop {
        let answer = upload().send().await;
        if answer.status != 201 {
            break answer.refusal(429, "limit");
        }
        stored += 1;
        assert!(stored < 100, "there is no end");
    };
    assert!(stored >= 4 && refused.contains("Try again in"), "{stored}: {refused}");
}

#[tokio::test]
async fn games_are_deleted_by_their_owners_and_those_who_follow_them_are_told() {
    let server = Server::start().await;
    let table = server.open(&new_table("othello", "size=6", &["human", "human"])).await;
    let path = format!("/api/v1/games/{table}");
    let mut watcher = server.client(BENNO).await;
    watcher.open(&table).await.expect("it opens");
    let delete = |token: &str| server.send("DELETE", &path, token, &json!(null));
    delete(BENNO).send().await.refusal(403, "forbidden");
    delete(ANNA).send().await.expect(204);
    watcher.until_heard("it is gone", |message| message["type"] == "gone").await;
    server.get(&path).token(ANNA).send().await.refusal(404, "unknown");
    delete(ANNA).send().await.refusal(404, "unknown");
    let mine = server.get("/api/v1/games?mine=true").token(ANNA).send().await.expect(200).json();
    assert_eq!(mine["games"], json!([]));
    assert_eq!(server.app.tables.len(), 0);
}

#[tokio::test]
async fn what_nobody_opens_goes_after_a_while_and_uploads_sooner() {
    let server = Server::start().await;
    let played = server.open(&new_table("othello", "size=6", &["human", "human"])).await;
    let upload = server.send("POST", "/api/v1/records", ANNA, &json!(null)).body(RECORD).send().await;
    let upload = upload.expect(201).json()["id"].as_str().expect("an id").to_owned();
    let day = Duration::from_secs(24 * 3600).as_secs();
    let now = server.app.tables.date();
    let status = |id: String| {
        let request = server.get(&format!("/api/v1/games/{id}/record")).token(ANNA);
        async move { request.send().await.status }
    };
    server.app.tables.sweep(now + 29 * day).await;
    assert_eq!((status(played.clone()).await, status(upload.clone()).await), (200, 200));
    server.app.tables.sweep(now + 32 * day).await;
    pass(200).await;
    assert_eq!((status(played.clone()).await, status(upload).await), (200, 404));
    pass(200).await;
    server.app.tables.sweep(now + 370 * day).await;
    assert_eq!(status(played).await, 404);
}
