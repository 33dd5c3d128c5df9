//! `agon study`: what parts of a bot are worth, and how many positions of a set bots solve.

mod list;
mod new;
mod positions;
mod run;

use std::io::Write;

/// `agon study`
#[derive(clap::Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "docs/studies.md describes study files.

Examples:
  agon study list
  agon study run tablut-ordering --quick --out ordering
  agon study new --agent my-agent                      a study of your own agent, with what it will cost
  agon study run my-agent/study.toml --out results
  agon study positions ffo.obf --bot expert --time 10s"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Write a study file for an agent from the parameters that it declares, and say what the study will cost
    New(new::Args),
    /// Run a study, or continue one that was stopped
    Run(run::Args),
    /// List the ready-made studies: what each asks and how long it takes
    List(list::Args),
    /// Let bots solve the positions of a file, and count how many they solve and how quickly
    Positions(positions::Args),
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.command {
            Command::New(args) => args.run(out),
            Command::Run(args) => args.run(out),
            Command::List(args) => args.run(out),
            Command::Positions(args) => args.run(out),
        }
    }
}
