//! People who play while others attack: how long their moves take to their opponents, and bots to answer them.

use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, asking};
use crate::players::{Dice, Game, started};
use crate::process::new_table;
use crate::request::{Request, connect};

/// How long people think.
const THINKING: Duration = Duration::from_millis(50);

/// What people have noticed.
#[derive(Default)]
pub(crate) struct Noticed {
    /// From a move to the opponent.
    pub(crate) moves: Mutex<Vec<Duration>>,
    /// From a move to the answer of a bot.
    pub(crate) answers: Mutex<Vec<Duration>>,
    pub(crate) acknowledged: AtomicUsize,
    pub(crate) is_done: AtomicBool,
}

impl Noticed {
    pub(crate) fn moves(&self) -> usize {
        self.moves.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub(crate) fn answers(&self) -> usize {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn is_done(&self) -> bool {
        self.is_done.load(Ordering::SeqCst)
    }
}

fn note(times: &Mutex<Vec<Duration>>, time: Duration) {
    times.lock().unwrap_or_else(PoisonError::into_inner).push(time);
}

/// An address of somebody who attacks nobody.
fn home(number: usize) -> IpAddr {
    IpAddr::from([127, 0, 1, 1 + number as u8])
}

/// Two people at two addresses, who play one game after the other.
pub(crate) async fn pair(server: SocketAddr, number: usize, noticed: &Noticed) {
    let mut dice = Dice(number as u64);
    let person =
        |seat: usize| (format!("{number}-{seat}-plays-while-others-attack"), Some(home(2 * number + seat)));
    let people = [person(0), person(1)];
    let seats = [json!({"occupant": "human"}), json!({"occupant": "open"})];
    let lobby = json!({"game": "othello", "options": "size=16", "seats": seats});
    while !noticed.is_done() {
        let (id, clients) = started(server, &people, lobby.clone()).await;
        let [mut one, mut other]: [Client; 2] =
            clients.try_into().unwrap_or_else(|_| unreachable!("two people"));
        let mut game = Game::new(id);
        while !noticed.is_done() && !one.is_over(&game.name) {
            if one.to_move(&game.name).is_none() {
                std::mem::swap(&mut one, &mut other);
            }
            let delay = moved(&mut one, &mut other, &mut game, &mut dice).await;
            note(&noticed.moves, delay);
            noticed.acknowledged.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(THINKING).await;
        }
        // Whoever opens the game anew finds every move.
        let mut stranger = visitor(server, home(2 * number), "a-stranger-who-looks-at-this-game").await;
        stranger.open(&game.name).await.expect("the game is there");
        game.check(&stranger);
    }
}

/// One makes a move, which the other is told; how long that took.
async fn moved(mover: &mut Client, other: &mut Client, game: &mut Game, dice: &mut Dice) -> Duration {
    let (board, ply, tokens) = mover.to_move(&game.name).expect("somebody is to move");
    let token = &tokens[dice.roll(tokens.len())];
    let action = json!({"do": "move", "board": board, "ply": ply, "move": token});
    let before = other.seq(&game.name);
    let began = Instant::now();
    let told = async {
        other.until_seq(&game.name, before + 1).await.expect("connected");
        began.elapsed()
    };
    let (acknowledged, delay) = tokio::join!(mover.act(&game.name, action.clone()), told);
    game.acknowledge(&asking(&game.name, action), acknowledged.expect("a legal move is played"));
    mover.until_seq(&game.name, game.seq).await.expect("connected");
    other.until_seq(&game.name, game.seq).await.expect("connected");
    delay
}

/// Somebody who plays with a bot.
pub(crate) async fn against_a_bot(server: SocketAddr, noticed: &Noticed) {
    const TOKEN: &str = "somebody-who-plays-with-a-bot-here";
    let mut dice = Dice(1);
    let mut client = visitor(server, home(100), TOKEN).await;
    while !noticed.is_done() {
        let table = new_table("othello", "", &["human", "hard"]);
        let request = Request::new(server, "POST", "/api/v1/games").from(home(100)).token(TOKEN).json(&table);
        let id = request.send().await.expect(201).json()["id"].as_str().expect("an id").to_owned();
        client.open(&id).await.expect("it opens");
        let mut game = Game::new(id);
        while !noticed.is_done() {
            let turn = |client: &Client| client.to_move(&game.name).is_some() || client.is_over(&game.name);
            client.until("it is their turn", turn).await;
            let Some((board, ply, tokens)) = client.to_move(&game.name) else { break };
            let token = &tokens[dice.roll(tokens.len())];
            let action = json!({"do": "move", "board": board, "ply": ply, "move": token});
            let began = Instant::now();
            let seq = client.act(&game.name, action.clone()).await.expect("a legal move is played");
            game.acknowledge(&asking(&game.name, action), seq);
            noticed.acknowledged.fetch_add(1, Ordering::SeqCst);
            client.until("the bot has answered", |client| client.seq(&game.name) > seq).await;
            note(&noticed.answers, began.elapsed());
            game.check(&client);
            tokio::time::sleep(THINKING).await;
        }
        client.ask(json!({"type": "unwatch", "game": game.name})).await.expect("connected");
    }
}

/// Somebody at this address.
pub(crate) async fn visitor(server: SocketAddr, address: IpAddr, token: &str) -> Client {
    let stream = connect(server, Some(address)).await.expect("the server listens");
    Client::try_connect_on(stream, server, token).await.expect("the server welcomes its client")
}

/// What one who attacks nobody is answered.
pub(crate) async fn asks(server: SocketAddr, path: &str) -> String {
    Request::new(server, "GET", path).from(home(101)).send().await.expect(200).text()
}

/// Has a bot look at a position, for one who attacks nobody.
pub(crate) async fn analysed(server: SocketAddr, asked: &Value) {
    let request = Request::new(server, "POST", "/api/v1/analysis").from(home(101));
    request.token("somebody-who-asks-for-an-analysis").json(asked).send().await.expect(200);
}
