//! Games between people at different browsers: who may do what, who is there, clocks, manners, and what stays secret.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{ANNA, BENNO, CLEO, Client, Server, asking, judged, new_lobby, number, pass};

/// A started game of two or three people, who sit in the order of their tokens.
pub(crate) struct Party {
    pub(crate) id: String,
    pub(crate) clients: Vec<Client>,
}

const TOKENS: [&str; 3] = [ANNA, BENNO, CLEO];
const NAMES: [&str; 3] = ["Anna", "Benno", "Cleo"];

pub(crate) async fn party(server: &Server, game: &str, options: &str, people: usize, terms: Value) -> Party {
    let mut seats = vec!["open"; people];
    seats[0] = "human";
    let mut lobby = new_lobby(&format!("{game} {}", server.app.tables.len()), game, options, &seats);
    lobby["terms"] = terms;
    if game == "2048" {
        lobby["mode"] = json!("race");
    }
    started(server, &lobby, people).await
}

pub(crate) async fn started(server: &Server, lobby: &Value, people: usize) -> Party {
    let id = server.open_lobby(ANNA, lobby).await;
    let mut clients = Vec::new();
    for index in 0..people {
        let mut client = server.client(TOKENS[index]).await;
        client.open(&id).await.expect("anybody may come");
        if index > 0 {
            client.sit(&id, index, NAMES[index]).await.expect("it is open");
        }
        clients.push(client);
    }
    pass(4).await;
    for client in &mut clients {
        client.until_started(&id).await;
    }
    Party { id, clients }
}

impl Party {
    /// Plays the first legal move of whoever is to move, and waits until all have seen it.
    pub(crate) async fn step(&mut self) -> usize {
        let mover = self.mover();
        let (board, ply, tokens) = self.clients[mover].to_move(&self.id).expect("somebody is to move");
        let action = json!({"do": "move", "board": board, "ply": ply, "move": tokens[0]});
        let seq = self.clients[mover].act(&self.id, action).await.expect("legal");
        self.all_see(seq).await;
        mover
    }

    fn mover(&self) -> usize {
        number(&self.clients[0].facts(&self.id, 0)["turn"])
    }

    async fn all_see(&mut self, seq: u64) {
        for client in &mut self.clients {
            client.until("all see it", |client| client.seq(&self.id) >= seq).await;
        }
    }

    async fn act(&mut self, who: usize, action: Value) -> Result<u64, String> {
        let done = self.clients[who].act(&self.id, action).await.map_err(|refused| refused.code);
        if let Ok(seq) = done
            && seq > 0
        {
            self.all_see(seq).await;
        }
        done
    }

    fn seat(&self, who: usize, seat: usize) -> &Value {
        &self.clients[who].table(&self.id)["seats"][seat]
    }

    fn is_over(&self) -> bool {
        self.clients[0].is_over(&self.id)
    }
}

fn presence_of(seat: usize) -> impl Fn(&Value) -> bool {
    move |message| message["type"] == "presence" && message["seats"][seat]["here"] == false
}

#[tokio::test]
async fn every_game_is_played_between_browsers() {
    let server = Server::start().await;
    for (game, options, people) in [
        ("othello", "size=4", 2),
        ("tablut", "limit=20", 2),
        ("loa", "size=5,turns=10", 2),
        ("chinese-checkers", "seats=g/o/p,rounds=20", 3),
    ] {
        let mut party = party(&server, game, options, people, json!({})).await;
        for _ in 0..1000 {
            if party.is_over() {
                break;
            }
            // A pass that has to be made is made by the server after a while.
            let mover = party.mover();
            if party.clients[mover].to_move(&party.id).is_none() {
                party.clients[mover].hear().await.expect("connected");
                continue;
            }
            for other in (0..people).filter(|other| *other != mover) {
                let (board, ply, tokens) = party.clients[mover].to_move(&party.id).expect("a move");
                let action = json!({"do": "move", "board": board, "ply": ply, "move": tokens[0]});
                let refused = party.clients[other].act(&party.id, action).await.expect_err("not their turn");
                assert_eq!(refused.code, "not-your-turn");
            }
            party.step().await;
        }
        assert!(party.is_over(), "{game}");
        for client in &party.clients {
            let table = client.table(&party.id);
            assert!(!table["ranking"].as_array().expect("a ranking").is_empty(), "all are ranked");
            assert_eq!(table["boards"], party.clients[0].table(&party.id)["boards"], "all see the same");
        }
    }
}

#[tokio::test]
async fn a_leaver_is_counted_down_stood_in_for_and_comes_back() {
    let server = Server::start().await;
    let terms = json!({"clock": "10m+5s", "grace": 8});
    let mut party = party(&server, "othello", "size=6", 2, terms).await;
    let benno = party.clients.pop().expect("Benno");
    drop(benno);
    // On a busy machine she may count as silent for a moment herself.
    let only_benno =
        |message: &Value| presence_of(1)(message) && message["seats"][0] == json!({"here": true});
    let away = party.clients[0].until_heard("only Benno is away", only_benno).await;
    let left = away["seats"][1]["leavesIn"].as_u64().expect("everybody sees the countdown");
    assert!((1..=8000).contains(&left), "{left}");
    pass(9).await;
    let id = party.id.clone();
    party.clients[0].until("a bot stands in", |anna| anna.table(&id)["seats"][1]["standIn"] == true).await;
    let seat = party.seat(0, 1);
    assert_eq!((&seat["name"], &seat["person"]), (&json!("Benno"), &json!(false)));
    let (_, _, tokens) = party.clients[0].to_move(&id).expect("Anna begins");
    let seq = party.clients[0].play(&id, &tokens[0]).await.expect("legal");
    party.clients[0]
        .until("the bot answers", |anna| anna.seq(&id) > seq && anna.to_move(&id).is_some())
        .await;
    let mut benno = server.client(BENNO).await;
    benno.open(&id).await.expect("the game goes on");
    benno.until("the seat is Benno's again", |benno| benno.table(&id)["seats"][1]["mine"] == true).await;
    party.clients[0].until("Anna sees it", |anna| anna.table(&id)["seats"][1]["person"] == true).await;
    party.clients.push(benno);
    party.step().await;
    assert_eq!(party.step().await, 1, "Benno plays on");
}

#[tokio::test]
async fn a_leaver_resigns_where_that_was_agreed_on() {
    let server = Server::start().await;
    let terms = json!({"clock": "10m+5s", "grace": 8, "leavers": "resign"});
    let mut party = party(&server, "othello", "size=6", 2, terms).await;
    drop(party.clients.pop());
    party.clients[0].until_heard("Benno is away", presence_of(1)).await;
    pass(9).await;
    let id = party.id.clone();
    party.clients[0].until("it is over", |anna| anna.is_over(&id)).await;
    let end = &party.clients[0].facts(&id, 0)["end"];
    assert_eq!((&end["kind"], &end["seat"]), (&json!("forfeit"), &json!(1)));
    assert_eq!(end["reason"]["text"], "Benno (White) stayed away", "that is not called a resignation: {end}");
}

#[tokio::test]
async fn without_a_clock_nothing_happens_to_one_of_two_by_itself() {
    let server = Server::start().await;
    let mut party = party(&server, "othello", "size=6", 2, json!({"grace": 5})).await;
    drop(party.clients.pop());
    let away = party.clients[0].until_heard("Benno is away", presence_of(1)).await;
    assert_eq!(away["seats"][1]["then"], "ask", "{away}");
    pass(15).await;
    let id = party.id.clone();
    let (_, _, tokens) = party.clients[0].to_move(&id).expect("Anna begins");
    party.clients[0].play(&id, &tokens[0]).await.expect("the game goes on");
    assert_eq!(server.table(&id).await["seats"][1]["person"], true);
    let mine = server.get("/api/v1/games?mine=true").token(BENNO).send().await.expect(200).json();
    let listed = mine["games"].as_array().expect("games").iter().find(|game| game["id"] == id.as_str());
    let listed = listed.expect("the game is among Benno's");
    assert_eq!((&listed["yourTurn"], &listed["name"].is_string()), (&json!(true), &true), "{listed}");
    let hers = server.get("/api/v1/games?mine=true").token(ANNA).send().await.expect(200).json();
    assert_eq!(hers["games"][0]["yourTurn"], false);
}

#[tokio::test]
async fn games_without_moves_end_by_themselves() {
    let server = Server::start().await;
    let now = std::time::UNIX_EPOCH.elapsed().expect("a clock").as_secs();
    let day = 24 * 3600;
    let lasting = party(&server, "othello", "size=6", 2, json!({})).await;
    let daily = party(&server, "othello", "size=6", 2, json!({"days": 3})).await;
    let strict = party(&server, "othello", "size=6", 2, json!({"days": 3, "leavers": "resign"})).await;
    server.app.tables.sweep(now + 2 * day).await;
    assert_eq!(server.table(&daily.id).await["seats"][0]["person"], true);
    server.app.tables.sweep(now + 4 * day).await;
    let table = server.table(&daily.id).await;
    assert!(
        table["seats"][0]["standIn"] == true || number(&table["boards"][0]["facts"]["ply"]) > 0,
        "{table}"
    );
    assert_eq!(server.table(&strict.id).await["boards"][0]["facts"]["end"]["kind"], "forfeit");
    assert!(server.table(&lasting.id).await["boards"][0]["facts"]["end"].is_null());
    server.app.tables.sweep(now + 31 * day).await;
    assert!(server.table(&lasting.id).await["boards"][0]["facts"]["end"].is_null(), "the players are there");
    let id = lasting.id.clone();
    drop(lasting);
    while server.table(&id).await["watchers"] != 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.app.tables.sweep(now + 31 * day).await;
    assert_eq!(server.table(&id).await["boards"][0]["facts"]["end"]["kind"], "aborted");
}

#[tokio::test]
async fn clocks_run_on_the_server_and_rest_while_it_restarts() {
    let server = Server::start().await;
    let mut party =
        party(&server, "othello", "size=6", 2, json!({"clock": "15s", "grace": 600, "interruption": 0}))
            .await;
    let id = party.id.clone();
    party.clients[0].until("the clocks run", |anna| anna.facts(&id, 0)["stopped"] == false).await;
    pass(10).await;
    let left = |table: &Value| table["boards"][0]["facts"]["clocks"][0].as_u64().expect("a clock");
    assert!(left(&server.table(&id).await) <= 5000);
    party.clients.clear();
    let server = server.restart().await;
    assert_eq!(left(&server.table(&id).await), 15_000, "what was used of the turn is forgiven");
    pass(60).await;
    let table = server.table(&id).await;
    assert_eq!(
        (left(&table), &table["boards"][0]["facts"]["stopped"]),
        (15_000, &json!(true)),
        "nobody is back"
    );
    let mut anna = server.client(ANNA).await;
    anna.open(&id).await.expect("it is there");
    let mut benno = server.client(BENNO).await;
    benno.open(&id).await.expect("it is there");
    anna.until("the clocks run again", |anna| anna.facts(&id, 0)["stopped"] == false).await;
    pass(16).await;
    benno.until("the time is up", |benno| benno.is_over(&id)).await;
    let end = &benno.facts(&id, 0)["end"];
    assert_eq!((&end["kind"], &end["seat"]), (&json!("forfeit"), &json!(0)));
}

#[tokio::test]
async fn draws_and_take_backs_need_consent() {
    let server = Server::start().await;
    let mut party = party(&server, "loa", "size=6", 2, json!({})).await;
    let id = party.id.clone();
    let take_back = json!({"do": "take-back", "board": 0});
    assert_eq!(party.act(0, take_back.clone()).await, Err("state".to_owned()), "nothing was played");
    party.step().await;
    party.step().await;
    party.act(0, take_back.clone()).await.expect("one may ask");
    assert_eq!(party.clients[1].facts(&id, 0)["offer"], json!({"kind": "take-back", "seat": 0}));
    assert_eq!(number(&party.clients[1].facts(&id, 0)["ply"]), 2, "nothing is taken back yet");
    party.act(1, json!({"do": "answer-take-back", "accept": false})).await.expect("one may decline");
    assert!(party.clients[0].facts(&id, 0)["offer"].is_null());
    party.act(0, take_back).await.expect("one may ask again");
    let answered = party.act(0, json!({"do": "answer-take-back", "accept": true})).await;
    assert_eq!(answered, Err("state".to_owned()), "nobody grants their own request");
    party.act(1, json!({"do": "answer-take-back", "accept": true})).await.expect("or grant it");
    assert_eq!(number(&party.clients[0].facts(&id, 0)["ply"]), 0);
    party.act(1, json!({"do": "offer-draw"})).await.expect("one may offer");
    party.act(0, json!({"do": "answer-draw", "accept": true})).await.expect("or accept");
    assert_eq!(party.clients[0].facts(&id, 0)["end"]["kind"], "drawn");
}

#[tokio::test]
async fn a_rematch_swaps_or_rotates_the_seats() {
    let server = Server::start().await;
    for (game, options, people) in [("othello", "size=4", 2), ("chinese-checkers", "seats=g/o/p", 3)] {
        let mut party = party(&server, game, options, people, json!({"clock": "5m+3s"})).await;
        let id = party.id.clone();
        let again = json!({"do": "rematch", "accept": true});
        assert_eq!(party.act(0, again.clone()).await, Err("state".to_owned()), "the game goes on");
        for who in 0..people - 1 {
            party.act(who, json!({"do": "resign", "board": 0})).await.expect("one may give up");
        }
        assert!(party.is_over(), "{game}");
        let mut stranger = server.client("dora-comes-late-to-everything-oh").await;
        stranger.open(&id).await.expect("anybody may watch");
        assert_eq!(stranger.act(&id, again.clone()).await.expect_err("no seat").code, "forbidden");
        for who in 0..people {
            party.act(who, again.clone()).await.expect("one may want to");
        }
        let told = |message: &Value| message["type"] == "rematch" && message["rematch"]["next"].is_string();
        let next = party.clients[0].until_heard("the next game", told).await;
        let next = next["rematch"]["next"].as_str().expect("an id").to_owned();
        for (who, client) in party.clients.iter_mut().enumerate() {
            client.open(&next).await.expect("it is there");
            let seats = client.table(&next)["seats"].as_array().expect("seats");
            let mine: Vec<usize> = (0..people).filter(|seat| seats[*seat]["mine"] == true).collect();
            assert_eq!(mine, [(who + 1) % people], "everybody moves on by one seat");
            assert_eq!(client.table(&next)["clock"], "5m+3s");
        }
        assert_eq!(server.table(&id).await["online"]["rematch"]["next"], next.as_str());
    }
}

#[tokio::test]
async fn what_was_said_comes_along_into_the_rematch_and_those_who_look_on_may_speak_where_that_was_agreed() {
    let server = Server::start().await;
    let mut party = party(&server, "othello", "size=4", 2, json!({"spectatorsChat": true})).await;
    let id = party.id.clone();
    let say = |text: &str, name: Value| json!({"do": "say", "text": text, "name": name});
    let mut cleo = server.client(CLEO).await;
    cleo.open(&id).await.expect("anybody may watch");
    assert_eq!(cleo.act(&id, say("hi", json!(null))).await.expect_err("who is it?").code, "invalid");
    assert_eq!(cleo.act(&id, say("hi", json!("ANNA"))).await.expect_err("she plays").code, "taken");
    cleo.act(&id, say("hi", json!("Cleo"))).await.expect("allowed here");
    party.act(0, say("good game", json!(null))).await.expect("players may");
    party.act(1, json!({"do": "resign", "board": 0})).await.expect("one may give up");
    for who in 0..2 {
        party.act(who, json!({"do": "rematch", "accept": true})).await.expect("one may want to");
    }
    let told = |message: &Value| message["type"] == "rematch" && message["rematch"]["next"].is_string();
    let next = cleo.until_heard("those who look on hear of it, too", told).await;
    let next = next["rematch"]["next"].as_str().expect("an id").to_owned();
    let server = server.restart().await;
    let mut cleo = server.client(CLEO).await;
    cleo.open(&next).await.expect("anybody may watch");
    let chat = |message: &Value| message["type"] == "chat" && message["game"] == next.as_str();
    let chat = cleo.until_heard("what was said before", chat).await;
    let lines = chat["lines"].as_array().expect("lines").iter();
    let lines: Vec<_> =
        lines.map(|line| (line["seq"].clone(), line["name"].clone(), line["seat"].clone())).collect();
    assert_eq!(lines, [(json!(1), json!("Cleo"), json!(null)), (json!(2), json!("Anna"), json!(0))]);
    cleo.act(&next, say("again!", json!("Cleo"))).await.expect("numbered on");
}

#[tokio::test]
async fn people_talk_are_slowed_down_and_muted() {
    let server = Server::start().await;
    let mut party = party(&server, "othello", "size=6", 2, json!({})).await;
    let id = party.id.clone();
    let say = |text: &str| json!({"do": "say", "text": text});
    party.clients[0].act(&id, say("good luck")).await.expect("one may talk");
    let heard = |text: &'static str| {
        move |message: &Value| message["type"] == "chat" && message["lines"][0]["text"] == text
    };
    let line = party.clients[1].until_heard("it is heard", heard("good luck")).await;
    assert_eq!((&line["lines"][0]["seat"], &line["lines"][0]["name"]), (&json!(0), &json!("Anna")));
    for bad in ["", "  ", "a\u{202e}b", "x\u{0}", &"x".repeat(301)] {
        assert_eq!(
            party.clients[0].act(&id, say(bad)).await.expect_err("no line").code,
            "invalid",
            "{bad:.9?}"
        );
    }
    party.clients[0].act(&id, say("<i>markup</i>")).await.expect("it is text");
    party.clients[1].until_heard("as it was typed", heard("<i>markup</i>")).await;
    let mut codes = Vec::new();
    for _ in 0..6 {
        codes.push(party.clients[0].act(&id, say("and on and on")).await.map_err(|refused| refused.code));
    }
    assert!(codes.contains(&Err("too-fast".to_owned())), "{codes:?}");
    let mut watcher = server.client(CLEO).await;
    watcher.open(&id).await.expect("anybody may watch");
    assert_eq!(watcher.act(&id, say("hello")).await.expect_err("only players talk").code, "forbidden");
    party.clients[1].act(&id, json!({"do": "mute", "seat": 0, "muted": true})).await.expect("one may");
    pass(11).await;
    party.clients[0].act(&id, say("can you hear me?")).await.expect("one may talk");
    watcher.until_heard("others hear it", heard("can you hear me?")).await;
    party.clients[1].ask(json!({"type": "ping"})).await.expect("connected");
    assert!(!party.clients[1].heard.iter().any(heard("can you hear me?")), "Benno does not");
    // A line that is sent again is said once, also after a restart.
    let message = json!({"type": "act", "id": "line-1", "game": id, "action": say("only once")});
    party.clients[1].send(&message).await.expect("connected");
    judged(&party.clients[1].answer("line-1").await.expect("connected")).expect("it is said");
    let server = server.restart().await;
    let mut benno = server.client(BENNO).await;
    benno.open(&id).await.expect("it is there");
    benno.send(&message).await.expect("connected");
    judged(&benno.answer("line-1").await.expect("connected")).expect("it was said before");
    let mut watcher = server.client(CLEO).await;
    watcher.open(&id).await.expect("it is there");
    let chat = watcher.until_heard("what was said", |message| message["type"] == "chat").await;
    let lines = chat["lines"].as_array().expect("lines").iter();
    let texts: Vec<&str> = lines.map(|line| line["text"].as_str().expect("text")).collect();
    assert_eq!(texts.iter().filter(|text| **text == "only once").count(), 1, "{texts:?}");
    let own = benno.until_heard("what Benno hears", |message| message["type"] == "chat").await;
    assert!(!own.to_string().contains("can you hear me?"), "muted is muted");
    assert_eq!(benno.table(&id)["online"]["muted"], json!([0]));
}

#[tokio::test]
async fn help_is_withheld_until_the_end() {
    let server = Server::start().await;
    for help in [false, true] {
        let seats = ["human", "open", "novice"];
        let mut lobby =
            new_lobby(&format!("Help {help}"), "chinese-checkers", "seats=g/o/p,rounds=20", &seats);
        lobby["terms"] = json!({"help": help});
        let mut party = started(&server, &lobby, 2).await;
        let id = party.id.clone();
        assert_eq!(party.clients[0].table(&id)["online"]["hidden"], !help);
        let hint =
            party.clients[0].ask(json!({"type": "hint", "game": id, "board": 0})).await.expect("connected");
        assert_eq!(hint["type"] == "hinted", help, "{hint}");
        party.step().await;
        party.step().await;
        party.clients[0].until("the bot has moved", |anna| number(&anna.facts(&id, 0)["ply"]) == 3).await;
        let bots = |table: &Value| table["boards"][0]["plies"][2]["nodes"].is_u64();
        assert_eq!(bots(party.clients[0].table(&id)), help);
        assert_eq!(bots(&server.table(&id).await), help);
        let plies = server.get(&format!("/api/v1/games/{id}/plies")).send().await.expect(200).json();
        assert_eq!(plies["plies"][2]["nodes"].is_u64(), help);
        let record = server.get(&format!("/api/v1/games/{id}/record")).send().await.expect(200).text();
        assert_eq!(record.contains("x-depths"), help, "{record}");
        assert!(!record.contains("seed:"), "{record}");
        let thinking = |client: &Client| client.heard.iter().any(|message| message["type"] == "thinking");
        assert!(help || !party.clients.iter().any(thinking));
        party.act(0, json!({"do": "resign", "board": 0})).await.expect("one may give up");
        party.act(1, json!({"do": "resign", "board": 0})).await.expect("one may give up");
        party.clients[1].until("it is over", |benno| benno.is_over(&id)).await;
        assert!(bots(party.clients[1].table(&id)), "after the end everything is shown");
    }
}

#[tokio::test]
async fn a_seat_moves_to_another_device_once() {
    let server = Server::start().await;
    let mut party = party(&server, "othello", "size=6", 2, json!({})).await;
    let id = party.id.clone();
    let hand_over =
        |seat: usize| json!({"type": "act", "game": id, "action": {"do": "hand-over", "seat": seat}});
    let (_, _, tokens) = party.clients[0].to_move(&id).expect("Anna begins");
    let refused = party.clients[0].ask(hand_over(1)).await.expect("connected");
    assert_eq!(refused["code"], "forbidden", "not Anna's seat");
    let link = party.clients[0].ask(hand_over(0)).await.expect("connected");
    assert_eq!(link["type"], "link", "{link}");
    let key = link["key"].as_str().expect("a key").to_owned();
    let path = format!("/api/v1/invitations/{key}");
    let phone = "annas-phone-keeps-a-token-as-well";
    let seen = server.get(&path).token(phone).send().await.expect(200).json();
    assert_eq!(seen, json!({"id": id, "kind": "seat", "name": "Anna"}));
    let answer = server.send("POST", &path, phone, &json!({})).send().await.expect(200).json();
    assert_eq!(answer, json!({"id": id}));
    server.send("POST", &path, CLEO, &json!({})).send().await.refusal(404, "gone");
    party.clients[0].until("the seat has moved", |anna| anna.table(&id)["seats"][0]["mine"] == false).await;
    let refused = party.clients[0].play(&id, &tokens[0]).await.expect_err("the seat has moved");
    assert_eq!(refused.code, "forbidden");
    let server = server.restart().await;
    let mut phone = server.client(phone).await;
    phone.open(&id).await.expect("it is there");
    phone.play(&id, &tokens[0]).await.expect("the phone plays");
    let mine =
        server.get("/api/v1/games?mine=true").token("annas-phone-keeps-a-token-as-well").send().await.json();
    assert_eq!(mine["games"][0]["id"], id.as_str());
}

#[tokio::test]
async fn messages_of_different_browsers_are_different() {
    let server = Server::start().await;
    let mut party = party(&server, "othello", "size=6", 2, json!({})).await;
    let id = party.id.clone();
    let mut messages = Vec::new();
    for who in 0..2 {
        let (board, ply, tokens) = party.clients[who].to_move(&id).expect("a move");
        let mut message = asking(&id, json!({"do": "move", "board": board, "ply": ply, "move": tokens[0]}));
        message["id"] = json!("the-same-name");
        party.clients[who].send(&message).await.expect("connected");
        let seq =
            judged(&party.clients[who].answer("the-same-name").await.expect("connected")).expect("legal");
        party.all_see(seq).await;
        messages.push((message, seq));
    }
    assert_eq!(number(&party.clients[0].facts(&id, 0)["ply"]), 2, "both were played");
    party.act(1, json!({"do": "take-back", "board": 0})).await.expect("one may ask");
    party.act(0, json!({"do": "answer-take-back", "accept": true})).await.expect("or grant");
    let server = server.restart().await;
    for (who, (message, seq)) in messages.iter().enumerate() {
        let mut client = server.client(TOKENS[who]).await;
        client.open(&id).await.expect("it is there");
        client.send(message).await.expect("connected");
        let again = judged(&client.answer("the-same-name").await.expect("connected"));
        assert_eq!(again, Ok(*seq), "what was taken back is not played again");
        assert_eq!(number(&client.facts(&id, 0)["ply"]), 1);
    }
}

#[tokio::test]
async fn a_race_ends_at_its_goal() {
    let server = Server::start().await;
    let mut short = party(&server, "2048", "", 3, json!({"goal": {"kind": "moves", "moves": 2}})).await;
    let id = short.id.clone();
    for who in 0..3 {
        for _ in 0..2 {
            let client = &mut short.clients[who];
            let facts = client.facts(&id, who);
            let (ply, token) = (number(&facts["ply"]), facts["moves"][0]["token"].clone());
            let mv = json!({"do": "move", "board": who, "ply": ply, "move": token});
            let theirs = json!({"do": "move", "board": (who + 1) % 3, "ply": ply, "move": "left"});
            assert!(client.act(&id, theirs).await.is_err(), "that is somebody else's board");
            let seq = client.act(&id, mv).await.expect("legal");
            client.until("it is seen", |client| client.seq(&id) >= seq).await;
        }
        let take_back = short.clients[who].act(&id, json!({"do": "take-back", "board": who})).await;
        assert!(take_back.is_err(), "nothing is taken back in a race");
    }
    for client in &mut short.clients {
        client.until("it is over", |client| client.is_over(&id)).await;
        let ranked = client.table(&id)["ranking"].as_array().expect("a ranking");
        assert_eq!(ranked.iter().flat_map(|place| place.as_array().expect("a place")).count(), 3);
    }
    let terms = json!({"goal": {"kind": "time", "seconds": 10}});
    let mut timed = party(&server, "2048", "", 2, terms).await;
    let id = timed.id.clone();
    timed.clients[0].until("the race begins", |anna| anna.facts(&id, 0)["stopped"] == false).await;
    let left = timed.clients[0].facts(&id, 0)["clocks"][0].as_u64().expect("the time left");
    assert!((1..=10_000).contains(&left), "{left}");
    pass(11).await;
    timed.clients[1].until("the time is up", |benno| benno.is_over(&id)).await;
    let ranking = &timed.clients[1].table(&id)["ranking"];
    assert_eq!(*ranking, json!([[0, 1]]), "equal scores share a place");
}

#[tokio::test]
async fn nothing_private_is_told() {
    let server = Server::start().await;
    let mut party = party(&server, "2048", "", 2, json!({"public": true})).await;
    let id = party.id.clone();
    let mut watcher = server.client(CLEO).await;
    watcher.open(&id).await.expect("anybody may watch");
    let mut told = watcher.table(&id).to_string();
    told += &party.clients[1].table(&id).to_string();
    told += &server.get(&format!("/api/v1/games/{id}/record")).send().await.text();
    told += &server.get("/api/v1/games?watch=true").send().await.text();
    let key = party.clients[0].lobbies[&id]["key"].as_str().expect("the host knew the key");
    for secret in [ANNA, BENNO, "holder", "visitor", "\"seed\"", "seed:", key] {
        assert!(!told.contains(secret), "{secret} is told");
    }
    for action in
        [json!({"do": "seat", "seat": 0, "occupant": "easy"}), json!({"do": "pause"}), json!({"do": "skip"})]
    {
        assert_eq!(party.act(0, action.clone()).await, Err("forbidden".to_owned()), "{action}");
    }
    for action in [json!({"do": "hand-over", "seat": 0}), json!({"do": "rematch", "accept": true})] {
        assert_eq!(
            watcher.act(&id, action.clone()).await.expect_err("Cleo watches").code,
            "forbidden",
            "{action}"
        );
    }
}
