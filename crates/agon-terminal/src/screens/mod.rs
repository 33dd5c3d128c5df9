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
mod replay;

pub(crate) use form::option_of;
pub use learn::LearnScreen;
pub use menu::MenuScreen;
pub(crate) use menu::offered_bots;
pub use name::NameScreen;
pub use pick::PickScreen;
pub use play::{Mode, PlayScreen};
pub use replay::ReplayScreen;

use crate::app::{Context, Screen};

/// The first screen when no command was given: the menu, after asking for a name the first time.
pub fn first(context: &Context) -> Box<dyn Screen> {
    if context.home.name().is_none() {
        Box::new(NameScreen::new())
    } else {
        Box::new(MenuScreen::new(context))
    }
}
