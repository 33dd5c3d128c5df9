//! Plain search: every move of every player to a fixed depth, nothing cut, nothing remembered.
//!
//! It is max^n (Luckhardt & Irani 1986) with expectation at chance nodes, so it plays any game: with
//! two players and opposite interests it is minimax, with one player and chance expectimax. It is the
//! yardstick against which cleverer searches are measured and checked.

use agon_core::{Game, Payoffs, Turn};

use crate::{Evaluation, worth};

/// What a search found, as of the deepest depth that it finished.
#[derive(Clone, Copy, Debug)]
pub struct Report<M> {
    /// The best move; `None` if no depth was finished or there is no move.
    pub best: Option<M>,
    /// What it is worth to each player.
    pub value: Payoffs,
    /// The deepest finished depth.
    pub depth: u32,
    /// Moves and draws made in all, an unfinished depth included.
    pub nodes: u64,
}

/// Searches depth 1, 2, … up to `max_depth`, until `stop` says so; `stop` gets the node count and is asked
/// at every node.
pub fn deepen<G: Game, E: Evaluation<G>>(
    game: &G,
    position: &G::Position,
    evaluation: &E,
    max_depth: u32,
    stop: impl FnMut(u64) -> bool,
) -> Report<G::Move> {
    let mut search = Search { game, evaluation, stop, nodes: 0 };
    let mut report = Report { best: None, value: Payoffs::default(), depth: 0, nodes: 0 };
    for depth in 1..=max_depth {
        let Some((value, best)) = search.search(position, depth) else { break };
        report = Report { best, value, depth, nodes: 0 };
    }
    report.nodes = search.nodes;
    report
}

struct Search<'a, G, E, S> {
    game: &'a G,
    evaluation: &'a E,
    stop: S,
    nodes: u64,
}

impl<G: Game, E: Evaluation<G>, S: FnMut(u64) -> bool> Search<'_, G, E, S> {
    /// The value of `position` and the best move there; `None` once the search is to stop.
    fn search(&mut self, position: &G::Position, depth: u32) -> Option<(Payoffs, Option<G::Move>)> {
        if (self.stop)(self.nodes) {
            return None;
        }
        if depth == 0 {
            return Some((worth(self.game, position, self.evaluation), None));
        }
        match self.game.turn(position) {
            Turn::Player(player) => {
                let mut best: Option<(Payoffs, G::Move)> = None;
                let mut stopped = false;
                self.game.for_each_move(position, |mv| {
                    let mut next = *position;
                    self.game.play_unchecked(&mut next, mv);
                    match self.step(&next, depth, stopped) {
                        None => stopped = true,
                        Some(value) => {
                            if best.is_none_or(|(known, _)| value.of(player) > known.of(player)) {
                                best = Some((value, mv));
                            }
                        }
                    }
                });
                match best {
                    _ if stopped => None,
                    Some((value, mv)) => Some((value, Some(mv))),
                    None => Some((worth(self.game, position, self.evaluation), None)),
                }
            }
            Turn::Chance => {
                let mut expected = Payoffs::default();
                let mut stopped = false;
                self.game.for_each_chance(position, |chance, probability| {
                    let mut next = *position;
                    self.game.play_chance(&mut next, chance);
                    match self.step(&next, depth, stopped) {
                        None => stopped = true,
                        Some(value) => {
                            for (sum, value) in expected.0.iter_mut().zip(value.0) {
                                *sum += value * probability as f32;
                            }
                        }
                    }
                });
                (!stopped).then_some((expected, None))
            }
        }
    }

    fn step(&mut self, next: &G::Position, depth: u32, stopped: bool) -> Option<Payoffs> {
        if stopped {
            return None;
        }
        self.nodes += 1;
        self.search(next, depth - 1).map(|(value, _)| value)
    }
}
