//! What happens when time passes: here it passes at once, whenever nothing else is going on.

use std::time::Duration;

use agon_protocol::web::PROTOCOL;
use serde_json::{Value, json};
use tokio::net::TcpSocket;
use tokio::time::{advance, pause, resume, sleep};

use crate::support::{ANNA, BENNO, Client, Server, new_lobby, new_table, number, pass};

/// Time that passes only when it is told to. Otherwise it would pass while something is stored, which takes no time on this clock.
struct Frozen {
    /// As long as work is done in another thread, time does not pass by itself.
    _work: std::sync::mpsc::Sender<()>,
}

impl Frozen {
    fn new() -> Self {
        let (work, done) = std::sync::mpsc::channel::<()>();
        tokio::task::spawn_blocking(move || done.recv());
        pause();
        Self { _work: work }
    }

    async fn pass(&self, time: Duration) {
        advance(time).await;
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        resume();
    }
}

/// Follows a table until so many browsers do.
async fn until_watched_by(client: &mut Client, count: usize) {
    let holds = |message: &Value| message["type"] == "watchers" && message["count"] == count;
    client.until_heard("others come and go", holds).await;
}

#[tokio::test]
async fn a_connection_that_is_half_open_is_given_up() {
    let server = Server::start().await;
    let table = server.open(&new_table("othello", "", &["human", "human"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let mut silent = server.client(BENNO).await;
    silent.open(&table).await.expect("it opens");
    until_watched_by(&mut client, 2).await;
    pause();
    // The one is never asked again and so answers no heartbeat; the other one does.
    until_watched_by(&mut client, 1).await;
    resume();
    drop(silent);
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    client.play(&table, &tokens[0]).await.expect("the game goes on");
}

#[tokio::test]
async fn a_client_that_never_reads_is_dropped_and_nobody_else_notices() {
    let server = Server::start().await;
    let table = server.open(&new_table("loa", "size=30", &["human", "human"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let stream = socket.connect(server.address).await.expect("connected");
    let bearer = format!("Bearer {BENNO}");
    let mut deaf =
        Client::upgrade_on(stream, server.address, &[("authorization", &bearer)]).await.expect("ok");
    deaf.send(&json!({"type": "hello", "protocol": PROTOCOL})).await.expect("connected");
    deaf.open(&table).await.expect("it opens");
    until_watched_by(&mut client, 2).await;
    for index in 0..400 {
        let look = json!({"type": "look", "id": format!("l{index}"), "game": table, "board": 0, "ply": 0});
        deaf.send(&look).await.expect("connected");
    }
    // Meanwhile the others play.
    for _ in 0..5 {
        let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
        let seq = client.play(&table, &tokens[0]).await.expect("legal");
        client.until("it is seen", |client| client.seq(&table) == seq).await;
    }
    pause();
    until_watched_by(&mut client, 1).await;
    resume();
    assert!(!deaf.heard.iter().any(|message| message["type"] == "looked"), "it has not read");
}

#[tokio::test]
async fn bots_stop_among_themselves_when_nobody_looks_and_go_on_when_somebody_does() {
    let server = Server::start().await;
    let mut between = new_table("loa", "size=6,turns=100,rules=standard", &["random", "random"]);
    between["pace"] = json!(1000);
    let table = server.open(&between).await;
    pause();
    sleep(Duration::from_secs(3600)).await;
    resume();
    let ply = number(&server.table(&table).await["boards"][0]["facts"]["ply"]);
    assert!(ply <= 61, "bots have played on for more than a minute: {ply}");
    let mut client = server.client(BENNO).await;
    client.open(&table).await.expect("anybody may watch");
    assert_eq!(number(&client.facts(&table, 0)["ply"]), ply, "nothing was played meanwhile");
    client.until("they go on", |client| number(&client.facts(&table, 0)["ply"]) > ply).await;
}

#[tokio::test]
async fn whose_time_is_up_has_lost() {
    let server = Server::start().await;
    let mut timed = new_table("othello", "", &["human", "human"]);
    timed["clock"] = json!("15s");
    let table = server.open(&timed).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    assert_eq!(client.facts(&table, 0)["clocks"].as_array().expect("clocks").len(), 2);
    pause();
    sleep(Duration::from_secs(16)).await;
    resume();
    client.until("the time is up", |client| client.is_over(&table)).await;
    assert_eq!(client.facts(&table, 0)["end"]["kind"], "forfeit");
}

#[tokio::test]
async fn tables_that_nobody_follows_leave_the_memory_and_come_back() {
    let server = Server::start().await;
    let table = server.open(&new_table("othello", "", &["human", "human"])).await;
    let mut client = server.client(ANNA).await;
    client.open(&table).await.expect("it opens");
    let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
    let seq = client.play(&table, &tokens[0]).await.expect("legal");
    client.ask(json!({"type": "unwatch", "game": table})).await.expect("connected");
    assert_eq!(server.app.tables.len(), 1);
    pause();
    while !server.app.tables.is_empty() {
        sleep(Duration::from_secs(10)).await;
    }
    resume();
    let mut client = server.client(ANNA).await;
    assert_eq!(client.open(&table).await, Ok(seq));
}

#[tokio::test]
async fn a_dead_network_is_noticed_soon_and_the_clock_stands_meanwhile() {
    let server = Server::start().await;
    let mut lobby = new_lobby("In time", "othello", "", &["human", "open"]);
    lobby["terms"] = json!({"clock": "600m+0s", "interruption": 60, "interruptions": 600, "grace": 3600});
    let id = server.open_lobby(ANNA, &lobby).await;
    let mut anna = server.client(ANNA).await;
    anna.open(&id).await.expect("she is the host");
    let mut benno = server.client(BENNO).await;
    benno.open(&id).await.expect("anybody may come");
    benno.sit(&id, 1, "Benno").await.expect("it is open");
    pass(4).await;
    anna.until_started(&id).await;
    benno.until_started(&id).await;
    let is_here = |here: bool| {
        move |message: &Value| message["type"] == "presence" && message["seats"][0]["here"] == here
    };
    // Her connection stays open, but nobody reads what comes over it, and so nobody answers.
    let frozen = Frozen::new();
    benno.heard.clear();
    // Five seconds and a tenth pass. What was told by then arrives, however long that takes on a busy machine.
    for _ in 0..51 {
        frozen.pass(Duration::from_millis(100)).await;
    }
    let mut asked = 0;
    while !benno.heard.iter().any(is_here(false)) {
        asked += 1;
        assert!(asked < 10_000, "her silence is not noticed within five seconds");
        benno.ask(json!({"type": "ping"})).await.expect("connected");
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(frozen);
    benno.until("her clock stands", |client| client.facts(&id, 0)["stopped"] == true).await;
    // She reads on, and with that answers what she was asked.
    anna.until_heard("she is told herself", is_here(false)).await;
    anna.ask(json!({"type": "ping"})).await.expect("the connection holds");
    benno.until_heard("she is back", is_here(true)).await;
    benno.until("her clock runs", |client| client.facts(&id, 0)["stopped"] == false).await;
    let (_, _, tokens) = anna.to_move(&id).expect("she is to move");
    anna.play(&id, &tokens[0]).await.expect("the game goes on");
}
