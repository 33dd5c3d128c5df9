//! Tournaments that were started on the web. Each is played by a process of its own, `agon arena run --strict`, which cannot take the server
//! down, and which stops when the server does: it is held by its standard input.
//!
//! What is to be played is in a folder of its own: `tournament.toml`, the agents, and `wanted` as long as the tournament should be running, so
//! that a server that starts again resumes it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_agents::submissions::tournament::{player_section, text};
use agon_arena::tournament::Store;
use agon_erased::Games;
use agon_match::Occupant;
use agon_messages::Refused;
use agon_protocol::web::RefusalCode;
use agon_protocol::web::arena::{NewBot, NewRound, NewTournament, Printing};
use agon_table::limits::{BotLimits, check_bot};
use tokio::sync::watch;

use super::uploads::Uploads;
use agon_requests::catalogue;

/// The most players of a tournament.
const MAX_PLAYERS: usize = 200;
/// The most rounds of one.
const MAX_ROUNDS: usize = 20;
/// The most repetitions of a round.
const MAX_REPETITIONS: u32 = 100;
/// The most characters of a value.
const MAX_TEXT: usize = 200;
/// The most characters of what a process says that are passed on.
const MAX_SAID: usize = 1000;
/// How long a process may take to stop.
const STOP_TIME: Duration = Duration::from_secs(3);
/// How often it is looked whether the process of an earlier server has ended, and how long it is waited in between.
const RESTORE_ATTEMPTS: usize = 100;
const RESTORE_PAUSE: Duration = Duration::from_millis(100);

const TOML: &str = "tournament.toml";
const WANTED: &str = "wanted";
/// What the process says.
const LOG: &str = "run.log";

/// Tournaments that were started on the web.
pub(super) struct Runs {
    /// What they consist of, a folder each.
    folder: PathBuf,
    /// Where their results are.
    results: PathBuf,
    /// The program that plays them.
    program: PathBuf,
    running: Arc<Mutex<Option<Running>>>,
    /// Held while a tournament is being started.
    starting: tokio::sync::Mutex<()>,
}

/// The tournament that is being played.
struct Running {
    name: String,
    /// Closing it stops the process.
    leash: Option<ChildStdin>,
    /// Becomes true when the process has ended.
    ended: watch::Receiver<bool>,
}

fn invalid(reason: impl ToString) -> Refused {
    Refused::because(RefusalCode::Invalid, "refused.tournament", reason)
}

fn failed(error: &dyn std::fmt::Display) -> Refused {
    tracing::error!(%error, "a tournament cannot be started");
    Refused::storage()
}

impl Runs {
    pub(super) fn new(folder: PathBuf, results: PathBuf, program: PathBuf) -> Self {
        Self { folder, results, program, running: Arc::default(), starting: tokio::sync::Mutex::default() }
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the tournament that is being played.
    pub(super) fn current(&self) -> Option<String> {
        self.running().as_ref().map(|running| running.name.clone())
    }

    /// The results of the tournament of this name.
    pub(super) fn results(&self, name: &str) -> PathBuf {
        self.results.join(name)
    }

    /// The name of the tournament with these results, if it was started here.
    pub(super) fn name_of(&self, results: &Path) -> Option<String> {
        let name = results.file_name()?.to_str()?;
        let parent = self.results.canonicalize().ok()?;
        (results.parent()? == parent && self.folder.join(name).join(TOML).is_file()).then(|| name.to_owned())
    }

    /// Starts a tournament.
    ///
    /// # Errors
    /// If it cannot be played, or another one is running.
    pub(super) async fn start(
        self: &Arc<Self>,
        games: Games,
        asked: NewTournament,
        uploads: Arc<Uploads>,
        limits: BotLimits,
    ) -> Result<String, Refused> {
        let _starting = self.starting.lock().await;
        self.check_idle()?;
        let (runs, name) = (Arc::clone(self), asked.name.clone());
        let prepared =
            tokio::task::spawn_blocking(move || runs.prepare(games, &asked, &uploads, &limits)).await;
        prepared.map_err(|error| failed(&error))??;
        self.launch(name.clone())?;
        Ok(name)
    }

    fn check_idle(&self) -> Result<(), Refused> {
        let Some(name) = self.current() else { return Ok(()) };
        Err(Refused::new(RefusalCode::Limit, "refused.one-tournament", [("name", name.into())]))
    }

    /// Writes down what is to be played, and has it checked.
    fn prepare(
        &self,
        games: Games,
        asked: &NewTournament,
        uploads: &Uploads,
        limits: &BotLimits,
    ) -> Result<(), Refused> {
        check(games, asked, limits)?;
        let place = self.folder.join(&asked.name);
        if place.exists() || self.results(&asked.name).exists() {
            return Err(Refused::plain(RefusalCode::Taken, "refused.tournament-taken").about("name"));
        }
        fs::create_dir_all(&place).map_err(|error| failed(&error))?;
        let prepared = self.fill(asked, uploads, &place);
        if prepared.is_err() {
            let _ = fs::remove_dir_all(&place);
        }
        prepared
    }

    fn fill(&self, asked: &NewTournament, uploads: &Uploads, place: &Path) -> Result<(), Refused> {
        let mut file = head(asked);
        for agent in &asked.agents {
            file += &player_section(&uploads.copy(agent, place)?);
        }
        file.extend(asked.bots.iter().map(bot_section));
        file.extend(asked.rounds.iter().map(round_section));
        fs::write(place.join(TOML), file).map_err(|error| failed(&error))?;
        // The program itself knows what holds, and what this machine can enforce.
        let checked = self
            .command()
            .args(["arena", "check", "--strict", TOML])
            .current_dir(place)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(&error))?;
        if checked.status.success() { Ok(()) } else { Err(invalid(said(&checked.stderr))) }
    }

    /// The program that plays tournaments, which need not know the admin token.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env_remove("AGON_ADMIN_TOKEN");
        command
    }

    /// Plays a tournament on that was started here.
    ///
    /// # Errors
    /// If another one is running, or the process cannot be started.
    pub(super) async fn resume(self: &Arc<Self>, name: &str) -> Result<(), Refused> {
        let _starting = self.starting.lock().await;
        self.check_idle()?;
        self.launch(name.to_owned())
    }

    /// Resumes the tournament that was being played when the server ended.
    pub(super) async fn restore(self: &Arc<Self>) {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let wanted = entries.filter(|entry| entry.path().join(WANTED).exists());
        let names: Vec<String> = wanted.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        for name in names {
            // The process of a server that was killed needs a moment to notice.
            for _ in 0..RESTORE_ATTEMPTS {
                if !Store::is_running(&self.results(&name)) {
                    break;
                }
                tokio::time::sleep(RESTORE_PAUSE).await;
            }
            if let Err(refused) = self.resume(&name).await {
                tracing::warn!(name, reason = %refused.message, "a tournament cannot be resumed");
            }
        }
    }

    fn launch(&self, name: String) -> Result<(), Refused> {
        let place = self.folder.join(&name);
        let results = self.results(&name);
        let mut command = self.command();
        if Store::is_tournament(&results) {
            command.args(["arena", "resume"]).arg(&results);
        } else {
            command.args(["arena", "run", TOML, "--out"]).arg(&results);
        }
        command.args(["--strict", "--stop-on-eof"]).current_dir(&place);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let wanted = File::create(place.join(WANTED)).and_then(|_| File::create(place.join(LOG)));
        let child = wanted.and_then(|log| command.stderr(log).spawn());
        let mut child = child.map_err(|error| failed(&error))?;
        let leash = child.stdin.take();
        let (tell, ended) = watch::channel(false);
        *self.running() = Some(Running { name: name.clone(), leash, ended });
        tracing::info!(name, "a tournament is played");
        let running = Arc::clone(&self.running);
        std::thread::spawn(move || {
            mind(&mut child, &place, &running);
            let _ = tell.send(true);
        });
        Ok(())
    }

    /// Why the tournament of this name has ended before it began.
    pub(super) fn failure(&self, name: &str) -> Refused {
        let place = self.folder.join(name);
        let log = fs::read(place.join(LOG)).unwrap_or_default();
        let _ = fs::remove_dir_all(&place);
        invalid(said(&log))
    }

    /// Stops the tournament of this name; games that are being played are broken off.
    ///
    /// # Errors
    /// If it is not running.
    pub(super) async fn stop(&self, name: &str) -> Result<(), Refused> {
        if self.current().as_deref() != Some(name) {
            return Err(Refused::plain(RefusalCode::State, "refused.not-running"));
        }
        let _ = fs::remove_file(self.folder.join(name).join(WANTED));
        self.halt().await;
        Ok(())
    }

    /// Stops whatever is running until the server starts again.
    pub(super) async fn halt(&self) {
        let ended = self.running().as_mut().map(|running| {
            running.leash = None;
            running.ended.clone()
        });
        if let Some(mut ended) = ended {
            // A process that takes longer ends by itself.
            let _ = tokio::time::timeout(STOP_TIME, ended.wait_for(|ended| *ended)).await;
        }
    }
}

/// Waits for the end of a process.
fn mind(child: &mut Child, place: &Path, running: &Mutex<Option<Running>>) {
    let status = child.wait();
    let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
    let was_stopped = running.as_ref().is_some_and(|running| running.leash.is_none());
    if !was_stopped {
        // It has come to its end, or failed in a way that it would fail in again.
        let _ = fs::remove_file(place.join(WANTED));
        match status {
            Ok(status) if status.success() => tracing::info!("a tournament has ended"),
            status => {
                let log = fs::read(place.join(LOG)).unwrap_or_default();
                tracing::error!(?status, said = said(&log), "a tournament was not played to its end");
            }
        }
    }
    *running = None;
}

/// The end of what a process said.
fn said(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim().trim_start_matches("error: ");
    let skipped = text.chars().count().saturating_sub(MAX_SAID);
    text.chars().skip(skipped).collect()
}

/// Checks what the tournament file could not tell from a stranger's.
fn check(games: Games, asked: &NewTournament, limits: &BotLimits) -> Result<(), Refused> {
    let is_text = |text: &str| text.chars().count() <= MAX_TEXT && !text.contains(char::is_control);
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().count() <= 64 && name.trim() == name && !name.starts_with('.')
    };
    if !is_text(&asked.name) || !is_name(&asked.name) || asked.name.contains(['/', '\\']) {
        let reason = "its name must have 1 to 64 visible characters, no slashes and no dot in front";
        return Err(invalid(reason).about("name"));
    }
    let range = |field: &str, most: usize| {
        let numbers = [("n", 1_u64.into()), ("m", (most as u64).into())];
        Refused::new(RefusalCode::Invalid, "refused.range", numbers).about(field.to_owned())
    };
    if asked.agents.len() + asked.bots.len() > MAX_PLAYERS {
        return Err(range("agents", MAX_PLAYERS));
    }
    if asked.rounds.is_empty() || asked.rounds.len() > MAX_ROUNDS {
        return Err(range("rounds", MAX_ROUNDS));
    }
    for (index, round) in asked.rounds.iter().enumerate() {
        let about = |refused: Refused| refused.about(format!("rounds.{index}"));
        let texts = [
            Some(&round.game),
            Some(&round.options),
            round.time.as_ref(),
            round.setup.as_ref(),
            round.format.as_ref(),
        ];
        if !texts.into_iter().flatten().all(|text| is_text(text)) {
            return Err(about(invalid("a value is too long or has invisible characters")));
        }
        if round.repetitions.is_some_and(|times| !(1..=MAX_REPETITIONS).contains(&times)) {
            return Err(range(&format!("rounds.{index}"), MAX_REPETITIONS as usize));
        }
        let rules = catalogue::rules(games, &round.game, &round.options).map_err(about)?;
        for (index, NewBot { bot, name }) in asked.bots.iter().enumerate() {
            let about = |refused: Refused| refused.about(format!("bots.{index}"));
            if name.as_ref().is_some_and(|name| !is_text(name)) {
                return Err(about(invalid("a name is too long or has invisible characters")));
            }
            match check_bot(&*rules, bot, limits).map_err(about)? {
                Occupant::Bot(_) => {}
                _ => return Err(about(invalid("people cannot take part on the web"))),
            }
        }
    }
    Ok(())
}

fn head(asked: &NewTournament) -> String {
    let printing = match asked.printing.unwrap_or(Printing::Loss) {
        Printing::Warn => "warn",
        Printing::Loss => "loss",
        Printing::Disqualify => "disqualify",
    };
    let seed = asked.seed.unwrap_or(1);
    format!(
        "# Written by `agon serve`.\nname = {}\nseed = {seed}\nprinting = \"{printing}\"\n\n",
        text(&asked.name)
    )
}

fn bot_section(NewBot { name, bot }: &NewBot) -> String {
    let name = name.as_ref().filter(|name| !name.is_empty()).unwrap_or(bot);
    format!("[[players]]\nname = {}\nbot = {}\n\n", text(name), text(bot))
}

fn round_section(round: &NewRound) -> String {
    let mut section =
        format!("[[rounds]]\ngame = {}\noptions = {}\n", text(&round.game), text(&round.options));
    let given = [("time", &round.time), ("setup", &round.setup), ("format", &round.format)];
    for (key, value) in given {
        if let Some(value) = value {
            section += &format!("{key} = {}\n", text(value));
        }
    }
    if let Some(times) = round.repetitions {
        section += &format!("repetitions = {times}\n");
    }
    if round.random_openings {
        section += "openings = \"random\"\n";
    }
    section.push('\n');
    section
}
