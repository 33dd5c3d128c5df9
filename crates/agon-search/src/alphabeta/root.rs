//! The moves at the root, the windows in which they are searched, and what is reported of them.

use std::cmp::Reverse;

use agon_core::cpu::Level;
use agon_core::{Game, Line};

use super::ordering::{Candidate, first_sight};
use super::recorder::Seen;
use super::search::{Counts, Here, INFINITE, Next, Search, Way};
use super::settings::Ties;
use crate::explore::Purpose;
use crate::knowledge::{Knowledge, PROVEN, WIN};
use crate::root::{Class, classes};
use crate::table::Table;
use crate::thought::Bound;
use crate::{ScoredMove, Statistic, Thought};

/// A move at the root and what the latest searches found about it.
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// Moves that are the same by symmetry: this one is searched for all of them.
    pub(super) twins: Vec<M>,
    /// Its score in this depth, or a bound of it, if that is all that is known and it leads the others.
    pub(super) score: Option<i32>,
    bound: Bound,
    /// Whether the score rests on ends of the game alone.
    is_proven: bool,
    /// Its score in the depth before, or what it looks like.
    pub(super) before: i32,
    line: Vec<M>,
    /// What making it costs beyond what its search shows.
    cost: i32,
    /// Which of several best moves is taken: that with the lowest rank.
    rank: usize,
}

/// The moves in the order in which they are searched first.
pub(super) fn root_moves<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    line: &Line<G>,
    moves: Vec<G::Move>,
) -> Vec<RootMove<G::Move>> {
    let (game, knowledge, settings, position) =
        (search.game, search.knowledge, search.settings, line.position());
    search.candidates.extend(moves.into_iter().map(|mv| Candidate { mv, promise: 0 }));
    search.select(0, position);
    let mut ordered = std::mem::take(&mut search.candidates);
    for candidate in &mut ordered {
        candidate.promise = first_sight(&settings, knowledge, game, position, candidate.mv);
    }
    ordered.sort_by_key(|candidate| Reverse(candidate.promise));
    let mut preferred: Vec<G::Move> = ordered.iter().map(|candidate| candidate.mv).collect();
    match settings.ties {
        Ties::Found | Ties::First => {}
        Ties::Last => preferred.reverse(),
        Ties::Original => preferred.sort_by_key(|&mv| Reverse(knowledge.tie_break(game, position, mv))),
    }
    let mut root_moves: Vec<RootMove<G::Move>> = classes(knowledge, line, &preferred)
        .into_iter()
        .enumerate()
        .map(|(rank, Class { mv, twins })| RootMove {
            mv,
            twins,
            score: None,
            bound: Bound::Exact,
            is_proven: false,
            before: first_sight(&settings, knowledge, game, position, mv),
            line: vec![mv],
            cost: knowledge.cost(line, mv),
            rank,
        })
        .collect();
    let place = |mv: G::Move| ordered.iter().position(|candidate| candidate.mv == mv);
    root_moves.sort_by_cached_key(|root_move| place(root_move.mv));
    root_moves
}

/// Finds the best of the moves from `found` on, with its exact score, and brings it to the place `found`. Says whether the searches of
/// all of them rested on ends of the game alone.
pub(super) fn search_root<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    here: &Here<G, K::State>,
    moves: &mut [RootMove<G::Move>],
    found: usize,
    depth: i32,
) -> bool {
    let guess = moves[found].before;
    let mut half = search.settings.aspiration.filter(|_| depth > 2 && guess.abs() < PROVEN);
    loop {
        let (alpha, beta) = match half {
            Some(half) => (guess.saturating_sub(half), guess.saturating_add(half)),
            None => (-INFINITE, INFINITE),
        };
        let (score, is_complete) = search_window(search, here, &mut moves[found..], alpha, beta, depth);
        if search.watch.has_stopped() {
            return is_complete;
        }
        let purpose = Purpose::Value;
        let seen = Seen { mv: None, purpose, alpha, beta, depth, score, is_repeated: false };
        search.record_pass(&here.position, moves, found, seen);
        if score > alpha && score < beta {
            return is_complete;
        }
        // Once missed, the window grows fourfold; twice missed by far, it is given up.
        half = half.map(|half| half.saturating_mul(4)).filter(|half| *half < PROVEN / 4);
    }
}

fn search_window<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    here: &Here<G, K::State>,
    moves: &mut [RootMove<G::Move>],
    alpha: i32,
    beta: i32,
    depth: i32,
) -> (i32, bool) {
    let tells_ties = search.settings.ties != Ties::Found;
    let (mut best, mut raised, mut all_complete) = (-INFINITE, alpha, true);
    for index in 0..moves.len() {
        let leads = raised > alpha;
        // Where ties matter, a move as good as the best so far must be told from a worse one.
        let floor = if tells_ties && leads { raised - 1 } else { raised };
        let is_first = index == 0 || !search.settings.pvs;
        let Some(score) = search_move(search, here, &moves[index], floor, beta, depth, is_first) else {
            return (best, false);
        };
        all_complete &= search.is_complete;
        best = best.max(score);
        let wins_tie = tells_ties && leads && score == raised && moves[index].rank < moves[0].rank;
        if score > raised {
            search.record_raise(0, score);
        }
        if score > raised || wins_tie || (index == 0 && score <= alpha) {
            raised = raised.max(score);
            let root_move = &mut moves[index];
            root_move.score = Some(score);
            root_move.bound = match score {
                _ if score >= beta => Bound::Lower,
                _ if score <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            root_move.is_proven = search.is_complete || score.abs() > PROVEN;
            root_move.line.clear();
            root_move.line.push(root_move.mv);
            root_move.line.extend_from_slice(&search.lines[1]);
            moves[..=index].rotate_right(1);
        }
        if raised >= beta {
            all_complete &= index + 1 == moves.len();
            break;
        }
    }
    (best, all_complete)
}

/// The score of a move if it lies between `alpha` and `beta`, otherwise a bound of it; `None` once the search has been stopped.
/// Whether it rests on ends of the game alone, the search knows.
fn search_move<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    here: &Here<G, K::State>,
    root_move: &RootMove<G::Move>,
    alpha: i32,
    beta: i32,
    depth: i32,
    is_first: bool,
) -> Option<i32> {
    let RootMove { mv, cost, .. } = *root_move;
    let way = Way { ply: 0, answers: None, may_skip: true, extensions: search.settings.extend };
    let Next { here: next, repeated } = search.play(here, mv, depth, 0)?;
    let onward = way.next(Some(search.knowledge.slot(search.game, mv)));
    // Who wins or loses anyway pays nothing.
    let paid = |score: i32, cost: i32| if score.abs() > PROVEN { score } else { score - cost };
    let mut within = |alpha: i32, beta: i32, purpose: Purpose| {
        search.is_complete = true;
        let (alpha, beta) = (-paid(beta, -cost), -paid(alpha, -cost));
        let score = search.search(&next, alpha, beta, depth - 1, onward);
        let seen = Seen { mv: Some(mv), purpose, alpha, beta, depth: depth - 1, score, is_repeated: false };
        search.record(&next.position, 0, seen);
        paid(-score, cost)
    };
    let score = match repeated {
        Some(score) => {
            let (purpose, depth) = (Purpose::Value, depth - 1);
            let (alpha, beta, is_repeated) = (-beta, -alpha, true);
            let seen = Seen { mv: Some(mv), purpose, alpha, beta, depth, score: -score, is_repeated };
            search.record(&next.position, 0, seen);
            score
        }
        None if is_first => within(alpha, beta, Purpose::Value),
        None => {
            let score = within(alpha, alpha + 1, Purpose::Scout);
            if score > alpha && score < beta { within(alpha, beta, Purpose::Again) } else { score }
        }
    };
    search.is_complete |= repeated.is_some();
    search.unplay();
    (!search.watch.has_stopped()).then_some(score)
}

/// Puts the moves into the order of their scores; those without one come last.
pub(super) fn rank<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root_move| Reverse(root_move.score));
}

/// Whether deeper search cannot change anything: the best moves lead to results that this depth has seen to the end.
pub(super) fn is_settled<M>(moves: &[RootMove<M>], depth: u32) -> bool {
    moves.iter().all(|root_move| {
        root_move.score.is_some_and(|score| score.abs() > PROVEN && (WIN - score.abs()) as u32 <= depth)
    })
}

/// What was found about `moves`, those that are the same by symmetry included.
pub(super) fn report<G: Game, K, L>(
    search: &Search<'_, G, K, L>,
    moves: &[RootMove<G::Move>],
    depth: u32,
) -> Thought<G::Move> {
    let mut scored = Vec::new();
    for root_move in moves {
        let Some(score) = root_move.score else { break };
        let RootMove { mv, bound, is_proven, .. } = *root_move;
        let known = ScoredMove { mv, score: f64::from(score), bound, is_proven };
        scored.extend([mv].iter().chain(&root_move.twins).map(|&mv| known.of(mv)));
    }
    Thought {
        score: moves[0].score.map(f64::from),
        depth,
        nodes: search.watch.nodes(),
        line: moves[0].line.clone(),
        moves: scored,
        statistics: statistics(&search.counts, search.table),
        elapsed: search.watch.elapsed(),
        ..Thought::instinct(moves[0].mv)
    }
}

/// What was counted, in words.
pub(super) fn statistics(counts: &Counts, table: &Table) -> Vec<Statistic> {
    let all = [
        ("table fill", table.fill(counts.filled)),
        ("deepest ply", f64::from(counts.max_ply)),
        ("cut-offs", counts.cuts as f64),
        ("cut-offs by the first move", counts.first_move_cuts as f64),
        ("cut-offs by the table", counts.table_cuts as f64),
        ("cut-offs by null move", counts.null_cuts as f64),
        ("cut-offs by multi-cut", counts.multi_cuts as f64),
        ("cut-offs by ProbCut", counts.prob_cuts as f64),
        ("reduced moves", counts.reductions as f64),
        ("futile moves", counts.futile_moves as f64),
        ("reductions taken back", counts.researches as f64),
        ("extensions", counts.extensions as f64),
        ("results foreseen", counts.foreseen as f64),
        ("nodes of quiescence", counts.quiescence_nodes as f64),
    ];
    all.iter().map(|&(name, value)| Statistic { name, value }).collect()
}
