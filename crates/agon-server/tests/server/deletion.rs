//! Games that several have played in: whoever deletes one is forgotten in it, and it goes with the last of them.

use std::sync::atomic::Ordering;

use agon_server::store::sqlite::SqliteStore;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Value, json};

use crate::online::{Party, started};
use crate::support::store::Leaky;
use crate::support::{ANNA, Answer, BENNO, CLEO, Folder, Options, Server, new_lobby};

async fn delete(server: &Server, id: &str, token: &str) -> Answer {
    server.send("DELETE", &format!("/api/v1/games/{id}"), token, &json!(null)).send().await
}

async fn mine(server: &Server, token: &str) -> Vec<Value> {
    let answer = server.get("/api/v1/games?mine=true").token(token).send().await;
    answer.expect(200).json()["games"].as_array().expect("games").clone()
}

fn names(table: &Value) -> Vec<&str> {
    table["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .map(|seat| seat["name"].as_str().expect("a name"))
        .collect()
}

/// All values in the rows of the database, and the tables that they are in, but for the names that browsers have given.
fn stored_values(server: &Server) -> Vec<(String, Vec<u8>)> {
    let database = Connection::open(server.folder.0.join("agon.sqlite")).expect("a database");
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'visitors'";
    let mut tables = database.prepare(tables).expect("a schema");
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).expect("tables").map(|name| name.expect("a name")).collect();
    let mut values = Vec::new();
    for table in tables {
        let mut rows = database.prepare(&format!("SELECT * FROM {table}")).expect("a table");
        let columns = rows.column_count();
        let mut rows = rows.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            for column in 0..columns {
                if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = row.get_ref(column).expect("a value") {
                    values.push((table.clone(), bytes.to_vec()));
                }
            }
        }
    }
    values
}

/// The tables of the database that hold any of `traces`.
fn holding(server: &Server, traces: &[&[u8]]) -> Vec<String> {
    let holds =
        |value: &[u8]| traces.iter().any(|trace| value.windows(trace.len()).any(|part| part == *trace));
    stored_values(server).into_iter().filter(|(_, value)| holds(value)).map(|(table, _)| table).collect()
}

/// A game of Anna and Benno in which both have moved, if they take turns, and spoken.
async fn played(server: &Server, game: &str) -> Party {
    let mut lobby = new_lobby("Anna", game, "", &["human", "open"]);
    if game == "2048" {
        lobby["mode"] = json!("race");
    }
    let mut party = started(server, &lobby, 2).await;
    if game != "2048" {
        party.step().await;
        party.step().await;
    }
    for client in &mut party.clients {
        client.act(&party.id, json!({"do": "say", "text": "good luck"})).await.expect("players may talk");
    }
    party
}

async fn resign_all(party: &mut Party, boards: &[usize]) {
    for (client, board) in party.clients.iter_mut().zip(boards) {
        client.act(&party.id, json!({"do": "resign", "board": board})).await.expect("one may give up");
    }
    for client in &mut party.clients {
        client.until("the end", |client| client.is_over(&party.id)).await;
    }
}

#[tokio::test]
async fn whoever_deletes_a_shared_game_is_forgotten_and_the_last_one_takes_it_along() {
    // Before the game is deleted, its events are filed by a restart, or not.
    for (game, boards, is_filed) in
        [("othello", &[0][..], false), ("othello", &[0], true), ("2048", &[0, 1], false)]
    {
        let mut server = Server::start().await;
        let mut party = played(&server, game).await;
        let id = party.id.clone();
        let refused = delete(&server, &id, ANNA).await.refusal(409, "state");
        assert!(refused.contains("resign"), "{refused}");
        resign_all(&mut party, boards).await;
        if is_filed {
            drop(party);
            server = server.restart().await;
        }
        let anna: [u8; 32] = Connection::open(server.folder.0.join("agon.sqlite"))
            .and_then(|database| {
                database.query_row("SELECT visitor FROM holders WHERE seat = 0", [], |row| row.get(0))
            })
            .expect("Anna holds a seat");
        let prefix: String = anna[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let traces: [&[u8]; 3] = [b"Anna", &anna, prefix.as_bytes()];
        assert!(!holding(&server, &traces).is_empty(), "she is in the database");
        let mut benno = server.client(BENNO).await;
        benno.open(&id).await.expect("he may look");
        assert_eq!(names(benno.table(&id)), ["Anna", "Benno"]);

        delete(&server, &id, CLEO).await.refusal(403, "forbidden");
        delete(&server, &id, ANNA).await.expect(204);
        benno.until("her name is gone", |client| names(client.table(&id)) == ["", "Benno"]).await;
        assert!(!benno.table(&id).to_string().contains("Anna"), "nor is it in what is said about the end");
        assert_eq!(holding(&server, &traces), [] as [&str; 0], "{game}: she is not in the database");
        assert_eq!(mine(&server, ANNA).await, [] as [Value; 0]);
        let again = benno.act(&id, json!({"do": "rematch", "accept": true})).await.expect_err("with whom?");
        assert_eq!(again.code, "state");
        delete(&server, &id, ANNA).await.refusal(403, "forbidden");

        let server = server.restart().await;
        let listed = mine(&server, BENNO).await;
        assert_eq!(names(&listed[0]), ["", "Benno"], "the stored events are sound");
        let record = server.get(&format!("/api/v1/games/{id}/record")).send().await.expect(200).text();
        assert!(!record.contains("Anna") && record.contains("agon: 1"), "{record}");
        let mut watcher = server.client(CLEO).await;
        watcher.open(&id).await.expect("anybody may look");
        let chat = watcher.until_heard("what was said", |message| message["type"] == "chat").await;
        let authors: Vec<&Value> =
            chat["lines"].as_array().expect("lines").iter().map(|line| &line["name"]).collect();
        assert_eq!(authors, ["", "Benno"]);
        delete(&server, &id, BENNO).await.expect(204);
        watcher.until_heard("it is gone", |message| message["type"] == "gone").await;
        server.get(&format!("/api/v1/games/{id}")).send().await.refusal(404, "unknown");
        assert_eq!(holding(&server, &[id.as_bytes(), b"Benno"]), [] as [&str; 0]);
    }
}

#[tokio::test]
async fn what_cannot_be_stored_is_not_forgotten() {
    let folder = Folder::new();
    let store = Leaky::new(SqliteStore::open(&folder.0.join("agon.sqlite")).expect("a store"));
    let server = Server::on(store.clone(), folder, Options::default()).await;
    let mut party = played(&server, "othello").await;
    resign_all(&mut party, &[0]).await;
    store.is_full.store(true, Ordering::SeqCst);
    delete(&server, &party.id, ANNA).await.refusal(503, "storage");
    store.is_full.store(false, Ordering::SeqCst);
    assert_eq!(names(&mine(&server, ANNA).await[0]), ["Anna", "Benno"]);
    // Those who follow the game still do.
    let benno = &mut party.clients[1];
    benno.act(&party.id, json!({"do": "say", "text": "well played"})).await.expect("he may talk");
    delete(&server, &party.id, ANNA).await.expect(204);
    benno.until("her name is gone", |client| names(client.table(&party.id)) == ["", "Benno"]).await;
    benno.act(&party.id, json!({"do": "say", "text": "good-bye"})).await.expect("he may still talk");
}
