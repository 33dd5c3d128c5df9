//! Every game and mode is played to its end over the protocol, by a client that knows no rules.

use serde_json::{Value, json};

use crate::support::{ANNA, BENNO, Client, Server, new_table, number};

/// Chooses among moves in a way that differs from move to move but not from run to run.
pub(crate) struct Choice(pub(crate) u64);

impl Choice {
    fn among(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// Plays a table to its end, moving for every person.
pub(crate) async fn play_out(client: &mut Client, table: &str, choice: &mut Choice) {
    client.open(table).await.expect("the table opens");
    loop {
        if client.is_over(table) {
            return;
        }
        let Some((board, ply, tokens)) = client.to_move(table) else {
            client.hear().await.expect("connected");
            continue;
        };
        let token = &tokens[choice.among(tokens.len())];
        let action = json!({"do": "move", "board": board, "ply": ply, "move": token});
        match client.act(table, action).await {
            Ok(seq) => client.until("the move is seen", |client| client.seq(table) >= seq).await,
            // A forced pass may have been made meanwhile.
            Err(refused) => assert_eq!(refused.code, "stale", "{refused:?}"),
        }
    }
}

/// Of long games only so many plies are told unasked, and so compared.
const TOLD_PLIES: usize = 200;

/// The parts of a table that updates keep up to date.
fn kept(table: &Value) -> Value {
    let boards = table["boards"].as_array().expect("boards").iter();
    let boards: Vec<Value> = boards
        .map(|board| {
            let plies = board["plies"].as_array().expect("plies");
            json!([
                board["picture"]["cells"],
                plies[plies.len().saturating_sub(TOLD_PLIES)..],
                board["facts"]["position"],
                board["facts"]["end"]
            ])
        })
        .collect();
    json!([table["seq"], boards, table["ranking"]])
}

/// Where two values differ first; numbers are the same however they are written.
fn difference(one: &Value, other: &Value) -> Option<String> {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one.as_f64() == other.as_f64() => None,
        (Value::Array(ones), Value::Array(others)) if ones.len() == others.len() => {
            let pairs = ones.iter().zip(others).enumerate();
            pairs.map(|(index, (one, other))| (index.to_string(), difference(one, other))).find_map(below)
        }
        (Value::Object(ones), Value::Object(others)) if ones.len() == others.len() => {
            let other = |name: &String| others.get(name).unwrap_or(&Value::Null);
            ones.iter().map(|(name, one)| (name.clone(), difference(one, other(name)))).find_map(below)
        }
        _ if one == other => None,
        _ => Some(format!(": {one:.200} and {other:.200}")),
    }
}

fn below((name, difference): (String, Option<String>)) -> Option<String> {
    difference.map(|difference| format!("/{name}{difference}"))
}

/// Opens and plays a table, and holds what is known of it in four ways against one another.
async fn played(server: &Server, table: Value) -> Value {
    let name = server.open(&table).await;
    let mut client = server.client(ANNA).await;
    let mut watcher = server.client(BENNO).await;
    watcher.open(&name).await.expect("anybody with the link may watch");
    assert_eq!(watcher.table(&name)["owner"], false);
    play_out(&mut client, &name, &mut Choice(7)).await;
    let seq = client.seq(&name);
    watcher.until("the watcher has seen it all", |watcher| watcher.seq(&name) == seq).await;
    let known = kept(client.table(&name));
    assert_eq!(
        difference(&known, &kept(watcher.table(&name))),
        None,
        "who plays and who watches see the same"
    );
    let told = kept(&server.table(&name).await);
    assert_eq!(difference(&known, &told), None, "updates lead where the server is");
    assert!(!client.table(&name)["ranking"].as_array().expect("a ranking").is_empty(), "{table}");
    let reasons = client.table(&name)["boards"].as_array().expect("boards").iter();
    for board in reasons {
        assert!(board["facts"]["end"]["reason"]["text"].as_str().is_some_and(|text| !text.is_empty()));
    }
    // The record of the game can be read back as the same game.
    let record = server.get(&format!("/api/v1/games/{name}/record")).send().await.expect(200);
    let upload = server.send("POST", "/api/v1/records", ANNA, &Value::Null).body(record.body).send().await;
    let again = upload.expect(201).json()["id"].as_str().expect("a name").to_owned();
    let again = server.table(&again).await;
    for (one, other) in again["boards"].as_array().expect("boards").iter().zip(boards_of(&client, &name)) {
        assert_eq!(one["picture"]["cells"], other["picture"]["cells"], "the record is of the game");
        assert_eq!(one["facts"]["end"]["kind"], other["facts"]["end"]["kind"]);
    }
    client.tables.remove(&name).expect("it was played")
}

fn boards_of<'a>(client: &'a Client, name: &str) -> &'a [Value] {
    client.table(name)["boards"].as_array().expect("boards")
}

#[tokio::test]
async fn what_gave_something_away_is_told_once_a_game_is_over() {
    let server = Server::start().await;
    let running = server.open(&new_table("othello", "size=4", &["human", "novice"])).await;
    server.get(&format!("/api/v1/games/{running}/review")).send().await.refusal(409, "state");
    let sample = agon_registry::GAMES.find("othello").expect("a game").sample;
    let upload = server.send("POST", "/api/v1/records", ANNA, &Value::Null).body(sample).send().await;
    let id = upload.expect(201).json()["id"].as_str().expect("a name").to_owned();
    let plies = server.table(&id).await["boards"][0]["plies"].as_array().expect("plies").len() as u64;
    let review = |from: u64| server.get(&format!("/api/v1/games/{id}/review?from={from}"));
    let mut from = plies - 2;
    // How much of it comes at a time depends on the machine.
    while from < plies {
        let part = review(from).send().await.expect(200).json();
        let to = part["to"].as_u64().expect("a ply");
        assert!(from < to && to <= plies && part["plies"] == plies, "{part}");
        from = to;
    }
    let none = json!({"to": plies, "plies": plies, "faults": []});
    assert_eq!(review(plies).send().await.expect(200).json(), none);
    assert_eq!(review(u64::MAX).send().await.expect(200).json(), none, "there is nothing behind the end");
    let board = server.get(&format!("/api/v1/games/{id}/review?board=1")).send().await;
    board.refusal(404, "unknown");
}

#[tokio::test]
async fn everything_on_one_screen() {
    let server = Server::start().await;
    for (game, options, seats) in [
        ("othello", "size=6", 2),
        ("tablut", "limit=40", 2),
        ("tablut", "rules=bologna", 2),
        ("loa", "size=6,turns=15", 2),
        ("loa", "size=5,rules=standard,turns=10", 2),
        ("chinese-checkers", "rounds=20", 2),
        ("chinese-checkers", "seats=gy/rp/o,rounds=20", 3),
        ("chinese-checkers", "seats=g/y/o/r/p/b,goal=fill,rounds=20", 6),
        ("2048", "", 1),
    ] {
        let table = played(&server, new_table(game, options, &vec!["human"; seats])).await;
        assert_eq!(number(&table["boards"][0]["facts"]["ply"]), plies(&table), "{game} {options}");
    }
}

fn plies(table: &Value) -> usize {
    table["boards"][0]["plies"].as_array().expect("plies").len() + number(&table["boards"][0]["skipped"])
}

#[tokio::test]
async fn every_game_against_bots() {
    let server = Server::start().await;
    for (game, options, seats) in [
        ("othello", "size=4", vec!["human", "novice"]),
        ("othello", "size=6", vec!["random", "human"]),
        ("tablut", "limit=20", vec!["human", "novice"]),
        ("tablut", "limit=20", vec!["random", "human"]),
        ("loa", "size=5,turns=10", vec!["human", "novice"]),
        ("loa", "size=5,turns=10", vec!["random", "human"]),
        ("chinese-checkers", "rounds=20", vec!["human", "novice"]),
        ("chinese-checkers", "seats=gy/rp/o,rounds=20", vec!["random", "human", "random"]),
    ] {
        played(&server, new_table(game, options, &seats)).await;
    }
}

#[tokio::test]
async fn every_game_between_bots() {
    let server = Server::start().await;
    for (game, options, seats) in [
        ("othello", "", vec!["random", "novice"]),
        ("tablut", "limit=40", vec!["random", "random"]),
        ("loa", "size=6,turns=15", vec!["random", "random"]),
        ("chinese-checkers", "seats=g/y/o/r/p/b,rounds=20", vec!["random"; 6]),
        ("2048", "", vec!["random"]),
        ("2048", "", vec!["novice"]),
    ] {
        played(&server, new_table(game, options, &seats)).await;
    }
}

#[tokio::test]
async fn races_together_and_one_after_the_other() {
    let server = Server::start().await;
    for (mode, seats) in
        [("race", vec!["human", "random"]), ("in-turn", vec!["random", "human"]), ("race", vec!["human"; 3])]
    {
        let table = new_table("2048", "", &seats);
        let mut race = table.clone();
        race["mode"] = json!(mode);
        let played = played(&server, race).await;
        assert_eq!(played["mode"], mode);
        let boards = played["boards"].as_array().expect("boards");
        assert_eq!(boards.len(), seats.len());
        let id = played["id"].as_str().expect("an id");
        let mut luck = Vec::new();
        for board in 0..boards.len() {
            let path = format!("/api/v1/games/{id}/plies?board={board}&to=2");
            luck.push(server.get(&path).send().await.expect(200).json()["plies"].clone());
        }
        assert!(luck.iter().all(|first| *first == luck[0]), "all have the same luck: {luck:?}");
        let ranked = played["ranking"].as_array().expect("a ranking").iter();
        assert_eq!(ranked.flat_map(|place| place.as_array().expect("a place")).count(), seats.len());
    }
}

#[tokio::test]
async fn long_games_are_told_by_the_page_and_counted_from_their_start() {
    let server = Server::start().await;
    let id = server.open(&new_table("2048", "", &["random"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&id).await.expect("it opens");
    client.act(&id, json!({"do": "skip"})).await.expect("it skips");
    let page = async |query: &str| {
        let path = format!("/api/v1/games/{id}/plies?{query}");
        server.get(&path).send().await.expect(200).json()
    };
    client.until("the end", |client| client.is_over(&id)).await;
    let facts = client.facts(&id, 0).clone();
    // Two tiles at the beginning, and one after each move.
    let moves = number(&facts["movesMade"]);
    assert_eq!(number(&facts["ply"]), 2 + 2 * moves);
    let told = page("by=moves&from=3&to=5").await;
    assert_eq!((number(&told["from"]), number(&told["movesBefore"])), (8, 3));
    let movers: Vec<bool> =
        told["plies"].as_array().expect("plies").iter().map(|ply| ply["seat"].is_number()).collect();
    assert_eq!(movers, [true, false, true, false], "each with its draw of chance");
    assert_eq!(told["plies"], page("from=8&to=12").await["plies"]);
    assert_eq!(page("from=9&to=12").await["movesBefore"], 4);
    assert_eq!(page("by=moves&from=99999").await["plies"], json!([]));
    server.get(&format!("/api/v1/games/{id}/plies?by=turns")).send().await.refusal(400, "malformed");
    let look = json!({"type": "look", "game": id, "board": 0, "ply": 9});
    let looked = client.ask(look).await.expect("connected");
    assert_eq!(looked["facts"]["movesMade"], 4);
}

#[tokio::test]
async fn statistics_count_what_somebody_has_played_from_start_to_end() {
    let server = Server::start().await;
    let statistics = async |token: &str| {
        server.get("/api/v1/me/statistics/2048").token(token).send().await.expect(200).json()
    };
    let none = statistics(ANNA).await;
    assert_eq!((number(&none["games"]), number(&none["best"])), (0, 0));
    assert_eq!(none["mark"]["key"], "mark", "what marks are called, the game says");
    let mut points = Vec::new();
    for (seats, choice) in [(vec!["human"], 7), (vec!["human"], 8), (vec!["random"], 9)] {
        let id = server.open(&new_table("2048", "", &seats)).await;
        play_out(&mut server.client(ANNA).await, &id, &mut Choice(choice)).await;
        let table = server.table(&id).await;
        points.push(number(&table["boards"][0]["facts"]["score"]));
        if choice == 8 {
            // Neither what was read from a record nor what a bot has begun is one's own.
            let record = server.get(&format!("/api/v1/games/{id}/record")).send().await.expect(200);
            let upload = server.send("POST", "/api/v1/records", ANNA, &Value::Null).body(record.body);
            upload.send().await.expect(201);
        }
    }
    let own = statistics(ANNA).await;
    assert_eq!(number(&own["games"]), 2, "{own}");
    assert_eq!(number(&own["best"]), points[0].max(points[1]));
    let history = own["history"].as_array().expect("games");
    let mut scores: Vec<usize> = history.iter().map(|game| number(&game["score"])).collect();
    assert!(
        history.is_sorted_by(|one, next| one["updated"].as_str() >= next["updated"].as_str()),
        "the latest first: {own}"
    );
    // Both may have ended in the same second.
    scores.sort_unstable();
    points.truncate(2);
    points.sort_unstable();
    assert_eq!(scores, points);
    assert!(history.iter().all(|game| number(&game["moves"]) > 20 && number(&game["mark"]) >= 16), "{own}");
    let marks = own["marks"].as_array().expect("marks").iter();
    assert_eq!(marks.map(|mark| number(&mark["games"])).sum::<usize>(), 2);
    assert_eq!(number(&statistics(BENNO).await["games"]), 0, "those of others are theirs");
    server.get("/api/v1/me/statistics/chess").token(ANNA).send().await.refusal(404, "unknown");
}

#[tokio::test]
async fn in_turn_the_second_board_waits_for_the_first() {
    let server = Server::start().await;
    let mut table = new_table("2048", "", &["human", "human"]);
    table["mode"] = json!("in-turn");
    let name = server.open(&table).await;
    let mut client = server.client(ANNA).await;
    client.open(&name).await.expect("it opens");
    assert_eq!(client.facts(&name, 0)["waits"], false);
    assert_eq!(client.facts(&name, 1)["waits"], true);
    let ply = number(&client.facts(&name, 1)["ply"]);
    let early = json!({"do": "move", "board": 1, "ply": ply, "move": "up"});
    let refused = client.act(&name, early).await.expect_err("the first board comes first");
    assert!(["not-your-turn", "state"].contains(&refused.code.as_str()), "{refused:?}");
    client.act(&name, json!({"do": "resign", "board": 0})).await.expect("one may give up");
    client.until("the second board is free", |client| client.facts(&name, 1)["waits"] == false).await;
    let (board, ..) = client.to_move(&name).expect("somebody is to move");
    assert_eq!(board, 1);
}
