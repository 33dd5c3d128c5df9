//! The arguments by which commands are told how to show things, and the full screen itself.

use std::io::{self, BufRead, IsTerminal, Write};

use agon_registry::GAMES;
use agon_terminal::app::{self, Context, Screen};
use agon_terminal::dialogue::{Coordinates, Dialogue};
use agon_terminal::{Home, Theme};

/// How things are shown.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct ScreenArgs {
    /// Use line mode, as in a pipe, instead of the full screen
    #[arg(long)]
    pub(crate) plain: bool,
    /// Draw with ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,
    /// How squares are named on lines of text: letters, as in d3, or numbers for row and column, as in (3,4)
    #[arg(long, value_name = "KIND", default_value = "letters", hide_default_value = true)]
    pub(crate) coordinates: Coordinates,
}

/// The program was ended by a signal and has cleaned up.
#[derive(Debug)]
pub(crate) struct Signalled(pub(crate) i32);

impl std::fmt::Display for Signalled {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(formatter, "ended by signal {}", self.0)
    }
}

impl std::error::Error for Signalled {}

impl ScreenArgs {
    /// Whether there is a screen to fill.
    pub(crate) fn fills(self) -> bool {
        let can_draw = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        !self.plain && can_draw && io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// What screens share.
    pub(crate) fn context(self) -> Context {
        Context::new(GAMES, Theme::detect(self.ascii, false), Home::open())
    }

    /// Has a conversation on standard input; games are kept if a person types.
    pub(crate) fn converse<T, E>(
        self,
        input: &mut impl BufRead,
        out: &mut impl Write,
        talk: impl FnOnce(&mut Dialogue) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut home = Home::open();
        let mut dialogue = Dialogue::new(GAMES, input, out, &mut home, io::stdin().is_terminal());
        dialogue.coordinates = self.coordinates;
        talk(&mut dialogue)
    }

    /// Fills the screen until the user leaves.
    pub(crate) fn show(
        self,
        first: Box<dyn Screen>,
        context: &mut Context,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let ended = app::run(first, context)?;
        for note in &context.notes {
            writeln!(out, "{note}")?;
        }
        match ended {
            Some(signal) => Err(Signalled(signal).into()),
            None => Ok(()),
        }
    }
}
