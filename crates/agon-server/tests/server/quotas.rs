//! What one visitor can take from all others: memory and disk. Both are bounded.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_server::store::Stored;
use agon_server::tables::{FollowedLimits, Limits, StoredLimits};
use serde_json::json;

use crate::online::started;
use crate::support::{ANNA, BENNO, CLEO, Options, Server, new_lobby, new_table, pass};

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
async fn games_from_lobbies_and_rematches_count_as_well() {
    let roomy = Stored { games: 1000, bytes: 1 << 30 };
    let server = Server::with(with_room(roomy, Stored { games: 2, ..roomy })).await;
    let lobby = new_lobby("Again", "othello", "size=4", &["human", "open"]);
    let mut party = started(&server, &lobby, 2).await;
    let again = json!({"do": "rematch", "accept": true});
    for number in [2, 3] {
        let id = party.id.clone();
        party.clients[0].act(&id, json!({"do": "resign", "board": 0})).await.expect("one may give up");
        party.clients[1].until("the end", |client| client.is_over(&id)).await;
        party.clients[0].act(&id, again.clone()).await.expect("one may want to");
        let done = party.clients[1].act(&id, again.clone()).await;
        if number == 3 {
            let refused = done.expect_err("there is no room for a third game");
            assert!(refused.code == "limit" && refused.text.contains("from your address"), "{refused:?}");
            break;
        }
        done.expect("there is room for a second game");
        let next = server.table(&id).await["online"]["rematch"]["next"].as_str().expect("an id").to_owned();
        for client in &mut party.clients {
            client.open(&next).await.expect("it is there");
        }
        party.id = next;
    }
    let refused =
        server.send("POST", "/api/v1/lobbies", CLEO, &new_lobby("New", "loa", "", &["human", "open"]));
    assert!(refused.send().await.refusal(429, "limit").contains("from your address"));
}

#[tokio::test]
async fn lobbies_are_opened_only_so_fast() {
    let limits = Limits::default();
    let lobbies = agon_server::lobby::LobbyLimits {
        per_browser: 100_000,
        per_address: 100_000,
        total: 100_000,
        ..limits.lobbies
    };
    let server = Server::with(Options { limits: Limits { lobbies, ..limits }, ..Options::default() }).await;
    // As much as an address may store at once.
    let padded = format!("agon: 1\ngame: othello\noptions: size=6\nx-note: {}\n\nb3\n", "x".repeat(50_000));
    while server.send("POST", "/api/v1/records", ANNA, &json!(null)).body(padded.as_str()).send().await.status
        == 201
    {}
    let mut opened = 0;
    let refused = loop {
        let lobby = new_lobby(&format!("Lobby {opened}"), "othello", "", &["human", "open"]);
        let answer = server.send("POST", "/api/v1/lobbies", BENNO, &lobby).send().await;
        if answer.status != 201 {
            break answer.refusal(429, "limit");
        }
        opened += 1;
        assert!(opened < 10_000, "there is no end");
    };
    assert!(refused.contains("Try again in"), "{refused}");
    assert_eq!(server.app.tables.lobbies().len(), opened, "the one that was refused has left nothing");
}

#[tokio::test]
async fn games_that_are_followed_take_only_so_much_room() {
    // Four small games for a browser, six for an address.
    let followed = FollowedLimits { browser: 110_000, address: 160_000, total: 1 << 30 };
    let limits = Limits { followed, ..Limits::default() };
    let server = Server::with(Options { limits, ..Options::default() }).await;
    let mut tables = Vec::new();
    for _ in 0..8 {
        tables.push(server.open(&new_table("othello", "size=6", &["human", "human"])).await);
    }
    let (mut anna, mut benno) = (server.client(ANNA).await, server.client(BENNO).await);
    for table in &tables[..4] {
        anna.open(table).await.expect("there is room");
    }
    let refused = anna.open(&tables[4]).await.expect_err("there is no room for a fifth");
    assert!(refused.code == "limit" && refused.text.contains("in this browser"), "{refused:?}");
    let mut elsewhere = server.client(ANNA).await;
    elsewhere.open(&tables[4]).await.expect_err("nor over another connection");
    elsewhere.open(&tables[0]).await.expect("that one is there anyway");
    for table in &tables[4..6] {
        benno.open(table).await.expect("others have room");
    }
    let refused = benno.open(&tables[6]).await.expect_err("a class has room for six");
    assert!(refused.code == "limit" && refused.text.contains("from your address"), "{refused:?}");
    anna.ask(json!({"type": "unwatch", "game": tables[1]})).await.expect("connected");
    // Once the table answers again, it has noted that.
    server.table(&tables[1]).await;
    benno.open(&tables[6]).await.expect("there is room again");
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

/// A server whose clock can be put forward and back, by seconds.
async fn with_clock() -> (Server, Arc<AtomicU64>) {
    let clock = Arc::new(AtomicU64::new(1_800_000_000));
    let shown = Arc::clone(&clock);
    let shown: agon_server::dates::Shown = Arc::new(move || shown.load(Ordering::SeqCst));
    (Server::with(Options { clock: Some(shown), ..Options::default() }).await, clock)
}

#[tokio::test]
async fn a_game_that_is_opened_while_the_clock_is_wrong_stays() {
    let (server, clock) = with_clock().await;
    let years = 2 * 365 * 24 * 3600;
    clock.fetch_sub(years, Ordering::SeqCst);
    let table = server.open(&new_table("othello", "size=6", &["human", "human"])).await;
    clock.fetch_add(years, Ordering::SeqCst);
    server.app.tables.sweep(server.app.tables.date()).await;
    let record = server.get(&format!("/api/v1/games/{table}/record")).token(ANNA).send().await;
    assert_eq!(record.status, 200, "two years have not passed");
}

#[tokio::test]
async fn a_game_that_somebody_follows_does_not_go_however_late_it_is() {
    let server = Server::start().await;
    let table = server.open(&new_table("othello", "size=6", &["human", "human"])).await;
    let mut anna = server.client(ANNA).await;
    anna.open(&table).await.expect("it opens");
    let years = 2 * 365 * 24 * 3600;
    server.app.tables.sweep(server.app.tables.date() + years).await;
    let (_, _, tokens) = anna.to_move(&table).expect("somebody is to move");
    anna.play(&table, &tokens[0]).await.expect("the game goes on");
    server.get(&format!("/api/v1/games/{table}/record")).token(ANNA).send().await.expect(200);
}
