//! What a study consists of, once its file has been read.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::openings::Openings;
use agon_arena::program_keys::Program;
use agon_erased::Rules;
use agon_match::Occupant;
use serde::{Deserialize, Serialize};

use crate::observe::Observation;

/// A study.
#[derive(Clone)]
pub struct Study {
    /// What it is called.
    pub name: String,
    /// What it asks, in a sentence; may be empty.
    pub question: String,
    /// Fixes openings, luck and the randomness of the bots.
    pub seed: u64,
    /// The most games of a comparison, an even number.
    pub games: usize,
    /// How likely the study may be to make any false claim about strength.
    pub error: f64,
    /// Whether settings are played no further once everything about them is clear.
    pub stops_early: bool,
    /// What the question is about.
    pub asks: Asks,
    /// Whether it is the quick version.
    pub is_quick: bool,
    /// Who meets whom.
    pub against: Against,
    /// The bots that are compared. The first is the reference.
    pub settings: Vec<Setting>,
    /// Where they are compared.
    pub circumstances: Vec<Circumstance>,
    /// The programs that play, without their parameters.
    pub programs: Vec<Program>,
    /// What is looked at in every game besides its result.
    pub observations: Vec<Observation>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Every other setting meets the reference.
    Reference,
    /// Every setting meets every other one.
    All,
}

/// What a study asks about settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Asks {
    /// How strong they are.
    #[default]
    Strength,
    /// How many nodes they need.
    Nodes,
    /// How much time they need.
    Time,
    /// What is observed in their games.
    Observations,
}

/// A bot that is compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// What it is called: its label, or else how it differs from the reference.
    pub name: String,
    /// What was varied, and to what value; for the reference, the values that it has of what others vary, as far as they are known.
    pub changes: Vec<(String, String)>,
}

/// Where settings are compared: what is the same for both sides.
#[derive(Clone)]
pub struct Circumstance {
    /// What tells it from others; empty if there is only one.
    pub name: String,
    /// The game.
    pub rules: Arc<dyn Rules>,
    /// Where games begin.
    pub openings: Openings,
    /// After so many plies a game is drawn.
    pub max_plies: usize,
    /// What was varied, and to what value.
    pub changes: Vec<(String, String)>,
    /// Who plays for each setting.
    pub bots: Vec<StudyPlayer>,
}

/// Who plays for a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyPlayer {
    /// A bot or a program, with its parameters.
    pub plays: Occupant,
    /// The program, by index.
    pub program: Option<usize>,
    /// The time that a program has for a move, if it is limited; bots have theirs among their parameters.
    pub time: Option<Duration>,
}

impl fmt::Display for StudyPlayer {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}", self.plays)
    }
}

/// Two settings that meet, under every circumstance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// The setting, by index.
    pub setting: usize,
    /// The setting that it meets.
    pub opponent: usize,
}

/// A match between two settings under one circumstance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Where it is played, by index.
    pub circumstance: usize,
    /// The setting, by index.
    pub setting: usize,
    /// The setting that it meets.
    pub opponent: usize,
}

impl Study {
    /// Who meets whom, in a fixed order.
    pub fn contrasts(&self) -> Vec<Contrast> {
        let settings = self.settings.len();
        match self.against {
            Against::Reference => (1..settings).map(|setting| Contrast { setting, opponent: 0 }).collect(),
            Against::All => (0..settings)
                .flat_map(|opponent| {
                    (opponent + 1..settings).map(move |setting| Contrast { setting, opponent })
                })
                .collect(),
        }
    }

    /// Every comparison, in a fixed order: all contrasts under the first circumstance, then all under the second, and so on.
    pub fn comparisons(&self) -> Vec<Comparison> {
        let contrasts = self.contrasts();
        (0..self.circumstances.len())
            .flat_map(|circumstance| {
                contrasts.iter().map(move |&Contrast { setting, opponent }| Comparison {
                    circumstance,
                    setting,
                    opponent,
                })
            })
            .collect()
    }

    /// Whether programs play that are limited by time.
    pub fn has_timed_programs(&self) -> bool {
        let mut players = self.circumstances.iter().flat_map(|circumstance| &circumstance.bots);
        players.any(|player| player.time.is_some())
    }

    /// The most games that will be played.
    pub fn planned_games(&self) -> usize {
        self.comparisons().len() * self.games
    }

    /// How likely the study may be to come to each false claim.
    pub(crate) fn shares(&self) -> Shares {
        Shares::of(self.error, self.contrasts().len(), self.circumstances.len())
    }

    /// Whether all circumstances have the same openings, so that what comes of them goes together.
    pub(crate) fn shares_openings(&self) -> bool {
        self.circumstances.iter().any(|circumstance| matches!(circumstance.openings, Openings::Listed(_)))
    }
}

/// How a study's error is divided (Bonferroni): one half goes to the main effects, the other to single circumstances. Where there is one
/// circumstance alone, its comparisons are the main effects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shares {
    /// The error of each main effect.
    pub(crate) main: f64,
    /// The error of each comparison.
    pub(crate) single: f64,
}

impl Shares {
    pub(crate) fn of(error: f64, contrasts: usize, circumstances: usize) -> Self {
        let each = error / contrasts.max(1) as f64;
        match circumstances {
            0 | 1 => Self { main: each, single: each },
            many => Self { main: each / 2.0, single: each / 2.0 / many as f64 },
        }
    }
}

impl Circumstance {
    /// What it is called where a name is needed.
    pub fn title(&self) -> String {
        if self.name.is_empty() { self.rules.spec().title().to_owned() } else { self.name.clone() }
    }
}
