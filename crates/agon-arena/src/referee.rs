//! One game between bots: who is asked, what is measured, and what a failure costs.
//!
//! The referee drives a [`JournaledGame`]. Time is read from the [`Clock`] of the [`Terms`], so that tests bring their own. A bot that
//! answers with an illegal move, fails or panics forfeits the game. Whether one that is late does so too, or goes on and each late
//! move is counted, is up to the match's time policy.
//!
//! A bot sees the game through a shared reference and a program is told about it in text: neither can change what the referee holds.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_core::Player;
use agon_core::random::mix;
use agon_erased::{Bot, BotError, Budget, Clock, Threads};
use agon_match::{
    Abort, Action, Board, End, Fault, Faults, Late, Millis, Move, Policy, Refusal, Remark, TimeControl,
    TimePolicy,
};
use agon_players::external::{Liaison, fault_of};
use agon_players::guarded;
use agon_protocol::agent::{AgentClock, AgentOutcome};
use serde::{Deserialize, Serialize};

use crate::journaled::JournaledGame;
use crate::meter::Meter;
use crate::results::json::seconds;

/// How much longer than allowed a move may take before it counts as late.
pub const GRACE: Millis = Millis(20);

/// The policy of a refereed match: a time control for all seats or one for each, what lateness costs, and faults lose.
pub fn policy(controls: Vec<TimeControl>, late: Late) -> Policy {
    let time = TimePolicy { controls, grace: GRACE, late, ..TimePolicy::default() };
    Policy { time, faults: Faults::End, ..Policy::default() }
}

/// What holds for all games that are played together.
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

    /// What the bot of a seat is given for its next move on `board`.
    fn budget(&self, board: &Board, seat: Player, contestant: &Contestant) -> Budget {
        Budget {
            limits: board.limits(seat),
            clock: Arc::clone(&self.clock),
            stop: Arc::clone(&self.stop),
            threads: Threads::AS_TOLD,
            keeps_own_limits: true,
            is_analysis: false,
            seed: Some(mix(contestant.seed, board.bot_seed(seat))),
        }
    }
}

/// A bot at the board.
pub struct Contestant {
    bot: Box<dyn Bot>,
    /// Tells its randomness apart from that of the same bot in another game with the same luck.
    seed: u64,
    /// The line to the program behind it, if there is one.
    liaison: Option<Arc<Liaison>>,
}

impl Contestant {
    /// A bot of the house. `seed` tells its randomness apart from that of the same bot in another game with the same luck.
    pub fn house(bot: Box<dyn Bot>, seed: u64) -> Self {
        Self { bot, seed, liaison: None }
    }

    /// A bot that runs a program. Its time is what passes between the request and the arrival of the answer, without what
    /// the referee does before and after.
    pub fn program(bot: Box<dyn Bot>, seed: u64, liaison: Arc<Liaison>) -> Self {
        Self { bot, seed, liaison: Some(liaison) }
    }

    /// Tells a program with a budget for the whole game what is left of it.
    fn show_clock(&self, board: &Board, seat: Player) {
        let Some(liaison) = &self.liaison else { return };
        let clock = match board.policy().time.control(seat) {
            TimeControl::Game { increment, .. } => {
                let seconds = |time: Millis| time.0 as f64 / 1000.0;
                let left = board.clocks().left(seat, Millis::ZERO).unwrap_or_default();
                Some(AgentClock { left: seconds(left), increment: seconds(increment) })
            }
            TimeControl::None | TimeControl::PerMove(_) => None,
        };
        liaison.set_clock(clock);
    }

    /// What it is guilty of that has failed so.
    fn fault(&self, error: &BotError) -> Fault {
        let known = self.liaison.as_ref().and_then(|liaison| liaison.fault());
        known.unwrap_or(match error {
            BotError::Illegal(_) => Fault::Illegal,
            BotError::Late => Fault::Time,
            BotError::Printing(_) => Fault::Printing,
            BotError::Offence(offence, _) => fault_of(*offence),
            BotError::NoMove | BotError::Failed(_) => Fault::Crash,
        })
    }
}

/// How a seat behaved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Conduct {
    /// Moves made.
    pub moves: u64,
    /// Time taken for them.
    #[serde(with = "seconds")]
    pub time: Duration,
    /// Processor time used for them, as far as that is known.
    #[serde(with = "seconds")]
    pub processor: Duration,
    /// The time taken for the slowest of them.
    #[serde(with = "seconds")]
    pub slowest: Duration,
    /// The depths of the searches, added up.
    #[serde(rename = "depth_sum")]
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
    /// Lines that the protocol does not allow, where printing them is only counted.
    pub warnings: u64,
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
        self.processor += other.processor;
        self.slowest = self.slowest.max(other.slowest);
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.late += other.late;
        self.illegal += other.illegal;
        self.crashes += other.crashes;
        self.printing += other.printing;
        self.warnings += other.warnings;
    }

    /// Counts a fault that has cost the game.
    pub(crate) fn count(&mut self, fault: Fault) {
        *match fault {
            Fault::Time => &mut self.late,
            Fault::Illegal => &mut self.illegal,
            Fault::Printing => &mut self.printing,
            _ => &mut self.crashes,
        } += 1;
    }

    /// Notes a move that was found in `time`.
    pub(crate) fn note_move(&mut self, time: Duration, depth: u32, nodes: u64) {
        self.moves += 1;
        self.time += time;
        self.slowest = self.slowest.max(time);
        self.depth += u64::from(depth);
        self.nodes += nodes;
    }
}

/// What the referee measures and counts during a game.
#[derive(Clone, Debug, Default)]
pub struct RefereeStatistics {
    /// How each seat behaved.
    pub conduct: Vec<Conduct>,
    /// The time that the referee itself needed for each move: between one answer and the next, without what the player took.
    pub overhead: Meter,
    /// Why the game should not count as it was played.
    pub doubt: Option<Doubt>,
    /// When the last answer came.
    answered: Option<Duration>,
}

/// Why a game should not count as it was played, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It could not be played, and that was our fault.
    OurFault(String),
    /// A player was late while the machine had too much to do.
    Overload(String),
}

impl Doubt {
    /// In words.
    pub fn sentence(&self) -> &str {
        match self {
            Self::OurFault(sentence) | Self::Overload(sentence) => sentence,
        }
    }
}

impl RefereeStatistics {
    /// Those of a game of so many seats, of which nothing has been played.
    pub fn new(seats: usize) -> Self {
        Self { conduct: vec![Conduct::default(); seats], ..Self::default() }
    }

    /// Notes that an answer came at `now`, of which the player took `time`.
    fn answer(&mut self, now: Duration, time: Duration) {
        if let Some(last) = self.answered.replace(now) {
            self.overhead.push(now.saturating_sub(last).saturating_sub(time));
        }
    }
}

/// Lets `contestants` get ready, which costs none of their time for moves, play the game to its end, and hear
/// of that. `statistics` are added to.
///
/// # Errors
/// If the journal cannot be written.
pub fn play(
    game: &mut JournaledGame,
    contestants: &mut [Contestant],
    terms: &Terms,
    statistics: &mut RefereeStatistics,
) -> io::Result<()> {
    if let Err((seat, fault, detail)) = prepare(game.board(), contestants, terms) {
        fail(game, &contestants[seat.index()], (seat, fault, detail), terms, statistics)?;
    }
    let opening = game.board().session().len();
    statistics.answered = Some(terms.clock.now());
    while game.board().end().is_none() {
        if game.board().session().len() - opening >= terms.max_plies {
            conclude(game, End::Aborted { reason: Abort::TooLong }, terms)?;
        } else {
            turn(game, contestants, terms, statistics)?;
        }
    }
    for (seat, contestant) in (0..).map(Player).zip(contestants) {
        tell_result(game.board(), seat, contestant);
        if let Some(liaison) = &contestant.liaison {
            statistics.conduct[seat.index()].warnings += liaison.warnings();
        }
    }
    Ok(())
}

/// Lets every seat get ready; or says which one cannot, and why.
fn prepare(
    board: &Board,
    contestants: &mut [Contestant],
    terms: &Terms,
) -> Result<(), (Player, Fault, String)> {
    for (seat, contestant) in (0..).map(Player).zip(contestants) {
        contestant.show_clock(board, seat);
        let budget = terms.budget(board, seat, contestant);
        if let Err(error) = guarded(|| contestant.bot.prepare(board.session(), seat, &budget)) {
            let (fault, detail) = match (contestant.fault(&error), error) {
                (Fault::Time, _) => (Fault::Setup, "it was not ready in time".to_owned()),
                (Fault::Crash, error) => (Fault::Setup, error.to_string()),
                (fault, error) => (fault, error.to_string()),
            };
            return Err((seat, fault, detail));
        }
    }
    Ok(())
}

/// Asks the player to move for a move and plays it; or ends the game, if there is no such move or the [`Terms`] say so.
///
/// # Errors
/// If the journal cannot be written.
pub fn turn(
    game: &mut JournaledGame,
    contestants: &mut [Contestant],
    terms: &Terms,
    statistics: &mut RefereeStatistics,
) -> io::Result<()> {
    let stopped = End::Aborted { reason: Abort::Stopped };
    if terms.is_stopped() {
        return conclude(game, stopped, terms);
    }
    let board = game.board();
    let Some(seat) = board.to_move() else {
        return conclude(game, End::Aborted { reason: Abort::Void }, terms);
    };
    let contestant = &mut contestants[seat.index()];
    contestant.show_clock(board, seat);
    let budget = terms.budget(board, seat, contestant);
    let began = terms.clock.now();
    let thought = guarded(|| contestant.bot.think(board.session(), &budget, &mut |_| {}));
    let answered = terms.clock.now();
    // What a bot says after it was told to stop is half a thought.
    if terms.is_stopped() {
        return conclude(game, stopped, terms);
    }
    let thought = match thought {
        Ok(thought) => thought,
        Err(error) => {
            let fault = contestant.fault(&error);
            let detail = match error {
                BotError::Late => lateness(board, seat, None),
                error => error.to_string(),
            };
            return fail(game, contestant, (seat, fault, detail), terms, statistics);
        }
    };
    let time = if contestant.liaison.is_some() { thought.elapsed } else { answered.saturating_sub(began) };
    statistics.answer(answered, time);
    let conduct = &mut statistics.conduct[seat.index()];
    conduct.note_move(time, thought.depth, thought.nodes);
    let effort = contestant.liaison.as_ref().map(|liaison| liaison.effort());
    conduct.processor += effort.and_then(|effort| effort.processor).unwrap_or_default();
    let spent = Millis::from(time);
    if board.clocks().allowance(seat).is_some_and(|allowance| spent > allowance) {
        if board.policy().time.late == Late::Loses {
            let detail = lateness(board, seat, Some(spent));
            return fail(game, contestant, (seat, Fault::Time, detail), terms, statistics);
        }
        statistics.conduct[seat.index()].late += 1;
    }
    // Records keep scores and depths; principal variations are left out, since games of one player are long.
    let remark = Remark { line: Vec::new(), ..Remark::from(&thought) };
    let mv = Move { spent: Some(spent), remark: Some(remark), ..Move::new(seat, thought.best.as_str()) };
    match game.act(Action::Move(mv), terms.now())? {
        Ok(()) => Ok(()),
        Err(Refusal::Illegal(_)) => {
            let detail = BotError::Illegal(thought.best).to_string();
            forfeit(game, seat, Fault::Illegal, detail, terms, statistics)
        }
        Err(_) => conclude(game, End::Aborted { reason: Abort::TooLong }, terms),
    }
}

/// Why a seat has lost on time, whose move took `spent`, or never came.
fn lateness(board: &Board, seat: Player, spent: Option<Millis>) -> String {
    let left = board.clocks().left(seat, Millis::ZERO).unwrap_or_default();
    let given = match board.policy().time.control(seat) {
        TimeControl::Game { .. } => format!("{left} were left on its clock"),
        TimeControl::None | TimeControl::PerMove(_) => format!("the limit is {left}"),
    };
    match spent {
        Some(spent) => format!("its move took {spent}; {given}, with a grace of {GRACE}"),
        None => format!("it did not answer in time; {given}, with a grace of {GRACE}"),
    }
}

/// Has a contestant lose the game that has failed; unless it could not help it, in which case the game is left where it stands.
fn fail(
    game: &mut JournaledGame,
    contestant: &Contestant,
    (seat, fault, mut detail): (Player, Fault, String),
    terms: &Terms,
    statistics: &mut RefereeStatistics,
) -> io::Result<()> {
    if let Some(liaison) = &contestant.liaison {
        if let Some(excuse) = liaison.excused() {
            statistics.doubt = Some(Doubt::OurFault(excuse));
            return conclude(game, End::Aborted { reason: Abort::Stopped }, terms);
        }
        // Whoever is late in getting ready has failed in that.
        let is_late = fault == Fault::Time || liaison.fault() == Some(Fault::Time);
        if is_late && liaison.was_overloaded() {
            detail += "; the machine was overloaded";
            statistics.doubt = Some(Doubt::Overload(detail.clone()));
        }
    }
    forfeit(game, seat, fault, detail, terms, statistics)
}

/// Has a seat lose the game, and counts that against it.
///
/// # Errors
/// If the journal cannot be written.
pub fn forfeit(
    game: &mut JournaledGame,
    seat: Player,
    reason: Fault,
    detail: String,
    terms: &Terms,
    statistics: &mut RefereeStatistics,
) -> io::Result<()> {
    statistics.conduct[seat.index()].count(reason);
    conclude(game, End::Forfeit { seat, reason, detail }, terms)
}

fn conclude(game: &mut JournaledGame, end: End, terms: &Terms) -> io::Result<()> {
    let ended = game.act(Action::Conclude(end), terms.now())?;
    debug_assert!(ended.is_ok(), "a match that goes on can be ended");
    Ok(())
}

/// Tells a contestant how the game has ended.
fn tell_result(board: &Board, seat: Player, contestant: &mut Contestant) {
    let by_others = match board.end() {
        Some(End::Forfeit { seat: loser, .. }) if *loser == seat => Some(AgentOutcome::Lost),
        Some(End::Forfeit { .. }) => Some(AgentOutcome::Won),
        Some(End::Aborted { reason: Abort::TooLong | Abort::Void }) => Some(AgentOutcome::Drawn),
        _ => None,
    };
    if let (Some(outcome), Some(liaison)) = (by_others, &contestant.liaison) {
        let reason = match board.end() {
            Some(End::Forfeit { reason, .. }) => reason.word(),
            _ => "limit",
        };
        liaison.set_result(outcome, reason.to_owned());
    }
    // Nobody can fail at that any more.
    let _ = guarded(|| {
        contestant.bot.conclude(board.session(), seat);
        Ok(())
    });
}
