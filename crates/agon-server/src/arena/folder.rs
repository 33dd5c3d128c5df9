//! The folder of a tournament, read while somebody else may be writing to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use agon_arena::results::json::Strength;
use agon_arena::results::{Results, State, Table};
use agon_arena::tournament::Store;
use agon_match::{Event, LogEvent, Started};
use agon_protocol::web::arena::{
    MAX_RUNNING, Tournament, TournamentGames, TournamentState, TournamentSummary,
};

use super::view::{self, GameQuestion};
use crate::folders::{self, Contents};
use crate::table::journal::first_line;

/// The results, which are replaced as a whole.
const RESULTS: &str = "results.json";
/// The largest results that are read, in bytes.
const MAX_RESULTS: u64 = 64 << 20;
/// The largest file of the results that is passed on, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// How many games behind the last one of the results may be looked for.
const MAX_AHEAD: usize = 2000;
/// After so many games that have not been begun there are no more that have.
const MAX_GAP: usize = 64;
/// The time left is foretold from so many of the last games.
const LATEST: usize = 50;

/// The files of the results that everybody may have.
pub const PUBLIC_FILES: [&str; 6] =
    ["report.html", "report.txt", RESULTS, "table.csv", "crosstable.csv", "games.csv"];
/// A file for the teacher alone.
pub const GRADES: &str = "grades.csv";

/// When the results of a tournament were last written.
pub(super) fn updated(dir: &Path) -> SystemTime {
    folders::last_modified(dir, &[RESULTS, "tournament.toml"])
}

/// Results, and the strengths of the players in their order.
type Rated = (Results, Vec<Strength>);

/// Tells whether a tournament has changed.
#[derive(Clone, Debug, PartialEq)]
struct Stamp {
    /// Those of the results; `None` if there are none yet.
    results: Option<folders::Stamp>,
    is_running: bool,
    running: Vec<Running>,
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Running {
    /// Its number from 0.
    pub(super) number: usize,
    pub(super) game: String,
    pub(super) options: String,
    /// The players' names.
    pub(super) seats: Vec<String>,
}

/// A tournament as it was read.
pub(super) struct Snapshot {
    pub(super) results: Results,
    /// The strength of each player, in the order of the results.
    pub(super) strengths: Vec<Strength>,
    pub(super) table: Table,
    pub(super) state: TournamentState,
    pub(super) running: Vec<Running>,
    pub(super) updated: SystemTime,
    /// About how long it goes on.
    pub(super) left: Option<Duration>,
    /// Which files of the results there are.
    pub(super) files: Vec<&'static str>,
    /// Whether it was started on the web.
    pub(super) is_web: bool,
}

/// A tournament as it was last seen.
struct Seen {
    stamp: Stamp,
    summary: TournamentSummary,
    /// Everything else, unless it has been forgotten.
    whole: Option<(Arc<Snapshot>, Arc<Tournament>)>,
}

/// The folder of a tournament.
pub struct Folder {
    id: String,
    is_web: bool,
    dir: PathBuf,
    seen: Mutex<Option<Seen>>,
}

impl Folder {
    /// The tournament in `dir`, a path without links, by its id; and whether it was started on the web.
    pub(super) fn new(id: String, is_web: bool, dir: PathBuf) -> Self {
        Self { id, is_web, dir, seen: Mutex::new(None) }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it is.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether it is still there.
    pub(super) fn is_there(&self) -> bool {
        Store::is_tournament(&self.dir)
    }

    fn seen(&self) -> MutexGuard<'_, Option<Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets all but what lists show.
    pub(super) fn forget(&self) {
        if let Some(seen) = &mut *self.seen() {
            seen.whole = None;
        }
    }

    /// What lists show.
    pub(super) fn summary(&self) -> TournamentSummary {
        let mut seen = self.seen();
        let (stamp, results) = self.look(seen.as_ref());
        if let Some(seen) = seen.as_ref().filter(|seen| seen.stamp == stamp) {
            return seen.summary.clone();
        }
        let snapshot = self.read(&stamp, results);
        let summary = view::summary(&self.id, &snapshot);
        *seen = Some(Seen { stamp, summary: summary.clone(), whole: None });
        summary
    }

    /// Everything about it as it stands.
    fn whole(&self) -> (Arc<Snapshot>, Arc<Tournament>) {
        let mut seen = self.seen();
        let (stamp, results) = self.look(seen.as_ref());
        let known = seen.as_ref().filter(|seen| seen.stamp == stamp).and_then(|seen| seen.whole.clone());
        if let Some(whole) = known {
            return whole;
        }
        let snapshot = Arc::new(self.read(&stamp, results));
        let tournament = Arc::new(view::tournament(&self.id, &snapshot));
        let whole = (snapshot, tournament);
        let summary = whole.1.summary.clone();
        *seen = Some(Seen { stamp, summary, whole: Some(whole.clone()) });
        whole
    }

    /// As it was read last.
    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.whole().0
    }

    /// As browsers are sent it.
    pub(super) fn view(&self) -> Arc<Tournament> {
        self.whole().1
    }

    /// Its games, as far as the question asks for them.
    pub(super) fn games(&self, question: &GameQuestion) -> TournamentGames {
        view::games(&self.id, &self.snapshot(), question)
    }

    /// The path of something in the folder, if it is there and no link leads elsewhere.
    fn inside(&self, name: &Path) -> Option<PathBuf> {
        folders::inside(&self.dir, name)
    }

    /// A file to be passed on, if it is there and not too large.
    pub(super) fn file(&self, name: &Path) -> Option<Contents> {
        folders::contents(&self.dir, name, MAX_FILE)
    }

    /// The size of a file, if it is there.
    pub(super) fn size(&self, name: &Path) -> Option<u64> {
        fs::metadata(self.inside(name)?).ok().map(|data| data.len())
    }

    /// The journal of a game, by its number from 0.
    pub(super) fn journal(&self, number: usize) -> Option<PathBuf> {
        self.inside(Path::new(&Store::journal_name(number)))
    }

    /// How the tournament stands, and its results if they have changed since it was `seen`.
    fn look(&self, seen: Option<&Seen>) -> (Stamp, Option<Rated>) {
        let results = folders::stamp(&self.dir, RESULTS);
        let is_running = Store::is_running(&self.dir);
        let seen = seen.filter(|seen| seen.stamp.results == results);
        let read = if seen.is_some() { None } else { self.results() };
        let running = if is_running {
            let ended = read.as_ref().map(|(results, _)| results.games.len());
            let ended = ended.or(seen.map(|seen| seen.summary.played));
            self.running(ended.unwrap_or(0), seen.map_or(&[], |seen| &seen.stamp.running))
        } else {
            Vec::new()
        };
        (Stamp { results, is_running, running }, read)
    }

    /// The games that are being played, after so many that have ended. Games are begun in the order of their numbers.
    fn running(&self, ended: usize, known: &[Running]) -> Vec<Running> {
        let mut running = Vec::new();
        let mut gap = 0;
        for number in ended..ended + MAX_AHEAD {
            if gap > MAX_GAP || running.len() == MAX_RUNNING {
                break;
            }
            let Some(journal) = self.journal(number) else {
                gap += 1;
                continue;
            };
            gap = 0;
            // A record is written when a game has ended.
            if self.dir.join(Store::record_name(number)).exists() {
                continue;
            }
            let same = known.iter().find(|known| known.number == number).cloned();
            running.extend(same.or_else(|| begun(number, &first_line(&journal)?)));
        }
        running
    }

    fn results(&self) -> Option<Rated> {
        let bytes = folders::bounded(&self.dir, RESULTS, MAX_RESULTS)?;
        let text = std::str::from_utf8(&bytes).ok()?;
        Results::with_strengths(text).ok()
    }

    fn read(&self, stamp: &Stamp, read: Option<Rated>) -> Snapshot {
        let read = read.or_else(|| self.results());
        let (state, (results, strengths)) = match (read, stamp.results) {
            (Some(read), _) => {
                let state = match (read.0.state, stamp.is_running) {
                    (State::Finished, _) => TournamentState::Finished,
                    (_, true) => TournamentState::Running,
                    (_, false) => TournamentState::Stopped,
                };
                (state, read)
            }
            // It has only just begun.
            (None, None) if stamp.is_running => (TournamentState::Running, self.nameless()),
            (None, None) => (TournamentState::Stopped, self.nameless()),
            (None, Some(_)) => (TournamentState::Damaged, self.nameless()),
        };
        let left = (state == TournamentState::Running).then(|| self.left(&results)).flatten();
        let files = PUBLIC_FILES.into_iter().filter(|name| self.inside(Path::new(name)).is_some()).collect();
        Snapshot {
            table: results.table(),
            results,
            strengths,
            state,
            running: stamp.running.clone(),
            updated: updated(&self.dir),
            left,
            files,
            is_web: self.is_web,
        }
    }

    /// What is known of a tournament without results.
    fn nameless(&self) -> Rated {
        let name = self.dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (Results { name, ..Results::default() }, Vec::new())
    }

    /// About how long the tournament goes on, from when its last games ended.
    fn left(&self, results: &Results) -> Option<Duration> {
        let ended = |number: usize| {
            fs::metadata(self.dir.join(Store::record_name(number))).and_then(|data| data.modified()).ok()
        };
        let played: Vec<usize> = results
            .games
            .iter()
            .rev()
            .filter(|game| game.was_played())
            .map(|game| game.number)
            .take(LATEST)
            .collect();
        let (last, first) = (played.first()?, played.last()?);
        let time = ended(*last)?.duration_since(ended(*first)?).ok()?;
        let games = u32::try_from(played.len()).ok()?.checked_sub(1).filter(|games| *games > 0)?;
        let to_come = u32::try_from(results.scheduled() - results.games.len()).ok()?;
        (time / games).checked_mul(to_come)
    }
}

/// The game that begins with this event.
fn begun(number: usize, line: &str) -> Option<Running> {
    let Event::Started(started) = LogEvent::from_json(line).ok()?.event else { return None };
    let Started { game, options, setup, .. } = *started;
    let seats = setup.boards.into_iter().flat_map(|board| board.seats).map(|seat| seat.name).collect();
    Some(Running { number, game, options, seats })
}
