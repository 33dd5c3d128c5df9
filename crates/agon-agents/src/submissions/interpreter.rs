//! Interpreters: how an agent is run of which nothing but a file is known.

use std::env;

use agon_core::text::{or_list, quote};

use super::archive::Files;
use super::entry::Entry;

/// An interpreter that runs agents.
#[derive(Debug, PartialEq, Eq)]
pub struct Interpreter {
    /// The name of the program.
    pub name: &'static str,
    /// How the files end that it runs.
    pub endings: &'static [&'static str],
    /// Arguments before the file.
    before: &'static [&'static str],
}

/// All that are known.
const INTERPRETERS: [Interpreter; 6] = [
    Interpreter { name: "python3", endings: &[".py"], before: &[] },
    Interpreter { name: "java", endings: &[".jar"], before: &["-jar"] },
    Interpreter { name: "node", endings: &[".js", ".mjs"], before: &[] },
    Interpreter { name: "ruby", endings: &[".rb"], before: &[] },
    Interpreter { name: "lua", endings: &[".lua"], before: &[] },
    Interpreter { name: "perl", endings: &[".pl"], before: &[] },
];

impl Interpreter {
    /// Those that this machine has.
    pub fn available() -> Vec<&'static Self> {
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> = env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        INTERPRETERS
            .iter()
            .filter(|interpreter| folders.iter().any(|folder| folder.join(interpreter.name).is_file()))
            .collect()
    }

    /// How the agent whose program is `file` is run.
    ///
    /// # Errors
    /// If it is not among `files`, or not one that this interpreter runs.
    pub fn entry(&self, file: &str, files: &Files) -> Result<Entry, String> {
        if !self.endings.iter().any(|ending| file.ends_with(ending)) {
            let endings = or_list(self.endings.iter().copied());
            return Err(format!("{} runs files that end in {endings}, and not {}", self.name, quote(file)));
        }
        let source = files.0.get(file).ok_or_else(|| format!("there is no {} in it", quote(file)))?;
        Ok(Entry::run_by(self.name, self.before, file, &source.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_file_is_the_agents_own() {
        let python = &INTERPRETERS[0];
        // A file that is called like the interpreter is not run in its place.
        let mut files = Files::single("python3", b"#!/bin/sh".to_vec()).expect("a file");
        files.0.extend(Files::single("agent.py", b"import agon_agent".to_vec()).expect("a file").0);
        files.0.extend(Files::single("-m", Vec::new()).expect("a file").0);
        let entry = python.entry("agent.py", &files).expect("an agent");
        assert_eq!(entry.from("x"), ["python3", "-m", "agon_agent", "x/agent.py"]);
        assert_eq!((entry.own, entry.needs_kit), (vec![false, false, false, true], true));
        let plain = Files::single("agent.py", b"import json".to_vec()).expect("a file");
        assert_eq!(python.entry("agent.py", &plain).expect("an agent").from("x"), ["python3", "x/agent.py"]);
        let java = &INTERPRETERS[1];
        let jar = Files::single("agent.jar", b"agon_agent".to_vec()).expect("a file");
        let entry = java.entry("agent.jar", &jar).expect("an agent");
        assert_eq!((entry.from("x").join(" "), entry.needs_kit), ("java -jar x/agent.jar".to_owned(), false));
        for (file, expected) in [
            ("agent.sh", "end in .py"),
            ("other.py", "there is no 'other.py'"),
            ("../agent.py", "there is no"),
        ] {
            let fault = python.entry(file, &plain).expect_err(file);
            assert!(fault.contains(expected), "{fault}");
        }
        for path in ["../agent.py", "/agent.py", "", "a\\b.py", &"x".repeat(300)] {
            Files::single(path, Vec::new()).expect_err(path);
        }
    }
}
