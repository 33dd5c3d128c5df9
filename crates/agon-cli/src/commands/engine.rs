//! `agon engine`: a bot that other programs run.

use std::io::{self, BufReader, Write};

use agon_engines::{Casting, gtp, jsonl, nboard, ugi};
use agon_registry::GAMES;
use agon_terminal::driver::seed_from_clock;
use anyhow::Context;

use crate::game_args::game_help;

/// `agon engine`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon engine --game loa --options size=6             a UGI engine
  agon engine --game othello --protocol gtp           an Othello engine that speaks GTP
  agon engine --game othello --protocol nboard        an engine for NBoard
  agon engine --protocol jsonl --bot greedy:eval=s4   an agent; the referee names the game

docs/protocols.md describes the protocols, with sample sessions.")]
pub(crate) struct Args {
    #[arg(long, help = game_help() + "; not needed for jsonl, where the referee names it")]
    game: Option<String>,
    /// Options of the game, as key=value separated by commas; see `agon games`
    #[arg(long, default_value = "", hide_default_value = true)]
    options: String,
    /// The bot that plays [default: the best one]
    #[arg(long, value_name = "SPEC")]
    bot: Option<String>,
    /// The protocol: UGI for two-player games without chance, GTP or NBoard's for Othello, JSON lines (the agent protocol) for every game
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    protocol: Protocol,
    /// Seed of all randomness [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
    /// Threads for searches that time alone limits; a bot whose specification sets threads= uses those
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Protocol {
    Ugi,
    Gtp,
    Nboard,
    Jsonl,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let bot = self.bot.as_deref().map(str::parse).transpose()?;
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let casting = Casting { games: GAMES, bot, seed, threads: usize::from(self.threads) };
        let rules = match &self.game {
            Some(game) => {
                let rules = GAMES.find(game)?.rules(&self.options)?;
                // A wrong bot is refused here and now, not at the first move.
                casting.bot(&*rules)?;
                Some(rules)
            }
            None => None,
        };
        let named = || rules.clone().context("--game is required with this protocol");
        let mut input = BufReader::new(io::stdin());
        match self.protocol {
            Protocol::Ugi => ugi::run(named()?, casting, input, out)?,
            Protocol::Gtp => gtp::run(named()?, casting, &mut input, out)?,
            Protocol::Nboard => nboard::run(named()?, casting, input, out)?,
            Protocol::Jsonl => jsonl::run(&casting, &mut input, out, &mut |fault| {
                let _ = writeln!(io::stderr(), "{fault}");
            })?,
        }
        Ok(())
    }
}
