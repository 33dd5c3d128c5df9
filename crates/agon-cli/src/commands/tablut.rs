//! `agon tablut-client` and `agon tablut-server`: the protocol of the Bologna Tablut Challenge, from both sides.

use std::fmt;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use agon_core::text::{decimal, duration};
use agon_engines::Casting;
use agon_engines::bologna::{Client, Colour, Conditions, Server};
use agon_files::save_record;
use agon_protocol::bologna::{BLACK_PORT, Turn, WHITE_PORT};
use agon_registry::GAMES;
use agon_terminal::driver::seed_from_clock;
use anyhow::Context;

use crate::cores;

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
    /// The server's time limit per move, in seconds
    #[arg(value_parser = seconds)]
    seconds: Duration,
    /// The server's name or address
    server: String,
    /// The bot that plays [default: the best one]
    #[arg(long, value_name = "SPEC")]
    bot: Option<String>,
    /// The player's name; servers keep ten letters and digits
    #[arg(long, default_value = "agon")]
    name: String,
    /// The server's port [default: 5800 for white, 5801 for black]
    #[arg(long)]
    port: Option<u16>,
    /// How long to wait for the server, including while it waits for the other player
    #[arg(long, default_value = "30m", value_parser = time)]
    patience: Duration,
    /// Seed of all randomness [default: from the clock]
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
    /// Time limit per move
    #[arg(long, default_value = "60s", value_parser = time)]
    time: Duration,
    /// Number of illegal moves that each player may send without losing
    #[arg(long, default_value_t = 0, value_name = "N")]
    errors: u32,
    /// The ports for White and Black, separated by a comma; 0 picks a free one
    #[arg(long, value_name = "WHITE,BLACK", default_value_t = Ports([WHITE_PORT, BLACK_PORT]))]
    ports: Ports,
    /// The address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    address: IpAddr,
    /// Where to write the record of the game
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The ports at which White and Black are awaited.
#[derive(Clone, Copy)]
struct Ports([u16; 2]);

impl FromStr for Ports {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ports =
            text.split_once(',').and_then(|(white, black)| Some([white.parse().ok()?, black.parse().ok()?]));
        ports
            .map(Self)
            .ok_or_else(|| format!("expected two ports, White's first, such as {WHITE_PORT},{BLACK_PORT}"))
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let Self([white, black]) = self;
        write!(formatter, "{white},{black}")
    }
}

fn time(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    if time.is_zero() || time > MAX_TIME {
        return Err("expected a time above zero and at most a day".to_owned());
    }
    Ok(time)
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = decimal(text)?;
    if !(0.001..=MAX_TIME.as_secs_f64()).contains(&seconds) {
        return Err("expected a number of seconds above zero, at most a day".to_owned());
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
            casting: Casting {
                games: GAMES,
                bot: self.bot.as_deref().map(str::parse).transpose()?,
                seed: self.seed.unwrap_or_else(seed_from_clock),
                // A match on a clock, on this machine: whoever plays for us has all of it.
                threads: cores(),
            },
        };
        let port = self.port.unwrap_or(usual_port);
        let stream = connect(&self.server, port)
            .with_context(|| format!("cannot connect to {}, port {port}", self.server))?;
        tell(&format!("connected to {}, port {port}", self.server));
        let end = client.play(stream, &mut tell)?;
        writeln!(
            out,
            "{}",
            match end {
                Turn::WhiteWin => "White won",
                Turn::BlackWin => "Black won",
                _ => "Draw",
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
        let server = Server::bind(self.address, self.ports.0)?;
        let record = server.run(GAMES, Conditions { time: self.time, errors: self.errors }, &mut tell)?;
        if let Some(path) = &self.out {
            let saved = save_record(&record, path);
            saved.with_context(|| format!("cannot write the record to {}", path.display()))?;
            tell(&format!("saved to {}", path.display()));
        }
        if let Some(result) = &record.result {
            writeln!(out, "{}", result.sentence(&*record.rules(GAMES)?, &*record.replay(GAMES)?))?;
        }
        Ok(())
    }
}
