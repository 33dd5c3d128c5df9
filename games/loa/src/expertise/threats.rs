//! Whether a side can connect its pieces by its next move.
//!
//! Such a move brings every group together at one place. A piece that lands somewhere touches four groups at most, and it
//! must touch all groups but (if it was one by itself) its own; a block that is turned must have every group inside
//! or next to it. So the groups are filled in one by one; that ends as soon as there are too many or three of them
//! have nothing in common, and only moves to where all of them meet are tried.

use crate::{Grid, Loa, Move, Position};
use agon_core::{Game, Verdict};

/// A piece that lands next to four groups makes one of them, and it may have been a fifth by itself.
const MOST_GROUPS: usize = 5;

/// Whether the side to move can win at once; not if the game is over.
#[inline(always)]
pub(super) fn wins_at_once<B: Grid>(game: &Loa<B>, position: &Position<B>) -> bool {
    B::run_outlined_if_wide(
        #[inline(always)]
        || {
            let Some((groups, count)) = groups(game, position.own()) else { return false };
            wins_by_a_turn(game, position, &groups[..count])
                || wins_by_a_slide(game, position, &groups[..count])
        },
    )
}

/// A group, where one must land to touch it, and the blocks that hold it or touch it.
#[derive(Clone, Copy)]
struct Group<B> {
    pieces: B,
    near: B,
    blocks: B,
}

/// Whether `mv`, which is legal unless the game is over, wins.
fn wins<B: Grid>(game: &Loa<B>, position: &Position<B>, mv: Move) -> bool {
    if game.outcome(position).is_some() {
        return false;
    }
    let mut next = *position;
    game.play_unchecked(&mut next, mv);
    let won = Verdict::Won(position.turn());
    game.outcome(&next).is_some_and(|outcome| outcome.verdict == won)
}

#[inline(always)]
fn wins_by_a_slide<B: Grid>(game: &Loa<B>, position: &Position<B>, groups: &[Group<B>]) -> bool {
    // Where a piece of each group must land to touch all others.
    let mut goals = [game.squares() & !position.own(); MOST_GROUPS];
    let mut all = B::EMPTY;
    for (index, goal) in goals[..groups.len()].iter_mut().enumerate() {
        for (other, group) in groups.iter().enumerate() {
            if other != index {
                *goal = *goal & group.near;
            }
        }
        all = all | *goal;
    }
    if all.is_empty() {
        return false;
    }
    let movers = B::movers(position.own(), position.enemy(), game.squares());
    for (group, goal) in groups.iter().zip(goals) {
        if goal.is_empty() {
            continue;
        }
        for (direction, &movers) in movers.iter().enumerate() {
            let mut movers = movers & group.pieces;
            while !movers.is_empty() {
                let from = movers.lowest();
                movers = movers.without_lowest();
                let to = game.landing(position, from, direction);
                let mv = Move::Slide { from: from as u16, to: to as u16 };
                if goal.contains(to) && wins(game, position, mv) {
                    return true;
                }
            }
        }
    }
    false
}

#[inline(always)]
fn wins_by_a_turn<B: Grid>(game: &Loa<B>, position: &Position<B>, groups: &[Group<B>]) -> bool {
    if !game.is_rotating() {
        return false;
    }
    let mut corners = game.blocks_of(position.own());
    for group in groups {
        corners = corners & group.blocks;
    }
    while !corners.is_empty() {
        let corner = corners.lowest();
        corners = corners.without_lowest();
        if wins(game, position, Move::Rotate { corner: corner as u16 }) {
            return true;
        }
    }
    false
}

/// The groups of `pieces`, unless they are seen to be more or further apart than can become one.
#[inline(always)]
fn groups<B: Grid>(game: &Loa<B>, pieces: B) -> Option<([Group<B>; MOST_GROUPS], usize)> {
    let none = Group { pieces: B::EMPTY, near: B::EMPTY, blocks: B::EMPTY };
    let (mut groups, mut count) = ([none; MOST_GROUPS], 0);
    let mut rest = pieces;
    while !rest.is_empty() {
        if count == MOST_GROUPS {
            return None;
        }
        let mut group = B::square(rest.lowest());
        let near = loop {
            let near = group.dilate();
            let grown = near & rest;
            if grown == group {
                break near;
            }
            group = grown;
        };
        groups[count] = Group { pieces: group, near, blocks: game.blocks_of(near) };
        count += 1;
        rest = rest & !group;
        if count == 3 {
            // A piece that moves comes from one of the three at most, and must touch the other two.
            let [a, b, c, ..] = &groups;
            let meet = (a.near & b.near) | (a.near & c.near) | (b.near & c.near);
            if meet.is_empty() && (!game.is_rotating() || (a.blocks & b.blocks & c.blocks).is_empty()) {
                return None;
            }
        }
    }
    Some((groups, count))
}
