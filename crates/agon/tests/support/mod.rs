//! The program `agon` as tests run it.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `agon` with `input` on its standard input.
pub(crate) fn agon(args: &[&str], input: &[u8]) -> Output {
    // Whatever it remembers, no other test and no user shall see it.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let home = std::env::temp_dir().join(format!("agon-lines-{}-{number}", std::process::id()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
        .env("XDG_CONFIG_HOME", home.join("config"))
        .env("XDG_DATA_HOME", home.join("data"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early closes the pipe, which is its right.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("agon ends");
    writer.join().expect("the writer ends");
    let _ = std::fs::remove_dir_all(home);
    output
}

/// Everything that a user sees of a run.
pub(crate) fn transcript(args: &[&str], input: &str) -> String {
    let output = agon(args, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    let mut seen = format!("$ agon {}\n{}", args.join(" "), text(&output.stdout));
    if !output.stderr.is_empty() {
        seen += &format!("--- standard error\n{}", text(&output.stderr));
    }
    if !output.status.success() {
        seen += &format!("--- exit code {:?}\n", output.status.code());
    }
    seen
}
