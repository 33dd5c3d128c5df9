//! Runs a command as an agent of a tournament would run, for whoever wants to see what it may do; without a command, says what this
//! machine can enforce.

use std::io::{self, Write};
use std::process::ExitCode;

use agon_players::external::{CommandLine, Launcher};
use agon_sandbox::{Capabilities, Limits, Sandbox};

fn main() -> ExitCode {
    agon_sandbox::run_helper_if_asked();
    let mut words = std::env::args().skip(1);
    let Some(name) = words.next() else { return print_capabilities() };
    match run(&name, words.collect()) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn print_capabilities() -> ExitCode {
    let capabilities = Capabilities::detect();
    let (enforced, doubts) = (capabilities.enforced(), capabilities.doubts());
    let mut out = io::stdout().lock();
    for sentence in enforced.iter().chain(&doubts) {
        let _ = writeln!(out, "{sentence}");
    }
    if doubts.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run(name: &str, arguments: Vec<String>) -> io::Result<ExitCode> {
    let threads = std::env::var("THREADS").ok().and_then(|threads| threads.parse().ok()).unwrap_or(1);
    let limits = Limits { threads, ..Limits::default() };
    let sandbox = Sandbox::new(limits, Some(&std::env::current_dir()?))?;
    let program = CommandLine::parse(name).map_err(io::Error::other)?.program;
    let mut launched = sandbox.launch(&CommandLine { program, arguments })?;
    let mut stdin = launched.stdin;
    std::thread::spawn(move || io::copy(&mut io::stdin(), &mut stdin));
    let errors = std::thread::spawn(move || io::copy(&mut launched.stderr, &mut io::stderr()));
    io::copy(&mut launched.stdout, &mut io::stdout())?;
    let _ = errors.join();
    while !launched.life.has_ended() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let status = launched.life.end();
    if let Some((offence, how)) = launched.life.offence() {
        writeln!(io::stderr(), "offence ({offence:?}): {how}")?;
    }
    let code = status.and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
