//! What a referee and the program on a seat tell each other besides moves.
//!
//! A program looks like any bot from outside, and bots know nothing of clocks for a whole game, of reasons for forfeits or of results that
//! the rules did not bring about. Whoever referees a program shares a [`Liaison`] with it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_match::Fault;
use agon_protocol::agent::{AgentClock, AgentOutcome};
use agon_protocol::parameters::Parameters;

use super::effort::Effort;

/// The line between a referee and one program in one game.
#[derive(Debug, Default)]
pub struct Liaison(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    clock: Option<AgentClock>,
    result: Option<(AgentOutcome, String)>,
    fault: Option<Fault>,
    warnings: u64,
    excuse: Option<String>,
    effort: Effort,
    was_overloaded: bool,
    declared: Parameters,
    counters: BTreeMap<String, f64>,
}

impl Liaison {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The referee says what is left on the program's clock, if it has a budget for the whole game.
    pub fn set_clock(&self, clock: Option<AgentClock>) {
        self.state().clock = clock;
    }

    /// What is left on its clock, if it has a budget for the whole game.
    pub fn clock(&self) -> Option<AgentClock> {
        self.state().clock
    }

    /// The referee says how the game ended, where the rules alone do not tell.
    pub fn set_result(&self, outcome: AgentOutcome, reason: String) {
        self.state().result = Some((outcome, reason));
    }

    pub(super) fn result(&self) -> Option<(AgentOutcome, String)> {
        self.state().result.clone()
    }

    pub(super) fn accuse(&self, fault: Fault) {
        self.state().fault = Some(fault);
    }

    /// What the program was guilty of when it last failed.
    pub fn fault(&self) -> Option<Fault> {
        self.state().fault
    }

    pub(super) fn excuse(&self, fault: String) {
        self.state().excuse = Some(fault);
    }

    /// Why the program did not get ready, if that was our fault.
    pub fn excused(&self) -> Option<String> {
        self.state().excuse.clone()
    }

    pub(super) fn set_effort(&self, effort: Effort, time: Duration) {
        let mut state = self.state();
        state.effort = effort;
        state.was_overloaded = effort.is_overload(time);
    }

    /// What the last answer of the program has cost, or its failure to answer.
    pub fn effort(&self) -> Effort {
        self.state().effort
    }

    /// Whether the machine had too much to do meanwhile for lateness to be blamed on the program.
    pub fn was_overloaded(&self) -> bool {
        self.state().was_overloaded
    }

    pub(super) fn set_declared(&self, declared: Parameters) {
        self.state().declared = declared;
    }

    /// The parameters that the program declared when it last got ready.
    pub fn declared(&self) -> Parameters {
        self.state().declared.clone()
    }

    pub(super) fn set_counters(&self, counters: BTreeMap<String, f64>) {
        self.state().counters = counters;
    }

    /// What the program counted for its last move, under names of its own.
    pub fn counters(&self) -> BTreeMap<String, f64> {
        self.state().counters.clone()
    }

    pub(super) fn warn(&self) {
        self.state().warnings += 1;
    }

    /// How often it printed something that it should not have, where that is only counted.
    pub fn warnings(&self) -> u64 {
        self.state().warnings
    }
}
