//! Openings: where games begin before anybody thinks. Random ones are a few legal moves after which the game is still open; others
//! come from a file.

use agon_core::random::{below, mix, seeded};
use agon_core::{Turn, Verdict};
use agon_erased::{Rules, Session};
use serde::{Deserialize, Serialize};

use crate::experiment::JobOpening;

/// Where a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// The position; the usual start if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// At the usual start.
    Start,
    /// After so many random plies.
    Random {
        /// How many.
        plies: usize,
    },
    /// At one of these, in turn.
    Listed(Vec<Opening>),
}

impl Openings {
    /// Where the pair of games with this number begins; `None` where random moves decide.
    pub fn of_pair(&self, pair: usize) -> Option<Opening> {
        match self {
            Self::Start => Some(Opening::default()),
            Self::Random { .. } => None,
            Self::Listed(list) => Some(list[pair % list.len()].clone()),
        }
    }

    /// The same for a job.
    pub fn job_opening(&self, pair: usize) -> JobOpening {
        self.of_pair(pair).map_or(JobOpening::Random(self.plies()), JobOpening::At)
    }

    /// How many random plies there are.
    pub fn plies(&self) -> usize {
        if let Self::Random { plies } = self { *plies } else { 0 }
    }
}

/// How often an opening of full length is tried, and then how many shorter ones.
const TRIES: usize = 50;

/// A random opening of `plies` plies that depends on `seed` alone, draws of chance included. The game is not over after
/// it, and nobody can win on the spot; where no such opening is found, it is shorter.
pub fn opening(rules: &dyn Rules, plies: usize, seed: u64) -> Vec<String> {
    let shorter = (1..=TRIES).map(|step| plies * (TRIES - step) / TRIES);
    let lengths = std::iter::repeat_n(plies, TRIES).chain(shorter).take_while(|&length| length > 0);
    (0..)
        .zip(lengths)
        .find_map(|(attempt, length)| attempt_opening(rules, length, mix(seed, attempt)))
        .map_or_else(Vec::new, |session| session.history())
}

fn attempt_opening(rules: &dyn Rules, plies: usize, seed: u64) -> Option<Box<dyn Session>> {
    let mut rng = seeded(seed);
    let mut session = rules.start();
    for _ in 0..plies {
        let legal = session.legal();
        let chosen = below(&mut rng, legal.len() as u64) as usize;
        session.play(legal.get(chosen)?).ok()?;
    }
    (session.outcome().is_none() && !can_win_at_once(&mut *session)).then_some(session)
}

/// Whether the player to move has a move that wins; `session` is as it was afterwards.
fn can_win_at_once(session: &mut dyn Session) -> bool {
    let Turn::Player(player) = session.turn() else { return false };
    session.legal().iter().any(|token| {
        let is_win = session.play(token).is_ok()
            && session.outcome().is_some_and(|outcome| outcome.verdict == Verdict::Won(player));
        session.undo();
        is_win
    })
}
