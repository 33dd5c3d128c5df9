//! What is stored: it can be read again by every later program, and what cannot be stored has not happened.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_match::{Board, Match};
use agon_protocol::web::TableMode;
use agon_registry::GAMES;
use agon_server::store::sqlite::SqliteStore;
use agon_server::store::{Append, NewEvent, NewTable, Store, StoreError, VisitorId, Write};
use agon_table::stored::{mode, replay};
use serde_json::{Value, json};

use crate::games::{Choice, play_out};
use crate::support::store::Leaky;
use crate::support::{ANNA, Folder, Options, Server, new_table, number};

/// The games of which events are kept, and the files that hold them.
fn kept() -> Vec<(&'static str, Value)> {
    let mode = |mode: &str, mut table: Value| {
        table["mode"] = json!(mode);
        table
    };
    vec![
        ("othello", new_table("othello", "size=4", &["human", "novice"])),
        ("tablut", new_table("tablut", "limit=20", &["random", "human"])),
        ("loa", new_table("loa", "size=5,turns=10", &["human", "random"])),
        ("chinese-checkers", new_table("chinese-checkers", "seats=gy/rp/o,rounds=20", &["random"; 3])),
        ("2048", new_table("2048", "", &["random"])),
        ("2048-race", mode("race", new_table("2048", "", &["random", "human"]))),
        ("2048-in-turn", mode("in-turn", new_table("2048", "", &["random", "random"]))),
    ]
}

fn fixture(name: &str) -> PathBuf {
    let folder = format!("{}/tests/fixtures/events-{}", env!("CARGO_MANIFEST_DIR"), agon_match::SCHEMA);
    PathBuf::from(folder).join(format!("{name}.json"))
}

/// What is the same whenever the events are replayed.
fn outline(play: &Match) -> Value {
    let board = |game: &Board| {
        json!({
            "plies": game.session().len(),
            "position": game.session().position(),
            "over": game.end().is_some(),
            "score": game.standing().map(|standing| standing.score),
        })
    };
    let boards: Vec<Value> = play.boards().iter().map(board).collect();
    json!({ "boards": boards, "ranking": play.ranking() })
}

/// Writes the events of new games, to be kept for ever, if `AGON_MAKE_FIXTURES` is set: by hand, once for every new version of the events.
#[tokio::test]
async fn fixtures_are_made_on_demand() {
    if std::env::var_os("AGON_MAKE_FIXTURES").is_none() {
        return;
    }
    let server = Server::start().await;
    let mut client = server.client(ANNA).await;
    for (name, table) in kept() {
        let table = server.open(&table).await;
        play_out(&mut client, &table, &mut Choice(3)).await;
        let stored = server.app.tables.store().load(table).await.expect("stored").expect("there");
        let play = replay(GAMES, &stored.events).expect("a game");
        let events: Vec<Value> =
            stored.events.iter().map(|event| serde_json::from_str(event).expect("JSON")).collect();
        let lines: Vec<String> = events.iter().map(Value::to_string).collect();
        let text = format!(
            "{{\"mode\": {}, \"outline\": {},\n\"events\": [\n{}\n]}}\n",
            json!(stored.mode),
            outline(&play),
            lines.join(",\n")
        );
        std::fs::create_dir_all(fixture(name).parent().expect("a folder")).expect("a folder");
        std::fs::write(fixture(name), text).expect("written");
    }
}

#[test]
fn what_was_stored_once_can_be_read_for_ever() {
    for version in 1..=agon_match::SCHEMA {
        let folder = format!("{}/tests/fixtures/events-{version}", env!("CARGO_MANIFEST_DIR"));
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("every version has its folder")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        assert!(files.len() >= kept().len(), "{files:?}");
        for path in files {
            let text = std::fs::read_to_string(&path).expect("text");
            let fixture: Value = serde_json::from_str(&text).expect("JSON");
            let expected: TableMode = serde_json::from_value(fixture["mode"].clone()).expect("a mode");
            let events: Vec<String> =
                fixture["events"].as_array().expect("events").iter().map(Value::to_string).collect();
            let play = replay(GAMES, &events).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(mode(&play), expected, "{}", path.display());
            assert_eq!(outline(&play), fixture["outline"], "{}", path.display());
            assert_eq!(play.event_count(), events.len());
            // An event less is another game, and one that is torn is none.
            let torn: Vec<String> = events.iter().map(|event| event[..event.len() / 2].to_owned()).collect();
            assert!(replay(GAMES, &torn).is_err());
            assert!(replay(GAMES, &events[1..]).is_err());
        }
    }
}

#[tokio::test]
async fn what_cannot_be_stored_has_not_happened() {
    let folder = Folder::new();
    let store = Leaky::new(SqliteStore::open(&folder.0.join("agon.sqlite")).expect("a store"));
    let server = Server::on(store.clone(), folder, Options::default()).await;
    let table = server.open(&new_table("othello", "size=6", &["human", "random"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let before = client.table(&table).clone();
    store.is_full.store(true, Ordering::SeqCst);
    for action in [
        json!({"do": "move", "board": 0, "ply": 0, "move": tokens[0]}),
        json!({"do": "resign", "board": 0}),
        json!({"do": "pace", "millis": 77}),
        json!({"do": "seat", "seat": 0, "occupant": "random"}),
    ] {
        let refused = client.act(&table, action.clone()).await.expect_err("there is no room");
        assert_eq!(refused.code, "storage", "{action}");
    }
    let name = server.send("PUT", "/api/v1/me", ANNA, &json!({"name": "Anna"}));
    name.send().await.refusal(503, "storage");
    assert_eq!(client.table(&table), &before, "nobody has heard of anything");
    let now = server.table(&table).await;
    assert_eq!(
        (&now["seq"], &now["pace"], &now["seats"]),
        (&before["seq"], &before["pace"], &before["seats"])
    );
    assert_eq!(store.refusals.load(Ordering::SeqCst), 5);
    store.is_full.store(false, Ordering::SeqCst);
    client.play(&table, &tokens[0]).await.expect("there is room again");
    client.until("the bot answers", |client| number(&client.facts(&table, 0)["ply"]) == 2).await;
}

#[tokio::test]
async fn bots_whose_moves_cannot_be_stored_rest_and_do_not_lose() {
    let folder = Folder::new();
    let store = Leaky::new(SqliteStore::open(&folder.0.join("agon.sqlite")).expect("a store"));
    let server = Server::on(store.clone(), folder, Options { workers: 1, ..Options::default() }).await;
    let mut between = new_table("othello", "size=4", &["random", "random"]);
    between["pace"] = json!(60_000);
    let table = server.open(&between).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    client.act(&table, json!({"do": "pause"})).await.expect("the owner may");
    client.act(&table, json!({"do": "pace", "millis": 0})).await.expect("the owner may");
    client.act(&table, json!({"do": "step"})).await.expect("the owner may");
    client.until("a move", |client| number(&client.facts(&table, 0)["ply"]) == 1).await;
    store.is_full.store(true, Ordering::SeqCst);
    client.act(&table, json!({"do": "step"})).await.expect("nothing is stored for a step");
    while store.refusals.load(Ordering::SeqCst) < 2 {
        server.table(&table).await;
    }
    let now = server.table(&table).await;
    assert_eq!((&now["ranking"], &now["boards"][0]["facts"]["ply"]), (&json!([]), &json!(1)), "it goes on");
    store.is_full.store(false, Ordering::SeqCst);
    client.until("the bot moves", |client| number(&client.facts(&table, 0)["ply"]) == 2).await;
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let folder = Folder::new();
    let path = folder.0.join("agon.sqlite");
    let text = b"Dear diary, nobody keeps games in here.".repeat(200);
    std::fs::write(&path, &text).expect("written");
    assert!(matches!(SqliteStore::open(&path), Err(StoreError::Damaged(_))));
    assert!(std::fs::read(&path).expect("it is there") == text);
    assert!(SqliteStore::open(&folder.0).is_err(), "a folder is no database");
}

#[test]
fn a_file_whose_definitions_are_damaged_is_refused() {
    let folder = Folder::new();
    let path = folder.0.join("agon.sqlite");
    drop(SqliteStore::open(&path).expect("a store"));
    let mut bytes = std::fs::read(&path).expect("it is there");
    // One letter of the name of a column, which SQLite takes for another column.
    let name = b"checksum INTEGER";
    let place = bytes.windows(name.len()).position(|part| part == name).expect("it is there");
    bytes[place] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    assert!(matches!(SqliteStore::open(&path), Err(StoreError::Damaged(_))));
    bytes[place] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    drop(SqliteStore::open(&path).expect("a store"));
    // What somebody has added does no harm.
    let database = rusqlite::Connection::open(&path).expect("a database");
    database.execute_batch("CREATE INDEX of_their_own ON tables (created)").expect("an index");
    drop(database);
    drop(SqliteStore::open(&path).expect("a store"));
}

const OWNER: VisitorId = [7; 32];

fn table_of(id: &str) -> NewTable {
    NewTable {
        id: id.to_owned(),
        owner: OWNER,
        created: 0,
        mode: TableMode::Single,
        settings: "{}".to_owned(),
        head: "{}".to_owned(),
        status: "0".to_owned(),
        over: false,
        events: vec![event(1)],
        holders: None,
        lines: Vec::new(),
        key: None,
        deadline: None,
        address: None,
        uploaded: false,
    }
}

fn event(number: u64) -> NewEvent {
    NewEvent { schema: 1, message: Some(format!("message {number}")), body: format!("event {number}") }
}

/// One more event of a table that has `known` of them.
fn append_to(id: &str, known: u64) -> Write {
    append(id, known, vec![event(known + 1)])
}

/// More events of a table that has `known` of them.
fn append(id: &str, known: u64, events: Vec<NewEvent>) -> Write {
    let last = known + events.len() as u64 - 1;
    let events = Append {
        known,
        events,
        head: None,
        status: last.to_string(),
        over: false,
        deadline: Some(1000 + last),
        ends: false,
    };
    Write { table: id.to_owned(), events: Some(events), ..Write::default() }
}

/// What is read about a table that has `length` events must be the same wherever these are kept.
async fn assert_kept(store: &SqliteStore, id: &str, length: u64) {
    let stored = store.load(id.to_owned()).await.expect("it can be read").expect("it is there");
    assert_eq!(stored.events, (1..=length).map(|number| format!("event {number}")).collect::<Vec<_>>());
    let messages: Vec<_> = (1..=length).map(|number| (format!("message {number}"), number)).collect();
    assert_eq!(stored.messages, messages);
    let deadline = 999 + length;
    assert_eq!(stored.deadline, Some(deadline));
    let listed = store.owned(OWNER, 0, 10).await.expect("a list");
    let status = listed.iter().find(|table| table.id == id).map(|table| table.status.clone());
    assert_eq!(status, Some((length - 1).to_string()));
    let is_due = |now| async move { store.due(now, 10).await.expect("a list").iter().any(|due| due == id) };
    assert!(is_due(deadline).await && !is_due(deadline - 1).await);
}

#[tokio::test]
async fn events_read_alike_before_and_after_they_are_filed() {
    let folder = Folder::new();
    let path = folder.0.join("agon.sqlite");
    let store = SqliteStore::open(&path).expect("a store");
    for id in ["one", "other"] {
        store.create(table_of(id)).await.expect("stored");
        store.write(append_to(id, 1)).await.expect("stored");
    }
    assert_kept(&store, "one", 2).await;
    // Nobody can store what has been stored, nor leave something out, whether it is filed or not.
    for known in [0, 1, 3] {
        assert_eq!(store.write(append_to("one", known)).await, Err(StoreError::Conflict));
    }
    assert_eq!(store.write(append_to("none", 0)).await, Err(StoreError::Conflict));
    drop(store);
    let store = SqliteStore::open(&path).expect("a store");
    assert_kept(&store, "one", 2).await;
    for known in [0, 1, 3] {
        assert_eq!(store.write(append_to("one", known)).await, Err(StoreError::Conflict));
    }
    // So many that they are filed on the way, while the other table's are still read.
    let many = 4_100;
    store.write(append("one", 2, (3..=many).map(event).collect())).await.expect("stored");
    store.write(append_to("one", many)).await.expect("stored");
    assert_kept(&store, "one", many + 1).await;
    assert_kept(&store, "other", 2).await;
}

#[tokio::test]
async fn a_damaged_game_is_found_whatever_the_damage() {
    let damages = [
        // This could be read and replayed.
        "UPDATE events SET body = replace(body, '\"spent\":', '\"spent\":1') WHERE seq = 5 AND table_id = ?1",
        "UPDATE events SET message = message || '!' WHERE seq = 5 AND table_id = ?1",
        "UPDATE events SET body = substr(body, 1, 20) WHERE seq = 5 AND table_id = ?1",
        "UPDATE events SET seq = 500 WHERE seq = 5 AND table_id = ?1",
        "DELETE FROM events WHERE seq = 5 AND table_id = ?1",
        // A game whose last events are missing is a game as well, but another one.
        "DELETE FROM events WHERE table_id = ?1 AND seq = (SELECT max(seq) FROM events WHERE table_id = ?1)",
        "UPDATE events SET table_id = 'no game' WHERE table_id = ?1 AND seq = (SELECT max(seq) FROM events WHERE table_id = ?1)",
        "UPDATE tables SET course = substr(course, 2) WHERE id = ?1",
        "UPDATE tables SET head = substr(head, 2) WHERE id = ?1",
        "UPDATE tables SET settings = '{' WHERE id = ?1",
        "UPDATE tables SET mode = 'race' WHERE id = ?1",
        "UPDATE tables SET mode = 'nonsense' WHERE id = ?1",
        "UPDATE tables SET owner = 'somebody' WHERE id = ?1",
    ];
    let server = Server::start().await;
    let mut client = server.client(ANNA).await;
    let mut tables = Vec::new();
    for _ in damages {
        let table = server.open(&new_table("othello", "size=4", &["human", "human"])).await;
        play_out(&mut client, &table, &mut Choice(3)).await;
        tables.push(table);
    }
    // Events are filed when the server stops.
    let server = server.restart().await;
    let database = rusqlite::Connection::open(server.folder.0.join("agon.sqlite")).expect("a database");
    let unfiled = || database.query_row("SELECT count(*) FROM recent", [], |row| row.get::<_, u64>(0));
    while unfiled() != Ok(0) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let check = || async {
        let (checkup, tables) = (&server.app.checkup, &server.app.tables);
        checkup.look(GAMES, &**tables.store(), |_| std::future::ready(())).await.expect("games can be read");
        server.get("/healthz").send().await.expect(200).json()["damagedGames"].clone()
    };
    assert_eq!(check().await, 0);
    for (number, (damage, table)) in damages.iter().zip(&tables).enumerate() {
        assert_eq!(database.execute(damage, [table]), Ok(1), "{damage}");
        assert_eq!(check().await, number + 1, "{damage}");
    }
    let game = format!("/api/v1/games/{}", tables[0]);
    server.get(&game).token(ANNA).send().await.refusal(503, "storage");
    database.execute("DELETE FROM tables WHERE id = ?1", [&tables[0]]).expect("deleted");
    assert_eq!(check().await, damages.len() - 1, "what has been deleted is damaged no longer");
}
