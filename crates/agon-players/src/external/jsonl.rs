//! Agents: programs that speak the agent protocol. One process plays one seat of one game; it answers each message
//! with one line and otherwise says nothing.

use std::collections::BTreeMap;
use std::time::Instant;

use agon_core::text::quote;
use agon_core::view::{Board, Token};
use agon_core::{Outcome, Player, Verdict};
use agon_erased::{Session, Thought};
use agon_protocol::agent::{AgentBoard, AgentOutcome, FromAgent, ToAgent};
use agon_protocol::parameters::is_name;
use serde_json::Value;

use super::{Dialogue, Failure, KnownGame, Printing, Talk, Wait};

/// The most lines that an agent may print unasked before it is asked for something, where that is only counted.
const MAX_UNASKED: usize = 10_000;

/// The most counters of one move that are kept.
const MAX_COUNTERS: usize = 32;
/// The largest number that is kept.
const MAX_COUNTER: f64 = 1e12;

/// The dialogue with an agent.
#[derive(Default)]
pub(super) struct Jsonl {
    /// Who the agent is and what it has seen of its game, once it is ready.
    told: Option<(Player, KnownGame)>,
}

impl Dialogue for Jsonl {
    fn serves(&self, session: &dyn Session, player: Player) -> bool {
        self.told
            .as_ref()
            .is_none_or(|(seat, known)| *seat == player && known.news(&KnownGame::of(session)).is_some())
    }

    fn prepare(&mut self, talk: &mut Talk) -> Result<(), Failure> {
        if self.told.is_some() {
            return Ok(());
        }
        let known = KnownGame::of(talk.session);
        let rules = talk.rules;
        let setup = ToAgent::Setup {
            game: rules.game.to_owned(),
            options: rules.options.clone(),
            seat: rules.seats.get(talk.player.index()).cloned().unwrap_or_default(),
            position: known.start.clone(),
            // A budget for the whole game is no limit for each move.
            time_per_move: talk.limit_seconds().filter(|_| talk.liaison.clock().is_none()),
            setup_time: talk.patience.setup.as_secs_f64(),
            seats: rules.seats.clone(),
            turns: turns_per_player(talk.session, rules.seats.len()),
            board: Some(board_for_agent(&talk.session.board())),
            parameters: talk.parameters.clone(),
        };
        let deadline = talk.setup_deadline();
        match exchange(talk, &setup, deadline)? {
            // An agent that has never heard of parameters would play without them.
            FromAgent::Ready(ready) => drop(talk.declare(ready.parameters)?),
            FromAgent::Move { .. } => {
                return Err(Failure::protocol("it answered the setup with a move; expected ready"));
            }
        }
        self.told = Some((talk.player, known));
        Ok(())
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, Failure> {
        let known = KnownGame::of(talk.session);
        let turn = ToAgent::Move {
            position: talk.session.position(),
            ply: talk.session.ply(),
            history: known.history.clone(),
            legal: talk.session.legal(),
            time: talk.limit_seconds(),
            clock: talk.liaison.clock(),
        };
        self.told = Some((talk.player, known));
        let deadline = talk.move_deadline();
        let FromAgent::Move { choice, score, depth, nodes, counters, .. } = exchange(talk, &turn, deadline)?
        else {
            return Err(Failure::protocol("it said that it is ready when asked for a move"));
        };
        let depth = depth.and_then(|depth| depth.as_u64()).and_then(|depth| depth.try_into().ok());
        talk.liaison.set_counters(numbers(counters));
        Ok(Thought {
            nodes: nodes.and_then(|nodes| nodes.as_u64()).unwrap_or(0),
            score: score.and_then(|score| score.as_f64()),
            depth: depth.unwrap_or(0),
            ..Thought::instinct(choice)
        })
    }

    fn conclude(&mut self, talk: &mut Talk) -> bool {
        let by_rules = |Outcome { verdict, reason }| {
            let outcome = match verdict {
                Verdict::Won(winner) if winner == talk.player => AgentOutcome::Won,
                Verdict::Won(_) | Verdict::Lost => AgentOutcome::Lost,
                Verdict::Drawn => AgentOutcome::Drawn,
            };
            (outcome, reason.to_owned())
        };
        let result = talk.liaison.result().or_else(|| talk.session.outcome().map(by_rules));
        let Some((outcome, reason)) = result else { return false };
        // An agent that is gone by now does not need to be told.
        let _ = talk.process.send(&ToAgent::Result { outcome, reason, rank: rank(talk) }.line());
        true
    }

    fn farewell(&self) -> Option<&'static str> {
        None
    }
}

/// The numbers that an agent has counted. Anything else that it reports beside them is for its author alone.
fn numbers(counters: Option<Value>) -> BTreeMap<String, f64> {
    let Some(Value::Object(counters)) = counters else { return BTreeMap::new() };
    let number = |(name, value): (String, Value)| {
        let value = value.as_f64().filter(|number| number.abs() <= MAX_COUNTER)?;
        is_name(&name).then_some((name, value))
    };
    counters.into_iter().filter_map(number).take(MAX_COUNTERS).collect()
}

/// How many turns each player of a game has before it is drawn, as a setup says it; `None` if nothing limits the game.
pub fn turns_per_player(session: &dyn Session, seats: usize) -> Option<u32> {
    // Some games are merely known to end within a number of plies, which is no limit that players feel.
    session.board().progress?.limit?;
    let plies = session.ply().saturating_add(session.plies_left()?);
    Some(plies.div_ceil(u32::try_from(seats).unwrap_or(u32::MAX).max(1)))
}

/// A board as a setup describes it to an agent.
pub fn board_for_agent(board: &Board) -> AgentBoard {
    let mut shape = vec![vec![' '; board.columns.len()]; board.rows.len()];
    for cell in &board.cells {
        shape[usize::from(cell.spot.row)][usize::from(cell.spot.column)] = '.';
    }
    let names = |names: &[Token]| names.iter().map(|name| (*name).to_owned()).collect();
    AgentBoard {
        places: board.places.to_owned(),
        rows: names(&board.rows),
        columns: names(&board.columns),
        shape: shape.into_iter().map(String::from_iter).collect(),
    }
}

/// The agent's place from 1, in games of three or more seats.
fn rank(talk: &Talk) -> Option<u32> {
    let ranking = talk.session.ranking();
    let group = ranking.iter().position(|group| group.contains(&talk.player))?;
    let better: usize = ranking[..group].iter().map(Vec::len).sum();
    (talk.rules.seats.len() > 2).then_some(better as u32 + 1)
}

/// Says a message and reads the one line that answers it. Anything else is an offence, or is passed over and counted.
fn exchange(talk: &mut Talk, message: &ToAgent, deadline: Instant) -> Result<FromAgent, Failure> {
    for _ in 0..=MAX_UNASKED {
        let Some(line) = talk.process.said()? else { break };
        pass_over(talk, || unasked(&line))?;
    }
    let sent = Instant::now();
    talk.process.send(&message.line())?;
    loop {
        let line = talk.receive(&mut Wait::until(deadline))?;
        if talk.process.heard() < sent {
            pass_over(talk, || unasked(&line))?;
            continue;
        }
        let error = match FromAgent::parse(&line) {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let what = || format!("it answered {}: {error}", quote(&line));
        if error.is_object() {
            return Err(Failure::protocol(what()));
        }
        pass_over(talk, what)?;
    }
}

fn unasked(line: &str) -> String {
    format!("it printed {} when nothing was asked", quote(line))
}

/// Passes over something that should not have been printed, if that is how printing is rated.
fn pass_over(talk: &Talk, what: impl FnOnce() -> String) -> Result<(), Failure> {
    if talk.printing == Printing::Fails {
        return Err(Failure::printing(what()));
    }
    talk.liaison.warn();
    Ok(())
}
