//! `agon arena resume`: a tournament from where it was left.

use std::io::Write;
use std::path::PathBuf;

use agon_arena::tournament::Store;
use agon_registry::GAMES;

use super::host::{self, Conditions};

/// `agon arena resume`
#[derive(clap::Args)]
pub(super) struct Args {
    /// The directory that was given to `agon arena run` as --out
    dir: PathBuf,
    #[command(flatten)]
    conditions: Conditions,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (store, tournament) = Store::open(GAMES, &self.dir)?;
        let host = self.conditions.prepare(&tournament)?;
        host::play(&tournament, &store, host, &self.conditions, out)
    }
}
