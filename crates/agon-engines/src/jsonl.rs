//! An agent for every game: it speaks the agent protocol, in which the setup says what is played.
//!
//! An agent may only say what it is asked for. So it keeps silent about what it cannot understand and tells whoever
//! started it instead.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use agon_core::Player;
use agon_core::text::quote;
use agon_protocol::agent::{FromAgent, Ready, ToAgent};
use agon_registry::{Bot, Budget, Limits, Rules, Session, find};

use crate::{Casting, follow, next_line, thinking_time};

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 4 << 20;

/// The longest time that is believed, in seconds.
const MAX_SECONDS: f64 = 24.0 * 60.0 * 60.0;

/// Serves a referee until its input ends; `complain` is told what could not be answered.
///
/// # Errors
/// If input or output fail.
pub fn run(
    casting: &Casting,
    input: &mut impl BufRead,
    out: &mut impl Write,
    complain: &mut dyn FnMut(&str),
) -> io::Result<()> {
    let mut game = None;
    while let Some(line) = next_line(input, MAX_LINE)? {
        let message = line.and_then(|line| ToAgent::parse(&line).map_err(|error| error.to_string()));
        match message.and_then(|message| answer(casting, &mut game, message)) {
            Ok(Some(answer)) => {
                writeln!(out, "{}", answer.line())?;
                out.flush()?;
            }
            Ok(None) => {}
            Err(fault) => complain(&fault),
        }
    }
    Ok(())
}

/// The game that was set up.
struct Playing {
    rules: Arc<dyn Rules>,
    player: Player,
    session: Box<dyn Session>,
    bot: Box<dyn Bot>,
}

fn answer(
    casting: &Casting,
    game: &mut Option<Playing>,
    message: ToAgent,
) -> Result<Option<FromAgent>, String> {
    match message {
        ToAgent::Setup { game: id, options, seat, position, time_per_move, .. } => {
            // Whatever was played before is over.
            *game = None;
            let mut playing = set_up(casting, &id, &options, &seat, &position)?;
            let budget = Budget::new(limits(time_per_move));
            let ready = playing.bot.prepare(&*playing.session, playing.player, &budget);
            ready.map_err(|error| format!("setup: {error}"))?;
            let name = format!("agon {}", casting.specification(&*playing.rules));
            *game = Some(playing);
            Ok(Some(FromAgent::Ready(Ready { name })))
        }
        ToAgent::Move { position, history, time, .. } => {
            let playing = game.as_mut().ok_or("move: no game has been set up")?;
            playing.catch_up(&position, &history)?;
            let thought = playing.bot.think(&*playing.session, &Budget::new(limits(time)), &mut |_| {});
            let thought = thought.map_err(|error| format!("move: {error}"))?;
            Ok(Some(FromAgent::Move {
                choice: thought.best,
                score: thought.score.map(Into::into),
                depth: (thought.depth > 0).then(|| thought.depth.into()),
                comment: None,
            }))
        }
        ToAgent::Result { .. } => {
            if let Some(mut playing) = game.take() {
                playing.bot.conclude(&*playing.session, playing.player);
            }
            Ok(None)
        }
    }
}

fn set_up(casting: &Casting, id: &str, options: &str, seat: &str, position: &str) -> Result<Playing, String> {
    let entry = find(id).map_err(|error| format!("setup: {error}"))?;
    let rules = entry.rules(options).map_err(|error| format!("setup: {error}"))?;
    let player = rules.seats().iter().position(|known| known == seat);
    let player = player.ok_or_else(|| {
        format!("setup: there is no seat {}, only {}", quote(seat), rules.seats().join(", "))
    })?;
    let session = rules.start_from(position).map_err(|error| format!("setup: {error}"))?;
    let bot = casting.bot(&*rules).map_err(|error| format!("setup: {error}"))?;
    Ok(Playing { rules, player: Player(player as u8), session, bot })
}

impl Playing {
    /// Brings the game to `position`, by `history` if that leads there.
    fn catch_up(&mut self, position: &str, history: &[String]) -> Result<(), String> {
        let followed = follow(&mut *self.session, history);
        if followed.is_err() || self.session.position() != position {
            self.session = self.rules.start_from(position).map_err(|error| format!("move: {error}"))?;
        }
        Ok(())
    }
}

fn limits(seconds: f64) -> Limits {
    Limits::of_time(thinking_time(Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS))))
}
