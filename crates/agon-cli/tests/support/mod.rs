//! The program `agon` as tests run it.

#[cfg(unix)]
pub(crate) mod pty;

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `agon` with `input` on its standard input.
pub(crate) fn agon(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
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
