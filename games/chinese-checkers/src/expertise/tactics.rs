//! Which moves deserve attention.

use crate::{ChineseCheckers, Colour, EVERY_HOLE, Hole, Holes, Move, Position};
use agon_core::{Game, Line, Player, Rng};
use agon_search::{Evaluation, Solution, Tactics, Watch};

use super::knowledge::{ChineseCheckersKnowledge, Judge, colour_of};
use super::way::{ByHole, Way};
use super::{race, s2};

/// Every hole by its number from the top, for tables of moves.
static NUMBERS: ByHole<u8> = {
    let mut numbers = [0; 256];
    let mut number = 0;
    while number < EVERY_HOLE.len() {
        numbers[EVERY_HOLE[number].index()] = number as u8;
        number += 1;
    }
    numbers
};

/// Hops that bring a marble on by at least this many steps are noisy.
const LEAP: i32 = 4;

/// How many steps a move of a plan gains on average: how far the solver reaches.
const STEPS_A_MOVE: u32 = 4;

/// So near to the end a plan is followed even if others are still in the way: it brings the last marbles in.
const LAST_MOVES: u32 = 4;

/// The rows of a home.
const HOME_ROWS: u8 = 4;

/// After this many rounds marbles must leave home first.
const ROUNDS_AT_HOME: u32 = 20;

/// With this many marbles of others at home too, marbles must leave it first.
const STRANGERS_AT_HOME: u64 = 2;

/// Plans do not return to where the marbles stood before this many own moves or fewer: enough to break every circle that was
/// seen, few enough to let a marble wait near a target that others have yet to leave.
const PAST: usize = 12;

/// What going back to where the marbles stood before costs, in the unit of our own evaluation: a move.
const GOING_BACK: i32 = 1000;

/// The last positions in which it was the turn of the seat to move, the latest first.
fn past(line: &Line<ChineseCheckers>) -> impl Iterator<Item = Position> {
    let mover = line.position().mover();
    line.past().filter(move |before| before.mover() == mover).take(PAST)
}

/// Where a hole falls by the symmetry with this number: turned by its rest by six, from six on mirrored before.
fn image(hole: Hole, symmetry: u8) -> Hole {
    let hole = if symmetry >= 6 { hole.mirrored() } else { hole };
    hole.turned(usize::from(symmetry % 6))
}

/// The start and end of a move, and the way of the marble's colour.
#[inline(always)]
fn parts(game: &ChineseCheckers, position: &Position, mv: Move) -> Option<(Hole, Hole, &'static Way)> {
    match mv {
        Move::Marble { from, to } => Some((from, to, Way::of(colour_of(game, position, from)))),
        Move::Pass => None,
    }
}

/// Whether it is high time for the seat to move to leave home: somebody is moving in, or the game has gone on long
/// enough. Marbles that stay would keep others from winning and be shut in by them, until the limit of rounds: a draw
/// that nobody wants to see.
#[inline(always)]
fn must_leave(game: &ChineseCheckers, position: &Position) -> bool {
    let late = position.plies() >= ROUNDS_AT_HOME * game.players() as u32;
    game.colours(position.mover()).iter().any(
        #[inline(always)]
        |&colour| {
            let (home, marbles) = (colour.home(), position.marbles(colour));
            let strangers = home & position.occupied() & !marbles;
            !(home & marbles).is_empty() && (late || strangers.count() >= STRANGERS_AT_HOME)
        },
    )
}

impl Tactics<ChineseCheckers> for ChineseCheckersKnowledge {
    fn slots(&self, _game: &ChineseCheckers) -> usize {
        EVERY_HOLE.len() * EVERY_HOLE.len()
    }

    #[inline(always)]
    fn slot(&self, _game: &ChineseCheckers, mv: Move) -> usize {
        match mv {
            Move::Marble { from, to } => {
                usize::from(NUMBERS[from.index()]) * EVERY_HOLE.len() + usize::from(NUMBERS[to.index()])
            }
            // From a hole to itself: no marble makes such a move.
            Move::Pass => 0,
        }
    }

    /// Steps gained, and among equals the rearmost marble first.
    #[inline(always)]
    fn order(&self, game: &ChineseCheckers, position: &Position, mv: Move) -> i32 {
        parts(game, position, mv)
            .map_or(0, |(from, to, way)| 32 * way.gain(from, to) + i32::from(way.steps[from.index()]))
    }

    fn noisy_kinds(&self) -> &'static [&'static str] {
        &["leaps"]
    }

    #[inline(always)]
    fn is_noisy(&self, game: &ChineseCheckers, position: &Position, mv: Move, _kind: usize) -> bool {
        parts(game, position, mv).is_some_and(|(from, to, way)| way.gain(from, to) >= LEAP)
    }

    /// `ahead` leaves out moves that lead back by more than a step or into the corners of others, and makes marbles leave
    /// home in time; `s2` is source S2's own.
    fn selections(&self) -> &'static [&'static str] {
        &["ahead", "s2"]
    }

    #[inline(always)]
    fn grade(&self, game: &ChineseCheckers, position: &Position, mv: Move, rule: usize) -> u8 {
        parts(game, position, mv).map_or(1, |(from, to, way)| match rule {
            0 => u8::from(
                way.gain(from, to) >= -1
                    && way.proper.contains(to)
                    && (way.rows[from.index()] < HOME_ROWS && way.gain(from, to) > 0
                        || !must_leave(game, position)),
            ),
            _ => s2::grade(way, from, to),
        })
    }

    fn tie_break(&self, game: &ChineseCheckers, position: &Position, mv: Move) -> i32 {
        parts(game, position, mv).map_or(0, |(from, to, way)| s2::tie_break(way, from, to))
    }

    /// Who goes back to how the own marbles stood before has wasted at least two moves.
    fn cost(&self, line: &Line<ChineseCheckers>, mv: Move) -> i32 {
        let Move::Marble { from, to } = mv else { return 0 };
        let (game, position) = (&**line.game(), line.position());
        let mover = position.mover();
        let mut next = game.marbles(position, mover);
        next.relocate(from, to);
        let is_known = past(line).any(|before| game.marbles(&before, mover) == next);
        if self.judge == Judge::Crossing && is_known { GOING_BACK } else { 0 }
    }

    /// Turns and mirror images of the star that bring every seat's marbles to where that seat has marbles of the fitting colours.
    fn symmetries(&self, game: &ChineseCheckers, position: &Position) -> Vec<u8> {
        let seat =
            |colour| (0..game.players() as u8).find(|&seat| game.colours(Player(seat)).contains(&colour));
        let is_symmetric = |symmetry: u8| {
            Colour::ALL.into_iter().all(|colour| {
                let moved =
                    |set: Holes| set.iter().fold(Holes::EMPTY, |all, hole| all.with(image(hole, symmetry)));
                let home = moved(colour.home());
                let other = Colour::ALL.into_iter().find(|other| other.home() == home);
                other.is_some_and(|other| {
                    seat(colour) == seat(other) && moved(position.marbles(colour)) == position.marbles(other)
                })
            })
        };
        (1..12).filter(|&symmetry| is_symmetric(symmetry)).collect()
    }

    fn image(&self, _game: &ChineseCheckers, mv: Move, symmetry: u8) -> Move {
        match mv {
            Move::Marble { from, to } => {
                Move::Marble { from: image(from, symmetry), to: image(to, symmetry) }
            }
            Move::Pass => Move::Pass,
        }
    }

    /// A move is worth having nearly always: who needs to wait can shuffle.
    #[inline(always)]
    fn skip_turn(&self, game: &ChineseCheckers, position: &mut Position) -> bool {
        game.hand_on(position);
        true
    }

    /// Twice as likely for each step gained.
    #[inline(always)]
    fn lean(&self, game: &ChineseCheckers, position: &Position, mv: Move) -> f32 {
        parts(game, position, mv).map_or(1.0, |(from, to, way)| {
            let behind = f32::from(way.steps[from.index()]) / 16.0;
            (1.0 + behind) * f32::powi(2.0, way.gain(from, to).clamp(-6, 10))
        })
    }

    /// The way home as [`race::way_home`] plans it: the shortest, or nearly so, once the seat has passed the others.
    /// `reach` is in moves, four steps each.
    fn solve(
        &self,
        line: &Line<ChineseCheckers>,
        reach: u32,
        _share: f64,
        watch: &mut Watch,
    ) -> Option<Solution<Move>> {
        let (game, position) = (&**line.game(), line.position());
        let mover = position.mover();
        let (_, steps) = game.progress(position, mover);
        let steps = steps as u32;
        let is_near = steps <= STEPS_A_MOVE * reach.min(LAST_MOVES);
        let is_race = steps <= STEPS_A_MOVE * reach && race::has_passed(game, position, mover);
        if !is_near && !is_race {
            return None;
        }
        let past: Vec<Position> = past(line).collect();
        let mut counted = 0;
        let way = race::way_home(game, position, mover, &past, &mut |nodes| {
            // A level that was not finished is not counted, so the count may fall back.
            let more = nodes.saturating_sub(counted);
            counted = counted.max(nodes);
            watch.count(more)
        })?;
        let best = *way.moves.first()?;
        let state = self.state(game, position);
        let score = self.payoffs(game, position, &state).of(mover);
        Some(Solution { best, score, is_exact: false, depth: 1, line: vec![best] })
    }

    /// The openings of source S2, for green against red.
    fn books(&self) -> &'static [&'static str] {
        &["s2"]
    }

    fn book_move(&self, line: &Line<ChineseCheckers>, _book: usize, rng: &mut Rng) -> Option<Move> {
        s2::opening_move(line, rng)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::SPEC;
    use agon_core::{Notation, Options, Ply};
    use agon_search::{ALGORITHMS, Budget, Limits, build};

    use super::*;

    fn game(options: &str) -> Arc<ChineseCheckers> {
        Arc::new(ChineseCheckers::new(&Options::parse(&SPEC, options).expect("options")).expect("a game"))
    }

    fn knowledge() -> ChineseCheckersKnowledge {
        ChineseCheckersKnowledge::new("crossing").expect("an evaluation")
    }

    #[test]
    fn marbles_leave_home_when_others_move_in() {
        let game = game("");
        // Two red marbles stand at green's home, where one green marble is left.
        let rows = "g/2/rr1/4/13/12/11/10/3r5/10/11/12/gg4rrrrrrr/ggg1/ggg/g1/1";
        let position = game.parse_position(&format!("{rows} g 20")).expect(rows);
        let mut kept = Vec::new();
        game.for_each_move(&position, |mv| {
            if knowledge().grade(&game, &position, mv, 0) > 0 {
                kept.push(game.move_text(mv));
            }
        });
        assert!(!kept.is_empty() && kept.iter().all(|mv| mv.starts_with("0012-")), "{kept:?}");
    }

    #[test]
    fn seats_get_home_whatever_their_number() {
        for (seats, algorithm) in [
            ("g/r", "alphabeta"),
            ("gy/rp", "alphabeta"),
            ("g/o/p", "best-reply"),
            ("g/y/o/r/p/b", "best-reply"),
        ] {
            let mut line = Line::new(game(&format!("seats={seats}")));
            let declared = ALGORITHMS.iter().find(|known| known.name == algorithm).expect(algorithm);
            let settings = "depth=2,nodes=20000,candidates=ahead,solve=60";
            let settings = Options::parse_declared(algorithm, declared.parameters, settings).expect(settings);
            let mut bot =
                build(algorithm, &**line.game(), knowledge(), &settings, 1).expect("a bot of two plies");
            while line.outcome().is_none() {
                let thought = bot.think(&line, &Budget::new(Limits::default()), &mut |_| {}).expect("a move");
                assert!(line.play(Ply::Move(thought.best)), "{seats}: {:?}", thought.best);
            }
            let outcome = line.outcome().expect("an end");
            assert_eq!(outcome.reason, "home", "{seats} after {} plies", line.plies().len());
        }
    }
}
