//! What we and a helper say to each other: one order, then reports, each a line of JSON.

use std::path::PathBuf;

use agon_erased::Offence;
use serde::{Deserialize, Serialize};

use crate::capabilities::Mechanism;
use crate::limits::Limits;

/// The longest line between us and a helper, in bytes.
pub(crate) const MAX_LINE: usize = 256 << 10;

/// What a helper is to start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    /// The program; `None` to try only what this machine can enforce.
    pub(crate) program: Option<PathBuf>,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    /// The program's own folder, in which it starts: an absolute path without symbolic links.
    pub(crate) folder: Option<PathBuf>,
    /// Files and folders that it may read besides those of the system.
    pub(crate) readable: Vec<PathBuf>,
    pub(crate) limits: Limits,
    /// Mechanisms that are left out although the machine may have them.
    pub(crate) without: Vec<Mechanism>,
    /// Whether to start nothing unless everything can be enforced.
    pub(crate) strict: bool,
}

/// What a helper reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The program runs under these mechanisms.
    Started(Vec<Mechanism>),
    /// It could not be started.
    Failed(String),
    /// It was not started because the sandbox could not be set up.
    Unready(String),
    /// It has broken a limit.
    Offence(Offence, String),
    /// Something that its author should know, and that nobody is blamed for.
    Note(String),
    /// The most memory that it has used at a time, in bytes.
    Used(u64),
    /// It has ended, with everything that it had started; its status as the system encodes it.
    Ended(i32),
}
