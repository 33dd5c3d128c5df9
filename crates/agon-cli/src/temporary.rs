//! Folders that last as long as a command runs.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use anyhow::Context;

/// A new folder that is removed with everything in it when this is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// An empty folder whose name says what it is for.
    pub(crate) fn new(purpose: &str) -> anyhow::Result<Self> {
        let mut number = 0;
        loop {
            let path = env::temp_dir().join(format!("agon-{purpose}-{}-{number}", process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self(path)),
                // Somebody else's.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error).with_context(|| format!("cannot create {}", path.display())),
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
