//! A game being played: who sits where, what time is left, what chance brings, what happens and how it ends.
//!
//! A [`Match`] is driven by [`Action`]s and remembers [`Event`]s. It does no I/O, starts no thread and reads no clock: whoever
//! drives it (a terminal, a referee, a server, an engine) says what time it is on the match's own time line. Replaying the
//! events gives the same match again, whose next events are those that the first one would have had.

mod action;
mod apply;
mod clock;
mod end;
mod event;
mod luck;
mod model;
mod race;
mod replay;
mod result;
mod seats;
mod setup;
mod take_back;

pub use action::{Action, Move, Refusal, TakeBackTo};
pub use clock::{Clocks, Late, Millis, TimeControl, TimePolicy, clock_text};
pub use end::{Abort, End, Fault, Forfeit, UnknownFault};
pub use event::{Event, Played, SCHEMA, Started};
pub use model::{Match, PlyNote};
pub use race::{Race, RaceEvent, RaceGoal, RaceOrder, RaceTerms};
pub use replay::ReplayError;
pub use result::{fault_message, result_message};
pub use seats::{Language, Occupant, OccupantError, ProgramSpec, Seat};
pub use setup::{Faults, PastPly, Policy, Remark, Setup, StartError};
