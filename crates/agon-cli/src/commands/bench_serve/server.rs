//! The server that is measured, and what the system says about it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;

/// How long a server is left alone before its memory is read.
pub(super) const REST: Duration = Duration::from_secs(2);

/// A running server with data of its own. Both are gone when this is dropped.
pub(super) struct Server {
    child: Child,
    data: PathBuf,
    /// Where it listens.
    pub(super) address: SocketAddr,
    /// How long it took until it said so.
    pub(super) started_in: Duration,
}

impl Server {
    pub(super) fn start() -> anyhow::Result<Self> {
        let data = std::env::temp_dir().join(format!("agon-bench-{}", std::process::id()));
        let child = Self::spawn(&data, ([127, 0, 0, 1], 0).into())?;
        // From here on the process and its folder are cleaned up, whatever happens.
        let mut server =
            Self { child, data, address: ([127, 0, 0, 1], 0).into(), started_in: Duration::ZERO };
        server.await_address()?;
        Ok(server)
    }

    /// Kills the server and starts another on what is left, at the same address.
    pub(super) fn kill_and_restart(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        self.child = Self::spawn(&self.data, self.address)?;
        self.await_address()
    }

    fn spawn(data: &Path, address: SocketAddr) -> anyhow::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("AGON_") {
                command.env_remove(name);
            }
        }
        command.args(["serve", "--listen", &address.to_string()]);
        // All connections come from this machine.
        command.args([
            "--connections-per-address",
            "1000000",
            "--messages-per-second",
            "1000000",
            "--lobbies-per-address",
            "1000000",
            "--followed-per-browser",
            "1000000",
            "--followed-per-address",
            "1000000",
            "--followed-total",
            "1000000",
        ]);
        command.arg("--data").arg(data).stdin(Stdio::null()).stdout(Stdio::piped());
        command.spawn().context("the server cannot be started")
    }

    /// Waits until the server, which has just been started, says where it is.
    fn await_address(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        let mut line = String::new();
        let said = self.child.stdout.take().context("the server says nothing")?;
        BufReader::new(said).read_line(&mut line)?;
        self.started_in = began.elapsed();
        let address = line.trim().rsplit_once("http://").context("the server does not say where it is")?.1;
        self.address = address.parse().with_context(|| format!("the server's address {address:?}"))?;
        Ok(())
    }

    /// The processor time that it has used, in its own code and in the system's.
    pub(super) fn processor_time(&self) -> anyhow::Result<Duration> {
        let text = self.proc("stat")?;
        // The name of the program, in parentheses, may hold spaces.
        let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
        let ticks: u64 =
            fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>).sum::<Result<_, _>>()?;
        Ok(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
    }

    /// How much of its memory is resident, in bytes.
    pub(super) fn resident(&self) -> anyhow::Result<u64> {
        self.status("VmRSS:")
    }

    /// The most that was ever resident.
    pub(super) fn most_resident(&self) -> anyhow::Result<u64> {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> anyhow::Result<u64> {
        let text = self.proc("status")?;
        let line = text.lines().find_map(|line| line.strip_prefix(name)).context("no memory is reported")?;
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kilobytes << 10)
    }

    fn proc(&self, file: &str) -> anyhow::Result<String> {
        let path = format!("/proc/{}/{file}", self.child.id());
        std::fs::read_to_string(path).context("the system does not say what a process uses")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
