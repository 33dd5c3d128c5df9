//! `agon learn`: the rules of a game, page by page.

use std::io::{BufRead, Write};

use agon_registry::GAMES;
use agon_terminal::screens::LearnScreen;

use crate::game_args::game_help;
use crate::screen_args::ScreenArgs;

/// `agon learn`
#[derive(clap::Args)]
#[command(after_help = "Example:\n  agon learn tablut")]
pub(crate) struct Args {
    #[arg(help = game_help())]
    game: String,
    #[command(flatten)]
    screen: ScreenArgs,
}

impl Args {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let entry = GAMES.find(&self.game)?;
        if self.screen.fills() {
            let mut context = self.screen.context();
            return self.screen.show(Box::new(LearnScreen::new(entry)), &mut context, out);
        }
        Ok(self.screen.converse(input, out, |dialogue| dialogue.learn(entry))?)
    }
}
