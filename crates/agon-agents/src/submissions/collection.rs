//! What lies in a folder of submissions, and whose it is: folders and ZIPs that are named after their authors, or named as Moodle and Canvas
//! name what they export.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use agon_core::text::quote;

use super::archive::{CHECK_FOLDER, Files};
use super::entry::{DESCRIPTION, PYTHON};
use super::{about, is_name};

/// The most entries of the folder that are looked at.
const MAX_ENTRIES: usize = 20_000;
/// The most submissions.
const MAX_SUBMISSIONS: usize = 2000;
/// What Moodle writes between whom a file is of and what it is.
const MOODLE: &str = "_assignsubmission_";

/// A submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Whose it is.
    pub(super) owner: Owner,
    /// What was handed in.
    pub(super) source: Source,
}

/// Somebody who has handed something in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Owner {
    /// The name.
    pub(super) name: String,
    /// The number that a learning platform knows the person by.
    pub(super) id: Option<String>,
}

/// What was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A folder or a ZIP.
    Whole(PathBuf),
    /// Files that a platform has put beside those of others, under names of its own: the names that they had, and where they are.
    Parts(Vec<(String, PathBuf)>),
}

/// Something that is no submission, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ignored {
    pub(super) name: String,
    pub(super) reason: String,
}

/// The submissions in a folder by their owners, older ones first where somebody has several; and what else lies there.
///
/// # Errors
/// If it cannot be read, holds too much, or is a submission itself.
pub(super) fn candidates(folder: &Path) -> io::Result<(Vec<Candidate>, Vec<Ignored>)> {
    let mut wholes: Vec<(Owner, SystemTime, Source)> = Vec::new();
    let mut parts: BTreeMap<Owner, (SystemTime, Vec<(String, PathBuf)>)> = BTreeMap::new();
    let mut ignored = Vec::new();
    for (name, path) in entries(folder)? {
        let data = fs::symlink_metadata(&path)?;
        if name.starts_with('.') || name == CHECK_FOLDER || name == "__MACOSX" {
            continue;
        }
        if name == PYTHON || name == DESCRIPTION {
            let fault = format!(
                "it is a submission itself, for it holds {name}; expected a folder with a folder or ZIP for each author"
            );
            return Err(about(folder, &fault));
        }
        let mut ignore =
            |reason: &str| ignored.push(Ignored { name: quote(&name), reason: reason.to_owned() });
        if data.is_symlink() {
            ignore("it is a link");
            continue;
        }
        let time = data.modified()?;
        let (owner, part) = match platform_name(&name) {
            Some(Named { is_text: true, .. }) => {
                ignore("it is a text that was typed on the platform, and no file");
                continue;
            }
            Some(Named { owner, file, .. }) => (owner, Some(file)),
            None => {
                let stem = if data.is_file() { zip_stem(&name) } else { Some(name.as_str()) };
                let Some(stem) = stem else {
                    ignore("it is neither a folder nor a ZIP");
                    continue;
                };
                (Owner { name: stem.to_owned(), id: None }, None)
            }
        };
        if !is_name(&owner.name) {
            ignore("its name cannot be that of a player");
            continue;
        }
        match part {
            Some(file) if data.is_file() => {
                let (newest, list) = parts.entry(owner).or_insert((time, Vec::new()));
                *newest = time.max(*newest);
                list.push((file, path));
            }
            _ => wholes.push((owner, time, Source::Whole(path))),
        }
    }
    for (owner, (time, list)) in parts {
        wholes.push((owner, time, put_together(list)));
    }
    if wholes.len() > MAX_SUBMISSIONS {
        return Err(about(folder, &format!("it holds more than {MAX_SUBMISSIONS} submissions")));
    }
    wholes.sort_by(|one, other| (&one.0, one.1).cmp(&(&other.0, other.1)));
    let candidates = wholes.into_iter().map(|(owner, _, source)| Candidate { owner, source });
    Ok((candidates.collect(), ignored))
}

/// Whether a folder that stands alone in an export is a folder of submissions, and no submission.
///
/// # Errors
/// If it cannot be read.
pub(super) fn holds_submissions(folder: &Path) -> io::Result<bool> {
    let names: Vec<String> = entries(folder)?.into_iter().map(|(name, _)| name).collect();
    let own = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_agent = |name: &String| name == PYTHON || name == DESCRIPTION;
    let is_submission = |name: &String| {
        platform_name(name).is_some() || zip_stem(name).is_some() || folder.join(name).is_dir()
    };
    Ok(platform_name(&own).is_none() && !names.iter().any(is_agent) && names.iter().any(is_submission))
}

impl Source {
    /// Reads the files, within the bounds of submissions.
    ///
    /// # Errors
    /// If it breaks one, or cannot be read; the reason in words.
    pub(super) fn read(&self) -> Result<Files, String> {
        match self {
            Self::Whole(path) => Files::read(path),
            Self::Parts(parts) => Files::read_parts(parts),
        }
    }
}

/// The entries of a folder in the order of their names.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| about(folder, &error))? {
        let path = entry?.path();
        found.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path));
        if found.len() > MAX_ENTRIES {
            return Err(about(folder, &format!("it holds more than {MAX_ENTRIES} files")));
        }
    }
    found.sort();
    Ok(found)
}

/// A name without the ending of a ZIP.
fn zip_stem(name: &str) -> Option<&str> {
    name.strip_suffix(".zip").or_else(|| name.strip_suffix(".ZIP"))
}

/// One ZIP is a submission by itself; anything else goes together.
fn put_together(mut parts: Vec<(String, PathBuf)>) -> Source {
    match &parts[..] {
        [(name, path)] if zip_stem(name).is_some() => Source::Whole(path.clone()),
        _ => {
            // Canvas numbers files that were handed in again; `agent-1.py` is `agent.py`.
            let known: Vec<String> = parts.iter().map(|(name, _)| name.clone()).collect();
            for (name, _) in &mut parts {
                if let Some(plain) = without_number(name).filter(|plain| !known.contains(plain)) {
                    *name = plain;
                }
            }
            Source::Parts(parts)
        }
    }
}

/// `agent.py` of `agent-1.py`.
fn without_number(name: &str) -> Option<String> {
    let (stem, ending) = name.rsplit_once('.')?;
    let (stem, number) = stem.rsplit_once('-')?;
    is_number(number).then(|| format!("{stem}.{ending}"))
}

/// What the name of an exported file says.
#[derive(Debug, PartialEq, Eq)]
struct Named {
    owner: Owner,
    /// The name of the file that was handed in; empty for a folder of them.
    file: String,
    /// Whether it is what was typed into a field.
    is_text: bool,
}

/// Reads the name of a file or folder as Moodle (`Name_12345_assignsubmission_file_…`) or Canvas (`name_LATE_12345_67890_…`) writes it.
fn platform_name(name: &str) -> Option<Named> {
    moodle_name(name).or_else(|| canvas_name(name))
}

fn moodle_name(name: &str) -> Option<Named> {
    let (owner, what) = name.split_once(MOODLE)?;
    let (owner, id) = owner.rsplit_once('_').filter(|(_, id)| is_number(id))?;
    let (kind, file) = what.split_once('_').unwrap_or((what, ""));
    let owner = Owner { name: owner.trim().to_owned(), id: Some(id.to_owned()) };
    Some(Named { owner, file: file.to_owned(), is_text: kind != "file" })
}

fn canvas_name(name: &str) -> Option<Named> {
    let (owner, rest) = name.split_once('_')?;
    let rest = rest.strip_prefix("LATE_").unwrap_or(rest);
    let (id, rest) = rest.split_once('_').filter(|(id, _)| is_number(id))?;
    let (_, file) = rest.split_once('_').filter(|(number, _)| is_number(number))?;
    let owner = Owner { name: owner.trim().to_owned(), id: Some(id.to_owned()) };
    (!file.is_empty()).then(|| Named { owner, file: file.to_owned(), is_text: file == "text.html" })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_platforms_are_read() {
        let named = |name: &str| {
            let Named { owner: Owner { name, id }, file, is_text } = platform_name(name)?;
            Some((name, id?, file, is_text))
        };
        let read = |name: &str, id: &str, file: &str, is_text| {
            Some((name.to_owned(), id.to_owned(), file.to_owned(), is_text))
        };
        for (name, expected) in [
            ("דנה כהן_12345_assignsubmission_file_", read("דנה כהן", "12345", "", false)),
            ("Avi Levi_7_assignsubmission_file", read("Avi Levi", "7", "", false)),
            ("Noa_Bar_99_assignsubmission_file_my_agent.zip", read("Noa_Bar", "99", "my_agent.zip", false)),
            ("Avi Levi_7_assignsubmission_onlinetext_", read("Avi Levi", "7", "", true)),
            ("cohendana_12345_678_agent.zip", read("cohendana", "12345", "agent.zip", false)),
            ("cohendana_LATE_12345_678_my_agent-1.py", read("cohendana", "12345", "my_agent-1.py", false)),
            ("cohendana_12345_text.html", None),
            ("dana_agent.zip", None),
            ("dana", None),
            ("dana_1_2_", None),
            ("_assignsubmission_file_", None),
        ] {
            assert_eq!(named(name), expected, "{name}");
        }
    }

    #[test]
    fn numbers_of_files_that_were_handed_in_again_are_left_out() {
        assert_eq!(without_number("agent-1.py").as_deref(), Some("agent.py"));
        for name in ["agent.py", "agent-x.py", "agent-1", "-"] {
            assert_eq!(without_number(name), None, "{name}");
        }
    }
}
