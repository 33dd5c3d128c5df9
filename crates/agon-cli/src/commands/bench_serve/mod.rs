//! `agon bench serve`: what the server costs, measured from outside.
//!
//! A server is started as a program of its own, with its data in a temporary folder, and used over real WebSockets. Its processor time
//! and memory are what the system says about that process, so the load itself does not count.

mod client;
mod loads;
mod server;

use std::io::Write;

use super::bench::Figure;
use server::Server;

/// `agon bench serve`
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  agon bench serve\n  agon bench serve --json\n  agon bench serve --only moves --games 50 --rate 200"
)]
pub(crate) struct Args {
    /// What to measure [default: everything]
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
    /// How long to play against bots, in seconds
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
    /// Processor time of a move, when people play Othello
    Moves,
    /// Memory of a connection on which nothing happens
    Idle,
    /// Waiting time and memory, when people play Othello against the best bot
    Bots,
}

/// How often the start is timed.
const STARTS: usize = 5;

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        agon_server::raise_file_limit();
        // One thread: the other cores are for the server.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        for part in [Part::Start, Part::Moves, Part::Idle, Part::Bots] {
            if !self.only.is_empty() && !self.only.contains(&part) {
                continue;
            }
            let figures = match part {
                Part::Start => starts()?,
                Part::Moves => runtime.block_on(loads::moves(&Server::start()?, self.games, self.rate))?,
                Part::Idle => runtime.block_on(loads::idle(&Server::start()?, self.connections))?,
                Part::Bots => runtime.block_on(loads::bots(&Server::start()?, self.games, self.seconds))?,
            };
            for figure in figures {
                figure.write(self.json, out)?;
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// The median of a few starts.
fn starts() -> anyhow::Result<Vec<Figure>> {
    let mut times = Vec::new();
    for _ in 0..STARTS {
        times.push(Server::start()?.started_in.as_secs_f64() * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(vec![figure("server", "start", times[STARTS / 2], "ms")])
}

fn figure(game: &'static str, what: &str, value: f64, unit: &'static str) -> Figure {
    Figure { game, what: what.to_owned(), value, unit }
}
