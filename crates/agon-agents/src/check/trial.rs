//! One trial: an agent at one seat of one game, judged as a referee would judge it.

use std::time::{Duration, Instant};

use agon_arena::report::words::advice;
use agon_core::random::seeded;
use agon_core::text::quote;
use agon_core::{Player, Turn, Verdict};
use agon_erased::{Offence, Rules, Session};
use agon_match::Fault;
use agon_players::external::{CommandLine, board_for_agent, fault_of, turns_per_player};
use agon_protocol::agent::{AgentClock, AgentOutcome, FromAgent, ToAgent};
use serde_json::Value;

use super::conversation::{Conversation, Heard, Silence};
use super::finding::{
    FIX_CRASH, FIX_ILLEGAL, FIX_LATE, FIX_PRINTING, FIX_PROTOCOL, FIX_SETUP, FIX_SILENT, FIX_START,
    FIX_STAYS, Finding,
};
use super::positions::step;
use super::recorder::Recorder;

/// How much longer than allowed a move may take before it counts as late.
pub(super) const GRACE: Duration = Duration::from_millis(20);
/// How long an agent may take to end after its game.
pub(super) const FAREWELL: Duration = Duration::from_secs(1);
/// How long we listen after the first answers for a second one, which would otherwise be taken for the answer to the next message.
const LISTEN: Duration = Duration::from_millis(20);
/// How long a move without a limit is waited for.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// How long an agent may think.
#[derive(Clone, Copy, Debug)]
pub(super) enum Timing {
    /// So long for each move.
    PerMove(Duration),
    /// So long for the whole game, and so much more after each move.
    Clock(Duration, Duration),
    /// As long as it likes.
    Unlimited,
}

/// Where and how an agent is tried.
pub(super) struct Setting<'a> {
    pub(super) rules: &'a dyn Rules,
    pub(super) seat: Player,
    /// Where the game starts; the usual position if there is none.
    pub(super) position: Option<&'a str>,
    pub(super) timing: Timing,
    pub(super) setup: Duration,
    /// After so many moves of the agent's the others give up.
    pub(super) moves: usize,
    /// How long a move is waited for beyond its limit, to see what has held the agent up.
    pub(super) overtime: Duration,
    /// Whether messages have fields that no agent knows.
    pub(super) unknown_fields: bool,
    pub(super) seed: u64,
}

/// A trial that was passed.
#[derive(Clone, Debug, Default)]
pub(super) struct Passed {
    pub(super) name: String,
    pub(super) moves: usize,
    pub(super) slowest: Duration,
    pub(super) advice: Option<Finding>,
}

/// Plays a game, or its beginning.
pub(super) fn play(command: &CommandLine, recorder: &Recorder, setting: &Setting) -> Result<Passed, Finding> {
    let mut agent = start(command, recorder, setting)?;
    let result = agent.play(setting);
    agent.with_last_words(result)
}

/// Sets a game up and closes the input, as when a referee dies.
pub(super) fn leave(
    command: &CommandLine,
    recorder: &Recorder,
    setting: &Setting,
) -> Result<Passed, Finding> {
    let mut agent = start(command, recorder, setting)?;
    let opened = open(setting);
    let result = agent.set_up(setting, &*opened).and_then(|()| agent.finish());
    agent.with_last_words(result)
}

fn start(command: &CommandLine, recorder: &Recorder, setting: &Setting) -> Result<Agent, Finding> {
    let conversation = Conversation::start(command, recorder).map_err(|error| {
        Finding::loss(Fault::Setup, format!("The command cannot be started: {error}."), FIX_START)
    })?;
    let left = match setting.timing {
        Timing::Clock(budget, _) => budget,
        _ => Duration::ZERO,
    };
    Ok(Agent { conversation, recorder: recorder.clone(), passed: Passed::default(), left })
}

pub(super) fn open(setting: &Setting) -> Box<dyn Session> {
    let start = setting.position.and_then(|position| setting.rules.start_from(position).ok());
    start.unwrap_or_else(|| setting.rules.start())
}

/// An agent in a game.
struct Agent {
    conversation: Conversation,
    /// What listens to it.
    recorder: Recorder,
    passed: Passed,
    /// What is left on its clock.
    left: Duration,
}

impl Agent {
    /// Adds to a finding what the agent said about it.
    fn with_last_words(&mut self, result: Result<(), Finding>) -> Result<Passed, Finding> {
        // A broken limit explains what followed from it, and counts even if nothing did.
        let result = match self.conversation.offence() {
            Some((offence, how)) => Err(offended(offence, &how)),
            None => result,
        };
        let notes = self.conversation.notes();
        match result {
            Ok(()) => {
                let mut passed = std::mem::take(&mut self.passed);
                passed.advice = passed.advice.or_else(|| Finding::of_notes(&notes));
                Ok(passed)
            }
            Err(finding) => Err(finding.with_last_words(self.recorder.last_words(), notes)),
        }
    }

    fn play(&mut self, setting: &Setting) -> Result<(), Finding> {
        let mut session = open(setting);
        self.set_up(setting, &*session)?;
        let mut random = seeded(setting.seed);
        while session.outcome().is_none() && self.passed.moves < setting.moves {
            match session.turn() {
                Turn::Player(player) if player == setting.seat => {
                    let token = self.ask(setting, &*session)?;
                    self.passed.moves += 1;
                    // It was compared with the legal moves.
                    let _ = session.play(&token);
                }
                _ => step(&mut *session, &mut random),
            }
        }
        self.tell_result(setting, &*session);
        self.finish()
    }

    fn set_up(&mut self, setting: &Setting, session: &dyn Session) -> Result<(), Finding> {
        let asked = Instant::now();
        let setup = ToAgent::Setup {
            game: setting.rules.spec().id.to_owned(),
            options: setting.rules.options(),
            seat: setting.rules.seats().swap_remove(setting.seat.index()),
            position: session.position(),
            time_per_move: match setting.timing {
                Timing::PerMove(time) => Some(time.as_secs_f64()),
                _ => None,
            },
            setup_time: setting.setup.as_secs_f64(),
            seats: setting.rules.seats(),
            turns: turns_per_player(session, setting.rules.seats().len()),
            board: Some(board_for_agent(&session.board())),
            parameters: Default::default(),
        };
        let (answer, time) = self.exchange(setting, &setup, asked + setting.setup)?;
        match answer {
            FromAgent::Ready(ready) => self.passed.name = ready.name,
            FromAgent::Move { .. } => {
                let what = "It answered the setup with a move.";
                return Err(Finding::loss(Fault::Protocol, what, FIX_PROTOCOL));
            }
        }
        debug_assert!(time <= setting.setup + GRACE, "later answers are not waited for");
        Ok(())
    }

    /// Asks for a move and judges it.
    fn ask(&mut self, setting: &Setting, session: &dyn Session) -> Result<String, Finding> {
        let legal = session.legal();
        let (limit, clock) = match setting.timing {
            Timing::PerMove(time) => (Some(time), None),
            Timing::Clock(_, increment) => {
                let clock = AgentClock { left: self.left.as_secs_f64(), increment: increment.as_secs_f64() };
                (Some(self.left), Some(clock))
            }
            Timing::Unlimited => (None, None),
        };
        let turn = ToAgent::Move {
            position: session.position(),
            ply: session.ply(),
            history: session.history(),
            legal: legal.clone(),
            time: limit.map(|time| time.as_secs_f64()),
            clock,
        };
        let wait = limit.map_or(PATIENCE, |limit| limit + (limit / 2).max(setting.overtime));
        let (answer, time) = self.exchange(setting, &turn, Instant::now() + wait)?;
        let FromAgent::Move { choice, .. } = answer else {
            let what = "It answered a request for a move with ready.";
            return Err(Finding::loss(Fault::Protocol, what, FIX_PROTOCOL));
        };
        if let Some(limit) = limit.filter(|limit| time > *limit + GRACE) {
            return Err(late(time, limit, session));
        }
        if !legal.contains(&choice) {
            return Err(illegal(&choice, session));
        }
        self.passed.slowest = self.passed.slowest.max(time);
        if let Timing::Clock(_, increment) = setting.timing {
            self.left = self.left.saturating_sub(time) + increment;
        }
        Ok(choice)
    }

    /// Says a message and reads the answer, with the time that it took.
    fn exchange(
        &mut self,
        setting: &Setting,
        message: &ToAgent,
        deadline: Instant,
    ) -> Result<(FromAgent, Duration), Finding> {
        if let Some(heard) = self.conversation.unasked() {
            return Err(printing(&heard, "when nothing was asked"));
        }
        let asked = Instant::now();
        self.conversation.say(line(message, setting.unknown_fields));
        let (text, arrived) = match self.conversation.hear(deadline) {
            Ok(Heard::Line(text, arrived)) => (text, arrived),
            Ok(heard @ Heard::Garbage(_)) => return Err(printing(&heard, "instead of an answer")),
            Err(Silence::Late) => return Err(silent(message, deadline - asked)),
            Ok(Heard::Half) => return Err(self.crash(message, " in the middle of a line,")),
            Err(Silence::Ended) => return Err(self.crash(message, "")),
        };
        let answer = FromAgent::parse(&text).map_err(|error| {
            // An object is an answer that is wrong; anything else was not meant as one.
            if serde_json::from_str::<serde_json::Map<String, Value>>(&text).is_ok() {
                Finding::loss(
                    Fault::Protocol,
                    format!("It answered {}: {error}.", quote(&text)),
                    FIX_PROTOCOL,
                )
            } else {
                printing(&Heard::Line(text.clone(), arrived), "instead of an answer")
            }
        })?;
        if self.passed.moves == 0
            && let Ok(heard) = self.conversation.hear(Instant::now() + LISTEN)
        {
            return Err(printing(&heard, "after it had answered"));
        }
        Ok((answer, arrived.saturating_duration_since(asked)))
    }

    /// Tells how the game ended: as the rules say, or because the others gave up.
    fn tell_result(&self, setting: &Setting, session: &dyn Session) {
        let (outcome, reason) = match session.outcome() {
            Some(outcome) => {
                let agents = match outcome.verdict {
                    Verdict::Won(winner) if winner == setting.seat => AgentOutcome::Won,
                    Verdict::Won(_) | Verdict::Lost => AgentOutcome::Lost,
                    Verdict::Drawn => AgentOutcome::Drawn,
                };
                (agents, outcome.reason)
            }
            None => (AgentOutcome::Won, Fault::Resigned.word()),
        };
        let rank = (setting.rules.seats().len() > 2).then_some(1);
        let result = ToAgent::Result { outcome, reason: reason.to_owned(), rank };
        self.conversation.say(line(&result, setting.unknown_fields));
    }

    /// Closes the input and sees whether the agent ends, and in silence.
    fn finish(&mut self) -> Result<(), Finding> {
        if let Some(heard) = self.conversation.unasked() {
            return Err(printing(&heard, "when nothing was asked"));
        }
        let farewell = self.conversation.close(FAREWELL);
        if let Some(heard) = farewell.said {
            return Err(printing(&heard, "after the game, when nothing was asked"));
        }
        if !farewell.ended {
            let what = "It does not end when its input is closed, and would be killed after a second.";
            self.passed.advice = Some(Finding::advice(what, FIX_STAYS));
        }
        Ok(())
    }

    /// The finding about a program that has closed its output; `place` says where, if not between lines.
    fn crash(&mut self, message: &ToAgent, place: &str) -> Finding {
        let how = match self.conversation.exit_status() {
            Some(status) => format!("The program ended ({status})"),
            None => "The program closed its output".to_owned(),
        };
        let (fault, when) = match message {
            ToAgent::Setup { .. } => (Fault::Setup, "before it was ready".to_owned()),
            ToAgent::Move { position, .. } => {
                (Fault::Crash, format!("instead of moving in the position {position}"))
            }
            ToAgent::Result { .. } => (Fault::Crash, "at the end of the game".to_owned()),
        };
        Finding::loss(fault, format!("{how}{place} {when}."), FIX_CRASH)
    }
}

/// What it means that an agent has broken a limit.
pub(super) fn offended(offence: Offence, how: &str) -> Finding {
    let fault = fault_of(offence);
    Finding::loss(fault, sentence(how), advice(fault).1.text)
}

/// What begins with a small letter and has no stop at its end, as a sentence.
pub(super) fn sentence(text: &str) -> String {
    let mut rest = text.chars();
    let first: String = rest.next().into_iter().flat_map(char::to_uppercase).collect();
    let end = if text.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", rest.as_str())
}

/// The finding about a move that is not legal.
pub(super) fn illegal(choice: &str, session: &dyn Session) -> Finding {
    let legal = session.legal();
    let list: Vec<&str> = legal.iter().take(8).map(String::as_str).collect();
    let more = if legal.len() > list.len() { ", …" } else { "" };
    let what = format!(
        "It played {}, which is not legal in the position {}. Legal: {}{more}.",
        quote(choice),
        session.position(),
        list.join(", ")
    );
    Finding::loss(Fault::Illegal, what, FIX_ILLEGAL)
}

/// A message as it is sent.
fn line(message: &ToAgent, unknown_fields: bool) -> String {
    let text = message.line();
    match serde_json::from_str(&text) {
        Ok(Value::Object(mut fields)) if unknown_fields => {
            fields.insert("later".to_owned(), serde_json::json!({"version": [2, null]}));
            Value::Object(fields).to_string()
        }
        _ => text,
    }
}

fn printing(heard: &Heard, when: &str) -> Finding {
    let (fault, what) = match heard {
        Heard::Line(text, _) => (Fault::Printing, format!("the line {}", quote(text))),
        Heard::Garbage(what) => (Fault::Protocol, (*what).to_owned()),
        // As the referee sees it, the program has ended.
        Heard::Half => (Fault::Crash, "half a line, without a line feed at its end,".to_owned()),
    };
    Finding::loss(fault, format!("It wrote {what} to standard output {when}."), FIX_PRINTING)
}

fn silent(message: &ToAgent, waited: Duration) -> Finding {
    let waited = seconds(waited);
    match message {
        ToAgent::Setup { .. } => {
            let what = format!("It did not say that it is ready within {waited}.");
            Finding::loss(Fault::Setup, what, format!("{FIX_SETUP} {FIX_SILENT}"))
        }
        ToAgent::Move { time: None, .. } => {
            let what = format!("Without a time limit (`time` is null) it has not moved for {waited}.");
            Finding::advice(
                what,
                "Give yourself a limit where the referee gives none, such as a few seconds.",
            )
        }
        ToAgent::Move { time: Some(limit), position, .. } => {
            let what = format!(
                "It had {limit} s for a move in the position {position} and did not answer within {waited}."
            );
            Finding::loss(Fault::Time, what, format!("{FIX_LATE} {FIX_SILENT}"))
        }
        ToAgent::Result { .. } => Finding::advice("It was silent.", ""),
    }
}

/// The finding about a move that came too late.
pub(super) fn late(time: Duration, limit: Duration, session: &dyn Session) -> Finding {
    let (position, time, limit) = (session.position(), seconds(time), seconds(limit));
    let what = format!("Its move in the position {position} took {time}; {limit} were allowed.");
    Finding::loss(Fault::Time, what, FIX_LATE)
}

/// A time for people.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
