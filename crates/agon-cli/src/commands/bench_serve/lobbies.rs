//! Many open lobbies that change, and many browsers that look at the list of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_protocol::web::api::Opened;
use agon_protocol::web::online::{NewLobby, OPEN};
use agon_protocol::web::{ClientAction, ClientMessage};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout_at};

use super::server::{REST, Server};
use super::{figure, seat, spread};
use crate::commands::bench::Figure;
use crate::progress;
use crate::remote::{Heard, Remote, Socket};

/// How many changes there are in a second.
const CHANGES: u32 = 20;
/// Who sits at a seat that changes.
const BOT: &str = "easy";

/// When the last change of each lobby was asked for.
type Asked = Arc<Mutex<HashMap<String, Instant>>>;

pub(super) async fn measure(
    server: &Server,
    lobbies: u32,
    viewers: u32,
    time: Duration,
) -> anyhow::Result<Vec<Figure>> {
    let bar = progress::bar(u64::from(lobbies + viewers) + time.as_secs() * u64::from(CHANGES), "steps");
    let mut hosts = Vec::new();
    for number in 0..lobbies as usize {
        hosts.push(Host::open(server.visitor(1 + number), number).await?);
        bar.inc(1);
    }
    let asked = Asked::default();
    let end = Instant::now() + REST + time;
    let mut watching = JoinSet::new();
    for number in 0..viewers as usize {
        let mut socket = server.visitor(100_000 + number).connect().await?;
        socket.say(&ClientMessage::WatchLobbies { id: "list".to_owned() }).await?;
        watching.spawn(view(socket, Arc::clone(&asked), end + REST));
        bar.inc(1);
    }
    sleep(REST).await;
    let before = server.processor_time()?;
    let mut pace = interval(Duration::from_secs(1) / CHANGES);
    let mut changes = 0;
    while Instant::now() < end {
        pace.tick().await;
        let host = &mut hosts[changes % lobbies as usize];
        asked.lock().unwrap_or_else(PoisonError::into_inner).insert(host.id.clone(), Instant::now());
        host.change(changes).await?;
        changes += 1;
        bar.inc(1);
    }
    let after = server.processor_time()?;
    let mut delays = Vec::new();
    while let Some(seen) = watching.join_next().await {
        delays.extend(seen??);
    }
    bar.finish_and_clear();
    let mut figures = vec![
        figure("lobbies", "changes", changes as f64, "changes"),
        figure("lobbies", "updates seen", delays.len() as f64, "updates"),
        figure("lobbies", "CPU per change", (after - before).as_secs_f64() * 1e6 / changes as f64, "µs"),
    ];
    figures.extend(spread("lobbies", "update", delays));
    figures.push(figure("server", "resident size", server.resident()? as f64 / 1e6, "MB"));
    Ok(figures)
}

/// Looks at the list until `end`, and returns how long each change took to be seen.
async fn view(mut socket: Socket, asked: Asked, end: Instant) -> anyhow::Result<Vec<Duration>> {
    let mut delays = Vec::new();
    while let Ok(heard) = timeout_at(end, socket.expect()).await {
        if let Heard::Lobbies { lobbies } = heard? {
            let asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            delays.extend(lobbies.iter().filter_map(|lobby| asked.get(&lobby.id)).map(Instant::elapsed));
        }
    }
    Ok(delays)
}

/// Somebody who has opened a lobby and waits there.
struct Host {
    id: String,
    socket: Socket,
}

impl Host {
    async fn open(remote: Remote, number: usize) -> anyhow::Result<Self> {
        let lobby = NewLobby {
            name: format!("Lobby {number}"),
            player: format!("Host {number}"),
            game: "chinese-checkers".to_owned(),
            options: "seats=g/o/p".to_owned(),
            seats: ["human", OPEN, OPEN].map(seat).into(),
            ..NewLobby::default()
        };
        let Opened { id } = remote.post("/api/v1/lobbies", &lobby).await?;
        let mut socket = remote.connect().await?;
        socket.say(&ClientMessage::Watch { id: "watch".to_owned(), game: id.clone(), since: None }).await?;
        while !matches!(socket.expect().await?, Heard::Ack { .. }) {}
        Ok(Self { id, socket })
    }

    /// Seats a bot, or sends it away again.
    async fn change(&mut self, number: usize) -> anyhow::Result<()> {
        let id = format!("change-{number}");
        for occupant in [BOT, OPEN] {
            let action = ClientAction::Seat { seat: 1, occupant: occupant.to_owned() };
            self.socket.say(&ClientMessage::Act { id: id.clone(), game: self.id.clone(), action }).await?;
            // A lobby that has this bot already is told to send it away.
            loop {
                match self.socket.hear().await? {
                    Heard::Ack { id: done } if done == id => return Ok(()),
                    Heard::Error { .. } => break,
                    _ => {}
                }
            }
        }
        anyhow::bail!("a lobby could not be changed")
    }
}
