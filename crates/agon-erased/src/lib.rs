//! Games, running games and bots behind object-safe traits: the only place where their types are erased.
//!
//! A game crate hands its typed rules to [`erase`] and publishes a [`GameEntry`]. Whoever knows a game only by its name (the command
//! line, a server, a referee) builds [`Rules`] from option text and plays through a [`Session`]. Moves cross this
//! boundary as text; behind it everything is typed again.

mod bot_spec;
mod bots;
mod choices;
mod entry;
mod expertise;
mod games;
mod session;
mod weights;

pub use agon_core::text::{advice, nearest};
#[cfg(not(target_family = "wasm"))]
pub use agon_search::SystemClock;
pub use agon_search::explore;
pub use agon_search::parameters::{EVAL, MAX_THREADS, MAX_TIME, MAX_WEIGHT, MULTI, WEIGHTS};
pub use agon_search::{
    Bound, Budget, Clock, Feature, Limits, PROVEN, ScoredMove, Statistic, Thought, Threads, Unit, WIN,
    Weight, proven_in,
};
pub use bot_spec::{BotSpec, BotSpecError};
pub use bots::{Bot, BotError, BotListing, Offence, SpecificationError};
pub use choices::{default_bot, with_several_moves};
pub use entry::{GameEntry, Import, ImportError, Imported, Yardstick};
pub use expertise::{EvaluationSpec, Expertise, Preset, TreeExample, WeightSet};
pub use games::{Games, Opened, SetupError, UnknownGame};
pub use session::{OpenError, Playable, Rules, Session, erase};
pub use weights::Linear;
