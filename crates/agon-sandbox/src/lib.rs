//! Runs programs of strangers under limits.
//!
//! [`Sandbox`] is a [`Launcher`](agon_players::external::Launcher): whoever plays against a program talks to it as to any other, while
//! the system keeps it from using more memory and threads than allowed, from the network, and from files that are not its own.
//! What it breaks first is reported as an [`Offence`](agon_erased::Offence).
//!
//! A program is started by a helper, which is our own executable run again: `main` must begin with [`run_helper_if_asked`]. The
//! helper sets the limits up, watches the program, and ends everything that it has started. It ends with us, however we end.
//!
//! Only Linux has all that is needed; what a machine cannot enforce is listed by [`Capabilities`].

mod capabilities;
mod limits;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod order;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(not(target_os = "linux"))]
#[path = "elsewhere.rs"]
mod sandbox;

pub use capabilities::{Capabilities, Mechanism};
pub use limits::Limits;
pub use sandbox::Sandbox;

/// The first argument that makes our executable a helper.
#[cfg(target_os = "linux")]
const HELPER: &str = "__sandbox";

/// Does the work of a helper and never returns, if this process was started as one. Call it first in `main`.
pub fn run_helper_if_asked() {
    #[cfg(target_os = "linux")]
    if std::env::args_os().nth(1).is_some_and(|argument| argument == HELPER) {
        linux::run_helper();
    }
}
