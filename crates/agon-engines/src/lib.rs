//! Our bots where other programs run the game: as engines that speak UGI, GTP or the agent protocol on lines of text, and at
//! the servers of the [Bologna](bologna) Tablut Challenge, of which this is also one.
//!
//! An engine never ends because of what it is told: what it cannot understand it answers in the protocol's own way, or, where
//! the protocol has none, says to whoever started it. It ends when told to, or when its input does.

pub mod bologna;
pub mod gtp;
pub mod jsonl;
pub mod nboard;
pub mod ugi;

use std::io::{self, BufRead};
use std::sync::Arc;
use std::time::Duration;

use agon_erased::{Bot, Budget, Games, Limits, Rules, SpecificationError, Threads, default_bot};
use agon_match::{Match, Millis, Occupant, Seat, Setup, StartError};
use agon_players::player;
use agon_protocol::lines::read_line;

/// Which bot plays in an engine.
#[derive(Clone, Debug)]
pub struct Casting {
    /// The games that it may be asked to play.
    pub games: Games,
    /// Who plays; our best bot if nobody is named.
    pub bot: Option<Occupant>,
    /// What fixes its randomness.
    pub seed: u64,
    /// In how many threads it searches where only time limits it, unless its specification says so.
    pub threads: usize,
}

impl Casting {
    /// Who plays by `rules`.
    pub fn player(&self, rules: &dyn Rules) -> Occupant {
        self.bot.clone().unwrap_or_else(|| Occupant::Bot(default_bot(rules)))
    }

    /// A new bot that plays by `rules`.
    ///
    /// # Errors
    /// If the game has no such bot.
    pub fn bot(&self, rules: &dyn Rules) -> Result<Box<dyn Bot>, SpecificationError> {
        player(rules, &self.player(rules), self.seed)
    }
}

/// The time to think of the time that was granted: some goes by on the way here and back.
fn thinking_time(granted: Duration) -> Duration {
    const WAY: Duration = Duration::from_millis(5);
    granted.saturating_sub(WAY.min(granted / 10)).max(Duration::from_millis(1))
}

/// The next line of text; an error in words if it is too long or not UTF-8; `None` at the end of the input.
fn next_line(input: &mut impl BufRead, max: usize) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    Ok(read_line(input, max, &mut line)?.map(|read| {
        if read.length > max {
            return Err(format!("the line has {} bytes; at most {max} are read", read.length));
        }
        String::from_utf8(line).map_err(|error| {
            format!("the line is not UTF-8 from byte {} on", error.utf8_error().valid_up_to())
        })
    }))
}

/// The game that an engine was told about. The program that runs the engine moves for every seat and keeps the clocks, so the match knows
/// of no time.
fn told_game(
    rules: &Arc<dyn Rules>,
    position: Option<String>,
    moves: &[String],
    seed: u64,
) -> Result<Match, StartError> {
    let setup = Setup {
        position,
        moves: moves.iter().map(|token| token.as_str().into()).collect(),
        seats: vec![Seat::person("controller"); rules.seats().len()],
        ..Setup::default()
    };
    Match::start(Arc::clone(rules), setup, seed, NOW)
}

/// Every moment of a match without clocks.
const NOW: Millis = Millis::ZERO;

/// What the bot of an engine is given for its next move in `game`.
fn budget(game: &Match, limits: Limits, casting: &Casting) -> Budget {
    Budget {
        seed: game.board().to_move().map(|seat| game.board().bot_seed(seat)),
        threads: Threads::usually(casting.threads),
        ..Budget::new(limits)
    }
}
