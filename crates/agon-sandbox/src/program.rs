//! What a program needs besides its own folder: its interpreter and the libraries of that.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use agon_players::external::CommandLine;

/// Folders of the system, which every program may read.
pub(crate) const SYSTEM: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// How many scripts may be run by scripts.
const MAX_SCRIPTS: usize = 4;

/// A program, and what it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The file to start.
    pub(crate) program: PathBuf,
    /// Files and folders outside of those of the system.
    pub(crate) readable: Vec<PathBuf>,
    /// Where the program looks for others, before the usual places.
    pub(crate) search: Vec<PathBuf>,
}

/// What is known about programs: those of one tournament are started again and again.
type Known = HashMap<(PathBuf, Option<PathBuf>), Needs>;

impl Needs {
    /// Finds out what the program of `command` needs; `folder` is its own.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn of(command: &CommandLine, folder: Option<&Path>) -> io::Result<Self> {
        static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
        let key = (command.program.clone(), folder.map(Path::to_owned));
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(needs) = known.get(&key) {
            return Ok(needs.clone());
        }
        let mut needs = Self::default();
        needs.program = needs.follow(&command.program, folder, MAX_SCRIPTS)?;
        needs.readable.sort();
        needs.readable.dedup();
        known.insert(key, needs.clone());
        Ok(needs)
    }

    /// Adds what the program at `path` needs, and says which file it really is.
    fn follow(&mut self, path: &Path, folder: Option<&Path>, scripts: usize) -> io::Result<PathBuf> {
        let path = absolute(path, folder)?;
        let real = fs::canonicalize(&path)?;
        // Whatever lies in the agent's folder is as untrusted as the agent: it is not run to be asked.
        let is_own = folder.is_some_and(|folder| real.starts_with(folder));
        if !is_own
            && is_python(&path)
            && let Some(python) = ask_python(&path)
        {
            self.add_search(&python.executable);
            for prefix in python.prefixes {
                self.add_prefix(&prefix, folder);
            }
            self.add(&python.executable);
            self.add(&fs::canonicalize(&python.executable)?);
            return Ok(python.executable);
        }
        self.add(&path);
        self.add(&real);
        let mut interpreter = None;
        if scripts > 0 {
            interpreter = shebang(&real)?;
        }
        if let Some(interpreter) = interpreter {
            self.follow(&interpreter, folder, scripts - 1)?;
        } else if !is_own {
            self.add_search(&path);
            self.add_libraries(&real, folder);
        }
        Ok(path)
    }

    fn add(&mut self, path: &Path) {
        if !SYSTEM.iter().any(|folder| path.starts_with(folder)) {
            self.readable.push(path.to_owned());
        }
    }

    fn add_search(&mut self, program: &Path) {
        self.search.extend(program.parent().map(Path::to_owned));
    }

    /// Adds the folder that an interpreter is installed in; only its libraries, if that holds other things as well.
    fn add_prefix(&mut self, prefix: &Path, folder: Option<&Path>) {
        let Ok(prefix) = fs::canonicalize(prefix) else { return };
        let is_home = env::home_dir().is_some_and(|home| home.starts_with(&prefix));
        if is_home || folder.is_some_and(|folder| folder.starts_with(&prefix)) {
            self.add_parts(&prefix);
        } else {
            self.add(&prefix);
        }
    }

    fn add_parts(&mut self, prefix: &Path) {
        for part in ["lib", "lib64", "libexec"] {
            let part = prefix.join(part);
            if part.is_dir() {
                self.add(&part);
            }
        }
    }

    /// Adds the libraries that come with the executable file `real`.
    fn add_libraries(&mut self, real: &Path, folder: Option<&Path>) {
        let Some(prefix) = real.parent().filter(|bin| bin.ends_with("bin")).and_then(Path::parent) else {
            return;
        };
        // A Java installation says of itself what it is.
        if prefix.join("lib/modules").is_file() && prefix.join("release").is_file() {
            self.add_prefix(prefix, folder);
        } else {
            self.add_parts(prefix);
        }
    }
}

/// The path from the root; a relative one from our working folder, or else from the program's own.
fn absolute(path: &Path, folder: Option<&Path>) -> io::Result<PathBuf> {
    let from_here = std::path::absolute(path)?;
    Ok(match folder {
        Some(folder) if !from_here.exists() => folder.join(path),
        _ => from_here,
    })
}

/// The interpreter that the first line of a script names.
fn shebang(file: &Path) -> io::Result<Option<PathBuf>> {
    let mut start = Vec::new();
    File::open(file)?.take(256).read_to_end(&mut start)?;
    let Some(line) = start.strip_prefix(b"#!") else { return Ok(None) };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    if Path::new(first).file_name().is_some_and(|name| name == "env") {
        let name = words.find(|word| !word.starts_with('-') && !word.contains('='));
        return Ok(name.and_then(|name| CommandLine::parse(name).ok()).map(|command| command.program));
    }
    Ok(Some(PathBuf::from(first)))
}

fn is_python(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.starts_with("python") || name.starts_with("pypy")
}

/// Where an interpreter of Python is.
struct Python {
    executable: PathBuf,
    prefixes: Vec<PathBuf>,
}

/// Asks an interpreter where it is, because it may be a script of a version manager, or part of a virtual environment.
fn ask_python(path: &Path) -> Option<Python> {
    let script = "import sys; print(sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sep='\\n')";
    let mut asked = Command::new(path);
    asked.args(["-I", "-c", script]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = asked.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut lines = text.lines().map(PathBuf::from);
    let executable = lines.next().filter(|path| path.is_file())?;
    Some(Python { executable, prefixes: lines.filter(|prefix| prefix.is_absolute()).collect() })
}
