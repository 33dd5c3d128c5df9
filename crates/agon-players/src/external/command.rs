//! The command line of somebody's program: split as a shell would, and found where such programs lie.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use agon_core::text::quote;

/// A program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Where the program is.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Where programs lie beside the search path: Debian puts games outside of it, and engines that only other programs
/// start into the library folder of their package.
const MORE_FOLDERS: [&str; 3] = ["/usr/games", "/usr/local/games", "/usr/libexec"];
/// Folders whose own folders are looked into.
const LIBRARIES: [&str; 3] = ["/usr/lib", "/usr/libexec", "/usr/local/lib"];

impl CommandLine {
    /// Reads a command line and finds its program.
    ///
    /// # Errors
    /// If it is empty, has a quotation mark too few, or there is no such program; the fault in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = Self::words(text)?.into_iter();
        let name = words.next().ok_or("the command is empty: expected a program and its arguments")?;
        let program =
            find(&name).ok_or_else(|| format!("there is no program {} on this machine", quote(&name)))?;
        Ok(Self { program, arguments: words.collect() })
    }

    /// Splits `text` into words as a shell would. Single quotes keep everything, double quotes all but `\"` and `\\`, a backslash
    /// outside of them the character behind it. Nothing is expanded.
    ///
    /// # Errors
    /// If it has a quotation mark too few.
    pub fn words(text: &str) -> Result<Vec<String>, String> {
        split(text)
    }
}

fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            _ if char.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    let inner =
                        chars.next().ok_or_else(|| format!("a {char} is missing in {}", quote(text)))?;
                    match inner {
                        _ if inner == char => break,
                        '\\' if char == '"' => match chars.next() {
                            Some(escaped @ ('"' | '\\')) => word.push(escaped),
                            other => {
                                word.push('\\');
                                word.extend(other);
                            }
                        },
                        _ => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    Ok(words)
}

/// The file that `name` means: itself if it is a path, else the first of that name in the search path or in the
/// folders where Debian keeps games.
fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        let path = PathBuf::from(name);
        // A path is started from the working folder as it is.
        return is_program(&path).then_some(path);
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let libraries = LIBRARIES.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut folders = env::split_paths(&path)
        .chain(MORE_FOLDERS.iter().map(PathBuf::from))
        .chain(libraries.flatten().map(|entry| entry.path()));
    folders.find_map(|folder| Some(folder.join(OsStr::new(name))).filter(|path| is_program(path)))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| {
        #[cfg(unix)]
        let may_run = std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o111 != 0;
        #[cfg(not(unix))]
        let may_run = true;
        file.is_file() && may_run
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_would() {
        for (text, words) in [
            ("a  b\tc", vec!["a", "b", "c"]),
            ("'a b' \"c 'd'\"", vec!["a b", "c 'd'"]),
            (r#"a\ b "\"\\\n" ''"#, vec!["a b", r#""\\n"#, ""]),
            ("x'y'\"z\"", vec!["xyz"]),
            ("", vec![]),
        ] {
            assert_eq!(split(text), Ok(words.into_iter().map(str::to_owned).collect()), "{text}");
        }
        assert!(split("a 'b").is_err_and(|fault| fault.contains("a ' is missing")));
        assert!(split("\"a\\\"").is_err());
    }

    #[test]
    fn programs_are_found_and_missing_ones_are_named() {
        let command = CommandLine::parse("sh -c 'exit 3'").expect("every system has a shell");
        assert!(command.program.is_absolute() && command.program.ends_with("sh"));
        assert_eq!(command.arguments, ["-c", "exit 3"]);
        assert!(CommandLine::parse(" ").is_err_and(|fault| fault.contains("the command is empty")));
        let missing = CommandLine::parse("no-such-engine --fast");
        assert_eq!(missing, Err("there is no program 'no-such-engine' on this machine".to_owned()));
        assert!(CommandLine::parse("/etc/passwd").is_err(), "a file that is no program");
    }
}
