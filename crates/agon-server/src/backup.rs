//! Backups of a data directory: everything in it, taken while the server runs, and put back as a whole.
//!
//! A backup is a folder with the database as one file, copies of all other files, and their checksums in the
//! form of `sha256sum`. It appears under its name when it is complete. What is restored is checked before
//! anything takes its place.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use agon_agents::folder;
use agon_files::date_text;
use sha2::{Digest, Sha256};

use crate::data::{self, BESIDE_DATABASE, DATABASE, DataError, LOCK, Lock, RESTORING};
use crate::store::StoreError;
use crate::store::sqlite::{check_database, copy_database};

/// The file of checksums in a backup.
const CHECKSUMS: &str = "SHA256SUMS";
/// The most bytes of that file.
const MAX_CHECKSUMS: u64 = 256 << 20;
/// How the folder begins to which a restore moves what was there.
const REPLACED: &str = "replaced-";

/// Why something was not backed up or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The data directory cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The database cannot be used.
    #[error("{}: {error}", .path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: StoreError,
    },
    /// A file cannot be used.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// Something must not be done.
    #[error("{}: {reason}", .path.display())]
    Refused {
        /// What it would be done to.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> BackupError {
    let path = path.to_owned();
    move |error| BackupError::File { path, error }
}

fn refused(path: &Path, reason: impl Into<String>) -> BackupError {
    BackupError::Refused { path: path.to_owned(), reason: reason.into() }
}

/// What a backup consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many files.
    pub files: usize,
    /// How many bytes.
    pub bytes: u64,
    /// What is neither a file nor a folder, such as links, and is left out.
    pub left_out: Vec<PathBuf>,
}

/// Copies everything in a data directory, which a server may be using, to the new folder `to`.
///
/// # Errors
/// If there is something at `to`, or anything cannot be copied. Nothing is left then.
pub fn backup(data: &Path, to: &Path) -> Result<Summary, BackupError> {
    data::check(data)?;
    if !data.join(DATABASE).is_file() {
        return Err(refused(
            data,
            "there is no agon.sqlite here; name the server's data directory with --data",
        ));
    }
    let is_taken =
        fs::read_dir(to).map_or_else(|_| fs::symlink_metadata(to).is_ok(), |mut all| all.next().is_some());
    if is_taken {
        return Err(refused(to, "there is something already; a backup goes to a new folder"));
    }
    let parent = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(at(parent))?;
    let inside = parent.canonicalize().and_then(|parent| Ok(parent.starts_with(data.canonicalize()?)));
    if inside.map_err(at(parent))? {
        return Err(refused(to, "a backup inside the data directory would be lost with it"));
    }
    let mut filled = Ok(Summary::default());
    let created = folder::create(to, |draft| {
        filled = fill(data, draft);
        // The reason is kept above; this only tells that there is one.
        filled.as_ref().map(|_| ()).map_err(|_| io::ErrorKind::Other.into())
    });
    let summary = filled?;
    created.map_err(at(to))?;
    sync(parent)?;
    Ok(summary)
}

fn fill(data: &Path, draft: &Path) -> Result<Summary, BackupError> {
    // Whoever knows the secrets can name tournaments and their authors.
    fs::set_permissions(draft, fs::Permissions::from_mode(0o700)).map_err(at(draft))?;
    let (database, copy) = (data.join(DATABASE), draft.join(DATABASE));
    copy_database(&database, &copy).map_err(|error| BackupError::Store { path: database, error })?;
    let mut summary = Summary::default();
    for name in entries(data)?.iter().filter(|name| *name != DATABASE) {
        copy_tree(&data.join(name), &draft.join(name), &mut summary)?;
    }
    let mut sums = String::new();
    let mut files = Vec::new();
    list(draft, Path::new(""), &mut files)?;
    for path in files {
        let (hash, bytes) = hash(&draft.join(&path))?;
        let Some(name) = path.to_str().filter(|name| !name.contains(['\n', '\\'])) else {
            return Err(refused(&data.join(&path), "a backup cannot hold a file of this name; rename it"));
        };
        sums += &format!("{hash}  {name}\n");
        summary.files += 1;
        summary.bytes += bytes;
    }
    let path = draft.join(CHECKSUMS);
    let written = File::create_new(&path).and_then(|mut file| {
        file.write_all(sums.as_bytes())?;
        file.sync_all()
    });
    written.map_err(at(&path))?;
    sync_folders(draft)?;
    Ok(summary)
}

/// What there is in a data directory besides what belongs to a running server and what is being made.
fn entries(data: &Path) -> Result<Vec<String>, BackupError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(data).map_err(at(data))? {
        let entry = entry.map_err(at(data))?;
        let Ok(name) = entry.file_name().into_string() else {
            return Err(refused(&entry.path(), "its name cannot be read; rename it"));
        };
        let is_passing = name == LOCK || BESIDE_DATABASE.contains(&name.as_str()) || name.ends_with(".new");
        if !is_passing && !name.starts_with('.') && !name.starts_with(REPLACED) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Copies a file or a folder with everything in it. What has gone since it was listed is not missed:
/// tournaments go on meanwhile.
fn copy_tree(from: &Path, to: &Path, summary: &mut Summary) -> Result<(), BackupError> {
    let kind = match fs::symlink_metadata(from) {
        Ok(data) => data.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(at(from)(error)),
    };
    if kind.is_dir() {
        fs::create_dir(to).map_err(at(to))?;
        let listed = fs::read_dir(from).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        for entry in listed.map_err(at(from))? {
            copy_tree(&entry.path(), &to.join(entry.file_name()), summary)?;
        }
        fs::metadata(from).and_then(|data| fs::set_permissions(to, data.permissions())).map_err(at(from))
    } else if kind.is_file() {
        match fs::copy(from, to).and_then(|_| File::open(to)?.sync_all()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            copied => copied.map_err(at(from)),
        }
    } else {
        summary.left_out.push(from.to_owned());
        Ok(())
    }
}

/// All files below a folder, by their paths in it, in order.
fn list(base: &Path, path: &Path, files: &mut Vec<PathBuf>) -> Result<(), BackupError> {
    let folder = base.join(path);
    let listed = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries = listed.map_err(at(&folder))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = path.join(entry.file_name());
        if entry.file_type().map_err(at(&folder))?.is_dir() {
            list(base, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The hash of a file, and how many bytes it has.
fn hash(path: &Path) -> Result<(String, u64), BackupError> {
    let mut file = File::open(path).map_err(at(path))?;
    let (mut hash, mut buffer, mut bytes) = (Sha256::new(), vec![0; 1 << 16], 0);
    loop {
        let read = file.read(&mut buffer).map_err(at(path))?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
        bytes += read as u64;
    }
    Ok((hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(), bytes))
}

fn sync(path: &Path) -> Result<(), BackupError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(at(path))
}

fn sync_folders(folder: &Path) -> Result<(), BackupError> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        if entry.file_type().map_err(at(folder))?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    sync(folder)
}

/// What a restore has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// What was put in place.
    pub summary: Summary,
    /// Where that is which was there before.
    pub replaced: Option<PathBuf>,
}

/// Puts a backup in place in a data directory that no server is using. If there is data already, it is moved
/// aside if it is to be `replaced`.
///
/// # Errors
/// If the backup is damaged or incomplete, there is data that is not to be replaced, or a server is using it:
/// nothing has changed then. If the system fails while files take their places, no server starts on what is
/// half done, and the restore can be repeated.
pub fn restore(from: &Path, data: &Path, replace: bool) -> Result<Restored, BackupError> {
    let sums = checksums(from)?;
    let _lock = Lock::take(data)?;
    let old = entries(data)?;
    if !old.is_empty() && !replace {
        let reason = format!("there is data already ({}); with --replace it is moved aside", old.join(", "));
        return Err(refused(data, reason));
    }
    let draft = data.join(RESTORING);
    if draft.exists() {
        fs::remove_dir_all(&draft).map_err(at(&draft))?;
    }
    let summary = unpack(from, &draft, &sums).inspect_err(|_| {
        let _ = fs::remove_dir_all(&draft);
    })?;
    let replaced = move_aside(data, &old)?;
    // The database comes last. As long as the draft is there, no server takes what is half done for the
    // whole.
    let mut new = entries(&draft)?;
    new.sort_by_key(|name| name == DATABASE);
    for name in &new {
        let (from, to) = (draft.join(name), data.join(name));
        fs::rename(&from, &to).map_err(at(&to))?;
    }
    sync(data)?;
    fs::remove_dir_all(&draft).map_err(at(&draft))?;
    sync(data)?;
    Ok(Restored { summary, replaced })
}

/// The checksums of a backup by path.
fn checksums(from: &Path) -> Result<BTreeMap<PathBuf, String>, BackupError> {
    let path = from.join(CHECKSUMS);
    let mut text = String::new();
    let read = File::open(&path).and_then(|file| file.take(MAX_CHECKSUMS).read_to_string(&mut text));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => refused(from, "this is not a backup: it has no file SHA256SUMS"),
        _ => at(&path)(error),
    })?;
    let mut sums = BTreeMap::new();
    for line in text.lines() {
        let pair = line.split_once("  ").map(|(hash, name)| (hash, Path::new(name)));
        let is_inside = |path: &Path| {
            path.components().all(|part| matches!(part, Component::Normal(_))) && path != Path::new("")
        };
        let Some((hash, name)) = pair.filter(|(_, name)| is_inside(name)) else {
            return Err(refused(&path, "it is damaged"));
        };
        sums.insert(name.to_owned(), hash.to_owned());
    }
    if !sums.contains_key(Path::new(DATABASE)) {
        return Err(refused(from, "the backup holds no database"));
    }
    Ok(sums)
}

/// Copies a backup to `draft` and checks the copy.
fn unpack(from: &Path, draft: &Path, sums: &BTreeMap<PathBuf, String>) -> Result<Summary, BackupError> {
    fs::DirBuilder::new().mode(0o700).create(draft).map_err(at(draft))?;
    let mut summary = Summary::default();
    let names = entries(from)?;
    for name in names.iter().filter(|name| *name != CHECKSUMS) {
        copy_tree(&from.join(name), &draft.join(name), &mut summary)?;
    }
    let mut files = Vec::new();
    list(draft, Path::new(""), &mut files)?;
    if let Some(unknown) = files.iter().find(|path| !sums.contains_key(*path)) {
        return Err(refused(&from.join(unknown), "this file is not part of the backup"));
    }
    for (path, expected) in sums {
        let copy = draft.join(path);
        if !copy.is_file() {
            return Err(refused(&from.join(path), "this file of the backup is missing"));
        }
        let (found, bytes) = hash(&copy)?;
        if found != *expected {
            return Err(refused(&from.join(path), "this file is damaged: it has another checksum"));
        }
        summary.files += 1;
        summary.bytes += bytes;
    }
    let database = draft.join(DATABASE);
    check_database(&database).map_err(|error| BackupError::Store { path: from.join(DATABASE), error })?;
    sync_folders(draft)?;
    Ok(summary)
}

/// Moves what is in a data directory to a new folder in it, and says which.
fn move_aside(data: &Path, old: &[String]) -> Result<Option<PathBuf>, BackupError> {
    if old.is_empty() {
        return Ok(None);
    }
    let date = date_text(SystemTime::now()).replace(':', "-");
    let aside = data.join(format!("{REPLACED}{date}"));
    fs::DirBuilder::new().mode(0o700).create(&aside).map_err(at(&aside))?;
    // A database goes together with what SQLite keeps beside it.
    let beside = BESIDE_DATABASE.into_iter().filter(|name| data.join(name).exists());
    for name in old.iter().map(String::as_str).chain(beside) {
        let to = aside.join(name);
        fs::rename(data.join(name), &to).map_err(at(&to))?;
    }
    Ok(Some(aside))
}
