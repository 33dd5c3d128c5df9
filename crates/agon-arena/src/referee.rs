//! One game between bots: who is asked, what is measured, and what a failure costs.
//!
//! The referee drives a [`Match`]. Time is read from the [`Clock`] of the [`Terms`], so that tests bring their own. A bot that
//! answers with an illegal move, fails or panics forfeits the game; one that is late goes on, and each late move is counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_core::Player;
use agon_core::random::mix;
use agon_match::{
    Abort, Action, End, Event, Fault, Faults, Late, Match, Millis, Move, Policy, Refusal, Remark,
    TimeControl, TimePolicy,
};
use agon_players::guarded;
use agon_registry::{Bot, BotError, Budget, Clock, Offence, Thought};

/// How much longer than allowed a move may take before it counts as late.
pub const GRACE: Millis = Millis(20);

/// The policy of a refereed match: a time control for all seats or one for each, late moves counted, faults lose.
pub fn policy(controls: Vec<TimeControl>) -> Policy {
    let time = TimePolicy { controls, grace: GRACE, late: Late::Counted };
    Policy { time, faults: Faults::End, ..Policy::default() }
}

/// What holds for all games of a duel.
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
    /// The present moment on the time line of matches.
    pub fn now(&self) -> Millis {
        self.clock.now().into()
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What the bot of a seat is given for its next move in `game`.
    fn budget(&self, game: &Match, seat: Player, contestant: &Contestant) -> Budget {
        Budget {
            limits: game.limits(seat),
            clock: Arc::clone(&self.clock),
            stop: Arc::clone(&self.stop),
            keeps_own_limits: true,
            is_analysis: false,
            seed: Some(mix(contestant.seed, game.bot_seed(seat))),
        }
    }
}

/// A bot at the board.
pub struct Contestant {
    /// The bot.
    pub bot: Box<dyn Bot>,
    /// Tells its randomness apart from that of the same bot in another game with the same luck.
    pub seed: u64,
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
    /// Moves that came too late, and programs that never answered.
    pub late: u64,
    /// Answers that were not a legal move.
    pub illegal: u64,
    /// Programs that ended, failed or could not get ready.
    pub crashes: u64,
    /// Programs that printed what the protocol does not allow.
    pub printing: u64,
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
        self.crashes += other.crashes;
        self.printing += other.printing;
    }

    /// Counts a fault that has cost the game.
    fn count(&mut self, fault: Fault) {
        *match fault {
            Fault::Time => &mut self.late,
            Fault::Illegal => &mut self.illegal,
            Fault::Printing => &mut self.printing,
            _ => &mut self.crashes,
        } += 1;
    }

    /// Notes a move that was found in `time`.
    fn note(&mut self, time: Duration, thought: &Thought<String>) {
        self.moves += 1;
        self.time += time;
        self.slowest = self.slowest.max(time);
        self.depth += u64::from(thought.depth);
        self.nodes += thought.nodes;
    }
}

/// Lets `contestants` get ready, which costs no time, play `game` to its end, and hear of that. `conduct` has an entry a seat
/// and is added to.
pub fn play(game: &mut Match, contestants: &mut [Contestant], terms: &Terms, conduct: &mut [Conduct]) {
    if let Err((seat, error)) = prepare(game, contestants, terms) {
        let reason = match fault(&error) {
            Fault::Time | Fault::Crash => Fault::Setup,
            reason => reason,
        };
        return forfeit(game, seat, reason, error.to_string(), terms, conduct);
    }
    let opening = game.session().len();
    while game.end().is_none() {
        if game.session().len() - opening >= terms.max_plies {
            abort(game, Abort::TooLong, terms);
        } else {
            turn(game, contestants, terms, conduct);
        }
    }
    for (seat, contestant) in (0..).map(Player).zip(contestants) {
        // Nobody can fail at that any more.
        let _ = guarded(|| {
            contestant.bot.conclude(game.session(), seat);
            Ok(())
        });
    }
}

/// Lets every seat get ready; or says which one cannot, and why.
fn prepare(game: &Match, contestants: &mut [Contestant], terms: &Terms) -> Result<(), (Player, BotError)> {
    for (seat, contestant) in (0..).map(Player).zip(contestants) {
        let budget = terms.budget(game, seat, contestant);
        guarded(|| contestant.bot.prepare(game.session(), seat, &budget)).map_err(|error| (seat, error))?;
    }
    Ok(())
}

/// Asks the player to move for a move and plays it; or ends the game, if there is no such move or the [`Terms`] say so.
pub fn turn(game: &mut Match, contestants: &mut [Contestant], terms: &Terms, conduct: &mut [Conduct]) {
    if terms.is_stopped() {
        return abort(game, Abort::Stopped, terms);
    }
    let Some(seat) = game.to_move() else { return abort(game, Abort::Void, terms) };
    let contestant = &mut contestants[seat.index()];
    let budget = terms.budget(game, seat, contestant);
    let began = terms.clock.now();
    let thought = guarded(|| contestant.bot.think(game.session(), &budget, &mut |_| {}));
    let time = terms.clock.now().saturating_sub(began);
    // What a bot says after it was told to stop is half a thought.
    if terms.is_stopped() {
        return abort(game, Abort::Stopped, terms);
    }
    let thought = match thought {
        Ok(thought) => thought,
        Err(error) => return forfeit(game, seat, fault(&error), error.to_string(), terms, conduct),
    };
    conduct[seat.index()].note(time, &thought);
    // Records keep scores and depths; principal variations are left out, since games of one player are long.
    let remark = Remark { line: Vec::new(), ..Remark::from(&thought) };
    let mv =
        Move { spent: Some(time.into()), remark: Some(remark), ..Move::new(seat, thought.best.as_str()) };
    match game.apply(Action::Move(mv), terms.now()) {
        Ok(events) => {
            let is_late = events.iter().any(|event| matches!(event, Event::Played(played) if played.late));
            conduct[seat.index()].late += u64::from(is_late);
        }
        Err(Refusal::Illegal(_)) => {
            let detail = BotError::Illegal(thought.best).to_string();
            forfeit(game, seat, Fault::Illegal, detail, terms, conduct);
        }
        Err(_) => abort(game, Abort::TooLong, terms),
    }
}

/// Has a seat lose the game, and counts that against it.
pub fn forfeit(
    game: &mut Match,
    seat: Player,
    reason: Fault,
    detail: String,
    terms: &Terms,
    conduct: &mut [Conduct],
) {
    conduct[seat.index()].count(reason);
    conclude(game, End::Forfeit { seat, reason, detail }, terms);
}

fn abort(game: &mut Match, reason: Abort, terms: &Terms) {
    conclude(game, End::Aborted { reason }, terms);
}

fn conclude(game: &mut Match, end: End, terms: &Terms) {
    let ended = game.apply(Action::Conclude(end), terms.now());
    debug_assert!(ended.is_ok(), "a match that goes on can be ended");
}

/// What a bot that has not moved is guilty of.
fn fault(error: &BotError) -> Fault {
    match error {
        BotError::Illegal(_) => Fault::Illegal,
        BotError::Late => Fault::Time,
        BotError::Printing(_) => Fault::Printing,
        BotError::Offence(Offence::Memory, _) => Fault::Memory,
        BotError::Offence(Offence::Threads, _) => Fault::Threads,
        BotError::Offence(Offence::Network, _) => Fault::Network,
        BotError::Offence(Offence::Files, _) => Fault::Files,
        BotError::NoMove | BotError::Failed(_) => Fault::Crash,
    }
}
