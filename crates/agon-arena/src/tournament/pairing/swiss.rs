//! A Swiss round: players with equal points meet, nobody twice if that can be avoided. With an odd number somebody pauses in each turn.

use std::collections::HashSet;

use super::{Met, all};

/// Who has met whom so far, and with what points.
#[derive(Debug)]
pub(super) struct Swiss {
    turns_left: usize,
    points: Vec<f64>,
    /// What a pause is worth.
    bye_points: f64,
    /// How often each player has paused.
    byes: Vec<usize>,
    met: HashSet<(usize, usize)>,
}

/// The games of a turn.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) pairs: Vec<(usize, usize)>,
    /// Who pauses.
    pub(super) bye: Option<usize>,
}

/// How long a pairing without rematches is looked for.
const MAX_STEPS: usize = 200_000;

impl Swiss {
    pub(super) fn new(players: usize, turns: usize, bye_points: f64) -> Self {
        let (points, byes) = (vec![0.0; players], vec![0; players]);
        Self { turns_left: turns, points, bye_points, byes, met: HashSet::new() }
    }

    pub(super) fn next(&mut self, last: &[Met]) -> Turn {
        for game in last {
            for (player, points) in game.seats.iter().zip(&game.points) {
                self.points[*player] += points;
            }
        }
        if self.turns_left == 0 {
            return Turn::default();
        }
        self.turns_left -= 1;
        let mut order = all(self.points.len());
        order.sort_by(|a, b| self.points[*b].total_cmp(&self.points[*a]).then(a.cmp(b)));
        let turn = self.turn(&order);
        if let Some(player) = turn.bye {
            self.points[player] += self.bye_points;
            self.byes[player] += 1;
        }
        self.met.extend(turn.pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        turn
    }

    /// Pairs players who are in the order of their points. Whoever has paused least, and of those the last, pauses; or somebody before, if
    /// that spares a rematch.
    fn turn(&self, order: &[usize]) -> Turn {
        let mut pausing: Vec<Option<usize>> = vec![None];
        if !order.len().is_multiple_of(2) {
            let fewest = self.byes.iter().min().copied().unwrap_or(0);
            let may_pause = |player: &&usize| self.byes[**player] == fewest;
            pausing = order.iter().rev().filter(may_pause).copied().map(Some).collect();
        }
        let playing = |bye: Option<usize>| -> Vec<usize> {
            order.iter().copied().filter(|player| Some(*player) != bye).collect()
        };
        let mut steps = 0;
        for bye in &pausing {
            if let Some(pairs) = self.pair(&playing(*bye), &mut steps) {
                return Turn { pairs, bye: *bye };
            }
        }
        let bye = pausing.first().copied().flatten();
        let pairs = playing(bye).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        Turn { pairs, bye }
    }

    /// Pairs those who are left, from the top; `None` if that cannot be done without a rematch, or takes too long to find.
    fn pair(&self, order: &[usize], steps: &mut usize) -> Option<Vec<(usize, usize)>> {
        let Some((&first, rest)) = order.split_first() else { return Some(Vec::new()) };
        // The upper half of a group of equals meets the lower half.
        let is_equal = |other: &&usize| self.points[**other].total_cmp(&self.points[first]).is_eq();
        let equals = rest.iter().take_while(is_equal).count();
        let middle = equals / 2;
        let candidates = (middle..rest.len()).chain((0..middle).rev());
        for index in candidates {
            *steps += 1;
            if *steps > MAX_STEPS {
                return None;
            }
            let other = rest[index];
            if self.met.contains(&(first.min(other), first.max(other))) {
                continue;
            }
            let mut left = rest.to_vec();
            left.remove(index);
            if let Some(mut pairs) = self.pair(&left, steps) {
                pairs.insert(0, (first, other));
                return Some(pairs);
            }
        }
        None
    }
}
