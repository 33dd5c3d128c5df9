//! `agon solve`: what can be found out exactly.

mod chinese_checkers;
mod othello;

use std::io::Write;

/// `agon solve`
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The final disc difference of an Othello position under perfect play
    Othello(othello::Args),
    /// The shortest way home for one colour of Chinese Checkers alone on the board
    ChineseCheckers(chinese_checkers::Args),
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.what {
            What::Othello(args) => args.run(out),
            What::ChineseCheckers(args) => args.run(out),
        }
    }
}
