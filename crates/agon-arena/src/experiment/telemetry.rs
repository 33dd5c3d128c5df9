//! What a bot did in its searches, noted by a wrapper around it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_core::Player;
use agon_erased::{Bot, BotError, Budget, Clock, Session, Thought, Threads};
use agon_players::external::Liaison;
use serde::{Deserialize, Serialize};

/// The names under which searches report what is read here.
const CUTS: &str = "cut-offs";
const FIRST_CUTS: &str = "cut-offs by the first move";
const TABLE_CUTS: &str = "cut-offs by the table";
/// What expectimax reports in its place.
const TABLE_HITS: &str = "table hits";

/// Depths beyond this are not told apart.
const MAX_DEPTH: usize = 60;

/// What a bot did in a game, added up. Everything is a whole number, so that what is read back from a file is what was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Telemetry {
    /// Moves made.
    pub moves: u64,
    /// The time that they took, in microseconds.
    pub micros: u64,
    /// Moves that were searched, and not known or guessed.
    pub searched: u64,
    /// Nodes of the searches.
    pub nodes: u64,
    /// Depths of the searches, added up.
    pub depth: u64,
    /// Nodes of searches that counted cut-offs, up to when they reported them.
    pub counted_nodes: u64,
    /// Their cut-offs.
    pub cuts: u64,
    /// Their cut-offs by the first move that was tried.
    pub first_cuts: u64,
    /// Nodes that the table answered.
    pub table_cuts: u64,
    /// How often a search went one ply deeper.
    pub deepenings: u64,
    /// By how much the number of nodes grew then: natural logarithms in millionths, added up.
    pub growth: u64,
    /// What it took to reach depth 1, 2 and so on.
    pub depths: Vec<DepthCost>,
    /// What a program counted under names of its own.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, Counter>,
}

/// What a program counted under a name of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// The moves in which it did.
    pub moves: u64,
    /// What it counted, in millionths, added up.
    pub sum: i64,
}

impl Counter {
    /// What it counted per move in which it did.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / 1e6 / self.moves.max(1) as f64
    }
}

/// The most counters of one player that are kept.
pub const MAX_COUNTERS: usize = 64;

/// What it took to finish a depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthCost {
    /// In so many moves it was finished.
    pub moves: u64,
    /// The time until then, in microseconds, added up.
    pub micros: u64,
    /// The nodes until then, added up.
    pub nodes: u64,
}

impl Telemetry {
    /// Adds what was noted elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.micros += other.micros;
        self.searched += other.searched;
        self.nodes += other.nodes;
        self.depth += other.depth;
        self.counted_nodes += other.counted_nodes;
        self.cuts += other.cuts;
        self.first_cuts += other.first_cuts;
        self.table_cuts += other.table_cuts;
        self.deepenings += other.deepenings;
        self.growth += other.growth;
        if self.depths.len() < other.depths.len() {
            self.depths.resize_with(other.depths.len(), DepthCost::default);
        }
        for (mine, theirs) in self.depths.iter_mut().zip(&other.depths) {
            mine.moves += theirs.moves;
            mine.micros += theirs.micros;
            mine.nodes += theirs.nodes;
        }
        for (name, theirs) in &other.counters {
            self.count(name, *theirs);
        }
    }

    fn count(&mut self, name: &str, more: Counter) {
        if self.counters.len() >= MAX_COUNTERS && !self.counters.contains_key(name) {
            return;
        }
        let mine = self.counters.entry(name.to_owned()).or_default();
        mine.moves += more.moves;
        mine.sum = mine.sum.saturating_add(more.sum);
    }

    /// Notes what a program counted for a move.
    fn note_counters(&mut self, counters: &BTreeMap<String, f64>) {
        for (name, value) in counters {
            self.count(name, Counter { moves: 1, sum: (value * 1e6).round() as i64 });
        }
    }

    /// Notes a move: the last thought, what was reported on the way to it, and how long it took.
    fn note(&mut self, thought: &Thought<String>, way: &Way, micros: u64, is_program: bool) {
        self.moves += 1;
        self.micros += micros;
        // Programs may say how deep they looked, but not at how many positions.
        if thought.nodes == 0 && !(is_program && thought.depth > 0) {
            return;
        }
        self.searched += 1;
        self.nodes += thought.nodes;
        self.depth += u64::from(thought.depth);
        let (counted, counts) = way.counts.unwrap_or((thought.nodes, Counts::of(thought)));
        if let Some(cuts) = counts.cuts {
            self.counted_nodes += counted;
            self.cuts += cuts;
            self.first_cuts += counts.first_cuts;
        } else if counts.table_cuts > 0 {
            self.counted_nodes += counted;
        }
        self.table_cuts += counts.table_cuts;
        for (index, reach) in way.depths.iter().enumerate() {
            let Some((micros, nodes)) = *reach else { continue };
            if self.depths.len() <= index {
                self.depths.resize_with(index + 1, DepthCost::default);
            }
            let mine = &mut self.depths[index];
            mine.moves += 1;
            mine.micros += micros;
            mine.nodes += nodes;
            if let Some(Some((_, before))) = index.checked_sub(1).map(|before| way.depths[before])
                && before > 0
                && nodes > before
            {
                self.deepenings += 1;
                self.growth += ((nodes as f64 / before as f64).ln() * 1e6).round() as u64;
            }
        }
    }
}

/// What a search has counted.
#[derive(Clone, Copy, Default)]
struct Counts {
    cuts: Option<u64>,
    first_cuts: u64,
    table_cuts: u64,
}

impl Counts {
    fn of(thought: &Thought<String>) -> Self {
        let find = |name: &str| {
            let statistic = thought.statistics.iter().find(|statistic| statistic.name == name);
            statistic.map(|statistic| statistic.value as u64)
        };
        Self {
            cuts: find(CUTS),
            first_cuts: find(FIRST_CUTS).unwrap_or(0),
            table_cuts: find(TABLE_CUTS).or_else(|| find(TABLE_HITS)).unwrap_or(0),
        }
    }
}

/// What was reported while a move was searched for.
#[derive(Default)]
struct Way {
    /// Time and nodes until each depth was finished.
    depths: Vec<Option<(u64, u64)>>,
    /// The last counts, and the nodes at that time.
    counts: Option<(u64, Counts)>,
}

impl Way {
    fn note(&mut self, thought: &Thought<String>) {
        let depth = thought.depth as usize;
        if (1..=MAX_DEPTH).contains(&depth) {
            if self.depths.len() < depth {
                self.depths.resize(depth, None);
            }
            // A depth may be reported again, when the next one has found a better move.
            self.depths[depth - 1].get_or_insert((thought.elapsed.as_micros() as u64, thought.nodes));
        }
        if !thought.statistics.is_empty() {
            self.counts = Some((thought.nodes, Counts::of(thought)));
        }
    }
}

/// Where a bot's telemetry goes.
pub type TelemetrySink = Arc<Mutex<Telemetry>>;

pub(crate) fn lock(sink: &TelemetrySink) -> MutexGuard<'_, Telemetry> {
    sink.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bot that is watched while it plays. It passes on what a referee asks of a bot; nobody asks it for opinions.
pub(crate) struct Metered {
    pub(crate) bot: Box<dyn Bot>,
    pub(crate) sink: TelemetrySink,
    /// The clock by which it thinks, if that is not the one of whoever asks.
    pub(crate) clock: Option<Arc<dyn Clock>>,
    /// Where a program says what it has counted.
    pub(crate) liaison: Option<Arc<Liaison>>,
}

impl Bot for Metered {
    fn prepare(&mut self, session: &dyn Session, player: Player, budget: &Budget) -> Result<(), BotError> {
        self.bot.prepare(session, player, budget)
    }

    fn think(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        let mut way = Way::default();
        // A clock of one's own measures one thread, and so there is no other one.
        let threads = Threads::at_most(1);
        let own =
            self.clock.as_ref().map(|clock| Budget { clock: Arc::clone(clock), threads, ..budget.clone() });
        let budget = own.as_ref().unwrap_or(budget);
        let began = budget.clock.now();
        let thought = self.bot.think(session, budget, &mut |thought| {
            way.note(thought);
            observe(thought);
        })?;
        let micros = budget.clock.now().saturating_sub(began).as_micros() as u64;
        let mut telemetry = lock(&self.sink);
        telemetry.note(&thought, &way, micros, self.liaison.is_some());
        if let Some(liaison) = &self.liaison {
            telemetry.note_counters(&liaison.counters());
        }
        Ok(thought)
    }

    fn conclude(&mut self, session: &dyn Session, player: Player) {
        self.bot.conclude(session, player);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use agon_erased::{Limits, SystemClock};
    use agon_registry::GAMES;

    use super::*;

    /// What a bot reports about its first move.
    fn first_move(game: &str, spec: &str) -> Telemetry {
        let rules = GAMES.find(game).expect("a game").rules("").expect("options");
        let sink = TelemetrySink::default();
        let bot = rules.bot(&spec.parse().expect("a specification"), 0).expect("a bot");
        let mut bot = Metered { bot, sink: Arc::clone(&sink), clock: None, liaison: None };
        let budget = Budget {
            limits: Limits::default(),
            clock: Arc::new(SystemClock::default()),
            stop: Arc::new(AtomicBool::new(false)),
            threads: Threads::AS_TOLD,
            keeps_own_limits: true,
            is_analysis: false,
            seed: Some(1),
        };
        let mut session = rules.start();
        while session.draw(7).is_some() {}
        bot.think(&*session, &budget, &mut |_| {}).expect("a move");
        lock(&sink).clone()
    }

    #[test]
    fn searches_report_what_is_read_here() {
        let telemetry = first_move("othello", "alphabeta:depth=5");
        assert_eq!((telemetry.moves, telemetry.searched, telemetry.depth), (1, 1, 5));
        assert!(telemetry.cuts > telemetry.first_cuts && telemetry.first_cuts > 0, "{telemetry:?}");
        assert!(telemetry.table_cuts > 0 && telemetry.counted_nodes > telemetry.cuts, "{telemetry:?}");
        assert_eq!((telemetry.depths.len(), telemetry.deepenings), (5, 4));
        assert_eq!(telemetry.depths[4].nodes, telemetry.nodes);
        assert!(telemetry.depths.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
        // The nodes have grown by the product of all growths.
        let grown = (telemetry.growth as f64 / 1e6).exp();
        let ratio = telemetry.depths[4].nodes as f64 / telemetry.depths[0].nodes as f64;
        assert!((grown / ratio - 1.0).abs() < 1e-4, "{grown} {ratio}");
    }

    #[test]
    fn other_searches_report_what_they_have() {
        let many = first_move("chinese-checkers", "paranoid:depth=3");
        assert!(many.cuts > 0 && many.depths.len() == 3, "{many:?}");
        let expectimax = first_move("2048", "expectimax:depth=3,eval=s3");
        assert!(expectimax.nodes > 0 && expectimax.cuts == 0, "{expectimax:?}");
        let tree = first_move("othello", "mcts:nodes=200");
        assert!(tree.nodes > 0 && tree.counted_nodes == 0, "{tree:?}");
        let random = first_move("othello", "random");
        assert_eq!(random, Telemetry { moves: 1, micros: random.micros, ..Telemetry::default() });
    }

    #[test]
    fn telemetry_adds_up() {
        let one = first_move("othello", "alphabeta:depth=3");
        let mut sum = first_move("othello", "alphabeta:depth=2");
        let nodes = sum.nodes;
        sum.add(&one);
        assert_eq!((sum.moves, sum.nodes, sum.depth, sum.depths.len()), (2, nodes + one.nodes, 5, 3));
        assert_eq!([0, 1, 2].map(|index| sum.depths[index].moves), [2, 2, 1]);
    }
}
