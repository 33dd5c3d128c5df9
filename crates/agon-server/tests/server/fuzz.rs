//! Messages of any kind: every one is answered, and a game next to it goes on.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::support::{ANNA, BENNO, Client, Server, asking, new_table};

/// A server, a table to be pestered and one to be played, and a runtime for both.
struct Stage {
    runtime: tokio::runtime::Runtime,
    server: Server,
    pestered: Vec<String>,
    played: String,
}

fn stage() -> &'static Stage {
    static STAGE: OnceLock<Stage> = OnceLock::new();
    STAGE.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let server = runtime.block_on(Server::start());
        let (mut pestered, mut played) = (Vec::new(), String::new());
        runtime.block_on(async {
            for table in [
                new_table("othello", "size=6", &["human", "human"]),
                new_table("tablut", "", &["human", "random"]),
                new_table("loa", "size=6", &["human", "human"]),
                new_table("chinese-checkers", "", &["human", "human"]),
                new_table("2048", "", &["human"]),
            ] {
                pestered.push(server.open(&table).await);
            }
            played = server.open_by(BENNO, &new_table("loa", "size=6", &["human", "human"])).await;
        });
        Stage { runtime, server, pestered, played }
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0_u64..40).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["human", "random", "d3", "up", "point", "turn", "slide", "a1-a2", "pass"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn spot() -> impl Strategy<Value = Value> {
    (any::<u8>(), any::<u8>(), any::<bool>()).prop_map(|(row, column, near)| {
        let bound = if near { 12 } else { 255 };
        json!([row % bound, column % bound])
    })
}

fn action() -> impl Strategy<Value = Value> {
    let token = prop_oneof![
        "[a-h][1-8]",
        "[a-i][1-9]-[a-i][1-9]",
        ".{0,10}",
        prop::sample::select(vec!["up", "left", "pass"]).prop_map(str::to_owned)
    ];
    let board = prop_oneof![9 => Just(0_usize), 1 => any::<usize>()];
    prop_oneof![
        (board.clone(), 0_usize..4, token, any::<bool>()).prop_map(|(board, ply, token, typed)| {
            json!({"do": "move", "board": board, "ply": ply, "move": token, "typed": typed})
        }),
        board.prop_map(|board| json!({"do": "take-back", "board": board})),
        any::<bool>().prop_map(|accept| json!({"do": "answer-take-back", "accept": accept})),
        Just(json!({"do": "offer-draw"})),
        any::<bool>().prop_map(|accept| json!({"do": "answer-draw", "accept": accept})),
        prop::sample::select(vec!["pause", "resume", "step", "skip"]).prop_map(|word| json!({"do": word})),
        any::<u32>().prop_map(|millis| json!({"do": "pace", "millis": millis})),
        (any::<u16>(), ".{0,10}")
            .prop_map(|(seat, who)| json!({"do": "seat", "seat": seat, "occupant": who})),
        (0_usize..4, ".{0,30}").prop_map(|(seat, name)| json!({"do": "sit", "seat": seat, "name": name})),
        ".{0,310}".prop_map(|text| json!({"do": "say", "text": text})),
        (any::<u16>(), any::<bool>())
            .prop_map(|(seat, muted)| json!({"do": "mute", "seat": seat, "muted": muted})),
        any::<bool>().prop_map(|accept| json!({"do": "rematch", "accept": accept})),
        any::<u16>().prop_map(|seat| json!({"do": "hand-over", "seat": seat})),
        (0_usize..4).prop_map(|seat| json!({"do": "remove", "seat": seat})),
        Just(json!({"do": "leave"})),
    ]
}

/// A message that could be one of a page; `TABLE` stands for the table.
fn sound() -> impl Strategy<Value = Value> {
    let gesture = prop_oneof![
        prop::collection::vec(spot(), 0..4).prop_map(|places| json!({"kind": "point", "places": places})),
        spot().prop_map(|corner| json!({"kind": "turn", "corner": corner})),
        prop::sample::select(vec!["up", "down", "left", "right"])
            .prop_map(|heading| json!({"kind": "slide", "heading": heading})),
    ];
    prop_oneof![
        4 => action().prop_map(|action| asking("TABLE", action)),
        4 => gesture.clone().prop_map(|gesture| {
            json!({"type": "explain", "game": "TABLE", "board": 0, "gesture": gesture})
        }),
        2 => (gesture, 0_usize..4).prop_map(|(gesture, ply)| {
            json!({"type": "move", "game": "TABLE", "ply": ply, "gesture": gesture})
        }),
        1 => any::<usize>().prop_map(|ply| json!({"type": "look", "game": "TABLE", "board": 0, "ply": ply})),
        1 => (0_usize..9).prop_map(|ply| json!({"type": "look", "game": "TABLE", "board": 0, "ply": ply})),
        1 => any::<u64>().prop_map(|since| json!({"type": "watch", "game": "TABLE", "since": since})),
        1 => Just(json!({"type": "ping"})),
    ]
}

/// A sound message in which one thing has been changed, left out or added.
fn mutated() -> impl Strategy<Value = Value> {
    (sound(), any::<prop::sample::Index>(), any_json(), 0..3).prop_map(|(mut message, index, value, kind)| {
        let object = message.as_object_mut().expect("an object");
        let keys: Vec<String> = object.keys().cloned().collect();
        let key = index.get(&keys).clone();
        match kind {
            0 => drop(object.insert(key, value)),
            1 => drop(object.remove(&key)),
            _ => drop(object.insert(format!("{key}x"), value)),
        }
        message
    })
}

fn message() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => sound().prop_map(|message| message.to_string()),
        4 => mutated().prop_map(|message| message.to_string()),
        2 => any_json().prop_map(|message| message.to_string()),
        1 => ".{0,200}",
        1 => (sound(), any::<prop::sample::Index>()).prop_map(|(message, index)| {
            let text = message.to_string();
            let end = index.index(text.len());
            text.chars().take(end).collect()
        }),
    ]
}

/// Sends a message and a ping behind it, and counts what is answered to the message until both are. Tables answer by themselves, so either may
/// come first.
async fn answers(client: &mut Client, text: &str) -> Option<usize> {
    client.send_raw(Message::text(text)).await.ok()?;
    let id = client.id();
    client.send(&json!({"type": "ping", "id": id})).await.ok()?;
    let (mut count, mut is_ponged) = (0, false);
    while count == 0 || !is_ponged {
        let message = client.hear().await.ok()?;
        match message["type"].as_str() {
            Some("ack") if message["id"] == id.as_str() => is_ponged = true,
            Some("ack" | "error" | "explained" | "looked" | "hinted" | "link") => count += 1,
            _ => {}
        }
    }
    Some(count)
}

async fn pester(stage: &Stage, which: usize, texts: &[String]) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let table = &stage.pestered[which];
    let mut client = stage.server.client(ANNA).await;
    client.open(table).await.expect("it opens");
    for (index, text) in texts.iter().enumerate() {
        let text = text.replace("TABLE", table);
        // What is a message gets a name of its own, so that none is taken for one that was sent before.
        let id = format!("fuzz-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let text = match serde_json::from_str::<Value>(&text) {
            Ok(Value::Object(mut object)) if !object.contains_key("id") && index % 8 != 7 => {
                object.insert("id".to_owned(), json!(id));
                Value::Object(object).to_string()
            }
            _ => text,
        };
        match answers(&mut client, &text).await {
            Some(count) => assert_eq!(count, 1, "every message has one answer: {text}"),
            None => {
                client = stage.server.client(ANNA).await;
                client.open(table).await.expect("the table is still there");
            }
        }
    }
    // Next door nobody has noticed anything.
    let mut other = stage.server.client(BENNO).await;
    other.open(&stage.played).await.expect("it opens");
    let (_, _, tokens) = other.to_move(&stage.played).expect("somebody is to move");
    other.play(&stage.played, &tokens[0]).await.expect("legal");
    other.act(&stage.played, json!({"do": "take-back", "board": 0})).await.expect("it may be taken back");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn hostile_messages_are_answered_and_hurt_nobody(
        which in 0_usize..5,
        texts in prop::collection::vec(message(), 1..24),
    ) {
        let stage = stage();
        stage.runtime.block_on(pester(stage, which, &texts));
    }
}
