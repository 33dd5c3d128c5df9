//! Alpha-beta for games of two: iterative deepening over a PVS or negamax search with switches for everything
//! that has been added to it since.
//!
//! `settings` declares the switches, `search` is the tree below the root with its leaves in `quiescence` and its
//! short cuts in `selection`, `ordering` and `path` keep what it remembers; here are the root, its windows, and the bot.

mod ordering;
mod path;
mod quiescence;
mod search;
mod selection;
mod settings;

use agon_core::cpu::{self, Level};
use agon_core::{Game, Line, Options, OptionsError};

use crate::bots::opinion;
use crate::knowledge::{Knowledge, PROVEN, WIN};
use crate::limits::Watch;
use crate::root::Root;
use crate::table::Table;
use crate::{Bot, Budget, Feature, Limits, Statistic, Thought, legal_moves, parameters};
use ordering::{Candidate, Experience, first_sight};
use path::Path;
use search::{Counts, Here, INFINITE, MAX_PLY, Next, Search, Way};
use selection::Reductions;
pub(crate) use settings::PARAMETERS;
use settings::Settings;

/// The bot.
pub struct AlphaBeta<G: Game, K> {
    knowledge: K,
    settings: Settings,
    reductions: Reductions,
    limits: Limits,
    root: Root,
    table: Table<G::Move>,
    experience: Experience,
}

impl<G: Game, K: Knowledge<G>> AlphaBeta<G, K> {
    /// A bot as `options` describe it.
    ///
    /// # Errors
    /// If the game has no such words, or the machine not that much memory.
    pub fn new(game: &G, knowledge: K, options: &Options, seed: u64) -> Result<Self, OptionsError> {
        let settings = Settings::new(&knowledge, options)?;
        let table = match settings::table(options) {
            Some((megabytes, replacement)) => Table::new(megabytes, replacement)?,
            None => Table::off(),
        };
        let experience = Experience::new(knowledge.slots(game), MAX_PLY, &settings);
        let root = Root::new(&knowledge, options, seed)?;
        let reductions = Reductions::new(options.decimal(settings::LMR_RATE.key).unwrap_or_default());
        let limits = parameters::limits(options);
        Ok(Self { knowledge, settings, reductions, limits, root, table, experience })
    }
}

impl<G: Game, K: Knowledge<G>> Bot<G> for AlphaBeta<G, K> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        let mut watch = budget.watch(self.limits);
        let moves: Vec<G::Move> = legal_moves(line);
        let first = *moves.first()?;
        if let Some(thought) = self.root.without_search(&self.knowledge, line, budget, &mut watch) {
            observe(&thought);
            return Some(thought);
        }
        if moves.len() == 1 && budget.keeps_own_limits {
            return Some(Thought::instinct(first));
        }
        self.table.next_search();
        self.experience.fade();
        let multi = if self.root.is_noisy() { moves.len() } else { self.settings.multi.min(moves.len()) };
        let deepening = Deepening {
            line,
            moves,
            multi,
            bot: Parts {
                knowledge: &self.knowledge,
                settings: self.settings,
                reductions: &self.reductions,
                table: &mut self.table,
                experience: &mut self.experience,
            },
            watch: &mut watch,
            observe,
        };
        let mut thought = cpu::dispatch_in_release(deepening);
        self.root.blur(&mut thought);
        thought.elapsed = watch.elapsed();
        Some(thought)
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.knowledge, line)
    }
}

/// What the bot lends to one search.
struct Parts<'a, G: Game, K> {
    knowledge: &'a K,
    settings: Settings,
    reductions: &'a Reductions,
    table: &'a mut Table<G::Move>,
    experience: &'a mut Experience,
}

/// One search from the root, to be run at a level.
struct Deepening<'a, G: Game, K> {
    line: &'a Line<G>,
    moves: Vec<G::Move>,
    multi: usize,
    bot: Parts<'a, G, K>,
    watch: &'a mut Watch,
    observe: &'a mut dyn FnMut(&Thought<G::Move>),
}

/// A move at the root and what the latest searches found about it.
struct RootMove<M> {
    mv: M,
    /// Its score in this depth, if it is the true one rather than a bound.
    score: Option<i32>,
    /// Its score in the depth before, or what it looks like.
    before: i32,
    line: Vec<M>,
}

impl<G: Game, K: Knowledge<G>> cpu::Root for Deepening<'_, G, K> {
    type Output = Thought<G::Move>;

    fn at<L: Level>(self, level: L) -> Thought<G::Move> {
        let (game, position) = (&**self.line.game(), *self.line.position());
        let Parts { knowledge, settings, reductions, table, experience } = self.bot;
        let mut search = Search {
            game,
            knowledge,
            settings,
            reductions,
            level,
            table,
            experience,
            watch: self.watch,
            path: Path::of(self.line),
            candidates: Vec::with_capacity(1024),
            lines: vec![Vec::new(); MAX_PLY + 1],
            counts: Counts::default(),
            repetition: game.repetition(),
            reached_back: u32::MAX,
        };
        let here = Here { position, state: knowledge.state(game, &position) };
        let mut moves = root_moves(&mut search, &here, self.moves);
        let multi = self.multi.min(moves.len());
        let mut thought = Thought::instinct(moves[0].mv);
        let deepest = search.watch.limits().depth.unwrap_or(parameters::MAX_DEPTH);
        // Against a clock there must be something to answer with before the last depth is done.
        let deepens = settings.deepening || search.watch.limits().time.is_some();
        let first = if deepens { settings.start.min(deepest) } else { deepest };
        for depth in first..=deepest {
            for found in 0..multi {
                search_root(&mut search, &here, &mut moves, found, depth as i32);
                if search.watch.has_stopped() {
                    break;
                }
            }
            let finished = !search.watch.has_stopped();
            // A depth that was stopped still counts if it has shown another move to be better.
            if moves[0].score.is_some()
                && (finished || thought.score.is_none() || moves[0].mv != thought.best)
            {
                thought = report(&search, &moves[..multi], if finished { depth } else { thought.depth });
                (self.observe)(&thought);
            }
            if !finished || is_settled(&moves[..multi], depth) || search.watch.look() {
                break;
            }
            for root_move in &mut moves {
                root_move.before = root_move.score.take().unwrap_or(root_move.before);
            }
        }
        thought.nodes = search.watch.nodes();
        thought.elapsed = search.watch.elapsed();
        thought
    }
}

/// The moves in the order in which they are searched first.
fn root_moves<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    here: &Here<G, K::State>,
    moves: Vec<G::Move>,
) -> Vec<RootMove<G::Move>> {
    search.candidates.extend(moves.into_iter().map(|mv| Candidate { mv, promise: 0 }));
    search.select(0, &here.position);
    let candidates = std::mem::take(&mut search.candidates);
    let mut ordered: Vec<RootMove<G::Move>> = candidates
        .into_iter()
        .map(|candidate| {
            let mv = candidate.mv;
            let before = first_sight(&search.settings, search.knowledge, search.game, &here.position, mv);
            RootMove { mv, score: None, before, line: vec![mv] }
        })
        .collect();
    ordered.sort_by_key(|root_move| std::cmp::Reverse(root_move.before));
    ordered
}

/// Finds the best of the moves from `found` on, with its true score, and brings it to the place `found`.
fn search_root<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    here: &Here<G, K::State>,
    moves: &mut [RootMove<G::Move>],
    found: usize,
    depth: i32,
) {
    let guess = moves[found].before;
    let mut half = search.settings.aspiration.filter(|_| depth > 2 && guess.abs() < PROVEN);
    loop {
        let (alpha, beta) = match half {
            Some(half) => (guess.saturating_sub(half), guess.saturating_add(half)),
            None => (-INFINITE, INFINITE),
        };
        let score = search_root_window(search, here, &mut moves[found..], alpha, beta, depth);
        if search.watch.has_stopped() || (score > alpha && score < beta) {
            return;
        }
        // Once missed, the window grows fourfold; twice missed by far, it is given up.
        half = half.map(|half| half.saturating_mul(4)).filter(|half| *half < PROVEN / 4);
    }
}

fn search_root_window<G: Game, K: Knowledge<G>, L: Level>(
    search: &mut Search<'_, G, K, L>,
    here: &Here<G, K::State>,
    moves: &mut [RootMove<G::Move>],
    alpha: i32,
    beta: i32,
    depth: i32,
) -> i32 {
    let way = Way { ply: 0, answers: None, may_skip: true, extensions: search.settings.extend };
    let (mut best, mut raised) = (-INFINITE, alpha);
    for index in 0..moves.len() {
        let mv = moves[index].mv;
        let Some(Next { here: next, repeated }) = search.play(here, mv, depth, 0) else { return best };
        let onward = way.next(Some(search.knowledge.slot(search.game, mv)));
        let score = match repeated {
            Some(score) => score,
            None if index == 0 || !search.settings.pvs => {
                -search.search(&next, -beta, -raised, depth - 1, onward)
            }
            None => {
                let score = -search.search(&next, -raised - 1, -raised, depth - 1, onward);
                if score > raised && score < beta {
                    -search.search(&next, -beta, -raised, depth - 1, onward)
                } else {
                    score
                }
            }
        };
        search.unplay();
        if search.watch.has_stopped() {
            return best;
        }
        best = best.max(score);
        if score > raised || (index == 0 && score <= alpha) {
            raised = raised.max(score);
            let root_move = &mut moves[index];
            root_move.score = Some(score);
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend_from_slice(&search.lines[1]);
            moves[..=index].rotate_right(1);
        }
        if raised >= beta {
            break;
        }
    }
    best
}

/// Whether deeper search cannot change anything: the best moves lead to results that this depth has seen to the end.
fn is_settled<M>(moves: &[RootMove<M>], depth: u32) -> bool {
    moves.iter().all(|root_move| {
        root_move.score.is_some_and(|score| score.abs() > PROVEN && (WIN - score.abs()) as u32 <= depth)
    })
}

fn report<G: Game, K, L>(
    search: &Search<'_, G, K, L>,
    moves: &[RootMove<G::Move>],
    depth: u32,
) -> Thought<G::Move> {
    let counts = search.counts;
    let all = [
        ("table fill", search.table.fill()),
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
    Thought {
        score: moves[0].score.map(f64::from),
        depth,
        nodes: search.watch.nodes(),
        line: moves[0].line.clone(),
        moves: moves
            .iter()
            .map_while(|root_move| Some((root_move.mv, f64::from(root_move.score?))))
            .collect(),
        statistics: all.iter().map(|&(name, value)| Statistic { name, value }).collect(),
        elapsed: search.watch.elapsed(),
        ..Thought::instinct(moves[0].mv)
    }
}
