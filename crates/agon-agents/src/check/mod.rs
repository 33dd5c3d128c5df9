//! Plays an agent through every rule, and says in plain words what would cost it games.
//!
//! An agent is tried at every seat, on boards of every kind, in positions that agents stumble over, with little time and with none, and
//! with what a referee may do: unknown fields, an early end, a closed input. Each trial starts it anew, as a tournament does.

mod conversation;
mod finding;
mod positions;
mod trial;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{OptionKind, Player};
use agon_erased::{GameEntry, Rules};
use agon_match::Fault;
use agon_players::external::{CommandLine, Launcher};
use serde::Serialize;

pub use finding::Finding;
use positions::places;
use trial::{Passed, Setting, Timing, leave, play};

/// The moves that an agent makes in a game that is played for its own sake.
const WHOLE_GAME: usize = 120;
/// The moves that it makes where a few will do.
const FEW: usize = 4;
/// The shortest time for a move in tournaments.
const SHORTEST: Duration = Duration::from_millis(100);
/// An agent that could not get ready so often is not started again: it would only be waited for.
const ENOUGH: usize = 2;

/// An agent to be checked.
pub struct Subject<'a> {
    /// Its command.
    pub command: &'a CommandLine,
    /// What starts it.
    pub launcher: &'a dyn Launcher,
    /// Its time for a move.
    pub time: Duration,
    /// Its time for getting ready.
    pub setup: Duration,
    /// Fixes the moves of the others.
    pub seed: u64,
}

/// How one trial went.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// The game.
    pub game: &'static str,
    /// Its options.
    pub options: String,
    /// The agent's seat.
    pub seat: String,
    /// What was tried: a phrase that begins with a verb.
    pub trial: String,
    /// Whether the agent would have kept the game.
    pub ok: bool,
    /// What it calls itself.
    pub name: String,
    /// How many moves it made.
    pub moves: usize,
    /// The longest time that it took for one of them, in seconds.
    pub slowest: f64,
    /// What was wrong.
    pub finding: Option<Finding>,
}

/// Checks an agent in one game with the `options` that are given, or with all kinds of them, and tells of each trial.
///
/// # Errors
/// If the options do not hold.
pub fn check(
    subject: &Subject,
    entry: &GameEntry,
    options: Option<&str>,
    tell: &mut dyn FnMut(&Trial),
) -> Result<Vec<Trial>, agon_core::OptionsError> {
    let rules = entry.rules(options.unwrap_or_default())?;
    let others = if options.is_some() { Vec::new() } else { kinds(entry, &rules.options()) };
    let mut check = CheckRun { subject, tell, trials: Vec::new() };
    check.run(&*rules, &others);
    Ok(check.trials)
}

/// The game with other options: what it can do, and the bounds of its numbers.
fn kinds(entry: &GameEntry, usual: &str) -> Vec<Arc<dyn Rules>> {
    let mut texts: Vec<String> = entry.variants.iter().map(|text| (*text).to_owned()).collect();
    for option in entry.spec.options {
        if let OptionKind::Integer { min, max, .. } = option.kind {
            texts.extend([min, max].map(|bound| format!("{}={bound}", option.key)));
        }
    }
    let mut seen = BTreeSet::from([usual.to_owned()]);
    let known = texts.iter().filter_map(|text| entry.rules(text).ok());
    known.filter(|rules| seen.insert(rules.options())).collect()
}

/// The trials of an agent, one after the other.
struct CheckRun<'a> {
    subject: &'a Subject<'a>,
    tell: &'a mut dyn FnMut(&Trial),
    trials: Vec<Trial>,
}

impl CheckRun<'_> {
    /// The setting that trials vary.
    fn usual<'r>(&self, rules: &'r dyn Rules, seat: Player) -> Setting<'r> {
        Setting {
            rules,
            seat,
            position: None,
            timing: Timing::PerMove(self.subject.time),
            setup: self.subject.setup,
            moves: FEW,
            unknown_fields: false,
            seed: self.subject.seed,
        }
    }

    fn run(&mut self, rules: &dyn Rules, others: &[Arc<dyn Rules>]) {
        let first = Player(0);
        for seat in 0..rules.seats().len() as u8 {
            let setting = Setting { moves: WHOLE_GAME, ..self.usual(rules, Player(seat)) };
            self.play("plays a game", &setting);
        }
        for place in places(rules, self.subject.seed) {
            let setting =
                Setting { position: Some(&place.position), moves: 1, ..self.usual(rules, place.seat) };
            self.play(place.what, &setting);
        }
        if self.subject.time > SHORTEST {
            let setting = Setting { timing: Timing::PerMove(SHORTEST), ..self.usual(rules, first) };
            self.play("moves within 0.1 s, the shortest time of tournaments", &setting);
        }
        let clock = Timing::Clock(self.subject.time * 10, self.subject.time);
        self.play(
            "moves by a clock for the whole game",
            &Setting { timing: clock, ..self.usual(rules, first) },
        );
        let unlimited = Setting { timing: Timing::Unlimited, moves: 1, ..self.usual(rules, first) };
        self.play("moves without a time limit", &unlimited);
        let unknown = Setting { unknown_fields: true, ..self.usual(rules, first) };
        self.play("ignores fields that it does not know", &unknown);
        self.attempt("ends when its input ends", &self.usual(rules, first), leave);
        for (index, other) in others.iter().enumerate() {
            let seat = Player((index % other.seats().len()) as u8);
            self.play("plays with other options", &self.usual(&**other, seat));
        }
    }

    fn play(&mut self, what: &str, setting: &Setting) {
        self.attempt(what, setting, play);
    }

    fn attempt(
        &mut self,
        what: &str,
        setting: &Setting,
        how: fn(&CommandLine, &dyn Launcher, &Setting) -> Result<Passed, Finding>,
    ) {
        let reasons = self.trials.iter().filter_map(|trial| trial.finding.as_ref()?.reason);
        if reasons.filter(|reason| *reason == Fault::Setup.word()).count() >= ENOUGH {
            return;
        }
        let (passed, finding) = match how(self.subject.command, self.subject.launcher, setting) {
            Ok(mut passed) => {
                let advice = passed.advice.take();
                (passed, advice)
            }
            Err(finding) => (Passed::default(), Some(finding)),
        };
        let trial = Trial {
            game: setting.rules.spec().id,
            options: setting.rules.options(),
            seat: setting.rules.seats().swap_remove(setting.seat.index()),
            trial: what.to_owned(),
            ok: !finding.as_ref().is_some_and(Finding::costs_games),
            name: passed.name,
            moves: passed.moves,
            slowest: passed.slowest.as_secs_f64(),
            finding,
        };
        (self.tell)(&trial);
        self.trials.push(trial);
    }
}
