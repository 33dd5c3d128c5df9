//! Alpha-beta for games of two: iterative deepening over a PVS or negamax search with switches for everything
//! that has been added to it since.
//!
//! `settings` declares the switches, `search` is the tree below the root with its leaves in `quiescence` and its
//! short cuts in `selection`, `ordering` and `path` keep what it remembers, `root` has the moves at the root and their windows,
//! `recorder` writes the tree down for those who want to see it, and `shown` brings it into the form that they see; here are the depths,
//! one after the other, and the bot.

mod ordering;
mod path;
mod quiescence;
mod recorder;
mod root;
mod search;
mod selection;
mod settings;
mod shown;

use agon_core::cpu::{self, Level};
use agon_core::line::PlyOf;
use agon_core::{Game, Line, Options, OptionsError, Ply};

use crate::bots::opinion;
use crate::explore::{Exploration, Tree};
use crate::knowledge::Knowledge;
use crate::limits::Watch;
use crate::root::Root;
use crate::table::Table;
use crate::team::{Until, together};
use crate::{Budget, Feature, GameBot, Limits, Thought, Unit, legal_moves, parameters};
use ordering::Experience;
use path::Path;
use recorder::Recorder;
use root::{is_settled, rank, report, root_moves, search_root, statistics};
use search::{Counts, Here, MAX_PLY, Search};
use selection::Reductions;
pub(crate) use settings::PARAMETERS;
use settings::Settings;

/// The bot.
pub struct AlphaBeta<K> {
    knowledge: K,
    settings: Settings,
    reductions: Reductions,
    limits: Limits,
    root: Root,
    table: Table,
    /// How many threads it has been told to use.
    threads: Option<usize>,
    experience: Experience,
    /// What each thread that helps has learned itself.
    experience_of_helpers: Vec<Experience>,
}

impl<K> AlphaBeta<K> {
    /// A bot as `options` describe it.
    ///
    /// # Errors
    /// If the game has no such words, or the machine not that much memory.
    pub fn new<G: Game>(game: &G, knowledge: K, options: &Options, seed: u64) -> Result<Self, OptionsError>
    where
        K: Knowledge<G>,
    {
        let settings = Settings::new(&knowledge, options)?;
        let table = match settings::table(options) {
            Some((megabytes, replacement)) => Table::new(megabytes, replacement)?,
            None => Table::off(),
        };
        let threads = parameters::threads(options)?;
        let experience = Experience::new(knowledge.slots(game), MAX_PLY, &settings);
        let root = Root::new(&knowledge, options, seed)?;
        let reductions = Reductions::new(options.decimal(settings::LMR_RATE.key).unwrap_or_default());
        let limits = parameters::limits(options);
        let experience_of_helpers = Vec::new();
        Ok(Self {
            knowledge,
            settings,
            reductions,
            limits,
            root,
            table,
            threads,
            experience,
            experience_of_helpers,
        })
    }

    /// Gets ready for a search.
    fn prepare<G: Game>(&mut self, line: &Line<G>, budget: &Budget, watch: &Watch)
    where
        K: Knowledge<G>,
    {
        self.knowledge.prepare(line);
        if budget.starts_afresh(watch) {
            self.knowledge.forget();
            self.table.clear();
            self.experience.clear();
            self.experience_of_helpers.clear();
        }
    }

    /// Searches `moves`, the exact scores of the best `multi` being wanted, in so many `threads`. They share the table, and what one
    /// finds there another one need not search ("lazy SMP").
    #[expect(clippy::too_many_arguments, reason = "what a search for a move and one to be looked at share")]
    fn search<G: Game>(
        &mut self,
        line: &Line<G>,
        moves: Vec<G::Move>,
        multi: usize,
        threads: usize,
        watch: &mut Watch,
        observe: &mut dyn FnMut(&Thought<G::Move>),
        recorder: Option<&mut Recorder<G::Move>>,
    ) -> Thought<G::Move>
    where
        K: Knowledge<G>,
    {
        self.table.next_search();
        self.experience_of_helpers.resize_with(threads - 1, || self.experience.clone());
        self.experience.fade();
        self.experience_of_helpers.iter_mut().for_each(Experience::fade);
        let bot = Parts {
            knowledge: &self.knowledge,
            settings: self.settings,
            reductions: &self.reductions,
            table: &self.table,
        };
        let helper = |(experience, place)| {
            let moves = moves.clone();
            move |watch: &mut Watch| {
                let (observe, recorder) = (&mut |_: &_| {}, None);
                let search =
                    Deepening { line, moves, multi, bot, experience, place, watch, observe, recorder };
                cpu::dispatch_in_release(search)
            }
        };
        let helpers = self.experience_of_helpers.iter_mut().zip(1..).map(helper).collect();
        let (experience, place) = (&mut self.experience, 0);
        let (led, found) = together(watch, Until::FirstIsDone, helpers, |watch| {
            let moves = moves.clone();
            cpu::dispatch_in_release(Deepening {
                line,
                moves,
                multi,
                bot,
                experience,
                place,
                watch,
                observe,
                recorder,
            })
        });
        let is_alone = found.is_empty();
        let mut counts = led.counts;
        found.iter().for_each(|found| counts.add(&found.counts));
        self.table.note_filled(counts.filled);
        let mut thought = best_of(led, found).thought;
        if !is_alone {
            (thought.nodes, thought.elapsed) = (watch.nodes(), watch.elapsed());
            let counts = Counts { filled: 0, ..counts };
            thought.statistics = statistics(&counts, &self.table);
        }
        thought
    }
}

impl<G: Game, K: Knowledge<G>> GameBot<G> for AlphaBeta<K> {
    fn think(
        &mut self,
        line: &Line<G>,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<G::Move>),
    ) -> Option<Thought<G::Move>> {
        let mut watch = budget.watch(self.limits);
        let moves: Vec<G::Move> = legal_moves(line);
        let first = *moves.first()?;
        self.prepare(line, budget, &watch);
        let multi = self.settings.multi;
        let threads = budget.threads(self.threads, &watch);
        watch.grant_threads(threads);
        if let Some(thought) = self.root.without_search(&self.knowledge, line, budget, &mut watch, multi) {
            observe(&thought);
            return Some(thought);
        }
        if moves.len() == 1 && !budget.judges_single_moves() {
            return Some(Thought::instinct(first));
        }
        let multi = self.root.needed(multi);
        let mut thought = self.search(line, moves, multi, threads, &mut watch, observe, None);
        self.root.blur(&mut thought);
        thought.elapsed = watch.elapsed();
        Some(thought)
    }

    fn explore(&mut self, line: &Line<G>, budget: &Budget, _playouts: u32) -> Option<Exploration<PlyOf<G>>> {
        let mut watch = budget.watch(self.limits);
        let moves: Vec<G::Move> = legal_moves(line);
        if moves.is_empty() {
            return None;
        }
        self.prepare(line, budget, &watch);
        watch.turn_aside();
        let (mut recorder, multi) = (Recorder::default(), self.settings.multi);
        let thought = self.search(line, moves, multi, 1, &mut watch, &mut |_| {}, Some(&mut recorder));
        let tree = recorder.tree(!watch.has_stopped())?.map(Ply::Move);
        Some(Exploration { thought: thought.map(Ply::Move), tree: Tree::Window(tree) })
    }

    fn features(&self, line: &Line<G>) -> Vec<Feature> {
        opinion(&self.knowledge, line)
    }

    fn unit(&self) -> Option<Unit> {
        Some(self.knowledge.unit())
    }
}

/// What the bot lends to all threads of one search.
struct Parts<'a, K> {
    knowledge: &'a K,
    settings: Settings,
    reductions: &'a Reductions,
    table: &'a Table,
}

// Derived, it would ask that `K` itself be `Copy`.
impl<K> Clone for Parts<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Parts<'_, K> {}

/// What one thread has found.
struct Found<M> {
    thought: Thought<M>,
    counts: Counts,
    /// Whether it came to its own end, rather than being stopped.
    is_finished: bool,
}

/// Of several threads the one that came to its end, or else the one that looked deepest; among equals the first.
fn best_of<M>(led: Found<M>, others: Vec<Found<M>>) -> Found<M> {
    let worth = |found: &Found<M>| (found.is_finished, found.thought.depth, found.thought.score.is_some());
    others.into_iter().fold(led, |best, other| if worth(&other) > worth(&best) { other } else { best })
}

/// One search from the root, to be run at a level.
struct Deepening<'a, G: Game, K> {
    line: &'a Line<G>,
    moves: Vec<G::Move>,
    /// For how many moves the exact score is wanted.
    multi: usize,
    bot: Parts<'a, K>,
    experience: &'a mut Experience,
    /// Its place among the threads of this search; the first leads.
    place: usize,
    watch: &'a mut Watch,
    observe: &'a mut dyn FnMut(&Thought<G::Move>),
    /// What the tree is written down in, if somebody wants to see it.
    recorder: Option<&'a mut Recorder<G::Move>>,
}

impl<G: Game, K: Knowledge<G>> cpu::Root for Deepening<'_, G, K> {
    type Output = Found<G::Move>;

    fn at<L: Level>(self, level: L) -> Found<G::Move> {
        let (game, position) = (&**self.line.game(), *self.line.position());
        let Parts { knowledge, settings, reductions, table } = self.bot;
        let mut search = Search {
            game,
            knowledge,
            settings,
            reductions,
            level,
            table,
            experience: self.experience,
            watch: self.watch,
            path: Path::of(self.line),
            candidates: Vec::with_capacity(1024),
            lines: vec![Vec::new(); MAX_PLY + 1],
            counts: Counts::default(),
            repetition: game.repetition(),
            reached_back: u32::MAX,
            is_complete: true,
            recorder: self.recorder,
        };
        let here = Here { position, state: knowledge.state(game, &position) };
        let mut moves = root_moves(&mut search, self.line, self.moves);
        // Threads that do the same at the same time are of no use to one another: helpers begin with other moves, every other one a ply
        // deeper.
        let others = moves.len() - 1;
        moves[1..].rotate_left(self.place % others.max(1));
        let ahead = (self.place % 2) as u32;
        let multi = self.multi.min(moves.len());
        let mut thought = Thought::instinct(moves[0].mv);
        let deepest = search.watch.limits().depth.unwrap_or(parameters::MAX_DEPTH);
        // Against a clock there must be something to answer with before the last depth is done.
        let deepens = settings.deepening || search.watch.limits().time.is_some();
        let first = if deepens { (settings.start + ahead).min(deepest) } else { deepest };
        let mut is_finished = false;
        for depth in first..=deepest {
            let mut is_complete = true;
            for found in 0..multi {
                is_complete &= search_root(&mut search, &here, &mut moves, found, depth as i32);
                if search.watch.has_stopped() {
                    break;
                }
            }
            rank(&mut moves[..multi]);
            let finished = !search.watch.has_stopped();
            // A depth that was stopped still counts if it has shown another move to be better, but not where several moves are to be
            // compared: that needs the same depth for all.
            let is_news = finished
                || thought.score.is_none()
                || multi == 1 && moves[0].score.is_some() && moves[0].mv != thought.best;
            if is_news && moves[0].score.is_some() {
                thought = report(&search, &moves[..multi], if finished { depth } else { thought.depth });
                (self.observe)(&thought);
            }
            let is_end = is_complete || is_settled(&moves[..multi], depth);
            is_finished = finished && (is_end || depth == deepest);
            if !finished || is_end || search.watch.look() {
                break;
            }
            for root_move in &mut moves {
                root_move.before = root_move.score.take().unwrap_or(root_move.before);
            }
        }
        thought.nodes = search.watch.nodes();
        thought.elapsed = search.watch.elapsed();
        Found { thought, counts: search.counts, is_finished }
    }
}
