//! What the searches for many players share below the root: moves in order, the way to the present node, and what its end
//! is worth.

use std::cmp::Reverse;

use agon_core::line::Repetition;
use agon_core::random::mix;
use agon_core::{Game, Line, Outcome, Payoffs, Player};

use super::Selection;
use crate::knowledge::{Knowledge, PROVEN, WIN, select};
use crate::limits::Watch;
use crate::parameters;
use crate::table::MoveCode;

/// No score is as large as this.
pub(super) const INFINITE: f64 = WIN as f64 + 1.0;

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) cuts: u64,
    pub(super) first_move_cuts: u64,
    pub(super) table_cuts: u64,
}

impl Counts {
    /// Counts a cut-off, which says more about the order of moves if it came at the first.
    #[inline(always)]
    pub(super) fn note_cut(&mut self, is_first_move: bool) {
        self.cuts += 1;
        self.first_move_cuts += u64::from(is_first_move);
    }
}

/// A move under search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<M> {
    pub(super) mv: M,
    promise: i32,
    /// Whose move it is, for searches in which several players may move: as many as stand aside before.
    pub(super) stage: u8,
    /// Its place among the moves as the rules list them.
    pub(super) place: u32,
}

/// A position that a move leads to.
pub(super) struct Next<G: Game, S> {
    pub(super) position: G::Position,
    pub(super) state: S,
    /// What that is worth, if the rules end the game there by repetition.
    pub(super) repeated: Option<Payoffs>,
}

pub(super) struct Walk<'a, G: Game, K> {
    pub(super) game: &'a G,
    pub(super) knowledge: &'a K,
    pub(super) watch: &'a mut Watch,
    /// The player at the root.
    pub(super) player: Player,
    pub(super) counts: Counts,
    /// Candidates of all nodes on the way, one after another.
    pub(super) candidates: Vec<Candidate<G::Move>>,
    selection: Selection,
    /// How a repetition is judged, where the rules know it.
    rule: Option<Outcome>,
    repetition: Repetition,
}

impl<'a, G: Game, K: Knowledge<G>> Walk<'a, G, K> {
    pub(super) fn new(
        line: &'a Line<G>,
        player: Player,
        knowledge: &'a K,
        selection: Selection,
        watch: &'a mut Watch,
    ) -> Self {
        let game = &**line.game();
        Self {
            game,
            knowledge,
            watch,
            player,
            counts: Counts::default(),
            candidates: Vec::new(),
            selection,
            rule: game.repetition(),
            repetition: line.repetition().clone(),
        }
    }

    /// The position after `mv`, played `ply` plies below the root; `None` once the search is to stop. To be followed by
    /// [`unplay`](Self::unplay).
    #[inline(always)]
    pub(super) fn play(
        &mut self,
        position: &G::Position,
        state: &K::State,
        mv: G::Move,
        ply: u32,
    ) -> Option<Next<G, K::State>> {
        if self.watch.tick() {
            return None;
        }
        let mut next = Next { position: *position, state: *state, repeated: None };
        self.game.play_unchecked(&mut next.position, mv);
        self.knowledge.advance(self.game, &mut next.state, position, mv, &next.position);
        next.repeated = self.pass(position, &next.position, ply + 1);
        Some(next)
    }

    /// Notes the step from one position to another; what that is worth, if it is a repetition that ends the game.
    #[inline(always)]
    pub(super) fn pass(&mut self, before: &G::Position, after: &G::Position, ply: u32) -> Option<Payoffs> {
        let outcome = self.rule?;
        self.repetition.push(self.game.key(after), self.game.is_irreversible(before, after));
        let repeats = self.repetition.has_repeated() && self.game.outcome(after).is_none();
        repeats.then(|| self.end(after, &outcome, ply))
    }

    #[inline(always)]
    pub(super) fn unplay(&mut self) {
        if self.rule.is_some() {
            self.repetition.pop();
        }
    }

    /// What the end of the game is worth this many plies below the root: the sooner a win and the later a loss, the better.
    #[inline(always)]
    fn end(&self, position: &G::Position, outcome: &Outcome, ply: u32) -> Payoffs {
        let mut payoffs = self.knowledge.at_end(self.game, position, outcome);
        for value in &mut payoffs.0 {
            if value.abs() > f64::from(PROVEN) {
                *value -= f64::from(ply).copysign(*value);
            }
        }
        payoffs
    }

    /// What a position is worth where the search ends.
    #[inline(always)]
    pub(super) fn judge(&self, position: &G::Position, state: &K::State, ply: u32) -> Payoffs {
        match self.game.outcome(position) {
            Some(outcome) => self.end(position, &outcome, ply),
            None => self.knowledge.payoffs(self.game, position, state),
        }
    }

    /// The moves at the root in the order in which they are searched first. Only a rule of the game leaves some out.
    pub(super) fn ranked(&mut self, position: &G::Position) -> Vec<Candidate<G::Move>> {
        self.list(position, 0);
        self.candidates.sort_by_key(|candidate| Reverse(candidate.promise));
        std::mem::take(&mut self.candidates)
    }

    /// Puts the moves of `position` on top of the candidates, but for those that the rule of the game leaves out.
    #[inline(always)]
    pub(super) fn list(&mut self, position: &G::Position, stage: u8) {
        let start = self.candidates.len();
        let (game, knowledge, candidates) = (self.game, self.knowledge, &mut self.candidates);
        game.for_each_move(
            position,
            #[inline(always)]
            |mv| {
                let promise = knowledge.order(game, position, mv);
                candidates.push(Candidate { mv, promise, stage, place: (candidates.len() - start) as u32 });
            },
        );
        if let Some(rule) = self.selection.candidates {
            select(knowledge, game, position, rule, &mut self.candidates, start, |candidate| {
                Some(candidate.mv)
            });
        }
    }

    /// The move in `position` that the table knows by this code.
    pub(super) fn find(&self, position: &G::Position, code: MoveCode) -> Option<G::Move> {
        let mut found = None;
        self.game.for_each_move(position, |mv| found = found.or((MoveCode::of(mv) == code).then_some(mv)));
        found
    }

    /// Sorts the candidates from `start` on, the most promising first, leaves only as many as are to be searched, and of
    /// those tries `hash_move` before all others.
    #[inline(always)]
    pub(super) fn sort(&mut self, start: usize, hash_move: Option<MoveCode>) {
        self.candidates[start..].sort_by_key(|candidate| Reverse(candidate.promise));
        if let Some(best) = self.selection.best {
            self.candidates.truncate(start + best);
        }
        if let Some(hash_move) = hash_move
            && let Some(place) =
                self.candidates[start..].iter().position(|candidate| MoveCode::of(candidate.mv) == hash_move)
        {
            self.candidates[start..=start + place].rotate_right(1);
        }
    }

    /// The key under which a position this many plies below the root is remembered, with all that its value depends on; `None`
    /// where it may depend on the way there.
    #[inline(always)]
    pub(super) fn key(&self, position: &G::Position, ply: u32) -> Option<u64> {
        if self.rule.is_some() {
            return None;
        }
        let mut key = mix(self.game.key(position), u64::from(ply) << 8 | u64::from(self.player.0));
        if let Some(left) = self.game.plies_left(position)
            && left <= parameters::MAX_DEPTH * agon_core::MAX_PLAYERS as u32
        {
            key = mix(key, u64::from(left));
        }
        match self.knowledge.context(self.game, position) {
            0 => Some(key),
            context => Some(mix(key, context)),
        }
    }
}
