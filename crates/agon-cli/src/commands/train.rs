//! `agon train`: makes the weights that bots play with.

mod game2048;
mod othello;
mod probcut;

use std::io::Write;

/// `agon train`
#[derive(clap::Args)]
#[command(after_help = "See docs/training.md for how the weights of this program were made.")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The weights of Othello's patterns, from WTHOR games and games against itself
    Othello(othello::Args),
    /// How far Othello's shallow searches are off deeper ones, for ProbCut
    Probcut(probcut::Args),
    /// The network of 2048, from games that it plays alone
    #[command(name = "2048")]
    Game2048(game2048::Args),
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.what {
            What::Othello(args) => args.run(out),
            What::Probcut(args) => args.run(out),
            What::Game2048(args) => args.run(out),
        }
    }
}
