//! What a teacher with the admin token can do: upload agents, and start, stop and resume tournaments. All of it is off unless whoever runs the
//! server has switched it on.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_arena::tournament::Store;
use agon_erased::Games;
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::arena::{ArenaDesk, NewTournament, TournamentState, UploadedAgent};
use agon_table::limits::BotLimits;

use super::runs::Runs;
use super::uploads::{self, MAX_UPLOAD, UploadTerms, Uploads};
use super::{Arena, FOLDER};
use crate::blocking::run_blocking;

/// The folder of uploads in the data directory.
const UPLOADS: &str = "arena-uploads";
/// How often it is looked whether a tournament that was started has begun.
const BEGIN_PAUSE: Duration = Duration::from_millis(20);

/// The uploaded agents and the tournaments that are started on the web, both for whoever has the admin token.
pub(super) struct Management {
    uploads: Arc<Uploads>,
    runs: Arc<Runs>,
}

impl Management {
    fn new(folder: &Path, results: PathBuf, program: PathBuf) -> Self {
        let runs = Runs::new(folder.join("tournaments"), results, program);
        Self { uploads: Arc::new(Uploads::new(folder.join("agents"))), runs: Arc::new(runs) }
    }

    /// The name of the tournament with these results, if it was started on the web.
    pub(super) fn name_of(&self, results: &Path) -> Option<String> {
        self.runs.name_of(results)
    }
}

impl Arena {
    /// The same arena where agents can be uploaded and tournaments started. `program` is the one that plays them: `agon`.
    ///
    /// # Errors
    /// If the data directory cannot be written.
    pub fn with_uploads(self, data: &Path, program: PathBuf) -> std::io::Result<Self> {
        let results = data.join(FOLDER);
        std::fs::create_dir_all(&results)?;
        // Processes have folders of their own: paths must hold there, too. Ids are those of paths without links.
        let (results, uploads) = (results.canonicalize()?, data.canonicalize()?.join(UPLOADS));
        Ok(Self { management: Some(Management::new(&uploads, results, program)), ..self })
    }

    fn enabled_management(&self) -> Result<&Management, Refused> {
        self.management.as_ref().ok_or_else(|| Refused::plain(RefusalCode::Disabled, "refused.uploads-off"))
    }

    /// Whether agents can be uploaded.
    pub fn takes_uploads(&self) -> bool {
        self.management.is_some()
    }

    /// The interpreters, the uploaded agents and the tournament that is running.
    ///
    /// # Errors
    /// If the server is too busy.
    pub async fn overview(self: &Arc<Self>) -> Result<ArenaDesk, Refused> {
        let arena = Arc::clone(self);
        run_blocking(move || {
            let management = arena.management.as_ref();
            let running = management.and_then(|management| Some((management, management.runs.current()?)));
            Ok(ArenaDesk {
                uploads: management.is_some(),
                interpreters: uploads::interpreters(),
                agents: management.map_or_else(Vec::new, |management| management.uploads.list()),
                running: running
                    .map(|(management, name)| arena.secret.tournament(&management.runs.results(&name))),
                max_upload: MAX_UPLOAD as u64,
            })
        })
        .await
    }

    /// Takes an agent in.
    ///
    /// # Errors
    /// If uploads are off, or the agent is not in order.
    pub async fn upload(
        &self,
        name: String,
        terms: UploadTerms,
        bytes: Vec<u8>,
    ) -> Result<UploadedAgent, Refused> {
        let uploads = Arc::clone(&self.enabled_management()?.uploads);
        run_blocking(move || uploads.take(&name, &terms, bytes)).await
    }

    /// Removes an agent.
    ///
    /// # Errors
    /// If uploads are off, or there is no such agent.
    pub async fn remove_agent(&self, name: String) -> Result<(), Refused> {
        let uploads = Arc::clone(&self.enabled_management()?.uploads);
        run_blocking(move || uploads.remove(&name)).await
    }

    /// Starts a tournament and returns its id.
    ///
    /// # Errors
    /// If uploads are off, it cannot be played, or another one is running.
    pub async fn start(
        &self,
        games: Games,
        asked: NewTournament,
        limits: BotLimits,
    ) -> Result<String, Refused> {
        let Management { uploads, runs } = self.enabled_management()?;
        let name = runs.start(games, asked, Arc::clone(uploads), limits).await?;
        let results = runs.results(&name);
        // Whoever is told the id may look at once.
        while !Store::is_tournament(&results) {
            if runs.current().as_deref() != Some(&name) {
                return Err(runs.failure(&name));
            }
            tokio::time::sleep(BEGIN_PAUSE).await;
        }
        Ok(self.secret.tournament(&results))
    }

    /// Stops a tournament that was started on the web.
    ///
    /// # Errors
    /// If uploads are off, or it is not running.
    pub async fn stop(self: &Arc<Self>, id: &str) -> Result<(), Refused> {
        let name = self.web_name(id).await?;
        self.enabled_management()?.runs.stop(&name).await
    }

    /// Resumes a tournament that was started on the web.
    ///
    /// # Errors
    /// If uploads are off, it is over, or another one is running.
    pub async fn resume(self: &Arc<Self>, id: &str) -> Result<(), Refused> {
        let name = self.web_name(id).await?;
        let state = self.tournament(id).await?.summary.state;
        if state == TournamentState::Finished {
            return Err(Refused::plain(RefusalCode::State, "refused.tournament-over"));
        }
        self.enabled_management()?.runs.resume(&name).await
    }

    async fn web_name(self: &Arc<Self>, id: &str) -> Result<String, Refused> {
        self.enabled_management()?;
        self.with(id, |arena, folder| {
            let name = arena.enabled_management()?.name_of(folder.dir());
            name.ok_or_else(|| Refused::plain(RefusalCode::State, "refused.not-of-the-web"))
        })
        .await
    }

    /// Resumes the tournament that was being played when the server ended.
    pub async fn restore(&self) {
        if let Some(management) = &self.management {
            management.runs.restore().await;
        }
    }

    /// Stops the tournament that is being played until the server starts again.
    pub async fn halt(&self) {
        if let Some(management) = &self.management {
            management.runs.halt().await;
        }
    }
}
