//! A person at the terminal as a player of a tournament.

use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_erased::{Bot, BotError, Budget, Session, Thought};
use agon_players::external::Liaison;

/// How often somebody who waits for a person looks whether the tournament is stopped.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Asks for moves on standard error and reads them from standard input, for as long as the person's clock allows.
pub(super) struct Person {
    name: String,
    /// Tells what is left on the clock, if there is one for the whole game.
    line: Arc<Liaison>,
}

/// Why a person has not moved.
enum Silence {
    Late,
    Stopped,
    Failed(String),
}

impl From<io::Error> for Silence {
    fn from(error: io::Error) -> Self {
        Self::Failed(format!("the terminal has failed: {error}"))
    }
}

/// The lines of standard input, which a thread of its own reads, because whoever waits for one must be able to stop waiting.
fn lines() -> &'static Mutex<Receiver<io::Result<String>>> {
    static LINES: OnceLock<Mutex<Receiver<io::Result<String>>>> = OnceLock::new();
    LINES.get_or_init(|| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in io::stdin().lock().lines() {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Mutex::new(receiver)
    })
}

impl Person {
    pub(super) fn new(name: &str, line: Arc<Liaison>) -> Self {
        Self { name: name.to_owned(), line }
    }

    /// How long the person may think.
    fn allowance(&self, budget: &Budget) -> Option<Duration> {
        let clock = self.line.clock().and_then(|clock| Duration::try_from_secs_f64(clock.left).ok());
        clock.or(budget.limits.time)
    }

    fn ask(&self, session: &dyn Session, budget: &Budget) -> Result<String, Silence> {
        let deadline = self.allowance(budget).map(|time| Instant::now() + time);
        writeln!(io::stderr(), "\n{}", session.diagram())?;
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let clock = left.map_or_else(String::new, |left| format!(" ({:.0} s left)", left.as_secs_f64()));
            let mut screen = io::stderr().lock();
            write!(screen, "{} ({}), your move{clock}: ", self.name, session.turn_name())?;
            screen.flush()?;
            drop(screen);
            let line = next_line(deadline, budget)?;
            let text = line.trim();
            if text.is_empty() || text == "?" {
                writeln!(io::stderr(), "Legal moves: {}", session.legal().join(" "))?;
                continue;
            }
            match session.fork().play_typed(text) {
                Ok(token) => return Ok(token),
                Err(error) => writeln!(io::stderr(), "{error}. Enter ? for the legal moves.")?,
            }
        }
    }
}

/// The next line that is entered before the deadline.
fn next_line(deadline: Option<Instant>, budget: &Budget) -> Result<String, Silence> {
    let lines = lines().lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if budget.stop.load(Ordering::Relaxed) {
            return Err(Silence::Stopped);
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match lines.recv_timeout(left.map_or(LOOK_EVERY, |left| left.min(LOOK_EVERY))) {
            Ok(line) => return Ok(line?),
            Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                return Err(Silence::Late);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Silence::Failed("the terminal was closed".to_owned()));
            }
        }
    }
}

impl Bot for Person {
    fn think(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        let legal = session.legal();
        // A pass needs no decision.
        if let [only] = &legal[..] {
            let _ = writeln!(io::stderr(), "{} has only one move: {only}", self.name);
            return Ok(Thought::instinct(only.clone()));
        }
        let asked = Instant::now();
        match self.ask(session, budget) {
            Ok(token) => Ok(Thought { elapsed: asked.elapsed(), ..Thought::instinct(token) }),
            Err(Silence::Late) => {
                let _ = writeln!(io::stderr(), "\nThe time of {} is up.", self.name);
                Err(BotError::Late)
            }
            Err(Silence::Stopped) => Err(BotError::NoMove),
            Err(Silence::Failed(fault)) => Err(BotError::Failed(fault)),
        }
    }

    fn conclude(&mut self, session: &dyn Session, _player: agon_core::Player) {
        let _ = writeln!(io::stderr(), "\n{}\nThe game is over.", session.diagram());
    }
}
