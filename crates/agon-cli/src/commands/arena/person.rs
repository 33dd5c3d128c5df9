//! A person at the terminal as a player of a tournament.

use std::io::{self, BufRead, Write};
use std::sync::atomic::Ordering;

use agon_erased::{Bot, BotError, Budget, Session, Thought};

/// Asks for moves on standard error and reads them from standard input. No clock runs.
pub(super) struct Person {
    name: String,
}

impl Person {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned() }
    }

    fn ask(&self, session: &dyn Session, budget: &Budget) -> io::Result<Option<String>> {
        let mut screen = io::stderr().lock();
        writeln!(screen, "\n{}", session.diagram())?;
        loop {
            write!(screen, "{} ({}), your move: ", self.name, session.turn_name())?;
            screen.flush()?;
            let mut line = String::new();
            if io::stdin().lock().read_line(&mut line)? == 0 || budget.stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let text = line.trim();
            if text.is_empty() || text == "?" {
                writeln!(screen, "Legal moves: {}", session.legal().join(" "))?;
                continue;
            }
            match session.fork().play_typed(text) {
                Ok(token) => return Ok(Some(token)),
                Err(error) => writeln!(screen, "{error}. Enter ? for the legal moves.")?,
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
        match self.ask(session, budget) {
            Ok(Some(token)) => Ok(Thought::instinct(token)),
            Ok(None) => Err(BotError::Failed("the terminal was closed".to_owned())),
            Err(error) => Err(BotError::Failed(format!("the terminal has failed: {error}"))),
        }
    }

    fn conclude(&mut self, session: &dyn Session, _player: agon_core::Player) {
        let _ = writeln!(io::stderr(), "\n{}\nThe game is over.", session.diagram());
    }
}
