//! Plain search: every move of every player to a fixed depth, nothing cut, nothing remembered.
//!
//! It is max^n (Luckhardt & Irani 1986) with expectation at chance nodes, so it plays any game: with
//! two players and opposite interests it is minimax, with one player and chance expectimax. It is the
//! yardstick against which cleverer searches are measured and checked.

use agon_core::{Game, Line, Payoffs, Turn};

use crate::bots::opinion;
use crate::{Budget, Evaluation, Feature, GameBot, Limits, Thought, Unit, parameters, worth, worth_at_leaf};

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

/// A bot that plays what [`deepen`] finds.
#[derive(Debug)]
pub struct Plain<E> {
    evaluation: E,
    limits: Limits,
}

impl<E> Plain<E> {
    /// A bot that judges by `evaluation` and searches within `limits`.
    pub fn new(evaluation: E, limits: Limits) -> Self {
        Self { evaluation, limits }
    }
}

impl<G: Game, E: Evaluation<G>> GameBot<G> for Plain<E> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        let Turn::Player(player) = line.turn() else { return None };
        self.evaluation.prepare(line);
        let mut watch = budget.watch(self.limits);
        let depth = watch.limits().depth.unwrap_or(parameters::MAX_DEPTH);
        let report = deepen(&**line.game(), line.position(), &self.evaluation, depth, |_| watch.tick());
        let first = line.legal().into_iter().find_map(|ply| match ply {
            agon_core::Ply::Move(mv) => Some(mv),
            agon_core::Ply::Chance(_) => None,
        });
        let best = report.best.or(first)?;
        let thought = Thought {
            score: report.best.map(|_| report.value.of(player)),
            depth: report.depth,
            nodes: report.nodes,
            elapsed: watch.elapsed(),
            ..Thought::instinct(best)
        };
        observe(&thought);
        Some(thought)
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.evaluation, line)
    }

    fn unit(&self) -> Option<Unit> {
        Some(self.evaluation.unit())
    }
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
            let state = self.evaluation.state(self.game, position);
            return Some((worth_at_leaf(self.game, position, &state, self.evaluation), None));
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
                    None => Some((self.judge(position), None)),
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
                                *sum += value * probability;
                            }
                        }
                    }
                });
                (!stopped).then_some((expected, None))
            }
        }
    }

    fn judge(&self, position: &G::Position) -> Payoffs {
        worth(self.game, position, &self.evaluation.state(self.game, position), self.evaluation)
    }

    fn step(&mut self, next: &G::Position, depth: u32, stopped: bool) -> Option<Payoffs> {
        if stopped {
            return None;
        }
        self.nodes += 1;
        self.search(next, depth - 1).map(|(value, _)| value)
    }
}
