//! `agon resume`: a game that was interrupted.

use std::io::{BufRead, Write};

use agon_registry::GAMES;
use agon_terminal::Home;
use agon_terminal::screens::PlayScreen;
use anyhow::Context;

use crate::screen_args::ScreenArgs;

/// `agon resume`
#[derive(clap::Args)]
#[command(after_help = "An interrupted game is always kept. The menu offers the latest ones too.

Examples:
  agon resume            the latest
  agon resume --list     which there are
  agon resume 2          the second of them")]
pub(crate) struct Args {
    /// Number of the game, as shown by --list
    #[arg(value_name = "NUMBER", default_value = "1", hide_default_value = true)]
    number: usize,
    /// List the games that were interrupted, the latest first
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    screen: ScreenArgs,
}

/// What is said where there is none.
const NOTHING: &str = "there is no interrupted game; games that are open in another window are not listed";

impl Args {
    pub(crate) fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
        let games = Home::open().unfinished(GAMES);
        if self.list {
            if games.is_empty() {
                writeln!(out, "{NOTHING}.")?;
            }
            for (number, kept) in (1..).zip(&games) {
                writeln!(out, "{number:>2}  {}", kept.title(GAMES))?;
            }
            return Ok(());
        }
        let count = games.len();
        let kept = self.number.checked_sub(1).and_then(|index| games.into_iter().nth(index));
        let kept = kept.with_context(|| match count {
            0 => NOTHING.to_owned(),
            _ => format!("there is no game {}; expected a number from 1 to {count}", self.number),
        })?;
        if self.screen.fills() {
            let mut context = self.screen.context();
            let screen = PlayScreen::resume(&kept, &context)?;
            return self.screen.show(Box::new(screen), &mut context, out);
        }
        self.screen.converse(input, out, |dialogue| {
            // It has been kept so far.
            dialogue.keeps = true;
            dialogue.resume(&kept)?;
            Ok(dialogue.farewell()?)
        })
    }
}
