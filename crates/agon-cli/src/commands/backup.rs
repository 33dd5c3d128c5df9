//! `agon backup` and `agon restore`: everything that a server keeps, copied and put back.

use std::io::Write;
use std::path::PathBuf;

use agon_server::backup::{Summary, backup, restore};

use super::serve::data_dir;

/// `agon backup`
#[derive(clap::Args)]
#[command(
    after_help = "The server may be running: what it stores meanwhile is in the next backup. The folder appears when it is complete; `sha256sum -c\nSHA256SUMS` checks it. It holds games, secrets and tournaments, but no configuration file and no certificates.\n\nExamples:\n  agon backup ~/agon-backup\n  agon backup /var/backups/agon-monday --data /var/lib/agon"
)]
pub(crate) struct BackupArgs {
    /// New folder for the backup
    #[arg(value_name = "DIR")]
    to: PathBuf,
    /// Data directory of the server [default: $XDG_DATA_HOME/agon/server]
    #[arg(long, value_name = "DIR", env = "AGON_DATA")]
    data: Option<PathBuf>,
}

/// `agon restore`
#[derive(clap::Args)]
#[command(
    after_help = "Stop the server first. The backup is checked before anything takes its place.\n\nExamples:\n  agon restore ~/agon-backup\n  agon restore /var/backups/agon-monday --data /var/lib/agon --replace"
)]
pub(crate) struct RestoreArgs {
    /// Folder of a backup
    #[arg(value_name = "DIR")]
    from: PathBuf,
    /// Data directory of the server [default: $XDG_DATA_HOME/agon/server]
    #[arg(long, value_name = "DIR", env = "AGON_DATA")]
    data: Option<PathBuf>,
    /// If there is data already, move it to a folder `replaced-DATE` beside the restored data
    #[arg(long)]
    replace: bool,
}

impl BackupArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let data = data_dir(self.data, "--data")?;
        let made = backup(&data, &self.to)?;
        writeln!(out, "Backed up {} to {}: {}", data.display(), self.to.display(), extent(&made))?;
        for path in &made.left_out {
            writeln!(out, "Left out, because it is no file: {}", path.display())?;
        }
        Ok(())
    }
}

impl RestoreArgs {
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let data = data_dir(self.data, "--data")?;
        let restored = restore(&self.from, &data, self.replace)?;
        let extent = extent(&restored.summary);
        writeln!(out, "Restored {} from {}: {extent}", data.display(), self.from.display())?;
        if let Some(replaced) = restored.replaced {
            writeln!(out, "What was there before is in {}", replaced.display())?;
        }
        Ok(())
    }
}

fn extent(summary: &Summary) -> String {
    let Summary { files, bytes, .. } = summary;
    let noun = if *files == 1 { "file" } else { "files" };
    format!("{files} {noun}, {:.1} MB.", *bytes as f64 / 1e6)
}
