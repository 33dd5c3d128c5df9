//! Long runs of `agon` that are cut short, and the folders that they write to.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A folder for one test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-cli-runs-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for the test");
        fs::write(&path, text).expect("a file for the test");
        path.display().to_string()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Output as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Starts `agon`, whose standard error can be read.
pub(crate) fn start(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("agon starts")
}

/// Waits until a file has so many lines.
pub(crate) fn wait_for_lines(file: &str, count: usize) {
    for _ in 0..6000 {
        if fs::read_to_string(file).is_ok_and(|text| text.lines().count() >= count) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no game was finished");
}

/// Does what Ctrl-C does and waits for the end: says whether the run was cut short, in which case it has said `how` to go on, or had just
/// finished.
pub(crate) fn interrupt(mut child: Child, how: &str) -> bool {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
    let said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let said: Vec<String> = said.map_while(Result::ok).collect();
    let status = child.wait().expect("it has ended");
    let is_cut = status.code() == Some(130);
    let goes_on = said.iter().any(|line| line.contains(how));
    assert!(if is_cut { goes_on } else { status.success() }, "{status}: {said:?}");
    is_cut
}
