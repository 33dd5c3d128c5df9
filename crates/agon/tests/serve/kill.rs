//! The server is killed again and again while every game is played. What was acknowledged must be there afterwards, what was not is
//! sent again under its name, and nothing may happen twice.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::{Client, Gone, asking, judged, number};
use crate::process::{Folder, Running, new_table, start_on};
use crate::request::Request;

const KILLS: usize = 200;

/// Chance that is the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// What all players count.
#[derive(Default)]
struct Tally {
    acknowledged: AtomicUsize,
    /// Messages that were sent and have not been answered.
    in_flight: AtomicUsize,
    /// Messages that were sent again because no answer had come.
    sent_again: AtomicUsize,
    finished: AtomicUsize,
    is_done: AtomicBool,
}

/// Somebody who plays one game after the other, or one game with others, whatever happens to the server.
struct Player {
    token: String,
    game: Plays,
    address: watch::Receiver<Option<SocketAddr>>,
    tally: Arc<Tally>,
    dice: Dice,
}

/// What somebody plays.
enum Plays {
    /// Games that they open themselves.
    Own(Value),
    /// A game with others, over a connection that breaks again and again.
    Shared(String),
}

/// A game that is being played.
struct Game {
    name: String,
    /// The table as it was last known.
    known: Option<Value>,
    /// The moves that were acknowledged, by board and ply.
    moves: BTreeMap<(usize, usize), String>,
    /// The last event that was acknowledged.
    seq: u64,
    /// A move that has not been answered yet.
    pending: Option<(String, Value)>,
    count: usize,
}

impl Player {
    async fn server(&mut self) -> SocketAddr {
        let address = self.address.wait_for(Option::is_some).await.expect("there will be another server");
        address.expect("it is there")
    }

    async fn run(mut self) {
        while !self.tally.is_done.load(Ordering::SeqCst) {
            let Some(name) = self.open_table().await else { continue };
            let mut game =
                Game { name, known: None, moves: BTreeMap::new(), seq: 0, pending: None, count: 0 };
            loop {
                match self.play(&mut game).await {
                    Ok(()) => break,
                    Err(Gone(_)) => tokio::task::yield_now().await,
                }
            }
            if matches!(self.game, Plays::Shared(_)) {
                // Whoever ends before the last kill has failed.
                while !self.tally.is_done.load(Ordering::SeqCst) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }

    async fn open_table(&mut self) -> Option<String> {
        let address = self.server().await;
        let game = match &self.game {
            Plays::Own(game) => game,
            Plays::Shared(id) => return Some(id.clone()),
        };
        let request = Request::new(address, "POST", "/api/v1/games").token(&self.token).json(game);
        let answer = request.try_send().await.ok()?;
        // A server that is killed in the middle of its answer has not given one.
        let table: Value = serde_json::from_slice(&answer.body).ok()?;
        table["id"].as_str().map(str::to_owned)
    }

    /// Plays until the game is over or the server is gone.
    async fn play(&mut self, game: &mut Game) -> Result<(), Gone> {
        let address = self.server().await;
        let mut client = Client::try_connect(address, &self.token).await?;
        let since = game.known.as_ref().map(|known| known["seq"].clone());
        if let Some(known) = &game.known {
            client.tables.insert(game.name.clone(), known.clone());
        }
        let opened = client.ask(json!({"type": "watch", "game": game.name, "since": since})).await?;
        judged(&opened).expect("the table is there");
        game.check(&client);
        loop {
            let played = self.play_on(&mut client, game).await;
            game.known = client.tables.get(&game.name).cloned();
            if played? {
                return Ok(());
            }
            if matches!(self.game, Plays::Shared(_)) && self.dice.roll(20) == 0 {
                return Err(Gone(None));
            }
        }
    }

    /// Makes one move, or waits for others; says whether the game is over.
    async fn play_on(&mut self, client: &mut Client, game: &mut Game) -> Result<bool, Gone> {
        if let Some((id, message)) = game.pending.clone() {
            client.send(&message).await?;
            let answer = client.answer(&id).await?;
            game.acknowledge(&message, judged(&answer).expect("a legal move is played, once"));
            self.answered();
            game.pending = None;
            client.until_seq(&game.name, game.seq).await?;
            game.check(client);
        }
        if client.is_over(&game.name) {
            self.tally.finished.fetch_add(1, Ordering::SeqCst);
            return Ok(true);
        }
        if self.tally.is_done.load(Ordering::SeqCst) {
            return Ok(true);
        }
        let Some((board, ply, tokens)) = client.to_move(&game.name) else {
            client.hear().await?;
            return Ok(false);
        };
        game.count += 1;
        let id = format!("{}-{}", &game.name[..8], game.count);
        let token = &tokens[self.dice.roll(tokens.len())];
        let action = json!({"do": "move", "board": board, "ply": ply, "move": token});
        let mut message = asking(&game.name, action);
        message["id"] = json!(id);
        game.pending = Some((id, message.clone()));
        self.tally.in_flight.fetch_add(1, Ordering::SeqCst);
        client.send(&message).await?;
        let (id, _) = game.pending.clone().expect("it was just sent");
        match client.answer(&id).await {
            Ok(answer) => {
                game.acknowledge(&message, judged(&answer).expect("a legal move is played"));
                self.answered();
                game.pending = None;
                client.until_seq(&game.name, game.seq).await?;
                Ok(false)
            }
            Err(gone) => {
                self.tally.sent_again.fetch_add(1, Ordering::SeqCst);
                Err(gone)
            }
        }
    }

    fn answered(&self) {
        self.tally.in_flight.fetch_sub(1, Ordering::SeqCst);
        self.tally.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

impl Game {
    fn acknowledge(&mut self, message: &Value, seq: u64) {
        let place = (number(&message["board"]), number(&message["ply"]));
        self.moves.insert(place, message["move"].as_str().expect("a move").to_owned());
        self.seq = self.seq.max(seq);
    }

    /// Holds what the server says against what it has acknowledged.
    fn check(&self, client: &Client) {
        let table = client.table(&self.name);
        assert!(client.seq(&self.name) >= self.seq, "events that were acknowledged are gone");
        for ((board, ply), token) in &self.moves {
            let board = &table["boards"][*board];
            // Of long games only the end is told.
            if let Some(index) = ply.checked_sub(number(&board["skipped"])) {
                assert_eq!(board["plies"][index]["token"], token.as_str(), "an acknowledged move is gone");
            }
        }
        let mut counts = BTreeMap::new();
        for (board, _) in self.moves.keys() {
            *counts.entry(*board).or_insert(0) += 1;
        }
        for (board, count) in counts {
            let board = &table["boards"][board];
            let plies = number(&board["skipped"]) + board["plies"].as_array().expect("plies").len();
            assert!(plies >= count, "there are as many plies as moves at least");
        }
    }
}

impl Client {
    /// Hears until an event has been told.
    async fn until_seq(&mut self, table: &str, seq: u64) -> Result<(), Gone> {
        while self.seq(table) < seq {
            self.hear().await?;
        }
        Ok(())
    }
}

type Players = Vec<tokio::task::JoinHandle<()>>;

/// Kills the server so often while everybody plays, and says how often moves were under way.
async fn kill_again_and_again(
    kills: usize,
    mut server: Running,
    folder: &Folder,
    tally: &Tally,
    publish: &watch::Sender<Option<SocketAddr>>,
    players: Players,
) -> usize {
    let mut dice = Dice(2048);
    let mut with_moves_in_flight = 0;
    for _ in 0..kills {
        publish.send_replace(Some(server.address));
        // A few moves are made, and the next ones are under way.
        let goal = tally.acknowledged.load(Ordering::SeqCst) + dice.roll(12);
        while tally.acknowledged.load(Ordering::SeqCst) < goal {
            assert!(!players.iter().any(|player| player.is_finished()), "a player has failed");
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
        tokio::time::sleep(Duration::from_micros(dice.roll(3000) as u64)).await;
        with_moves_in_flight += usize::from(tally.in_flight.load(Ordering::SeqCst) > 0);
        publish.send_replace(None);
        server.kill();
        server = tokio::task::block_in_place(|| start_on(folder)).expect("it starts on what is left");
    }
    tally.is_done.store(true, Ordering::SeqCst);
    publish.send_replace(Some(server.address));
    for player in players {
        player.await.expect("nobody has lost anything");
    }
    with_moves_in_flight
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_was_acknowledged_is_lost_however_often_the_server_is_killed() {
    let folder = Folder::new();
    let tally = Arc::new(Tally::default());
    let (publish, address) = watch::channel(None);
    let mut in_turn = new_table("2048", "", &["random", "human"]);
    in_turn["mode"] = json!("in-turn");
    let mut race = new_table("2048", "", &["human", "random"]);
    race["mode"] = json!("race");
    let games = [
        new_table("othello", "", &["human", "novice"]),
        new_table("tablut", "limit=60", &["random", "human"]),
        new_table("loa", "size=6,turns=20", &["human", "random"]),
        new_table("chinese-checkers", "seats=gy/rp/o,rounds=20", &["human", "random", "random"]),
        new_table("othello", "size=6", &["human", "human"]),
        race,
        in_turn,
    ];
    let players: Players = games
        .into_iter()
        .enumerate()
        .map(|(index, game)| {
            let player = Player {
                token: format!("{index}-player-who-keeps-this-token"),
                game: Plays::Own(game),
                address: address.clone(),
                tally: Arc::clone(&tally),
                dice: Dice(index as u64),
            };
            tokio::spawn(player.run())
        })
        .collect();
    let server = start_on(&folder).expect("it starts");
    let with_moves_in_flight = kill_again_and_again(KILLS, server, &folder, &tally, &publish, players).await;
    let [acknowledged, sent_again, finished] =
        [&tally.acknowledged, &tally.sent_again, &tally.finished].map(|count| count.load(Ordering::SeqCst));
    let seen = format!(
        "{KILLS} kills, {with_moves_in_flight} with moves in flight; {acknowledged} moves acknowledged, \
         {sent_again} sent again, {finished} games finished"
    );
    assert!(with_moves_in_flight >= KILLS * 9 / 10, "{seen}");
    assert!(sent_again >= KILLS / 2 && finished >= 7, "{seen}");
}

/// Opens a lobby, has everybody sit down, and waits for the game.
async fn started(server: &Running, tokens: &[String], mut lobby: Value) -> String {
    lobby["name"] = json!(format!("Lobby of {}", &tokens[0][..6]));
    lobby["player"] = json!("0");
    let request = Request::new(server.address, "POST", "/api/v1/lobbies").token(&tokens[0]).json(&lobby);
    let id = request.send().await.expect(201).json()["id"].as_str().expect("an id").to_owned();
    let mut clients = Vec::new();
    for (seat, token) in tokens.iter().enumerate() {
        let mut client = Client::connect(server.address, token).await;
        client.open(&id).await.expect("anybody may come");
        if seat > 0 {
            client.sit(&id, seat, &seat.to_string()).await.expect("it is open");
        }
        clients.push(client);
    }
    for client in &mut clients {
        client.until_started(&id).await;
    }
    id
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_at_different_browsers_lose_nothing_either() {
    const KILLS: usize = 30;
    let folder = Folder::new();
    let tally = Arc::new(Tally::default());
    let (publish, address) = watch::channel(None);
    let server = start_on(&folder).expect("it starts");
    let seats = |count: usize| {
        let seat = |index: usize| json!({"occupant": if index == 0 { "human" } else { "open" }});
        (0..count).map(seat).collect::<Vec<Value>>()
    };
    let lobby = |game: &str, options: &str, count: usize| json!({"game": game, "options": options, "seats": seats(count)});
    let mut race = lobby("2048", "", 3);
    race["mode"] = json!("race");
    let mut timed = lobby("othello", "size=12", 2);
    timed["terms"] = json!({"clock": "30m+20s"});
    let lobbies = [
        timed,
        lobby("tablut", "limit=200", 2),
        lobby("loa", "size=8,turns=100", 2),
        lobby("chinese-checkers", "seats=g/o/p,rounds=200", 3),
        race,
    ];
    let mut players = Players::new();
    for (number, lobby) in lobbies.into_iter().enumerate() {
        let count = lobby["seats"].as_array().expect("seats").len();
        let tokens: Vec<String> =
            (0..count).map(|seat| format!("{number}-{seat}-at-a-browser-of-their-own")).collect();
        let id = started(&server, &tokens, lobby).await;
        for (seat, token) in tokens.into_iter().enumerate() {
            let player = Player {
                token,
                game: Plays::Shared(id.clone()),
                address: address.clone(),
                tally: Arc::clone(&tally),
                dice: Dice((number * 10 + seat) as u64),
            };
            players.push(tokio::spawn(player.run()));
        }
    }
    kill_again_and_again(KILLS, server, &folder, &tally, &publish, players).await;
    let acknowledged = tally.acknowledged.load(Ordering::SeqCst);
    assert!(acknowledged >= KILLS, "{acknowledged} moves acknowledged");
}
