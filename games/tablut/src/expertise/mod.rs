//! Tablut: what positions are worth (`tafl`, ours, and `s1`, the original's), which moves deserve attention,
//! and the bots made of it.

mod king;
mod presets;
mod s1;
mod squares;
mod tactics;
mod tafl;

use crate::{Move, Position, Side, Tablut};
use agon_board::Bits;
use agon_board::symmetry::{SYMMETRIES, image_of_place, image_of_set};
use agon_core::{Payoffs, Player};
use agon_search::{Evaluation, Feature, Tactics, Unit, Weight, as_opinion};

use agon_erased::{EvaluationSpec, Expertise, Preset, TreeExample};

/// Squares a side.
const SIZE: usize = 9;

/// The evaluations, the best first.
static EVALUATIONS: &[EvaluationSpec] = &[
    EvaluationSpec {
        name: "tafl",
        summary: "The king's escapes in one move and in two, the chain around him, dangers, material, squares.",
    },
    EvaluationSpec {
        name: "s1",
        summary: "S1's seven features: material, danger, free paths, distance to an escape, guards, square weights.",
    },
];

/// By which evaluation positions are judged.
#[derive(Clone, Copy, Debug)]
enum Judge {
    /// Ours.
    Tafl,
    /// Ours by weights that were set.
    TaflBy(tafl::Weights),
    /// The original's.
    S1(s1::Weights),
}

/// What is known about Tablut.
#[derive(Clone, Copy, Debug)]
pub struct TablutKnowledge {
    judge: Judge,
}

impl TablutKnowledge {
    /// What is put in place of our own weights.
    fn set_weights(&self) -> Option<&tafl::Weights> {
        if let Judge::TaflBy(weights) = &self.judge { Some(weights) } else { None }
    }
}

impl Evaluation<Tablut> for TablutKnowledge {
    type State = tafl::Squares;

    #[inline(always)]
    fn state(&self, _game: &Tablut, position: &Position) -> tafl::Squares {
        tafl::Squares::of(position)
    }

    #[inline(always)]
    fn advance(
        &self,
        _game: &Tablut,
        state: &mut tafl::Squares,
        before: &Position,
        mv: Move,
        after: &Position,
    ) {
        state.advance(before, mv, after);
    }

    fn payoffs(&self, game: &Tablut, position: &Position, state: &tafl::Squares) -> Payoffs {
        let defenders = game.player(Side::Defenders);
        match &self.judge {
            Judge::Tafl => Payoffs::opposed(defenders, f64::from(tafl::worth(game, position, state))),
            Judge::TaflBy(weights) => {
                Payoffs::opposed(defenders, f64::from(tafl::worth_by(weights, game, position, state)))
            }
            Judge::S1(weights) => {
                Payoffs::opposed(game.player(position.side()), s1::worth(weights, game, position))
            }
        }
    }

    #[inline(always)]
    fn score(&self, game: &Tablut, position: &Position, state: &tafl::Squares) -> i32 {
        let sign = if position.side() == Side::Defenders { 1 } else { -1 };
        match &self.judge {
            Judge::Tafl => sign * tafl::worth(game, position, state),
            Judge::TaflBy(weights) => sign * tafl::worth_by(weights, game, position, state),
            Judge::S1(weights) => as_opinion(s1::worth(weights, game, position).round() as i32),
        }
    }

    #[inline(always)]
    fn context(&self, game: &Tablut, position: &Position) -> u64 {
        match self.judge {
            Judge::Tafl | Judge::TaflBy(_) => 0,
            Judge::S1(_) => s1::context(game, position),
        }
    }

    fn features(&self, game: &Tablut, position: &Position, player: Player) -> Vec<Feature> {
        match &self.judge {
            Judge::Tafl | Judge::TaflBy(_) => tafl::seen_from(self.set_weights(), game, position, player),
            Judge::S1(weights) => s1::seen_from(weights, game, position, player),
        }
    }

    fn scale(&self) -> f64 {
        match self.judge {
            Judge::Tafl | Judge::TaflBy(_) => tafl::SCALE,
            Judge::S1(_) => s1::SCALE,
        }
    }

    fn unit(&self) -> Unit {
        match self.judge {
            Judge::Tafl => Unit::Expectation { scale: tafl::SCALE },
            // What was fitted are our own weights.
            Judge::TaflBy(_) => Unit::Amount { name: "points", one: 1.0 },
            Judge::S1(_) => Unit::Amount { name: "S1 points", one: s1::UNIT },
        }
    }

    fn weights(&self) -> Vec<Weight> {
        match &self.judge {
            Judge::Tafl | Judge::TaflBy(_) => tafl::named(self.set_weights()),
            Judge::S1(weights) => weights.named(),
        }
    }

    fn set_weight(&mut self, place: usize, value: f64) {
        match &mut self.judge {
            Judge::Tafl | Judge::TaflBy(_) => {
                self.judge = Judge::TaflBy(tafl::changed(self.set_weights(), place, value));
            }
            Judge::S1(weights) => weights.set(place, value),
        }
    }
}

impl Tactics<Tablut> for TablutKnowledge {
    fn slots(&self, _game: &Tablut) -> usize {
        tactics::SLOTS
    }

    #[inline(always)]
    fn slot(&self, _game: &Tablut, mv: Move) -> usize {
        tactics::slot(mv)
    }

    #[inline(always)]
    fn order(&self, game: &Tablut, position: &Position, mv: Move) -> i32 {
        tactics::Outlook::of(game, position).order(game, position, mv)
    }

    #[inline(always)]
    fn ordering<'a>(&'a self, game: &'a Tablut, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        let outlook = tactics::Outlook::of(game, position);
        #[inline(always)]
        move |mv| outlook.order(game, position, mv)
    }

    #[inline(always)]
    fn original_order(&self, _game: &Tablut, position: &Position, mv: Move) -> i32 {
        tactics::original_order(position, mv)
    }

    fn noisy_kinds(&self) -> &'static [&'static str] {
        tactics::NOISY
    }

    #[inline(always)]
    fn is_noisy(&self, game: &Tablut, position: &Position, mv: Move, kind: usize) -> bool {
        tactics::is_noisy(game, position, mv, kind)
    }

    #[inline(always)]
    fn for_each_noisy_move(
        &self,
        game: &Tablut,
        position: &Position,
        kind: usize,
        visit: impl FnMut(Move, i32),
    ) {
        tactics::for_each_noisy_move(game, position, kind, visit);
    }

    fn symmetries(&self, _game: &Tablut, position: &Position) -> Vec<u8> {
        let king = position.king().map_or(0, |king| 1 << king);
        let is_same = |set: u128, symmetry| image_of_set(set, SIZE, symmetry) == set;
        SYMMETRIES
            .filter(|&symmetry| {
                [position.attackers(), position.defenders(), king].iter().all(|&set| is_same(set, symmetry))
            })
            .collect()
    }

    fn image(&self, _game: &Tablut, mv: Move, symmetry: u8) -> Move {
        let [from, to] =
            [mv.from(), mv.to()].map(|square| image_of_place(u128::row_column(square), SIZE, symmetry));
        Move::between(from, to).unwrap_or(mv)
    }

    #[inline(always)]
    fn skip_turn(&self, game: &Tablut, position: &mut Position) -> bool {
        tactics::skip_turn(game, position)
    }

    #[inline(always)]
    fn is_threatened(&self, game: &Tablut, position: &Position) -> bool {
        tactics::is_threatened(game, position)
    }

    #[inline(always)]
    fn foresee(&self, game: &Tablut, position: &Position, horizon: u32) -> Option<i32> {
        tactics::foresee(game, position, horizon)
    }
}

impl Expertise for Tablut {
    type Knowledge = TablutKnowledge;

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        EVALUATIONS
    }

    fn knowledge(&self, evaluation: &str) -> Option<TablutKnowledge> {
        let judge = match evaluation {
            "tafl" => Judge::Tafl,
            "s1" => Judge::S1(s1::Weights::default()),
            _ => return None,
        };
        Some(TablutKnowledge { judge })
    }

    fn presets(&self) -> &'static [Preset] {
        presets::PRESETS
    }

    fn tree_example(&self) -> TreeExample {
        TreeExample {
            options: "",
            position: Some("9/1b7/9/bk1w5/3b5/9/9/9/9 w 40"),
            depth: 2,
            evaluation: None,
        }
    }
}
