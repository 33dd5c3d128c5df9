//! Studies on the web: our own runs, which are part of the program, and whatever `agon study run` plays or has played in the folders that are
//! shown, in this process or another. Folders are read as they stand; all that is sent follows from `results.json` and `study.toml`.

mod view;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use agon_erased::Games;
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::studies::{Study, StudyList, StudyState, StudySummary};
use agon_study::library::{PUBLISHED, Published, READY_MADE};
use agon_study::report::{self, RESULTS};
use agon_study::{Begun, Results, State, Store};

use crate::arena::{SECRET, Secret};
use crate::blocking::run_blocking;
use crate::folders::{self, Contents, FolderError, Roots, Stamp, bounded};

/// The folder of studies in the data directory.
pub const FOLDER: &str = "studies";
/// The largest results that are read, in bytes.
const MAX_RESULTS: u64 = 16 << 20;

/// The studies that the server shows.
#[derive(Default)]
pub struct Studies {
    games: Games,
    roots: Roots,
    secret: Secret,
    known: Mutex<HashMap<String, Known>>,
}

/// The folder of a study.
struct Known {
    dir: PathBuf,
    /// How it was last listed.
    seen: Option<(Seen, StudySummary)>,
}

/// Tells whether a study has changed.
#[derive(Clone, PartialEq)]
struct Seen {
    results: Option<Stamp>,
    is_running: bool,
}

impl Seen {
    fn of(dir: &Path) -> Self {
        Self { results: folders::stamp(dir, RESULTS), is_running: Store::is_running(dir) }
    }
}

/// A study as it was read.
struct Snapshot {
    id: String,
    state: StudyState,
    content: Content,
    /// The study's own file, and when its results were written; `None` for our own runs.
    folder: Option<(String, SystemTime)>,
}

enum Content {
    /// The results, and where their text is.
    Results(Box<Results>, Original),
    /// There are no results, or none that can be read, and why.
    Nothing(Begun, Option<String>),
}

/// Where the text of results is.
enum Original {
    /// In the program.
    Published(&'static str),
    /// In this folder.
    Folder(PathBuf),
}

impl Studies {
    /// Our own runs of `games`, the studies in the data directory, and those in `shown`, each of which is a study or a folder of studies.
    ///
    /// # Errors
    /// If one of those is not a folder, or the secret cannot be kept.
    pub fn open(games: Games, data: &Path, shown: &[PathBuf]) -> Result<Self, FolderError> {
        let secret = Secret::keep(&data.join(SECRET)).map_err(FolderError::at(data))?;
        let roots = Roots::open(data.join(FOLDER), shown, "a study, or a folder of studies")?;
        Ok(Self { games, roots, secret, ..Self::default() })
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for studies, and says whether there are more than are listed.
    fn scan(&self) -> (Vec<String>, bool) {
        let updated = |dir: &Path| folders::last_modified(dir, &[RESULTS, Store::FILE]);
        let (found, has_more) = self.roots.find(Store::is_study, updated);
        let mut known = self.known();
        let mut before = std::mem::take(&mut *known);
        let mut ids = Vec::with_capacity(found.len());
        for dir in found {
            let id = self.secret.study(&dir);
            let entry = before.remove(&id).unwrap_or(Known { dir, seen: None });
            known.insert(id.clone(), entry);
            ids.push(id);
        }
        (ids, has_more)
    }

    /// The studies, running ones first.
    pub async fn list(self: &Arc<Self>) -> StudyList {
        let studies = Arc::clone(self);
        let listed = tokio::task::spawn_blocking(move || {
            let (ids, more) = studies.scan();
            let mut listed: Vec<StudySummary> = ids.iter().filter_map(|id| studies.summary(id)).collect();
            listed.sort_by_key(|study| study.state != StudyState::Running);
            listed.extend_from_slice(own());
            StudyList { studies: listed, more }
        });
        listed.await.unwrap_or_default()
    }

    /// What lists show of the study in a folder.
    fn summary(&self, id: &str) -> Option<StudySummary> {
        let dir = self.dir(id)?;
        let now = Seen::of(&dir);
        if let Some((seen, summary)) = &self.known().get(id)?.seen
            && *seen == now
        {
            return Some(summary.clone());
        }
        let summary = view::summary(&Snapshot::read(id, &dir));
        if let Some(known) = self.known().get_mut(id) {
            known.seen = Some((now, summary.clone()));
        }
        Some(summary)
    }

    fn dir(&self, id: &str) -> Option<PathBuf> {
        self.known().get(id).map(|known| known.dir.clone())
    }

    /// A study as it is now.
    fn snapshot(&self, id: &str) -> Option<Snapshot> {
        if let Some(run) = PUBLISHED.iter().find(|run| run.id == id) {
            return Snapshot::published(run);
        }
        if !Secret::is_id(id) {
            return None;
        }
        let dir = self.dir(id).or_else(|| {
            self.scan();
            self.dir(id)
        })?;
        Store::is_study(&dir).then(|| Snapshot::read(id, &dir))
    }

    /// Does something with a study where it holds up nobody else.
    async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        id: String,
        work: impl FnOnce(&Snapshot) -> Option<T> + Send + 'static,
    ) -> Result<T, Refused> {
        let studies = Arc::clone(self);
        run_blocking(move || studies.snapshot(&id).and_then(|snapshot| work(&snapshot)).ok_or_else(unknown))
            .await
    }

    /// A study as it stands.
    ///
    /// # Errors
    /// If there is no such one.
    pub async fn study(self: &Arc<Self>, id: String) -> Result<Study, Refused> {
        let games = self.games;
        self.with(id, move |snapshot| Some(view::study(games, snapshot))).await
    }

    /// A file of the results of a study.
    ///
    /// # Errors
    /// If there is no such study or file.
    pub async fn file(self: &Arc<Self>, id: String, name: String) -> Result<Contents, Refused> {
        self.with(id, move |snapshot| snapshot.file(&name)).await
    }
}

impl Snapshot {
    /// One of our own runs.
    fn published(run: &Published) -> Option<Self> {
        let results = Results::read(run.results).ok()?;
        let state = if results.state == State::Finished { StudyState::Finished } else { StudyState::Stopped };
        let content = Content::Results(Box::new(results), Original::Published(run.results));
        Some(Self { id: run.id.to_owned(), state, content, folder: None })
    }

    /// The study in a folder, which somebody may be writing to.
    fn read(id: &str, dir: &Path) -> Self {
        let text = |name: &str, most: u64| String::from_utf8(bounded(dir, name, most)?).ok();
        let file = text(Store::FILE, Store::MAX_BYTES).unwrap_or_default();
        let is_running = Store::is_running(dir);
        let idle = if is_running { StudyState::Running } else { StudyState::Stopped };
        let nothing = |fault| {
            let run = text(Store::RUN, Store::MAX_BYTES).unwrap_or_default();
            let mut begun = Begun::read(&file, &run);
            begun
                .name
                .get_or_insert_with(|| dir.file_name().unwrap_or_default().to_string_lossy().into_owned());
            Content::Nothing(begun, fault)
        };
        let is_there = folders::inside(dir, RESULTS).is_some();
        let read = text(RESULTS, MAX_RESULTS)
            .ok_or_else(|| format!("expected UTF-8 text of at most {MAX_RESULTS} bytes"))
            .and_then(|text| Results::read(&text));
        let (state, content) = match read {
            Ok(mut results) => {
                let state = if results.state == State::Finished { StudyState::Finished } else { idle };
                // A study that was killed did not say that it ended, and one that is resumed has not said yet that it goes on.
                if results.state != State::Finished {
                    results.state = if is_running { State::Running } else { State::Stopped };
                }
                (state, Content::Results(Box::new(results), Original::Folder(dir.to_owned())))
            }
            Err(fault) if is_there => (StudyState::Damaged, nothing(Some(fault))),
            // It has only just begun.
            Err(_) => (idle, nothing(None)),
        };
        let updated = folders::last_modified(dir, &[RESULTS, Store::FILE]);
        Self { id: id.to_owned(), state, content, folder: Some((file, updated)) }
    }

    /// The names of the files that can be had.
    fn files(&self) -> impl Iterator<Item = &'static str> {
        let results = if matches!(self.content, Content::Results(..)) { &report::FILES[..] } else { &[] };
        results.iter().copied().chain(self.folder.is_some().then_some(Store::FILE))
    }

    /// A file. All but the results and the study's own are made from the results, wherever those are from.
    fn file(&self, name: &str) -> Option<Contents> {
        let name = self.files().find(|known| *known == name)?;
        match (&self.content, &self.folder) {
            (_, Some((file, _))) if name == Store::FILE => Some(Contents::Made(file.clone())),
            (Content::Results(_, Original::Published(text)), _) if name == RESULTS => {
                Some(Contents::Static(text))
            }
            (Content::Results(_, Original::Folder(dir)), _) if name == RESULTS => {
                folders::contents(dir, RESULTS, MAX_RESULTS)
            }
            (Content::Results(results, _), _) => report::file(results, name).ok().map(Contents::Made),
            _ => None,
        }
    }

    /// The command that repeats it, if it is known what was run.
    fn command(&self) -> Option<String> {
        let (name, is_quick) = match &self.content {
            Content::Results(results, _) => (results.name.as_str(), results.quick),
            Content::Nothing(begun, _) => (begun.name.as_deref()?, begun.is_quick),
        };
        let ready_made = READY_MADE.iter().find(|study| study.name == name);
        let (study, out) = match (&self.folder, ready_made) {
            (None, Some(study)) => (study.name, study.name),
            (Some((file, _)), Some(study)) if study.text == file => (study.name, study.name),
            (Some(_), _) => (Store::FILE, "results"),
            (None, None) => return None,
        };
        let quick = if is_quick { " --quick" } else { "" };
        Some(format!("agon study run {study}{quick} --out {out}"))
    }
}

/// What lists show of our own runs, which do not change.
pub fn own() -> &'static [StudySummary] {
    static SUMMARIES: OnceLock<Vec<StudySummary>> = OnceLock::new();
    SUMMARIES.get_or_init(|| {
        let snapshots = PUBLISHED.iter().filter_map(Snapshot::published);
        snapshots.map(|snapshot| view::summary(&snapshot)).collect()
    })
}

/// Files by their names.
type NamedFiles = Vec<(&'static str, Vec<u8>)>;

/// Our own runs of `games` in full, with the files that can be had of each.
pub fn own_in_full(games: Games) -> Vec<(Study, NamedFiles)> {
    let snapshots = PUBLISHED.iter().filter_map(Snapshot::published);
    let in_full = |snapshot: Snapshot| {
        let file = |name| match snapshot.file(name)? {
            Contents::Static(text) => Some((name, text.as_bytes().to_vec())),
            Contents::Made(text) => Some((name, text.into_bytes())),
            // Our own runs are no files.
            Contents::File(..) => None,
        };
        let files = snapshot.files().filter_map(file).collect();
        (view::study(games, &snapshot), files)
    };
    snapshots.map(in_full).collect()
}

/// There is no such study or file.
fn unknown() -> Refused {
    Refused::plain(RefusalCode::Unknown, "refused.unknown-study")
}
