//! What is remembered from one time to the next: the user's name, best scores, games that were interrupted and games that were
//! finished.
//!
//! Everything is a small text file below the folders that the XDG base directories name. Whatever is broken is read as if it were not there,
//! and what cannot be written is told to the user once and does no harm.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use agon_arena::Record;

/// What somebody is called who has not told a name.
pub const GUEST: &str = "Guest";
/// The longest name, in characters.
const MAX_NAME: usize = 24;
/// How many interrupted and how many finished games are kept.
const MAX_UNFINISHED: usize = 20;
const MAX_FINISHED: usize = 200;

/// The user's files.
#[derive(Clone, Debug, Default)]
pub struct Home {
    settings: Option<PathBuf>,
    data: Option<PathBuf>,
    name: Option<String>,
    bests: BTreeMap<String, u64>,
}

/// A game on file.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its file.
    pub path: PathBuf,
    /// The game.
    pub record: Record,
}

impl Kept {
    /// Which game, who played, how far it has come.
    pub fn title(&self) -> String {
        let Record { game, players, moves, .. } = &self.record;
        let title = agon_registry::find(game).map_or(game.as_str(), |entry| entry.spec.title);
        format!("{title}: {}, {}", players.join(" - "), agon_core::text::counted(moves.len(), "move"))
    }
}

impl Home {
    /// The files of the user who runs the program; without a home folder nothing is remembered.
    pub fn open() -> Self {
        let folder = |variable: &str, below: &str| {
            let given = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
            let home = || {
                env::var_os("HOME")
                    .filter(|home| !home.is_empty())
                    .map(|home| PathBuf::from(home).join(below))
            };
            given.or_else(home).map(|path| path.join("agon"))
        };
        Self::at(folder("XDG_CONFIG_HOME", ".config"), folder("XDG_DATA_HOME", ".local/share"))
    }

    /// Files below these folders.
    pub fn at(config: Option<PathBuf>, data: Option<PathBuf>) -> Self {
        let mut home =
            Self { settings: config.map(|config| config.join("settings")), data, ..Self::default() };
        let read =
            |path: Option<PathBuf>| path.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        for line in read(home.settings.clone()).lines() {
            if let Some(name) = line.strip_prefix("name: ") {
                home.name = valid_name(name);
            }
        }
        for line in read(home.scores_file()).lines() {
            if let Some((game, score)) = line.split_once(": ")
                && let Ok(score) = score.parse()
            {
                home.bests.insert(game.to_owned(), score);
            }
        }
        home
    }

    fn scores_file(&self) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join("scores"))
    }

    /// The user's name, if it has been told.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What to call the user.
    pub fn person(&self) -> &str {
        self.name().unwrap_or(GUEST)
    }

    /// Remembers the user's name.
    ///
    /// # Errors
    /// If it cannot be written; it is remembered until the program ends nevertheless.
    pub fn set_name(&mut self, name: &str) -> io::Result<()> {
        self.name = valid_name(name);
        let Some(name) = &self.name else { return Ok(()) };
        write_whole(self.settings.as_deref(), &format!("name: {name}\n"))
    }

    /// The best score of a game, if there is one.
    pub fn best(&self, game: &str) -> Option<u64> {
        self.bests.get(game).copied()
    }

    /// Remembers a score if it is the best so far, and says whether it is.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn note_score(&mut self, game: &str, score: u64) -> io::Result<bool> {
        if score <= self.best(game).unwrap_or(0) {
            return Ok(false);
        }
        self.bests.insert(game.to_owned(), score);
        let text: String = self.bests.iter().map(|(game, score)| format!("{game}: {score}\n")).collect();
        write_whole(self.scores_file().as_deref(), &text).map(|()| true)
    }

    fn folder(&self, name: &str) -> Option<PathBuf> {
        self.data.as_ref().map(|data| data.join(name))
    }

    /// The file for a game that is being played.
    pub fn unfinished_file(&self, game: &str, seed: u64) -> Option<PathBuf> {
        let name = format!("{game}-{seed:016x}-{}.txt", std::process::id());
        self.folder("unfinished").map(|folder| folder.join(name))
    }

    /// Writes down a game that is being played, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, path: &Path, record: &Record) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        record.save(path)
    }

    /// Games that were interrupted, the latest first. What is not a record that holds is passed over.
    pub fn unfinished(&self) -> Vec<Kept> {
        let mut kept = self.list("unfinished");
        kept.truncate(MAX_UNFINISHED);
        kept.retain(|kept| {
            !kept.record.moves.is_empty() && kept.record.replay().is_ok_and(|game| game.outcome().is_none())
        });
        kept
    }

    /// Games that were finished, the latest first.
    pub fn finished(&self) -> Vec<Kept> {
        self.list("games")
    }

    fn list(&self, folder: &str) -> Vec<Kept> {
        let Some(entries) = self.folder(folder).and_then(|folder| fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let mut files: Vec<(SystemTime, PathBuf)> = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
            .map(|path| {
                let changed = fs::metadata(&path).and_then(|metadata| metadata.modified());
                (changed.unwrap_or(SystemTime::UNIX_EPOCH), path)
            })
            .collect();
        files.sort_by(|one, other| other.cmp(one));
        files.truncate(MAX_FINISHED);
        let load = |(_, path): (SystemTime, PathBuf)| {
            let record = Record::load(&path).ok()?;
            Some(Kept { path, record })
        };
        files.into_iter().filter_map(load).collect()
    }

    /// Forgets an interrupted game.
    pub fn forget(&self, path: &Path) {
        // One that was never written is forgotten already.
        let _ = fs::remove_file(path);
    }

    /// Puts a finished game on the shelf and takes the oldest off it if there are too many.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn shelve(&self, record: &Record) -> io::Result<()> {
        let Some(folder) = self.folder("games") else { return Ok(()) };
        fs::create_dir_all(&folder)?;
        let date: String =
            record.date.iter().flat_map(|date| date.chars()).filter(char::is_ascii_alphanumeric).collect();
        let name = format!("{date}-{}-{:08x}.txt", record.game, record.seed.unwrap_or(0) as u32);
        record.save(&folder.join(name))?;
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
        // Their names begin with their dates.
        files.sort();
        let excess = files.len().saturating_sub(MAX_FINISHED);
        for path in &files[..excess] {
            self.forget(path);
        }
        Ok(())
    }
}

/// A name without what a file or a screen could stumble over; `None` if nothing is left.
pub fn valid_name(text: &str) -> Option<String> {
    let plain = text.chars().filter(|char| !char.is_control() && *char != '|');
    let name: String = plain.collect::<String>().trim().chars().take(MAX_NAME).collect();
    let name = name.trim_end().to_owned();
    (!name.is_empty()).then_some(name)
}

/// Writes a file whole or not at all.
fn write_whole(path: Option<&Path>, text: &str) -> io::Result<()> {
    let Some(path) = path else { return Ok(()) };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let draft = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&draft, text).and_then(|()| fs::rename(&draft, path)).inspect_err(|_| {
        let _ = fs::remove_file(&draft);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("agon-home-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn names_and_scores_are_remembered() {
        let folder = scratch("names");
        let open = || Home::at(Some(folder.join("config")), Some(folder.join("data")));
        let mut home = open();
        assert_eq!(home.name(), None);
        home.set_name("  Dana\u{7} | Levi ").expect("it is written");
        assert!(home.note_score("2048", 500).expect("it is written"));
        assert!(!home.note_score("2048", 400).expect("nothing to write"));
        assert_eq!(open().name(), Some("Dana  Levi"));
        assert_eq!(open().best("2048"), Some(500));
        fs::remove_dir_all(&folder).expect("the folder can go");
    }

    #[test]
    fn broken_and_unwritable_files_do_no_harm() {
        let folder = scratch("broken");
        fs::create_dir_all(folder.join("data/unfinished")).expect("a folder");
        fs::write(folder.join("data/scores"), b"\xFF\xFE nonsense").expect("a file");
        fs::write(folder.join("data/unfinished/x.txt"), "no record").expect("a file");
        // The configuration folder is a file: nothing can be written there.
        fs::write(folder.join("config"), "").expect("a file");
        let mut home = Home::at(Some(folder.join("config")), Some(folder.join("data")));
        assert!(home.set_name("Dana").is_err());
        assert_eq!(home.name(), Some("Dana"), "for as long as the program runs");
        assert_eq!(home.best("2048"), None);
        assert!(home.unfinished().is_empty());
        fs::remove_dir_all(&folder).expect("the folder can go");
    }
}
