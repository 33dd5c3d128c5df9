//! Decides whether an attempt to open a file is an offence.
//!
//! This module protects nothing: mounts and Landlock deny access, whatever is decided here. But a denied call alone does not show bad
//! intent, because interpreters and libraries probe for many files when they start. The policy tells such probes from attempts to
//! read or write what belongs to somebody else.

use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use agon_core::text::quote;
use libc::{O_CREAT, O_PATH, O_RDWR, O_TRUNC, O_WRONLY, c_int};
use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};

/// Folders whose files may be looked for, although they are not there for an agent.
const HARMLESS: [&str; 5] = ["/sys", "/dev", "/run/systemd", "/var/cache/fontconfig", "/var/lib/dbus"];
/// Files that interpreters look for in the folders above a program's own.
const HARMLESS_NAMES: [&str; 3] = ["package.json", "node_modules", "pyvenv.cfg"];
/// Flags of `open` with which a file may be changed or made.
const WRITING: c_int = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
/// What is said to an author whose agent has tried to write elsewhere.
const WHERE_TO_WRITE: &str = "agents may write to the folder that TMPDIR names";
/// What of other processes anybody may read.
const PUBLIC: [&str; 5] = ["stat", "status", "cmdline", "comm", "cgroup"];

/// Where an agent may read and write, and therefore which attempts to open a file are offences.
#[derive(Debug)]
pub(super) struct AccessPolicy {
    /// The root of the agent's own file tree; `None` if it shares the machine's.
    pub(super) root: Option<OwnedFd>,
    /// Files and folders of the machine that it may read.
    pub(super) readable: Vec<PathBuf>,
    /// The folder of its program, which it may read.
    pub(super) folder: Option<PathBuf>,
    /// The only folder that it may write to.
    pub(super) scratch: PathBuf,
}

/// An attempt to open a file that is worth a word.
#[derive(Debug)]
pub(super) enum Attempt {
    /// It is an offence.
    Offence(String),
    /// It will fail, and nobody is blamed; but the author should know why.
    Futile(String),
}

impl AccessPolicy {
    /// Judges the attempt to open `path`, which is absolute, with these flags of `open`; `None` if it is allowed or means nothing.
    pub(super) fn judge(&self, path: &Path, flags: c_int) -> Option<Attempt> {
        let path = &normal(path);
        self.offence(path, flags).map(Attempt::Offence).or_else(|| {
            self.folder.as_ref().filter(|folder| path.starts_with(folder))?;
            // Whoever only reads, and would make the file if it were not there, reads all the same.
            let is_futile = flags & (O_WRONLY | O_RDWR) != 0 || flags & WRITING != 0 && !path.exists();
            let how = || {
                format!(
                    "it could not write to {}: its own folder is read-only; {WHERE_TO_WRITE}",
                    self.shown(path)
                )
            };
            is_futile.then(|| Attempt::Futile(how()))
        })
    }

    /// Describes the offence of opening a file.
    fn offence(&self, path: &Path, flags: c_int) -> Option<String> {
        // Libraries go through folders one by one. Such a folder cannot be listed, and what is opened in it comes here as well.
        if flags & O_PATH != 0 && path.is_dir() {
            return None;
        }
        let name = || self.shown(path);
        if let Ok(process) = path.strip_prefix("/proc") {
            return self.is_private_of_others(process).then(|| format!("it tried to read {}", name()));
        }
        let writes = flags & WRITING != 0;
        // Most files that are opened are libraries, and this is quick.
        if !writes && self.readable.iter().any(|folder| path.starts_with(folder)) {
            return None;
        }
        if self.is_visible(path) {
            let offence = || format!("it tried to write to {}; {WHERE_TO_WRITE}", name());
            return (writes && !self.may_try_to_write(path)).then(offence);
        }
        if is_secret(path, self.readable.iter().map(PathBuf::as_path).chain(self.folder.as_deref())) {
            return Some(if writes {
                format!("it tried to write to {}; {WHERE_TO_WRITE}", name())
            } else {
                format!("it tried to read {}, which is not in its folder", name())
            });
        }
        let parent = path.parent().filter(|_| flags & O_CREAT != 0 && !is_harmless(path))?;
        let is_forbidden =
            if self.is_visible(parent) { !self.may_try_to_write(path) } else { parent.is_dir() };
        is_forbidden.then(|| format!("it tried to make {}; {WHERE_TO_WRITE}", name()))
    }

    /// A path as the agent's author knows it: what is in the agent's own folder is named from there.
    fn shown(&self, path: &Path) -> String {
        let own = self.folder.as_ref().and_then(|folder| path.strip_prefix(folder).ok());
        quote(&own.filter(|own| !own.as_os_str().is_empty()).unwrap_or(path).to_string_lossy())
    }

    /// Whether the file exists where the agent may read.
    fn is_visible(&self, path: &Path) -> bool {
        match &self.root {
            Some(root) => {
                let flags = OFlags::PATH | OFlags::CLOEXEC;
                openat2(root, path, flags, Mode::empty(), ResolveFlags::IN_ROOT).is_ok()
            }
            None => {
                let Ok(real) = fs::canonicalize(path) else { return false };
                let allowed = self.readable.iter().chain(&self.folder).chain([&self.scratch]);
                allowed.into_iter().any(|folder| real.starts_with(folder))
            }
        }
    }

    /// Whether writing there is no offence: in the scratch folder, to devices, and in the agent's own folder, where it merely fails.
    fn may_try_to_write(&self, path: &Path) -> bool {
        path.starts_with(&self.scratch)
            || path.starts_with("/dev")
            || self.folder.as_ref().is_some_and(|folder| path.starts_with(folder))
    }

    /// Whether a path, relative to `/proc`, is a file about another process that is not public.
    fn is_private_of_others(&self, path: &Path) -> bool {
        let mut parts = path.iter();
        let number = parts.next().and_then(|part| part.to_str()?.parse::<u32>().ok());
        let Some(number) = number else { return false };
        let is_public = parts.next().is_none_or(|part| PUBLIC.iter().any(|public| part == *public));
        // In a namespace of its own, an agent sees itself and the process that started it, which is the first.
        let is_other = match &self.root {
            Some(_) => number == 1 || !self.is_visible(&Path::new("/proc").join(number.to_string())),
            None => true,
        };
        is_other && !is_public && Path::new("/proc").join(path).exists()
    }
}

/// Whether a file exists that an agent must not read, and that nobody looks for by chance. `allowed` are the places where it may.
fn is_secret<'a>(path: &Path, mut allowed: impl Iterator<Item = &'a Path>) -> bool {
    let Ok(metadata) = fs::metadata(path) else { return false };
    if metadata.file_type().is_block_device() {
        return true;
    }
    // Settings that everybody may read.
    let is_setting = path.starts_with("/etc") && metadata.permissions().mode() & 0o004 != 0;
    let is_above = metadata.is_dir() && allowed.any(|folder| folder.starts_with(path));
    !is_setting && !is_above && !is_harmless(path)
}

fn is_harmless(path: &Path) -> bool {
    HARMLESS.iter().any(|folder| path.starts_with(folder))
        || path.file_name().is_some_and(|name| HARMLESS_NAMES.iter().any(|harmless| name == *harmless))
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(part) => normal.push(part),
            Component::ParentDir => {
                normal.pop();
            }
            _ => {}
        }
    }
    normal
}
