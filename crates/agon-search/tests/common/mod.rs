//! What several tests of searches share.
#![allow(dead_code, reason = "each test uses a part")]

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_core::{Game, Options, Payoffs, Player};
use agon_search::{ALGORITHMS, Clock, Evaluation, Feature, GameBot, Statistic, Tactics, build};
use agon_testkit::{Contest, Node, Tree};

/// Judges nodes by their hash and knows their moves only as far as that goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByHash;

thread_local! {
    /// What [`ByHash`] has judged in this thread, while somebody wants to know.
    static JUDGED: RefCell<Option<Vec<Node>>> = const { RefCell::new(None) };
}

/// What comes of `run`, and the nodes that [`ByHash`] judged meanwhile.
pub(crate) fn judged<T>(run: impl FnOnce() -> T) -> (T, Vec<Node>) {
    JUDGED.set(Some(Vec::new()));
    let found = run();
    (found, JUDGED.take().unwrap_or_default())
}

/// A game on a [`Tree`].
pub(crate) trait Hashed: Game<Position = Node, Move = u8> + Copy {
    fn tree(&self) -> &Tree;
}

impl Hashed for Tree {
    fn tree(&self) -> &Tree {
        self
    }
}

impl Hashed for Contest {
    fn tree(&self) -> &Tree {
        &self.0
    }
}

impl<G: Hashed> Evaluation<G> for ByHash {
    type State = ();

    fn state(&self, _game: &G, _node: &Node) {}

    fn advance(&self, _: &G, _: &mut (), _: &Node, _: u8, _: &Node) {}

    fn payoffs(&self, game: &G, node: &Node, _state: &()) -> Payoffs {
        JUDGED.with_borrow_mut(|judged| judged.as_mut().map(|judged| judged.push(*node)));
        let mut payoffs = game.tree().value(node);
        payoffs.0.iter_mut().for_each(|value| *value = (*value * 1000.0).round());
        payoffs
    }

    fn features(&self, _game: &G, _node: &Node, _player: Player) -> Vec<Feature> {
        Vec::new()
    }

    fn scale(&self) -> f64 {
        1000.0
    }
}

impl<G: Hashed> Tactics<G> for ByHash {
    fn slots(&self, _game: &G) -> usize {
        16
    }

    fn slot(&self, _game: &G, mv: u8) -> usize {
        usize::from(mv)
    }

    fn order(&self, game: &G, node: &Node, mv: u8) -> i32 {
        // A little wrong, as knowledge is, and with ties.
        let mut next = *node;
        game.play_unchecked(&mut next, mv);
        (game.tree().value(&next).0[0] * 3.0) as i32
    }

    fn selections(&self) -> &'static [&'static str] {
        &["even"]
    }

    fn grade(&self, _game: &G, _node: &Node, mv: u8, _rule: usize) -> u8 {
        u8::from(mv.is_multiple_of(2))
    }

    fn skip_turn(&self, game: &G, node: &mut Node) -> bool {
        *node = game.tree().skipped(node);
        true
    }

    fn depth_rules(&self) -> &'static [&'static str] {
        &["always two", "always three"]
    }

    fn depth(&self, _game: &G, _node: &Node, rule: usize) -> u32 {
        2 + rule as u32
    }

    fn lean(&self, _game: &G, _node: &Node, mv: u8) -> f32 {
        f32::from(mv)
    }
}

/// The bot of an algorithm with its parameters set.
pub(crate) fn bot<G: Hashed>(
    algorithm: &'static str,
    settings: &str,
    game: &G,
    seed: u64,
) -> Box<dyn GameBot<G>> {
    let parameters =
        ALGORITHMS.iter().find(|known| known.name == algorithm).expect("an algorithm").parameters;
    let options = Options::parse_declared(algorithm, parameters, settings).expect("settings");
    build(algorithm, game, ByHash, &options, seed).expect("a bot")
}

/// The figure called `name`.
pub(crate) fn statistic(statistics: &[Statistic], name: &str) -> f64 {
    statistics.iter().find(|statistic| statistic.name == name).expect("such a figure").value
}

/// A clock that goes on by a millisecond whenever somebody looks.
#[derive(Debug, Default)]
pub(crate) struct TestClock(AtomicU64);

impl Clock for TestClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

impl TestClock {
    pub(crate) fn shared() -> Arc<Self> {
        Arc::default()
    }
}
