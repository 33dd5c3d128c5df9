//! Lobbies: opened, listed, filled, left, and turned into games.

use agon_server::http::ConnectionLimits;
use agon_server::lobby::LobbyLimits;
use agon_server::tables::Limits;
use serde_json::{Value, json};

use crate::support::{ANNA, BENNO, CLEO, Client, Options, Server, new_lobby, pass};

fn star(name: &str) -> Value {
    new_lobby(name, "chinese-checkers", "seats=g/o/p,rounds=20", &["human", "open", "open"])
}

/// A browser that follows a lobby.
async fn at(server: &Server, token: &str, lobby: &str) -> Client {
    let mut client = server.client(token).await;
    client.open(lobby).await.expect("anybody may come");
    client.until("the lobby is told", |client| client.lobbies.contains_key(lobby)).await;
    client
}

fn seat<'a>(client: &'a Client, lobby: &str, seat: usize) -> &'a Value {
    &client.lobbies[lobby]["lobby"]["seats"][seat]
}

#[tokio::test]
async fn friends_fill_a_lobby_and_play() {
    let server = Server::start().await;
    let lobby = server.open_lobby(ANNA, &star("Friends")).await;
    let mut anna = at(&server, ANNA, &lobby).await;
    assert_eq!((&anna.lobbies[&lobby]["host"], &anna.lobbies[&lobby]["mine"]), (&json!(true), &json!([0])));
    let mut benno = at(&server, BENNO, &lobby).await;
    assert_eq!((&benno.lobbies[&lobby]["host"], &benno.lobbies[&lobby]["mine"]), (&json!(false), &json!([])));
    assert_eq!(benno.lobbies[&lobby]["key"], Value::Null, "the key is for those who sit");
    benno.sit(&lobby, 1, "Benno").await.expect("it is open");
    let joined = anna.until_heard("a notice", |message| message["type"] == "notice").await;
    assert!(joined["message"]["text"].as_str().is_some_and(|text| text.contains("Benno")), "{joined}");
    anna.until("Benno sits", |anna| seat(anna, &lobby, 1)["name"] == "Benno").await;
    assert!(anna.lobbies[&lobby]["startsIn"].is_null());
    let early = benno.act(&lobby, json!({"do": "resign", "board": 0})).await.expect_err("not yet");
    assert_eq!(early.code, "state");
    anna.act(&lobby, json!({"do": "seat", "seat": 2, "occupant": "novice"})).await.expect("the host may");
    benno.until("it starts soon", |benno| benno.lobbies[&lobby]["startsIn"].is_u64()).await;
    pass(4).await;
    anna.until_started(&lobby).await;
    benno.until_started(&lobby).await;
    let mine = |client: &Client| -> Vec<bool> {
        let seats = client.table(&lobby)["seats"].as_array().expect("seats").iter();
        seats.map(|seat| seat["mine"] == true).collect()
    };
    assert_eq!(mine(&anna), [true, false, false]);
    assert_eq!(mine(&benno), [false, true, false]);
    assert_eq!(benno.table(&lobby)["owner"], false);
    let (_, _, tokens) = anna.to_move(&lobby).expect("green begins");
    let refused = benno.play(&lobby, &tokens[0]).await.expect_err("not Benno's seat");
    assert_eq!(refused.code, "not-your-turn");
    let seq = anna.play(&lobby, &tokens[0]).await.expect("legal");
    benno.until("everybody sees it", |benno| benno.seq(&lobby) >= seq).await;
    let late = benno.sit(&lobby, 2, "Benno").await.expect_err("it has started");
    assert_eq!(late.code, "started");
    server.get(&format!("/api/v1/lobbies/{lobby}")).send().await.refusal(409, "started");
    let mut cleo = server.client(CLEO).await;
    cleo.open(&lobby).await.expect("the link of the lobby leads to the game");
    assert_eq!(cleo.table(&lobby)["online"]["name"], "Friends");
    let refused = cleo.act(&lobby, json!({"do": "resign", "board": 0})).await.expect_err("Cleo watches");
    assert_eq!(refused.code, "forbidden");
    let told = anna.until_heard("Cleo is counted", |message| message["spectators"] == 1).await;
    assert_eq!(told["type"], "presence");
    assert!(server.app.tables.lobbies().is_empty());
}

#[tokio::test]
async fn what_is_taken_full_or_gone_is_said() {
    let server = Server::start().await;
    let lobby = server.open_lobby(ANNA, &star("Friends")).await;
    let open = |name: &str| server.send("POST", "/api/v1/lobbies", BENNO, &star(name));
    for alike in ["Friends", "friends", "Frіends", "FRIENDS "] {
        let answer = open(alike).send().await;
        let text = answer.refusal(409, "taken");
        let problem = answer.json();
        assert_eq!(problem["field"], "name");
        let free = problem["message"]["arguments"]["name"].as_str().expect("a free name");
        assert!(text.contains(free), "{text}");
        assert_eq!(free, format!("{} 2", alike.trim()));
    }
    for bad in ["", " ", "x\u{202e}y", "a\u{0}b", &"x".repeat(25), &"x".repeat(10_000)] {
        open(bad).send().await.refusal(422, "invalid");
    }
    let plain = server.open_lobby(BENNO, &star("<b>bold</b>")).await;
    let listed = server.get(&format!("/api/v1/lobbies/{plain}")).send().await.expect(200).json();
    assert_eq!(listed["lobby"]["name"], "<b>bold</b>", "markup is text");
    let _anna = at(&server, ANNA, &lobby).await;
    let mut benno = at(&server, BENNO, &lobby).await;
    let mut cleo = at(&server, CLEO, &lobby).await;
    assert_eq!(benno.sit(&lobby, 0, "Benno").await.expect_err("Anna's").code, "taken");
    assert_eq!(benno.sit(&lobby, 1, "ANNA").await.expect_err("Anna's name").code, "taken");
    assert_eq!(benno.sit(&lobby, 1, "").await.expect_err("no name").code, "invalid");
    assert_eq!(benno.sit(&lobby, 3, "Benno").await.expect_err("no seat").code, "unknown");
    assert_eq!(benno.sit(&lobby, usize::MAX, "Benno").await.expect_err("no seat").code, "unknown");
    for action in [json!({"do": "remove", "seat": 0}), json!({"do": "seat", "seat": 1, "occupant": "easy"})] {
        assert_eq!(benno.act(&lobby, action).await.expect_err("Benno is no host").code, "forbidden");
    }
    assert_eq!(
        benno.act(&lobby, json!({"do": "say", "text": "hi"})).await.expect_err("a seat first").code,
        "forbidden"
    );
    benno.sit(&lobby, 1, "Benno").await.expect("it is open");
    benno.sit(&lobby, 2, "Benno").await.expect("one may change");
    cleo.sit(&lobby, 1, "Cleo").await.expect("it is open again");
    let mut dora = at(&server, "dora-comes-late-to-everything-oh", &lobby).await;
    assert_eq!(dora.sit(&lobby, 1, "Dora").await.expect_err("no seat is left").code, "full");
    let none = "a".repeat(26);
    server.get(&format!("/api/v1/lobbies/{none}")).send().await.refusal(404, "gone");
    server.get(&format!("/api/v1/invitations/{none}")).send().await.refusal(404, "gone");
    server.get("/api/v1/invitations/..%2f").send().await.refusal(404, "gone");
}

#[tokio::test]
async fn a_private_lobby_is_joined_by_its_link() {
    let server = Server::start().await;
    let mut private = star("Secret");
    private["terms"] = json!({"public": false});
    let lobby = server.open_lobby(ANNA, &private).await;
    let anna = at(&server, ANNA, &lobby).await;
    let key = anna.lobbies[&lobby]["key"].as_str().expect("the host knows the key").to_owned();
    assert_eq!(server.get("/api/v1/lobbies").send().await.json()["lobbies"], json!([]));
    let invitation =
        server.get(&format!("/api/v1/invitations/{key}")).token(BENNO).send().await.expect(200).json();
    assert_eq!(invitation, json!({"id": lobby, "kind": "lobby", "name": "Secret"}));
    let mut benno = at(&server, BENNO, &lobby).await;
    assert!(!benno.lobbies[&lobby].to_string().contains(&key), "the key is not told to everybody");
    assert_eq!(benno.sit(&lobby, 1, "Benno").await.expect_err("no key").code, "forbidden");
    let sit = |key: &str| json!({"do": "sit", "seat": 1, "name": "Benno", "key": key});
    assert_eq!(benno.act(&lobby, sit(&lobby)).await.expect_err("a guess").code, "forbidden");
    benno.act(&lobby, sit(&key)).await.expect("that is the key");
    assert_eq!(benno.lobbies[&lobby]["key"], key.as_str(), "and now Benno may invite others");
}

#[tokio::test]
async fn the_link_of_a_lobby_leads_to_its_game() {
    let server = Server::start().await;
    let mut private = new_lobby("Secret", "othello", "size=4", &["human", "open"]);
    private["terms"] = json!({"public": false});
    let lobby = server.open_lobby(ANNA, &private).await;
    let mut anna = at(&server, ANNA, &lobby).await;
    let key = anna.lobbies[&lobby]["key"].as_str().expect("the host knows the key").to_owned();
    let mut benno = at(&server, BENNO, &lobby).await;
    let sit = json!({"do": "sit", "seat": 1, "name": "Benno", "key": key});
    benno.act(&lobby, sit).await.expect("that is the key");
    pass(4).await;
    anna.until_started(&lobby).await;
    let path = format!("/api/v1/invitations/{key}");
    let expected = json!({"id": lobby, "kind": "lobby", "name": "Secret"});
    let check = async |server: &Server| {
        let late = server.get(&path).token(CLEO).send().await.expect(200).json();
        assert_eq!(late, expected, "whoever is late may watch");
        let taken = server.send("POST", &path, CLEO, &json!({})).send().await.expect(200).json();
        assert_eq!(taken, json!({"id": lobby}), "and takes nobody's seat");
    };
    check(&server).await;
    check(&server.restart().await).await;
}

#[tokio::test]
async fn guests_leave_are_removed_and_hosts_hand_on() {
    let server = Server::start().await;
    let lobby = server.open_lobby(ANNA, &star("Friends")).await;
    let mut anna = at(&server, ANNA, &lobby).await;
    let mut benno = at(&server, BENNO, &lobby).await;
    let mut cleo = at(&server, CLEO, &lobby).await;
    benno.sit(&lobby, 1, "Benno").await.expect("it is open");
    benno.act(&lobby, json!({"do": "leave"})).await.expect("one may leave");
    anna.until("the seat is free", |anna| {
        anna.heard.iter().filter(|message| message["type"] == "notice").count() == 2
            && seat(anna, &lobby, 1)["occupant"] == "open"
    })
    .await;
    benno.sit(&lobby, 1, "Benno").await.expect("and come back");
    anna.act(&lobby, json!({"do": "remove", "seat": 1})).await.expect("the host may");
    assert_eq!(benno.sit(&lobby, 2, "Benno").await.expect_err("not again").code, "forbidden");
    cleo.sit(&lobby, 2, "Cleo").await.expect("it is open");
    anna.act(&lobby, json!({"do": "leave"})).await.expect("the host may leave too");
    cleo.until("Cleo is the host", |cleo| cleo.lobbies[&lobby]["host"] == true).await;
    cleo.act(&lobby, json!({"do": "leave"})).await.expect("one may leave");
    let gone = anna.until_heard("the empty lobby is gone", |message| message["type"] == "gone").await;
    assert_eq!(gone["game"], lobby.as_str());
    let refused = benno.sit(&lobby, 0, "Benno").await.expect_err("it is gone");
    assert_eq!(refused.code, "gone");
    assert!(server.app.tables.lobbies().is_empty());
}

#[tokio::test]
async fn whoever_is_away_for_half_a_minute_has_left() {
    let server = Server::start().await;
    let lobby = server.open_lobby(ANNA, &star("Friends")).await;
    let anna = at(&server, ANNA, &lobby).await;
    let mut benno = at(&server, BENNO, &lobby).await;
    benno.sit(&lobby, 1, "Benno").await.expect("it is open");
    drop(anna);
    benno.until("Anna is away", |benno| seat(benno, &lobby, 0)["here"] == false).await;
    pass(15).await;
    let anna = at(&server, ANNA, &lobby).await;
    assert_eq!(anna.lobbies[&lobby]["host"], true, "fifteen seconds are forgiven");
    drop(anna);
    let pong = json!({"type": "ping"});
    benno.ask(pong.clone()).await.expect("connected");
    pass(18).await;
    benno.ask(pong).await.expect("connected");
    pass(18).await;
    benno.until("Anna has left", |benno| seat(benno, &lobby, 0)["occupant"] == "open").await;
    assert_eq!(benno.lobbies[&lobby]["host"], true);
    drop(benno);
    // Who is alone has time to send the link to somebody.
    pass(40).await;
    assert_eq!(server.app.tables.lobbies().len(), 1);
    let listed = server.get("/api/v1/lobbies").send().await.expect(200).json();
    assert_eq!(listed["lobbies"][0]["id"], lobby.as_str());
    assert_eq!(listed["lobbies"][0]["seats"][1]["occupant"], "human", "Benno still has the seat");
    pass(15 * 60).await;
    // The lobby ends in a task of its own, which needs a moment.
    let mut listed = Value::Null;
    for _ in 0..1000 {
        listed = server.get("/api/v1/lobbies").send().await.json();
        if listed["lobbies"] == json!([]) {
            break;
        }
    }
    assert_eq!(listed["lobbies"], json!([]), "nobody came");
}

/// What everybody in a lobby has been told, in words.
fn notices(client: &Client) -> Vec<&str> {
    let told = client.heard.iter().filter(|message| message["type"] == "notice");
    told.filter_map(|message| message["message"]["text"].as_str()).collect()
}

#[tokio::test]
async fn a_private_lobby_waits_for_its_host_who_sends_the_link() {
    let server = Server::start().await;
    let mut challenge = star("");
    challenge["terms"] = json!({"public": false});
    let lobby = server.open_lobby(ANNA, &challenge).await;
    let anna = at(&server, ANNA, &lobby).await;
    assert_eq!(anna.lobbies[&lobby]["kept"], 15 * 60);
    let key = anna.lobbies[&lobby]["key"].as_str().expect("the host knows it").to_owned();
    drop(anna);
    pass(14 * 60).await;
    assert_eq!(server.app.tables.lobbies().len(), 1, "the messenger takes its time");
    let mut benno = at(&server, BENNO, &lobby).await;
    let sit = json!({"do": "sit", "seat": 1, "name": "Benno", "key": key});
    benno.act(&lobby, sit).await.expect("the link is good");
    for _ in 0..7 {
        pass(18).await;
        benno.ask(json!({"type": "ping"})).await.expect("connected");
    }
    assert_eq!(seat(&benno, &lobby, 0)["occupant"], "human", "a guest waits, so there is time again");
    let anna = at(&server, ANNA, &lobby).await;
    assert_eq!((&anna.lobbies[&lobby]["host"], &anna.lobbies[&lobby]["mine"]), (&json!(true), &json!([0])));
    benno.until("Anna is back", |benno| notices(benno).contains(&"Anna is back.")).await;
}

#[tokio::test]
async fn nobodys_game_begins_without_them() {
    let server = Server::start().await;
    let two = new_lobby("Two", "othello", "", &["human", "open"]);
    let lobby = server.open_lobby(ANNA, &two).await;
    let anna = at(&server, ANNA, &lobby).await;
    let mut benno = at(&server, BENNO, &lobby).await;
    drop(anna);
    benno.until("Anna is away", |benno| seat(benno, &lobby, 0)["here"] == false).await;
    benno.sit(&lobby, 1, "Benno").await.expect("it is open");
    benno.until("Benno sits", |benno| benno.lobbies[&lobby]["mine"] == json!([1])).await;
    pass(5).await;
    benno.ask(json!({"type": "ping"})).await.expect("connected");
    assert!(benno.lobbies[&lobby]["startsIn"].is_null(), "Anna has to be there");
    let mut anna = at(&server, ANNA, &lobby).await;
    benno.until("it starts soon", |benno| benno.lobbies[&lobby]["startsIn"].is_u64()).await;
    pass(4).await;
    anna.until_started(&lobby).await;
}

#[tokio::test]
async fn everybody_is_told_what_happens_and_why() {
    let server = Server::start().await;
    let lobby = server.open_lobby(ANNA, &star("Friends")).await;
    let mut anna = at(&server, ANNA, &lobby).await;
    let mut benno = at(&server, BENNO, &lobby).await;
    let mut cleo = at(&server, CLEO, &lobby).await;
    benno.sit(&lobby, 1, "Benno").await.expect("it is open");
    cleo.sit(&lobby, 2, "Cleo").await.expect("it is open");
    anna.act(&lobby, json!({"do": "remove", "seat": 1})).await.expect("the host may");
    // The lobby answers after what it had to tell before: whoever has an answer has been told, or never will be.
    benno.act(&lobby, json!({"do": "say", "text": "why?"})).await.expect_err("only players talk");
    assert!(
        notices(&benno).contains(&"The host has removed you from this lobby."),
        "Benno is told in person"
    );
    drop(anna);
    cleo.until("Anna is away", |cleo| seat(cleo, &lobby, 0)["here"] == false).await;
    pass(18).await;
    cleo.ask(json!({"type": "ping"})).await.expect("connected");
    pass(18).await;
    cleo.act(&lobby, json!({"do": "say", "text": "where is Anna?"})).await.expect("Cleo sits");
    assert_eq!(
        notices(&cleo),
        [
            "Benno has joined.",
            "Cleo has joined.",
            "Benno was removed by the host.",
            "Anna is away. The seat is kept.",
            "Anna was away for too long and has lost the seat.",
            "Cleo is the host now.",
        ]
    );
    cleo.act(&lobby, json!({"do": "leave"})).await.expect("one may leave");
    benno.act(&lobby, json!({"do": "say", "text": "hello?"})).await.expect_err("it is gone");
    let gone = benno.heard.iter().find(|message| message["type"] == "gone").expect("Benno is told");
    assert_eq!(gone["message"]["text"], "Everybody has left.");
}

#[tokio::test]
async fn the_list_lives() {
    let server = Server::start().await;
    let mut viewer = server.client(CLEO).await;
    let first = server.open_lobby(ANNA, &star("First")).await;
    viewer.ask(json!({"type": "watch-lobbies"})).await.expect("connected");
    let is_told = |id: &str, message: &Value| {
        let told = message["lobbies"].as_array();
        message["type"] == "lobbies" && told.is_some_and(|all| all.iter().any(|lobby| lobby["id"] == id))
    };
    viewer.until_heard("the first one", |message| is_told(&first, message)).await;
    let othello = new_lobby("Second", "othello", "", &["human", "open"]);
    let second = server.open_lobby(BENNO, &othello).await;
    viewer.until_heard("the second one", |message| is_told(&second, message)).await;
    let mut benno = at(&server, BENNO, &second).await;
    let all = server.get("/api/v1/lobbies").send().await.expect(200).json();
    assert_eq!(all["lobbies"].as_array().map(Vec::len), Some(2));
    let filtered = server.get("/api/v1/lobbies?game=othello").send().await.expect(200).json();
    assert_eq!(filtered["lobbies"][0]["id"], second.as_str());
    assert_eq!(filtered["lobbies"].as_array().map(Vec::len), Some(1));
    assert_eq!(filtered["lobbies"][0]["seats"][0]["name"], "Anna");
    benno.act(&second, json!({"do": "leave"})).await.expect("one may leave");
    let holds =
        |message: &Value| message["gone"].as_array().is_some_and(|gone| gone.contains(&json!(second)));
    viewer.until_heard("it is gone", holds).await;
    viewer.ask(json!({"type": "unwatch-lobbies"})).await.expect("connected");
}

#[tokio::test]
async fn a_lobby_survives_a_restart() {
    let server = Server::start().await;
    let lobby = server.open_lobby(ANNA, &star("Friends")).await;
    let mut benno = at(&server, BENNO, &lobby).await;
    benno.sit(&lobby, 2, "Benno").await.expect("it is open");
    benno.act(&lobby, json!({"do": "say", "text": "back in a moment"})).await.expect("Benno sits");
    let server = server.restart().await;
    let anna = at(&server, ANNA, &lobby).await;
    assert_eq!(seat(&anna, &lobby, 2)["name"], "Benno");
    assert_eq!(anna.lobbies[&lobby]["host"], true);
    let chat = anna.heard.iter().find(|message| message["type"] == "chat").expect("what was said");
    assert_eq!(chat["lines"][0]["text"], "back in a moment");
    let again = server.send("POST", "/api/v1/lobbies", CLEO, &star("Friends")).send().await;
    again.refusal(409, "taken");
}

#[tokio::test]
async fn one_address_has_only_so_many_lobbies() {
    let lobbies = LobbyLimits { per_address: 3, ..LobbyLimits::default() };
    let limits = Limits { lobbies, ..Limits::default() };
    let server = Server::with(Options { limits, proxies: &["127.0.0.1/32"], ..Options::default() }).await;
    let open = |number: usize, address: &'static str| {
        let token = format!("visitor-number-{number:04}-of-many-more");
        let lobby = star(&format!("Lobby number {number}"));
        server.send("POST", "/api/v1/lobbies", &token, &lobby).header("x-forwarded-for", address)
    };
    for number in 0..3 {
        open(number, "203.0.113.1").send().await.expect(201);
    }
    open(3, "203.0.113.1").send().await.refusal(429, "limit");
    open(4, "198.51.100.9, 203.0.113.1").send().await.refusal(429, "limit");
    open(5, "203.0.113.2").send().await.expect(201);
    let one = Server::start().await;
    for number in 0..11 {
        let answer = one.send("POST", "/api/v1/lobbies", ANNA, &star(&format!("Mine {number}"))).send().await;
        if number < 10 {
            answer.expect(201)
        } else {
            answer.refusal(429, "limit");
            answer
        };
    }
}

#[tokio::test]
async fn a_class_behind_one_address_can_play() {
    let connections = ConnectionLimits::default();
    let server = Server::with(Options { connections, ..Options::default() }).await;
    let mut students = Vec::new();
    for number in 0..30 {
        let (host, guest) = (
            format!("student-{number:04}-keeps-this-token"),
            format!("student-{number:04}-keeps-that-token"),
        );
        let lobby = server
            .open_lobby(&host, &new_lobby(&format!("Pair {number}"), "othello", "size=4", &["human", "open"]))
            .await;
        let one = at(&server, &host, &lobby).await;
        let mut other = at(&server, &guest, &lobby).await;
        other.sit(&lobby, 1, "Guest").await.expect("it is open");
        students.push((lobby, one, other));
    }
    pass(4).await;
    for (lobby, one, other) in &mut students {
        one.until_started(lobby).await;
        let (_, _, tokens) = one.to_move(lobby).expect("the host begins");
        let seq = one.play(lobby, &tokens[0]).await.expect("legal");
        other.until_started(lobby).await;
        other.until("the move arrives", |other| other.seq(lobby) >= seq).await;
    }
}
