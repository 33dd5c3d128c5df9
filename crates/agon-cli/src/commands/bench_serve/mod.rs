//! `agon bench serve`: what the server costs, measured from outside.
//!
//! A server is started as a program of its own, with its data in a temporary folder, and used over real WebSockets. Its processor time
//! and memory are what the system says about that process, so the load itself does not count.

mod bots;
mod idle;
mod lobbies;
mod moves;
mod server;
mod soak;

use std::io::Write;
use std::time::Duration;

use agon_core::random::RandomSource;
use agon_protocol::web::ClientMessage;
use agon_protocol::web::api::{NewSeat, NewTable, Opened};
use anyhow::Context;

use super::bench::Figure;
use crate::remote::{Facts, Remote};
use server::Server;

/// `agon bench serve`
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  agon bench serve\n  agon bench serve --json\n  agon bench serve --only moves --games 1000 --rate 1000\n  agon bench serve --only idle --connections 5000\n  agon bench serve --only soak --seconds 600"
)]
pub(crate) struct Args {
    /// What to measure [default: everything but soak]
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    only: Vec<Part>,
    /// Number of simultaneous games
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(1..=5000))]
    games: u32,
    /// Number of moves per second, in all games between people together
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rate: u32,
    /// Number of idle connections
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=20_000))]
    connections: u32,
    /// Number of open lobbies
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=5000))]
    lobbies: u32,
    /// Number of browsers that look at the list of lobbies
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u32).range(1..=5000))]
    viewers: u32,
    /// How long to play against bots, to change lobbies and to soak, in seconds
    #[arg(long, value_name = "N", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

/// What can be measured by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Time until the server can be used
    Start,
    /// Processor time and delay of a move, when people play Othello
    Moves,
    /// Memory of a connection on which nothing happens
    Idle,
    /// Waiting time and memory, when people play Othello against the best bot
    Bots,
    /// Delay of changes in the list of open lobbies
    Lobbies,
    /// What gets lost when connections break and the server is killed
    Soak,
}

/// How often the start is timed.
const STARTS: usize = 5;

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        agon_server::raise_file_limit();
        // One thread: the other cores are for the server.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        for part in [Part::Start, Part::Moves, Part::Idle, Part::Bots, Part::Lobbies, Part::Soak] {
            let is_wanted = if self.only.is_empty() { part != Part::Soak } else { self.only.contains(&part) };
            if !is_wanted {
                continue;
            }
            if part == Part::Start {
                starts()?.write(self.json, out)?;
                continue;
            }
            let server = Server::start()?;
            let time = Duration::from_secs(self.seconds);
            let figures = runtime.block_on(async {
                match part {
                    Part::Start => Ok(Vec::new()),
                    Part::Moves => moves::measure(&server, self.games, self.rate).await,
                    Part::Idle => idle::measure(&server, self.connections).await,
                    Part::Bots => bots::measure(&server, self.games, self.seconds).await,
                    Part::Lobbies => lobbies::measure(&server, self.lobbies, self.viewers, time).await,
                    Part::Soak => soak::measure(server, self.games, time).await,
                }
            })?;
            for figure in figures {
                figure.write(self.json, out)?;
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// The median of a few starts.
fn starts() -> anyhow::Result<Figure> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        times.push(Server::start()?.started_in.as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(figure("server", "start", times[STARTS / 2], "ms"))
}

fn figure(game: &'static str, what: &str, value: f64, unit: &'static str) -> Figure {
    Figure { game, what: what.to_owned(), value, unit }
}

/// The median, the 99th percentile and the longest of `times`.
fn spread(game: &'static str, what: &str, mut times: Vec<Duration>) -> Vec<Figure> {
    times.sort();
    let last = times.len().saturating_sub(1);
    let at = |share: f64| {
        let index = ((times.len() as f64 * share) as usize).min(last);
        times.get(index).map_or(0.0, Duration::as_secs_f64) * 1000.0
    };
    [("p50", 0.5), ("p99", 0.99), ("max", 1.0)]
        .map(|(name, share)| figure(game, &format!("{what} {name}"), at(share), "ms"))
        .into()
}

impl Server {
    /// The server as somebody with a token of their own sees it.
    fn visitor(&self, number: usize) -> Remote {
        Remote::new(self.address.to_string(), format!("a-visitor-who-measures-{number:08}"))
    }
}

impl Remote {
    /// Opens a game of Othello for these two and returns its id.
    async fn open_othello(&self, seats: [&str; 2]) -> anyhow::Result<String> {
        let game = NewTable {
            game: "othello".to_owned(),
            seats: seats.map(seat).into(),
            pace: Some(0),
            ..NewTable::default()
        };
        let Opened { id } = self.post("/api/v1/games", &game).await?;
        Ok(id)
    }
}

fn seat(occupant: &str) -> NewSeat {
    NewSeat { occupant: occupant.to_owned(), name: None }
}

/// What there is to play on the first board.
fn first(facts: impl IntoIterator<Item = Facts>) -> anyhow::Result<Facts> {
    facts.into_iter().next().context("the server says nothing about the board")
}

/// One of the moves in `facts`, by chance.
fn random_move(game: &str, facts: &Facts, chance: &mut impl RandomSource) -> anyhow::Result<ClientMessage> {
    let index = chance.next_u64() as usize % facts.moves.len().max(1);
    let token = facts.moves.get(index).context("there is no legal move")?.token.clone();
    let (id, game) = (format!("move-{}", facts.ply), game.to_owned());
    Ok(ClientMessage::Move {
        id,
        game,
        board: 0,
        ply: facts.ply,
        token: Some(token),
        typed: false,
        gesture: None,
    })
}
