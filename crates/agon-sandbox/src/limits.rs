//! What a program may use.

use serde::{Deserialize, Serialize};

/// What a program may use, together with everything that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Resident memory, in bytes.
    pub memory: u64,
    /// Threads, those of all its processes counted together.
    pub threads: u32,
    /// The size of its scratch folder, in bytes.
    pub scratch: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 30, threads: 1, scratch: 64 << 20 }
    }
}
