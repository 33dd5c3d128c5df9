//! What authors of agents and those who collect them need: the Python [`kit`], [`starter`]s in several languages, the [`check`] that plays
//! an agent through every rule and says what would cost it games, and [`submissions`], which become the players of a tournament.

pub mod check;
pub mod folder;
pub mod kit;
pub mod program;
pub mod starter;
pub mod submissions;
