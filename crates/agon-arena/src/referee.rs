//! One game between bots: who is asked, what is measured, and what a failure costs.
//!
//! Time is read from the [`Clock`] of the [`Terms`], so that tests bring their own. A bot that answers with an
//! illegal move, fails or panics forfeits the game; one that is late goes on, and each late move is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_core::random::RandomSource;
use agon_core::{Outcome, Player, Rng, Turn};
use agon_players::guarded;
use agon_registry::{Bot, BotError, Budget, Clock, Limits, Session, Thought};

/// How much longer than allowed a move may take before it counts as late.
pub const GRACE: Duration = Duration::from_millis(20);

/// What holds for all games of a match.
#[derive(Clone)]
pub struct Terms {
    /// Where time comes from.
    pub clock: Arc<dyn Clock>,
    /// Set by others to end the game where it stands.
    pub stop: Arc<AtomicBool>,
    /// After so many plies a game is left unfinished: not every game has a limit of its own.
    pub max_plies: usize,
}

impl Terms {
    /// What a bot with these limits is given for a move.
    fn budget(&self, limits: Limits) -> Budget {
        Budget {
            limits,
            clock: Arc::clone(&self.clock),
            stop: Arc::clone(&self.stop),
            keeps_own_limits: true,
            is_analysis: false,
            seed: None,
        }
    }
}

/// A bot at the board and what it may use for a move.
pub struct Contestant {
    /// The bot.
    pub bot: Box<dyn Bot>,
    /// Its limits for every move.
    pub limits: Limits,
}

/// How a seat behaved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conduct {
    /// Moves made.
    pub moves: u64,
    /// Time taken for them.
    pub time: Duration,
    /// The time taken for the slowest of them.
    pub slowest: Duration,
    /// The depths of the searches, added up.
    pub depth: u64,
    /// The moves made within the searches.
    pub nodes: u64,
    /// Moves that took longer than allowed and the [`GRACE`].
    pub late: u64,
    /// Answers that were no legal move, failures included.
    pub illegal: u64,
}

impl Conduct {
    /// Mean seconds a move; 0 if there was none.
    pub fn mean_time(&self) -> f64 {
        self.time.as_secs_f64() / self.moves.max(1) as f64
    }

    /// Mean depth of a move; 0 if there was none.
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.moves.max(1) as f64
    }

    /// Mean number of moves made in the search for a move; 0 if there was none.
    pub fn mean_nodes(&self) -> f64 {
        self.nodes as f64 / self.moves.max(1) as f64
    }

    /// Adds what was seen in another game.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.time += other.time;
        self.slowest = self.slowest.max(other.slowest);
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.late += other.late;
        self.illegal += other.illegal;
    }

    /// Notes a move that took `time` of the allowed `limit`.
    fn note(&mut self, time: Duration, limit: Option<Duration>) {
        self.moves += 1;
        self.time += time;
        self.slowest = self.slowest.max(time);
        self.late += u64::from(limit.is_some_and(|limit| time > limit.saturating_add(GRACE)));
    }
}

/// Why a game was forfeited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// In one word, as records say it: `illegal`, `late`, `crash`, `setup`.
    pub reason: &'static str,
    /// In a sentence.
    pub detail: String,
}

impl From<BotError> for Fault {
    fn from(error: BotError) -> Self {
        let reason = match error {
            BotError::Illegal(_) => "illegal",
            BotError::Late => "late",
            BotError::NoMove | BotError::Failed(_) => "crash",
        };
        Self { reason, detail: error.to_string() }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By its rules.
    Finished(Outcome),
    /// By a failure of a seat.
    Forfeit(Player, Fault),
    /// At the limit of plies, without a result.
    Unfinished,
    /// From outside; such a game does not count.
    Stopped,
}

/// Lets every seat get ready, which counts for no time; or names the one that cannot.
///
/// # Errors
/// The first seat that cannot play, and why.
pub fn prepare(
    session: &dyn Session,
    seats: &mut [Contestant],
    terms: &Terms,
) -> Result<(), (Player, Fault)> {
    for (seat, contestant) in (0..).map(Player).zip(seats) {
        let budget = terms.budget(contestant.limits);
        guarded(|| contestant.bot.prepare(session, seat, &budget))
            .map_err(|error| (seat, Fault { reason: "setup", detail: error.to_string() }))?;
    }
    Ok(())
}

/// Tells every seat that the game is over. Nobody can fail at that any more.
pub fn conclude(session: &dyn Session, seats: &mut [Contestant]) {
    for (seat, contestant) in (0..).map(Player).zip(seats) {
        let _ = guarded(|| {
            contestant.bot.conclude(session, seat);
            Ok(())
        });
    }
}

/// Lets `seats` play `session` to its end; chance draws from `chance`. `conduct` has an entry a seat and is added to.
pub fn play(
    session: &mut dyn Session,
    seats: &mut [Contestant],
    chance: &mut Rng,
    terms: &Terms,
    conduct: &mut [Conduct],
) -> Ending {
    let mut plies = 0;
    loop {
        if let Some(outcome) = session.outcome() {
            return Ending::Finished(outcome);
        }
        if terms.stop.load(Ordering::Relaxed) {
            return Ending::Stopped;
        }
        if plies >= terms.max_plies {
            return Ending::Unfinished;
        }
        plies += 1;
        match session.turn() {
            Turn::Chance => {
                if session.draw(chance.next_u64()).is_none() {
                    return Ending::Unfinished;
                }
            }
            Turn::Player(player) => {
                let conduct = &mut conduct[player.index()];
                let asked = ask(session, &mut seats[player.index()], terms, conduct);
                // What a bot says after it was told to stop is half a thought.
                if terms.stop.load(Ordering::Relaxed) {
                    return Ending::Stopped;
                }
                let played = asked
                    .and_then(|best| session.play(&best).map_err(|_| Fault::from(BotError::Illegal(best))));
                if let Err(fault) = played {
                    if fault.reason == "late" {
                        conduct.late += 1;
                    } else {
                        conduct.illegal += 1;
                    }
                    return Ending::Forfeit(player, fault);
                }
            }
        }
    }
}

/// Asks for a move and measures how it is found.
fn ask(
    session: &dyn Session,
    seat: &mut Contestant,
    terms: &Terms,
    conduct: &mut Conduct,
) -> Result<String, Fault> {
    let budget = terms.budget(seat.limits);
    let began = terms.clock.now();
    let Thought { best, depth, nodes, .. } = guarded(|| seat.bot.think(session, &budget, &mut |_| {}))?;
    conduct.note(terms.clock.now().saturating_sub(began), seat.limits.time);
    conduct.depth += u64::from(depth);
    conduct.nodes += nodes;
    Ok(best)
}
