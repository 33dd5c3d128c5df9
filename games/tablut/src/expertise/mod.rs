//! Tablut: what positions are worth (`tafl`, ours, and `s1`, the original's), which moves deserve attention,
//! and the bots made of it.

mod king;
mod presets;
mod s1;
mod squares;
mod tactics;
mod tafl;

use crate::{Move, Position, Side, Tablut};
use agon_core::{Payoffs, Player};
use agon_search::{Evaluation, Feature, Tactics};

use agon_erased::{EvaluationSpec, Expertise, Preset};

/// The evaluations, the best first.
static EVALUATIONS: &[EvaluationSpec] = &[
    EvaluationSpec {
        name: "tafl",
        summary: "The king's ways out in one move and in two, the chain around him, dangers, material, squares.",
    },
    EvaluationSpec {
        name: "s1",
        summary: "The original's seven features: material, danger, free paths, nearness, guards, square weights.",
    },
];

/// By which evaluation positions are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judge {
    Tafl,
    S1,
}

/// What is known about Tablut.
#[derive(Clone, Copy, Debug)]
pub struct TablutKnowledge {
    judge: Judge,
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
        match self.judge {
            Judge::Tafl => {
                Payoffs::opposed(game.player(Side::Defenders), f64::from(tafl::worth(game, position, state)))
            }
            Judge::S1 => Payoffs::opposed(game.player(position.side()), s1::worth(game, position)),
        }
    }

    #[inline(always)]
    fn score(&self, game: &Tablut, position: &Position, state: &tafl::Squares) -> i32 {
        match (self.judge, position.side()) {
            (Judge::Tafl, Side::Defenders) => tafl::worth(game, position, state),
            (Judge::Tafl, Side::Attackers) => -tafl::worth(game, position, state),
            (Judge::S1, _) => s1::worth(game, position).round() as i32,
        }
    }

    #[inline(always)]
    fn context(&self, game: &Tablut, position: &Position) -> u64 {
        match self.judge {
            Judge::Tafl => 0,
            Judge::S1 => s1::context(game, position),
        }
    }

    fn features(&self, game: &Tablut, position: &Position, player: Player) -> Vec<Feature> {
        match self.judge {
            Judge::Tafl => tafl::seen_from(game, position, player),
            Judge::S1 => s1::seen_from(game, position, player),
        }
    }

    fn scale(&self) -> f64 {
        match self.judge {
            Judge::Tafl => tafl::SCALE,
            Judge::S1 => s1::SCALE,
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
            "s1" => Judge::S1,
            _ => return None,
        };
        Some(TablutKnowledge { judge })
    }

    fn presets(&self) -> &'static [Preset] {
        presets::PRESETS
    }
}
