//! Help texts. They are wrapped to the terminal, except for lines that begin with two spaces: these are examples, to be copied as
//! they stand.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::{Command, CommandFactory, Error, FromArgMatches};

/// Stands for a space at which no line is broken, until the text is printed.
const UNBREAKABLE: &str = "\u{a0}";

/// Reads the command line.
///
/// # Errors
/// If it cannot be read, or asks for help.
pub(crate) fn parse<C: CommandFactory + FromArgMatches>(
    args: impl IntoIterator<Item = OsString>,
) -> Result<C, Error> {
    let mut command = with_whole_examples(C::command());
    let mut matches = command.try_get_matches_from_mut(args)?;
    C::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Prints what clap has to say: help on standard output, errors on standard error. Returns the exit code.
pub(crate) fn print(error: &Error) -> u8 {
    let is_error = error.use_stderr();
    let is_terminal = if is_error { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let text = error.render();
    let text = breakable(&if is_terminal { text.ansi().to_string() } else { text.to_string() });
    let written = if is_error {
        io::stderr().write_all(text.as_bytes())
    } else {
        io::stdout().write_all(text.as_bytes())
    };
    // If nobody reads the help, nothing is lost.
    let _ = written;
    error.exit_code() as u8
}

/// The same command, no example of it or of its subcommands being wrapped.
fn with_whole_examples(command: Command) -> Command {
    let help = command.get_after_help().map(|help| {
        let lines: Vec<String> = help.to_string().lines().map(unbreakable).collect();
        lines.join("\n")
    });
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    command.mut_subcommands(with_whole_examples)
}

fn unbreakable(line: &str) -> String {
    if line.starts_with("  ") { line.replace(' ', UNBREAKABLE) } else { line.to_owned() }
}

fn breakable(text: &str) -> String {
    text.replace(UNBREAKABLE, " ")
}
