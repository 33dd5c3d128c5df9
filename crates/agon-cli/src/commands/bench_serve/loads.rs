//! What is done with the server while it is measured.

use std::time::Duration;

use agon_core::random::{RandomSource, seeded};
use agon_protocol::web::ClientMessage;
use agon_protocol::web::api::{NewSeat, NewTable};
use anyhow::Context;
use indicatif::ProgressBar;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout_at};

use super::client::{Facts, Heard, Socket, Visitor};
use super::figure;
use super::server::Server;
use crate::commands::bench::Figure;
use crate::progress;

/// So many games against bots may go on at once for one browser.
const BOT_GAMES: usize = 4;
/// The plies of a game of Othello, about.
const PLIES: u64 = 61;
/// How long a server is left alone before its memory is read.
const REST: Duration = Duration::from_secs(2);

/// A table of Othello for these two.
fn othello(seats: [&str; 2]) -> NewTable {
    let seat = |occupant: &str| NewSeat { occupant: occupant.to_owned(), name: None };
    NewTable {
        game: "othello".to_owned(),
        seats: seats.map(seat).into(),
        pace: Some(0),
        ..NewTable::default()
    }
}

/// One of the moves in `facts`, by chance.
fn random_move(table: &str, facts: &Facts, chance: &mut impl RandomSource) -> anyhow::Result<ClientMessage> {
    let index = chance.next_u64() as usize % facts.moves.len().max(1);
    let token = facts.moves.get(index).context("there is no legal move")?.token.clone();
    let (id, game) = (format!("move-{}", facts.ply), table.to_owned());
    Ok(ClientMessage::Move { id, game, board: 0, ply: facts.ply, token, typed: false })
}

/// Two people in each of many games, every one over a connection of their own, until all games have ended.
pub(super) async fn moves(server: &Server, games: u32, rate: u32) -> anyhow::Result<Vec<Figure>> {
    let visitor = Visitor::new(server.address, 0);
    let bar = progress::bar(u64::from(games) * PLIES, "moves");
    let mut tables = Vec::new();
    for _ in 0..games {
        let table = visitor.open_table(&othello(["human", "human"])).await?;
        let (first, facts) = visitor.follow(&table).await?;
        let (second, _) = visitor.follow(&table).await?;
        tables.push(Game { table, facts, sockets: [first, second] });
    }
    // Whatever is left of opening them is done.
    sleep(REST).await;
    let before = server.processor_time()?;
    let received = |tables: &[Game]| -> usize {
        tables.iter().flat_map(|game| &game.sockets).map(|socket| socket.received).sum()
    };
    let bytes_before = received(&tables);
    let every = Duration::from_secs(1) * games / rate;
    let began = Instant::now();
    let mut players = JoinSet::new();
    for (number, game) in (0..games).zip(tables) {
        players.spawn(game.play(u64::from(number), began + every * number / games, every, bar.clone()));
    }
    let (mut played, mut times) = (Vec::new(), Vec::new());
    while let Some(game) = players.join_next().await {
        let (game, own) = game??;
        played.push(game);
        times.extend(own);
    }
    let (elapsed, after) = (began.elapsed(), server.processor_time()?);
    bar.finish_and_clear();
    let count = times.len() as f64;
    let bytes = (received(&played) - bytes_before) as f64;
    times.sort();
    let at = |share: f64| times[((count * share) as usize).min(times.len() - 1)].as_secs_f64() * 1000.0;
    Ok(vec![
        figure("othello", "moves", count, "moves"),
        figure("othello", "rate", count / elapsed.as_secs_f64(), "moves/s"),
        figure("othello", "CPU per move", (after - before).as_secs_f64() * 1e6 / count, "µs"),
        figure("othello", "sent per move", bytes / count, "bytes"),
        figure("othello", "median answer", at(0.5), "ms"),
        figure("othello", "99% of answers within", at(0.99), "ms"),
        figure("server", "resident size", server.resident()? as f64 / 1e6, "MB"),
    ])
}

/// A game between two people.
struct Game {
    table: String,
    facts: Facts,
    sockets: [Socket; 2],
}

impl Game {
    /// Plays to the end, not faster than a move `every` so often, and returns how long each answer took.
    async fn play(
        mut self,
        seed: u64,
        start: Instant,
        every: Duration,
        bar: ProgressBar,
    ) -> anyhow::Result<(Self, Vec<Duration>)> {
        let mut chance = seeded(seed);
        let mut pace = interval_at(start, every);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut times = Vec::new();
        while self.facts.end.is_none() {
            pace.tick().await;
            let mover = self.facts.turn.context("nobody is to move")?;
            let message = random_move(&self.table, &self.facts, &mut chance)?;
            let began = Instant::now();
            self.sockets[mover].say(&message).await?;
            let done = loop {
                match self.sockets[mover].hear().await? {
                    Heard::Ack { id, seq } if id != "watch" => break seq.context("nothing has happened")?,
                    Heard::Event(update) => self.facts = update.facts().unwrap_or(self.facts),
                    _ => {}
                }
            };
            times.push(began.elapsed());
            bar.inc(1);
            // The other one hears of it too.
            while !matches!(self.sockets[1 - mover].hear().await?, Heard::Event(update) if update.seq >= done)
            {
            }
        }
        Ok((self, times))
    }
}

/// Connections on which nothing happens, each at a table of its own.
pub(super) async fn idle(server: &Server, connections: u32) -> anyhow::Result<Vec<Figure>> {
    let bar = progress::bar(u64::from(connections), "connections");
    let visitor = Visitor::new(server.address, 0);
    // The first ones cost more than the others: threads start, memory is set aside.
    let mut sockets = Vec::new();
    for _ in 0..connections.div_ceil(20) {
        let table = visitor.open_table(&othello(["human", "human"])).await?;
        sockets.push(visitor.follow(&table).await?.0);
    }
    sleep(REST).await;
    let empty = server.resident()?;
    let mut tables = Vec::new();
    for _ in 0..connections {
        tables.push(visitor.open_table(&othello(["human", "human"])).await?);
    }
    sleep(REST).await;
    let opened = server.resident()?;
    for table in &tables {
        sockets.push(visitor.follow(table).await?.0);
        bar.inc(1);
    }
    sleep(REST).await;
    let followed = server.resident()?;
    bar.finish_and_clear();
    let each =
        |before: u64, after: u64| after.saturating_sub(before) as f64 / 1000.0 / f64::from(connections);
    Ok(vec![
        figure("server", "idle connection", each(opened, followed), "kB"),
        figure("othello", "table in memory", each(empty, opened), "kB"),
    ])
}

/// Many games against the best bot at once: how long people wait, and how much memory that takes.
pub(super) async fn bots(server: &Server, games: u32, seconds: u64) -> anyhow::Result<Vec<Figure>> {
    let bar = progress::bar(seconds, "seconds");
    let mut players = JoinSet::new();
    let mut ready = Vec::new();
    for number in 0..games as usize {
        let visitor = Visitor::new(server.address, 1 + number / BOT_GAMES);
        let table = visitor.open_table(&othello(["human", "expert"])).await?;
        let (socket, facts) = visitor.follow(&table).await?;
        ready.push((table, socket, facts));
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    for (number, (table, socket, facts)) in ready.into_iter().enumerate() {
        players.spawn(against_bot(table, socket, facts, number as u64, end));
    }
    let mut clock = tokio::time::interval(Duration::from_secs(1));
    let mut waits = Vec::new();
    loop {
        tokio::select! {
            _ = clock.tick() => bar.inc(1),
            played = players.join_next() => match played {
                Some(played) => waits.extend(played??),
                None => break,
            },
        }
    }
    bar.finish_and_clear();
    waits.sort();
    let count = waits.len();
    let at = |share: f64| {
        let index = (count as f64 * share) as usize;
        waits.get(index.min(count.saturating_sub(1))).map_or(0.0, Duration::as_secs_f64) * 1000.0
    };
    Ok(vec![
        figure("othello", "bots' moves", count as f64, "moves"),
        figure("othello", "median wait for a bot", at(0.5), "ms"),
        figure("othello", "longest wait for a bot", at(1.0), "ms"),
        figure("server", "most resident", server.most_resident()? as f64 / 1e6, "MB"),
    ])
}

/// Plays against a bot until `end`, and returns how long each of the bot's moves took, the one included that has not come by then.
async fn against_bot(
    table: String,
    mut socket: Socket,
    mut facts: Facts,
    seed: u64,
    end: Instant,
) -> anyhow::Result<Vec<Duration>> {
    let mut chance = seeded(seed);
    let mut waits = Vec::new();
    // Since when the bot is to move, and after how many plies.
    let mut since: Option<(Instant, usize)> = None;
    let mut asked = None;
    while facts.end.is_none() {
        if facts.turn == Some(0) && asked != Some(facts.ply) {
            asked = Some(facts.ply);
            socket.say(&random_move(&table, &facts, &mut chance)?).await?;
        }
        let Ok(heard) = timeout_at(end, socket.hear()).await else { break };
        let Heard::Event(update) = heard? else { continue };
        facts = update.facts().unwrap_or(facts);
        if let Some((began, _)) = since.take_if(|(_, ply)| *ply != facts.ply) {
            waits.push(began.elapsed());
        }
        if facts.turn == Some(1) && since.is_none() {
            since = Some((Instant::now(), facts.ply));
        }
    }
    waits.extend(since.map(|(began, _)| began.elapsed()));
    Ok(waits)
}
