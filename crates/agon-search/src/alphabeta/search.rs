//! The search below the root: negamax with alpha-beta bounds, fail-soft, and everything that can be switched on.
//!
//! Knuth & Moore 1975 for alpha-beta, Marsland & Campbell 1982 for PVS; the selective parts name their sources where they
//! are. The position goes forward by copying. Scores are for the side to move; a win `n` plies below the root is
//! `WIN - n`, so that the fastest win and the slowest loss are preferred, unless the evaluation counts ends in its own unit.

use agon_core::cpu::Level;
use agon_core::random::mix;
use agon_core::{Game, Outcome, Turn};

use super::ordering::{Candidate, Experience, OrderingContext, bring_forward, first_sight};
use super::path::Path;
use super::recorder::{Recorder, Seen, Tried};
use super::selection::Reductions;
use super::settings::{Ordering, Settings};
use crate::explore::Purpose;
use crate::knowledge::{Knowledge, PROVEN, WIN};
use crate::limits::Watch;
use crate::table::{COMPLETE, Entry, MoveCode, Table};
use crate::thought::Bound;

/// No score is as large as this.
pub(super) const INFINITE: i32 = WIN + 1;
/// The deepest ply of a line, extensions and quiescence included.
pub(super) const MAX_PLY: usize = 120;
/// Killers and moves with a high static score reach this ordering score: selective search leaves them alone.
pub(super) const STANDS_OUT: i32 = 1000;
/// From this many plies before a limit of the rules on, positions with different plies left are different positions:
/// more than any search can see.
const LIMIT_IN_SIGHT: u32 = MAX_PLY as u32;

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) cuts: u64,
    pub(super) first_move_cuts: u64,
    pub(super) table_cuts: u64,
    pub(super) null_cuts: u64,
    pub(super) multi_cuts: u64,
    pub(super) prob_cuts: u64,
    pub(super) reductions: u64,
    pub(super) futile_moves: u64,
    pub(super) researches: u64,
    pub(super) extensions: u64,
    pub(super) foreseen: u64,
    pub(super) quiescence_nodes: u64,
    /// Entries of the table where there was none.
    pub(super) filled: u64,
    pub(super) max_ply: u32,
}

impl Counts {
    /// Adds what another thread has counted.
    pub(super) fn add(&mut self, other: &Self) {
        self.cuts += other.cuts;
        self.first_move_cuts += other.first_move_cuts;
        self.table_cuts += other.table_cuts;
        self.null_cuts += other.null_cuts;
        self.multi_cuts += other.multi_cuts;
        self.prob_cuts += other.prob_cuts;
        self.reductions += other.reductions;
        self.futile_moves += other.futile_moves;
        self.researches += other.researches;
        self.extensions += other.extensions;
        self.foreseen += other.foreseen;
        self.quiescence_nodes += other.quiescence_nodes;
        self.filled += other.filled;
        self.max_ply = self.max_ply.max(other.max_ply);
    }
}

/// A position under search and what the evaluation carries along.
pub(super) struct Here<G: Game, S> {
    pub(super) position: G::Position,
    pub(super) state: S,
}

/// A position that a move leads to.
pub(super) struct Next<G: Game, S> {
    pub(super) here: Here<G, S>,
    /// What the move is worth to who made it, if the rules end the game there by repetition.
    pub(super) repeated: Option<i32>,
}

/// How a node was come to.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// Plies below the root.
    pub(super) ply: u32,
    /// The slot of the move that led here.
    pub(super) answers: Option<usize>,
    /// Whether the turn may be skipped here: not twice running, not within a search that verifies a cut.
    pub(super) may_skip: bool,
    /// How many times this line may still be extended.
    pub(super) extensions: u32,
}

impl Way {
    pub(super) fn next(self, slot: Option<usize>) -> Self {
        Self { ply: self.ply + 1, answers: slot, may_skip: slot.is_some(), ..self }
    }

    /// What the order of the moves in `position` depends on.
    #[inline(always)]
    fn ordering_context<G: Game>(self, game: &G, position: &G::Position) -> OrderingContext {
        let seat = match game.turn(position) {
            Turn::Player(player) => player.index(),
            Turn::Chance => 0,
        };
        OrderingContext { seat, ply: self.ply as usize, answers: self.answers }
    }
}

/// One search; what outlives it is borrowed.
pub(super) struct Search<'a, G: Game, K, L> {
    pub(super) game: &'a G,
    pub(super) knowledge: &'a K,
    pub(super) settings: Settings,
    pub(super) reductions: &'a Reductions,
    pub(super) level: L,
    /// Threads that search together share it.
    pub(super) table: &'a Table,
    pub(super) experience: &'a mut Experience,
    pub(super) watch: &'a mut Watch,
    pub(super) path: Path,
    /// Candidates of all nodes of the present line, one after another.
    pub(super) candidates: Vec<Candidate<G::Move>>,
    /// For each ply the best line from there on.
    pub(super) lines: Vec<Vec<G::Move>>,
    pub(super) counts: Counts,
    /// What a repetition is worth, where the rules know it.
    pub(super) repetition: Option<Outcome>,
    /// The least ply to which a repetition below the present node reached back: what is found depends on the way
    /// there, unless that is at or below the node.
    pub(super) reached_back: u32,
    /// Whether nothing at or below the present node was judged or left out so far: what is found then rests on ends of the game
    /// alone and holds at any depth.
    pub(super) is_complete: bool,
    /// What the tree is written down in, if somebody wants to see it.
    pub(super) recorder: Option<&'a mut Recorder<G::Move>>,
}

/// No repetition below.
const NOWHERE: u32 = u32::MAX;

impl<G: Game, K: Knowledge<G>, L: Level> Search<'_, G, K, L> {
    /// The score of `here`, if it lies between `alpha` and `beta`; otherwise a bound of it. Anything once the search
    /// has been stopped.
    #[inline(always)]
    pub(super) fn search(
        &mut self,
        here: &Here<G, K::State>,
        alpha: i32,
        beta: i32,
        depth: i32,
        way: Way,
    ) -> i32 {
        // Leaves are most of the nodes: they are spared what the inner nodes need to begin with.
        if depth <= 0 || way.ply as usize >= MAX_PLY - 1 {
            self.search_leaf(here, alpha, beta, way.ply)
        } else {
            self.search_moves(here, alpha, beta, depth, way)
        }
    }

    // Both are functions of their own, or else they would be compiled into every place that searches.

    #[inline(never)]
    fn search_leaf(&mut self, here: &Here<G, K::State>, alpha: i32, beta: i32, ply: u32) -> i32 {
        let level = self.level;
        level.run(
            #[inline(always)]
            || self.leaf(here, alpha, beta, ply),
        )
    }

    #[inline(never)]
    fn search_moves(&mut self, here: &Here<G, K::State>, alpha: i32, beta: i32, depth: i32, way: Way) -> i32 {
        let level = self.level;
        level.run(
            #[inline(always)]
            || self.visit(here, alpha, beta, depth, way),
        )
    }

    #[inline(always)]
    fn visit(&mut self, here: &Here<G, K::State>, alpha: i32, beta: i32, depth: i32, way: Way) -> i32 {
        let (game, knowledge, settings) = (self.game, self.knowledge, self.settings);
        self.lines[way.ply as usize].clear();
        self.counts.max_ply = self.counts.max_ply.max(way.ply);
        if let Some(score) = self.foreseen(here, depth, way.ply) {
            return score;
        }
        if knowledge.is_leaf(game, &here.position) {
            return self.leaf(here, alpha, beta, way.ply);
        }
        let is_complete_outside = self.is_complete;
        let (mut depth, mut way) = (depth, way);
        let threatened = way.extensions > 0 && knowledge.is_threatened(game, &here.position);
        if threatened {
            self.counts.extensions += 1;
            depth += 1;
            way.extensions -= 1;
        }
        let key = if self.table.is_on() { self.key(&here.position) } else { 0 };
        let known = self.table.probe(key);
        if let Some(score) =
            known.as_ref().and_then(|entry| self.cut_by_table(entry, alpha, beta, depth, way.ply))
        {
            self.counts.table_cuts += 1;
            self.is_complete &= known.is_some_and(|entry| entry.depth() == Some(COMPLETE));
            return score;
        }
        // Selection may err; it must not in the lines that are shown and played.
        let is_main_line = beta - alpha > 1;
        if !is_main_line
            && !threatened
            && let Some(score) = self.cut_early(here, alpha, beta, depth, way)
        {
            self.is_complete = false;
            return score;
        }
        let start = self.candidates.len();
        let candidates = &mut self.candidates;
        game.for_each_move(
            &here.position,
            #[inline(always)]
            |mv| candidates.push(Candidate { mv, promise: 0 }),
        );
        if self.candidates.len() == start {
            self.is_complete = is_complete_outside;
            return game
                .outcome(&here.position)
                .map_or(0, |outcome| self.judge(&here.position, &outcome, way.ply));
        }
        let hash_move = known
            .and_then(|entry| entry.best())
            .filter(|_| settings.hash)
            .and_then(|code| self.move_of(code, start));
        let leaves_out = self.select(start, &here.position);
        let hope = if is_main_line || threatened { None } else { self.hope(here, alpha, depth) };
        self.promise(start, here, depth, way, hash_move, hope.is_some());
        if !is_main_line
            && !threatened
            && let Some(score) = self.multi_cut(start, here, beta, depth, way)
        {
            self.candidates.truncate(start);
            self.is_complete = false;
            return score;
        }
        self.is_complete = !leaves_out;
        let outside = std::mem::replace(&mut self.reached_back, NOWHERE);
        let score = self.try_moves(start, here, alpha, beta, depth, way, threatened, key, hope);
        let reached_back = std::mem::replace(&mut self.reached_back, outside);
        if reached_back < way.ply {
            self.reached_back = self.reached_back.min(reached_back);
        }
        self.is_complete &= is_complete_outside;
        self.candidates.truncate(start);
        score
    }

    /// Tries the candidates from `start` on, and stores what was found.
    #[inline(always)]
    #[expect(
        clippy::too_many_arguments,
        reason = "the inner loop of `visit`, kept apart to be read on its own"
    )]
    fn try_moves(
        &mut self,
        start: usize,
        here: &Here<G, K::State>,
        alpha: i32,
        beta: i32,
        depth: i32,
        way: Way,
        threatened: bool,
        key: u64,
        hope: Option<i32>,
    ) -> i32 {
        let (settings, is_main_line) = (self.settings, beta - alpha > 1);
        let all = self.candidates.len() - start;
        let count = settings.best.map_or(all, |most| most.min(all));
        self.is_complete &= count == all;
        let (mut best, mut best_move, mut raised) = (-INFINITE, None, alpha);
        for index in 0..count {
            bring_forward(&mut self.candidates[start..], index);
            let Candidate { mv, promise } = self.candidates[start + index];
            if index > 0
                && promise < STANDS_OUT
                && let Some(hope) = hope
                && best > -PROVEN
            {
                self.counts.futile_moves += (count - index) as u64;
                self.is_complete = false;
                best = best.max(hope);
                break;
            }
            let slot = self.knowledge.slot(self.game, mv);
            let Some(Next { here: next, repeated }) = self.play(here, mv, depth, way.ply) else { return 0 };
            let onward = way.next(Some(slot));
            let score = if let Some(score) = repeated {
                score
            } else if index == 0 || !settings.pvs {
                -self.search(&next, -beta, -raised, depth - 1, onward)
            } else {
                let reduction = self.reduction(depth, index, is_main_line, threatened, start + index);
                let mut score = -self.search(&next, -raised - 1, -raised, depth - 1 - reduction, onward);
                if score > raised && reduction > 0 {
                    self.counts.researches += 1;
                    if self.watch.turns_aside() {
                        let reduced = depth - 1 - reduction;
                        self.record_scout(&next, mv, Purpose::Reduced, raised, reduced, score, way.ply);
                    }
                    score = -self.search(&next, -raised - 1, -raised, depth - 1, onward);
                }
                if score > raised && score < beta {
                    if self.watch.turns_aside() {
                        self.record_scout(&next, mv, Purpose::Scout, raised, depth - 1, score, way.ply);
                    }
                    score = -self.search(&next, -beta, -raised, depth - 1, onward);
                }
                score
            };
            self.unplay();
            if self.watch.turns_aside() {
                if self.watch.has_stopped() {
                    return 0;
                }
                let place = start + index;
                let tried = Tried { place, index, raised, beta, depth, is_main_line, threatened, score };
                self.record_move(here, mv, &tried, way.ply);
            }
            if score > best {
                (best, best_move) = (score, Some(mv));
                if score > raised {
                    raised = score;
                    self.lengthen(way.ply, mv);
                }
            }
            if raised >= beta {
                self.counts.cuts += 1;
                self.counts.first_move_cuts += u64::from(index == 0);
                self.note_cut(start, index, slot, depth, way, &here.position);
                break;
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::Lower,
            _ if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        // What hangs on the way here is no knowledge about the position; the move still is.
        let is_own = self.reached_back >= way.ply || settings.exact;
        let is_complete = self.is_complete && !settings.exact;
        let stored_depth = is_own.then_some(if is_complete { COMPLETE } else { depth as u8 });
        let code = best_move.map(MoveCode::of);
        let is_new = self.table.store(key, to_table(best, way.ply), stored_depth, bound, code);
        self.counts.filled += u64::from(is_new);
        best
    }

    /// Records a search with a null window that is followed by another one.
    #[cold]
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "nothing is put together unless somebody watches")]
    fn record_scout(
        &mut self,
        next: &Here<G, K::State>,
        mv: G::Move,
        purpose: Purpose,
        raised: i32,
        depth: i32,
        score: i32,
        ply: u32,
    ) {
        let (alpha, beta, score) = (-raised - 1, -raised, -score);
        let seen = Seen { mv: Some(mv), purpose, alpha, beta, depth, score, is_repeated: false };
        self.record(&next.position, ply, seen);
    }

    fn note_cut(
        &mut self,
        start: usize,
        index: usize,
        slot: usize,
        depth: i32,
        way: Way,
        position: &G::Position,
    ) {
        let (game, knowledge) = (self.game, self.knowledge);
        let tried = self.candidates[start..start + index].iter().map(|tried| knowledge.slot(game, tried.mv));
        self.experience.cut(&self.settings, slot, tried, way.ordering_context(game, position), depth);
    }

    /// The position after `mv`, to be searched to one ply less than `depth`; `None` once the search is to stop. To be followed by
    /// [`Search::unplay`].
    #[inline(always)]
    pub(super) fn play(
        &mut self,
        here: &Here<G, K::State>,
        mv: G::Move,
        depth: i32,
        ply: u32,
    ) -> Option<Next<G, K::State>> {
        if self.watch.tick() {
            return None;
        }
        let mut next = Here { position: here.position, state: here.state };
        self.game.play_unchecked(&mut next.position, mv);
        if depth > 1 && self.table.is_on() {
            self.table.prefetch(self.key(&next.position));
        }
        self.knowledge.advance(self.game, &mut next.state, &here.position, mv, &next.position);
        let Some(outcome) = self.repetition else {
            return Some(Next { here: next, repeated: None });
        };
        let irreversible = self.game.is_irreversible(&here.position, &next.position);
        self.path.push(self.game.key(&next.position), irreversible, ply + 1);
        let repeated = self.path.repeats().filter(|_| self.game.outcome(&next.position).is_none());
        let score = repeated.map(|earlier| {
            self.reached_back = self.reached_back.min(earlier);
            self.lines[ply as usize + 1].clear();
            -self.judge(&next.position, &outcome, ply + 1)
        });
        Some(Next { here: next, repeated: score })
    }

    #[inline(always)]
    pub(super) fn unplay(&mut self) {
        if self.repetition.is_some() {
            self.path.pop();
        }
    }

    /// The key under which a position is remembered: with all that its score depends on.
    #[inline(always)]
    pub(super) fn key(&self, position: &G::Position) -> u64 {
        let mut key = self.game.key(position);
        if let Some(left) = self.game.plies_left(position)
            && left <= LIMIT_IN_SIGHT
        {
            key = mix(key, u64::from(left));
        }
        let context = self.knowledge.context(self.game, position);
        if context != 0 {
            key = mix(key, context);
        }
        if self.settings.exact && self.repetition.is_some() {
            key = mix(key, self.path.signature());
        }
        key
    }

    #[inline(always)]
    fn cut_by_table(&self, entry: &Entry, alpha: i32, beta: i32, depth: i32, ply: u32) -> Option<i32> {
        let stored = i32::from(entry.depth()?);
        if if self.settings.exact { stored != depth } else { stored < depth } {
            return None;
        }
        let score = from_table(entry.score, ply);
        let cuts = match entry.bound() {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        cuts.then_some(score)
    }

    #[inline(always)]
    pub(super) fn foreseen(&mut self, here: &Here<G, K::State>, depth: i32, ply: u32) -> Option<i32> {
        let horizon = self.settings.foresight? + depth.max(0) as u32;
        let score = self.knowledge.foresee(self.game, &here.position, horizon)?;
        self.counts.foreseen += 1;
        Some(from_table(score, ply))
    }

    /// The candidate from `start` on that the table knows by this code.
    #[inline(always)]
    fn move_of(&self, code: MoveCode, start: usize) -> Option<G::Move> {
        let mut moves = self.candidates[start..].iter().map(|candidate| candidate.mv);
        moves.find(|&mv| MoveCode::of(mv) == code)
    }

    /// Says of each candidate from `start` on how promising it looks; near the leaves by experience alone, unless moves are left
    /// out for how they look.
    #[inline(always)]
    pub(super) fn promise(
        &mut self,
        start: usize,
        here: &Here<G, K::State>,
        depth: i32,
        way: Way,
        hash_move: Option<G::Move>,
        must_tell_apart: bool,
    ) {
        let (game, knowledge, settings) = (self.game, self.knowledge, self.settings);
        if let Some(shallow) = settings.shallow.filter(|shallow| depth >= shallow + 2) {
            return self.promise_by_search(start, here, way, hash_move, shallow);
        }
        let by_sight = depth >= settings.sight || must_tell_apart;
        let order = (settings.ordering == Ordering::Static && by_sight).then(
            #[inline(always)]
            || knowledge.ordering(game, &here.position),
        );
        let lessons = self.experience.lessons(way.ordering_context(game, &here.position));
        for candidate in &mut self.candidates[start..] {
            let mv = candidate.mv;
            candidate.promise = if hash_move == Some(mv) {
                i32::MAX
            } else {
                let at_sight = match &order {
                    Some(order) => order(mv),
                    None if settings.ordering == Ordering::Static => 0,
                    None => first_sight(&settings, knowledge, game, &here.position, mv),
                };
                at_sight + lessons.bonus(knowledge.slot(game, mv))
            };
        }
    }

    /// The same by a search `shallow` plies deep for each.
    fn promise_by_search(
        &mut self,
        start: usize,
        here: &Here<G, K::State>,
        way: Way,
        hash_move: Option<G::Move>,
        shallow: i32,
    ) {
        for index in start..self.candidates.len() {
            let mv = self.candidates[index].mv;
            let promise = if hash_move == Some(mv) {
                i32::MAX
            } else {
                let Some(Next { here: next, repeated }) = self.play(here, mv, shallow, way.ply) else {
                    return;
                };
                let onward = way.next(None);
                let score =
                    repeated.unwrap_or_else(|| -self.search(&next, -INFINITE, INFINITE, shallow - 1, onward));
                let seen = Seen {
                    mv: Some(mv),
                    purpose: Purpose::Ordering,
                    alpha: -INFINITE,
                    beta: INFINITE,
                    depth: shallow - 1,
                    score: -score,
                    is_repeated: repeated.is_some(),
                };
                self.record(&next.position, way.ply, seen);
                self.unplay();
                score
            };
            self.candidates[index].promise = promise;
        }
    }

    #[inline(always)]
    pub(super) fn evaluate(&self, here: &Here<G, K::State>) -> i32 {
        let score = self.knowledge.score(self.game, &here.position, &here.state);
        debug_assert!(score.abs() < PROVEN, "an opinion of {score} looks like a result");
        score
    }

    /// The score of a finished game for the side whose turn it would be.
    #[inline(always)]
    pub(super) fn judge(&self, position: &G::Position, outcome: &Outcome, ply: u32) -> i32 {
        let Turn::Player(player) = self.game.turn(position) else { return 0 };
        from_table(self.knowledge.at_end(self.game, position, outcome).of(player) as i32, ply)
    }

    /// The best line from `ply` on is now `mv` and the best line after it.
    fn lengthen(&mut self, ply: u32, mv: G::Move) {
        let (before, after) = self.lines.split_at_mut(ply as usize + 1);
        let line = &mut before[ply as usize];
        line.clear();
        line.push(mv);
        if let Some(rest) = after.first() {
            line.extend_from_slice(rest);
        }
    }
}

/// A score as the table keeps it: wins and losses counted from the node on rather than from the root.
#[inline(always)]
fn to_table(score: i32, ply: u32) -> i32 {
    match score {
        _ if score > PROVEN => score + ply as i32,
        _ if score < -PROVEN => score - ply as i32,
        _ => score,
    }
}

/// A score counted from a node on, such as one of the table, as seen from the root: the opposite of [`to_table`].
#[inline(always)]
pub(super) fn from_table(score: i32, ply: u32) -> i32 {
    match score {
        _ if score > PROVEN => score - ply as i32,
        _ if score < -PROVEN => score + ply as i32,
        _ => score,
    }
}
