//! `agon train`: makes the weights that bots play with.

mod game2048;
mod othello;
mod probcut;

use std::io::Write;

/// `agon train`
#[derive(clap::Args)]
#[command(after_help = "docs/training.md describes how the built-in weights were trained.")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// The weights of Othello's patterns, from WTHOR games and self-play
    Othello(othello::Args),
    /// How well shallow searches of Othello predict deep ones, for ProbCut
    Probcut(probcut::Args),
    /// The network of 2048, from self-play
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
