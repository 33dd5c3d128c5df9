//! `agon arena import`: a folder of submissions becomes the players of a tournament file.

use std::env;
use std::io::Write;
use std::path::PathBuf;

use agon_agents::submissions::{Found, Import};
use agon_core::text::counted;
use agon_registry::GAMES;
use serde_json::json;

use crate::game_args::game_help;
use crate::layout::{entry, width};

/// `agon arena import`
#[derive(clap::Args)]
#[command(
    after_help = "Each folder or ZIP in FOLDER is one submission, named after its author, with agent.py inside; agents in other languages
have an agent.toml: command = [\"java\", \"-jar\", \"agent.jar\"]. docs/arena.md takes you through a whole course. What Moodle and Canvas
export is taken as it is: the ZIP, or what was in it. The table [submissions] of the tournament file says what may be handed in.

Importing again takes in what has changed. The newest valid submission of every author plays; earlier versions are kept.

Examples:
  agon arena import submissions --out course.toml
  agon arena import 'Course-Agent-12345.zip' --out course.toml
  agon arena run course.toml --out results"
)]
pub(super) struct Args {
    /// The folder of submissions, or the ZIP that a learning platform exports
    folder: PathBuf,
    /// The tournament file; copies of the agents go beside it
    #[arg(long, default_value = "tournament.toml", value_name = "FILE")]
    out: PathBuf,
    #[arg(long, default_value = "loa", help = game_help() + "; for a new tournament file")]
    game: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let game = GAMES.find(&self.game)?.spec.id;
        // A file name alone has no folder that could be looked into.
        let file = env::current_dir()?.join(&self.out);
        let import = Import { folder: &self.folder, out: &file, game };
        let found = import.run()?;
        if self.json {
            writeln!(out, "{}", json!({"file": self.out, "submissions": found}))?;
            return Ok(());
        }
        for one in &found {
            entry(2, &one.name, 24, &line(one), width(), out)?;
        }
        // What is no submission at all is not one of them.
        let taken: Vec<&Found> = found.iter().filter(|one| one.version > 0).collect();
        let rejected = taken.iter().filter(|one| one.rejected.is_some()).count();
        writeln!(
            out,
            "{}, {rejected} of them rejected. {} is up to date.",
            counted(taken.len(), "submission"),
            self.out.display()
        )?;
        Ok(())
    }
}

/// What is said about a submission.
fn line(found: &Found) -> String {
    let version = found.version;
    let news = if found.known { "" } else { "new: " };
    let plays = match found.plays {
        Some(plays) => format!("version {plays} plays"),
        None => "no version plays".to_owned(),
    };
    match &found.rejected {
        Some(reason) if version == 0 => format!("ignored: {reason}"),
        Some(reason) => format!("{news}version {version} rejected: {reason}; {plays}"),
        None => format!("{news}{plays}"),
    }
}
