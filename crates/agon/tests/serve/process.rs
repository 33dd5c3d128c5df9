//! A server that is a process of its own.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::request::Request;

/// A folder that is gone with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-serve-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.0.join("data")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.data().join("agon.sqlite")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program: the one that was built for the tests, or another one, such as the one that is released.
fn program() -> PathBuf {
    std::env::var_os("AGON_TEST_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_agon").into(), PathBuf::from)
}

/// `agon serve`, with nothing from the outside.
pub(crate) fn serve(folder: &Path) -> Command {
    clean(Command::new(program()), folder)
}

/// The same where files that grow too large are an error rather than the end; the shell runs `first` before that.
pub(crate) fn serve_in_little_room(folder: &Path, first: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; {first}; exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(program());
    clean(command, folder)
}

fn clean(mut command: Command, folder: &Path) -> Command {
    command
        .arg("serve")
        .stdin(Stdio::null())
        .env("XDG_DATA_HOME", folder.join("home"))
        .env("XDG_CONFIG_HOME", folder.join("home"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AGON_")) {
        command.env_remove(name);
    }
    command
}

/// A server that runs; it is killed with this.
pub(crate) struct Running {
    child: Child,
    /// What it has said on standard output.
    pub(crate) said: String,
    pub(crate) address: SocketAddr,
}

/// A server that has not started.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) status: ExitStatus,
    pub(crate) said: String,
    pub(crate) errors: String,
}

/// Starts a server and waits until it says where it is.
pub(crate) fn start(command: Command, folder: &Path) -> Result<Running, Failed> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let errors = folder.join(format!("errors-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    let file = File::create(&errors).expect("a file can be made");
    start_with_log(command, file).map_err(|failed| {
        let errors = std::fs::read_to_string(errors).expect("it speaks UTF-8");
        Failed { errors, ..failed }
    })
}

/// The same with standard error in a file of the caller's, where whoever wants to know reads it.
pub(crate) fn start_with_log(mut command: Command, log: File) -> Result<Running, Failed> {
    let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().expect("the program starts");
    let mut said = String::new();
    let mut lines = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
    lines.read_line(&mut said).expect("it speaks UTF-8");
    let address = said.trim().strip_prefix("Agon is at http").map(|rest| rest.trim_start_matches("s"));
    let address = address.and_then(|rest| rest.strip_prefix("://")?.parse().ok());
    match address {
        Some(address) => Ok(Running { child, said, address }),
        None => {
            let status = child.wait().expect("it ends");
            Err(Failed { status, said, errors: String::new() })
        }
    }
}

/// Starts a server on the data of `folder`, on any port.
pub(crate) fn start_on(folder: &Folder) -> Result<Running, Failed> {
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--messages-per-second", "100000", "--data"]).arg(folder.data());
    start(command, &folder.0)
}

impl Running {
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Kills it as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn terminate(mut self) -> ExitStatus {
        kill_process(self.pid(), Signal::TERM).expect("it can be told");
        self.child.wait().expect("it ends")
    }

    /// Opens a table for whoever keeps `token`.
    pub(crate) async fn open(&self, token: &str, table: &Value) -> String {
        let request = Request::new(self.address, "POST", "/api/v1/games").token(token).json(table);
        request.send().await.expect(201).json()["id"].as_str().expect("a name").to_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A table of `game` with these players, bots without pace.
pub(crate) fn new_table(game: &str, options: &str, seats: &[&str]) -> Value {
    let seats: Vec<Value> = seats.iter().map(|occupant| json!({"occupant": occupant})).collect();
    json!({"game": game, "options": options, "seats": seats, "pace": 0})
}
