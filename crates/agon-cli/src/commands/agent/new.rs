//! `agon agent new`: an agent to start from.

use std::io::{self, Write};
use std::path::PathBuf;

use agon_agents::folder;
use agon_agents::starter::Language;
use agon_registry::GAMES;
use anyhow::Context;

use crate::game_args::game_help;

/// `agon agent new`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon agent new --lang python my-agent               a Python agent for Lines of Action, with the kit beside it
  agon agent new --lang java --game othello my-agent  a Java agent for Othello")]
pub(crate) struct Args {
    /// The language: python, rust, java or c
    #[arg(long, value_enum, hide_possible_values = true)]
    lang: Lang,
    #[arg(long, default_value = "loa", help = game_help() + "; the starter plays all, its README tells of this one")]
    game: String,
    /// The folder to make; it must not exist, or be empty
    dir: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Lang {
    Python,
    Rust,
    Java,
    C,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Python => Self::Python,
            Lang::Rust => Self::Rust,
            Lang::Java => Self::Java,
            Lang::C => Self::C,
        }
    }
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let rules = GAMES.find(&self.game)?.rules("")?;
        let language = Language::from(self.lang);
        let dir = self.dir.display();
        let in_the_way = match std::fs::read_dir(&self.dir) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        anyhow::ensure!(!in_the_way, "{dir} is there already and not an empty folder; nothing was written");
        let files = language.files(&*rules);
        folder::create(&self.dir, |folder| folder::write(folder, &files))
            .with_context(|| format!("cannot write {dir}"))?;
        writeln!(out, "An agent for {} is in {dir}. Try it:\n", rules.spec().title())?;
        writeln!(out, "  cd {dir}")?;
        for step in language.build() {
            writeln!(out, "  {step}")?;
        }
        writeln!(out, "  agon agent check '{}' --game {}\n", language.command(), rules.spec().id)?;
        writeln!(out, "README.md says how to go on.")?;
        Ok(())
    }
}
