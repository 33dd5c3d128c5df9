//! `agon engine`: a bot that other programs run.

use std::io::{self, BufReader, Write};

use agon_engines::{Casting, gtp, jsonl, ugi};
use agon_registry::find;
use anyhow::Context;

use super::play::seed_from_clock;
use crate::game_args::game_help;

/// `agon engine`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon engine --game loa --options size=6             a UGI engine
  agon engine --game othello --protocol gtp           an Othello engine as GRhino's
  agon engine --protocol jsonl --bot greedy:eval=s4   an agent; the referee says what is played")]
pub(crate) struct Args {
    #[arg(long, help = game_help() + "; not needed for jsonl, where the referee says it")]
    game: Option<String>,
    /// Its options, key=value separated by commas; `agon games` lists them
    #[arg(long, default_value = "", hide_default_value = true)]
    options: String,
    /// The bot that plays [default: the best one]
    #[arg(long, value_name = "SPEC")]
    bot: Option<String>,
    /// What is spoken: UGI for games of two without chance, GTP for Othello, the agent protocol for every game
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    protocol: Protocol,
    /// Fixes all randomness
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Protocol {
    Ugi,
    Gtp,
    Jsonl,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let casting = Casting { bot: self.bot.clone(), seed: self.seed.unwrap_or_else(seed_from_clock) };
        let rules = match &self.game {
            Some(game) => {
                let rules = find(game)?.rules(&self.options)?;
                // A wrong bot is refused here and now, not at the first move.
                casting.bot(&*rules)?;
                Some(rules)
            }
            None => None,
        };
        let named = || rules.clone().context("--game is missing: this protocol does not say what is played");
        let mut input = BufReader::new(io::stdin());
        match self.protocol {
            Protocol::Ugi => ugi::run(named()?, casting, input, out)?,
            Protocol::Gtp => gtp::run(named()?, casting, &mut input, out)?,
            Protocol::Jsonl => jsonl::run(&casting, &mut input, out, &mut |fault| {
                let _ = writeln!(io::stderr(), "{fault}");
            })?,
        }
        Ok(())
    }
}
