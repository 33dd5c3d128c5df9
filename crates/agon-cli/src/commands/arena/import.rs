//! `agon arena import`: a folder of submissions becomes the players of a tournament file.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_agents::submissions::{Entry, Found, Import};
use agon_core::text::counted;
use agon_registry::GAMES;
use serde_json::json;

use crate::game_args::game_help;
use crate::layout::{entry, width};

/// `agon arena import`
#[derive(clap::Args)]
#[command(
    after_help = "Each folder or ZIP in FOLDER is one submission, named after its author, with agent.py inside; agents in other languages
have an agent.toml: command = [\"java\", \"-jar\", \"agent.jar\"]. docs/arena.md takes you through a whole course.

Importing again takes in what has changed. The newest valid submission of every author plays; earlier versions are kept.

Examples:
  agon arena import submissions --out course.toml
  agon arena run course.toml --out results"
)]
pub(super) struct Args {
    /// The folder of submissions
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
        let found = import.run(&mut compiles)?;
        if self.json {
            writeln!(out, "{}", json!({"file": self.out, "submissions": found}))?;
            return Ok(());
        }
        for one in &found {
            entry(2, &one.name, 24, &line(one), width(), out)?;
        }
        let rejected = found.iter().filter(|one| one.rejected.is_some()).count();
        writeln!(
            out,
            "{}, {rejected} of them rejected. {} is up to date.",
            counted(found.len(), "submission"),
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

/// Whether the sources of a Python agent can be read by Python. They are not run.
fn compiles(folder: &Path, entry: &Entry) -> Result<(), String> {
    const READ: &str = "import ast, sys\ntry:\n    ast.parse(open(sys.argv[1], 'rb').read(), sys.argv[2])\nexcept Exception as fault:\n    sys.exit('%s: %s' % (sys.argv[2], fault))";
    let own = entry.command.iter().zip(&entry.own);
    for (word, _) in own.filter(|(word, own)| **own && word.ends_with(".py")) {
        let checked = Command::new("python3")
            .args(["-I", "-c", READ])
            .arg(folder.join(word))
            .arg(word)
            .stdin(Stdio::null())
            .output();
        // Without Python nothing can be said, here or by a referee.
        if let Ok(output) = checked
            && !output.status.success()
        {
            let fault = String::from_utf8_lossy(&output.stderr);
            return Err(fault.lines().last().unwrap_or("Python cannot read it").chars().take(300).collect());
        }
    }
    Ok(())
}
