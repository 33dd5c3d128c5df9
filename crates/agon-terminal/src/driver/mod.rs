//! Matches driven at this terminal, for the full screen and the dialogue on lines alike.
//!
//! A [`MatchDriver`] owns a [`Match`](agon_match::Match) of one board or several, lets its bots think in
//! their threads, and moves its time along with the real clock. It never waits by itself:
//! [`MatchDriver::advance`] does what can be done now and says what has come of it. Rules, seats, clocks,
//! luck, forced passes and ends are the match's own.

mod bots;
mod match_driver;
mod new_game;
mod seat_plans;
mod told;

pub use match_driver::{Failure, Happening, MatchDriver};
pub(crate) use new_game::FIRST_OPPONENT;
pub use new_game::{DriveError, NewGame, read_player, seed_from_clock};
pub use seat_plans::{SeatPlan, seat_plans};
