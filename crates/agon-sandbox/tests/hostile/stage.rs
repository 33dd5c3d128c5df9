//! Where the tests run their agents: folders, modes, and what is left afterwards.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_erased::Offence;
use agon_players::external::{CommandLine, Launched, Launcher, Life};
use agon_sandbox::{Capabilities, Limits, Mechanism, Sandbox};

/// Names the helper if the one that was built is not readable for whoever runs the tests.
pub(crate) const HELPER: &str = "AGON_TEST_HELPER";
/// How long something that must happen is waited for.
const LONG: Duration = Duration::from_secs(30);

/// The executable that helpers run.
pub(crate) fn helper() -> PathBuf {
    std::env::var_os(HELPER).map_or_else(|| env!("CARGO_BIN_EXE_agon-sandbox").into(), PathBuf::from)
}

/// An interpreter that every user can read.
pub(crate) fn python() -> PathBuf {
    let system = PathBuf::from("/usr/bin/python3");
    if system.exists() { system } else { CommandLine::parse("python3").expect("there is Python").program }
}

/// A folder that is removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-agent-{}-{number}", std::process::id()));
        fs::create_dir(&path).expect("a folder can be made");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The ways of confining an agent that this machine can enforce completely: with all that it has, and without namespaces and control
/// groups, as in most containers.
pub(crate) fn modes() -> &'static [Vec<Mechanism>] {
    static MODES: OnceLock<Vec<Vec<Mechanism>>> = OnceLock::new();
    MODES.get_or_init(|| {
        let all = [vec![], vec![Mechanism::Namespaces, Mechanism::MemoryGroup]];
        let enforced = all.into_iter().filter(|left_out| {
            let sandbox =
                left_out.iter().fold(Sandbox::default().helper(helper()), |it, &left| it.without(left));
            let mechanisms = sandbox.mechanisms().expect("helpers can be started");
            left_out.iter().all(|left| !mechanisms.contains(left)) && {
                let missing = Capabilities::of(mechanisms).missing();
                if !missing.is_empty() {
                    let _ =
                        writeln!(std::io::stderr(), "not tested without {left_out:?}: {}", missing.join(" "));
                }
                missing.is_empty()
            }
        });
        enforced.collect()
    })
}

/// Whether memory is limited by a control group.
pub(crate) fn has_group(mode: &[Mechanism]) -> bool {
    static EXISTS: OnceLock<bool> = OnceLock::new();
    let exists = || Sandbox::default().helper(helper()).mechanisms().expect("helpers can be started");
    !mode.contains(&Mechanism::MemoryGroup)
        && *EXISTS.get_or_init(|| exists().contains(&Mechanism::MemoryGroup))
}

/// How an agent has fared.
#[derive(Debug)]
pub(crate) struct Fate {
    pub(crate) output: String,
    /// For messages.
    pub(crate) _errors: String,
    pub(crate) accusation: Option<String>,
    pub(crate) memory: Option<u64>,
    pub(crate) offence: Option<Offence>,
    pub(crate) notes: Vec<String>,
    pub(crate) code: Option<i32>,
}

/// A running agent.
pub(crate) struct Agent {
    pub(crate) life: Box<dyn Life>,
    stdin: Option<Box<dyn Write + Send>>,
    stdout: BufReader<Box<dyn Read + Send>>,
    errors: JoinHandle<String>,
    folder: Folder,
}

impl Agent {
    /// Starts a command in `folder`.
    pub(crate) fn start(mode: &[Mechanism], limits: Limits, folder: Folder, command: CommandLine) -> Self {
        let sandbox = Sandbox::new(limits, Some(&folder.0)).expect("the folder exists").helper(helper());
        let sandbox = mode.iter().fold(sandbox, |sandbox, &left_out| sandbox.without(left_out));
        let sandbox = if has_group(mode) { sandbox.strict() } else { sandbox };
        let Launched { stdin, stdout, mut stderr, life } =
            sandbox.launch(&command).expect("agents can be started");
        let errors = thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        });
        Self { life, stdin: Some(stdin), stdout: BufReader::new(stdout), errors, folder }
    }

    /// Starts a script of Python.
    pub(crate) fn python(mode: &[Mechanism], limits: Limits, script: &str) -> Self {
        let folder = Folder::new();
        folder.write("agent.py", script);
        // The full name, so that whatever it starts can be recognised.
        let arguments = vec![folder.0.join("agent.py").to_string_lossy().into_owned()];
        Self::start(mode, limits, folder, CommandLine { program: python(), arguments })
    }

    /// Starts a program in C.
    pub(crate) fn c(mode: &[Mechanism], limits: Limits, source: &str, argument: &str) -> Self {
        let folder = Folder::new();
        let source = folder.write("agent.c", source);
        let program = folder.0.join("agent");
        let compiled =
            std::process::Command::new("cc").arg("-o").args([&program, &source]).arg("-pthread").status();
        assert!(compiled.expect("there is a compiler").success());
        Self::start(mode, limits, folder, CommandLine { program, arguments: vec![argument.to_owned()] })
    }

    /// Its processes.
    pub(crate) fn processes(&self) -> Vec<u32> {
        processes_of(&self.folder.0)
    }

    pub(crate) fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("its input is open");
        stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).expect("it listens");
    }

    pub(crate) fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("it speaks UTF-8");
        line.trim_end().to_owned()
    }

    /// Waits until the agent has ended by itself, and looks at what it leaves.
    pub(crate) fn fate(mut self) -> Fate {
        self.stdin = None;
        let mut output = String::new();
        let _ = self.stdout.read_to_string(&mut output);
        wait_until("the agent has ended", || self.life.has_ended());
        self.end(output)
    }

    /// Ends the agent, and looks at what it leaves.
    pub(crate) fn end_now(mut self) -> Fate {
        self.life.end();
        let mut output = String::new();
        let _ = self.stdout.read_to_string(&mut output);
        self.end(output)
    }

    fn end(mut self, output: String) -> Fate {
        let code = self.life.end().and_then(|status| status.code());
        let (offence, accusation) = self.life.offence().unzip();
        assert!(accusation.as_ref().is_none_or(|how| how.starts_with("it ")), "{accusation:?}");
        assert_eq!(processes_of(&self.folder.0), [0; 0], "nothing is left of it");
        let _errors = self.errors.join().expect("standard error can be read");
        let (notes, memory) = (self.life.notes(), self.life.memory());
        Fate { output: output.trim_end().to_owned(), _errors, accusation, memory, offence, notes, code }
    }
}

/// Runs a script in every mode; gives `check` how it fared, and whether nothing was left out.
pub(crate) fn in_all_modes(limits: Limits, script: &str, check: impl Fn(Fate, bool)) {
    for mode in modes() {
        let fate = Agent::python(mode, limits, script).fate();
        check(fate, mode.is_empty());
    }
}

/// Runs a script in every mode, which must end properly and commit this offence, or none.
pub(crate) fn judged(script: &str, offence: Option<Offence>, output: &str) {
    in_all_modes(Limits::default(), script, |fate, _| {
        assert_eq!((fate.offence, fate.output.as_str()), (offence, output), "{script}: {fate:?}");
        assert_eq!(fate.code, Some(0), "{fate:?}");
    });
}

/// The processes in whose command line a folder is named.
pub(crate) fn processes_of(folder: &Path) -> Vec<u32> {
    let name = folder.to_string_lossy();
    let entries = fs::read_dir("/proc").expect("there is /proc").flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let names = |pid: &u32| {
        let command = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(&*name)
    };
    numbers.filter(names).collect()
}

/// Waits for something that must happen.
pub(crate) fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let deadline = Instant::now() + LONG;
    while !happened() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}
