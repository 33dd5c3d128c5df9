//! The keys that tournament files and study files share: a game with its options, and where its games begin and end.

use std::path::Path;
use std::sync::Arc;

use agon_core::text::{or_list, quote};
use agon_erased::{GameEntry, Games, Rules};

use crate::opening_file;
use crate::openings::Openings;
use crate::reader::{Section, bounded};

/// The largest file of openings, in bytes.
const MAX_OPENINGS: u64 = 16 << 20;
const MAX_OPENING_PLIES: u64 = 60;
/// Games that would go on for ever are drawn after so many plies, unless the file says otherwise.
const MAX_PLIES: usize = 10_000;
/// The same for games of one, which are long by nature.
const MAX_PLIES_ALONE: usize = 1_000_000;

/// A game with its options fixed.
pub type Game = (&'static GameEntry, Arc<dyn Rules>);

/// Reads `game`, which is one of `games`, and `options`.
pub fn game(games: Games, section: &Section) -> Option<Game> {
    if section.value("game").is_none() {
        section
            .doc
            .wrong(section.span(), format!("there is no game; expected game = {}", or_list(games.ids())));
    }
    let entry = section.parsed("game", "othello", |text| games.find(text).map_err(|error| error.to_string()));
    let options = section.text("options", "size=6").unwrap_or_default();
    let entry = entry?;
    let rules = entry.rules(options).map_err(|error| section.wrong("options", error)).ok()?;
    Some((entry, rules))
}

/// Reads `openings`, which is `usual` if it is not set, and `opening_plies`. Paths are relative to `base`.
pub fn openings(section: &Section, game: Option<&Game>, usual: &str, base: &Path) -> Option<Openings> {
    let plies = section.whole("opening_plies", 0..=MAX_OPENING_PLIES).map(|plies| plies as usize);
    let text = section.text("openings", "random").unwrap_or(usual);
    if plies.is_some() && text != "random" {
        section.wrong("opening_plies", "only openings = \"random\" has this");
    }
    match text {
        "start" => Some(Openings::Start),
        "random" => {
            let (entry, rules) = game?;
            if rules.seats().len() == 1 {
                section.wrong(
                    "openings",
                    "in a game for one, luck is what differs; expected \"start\" or a file",
                );
            }
            let usual = entry.opening_rounds * rules.seats().len();
            Some(Openings::Random { plies: plies.unwrap_or(usual) })
        }
        file => {
            let (_, rules) = game?;
            let listed = bounded(&base.join(file), MAX_OPENINGS)
                .map_err(|fault| {
                    format!("expected start, random or a file of openings: {} {fault}", quote(file))
                })
                .and_then(|text| {
                    opening_file::read(&text, &**rules).map_err(|fault| opening_file::fault(file, fault))
                });
            listed.map(Openings::Listed).map_err(|fault| section.wrong("openings", fault)).ok()
        }
    }
}

/// Reads `max_plies`: after so many plies a game ends without a result.
pub fn max_plies(section: &Section) -> Option<usize> {
    section.whole("max_plies", 1..=MAX_PLIES_ALONE as u64).map(|plies| plies as usize)
}

/// What `max_plies` is if it is not set.
pub fn usual_max_plies(rules: &dyn Rules) -> usize {
    if rules.seats().len() == 1 { MAX_PLIES_ALONE } else { MAX_PLIES }
}
