//! Tablut under the rules of Ashton and of the Bologna challenge.
//!
//! Sixteen attackers (`b`) hunt a king (`k`) whom eight defenders (`w`) help to the edge of a 9×9
//! board. The two rule sets differ in who starts, in what the camps' back squares do, and in how a
//! game without a winner ends, so one type plays both: `lines` knows all moves in advance, `position`
//! holds what changes, `rules` says how, `insight` answers those who judge positions, `notation` writes
//! it down.

// The entry brings every search of the game with it, which unit tests have no need to compile.
#[cfg(not(test))]
mod entry;
pub mod expertise;
mod insight;
mod lessons;
mod lines;
mod notation;
mod position;
mod rules;
mod view;

use agon_core::{GameSpec, OptionKind, OptionSpec, Options, OptionsError};

#[cfg(not(test))]
pub use entry::ENTRY;
pub use lines::ReachableSpan;
use lines::{Entry, Lines};
pub use position::{Move, Position, Side};
pub use rules::{CAMPS, CASTLE, EXITS, KEEP};

/// Tablut and its options.
pub static SPEC: GameSpec = GameSpec {
    id: "tablut",
    options: &[
        OptionSpec::of_game("rules", OptionKind::Choice(&["ashton", "bologna"]), "ashton"),
        OptionSpec::of_game(
            "first",
            OptionKind::Choice(&["attackers", "defenders"]),
            "attackers under ashton, defenders under bologna",
        ),
        OptionSpec::of_game("limit", OptionKind::Integer { min: 10, max: 1000, step: 1 }, "100"),
    ],
    lessons: lessons::LESSONS,
    styles: view::STYLES,
    messages: &view::MESSAGES,
};

/// A rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Ashton,
    Bologna,
}

/// The rules of Tablut with their options fixed.
#[derive(Clone, Copy)]
pub struct Tablut {
    rules: Rules,
    /// Who starts; this side is player 0.
    first: Side,
    /// The ply count at which the game is drawn: never reached under `bologna`.
    limit: u32,
    lines: Lines,
    /// The squares that help to capture a piece of a side, whatever stands on them.
    hostile: [u128; 2],
    /// The flag of a line in which a piece of a side may have to fall.
    flanked: [u32; 2],
}

impl Tablut {
    /// The game that `options` describe.
    ///
    /// # Errors
    /// If a ply limit is given for the rules of Bologna, which have none.
    pub fn new(options: &Options) -> Result<Self, OptionsError> {
        let rules = match options.value("rules") {
            Some("bologna") => Rules::Bologna,
            _ => Rules::Ashton,
        };
        let first = match (options.value("first"), rules) {
            (Some("attackers"), _) | (None, Rules::Ashton) => Side::Attackers,
            _ => Side::Defenders,
        };
        let limit = match (rules, options.value("limit")) {
            (Rules::Ashton, _) => options.integer("limit"),
            (Rules::Bologna, None) => u32::MAX,
            (Rules::Bologna, Some(limit)) => {
                return Err(OptionsError::new(format!(
                    "limit={limit} is not allowed: rules=bologna has no ply limit, so limit must be left out"
                )));
            }
        };
        let (against_attackers, flanked_attacker) = match rules {
            Rules::Ashton => (rules::HOSTILE, Entry::FLANKED_ATTACKER),
            Rules::Bologna => (rules::HOSTILE_NOT_BACK, Entry::FLANKED_ATTACKER_NOT_BY_BACK),
        };
        Ok(Self {
            rules,
            first,
            limit,
            lines: Lines::shared(),
            hostile: [against_attackers, rules::HOSTILE],
            flanked: [flanked_attacker, Entry::FLANKED_DEFENDER],
        })
    }
}
