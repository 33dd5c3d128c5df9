//! The studies that come with the program.

use std::path::Path;

use agon_arena::reader::Mistakes;
use agon_registry::nearest;

use crate::plan::Study;

/// A study that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyMade {
    /// The name by which it is called.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! ready_made {
    ($($name:literal),* $(,)?) => {
        &[$(ReadyMade { name: $name, text: include_str!(concat!("../studies/", $name, ".toml")) }),*]
    };
}

/// All of them, by game.
pub const READY_MADE: &[ReadyMade] = ready_made![
    "loa-extensions",
    "loa-parameters",
    "tablut-ordering",
    "tablut-king",
    "chinese-checkers-search",
    "chinese-checkers-shapes",
    "chinese-checkers-seats",
    "2048-depth",
    "2048-evaluation",
    "othello-heuristics",
    "othello-weights",
];

impl ReadyMade {
    /// The study of this name.
    ///
    /// # Errors
    /// What may have been meant.
    pub fn find(name: &str) -> Result<&'static Self, String> {
        READY_MADE.iter().find(|study| study.name == name).ok_or_else(|| {
            let advice = match nearest(name, READY_MADE.iter().map(|study| study.name)) {
                Some(meant) => format!("did you mean {meant}?"),
                None => "`agon study list` shows the ready-made ones".to_owned(),
            };
            format!(
                "there is neither a file nor a ready-made study {}; {advice}",
                agon_core::text::quote(name)
            )
        })
    }

    /// The study itself.
    ///
    /// # Errors
    /// Every mistake in it; tests see to it that there is none.
    pub fn study(&self, is_quick: bool) -> Result<Study, Mistakes> {
        Study::parse(&format!("{}.toml", self.name), self.text, self.name, Path::new("."), is_quick)
    }

    /// How long it takes on two cores, quick and in full.
    pub fn takes(&self) -> Option<(String, String)> {
        let table: toml::Table = self.text.parse().ok()?;
        let takes = table.get("takes")?;
        let text = |key: &str| Some(takes.get(key)?.as_str()?.to_owned());
        Some((text("quick")?, text("full")?))
    }
}
