//! Files that are never half-written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file, whole or not at all: what stood there is kept until the new contents are safe.
///
/// # Errors
/// If the folder or the disk does not take it.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    replace_after(path, contents, File::sync_all)
}

/// As [`replace`], for contents that can be computed again: nobody ever sees half a file, but a power failure may lose it. That saves
/// waiting for the disk.
///
/// # Errors
/// If the folder or the disk does not take it.
pub fn replace_derived(path: &Path, contents: &[u8]) -> io::Result<()> {
    replace_after(path, contents, |_| Ok(()))
}

fn replace_after(
    path: &Path,
    contents: &[u8],
    settle: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(format!(".{}.tmp", std::process::id()));
    let draft = PathBuf::from(draft);
    let written = File::create_new(&draft).and_then(|mut file| {
        file.write_all(contents)?;
        settle(&file)
    });
    written.and_then(|()| fs::rename(&draft, path)).inspect_err(|_| {
        // The error that matters is the first one.
        let _ = fs::remove_file(&draft);
    })
}
