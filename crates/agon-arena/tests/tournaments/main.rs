//! Tournaments from their files to their tables: what is refused, what is played, what agents get for misbehaving, and what is left
//! after a run was cut off.

mod directories;
mod files;
#[cfg(unix)]
mod hiccups;
mod hostile;
mod playing;
mod resuming;
mod support;
