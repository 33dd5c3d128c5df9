//! `agon replay`: a record, move by move.

use std::io::{BufRead, Write};
use std::path::PathBuf;

use agon_files::load_record;
use agon_registry::GAMES;
use agon_terminal::screens::{PickScreen, ReplayScreen};
use anyhow::Context;

use crate::screen_args::ScreenArgs;

/// `agon replay`
#[derive(clap::Args)]
#[command(
    after_help = "On a terminal, left and right step, space plays the moves one by one, digits jump, and Enter plays on from there.

Example:
  agon replay game.txt"
)]
pub(crate) struct Args {
    /// The record; without one, your last games are offered
    file: Option<PathBuf>,
    #[command(flatten)]
    screen: ScreenArgs,
}

impl Args {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let fills = self.screen.fills();
        let Some(file) = &self.file else {
            anyhow::ensure!(fills, "expected the file of a record, such as agon replay game.txt");
            let mut context = self.screen.context();
            return self.screen.show(Box::new(PickScreen::new(&context)), &mut context, out);
        };
        let refused = || format!("{} is not a record that can be replayed", file.display());
        if fills {
            let mut context = self.screen.context();
            let screen = ReplayScreen::open(GAMES, file).with_context(refused)?;
            return self.screen.show(Box::new(screen), &mut context, out);
        }
        let record = load_record(file).with_context(refused)?;
        let session = record.replay(GAMES).with_context(refused)?;
        self.screen.converse(input, out, |dialogue| {
            dialogue.replay(&record, &*session)?;
            Ok(dialogue.farewell()?)
        })
    }
}
