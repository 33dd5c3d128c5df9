//! What is remembered from one time to the next: the user's name, best scores, games that were interrupted and games that were
//! finished.
//!
//! Everything is a small text file below the folders that the XDG base directories name. Whatever is broken is read as if it were not there,
//! and what cannot be written is told to the user once and does no harm.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use agon_core::Turn;
use agon_erased::{Games, Session};
use agon_files::{load_record, save_record};
use agon_records::Record;

use crate::words::recorded_date;

/// What people are called who have not given a name.
pub const GUEST: &str = "Guest";
/// The longest name, in characters.
const MAX_NAME: usize = 24;
/// How many interrupted and how many finished games are kept; the oldest go.
const MAX_UNFINISHED: usize = 50;
const MAX_FINISHED: usize = 200;
/// Where they are.
const UNFINISHED: &str = "unfinished";
const FINISHED: &str = "games";

/// How long bots take for a move against people who have not said otherwise.
pub const USUAL_PACE: Duration = Duration::from_millis(400);
/// The longest that bots can be made to take.
const MAX_PACE: Duration = Duration::from_secs(60);
/// No pace: bots move as soon as they can.
const OFF: &str = "off";

/// Reads a pace: `off`, or a time such as `400ms`.
///
/// # Errors
/// What is wrong with it.
pub fn read_pace(text: &str) -> Result<Duration, String> {
    let pace = if text == OFF { Duration::ZERO } else { agon_core::text::duration(text)? };
    if pace > MAX_PACE {
        return Err(format!("expected at most {}", agon_core::text::duration_text(MAX_PACE)));
    }
    Ok(pace)
}

/// A pace as it is read.
pub fn pace_text(pace: Duration) -> String {
    if pace.is_zero() { OFF.to_owned() } else { agon_core::text::duration_text(pace) }
}

/// The user's files.
#[derive(Clone, Debug, Default)]
pub struct Home {
    settings: Option<PathBuf>,
    data: Option<PathBuf>,
    name: Option<String>,
    pace: Option<Duration>,
    last_game: Option<String>,
    bests: BTreeMap<String, u64>,
}

/// A game on file.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its file.
    pub path: PathBuf,
    /// The game.
    pub record: Record,
    /// How many moves the players have made, where it has been played through.
    moves: usize,
}

impl Kept {
    /// Which game, who played, how far it has come, and when.
    pub fn title(&self, games: Games) -> String {
        let Record { game, players, .. } = &self.record;
        let title = games.find(game).map_or(game.as_str(), |entry| entry.spec.title());
        let rival = self.record.rival().map(|rival| format!(" against {rival}")).unwrap_or_default();
        let moves = agon_core::text::counted(self.moves, "move");
        let date = Some(recorded_date(&self.record)).filter(|date| !date.is_empty());
        let date = date.map(|date| format!(", {date}")).unwrap_or_default();
        format!("{title}: {}{rival}, {moves}{date}", players.join(" - "))
    }

    /// Resumes the game, so that nobody else is offered it from now on; `None` if another process was faster.
    pub fn take(&self) -> Option<KeptGame> {
        let file = File::open(&self.path).ok()?;
        // Where files cannot be locked, games are kept all the same.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return None;
        }
        let is_as_it_was = load_record(&self.path).is_ok_and(|now| now == self.record);
        is_as_it_was.then(|| KeptGame { path: self.path.clone(), hold: Some(file) })
    }
}

/// Where a game is kept while it is played. Its file is locked, so that another running program does not offer it.
#[derive(Debug)]
pub struct KeptGame {
    path: PathBuf,
    hold: Option<File>,
}

impl KeptGame {
    /// Writes the game down, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&mut self, record: &Record) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        save_record(record, &self.path)?;
        self.hold = File::open(&self.path).ok().filter(|file| file.try_lock().is_ok());
        Ok(())
    }

    /// Takes the game off the disk.
    pub fn forget(&mut self) {
        // One that was never written is forgotten already.
        let _ = fs::remove_file(&self.path);
        self.hold = None;
    }
}

/// Whether nobody is playing the game in this file.
fn is_free(path: &Path) -> bool {
    let locked =
        File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)));
    !locked
}

/// Where the data of the user who runs the program are; `None` without a home folder.
pub fn data_folder() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// The program's folder below the one that `variable` names, or below `usual` in the user's home.
fn folder(variable: &str, usual: &str) -> Option<PathBuf> {
    let given = env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let home =
        || env::var_os("HOME").filter(|home| !home.is_empty()).map(|home| PathBuf::from(home).join(usual));
    given.or_else(home).map(|path| path.join("agon"))
}

impl Home {
    /// The files of the user who runs the program; without a home folder nothing is remembered.
    pub fn open() -> Self {
        Self::at(folder("XDG_CONFIG_HOME", ".config"), data_folder())
    }

    /// Files below these folders.
    pub fn at(config: Option<PathBuf>, data: Option<PathBuf>) -> Self {
        let mut home =
            Self { settings: config.map(|config| config.join("settings")), data, ..Self::default() };
        let read =
            |path: Option<PathBuf>| path.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        for line in read(home.settings.clone()).lines() {
            match line.split_once(": ") {
                Some(("name", name)) => home.name = valid_name(name),
                Some(("pace", pace)) => home.pace = read_pace(pace).ok(),
                Some(("last game", game)) => home.last_game = Some(game.to_owned()),
                _ => {}
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
        self.write_settings()
    }

    /// The least time that bots take for a move against people.
    pub fn pace(&self) -> Duration {
        self.pace.unwrap_or(USUAL_PACE)
    }

    /// Remembers how fast bots are to move against people.
    ///
    /// # Errors
    /// As [`Home::set_name`].
    pub fn set_pace(&mut self, pace: Duration) -> io::Result<()> {
        self.pace = Some(pace);
        self.write_settings()
    }

    /// The game that was chosen last.
    pub fn last_game(&self) -> Option<&str> {
        self.last_game.as_deref()
    }

    /// Remembers the game that was chosen last.
    ///
    /// # Errors
    /// As [`Home::set_name`].
    pub fn set_last_game(&mut self, game: &str) -> io::Result<()> {
        if self.last_game() == Some(game) {
            return Ok(());
        }
        self.last_game = Some(game.to_owned());
        self.write_settings()
    }

    fn write_settings(&self) -> io::Result<()> {
        let name = self.name().map(|name| format!("name: {name}\n"));
        let pace = self.pace.map(|pace| format!("pace: {}\n", pace_text(pace)));
        let game = self.last_game().map(|game| format!("last game: {game}\n"));
        let text: String = [name, pace, game].into_iter().flatten().collect();
        write_whole(self.settings.as_deref(), &text)
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

    /// A place for a game that begins; the oldest interrupted games make room for it.
    pub fn place(&self, game: &str, seed: u64) -> Option<KeptGame> {
        let folder = self.folder(UNFINISHED)?;
        for (_, path) in
            latest(&folder).into_iter().skip(MAX_UNFINISHED - 1).filter(|(_, path)| is_free(path))
        {
            // What cannot be cleared away does no harm.
            let _ = fs::remove_file(path);
        }
        let name = format!("{game}-{seed:016x}-{}.txt", std::process::id());
        Some(KeptGame { path: folder.join(name), hold: None })
    }

    /// Games that were interrupted, the latest first: records of `games` that hold, and that nobody is playing.
    pub fn unfinished(&self, games: Games) -> Vec<Kept> {
        let mut kept = self.list(UNFINISHED);
        kept.retain_mut(|kept| {
            if kept.record.moves.is_empty() || !is_free(&kept.path) {
                return false;
            }
            let Ok(session) = kept.record.replay(games) else { return false };
            kept.moves = moves_made(&*session);
            session.outcome().is_none()
        });
        kept
    }

    /// Games that were finished, the latest first.
    pub fn finished(&self) -> Vec<Kept> {
        self.list(FINISHED)
    }

    fn list(&self, folder: &str) -> Vec<Kept> {
        let Some(folder) = self.folder(folder) else { return Vec::new() };
        let load = |(_, path): (SystemTime, PathBuf)| {
            let record = load_record(&path).ok()?;
            Some(Kept { path, moves: record.moves.len(), record })
        };
        latest(&folder).into_iter().take(MAX_FINISHED).filter_map(load).collect()
    }

    /// Puts a finished game on the shelf and takes the oldest off it if there are too many.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn shelve(&self, record: &Record) -> io::Result<()> {
        let Some(folder) = self.folder(FINISHED) else { return Ok(()) };
        fs::create_dir_all(&folder)?;
        let date: String =
            record.date.iter().flat_map(|date| date.chars()).filter(char::is_ascii_alphanumeric).collect();
        let name = format!("{date}-{}-{:08x}.txt", record.game, record.seed.unwrap_or(0) as u32);
        save_record(record, &folder.join(name))?;
        for (_, path) in latest(&folder).into_iter().skip(MAX_FINISHED) {
            fs::remove_file(path)?;
        }
        Ok(())
    }
}

/// How many moves the players of a game have made; what chance draws does not count.
pub(crate) fn moves_made(session: &dyn Session) -> usize {
    session.movers().iter().filter(|mover| matches!(mover, Turn::Player(_))).count()
}

/// The records in a folder and when they were written, the latest first.
fn latest(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
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
    files
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
    use agon_registry::GAMES;

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
        assert_eq!((open().pace(), open().last_game()), (USUAL_PACE, None));
        home.set_pace(Duration::ZERO).expect("it is written");
        home.set_last_game("loa").expect("it is written");
        assert_eq!((open().pace(), open().last_game()), (Duration::ZERO, Some("loa")));
        assert_eq!(open().name(), Some("Dana  Levi"), "one setting does not forget the others");
        assert_eq!(read_pace("1.5s"), Ok(Duration::from_millis(1500)));
        assert!(read_pace("2h").is_err() && read_pace("5m").is_err());
        fs::remove_dir_all(&folder).expect("the folder can go");
    }

    #[test]
    fn games_that_are_being_played_are_not_offered() {
        let folder = scratch("held");
        let home = Home::at(None, Some(folder.clone()));
        let text = b"agon: 1\ngame: othello\noptions: size=8\nplayers: Dana | easy\ndate: 2026-11-16T16:14:05Z\n\nd3 c3\n";
        let record = Record::parse(text).expect("a record");
        let mut place = home.place("othello", 1).expect("there is a folder");
        place.keep(&record).expect("it is written");
        assert!(home.unfinished(GAMES).is_empty(), "somebody is playing it");
        place.keep(&record).expect("it is written again");
        assert!(home.unfinished(GAMES).is_empty(), "it is another file now, and held too");
        drop(place);
        let offered = home.unfinished(GAMES);
        assert_eq!(offered.len(), 1);
        assert_eq!(offered[0].title(GAMES), "Othello: Dana - easy, 2 moves, 2026-11-16 16:14 UTC");
        let mut place = offered[0].take().expect("nobody has it");
        assert!(home.unfinished(GAMES).is_empty(), "it was taken up");
        assert!(offered[0].take().is_none(), "only one can take it");
        place.forget();
        drop(place);
        assert!(home.unfinished(GAMES).is_empty(), "it is gone");
        fs::remove_dir_all(&folder).expect("the folder can go");
    }

    #[test]
    fn the_oldest_interrupted_games_make_room() {
        let folder = scratch("room");
        let home = Home::at(None, Some(folder.clone()));
        let record = Record::parse(b"agon: 1\ngame: othello\noptions: size=8\n\nd3 c3\n").expect("a record");
        for seed in 0..MAX_UNFINISHED as u64 + 3 {
            let mut place = home.place("othello", seed).expect("there is a folder");
            place.keep(&record).expect("it is written");
        }
        assert_eq!(home.unfinished(GAMES).len(), MAX_UNFINISHED);
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
        assert!(home.unfinished(GAMES).is_empty());
        fs::remove_dir_all(&folder).expect("the folder can go");
    }
}
