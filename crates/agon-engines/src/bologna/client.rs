//! A player: one of our bots at somebody's server.
//!
//! The server tells whole boards, not moves. The client plays the move that leads from one to the next, so that its bot
//! knows the past and sees repetitions; where there is no such move it starts over from the board.

use std::io;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use agon_erased::{Bot, BotError, Budget, Limits, Rules, Session, SpecificationError};
use agon_protocol::bologna::{Action, MessageError, State, Turn, name_message};

use super::{Colour, Wire, rows, rules};
use crate::Casting;

/// How a player plays.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its side.
    pub colour: Colour,
    /// What it calls itself.
    pub name: String,
    /// The time that the server grants for a move.
    pub time: Duration,
    /// How long the server may keep silent.
    pub patience: Duration,
    /// The bot.
    pub casting: Casting,
}

/// Why a game could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The connection has failed.
    #[error("the server: {0}")]
    Connection(#[from] io::Error),
    /// The server kept silent.
    #[error("the server has been silent for {0:?}")]
    Silence(Duration),
    /// The server said what cannot be understood.
    #[error("the server: {0}")]
    Message(#[from] MessageError),
    /// The server told of a board that cannot be.
    #[error("the server: {0}")]
    Position(#[from] agon_core::PositionError),
    /// There is no such bot.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
    /// The bot has not moved.
    #[error("the bot did not move: {0}")]
    Bot(#[from] BotError),
    /// The server does not take our moves.
    #[error("the server refused {0} moves in a row, the last one being {1}")]
    Refused(u32, String),
}

/// How many moves in a row a server may refuse: the rules being the same, it refuses none.
const MAX_REFUSALS: u32 = 3;

impl Client {
    /// Plays a game at the server behind `stream` and gives its end; `progress` hears what happens.
    ///
    /// # Errors
    /// If the server or the bot fails.
    pub fn play(&self, stream: TcpStream, progress: &mut dyn FnMut(&str)) -> Result<Turn, ClientError> {
        let rules = rules(self.casting.games)?;
        let mut bot = self.casting.bot(&*rules)?;
        let mut session = rules.start();
        let mut wire = Wire::new(stream)?;
        wire.send(&name_message(&self.name))?;
        let mut refused = 0;
        let mut last: Option<(State, String)> = None;
        loop {
            let state = self.next_state(&mut wire)?;
            if !matches!(state.turn, Turn::White | Turn::Black) {
                wire.close();
                return Ok(state.turn);
            }
            let step = catch_up(&*rules, &mut session, &state)?;
            if state.turn != self.colour.turn() {
                continue;
            }
            if let Some(token) = step {
                progress(&format!("{}: {token}", self.colour.other().name()));
            }
            if let Some((_, token)) = last.take_if(|(before, _)| *before == state) {
                refused += 1;
                progress(&format!("the server refused {token}"));
                if refused == MAX_REFUSALS {
                    return Err(ClientError::Refused(refused, token));
                }
            } else {
                refused = 0;
            }
            let token = self.choose(&mut *bot, &*session, progress)?;
            let (from, to) = token.split_at(token.len() / 2);
            let action = Action { from: from.to_owned(), to: to.to_owned() };
            wire.send(&action.message(state.turn))?;
            last = Some((state, token));
        }
    }

    fn next_state(&self, wire: &mut Wire) -> Result<State, ClientError> {
        let message = wire.receive(Instant::now() + self.patience).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => ClientError::Silence(self.patience),
            io::ErrorKind::UnexpectedEof => {
                io::Error::new(error.kind(), "it has closed the connection").into()
            }
            _ => error.into(),
        })?;
        Ok(State::parse(&message)?)
    }

    fn choose(
        &self,
        bot: &mut dyn Bot,
        session: &dyn Session,
        progress: &mut dyn FnMut(&str),
    ) -> Result<String, ClientError> {
        // Messages take their time on the way, and a loss on time is a loss.
        let reserve = (self.time / 20).min(Duration::from_secs(1));
        let budget = Budget::new(Limits::of_time(self.time.saturating_sub(reserve)));
        let thought = bot.think(session, &budget, &mut |_| {})?;
        let score = thought.score.map_or_else(String::new, |score| format!(", score {score:.0}"));
        progress(&format!("{}: {} (depth {}{score})", self.colour.name(), thought.best, thought.depth));
        Ok(thought.best)
    }
}

/// Brings `session` to `state`, by the move that leads there if there is one, and gives that move. Else the game begins
/// anew from there: the server may take for no draw what the rules call one.
fn catch_up(
    rules: &dyn Rules,
    session: &mut Box<dyn Session>,
    state: &State,
) -> Result<Option<String>, ClientError> {
    let side = if state.turn == Turn::White { Colour::White } else { Colour::Black };
    let told = format!("{} {}", rows(state), side.seat());
    let stands = |session: &dyn Session| {
        let position = session.position();
        position.rsplit_once(' ').is_some_and(|(board_and_side, _)| board_and_side == told)
    };
    let mut step = None;
    if !stands(&**session) {
        step = session.legal().into_iter().find(|token| {
            let is_played = session.play(token).is_ok();
            let is_it = stands(&**session);
            if is_played && !is_it {
                session.undo();
            }
            is_it
        });
    }
    if !stands(&**session) || session.outcome().is_some() {
        *session = rules.start_from(&format!("{told} {}", session.ply()))?;
    }
    Ok(step)
}
