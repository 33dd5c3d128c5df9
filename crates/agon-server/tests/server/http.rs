//! The HTTP interface: what it describes is there, and what must not be done is refused with a reason.

use std::net::SocketAddr;
use std::sync::Arc;

use agon_registry::GAMES;
use agon_server::bots::Requester;
use agon_server::http::{ConnectionLimits, router};
use agon_server::weights::weight_files;
use axum::body::Body;
use axum::extract::ConnectInfo;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::support::schema::fits;
use crate::support::{ADMIN, ANNA, BENNO, Options, Request, Server, new_lobby, new_table, number};

fn othello() -> Value {
    new_table("othello", "", &["human", "human"])
}

#[tokio::test]
async fn everything_that_is_described_is_there_and_as_described() {
    let server = Server::start().await;
    let document = server.get("/api").send().await.expect(200).json();
    let table = server.open(&othello()).await;
    let record = server.get(&format!("/api/v1/games/{table}/record")).send().await.expect(200).text();
    let lobby = server.open_lobby(ANNA, &new_lobby("First", "othello", "", &["human", "open"])).await;
    let state = server.get(&format!("/api/v1/lobbies/{lobby}")).token(ANNA).send().await.expect(200).json();
    let key = state["key"].as_str().expect("the host knows the key").to_owned();
    let studies = server.get("/api/v1/studies").send().await.expect(200).json();
    let study = studies["studies"][0]["id"].as_str().expect("there are runs of our own").to_owned();
    let sample = agon_registry::GAMES.find("othello").expect("a game").sample;
    let upload = server.send("POST", "/api/v1/records", ANNA, &Value::Null).body(sample).send().await;
    let finished = upload.expect(201).json()["id"].as_str().expect("a name").to_owned();
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() >= 12, "{:?}", paths.keys());
    // Tournaments are looked at where there are some.
    for (path, methods) in paths.iter().filter(|(path, _)| !path.starts_with("/api/v1/arena")) {
        for (method, described) in methods.as_object().expect("methods") {
            let deleted = server.open(&othello()).await;
            let id = match path.as_str() {
                _ if method == "delete" => &deleted,
                path if path.contains("lobbies") => &lobby,
                path if path.contains("studies") => &study,
                path if path.ends_with("/review") => &finished,
                _ => &table,
            };
            let path = path.replace("{game}", "othello").replace("{id}", id).replace("{language}", "en");
            let path = path.replace("{key}", &key).replace("{name}", "summary.txt");
            // The last ply alone is judged quickly.
            let path =
                path.replace("/api/v1/qr", "/api/v1/qr?text=link").replace("/review", "/review?from=59");
            let body = match path.as_str() {
                "/api/v1/games" => othello().to_string(),
                "/api/v1/lobbies" => new_lobby("Second", "othello", "", &["human", "open"]).to_string(),
                "/api/v1/records" => record.clone(),
                "/api/v1/positions" => json!({"game": "othello", "moves": ["d3"]}).to_string(),
                "/api/v1/analysis" => json!({"game": "othello", "millis": 10}).to_string(),
                "/api/v1/me" => json!({"name": "Anna"}).to_string(),
                "/api/v1/tree" => json!({"game": "othello", "depth": 2}).to_string(),
                "/api/v1/features" => json!({"game": "othello", "evaluation": "features"}).to_string(),
                _ => String::new(),
            };
            let method = method.to_uppercase();
            let mut request = Request::new(server.address, &method, &path).token(ANNA);
            if method != "GET" {
                request = request.body(body);
            }
            let answer = request.send().await;
            assert!((200..300).contains(&answer.status), "{method} {path}: {}", answer.text());
            let content = &described["responses"][answer.status.to_string()]["content"];
            assert!(content.is_object(), "{method} {path}: the status {} is described", answer.status);
            match content["application/json"].get("schema") {
                Some(schema) => {
                    let value = answer.json();
                    fits(&document, schema, &value)
                        .unwrap_or_else(|fault| panic!("{method} {path}: {fault}"));
                }
                None if content["text/plain"].is_object() => assert!(!answer.text().is_empty()),
                None if answer.status == 204 => assert!(answer.text().is_empty()),
                None => assert!(answer.json().is_object(), "{method} {path}"),
            }
        }
    }
    let problem = server.get("/api/v1/catalogue/chess").send().await;
    let schema = &document["paths"]["/api/v1/catalogue/{game}"]["get"]["responses"]["default"]["content"];
    fits(&document, &schema["application/json"]["schema"], &problem.json())
        .expect("refusals are described too");
}

#[tokio::test]
async fn only_pages_of_this_server_may_change_anything() {
    let server = Server::start().await;
    let table = || server.send("POST", "/api/v1/games", ANNA, &othello());
    let own = format!("http://{}", server.address);
    table().header("origin", own.as_str()).send().await.expect(201);
    for origin in ["http://evil.example", "null", "", "https://127.0.0.1", "http://127.0.0.1.evil.example"] {
        let refused = table().header("origin", origin).send().await;
        refused.refusal(403, "forbidden");
    }
    table().header("origin", None).send().await.refusal(403, "forbidden");
    table()
        .header("origin", None)
        .header("authorization", "Bearer short")
        .send()
        .await
        .refusal(403, "forbidden");
    table().header("origin", None).token(BENNO).send().await.expect(201);
    // A token does not help a page of another site, which could not know it.
    table().header("origin", "http://evil.example").token(BENNO).send().await.refusal(403, "forbidden");
    // Nobody can have another name point here, not even to read.
    for host in ["evil.example", "localhost.evil.example", ""] {
        server.get("/api/v1/catalogue").header("host", host).send().await.refusal(403, "forbidden");
        server.get("/").header("host", host).send().await.refusal(403, "forbidden");
    }
    for host in ["localhost:1", "[::1]", "192.168.0.7:8048"] {
        server.get("/api/v1/catalogue").header("host", host).send().await.expect(200);
    }
    let upgrade = |origin| {
        let request = server.get("/ws").header("origin", origin);
        let request = request.header("connection", "upgrade").header("upgrade", "websocket");
        request.header("sec-websocket-version", "13").header("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==")
    };
    upgrade(Some("http://evil.example")).send().await.refusal(403, "forbidden");
    upgrade(None).send().await.refusal(403, "forbidden");
}

#[tokio::test]
async fn what_does_not_exist_is_said_to_be_unknown() {
    let server = Server::start().await;
    let none = "a".repeat(26);
    for path in [
        "/api/v1/catalogue/chess".to_owned(),
        "/api/v1/messages/xx/othello".to_owned(),
        "/api/v1/messages/en/chess".to_owned(),
        format!("/api/v1/games/{none}"),
        "/api/v1/games/short".to_owned(),
        "/api/v1/games/..%2f..%2fetc%2fpasswd".to_owned(),
        format!("/api/v1/games/{none}/record"),
        format!("/api/v1/games/{none}/plies"),
        "/api/v1/nothing".to_owned(),
        "/nothing.js".to_owned(),
    ] {
        server.get(&path).send().await.refusal(404, "unknown");
    }
    assert!(server.app.tables.is_empty(), "asking for a table does not make one");
    let reason = server.get("/api/v1/catalogue/othelo").send().await.refusal(404, "unknown");
    assert!(reason.contains("othello"), "{reason}");
    let bad = server.get("/api/v1/catalogue/othello?options=size=7").send().await;
    assert!(bad.refusal(422, "invalid").contains("size"), "{}", bad.text());
    assert_eq!(bad.json()["field"], "options");
    let table = server.open(&othello()).await;
    server.get(&format!("/api/v1/games/{table}/plies?board=3")).send().await.refusal(404, "unknown");
    let far =
        server.get(&format!("/api/v1/games/{table}/plies?from=99&to=3")).send().await.expect(200).json();
    assert_eq!(far["plies"], json!([]));
    for query in ["plies?board=x", "plies?from=-1"] {
        server.get(&format!("/api/v1/games/{table}/{query}")).send().await.refusal(400, "malformed");
    }
    server.get("/api/v1/games?skip=x").send().await.refusal(400, "malformed");
    server.get("/api/v1/catalogue/%ff").send().await.refusal(400, "malformed");
    server.get("/ws").token(ANNA).send().await.refusal(400, "malformed");
    server.send("DELETE", "/api/v1/me", ANNA, &Value::Null).send().await.refusal(405, "unknown");
    server.send("DELETE", "/nothing", ANNA, &Value::Null).send().await.refusal(404, "unknown");
}

#[tokio::test]
async fn tables_that_do_not_hold_are_not_opened() {
    let server = Server::start().await;
    let cases: [(Value, u16, &str, Option<&str>); 20] = [
        (json!({"game": "chess", "seats": []}), 404, "unknown", Some("game")),
        (new_table("othello", "size=7", &["human", "human"]), 422, "invalid", Some("options")),
        (new_table("othello", "colour=red", &["human", "human"]), 422, "invalid", Some("options")),
        (new_table("othello", "", &["human"]), 422, "invalid", Some("seats")),
        (new_table("othello", "", &[]), 422, "invalid", Some("seats")),
        (new_table("othello", "", &["human", "exprt"]), 422, "invalid", Some("seats.1")),
        (new_table("othello", "", &["jsonl:touch /tmp/x", "human"]), 403, "forbidden", Some("seats.0")),
        (new_table("othello", "", &["gtp:sh", "human"]), 403, "forbidden", Some("seats.0")),
        (new_table("othello", "", &["expert:tt=33", "human"]), 429, "limit", Some("seats.0")),
        (new_table("othello", "", &["expert:time=11s", "human"]), 429, "limit", Some("seats.0")),
        (new_table("othello", "", &["alphabeta:depth=61", "human"]), 429, "limit", Some("seats.0")),
        (with(othello(), "clock", json!("soon")), 422, "invalid", Some("clock")),
        (with(othello(), "pace", json!(60_001)), 422, "invalid", Some("pace")),
        (with(othello(), "moves", json!(["a1"])), 422, "invalid", None),
        (with(othello(), "position", json!("nonsense")), 422, "invalid", None),
        (with(othello(), "mode", json!("race")), 422, "invalid", None),
        (with(othello(), "mode", json!("sometimes")), 422, "malformed", None),
        (with(othello(), "colour", json!("red")), 422, "malformed", None),
        (with(othello(), "moves", json!(vec!["a1"; 10_001])), 413, "too-large", Some("moves")),
        (with(new_table("2048", "", &[]), "mode", json!("race")), 422, "invalid", None),
    ];
    for (table, status, code, field) in cases {
        let answer = server.send("POST", "/api/v1/games", ANNA, &table).send().await;
        let shown = table.to_string();
        let shown = &shown[..shown.len().min(200)];
        assert_eq!(answer.status, status, "{shown}: {}", answer.text());
        answer.refusal(status, code);
        assert_eq!(answer.json().get("field").and_then(Value::as_str), field, "{shown}: {}", answer.text());
    }
    let mine = server.get("/api/v1/games?mine=true").token(ANNA).send().await.expect(200).json();
    assert_eq!(mine["games"], json!([]), "none of them was opened");
}

fn with(mut table: Value, key: &str, value: Value) -> Value {
    table[key] = value;
    table
}

#[tokio::test]
async fn bodies_of_any_kind_are_read_or_refused() {
    let server = Server::start().await;
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let bad: [&[u8]; 7] =
        [b"", b"{", b"null", b"[]", b"{\"game\": 3}", &[0xff, 0xfe, 0x00], nested.as_bytes()];
    for path in [
        "/api/v1/games",
        "/api/v1/positions",
        "/api/v1/analysis",
        "/api/v1/me",
        "/api/v1/tree",
        "/api/v1/features",
    ] {
        let method = if path == "/api/v1/me" { "PUT" } else { "POST" };
        for body in bad {
            let request = Request::new(server.address, method, path).token(ANNA).body(body);
            request.send().await.refusal(422, "malformed");
        }
    }
    for body in bad {
        let request = Request::new(server.address, "POST", "/api/v1/records").token(ANNA).body(body);
        request.send().await.refusal(422, "invalid");
    }
    for (method, path) in [("POST", "/api/v1/games"), ("POST", "/api/v1/records"), ("PUT", "/api/v1/me")] {
        let large = vec![b' '; (4 << 20) + 1];
        let answer = Request::new(server.address, method, path).token(ANNA).body(large).send().await;
        answer.refusal(413, "too-large");
    }
}

#[tokio::test]
async fn records_name_the_line_and_the_reason_of_a_fault() {
    let server = Server::start().await;
    let table = server.open(&with(othello(), "moves", json!(["d3", "c3", "c4"]))).await;
    let record = server.get(&format!("/api/v1/games/{table}/record")).send().await.expect(200);
    let name = record.header("content-disposition").expect("it is a file").to_owned();
    assert!(name.contains(&table) && name.starts_with("attachment"), "{name}");
    let record = record.text();
    let upload =
        |text: String| Request::new(server.address, "POST", "/api/v1/records").token(ANNA).body(text);
    let opened = upload(record.clone()).send().await.expect(201).json();
    let again = server.table(opened["id"].as_str().expect("a name")).await;
    assert_eq!(number(&again["boards"][0]["facts"]["ply"]), 3);
    assert_eq!(again["owner"], true, "whoever uploads a record plays on");
    let broken = record.replace("c3", "h8");
    assert_ne!(broken, record);
    let refused = upload(broken).send().await.refusal(422, "invalid");
    assert!(refused.contains("move 2") && refused.contains("h8"), "{refused}");
    let line = 1 + record.lines().position(|line| line.starts_with("game:")).expect("it names its game");
    let refused = upload(record.replace("game:", "game;")).send().await.refusal(422, "invalid");
    assert!(refused.contains(&format!("line {line}")) && refused.contains("game;"), "{refused}");
    // What a record says about programs is not carried out.
    let program = record.replacen("human", "jsonl:touch /tmp/agon-was-here", 1);
    if program != record {
        let opened = upload(program).send().await.expect(201).json();
        let table = server.table(opened["id"].as_str().expect("a name")).await;
        assert_eq!(table["seats"][0]["person"], true, "{table}");
    }
}

#[tokio::test]
async fn names_are_kept_and_bounded() {
    let server = Server::start().await;
    let say = |name: &str| server.send("PUT", "/api/v1/me", ANNA, &json!({"name": name}));
    assert_eq!(say("  Anna ").send().await.expect(200).json(), json!({"name": "Anna"}));
    let me = server.get("/api/v1/me").header("cookie", format!("x=y; agon={ANNA}").as_str());
    assert_eq!(me.send().await.expect(200).json(), json!({"name": "Anna"}));
    assert_eq!(server.get("/api/v1/me").token(BENNO).send().await.expect(200).json(), json!({"name": ""}));
    let longest = "א".repeat(24);
    say(&longest).send().await.expect(200);
    for bad in ["א".repeat(25), "a\u{7}b".to_owned(), "a\nb".to_owned()] {
        let answer = say(&bad).send().await;
        answer.refusal(422, "invalid");
        assert_eq!(answer.json()["field"], "name");
    }
    assert_eq!(server.get("/api/v1/me").token(ANNA).send().await.json(), json!({"name": longest}));
    let table = server.open(&othello()).await;
    assert_eq!(server.table(&table).await["seats"][0]["name"], longest, "people go by their name");
    let mut named = othello();
    named["seats"][1]["name"] = json!("x".repeat(25));
    server.send("POST", "/api/v1/games", ANNA, &named).send().await.refusal(422, "invalid");
}

#[tokio::test]
async fn browsers_get_a_cookie_that_no_script_and_no_other_site_can_use() {
    let server = Server::start().await;
    let cookie = |answer: &crate::support::Answer| answer.header("set-cookie").map(str::to_owned);
    let first = cookie(&server.get("/api/v1/me").send().await).expect("a cookie");
    let other = cookie(&server.get("/api/v1/me").send().await).expect("a cookie");
    assert_ne!(first, other, "everybody has their own");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(first.contains(part), "{first}");
    }
    assert!(!first.contains("Secure"), "{first}");
    let token = first.split([';', '=']).nth(1).expect("a token");
    assert!(token.len() >= 20, "{first}");
    let known = server.get("/api/v1/me").header("cookie", format!("agon={token}").as_str()).send().await;
    assert_eq!(cookie(&known), None, "who has one keeps it");
    let secure =
        Server::with(Options { public_url: Some("https://agon.example.org"), ..Options::default() }).await;
    let answer = secure.get("/api/v1/me").header("host", "agon.example.org").send().await;
    assert!(cookie(&answer).expect("a cookie").contains("Secure"));
    let strict =
        |answer: &crate::support::Answer| answer.header("strict-transport-security").map(str::to_owned);
    assert_eq!(strict(&answer).as_deref(), Some("max-age=31536000"));
    let refused = secure.get("/api/v1/me").header("host", "elsewhere.example").send().await.expect(403);
    assert!(strict(&refused).is_some(), "also if it says no");
    let near = secure.get("/api/v1/me").header("host", "localhost:8048").send().await;
    assert_eq!(strict(&near), None, "other servers of this machine are left alone");
    assert_eq!(strict(&server.get("/api/v1/me").send().await), None);
}

#[tokio::test]
async fn every_answer_says_what_pages_may_load() {
    let server = Server::start().await;
    for (path, host) in [
        ("/", None),
        ("/othello", None),
        ("/api/v1/catalogue", None),
        ("/x.js", None),
        ("/", Some("evil.example")),
    ] {
        let request = server.get(path);
        let request = if host.is_some() { request.header("host", host) } else { request };
        let answer = request.send().await;
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'self'"), "{policy}");
        // Modules may be compiled, which is all that this allows.
        let policy = policy.replace("'wasm-unsafe-eval'", "");
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[tokio::test]
async fn trained_weights_are_there_for_tabs_that_play_by_themselves() {
    let server = Server::start().await;
    let files = weight_files(GAMES);
    assert!(files.iter().any(|file| file.name.starts_with("othello.")), "its bots have some");
    for file in files {
        let answer = server.get(&format!("/weights/{}", file.name)).send().await.expect(200);
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"));
        assert_eq!(answer.header("content-type"), Some("application/octet-stream"));
        assert_eq!(answer.header("content-length"), Some(file.content.len().to_string().as_str()));
    }
    let other = server.get("/weights/othello.0000000000000000.bin").send().await.expect(404);
    assert_eq!(other.json()["code"], "unknown");
}

#[tokio::test]
async fn metrics_are_for_this_machine_and_for_the_admin() {
    let server = Server::start().await;
    server.get("/metrics").send().await.expect(200);
    server.get("/metrics").header("x-forwarded-for", "1.2.3.4").send().await.refusal(403, "forbidden");
    let app = Arc::clone(&server.app);
    let ask = |path: &'static str, token: Option<&str>| {
        let mut request = axum::http::Request::get(path).header("host", "192.168.0.1");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let far: SocketAddr = "192.168.0.9:1234".parse().expect("an address");
        let request = request.extension(ConnectInfo(far)).body(Body::empty()).expect("a request");
        let service = router(Arc::clone(&app));
        async move { service.oneshot(request).await.expect("an answer").status().as_u16() }
    };
    assert_eq!(ask("/metrics", None).await, 403);
    assert_eq!(ask("/metrics", Some("another-token-of-some-length")).await, 403);
    assert_eq!(ask("/metrics", Some(ADMIN)).await, 200);
    assert_eq!(ask("/healthz", None).await, 200, "how the server is, anybody may know");
}

#[tokio::test]
async fn requests_that_change_something_may_come_only_so_fast() {
    let connections =
        ConnectionLimits { per_address: 10, messages_per_second: 1, ..ConnectionLimits::default() };
    let server = Server::with(Options { connections, ..Options::default() }).await;
    let say = || server.send("PUT", "/api/v1/me", ANNA, &json!({"name": "Anna"}));
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(say().send().await.status);
    }
    assert_eq!(statuses[0], 200);
    assert!(statuses.contains(&429), "{statuses:?}");
    server.get("/api/v1/catalogue").send().await.expect(200);
}

#[tokio::test]
async fn lists_show_what_may_be_seen() {
    let server = Server::start().await;
    let own = server.open(&othello()).await;
    let against = server.open(&new_table("tablut", "", &["human", "novice"])).await;
    let mut between = new_table("loa", "", &["random", "random"]);
    between["pace"] = json!(60_000);
    let between = server.open(&between).await;
    let mut watcher = server.client(BENNO).await;
    watcher.open(&between).await.expect("anybody may watch");
    let names = |list: &Value| -> Vec<String> {
        let tables = list["games"].as_array().expect("tables").iter();
        tables.map(|table| table["id"].as_str().expect("a name").to_owned()).collect()
    };
    let mine = server.get("/api/v1/games?mine=true").token(ANNA).send().await.expect(200).json();
    let mut listed = names(&mine);
    listed.sort();
    let mut opened = vec![own.clone(), against.clone(), between.clone()];
    opened.sort();
    assert_eq!(listed, opened);
    let first = mine["games"].as_array().expect("tables").iter().find(|table| table["id"] == own.as_str());
    let first = first.expect("it is there");
    assert_eq!((&first["yourTurn"], &first["game"]), (&json!(true), &json!("othello")));
    assert!(first["created"].as_str().is_some_and(|date| date.ends_with('Z')), "{first}");
    let theirs = server.get("/api/v1/games?mine=true").token(BENNO).send().await.expect(200).json();
    assert_eq!(names(&theirs), Vec::<String>::new(), "tables of others are theirs");
    let watch = server.get("/api/v1/games?watch=true").token(BENNO).send().await.expect(200).json();
    assert_eq!(
        names(&watch),
        std::slice::from_ref(&between),
        "only games between bots are listed, by their names"
    );
    let listed = &watch["games"][0];
    assert_eq!(listed["watchers"], 1);
    assert!(listed["created"].as_str().is_some_and(|date| date.ends_with('Z')), "{listed}");
    assert_eq!(server.get("/api/v1/games").token(ANNA).send().await.json()["games"], json!([]));
    let skipped = server.get("/api/v1/games?mine=true&skip=2").token(ANNA).send().await.expect(200).json();
    assert_eq!(names(&skipped).len(), 1);
}

#[tokio::test]
async fn positions_and_analyses_are_answered() {
    let server = Server::start().await;
    let asked = json!({"game": "othello", "moves": ["d3"]});
    let answer = server.send("POST", "/api/v1/positions", ANNA, &asked).send().await.expect(200).json();
    assert_eq!(answer["facts"]["turn"], 1);
    assert_eq!(answer["facts"]["moves"].as_array().expect("moves").len(), 3);
    let illegal = json!({"game": "othello", "moves": ["d3", "d3"]});
    let refused =
        server.send("POST", "/api/v1/positions", ANNA, &illegal).send().await.refusal(422, "invalid");
    assert!(refused.contains("d3"), "{refused}");
    let asked = json!({"game": "othello", "bot": "alphabeta:depth=2"});
    let answer = server.send("POST", "/api/v1/analysis", ANNA, &asked).send().await.expect(200).json();
    assert!(answer.is_object(), "{answer}");
    for (bot, status, code) in
        [("jsonl:sh", 403, "forbidden"), ("expert:tt=1000", 429, "limit"), ("none", 422, "invalid")]
    {
        let asked = json!({"game": "othello", "bot": bot});
        let answer = server.send("POST", "/api/v1/analysis", ANNA, &asked).send().await;
        answer.refusal(status, code);
        assert_eq!(answer.json()["field"], "bot");
    }
    // A browser has one analysis at a time.
    let visitor = Requester { address: [192, 0, 2, 7].into(), visitor: [7; 32] };
    let under_way = server.app.tables.begin_analysis(visitor).expect("none is under way");
    assert!(server.app.tables.begin_analysis(visitor).is_err());
    drop(under_way);
    assert!(server.app.tables.begin_analysis(visitor).is_ok());
}
