//! The admin token, and tournaments that are started on the web.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, judged};
use crate::process::{Failed, Folder, Running, serve, start};
use crate::request::Request;

const ANNA: &str = "anna-keeps-this-token-to-herself";

/// An agent that plays the first legal move and says who runs it.
const AGENT: &str = r#"
import json, os, sys
print("user", os.getuid(), os.geteuid(), file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "setup":
        print(json.dumps({"type": "ready", "name": "first"}), flush=True)
    elif message["type"] == "move":
        print(json.dumps({"type": "move", "move": message["legal"][0]}), flush=True)
"#;

fn start_with(folder: &Folder, flags: &[&str]) -> Result<Running, Failed> {
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--messages-per-second", "100000"]).args(flags);
    command.arg("--data").arg(folder.data());
    start(command, &folder.0)
}

/// The admin tokens that have been shown so far, oldest first.
fn shown_tokens(folder: &Folder) -> Vec<String> {
    let logs = fs::read_dir(&folder.0).expect("a folder").flatten().map(|entry| entry.path());
    let mut logs: Vec<_> = logs
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("errors-")))
        .collect();
    logs.sort_by_key(|path| fs::metadata(path).and_then(|data| data.created()).expect("a date"));
    let texts = logs.iter().map(|path| fs::read_to_string(path).expect("it speaks UTF-8"));
    texts
        .flat_map(|text| {
            let tokens =
                text.lines().filter_map(|line| line.strip_prefix("Admin token, shown only this once: "));
            tokens.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

async fn is_admin(server: &Running, token: &str) -> bool {
    let request = Request::new(server.address, "GET", "/api/v1/arena/desk").token(token);
    request.send().await.status == 200
}

#[tokio::test]
async fn the_admin_token_is_shown_once_and_replaced_on_request() {
    let folder = Folder::new();
    let server = start_with(&folder, &[]).expect("it starts");
    let tokens = shown_tokens(&folder);
    let [first] = tokens.as_slice() else { panic!("it is shown once: {tokens:?}") };
    assert!(!server.said.contains(first.as_str()), "nobody looks for it on standard output");
    assert!(is_admin(&server, first).await && !is_admin(&server, ANNA).await);
    for entry in fs::read_dir(folder.data()).expect("data").flatten() {
        let bytes = fs::read(entry.path()).unwrap_or_default();
        let stored = bytes.windows(first.len()).any(|window| window == first.as_bytes());
        assert!(!stored, "only its hash is stored, and not in {:?}", entry.file_name());
    }
    server.kill();
    let server = start_with(&folder, &[]).expect("it starts");
    assert_eq!(shown_tokens(&folder).len(), 1, "it is not shown again");
    assert!(is_admin(&server, first).await, "and still holds");
    server.kill();
    let server = start_with(&folder, &["--new-admin-token"]).expect("it starts");
    let tokens = shown_tokens(&folder);
    assert_eq!(tokens.len(), 2);
    assert!(is_admin(&server, &tokens[1]).await && !is_admin(&server, first).await);
    server.kill();
    let chosen = "a-token-that-the-owner-has-chosen";
    let server = start_with(&folder, &["--admin-token", chosen]).expect("it starts");
    assert!(is_admin(&server, chosen).await && !is_admin(&server, &tokens[1]).await);
    drop(server);
    for (flags, words) in [
        (&["--admin-token", "short"][..], "24 to 128"),
        (&["--admin-token", chosen, "--new-admin-token"], "--new-admin-token"),
        (&["--arena", "/no/such/folder"], "/no/such/folder"),
    ] {
        let Failed { status, errors, .. } = start_with(&folder, flags).err().expect("it is refused");
        assert!(!status.success() && errors.contains(words), "{errors}");
    }
    fs::write(folder.data().join("admin-token"), "damaged").expect("it can be written");
    let Failed { errors, .. } = start_with(&folder, &[]).err().expect("it is refused");
    assert!(errors.contains("--new-admin-token"), "{errors}");
}

/// Follows a tournament until something holds.
async fn until(server: &Running, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let mut client = Client::connect(server.address, ANNA).await;
    let answer = client.ask(json!({"type": "watch-arena", "tournament": id})).await.expect("connected");
    judged(&answer).expect("it is followed");
    let heard = client.until_heard("it has come so far", |message| {
        message["type"] == "tournament" && holds(&message["state"])
    });
    heard.await["state"].clone()
}

#[tokio::test]
async fn a_web_tournament_runs_in_the_sandbox_and_survives_the_server() {
    let folder = Folder::new();
    let flags = ["--arena-uploads"];
    let server = start_with(&folder, &flags).expect("it starts");
    let admin = shown_tokens(&folder).pop().expect("a token");
    let ask =
        |server: &Running, method: &str, path: &str| Request::new(server.address, method, path).token(&admin);
    for name in ["dana", "avi"] {
        let path = format!("/api/v1/arena/agents/{name}?interpreter=python3");
        ask(&server, "PUT", &path).body(AGENT).send().await.expect(200);
    }
    let asked = json!({
        "name": "course", "agents": ["dana", "avi"], "bots": [{"bot": "random"}],
        "rounds": [{"game": "othello", "options": "size=4", "setup": "10s", "repetitions": 3}],
    });
    let started = ask(&server, "POST", "/api/v1/arena").json(&asked).send().await;
    if started.status != 201 {
        // Where the sandbox cannot do its work, nothing is played.
        let said = started.refusal(422, "invalid");
        assert!(said.contains("--strict"), "{said}");
        return;
    }
    let id = started.json()["id"].as_str().expect("an id").to_owned();
    until(&server, &id, |state| state["running"].as_array().is_some_and(|games| !games.is_empty())).await;
    server.kill();
    let server = start_with(&folder, &flags).expect("it starts again");
    let state = until(&server, &id, |state| state["summary"]["state"] == "finished").await;
    assert_eq!((&state["summary"]["played"], &state["summary"]["web"]), (&json!(18), &json!(true)));
    assert_eq!(state["technicalCount"], 0, "{}", state["technical"]);
    let keys = ask(&server, "GET", &format!("/api/v1/arena/{id}/keys")).send().await.expect(200).json();
    for key in keys["keys"].as_array().expect("keys") {
        let path = format!("/api/v1/arena/{id}/authors/{}", key["key"].as_str().expect("a key"));
        let page = Request::new(server.address, "GET", &path).send().await.expect(200).json();
        let number = &page["games"][0]["game"]["number"];
        let log = Request::new(server.address, "GET", &format!("{path}/logs/{number}"))
            .send()
            .await
            .expect(200)
            .text();
        let users =
            log.lines().find_map(|line| line.strip_prefix("err: user ")).expect("it says who runs it");
        assert!(users.split(' ').all(|user| user.parse::<u32>().is_ok_and(|user| user != 0)), "{users}");
    }
    assert!(server.terminate().success());
}
