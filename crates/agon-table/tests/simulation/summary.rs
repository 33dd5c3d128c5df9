//! What runs have come to.

use std::cell::Cell;
use std::fmt;

#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) runs: usize,
    pub(crate) commands: usize,
    pub(crate) store_failures: usize,
    pub(crate) crashes: usize,
    pub(crate) forgotten: usize,
    pub(crate) moves: usize,
    pub(crate) refused: usize,
    pub(crate) repeated: usize,
    pub(crate) finished: usize,
    pub(crate) pictures: Cell<usize>,
}

impl Summary {
    pub(crate) fn add(&mut self, other: &Self) {
        self.runs += 1;
        self.commands += other.commands;
        self.store_failures += other.store_failures;
        self.crashes += other.crashes;
        self.forgotten += other.forgotten;
        self.moves += other.moves;
        self.refused += other.refused;
        self.repeated += other.repeated;
        self.finished += other.finished;
        self.pictures.set(self.pictures.get() + other.pictures.get());
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, commands, store_failures, crashes, forgotten, .. } = self;
        let Self { moves, refused, repeated, finished, pictures, .. } = self;
        writeln!(f, "{runs} runs ({finished} games to the end), {commands} commands")?;
        writeln!(f, "{store_failures} store failures, {crashes} crashes, {forgotten} tables forgotten")?;
        writeln!(f, "{refused} messages refused, {repeated} sent again, {} pages compared", pictures.get())?;
        write!(f, "{moves} moves acknowledged, lost: 0")
    }
}
