//! `agon`: play, watch, pit and study board games from the command line.
//!
//! Nothing but the parts that change by themselves: the command line is `agon-cli`, the web app `agon-web-app`.

use std::process::ExitCode;

use agon_server::{WebApp, WebFile};

/// The server allocates for every move of every game. With this allocator a move costs about a tenth less CPU time than with the C
/// library's, for some more memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    agon_cli::run(WebApp::new(|path| agon_web_app::file(path).map(|(data, sha256)| WebFile { data, sha256 })))
}
