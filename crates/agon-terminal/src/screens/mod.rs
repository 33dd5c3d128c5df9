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

pub use learn::LearnScreen;
pub use menu::MenuScreen;
pub(crate) use menu::{offered_bots, seed_from_clock};
pub use name::NameScreen;
pub use play::{Mode, PlayScreen};
pub use race::{RaceOrder, RaceScreen};
pub use replay::ReplayScreen;

use crate::app::{Context, Screen};

/// The screen that a user sees who has not said what to do: the menu, behind the question for a name the first time.
pub fn first(context: &Context) -> Box<dyn Screen> {
    if context.home.name().is_none() {
        Box::new(NameScreen::new())
    } else {
        Box::new(MenuScreen::new(context))
    }
}
