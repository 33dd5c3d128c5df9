//! Submissions of a course: a folder of folders and ZIPs becomes the players of a tournament file.
//!
//! Every submission is copied when it is first seen, and never changed: a new one of the same author is a new version. The newest valid
//! version plays; those that are rejected are kept on record with the reason. What was imported is listed in `submissions.json` beside the
//! copies.

mod archive;
mod collection;
mod entry;
mod interpreter;
mod syntax;
pub mod tournament;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_arena::authors::Author;
use agon_arena::report::folder_name;
use agon_arena::tournament::SubmissionRules;
use agon_core::text::quote;
use agon_files::replace;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use archive::{CHECK_FOLDER, Files, MAX_ZIP, SubmittedFile};
use collection::{Candidate, Ignored, Owner, Source, candidates};
pub use entry::Entry;
pub use interpreter::Interpreter;

use crate::{folder, kit};

/// The longest name of an author, in characters.
const MAX_NAME: usize = 60;
/// The file in which a submission names its authors.
const AUTHORS: &str = "submissions.txt";
/// The file that lists what was imported.
const LIST: &str = "submissions.json";
/// The largest list that is read back, in bytes.
const MAX_LIST: u64 = 64 << 20;

/// One version of somebody's agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// Whose it is.
    pub name: String,
    /// 1 for the first, and so on.
    pub version: u32,
    /// Tells its content from others.
    pub fingerprint: String,
    /// Why it may not play; `null` if it may.
    pub rejected: Option<String>,
    /// Its command, relative to the tournament file; empty if it was rejected.
    pub command: Vec<String>,
    /// Its protocol.
    pub protocol: String,
    /// The number that a learning platform knows its author by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The file with its authors, relative to the tournament file; empty if they are not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub authors: String,
    /// The rules by which it was rejected, if there were any; by others it is judged again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
}

/// What an import found about one folder or ZIP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// Whose it is.
    pub name: String,
    /// The version that it became or already was; 0 for what is no submission at all.
    pub version: u32,
    /// Whether it was there before.
    pub known: bool,
    /// Why it may not play, if so.
    pub rejected: Option<String>,
    /// The version of this author that plays; `null` if none does.
    pub plays: Option<u32>,
}

/// What is to be imported, and where to.
pub struct Import<'a> {
    /// The folder of submissions, or a ZIP of it, as a learning platform exports it.
    pub folder: &'a Path,
    /// The tournament file.
    pub out: &'a Path,
    /// The game of a new tournament file.
    pub game: &'a str,
}

impl Import<'_> {
    /// Imports what is new and rewrites the players of the tournament file.
    ///
    /// # Errors
    /// If files cannot be read or written, or the tournament file has no place for submissions; what was imported before stays as it is.
    pub fn run(&self) -> io::Result<Vec<Found>> {
        let stem = self.out.file_stem().and_then(|stem| stem.to_str()).unwrap_or("tournament").to_owned();
        let text = match fs::read_to_string(self.out) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => tournament::new_file(&stem, self.game),
            Err(error) => return Err(about(self.out, &error)),
        };
        // A file without marks is refused before anything is copied.
        tournament::with_players(&text, &[]).map_err(|fault| about(self.out, &fault))?;
        let rules =
            SubmissionRules::read(&self.out.display().to_string(), &text).map_err(io::Error::other)?;
        let store = Store {
            folder: self.out.with_file_name(format!("{stem}-agents")),
            name: format!("{stem}-agents"),
            rules,
        };
        let mut list = store.read()?;
        let export = Export::open(self.folder, &store.folder)?;
        let (candidates, ignored) = candidates(export.folder())?;
        let mut found = Vec::new();
        let mut candidates = candidates.into_iter().peekable();
        while let Some(Candidate { owner, source }) = candidates.next() {
            // An author may have handed in a folder and a ZIP.
            let is_newest = candidates.peek().is_none_or(|next| next.owner != owner);
            let name = name_of(&owner, &list);
            if !is_name(&name) {
                let fault = "its name cannot be that of a player".to_owned();
                found.push(Found {
                    name: quote(&name),
                    version: 0,
                    known: false,
                    rejected: Some(fault),
                    plays: None,
                });
                continue;
            }
            // Players are told apart by their names, in which capitals do not count.
            let lower = name.to_lowercase();
            let other = list.iter().find(|known| known.name != name && known.name.to_lowercase() == lower);
            found.push(match other {
                Some(other) => {
                    let fault = format!("another submission is called {}", quote(&other.name));
                    Found { name: quote(&name), version: 0, known: false, rejected: Some(fault), plays: None }
                }
                None => store.take(&mut list, name, owner, &source, is_newest)?,
            });
        }
        found.extend(ignored.into_iter().map(|Ignored { name, reason }| Found {
            name,
            version: 0,
            known: false,
            rejected: Some(reason),
            plays: None,
        }));
        for one in &mut found {
            one.plays = playing(&list, &one.name).map(|submission| submission.version);
        }
        let names: BTreeSet<&str> = list.iter().map(|submission| submission.name.as_str()).collect();
        let players: Vec<&Submission> = names.iter().filter_map(|name| playing(&list, name)).collect();
        let text = tournament::with_players(&text, &players).map_err(|fault| about(self.out, &fault))?;
        // The list first: a tournament file never names what is not on it.
        store.write(&list)?;
        replace(self.out, text.as_bytes()).map_err(|error| about(self.out, &error))?;
        Ok(found)
    }
}

/// What an owner is called as a player: by the name, and by the number as well where somebody else has the name already.
fn name_of(Owner { name, id }: &Owner, list: &[Submission]) -> String {
    let Some(id) = id else { return name.clone() };
    let numbered = format!("{name} ({id})");
    let is_taken =
        list.iter().any(|known| known.name == *name && known.id.as_ref().is_some_and(|other| other != id));
    if is_taken { numbered } else { name.clone() }
}

/// A folder of submissions, which may have to be unpacked first. Dropped, what was unpacked goes.
enum Export<'a> {
    Folder(&'a Path),
    Unpacked { draft: PathBuf, folder: PathBuf },
}

impl<'a> Export<'a> {
    fn open(path: &'a Path, beside: &Path) -> io::Result<Self> {
        if !path.is_file() {
            return Ok(Self::Folder(path));
        }
        let draft = beside.join(".export.part");
        if draft.exists() {
            fs::remove_dir_all(&draft)?;
        }
        fs::create_dir_all(&draft)?;
        let mut export = Self::Unpacked { folder: draft.clone(), draft: draft.clone() };
        archive::unpack_export(path, &draft).map_err(|fault| about(path, &fault))?;
        // Some platforms pack a folder rather than what is in it.
        let entries: Vec<PathBuf> =
            fs::read_dir(&draft)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        if let ([only], Self::Unpacked { folder, .. }) = (&entries[..], &mut export)
            && only.is_dir()
            && collection::holds_submissions(only)?
        {
            folder.clone_from(only);
        }
        Ok(export)
    }

    fn folder(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::Unpacked { folder, .. } => folder,
        }
    }
}

impl Drop for Export<'_> {
    fn drop(&mut self) {
        if let Self::Unpacked { draft, .. } = self {
            let _ = fs::remove_dir_all(draft);
        }
    }
}

/// The newest version of somebody's agent that may play.
fn playing<'a>(list: &'a [Submission], name: &str) -> Option<&'a Submission> {
    list.iter().rev().find(|submission| submission.name == name && submission.rejected.is_none())
}

/// Whether something can be the name of a player.
pub fn is_name(name: &str) -> bool {
    let is_bad = |char: char| char.is_control() || char == '|';
    !name.is_empty() && name.chars().count() <= MAX_NAME && name.trim() == name && !name.contains(is_bad)
}

/// Where copies are kept.
struct Store {
    folder: PathBuf,
    /// The folder as the tournament file names it.
    name: String,
    /// What may be handed in.
    rules: SubmissionRules,
}

impl Store {
    fn read(&self) -> io::Result<Vec<Submission>> {
        let path = self.folder.join(LIST);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Ok(data) if data.len() > MAX_LIST => return Err(about(&path, &"it is too large")),
            _ => {}
        }
        let bytes = fs::read(&path).map_err(|error| about(&path, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| about(&path, &error))
    }

    fn write(&self, list: &[Submission]) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        replace(&self.folder.join(LIST), &serde_json::to_vec_pretty(list)?)
    }

    /// Takes a submission in, unless it is the one that its author handed in last; or any earlier one, if there is a newer one beside
    /// it, which would otherwise be replaced by it at every import.
    fn take(
        &self,
        list: &mut Vec<Submission>,
        name: String,
        owner: Owner,
        source: &Source,
        is_newest: bool,
    ) -> io::Result<Found> {
        let read = source.read();
        // What cannot be read is told apart by the reason.
        let fingerprint = match &read {
            Ok(files) => files.fingerprint(),
            Err(reason) => archive::hex(&Sha256::digest(reason.as_bytes())),
        };
        let rules = if self.rules == SubmissionRules::default() {
            String::new()
        } else {
            serde_json::to_string(&self.rules)?
        };
        let mut versions = list.iter().rev().filter(|submission| submission.name == name).peekable();
        let last = versions.peek().map_or(0, |last| last.version);
        let is_known = |one: &&Submission| {
            one.fingerprint == fingerprint && (one.rejected.is_none() || one.rules == rules)
        };
        let known = versions.take(if is_newest { 1 } else { usize::MAX }).find(is_known);
        if let Some(known) = known {
            let (version, rejected) = (known.version, known.rejected.clone());
            return Ok(Found { name, version, known: true, rejected, plays: None });
        }
        let version = last + 1;
        let mut submission = Submission {
            name: name.clone(),
            version,
            fingerprint,
            id: owner.id.clone(),
            ..Submission::default()
        };
        match read.and_then(|files| {
            let entry = Entry::of(&files)?;
            let authors = judge(&files, &entry, &self.rules)?;
            Ok((files, entry, authors))
        }) {
            Ok((files, entry, authors)) => {
                let place = format!("{}/{version}", folder_name(&self.folder, &name));
                let copy = self.folder.join(&place);
                if copy.exists() {
                    // Of an import that was cut short before it was listed.
                    fs::remove_dir_all(&copy)?;
                }
                folder::create(&copy, |folder| copy_in(&files, &entry, folder))?;
                submission.command = entry.from(&format!("{}/{place}", self.name));
                submission.protocol = entry.protocol;
                let on_the_platform =
                    owner.id.map(|id| vec![Author { name: owner.name, id, email: String::new() }]);
                if let Some(authors) = authors.or(on_the_platform) {
                    let file = format!("{place}-authors.txt");
                    replace(&self.folder.join(&file), Author::file(&authors).as_bytes())?;
                    submission.authors = format!("{}/{file}", self.name);
                }
            }
            Err(reason) => {
                submission.rejected = Some(reason);
                submission.rules = rules;
            }
        }
        let rejected = submission.rejected.clone();
        list.push(submission);
        Ok(Found { name, version, known: false, rejected, plays: None })
    }
}

/// Judges a submission whose command is known, without running anything of it, and says who has written it, if it says so itself.
///
/// # Errors
/// Why it may not play, in words.
pub fn judge(files: &Files, entry: &Entry, rules: &SubmissionRules) -> Result<Option<Vec<Author>>, String> {
    let sizes = files.0.iter().map(|(path, file)| (path.as_str(), file.bytes.len() as u64));
    let own = entry.command.iter().zip(&entry.own).filter(|(_, own)| **own);
    let programs: Vec<&str> = own.map(|(word, _)| word.as_str()).collect();
    if let Some(fault) = rules.fault(sizes, &programs) {
        return Err(fault);
    }
    syntax::check(files, entry)?;
    authors(files)
}

/// Who has written a submission, if it says so itself.
///
/// # Errors
/// What is wrong with the file that says so.
pub fn authors(files: &Files) -> Result<Option<Vec<Author>>, String> {
    let Some(file) = files.0.get(AUTHORS) else { return Ok(None) };
    let text = std::str::from_utf8(&file.bytes).map_err(|_| format!("{AUTHORS} is not UTF-8"))?;
    Author::parse(AUTHORS, text).map(Some)
}

/// Copies the submission at `path`, a folder or a ZIP, into the empty folder `copy`, as an import does, and says how it is run there.
///
/// # Errors
/// If an import would reject it, or it cannot be written; the reason in words.
pub fn copy(path: &Path, copy: &Path) -> Result<Entry, String> {
    let files = Files::read(path)?;
    let entry = Entry::of(&files)?;
    judge(&files, &entry, &SubmissionRules::default())?;
    copy_in(&files, &entry, copy).map_err(|error| format!("it cannot be copied: {error}"))?;
    Ok(entry)
}

/// Writes a submission into an empty folder, ready to be run.
///
/// # Errors
/// If it cannot be written.
pub fn copy_in(files: &Files, entry: &Entry, folder: &Path) -> io::Result<()> {
    let mut files = files.clone();
    // A program of its own has to be one, whatever the ZIP has forgotten.
    if let Some(program) =
        entry.own.first().filter(|own| **own).and_then(|_| files.0.get_mut(&entry.command[0]))
    {
        program.is_program = true;
    }
    files.write(folder)?;
    if entry.needs_kit {
        kit::add_to(folder)?;
    }
    Ok(())
}

fn about(path: &Path, fault: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("{}: {fault}", path.display()))
}

#[cfg(test)]
mod tests;
