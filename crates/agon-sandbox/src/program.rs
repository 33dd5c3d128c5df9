//! What a program needs besides its own folder: its interpreter and the libraries of that.

use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use agon_core::text::quote;
use agon_players::external::{CommandLine, OurFault};

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

impl Needs {
    /// Finds out what the program of `command` needs; `folder` is its own.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn of(command: &CommandLine, folder: Option<&Path>) -> io::Result<Self> {
        let mut needs = Self::default();
        needs.program = needs.follow(&command.program, folder, MAX_SCRIPTS)?;
        needs.readable.sort();
        needs.readable.dedup();
        Ok(needs)
    }

    /// Adds what the program at `path` needs, and says which file to start.
    fn follow(&mut self, path: &Path, folder: Option<&Path>, scripts: usize) -> io::Result<PathBuf> {
        let path = absolute(path, folder)?;
        let real = fs::canonicalize(&path)?;
        let is_within = |path: &Path| folder.is_some_and(|folder| path.starts_with(folder));
        // Whatever lies in the agent's folder is as untrusted as the agent: it is not run to be asked, and it opens no other folders.
        let is_own = is_within(&resolve_folder(&path)?);
        if is_own && !is_within(&real) && !is_trusted(&real) {
            return Err(refusal(&path, "leads out of the agent's folder", &real));
        }
        let asked = if is_own { &real } else { &path };
        if !is_within(&real) && is_python(asked) {
            let python = Python::known(asked)?;
            self.add_search(&python.executable);
            for prefix in python.prefixes {
                self.add_prefix(&prefix, folder);
            }
            self.add(&python.executable);
            self.add(&fs::canonicalize(&python.executable)?);
            return Ok(if is_own { path } else { python.executable });
        }
        self.add(&path);
        self.add(&real);
        let interpreter = if scripts > 0 { shebang(&real)? } else { None };
        if let Some(interpreter) = interpreter {
            if is_own && !is_within(&interpreter) && !is_trusted(&interpreter) {
                return Err(refusal(&path, "names an interpreter that agents may not choose", &interpreter));
            }
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

/// The path with the real name of the folder that it is in.
fn resolve_folder(path: &Path) -> io::Result<PathBuf> {
    let (folder, name) = path.parent().zip(path.file_name()).ok_or(io::ErrorKind::InvalidInput)?;
    Ok(fs::canonicalize(folder)?.join(name))
}

/// Whether an agent may name this program by itself: one of the system's, or one that whoever runs the referee can start by its name.
fn is_trusted(program: &Path) -> bool {
    let is_of_system = |real: PathBuf| SYSTEM.iter().any(|folder| real.starts_with(folder));
    let search = env::var_os("PATH").unwrap_or_default();
    let is_known = |program: PathBuf| {
        env::split_paths(&search)
            .filter(|folder| folder.is_absolute())
            .filter_map(|folder| fs::canonicalize(folder).ok())
            .any(|folder| program.parent() == Some(&folder))
    };
    fs::canonicalize(program).is_ok_and(is_of_system) || resolve_folder(program).is_ok_and(is_known)
}

fn refusal(path: &Path, fault: &str, other: &Path) -> io::Error {
    let (path, other) = (path.to_string_lossy(), other.to_string_lossy());
    io::Error::other(format!("{} {fault}: {}", quote(&path), quote(&other)))
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
#[derive(Clone, Debug, PartialEq, Eq)]
struct Python {
    executable: PathBuf,
    prefixes: Vec<PathBuf>,
}

/// How often an interpreter is asked before we give up.
const QUESTIONS: u32 = 4;

impl Python {
    /// The interpreter at `path`, which is asked once for all agents: those of a tournament are started again and again.
    ///
    /// # Errors
    /// If it does not answer, which on a busy machine says nothing about the next time, and is not remembered.
    fn known(path: &Path) -> io::Result<Self> {
        static KNOWN: Mutex<Option<HashMap<PathBuf, Python>>> = Mutex::new(None);
        // Whoever else wants to know waits for the answer.
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(python) = known.get(path) {
            return Ok(python.clone());
        }
        let python = Self::ask_patiently(path, || Self::ask(path))?;
        known.insert(path.to_owned(), python.clone());
        Ok(python)
    }

    /// Asks until there is an answer, but not for ever.
    fn ask_patiently(path: &Path, mut ask: impl FnMut() -> io::Result<Self>) -> io::Result<Self> {
        let mut fault = String::new();
        for question in 0..QUESTIONS {
            thread::sleep(Duration::from_millis(50) * question);
            match ask() {
                Ok(python) => return Ok(python),
                Err(error) => fault = error.to_string(),
            }
        }
        let path = quote(&path.to_string_lossy());
        Err(OurFault::error(format!("the interpreter {path} does not say where it is installed: {fault}")))
    }

    /// Asks an interpreter where it is, because it may be a script of a version manager, or part of a virtual environment.
    fn ask(path: &Path) -> io::Result<Self> {
        let script =
            "import sys; print(sys.executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sep='\\n')";
        let mut asked = Command::new(path);
        asked.args(["-I", "-c", script]).stdin(Stdio::null()).stderr(Stdio::null());
        let output = asked.output()?;
        let fail = |fault: String| io::Error::other(fault);
        if !output.status.success() {
            return Err(fail(output.status.to_string()));
        }
        let text = String::from_utf8(output.stdout).map_err(|error| fail(error.to_string()))?;
        let mut lines = text.lines().map(PathBuf::from);
        let executable = lines.next().filter(|path| path.is_file());
        let executable = executable.ok_or_else(|| fail("it names no file".to_owned()))?;
        Ok(Self { executable, prefixes: lines.filter(|prefix| prefix.is_absolute()).collect() })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// Two agents' folders, and a program in each. Dropped, they are removed.
    struct Course(PathBuf);

    impl Course {
        fn new(name: &str) -> Self {
            let top = env::temp_dir().join(format!("agon-needs-{}-{name}", std::process::id()));
            for folder in ["mine/bin", "theirs/lib"] {
                fs::create_dir_all(top.join(folder)).expect("a folder can be made");
            }
            Self(fs::canonicalize(top).expect("it exists"))
        }

        fn program(&self, path: &str, text: &str) -> PathBuf {
            let path = self.0.join(path);
            fs::write(&path, text).expect("a file can be written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
            path
        }

        fn needs(&self, program: PathBuf) -> Result<Needs, String> {
            let command = CommandLine { program, arguments: Vec::new() };
            Needs::of(&command, Some(&self.0.join("mine"))).map_err(|error| error.to_string())
        }
    }

    impl Drop for Course {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_agent_cannot_open_other_folders_by_naming_them() {
        let course = Course::new("others");
        let theirs = course.program("theirs/agent", "secret");
        symlink(&theirs, course.0.join("mine/link")).expect("a link can be made");
        let fault = course.needs(course.0.join("mine/link")).expect_err("it leads out");
        assert!(fault.contains("leads out of the agent's folder"), "{fault}");
        for line in [format!("#!{}\n", theirs.display()), format!("#!/usr/bin/env {}\n", theirs.display())] {
            let script = course.program("mine/script", &line);
            let fault = course.needs(script).expect_err("it names another's file");
            assert!(fault.contains("names an interpreter that agents may not choose"), "{fault}");
        }
        let round_about = format!("#!/usr/..{}\n", theirs.display());
        assert!(course.needs(course.program("mine/other", &round_about)).is_err());
    }

    #[test]
    fn an_interpreter_of_the_agents_own_is_not_run_to_be_asked() {
        let course = Course::new("own");
        let mark = course.0.join("mark");
        let python = course.program("mine/bin/python3", &format!("#!/bin/sh\ntouch {}\n", mark.display()));
        let needs = course.needs(python.clone()).expect("it can be started");
        assert_eq!(needs.program, python);
        assert!(!mark.exists());
    }

    #[test]
    fn interpreters_are_found_by_name_and_by_path() {
        let course = Course::new("found");
        let shell = course.program("mine/shell", "#!/bin/sh\n");
        assert_eq!(course.needs(shell.clone()).expect("there is a shell").program, shell);
        let script = course.program("mine/script", "#!/usr/bin/env -S sh -e\n");
        let needs = course.needs(script.clone()).expect("there is a shell");
        assert_eq!((needs.program, needs.search.is_empty()), (script, false));
        // What the tournament file names may lie anywhere.
        let theirs = course.program("theirs/engine", "binary");
        let needs = course.needs(theirs.clone()).expect("it exists");
        assert_eq!(needs.readable, [theirs]);
    }

    #[test]
    fn an_interpreter_that_fails_once_is_asked_again_and_costs_nobody_a_game() {
        let course = Course::new("moody");
        // It fails every other time, and counts.
        let python = course.program(
            "theirs/python3",
            "#!/bin/sh\ncd $(dirname $0)\necho x >> count\n\
            [ $(($(wc -l < count) % 2)) = 1 ] && exit 1\nprintf '%s\\n/opt/a\\n/opt/a\\n/opt/a\\n' $PWD/python3\n",
        );
        let needs = course.needs(python.clone()).expect("it answers the second time");
        assert_eq!(needs.program, python);
        let asked = || fs::read_to_string(course.0.join("theirs/count")).expect("it counts").len() / 2;
        assert_eq!(asked(), 2);
        // Another agent's folder makes no difference.
        let command = CommandLine { program: python, arguments: Vec::new() };
        Needs::of(&command, Some(&course.0.join("theirs/lib"))).expect("it is known");
        assert_eq!(asked(), 2);
    }

    #[test]
    fn an_interpreter_that_never_answers_is_no_fault_of_the_agents_and_not_remembered() {
        let course = Course::new("broken");
        let python = course.program("theirs/python3", "#!/bin/sh\nexit 1\n");
        let command = CommandLine { program: python, arguments: Vec::new() };
        let fault = Needs::of(&command, None).expect_err("it does not answer");
        assert!(OurFault::of(&fault).is_some(), "{fault}");
        let mended = course.program("theirs/python3", "#!/bin/sh\necho $0\n");
        assert_eq!(Needs::of(&command, None).expect("it answers now").program, mended);
    }
}
