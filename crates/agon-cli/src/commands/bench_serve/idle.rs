//! Connections on which nothing happens, each at a game of its own.

use tokio::time::sleep;

use super::figure;
use super::server::{REST, Server};
use crate::commands::bench::Figure;
use crate::progress;

pub(super) async fn measure(server: &Server, connections: u32) -> anyhow::Result<Vec<Figure>> {
    let bar = progress::bar(u64::from(connections), "connections");
    let visitor = server.visitor(0);
    let mut sockets = Vec::new();
    let open = async |game: &str| {
        let mut socket = visitor.connect().await?;
        socket.watch(game).await?;
        anyhow::Ok(socket)
    };
    // The first ones cost more than the others: threads start, memory is set aside.
    for _ in 0..connections.div_ceil(20) {
        let game = visitor.open_othello(["human", "human"]).await?;
        sockets.push(open(&game).await?);
    }
    sleep(REST).await;
    let empty = server.resident()?;
    let mut games = Vec::new();
    for _ in 0..connections {
        games.push(visitor.open_othello(["human", "human"]).await?);
    }
    sleep(REST).await;
    let opened = server.resident()?;
    for game in &games {
        sockets.push(open(game).await?);
        bar.inc(1);
    }
    sleep(REST).await;
    let followed = server.resident()?;
    bar.finish_and_clear();
    let each =
        |before: u64, after: u64| after.saturating_sub(before) as f64 / 1000.0 / f64::from(connections);
    Ok(vec![
        figure("server", "idle connections", sockets.len() as f64, "connections"),
        figure("server", "idle connection", each(opened, followed), "kB"),
        figure("othello", "game in memory", each(empty, opened), "kB"),
        figure("server", "resident size", followed as f64 / 1e6, "MB"),
    ])
}
