//! People who play whatever happens to the server, and keep account of what they were told.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use crate::client::{Client, Gone, asking, judged, number};
use crate::process::{Folder, Running, new_table, start_on};
use crate::request::{Request, connect};

/// Chance that is the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// What all players count, and what they know of the games that they have left.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) acknowledged: AtomicUsize,
    /// Messages that were sent and have not been answered.
    pub(crate) in_flight: AtomicUsize,
    /// Messages that were sent again because no answer had come.
    pub(crate) sent_again: AtomicUsize,
    /// Moves that were refused because they could not be stored.
    pub(crate) refused: AtomicUsize,
    pub(crate) finished: AtomicUsize,
    pub(crate) is_done: AtomicBool,
    left: Mutex<Vec<(String, Game)>>,
    /// What was told about each game after each of its events: it is the same whoever is told, and for ever.
    told: Mutex<HashMap<(String, u64), Value>>,
}

/// Somebody who plays one game after the other, or one game with others, whatever happens to the server.
struct Player {
    token: String,
    game: Plays,
    dice: Dice,
    company: Company,
}

/// What somebody plays.
enum Plays {
    /// Games that they open themselves.
    Own(Value),
    /// A game with others, over a connection that breaks again and again.
    Shared(String),
}

/// A game that is being played.
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) name: String,
    /// The table as it was last known.
    known: Option<Value>,
    /// The moves that were acknowledged, by board and ply.
    moves: BTreeMap<(usize, usize), String>,
    /// The last event that was acknowledged.
    pub(crate) seq: u64,
    /// A move that has not been answered yet.
    pending: Option<(String, Value)>,
    count: usize,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tally {
    /// Holds what a client was told of a game against what others were told, and it itself before.
    pub(crate) fn compare(&self, client: &Client, game: &str) {
        let boards = client.table(game)["boards"].as_array().expect("boards");
        let board = |board: &Value| json!([board["facts"]["ply"], board["picture"]["cells"]]);
        let now = Value::Array(boards.iter().map(board).collect());
        let mut told = locked(&self.told);
        let seq = client.seq(game);
        let before = told.entry((game.to_owned(), seq)).or_insert_with(|| now.clone());
        assert_eq!(*before, now, "two were told different things about event {seq} of {game}");
    }

    /// Holds every game that was left against the server's, and says how many acknowledged moves were looked for.
    pub(crate) async fn verify(&self, address: SocketAddr) -> usize {
        let left = locked(&self.left).clone();
        let mut clients: HashMap<String, Client> = HashMap::new();
        let mut count = 0;
        for (token, game) in left {
            if !clients.contains_key(&token) {
                clients.insert(token.clone(), Client::connect(address, &token).await);
            }
            let client = clients.get_mut(&token).expect("it was just made");
            client.open(&game.name).await.expect("the game is there");
            game.check(client);
            self.compare(client, &game.name);
            count += game.moves.len();
            client.ask(json!({"type": "unwatch", "game": game.name})).await.expect("connected");
        }
        count
    }

    pub(crate) fn count(&self, counter: impl Fn(&Self) -> &AtomicUsize) -> usize {
        counter(self).load(Ordering::SeqCst)
    }
}

impl Player {
    async fn server(&mut self) -> SocketAddr {
        let address =
            self.company.address.wait_for(Option::is_some).await.expect("there will be another server");
        address.expect("it is there")
    }

    async fn run(mut self) {
        while !self.company.tally.is_done.load(Ordering::SeqCst) {
            let Some(name) = self.open_table().await else { continue };
            let mut game = Game::new(name);
            loop {
                match self.play(&mut game).await {
                    Ok(()) => break,
                    Err(Gone(_)) => tokio::task::yield_now().await,
                }
            }
            locked(&self.company.tally.left).push((self.token.clone(), game));
            if matches!(self.game, Plays::Shared(_)) {
                // Whoever ends before the last kill has failed.
                while !self.company.tally.is_done.load(Ordering::SeqCst) {
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
        self.allowed(&opened, "the table is there")?;
        game.check(&client);
        self.company.tally.compare(&client, &game.name);
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
            game.acknowledge(&message, self.allowed(&answer, "a legal move is played, once")?);
            self.answered();
            game.pending = None;
            client.until_seq(&game.name, game.seq).await?;
            game.check(client);
            self.company.tally.compare(client, &game.name);
        }
        if client.is_over(&game.name) {
            self.company.tally.finished.fetch_add(1, Ordering::SeqCst);
            return Ok(true);
        }
        if self.company.tally.is_done.load(Ordering::SeqCst) {
            return Ok(true);
        }
        let Some((board, ply, tokens)) = client.to_move(&game.name) else {
            client.hear().await?;
            self.company.tally.compare(client, &game.name);
            return Ok(false);
        };
        game.count += 1;
        let id = format!("{}-{}", &game.name[..8], game.count);
        let token = &tokens[self.dice.roll(tokens.len())];
        let action = json!({"do": "move", "board": board, "ply": ply, "move": token});
        let mut message = asking(&game.name, action);
        message["id"] = json!(id);
        game.pending = Some((id, message.clone()));
        self.company.tally.in_flight.fetch_add(1, Ordering::SeqCst);
        client.send(&message).await?;
        let (id, _) = game.pending.clone().expect("it was just sent");
        match client.answer(&id).await {
            Ok(answer) => {
                game.acknowledge(&message, self.allowed(&answer, "a legal move is played")?);
                self.answered();
                game.pending = None;
                client.until_seq(&game.name, game.seq).await?;
                self.company.tally.compare(client, &game.name);
                Ok(false)
            }
            Err(gone) => {
                self.company.tally.sent_again.fetch_add(1, Ordering::SeqCst);
                Err(gone)
            }
        }
    }

    /// What was acknowledged. A refusal is an error of the server, unless the disk may fail: then it is asked again.
    fn allowed(&self, answer: &Value, what: &str) -> Result<u64, Gone> {
        match judged(answer) {
            Err(refused) if self.company.may_be_refused && refused.code == "storage" => {
                self.company.tally.refused.fetch_add(1, Ordering::SeqCst);
                Err(Gone(None))
            }
            judged => Ok(judged.expect(what)),
        }
    }

    fn answered(&self) {
        self.company.tally.in_flight.fetch_sub(1, Ordering::SeqCst);
        self.company.tally.acknowledged.fetch_add(1, Ordering::SeqCst);
    }
}

impl Game {
    /// A game of which nothing is known yet.
    pub(crate) fn new(name: String) -> Self {
        Self { name, known: None, moves: BTreeMap::new(), seq: 0, pending: None, count: 0 }
    }

    /// Notes a move that was acknowledged.
    pub(crate) fn acknowledge(&mut self, message: &Value, seq: u64) {
        let place = (number(&message["board"]), number(&message["ply"]));
        self.moves.insert(place, message["move"].as_str().expect("a move").to_owned());
        self.seq = self.seq.max(seq);
    }

    /// Holds what the server says against what it has acknowledged.
    pub(crate) fn check(&self, client: &Client) {
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
    pub(crate) async fn until_seq(&mut self, table: &str, seq: u64) -> Result<(), Gone> {
        while self.seq(table) < seq {
            self.hear().await?;
        }
        Ok(())
    }
}

pub(crate) type Players = Vec<tokio::task::JoinHandle<()>>;

/// Kills the server so often while everybody plays, and says how often moves were under way. What everybody knows is held against the
/// last server.
pub(crate) async fn kill_again_and_again(
    kills: usize,
    mut dice: Dice,
    mut server: Running,
    folder: &Folder,
    tally: &Tally,
    publish: &watch::Sender<Option<SocketAddr>>,
    players: Players,
) -> usize {
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
    let looked_for = tally.verify(server.address).await;
    // Every move was acknowledged to the player who made it and who has left the game.
    assert_eq!(
        looked_for,
        tally.count(|tally| &tally.acknowledged),
        "moves that were acknowledged are looked for"
    );
    with_moves_in_flight
}

/// Opens a lobby, has everybody sit down, each at an address of their own if there are any, and waits for the game.
pub(crate) async fn started(
    address: SocketAddr,
    people: &[(String, Option<IpAddr>)],
    mut lobby: Value,
) -> (String, Vec<Client>) {
    let (host, source) = &people[0];
    lobby["name"] = json!(format!("Lobby of {}", &host[..6]));
    lobby["player"] = json!("0");
    let mut request = Request::new(address, "POST", "/api/v1/lobbies").token(host).json(&lobby);
    if let Some(source) = source {
        request = request.from(*source);
    }
    let id = request.send().await.expect(201).json()["id"].as_str().expect("an id").to_owned();
    let mut clients = Vec::new();
    for (seat, (token, source)) in people.iter().enumerate() {
        let stream = connect(address, *source).await.expect("the server listens");
        let client = Client::try_connect_on(stream, address, token).await;
        let mut client = client.expect("the server welcomes its client");
        client.open(&id).await.expect("anybody may come");
        if seat > 0 {
            client.sit(&id, seat, &seat.to_string()).await.expect("it is open");
        }
        clients.push(client);
    }
    for client in &mut clients {
        client.until_started(&id).await;
    }
    (id, clients)
}

/// What players have in common.
#[derive(Clone)]
pub(crate) struct Company {
    pub(crate) address: watch::Receiver<Option<SocketAddr>>,
    pub(crate) tally: Arc<Tally>,
    pub(crate) seed: u64,
    /// Whether the disk may fail, so that moves are refused and made again later.
    pub(crate) may_be_refused: bool,
}

impl Company {
    fn player(&self, token: String, game: Plays, number: usize) -> tokio::task::JoinHandle<()> {
        let dice = Dice(self.seed.wrapping_mul(1000).wrapping_add(number as u64));
        tokio::spawn(Player { token, game, dice, company: self.clone() }.run())
    }

    /// Somebody for every kind of game, who opens one after the other.
    pub(crate) fn play_alone(&self) -> Players {
        let games = every_game().into_iter().enumerate();
        let player = |(index, game)| {
            self.player(format!("{index}-player-who-keeps-this-token"), Plays::Own(game), index)
        };
        games.map(player).collect()
    }

    /// People who meet in lobbies and play with one another at the server that is there now.
    pub(crate) async fn play_together(&self, server: SocketAddr) -> Players {
        let game = |(number, lobby): (usize, Value)| async move {
            let count = lobby["seats"].as_array().expect("seats").len();
            let person = |seat| (format!("{number}-{seat}-at-a-browser-of-their-own"), None);
            let people: Vec<(String, Option<IpAddr>)> = (0..count).map(person).collect();
            let (id, _) = started(server, &people, lobby).await;
            let player =
                |(seat, (token, _))| self.player(token, Plays::Shared(id.clone()), number * 10 + seat);
            people.into_iter().enumerate().map(player).collect::<Players>()
        };
        let games = futures_util::future::join_all(lobbies().into_iter().enumerate().map(game)).await;
        games.into_iter().flatten().collect()
    }
}

/// A game of every kind, to be played by one person.
fn every_game() -> Vec<Value> {
    let mut in_turn = new_table("2048", "", &["random", "human"]);
    in_turn["mode"] = json!("in-turn");
    let mut race = new_table("2048", "", &["human", "random"]);
    race["mode"] = json!("race");
    vec![
        new_table("othello", "", &["human", "novice"]),
        new_table("tablut", "limit=60", &["random", "human"]),
        new_table("loa", "size=6,turns=20", &["human", "random"]),
        new_table("chinese-checkers", "seats=gy/rp/o,rounds=20", &["human", "random", "random"]),
        new_table("othello", "size=6", &["human", "human"]),
        race,
        in_turn,
    ]
}

/// Lobbies of every kind, for games that last.
fn lobbies() -> Vec<Value> {
    let seats = |count: usize| {
        let seat = |index: usize| json!({"occupant": if index == 0 { "human" } else { "open" }});
        (0..count).map(seat).collect::<Vec<Value>>()
    };
    let lobby = |game: &str, options: &str, count: usize| json!({"game": game, "options": options, "seats": seats(count)});
    let mut race = lobby("2048", "", 3);
    race["mode"] = json!("race");
    let mut timed = lobby("othello", "size=12", 2);
    timed["terms"] = json!({"clock": "30m+20s"});
    vec![
        timed,
        lobby("tablut", "limit=200", 2),
        lobby("loa", "size=8,turns=100", 2),
        lobby("chinese-checkers", "seats=g/o/p,rounds=200", 3),
        race,
    ]
}
