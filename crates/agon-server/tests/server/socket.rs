//! The WebSocket: who may say what, what is refused, and what those hear who come back.

use agon_protocol::web::PROTOCOL;
use agon_server::bots::Requester;
use agon_server::http::ConnectionLimits;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::support::{ANNA, BENNO, Client, Options, Server, asking, judged, new_table, number};

fn hot_seat() -> Value {
    new_table("othello", "size=6", &["human", "human"])
}

/// A connection that has been welcomed but has said nothing.
async fn welcomed(server: &Server) -> Client {
    let token = format!("Bearer {ANNA}");
    let mut client = Client::upgrade(server.address, &[("authorization", &token)]).await.expect("connected");
    assert_eq!(client.next().await.expect("a message")["type"], "welcome");
    client
}

/// The code of the next refusal.
async fn refused(client: &mut Client) -> String {
    let message = client.until_heard("a refusal", |message| message["type"] == "error").await;
    assert!(message["message"]["text"].as_str().is_some_and(|text| text.len() > 5), "{message}");
    message["code"].as_str().expect("a code").to_owned()
}

/// Whether the connection still does its work.
async fn is_well(client: &mut Client) {
    let answer = client.ask(json!({"type": "ping"})).await.expect("connected");
    assert_eq!(answer["type"], "ack");
}

/// Somebody at an address of their own.
fn requester(number: u8) -> Requester {
    Requester { address: [192, 0, 2, number].into(), visitor: [number; 32] }
}

#[tokio::test]
async fn the_first_message_names_the_version() {
    let server = Server::start().await;
    let mut client = welcomed(&server).await;
    client.send(&json!({"type": "hello", "protocol": PROTOCOL + 1})).await.expect("connected");
    assert_eq!(refused(&mut client).await, "version");
    assert_eq!(client.until_closed().await, Some(1008));
    let mut client = welcomed(&server).await;
    client.send(&json!({"type": "ping", "id": "early"})).await.expect("connected");
    assert_eq!(refused(&mut client).await, "malformed");
    client.send(&json!({"type": "hello", "protocol": PROTOCOL})).await.expect("connected");
    is_well(&mut client).await;
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_and_the_connection_goes_on() {
    let server = Server::start().await;
    let mut client = server.client(ANNA).await;
    client.send_raw(Message::binary(vec![1, 2, 3])).await.expect("connected");
    assert_eq!(refused(&mut client).await, "malformed");
    let deep = format!("{}{}", "[".repeat(4000), "]".repeat(4000));
    let within = format!("{{\"type\":\"act\",\"id\":\"x\",\"table\":\"t\",\"action\":{deep}}}");
    let texts =
        ["", "{", "null", "[]", "hello", "{\"type\":\"dance\",\"id\":\"x\"}", "\u{0}", &deep, &within];
    for text in texts {
        client.send_raw(Message::text(text)).await.expect("connected");
        assert_eq!(refused(&mut client).await, "malformed", "{text:.40}");
    }
    client.send_raw(Message::text(" ".repeat((8 << 10) + 1))).await.expect("connected");
    assert_eq!(refused(&mut client).await, "too-large");
    is_well(&mut client).await;
    for id in ["".to_owned(), "x".repeat(65), "a b".to_owned(), "é".to_owned()] {
        client.send(&json!({"type": "ping", "id": id})).await.expect("connected");
        assert_eq!(refused(&mut client).await, "malformed", "{id}");
    }
    is_well(&mut client).await;
    client.send_raw(Message::text(" ".repeat(100 << 10))).await.expect("connected");
    assert_eq!(refused(&mut client).await, "too-large");
    client.until_closed().await;
}

#[tokio::test]
async fn refusals_name_the_message_wherever_it_has_a_name() {
    let server = Server::start().await;
    let mut client = server.client(ANNA).await;
    client
        .send(&json!({"type": "act", "id": "mine", "game": "t", "action": {"do": "dance"}}))
        .await
        .expect("ok");
    let answer = client.answer("mine").await.expect("an answer");
    assert_eq!(answer["code"], "malformed");
}

#[tokio::test]
async fn too_many_messages_are_refused_and_too_many_faults_end_it() {
    let connections =
        ConnectionLimits { per_address: 10, messages_per_second: 1, ..ConnectionLimits::default() };
    let server = Server::with(Options { connections, ..Options::default() }).await;
    let mut client = server.client(ANNA).await;
    let mut codes = Vec::new();
    for index in 0..12 {
        client.send(&json!({"type": "ping", "id": format!("p{index}")})).await.expect("connected");
        let answer = client.answer(&format!("p{index}")).await.expect("every message is answered");
        codes.push(answer["code"].as_str().unwrap_or("ack").to_owned());
    }
    assert_eq!(codes[0], "ack");
    assert!(codes.contains(&"too-fast".to_owned()), "{codes:?}");
    let mut sent = 0;
    while client.send_raw(Message::text("nonsense")).await.is_ok() && sent < 1000 {
        sent += 1;
    }
    assert_eq!(client.until_closed().await.unwrap_or(1008), 1008);
    let mut other = server.client(BENNO).await;
    is_well(&mut other).await;
}

#[tokio::test]
async fn an_address_has_only_so_many_connections_and_a_connection_so_many_tables() {
    let connections =
        ConnectionLimits { per_address: 2, messages_per_second: 1000, ..ConnectionLimits::default() };
    let server = Server::with(Options { connections, ..Options::default() }).await;
    let mut one = server.client(ANNA).await;
    let other = server.client(BENNO).await;
    let bearer = format!("Bearer {ANNA}");
    match Client::upgrade(server.address, &[("authorization", &bearer)]).await {
        Err(Error::Http(response)) => assert_eq!(response.status().as_u16(), 429),
        Ok(_) => panic!("a third connection is one too many"),
        Err(error) => panic!("{error}"),
    }
    drop(other);
    // Its place is free as soon as the server has noticed.
    while Client::upgrade(server.address, &[("authorization", &bearer)]).await.is_err() {
        tokio::task::yield_now().await;
    }
    for count in 1..=17 {
        let table = server.open(&hot_seat()).await;
        match one.open(&table).await {
            Ok(_) => assert!(count <= 16),
            Err(refused) => assert_eq!((refused.code.as_str(), count), ("limit", 17)),
        }
    }
}

#[tokio::test]
async fn what_is_not_there_is_unknown() {
    let server = Server::start().await;
    let mut client = server.client(ANNA).await;
    let table = server.open(&hot_seat()).await;
    let none = "a".repeat(26);
    assert_eq!(client.open(&none).await.expect_err("there is none").code, "unknown");
    assert_eq!(client.open("../../etc/passwd").await.expect_err("there is none").code, "unknown");
    assert_eq!(server.app.tables.len(), 0, "nothing was made by asking");
    let unopened = client.act(&table, json!({"do": "pause"})).await.expect_err("it was not opened");
    assert_eq!(unopened.code, "unknown");
    client.open(&table).await.expect("it opens");
    for action in [
        json!({"do": "move", "board": 1, "ply": 0, "move": "d3"}),
        json!({"do": "move", "board": u64::MAX, "ply": 0, "move": "d3"}),
        json!({"do": "resign", "board": 7}),
        json!({"do": "take-back", "board": 7}),
        json!({"do": "seat", "seat": 2, "occupant": "random"}),
        json!({"do": "seat", "seat": 300, "occupant": "human"}),
    ] {
        assert_eq!(
            client.act(&table, action.clone()).await.expect_err("unknown").code,
            "unknown",
            "{action}"
        );
    }
    let look = client.ask(json!({"type": "look", "game": table, "board": 0, "ply": 1})).await.expect("ok");
    assert_eq!(look["code"], "unknown");
    let gesture = json!({"kind": "point", "places": [[250, 250], [250, 250]]});
    let ask = json!({"type": "explain", "game": table, "board": 3, "gesture": gesture});
    assert_eq!(client.ask(ask).await.expect("ok")["code"], "unknown");
    client.ask(json!({"type": "unwatch", "game": table})).await.expect("ok");
    assert_eq!(client.act(&table, json!({"do": "pause"})).await.expect_err("closed").code, "unknown");
}

#[tokio::test]
async fn moves_are_judged_by_the_server() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let mv = |ply: usize, token: &str| json!({"do": "move", "board": 0, "ply": ply, "move": token});
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let stale = client.act(&table, mv(1, &tokens[0])).await.expect_err("there are no plies yet");
    assert_eq!(stale.code, "stale");
    let illegal = client.act(&table, mv(0, "a1")).await.expect_err("not legal");
    assert_eq!(illegal.code, "illegal");
    assert!(illegal.text.contains("enclose"), "the rule is named: {illegal:?}");
    assert_eq!(client.act(&table, mv(0, "😀")).await.expect_err("no move").code, "illegal");
    let before = client.seq(&table);
    assert_eq!(client.act(&table, mv(0, &tokens[0])).await, Ok(before + 1));
    client.until("it is seen", |client| client.seq(&table) == before + 1).await;
    let twice = client.act(&table, mv(0, &tokens[0])).await.expect_err("the game has moved on");
    assert_eq!(twice.code, "stale");
    let typed = json!({"do": "move", "board": 0, "ply": 1, "move": " nowhere ", "typed": true});
    assert_eq!(client.act(&table, typed).await.expect_err("no move").code, "illegal");
    client.act(&table, json!({"do": "resign", "board": 0})).await.expect("one may give up");
    client.until("it is over", |client| client.is_over(&table)).await;
    assert_eq!(client.facts(&table, 0)["end"]["kind"], "forfeit");
    let over = client.act(&table, mv(1, &tokens[0])).await.expect_err("it is over");
    assert_eq!(over.code, "state");
    for action in [json!({"do": "pause"}), json!({"do": "step"}), json!({"do": "pace", "millis": 1})] {
        let refused = client.act(&table, action).await.expect_err("no bot plays here");
        assert_eq!(refused.code, "state");
    }
}

#[tokio::test]
async fn who_is_not_to_move_cannot() {
    let server = Server::with(Options { workers: 1, ..Options::default() }).await;
    // The bot cannot move as long as its thread is taken.
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let _ticket = server.app.tables.pool().submit(requester(9), move |_| wait.recv().unwrap_or_default());
    let table = server.open(&new_table("othello", "size=6", &["random", "human"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    assert_eq!(client.to_move(&table), None, "moves are shown to whoever may make them");
    let refused = client.play(&table, "c2").await.expect_err("the bot is to move");
    assert_eq!(refused.code, "not-your-turn");
    let hint = client.ask(json!({"type": "hint", "game": table, "board": 0})).await.expect("connected");
    assert_eq!(hint["code"], "state");
    let place = client.until_heard("its place in the line", |message| message["type"] == "waiting").await;
    assert_eq!((&place["game"], &place["place"]), (&json!(table), &json!(1)));
    go.send(()).expect("somebody waits");
    client.until_heard("its turn", |message| message["type"] == "waiting" && message["place"] == 0).await;
    client.until("the bot has moved", |client| client.to_move(&table).is_some()).await;
}

#[tokio::test]
async fn whoever_has_only_the_link_watches() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut owner = server.client(ANNA).await;
    let mut watcher = server.client(BENNO).await;
    owner.open(&table).await.expect("it opens");
    watcher.open(&table).await.expect("it opens");
    let state = watcher.table(&table);
    assert_eq!((&state["owner"], &state["seats"][0]["mine"]), (&json!(false), &json!(false)));
    assert_eq!(owner.table(&table)["seats"][0]["mine"], true);
    for action in [
        json!({"do": "move", "board": 0, "ply": 0, "move": "b3"}),
        json!({"do": "take-back", "board": 0}),
        json!({"do": "resign", "board": 0}),
        json!({"do": "offer-draw"}),
        json!({"do": "pause"}),
        json!({"do": "pace", "millis": 3}),
        json!({"do": "skip"}),
        json!({"do": "seat", "seat": 0, "occupant": "random"}),
    ] {
        let refused = watcher.act(&table, action.clone()).await.expect_err("they only watch");
        assert_eq!(refused.code, "forbidden", "{action}");
    }
    let hint = watcher.ask(json!({"type": "hint", "game": table, "board": 0})).await.expect("connected");
    assert_eq!(hint["code"], "forbidden");
    let look = watcher.ask(json!({"type": "look", "game": table, "board": 0, "ply": 0})).await.expect("ok");
    assert_eq!(look["type"], "looked", "looking is free");
    let (_, _, tokens) = owner.to_move(&table).expect("somebody is to move");
    let seq = owner.play(&table, &tokens[0]).await.expect("legal");
    watcher.until("the watcher sees the move", |watcher| watcher.seq(&table) == seq).await;
    assert_eq!(watcher.facts(&table, 0)["last"]["token"], tokens[0].as_str());
    let count = owner.until_heard("a watcher", |message| message["count"] == 2).await;
    assert_eq!(count["type"], "watchers");
    drop(watcher);
    owner.until_heard("the watcher has gone", |message| message["count"] == 1).await;
}

#[tokio::test]
async fn who_comes_back_hears_what_was_missed() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let mut past = Vec::new();
    for _ in 0..6 {
        past.push(client.table(&table).clone());
        let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
        let seq = client.play(&table, &tokens[0]).await.expect("legal");
        client.until("it is seen", |client| client.seq(&table) == seq).await;
    }
    client.act(&table, json!({"do": "take-back", "board": 0})).await.expect("both are here");
    let seq = client.ask(json!({"type": "ping"})).await.map(|_| client.seq(&table)).expect("connected");
    assert!(seq > 7, "{seq}");
    for known in &past {
        let mut back = server.client(ANNA).await;
        back.tables.insert(table.clone(), known.clone());
        let since = known["seq"].as_u64();
        back.send(&json!({"type": "watch", "id": "back", "game": table, "since": since})).await.expect("ok");
        loop {
            let message = back.hear().await.expect("connected");
            assert_ne!(message["type"], "state", "only the gap is told");
            if message["id"] == "back" {
                break;
            }
        }
        assert_eq!(back.seq(&table), seq);
        let board = |client: &Client| client.table(&table)["boards"][0]["picture"].clone();
        assert_eq!(board(&back), board(&client), "the gap leads to where the others are");
        assert_eq!(back.facts(&table, 0)["position"], client.facts(&table, 0)["position"]);
    }
    for since in [json!(0), json!(999), json!(u64::MAX)] {
        let mut back = server.client(ANNA).await;
        back.send(&json!({"type": "watch", "id": "back", "game": table, "since": since})).await.expect("ok");
        back.answer("back").await.expect("connected");
        assert_eq!(back.seq(&table), seq, "where the gap is not known, the state is told");
    }
}

#[tokio::test]
async fn a_gesture_makes_the_move_that_it_means() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let to = client.facts(&table, 0)["moves"][0]["to"].clone();
    let point = |places: Value| json!({"kind": "point", "places": places});
    let mv = |gesture: Value| json!({"do": "move", "board": 0, "ply": 0, "gesture": gesture});
    let illegal = client.act(&table, mv(point(json!([[0, 0]])))).await.expect_err("not legal");
    assert_eq!(illegal.code, "illegal");
    assert!(illegal.text.contains("enclose"), "the rule is named: {illegal:?}");
    assert_eq!(client.act(&table, mv(point(json!([])))).await.expect_err("no place").code, "illegal");
    let written = json!({"do": "move", "board": 0, "ply": 0, "move": "d3", "gesture": point(json!([to]))});
    for both_or_neither in [written, json!({"do": "move", "board": 0, "ply": 0})] {
        assert_eq!(client.act(&table, both_or_neither).await.expect_err("unclear").code, "invalid");
    }
    let before = client.seq(&table);
    assert_eq!(client.act(&table, mv(point(json!([to])))).await, Ok(before + 1));
    client.until("it is seen", |client| client.seq(&table) == before + 1).await;
    assert_eq!(client.facts(&table, 0)["last"]["step"]["to"], to);
}

#[tokio::test]
async fn explanations_looks_and_hints() {
    let server = Server::start().await;
    let table = server.open(&new_table("othello", "size=4", &["human", "human"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let start = client.table(&table)["boards"][0]["picture"].clone();
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let to = client.facts(&table, 0)["moves"][0]["to"].clone();
    let explain = |spot: &Value| {
        let gesture = json!({"kind": "point", "places": [spot]});
        json!({"type": "explain", "game": table, "board": 0, "gesture": gesture})
    };
    let legal = client.ask(explain(&to)).await.expect("connected");
    assert_eq!((&legal["type"], &legal["message"]), (&json!("explained"), &Value::Null), "{legal}");
    let corner = client.ask(explain(&json!([0, 0]))).await.expect("connected");
    assert!(corner["message"]["text"].as_str().is_some_and(|text| text.contains("enclose")), "{corner}");
    let outside = client.ask(explain(&json!([255, 255]))).await.expect("connected");
    assert_eq!(outside["type"], "explained");
    let hint = json!({"type": "hint", "game": table, "board": 0});
    let (one, two) = (client.id(), client.id());
    for id in [&one, &two] {
        let mut hint = hint.clone();
        hint["id"] = json!(id);
        client.send(&hint).await.expect("connected");
    }
    let hinted = client.answer(&one).await.expect("connected");
    assert_eq!((&hinted["type"], &hinted["ply"]), (&json!("hinted"), &json!(0)), "{hinted}");
    assert!(tokens.contains(&hinted["token"].as_str().expect("a move").to_owned()), "{hinted}");
    let second = client.answer(&two).await.expect("connected");
    assert!(second["code"] == "limit" || second["type"] == "hinted", "{second}");
    let seq = client.play(&table, &tokens[0]).await.expect("legal");
    client.until("it is seen", |client| client.seq(&table) == seq).await;
    let look = client.ask(json!({"type": "look", "game": table, "board": 0, "ply": 0})).await.expect("ok");
    assert_eq!((&look["picture"], &look["facts"]["ply"]), (&start, &json!(0)));
    // A hint for a position that is gone is refused rather than given late.
    let id = client.id();
    let mut late = hint.clone();
    late["id"] = json!(id);
    client.send(&late).await.expect("connected");
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    client.play(&table, &tokens[0]).await.expect("legal");
    let late = client.answer(&id).await.expect("connected");
    assert!(late["code"] == "stale" || late["type"] == "hinted", "{late}");
}

#[tokio::test]
async fn choices_are_taken_back() {
    let server = Server::start().await;
    for seats in [["human", "human"], ["human", "random"]] {
        let table = server.open(&new_table("othello", "size=6", &seats)).await;
        let mut client = server.client(ANNA).await;
        client.open(&table).await.expect("it opens");
        let start = client.table(&table)["boards"][0].clone();
        assert_eq!(start["facts"]["canTakeBack"], false);
        let nothing = client.act(&table, json!({"do": "take-back", "board": 0})).await;
        assert_eq!(nothing.expect_err("nothing was played").code, "state");
        let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
        let seq = client.play(&table, &tokens[0]).await.expect("legal");
        client
            .until("a person is to move again", |client| {
                client.seq(&table) >= seq && client.to_move(&table).is_some()
            })
            .await;
        assert_eq!(client.facts(&table, 0)["canTakeBack"], true);
        let seq =
            client.act(&table, json!({"do": "take-back", "board": 0})).await.expect("it may be taken back");
        client.until("it is taken back", |client| client.seq(&table) >= seq).await;
        let board = &client.table(&table)["boards"][0];
        assert_eq!(board["plies"], json!([]), "the bot's answer goes with it");
        assert_eq!(board["picture"], start["picture"]);
        assert_eq!(client.facts(&table, 0)["position"], start["facts"]["position"]);
        assert!(client.to_move(&table).is_some(), "whoever took back moves again");
    }
}

/// Waits until every bot that has been asked at a table has answered.
async fn bots_are_done(server: &Server, table: &str) -> Value {
    let (done, heard) = tokio::sync::oneshot::channel();
    let ticket = server.app.tables.pool().submit(requester(8), move |_| done.send(()).unwrap_or_default());
    heard.await.expect("it is its turn");
    drop(ticket);
    server.table(table).await
}

#[tokio::test]
async fn bots_pause_step_and_keep_their_pace() {
    // With a single thread, work that comes later is done later.
    let server = Server::with(Options { workers: 1, ..Options::default() }).await;
    let mut between = new_table("loa", "size=6,turns=15", &["random", "random"]);
    between["pace"] = json!(60_000);
    let table = server.open(&between).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let plies = |table: &Value| number(&table["boards"][0]["facts"]["ply"]);
    client.act(&table, json!({"do": "pause"})).await.expect("the owner may");
    client.act(&table, json!({"do": "pace", "millis": 0})).await.expect("the owner may");
    client.until("the pace is told", |client| client.table(&table)["pace"] == 0).await;
    assert_eq!(client.table(&table)["paused"], true);
    assert_eq!(plies(&bots_are_done(&server, &table).await), 0, "bots that pause do not move");
    let too_slow = client.act(&table, json!({"do": "pace", "millis": 60_001})).await;
    assert_eq!(too_slow.expect_err("too slow").code, "invalid");
    let step = json!({"type": "act", "id": "step-1", "game": table, "action": {"do": "step"}});
    client.send(&step).await.expect("connected");
    client.answer("step-1").await.expect("connected");
    client.until("one move", |client| plies(client.table(&table)) == 1).await;
    client.send(&step).await.expect("connected");
    judged(&client.answer("step-1").await.expect("connected")).expect("it was done before");
    assert_eq!(plies(&bots_are_done(&server, &table).await), 1, "what is sent again is done once");
    client.act(&table, json!({"do": "step"})).await.expect("the owner may");
    client.until("another move", |client| plies(client.table(&table)) == 2).await;
    assert_eq!(client.table(&table)["paused"], true);
    client.act(&table, json!({"do": "resume"})).await.expect("the owner may");
    client.until("the end", |client| client.is_over(&table)).await;
}

#[tokio::test]
async fn somebody_else_takes_a_seat() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let seat = |seat: usize, occupant: &str| json!({"do": "seat", "seat": seat, "occupant": occupant});
    for (occupant, code) in
        [("jsonl:sh", "forbidden"), ("expert:tt=1000", "limit"), ("exprt", "invalid"), ("", "invalid")]
    {
        let refused = client.act(&table, seat(0, occupant)).await.expect_err("it may not");
        assert_eq!(refused.code, code, "{occupant}");
    }
    client.act(&table, seat(0, "random")).await.expect("the owner may");
    client.until("the bot has moved", |client| number(&client.facts(&table, 0)["ply"]) == 1).await;
    let seats = &client.table(&table)["seats"];
    assert_eq!((&seats[0]["occupant"], &seats[0]["person"]), (&json!("random"), &json!(false)));
    client.act(&table, seat(1, "novice")).await.expect("the owner may");
    client.act(&table, json!({"do": "pace", "millis": 0})).await.expect("there are bots now");
    client.until("bots play to the end", |client| client.is_over(&table)).await;
    let over = client.act(&table, seat(0, "human")).await.expect_err("it is over");
    assert_eq!(over.code, "state");
}

#[tokio::test]
async fn a_message_that_is_sent_again_is_done_once_even_by_another_server() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let action = json!({"do": "move", "board": 0, "ply": 0, "move": tokens[0]});
    let mut message = asking(&table, action.clone());
    message["id"] = json!("the-move");
    client.send(&message).await.expect("connected");
    let first = judged(&client.answer("the-move").await.expect("connected")).expect("legal");
    client.send(&message).await.expect("connected");
    assert_eq!(judged(&client.answer("the-move").await.expect("connected")), Ok(first));
    let server = server.restart().await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("the table is still there");
    assert_eq!(client.seq(&table), first);
    assert_eq!(client.table(&table)["owner"], true);
    client.send(&message).await.expect("connected");
    assert_eq!(judged(&client.answer("the-move").await.expect("connected")), Ok(first));
    assert_eq!(number(&server.table(&table).await["boards"][0]["facts"]["ply"]), 1);
    // What was refused has not been done, so its name is free.
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let mut again = asking(&table, action);
    again["id"] = json!("second");
    client.send(&again).await.expect("connected");
    assert!(judged(&client.answer("second").await.expect("connected")).is_err());
    (again["ply"], again["move"]) = (json!(1), json!(tokens[0]));
    client.send(&again).await.expect("connected");
    assert_eq!(judged(&client.answer("second").await.expect("connected")), Ok(first + 1));
}

#[tokio::test]
async fn draws_are_offered_between_people_on_one_screen() {
    let server = Server::start().await;
    let table = server.open(&new_table("loa", "size=6", &["human", "human"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let nothing = client.act(&table, json!({"do": "answer-draw", "accept": true})).await;
    assert_eq!(nothing.expect_err("nobody has offered").code, "state");
    client.act(&table, json!({"do": "offer-draw"})).await.expect("one may offer");
    if !client.is_over(&table) {
        let _ = client.act(&table, json!({"do": "answer-draw", "accept": true})).await;
    }
    client.ask(json!({"type": "ping"})).await.expect("connected");
    client.until("the draw is agreed", |client| client.is_over(&table)).await;
    assert_eq!(client.facts(&table, 0)["end"]["kind"], "drawn");
}

#[tokio::test]
async fn everybody_hears_that_the_server_stops() {
    let server = Server::start().await;
    let table = server.open(&hot_seat()).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    server.app.tables.stop().await;
    let told = client.until_heard("the end", |message| message["type"] == "error").await;
    assert_eq!(told["code"], "stopping");
    let late = client.act(&table, json!({"do": "resign", "board": 0})).await.expect_err("it stops");
    assert_eq!(late.code, "stopping");
}
