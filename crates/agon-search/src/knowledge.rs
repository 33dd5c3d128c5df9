//! What a search is told about a game: what positions are worth, and which moves deserve attention.

use agon_core::{Game, Line, Outcome, Payoffs, Player, Rng, Turn};

use crate::limits::Watch;

/// The score of a win on the spot; a win after `n` plies scores `WIN - n`, a loss the opposite.
pub const WIN: i32 = 1_000_000;

/// Scores beyond this are wins that have been found, not opinions: evaluations stay below it.
pub const PROVEN: i32 = WIN - 100_000;

/// `score` within what an opinion may be, for evaluations whose weights can be set to anything.
#[inline(always)]
pub fn as_opinion(score: i32) -> i32 {
    score.clamp(1 - PROVEN, PROVEN - 1)
}

/// How many plies away the end is that a score has proven, counted from where the score holds; `None` for an
/// opinion. Negative for a loss.
pub fn proven_in(score: f64) -> Option<i64> {
    (score.abs() > f64::from(PROVEN)).then(|| {
        let plies = (f64::from(WIN) - score.abs()).round() as i64;
        if score > 0.0 { plies } else { -plies }
    })
}

/// One reason for an opinion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// What it is called.
    pub name: &'static str,
    /// How much of it there is, for the player to move.
    pub value: f64,
    /// What one of it is worth.
    pub weight: f64,
}

/// What the numbers of an evaluation mean to people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// A lead that stands for an expected result: this much of it wins about three games in four, as a fit to games has shown.
    Expectation {
        /// That lead.
        scale: f64,
    },
    /// An amount of something with a name, such as discs; nothing is claimed about chances.
    Amount {
        /// What is counted, in the plural.
        name: &'static str,
        /// How much of the score one of it is.
        one: f64,
    },
}

/// A weight of a linear evaluation that can be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// Its name in bot specifications.
    pub name: String,
    /// What it is set to.
    pub value: f64,
}

impl Weight {
    /// The weight of the feature called `feature`: in specifications names are single words.
    pub fn of(feature: &str, value: f64) -> Self {
        Self { name: feature.replace(' ', "-"), value }
    }
}

/// An opinion of what an unfinished position is worth.
///
/// Its [unit](Evaluation::unit) is its own; in games of two, what one player gains the other loses. A search may carry a
/// [`State`](Evaluation::State) along from position to position, so that features need not be recomputed.
pub trait Evaluation<G: Game>: Send + Sync + 'static {
    /// What is carried along; `()` if everything is read off the position.
    type State: Copy + Send + Sync + 'static;

    /// The state that belongs to `position`, counted from nothing.
    fn state(&self, game: &G, position: &G::Position) -> Self::State;

    /// Brings `state` from the position `before` a move to the one `after` it: to what
    /// [`state`](Evaluation::state) would say of `after`.
    fn advance(
        &self,
        game: &G,
        state: &mut Self::State,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    );

    /// What `position` is worth to each player.
    fn payoffs(&self, game: &G, position: &G::Position, state: &Self::State) -> Payoffs;

    /// What `position` is worth to the player to move, rounded, strictly between `-PROVEN` and `PROVEN`: the
    /// form for games of two, which must agree with [`payoffs`](Evaluation::payoffs).
    #[inline(always)]
    fn score(&self, game: &G, position: &G::Position, state: &Self::State) -> i32 {
        match game.turn(position) {
            Turn::Player(player) => self.payoffs(game, position, state).of(player).round() as i32,
            Turn::Chance => 0,
        }
    }

    /// What the opinion depends on beyond what [`Game::key`] covers, such as the number of plies played: positions that
    /// differ in it are not mistaken for one another.
    #[inline(always)]
    fn context(&self, _game: &G, _position: &G::Position) -> u64 {
        0
    }

    /// The reasons for the opinion, seen from `player`; their products with their weights add up to the
    /// payoff of `player` unless the evaluation says otherwise.
    fn features(&self, game: &G, position: &G::Position, player: Player) -> Vec<Feature>;

    /// What the end of the game in `position` is worth to each player: by default what the game pays, a win being
    /// [`WIN`], which outweighs every opinion; a game of one is worth what it pays. An evaluation that measures how high a game is
    /// won counts ends in its own unit, below [`PROVEN`].
    #[inline(always)]
    fn at_end(&self, game: &G, position: &G::Position, outcome: &Outcome) -> Payoffs {
        let mut payoffs = game.payoffs(position, outcome);
        if game.players() > 1 {
            payoffs.0.iter_mut().for_each(|value| *value *= f64::from(WIN));
        }
        payoffs
    }

    /// Whether a finished game is seen where the depth of a search is used up; if not, expectimax and plain search judge it there like
    /// any other position.
    #[inline(always)]
    fn sees_ends_at_leaves(&self) -> bool {
        true
    }

    /// The lead that wins about three games in four: by it opinions become chances of winning.
    fn scale(&self) -> f64 {
        100.0
    }

    /// What its numbers mean to people.
    fn unit(&self) -> Unit {
        Unit::Expectation { scale: self.scale() }
    }

    /// The weights that can be set; none unless the evaluation is a sum of named features.
    fn weights(&self) -> Vec<Weight> {
        Vec::new()
    }

    /// Sets the weight with that place among [`weights`](Evaluation::weights).
    fn set_weight(&mut self, _place: usize, _value: f64) {}

    /// Is told the game as it stands before each search, for what depends on it rather than on the position that is judged.
    fn prepare(&mut self, _line: &Line<G>) {}
}

/// Which shallow search predicts a deep one, and how well (Buro 1995, ProbCut):
/// `deep ≈ slope * shallow + offset`, with standard deviation `sigma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The depth of the shallow search.
    pub depth: u32,
    /// Factor of the shallow score.
    pub slope: f64,
    /// What is added.
    pub offset: f64,
    /// The standard deviation of the error.
    pub sigma: f64,
}

/// A result that a game's own solver has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution<M> {
    /// The move.
    pub best: M,
    /// What it is worth to the player to move, in the unit of the evaluation.
    pub score: f64,
    /// Whether that is proven: the result of the game under best play.
    pub is_exact: bool,
    /// How many plies were looked at.
    pub depth: u32,
    /// How the game goes on.
    pub line: Vec<M>,
}

/// What a game knows about its moves. Everything has a default, which knows nothing; a search asks only for what
/// is switched on.
pub trait Tactics<G: Game>: Send + Sync + 'static {
    /// How many different [`slot`](Tactics::slot)s there are.
    fn slots(&self, game: &G) -> usize;

    /// A number for `mv` below [`slots`](Tactics::slots): moves that are alike (the same piece to the same square)
    /// share one. Killers, history and countermoves are kept by slot.
    fn slot(&self, game: &G, mv: G::Move) -> usize;

    /// The static ordering score of `mv`: the larger, the sooner it is searched. Where the search has learned
    /// something itself, that is added: 1000 for a killer move, 500 for a countermove, up to 1000 either way for
    /// a move's history.
    #[inline(always)]
    fn order(&self, _game: &G, _position: &G::Position, _mv: G::Move) -> i32 {
        0
    }

    /// The [`order`](Tactics::order) of the moves of one position. A game in which much of it depends on the position
    /// alone finds that out once, here, rather than with every move.
    #[inline(always)]
    fn ordering<'a>(&'a self, game: &'a G, position: &'a G::Position) -> impl Fn(G::Move) -> i32 + 'a {
        #[inline(always)]
        move |mv| self.order(game, position, mv)
    }

    /// The order in which the original program of this game searched.
    #[inline(always)]
    fn original_order(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        self.order(game, position, mv)
    }

    /// The kinds of moves that a quiescence search can be told to follow, the default first.
    fn noisy_kinds(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether `mv` is of the noisy kind with the index `kind`.
    #[inline(always)]
    fn is_noisy(&self, _game: &G, _position: &G::Position, _mv: G::Move, _kind: usize) -> bool {
        false
    }

    /// Calls `visit` for every move of the noisy kind with the index `kind` and its [`order`](Tactics::order): all moves
    /// are asked one by one, unless the game knows better.
    #[inline(always)]
    fn for_each_noisy_move(
        &self,
        game: &G,
        position: &G::Position,
        kind: usize,
        mut visit: impl FnMut(G::Move, i32),
    ) {
        let order = self.ordering(game, position);
        game.for_each_move(
            position,
            #[inline(always)]
            |mv| {
                if self.is_noisy(game, position, mv, kind) {
                    visit(mv, order(mv));
                }
            },
        );
    }

    /// The rules by which moves can be left out before they are searched, other than `all`.
    fn selections(&self) -> &'static [&'static str] {
        &[]
    }

    /// How the selection with the index `rule` grades `mv`. Of the moves of a position only those of the highest grade that occurs
    /// are searched.
    #[inline(always)]
    fn grade(&self, _game: &G, _position: &G::Position, _mv: G::Move, _rule: usize) -> u8 {
        0
    }

    /// How much the original program of this game prefers `mv` to other moves at the root that score the same.
    fn tie_break(&self, _game: &G, _position: &G::Position, _mv: G::Move) -> i32 {
        0
    }

    /// What making `mv` costs beyond what the position after it shows, for how the game has gone so far: going back, say.
    fn cost(&self, _line: &Line<G>, _mv: G::Move) -> i32 {
        0
    }

    /// The symmetries, by numbers of the game's own, that turn `position` into itself and leave rules and opinions as they are; that
    /// of changing nothing is not among them.
    fn symmetries(&self, _game: &G, _position: &G::Position) -> Vec<u8> {
        Vec::new()
    }

    /// What `mv` becomes by the symmetry with this number.
    fn image(&self, _game: &G, mv: G::Move, _symmetry: u8) -> G::Move {
        mv
    }

    /// Whether a search stops in `position` and judges it, whatever its depth.
    #[inline(always)]
    fn is_leaf(&self, _game: &G, _position: &G::Position) -> bool {
        false
    }

    /// Hands the turn to the other side without a move, and says whether that can be done and makes sense: not
    /// where having to move may be a burden.
    #[inline(always)]
    fn skip_turn(&self, _game: &G, _position: &mut G::Position) -> bool {
        false
    }

    /// Whether the player to move would lose at once without the right answer; such positions are searched deeper.
    #[inline(always)]
    fn is_threatened(&self, _game: &G, _position: &G::Position) -> bool {
        false
    }

    /// A result that is certain without search: the score for the player to move, `WIN - n` for a win after `n`
    /// plies at most `horizon` plies away (or the opposite). It must be what a search of that depth would find.
    #[inline(always)]
    fn foresee(&self, _game: &G, _position: &G::Position, _horizon: u32) -> Option<i32> {
        None
    }

    /// How a search `depth` plies deep is predicted by a shallow one, if that is known.
    #[inline(always)]
    fn prediction(&self, _game: &G, _position: &G::Position, _depth: u32) -> Option<Prediction> {
        None
    }

    /// The rules, by name, by which a search of fixed depth can be told how deep to look.
    fn depth_rules(&self) -> &'static [&'static str] {
        &[]
    }

    /// How many plies the rule with the index `rule` wants to look ahead from `position`; at least one.
    fn depth(&self, _game: &G, _position: &G::Position, _rule: usize) -> u32 {
        1
    }

    /// How much more likely than others `mv` is to be drawn in a biased playout.
    #[inline(always)]
    fn lean(&self, _game: &G, _position: &G::Position, _mv: G::Move) -> f32 {
        1.0
    }

    /// Solves the game from here on by the game's own means, if that is within `reach` (in a measure of the
    /// game's own, such as empty squares) and done before `watch` says stop, or `share` of what it allows has been used.
    fn solve(
        &self,
        _line: &Line<G>,
        _reach: u32,
        _share: f64,
        _watch: &mut Watch,
    ) -> Option<Solution<G::Move>> {
        None
    }

    /// The best move by a search that the game has for itself, where that plays better than the general ones, up to `reach` (as for
    /// [`solve`](Tactics::solve)); it goes on until `watch` says stop or the result is proven. Not asked for an analysis, for several moves to
    /// be compared, nor for a certain depth.
    fn think(&self, _line: &Line<G>, _reach: u32, _watch: &mut Watch) -> Option<Solution<G::Move>> {
        None
    }

    /// Forgets what earlier solutions have left behind, so that the next one depends on nothing but its position.
    fn forget(&mut self) {}

    /// The opening books of the game, by name.
    fn books(&self) -> &'static [&'static str] {
        &[]
    }

    /// What the book with the index `book` plays here; `None` outside of it.
    fn book_move(&self, _line: &Line<G>, _book: usize, _rng: &mut Rng) -> Option<G::Move> {
        None
    }
}

/// All that a search is told about a game.
pub trait Knowledge<G: Game>: Evaluation<G> + Tactics<G> {}
impl<G: Game, K: Evaluation<G> + Tactics<G>> Knowledge<G> for K {}

/// Of the items from `start` on leaves those whose moves have the highest grade in the selection with the index `rule`, in their
/// order; says whether it has left out any.
#[inline(always)]
pub(crate) fn select<G: Game, T>(
    tactics: &impl Tactics<G>,
    game: &G,
    position: &G::Position,
    rule: usize,
    items: &mut Vec<T>,
    start: usize,
    mv: impl Fn(&T) -> Option<G::Move>,
) -> bool {
    let (mut kept, mut highest) = (start, 0);
    for index in start..items.len() {
        let grade = mv(&items[index]).map_or(u8::MAX, |mv| tactics.grade(game, position, mv, rule));
        if grade > highest {
            (kept, highest) = (start, grade);
        }
        if grade == highest {
            items.swap(kept, index);
            kept += 1;
        }
    }
    let leaves_out = kept < items.len();
    items.truncate(kept);
    leaves_out
}
