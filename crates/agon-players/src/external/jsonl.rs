//! Agents: programs that speak the agent protocol. One process plays one seat of one game; it answers each message
//! with one line and otherwise says nothing.

use std::time::Instant;

use agon_core::text::quote;
use agon_core::{Outcome, Player, Verdict};
use agon_protocol::agent::{AgentOutcome, FromAgent, ToAgent};
use agon_registry::{BotError, Session, Thought};

use super::{Course, Dialogue, Talk, Wait};

/// The dialogue with an agent.
#[derive(Default)]
pub(super) struct Jsonl {
    /// Who the agent is and what it has seen of its game, once it is ready.
    told: Option<(Player, Course)>,
}

impl Dialogue for Jsonl {
    fn serves(&self, session: &dyn Session, player: Player) -> bool {
        self.told
            .as_ref()
            .is_none_or(|(seat, course)| *seat == player && course.news(&Course::of(session)).is_some())
    }

    fn prepare(&mut self, talk: &mut Talk) -> Result<(), BotError> {
        if self.told.is_some() {
            return Ok(());
        }
        let course = Course::of(talk.session);
        let setup = ToAgent::Setup {
            game: talk.rules.game.to_owned(),
            options: talk.rules.options.clone(),
            seat: talk.rules.seats.get(talk.player.index()).cloned().unwrap_or_default(),
            position: course.start.clone(),
            time_per_move: talk.seconds(),
            setup_time: talk.patience.setup.as_secs_f64(),
        };
        let deadline = talk.setup_deadline();
        match exchange(talk, &setup, deadline)? {
            FromAgent::Ready(_) => {}
            FromAgent::Move { .. } => {
                return Err(BotError::Failed("it moved before it was asked to".to_owned()));
            }
        }
        self.told = Some((talk.player, course));
        Ok(())
    }

    fn ask(
        &mut self,
        talk: &mut Talk,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        let course = Course::of(talk.session);
        let turn = ToAgent::Move {
            position: talk.session.position(),
            ply: talk.session.ply(),
            history: course.history.clone(),
            legal: talk.session.legal(),
            time: talk.seconds(),
        };
        self.told = Some((talk.player, course));
        let deadline = talk.move_deadline();
        let FromAgent::Move { choice, score, depth, .. } = exchange(talk, &turn, deadline)? else {
            return Err(BotError::Failed("it said that it is ready where a move was asked for".to_owned()));
        };
        let depth = depth.and_then(|depth| depth.as_u64()).and_then(|depth| depth.try_into().ok());
        Ok(Thought {
            score: score.and_then(|score| score.as_f64()),
            depth: depth.unwrap_or(0),
            ..Thought::instinct(choice)
        })
    }

    fn conclude(&mut self, talk: &mut Talk) -> bool {
        let Some(Outcome { verdict, reason }) = talk.session.outcome() else { return false };
        let outcome = match verdict {
            Verdict::Won(winner) if winner == talk.player => AgentOutcome::Won,
            Verdict::Won(_) | Verdict::Lost => AgentOutcome::Lost,
            Verdict::Drawn => AgentOutcome::Drawn,
        };
        // An agent that is gone by now does not need to be told.
        let _ = talk.process.send(&ToAgent::Result { outcome, reason: reason.to_owned() }.line());
        true
    }

    fn farewell(&self) -> Option<&'static str> {
        None
    }
}

/// Says a message and reads the one line that answers it.
fn exchange(talk: &mut Talk, message: &ToAgent, deadline: Instant) -> Result<FromAgent, BotError> {
    if let Some(line) = talk.process.said()? {
        return Err(BotError::Failed(format!("it said {} when nothing was asked", quote(&line))));
    }
    talk.process.send(&message.line())?;
    let line = talk.receive(&mut Wait::until(deadline))?;
    FromAgent::parse(&line)
        .map_err(|error| BotError::Failed(format!("it answered {}: {error}", quote(&line))))
}
