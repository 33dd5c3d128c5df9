//! What has been set at a table, and what its house decides.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::limits::BotLimits;
use crate::online::Online;

/// The slowest pace that can be set, in milliseconds.
pub const MAX_PACE: u32 = 60_000;

/// What has been set at a table, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings {
    /// The least time from one move of a bot to the next, in milliseconds.
    pub pace: u32,
    /// Whether the bots wait.
    pub paused: bool,
    /// What online play adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub online: Option<Online>,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self { pace: 400, paused: false, online: None }
    }
}

/// What whoever drives a table decides for all of its games.
#[derive(Clone, Copy, Debug)]
pub struct HouseRules {
    /// What may be asked of bots that somebody seats.
    pub bots: BotLimits,
    /// After how long a game that is played online, and in which nothing happens, is aborted.
    pub abandoned_after: Duration,
    /// What becomes of a bot that cannot go on.
    pub failing_bots: FailingBots,
    /// When the bots of a race move.
    pub race_bots: RaceBots,
    /// Whether clocks stop while the bot to move is made to wait.
    pub waiting_stops_clocks: bool,
}

impl Default for HouseRules {
    fn default() -> Self {
        Self {
            bots: BotLimits::default(),
            abandoned_after: Duration::from_secs(30 * 24 * 3600),
            failing_bots: FailingBots::Forfeit,
            race_bots: RaceBots::AtTheirPace,
            waiting_stops_clocks: false,
        }
    }
}

/// What becomes of a bot that cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailingBots {
    /// It is asked again, and in the end it has lost.
    Forfeit,
    /// Its game waits until somebody has decided.
    Wait,
}

/// When the bots of a race move whose boards are played at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaceBots {
    /// As fast as the pace allows.
    AtTheirPace,
    /// A move for each move of the person, until that game is over.
    MoveForMove,
}
