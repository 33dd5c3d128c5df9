//! `agon`: play, watch, pit and study board games from the command line.
//!
//! Nothing but the parts that change by themselves: the command line is `agon-cli`, the web app `agon-web-app`.

mod allocator;

use std::process::ExitCode;

use agon_server::{WebApp, WebFile};

#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    let find = |path: &str| agon_web_app::file(path).map(|(data, sha256)| WebFile { data, sha256 });
    agon_cli::run(WebApp::new(find, agon_web_app::paths))
}
