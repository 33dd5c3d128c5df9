//! The evaluation of source S5, a Prolog program of 2019, faithfully: shares of discs, mobility and corners. A finished game counts by
//! it like any other position, and a position in which the side to move has to pass is not looked beyond.

use crate::{Othello, Position};

use super::Squares;
use super::features::corners;

/// What each share counts, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shares {
    pub(super) discs: f64,
    pub(super) mobility: f64,
    pub(super) corners: f64,
}

/// Level "beginner".
pub(super) const BEGINNER: Shares = Shares { discs: 100.0, mobility: 0.0, corners: 0.0 };
/// Level "intermediate".
pub(super) const INTERMEDIATE: Shares = Shares { discs: 40.0, mobility: 60.0, corners: 0.0 };
/// Level "advanced".
pub(super) const ADVANCED: Shares = Shares { discs: 25.0, mobility: 35.0, corners: 40.0 };

/// What the whole of a share is worth per hundredth: fine enough that rounding loses nothing that matters.
pub(super) const FINENESS: f64 = 100.0;

/// The three features for the side to move, each with its weight.
#[inline(always)]
pub(super) fn features<B: Squares>(
    shares: Shares,
    game: &Othello<B>,
    position: &Position<B>,
) -> [(&'static str, f64, f64); 3] {
    let Position { own, opponent, .. } = *position;
    let mobility = if shares.mobility == 0.0 {
        0.0
    } else {
        share(B::moves(game, own, opponent).count(), B::moves(game, opponent, own).count())
    };
    let corners = corners(game);
    // A corner is a quarter, no matter who has the others.
    let quarters = (f64::from((own & corners).count()) - f64::from((opponent & corners).count())) / 4.0;
    [
        ("share of discs", share(own.count(), opponent.count()), shares.discs * FINENESS),
        ("share of moves", mobility, shares.mobility * FINENESS),
        ("share of corners", quarters, shares.corners * FINENESS),
    ]
}

/// (own - enemy) / (own + enemy), and nothing if nobody has any.
#[inline(always)]
fn share(own: u32, enemy: u32) -> f64 {
    (f64::from(own) - f64::from(enemy)) / f64::from((own + enemy).max(1))
}
