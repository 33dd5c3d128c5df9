//! Agents that a teacher has uploaded. Nothing in them says how they are run: that is an interpreter of ours and a file of theirs.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use agon_agents::folder;
use agon_agents::submissions::{
    Entry, Files, Interpreter, MAX_ZIP, Submission, authors, copy_in, is_name, judge,
};
use agon_arena::authors::Author;
use agon_arena::reader::bounded;
use agon_arena::report::folder_name;
use agon_arena::tournament::SubmissionRules;
use agon_core::text::or_list;
use agon_files::date_text;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::arena::{self, UploadedAgent};
use serde::Deserialize;

use agon_messages::Refused;

/// The largest upload, in bytes.
pub const MAX_UPLOAD: usize = MAX_ZIP as usize;
/// The most agents.
const MAX_AGENTS: usize = 500;
/// The most bytes of all agents together.
const MAX_TOTAL: u64 = 2 << 30;
/// The files of an agent.
const FILES: &str = "files";
/// What is known about it.
const CARD: &str = "agent.json";
/// The table `[submissions]`, as tournament files have it, beside the folder of agents.
const RULES: &str = "rules.toml";
/// The largest file of rules, in bytes.
const MAX_RULES: u64 = 64 << 10;
/// How a ZIP begins.
const ZIP: &[u8] = b"PK\x03\x04";

/// What is said about an upload besides its name.
#[derive(Clone, Debug, Deserialize)]
pub struct UploadTerms {
    /// The interpreter.
    pub interpreter: String,
    /// The file that it runs; `agent` with the first ending that it knows if left out.
    pub file: Option<String>,
}

/// The agents that have been uploaded.
pub(super) struct Uploads {
    folder: PathBuf,
    /// Held while something is written.
    writing: Mutex<()>,
}

fn invalid(reason: impl ToString) -> Refused {
    Refused::because(RefusalCode::Invalid, "refused.agent", reason)
}

fn failed(error: &dyn std::fmt::Display) -> Refused {
    tracing::error!(%error, "an agent cannot be stored");
    Refused::storage()
}

/// The interpreters of this machine, as browsers are told of them.
pub(super) fn interpreters() -> Vec<arena::Interpreter> {
    let told = |known: &Interpreter| arena::Interpreter {
        name: known.name.to_owned(),
        endings: known.endings.iter().map(|ending| (*ending).to_owned()).collect(),
    };
    Interpreter::available().into_iter().map(told).collect()
}

impl Uploads {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, writing: Mutex::default() }
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The folder of an agent, whatever its name.
    fn place(&self, name: &str) -> PathBuf {
        self.folder.join(folder_name(&self.folder, name))
    }

    /// What may be handed in: the rules that whoever runs the server has put beside the agents.
    fn rules(&self) -> Result<SubmissionRules, String> {
        match bounded(&self.folder.with_file_name(RULES), MAX_RULES) {
            Ok(text) => SubmissionRules::read(RULES, &text).map_err(|mistakes| mistakes.to_string()),
            Err(_) if !self.folder.with_file_name(RULES).exists() => Ok(SubmissionRules::default()),
            Err(fault) => Err(format!("{RULES} {fault}")),
        }
    }

    /// All of them, by name.
    pub(super) fn list(&self) -> Vec<UploadedAgent> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut agents: Vec<UploadedAgent> =
            entries.filter_map(|entry| card(&entry.path())).take(MAX_AGENTS).collect();
        agents.sort_by(|one, other| one.name.cmp(&other.name));
        agents
    }

    /// Takes an agent in: a ZIP, or a single file. One of the same name is replaced.
    pub(super) fn take(
        &self,
        name: &str,
        terms: &UploadTerms,
        bytes: Vec<u8>,
    ) -> Result<UploadedAgent, Refused> {
        if !is_name(name) {
            return Err(
                invalid("its name must have 1 to 60 characters, none of them | or invisible").about("name")
            );
        }
        let interpreter = interpreter(&terms.interpreter)?;
        let file = match &terms.file {
            Some(file) => file.clone(),
            None => format!("agent{}", interpreter.endings.first().unwrap_or(&"")),
        };
        let files = files(&file, bytes).map_err(invalid)?;
        let entry = interpreter.entry(&file, &files).map_err(|fault| invalid(fault).about("file"))?;
        judge(&files, &entry, &self.rules().map_err(invalid)?).map_err(invalid)?;
        let agent = UploadedAgent {
            name: name.to_owned(),
            interpreter: interpreter.name.to_owned(),
            file,
            files: files.0.len(),
            bytes: files.0.values().map(|file| file.bytes.len() as u64).sum(),
            uploaded: date_text(SystemTime::now()),
        };
        let _writing = self.writing();
        let others: Vec<UploadedAgent> = self.list().into_iter().filter(|other| other.name != name).collect();
        let lower = name.to_lowercase();
        if let Some(other) = others.iter().find(|other| other.name.to_lowercase() == lower) {
            return Err(invalid(format!("another agent is called {}", other.name)).about("name"));
        }
        let total: u64 = others.iter().map(|other| other.bytes).sum();
        if others.len() >= MAX_AGENTS || total + agent.bytes > MAX_TOTAL {
            return Err(Refused::plain(RefusalCode::Limit, "refused.too-many-agents"));
        }
        let place = self.place(name);
        let card = serde_json::to_vec(&agent).map_err(|error| failed(&error))?;
        if place.exists() {
            fs::remove_dir_all(&place).map_err(|error| failed(&error))?;
        }
        let write = |draft: &Path| {
            let own = draft.join(FILES);
            fs::create_dir(&own)?;
            files.write(&own)?;
            fs::write(draft.join(CARD), &card)
        };
        folder::create(&place, write).map_err(|error| failed(&error))?;
        Ok(agent)
    }

    /// Removes an agent.
    pub(super) fn remove(&self, name: &str) -> Result<(), Refused> {
        let _writing = self.writing();
        let place = self.place(name);
        card(&place).filter(|known| known.name == name).ok_or_else(|| unknown_agent(name))?;
        fs::remove_dir_all(&place).map_err(|error| failed(&error))
    }

    /// Copies an agent into the folder `agents` of a tournament, and says how it takes part.
    pub(super) fn copy(&self, name: &str, tournament: &Path) -> Result<Submission, Refused> {
        let place = self.place(name);
        let agent = card(&place).filter(|known| known.name == name).ok_or_else(|| unknown_agent(name))?;
        let files = Files::read(&place.join(FILES)).map_err(|error| failed(&error))?;
        let entry: Entry = interpreter(&agent.interpreter)?
            .entry(&agent.file, &files)
            .map_err(|fault| invalid(fault).about("agents"))?;
        let own = Path::new("agents").join(place.file_name().unwrap_or_default());
        let write = |draft: &Path| copy_in(&files, &entry, draft);
        folder::create(&tournament.join(&own), write).map_err(|error| failed(&error))?;
        let mut submission = Submission {
            name: agent.name,
            version: 1,
            fingerprint: files.fingerprint(),
            command: entry.from(&own.to_string_lossy()),
            protocol: entry.protocol,
            ..Submission::default()
        };
        // What was uploaded before authors were read may name them badly, and plays all the same.
        if let Ok(Some(authors)) = authors(&files) {
            submission.authors = format!("{}-authors.txt", own.display());
            fs::write(tournament.join(&submission.authors), Author::file(&authors))
                .map_err(|error| failed(&error))?;
        }
        Ok(submission)
    }
}

fn unknown_agent(name: &str) -> Refused {
    let name: String = name.chars().take(100).collect();
    Refused::new(RefusalCode::Unknown, "refused.unknown-agent", [("name", name.into())]).about("agents")
}

fn card(place: &Path) -> Option<UploadedAgent> {
    serde_json::from_slice(&fs::read(place.join(CARD)).ok()?).ok()
}

fn interpreter(name: &str) -> Result<&'static Interpreter, Refused> {
    let available = Interpreter::available();
    let known = available.iter().copied().find(|known| known.name == name);
    known.ok_or_else(|| {
        let names = or_list(available.iter().map(|known| known.name));
        invalid(format!("expected one of the interpreters of this server: {names}")).about("interpreter")
    })
}

/// The files of an upload. A ZIP is unpacked if the file to be run is in it; a Java archive is a ZIP, too, and stays as it is.
fn files(file: &str, bytes: Vec<u8>) -> Result<Files, String> {
    if !bytes.starts_with(ZIP) {
        return Files::single(file, bytes);
    }
    let unpacked = Files::read_zip(Cursor::new(&bytes))?;
    if !unpacked.0.contains_key(file) && file.ends_with(".jar") {
        return Files::single(file, bytes);
    }
    Ok(unpacked)
}
