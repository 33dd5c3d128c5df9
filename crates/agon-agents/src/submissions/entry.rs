//! How a submission is run: `agent.py` is, and anything else says so itself in `agent.toml`.

use agon_arena::reader::{self, Section};
use agon_core::text::quote;
use agon_match::Language;

use super::archive::Files;

/// The file that describes agents in other languages.
pub(super) const DESCRIPTION: &str = "agent.toml";
/// What is run if there is no description.
pub(super) const PYTHON: &str = "agent.py";
/// The longest command, in words.
const MAX_WORDS: usize = 50;

/// How a submission is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The program and its arguments; paths are relative to the submission.
    pub command: Vec<String>,
    /// Which of the words name files of the submission.
    pub own: Vec<bool>,
    /// The protocol that it speaks.
    pub protocol: String,
    /// Whether it needs the Python kit beside it.
    pub needs_kit: bool,
}

impl Entry {
    /// Finds out how a submission is run.
    ///
    /// # Errors
    /// If that cannot be told; the reason in words.
    pub fn of(files: &Files) -> Result<Self, String> {
        if let Some(description) = files.0.get(DESCRIPTION) {
            return Self::described(&description.bytes, files);
        }
        let Some(source) = files.0.get(PYTHON) else {
            return Err(format!("there is neither {PYTHON} nor {DESCRIPTION} in it"));
        };
        Ok(Self::run_by("python3", &[], PYTHON, &source.bytes))
    }

    /// How the agent in `file` is run by an interpreter, which gets these arguments before it.
    pub(super) fn run_by(interpreter: &str, before: &[&str], file: &str, source: &[u8]) -> Self {
        // Agents that are written with the kit are run by it, so that nothing they print does harm. Others speak for themselves.
        let needs_kit = file.ends_with(".py") && String::from_utf8_lossy(source).contains("agon_agent");
        let kit: &[&str] = if needs_kit { &["-m", "agon_agent"] } else { &[] };
        let words = std::iter::once(&interpreter).chain(before).chain(kit).map(|word| (*word).to_owned());
        let mut command: Vec<String> = words.collect();
        let mut own = vec![false; command.len()];
        command.push(file.to_owned());
        own.push(true);
        Self { command, own, protocol: "jsonl".to_owned(), needs_kit }
    }

    fn described(bytes: &[u8], files: &Files) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| format!("{DESCRIPTION} is not UTF-8"))?;
        reader::parse(DESCRIPTION, text, |top| Self::read(top, files))
            .map_err(|mistakes| mistakes.to_string())
    }

    fn read(top: &Section, files: &Files) -> Option<Self> {
        const EXAMPLE: &str = r#"["java", "-jar", "agent.jar"]"#;
        if top.value("command").is_none() {
            top.doc.wrong(top.span(), format!("there is no command; expected command = {EXAMPLE}"));
        }
        let words = top.texts("command", EXAMPLE);
        let languages = Language::ALL.map(|language| (language.name(), language));
        let protocol = top.choice("protocol", &languages);
        top.close();
        let command: Vec<String> = words?.into_iter().map(|(word, _)| word.to_owned()).collect();
        let is_bad =
            |word: &String| word.is_empty() || word.len() > 200 || word.chars().any(char::is_control);
        if command.is_empty() || command.len() > MAX_WORDS || command.iter().any(is_bad) {
            top.wrong("command", format!("expected a list of 1 to {MAX_WORDS} words"));
            return None;
        }
        let needs_kit = command.iter().any(|word| word == "agon_agent");
        let entry = Self::new(command, files, protocol.unwrap_or(Language::Jsonl).name(), needs_kit);
        if !entry.own.contains(&true) {
            top.wrong("command", "none of its words names a file of the submission; is the agent built?");
        } else if entry.command[0].contains('/') && !entry.own[0] {
            let program = quote(&entry.command[0]);
            top.wrong("command", format!("there is no {program} in the submission; is the agent built?"));
        }
        Some(entry)
    }

    fn new(command: Vec<String>, files: &Files, protocol: &str, needs_kit: bool) -> Self {
        let command: Vec<String> = command
            .into_iter()
            .map(|word| match word.strip_prefix("./") {
                Some(rest) if files.0.contains_key(rest) => rest.to_owned(),
                _ => word,
            })
            .collect();
        let own = command.iter().map(|word| files.0.contains_key(word)).collect();
        Self { command, own, protocol: protocol.to_owned(), needs_kit }
    }

    /// The command seen from a folder from which the submission is at `path`.
    pub fn from(&self, path: &str) -> Vec<String> {
        let words = self.command.iter().zip(&self.own);
        words.map(|(word, own)| if *own { format!("{path}/{word}") } else { word.clone() }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::archive::SubmittedFile;
    use super::*;

    fn files(entries: &[(&str, &str)]) -> Files {
        let file = |text: &str| SubmittedFile { bytes: text.as_bytes().to_vec(), is_program: false };
        Files(entries.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect())
    }

    #[test]
    fn python_agents_are_run_by_the_kit_if_they_use_it() {
        let kit = Entry::of(&files(&[("agent.py", "from agon_agent import GameAgent")])).expect("an agent");
        assert_eq!(kit.from("agents/dana/1"), ["python3", "-m", "agon_agent", "agents/dana/1/agent.py"]);
        assert!(kit.needs_kit);
        let plain = Entry::of(&files(&[("agent.py", "import json")])).expect("an agent");
        assert_eq!(
            (plain.from("a"), plain.needs_kit),
            (vec!["python3".to_owned(), "a/agent.py".to_owned()], false)
        );
    }

    #[test]
    fn others_say_how_they_are_run() {
        let toml = "command = [\"java\", \"-jar\", \"./agent.jar\"]\nprotocol = \"ugi\"\n";
        let java = Entry::of(&files(&[("agent.toml", toml), ("agent.jar", ""), ("agent.py", "")]))
            .expect("an agent");
        assert_eq!(java.from("x"), ["java", "-jar", "x/agent.jar"]);
        assert_eq!(java.protocol, "ugi");
        let own =
            Entry::of(&files(&[("agent.toml", "command = [\"./agent\"]"), ("agent", "")])).expect("an agent");
        assert_eq!(own.from("x"), ["x/agent"]);
    }

    #[test]
    fn wrong_descriptions_are_refused() {
        for (toml, expected) in [
            ("command = []", "1 to 50 words"),
            ("command = [\"rm\", \"-rf\"]", "none of its words"),
            ("command = [\"./agent\", \"agent.toml\"]", "there is no './agent'"),
            (
                "command = [\"x\", \"agent.toml\"]\nprotocol = \"smtp\"",
                "agent.toml:2:12: protocol: 'smtp' is not known",
            ),
            ("command = [\"x\"]\nbuild = \"make\"", "agent.toml:2:1: there is no key 'build'"),
            ("command = \"x\"", "agent.toml:1:11: command: expected a list of texts"),
            ("", "agent.toml:1:1: there is no command; expected command ="),
            ("command = [\"java\"", "agent.toml:1:"),
        ] {
            let fault = Entry::of(&files(&[("agent.toml", toml)])).expect_err(toml);
            assert!(fault.contains(expected), "{toml}: {fault}");
        }
        assert!(Entry::of(&files(&[("main.py", "")])).expect_err("no agent").contains("neither agent.py"));
    }
}
