//! What a game is, and what every game gets for free.
//!
//! A game is a *rules value* (its size, tables and options) beside small, copyable *positions*.
//! [`Game`] says how positions follow one another, [`Notation`] how they and their moves are
//! written, [`View`] what they look like and what is said about them ([`message`]); on these stand [`Line`] (a game being played), [`perft`] and [`playout`].
//! Nothing here names a game or prints, and the system is asked for nothing but its memory ([`memory`]).

pub mod cpu;
pub mod game;
pub mod line;
pub mod maths;
pub mod memory;
pub mod message;
pub mod notation;
pub mod options;
pub mod perft;
pub mod playout;
pub mod random;
pub mod text;
pub mod view;
pub mod weights;

pub use game::{Game, MAX_PLAYERS, Outcome, Payoffs, Player, Standing, Turn, Verdict};
pub use line::{Line, Ply};
pub use message::{Message, Messages};
pub use notation::{Diagram, MoveError, Notation, PositionError};
pub use options::{GameSpec, OptionKind, OptionSpec, Options, OptionsError};
pub use random::Rng;
pub use view::View;
