//! The players that take the seats of a game: our bots, each thinking in a thread of its own ([`Thinker`]), and other people's programs
//! ([`external`]), which look like bots from outside.
//!
//! A player is asked for moves and knows nothing of seats, clocks or results: those are the business of whatever conducts the game.

pub mod external;
mod guard;
mod player_list;
mod players;
mod thinker;

pub use guard::guarded;
pub use player_list::split_players;
pub use players::{hosted_player, player};
pub use thinker::{News, THREAD, Thinker, wait_for_rest};
