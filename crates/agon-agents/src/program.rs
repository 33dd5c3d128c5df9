//! What the programs of agents need.

use std::path::Path;

/// Interpreters that have threads of their own before a program has started any.
const THREADED: [&str; 2] = ["java", "node"];
/// What they need, on machines of any size.
const MANY_THREADS: u32 = 64;

/// How many threads a program needs whose agent starts none.
pub fn least_threads(program: &Path) -> u32 {
    let name = program.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if THREADED.contains(&name) { MANY_THREADS } else { 1 }
}
