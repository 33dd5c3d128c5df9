//! The sandbox on systems where there is none: programs are started without limits, or not at all.

use std::io;
use std::path::{Path, PathBuf};

use agon_players::external::{CommandLine, Launched, Launcher, OwnGroup};

use crate::capabilities::Mechanism;
use crate::limits::Limits;

/// Starts programs under limits, of which this system can enforce none.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    strict: bool,
}

impl Sandbox {
    /// A sandbox for the program whose folder is `folder`.
    ///
    /// # Errors
    /// Never, here.
    pub fn new(_limits: Limits, _folder: Option<&Path>) -> io::Result<Self> {
        Ok(Self::default())
    }

    /// Refuses to start anything.
    pub fn strict(self) -> Self {
        Self { strict: true }
    }

    /// Leaves out a mechanism.
    pub fn without(self, _mechanism: Mechanism) -> Self {
        self
    }

    /// Names the executable that helpers run.
    pub fn helper(self, _executable: impl Into<PathBuf>) -> Self {
        self
    }

    /// The mechanisms that work: none.
    ///
    /// # Errors
    /// Never, here.
    pub fn mechanisms(&self) -> io::Result<Vec<Mechanism>> {
        Ok(Vec::new())
    }
}

impl Launcher for Sandbox {
    fn launch(&self, command: &CommandLine) -> io::Result<Launched> {
        if self.strict {
            return Err(io::Error::other("this system cannot limit what an agent does"));
        }
        OwnGroup.launch(command)
    }
}
