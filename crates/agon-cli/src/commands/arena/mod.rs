//! `agon arena`: tournaments.

mod check;
mod host;
mod import;
mod person;
mod resume;
mod run;

use std::io::Write;

/// `agon arena`
#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Play the tournament that a file describes
    Run(run::Args),
    /// Check a tournament file and say what would be played
    Check(check::Args),
    /// Turn a folder of submissions into a tournament file
    Import(import::Args),
    /// Continue a tournament that was stopped or cut off
    Resume(resume::Args),
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.command {
            Command::Run(args) => args.run(out),
            Command::Check(args) => args.run(out),
            Command::Import(args) => args.run(out),
            Command::Resume(args) => args.run(out),
        }
    }
}
