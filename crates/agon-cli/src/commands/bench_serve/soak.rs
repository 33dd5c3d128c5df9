//! People play while connections break and the server is killed: what was acknowledged must be there afterwards, once.
//!
//! Every pair of players keeps a model of its game: the plies that were acknowledged, and the one that was sent and not answered. After
//! every connection the server's game is held against it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use agon_core::Rng;
use agon_core::random::{RandomSource, seeded};
use agon_protocol::web::api::Opened;
use agon_protocol::web::online::{NewLobby, OPEN};
use agon_protocol::web::{ClientAction, ClientMessage};
use anyhow::{Context, ensure};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::server::Server;
use super::{figure, seat};
use crate::commands::bench::Figure;
use crate::progress;
use crate::remote::{Facts, GameState, Heard, Ply, Refusal, Remote, Socket};

/// How often the server is killed.
const KILLS: u32 = 5;
/// One message in so many is followed by a broken connection.
const BREAKS: u64 = 40;
/// The move of a player who has no other.
const PASS: &str = "pass";
/// How long players rest between moves, and before they connect again.
const PAUSE: Duration = Duration::from_millis(200);

/// What all players count.
#[derive(Default)]
struct Tally {
    acknowledged: AtomicU64,
    broken: AtomicU64,
    sent_again: AtomicU64,
    finished: AtomicU64,
    is_over: AtomicBool,
}

pub(super) async fn measure(mut server: Server, games: u32, time: Duration) -> anyhow::Result<Vec<Figure>> {
    let tally = Arc::new(Tally::default());
    let mut players = JoinSet::new();
    for number in 0..games as usize {
        let people = [server.visitor(2 * number), server.visitor(2 * number + 1)];
        let pair = Pair { number, people, chance: seeded(number as u64), tally: Arc::clone(&tally) };
        players.spawn(pair.run());
    }
    let bar = progress::bar(time.as_secs(), "seconds");
    let life = time / (KILLS + 1);
    // The memory of the last life, in which nothing interferes: at its middle, and at its end.
    let mut middle = 0;
    for number in 0..=KILLS {
        let began = Instant::now();
        while began.elapsed() < life {
            sleep(Duration::from_secs(1).min(life)).await;
            bar.inc(1);
            if let Some(failed) = players.try_join_next() {
                failed??;
            }
            if began.elapsed() < life / 2 {
                middle = server.resident()?;
            }
        }
        if number < KILLS {
            server.kill_and_restart()?;
        }
    }
    let end = server.resident()?;
    tally.is_over.store(true, Ordering::Relaxed);
    while let Some(player) = players.join_next().await {
        player??;
    }
    bar.finish_and_clear();
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
    Ok(vec![
        figure("soak", "kills", f64::from(KILLS), "kills"),
        figure("soak", "broken connections", count(&tally.broken), "connections"),
        figure("soak", "moves acknowledged", count(&tally.acknowledged), "moves"),
        figure("soak", "moves sent again", count(&tally.sent_again), "moves"),
        figure("soak", "games finished", count(&tally.finished), "games"),
        // Anything else has ended the measurement with an error.
        figure("soak", "moves lost or made twice", 0.0, "moves"),
        figure("server", "resident in mid-life", middle as f64 / 1e6, "MB"),
        figure("server", "resident at the end", end as f64 / 1e6, "MB"),
    ])
}

/// Two people who play one game after the other, whatever happens.
struct Pair {
    number: usize,
    people: [Remote; 2],
    chance: Rng,
    tally: Arc<Tally>,
}

/// A game as its players know it.
struct Game {
    id: String,
    /// What was acknowledged or told.
    plies: Vec<Ply>,
    /// A move that was sent and has not been answered, and by whom.
    pending: Option<(usize, ClientMessage, Ply)>,
    sent: u64,
}

impl Pair {
    async fn run(mut self) -> anyhow::Result<()> {
        let mut round = 0;
        while !self.tally.is_over.load(Ordering::Relaxed) {
            round += 1;
            let Ok(id) = self.open(round).await else {
                sleep(PAUSE).await;
                continue;
            };
            let mut game = Game { id, plies: Vec::new(), pending: None, sent: 0 };
            while !self.play(&mut game).await? {
                self.tally.broken.fetch_add(1, Ordering::Relaxed);
                sleep(PAUSE).await;
            }
        }
        Ok(())
    }

    /// Meets in a lobby, and returns the id of the game.
    async fn open(&mut self, round: u32) -> anyhow::Result<String> {
        let lobby = NewLobby {
            name: format!("Soak {} {round}", self.number),
            player: "one".to_owned(),
            game: "othello".to_owned(),
            options: "size=6".to_owned(),
            seats: ["human", OPEN].map(seat).into(),
            ..NewLobby::default()
        };
        let [host, guest] = &self.people;
        let Opened { id } = host.post("/api/v1/lobbies", &lobby).await?;
        let (mut host, mut guest) = (host.connect().await?, guest.connect().await?);
        for socket in [&mut host, &mut guest] {
            socket
                .say(&ClientMessage::Watch { id: "watch".to_owned(), game: id.clone(), since: None })
                .await?;
        }
        let action = ClientAction::Sit { seat: 1, name: "other".to_owned(), key: None, program: false };
        guest.say(&ClientMessage::Act { id: "sit".to_owned(), game: id.clone(), action }).await?;
        while !matches!(guest.expect().await?, Heard::State { .. }) {}
        Ok(id)
    }

    /// Plays over new connections; says whether the game, or the measurement, is over. A lost connection is no error.
    async fn play(&mut self, game: &mut Game) -> anyhow::Result<bool> {
        let mut sockets = Vec::new();
        let mut facts = None;
        for person in &self.people {
            let Ok(mut socket) = person.connect().await else { return Ok(false) };
            match socket.watch(&game.id).await {
                Ok(state) => facts = Some(game.check(state)?),
                Err(error) if error.is::<Refusal>() => return Err(error.context("a game is gone")),
                Err(_) => return Ok(false),
            }
            sockets.push(socket);
        }
        let mut facts = facts.context("two people play")?;
        if let Some((person, message, _)) = game.pending.clone() {
            self.tally.sent_again.fetch_add(1, Ordering::Relaxed);
            match self.send(&mut sockets[person], &message, game).await? {
                Some(now) => facts = now,
                None => return Ok(false),
            }
        }
        loop {
            if facts.end.is_some() {
                self.tally.finished.fetch_add(1, Ordering::Relaxed);
                return Ok(true);
            }
            if self.tally.is_over.load(Ordering::Relaxed) {
                return Ok(true);
            }
            sleep(PAUSE).await;
            let mover = facts.turn.context("nobody is to move")?;
            // Only the player to move is told the legal moves; each of the two may have heard the last of it.
            let index = self.chance.next_u64() as usize % facts.moves.len().max(1);
            let ply = facts.moves.get(index).context("there is no legal move")?.clone();
            game.sent += 1;
            let message = ClientMessage::Move {
                id: format!("{}-{}", game.plies.len(), game.sent),
                game: game.id.clone(),
                board: 0,
                ply: facts.ply,
                token: Some(ply.token.clone()),
                typed: false,
                gesture: None,
            };
            game.pending = Some((mover, message.clone(), ply));
            match self.send(&mut sockets[mover], &message, game).await? {
                Some(now) => facts = now,
                None => return Ok(false),
            }
        }
    }

    /// Sends a move and waits until it is acknowledged and told; `None` if the connection is lost before that.
    async fn send(
        &mut self,
        socket: &mut Socket,
        message: &ClientMessage,
        game: &mut Game,
    ) -> anyhow::Result<Option<Facts>> {
        let ClientMessage::Move { id, .. } = message else { return Ok(None) };
        if socket.say(message).await.is_err() || self.chance.next_u64().is_multiple_of(BREAKS) {
            return Ok(None);
        }
        let mut facts = None;
        loop {
            match socket.hear().await {
                Err(_) => return Ok(None),
                Ok(Heard::Error { code, message, .. }) => {
                    // The server passes for whoever can do nothing else and is slow to say so.
                    let is_pass = |(_, _, ply): &mut (usize, ClientMessage, Ply)| ply.token == PASS;
                    if matches!(code.as_str(), "stale" | "not-your-turn")
                        && game.pending.take_if(is_pass).is_some()
                    {
                        return Ok(None);
                    }
                    // The server stops, or stores nothing for a moment: the move is sent again.
                    ensure!(
                        matches!(code.as_str(), "stopping" | "storage"),
                        "a move was refused: {}",
                        message.text
                    );
                    return Ok(None);
                }
                Ok(Heard::Event(event)) => {
                    if let Some(change) = event.boards.into_iter().next() {
                        game.plies.truncate(change.kept);
                        game.plies.extend(change.plies);
                        facts = Some(change.facts);
                    }
                }
                Ok(Heard::State { state }) => facts = Some(game.check(state)?),
                Ok(Heard::Ack { id: done, .. }) if done == *id => break,
                Ok(_) => {}
            }
        }
        if let Some((_, _, ply)) = game.pending.take() {
            ensure!(game.plies.contains(&ply), "an acknowledged move is gone");
        }
        self.tally.acknowledged.fetch_add(1, Ordering::Relaxed);
        // A move that had been made before the connection broke was told with the state.
        Ok(facts)
    }
}

impl Game {
    /// Holds the server's game against ours: what we know of is there, and nothing else but the move that was not answered.
    fn check(&mut self, state: GameState) -> anyhow::Result<Facts> {
        let board = state.boards.into_iter().next().context("a game has a board")?;
        ensure!(board.plies.starts_with(&self.plies), "an acknowledged move is gone, or another was made");
        let news = &board.plies[self.plies.len()..];
        // A pass may follow by itself.
        let made: Vec<&Ply> = news.iter().filter(|ply| ply.token != PASS).collect();
        let pending = self.pending.as_ref().map(|(_, _, ply)| ply);
        ensure!(made.len() <= 1 && made.iter().all(|ply| Some(*ply) == pending), "a move was made twice");
        self.plies = board.plies;
        Ok(board.facts)
    }
}
