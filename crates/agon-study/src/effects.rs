//! Main effects: what a setting is worth over all circumstances together.
//!
//! A *block* is a pair of games of a contrast under every circumstance. Circumstances may differ in what a setting is worth there; its main
//! effect is the mean over all of them, each counting the same. Blocks are whole or do not count, so that no circumstance weighs more
//! than others because it was played further.

use std::cmp::Ordering;

use agon_arena::statistics::ConfidenceSequence;

use crate::count::{Count, GameResult, Moments, Pair};
use crate::plan::Study;

/// What the games of a contrast say about all circumstances together.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    pub(crate) sequence: ConfidenceSequence,
    /// The scores of pairs of games, in whole blocks.
    pub(crate) scores: Moments,
    /// As in [`Count`], but means over blocks.
    pub(crate) nodes: Moments,
    pub(crate) time: Moments,
    pub(crate) depth: Moments,
    /// How many pairs a block has.
    size: usize,
    /// Whether the pairs of a block begin with the same opening, and so depend on each other.
    is_bound: bool,
    /// The pairs of a block that is not whole.
    block: Vec<Pair>,
}

impl Effect {
    /// No games yet, of a contrast that may be wrong with probability `alpha`.
    pub(crate) fn new(alpha: f64, size: usize, is_bound: bool) -> Self {
        Self {
            sequence: ConfidenceSequence::new(alpha),
            scores: Moments::default(),
            nodes: Moments::default(),
            time: Moments::default(),
            depth: Moments::default(),
            size,
            is_bound: is_bound && size > 1,
            block: Vec::with_capacity(size),
        }
    }

    /// Counts a pair of games; pairs come block by block.
    pub(crate) fn push(&mut self, pair: Pair) {
        self.block.push(pair);
        if self.block.len() < self.size {
            return;
        }
        let scores: Vec<f64> = self.block.iter().map(|pair| pair.score).collect();
        scores.iter().for_each(|score| self.scores.push(*score));
        if self.is_bound {
            self.sequence.push(scores.iter().sum::<f64>() / scores.len() as f64);
        } else {
            self.sequence.push_block(&scores);
        }
        let mean = |part: fn(&Pair) -> Option<f64>| {
            let sum: Option<f64> = self.block.iter().map(part).sum();
            sum.map(|sum| sum / self.block.len() as f64)
        };
        let means = [mean(|pair| pair.nodes), mean(|pair| pair.time), mean(|pair| pair.depth)];
        for (moments, mean) in [&mut self.nodes, &mut self.time, &mut self.depth].into_iter().zip(means) {
            mean.into_iter().for_each(|mean| moments.push(mean));
        }
        self.block.clear();
    }

    /// Whether the setting is known to be stronger or weaker than its opponent over all circumstances.
    pub(crate) fn verdict(&self) -> Option<Ordering> {
        self.sequence.side_of(0.5)
    }

    /// Whether no block has been begun and not ended.
    fn is_whole(&self) -> bool {
        self.block.is_empty()
    }
}

/// All games of a study, counted.
pub(crate) struct Counts {
    /// By comparison.
    pub(crate) singles: Vec<Count>,
    /// By contrast.
    pub(crate) effects: Vec<Effect>,
    /// By contrast: whether it has been played to its end.
    pub(crate) ended: Vec<bool>,
    stops_early: bool,
    /// The games of a comparison.
    games: u64,
}

impl Counts {
    pub(crate) fn new(study: &Study) -> Self {
        let (contrasts, circumstances) = (study.contrasts().len(), study.circumstances.len());
        let shares = study.shares();
        Self {
            singles: vec![Count::new(shares.single); contrasts * circumstances],
            effects: vec![Effect::new(shares.main, circumstances, study.shares_openings()); contrasts],
            ended: vec![false; contrasts],
            stops_early: study.stops_early,
            games: study.games as u64,
        }
    }

    /// Whether a comparison has been played to its end.
    pub(crate) fn has_ended(&self, comparison: usize) -> bool {
        self.ended[self.contrast(comparison)]
    }

    /// The comparisons of a contrast, one under each circumstance.
    pub(crate) fn of_contrast(&self, contrast: usize) -> impl Iterator<Item = &Count> {
        self.singles.iter().skip(contrast).step_by(self.effects.len())
    }

    fn contrast(&self, comparison: usize) -> usize {
        comparison % self.effects.len()
    }

    /// Counts a game; games come in the order of the schedule. A contrast ends under all circumstances at once: when all games have been
    /// played, or when its main effect and what it is worth under every circumstance are clear.
    pub(crate) fn push(&mut self, game: &GameResult) {
        let contrast = self.contrast(game.comparison);
        let Some(pair) = self.singles[game.comparison].push(game) else { return };
        self.effects[contrast].push(pair);
        if !self.effects[contrast].is_whole() {
            return;
        }
        let is_clear = self.stops_early
            && self.effects[contrast].verdict().is_some()
            && self.of_contrast(contrast).all(|count| count.verdict().is_some());
        let is_played = self.of_contrast(contrast).all(|count| count.tally.games() == self.games);
        self.ended[contrast] = is_clear || is_played;
    }

    /// How many games have been counted, and how many there will be at most.
    pub(crate) fn extent(&self) -> (usize, usize) {
        let games = |count: &Count| count.tally.games();
        let played = self.singles.iter().map(games).sum::<u64>();
        let planned = self
            .singles
            .iter()
            .enumerate()
            .map(|(index, count)| if self.has_ended(index) { games(count) } else { self.games });
        (played as usize, planned.sum::<u64>() as usize)
    }
}

#[cfg(test)]
mod tests;
