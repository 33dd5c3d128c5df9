//! `agon agent`: for people who write agents.

mod check;
mod new;

use std::io::Write;

/// `agon agent`
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Write an agent to start from, in a new folder
    New(new::Args),
    /// Play an agent through every rule and say what would cost it games
    Check(check::Args),
}

impl Args {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        match self.command {
            Command::New(args) => args.run(out),
            Command::Check(args) => args.run(out),
        }
    }
}
