//! A game being played: who sits where, what time is left, what chance brings, what happens and how it ends.
//!
//! A [`Match`] has one [`Board`], or, where people and bots race in a game for one, two to six with the same luck. It is driven by
//! [`Action`]s and remembers [`Event`]s. It does no I/O, starts no thread and reads no clock: whoever
//! drives it (a terminal, a referee, a server, an engine) says what time it is on the match's own time line. Replaying the
//! events gives the same match again, whose next events are those that the first one would have had.

mod action;
mod apply;
mod board;
mod clock;
mod due;
mod end;
mod event;
mod interruption;
mod luck;
mod model;
mod packed;
mod replay;
mod result;
mod seats;
mod setup;
mod take_back;

pub use action::{Action, Move, MoveRequest, Refusal, TakeBackTo};
pub use board::{Board, PlyNote};
pub use clock::{Clocks, Late, Millis, TimeControl, TimePolicy, clock_text};
pub use due::PASS_PAUSE;
pub use end::{Abort, End, Fault, Forfeit, UnknownFault};
pub use event::{Event, LogEvent, Played, SCHEMA, Started};
pub use interruption::Interruptions;
pub use model::Match;
pub use replay::ReplayError;
pub use result::{fault_message, result_message};
pub use seats::{Language, Occupant, OccupantError, ProgramSpec, Seat, parameter_value};
pub use setup::{BoardOrder, Faults, Goal, MatchSetup, PastPly, Policy, Remark, Setup, StartError};
