//! An agent's command line, and the folder that is its own.
//!
//! An agent's folder is that of the first file that its command names; it is started there. Files are named by whoever writes the command,
//! from where they are: they are made absolute, so that the change of folder does not matter.

use std::path::{Path, PathBuf};

use agon_players::external::CommandLine;

/// Interpreters that have threads of their own before a program has started any.
const THREADED: [&str; 2] = ["java", "node"];
/// What they need, on machines of any size.
const MANY_THREADS: u32 = 64;

/// How many threads the program of a command needs if its agent starts none.
pub fn least_threads(program: &Path) -> u32 {
    let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if THREADED.contains(&name) { MANY_THREADS } else { 1 }
}

/// A command that can be started anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentProgram {
    /// The program and its arguments, with absolute paths.
    pub command: CommandLine,
    /// The agent's own folder; `None` if the command names no file.
    pub folder: Option<PathBuf>,
}

impl AgentProgram {
    /// Reads a command line whose files are named from `base`.
    ///
    /// # Errors
    /// If it cannot be read, or there is no such program; the fault in words.
    pub fn parse(text: &str, base: &Path) -> Result<Self, String> {
        let CommandLine { program, arguments } = CommandLine::parse(text)?;
        let absolute = |path: &Path| std::path::absolute(base.join(path)).unwrap_or_else(|_| path.to_owned());
        // A program that is named by its path is the agent's own; one that was looked up is an interpreter.
        let is_own = program.to_str().is_some_and(|path| text.contains(path));
        let program = absolute(&program);
        let mut own: Vec<PathBuf> = is_own.then(|| program.clone()).into_iter().collect();
        let arguments = arguments
            .into_iter()
            .map(|argument| {
                let path = absolute(Path::new(&argument));
                match path.to_str().filter(|_| !argument.starts_with('-') && path.is_file()) {
                    Some(text) => {
                        own.push(path.clone());
                        text.to_owned()
                    }
                    None => argument,
                }
            })
            .collect();
        let folder = own.first().and_then(|file| file.parent()).map(Path::to_owned);
        Ok(Self { command: CommandLine { program, arguments }, folder })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_that_of_the_first_file() {
        let base = std::env::temp_dir().join(format!("agon-program-{}", std::process::id()));
        crate::folder::write(&base, &[("mine/agent.sh", "x"), ("other.txt", "y")]).expect("files");
        let found = AgentProgram::parse("sh -e mine/agent.sh other.txt plain", &base).expect("a shell");
        assert_eq!(found.folder, Some(base.join("mine")));
        let text = |path: &str| base.join(path).to_str().expect("plain").to_owned();
        let expected = ["-e".to_owned(), text("mine/agent.sh"), text("other.txt"), "plain".to_owned()];
        assert_eq!(found.command.arguments, expected);
        let quoted = AgentProgram::parse("'sh' 'mine/agent.sh'", &base).expect("a shell");
        assert_eq!(quoted.folder, Some(base.join("mine")));
        assert_eq!(AgentProgram::parse("sh -c true", &base).expect("a shell").folder, None);
        std::fs::remove_dir_all(&base).expect("it is ours");
        assert_eq!(AgentProgram::parse("/bin/sh", &base).expect("a shell").folder, Some(PathBuf::from("/bin")));
    }
}
