//! Plays an agent through every rule, and says in plain words what would cost it games.
//!
//! An agent is tried at every seat, on boards of every kind, in positions that agents stumble over, with little time and with none, and
//! with what a referee may do: unknown fields, an early end, a closed input. Each trial starts it anew, as a tournament does.

mod conversation;
mod engine;
mod finding;
mod positions;
mod recorder;
mod trial;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{OptionKind, Player};
use agon_erased::{GameEntry, Rules};
use agon_match::{Fault, Language};
use agon_players::external::{CommandLine, Launcher};
use serde::Serialize;

pub use finding::Finding;
use finding::named;
use positions::places;
pub use recorder::Dialogue;
use recorder::Recorder;
use trial::{Passed, Setting, Timing, leave, play};

/// The moves that an agent makes in a game that is played for its own sake.
const WHOLE_GAME: usize = 120;
/// The moves that it makes where a few will do.
const FEW: usize = 4;
/// The shortest time for a move in tournaments.
const SHORTEST: Duration = Duration::from_millis(100);
/// An agent that could not get ready so often is not started again: it would only be waited for.
const ENOUGH: usize = 2;
/// How long a late move is waited for, so that it can be said how late it was, or that memory was what held the agent up.
const OVERTIME: Duration = Duration::from_secs(10);
/// How long once that is known.
const SHORT_OVERTIME: Duration = Duration::from_millis(250);

/// An agent to be checked.
pub struct Subject<'a> {
    /// Its command.
    pub command: &'a CommandLine,
    /// The protocol that it speaks.
    pub language: Language,
    /// What starts it.
    pub launcher: Arc<dyn Launcher>,
    /// How much memory it may use, in bytes.
    pub memory: u64,
    /// Places that its author does not know, and what its author calls them.
    pub names: &'a [(String, String)],
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
    /// The most memory that it used, in bytes, if that is known.
    pub memory: Option<u64>,
    /// What was wrong.
    pub finding: Option<Finding>,
    /// The number of the trial before this one, from 1, that found the same fault.
    pub same_as: Option<usize>,
    /// What was said, if that is worth a look: the first time that a fault was found.
    #[serde(skip)]
    pub dialogue: Option<Dialogue>,
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
    let mut check = CheckRun { subject, tell, trials: Vec::new(), knows_lateness: false };
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
    /// Whether a move was late, so that it is known what that comes from.
    knows_lateness: bool,
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
            overtime: if self.knows_lateness { SHORT_OVERTIME } else { OVERTIME },
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
        if self.subject.language == Language::Jsonl {
            self.try_the_protocol(rules);
        }
        for (index, other) in others.iter().enumerate() {
            let seat = Player((index % other.seats().len()) as u8);
            self.play("plays with other options", &self.usual(&**other, seat));
        }
    }

    /// What only the agent protocol has.
    fn try_the_protocol(&mut self, rules: &dyn Rules) {
        let first = Player(0);
        let clock = Timing::Clock(self.subject.time * 10, self.subject.time);
        let by_clock = Setting { timing: clock, ..self.usual(rules, first) };
        self.play("moves by a clock for the whole game", &by_clock);
        let unlimited = Setting { timing: Timing::Unlimited, moves: 1, ..self.usual(rules, first) };
        self.play("moves without a time limit", &unlimited);
        let unknown = Setting { unknown_fields: true, ..self.usual(rules, first) };
        self.play("ignores fields that it does not know", &unknown);
        let subject = self.subject;
        self.attempt("ends when its input ends", &self.usual(rules, first), |recorder, setting| {
            leave(subject.command, recorder, setting)
        });
    }

    fn play(&mut self, what: &str, setting: &Setting) {
        let subject = self.subject;
        self.attempt(what, setting, |recorder, setting| match subject.language {
            Language::Jsonl => play(subject.command, recorder, setting),
            language => engine::play(language, subject.command, recorder, setting),
        });
    }

    fn attempt(
        &mut self,
        what: &str,
        setting: &Setting,
        how: impl FnOnce(&Recorder, &Setting) -> Result<Passed, Finding>,
    ) {
        let reasons = self.trials.iter().filter_map(|trial| trial.finding.as_ref()?.reason);
        if reasons.filter(|reason| *reason == Fault::Setup.word()).count() >= ENOUGH {
            return;
        }
        let recorder = Recorder::new(&self.subject.launcher);
        let (passed, finding) = match how(&recorder, setting) {
            Ok(mut passed) => {
                let advice = passed.advice.take();
                (passed, advice)
            }
            Err(finding) => (Passed::default(), Some(finding)),
        };
        let memory = recorder.memory();
        let names = self.subject.names;
        let finding = finding.map(|finding| {
            let is_late = finding.reason == Some(Fault::Time.word());
            self.knows_lateness |= is_late;
            let much = memory.filter(|used| is_late && *used > self.subject.memory / 2);
            let more = much.map(|used| format!(" It had used {} MB of memory by then.", used >> 20));
            let what = finding.what.clone() + &more.unwrap_or_default();
            Finding { what, ..finding }.in_words_of(names)
        });
        let same_as = finding.as_ref().and_then(|finding| {
            let is_like = |trial: &Trial| trial.finding.as_ref().is_some_and(|known| known.is_like(finding));
            self.trials.iter().position(is_like).map(|index| index + 1)
        });
        let is_new_loss = same_as.is_none() && finding.as_ref().is_some_and(Finding::costs_games);
        let dialogue = is_new_loss.then(|| recorder.dialogue());
        let trial = Trial {
            game: setting.rules.spec().id,
            options: setting.rules.options(),
            seat: setting.rules.seats().swap_remove(setting.seat.index()),
            trial: what.to_owned(),
            ok: !finding.as_ref().is_some_and(Finding::costs_games),
            name: passed.name,
            moves: passed.moves,
            slowest: passed.slowest.as_secs_f64(),
            memory,
            finding,
            same_as,
            dialogue: dialogue.map(|said| Dialogue { text: named(&said.text, names), ..said }),
        };
        (self.tell)(&trial);
        self.trials.push(trial);
    }
}
