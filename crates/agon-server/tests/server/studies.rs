//! Studies: our own runs, and those that others run, as they are shown.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use agon_arena::experiment::{Host, Stops};
use agon_erased::SystemClock;
use agon_registry::GAMES;
use agon_study::library::PUBLISHED;
use agon_study::{Means, Store, Study};
use serde_json::{Value, json};

use crate::support::{Folder, Options, Server};

const STUDY: &str = r#"
name = "sample"
question = "Is greed better than chance?"
game = "othello"
options = "size=4"
reference = "random"
games = 8
[[vary]]
bots = ["greedy"]
[[observe]]
name = "Black discs at the end"
piece = "black"
measure = "count-at-end"
"#;

/// Runs the study in a directory.
fn run(dir: &Path) {
    run_with(dir, &Stops::default());
}

/// Begins to run the study in a directory, and stops before the first game.
fn begin(dir: &Path) {
    let stops = Stops::default();
    stops.drain.store(true, Ordering::Relaxed);
    run_with(dir, &stops);
}

fn run_with(dir: &Path, stops: &Stops) {
    let study = Study::parse(GAMES, "sample.toml", STUDY, "sample", Path::new("."), false)
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let store = hold(dir);
    let host = Host { jobs: 1, clock: Arc::new(SystemClock::default()), stops: stops.clone() };
    let means = Means { launchers: &[], clock: Arc::new(SystemClock::default()) };
    study.run(&store, &host, &means, &mut |_| {}).expect("it can be run");
}

/// Holds the directory as whoever runs the study does.
fn hold(dir: &Path) -> Store {
    Store::open(dir, STUDY, false).expect("a directory")
}

async fn get(server: &Server, path: &str) -> Value {
    server.get(path).send().await.expect(200).json()
}

/// The studies that are listed and are not our own.
async fn others(server: &Server) -> Vec<Value> {
    let list = get(server, "/api/v1/studies").await;
    let studies = list["studies"].as_array().expect("a list").iter();
    studies.filter(|study| study["published"] == false).cloned().collect()
}

async fn only(server: &Server) -> Value {
    let others = others(server).await;
    assert_eq!(others.len(), 1, "{others:?}");
    get(server, &format!("/api/v1/studies/{}", others[0]["id"].as_str().expect("an id"))).await
}

fn own_folder(server: &Server, name: &str) -> PathBuf {
    server.folder.0.join("studies").join(name)
}

#[tokio::test]
async fn our_own_runs_are_part_of_the_program() {
    let server = Server::start().await;
    let answer = server.get("/api/v1/studies").send().await;
    answer.as_described(&server, "/api/v1/studies", "get").await;
    let list = answer.json();
    let ids: Vec<&str> = list["studies"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|study| study["id"].as_str().expect("an id"))
        .collect();
    assert_eq!(ids, PUBLISHED.iter().map(|run| run.id).collect::<Vec<_>>());
    for id in ids {
        let path = format!("/api/v1/studies/{id}");
        let answer = server.get(&path).send().await;
        answer.as_described(&server, "/api/v1/studies/{id}", "get").await;
        let study = answer.json();
        // A run that was cut short can be published, too.
        assert!(
            ["finished", "stopped"].contains(&study["summary"]["state"].as_str().expect("a state")),
            "{id}"
        );
        assert!(!study["findings"].as_array().expect("findings").is_empty(), "{id}");
        assert!(study["command"].as_str().expect("a command").starts_with("agon study run "), "{id}");
        for file in study["files"].as_array().expect("files") {
            let file = file.as_str().expect("a name");
            let contents = server.get(&format!("{path}/files/{file}")).send().await.expect(200).text();
            assert!(!contents.is_empty(), "{id}: {file}");
        }
    }
}

#[tokio::test]
async fn studies_are_shown_from_their_first_game_to_their_last() {
    let server = Server::start().await;
    assert_eq!(others(&server).await, [] as [Value; 0], "there is no folder yet");
    let dir = own_folder(&server, "mine");
    // It has only just begun.
    let holder = hold(&dir);
    let study = only(&server).await;
    assert_eq!(
        json!([
            study["summary"]["name"],
            study["summary"]["state"],
            study["summary"]["planned"],
            study["files"]
        ]),
        json!(["sample", "running", 0, ["study.toml"]])
    );
    assert_eq!(study["summary"]["question"]["text"], "Is greed better than chance?");
    drop(holder);
    assert_eq!(only(&server).await["summary"]["state"], "stopped");
    // It is stopped and continued.
    begin(&dir);
    let stopped = only(&server).await;
    assert_eq!(
        json!([stopped["summary"]["state"], stopped["summary"]["planned"], stopped["summary"]["ended"]]),
        json!(["stopped", 8, 0])
    );
    assert_eq!(stopped["summary"]["played"], 0);
    assert!(stopped["findings"][0]["text"].as_str().expect("a sentence").contains("before it was stopped"));
    let holder = hold(&dir);
    let running = only(&server).await;
    assert_eq!(running["summary"]["state"], "running");
    assert!(running["findings"][0]["text"].as_str().expect("a sentence").contains("so far"));
    assert_eq!(others(&server).await[0]["state"], "running", "lists say so too");
    drop(holder);
    run(&dir);
    let finished = only(&server).await;
    assert_eq!(
        json!([finished["summary"]["state"], finished["summary"]["played"], finished["summary"]["ended"]]),
        json!(["finished", 8, 1])
    );
    assert_eq!(finished["comparisons"][0]["games"], 8);
    assert_eq!(finished["circumstances"][0]["bots"], json!(["random", "greedy"]));
    let observation = &finished["observations"][0];
    assert_eq!(
        (&observation["name"]["key"], &observation["seats"][0]["key"]),
        (&json!(""), &json!("seat.black"))
    );
    assert_eq!(finished["command"], "agon study run study.toml --out results");
    let id = finished["summary"]["id"].as_str().expect("an id");
    assert!(id.len() == 12 && !id.contains("mine"), "an id tells nothing: {id}");
    let file = |name: &str| server.get(&format!("/api/v1/studies/{id}/files/{name}"));
    assert_eq!(file("study.toml").send().await.expect(200).text(), STUDY);
    // What is made from the results is what the program has written.
    for name in ["report.html", "effects.csv", "comparisons.csv", "depths.csv", "summary.txt", "results.json"]
    {
        let written = fs::read_to_string(dir.join(name)).expect(name);
        assert_eq!(file(name).send().await.expect(200).text(), written, "{name}");
    }
    let report = file("report.html").send().await;
    assert!(
        report.header("content-security-policy").is_some_and(|policy| policy.contains("default-src 'none'"))
    );
}

#[tokio::test]
async fn other_folders_are_shown_if_they_are_named() {
    let folder = Folder::new();
    for name in ["a", "several/b", "several/c"] {
        run(&folder.0.join(name));
    }
    fs::create_dir_all(folder.0.join("several/nothing")).expect("a folder");
    let studies = vec![folder.0.join("a"), folder.0.join("several"), folder.0.join("several/b")];
    let server = Server::with(Options { studies, ..Options::default() }).await;
    assert_eq!(others(&server).await.len(), 3, "each of them once");
    assert!(agon_server::studies::Studies::open(GAMES, &folder.0, &[folder.0.join("a/study.toml")]).is_err());
    assert!(agon_server::studies::Studies::open(GAMES, &folder.0, &[folder.0.join("no")]).is_err());
}

#[tokio::test]
async fn damaged_studies_are_reported_and_hurt_nobody() {
    let server = Server::start().await;
    let (good, bad) = (own_folder(&server, "good"), own_folder(&server, "bad"));
    run(&good);
    run(&bad);
    let whole = fs::read_to_string(bad.join("results.json")).expect("results");
    let damages: [(Vec<u8>, &str); 6] = [
        (Vec::new(), "EOF"),
        (b"{}".to_vec(), "missing field"),
        (whole.as_bytes()[..whole.len() / 2].to_vec(), "EOF"),
        (b"\xff\xfe".to_vec(), "UTF-8"),
        (whole.replace("\"version\": 2", "\"version\": 3").into_bytes(), "version 3, expected 1 to 2"),
        (whole.replacen("\"setting\": 1", "\"setting\": 70000", 1).into_bytes(), "effects[0].setting"),
    ];
    for (contents, reason) in damages {
        fs::write(bad.join("results.json"), &contents).expect("it can be written");
        let listed = others(&server).await;
        let mut states: Vec<&str> =
            listed.iter().map(|study| study["state"].as_str().expect("a state")).collect();
        states.sort_unstable();
        assert_eq!(states, ["damaged", "finished"], "{reason}");
        let damaged = listed.iter().find(|study| study["state"] == "damaged").expect("one");
        assert_eq!(damaged["name"], "sample", "{reason}");
        let path = format!("/api/v1/studies/{}", damaged["id"].as_str().expect("an id"));
        let answer = server.get(&path).send().await;
        answer.as_described(&server, "/api/v1/studies/{id}", "get").await;
        let finding = answer.json()["findings"][0]["text"].as_str().expect("a sentence").to_owned();
        assert!(finding.starts_with("The results cannot be read: ") && finding.contains(reason), "{finding}");
        server.get(&format!("{path}/files/report.html")).send().await.refusal(404, "unknown");
    }
    // Links do not lead out of the folder, and what the other files say is not taken on trust either.
    fs::remove_file(bad.join("results.json")).expect("it is there");
    symlink(good.join("results.json"), bad.join("results.json")).expect("a link");
    fs::write(bad.join("study.toml"), "name = \"\u{202e}evil\\u0007\"\nquestion = 7\n")
        .expect("it can be written");
    let listed = others(&server).await;
    let linked = listed.iter().find(|study| study["state"] == "stopped").expect("without results");
    assert_eq!(
        (&linked["name"], &linked["question"]["text"]),
        (&json!("\u{fffd}evil\u{fffd}"), &json!("")),
        "{linked}"
    );
}

#[tokio::test]
async fn nothing_but_studies_can_be_asked_for() {
    let server = Server::start().await;
    let dir = own_folder(&server, "mine");
    run(&dir);
    let id = others(&server).await[0]["id"].as_str().expect("an id").to_owned();
    let first = PUBLISHED[0].id;
    for wrong in [
        "nothing".to_owned(),
        "aaaaaaaaaaaa".to_owned(),
        id.to_uppercase(),
        format!("{id}%00"),
        "mine".to_owned(),
        "..%2Fstudies%2Fmine".to_owned(),
        "%2e%2e".to_owned(),
        format!("..%2F{first}"),
        format!("{first}%2F."),
        format!("{first}%20"),
        "x".repeat(5000),
    ] {
        server.get(&format!("/api/v1/studies/{wrong}")).send().await.refusal(404, "unknown");
        server
            .get(&format!("/api/v1/studies/{wrong}/files/report.html"))
            .send()
            .await
            .refusal(404, "unknown");
    }
    for file in
        ["games.jsonl", "run.json", "lock", "..%2Fmine%2Fstudy.toml", "plots", "plots%2Fstrength-1.png", "x"]
    {
        server.get(&format!("/api/v1/studies/{id}/files/{file}")).send().await.refusal(404, "unknown");
        server.get(&format!("/api/v1/studies/{first}/files/{file}")).send().await.refusal(404, "unknown");
    }
    server.get(&format!("/api/v1/studies/{first}/files/study.toml")).send().await.refusal(404, "unknown");
    fs::remove_dir_all(&dir).expect("it is there");
    server.get(&format!("/api/v1/studies/{id}")).send().await.refusal(404, "unknown");
}

#[tokio::test]
async fn what_is_said_about_studies_is_there_in_both_languages() {
    let server = Server::start().await;
    let (en, he) = (
        get(&server, "/api/v1/messages/en/studies").await,
        get(&server, "/api/v1/messages/he/studies").await,
    );
    let keys = |texts: &Value| texts.as_object().expect("texts").keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&en), keys(&he));
    for study in get(&server, "/api/v1/studies").await["studies"].as_array().expect("a list") {
        let key = study["question"]["key"].as_str().expect("a key");
        assert!(he[key].is_string(), "what {} asks is said in Hebrew", study["id"]);
    }
    server.get("/api/v1/messages/xx/studies").send().await.refusal(404, "unknown");
}
