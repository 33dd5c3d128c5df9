//! Selective search: what is probably irrelevant is not looked at. It may err, and is kept out of the main line.

use agon_core::cpu::Level;
use agon_core::{Game, maths};

use super::ordering::bring_forward;
use super::recorder::Seen;
use super::search::{Here, Next, STANDS_OUT, Search, Way};
use crate::explore::{Fate, Purpose};
use crate::knowledge::{Knowledge, PROVEN, select};

impl<G: Game, K: Knowledge<G>, L: Level> Search<'_, G, K, L> {
    /// Cuts that need no look at the moves: null move (Beal 1989, Donninger 1993) and ProbCut (Buro 1995).
    #[inline(always)]
    pub(super) fn cut_early(
        &mut self,
        here: &Here<G, K::State>,
        alpha: i32,
        beta: i32,
        depth: i32,
        way: Way,
    ) -> Option<i32> {
        if let Some(reduction) = self.settings.null
            && way.may_skip
            && depth > reduction
            && beta.abs() < PROVEN
            && self.evaluate(here) >= beta
        {
            let mut skipped = Here { position: here.position, state: here.state };
            // The path is not told: nothing repeats across a turn that was never skipped.
            if self.knowledge.skip_turn(self.game, &mut skipped.position) {
                skipped.state = self.knowledge.state(self.game, &skipped.position);
                let outside = self.repetition.take();
                let score = -self.search(&skipped, -beta, 1 - beta, depth - 1 - reduction, way.next(None));
                let seen = Seen {
                    mv: None,
                    purpose: Purpose::NullMove,
                    alpha: -beta,
                    beta: 1 - beta,
                    depth: depth - 1 - reduction,
                    score: -score,
                    is_repeated: false,
                };
                self.record(&skipped.position, way.ply, seen);
                self.repetition = outside;
                if score >= beta && !self.watch.has_stopped() {
                    self.counts.null_cuts += 1;
                    self.record_early(Fate::NullMove);
                    return Some(if score > PROVEN { beta } else { score });
                }
            }
        }
        if let Some(confidence) = self.settings.prob_cut
            && way.may_skip
            && alpha.abs() < PROVEN
            && beta.abs() < PROVEN
            && let Some(prediction) = self.knowledge.prediction(self.game, &here.position, depth as u32)
        {
            let margin = confidence * prediction.sigma;
            let shallow = |deep: f64| ((deep - prediction.offset) / prediction.slope).round() as i32;
            let high = shallow(f64::from(beta) + margin);
            let shallow_depth = prediction.depth as i32;
            if high < PROVEN && self.verify(here, high - 1, shallow_depth, way) >= high {
                self.counts.prob_cuts += 1;
                self.record_early(Fate::Predicted);
                return Some(beta);
            }
            let low = shallow(f64::from(alpha) - margin);
            if low > -PROVEN && self.verify(here, low, shallow_depth, way) <= low {
                self.counts.prob_cuts += 1;
                self.record_early(Fate::Predicted);
                return Some(alpha);
            }
        }
        None
    }

    /// The score of a shallow search of the present node itself, with a null window from `alpha` on.
    #[inline(always)]
    fn verify(&mut self, here: &Here<G, K::State>, alpha: i32, depth: i32, way: Way) -> i32 {
        let recorded = self.recorded(way.ply);
        let score = self.search(here, alpha, alpha + 1, depth, Way { may_skip: false, ..way });
        let (purpose, beta) = (Purpose::Prediction, alpha + 1);
        let seen = Seen { mv: None, purpose, alpha, beta, depth, score, is_repeated: false };
        self.record_look(&here.position, way.ply, recorded, seen);
        score
    }

    /// Multi-cut (Björnsson & Marsland 1999): if several of the first moves cut in a shallower search, one of them
    /// will in the deep one.
    #[inline(always)]
    pub(super) fn multi_cut(
        &mut self,
        start: usize,
        here: &Here<G, K::State>,
        beta: i32,
        depth: i32,
        way: Way,
    ) -> Option<i32> {
        /// How much shallower the moves are searched.
        const REDUCTION: i32 = 3;
        let needed = self.settings.multi_cut.filter(|_| depth > REDUCTION && way.may_skip)?;
        let count = self.settings.multi_cut_moves.min(self.candidates.len() - start);
        let mut cuts = 0;
        for index in 0..count {
            bring_forward(&mut self.candidates[start..], index);
            let mv = self.candidates[start + index].mv;
            let slot = self.knowledge.slot(self.game, mv);
            let Next { here: next, repeated } = self.play(here, mv, depth - REDUCTION, way.ply)?;
            let onward = Way { may_skip: false, ..way.next(Some(slot)) };
            let score = repeated
                .unwrap_or_else(|| -self.search(&next, -beta, 1 - beta, depth - 1 - REDUCTION, onward));
            let seen = Seen {
                mv: Some(mv),
                purpose: Purpose::MultiCut,
                alpha: -beta,
                beta: 1 - beta,
                depth: depth - 1 - REDUCTION,
                score: -score,
                is_repeated: repeated.is_some(),
            };
            self.record(&next.position, way.ply, seen);
            self.unplay();
            if self.watch.has_stopped() {
                return None;
            }
            cuts += u32::from(score >= beta);
            if cuts == needed {
                self.counts.multi_cuts += 1;
                self.record_early(Fate::MultiCut);
                return Some(beta);
            }
        }
        None
    }

    /// By how many plies a late move is searched less deep.
    #[inline(always)]
    pub(super) fn reduction(
        &mut self,
        depth: i32,
        index: usize,
        is_main_line: bool,
        threatened: bool,
        place: usize,
    ) -> i32 {
        let reduction = self.planned_reduction(depth, index, is_main_line, threatened, place);
        self.counts.reductions += u64::from(reduction > 0);
        reduction
    }

    /// The same without counting it.
    #[inline(always)]
    pub(super) fn planned_reduction(
        &self,
        depth: i32,
        index: usize,
        is_main_line: bool,
        threatened: bool,
        place: usize,
    ) -> i32 {
        let Some(full) = self.settings.lmr else { return 0 };
        if index < full || depth < 3 || threatened || self.candidates[place].promise >= STANDS_OUT {
            return 0;
        }
        let reduction = self.reductions.of(depth, index) - i32::from(is_main_line);
        reduction.clamp(0, depth - 2)
    }

    /// Leaves out the moves that the selection rule does not keep, and says whether there are any.
    #[inline(always)]
    pub(super) fn select(&mut self, start: usize, position: &G::Position) -> bool {
        let Some(rule) = self.settings.candidates else { return false };
        let (game, knowledge) = (self.game, self.knowledge);
        select(knowledge, game, position, rule, &mut self.candidates, start, |candidate| Some(candidate.mv))
    }

    /// The most that quiet moves are taken to reach in the last two plies, if that is not even `alpha` (futility pruning,
    /// Heinz 1998).
    #[inline(always)]
    pub(super) fn hope(&self, here: &Here<G, K::State>, alpha: i32, depth: i32) -> Option<i32> {
        let margin = self.settings.futility?;
        if depth > 2 || alpha.abs() >= PROVEN {
            return None;
        }
        let hope = self.evaluate(here).saturating_add(margin.saturating_mul(depth));
        (hope <= alpha).then_some(hope)
    }
}

/// How much less deep late moves are searched, worked out once: the product of two logarithms would be needed at every move.
#[derive(Debug)]
pub(super) struct Reductions([[u8; Self::MOST]; Self::MOST]);

impl Reductions {
    /// Depths and moves from here on are taken to be the last before it.
    const MOST: usize = 64;

    /// Reductions that grow at this rate.
    pub(super) fn new(rate: f64) -> Self {
        Self(std::array::from_fn(|depth| {
            std::array::from_fn(|index| {
                (rate * maths::ln((depth as f64).max(1.0)) * maths::ln(index as f64 + 1.0)) as u8
            })
        }))
    }

    #[inline(always)]
    fn of(&self, depth: i32, index: usize) -> i32 {
        let [depth, index] = [depth as usize, index].map(|value| value.min(Self::MOST - 1));
        i32::from(self.0[depth][index])
    }
}
