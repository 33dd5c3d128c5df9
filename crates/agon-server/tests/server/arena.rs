//! Tournaments that others play, as they are shown.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;

use agon_arena::tournament::Store;
use agon_registry::GAMES;
use serde_json::{Value, json};

use crate::support::tournament::{COURSE, FAILURES, RACE, cut, play, rewind};
use crate::support::{ADMIN, ANNA, Folder, Options, Server, judged, number};

async fn get(server: &Server, path: &str) -> Value {
    server.get(path).send().await.expect(200).json()
}

/// The tournaments that are listed.
async fn listed(server: &Server) -> Vec<Value> {
    get(server, "/api/v1/arena").await["tournaments"].as_array().expect("a list").clone()
}

/// The id of the only tournament.
async fn only_id(server: &Server) -> String {
    let listed = listed(server).await;
    assert_eq!(listed.len(), 1, "{listed:?}");
    listed[0]["id"].as_str().expect("an id").to_owned()
}

fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().append(true).open(path).expect("a file");
    file.write_all(text.as_bytes()).expect("it can be written");
}

#[tokio::test]
async fn finished_tournaments_are_shown() {
    let server = Server::start().await;
    assert_eq!(listed(&server).await, [] as [Value; 0], "there is no folder yet");
    play(&server.folder.0, "spring", COURSE);
    let list = get(&server, "/api/v1/arena").await;
    let summary = &list["tournaments"][0];
    assert_eq!(
        json!([summary["name"], summary["state"], summary["played"], summary["planned"], summary["running"]]),
        json!(["Spring course", "finished", 6, 6, 0])
    );
    assert_eq!(list["uploads"], false);
    let id = only_id(&server).await;
    assert!(!id.contains("spring") && id.len() == 12, "an id tells nothing: {id}");
    let tournament = get(&server, &format!("/api/v1/arena/{id}")).await;
    let standings = tournament["standings"].as_array().expect("a table");
    let points: f64 = standings.iter().map(|row| row["points"].as_f64().expect("points")).sum();
    assert!((12.0..=18.0).contains(&points), "{points} points for six games");
    assert_eq!(standings[0]["place"], 1);
    assert!(standings[0]["elo"].is_number() && standings[0]["eloError"].is_number(), "{}", standings[0]);
    assert!(standings[0]["meanTime"].is_number());
    let cross = &tournament["cross"];
    assert_eq!((&cross[0][0], &cross[0][1]["games"]), (&Value::Null, &json!(2)));
    assert_eq!(tournament["rounds"][0]["game"], "othello");
    assert_eq!(tournament["rounds"][0]["played"], 6);
    let files = tournament["files"].as_array().expect("files");
    assert!(files.contains(&json!("report.html")) && !files.contains(&json!("grades.csv")), "{files:?}");
    server.get("/api/v1/arena").send().await.as_described(&server, "/api/v1/arena", "get").await;
    for path in ["", "/games"] {
        let answer = server.get(&format!("/api/v1/arena/{id}{path}")).send().await;
        answer.as_described(&server, &format!("/api/v1/arena/{{id}}{path}"), "get").await;
    }
}

#[tokio::test]
async fn games_are_listed_and_looked_at() {
    let server = Server::start().await;
    play(&server.folder.0, "spring", COURSE);
    let id = only_id(&server).await;
    let all = get(&server, &format!("/api/v1/arena/{id}/games")).await;
    let games = all["games"].as_array().expect("games");
    assert_eq!((number(&all["total"]), games.len()), (6, 6));
    assert_eq!((number(&games[0]["number"]), number(&games[5]["number"])), (6, 1), "latest first");
    let of = |query: &str| format!("/api/v1/arena/{id}/games?{query}");
    assert_eq!(number(&get(&server, &of("player=first")).await["total"]), 4);
    assert_eq!(number(&get(&server, &of("player=nobody")).await["total"]), 0);
    assert_eq!(number(&get(&server, &of("player=first&opponent=second")).await["total"]), 2);
    assert_eq!(number(&get(&server, &of("player=first&opponent=nobody")).await["total"]), 0);
    assert_eq!(number(&get(&server, &of("round=2")).await["total"]), 0);
    assert_eq!(number(&get(&server, &of("running=true")).await["total"]), 0);
    assert_eq!(number(&get(&server, &of("skip=5")).await["games"][0]["number"]), 1);
    server.get(&of("skip=-1")).send().await.refusal(400, "malformed");
    let game = games[0]["id"].as_str().expect("an id");
    let state = server.table(game).await;
    assert_eq!(
        (&state["game"], &state["mode"], &state["owner"]),
        (&json!("othello"), &json!("single"), &json!(false))
    );
    assert!(state["boards"][0]["facts"]["end"].is_object(), "it is over");
    assert_eq!(state["seats"][0]["name"], games[0]["players"][0]);
    let record = server.get(&format!("/api/v1/games/{game}/record")).send().await.expect(200).text();
    assert!(record.starts_with("agon: 1\ngame: othello\n"), "{record}");
    // Reports link to records by the names of their files.
    let files = format!("/api/v1/arena/{id}/files");
    let linked = server.get(&format!("{files}/games/00006.txt")).send().await.expect(200).text();
    assert!(linked.starts_with("agon: 1\ngame: othello\n"), "{linked}");
    let report = server.get(&format!("{files}/report.html")).send().await.expect(200).text();
    assert!(report.contains("href=\"games/00006.txt\""), "{report}");
    for wrong in ["00007.txt", "00000.txt", "00001.jsonl", "x.txt", "..%2F..%2Ftournament.toml"] {
        server.get(&format!("{files}/games/{wrong}")).send().await.refusal(404, "unknown");
    }
    let plies = get(&server, &format!("/api/v1/games/{game}/plies?from=2&to=4")).await;
    assert_eq!(plies["plies"].as_array().expect("plies").len(), 2);
    for wrong in [
        format!("{id}-7"),
        format!("{id}-0"),
        format!("{id}-01"),
        format!("{id}-"),
        format!("{id}-1-1"),
        "x-1".into(),
    ] {
        server.get(&format!("/api/v1/games/{wrong}")).send().await.refusal(404, "unknown");
    }
    assert_eq!(
        get(&server, "/api/v1/games?watch=true").await["games"],
        json!([]),
        "they are listed elsewhere"
    );
}

#[tokio::test]
async fn a_game_is_followed_while_it_is_played() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "spring", COURSE);
    let rest = cut(&dir, 6, 5);
    rewind(&dir, 5);
    let holder = Store::open(GAMES, &dir).expect("whoever runs it");
    let journal = dir.join("games/00006.jsonl");
    let id = only_id(&server).await;
    let game = format!("{id}-6");
    let tournament = get(&server, &format!("/api/v1/arena/{id}")).await;
    assert_eq!(
        (&tournament["summary"]["state"], &tournament["summary"]["running"]),
        (&json!("running"), &json!(1))
    );
    assert_eq!(tournament["running"][0]["id"], json!(game));
    assert_eq!(tournament["running"][0]["players"].as_array().expect("players").len(), 2);
    let running = get(&server, &format!("/api/v1/arena/{id}/games?running=true")).await;
    assert_eq!(running["total"], 1);
    let mut client = server.client(ANNA).await;
    assert_eq!(client.open(&game).await, Ok(5));
    let picture = client.table(&game)["boards"][0]["picture"].clone();
    for (action, code) in [
        (json!({"do": "move", "board": 0, "ply": 4, "move": "a1"}), "forbidden"),
        (json!({"do": "resign", "board": 0}), "forbidden"),
        (json!({"do": "pause"}), "forbidden"),
        (json!({"do": "say", "text": "hello"}), "forbidden"),
    ] {
        assert_eq!(client.act(&game, action.clone()).await.expect_err("nobody acts").code, code, "{action}");
    }
    let hint = client.ask(json!({"type": "hint", "game": game, "board": 0})).await.expect("connected");
    assert_eq!(judged(&hint).expect_err("nobody is helped").code, "forbidden");
    let looked =
        client.ask(json!({"type": "look", "game": game, "board": 0, "ply": 0})).await.expect("connected");
    assert_eq!(looked["type"], "looked");
    // Half a line is no event; the other half makes it one.
    let (half, other) = rest[0].split_at(rest[0].len() / 2);
    append(&journal, half);
    assert_eq!(number(&server.table(&game).await["seq"]), 5);
    append(&journal, &format!("{other}\n"));
    client.until("the next event", |client| client.seq(&game) == 6).await;
    assert_ne!(client.table(&game)["boards"][0]["picture"], picture, "something has moved");
    append(&journal, &(rest[1..].join("\n") + "\n"));
    client.until("the end", |client| client.is_over(&game)).await;
    // What was told bit by bit is what somebody sees who comes now.
    let mut late = server.client(ANNA).await;
    late.open(&game).await.expect("it opens");
    assert_eq!(client.table(&game)["boards"][0]["picture"], late.table(&game)["boards"][0]["picture"]);
    assert_eq!(client.table(&game)["ranking"], late.table(&game)["ranking"]);
    drop(holder);
    assert_eq!(listed(&server).await[0]["state"], "stopped", "nobody runs it any more");
}

#[tokio::test]
async fn a_race_is_followed_too() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "race", RACE);
    let rest = cut(&dir, 2, 7);
    let id = only_id(&server).await;
    let game = format!("{id}-2");
    let mut client = server.client(ANNA).await;
    client.open(&game).await.expect("it opens");
    let table = client.table(&game);
    assert_eq!((&table["mode"], table["boards"].as_array().expect("boards").len()), (&json!("race"), 2));
    let record = server.get(&format!("/api/v1/games/{game}/record")).send().await.expect(200).text();
    assert!(!record.contains("seed:"), "luck to come is nobody's business");
    append(&dir.join("games/00002.jsonl"), &(rest.join("\n") + "\n"));
    let whole = 7 + rest.len() as u64;
    client.until("the end", |client| client.seq(&game) == whole).await;
    assert!(client.facts(&game, 1)["score"].is_number());
}

#[tokio::test]
async fn a_game_that_begins_anew_is_told_anew() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "spring", COURSE);
    let journal = dir.join("games/00001.jsonl");
    let whole = fs::read_to_string(&journal).expect("a journal");
    cut(&dir, 1, 9);
    let game = format!("{}-1", only_id(&server).await);
    let mut client = server.client(ANNA).await;
    assert_eq!(client.open(&game).await, Ok(9));
    // As after a resumption: what was there is set aside.
    fs::rename(&journal, dir.join("games/00001.jsonl.cut-1")).expect("it can be renamed");
    let begun: Vec<&str> = whole.lines().take(4).collect();
    fs::write(&journal, begun.join("\n") + "\n").expect("it can be written");
    client.until("the new beginning", |client| client.seq(&game) == 4).await;
}

#[tokio::test]
async fn whoever_follows_a_tournament_hears_of_every_change() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "spring", COURSE);
    let whole = fs::read(dir.join("results.json")).expect("results");
    rewind(&dir, 2);
    let id = only_id(&server).await;
    let mut client = server.client(ANNA).await;
    let unknown =
        client.ask(json!({"type": "watch-arena", "tournament": "aaaaaaaaaaaa"})).await.expect("connected");
    assert_eq!(judged(&unknown).expect_err("there is none").code, "unknown");
    judged(&client.ask(json!({"type": "watch-arena", "tournament": id})).await.expect("connected"))
        .expect("it is followed");
    judged(&client.ask(json!({"type": "watch-arena"})).await.expect("connected")).expect("it is followed");
    let played = |count: usize| {
        move |message: &Value| {
            message["type"] == "tournament" && message["state"]["summary"]["played"] == count
        }
    };
    client.until_heard("how it stands", played(2)).await;
    client
        .until_heard("the list", |message| {
            message["type"] == "arena" && message["tournaments"][0]["played"] == 2
        })
        .await;
    fs::write(dir.join("results.json"), &whole).expect("it can be written");
    client.until_heard("how it stands now", played(6)).await;
    client
        .until_heard("the list", |message| {
            message["type"] == "arena" && message["tournaments"][0]["played"] == 6
        })
        .await;
    fs::remove_dir_all(&dir).expect("it is ours");
    client
        .until_heard("its end", |message| message["type"] == "gone" && message["game"] == id.as_str())
        .await;
    client
        .until_heard("the list", |message| message["type"] == "arena" && message["tournaments"] == json!([]))
        .await;
    judged(&client.ask(json!({"type": "unwatch-arena", "tournament": id})).await.expect("connected"))
        .expect("it is over");
    server.get(&format!("/api/v1/arena/{id}")).send().await.refusal(404, "unknown");
}

#[tokio::test]
async fn damage_hurts_nobody() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "spring", COURSE);
    let other = play(&server.folder.0, "race", RACE);
    let id = {
        let listed = listed(&server).await;
        let one = listed.iter().find(|one| one["name"] == "Spring course").expect("it is listed");
        one["id"].as_str().expect("an id").to_owned()
    };
    let state = async || get(&server, &format!("/api/v1/arena/{id}")).await["summary"]["state"].clone();
    let whole = fs::read(dir.join("results.json")).expect("results");
    for damage in [&b""[..], b"{", b"[]", b"null", &[0xff; 100], &whole[..whole.len() / 2]] {
        fs::write(dir.join("results.json"), damage).expect("it can be written");
        assert_eq!(state().await, "damaged");
        assert_eq!(listed(&server).await.len(), 2, "the others are shown");
    }
    fs::remove_file(dir.join("results.json")).expect("it is there");
    assert_eq!(state().await, "stopped", "it has only just begun");
    // Opening a pipe would take until somebody writes to it.
    rustix::fs::mkfifoat(rustix::fs::CWD, dir.join("results.json"), rustix::fs::Mode::RUSR).expect("a pipe");
    assert_eq!(state().await, "stopped");
    fs::remove_file(dir.join("results.json")).expect("it is there");
    symlink(other.join("results.json"), dir.join("results.json")).expect("a link");
    assert_eq!(state().await, "stopped", "links that lead elsewhere are not followed");
    for (number, damage) in [
        (1, "not JSON\n".to_owned()),
        (2, "x".repeat(3 << 20)),
        (3, "{\"type\":\"started\"}\n".to_owned()),
        (4, String::new()),
        (5, fs::read_to_string(other.join("games/00001.jsonl")).expect("a journal").replace("2048", "4096")),
    ] {
        fs::write(dir.join(format!("games/{number:05}.jsonl")), damage).expect("it can be written");
        server.get(&format!("/api/v1/games/{id}-{number}")).send().await.refusal(409, "state");
    }
    fs::remove_file(dir.join("games/00006.jsonl")).expect("it is there");
    symlink("/etc/passwd", dir.join("games/00006.jsonl")).expect("a link");
    server.get(&format!("/api/v1/games/{id}-6")).send().await.refusal(404, "unknown");
}

#[tokio::test]
async fn a_game_that_goes_wrong_is_shown_as_far_as_it_went() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "spring", COURSE);
    cut(&dir, 1, 6);
    let game = format!("{}-1", only_id(&server).await);
    let mut client = server.client(ANNA).await;
    assert_eq!(client.open(&game).await, Ok(6));
    append(&dir.join("games/00001.jsonl"), "{\"type\":\"nonsense\"}\n");
    assert_eq!(number(&server.table(&game).await["seq"]), 6);
    fs::remove_file(dir.join("games/00001.jsonl")).expect("it is there");
    assert_eq!(number(&server.table(&game).await["seq"]), 6, "nobody loses the board");
}

#[tokio::test]
async fn results_of_strangers_are_made_harmless() {
    let server = Server::start().await;
    let dir = play(&server.folder.0, "spring", COURSE);
    let text = fs::read_to_string(dir.join("results.json")).expect("results");
    let name = format!("<b>\u{202e}\\u0007{}", "x".repeat(1 << 20));
    fs::write(dir.join("results.json"), text.replace("first", &name).replace("\"<b>", "\"first<b>"))
        .expect("written");
    let text = fs::read_to_string(dir.join("results.json")).expect("results");
    // The word is also a key and a result.
    let text = text.replace(&format!("\"first{name}\":"), "\"first\":");
    fs::write(dir.join("results.json"), text).expect("written");
    let id = only_id(&server).await;
    let answer = server.get(&format!("/api/v1/arena/{id}")).send().await.expect(200);
    assert!(answer.body.len() < 100_000, "names are cut");
    fs::write(dir.join("report.html"), "<script>alert(1)</script>").expect("written");
    let report = server.get(&format!("/api/v1/arena/{id}/files/report.html")).send().await.expect(200);
    let policy = report.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("default-src 'none'") && policy.contains("sandbox") && !policy.contains("script"),
        "{policy}"
    );
    for name in ["tournament.toml", "origin.json", "..%2Fsecret", "authors", "lock", ""] {
        let answer = server.get(&format!("/api/v1/arena/{id}/files/{name}")).send().await;
        assert_eq!(answer.status, 404, "{name}");
    }
    fs::remove_file(dir.join("report.txt")).expect("it is there");
    symlink("/etc/passwd", dir.join("report.txt")).expect("a link");
    server.get(&format!("/api/v1/arena/{id}/files/report.txt")).send().await.refusal(404, "unknown");
}

#[tokio::test]
async fn other_folders_are_shown_too() {
    let folder = Folder::new();
    let one = play(&folder.0.join("a"), "one", COURSE);
    play(&folder.0.join("b"), "two", COURSE);
    play(&folder.0.join("b"), "three", COURSE);
    let shown = vec![one.clone(), folder.0.join("b/arena"), one];
    let server = Server::with(Options { shown, ..Options::default() }).await;
    let before = listed(&server).await;
    assert_eq!(before.len(), 3, "one by itself, two in a folder, none twice");
    let ids = |list: &[Value]| -> Vec<String> { list.iter().map(|one| one["id"].to_string()).collect() };
    let server = server.restart().await;
    assert_eq!(ids(&listed(&server).await), ids(&before), "ids stay the same");
    let data = Folder::new();
    for nonsense in [folder.0.join("none"), folder.0.join("a/files/one/file.toml")] {
        let opened = agon_server::arena::Arena::open(&data.0, std::slice::from_ref(&nonsense));
        let fault = opened.err().expect("it is refused").to_string();
        assert!(fault.contains(&nonsense.display().to_string()), "{fault}");
    }
}

#[tokio::test]
async fn authors_see_their_own_and_nothing_else() {
    let server = Server::start().await;
    play(&server.folder.0, "failures", FAILURES);
    let id = only_id(&server).await;
    let keys = format!("/api/v1/arena/{id}/keys");
    server.get(&keys).send().await.refusal(403, "forbidden");
    server.get(&keys).token(ANNA).send().await.refusal(403, "forbidden");
    server.get(&format!("/api/v1/arena/{id}/files/grades.csv")).send().await.refusal(403, "forbidden");
    server.get(&format!("/api/v1/arena/{id}/files/grades.csv")).token(ADMIN).send().await.expect(200);
    let keys = server.get(&keys).token(ADMIN).send().await.expect(200);
    keys.as_described(&server, "/api/v1/arena/{id}/keys", "get").await;
    let keys = keys.json();
    let keys = keys["keys"].as_array().expect("keys");
    assert_eq!(keys.len(), 2, "bots have no authors: {keys:?}");
    let key = |player: &str| {
        let own = keys.iter().find(|key| key["player"] == player).expect("a key");
        own["key"].as_str().expect("a key").to_owned()
    };
    let (dana, avi) = (key("dana"), key("avi"));
    assert!(dana.len() == 26 && dana != avi);
    let page = server.get(&format!("/api/v1/arena/{id}/authors/{dana}")).send().await.expect(200);
    page.as_described(&server, "/api/v1/arena/{id}/authors/{key}", "get").await;
    let page = page.json();
    assert_eq!(page["standing"]["name"], "dana");
    let games = page["games"].as_array().expect("games");
    assert_eq!((games.len(), number(&page["gamesCount"])), (4, 4));
    let has_dana = |game: &Value| game["game"]["players"][number(&game["seat"])] == "dana";
    assert!(games.iter().all(has_dana), "{games:?}");
    let verdict = &page["verdicts"][0];
    assert_eq!(verdict["fault"], "setup");
    assert!(verdict["rule"]["text"].as_str().is_some_and(|text| text.contains("must start")), "{verdict}");
    assert!(
        number(&verdict["count"]) >= 2 && verdict["cases"].as_array().is_some_and(|cases| !cases.is_empty())
    );
    let text = page.to_string();
    assert!(!text.contains("agent.sh") && !text.contains(&server.folder.0.display().to_string()), "{text}");
    let hebrew = get(&server, "/api/v1/messages/he/othello").await;
    assert!(hebrew[verdict["rule"]["key"].as_str().expect("a key")].is_string(), "it can be said in Hebrew");
    let game = games.iter().find(|game| game["log"].as_u64() > Some(0)).expect("a log");
    let log = format!("logs/{}", game["game"]["number"]);
    let read = async |key: &str, path: &str| {
        server.get(&format!("/api/v1/arena/{id}/authors/{key}/{path}")).send().await
    };
    let own = read(&dana, &log).await.expect(200);
    assert!(own.text().contains("dana was here") && !own.text().contains("avi was here"), "{}", own.text());
    assert_eq!(own.header("content-type"), Some("text/plain; charset=utf-8"));
    read(&avi, "logs/99").await.refusal(404, "unknown");
    read(&avi, "logs/0").await.refusal(404, "unknown");
    // A wrong key says no more than a wrong tournament.
    let wrong = read("aaaaaaaaaaaaaaaaaaaaaaaaaa", &log).await;
    let unknown = server.get(&format!("/api/v1/arena/aaaaaaaaaaaa/authors/{dana}")).send().await;
    assert_eq!((wrong.status, wrong.text()), (unknown.status, unknown.text()));
    for key in ["", "dana", &dana[1..], &format!("{dana}a"), &dana.to_uppercase()] {
        let answer = server.get(&format!("/api/v1/arena/{id}/authors/{key}")).send().await;
        assert_eq!(answer.status, 404, "{key}");
    }
    let public = get(&server, &format!("/api/v1/arena/{id}")).await.to_string();
    assert!(!public.contains(&dana) && !public.contains(&avi), "keys are private");
}
