//! What a search is told about Othello.

use std::sync::{Arc, Mutex};

use crate::{Move, Othello, Position};
use agon_board::symmetry::{SYMMETRIES, image_of_set, image_of_square};
use agon_core::cpu;
use agon_core::{Game, Line, Outcome, Payoffs, Player};
use agon_search::{Evaluation, Feature, Prediction, Solution, Tactics, Unit, Watch, Weight, as_opinion};

use super::patterns::Arrangement;
use super::s5::{self, Shares};
use super::solver::{Effort, Solver, probcut};
use super::weights::{UNIT, Weights};
use super::{Squares, features};

/// How positions are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Opinion {
    /// By trained patterns.
    Patterns,
    /// By named features.
    Features,
    /// By discs alone.
    Discs,
    /// As source S5 does.
    S5(Shares),
}

/// What is known about Othello, judged in one of several ways.
#[derive(Clone, Debug)]
pub struct OthelloKnowledge {
    opinion: Opinion,
    weights: &'static Weights,
    feature_weights: features::Weights,
    /// Made when the end is near: its table is large.
    solver: Arc<Mutex<Option<Solver>>>,
}

/// The size of the solver's table, in megabytes: a larger one could not be made ready within a short move.
const SOLVER_TABLE: usize = 16;
/// How many moves a second the solver is counted on to make on a slow machine, a third of what it makes on the one it was measured on.
const NODES_A_SECOND: f64 = 10e6;
/// With more empty squares nobody waits for the exact result.
const SOLVABLE: u32 = 26;
/// What a disc is worth in scores.
const DISC: i32 = 100;
/// No opinion is as sure as a result.
const MOST: i32 = 64 * DISC;

impl OthelloKnowledge {
    pub(super) fn new(opinion: Opinion) -> Self {
        let feature_weights = features::own_weights();
        Self { opinion, weights: Weights::builtin(), feature_weights, solver: Arc::default() }
    }

    /// What the features count at this moment.
    #[inline(always)]
    fn weights_at<B: Squares>(&self, game: &Othello<B>, position: &Position<B>) -> [i32; features::COUNT] {
        let filled = (position.own | position.opponent).count();
        features::weights_at(&self.feature_weights, filled, squares(game))
    }

    /// What the shares of source S5 say, for the side to move.
    #[inline(always)]
    fn shares<B: Squares>(shares: Shares, game: &Othello<B>, position: &Position<B>) -> i32 {
        let features = s5::features(shares, game, position);
        as_opinion(features.iter().map(|(_, value, weight)| value * weight).sum::<f64>().round() as i32)
    }

    /// What a disc is worth in scores.
    fn disc(&self) -> i32 {
        if self.opinion == Opinion::Discs { 1 } else { DISC }
    }

    /// What the patterns say of an 8×8 position, in hundredths of a disc for the side to move.
    #[inline(always)]
    fn patterns<B: Squares>(&self, position: &Position<B>, state: &Arrangement) -> i32 {
        let (Some(own), Some(opponent)) = (position.own.word(), position.opponent.word()) else { return 0 };
        let factor = if position.to_move == Player(0) { 1 } else { -1 };
        (self.weights.value(state, own, opponent, factor) * DISC / UNIT).clamp(-MOST, MOST)
    }
}

/// How many squares the board has.
#[inline(always)]
fn squares<B: Squares>(game: &Othello<B>) -> u32 {
    (game.size() * game.size()) as u32
}

impl<B: Squares> Evaluation<Othello<B>> for OthelloKnowledge {
    type State = Arrangement;

    #[inline(always)]
    fn state(&self, _game: &Othello<B>, position: &Position<B>) -> Arrangement {
        match (self.opinion, position.discs(Player(0)).word(), position.discs(Player(1)).word()) {
            (Opinion::Patterns, Some(black), Some(white)) => Arrangement::new(black, white),
            _ => Arrangement::default(),
        }
    }

    #[inline(always)]
    fn advance(
        &self,
        _game: &Othello<B>,
        state: &mut Arrangement,
        before: &Position<B>,
        mv: Move,
        after: &Position<B>,
    ) {
        if let (Opinion::Patterns, Move::Place(square), Some(flips)) =
            (self.opinion, mv, (before.opponent & !after.own).word())
        {
            let factor = if before.to_move == Player(0) { 1 } else { -1 };
            state.play(usize::from(square), flips, factor);
        }
    }

    fn payoffs(&self, game: &Othello<B>, position: &Position<B>, state: &Arrangement) -> Payoffs {
        Payoffs::opposed(position.to_move, f64::from(self.score(game, position, state)))
    }

    #[inline(always)]
    fn score(&self, game: &Othello<B>, position: &Position<B>, state: &Arrangement) -> i32 {
        match self.opinion {
            Opinion::Patterns => self.patterns(position, state),
            // Only the trained patterns are worth compiling into every search.
            Opinion::Features => cpu::run_outlined(|| {
                let counts = features::count(game, position);
                let weights = self.weights_at(game, position);
                let sum: i32 = counts.iter().zip(weights).map(|(count, weight)| count * weight).sum();
                // Nobody wins by more than there are squares.
                let most = squares(game) as i32 * DISC;
                sum.clamp(-most, most)
            }),
            Opinion::Discs => position.own.count() as i32 - position.opponent.count() as i32,
            Opinion::S5(shares) => cpu::run_outlined(|| Self::shares(shares, game, position)),
        }
    }

    /// The final difference of discs, empty squares going to the winner, in the unit of the opinion: so that what is proven and what is
    /// thought can be compared. Source S5 knows no ends.
    #[cold]
    fn at_end(&self, game: &Othello<B>, position: &Position<B>, _outcome: &Outcome) -> Payoffs {
        let score = if let Opinion::S5(shares) = self.opinion {
            Self::shares(shares, game, position)
        } else {
            let [own, opponent] = [position.own, position.opponent].map(|discs| discs.count() as i32);
            let lead = own - opponent;
            (lead + lead.signum() * (squares(game) as i32 - own - opponent)) * self.disc()
        };
        Payoffs::opposed(position.to_move, f64::from(score))
    }

    /// For patterns: their sum, which is the whole opinion, and the named features beside it without weight.
    fn features(&self, game: &Othello<B>, position: &Position<B>, player: Player) -> Vec<Feature> {
        let sign = if position.to_move == player { 1.0 } else { -1.0 };
        let named = |weights: [i32; features::COUNT]| {
            let counts = features::count(game, position);
            let specs = features::FEATURES.iter().zip(counts).zip(weights);
            specs.map(|((spec, count), weight)| Feature {
                name: spec.name,
                value: sign * f64::from(count),
                weight: f64::from(weight),
            })
        };
        match self.opinion {
            Opinion::Patterns => {
                let state = self.state(game, position);
                let sum = sign * f64::from(self.patterns(position, &state));
                let patterns = Feature { name: "patterns", value: sum, weight: 1.0 };
                std::iter::once(patterns).chain(named([0; features::COUNT])).collect()
            }
            Opinion::Features => named(self.weights_at(game, position)).collect(),
            Opinion::Discs => {
                let discs = f64::from(position.own.count()) - f64::from(position.opponent.count());
                vec![Feature { name: "discs", value: sign * discs, weight: 1.0 }]
            }
            Opinion::S5(shares) => s5::features(shares, game, position)
                .map(|(name, value, weight)| Feature { name, value: sign * value, weight })
                .into_iter()
                .filter(|feature| feature.weight != 0.0)
                .collect(),
        }
    }

    fn scale(&self) -> f64 {
        match self.opinion {
            Opinion::Patterns | Opinion::Features => 600.0,
            Opinion::Discs => 8.0,
            Opinion::S5(_) => 2500.0,
        }
    }

    fn unit(&self) -> Unit {
        match self.opinion {
            // A share counts up to a hundred.
            Opinion::S5(_) => Unit::Amount { name: "S5 points", one: s5::FINENESS },
            _ => Unit::Amount { name: "discs", one: f64::from(self.disc()) },
        }
    }

    fn weights(&self) -> Vec<Weight> {
        match self.opinion {
            Opinion::Patterns | Opinion::Discs => Vec::new(),
            Opinion::Features => features::FEATURES
                .iter()
                .zip(self.feature_weights)
                // Shown as it is in the middle of the game; set, it is the same throughout.
                .map(|(feature, [_, middle, _])| Weight::of(feature.name, f64::from(middle)))
                .collect(),
            Opinion::S5(Shares { discs, mobility, corners }) => {
                [Weight::of("discs", discs), Weight::of("mobility", mobility), Weight::of("corners", corners)]
                    .into()
            }
        }
    }

    fn set_weight(&mut self, place: usize, value: f64) {
        match &mut self.opinion {
            Opinion::Patterns | Opinion::Discs => {}
            Opinion::Features => self.feature_weights[place] = [value.round() as i32; 3],
            Opinion::S5(shares) => match place {
                0 => shares.discs = value,
                1 => shares.mobility = value,
                _ => shares.corners = value,
            },
        }
    }
}

impl<B: Squares> Tactics<Othello<B>> for OthelloKnowledge {
    fn slots(&self, _game: &Othello<B>) -> usize {
        B::STRIDE * B::MAX_SIZE + 1
    }

    #[inline(always)]
    fn slot(&self, _game: &Othello<B>, mv: Move) -> usize {
        match mv {
            Move::Place(square) => usize::from(square),
            Move::Pass => B::STRIDE * B::MAX_SIZE,
        }
    }

    /// Corners first, then what leaves the opponent few moves, and squares beside an empty corner late.
    #[inline(always)]
    fn order(&self, game: &Othello<B>, position: &Position<B>, mv: Move) -> i32 {
        let Move::Place(square) = mv else { return 0 };
        let mut next = *position;
        game.play_unchecked(&mut next, mv);
        let placed = B::square(usize::from(square));
        let corners = features::corners(game);
        let near = (corners & !(position.own | position.opponent)).dilate();
        let answers = B::moves(game, next.own, next.opponent);
        let mobility = answers.count() + 2 * (answers & corners).count();
        let place = if !(placed & corners).is_empty() {
            800
        } else if !(placed & near).is_empty() {
            -200
        } else {
            0
        };
        place - 80 * mobility as i32
    }

    fn symmetries(&self, game: &Othello<B>, position: &Position<B>) -> Vec<u8> {
        let is_same = |set: B, symmetry| image_of_set(set, game.size(), symmetry) == set;
        SYMMETRIES
            .filter(|&symmetry| is_same(position.own, symmetry) && is_same(position.opponent, symmetry))
            .collect()
    }

    fn image(&self, game: &Othello<B>, mv: Move, symmetry: u8) -> Move {
        match mv {
            Move::Place(square) => {
                Move::Place(image_of_square::<B>(usize::from(square), game.size(), symmetry) as u16)
            }
            Move::Pass => Move::Pass,
        }
    }

    /// Source S5 does not look beyond a position in which the side to move has to pass.
    #[inline(always)]
    fn is_leaf(&self, game: &Othello<B>, position: &Position<B>) -> bool {
        matches!(self.opinion, Opinion::S5(_)) && game.legal_squares(position).is_empty()
    }

    #[inline(always)]
    fn prediction(&self, game: &Othello<B>, position: &Position<B>, depth: u32) -> Option<Prediction> {
        if self.opinion != Opinion::Patterns {
            return None;
        }
        let empties = (game.board() & !(position.own | position.opponent)).count();
        let shallow = probcut::shallow_depth(depth)?;
        let sigma = f64::from(DISC) * f64::from(probcut::deviation(empties, depth, shallow));
        Some(Prediction { depth: shallow, slope: 1.0, offset: 0.0, sigma })
    }

    /// The exact result if there is time for it, else that of the last search to the end that was finished, which may
    /// have left out what is very probably worse; nothing if not even that was finished in its share of the time.
    fn solve(
        &self,
        line: &Line<Othello<B>>,
        reach: u32,
        share: f64,
        watch: &mut Watch,
    ) -> Option<Solution<Move>> {
        let position = line.position();
        let game = line.game();
        let (own, opponent) = (position.own.word()?, position.opponent.word()?);
        let empties = squares(&**game) - (own | opponent).count_ones();
        let limits = watch.limits();
        let in_time = limits.time.map(|time| (time.as_secs_f64() * NODES_A_SECOND) as u64);
        let nodes = in_time.into_iter().chain(limits.nodes).min();
        let reach = reach.min(SOLVABLE);
        let reachable = nodes.map_or(reach, |nodes| reach.min(Solver::horizon(nodes)));
        if empties > reachable || game.outcome(position).is_some() {
            return None;
        }
        let mut solver = self.solver.lock().ok()?;
        let solver = solver.get_or_insert_with(|| {
            Solver::with_weights(&Othello::new(game.size()), SOLVER_TABLE, Some(self.weights))
        });
        solver.use_threads(watch.threads());
        let mut counted = 0;
        let word = Position { own, opponent, to_move: position.to_move };
        let solution = solver.solve(&word, Effort::AsFarAsPossible, &mut |nodes| {
            let must_stop = watch.count(nodes - counted);
            counted = nodes;
            let used_nodes = limits.nodes.map_or(0.0, |limit| watch.nodes() as f64 / limit as f64);
            must_stop || watch.used().max(used_nodes) > share
        })?;
        let best = *solution.line.first()?;
        let score = f64::from(solution.score * self.disc());
        let (is_exact, depth, line) = (solution.is_exact, solution.line.len() as u32, solution.line);
        Some(Solution { best, score, is_exact, depth, line })
    }

    /// What the solver finds by looking deeper and deeper, where the patterns judge.
    fn think(&self, line: &Line<Othello<B>>, reach: u32, watch: &mut Watch) -> Option<Solution<Move>> {
        let position = line.position();
        let game = line.game();
        let (own, opponent) = (position.own.word()?, position.opponent.word()?);
        let empties = squares(&**game) - (own | opponent).count_ones();
        if self.opinion != Opinion::Patterns || empties > reach || game.outcome(position).is_some() {
            return None;
        }
        let mut solver = self.solver.lock().ok()?;
        let solver = solver.get_or_insert_with(|| {
            Solver::with_weights(&Othello::new(game.size()), SOLVER_TABLE, Some(self.weights))
        });
        let mut counted = 0;
        let word = Position { own, opponent, to_move: position.to_move };
        let insight = solver.think(&word, empties, &mut |nodes| {
            let must_stop = watch.count(nodes - counted);
            counted = nodes;
            must_stop
        })?;
        let best = *insight.line.first()?;
        let score = f64::from(insight.score * self.disc());
        Some(Solution { best, score, is_exact: insight.is_exact, depth: insight.depth, line: insight.line })
    }

    fn forget(&mut self) {
        self.solver = Arc::default();
    }
}
