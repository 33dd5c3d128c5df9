//! `agon tablut-client` and `agon tablut-server`: the protocol of the Bologna Tablut Challenge, from both sides.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use agon_core::text::{decimal, duration};
use agon_engines::Casting;
use agon_engines::bologna::{Client, Colour, Referee, Server};
use agon_protocol::bologna::{BLACK_PORT, Turn, WHITE_PORT};
use anyhow::Context;

use super::play::seed_from_clock;

/// How long a server may take to answer a connection.
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// The longest time for a move.
const MAX_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// `agon tablut-client`
#[derive(clap::Args)]
#[command(after_help = "Example:\n  agon tablut-client white 60 localhost --name agon")]
pub(crate) struct ClientArgs {
    /// The side to play
    #[arg(value_enum, ignore_case = true)]
    colour: ColourArg,
    /// The seconds that the server grants for a move
    #[arg(value_parser = seconds)]
    seconds: Duration,
    /// The server's name or address
    server: String,
    /// The bot that plays [default: the best one]
    #[arg(long, value_name = "SPEC")]
    bot: Option<String>,
    /// What the player is called; servers keep ten letters and digits
    #[arg(long, default_value = "agon")]
    name: String,
    /// The server's port [default: 5800 for white, 5801 for black]
    #[arg(long)]
    port: Option<u16>,
    /// How long the server may keep silent, while another player is awaited too
    #[arg(long, default_value = "30m", value_parser = time)]
    patience: Duration,
    /// Fixes all randomness
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ColourArg {
    White,
    Black,
}

/// `agon tablut-server`
#[derive(clap::Args)]
#[command(after_help = "Example:\n  agon tablut-server --time 10s --out game.txt")]
pub(crate) struct ServerArgs {
    /// The time for a move
    #[arg(long, default_value = "60s", value_parser = time)]
    time: Duration,
    /// How many illegal moves each player may send before losing
    #[arg(long, default_value_t = 0, value_name = "N")]
    errors: u32,
    /// The ports for white and black; 0 is any free one
    #[arg(long, value_delimiter = ',', num_args = 1, default_values_t = [WHITE_PORT, BLACK_PORT])]
    ports: Vec<u16>,
    /// The address at which players are awaited
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    address: IpAddr,
    /// Where to write the record of the game
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn time(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time.is_zero() || time > MAX_TIME {
        return Err("expected a time of more than nothing and at most a day".to_owned());
    }
    Ok(time)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = decimal(text)?;
    if !(0.001..=MAX_TIME.as_secs_f64()).contains(&seconds) {
        return Err("expected seconds, more than nothing and at most a day".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Says on standard error what happens.
fn tell(news: &str) {
    let _ = writeln!(io::stderr(), "{news}");
}

impl ClientArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (colour, usual_port) = match self.colour {
            ColourArg::White => (Colour::White, WHITE_PORT),
            ColourArg::Black => (Colour::Black, BLACK_PORT),
        };
        let client = Client {
            colour,
            name: self.name.clone(),
            time: self.seconds,
            patience: self.patience,
            casting: Casting { bot: self.bot.clone(), seed: self.seed.unwrap_or_else(seed_from_clock) },
        };
        let port = self.port.unwrap_or(usual_port);
        let stream = connect(&self.server, port)
            .with_context(|| format!("there is no server at {}, port {port}", self.server))?;
        tell(&format!("connected to {}, port {port}", self.server));
        let end = client.play(stream, &mut tell)?;
        writeln!(
            out,
            "{}",
            match end {
                Turn::WhiteWin => "white has won",
                Turn::BlackWin => "black has won",
                _ => "draw",
            }
        )?;
        Ok(())
    }
}

/// Connects to the first address of `server` that answers.
fn connect(server: &str, port: u16) -> anyhow::Result<TcpStream> {
    let mut failure = anyhow::anyhow!("the name has no address");
    for address in (server, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_TIME) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error.into(),
        }
    }
    Err(failure)
}

impl ServerArgs {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let [white, black] = *self.ports.as_slice() else {
            anyhow::bail!("--ports: expected two ports, white's first, such as {WHITE_PORT},{BLACK_PORT}");
        };
        let server = Server::bind(self.address, [white, black])?;
        let record = server.run(Referee { time: self.time, errors: self.errors }, &mut tell)?;
        if let Some(path) = &self.out {
            let saved = record.save(path);
            saved.with_context(|| format!("the record could not be written to {}", path.display()))?;
            tell(&format!("saved to {}", path.display()));
        }
        if let Some(result) = &record.result {
            writeln!(out, "{result}")?;
        }
        Ok(())
    }
}
