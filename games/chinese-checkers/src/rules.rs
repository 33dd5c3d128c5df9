//! The rules as [`Game`] asks for them.

use std::convert::Infallible;
use std::ops::ControlFlow;

use agon_core::random::mix;
use agon_core::{Game, Outcome, Player, Rng, Turn, Verdict};

use super::moves::Mobility;
use super::position::{Move, Position, code};
use super::{ChineseCheckers, Goal, Hole, Holes};

impl ChineseCheckers {
    /// All marbles of a seat.
    #[inline(always)]
    pub fn marbles(&self, position: &Position, player: Player) -> Holes {
        // Spelled out, because a loop over so few would be unrolled for many.
        match *self.colours(player) {
            [one] => position.marbles(one),
            [one, two] => position.marbles(one) | position.marbles(two),
            [one, two, three] => position.marbles(one) | position.marbles(two) | position.marbles(three),
            _ => Holes::EMPTY,
        }
    }

    /// Where the marble in `from` may go; nowhere if it does not belong to the seat to move or the
    /// game is over.
    pub fn ends(&self, position: &Position, from: Hole) -> Holes {
        if self.is_over(position) || !self.marbles(position, position.turn).contains(from) {
            return Holes::EMPTY;
        }
        self.mobility(position).ends(from)
    }

    /// The plies after which the game is a draw.
    #[inline(always)]
    pub fn limit(&self) -> u32 {
        self.rounds * self.seats.len() as u32
    }

    /// Gives the turn to the next seat without a move, as no rule allows but a search may want to.
    #[inline(always)]
    pub fn hand_on(&self, position: &mut Position) {
        position.ply += 1;
        let next = position.turn.0 + 1;
        position.turn = Player(if usize::from(next) == self.seats.len() { 0 } else { next });
    }

    #[inline(always)]
    fn is_over(&self, position: &Position) -> bool {
        position.winner.is_some() || position.ply >= self.limit()
    }

    #[inline(always)]
    fn mobility(&self, position: &Position) -> Mobility {
        Mobility::new(self.marbles(position, position.turn), position.occupied())
    }

    /// Fills in what a position carries along, once its marbles stand.
    pub(super) fn complete(&self, position: &mut Position) {
        position.marbles_key = position.occupied().iter().fold(0, |key, hole| {
            key ^ position.colour_at(hole).map_or(0, |colour| self.keys[code(colour)][hole.index()])
        });
        let seats = self.seats.len() as u8;
        position.winner = self.first_done(position, Player((position.turn.0 + seats - 1) % seats));
    }

    /// The first seat that has reached its goal, counted from `mover` on in playing order.
    fn first_done(&self, position: &Position, mover: Player) -> Option<Player> {
        let seats = self.seats.len() as u8;
        (0..seats)
            .map(|after| Player((mover.0 + after) % seats))
            .find(|&player| self.is_done(position, player))
    }

    /// Whether a seat has reached its goal.
    #[inline(always)]
    fn is_done(&self, position: &Position, player: Player) -> bool {
        // A loop, because `Iterator::all` is not always inlined, and this is asked after most moves.
        for &colour in self.colours(player) {
            let (marbles, target) = (position.marbles(colour), colour.target());
            let is_home = match self.goal {
                Goal::Strict => (marbles & !target).is_empty(),
                Goal::Fill => (target & !position.occupied()).is_empty() && !(marbles & target).is_empty(),
            };
            if !is_home {
                return false;
            }
        }
        true
    }

    /// How far a seat has come: marbles in their targets, and steps that the others have left, each
    /// to the nearest hole of its target.
    pub fn progress(&self, position: &Position, player: Player) -> (u64, usize) {
        let (mut arrived, mut steps) = (0, 0);
        for &colour in self.colours(player) {
            let marbles = position.marbles(colour);
            arrived += (marbles & colour.target()).count();
            steps += marbles.iter().map(|hole| colour.steps_left(hole)).sum::<usize>();
        }
        (arrived, steps)
    }
}

impl Game for ChineseCheckers {
    type Position = Position;
    type Move = Move;
    type Chance = Infallible;

    fn players(&self) -> usize {
        self.seats.len()
    }

    fn start(&self) -> Position {
        let mut position = Position::empty(Player(0), 0);
        for colour in self.seats.iter().flat_map(|seat| &seat.colours) {
            colour.home().for_each(|hole| position.put(hole, *colour));
        }
        self.complete(&mut position);
        position
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        Turn::Player(position.turn)
    }

    #[inline(always)]
    fn try_for_each_move<T>(
        &self,
        position: &Position,
        mut visit: impl FnMut(Move) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        if self.is_over(position) {
            return ControlFlow::Continue(());
        }
        let mut stuck = true;
        self.mobility(position).try_for_each(
            #[inline(always)]
            |mv| {
                stuck = false;
                visit(mv)
            },
        )?;
        if stuck { visit(Move::Pass) } else { ControlFlow::Continue(()) }
    }

    #[inline(always)]
    fn play_unchecked(&self, position: &mut Position, mv: Move) {
        debug_assert!(self.is_legal(position, mv), "{mv:?} is not legal");
        let mover = position.turn;
        if let Move::Marble { from, to } = mv {
            let code = position.relocate(from, to);
            let keys = &self.keys[code];
            position.marbles_key ^= keys[from.index()] ^ keys[to.index()];
            if self.targets.contains(to) {
                position.winner = match self.goal {
                    // Nobody else has moved.
                    Goal::Strict => self.is_done(position, mover).then_some(mover),
                    Goal::Fill => self.first_done(position, mover),
                };
            }
        }
        self.hand_on(position);
    }

    #[inline(always)]
    fn outcome(&self, position: &Position) -> Option<Outcome> {
        match position.winner {
            Some(winner) => Some(Outcome::won(winner, "home")),
            None => (position.ply >= self.limit()).then_some(Outcome::drawn("limit")),
        }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        mix(position.marbles_key, u64::from(position.turn.0))
    }

    #[inline(always)]
    fn count_moves(&self, position: &Position) -> u64 {
        // Who cannot move must pass.
        if self.is_over(position) { 0 } else { self.mobility(position).count().max(1) }
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        match mv {
            Move::Marble { from, to } => self.ends(position, from).contains(to),
            Move::Pass => !self.is_over(position) && self.mobility(position).count() == 0,
        }
    }

    #[inline(always)]
    fn random_move(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        if self.is_over(position) {
            return None;
        }
        Some(self.mobility(position).random(rng).unwrap_or(Move::Pass))
    }

    fn ply(&self, position: &Position) -> Option<u32> {
        Some(position.ply)
    }

    fn plies_left(&self, position: &Position) -> Option<u32> {
        Some(self.limit().saturating_sub(position.ply))
    }

    /// The winner first, the others by [`progress`](Self::progress): more marbles in their targets,
    /// then fewer steps left. After a draw all share the first place.
    fn ranking(&self, position: &Position, outcome: &Outcome) -> Vec<Vec<Player>> {
        let all = (0..self.seats.len() as u8).map(Player);
        let Verdict::Won(winner) = outcome.verdict else {
            return vec![all.collect()];
        };
        let standing = |&player: &Player| {
            let (arrived, steps) = self.progress(position, player);
            (std::cmp::Reverse(arrived), steps)
        };
        let mut others: Vec<Player> = all.filter(|&player| player != winner).collect();
        others.sort_by_key(standing);
        let mut places = vec![vec![winner]];
        places.extend(others.chunk_by(|a, b| standing(a) == standing(b)).map(<[Player]>::to_vec));
        places
    }
}
