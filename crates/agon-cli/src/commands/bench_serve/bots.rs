//! Many games against the best bot at once: how long people wait, and how much memory that takes.

use std::time::Duration;

use agon_core::random::seeded;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::server::Server;
use super::{figure, first, random_move};
use crate::commands::bench::Figure;
use crate::progress;
use crate::remote::{Facts, Heard, Socket};

/// So many games against bots may go on at once for one browser.
const BOT_GAMES: usize = 4;

pub(super) async fn measure(server: &Server, games: u32, seconds: u64) -> anyhow::Result<Vec<Figure>> {
    let bar = progress::bar(seconds, "seconds");
    let mut players = JoinSet::new();
    let mut ready = Vec::new();
    for number in 0..games as usize {
        let visitor = server.visitor(1 + number / BOT_GAMES);
        let game = visitor.open_othello(["human", "expert"]).await?;
        let mut socket = visitor.connect().await?;
        let facts = first(socket.watch(&game).await?.boards.into_iter().map(|board| board.facts))?;
        ready.push((game, socket, facts));
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    for (number, (game, socket, facts)) in ready.into_iter().enumerate() {
        players.spawn(against_bot(game, socket, facts, number as u64, end));
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
    let count = waits.len() as f64;
    let mut figures = vec![figure("othello", "bots' moves", count, "moves")];
    figures.extend(super::spread("othello", "wait for a bot", waits));
    figures.push(figure("server", "most resident", server.most_resident()? as f64 / 1e6, "MB"));
    Ok(figures)
}

/// Plays against a bot until `end`, and returns how long each of the bot's moves took, the one included that has not come by then.
async fn against_bot(
    game: String,
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
            socket.say(&random_move(&game, &facts, &mut chance)?).await?;
        }
        let Ok(heard) = timeout_at(end, socket.expect()).await else { break };
        let Heard::Event(event) = heard? else { continue };
        if let Some(change) = event.boards.into_iter().next() {
            facts = change.facts;
        }
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
