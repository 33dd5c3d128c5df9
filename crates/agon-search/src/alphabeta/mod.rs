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
use crate::{Budget, Feature, GameBot, Limits, Thought, Unit, legal_moves, parameters};
use ordering::Experience;
use path::Path;
use recorder::Recorder;
use root::{is_settled, rank, report, root_moves, search_root};
use search::{Counts, Here, MAX_PLY, Search};
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

    /// Gets ready for a search.
    fn prepare(&mut self, line: &Line<G>, budget: &Budget, watch: &Watch) {
        self.knowledge.prepare(line);
        if budget.starts_afresh(watch) {
            self.knowledge.forget();
            self.table.clear();
            self.experience.clear();
        }
    }

    /// Searches `moves`, the exact scores of the best `multi` being wanted.
    fn search(
        &mut self,
        line: &Line<G>,
        moves: Vec<G::Move>,
        multi: usize,
        watch: &mut Watch,
        observe: &mut dyn FnMut(&Thought<G::Move>),
        recorder: Option<&mut Recorder<G::Move>>,
    ) -> Thought<G::Move> {
        self.table.next_search();
        self.experience.fade();
        cpu::dispatch_in_release(Deepening {
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
            watch,
            observe,
            recorder,
        })
    }
}

impl<G: Game, K: Knowledge<G>> GameBot<G> for AlphaBeta<G, K> {
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
        if let Some(thought) = self.root.without_search(&self.knowledge, line, budget, &mut watch, multi) {
            observe(&thought);
            return Some(thought);
        }
        if moves.len() == 1 && !budget.judges_single_moves() {
            return Some(Thought::instinct(first));
        }
        let multi = self.root.needed(multi);
        let mut thought = self.search(line, moves, multi, &mut watch, observe, None);
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
        let thought = self.search(line, moves, multi, &mut watch, &mut |_| {}, Some(&mut recorder));
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
    /// For how many moves the exact score is wanted.
    multi: usize,
    bot: Parts<'a, G, K>,
    watch: &'a mut Watch,
    observe: &'a mut dyn FnMut(&Thought<G::Move>),
    /// What the tree is written down in, if somebody wants to see it.
    recorder: Option<&'a mut Recorder<G::Move>>,
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
            is_complete: true,
            recorder: self.recorder,
        };
        let here = Here { position, state: knowledge.state(game, &position) };
        let mut moves = root_moves(&mut search, self.line, self.moves);
        let multi = self.multi.min(moves.len());
        let mut thought = Thought::instinct(moves[0].mv);
        let deepest = search.watch.limits().depth.unwrap_or(parameters::MAX_DEPTH);
        // Against a clock there must be something to answer with before the last depth is done.
        let deepens = settings.deepening || search.watch.limits().time.is_some();
        let first = if deepens { settings.start.min(deepest) } else { deepest };
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
            if !finished || is_complete || is_settled(&moves[..multi], depth) || search.watch.look() {
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
