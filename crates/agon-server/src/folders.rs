//! Folders that long runs write to, in this process or another: they are found below given roots and read as they stand. Everything is bounded:
//! the folders may be anybody's.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most entries of a root that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// The most folders that are found.
const MAX_FOUND: usize = 300;

/// Why a folder cannot be shown.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct FolderError {
    /// The folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl FolderError {
    /// Something that went wrong with `path`.
    pub fn at(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self { path, reason: error.to_string() }
    }
}

/// Where folders are looked for: folders that hold them, and such folders themselves.
#[derive(Debug, Default)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// `own`, which may not be there yet, and what whoever runs the server wants to be `shown`; `expected` says what that should be.
    ///
    /// # Errors
    /// If one of those is not a folder.
    pub fn open(own: PathBuf, shown: &[PathBuf], expected: &str) -> Result<Self, FolderError> {
        let mut roots = vec![own];
        for path in shown {
            let root = path.canonicalize().map_err(FolderError::at(path))?;
            if !root.is_dir() {
                let reason = format!("expected a folder: {expected}");
                return Err(FolderError { path: path.clone(), reason });
            }
            roots.push(root);
        }
        Ok(Self(roots))
    }

    /// The folders that `is_one` of those that are looked for, without links, each once, the one that was `updated` last first; and whether
    /// there are more.
    pub fn find(
        &self,
        is_one: impl Fn(&Path) -> bool,
        updated: impl Fn(&Path) -> SystemTime,
    ) -> (Vec<PathBuf>, bool) {
        let mut found: Vec<PathBuf> = Vec::new();
        for root in &self.0 {
            if is_one(root) {
                found.push(root.clone());
                continue;
            }
            // One that is not there yet holds none.
            let entries = fs::read_dir(root).into_iter().flatten().take(MAX_ENTRIES).flatten();
            found.extend(entries.map(|entry| entry.path()).filter(|path| is_one(path)));
        }
        let mut found: Vec<PathBuf> = found.iter().filter_map(|path| path.canonicalize().ok()).collect();
        found.sort_by_cached_key(|path| std::cmp::Reverse(updated(path)));
        let mut seen = HashSet::new();
        found.retain(|path| seen.insert(path.clone()));
        let has_more = found.len() > MAX_FOUND;
        found.truncate(MAX_FOUND);
        (found, has_more)
    }
}

/// The path of something in a folder, which has no links in its own path, if it is a file there and no link leads elsewhere.
pub fn inside(dir: &Path, name: impl AsRef<Path>) -> Option<PathBuf> {
    let path = dir.join(name).canonicalize().ok()?;
    (path.starts_with(dir) && path.is_file()).then_some(path)
}

/// What is passed on to whoever asks for a file.
#[derive(Debug)]
pub enum Contents {
    /// A file that is part of the program.
    Static(&'static str),
    /// What was made for the purpose.
    Made(String),
    /// So many bytes of a file, which are read as they are passed on.
    File(File, u64),
}

/// A file in a folder to be passed on, if it is there and has at most so many bytes.
pub fn contents(dir: &Path, name: impl AsRef<Path>, most: u64) -> Option<Contents> {
    let file = File::open(inside(dir, name)?).ok()?;
    let length = file.metadata().ok()?.len();
    (length <= most).then_some(Contents::File(file, length))
}

/// The contents of a file in a folder, if it is there and has at most so many bytes.
pub fn bounded(dir: &Path, name: impl AsRef<Path>, most: u64) -> Option<Vec<u8>> {
    let file = File::open(inside(dir, name)?).ok()?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= most).then_some(bytes)
}

/// When the first of these files of a folder that is there was last written.
pub fn last_modified(dir: &Path, names: &[&str]) -> SystemTime {
    let modified = |name: &&str| fs::metadata(dir.join(name)).and_then(|data| data.modified()).ok();
    names.iter().find_map(modified).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Tells whether a file has been replaced or written: when that was, its size, and which file it is.
pub type Stamp = (SystemTime, u64, u64);

/// The stamp of a file in a folder, if it is there.
pub fn stamp(dir: &Path, name: impl AsRef<Path>) -> Option<Stamp> {
    let data = fs::metadata(inside(dir, name)?).ok()?;
    Some((data.modified().ok()?, data.len(), data.ino()))
}
