//! `agon join`: programs take seats in a lobby and play to the end.

use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::client::Client;
use crate::process::{Folder, Running, start_on};
use crate::request::Request;

const HOST: &str = "a-host-who-only-looks-on-and-waits";

/// A program at a seat; it is killed with this.
pub(crate) struct Joined(Option<Child>);

impl Joined {
    fn new(server: &Running, page: &str, arguments: &[&str]) -> Self {
        Self::at(&format!("http://{}/{page}", server.address), arguments, &[])
    }

    pub(crate) fn at(url: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["join", url])
            .args(arguments)
            .envs(variables.iter().copied())
            .env_remove("AGON_TOKEN")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Self(Some(child.expect("the program starts")))
    }

    /// Waits until it has ended, and returns whether it succeeded and what it said.
    pub(crate) async fn ended(mut self) -> (bool, String) {
        let child = self.0.take().expect("it is waited for once");
        let output: Output = tokio::task::spawn_blocking(|| child.wait_with_output())
            .await
            .expect("waiting does not panic")
            .expect("it ends");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), text.concat())
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Opens a lobby with two open seats, and looks on.
async fn lobby(server: &Running, mut lobby: Value) -> (String, Client) {
    lobby["name"] = json!("Programs");
    lobby["seats"] = json!([{"occupant": "open"}, {"occupant": "open"}]);
    let request = Request::new(server.address, "POST", "/api/v1/lobbies").token(HOST).json(&lobby);
    let id = request.send().await.expect(201).json()["id"].as_str().expect("an id").to_owned();
    let mut host = Client::connect(server.address, HOST).await;
    host.open(&id).await.expect("the lobby is there");
    (id, host)
}

fn engine(game: &str) -> String {
    format!("{} engine --protocol jsonl --game {game} --bot random", env!("CARGO_BIN_EXE_agon"))
}

/// Has one of our bots and an agent take the seats of a lobby and play, and returns the game as it ended.
async fn played(asked: Value, engine: &str) -> Value {
    let folder = Folder::new();
    let server = start_on(&folder).expect("it starts");
    let (id, mut host) = lobby(&server, asked).await;
    let page = format!("lobby/{id}");
    let programs = [
        Joined::new(&server, &page, &["--bot", "random"]),
        Joined::new(&server, &page, &["--agent", engine]),
    ];
    host.until_started(&id).await;
    host.until("the game ends", |host| host.is_over(&id)).await;
    for program in programs {
        let (succeeded, said) = program.ended().await;
        assert!(succeeded && said.contains("The game is over"), "{said}");
    }
    let late = Joined::new(&server, &page, &["--bot", "random"]);
    let (succeeded, said) = late.ended().await;
    assert!(!succeeded && said.contains("started without us"), "{said}");
    let table = host.table(&id).clone();
    let mut names = Vec::new();
    for seat in table["seats"].as_array().expect("seats") {
        assert_eq!(seat["program"], true, "programs are shown as such");
        names.push(seat["name"].as_str().expect("a name"));
    }
    names.sort_unstable();
    assert_eq!(names, ["agent", "agent 2"], "both wanted the same name");
    table
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_take_seats_and_play() {
    let table = played(json!({"game": "othello", "options": "size=4"}), &engine("othello")).await;
    let board = &table["boards"][0];
    assert!(board["plies"].as_array().is_some_and(|plies| plies.len() >= 4), "{board}");
    assert!(board["facts"]["end"]["reason"]["key"].as_str().is_some_and(|key| !key.contains("resign")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_race() {
    let terms = json!({"goal": {"kind": "moves", "moves": 12}});
    let asked = json!({"game": "2048", "mode": "race", "terms": terms});
    let table = played(asked, &engine("2048")).await;
    for board in table["boards"].as_array().expect("boards") {
        let plies = board["plies"].as_array().expect("plies");
        assert_eq!(plies.iter().filter(|ply| ply["seat"] == 0).count(), 12, "{board}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_fails_resigns() {
    let folder = Folder::new();
    let server = start_on(&folder).expect("it starts");
    let (id, mut host) = lobby(&server, json!({"game": "othello", "options": "size=4"})).await;
    let page = format!("lobby/{id}");
    let sound = Joined::new(&server, &page, &["--bot", "random", "--seat", "1", "--name", "Sound"]);
    let broken = Joined::new(&server, &page, &["--agent", "false", "--seat", "2", "--name", "Broken"]);
    host.until_started(&id).await;
    host.until("the game ends", |host| host.is_over(&id)).await;
    let (succeeded, said) = broken.ended().await;
    assert!(!succeeded, "{said}");
    let (succeeded, said) = sound.ended().await;
    assert!(succeeded && said.contains("The game is over"), "{said}");
    assert!(host.facts(&id, 0)["end"].to_string().contains("resign"), "{}", host.facts(&id, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_joined_is_said_once() {
    let folder = Folder::new();
    let server = start_on(&folder).expect("it starts");
    let (id, _host) = lobby(&server, json!({"game": "othello"})).await;
    for (page, arguments, reason) in [
        (format!("lobby/{id}"), ["--seat", "3"], "2 seats"),
        ("lobby/none".to_owned(), ["--seat", "1"], "No game here"),
        ("join/none".to_owned(), ["--seat", "1"], "link"),
    ] {
        let joined = Joined::new(&server, &page, &[&["--bot", "random"][..], &arguments].concat());
        let (succeeded, said) = joined.ended().await;
        assert!(!succeeded && said.contains(reason), "{page}: {said}");
    }
}
