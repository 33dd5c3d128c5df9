//! A knock-out, seeded by the order of the file: the first players meet as late as possible, and pause first where the numbers do not
//! fit.

use super::Met;

/// How many extra pairs a tied match of a knock-out is played for. Then the player listed first in the file goes on.
pub(super) const EXTRA_PAIRS: usize = 3;

/// The bracket.
#[derive(Debug)]
pub(super) struct KnockOut {
    /// Who is left, in the order of the bracket; `None` where nobody is.
    left: Vec<Option<usize>>,
    /// The matches of this stage.
    matches: Vec<Duel>,
    /// Whether the first stage has been given out.
    is_begun: bool,
}

#[derive(Clone, Debug)]
struct Duel {
    players: (usize, usize),
    points: (f64, f64),
    extra: usize,
    is_open: bool,
}

impl KnockOut {
    pub(super) fn new(players: usize) -> Self {
        let mut order = vec![0];
        while order.len() < players {
            let size = order.len() * 2;
            order = order.into_iter().flat_map(|seed| [seed, size - 1 - seed]).collect();
        }
        let left = order.into_iter().map(|seed| (seed < players).then_some(seed)).collect();
        Self { left, matches: Vec::new(), is_begun: false }
    }

    pub(super) fn winner(&self) -> Option<usize> {
        if let [winner] = self.left[..] { winner } else { None }
    }

    /// The pairs to be played next, and how often.
    pub(super) fn next(&mut self, last: &[Met], repetitions: usize) -> (Vec<(usize, usize)>, usize) {
        for game in last {
            let [one, other] = [game.seats[0], game.seats[1]];
            for duel in self.matches.iter_mut().filter(|duel| duel.is_open) {
                if duel.players == (one, other) {
                    duel.points = (duel.points.0 + game.points[0], duel.points.1 + game.points[1]);
                } else if duel.players == (other, one) {
                    duel.points = (duel.points.0 + game.points[1], duel.points.1 + game.points[0]);
                }
            }
        }
        let mut again = Vec::new();
        for duel in self.matches.iter_mut().filter(|duel| duel.is_open) {
            let is_tied = duel.points.0.total_cmp(&duel.points.1).is_eq();
            if is_tied && duel.extra < EXTRA_PAIRS {
                duel.extra += 1;
                again.push(duel.players);
            } else {
                duel.is_open = false;
            }
        }
        if !again.is_empty() {
            return (again, 1);
        }
        if self.is_begun {
            self.advance();
        }
        self.is_begun = true;
        let pairs = self.left.chunks_exact(2).filter_map(|pair| pair[0].zip(pair[1]));
        self.matches =
            pairs.map(|players| Duel { players, points: (0.0, 0.0), extra: 0, is_open: true }).collect();
        (self.matches.iter().map(|duel| duel.players).collect(), repetitions)
    }

    /// Goes to the next stage.
    fn advance(&mut self) {
        let winner = |pair: &[Option<usize>]| match (pair[0], pair[1]) {
            (Some(a), Some(b)) => {
                let duel = self.matches.iter().find(|duel| duel.players == (a, b))?;
                let (first, second) = duel.points;
                let is_first = if first.total_cmp(&second).is_eq() { a < b } else { first > second };
                Some(if is_first { a } else { b })
            }
            (one, other) => one.or(other),
        };
        if self.left.len() > 1 {
            self.left = self.left.chunks_exact(2).map(winner).collect();
        }
    }
}
