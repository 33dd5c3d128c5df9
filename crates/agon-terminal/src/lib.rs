//! Agon on a terminal: a full screen with a menu, boards and replays, a dialogue on lines for pipes and plain terminals, and the
//! drivers of matches that both use.
//!
//! * [`driver`]: matches and races in real time, with bots in their threads; knows nothing of terminals;
//! * [`keeper`]: games that are being played, kept on disk;
//! * [`board`]: boards drawn in text, a painter a layout; knows nothing of games;
//! * [`screens`]: menu, play, watch, replay, learn; [`app`] shows them and gives the terminal back whatever happens;
//! * [`dialogue`]: the same on lines of text;
//! * [`home`]: what is remembered from one time to the next.

pub mod app;
pub mod board;
pub mod dialogue;
pub mod driver;
pub mod home;
pub mod keeper;
pub mod screens;
pub mod theme;
pub mod words;

pub use app::Context;
pub use driver::{DriveError, MatchDriver, NewGame};
pub use home::{Home, data_folder};
pub use theme::Theme;
