//! The files of a submission, read from a folder or a ZIP into memory, within bounds: what a stranger sends must neither fill the disk nor
//! reach outside of its own folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};

use agon_core::text::quote;
use sha2::{Digest, Sha256};

use super::entry::{DESCRIPTION, PYTHON};

/// The largest ZIP, in bytes.
pub const MAX_ZIP: u64 = 32 << 20;
/// The most files.
const MAX_FILES: usize = 1000;
/// The most files of an export of a whole course.
const MAX_EXPORT_FILES: usize = 50_000;
/// The most bytes of all of them together, unpacked.
const MAX_EXPORT_BYTES: u64 = 2 << 30;
/// The most bytes of all files together, unpacked.
const MAX_BYTES: u64 = 64 << 20;
/// The most folders within one another.
const MAX_DEPTH: usize = 12;
/// The longest path, in bytes.
const MAX_PATH: usize = 240;

/// What operating systems and editors leave in folders: not worth keeping, nor a reason to refuse.
const LITTER: [&str; 7] =
    ["__MACOSX", ".DS_Store", "__pycache__", ".git", ".idea", "Thumbs.db", CHECK_FOLDER];

/// Where `agon agent check` keeps what was said when it found a fault.
pub const CHECK_FOLDER: &str = "agon-check";

/// A file of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmittedFile {
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Whether it may be run.
    pub is_program: bool,
}

/// The files of a submission by their paths, which have no folder but their own above them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(pub BTreeMap<String, SubmittedFile>);

impl Files {
    /// Reads a folder or a ZIP.
    ///
    /// # Errors
    /// If it breaks a bound, holds links or paths that lead elsewhere, or cannot be read; the reason in words.
    pub fn read(path: &Path) -> Result<Self, String> {
        let mut files = Self::default();
        if path.is_dir() {
            files.add_folder(path, "", 0, MAX_BYTES)?;
        } else {
            let file = File::open(path).map_err(cannot_read)?;
            if file.metadata().map_err(cannot_read)?.len() > MAX_ZIP {
                return Err(format!("the ZIP is larger than {} MiB", MAX_ZIP >> 20));
            }
            files.add_zip(file, MAX_BYTES)?;
        }
        files.settled(MAX_BYTES)
    }

    /// Reads files from different places as one submission, each under the name that is given.
    ///
    /// # Errors
    /// As [`Files::read`].
    pub(super) fn read_parts(parts: &[(String, PathBuf)]) -> Result<Self, String> {
        let mut files = Self::default();
        for (name, path) in parts {
            files.add(name, File::open(path).map_err(cannot_read)?, false, MAX_BYTES)?;
        }
        files.settled(MAX_BYTES)
    }

    /// A submission of a single file.
    ///
    /// # Errors
    /// If its path leads elsewhere, or it is too large.
    pub fn single(path: &str, bytes: Vec<u8>) -> Result<Self, String> {
        let mut files = Self::default();
        files.add(path, bytes.as_slice(), false, MAX_BYTES)?;
        Ok(files)
    }

    /// Reads a ZIP from anywhere; its size is up to whoever has it.
    ///
    /// # Errors
    /// As [`Files::read`].
    pub fn read_zip(zip: impl Read + Seek) -> Result<Self, String> {
        Self::read_zip_within(zip, MAX_BYTES)
    }

    fn read_zip_within(zip: impl Read + Seek, max_bytes: u64) -> Result<Self, String> {
        let mut files = Self::default();
        files.add_zip(zip, max_bytes)?;
        files.settled(max_bytes)
    }

    /// The submission that was meant: without folders around it, and taken out of a ZIP that was handed in beside other things, such as a
    /// report, or packed once more.
    fn settled(mut self, max_bytes: u64) -> Result<Self, String> {
        if self.0.is_empty() {
            return Err("it holds no files".to_owned());
        }
        self.leave_outer_folder();
        let is_agent = self.0.contains_key(DESCRIPTION) || self.0.contains_key(PYTHON);
        let mut zips = self.0.iter().filter(|(path, _)| path.to_lowercase().ends_with(".zip"));
        if let (false, Some((_, zip)), None) = (is_agent, zips.next(), zips.next()) {
            let mut inner = Self::default();
            inner.add_zip(io::Cursor::new(&zip.bytes), max_bytes)?;
            inner.leave_outer_folder();
            return Ok(inner);
        }
        Ok(self)
    }

    /// Tells one content from another.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for (path, file) in &self.0 {
            for part in [path.as_bytes(), &file.bytes] {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
        }
        hex(&hash.finalize())
    }

    /// Writes the files into a folder that exists.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        for (path, file) in &self.0 {
            crate::folder::write(folder, &[(path, &file.bytes)])?;
            #[cfg(unix)]
            if file.is_program {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(folder.join(path), fs::Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    fn add_folder(
        &mut self,
        folder: &Path,
        prefix: &str,
        depth: usize,
        max_bytes: u64,
    ) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} folders are within one another"));
        }
        let mut entries: Vec<fs::DirEntry> =
            fs::read_dir(folder).and_then(|entries| entries.collect()).map_err(cannot_read)?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name().into_string().map_err(|_| "a file name is not UTF-8".to_owned())?;
            if LITTER.contains(&name.as_str()) {
                continue;
            }
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().map_err(cannot_read)?;
            if kind.is_symlink() {
                return Err(format!("{} is a link; links are not accepted", quote(&path)));
            }
            if is_by_product(&path) {
                continue;
            }
            if kind.is_dir() {
                self.add_folder(&entry.path(), &format!("{path}/"), depth + 1, max_bytes)?;
            } else if kind.is_file() {
                let file = File::open(entry.path()).map_err(cannot_read)?;
                #[cfg(unix)]
                let is_program = {
                    use std::os::unix::fs::PermissionsExt;
                    file.metadata().is_ok_and(|data| data.permissions().mode() & 0o111 != 0)
                };
                #[cfg(not(unix))]
                let is_program = false;
                self.add(&path, file, is_program, max_bytes)?;
            } else {
                return Err(format!("{} is neither a file nor a folder", quote(&path)));
            }
        }
        Ok(())
    }

    fn add_zip(&mut self, zip: impl Read + Seek, max_bytes: u64) -> Result<(), String> {
        let broken = |error: zip::result::ZipError| format!("the ZIP cannot be read: {error}");
        let mut archive = zip::ZipArchive::new(zip).map_err(broken)?;
        if archive.len() > MAX_FILES * 2 {
            return Err(too_many());
        }
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).map_err(broken)?;
            let path = name_in_zip(&entry).map_err(broken)?;
            if entry.is_symlink() {
                return Err(format!("{} is a link; links are not accepted", quote(&path)));
            }
            if entry.is_dir() {
                checked_path(&path)?;
                continue;
            }
            let is_litter = path.split('/').any(|part| LITTER.contains(&part));
            if is_litter || path.match_indices('/').any(|(end, _)| is_by_product(&path[..end])) {
                continue;
            }
            let is_program = entry.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
            self.add(&path, &mut entry, is_program, max_bytes)?;
        }
        Ok(())
    }

    /// Adds a file. It is read no further than the bounds go, whatever size was announced.
    fn add(
        &mut self,
        path: &str,
        content: impl Read,
        is_program: bool,
        max_bytes: u64,
    ) -> Result<(), String> {
        let path = checked_path(path)?;
        if self.0.len() >= MAX_FILES {
            return Err(too_many());
        }
        let room = max_bytes - self.0.values().map(|file| file.bytes.len() as u64).sum::<u64>();
        let mut bytes = Vec::new();
        content
            .take(room + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| format!("{}: {error}", quote(&path)))?;
        if bytes.len() as u64 > room {
            return Err(format!("its files are larger than {} MiB together", max_bytes >> 20));
        }
        let shown = quote(&path);
        // Two files of one name, or a file where another has a folder.
        let clashes = self
            .0
            .keys()
            .any(|known| known.starts_with(&format!("{path}/")) || path.starts_with(&format!("{known}/")));
        if clashes || self.0.insert(path, SubmittedFile { bytes, is_program }).is_some() {
            return Err(format!("{shown} is in it twice"));
        }
        Ok(())
    }

    /// Takes a folder off that everything is in: many people pack the folder rather than its files.
    fn leave_outer_folder(&mut self) {
        while let Some(outer) = self.outer_folder() {
            let files = std::mem::take(&mut self.0);
            self.0 = files.into_iter().map(|(path, file)| (path[outer.len()..].to_owned(), file)).collect();
        }
    }

    fn outer_folder(&self) -> Option<String> {
        let first = self.0.keys().next()?;
        let outer = &first[..=first.find('/')?];
        self.0.keys().all(|path| path.starts_with(outer)).then(|| outer.to_owned())
    }
}

/// The path of an entry. Many programs write UTF-8 without saying so, and no other encoding looks like it.
fn name_in_zip<R: Read>(entry: &zip::read::ZipFile<R>) -> Result<String, zip::result::ZipError> {
    match std::str::from_utf8(entry.name_raw()) {
        Ok(name) => Ok(name.to_owned()),
        Err(_) => entry.name().map(std::borrow::Cow::into_owned),
    }
}

/// Unpacks what a learning platform has exported, a ZIP of submissions, into a folder that exists. The submissions themselves are looked at
/// later.
///
/// # Errors
/// If it is larger than an export may be, holds paths that lead elsewhere, or cannot be read or written; the reason in words.
pub(super) fn unpack_export(path: &Path, into: &Path) -> Result<(), String> {
    let broken = |error: zip::result::ZipError| format!("the ZIP cannot be read: {error}");
    let mut archive = zip::ZipArchive::new(File::open(path).map_err(cannot_read)?).map_err(broken)?;
    if archive.len() > MAX_EXPORT_FILES {
        return Err(format!("it holds more than {MAX_EXPORT_FILES} files"));
    }
    let mut left = MAX_EXPORT_BYTES;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(broken)?;
        let place = checked_path(&name_in_zip(&entry).map_err(broken)?)?;
        // Links of a submission are refused with that submission, which is a ZIP of its own then.
        if entry.is_dir() || entry.is_symlink() {
            continue;
        }
        let place = into.join(place);
        let write = || {
            fs::create_dir_all(place.parent().unwrap_or(into))?;
            io::copy(&mut entry.take(left + 1), &mut File::create_new(&place)?)
        };
        let written = write().map_err(|error| format!("it cannot be unpacked: {error}"))?;
        left = left
            .checked_sub(written)
            .ok_or_else(|| format!("its files are larger than {} MiB together", MAX_EXPORT_BYTES >> 20))?;
    }
    Ok(())
}

/// Whether a folder holds what a compiler of Rust leaves beside the program: much, and of no use to a referee.
fn is_by_product(folder: &str) -> bool {
    let mut parts = folder.rsplit('/');
    match [parts.next(), parts.next(), parts.next()] {
        [Some("debug"), Some("target"), _] => true,
        [Some(name), Some("release"), Some("target")] => {
            ["deps", "build", "incremental", "examples", ".fingerprint"].contains(&name)
        }
        _ => false,
    }
}

/// A path that leads nowhere but down, in its usual form.
fn checked_path(path: &str) -> Result<String, String> {
    let fail = |why: &str| Err(format!("the path {} {why}", quote(path)));
    if path.len() > MAX_PATH || path.chars().any(|char| char.is_control() || char == '\\' || char == ':') {
        return fail("is too long or has characters that file names must not have");
    }
    let mut parts = Vec::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(part) => parts.extend(part.to_str()),
            Component::CurDir => {}
            _ => return fail("leads out of the submission"),
        }
    }
    match parts.len() {
        0 => fail("is empty"),
        depth if depth > MAX_DEPTH => fail("is too deep"),
        _ => Ok(parts.join("/")),
    }
}

fn too_many() -> String {
    format!("it holds more than {MAX_FILES} files")
}

fn cannot_read(error: io::Error) -> String {
    format!("it cannot be read: {error}")
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn zipped(entries: &[(&str, &[u8])]) -> Cursor<Vec<u8>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
            writer.write_all(bytes).expect("its bytes");
        }
        writer.finish().expect("a ZIP")
    }

    fn refusal(zip: Cursor<Vec<u8>>) -> String {
        Files::read_zip(zip).expect_err("it is to be refused")
    }

    #[test]
    fn a_zip_is_read_without_litter_and_outer_folders() {
        let zip = zipped(&[
            ("dana/agent.py", b"x"),
            ("dana/lib/help.py", b"yy"),
            ("__MACOSX/dana/._agent.py", b"z"),
            ("dana/__pycache__/agent.pyc", b"z"),
            ("dana/target/debug/agent", b"z"),
            ("dana/target/release/deps/agent-1", b"z"),
            ("dana/target/release/agent", b"a"),
            ("dana/deps/x", b"a"),
        ]);
        let files = Files::read_zip(zip).expect("it is in order");
        assert_eq!(
            files.0.keys().collect::<Vec<_>>(),
            ["agent.py", "deps/x", "lib/help.py", "target/release/agent"]
        );
        assert_eq!(files.0["lib/help.py"].bytes, b"yy");
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        for path in ["../x", "/etc/passwd", "a/../../x", "a\\..\\x", "C:x", "a\nb", "./../x"] {
            let fault = refusal(zipped(&[("agent.py", b""), (path, b"")]));
            assert!(fault.contains("leads out") || fault.contains("must not have"), "{path}: {fault}");
        }
        let deep = "a/".repeat(30) + "x";
        assert!(refusal(zipped(&[(&deep, b"")])).contains("too deep"));
        let long = "a".repeat(300);
        assert!(refusal(zipped(&[(&long, b"")])).contains("too long"));
        assert_eq!(checked_path("./a/./b"), Ok("a/b".to_owned()));
    }

    #[test]
    fn links_are_refused() {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_symlink("agent.py", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
        assert!(refusal(writer.finish().expect("a ZIP")).contains("link"));
    }

    #[test]
    fn bombs_are_refused() {
        // Zeros take a thousandth of their size in a ZIP.
        let half = vec![0; (1 << 20) - 10];
        let zip = zipped(&[("agent.py", &half), ("more.py", &half)]);
        assert!(zip.get_ref().len() < 1 << 14, "it is small outside");
        assert!(Files::read_zip_within(zip.clone(), 2 << 20).is_ok());
        assert!(Files::read_zip_within(zip, 1 << 20).is_err_and(|fault| fault.contains("larger than 1 MiB")));
        let names: Vec<String> = (0..MAX_FILES + 1).map(|number| format!("f{number}")).collect();
        let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        assert!(refusal(zipped(&many)).contains("more than 1000 files"));
    }

    #[test]
    fn a_file_cannot_be_a_folder_too() {
        assert!(refusal(zipped(&[("a", b""), ("a/b", b"")])).contains("twice"));
    }

    #[test]
    fn what_is_no_zip_is_refused() {
        assert!(refusal(Cursor::new(b"hello".to_vec())).contains("cannot be read"));
        let mut cut = zipped(&[("agent.py", &[7; 10_000])]).into_inner();
        let middle = cut.len() / 2;
        cut.truncate(middle);
        assert!(refusal(Cursor::new(cut)).contains("cannot be read"));
    }

    #[test]
    fn fingerprints_tell_contents_apart() {
        let of =
            |entries: &[(&str, &[u8])]| Files::read_zip(zipped(entries)).expect("in order").fingerprint();
        let one = of(&[("a", b"bc"), ("d", b"")]);
        assert_eq!(one, of(&[("d", b""), ("a", b"bc")]));
        for other in [of(&[("a", b"b"), ("d", b"")]), of(&[("ab", b"c"), ("d", b"")]), of(&[("a", b"bc")])] {
            assert_ne!(one, other);
        }
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_read_by_the_same_rules() {
        let base = std::env::temp_dir().join(format!("agon-archive-{}", std::process::id()));
        crate::folder::write(&base, &[("agent.py", "x"), ("lib/a.py", "y"), ("__pycache__/b", "z")])
            .expect("files");
        let files = Files::read(&base).expect("in order");
        assert_eq!(files.0.keys().collect::<Vec<_>>(), ["agent.py", "lib/a.py"]);
        std::os::unix::fs::symlink("/etc/passwd", base.join("lib/link")).expect("a link");
        assert!(Files::read(&base).expect_err("a link").contains("'lib/link' is a link"));
        fs::remove_dir_all(&base).expect("it is ours");
    }
}
