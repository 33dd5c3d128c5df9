//! What fills the screen: the menu and all that it leads to.

mod assistant;
mod form;
mod learn;
mod menu;
mod name;
mod parts;
mod pick;
mod play;
mod prompt;
mod race;
mod replay;

pub(crate) use form::option_of;
pub use learn::LearnScreen;
pub use menu::MenuScreen;
pub(crate) use menu::offered_bots;
pub use name::NameScreen;
pub use pick::PickScreen;
pub use play::{Mode, PlayScreen};
pub use race::RaceScreen;
pub use replay::ReplayScreen;

use crate::app::{Context, Screen};
use crate::driver::DriveError;
use crate::home::Kept;

/// Resumes an interrupted game or race.
///
/// # Errors
/// If it cannot be resumed.
pub fn resumed(kept: &Kept, context: &Context) -> Result<Box<dyn Screen>, DriveError> {
    match RaceScreen::resume(kept, context) {
        Some(race) => race.map(|race| Box::new(race) as Box<dyn Screen>),
        None => PlayScreen::resume(kept, context).map(|game| Box::new(game) as Box<dyn Screen>),
    }
}

/// The first screen when no command was given: the menu, after asking for a name the first time.
pub fn first(context: &Context) -> Box<dyn Screen> {
    if context.home.name().is_none() {
        Box::new(NameScreen::new())
    } else {
        Box::new(MenuScreen::new(context))
    }
}
