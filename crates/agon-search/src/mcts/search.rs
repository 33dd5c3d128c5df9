//! The loop: down the tree by UCT, on by a playout, back up with what it was worth.

use agon_core::cpu::{Level, Root};
use agon_core::line::{PlyOf, Repetition};
use agon_core::random::{RandomSource, below};
use agon_core::{Game, Player, Ply, Rng, Turn, Verdict, maths};

use super::history::History;
use super::report::Sight;
use super::rewards::{Currency, Rewards, Spread, is_standard, reward_of};
use super::tree::{Actor, Node, ROOT, Tree};
use super::{Grown, Playout, Settings};
use crate::knowledge::{Knowledge, select};
use crate::limits::Watch;
use crate::root::Class;

/// Where a playout that does not end is judged as it stands: longer than any game that leads somewhere.
const MAX_PLAYOUT: u32 = 1000;
/// A playout whose time is limited looks at the clock once in this many plies.
const PLIES_BETWEEN_LOOKS: u32 = 16;
/// How long it takes at most to look at a node when the tree is thinned out: not begun when there is too little time left.
pub(super) const NANOSECONDS_PER_NODE: u64 = 20;

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Ways down the tree, each with its playout.
    pub(super) playouts: u64,
    /// The plies of all these ways within the tree.
    pub(super) tree_plies: u64,
    /// The longest of these ways.
    pub(super) deepest: u32,
    /// How often the tree was thinned out.
    pub(super) recycled: u32,
}

impl Counts {
    /// What two threads have counted.
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            playouts: self.playouts + other.playouts,
            tree_plies: self.tree_plies + other.tree_plies,
            deepest: self.deepest.max(other.deepest),
            recycled: self.recycled + other.recycled,
        }
    }
}

/// Whether there is still room in the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    Enough,
    /// Something did not fit.
    Full,
    /// Nothing can be done about it.
    Exhausted,
}

/// One search.
pub(super) struct Search<'a, G: Game, K> {
    game: &'a G,
    knowledge: &'a K,
    settings: &'a Settings,
    pub(super) currency: Currency,
    position: G::Position,
    /// The moves of the root, those apart that are the same by symmetry.
    classes: &'a [Class<G::Move>],
    tree: &'a mut Tree<PlyOf<G>>,
    spread: &'a mut Spread,
    history: Option<&'a mut History>,
    rng: &'a mut Rng,
    watch: &'a mut Watch,
    repetition: Repetition,
    path: Vec<usize>,
    plies: Vec<(PlyOf<G>, f32)>,
    leanings: Vec<(G::Move, f32)>,
    played: Vec<(Player, usize)>,
    room: Room,
    pub(super) counts: Counts,
}

/// What a search borrows from its bot.
pub(super) struct Tools<'a, G: Game, K> {
    pub(super) game: &'a G,
    pub(super) knowledge: &'a K,
    pub(super) settings: &'a Settings,
    pub(super) grown: &'a mut Grown<PlyOf<G>>,
    pub(super) watch: &'a mut Watch,
}

impl<'a, G: Game, K: Knowledge<G>> Search<'a, G, K> {
    /// A search from `position`, which the root of the tree stands for, over the moves of `classes`, after a game with the given
    /// `repetition`s.
    pub(super) fn new(
        tools: Tools<'a, G, K>,
        position: G::Position,
        classes: &'a [Class<G::Move>],
        repetition: Repetition,
    ) -> Self {
        let Tools { game, knowledge, settings, grown, watch } = tools;
        let Grown { tree, spread, history, rng } = grown;
        let history = history.as_mut();
        Self {
            game,
            knowledge,
            settings,
            currency: Currency::of(game, knowledge),
            position,
            classes,
            tree,
            spread,
            history,
            rng,
            watch,
            repetition,
            path: Vec::new(),
            plies: Vec::new(),
            leanings: Vec::new(),
            played: Vec::new(),
            room: Room::Enough,
            counts: Counts::default(),
        }
    }

    pub(super) fn tree(&self) -> &Tree<PlyOf<G>> {
        self.tree
    }

    /// The last way down the tree, from the root on.
    pub(super) fn path(&self) -> &[usize] {
        &self.path
    }

    /// What can be seen of it while it goes on: what this thread has found.
    pub(super) fn sight(&self) -> Sight<'_, PlyOf<G>> {
        let Self { tree, counts, currency, watch, .. } = self;
        Sight { trees: vec![tree], counts: *counts, currency: *currency, watch }
    }

    /// Whether more thinking could not change what the player at the root gets.
    fn is_decided(&self) -> bool {
        let root = self.tree.node(ROOT);
        match root.actor {
            Actor::Player(player) => root.results.best(player) == root.results.worst(player),
            _ => true,
        }
    }

    /// One way down the tree and back; false if the search must stop, which leaves nothing half done.
    #[inline(always)]
    fn iterate(&mut self) -> bool {
        if self.room == Room::Full {
            self.make_room();
        }
        let mut position = self.position;
        self.path.clear();
        self.path.push(ROOT);
        self.played.clear();
        let rewards = self.descend(&mut position);
        if self.game.repetition().is_some() {
            self.path.iter().skip(1).for_each(|_| self.repetition.pop());
        }
        let Some(rewards) = rewards else { return false };
        self.back_up(&rewards);
        true
    }

    /// From the root to what the way is worth; `None` if the search must stop.
    #[inline(always)]
    fn descend(&mut self, position: &mut G::Position) -> Option<Rewards> {
        let mut index = ROOT;
        loop {
            let node = self.tree.node(index);
            if let Some(verdict) = node.results.proven() {
                return Some(self.currency.of_verdict(verdict));
            }
            let actor = match node.actor {
                Actor::Unseen => self.arrive(index, position),
                actor => actor,
            };
            if actor == Actor::Nobody {
                return Some(self.end(position));
            }
            if !self.tree.node(index).is_expanded() {
                let is_new = index != ROOT && self.tree.node(index).visits == 0;
                if is_new || !self.expand(index, actor, position)? {
                    return self.playout(*position);
                }
            }
            let child = match actor {
                Actor::Player(player) => self.select(index, player),
                _ => self.draw(index, position),
            };
            let Some(ply) = self.tree.node(child).ply else { return Some(self.opinion(position)) };
            let before = *position;
            match ply {
                Ply::Move(mv) => {
                    self.game.play_unchecked(position, mv);
                    if let (Actor::Player(player), true) = (actor, self.history.is_some()) {
                        self.played.push((player, self.knowledge.slot(self.game, mv)));
                    }
                }
                Ply::Chance(chance) => self.game.play_chance(position, chance),
            }
            if self.watch.tick() {
                return None;
            }
            self.path.push(child);
            if self.game.repetition().is_some() {
                let irreversible = self.game.is_irreversible(&before, position);
                self.repetition.push(self.game.key(position), irreversible);
            }
            index = child;
        }
    }

    /// Sees for the first time who acts at a node and whether the game goes on.
    #[inline(always)]
    fn arrive(&mut self, index: usize, position: &G::Position) -> Actor {
        let outcome = self.outcome(position);
        let actor = if outcome.is_some() { Actor::Nobody } else { self.game.turn(position).into() };
        self.tree.node_mut(index).actor = actor;
        if let Some(outcome) = outcome
            && self.settings.solver
            && is_standard(self.game.players(), outcome.verdict, &self.game.payoffs(position, &outcome))
        {
            self.tree.prove(index, outcome.verdict);
        }
        actor
    }

    /// How the game has ended, repetitions on the way here included.
    #[inline(always)]
    fn outcome(&self, position: &G::Position) -> Option<agon_core::Outcome> {
        let judged = self.game.outcome(position);
        // The root itself goes on, whatever was before it.
        judged.or_else(|| {
            self.game.repetition().filter(|_| self.path.len() > 1 && self.repetition.has_repeated())
        })
    }

    /// What the game pays at its end.
    #[inline(always)]
    fn end(&self, position: &G::Position) -> Rewards {
        match self.outcome(position) {
            Some(outcome) => self.currency.of_payoffs(&self.game.payoffs(position, &outcome)),
            None => self.opinion(position),
        }
    }

    /// What the evaluation thinks of an unfinished game.
    #[inline(always)]
    fn opinion(&self, position: &G::Position) -> Rewards {
        let state = self.knowledge.state(self.game, position);
        self.currency.of_opinion(&self.knowledge.payoffs(self.game, position, &state))
    }

    /// Puts the plies of a node into the tree; false if they do not fit, `None` if the search must stop.
    #[inline(always)]
    fn expand(&mut self, index: usize, actor: Actor, position: &G::Position) -> Option<bool> {
        let is_deep = self.watch.limits().depth.is_some_and(|depth| self.path.len() > depth as usize);
        if self.room != Room::Enough || is_deep {
            return Some(false);
        }
        let plies = &mut self.plies;
        plies.clear();
        match actor {
            Actor::Player(player) => {
                if index == ROOT {
                    plies.extend(self.classes.iter().map(|class| (Ply::Move(class.mv), 0.0)));
                } else {
                    self.game.for_each_move(
                        position,
                        #[inline(always)]
                        |mv| plies.push((Ply::Move(mv), 0.0)),
                    );
                }
                if let Some(rule) = self.settings.candidates {
                    let (game, knowledge) = (self.game, self.knowledge);
                    select(knowledge, game, position, rule, plies, 0, |(ply, _)| match *ply {
                        Ply::Move(mv) => Some(mv),
                        Ply::Chance(_) => None,
                    });
                }
                // Among moves about which nothing is known, none is preferred because of where it was generated.
                for last in (1..plies.len()).rev() {
                    plies.swap(last, below(self.rng, last as u64 + 1) as usize);
                }
                if self.settings.bias > 0.0 && !self.weigh(position, player) {
                    return None;
                }
            }
            _ => self.game.for_each_chance(
                position,
                #[inline(always)]
                |chance, _| plies.push((Ply::Chance(chance), 0.0)),
            ),
        }
        let fits = self.tree.expand(index, &self.plies);
        if !fits {
            self.room = Room::Full;
        }
        Some(fits && !self.plies.is_empty())
    }

    /// Judges every move by the position after it; false if the search must stop.
    #[inline(always)]
    fn weigh(&mut self, position: &G::Position, player: Player) -> bool {
        for number in 0..self.plies.len() {
            let Ply::Move(mv) = self.plies[number].0 else { continue };
            let mut next = *position;
            self.game.play_unchecked(&mut next, mv);
            if self.watch.tick() {
                return false;
            }
            let rewards = match self.game.outcome(&next) {
                Some(outcome) => self.currency.of_payoffs(&self.game.payoffs(&next, &outcome)),
                None => self.opinion(&next),
            };
            self.plies[number].1 = reward_of(&rewards, player) as f32;
        }
        true
    }

    /// The child that UCT follows: the best so far, with a bonus for those about which little is known.
    #[inline(always)]
    fn select(&self, index: usize, player: Player) -> usize {
        let parent = self.tree.node(index);
        let family = self.tree.family(index);
        let first = self.tree.children(index).start;
        let floor = parent.floor;
        // What is proven to be no better than what is certain is left out, unless nothing else is left.
        let is_open = family.iter().any(|child| child.matters(player, floor));
        let (offset, factor) = if self.game.players() == 1 { self.spread.normal() } else { (0.0, 1.0) };
        let logarithm = maths::ln(f64::from(parent.visits.max(1)));
        let (mut best, mut best_value) = (first, f64::NEG_INFINITY);
        for (number, child) in family.iter().enumerate() {
            if is_open && !child.matters(player, floor) {
                continue;
            }
            let visits = f64::from(child.visits);
            let guess = self.guess(child, player, offset, factor, visits);
            let value = if child.visits > 0 {
                let mean = match child.results.proven() {
                    Some(verdict) => reward_of(&self.currency.of_verdict(verdict), player),
                    None => child.sum / visits,
                };
                (mean - offset) * factor + self.settings.exploration * (logarithm / visits).sqrt() + guess
            } else if let Some(urgency) = self.settings.urgency {
                urgency + guess
            } else if self.settings.has_guess() {
                UNTRIED + guess
            } else {
                return first + number;
            };
            if value > best_value {
                (best, best_value) = (first + number, value);
            }
        }
        best
    }

    /// What knowledge adds to the value of a child, the less the more is known of it: progressive bias (Chaslot and others
    /// 2008) and progressive history (Nijssen & Winands 2011).
    #[inline(always)]
    fn guess(&self, child: &Node<PlyOf<G>>, player: Player, offset: f64, factor: f64, visits: f64) -> f64 {
        let mut guess = 0.0;
        if self.settings.bias > 0.0 {
            guess += self.settings.bias * (f64::from(child.prior) - offset) * factor / (visits + 1.0);
        }
        if let (Some(history), Some(Ply::Move(mv))) = (&self.history, child.ply)
            && let Some(mean) = history.mean(player, self.knowledge.slot(self.game, mv))
        {
            let mean = (mean - offset) * factor;
            let losses = visits - (child.sum - offset * visits) * factor;
            guess += self.settings.history * mean / (losses.max(0.0) + 1.0);
        }
        guess
    }

    /// The child that chance draws.
    #[inline(always)]
    fn draw(&mut self, index: usize, position: &G::Position) -> usize {
        let drawn = self.game.draw(position, self.rng.next_u64());
        drawn
            .and_then(|chance| self.tree.child(index, Ply::Chance(chance)))
            .unwrap_or(self.tree.children(index).start)
    }

    /// Plays on from `position` by the rule of the playouts; `None` if the search must stop.
    #[inline(always)]
    fn playout(&mut self, mut position: G::Position) -> Option<Rewards> {
        let plies = match self.settings.playout {
            Playout::Cut(plies) => plies,
            Playout::Uniform | Playout::Biased if self.settings.patience.is_none() => MAX_PLAYOUT,
            Playout::Uniform | Playout::Biased => u32::MAX,
        };
        let until = self.settings.patience.map(|patience| self.watch.elapsed() + patience);
        for ply in 0..plies {
            let looks = ply % PLIES_BETWEEN_LOOKS == 0;
            if until.is_some_and(|until| looks && self.watch.elapsed() >= until) {
                return Some(self.currency.of_verdict(Verdict::Drawn));
            }
            match self.game.turn(&position) {
                Turn::Player(player) => {
                    let mv = match self.settings.playout {
                        Playout::Uniform => self.game.random_move(&position, self.rng),
                        Playout::Biased | Playout::Cut(_) => self.leaning_move(&position),
                    };
                    let Some(mv) = mv else { break };
                    self.game.play_unchecked(&mut position, mv);
                    if self.history.is_some() {
                        self.played.push((player, self.knowledge.slot(self.game, mv)));
                    }
                }
                Turn::Chance => {
                    let Some(chance) = self.game.draw(&position, self.rng.next_u64()) else { break };
                    self.game.play_chance(&mut position, chance);
                }
            }
            if self.watch.tick() {
                return None;
            }
        }
        Some(match self.game.outcome(&position) {
            Some(outcome) => self.currency.of_payoffs(&self.game.payoffs(&position, &outcome)),
            None => self.opinion(&position),
        })
    }

    /// A move drawn by how the game leans.
    #[inline(always)]
    fn leaning_move(&mut self, position: &G::Position) -> Option<G::Move> {
        let mut sum = 0.0;
        let leanings = &mut self.leanings;
        leanings.clear();
        self.game.for_each_move(
            position,
            #[inline(always)]
            |mv| {
                sum += self.knowledge.lean(self.game, position, mv).max(0.0);
                leanings.push((mv, sum));
            },
        );
        // 24 bits, as many as a number of this kind holds, so that it stays below 1.
        let drawn = (self.rng.next_u64() >> 40) as f32 / (1_u32 << 24) as f32 * sum;
        let chosen = leanings.iter().find(|(_, until)| drawn < *until);
        chosen.or(leanings.last()).map(|(mv, _)| *mv)
    }

    /// Tells every node on the way, and the history, what it was worth.
    #[inline(always)]
    fn back_up(&mut self, rewards: &Rewards) {
        let depth = self.path.len() as u32 - 1;
        self.counts.playouts += 1;
        self.counts.tree_plies += u64::from(depth);
        self.counts.deepest = self.counts.deepest.max(depth);
        if self.game.players() == 1 {
            self.spread.add(rewards[0]);
        }
        let mut chooser = Actor::Unseen;
        for &index in &self.path {
            let node = self.tree.node_mut(index);
            node.visits = node.visits.saturating_add(1);
            if let Actor::Player(player) = chooser {
                node.sum += reward_of(rewards, player);
            }
            chooser = node.actor;
        }
        if let Some(history) = &mut self.history {
            for &(player, slot) in &self.played {
                history.add(player, slot, reward_of(rewards, player));
            }
        }
        if self.settings.solver {
            self.conclude();
        }
    }

    /// Hands what is proven at the end of the way up the tree, as far as it is news.
    #[inline(always)]
    fn conclude(&mut self) {
        let [above @ .., last] = self.path.as_slice() else { return };
        if self.tree.node(*last).results == super::results::Results::ANY {
            return;
        }
        for &index in above.iter().rev() {
            if !self.tree.conclude(index) {
                break;
            }
        }
    }

    /// Thins the tree out, if there is something to gain and time for it.
    #[cold]
    fn make_room(&mut self) {
        let cost = self.tree.len() as u64 * NANOSECONDS_PER_NODE;
        let used = self.watch.used();
        let left =
            if used > 0.0 { self.watch.elapsed().as_secs_f64() * (1.0 / used - 1.0) } else { f64::INFINITY };
        if left < 4e-9 * cost as f64 {
            self.room = Room::Exhausted;
        } else if self.tree.thin_out() {
            self.counts.recycled += 1;
            self.room = Room::Enough;
        } else {
            self.room = Room::Exhausted;
        }
    }
}

/// What a child that has never been tried is worth before all that have been.
const UNTRIED: f64 = 1e12;

/// What is called now and then, to say after how many playouts it is called next; `None` ends the search. Not a type parameter, so that the
/// loop is compiled once, whoever listens.
pub(super) type Report<'r, G, K> = dyn FnMut(&Search<'_, G, K>) -> Option<u64> + 'r;

/// The loop as a whole.
pub(super) struct Run<'s, 'a, 'r, G: Game, K> {
    pub(super) search: &'s mut Search<'a, G, K>,
    /// After how many playouts `report` is called first.
    pub(super) first_report: u64,
    pub(super) report: &'s mut Report<'r, G, K>,
}

impl<G: Game, K: Knowledge<G>> Root for Run<'_, '_, '_, G, K> {
    type Output = ();

    fn at<L: Level>(self, level: L) {
        let mut next_report = self.first_report;
        let search = self.search;
        loop {
            let goes_on = level.run(
                #[inline(always)]
                || search.iterate(),
            );
            if goes_on && search.counts.playouts == next_report {
                match (self.report)(search) {
                    Some(next) => next_report = next,
                    None => break,
                }
            }
            if !goes_on || !search.tree.node(ROOT).is_expanded() || search.is_decided() {
                break;
            }
        }
    }
}

/// After how many playouts there is something to tell.
pub(super) const FIRST_REPORT: u64 = 1024;
