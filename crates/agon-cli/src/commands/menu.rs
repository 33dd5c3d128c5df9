//! `agon` alone: the menu, on the full screen or on lines of text.

use std::io::{BufRead, Write};

use agon_terminal::screens;

use crate::screen_args::ScreenArgs;

/// Opens the menu.
pub(crate) fn run(screen: ScreenArgs, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    if screen.fills() {
        let mut context = screen.context();
        return screen.show(screens::first(&context), &mut context, out);
    }
    Ok(screen.converse(input, out, |dialogue| dialogue.menu())?)
}
