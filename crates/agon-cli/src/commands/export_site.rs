//! `agon export-site`: the web app as a folder for any web host.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use agon_registry::GAMES;
use agon_server::WebApp;
use agon_server::site::{SiteFile, files};
use anyhow::{Context, bail};

/// `agon export-site`
#[derive(clap::Args)]
#[command(
    after_help = "The site plays every game in the browser and needs no server of ours: any web host will do, and any path on it. Files that end in .br and .gz are the same ones compressed, for hosts that send them so.\n\nExample:\n  agon export-site public\n  python3 -m http.server --directory public"
)]
pub(crate) struct Args {
    /// New folder for the site; one that holds a site already is brought up to date
    #[arg(value_name = "DIR")]
    to: PathBuf,
}

/// The file by which a folder is known to hold a site of ours.
const MARK: &str = "catalogue/games.json";

impl Args {
    pub(crate) fn run(self, web_app: WebApp, out: &mut impl Write) -> anyhow::Result<()> {
        let files = files(web_app, GAMES)?;
        let is_new = match fs::read_dir(&self.to) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", self.to.display())),
        };
        if !is_new && !self.to.join(MARK).is_file() {
            bail!("{} holds something else than a site; name a new folder", self.to.display());
        }
        for SiteFile { path, content } in &files {
            write(&self.to.join(path), content)?;
        }
        let bytes: usize = files.iter().map(|file| file.content.len()).sum();
        let megabytes = bytes as f64 / 1e6;
        writeln!(out, "Wrote {} files, {megabytes:.1} MB, to {}", files.len(), self.to.display())?;
        Ok(())
    }
}

/// Writes a file whole or not at all; one that is the same already stays as it is.
fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|known| known == content) {
        return Ok(());
    }
    let fail = || format!("cannot write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(fail)?;
    }
    agon_files::replace(path, content).with_context(fail)
}
