//! Folders that long runs write to: one process at a time, and a ledger of what is finished.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

const LOCK: &str = "lock";
/// How often the lock is tried, and how long it is waited in between.
const LOCK_ATTEMPTS: usize = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// A folder that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Another process uses it.
    #[error("another process is running in {}", .0.display())]
    Running(PathBuf),
    /// A file in it is not what this version wrote.
    #[error("{}: {fault}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// It cannot be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// A folder that a run cannot begin or go on in.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// It holds something else.
    #[error("{} is not empty, and what it holds is not a {what}", .dir.display())]
    NotEmpty {
        /// The folder.
        dir: PathBuf,
        /// What it was to hold.
        what: &'static str,
    },
    /// It holds another experiment of the kind.
    #[error("{} holds another {what}, or another version of this one; choose a new directory", .dir.display())]
    Other {
        /// The folder.
        dir: PathBuf,
        /// What it holds.
        what: &'static str,
    },
    /// It cannot be read or written.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Says where something went wrong.
pub fn at(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    let path = path.to_path_buf();
    |error| FolderError::Io { path, error }
}

/// A folder that is held by this process as long as this lives.
#[derive(Debug)]
pub struct Held {
    dir: PathBuf,
    _lock: File,
}

impl Held {
    /// Holds a folder that exists.
    ///
    /// # Errors
    /// If another process does, or it cannot be written.
    pub fn hold(dir: &Path) -> Result<Self, FolderError> {
        let path = dir.join(LOCK);
        let lock = OpenOptions::new().create(true).append(true).open(&path).map_err(at(&path))?;
        for attempt in 1.. {
            match lock.try_lock() {
                Ok(()) => break,
                // Somebody may just be looking whether it is held.
                Err(TryLockError::WouldBlock) if attempt < LOCK_ATTEMPTS => thread::sleep(LOCK_PAUSE),
                Err(TryLockError::WouldBlock) => return Err(FolderError::Running(dir.to_path_buf())),
                Err(TryLockError::Error(error)) => return Err(at(&path)(error)),
            }
        }
        Ok(Self { dir: dir.to_path_buf(), _lock: lock })
    }

    /// Holds the folder of a `what` that is told from others by these files and what is in them: a folder that has them, or a new one, which
    /// gets them.
    ///
    /// # Errors
    /// If the folder holds anything else, another process holds it, or it cannot be read or written.
    pub fn claim(dir: &Path, files: &[(&str, &[u8])], what: &'static str) -> Result<Self, ClaimError> {
        if files.iter().all(|(name, _)| dir.join(name).is_file()) {
            for (name, contents) in files {
                let path = dir.join(name);
                if fs::read(&path).map_err(at(&path))? != *contents {
                    return Err(ClaimError::Other { dir: dir.to_path_buf(), what });
                }
            }
            return Ok(Self::hold(dir)?);
        }
        // What is left of a start that was cut short is our own.
        let is_ours = |name: &std::ffi::OsStr| {
            Self::is_lock(name) || files.iter().rev().skip(1).any(|(file, _)| name == *file)
        };
        let mut entries = fs::read_dir(dir).into_iter().flatten().flatten();
        if entries.any(|entry| !is_ours(&entry.file_name())) {
            return Err(ClaimError::NotEmpty { dir: dir.to_path_buf(), what });
        }
        fs::create_dir_all(dir).map_err(at(dir))?;
        let held = Self::hold(dir)?;
        for (name, contents) in files {
            held.write(name, contents)?;
        }
        Ok(held)
    }

    /// Whether a process holds a folder.
    pub fn is_held(dir: &Path) -> bool {
        let lock = File::open(dir.join(LOCK));
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether a file of this name is the one by which folders are held.
    pub fn is_lock(name: &std::ffi::OsStr) -> bool {
        name == LOCK
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), FolderError> {
        let path = self.dir.join(name);
        agon_files::replace(&path, contents).map_err(at(&path))
    }

    /// What has been entered in the ledger of this name, and the ledger to go on with.
    ///
    /// # Errors
    /// If it is damaged, or cannot be read.
    pub fn ledger<T: DeserializeOwned>(&self, name: &str) -> Result<(Ledger, Vec<T>), FolderError> {
        let path = self.dir.join(name);
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = options.open(&path).map_err(at(&path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(at(&path))?;
        // A line that was cut is written anew.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).and_then(|()| file.seek(io::SeekFrom::End(0))).map_err(at(&path))?;
        let entries = whole_lines(&text[..whole], |line| serde_json::from_slice(line))
            .map_err(|fault| FolderError::Damaged { path: path.clone(), fault })?
            .unwrap_or_default();
        Ok((Ledger { file, path }, entries))
    }
}

/// A file of JSON lines that only grows.
#[derive(Debug)]
pub struct Ledger {
    file: File,
    path: PathBuf,
}

impl Ledger {
    /// Enters something.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn enter(&mut self, entry: &impl Serialize) -> Result<(), FolderError> {
        let mut line = serde_json::to_vec(entry)
            .map_err(|error| FolderError::Damaged { path: self.path.clone(), fault: error.to_string() })?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(at(&self.path))
    }

    /// Has the disk keep it.
    ///
    /// # Errors
    /// If the disk does not.
    pub fn sync(&self) -> Result<(), FolderError> {
        self.file.sync_data().map_err(at(&self.path))
    }
}

/// The values of a file of JSON lines, each read by `read`; `None` if its last line was cut, or there is none.
pub(crate) fn whole_lines<T>(
    text: &[u8],
    read: impl Fn(&[u8]) -> Result<T, serde_json::Error>,
) -> Result<Option<Vec<T>>, String> {
    let Some(lines) = text.strip_suffix(b"\n") else { return Ok(None) };
    let parse =
        |(number, line): (usize, &[u8])| read(line).map_err(|error| format!("line {number}: {error}"));
    (1..).zip(lines.split(|byte| *byte == b'\n')).map(parse).collect::<Result<_, _>>().map(Some)
}
