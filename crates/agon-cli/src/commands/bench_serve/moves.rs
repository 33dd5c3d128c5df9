//! Two people in each of many games, every one over a connection of their own, until all games have ended.

use std::time::Duration;

use agon_core::random::seeded;
use anyhow::Context;
use indicatif::ProgressBar;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep};

use super::server::{REST, Server};
use super::{figure, first, random_move, spread};
use crate::commands::bench::Figure;
use crate::progress;
use crate::remote::{Facts, Heard, Socket};

/// The plies of a game of Othello, about.
const PLIES: u64 = 61;

pub(super) async fn measure(server: &Server, games: u32, rate: u32) -> anyhow::Result<Vec<Figure>> {
    let visitor = server.visitor(0);
    let bar = progress::bar(u64::from(games) * PLIES, "moves");
    let mut tables = Vec::new();
    for _ in 0..games {
        let id = visitor.open_othello(["human", "human"]).await?;
        let (mut one, mut other) = (visitor.connect().await?, visitor.connect().await?);
        other.watch(&id).await?;
        let facts = first(one.watch(&id).await?.boards.into_iter().map(|board| board.facts))?;
        tables.push(Game { id, facts, sockets: [one, other] });
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
    let (mut played, mut answered, mut told) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(game) = players.join_next().await {
        let (game, times) = game??;
        played.push(game);
        answered.extend(times.iter().map(|delay| delay.answer));
        told.extend(times.iter().map(|delay| delay.opponent));
    }
    let (elapsed, after) = (began.elapsed(), server.processor_time()?);
    bar.finish_and_clear();
    let count = answered.len() as f64;
    let bytes = (received(&played) - bytes_before) as f64;
    let mut figures = vec![
        figure("othello", "moves", count, "moves"),
        figure("othello", "rate", count / elapsed.as_secs_f64(), "moves/s"),
        figure("othello", "CPU per move", (after - before).as_secs_f64() * 1e6 / count, "µs"),
        figure("othello", "sent per move", bytes / count, "bytes"),
    ];
    figures.extend(spread("othello", "send to acknowledgement", answered));
    figures.extend(spread("othello", "send to opponent", told));
    figures.push(figure("server", "resident size", server.resident()? as f64 / 1e6, "MB"));
    Ok(figures)
}

/// How long a move took to be acknowledged, and to be seen by the opponent.
struct Delay {
    answer: Duration,
    opponent: Duration,
}

/// A game between two people.
struct Game {
    id: String,
    facts: Facts,
    sockets: [Socket; 2],
}

impl Game {
    /// Plays to the end, not faster than a move `every` so often, and returns how long each move took.
    async fn play(
        mut self,
        seed: u64,
        start: Instant,
        every: Duration,
        bar: ProgressBar,
    ) -> anyhow::Result<(Self, Vec<Delay>)> {
        let mut chance = seeded(seed);
        let mut pace = interval_at(start, every);
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut times = Vec::new();
        while self.facts.end.is_none() {
            pace.tick().await;
            let mover = self.facts.turn.context("nobody is to move")?;
            let message = random_move(&self.id, &self.facts, &mut chance)?;
            let ply = self.facts.ply;
            let [first, second] = &mut self.sockets;
            let (own, other) = if mover == 0 { (first, second) } else { (second, first) };
            let began = Instant::now();
            own.say(&message).await?;
            let answered = async {
                loop {
                    if let Heard::Ack { id, .. } = own.expect().await?
                        && id != "watch"
                    {
                        return anyhow::Ok(began.elapsed());
                    }
                }
            };
            let told = async {
                loop {
                    if let Heard::Event(event) = other.expect().await? {
                        let facts = first_facts(event.boards)?;
                        if facts.ply > ply {
                            return anyhow::Ok((began.elapsed(), facts));
                        }
                    }
                }
            };
            let (answer, (opponent, facts)) = tokio::try_join!(answered, told)?;
            self.facts = facts;
            times.push(Delay { answer, opponent });
            bar.inc(1);
        }
        Ok((self, times))
    }
}

fn first_facts(boards: Vec<crate::remote::BoardChange>) -> anyhow::Result<Facts> {
    first(boards.into_iter().map(|board| board.facts))
}
