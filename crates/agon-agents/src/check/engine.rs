//! One trial of an agent that speaks UGI or GTP. A referee's own end of these protocols talks to it, so that what is found here is what
//! a tournament would find.

use std::sync::Arc;
use std::time::Duration;

use agon_core::Turn;
use agon_core::random::seeded;
use agon_erased::{Bot, BotError, Budget, Limits, Session};
use agon_match::{Fault, Language, ProgramSpec};
use agon_players::external::{CommandLine, Hosting, Liaison, Patience, Printing, program_of};

use super::finding::{FIX_CRASH, FIX_ENGINE, FIX_LATE, FIX_SETUP, FIX_START, FIX_STAYS, Finding};
use super::positions::step;
use super::recorder::Recorder;
use super::trial::{
    FAREWELL, GRACE, PATIENCE, Passed, Setting, Timing, illegal, late, offended, open, seconds, sentence,
};

/// Plays a game, or its beginning.
pub(super) fn play(
    language: Language,
    command: &CommandLine,
    recorder: &Recorder,
    setting: &Setting,
) -> Result<Passed, Finding> {
    let liaison: Arc<Liaison> = Arc::default();
    let hosting = Hosting {
        launcher: Arc::new(recorder.clone()),
        patience: Patience {
            setup: setting.setup,
            overtime: setting.overtime,
            unlimited: PATIENCE,
            farewell: FAREWELL,
        },
        printing: Printing::Fails,
        liaison: Arc::clone(&liaison),
        transcript: None,
    };
    let spec = ProgramSpec { language, command: String::new(), parameters: Default::default() };
    let bot = program_of(setting.rules, &spec, command.clone(), hosting)
        .map_err(|error| Finding::loss(Fault::Setup, sentence(&error.to_string()), FIX_START))?;
    let mut engine = Engine { bot, liaison, passed: Passed::default() };
    let result = engine.play(setting);
    let mut passed = engine.passed;
    // It is told to quit, and has its time for that.
    drop(engine.bot);
    result.map_err(|finding| finding.with_last_words(recorder.last_words(), recorder.notes()))?;
    passed.advice = Finding::of_notes(&recorder.notes());
    if !recorder.ended_by_itself() {
        let what = "It does not end at `quit`, and would be killed after a second.";
        passed.advice = Some(Finding::advice(what, FIX_STAYS));
    }
    Ok(passed)
}

/// An agent in a game.
struct Engine {
    bot: Box<dyn Bot>,
    liaison: Arc<Liaison>,
    passed: Passed,
}

impl Engine {
    fn play(&mut self, setting: &Setting) -> Result<(), Finding> {
        let mut session = open(setting);
        let time = match setting.timing {
            Timing::PerMove(time) => Some(time),
            Timing::Clock(..) | Timing::Unlimited => None,
        };
        let budget = Budget::new(Limits { time, ..Limits::default() });
        let prepared = self.bot.prepare(&*session, setting.seat, &budget);
        prepared.map_err(|error| self.unready(error, setting.setup))?;
        let mut random = seeded(setting.seed);
        while session.outcome().is_none() && self.passed.moves < setting.moves {
            match session.turn() {
                Turn::Player(player) if player == setting.seat => {
                    let token = self.ask(&*session, &budget)?;
                    self.passed.moves += 1;
                    // It was compared with the legal moves.
                    let _ = session.play(&token);
                }
                _ => step(&mut *session, &mut random),
            }
        }
        self.bot.conclude(&*session, setting.seat);
        Ok(())
    }

    fn ask(&mut self, session: &dyn Session, budget: &Budget) -> Result<String, Finding> {
        let thought = self.bot.think(session, budget, &mut |_| {});
        let thought = thought.map_err(|error| self.failed(error, session, budget.limits.time))?;
        if let Some(limit) = budget.limits.time.filter(|limit| thought.elapsed > *limit + GRACE) {
            return Err(late(thought.elapsed, limit, session));
        }
        self.passed.slowest = self.passed.slowest.max(thought.elapsed);
        Ok(thought.best)
    }

    /// The finding about an agent that did not get ready.
    fn unready(&self, error: BotError, allowed: Duration) -> Finding {
        match error {
            BotError::Late => {
                let what = format!("It did not say that it is ready within {}.", seconds(allowed));
                Finding::loss(Fault::Setup, what, format!("{FIX_SETUP} {FIX_ENGINE}"))
            }
            BotError::Offence(offence, how) => offended(offence, &how),
            error => {
                let fault =
                    self.liaison.fault().filter(|fault| *fault != Fault::Crash).unwrap_or(Fault::Setup);
                Finding::loss(fault, sentence(&error.to_string()), fix_of(fault))
            }
        }
    }

    /// The finding about an agent that did not move.
    fn failed(&self, error: BotError, session: &dyn Session, limit: Option<Duration>) -> Finding {
        match error {
            BotError::Illegal(choice) => illegal(&choice, session),
            BotError::Offence(offence, how) => offended(offence, &how),
            BotError::Late => {
                let limit = seconds(limit.unwrap_or(PATIENCE));
                let what = format!(
                    "It had {limit} for a move in the position {} and did not answer.",
                    session.position()
                );
                Finding::loss(Fault::Time, what, format!("{FIX_LATE} {FIX_ENGINE}"))
            }
            error => {
                let fault = self.liaison.fault().unwrap_or(Fault::Crash);
                let what = format!("In the position {}: {error}.", session.position());
                Finding::loss(fault, what, fix_of(fault))
            }
        }
    }
}

fn fix_of(fault: Fault) -> &'static str {
    match fault {
        Fault::Protocol | Fault::Printing => FIX_ENGINE,
        _ => FIX_CRASH,
    }
}
