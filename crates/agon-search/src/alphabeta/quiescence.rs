//! The leaves: where the depth is used up, noisy moves are followed until the position can be judged.

use agon_core::Game;
use agon_core::cpu::Level;

use super::ordering::{Candidate, bring_forward};
use super::search::{Here, MAX_PLY, Next, Search};
use super::settings::Quiescence;
use crate::knowledge::Knowledge;

impl<G: Game, K: Knowledge<G>, L: Level> Search<'_, G, K, L> {
    /// The score of a node where the depth is used up.
    #[inline(always)]
    pub(super) fn leaf(&mut self, here: &Here<G, K::State>, alpha: i32, beta: i32, ply: u32) -> i32 {
        self.lines[ply as usize].clear();
        self.counts.max_ply = self.counts.max_ply.max(ply);
        if let Some(outcome) = self.game.outcome(&here.position) {
            return self.judge(&here.position, &outcome, ply);
        }
        if let Some(score) = self.foreseen(here, 0, ply) {
            return score;
        }
        self.is_complete = false;
        let score = self.evaluate(here);
        match self.settings.quiescence {
            Some(quiescence) => self.quiesce(here, alpha, beta, score, quiescence, ply),
            None => score,
        }
    }

    /// The score of `here`, whose opinion without a move is `score`, when everybody follows noisy moves only, or stops.
    fn quiesce(
        &mut self,
        here: &Here<G, K::State>,
        alpha: i32,
        beta: i32,
        score: i32,
        quiescence: Quiescence,
        ply: u32,
    ) -> i32 {
        let level = self.level;
        level.run(
            #[inline(always)]
            || self.follow_noise(here, alpha, beta, score, quiescence, ply),
        )
    }

    #[inline(always)]
    fn follow_noise(
        &mut self,
        here: &Here<G, K::State>,
        alpha: i32,
        beta: i32,
        score: i32,
        quiescence: Quiescence,
        ply: u32,
    ) -> i32 {
        let (mut best, game) = (score, self.game);
        if best >= beta || quiescence.plies == 0 || ply as usize >= MAX_PLY - 1 {
            return best;
        }
        let fewer = Quiescence { plies: quiescence.plies - 1, ..quiescence };
        let start = self.candidates.len();
        self.find_noisy(&here.position, quiescence.kind);
        for index in 0..self.candidates.len() - start {
            bring_forward(&mut self.candidates[start..], index);
            let mv = self.candidates[start + index].mv;
            let Some(Next { here: next, repeated }) = self.play(here, mv, 0, ply) else { break };
            self.counts.quiescence_nodes += 1;
            self.counts.max_ply = self.counts.max_ply.max(ply + 1);
            let followed = if let Some(score) = repeated {
                Some(score)
            } else if let Some(outcome) = game.outcome(&next.position) {
                Some(-self.judge(&next.position, &outcome, ply + 1))
            } else {
                let after = -self.evaluate(&next);
                ((after - score).abs() >= quiescence.threshold)
                    .then(|| -self.quiesce(&next, -beta, -alpha.max(best), -after, fewer, ply + 1))
            };
            self.unplay();
            best = followed.map_or(best, |score| best.max(score));
            if best >= beta || self.watch.has_stopped() {
                break;
            }
        }
        self.candidates.truncate(start);
        best
    }

    /// Whether the leaf search of `position` looks at a move: only then does its score depend on the window.
    pub(super) fn follows_noise(&mut self, position: &G::Position) -> bool {
        let Some(quiescence) = self.settings.quiescence else { return false };
        let start = self.candidates.len();
        self.find_noisy(position, quiescence.kind);
        let follows = self.candidates.len() > start;
        self.candidates.truncate(start);
        follows
    }

    /// Adds the moves that a leaf search follows to the candidates, with what they promise.
    #[inline(always)]
    fn find_noisy(&mut self, position: &G::Position, kind: Option<usize>) {
        let (game, knowledge, candidates) = (self.game, self.knowledge, &mut self.candidates);
        #[inline(always)]
        fn add<M>(candidates: &mut Vec<Candidate<M>>) -> impl FnMut(M, i32) {
            #[inline(always)]
            |mv, promise| candidates.push(Candidate { mv, promise })
        }
        let mut add = add(candidates);
        match kind {
            Some(kind) => knowledge.for_each_noisy_move(game, position, kind, add),
            None => {
                let order = knowledge.ordering(game, position);
                game.for_each_move(
                    position,
                    #[inline(always)]
                    |mv| add(mv, order(mv)),
                );
            }
        }
    }
}
