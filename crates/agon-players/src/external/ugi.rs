//! Programs that speak UGI.

use std::time::{Duration, Instant};

use agon_core::Player;
use agon_erased::{Session, Thought, WIN};
use agon_protocol::parameters::{MAX_PARAMETERS, Parameters, check_one, value_text};
use agon_protocol::ugi::{Answer, GAME_OPTIONS, Go, Info, Score};

use super::process::NoLine;
use super::{Dialogue, Failure, KnownGame, LAST_WAIT, Talk};

/// The most lines that a program may say before it moves.
const MAX_LINES: usize = 1_000_000;
/// The most lines that it may say before it is ready.
const MAX_GREETING: usize = 50_000;

/// The dialogue with a UGI program.
#[derive(Default)]
pub(super) struct Ugi {
    is_greeted: bool,
    told: Option<KnownGame>,
}

impl Dialogue for Ugi {
    fn serves(&self, _session: &dyn Session, _player: Player) -> bool {
        true
    }

    fn prepare(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        let deadline = talk.setup_deadline();
        if !self.is_greeted {
            talk.process.send("ugi")?;
            let mut takes_options = false;
            let mut declared = Parameters::new();
            wait_for(talk, deadline, |answer| match answer {
                Answer::Option { name, .. } if name == GAME_OPTIONS => {
                    takes_options = true;
                    None
                }
                // Engines are not held to the letter here: what they declare badly cannot be set.
                Answer::Option { name, parameter: Some(parameter) } => {
                    if declared.len() < MAX_PARAMETERS && check_one(&name, &parameter).is_ok() {
                        declared.insert(name, parameter);
                    }
                    None
                }
                Answer::UgiOk => Some(()),
                _ => None,
            })?;
            if takes_options {
                talk.process.send(&format!("setoption name {GAME_OPTIONS} value {}", talk.rules.options))?;
            }
            for (name, value) in talk.declare(declared)? {
                talk.process.send(&format!("setoption name {name} value {}", value_text(&value)))?;
            }
            be_ready(talk, deadline)?;
            self.is_greeted = true;
        }
        let known = KnownGame::of(talk.session);
        if self.told.as_ref().and_then(|told| told.news(&known)).is_none() {
            talk.process.send("uginewgame")?;
            be_ready(talk, deadline)?;
        }
        let mut position = if known.start == talk.rules.start {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", known.start)
        };
        if !known.history.is_empty() {
            position += " moves ";
            position += &known.history.join(" ");
        }
        talk.process.send(&position)?;
        be_ready(talk, deadline)?;
        self.told = Some(known);
        Ok(())
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Failure> {
        let limits = talk.budget.limits;
        let go = Go {
            movetime: limits.time.map(|time| time.max(Duration::from_millis(1))),
            depth: limits.depth,
            nodes: limits.nodes,
            infinite: !talk.budget.keeps_own_limits && limits == agon_erased::Limits::default(),
            ..Go::default()
        };
        let mut deadline = talk.move_deadline();
        talk.process.send(&go.to_string())?;
        let mut thought = Thought::instinct(String::new());
        let mut is_stopped = false;
        for _ in 0..MAX_LINES {
            let stop = (!is_stopped).then_some(&*talk.budget.stop);
            let line = match talk.process.receive(deadline, stop) {
                Ok(line) => line,
                // Without a limit of time it may want to be told when to stop.
                Err(missing @ (NoLine::Stopped | NoLine::Late)) => {
                    if is_stopped || (missing == NoLine::Late && limits.time.is_some()) {
                        return Err(Failure::late());
                    }
                    is_stopped = true;
                    deadline = Instant::now() + LAST_WAIT;
                    talk.process.send("stop")?;
                    continue;
                }
                Err(missing) => return Err(missing.into()),
            };
            match Answer::parse(&line) {
                Answer::BestMove(best) => {
                    // What it said before may have been about another move.
                    if thought.best != best {
                        thought.line = vec![best.clone()];
                    }
                    return Ok(Thought { best, ..thought });
                }
                Answer::Info(info) => {
                    note(&mut thought, info);
                    if !thought.best.is_empty() {
                        observe(&thought);
                    }
                }
                _ => {}
            }
        }
        Err(Failure::protocol(format!("it printed {MAX_LINES} lines and no move")))
    }

    fn farewell(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// Takes over what an `info` line says.
fn note(thought: &mut Thought<String>, info: Info) {
    thought.depth = info.depth.unwrap_or(thought.depth);
    thought.nodes = info.nodes.unwrap_or(thought.nodes);
    thought.elapsed = info.time.unwrap_or(thought.elapsed);
    thought.score = match info.score {
        Some(Score::Points(points)) => Some(points),
        Some(Score::End(plies)) => {
            let value = f64::from(WIN) - plies.unsigned_abs() as f64;
            Some(if plies >= 0 { value } else { -value })
        }
        None => thought.score,
    };
    if let Some(best) = info.line.first() {
        thought.best.clone_from(best);
        thought.line = info.line;
    }
}

/// Has the program say that it is ready.
fn be_ready(talk: &mut Talk, deadline: Instant) -> Result<(), Failure> {
    talk.process.send("isready")?;
    wait_for(talk, deadline, |answer| (answer == Answer::ReadyOk).then_some(()))
}

/// Reads answers until one is what `pick` looks for.
fn wait_for<T>(
    talk: &mut Talk,
    deadline: Instant,
    mut pick: impl FnMut(Answer) -> Option<T>,
) -> Result<T, Failure> {
    for _ in 0..MAX_GREETING {
        let line = talk.process.receive(deadline, None)?;
        if let Some(found) = pick(Answer::parse(&line)) {
            return Ok(found);
        }
    }
    Err(Failure::protocol(format!("it printed {MAX_GREETING} lines and no answer")))
}
