//! Bots that run another program: `gtp:CMD`, `nboard:CMD`, `ugi:CMD`, `jsonl:CMD`.
//!
//! The program is a child [`process`] that a [`Launcher`] starts for the first move (or when the bot is told to get ready)
//! and that stays for the next ones. What is said to it is a [`Dialogue`], one a protocol. Whatever goes wrong, the program is ended, the
//! caller is told in words, and the next move starts a new one: a program that fails cannot spoil more than its move.

mod command;
mod effort;
mod gtp;
mod jsonl;
mod launcher;
mod liaison;
mod nboard;
mod process;
mod transcript;
mod ugi;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::{Player, Turn};
use agon_erased::{Bot, BotError, Budget, Offence, Rules, Session, SpecificationError, Thought};
use agon_match::{Fault, Language, ProgramSpec};
use agon_protocol::parameters::{ParameterFault, ParameterValues, Parameters, check_declaration, settle};

use process::{NoLine, Process};

pub use command::CommandLine;
pub use effort::Effort;
pub use jsonl::{board_for_agent, turns_per_player};
pub use launcher::{Launched, Launcher, Life, OurFault, OwnGroup};
pub use liaison::Liaison;
pub use transcript::Transcript;

/// How long programs are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a program to start and say that it is ready.
    pub setup: Duration,
    /// For a move beyond its time limit, at most: half the limit, but no less than a quarter of a second, before the program counts as
    /// hung and is killed. A shorter time is kept to exactly, for referees to whom late moves are lost anyway. Whether a move that
    /// does arrive was late is up to the time policy of the match.
    pub overtime: Duration,
    /// For a move without a limit of time.
    pub unlimited: Duration,
    /// For a program to end by itself.
    pub farewell: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            setup: Duration::from_secs(10),
            overtime: Duration::from_secs(5),
            unlimited: Duration::from_secs(60),
            farewell: Duration::from_secs(1),
        }
    }
}

impl Patience {
    /// How long a move with this time limit is waited for.
    fn for_move(&self, limit: Option<Duration>) -> Duration {
        limit.map_or(self.unlimited, |limit| limit + (limit / 2).max(LEAST_OVERTIME).min(self.overtime))
    }
}

/// A busy machine may delay an answer by this much.
const LEAST_OVERTIME: Duration = Duration::from_millis(250);

/// What becomes of agents that print what the agent protocol does not allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Printing {
    /// They have failed.
    #[default]
    Fails,
    /// What they print is passed over, and counted.
    Counted,
}

/// How programs are run: who starts them, how long they are waited for, and what is kept of what they say.
#[derive(Clone)]
pub struct Hosting {
    /// Starts them.
    pub launcher: Arc<dyn Launcher>,
    /// How long they are waited for.
    pub patience: Patience,
    /// What becomes of those that print too much.
    pub printing: Printing,
    /// What they share with their referee.
    pub liaison: Arc<Liaison>,
    /// Takes what they write.
    pub transcript: Option<Arc<Transcript>>,
}

impl Default for Hosting {
    fn default() -> Self {
        Self {
            launcher: Arc::new(OwnGroup),
            patience: Patience::default(),
            printing: Printing::default(),
            liaison: Arc::default(),
            transcript: None,
        }
    }
}

/// Whether `rules` are those of a game of two without chance, which UGI is for.
pub fn suits_ugi(rules: &dyn Rules) -> bool {
    rules.seats().len() == 2 && !rules.has_chance()
}

/// The bot that plays by running `program`.
///
/// # Errors
/// If the command cannot be read, there is no such program, or the game cannot be played in that language.
pub fn program(
    rules: &dyn Rules,
    program: &ProgramSpec,
    hosting: Hosting,
) -> Result<Box<dyn Bot>, SpecificationError> {
    let command = CommandLine::parse(&program.command)
        .map_err(|fault| SpecificationError::Program { name: program.to_string(), fault })?;
    program_of(rules, program, command, hosting)
}

/// The bot that plays by running `command`, which is what `program` names.
///
/// # Errors
/// If the game cannot be played in the program's language.
pub fn program_of(
    rules: &dyn Rules,
    program: &ProgramSpec,
    command: CommandLine,
    hosting: Hosting,
) -> Result<Box<dyn Bot>, SpecificationError> {
    let fail = |fault: String| SpecificationError::Program { name: program.to_string(), fault };
    let language = program.language;
    match language {
        Language::Gtp if rules.spec().id != agon_protocol::gtp::GAME => {
            Err(fail("GTP is for Othello only".to_owned()))
        }
        Language::Nboard if rules.spec().id != agon_protocol::nboard::GAME => {
            Err(fail("the NBoard protocol is for Othello only".to_owned()))
        }
        Language::Ugi if !suits_ugi(rules) => {
            Err(fail("UGI is for two-player games without chance".to_owned()))
        }
        Language::Gtp | Language::Nboard if !program.parameters.is_empty() => Err(fail(format!(
            "{} programs have no parameters but those of their command line",
            if language == Language::Gtp { "GTP" } else { "NBoard" }
        ))),
        _ => Ok(Box::new(Program {
            language,
            command,
            parameters: program.parameters.clone(),
            rules: RulesFacts::of(rules),
            hosting,
            running: None,
        })),
    }
}

/// Starts `command`, which is what `program` names, asks it which parameters it has, and lets it end.
///
/// # Errors
/// If it does not get ready; the reason in words.
pub fn declared_parameters(
    rules: &dyn Rules,
    program: &ProgramSpec,
    command: CommandLine,
    hosting: Hosting,
) -> Result<Parameters, String> {
    // What it cannot have at all need not be asked for.
    program_of(rules, program, command.clone(), hosting.clone()).map_err(|error| error.to_string())?;
    let liaison = Arc::clone(&hosting.liaison);
    let bare = ProgramSpec { parameters: ParameterValues::new(), ..program.clone() };
    let mut bot = program_of(rules, &bare, command, hosting).map_err(|error| error.to_string())?;
    let budget = Budget::new(agon_erased::Limits::default());
    bot.prepare(&*rules.start(), Player(0), &budget).map_err(|error| match error {
        BotError::Late => "it was not ready in time".to_owned(),
        error => error.to_string(),
    })?;
    Ok(liaison.declared())
}

/// What a program may need to be told about the rules.
struct RulesFacts {
    game: &'static str,
    options: String,
    seats: Vec<String>,
    start: String,
}

impl RulesFacts {
    fn of(rules: &dyn Rules) -> Self {
        Self {
            game: rules.spec().id,
            options: rules.options(),
            seats: rules.seats(),
            start: rules.start().position(),
        }
    }
}

/// A bot that runs a program.
struct Program {
    language: Language,
    command: CommandLine,
    parameters: ParameterValues,
    rules: RulesFacts,
    hosting: Hosting,
    running: Option<Running>,
}

struct Running {
    process: Process,
    dialogue: Box<dyn Dialogue>,
}

/// All that one step of a dialogue needs.
struct Talk<'a> {
    process: &'a mut Process,
    rules: &'a RulesFacts,
    patience: &'a Patience,
    printing: Printing,
    liaison: &'a Liaison,
    parameters: &'a ParameterValues,
    session: &'a dyn Session,
    player: Player,
    budget: &'a Budget,
    /// When a move was asked for.
    asked: Instant,
}

impl Talk<'_> {
    /// When the program must be ready.
    fn setup_deadline(&self) -> Instant {
        Instant::now() + self.patience.setup
    }

    /// Starts the clock for a move, and says when the program must have moved.
    fn move_deadline(&mut self) -> Instant {
        self.deadline_of(self.budget.limits.time)
    }

    /// The same if it was granted so much time. With a clock for the whole game it may use all that is left.
    fn deadline_of(&mut self, limit: Option<Duration>) -> Instant {
        self.asked = Instant::now();
        let left = self.liaison.clock().and_then(|clock| Duration::try_from_secs_f64(clock.left).ok());
        self.asked + self.patience.for_move(left.or(limit))
    }

    /// The next line that the program says, for protocols that have no word for stopping.
    fn receive(&mut self, wait: &mut Wait) -> Result<String, NoLine> {
        loop {
            let stop = (!wait.is_stopped).then_some(&*self.budget.stop);
            match self.process.receive(wait.deadline, stop) {
                Err(NoLine::Stopped) => {
                    wait.is_stopped = true;
                    wait.deadline = wait.deadline.min(Instant::now() + LAST_WAIT);
                }
                received => return received,
            }
        }
    }

    /// Notes which parameters the program has, and says what those that are set come to.
    fn declare(&self, declared: Parameters) -> Result<ParameterValues, Failure> {
        check_declaration(&declared).map_err(Failure::protocol)?;
        let settled = settle(&declared, self.parameters);
        self.liaison.set_declared(declared);
        settled.map_err(|ParameterFault { what, .. }| Failure::crash(what))
    }

    /// The time limit of a move in seconds, if there is one.
    fn limit_seconds(&self) -> Option<f64> {
        self.budget.limits.time.map(|time| time.as_secs_f64())
    }
}

/// How long a program may take to come to its move after nobody wants to wait for it any more.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// How long an answer is waited for.
struct Wait {
    deadline: Instant,
    /// Whether we were told to stop waiting.
    is_stopped: bool,
}

impl Wait {
    fn until(deadline: Instant) -> Self {
        Self { deadline, is_stopped: false }
    }
}

/// What is said to a program in one language, and what has been said so far.
trait Dialogue: Send {
    /// Whether the program can go on with this game, or a new one must be started for it.
    fn serves(&self, session: &dyn Session, player: Player) -> bool;

    /// Has the program get ready for the game as it stands.
    fn prepare(&mut self, talk: &mut Talk) -> Result<(), Failure>;

    /// Asks for a move, the program being ready.
    fn ask(
        &mut self,
        talk: &mut Talk,
        observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Failure>;

    /// Tells the program how the game has ended; true if it then ends too.
    fn conclude(&mut self, _talk: &mut Talk) -> bool {
        false
    }

    /// What makes the program end.
    fn farewell(&self) -> Option<&'static str>;
}

/// Why a program has not done what it was asked for: for whoever asked, and the fault that a referee finds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    error: BotError,
    fault: Fault,
}

impl Failure {
    fn crash(how: impl Into<String>) -> Self {
        Self { error: BotError::Failed(how.into()), fault: Fault::Crash }
    }

    fn protocol(how: impl Into<String>) -> Self {
        Self { error: BotError::Failed(how.into()), fault: Fault::Protocol }
    }

    fn printing(what: String) -> Self {
        Self { error: BotError::Printing(what), fault: Fault::Printing }
    }

    fn late() -> Self {
        Self { error: BotError::Late, fault: Fault::Time }
    }
}

/// What breaking a limit is called in tournaments.
pub fn fault_of(offence: Offence) -> Fault {
    match offence {
        Offence::Memory => Fault::Memory,
        Offence::Threads => Fault::Threads,
        Offence::Network => Fault::Network,
        Offence::Files => Fault::Files,
        Offence::Interrupts => Fault::Interrupts,
    }
}

impl From<NoLine> for Failure {
    fn from(missing: NoLine) -> Self {
        match missing {
            NoLine::Late => Self::late(),
            NoLine::Stopped => Self::crash("it was stopped before it answered"),
            NoLine::Ended(how) => Self::crash(how),
            NoLine::Garbage(what) => Self::protocol(what),
            NoLine::Deaf => Self::protocol("it does not read its input"),
        }
    }
}

impl Program {
    /// Starts the program, unless one is running that can go on with this game, and has it get ready.
    fn attend(&mut self, session: &dyn Session, player: Player, budget: &Budget) -> Result<(), BotError> {
        if self.running.as_ref().is_some_and(|running| !running.dialogue.serves(session, player)) {
            self.dismiss();
        }
        let is_new = self.running.is_none();
        if is_new {
            let launched = self.hosting.launcher.launch(&self.command);
            let process = launched
                .and_then(|launched| Process::new(launched, self.hosting.transcript.clone()))
                .map_err(|error| {
                    if let Some(OurFault(fault)) = OurFault::of(&error) {
                        self.hosting.liaison.excuse(fault.clone());
                    }
                    BotError::Failed(format!("cannot start {}: {error}", self.name()))
                })?;
            let dialogue: Box<dyn Dialogue> = match self.language {
                Language::Gtp => Box::new(gtp::Gtp::default()),
                Language::Nboard => Box::new(nboard::Nboard::default()),
                Language::Ugi => Box::new(ugi::Ugi::default()),
                Language::Jsonl => Box::new(jsonl::Jsonl::default()),
            };
            self.running = Some(Running { process, dialogue });
        }
        self.step(session, player, budget, is_new, |dialogue, talk| dialogue.prepare(talk))
    }

    /// One step of the dialogue, of which the referee learns what it has cost if that is asked for. If it fails, the program is ended.
    fn step<T>(
        &mut self,
        session: &dyn Session,
        player: Player,
        budget: &Budget,
        is_measured: bool,
        take: impl FnOnce(&mut dyn Dialogue, &mut Talk) -> Result<T, Failure>,
    ) -> Result<T, BotError> {
        let Some(Running { process, dialogue }) = &mut self.running else { return Err(BotError::NoMove) };
        // Before its time runs.
        let before = is_measured.then(|| process.effort());
        let mut talk = Talk {
            process,
            rules: &self.rules,
            patience: &self.hosting.patience,
            printing: self.hosting.printing,
            liaison: &self.hosting.liaison,
            parameters: &self.parameters,
            session,
            player,
            budget,
            asked: Instant::now(),
        };
        let mut result = take(&mut **dialogue, &mut talk);
        if let Some(before) = before {
            let time = talk.asked.elapsed();
            self.hosting.liaison.set_effort(process.effort().since(before), time);
        }
        // An offence counts for more than what followed from it, and even if the program answered all the same.
        if let Some((offence, how)) = process.offence() {
            result = Err(Failure { error: BotError::Offence(offence, how), fault: fault_of(offence) });
        }
        if result.is_err() {
            self.running = None;
        }
        result.map_err(|Failure { error, fault }| {
            self.hosting.liaison.accuse(fault);
            match error {
                BotError::Failed(fault) => BotError::Failed(format!("{}: {fault}", self.name())),
                BotError::Printing(fault) => BotError::Printing(format!("{}: {fault}", self.name())),
                BotError::Offence(offence, fault) => {
                    BotError::Offence(offence, format!("{}: {fault}", self.name()))
                }
                other => other,
            }
        })
    }

    /// The program's name, for messages.
    fn name(&self) -> String {
        let file = self.command.program.file_name();
        file.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// Lets the program end.
    fn dismiss(&mut self) {
        if let Some(Running { mut process, dialogue }) = self.running.take() {
            if let Some(farewell) = dialogue.farewell() {
                // If it does not hear this, it is ended all the same.
                let _ = process.send(farewell);
            }
            process.close(self.hosting.patience.farewell);
        }
    }
}

impl Bot for Program {
    fn prepare(&mut self, session: &dyn Session, player: Player, budget: &Budget) -> Result<(), BotError> {
        self.attend(session, player, budget)
    }

    fn think(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        let (Turn::Player(player), None) = (session.turn(), session.outcome()) else {
            return Err(BotError::NoMove);
        };
        self.attend(session, player, budget)?;
        let thought = self.step(session, player, budget, true, |dialogue, talk| {
            let thought = dialogue.ask(talk, observe)?;
            // From the request to the arrival of the answer: what we do before and after is not the program's time.
            let elapsed = talk.process.heard().saturating_duration_since(talk.asked);
            if session.legal().contains(&thought.best) {
                Ok(Thought { elapsed, ..thought })
            } else {
                Err(Failure { error: BotError::Illegal(thought.best), fault: Fault::Illegal })
            }
        })?;
        if let (Some(running), Some(processor)) = (&self.running, self.hosting.liaison.effort().processor) {
            let [time, processor] = [thought.elapsed, processor].map(|time| time.as_secs_f64());
            let ply = session.ply();
            let note = format!("ply {ply} took {time:.3} s, with {processor:.3} s of processor time");
            running.process.note(&note);
        }
        Ok(thought)
    }

    fn conclude(&mut self, session: &dyn Session, player: Player) {
        let budget = Budget::new(agon_erased::Limits::default());
        let ends = self.step(session, player, &budget, false, |dialogue, talk| Ok(dialogue.conclude(talk)));
        if ends == Ok(true) {
            self.dismiss();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// What a program knows of a game: where it began and what has been played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct KnownGame {
    start: String,
    history: Vec<String>,
}

impl KnownGame {
    fn of(session: &dyn Session) -> Self {
        Self { start: session.start_position(), history: session.history() }
    }

    /// What has been played in `later` since this; `None` if it does not go on from this.
    fn news<'a>(&self, later: &'a Self) -> Option<&'a [String]> {
        let goes_on = self.start == later.start && later.history.starts_with(&self.history);
        goes_on.then(|| &later.history[self.history.len()..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hung_program_costs_little_more_than_its_time() {
        let wait = |limit| Patience::default().for_move(Some(Duration::from_millis(limit))).as_millis();
        assert_eq!([10, 500, 2000, 60_000].map(wait), [260, 750, 3000, 65_000]);
        assert_eq!(Patience::default().for_move(None), Duration::from_secs(60));
    }
}
