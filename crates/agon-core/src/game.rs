//! The [`Game`] trait and the small types that every game shares.

use std::convert::Infallible;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::random::{Rng, below};

/// The most seats any game has.
pub const MAX_PLAYERS: usize = 6;

/// A seat at the board, counted from 0 in playing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index into per-player arrays.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Who acts next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A player chooses a move.
    Player(Player),
    /// Chance draws, as the tiles of 2048 are drawn.
    Chance,
}

/// How a finished game is judged, without its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// One player has won.
    Won(Player),
    /// Nobody has won and nobody has lost.
    Drawn,
    /// A game without an opponent has been lost.
    Lost,
}

/// The end of a game as people are told it: a verdict and the reason for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who has won, if anybody.
    pub verdict: Verdict,
    /// Why, in the words that records and interfaces use.
    pub reason: &'static str,
}

impl Outcome {
    /// A win of `player` for `reason`.
    pub const fn won(player: Player, reason: &'static str) -> Self {
        Self { verdict: Verdict::Won(player), reason }
    }

    /// A draw for `reason`.
    pub const fn drawn(reason: &'static str) -> Self {
        Self { verdict: Verdict::Drawn, reason }
    }

    /// The loss of a game without an opponent.
    pub const fn lost(reason: &'static str) -> Self {
        Self { verdict: Verdict::Lost, reason }
    }
}

/// What a finished game is worth to each player: the currency of search, not of people.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Payoffs(pub [f64; MAX_PLAYERS]);

impl Payoffs {
    /// The values of a game of two with opposite interests: `worth` to `player`.
    #[inline(always)]
    pub fn opposed(player: Player, worth: f64) -> Self {
        let mut payoffs = [0.0; MAX_PLAYERS];
        payoffs[player.index()] = worth;
        payoffs[1 - player.index()] = -worth;
        Self(payoffs)
    }

    /// What `player` gets.
    #[inline]
    pub fn of(&self, player: Player) -> f64 {
        self.0[player.index()]
    }
}

/// How far the only player of a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The points.
    pub score: u64,
    /// The highest mark reached, each twice the one before, such as the largest tile of a board; 0 before the first.
    pub mark: u64,
}

/// The rules of one game with its options fixed.
///
/// The value itself holds what all positions share (size, tables, options); a position is small
/// and `Copy`, so that search goes forward by copying and back by forgetting. Methods that
/// perft, playouts and search call at every node are generic over their callbacks and meant to
/// be inlined; anything dynamic happens once, at the root.
///
/// Three rules tie the methods together, and the conformance suite holds every game to them:
/// a position has an [`outcome`](Game::outcome) exactly if it has no move and no chance draw;
/// [`count_moves`](Game::count_moves), [`count_replies`](Game::count_replies),
/// [`is_legal`](Game::is_legal) and [`random_move`](Game::random_move) agree with
/// [`for_each_move`](Game::for_each_move); equal positions have equal keys.
pub trait Game: Sized + Send + Sync + 'static {
    /// Everything about a moment of the game that its rules look at, history apart.
    type Position: Copy + PartialEq + Debug + Send + Sync + 'static;
    /// One decision of a player; a pass is a move too.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// One draw of chance; `Infallible` where there is none.
    type Chance: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// How many seats the game has, 1 to [`MAX_PLAYERS`].
    fn players(&self) -> usize;

    /// The position every game starts from unless told otherwise.
    fn start(&self) -> Self::Position;

    /// Who acts in `position`; in a finished game, who would have acted.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Calls `visit` once for every legal move until it breaks: for none if the game is over or chance acts.
    fn try_for_each_move<T>(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move) -> ControlFlow<T>,
    ) -> ControlFlow<T>;

    /// Calls `visit` once for every legal move: none if the game is over or chance acts.
    #[inline(always)]
    fn for_each_move(&self, position: &Self::Position, mut visit: impl FnMut(Self::Move)) {
        let ControlFlow::Continue(()) = self.try_for_each_move(
            position,
            #[inline(always)]
            |mv| -> ControlFlow<Infallible> {
                visit(mv);
                ControlFlow::Continue(())
            },
        );
    }

    /// Plays a move that is known to be legal.
    fn play_unchecked(&self, position: &mut Self::Position, mv: Self::Move);

    /// How the game has ended in `position`, judged as it stands; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// A hash of all that decides how the game goes on, ply counts apart.
    fn key(&self, position: &Self::Position) -> u64;

    /// How many legal moves there are.
    #[inline(always)]
    fn count_moves(&self, position: &Self::Position) -> u64 {
        let mut count = 0;
        self.for_each_move(position, |_| count += 1);
        count
    }

    /// How many positions lie two plies on, the first of the two a player's move. Perft spends its
    /// time here; a game that can weigh all answers to a position together does better than the
    /// default, which plays the moves one by one.
    #[inline(always)]
    fn count_replies(&self, position: &Self::Position) -> u64 {
        count_replies_singly(self, position)
    }

    /// Whether a move, however it was made up, is legal.
    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let same = |legal| if legal == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        self.try_for_each_move(position, same).is_break()
    }

    /// A legal move, each equally likely; `None` if there is none.
    #[inline(always)]
    fn random_move(&self, position: &Self::Position, rng: &mut Rng) -> Option<Self::Move> {
        let count = self.count_moves(position);
        if count == 0 {
            return None;
        }
        let mut before = below(rng, count);
        let chosen = self.try_for_each_move(
            position,
            #[inline(always)]
            |mv| {
                if before == 0 {
                    return ControlFlow::Break(mv);
                }
                before -= 1;
                ControlFlow::Continue(())
            },
        );
        chosen.break_value()
    }

    /// Whether chance ever acts.
    fn has_chance(&self) -> bool {
        false
    }

    /// Calls `visit` with every draw that chance can make and its probability.
    #[inline(always)]
    fn for_each_chance(&self, _position: &Self::Position, _visit: impl FnMut(Self::Chance, f64)) {}

    /// How many draws chance can make.
    #[inline(always)]
    fn count_chances(&self, position: &Self::Position) -> u64 {
        let mut count = 0;
        self.for_each_chance(position, |_, _| count += 1);
        count
    }

    /// The draw that `number`, evenly distributed over all `u64`, stands for; `None` where chance
    /// does not act. Two games fed the same numbers have the same luck.
    #[inline(always)]
    fn draw(&self, _position: &Self::Position, _number: u64) -> Option<Self::Chance> {
        None
    }

    /// Carries out a draw that is known to be possible.
    fn play_chance(&self, _position: &mut Self::Position, _chance: Self::Chance) {}

    /// The ply count that positions carry; `None` where they carry none.
    fn ply(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// The most plies that can still be played, where the rules limit the length of a game.
    fn plies_left(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// The outcome of a game in which a position arises again, where the rules end it so.
    /// The rule looks at [`key`](Game::key)s since the last irreversible move.
    fn repetition(&self) -> Option<Outcome> {
        None
    }

    /// Whether the step from `before` to `after` can never be taken back, so that no earlier
    /// position can repeat. Asked only where [`repetition`](Game::repetition) is a rule.
    fn is_irreversible(&self, _before: &Self::Position, _after: &Self::Position) -> bool {
        false
    }

    /// What `outcome`, reached in `position`, is worth to each player: by default 1 for a win, -1
    /// for a loss, 0 for a draw.
    fn payoffs(&self, _position: &Self::Position, outcome: &Outcome) -> Payoffs {
        let mut payoffs = Payoffs::default();
        match outcome.verdict {
            Verdict::Won(winner) => {
                payoffs.0[..self.players()].fill(-1.0);
                payoffs.0[winner.index()] = 1.0;
            }
            Verdict::Lost => payoffs.0[..self.players()].fill(-1.0),
            Verdict::Drawn => {}
        }
        payoffs
    }

    /// What a game without an opponent is remembered by, finished or not; `None` where games are won and lost.
    fn standing(&self, _position: &Self::Position) -> Option<Standing> {
        None
    }

    /// The players from first place to last after `outcome`; who share a place share a group.
    fn ranking(&self, _position: &Self::Position, outcome: &Outcome) -> Vec<Vec<Player>> {
        let all = (0..self.players() as u8).map(Player);
        match outcome.verdict {
            Verdict::Won(winner) => {
                let others: Vec<Player> = all.filter(|&player| player != winner).collect();
                [vec![winner], others].into_iter().filter(|group| !group.is_empty()).collect()
            }
            Verdict::Drawn | Verdict::Lost => vec![all.collect()],
        }
    }
}

/// Counts the positions two plies on by playing the moves of `position` one by one: what
/// [`Game::count_replies`] does by default, and falls back on where it knows no better.
#[inline(always)]
pub fn count_replies_singly<G: Game>(game: &G, position: &G::Position) -> u64 {
    let mut count = 0;
    game.for_each_move(
        position,
        #[inline(always)]
        |mv| {
            let mut next = *position;
            game.play_unchecked(&mut next, mv);
            count += match game.turn(&next) {
                Turn::Player(_) => game.count_moves(&next),
                Turn::Chance => game.count_chances(&next),
            };
        },
    );
    count
}
