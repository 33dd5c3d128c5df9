//! What the knowledge of Lines of Action promises, over random games on boards of every kind.

use crate::{AnyLoa, Grid, Loa, Move, Position, SPEC, is_one_group};
use agon_board::Bits;
use agon_core::random::{Rng, below, seeded};
use agon_core::{Game, Notation, Options, Player, Verdict};
use agon_search::{Evaluation, PROVEN, Tactics, WIN};

use super::*;

/// Evaluates `$body` for the game with each of the options.
macro_rules! for_games {
    ($options:expr, |$game:ident| $body:expr) => {
        for text in $options {
            let options = Options::parse(&SPEC, text).expect("options");
            match AnyLoa::new(&options).expect("a game") {
                AnyLoa::Small($game) => $body,
                AnyLoa::Medium($game) => $body,
                AnyLoa::Large($game) => $body,
            }
        }
    };
}

const KINDS: [&str; 9] = [
    "size=5",
    "size=6,rules=standard",
    "size=7",
    "size=8",
    "size=8,rules=standard",
    "size=11",
    "size=12",
    "size=17,rules=standard",
    "size=30",
];

fn knowledge<B: Grid>(game: &Loa<B>, evaluation: &str) -> LoaKnowledge<B> {
    game.knowledge(evaluation).expect("an evaluation of the game")
}

/// Calls `see` with the steps of random games: the position, a move in it, and the next position.
fn walk<B: Grid>(game: &Loa<B>, games: u64, mut see: impl FnMut(&Position<B>, Move, &Position<B>, &mut Rng)) {
    for seed in 0..games {
        let (mut rng, mut position) = (seeded(seed), game.start());
        while let Some(mv) = game.random_move(&position, &mut rng) {
            let before = position;
            game.play_unchecked(&mut position, mv);
            see(&before, mv, &position, &mut rng);
        }
    }
}

/// The position whose squares `letter` names, `b`, `w` or `.`, by row and column.
fn written<B: Grid>(game: &Loa<B>, turn: char, letter: impl Fn(usize, usize) -> char) -> Position<B> {
    let row_text = |row: usize| {
        let (mut text, mut empty) = (String::new(), 0);
        for letter in (0..game.size()).map(|column| letter(row, column)).chain(['/']) {
            if letter == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        text
    };
    let board: String = (0..game.size()).map(row_text).collect();
    game.parse_position(&format!("{} {turn} 0", board.trim_end_matches('/'))).expect("a position")
}

/// A board with few pieces close together, where somebody can often connect.
fn crowd<B: Grid>(game: &Loa<B>, rng: &mut Rng) -> Position<B> {
    let size = game.size() as u64;
    let side = 3 + below(rng, size.min(7) - 2);
    let (top, left) = (below(rng, size - side + 1), below(rng, size - side + 1));
    let mut squares = vec!['.'; (size * size) as usize];
    let mut put =
        |row: u64, column: u64, letter| squares[((top + row) * size + left + column) as usize] = letter;
    for _ in 0..2 + below(rng, 4) {
        put(below(rng, side), below(rng, side), 'b');
        put(below(rng, side), below(rng, side), 'w');
    }
    // So that each side has a piece, whatever fell on what.
    put(0, 0, 'b');
    put(side - 1, side - 1, 'w');
    let turn = if below(rng, 2) == 0 { 'b' } else { 'w' };
    written(game, turn, |row, column| squares[row * game.size() + column])
}

#[test]
fn the_census_is_kept_up_to_date() {
    for_games!(KINDS, |game| {
        let knowledge = knowledge(&game, "features");
        let mut census = knowledge.state(&game, &game.start());
        walk(&game, 2, |before, mv, after, _| {
            if game.ply(before) == Some(0) {
                census = knowledge.state(&game, before);
            }
            knowledge.advance(&game, &mut census, before, mv, after);
            assert_eq!(census, knowledge.state(&game, after), "{mv:?} in {before:?}");
        });
    });
}

#[test]
fn quads_tell_groups_and_links() {
    fn count_groups<B: Grid>(mut pieces: B) -> (i32, i32) {
        let mut links = 0;
        pieces.for_each(|square| links += around::links(pieces, square));
        let mut groups = 0;
        while !pieces.is_empty() {
            let mut group = B::square(pieces.lowest());
            while group.dilate() & pieces != group {
                group = group.dilate() & pieces;
            }
            assert!(is_one_group(group));
            pieces = pieces & !group;
            groups += 1;
        }
        (groups, links / 2)
    }
    for_games!(KINDS, |game| {
        let knowledge = knowledge(&game, "features");
        walk(&game, 1, |_, _, position, _| {
            let census = knowledge.state(&game, position);
            for (seat, side) in census.seen_from(Player(0)).into_iter().enumerate() {
                let (groups, links) = count_groups(position.pieces(Player(seat as u8)));
                assert!(side.quads.euler_number() <= groups, "{position:?}");
                assert_eq!(side.quads.links(), links, "{position:?}");
                assert_eq!(side.pieces, position.pieces(Player(seat as u8)).count() as i32);
            }
        });
    });
}

#[test]
fn reasons_add_up_and_sides_are_opposed() {
    for_games!(KINDS, |game| {
        for evaluation in game.evaluations() {
            let knowledge = knowledge(&game, evaluation.name);
            walk(&game, 1, |_, _, position, _| {
                let state = knowledge.state(&game, position);
                let payoffs = knowledge.payoffs(&game, position, &state);
                let score = knowledge.score(&game, position, &state);
                assert_eq!(f64::from(score), payoffs.of(position.turn()));
                assert!(score.abs() < PROVEN);
                for player in [Player(0), Player(1)] {
                    let features = knowledge.features(&game, position, player);
                    let sum: f64 = features.iter().map(|feature| feature.value * feature.weight).sum();
                    assert!((sum - payoffs.of(player)).abs() < 0.6, "{sum} is not {payoffs:?}");
                }
                assert_eq!(payoffs.of(Player(0)), -payoffs.of(Player(1)));
            });
        }
    });
}

/// The same position turned by a quarter is worth the same.
#[test]
fn a_turned_board_is_worth_as_much() {
    fn turned<B: Grid>(game: &Loa<B>, position: &Position<B>) -> Position<B> {
        let turn = if position.turn() == Player(0) { 'b' } else { 'w' };
        written(game, turn, |row, column| {
            let from = B::index(game.size() - 1 - column, row);
            match [Player(0), Player(1)].map(|player| position.pieces(player).contains(from)) {
                [true, _] => 'b',
                [_, true] => 'w',
                _ => '.',
            }
        })
    }
    for_games!(["size=6", "size=11", "size=12,rules=standard"], |game| {
        let knowledge = knowledge(&game, "concentration");
        let worth =
            |position: &Position<_>| knowledge.score(&game, position, &knowledge.state(&game, position));
        walk(&game, 1, |_, _, position, _| {
            // The sums are rounded in another order.
            assert!((worth(position) - worth(&turned(&game, position))).abs() <= 1, "{position:?}");
        });
    });
}

#[test]
fn every_move_has_a_slot_of_its_own() {
    for_games!(KINDS, |game| {
        let knowledge = knowledge(&game, "features");
        walk(&game, 1, |position, _, _, _| {
            let mut taken = vec![false; knowledge.slots(&game)];
            game.for_each_move(position, |mv| {
                let slot = knowledge.slot(&game, mv);
                assert!(!std::mem::replace(&mut taken[slot], true), "{mv:?} in {position:?}");
            });
        });
    });
}

#[test]
fn wins_on_the_move_are_foreseen_and_no_others() {
    let mut seen = [0; 2];
    for_games!(
        ["size=5", "size=6,rules=standard", "size=8", "size=8,rules=standard", "size=11", "size=13"],
        |game| {
            let knowledge = knowledge(&game, "features");
            let mut check = |position: &Position<_>| {
                if game.outcome(position).is_some() {
                    return;
                }
                let mut wins = false;
                game.for_each_move(position, |mv| {
                    let mut next = *position;
                    game.play_unchecked(&mut next, mv);
                    let verdict = game.outcome(&next).map(|outcome| outcome.verdict);
                    wins |= verdict == Some(Verdict::Won(position.turn()));
                });
                seen[usize::from(wins)] += 1;
                let text = game.position_text(position);
                assert_eq!(knowledge.foresee(&game, position, 1), wins.then_some(WIN - 1), "{text}");
                assert_eq!(knowledge.foresee(&game, position, 0), None);
                assert_eq!(knowledge.is_threatened(&game, &position.passed()), wins, "{text}");
            };
            walk(&game, 1, |_, _, position, _| check(position));
            let mut rng = seeded(3);
            for _ in 0..1500 {
                check(&crowd(&game, &mut rng));
            }
        }
    );
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}
