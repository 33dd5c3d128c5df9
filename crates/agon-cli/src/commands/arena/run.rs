//! `agon arena run`: a tournament from its file to its table.

use std::io::Write;
use std::path::PathBuf;

use agon_arena::tournament::{Store, Tournament};
use agon_registry::GAMES;

use super::host::{self, Conditions};
use crate::commands::serve::data_dir;
use crate::programs;

/// `agon arena run`
#[derive(clap::Args)]
#[command(
    after_help = "Players are bots, programs or people; docs/arena-files.md describes the file. Ctrl-C lets the running games end and stops; a \
second Ctrl-C stops at once. Either way `agon arena resume DIR` continues, and nothing that was finished is played again.

Examples:
  agon arena check course.toml
  agon arena run course.toml --out results
  agon arena resume results"
)]
pub(super) struct Args {
    /// The tournament file
    file: PathBuf,
    /// Directory for games and results; it must be new or empty [default: arena/NAME in the data directory of `agon serve`]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    conditions: Conditions,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let tournament = Tournament::read_asking(GAMES, &self.file, &programs::ask)?;
        let host = self.conditions.prepare(&tournament)?;
        let dir = match &self.out {
            Some(dir) => dir.clone(),
            None => data_dir(std::env::var_os("AGON_DATA").map(PathBuf::from), "--out")?
                .join(agon_server::arena::FOLDER)
                .join(&tournament.name),
        };
        let store = Store::create(&dir, &self.file)?;
        host::play(&tournament, &store, host, &self.conditions, out)
    }
}
