//! Bots of visitors: how many of them may think, and that their games go on.

use serde_json::json;

use crate::support::{ANNA, BENNO, Server, new_table};

#[tokio::test]
async fn a_browser_has_four_games_with_bots_at_once() {
    let server = Server::start().await;
    let against = || new_table("othello", "", &["human", "novice"]);
    let mut client = server.client(ANNA).await;
    let mut tables = Vec::new();
    for _ in 0..4 {
        let table = server.open(&against()).await;
        client.open(&table).await.expect("it opens");
        // Once the table answers again, it has taken its place.
        server.table(&table).await;
        tables.push(table);
    }
    let fifth = || server.send("POST", "/api/v1/games", ANNA, &against());
    assert!(fifth().send().await.refusal(429, "limit").contains('4'));
    server.open(&new_table("othello", "", &["human", "human"])).await;
    server.open_by(BENNO, &against()).await;
    client.ask(json!({"type": "unwatch", "game": tables[0]})).await.expect("connected");
    server.table(&tables[0]).await;
    fifth().send().await.expect(201);
}

#[tokio::test]
async fn a_game_beyond_the_limit_waits_until_another_one_is_left() {
    let server = Server::start().await;
    let mut tables = Vec::new();
    // All are opened before any of them is followed.
    for _ in 0..5 {
        tables.push(server.open(&new_table("othello", "size=4", &["random", "human"])).await);
    }
    let mut client = server.client(ANNA).await;
    for table in &tables {
        client.open(table).await.expect("it opens");
        server.table(table).await;
    }
    let moved = client.until("four bots have moved", |client| {
        tables.iter().filter(|table| client.to_move(table).is_some()).count() == 4
    });
    moved.await;
    assert!(client.to_move(&tables[4]).is_none(), "the fifth one waits");
    client.ask(json!({"type": "unwatch", "game": tables[0]})).await.expect("connected");
    client.until("the fifth bot moves", |client| client.to_move(&tables[4]).is_some()).await;
}

#[tokio::test]
async fn after_a_restart_bots_move_where_it_was_their_turn() {
    let server = Server::start().await;
    let mut against = new_table("othello", "size=6", &["random", "human"]);
    against["pace"] = json!(60_000);
    let table = server.open(&against).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    assert!(client.to_move(&table).is_none(), "the bot is to move, and takes its time");
    let server = server.restart().await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("the table is still there");
    client.act(&table, json!({"do": "pace", "millis": 0})).await.expect("the owner may");
    client.until("the bot moves", |client| client.to_move(&table).is_some()).await;
    let server = server.restart().await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("the table is still there");
    assert_eq!(client.table(&table)["pace"], 0, "settings survive");
    assert!(client.to_move(&table).is_some(), "the bot's move was stored and is not thought of again");
}
