//! `agon record`: checks records, and makes them from other notations.

use std::io::Write;
use std::path::{Path, PathBuf};

use agon_files::load_record;
use agon_records::{Record, RecordResult};
use agon_registry::GAMES;

/// `agon record`
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Replay records and report whether they are valid
    #[command(after_help = "Example:\n  agon record check games/*.txt")]
    Check {
        /// The files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Convert another notation to a record and print it
    #[command(after_help = "Example:\n  agon record import othello transcript f5d6c3d3c4")]
    Import {
        /// The game
        game: String,
        /// The notation; `agon games` lists those of each game
        format: String,
        /// The text in that notation
        text: String,
        /// Options of the game
        #[arg(long, default_value = "", hide_default_value = true)]
        options: String,
    },
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.action {
            Action::Check { files } => check(files, out),
            Action::Import { game, format, text, options } => {
                let entry = GAMES.find(game)?;
                let rules = entry.rules(options)?;
                let session = entry.import(&*rules, format, text)?;
                write!(out, "{}", Record::of_session(&*rules, &*session))?;
                Ok(())
            }
        }
    }
}

fn check(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut bad = 0;
    for file in files {
        match check_file(file) {
            Ok(summary) => writeln!(out, "{}: {summary}", file.display())?,
            Err(error) => {
                bad += 1;
                writeln!(out, "{}: invalid: {error:#}", file.display())?;
            }
        }
    }
    anyhow::ensure!(bad == 0, "{bad} of {} records are invalid", files.len());
    Ok(())
}

fn check_file(path: &Path) -> anyhow::Result<String> {
    let record = load_record(path)?;
    let session = record.replay(GAMES)?;
    let rules = GAMES.find(&record.game)?.rules(&record.options)?;
    let result = record.result.unwrap_or_else(|| RecordResult::of(&*rules, session.outcome()));
    let result = result.sentence(&*rules, &*session);
    Ok(format!("{}, {} plies. {result}.", rules.spec().title(), record.moves.len()))
}
