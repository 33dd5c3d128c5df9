//! An agent for every game: it speaks the agent protocol, in which the setup says what is played.
//!
//! An agent may only say what it is asked for. So it keeps silent about what it cannot understand and tells whoever
//! started it instead.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use agon_core::Player;
use agon_core::random::mix;
use agon_core::text::quote;
use agon_erased::{Bot, Limits};
use agon_match::Match;
use agon_protocol::agent::{AgentClock, FromAgent, Ready, ToAgent};

use crate::{Casting, budget, next_line, thinking_time, told_game};

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
    game: Match,
    seat: Player,
    bot: Box<dyn Bot>,
}

fn answer(
    casting: &Casting,
    game: &mut Option<Playing>,
    message: ToAgent,
) -> Result<Option<FromAgent>, String> {
    match message {
        ToAgent::Setup { game: id, options, seat, position, time_per_move, parameters, .. } => {
            // Whatever was played before is over.
            *game = None;
            if let Some(name) = parameters.keys().next() {
                return Err(format!(
                    "setup: there is no parameter {}; `--bot` sets those of bots",
                    quote(name)
                ));
            }
            let mut playing = set_up(casting, &id, &options, &seat, &position)?;
            let budget = budget(&playing.game, limits(time_per_move, None), casting);
            let ready = playing.bot.prepare(playing.game.board().session(), playing.seat, &budget);
            ready.map_err(|error| format!("setup: {error}"))?;
            let name = format!("agon {}", casting.player(&**playing.game.rules()));
            *game = Some(playing);
            Ok(Some(FromAgent::Ready(Ready { name, ..Ready::default() })))
        }
        ToAgent::Move { position, history, time, clock, .. } => {
            let playing = game.as_mut().ok_or("move: no game has been set up")?;
            playing.catch_up(position, &history, casting.seed)?;
            let budget = budget(&playing.game, limits(time, clock), casting);
            let thought = playing.bot.think(playing.game.board().session(), &budget, &mut |_| {});
            let thought = thought.map_err(|error| format!("move: {error}"))?;
            Ok(Some(FromAgent::Move {
                choice: thought.best,
                score: thought.score.map(Into::into),
                depth: (thought.depth > 0).then(|| thought.depth.into()),
                nodes: (thought.nodes > 0).then(|| thought.nodes.into()),
                comment: None,
                counters: None,
            }))
        }
        ToAgent::Result { .. } => {
            if let Some(mut playing) = game.take() {
                playing.bot.conclude(playing.game.board().session(), playing.seat);
            }
            Ok(None)
        }
    }
}

fn set_up(casting: &Casting, id: &str, options: &str, seat: &str, position: &str) -> Result<Playing, String> {
    let entry = casting.games.find(id).map_err(|error| format!("setup: {error}"))?;
    let rules = entry.rules(options).map_err(|error| format!("setup: {error}"))?;
    let player = rules.seats().iter().position(|known| known == seat);
    let player = player.ok_or_else(|| {
        format!("setup: there is no seat {}, only {}", quote(seat), rules.seats().join(", "))
    })?;
    let game = told_game(&rules, Some(position.to_owned()), &[], casting.seed);
    let game = game.map_err(|error| format!("setup: {error}"))?;
    let bot = casting.bot(&*rules).map_err(|error| format!("setup: {error}"))?;
    Ok(Playing { game, seat: Player(player as u8), bot })
}

impl Playing {
    /// Brings the game to `position`, by `history` if that leads there.
    fn catch_up(&mut self, position: String, history: &[String], seed: u64) -> Result<(), String> {
        let rules = self.game.rules();
        // Games of chance know no repetition, and are too long to be played through for every move.
        let known = if rules.has_chance() {
            None
        } else {
            let start = Some(self.game.board().session().start_position());
            told_game(rules, start, history, seed)
                .ok()
                .filter(|game| game.board().session().position() == position)
        };
        self.game = match known {
            Some(game) => game,
            None => told_game(rules, Some(position), &[], mix(seed, history.len() as u64))
                .map_err(|error| format!("move: {error}"))?,
        };
        Ok(())
    }
}

/// The limits of a move that may take so long, on a clock that may be running.
fn limits(seconds: Option<f64>, clock: Option<AgentClock>) -> Limits {
    let time = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS));
    let share = clock.and_then(|clock| Limits::of_clock(time(clock.left), time(clock.increment)).time);
    let granted = seconds.map(time).into_iter().chain(share).min();
    granted.map_or_else(Limits::default, |granted| Limits::of_time(thinking_time(granted)))
}
