//! The studies that come with the program, and the results of our own runs.

use std::path::Path;

use agon_arena::reader::Mistakes;
use agon_erased::{Games, nearest};

use crate::plan::Study;

/// A study that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadyMade {
    /// The name by which it is called.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

/// The results of one of our own runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// The name of its folder in `docs/studies`: small letters, digits and hyphens.
    pub id: &'static str,
    /// Its `results.json`, without blanks.
    pub results: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/published.rs"));

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
    pub fn study(&self, games: Games, is_quick: bool) -> Result<Study, Mistakes> {
        Study::parse(games, &format!("{}.toml", self.name), self.text, self.name, Path::new("."), is_quick)
    }

    /// What it consists of, without building its bots: tests see to it that they can be built.
    ///
    /// # Errors
    /// Every mistake in it; tests see to it that there is none.
    pub fn plan(&self, games: Games, is_quick: bool) -> Result<Study, Mistakes> {
        Study::plan(games, &format!("{}.toml", self.name), self.text, self.name, is_quick)
    }

    /// How long it takes on two cores, quick and in full.
    pub fn takes(&self) -> Option<(String, String)> {
        let table: toml::Table = self.text.parse().ok()?;
        let takes = table.get("takes")?;
        let text = |key: &str| Some(takes.get(key)?.as_str()?.to_owned());
        Some((text("quick")?, text("full")?))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::Results;

    #[test]
    fn every_run_in_the_documentation_is_published() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies");
        let entries = fs::read_dir(docs).expect("the documentation").flatten();
        let mut folders: Vec<String> = entries
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        folders.sort();
        let published: Vec<&str> = PUBLISHED.iter().map(|run| run.id).collect();
        assert_eq!(published, folders, "every folder of docs/studies holds the results.json of its run");
    }

    #[test]
    fn published_results_can_be_read() {
        for Published { id, results } in PUBLISHED {
            let read = Results::read(results).unwrap_or_else(|fault| panic!("{id}: {fault}"));
            assert!(read.games() > 0, "{id}");
            assert!(!results.contains('\n') && !results.contains("\": "), "{id} is stored without blanks");
        }
    }
}
