//! New weights against old ones: games of two searches that differ in nothing else.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use agon_core::random::{mix, seeded};
use agon_core::{Game, Player};
use agon_othello::expertise::solver::{Effort, Solver};
use agon_othello::expertise::weights::Weights;
use agon_othello::{Move, Othello, Position};

use super::self_play::{empties, final_score, sign};

/// How weights are tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The weights that are tried.
    pub new: &'static Weights,
    /// The weights that they are to replace.
    pub old: &'static Weights,
    /// How deep both sides search.
    pub depth: u32,
    /// How many openings are played, each twice, with sides swapped.
    pub pairs: u64,
    /// Fixes the openings.
    pub seed: u64,
}

/// What came of it, for the new weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TrialScore {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl TrialScore {
    fn add(&mut self, lead: i32) {
        *match lead.signum() {
            1 => &mut self.wins,
            0 => &mut self.draws,
            _ => &mut self.losses,
        } += 1;
    }
}

/// How many random plies an opening has.
const OPENING: u32 = 10;
/// With how many empty squares a game is decided by perfect play.
const DECIDED: u32 = 12;
/// The size of a table, in megabytes.
const TABLE: usize = 2;

impl Trial {
    /// Plays the games in `jobs` threads; those that are not played because `stop` is set are missing.
    pub fn play(&self, jobs: usize, stop: &AtomicBool) -> TrialScore {
        let (next, total) = (AtomicU64::new(0), Mutex::new(TrialScore::default()));
        let work = || {
            while !stop.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.pairs {
                    break;
                }
                let leads = self.play_pair(number);
                if let Ok(mut total) = total.lock() {
                    leads.into_iter().for_each(|lead| total.add(lead));
                }
            }
        };
        thread::scope(|scope| (0..jobs.max(1)).for_each(|_| drop(scope.spawn(work))));
        total.into_inner().unwrap_or_default()
    }

    /// Plays an opening with both colours; by how many discs the new weights win each game.
    fn play_pair(&self, number: u64) -> [i32; 2] {
        let game = Othello::<u64>::new(8);
        let mut rng = seeded(mix(self.seed, number));
        let mut opening = game.start();
        for _ in 0..OPENING {
            let Some(mv) = game.random_move(&opening, &mut rng) else { break };
            game.play_unchecked(&mut opening, mv);
        }
        [Player(0), Player(1)].map(|side| {
            let lead = self.play_out(&game, opening, side);
            if side == Player(0) { lead } else { -lead }
        })
    }

    /// Plays a game, the new weights on this `side`, and gives black's lead.
    fn play_out(&self, game: &Othello<u64>, mut position: Position<u64>, side: Player) -> i32 {
        let mut new = Solver::with_weights(game, TABLE, Some(self.new));
        let mut old = Solver::with_weights(game, TABLE, Some(self.old));
        loop {
            if game.outcome(&position).is_some() {
                return sign(&position) * final_score(&position);
            }
            let solver = if position.to_move == side { &mut new } else { &mut old };
            if empties(&position) <= DECIDED {
                let solution = solver.solve(&position, Effort::Score, &mut |_| false);
                return sign(&position) * solution.expect("never stopped").score;
            }
            let outlook = solver.outlook(&position, self.depth, true, &mut |_| false).expect("never stopped");
            game.play_unchecked(&mut position, outlook.best.unwrap_or(Move::Pass));
        }
    }
}
