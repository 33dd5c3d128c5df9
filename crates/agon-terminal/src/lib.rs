//! Agon on a terminal: a full screen with a menu, boards and replays, a dialogue on lines for pipes and plain terminals, and the
//! [`Table`] that both play at.
//!
//! * [`table`]: whose turn it is, bots in their threads, clocks, take-back, records; knows nothing of terminals;
//! * [`board`]: boards drawn in text, a painter a layout; knows nothing of games;
//! * [`screens`]: menu, play, watch, replay, learn; [`app`] shows them and gives the terminal back whatever happens;
//! * [`dialogue`]: the same on lines of text;
//! * [`home`]: what is remembered from one time to the next.

pub mod app;
pub mod board;
pub mod dialogue;
pub mod home;
pub mod screens;
pub mod table;
pub mod theme;
pub mod words;

pub use app::Context;
pub use home::Home;
pub use table::{HUMAN, RaceOrder, Setup, SetupError, Table, TimeControl};
pub use theme::Theme;
