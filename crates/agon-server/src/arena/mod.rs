//! Tournaments on the web: what `agon arena` plays, in this process or another, shown while it is played.
//!
//! Tournaments are found on disk ([`Arena::list`]) and read as they stand ([`folder`]); [`view`] turns that into what browsers are sent,
//! [`following`] sends it again when it changes, and [`authors`] shows authors what only they may see. Their games are
//! [spectated games](crate::table::spectated). Everything that reads files is bounded: the folders may be anybody's. [`management`] takes uploads and
//! starts tournaments, if that is switched on.

pub mod authors;
mod folder;
mod following;
mod management;
mod runs;
mod secret;
mod uploads;
mod view;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_arena::report::words::name_text;
use agon_arena::tournament::Store;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::arena::{Tournament, TournamentGames, TournamentList};

pub use folder::{Folder, GRADES, PUBLIC_FILES};
pub use secret::Secret;
pub use uploads::{MAX_UPLOAD, UploadTerms};
pub use view::GameQuestion;

use crate::blocking::run_blocking;
use crate::folders::{Contents, FolderError, Roots};
use agon_messages::Refused;
use following::Following;
use management::Management;

/// The folder of tournaments in the data directory.
pub const FOLDER: &str = "arena";
/// The file in the data directory that ids and keys are made from.
pub const SECRET: &str = "arena-secret";
/// How many tournaments are kept in memory as they were last read.
const KEPT: usize = 8;

/// The tournaments that the server shows.
#[derive(Default)]
pub struct Arena {
    roots: Roots,
    secret: Secret,
    known: Mutex<Known>,
    /// Held while tournaments are looked for: once at a time is enough.
    scanning: Mutex<()>,
    following: Following,
    /// `None` if uploads are off.
    management: Option<Management>,
}

#[derive(Default)]
struct Known {
    folders: HashMap<String, Arc<Folder>>,
    /// Those that have been read whole, the last one at the end.
    read: VecDeque<String>,
}

impl Arena {
    /// The tournaments in the data directory and in `shown`, each of which is a tournament or a folder of tournaments.
    ///
    /// # Errors
    /// If one of those is not a folder, or the secret cannot be kept.
    pub fn open(data: &Path, shown: &[PathBuf]) -> Result<Self, FolderError> {
        let secret = Secret::keep(&data.join(SECRET)).map_err(FolderError::at(data))?;
        let roots = Roots::open(data.join(FOLDER), shown, "a tournament, or a folder of tournaments")?;
        Ok(Self { roots, secret, ..Self::default() })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for tournaments, and says whether there are more than are listed.
    fn scan(&self) -> (Vec<Arc<Folder>>, bool) {
        let _scanning = self.scanning.lock();
        let (found, has_more) = self.roots.find(Store::is_tournament, folder::updated);
        let mut known = self.known();
        let folders: Vec<Arc<Folder>> = found
            .into_iter()
            .map(|path| {
                let id = self.secret.tournament(&path);
                let kept = known.folders.get(&id).map(Arc::clone);
                let is_web =
                    || self.management.as_ref().is_some_and(|management| management.name_of(&path).is_some());
                kept.unwrap_or_else(|| Arc::new(Folder::new(id, is_web(), path.clone())))
            })
            .collect();
        known.folders = folders.iter().map(|folder| (folder.id().to_owned(), Arc::clone(folder))).collect();
        (folders, has_more)
    }

    /// The tournaments, running ones first.
    pub async fn list(self: &Arc<Self>) -> TournamentList {
        let arena = Arc::clone(self);
        let listed = tokio::task::spawn_blocking(move || {
            let (folders, more) = arena.scan();
            let summaries = folders.iter().map(|folder| folder.summary()).collect();
            view::list(summaries, more, arena.takes_uploads())
        });
        listed.await.unwrap_or_default()
    }

    /// The folder of a tournament.
    fn folder(&self, id: &str) -> Option<Arc<Folder>> {
        if !Secret::is_id(id) {
            return None;
        }
        let known = self.known().folders.get(id).map(Arc::clone);
        let known = known.or_else(|| {
            self.scan();
            self.known().folders.get(id).map(Arc::clone)
        });
        known.filter(|folder| folder.is_there())
    }

    /// Does something with a tournament where it holds up nobody else.
    async fn with<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        work: impl FnOnce(&Self, &Folder) -> Result<T, Refused> + Send + 'static,
    ) -> Result<T, Refused> {
        let (arena, id) = (Arc::clone(self), id.to_owned());
        run_blocking(move || {
            let folder = arena.folder(&id).ok_or_else(unknown)?;
            let done = work(&arena, &folder)?;
            arena.remember(&folder);
            Ok(done)
        })
        .await
    }

    /// Notes that a tournament was read, and forgets what was read of those that have not been for a while.
    fn remember(&self, folder: &Folder) {
        let mut known = self.known();
        known.read.retain(|id| id != folder.id());
        known.read.push_back(folder.id().to_owned());
        while known.read.len() > KEPT {
            let oldest = known.read.pop_front().and_then(|id| known.folders.get(&id).map(Arc::clone));
            if let Some(oldest) = oldest {
                oldest.forget();
            }
        }
    }

    /// A tournament as it stands.
    ///
    /// # Errors
    /// If there is no such one.
    pub async fn tournament(self: &Arc<Self>, id: &str) -> Result<Arc<Tournament>, Refused> {
        self.with(id, |_, folder| Ok(folder.view())).await
    }

    /// Games of a tournament.
    ///
    /// # Errors
    /// If there is no such tournament.
    pub async fn games(
        self: &Arc<Self>,
        id: &str,
        question: GameQuestion,
    ) -> Result<TournamentGames, Refused> {
        self.with(id, move |_, folder| Ok(folder.games(&question))).await
    }

    /// A file of the results of a tournament.
    ///
    /// # Errors
    /// If there is no such tournament or file.
    pub async fn file(self: &Arc<Self>, id: &str, name: &'static str) -> Result<Contents, Refused> {
        self.with(id, move |_, folder| folder.file(Path::new(name)).ok_or_else(unknown)).await
    }

    /// The record of a game, by the name of its file, such as `00012.txt`.
    ///
    /// # Errors
    /// If there is no such tournament or record.
    pub async fn record(self: &Arc<Self>, id: &str, record: String) -> Result<Contents, Refused> {
        let number = record.strip_suffix(".txt").and_then(|number| number.parse::<usize>().ok());
        let number = number.and_then(|number| number.checked_sub(1)).ok_or_else(unknown)?;
        self.with(id, move |_, folder| {
            folder.file(Path::new(&Store::record_name(number))).ok_or_else(unknown)
        })
        .await
    }

    /// Where the journal of the game of this name is, such as `k3vq8w2mzt5c-12`.
    pub async fn journal(self: &Arc<Self>, game: &str) -> Option<PathBuf> {
        let (id, number) = view::parse_game_id(game)?;
        self.with(id, move |_, folder| folder.journal(number).ok_or_else(unknown)).await.ok()
    }

    /// Those who follow tournaments and the list of them.
    pub fn following(&self) -> &Following {
        &self.following
    }
}

/// There is no such tournament, or nothing that may be told to whoever asks.
pub fn unknown() -> Refused {
    Refused::plain(RefusalCode::Unknown, "refused.unknown-tournament")
}

/// A name in the arena as people see it.
fn shown(name: &str) -> String {
    name_text(name)
}
