//! The way home as a plan: the own moves that it takes, found by a beam search.
//!
//! Once the armies have passed each other, each seat plays a puzzle of its own. Two seats have passed each other when the
//! narrowest hexagons around their marbles and targets share no hole. A hop crosses a hole between its ends, so as long as the
//! marbles of both stay in their hexagons (and nobody gets home sooner by leaving), nobody can be in another's way or help,
//! and the fewest own moves are all that counts. Whether marbles stay is up to the players: the test is exact for
//! sensible play, not for all play, and it is made again at every move.
//!
//! Before that, near the end, the plan is a heuristic that brings the last marbles in: others are taken to stand where
//! they are, and the target to be full with those of them that stand there.

use crate::{ChineseCheckers, Colour, Hole, Holes, Mobility, Move, Position};
use agon_core::{Game, Player};

use super::beam::{Beam, Node, Progress, Ranking};
use super::crossing::LONGEST;
use super::way::Way;

/// A hexagon with sides along the three axes of the grid: a range of each of its three coordinates.
#[derive(Clone, Copy, Debug)]
struct Hexagon {
    least: [i32; 3],
    most: [i32; 3],
}

impl Hexagon {
    /// The narrowest one around `holes`.
    fn around(holes: Holes) -> Self {
        let mut hexagon = Self { least: [i32::MAX; 3], most: [i32::MIN; 3] };
        holes.for_each(|hole| {
            for (axis, coordinate) in coordinates(hole).into_iter().enumerate() {
                hexagon.least[axis] = hexagon.least[axis].min(coordinate);
                hexagon.most[axis] = hexagon.most[axis].max(coordinate);
            }
        });
        hexagon
    }

    /// Whether the two share no point of the grid.
    fn is_apart_from(&self, other: &Self) -> bool {
        let least: [i32; 3] = std::array::from_fn(|axis| self.least[axis].max(other.least[axis]));
        let most: [i32; 3] = std::array::from_fn(|axis| self.most[axis].min(other.most[axis]));
        // The first coordinate is the sum of the others, so their ranges must leave it a value.
        let low = least[0].max(least[1] + least[2]);
        let high = most[0].min(most[1] + most[2]);
        (1..3).any(|axis| least[axis] > most[axis]) || low > high
    }
}

/// Row, and the two diagonals, which add up to it.
fn coordinates(hole: Hole) -> [i32; 3] {
    let (row, column) = (hole.row() as i32, hole.column() as i32);
    // Rows and columns of holes are both even or both odd.
    [row, (row + column) / 2, (row - column) / 2]
}

/// Whether `player` has passed every other seat.
pub(super) fn has_passed(game: &ChineseCheckers, position: &Position, player: Player) -> bool {
    let regions = |seat: Player| {
        game.colours(seat)
            .iter()
            .map(|&colour| Hexagon::around(position.marbles(colour) | colour.target()))
            .collect::<Vec<_>>()
    };
    let own = regions(player);
    (0..game.players() as u8).map(Player).filter(|&other| other != player).all(|other| {
        regions(other).iter().all(|region| own.iter().all(|hexagon| hexagon.is_apart_from(region)))
    })
}

/// The beams of a plan; the first one takes a millisecond or two.
const WIDTHS: [usize; 6] = [4, 16, 64, 256, 1_024, 4_096];

/// A short way home.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The moves in order.
    pub(super) moves: Vec<Move>,
    /// Moves made in the search.
    pub(super) nodes: u64,
}

/// A short way from `marbles` to the target of `colour`, quickly: wider and wider beams, the first so narrow that it is
/// done in no time, until `stop` says so. The way does not lead through arrangements that were `held` before. If `stop` says so
/// too soon, the plan ends on the way; `None` if there was no time for a single move.
fn plan(
    colour: Colour,
    marbles: Holes,
    standing: Holes,
    held: &[Holes],
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<Plan> {
    let goal = colour.target() & !standing;
    let mut best: Option<Plan> = None;
    let mut nodes = 0;
    for width in WIDTHS {
        let limit = best.as_ref().map_or(LONGEST, |known| known.moves.len().saturating_sub(1));
        let mut beam = Beam::new(colour, marbles, standing, Ranking::Formation, 0);
        held.iter().for_each(|&marbles| beam.forbid(marbles));
        let arrived = loop {
            let home = |node: &Node| (goal & !node.marbles).is_empty();
            if let Some(place) = beam.front().iter().position(home) {
                break Some(place);
            }
            let is_over = beam.depth() >= limit
                || beam.front().is_empty()
                || beam.advance(width, &mut |more| stop(nodes + more)) == Progress::Stopped;
            if is_over {
                break None;
            }
        };
        nodes += beam.nodes;
        // Without time for more, the beginning of a way has to do.
        let end = arrived.or_else(|| if best.is_none() { beam.best_place() } else { None });
        if let Some(place) = end {
            let line = beam.line(beam.depth(), place);
            let moves = line.into_iter().map(|(from, to)| Move::Marble { from, to }).collect();
            best = Some(Plan { moves, nodes: 0 });
        }
        if stop(nodes) || beam.is_whole || arrived.is_none() && width == WIDTHS[0] {
            break;
        }
    }
    best.map(|best| Plan { nodes, ..best })
}

/// A move in place of `planned` if that leaves marbles of others in the target of `colour` with no way out: the target would
/// never be full. It traps as few as can be, leaves them most room, and among such moves gains most.
fn opening(position: &Position, colour: Colour, held: &[Holes], planned: Option<Move>) -> Option<Move> {
    if (position.occupied() & colour.target() & !position.marbles(colour)).is_empty() {
        return None;
    }
    let marbles = position.marbles(colour);
    let others = position.occupied() & !marbles;
    let trapped = |mv| trapped(after(marbles, mv), others, colour.target());
    if planned.is_some_and(|mv| trapped(mv).0 == 0) {
        return None;
    }
    let way = Way::of(colour);
    let mut best = None;
    Mobility::new(marbles, position.occupied()).for_each(|mv| {
        let Move::Marble { from, to } = mv else { return };
        if way.proper.contains(to) && !held.contains(&after(marbles, mv)) {
            let (count, room) = trapped(mv);
            let rank = (count, std::cmp::Reverse(room), -way.gain(from, to));
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, mv));
            }
        }
    });
    best.map(|(_, mv)| mv)
}

/// How many of the `others` stand in `target` and would not get out of it if nobody else moved, and how many holes there are
/// that they could move about in.
fn trapped(marbles: Holes, others: Holes, target: Holes) -> (usize, u64) {
    let (strangers, occupied) = (others & target, marbles | others);
    let (mut count, mut room) = (0, 0);
    strangers.for_each(|stranger| {
        let rest = occupied ^ Holes::EMPTY.with(stranger);
        let (mut reached, mut news) = (Holes::EMPTY, Holes::EMPTY.with(stranger));
        while !news.is_empty() && (news & !target).is_empty() {
            reached = reached | news;
            let ends = |from| Mobility::new(Holes::EMPTY.with(from), rest.with(from)).ends(from);
            news = news.iter().fold(Holes::EMPTY, |all, from| all | ends(from)) & !reached;
        }
        if news.is_empty() {
            count += 1;
            room += reached.count();
        }
    });
    (count, room)
}

/// The marbles after a move.
fn after(mut marbles: Holes, mv: Move) -> Holes {
    if let Move::Marble { from, to } = mv {
        marbles.relocate(from, to);
    }
    marbles
}

/// A short way home for `player`: colour by colour, each with its marbles where they are and all others in the way. `None` if
/// there was no time for a single move. The seat does not go back to how its marbles stood in positions of the `past`: plans that
/// are made again at every move, each counting on marbles of another who counts on these, could go to and fro for ever.
pub(super) fn way_home(
    game: &ChineseCheckers,
    position: &Position,
    player: Player,
    past: &[Position],
    stop: &mut dyn FnMut(u64) -> bool,
) -> Option<Plan> {
    let mut occupied = position.occupied();
    let mut way = Plan { moves: Vec::new(), nodes: 0 };
    for &colour in game.colours(player) {
        let marbles = position.marbles(colour);
        let held: Vec<Holes> = past.iter().map(|position| position.marbles(colour)).collect();
        let nodes = way.nodes;
        let mut plan = plan(colour, marbles, occupied & !marbles, &held, &mut |more| stop(nodes + more))?;
        if way.moves.is_empty()
            && let Some(opening) = opening(position, colour, &held, plan.moves.first().copied())
        {
            plan.moves = vec![opening];
        }
        for &mv in &plan.moves {
            if let Move::Marble { from, to } = mv {
                occupied.relocate(from, to);
            }
        }
        way.moves.extend(plan.moves);
        way.nodes += plan.nodes;
    }
    Some(way)
}

#[cfg(test)]
mod tests {
    use crate::SPEC;
    use agon_core::{Notation, Options};

    use super::*;

    fn game(options: &str) -> ChineseCheckers {
        ChineseCheckers::new(&Options::parse(&SPEC, options).expect("options")).expect("a game")
    }

    #[test]
    fn seats_have_passed_each_other_once_the_last_row_is_clear() {
        let game = game("");
        for (rows, passed) in [
            ("g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r", false),
            ("r/rr/rrr/rrr1/4r8/12/11/10/9/3g6/11/12/13/ggg1/ggg/gg/g", true),
            // A red marble is level with green ones on both sides: they may still meet.
            ("r/rr/rrr/rrr1/13/12/11/10/9/g4r3g/11/12/13/gg2/ggg/gg/g", false),
            ("r/rr/rrr/rrr1/13/12/11/10/r8/g9/11/12/13/ggg1/ggg/gg/g", true),
        ] {
            let position = game.parse_position(&format!("{rows} g 60")).expect(rows);
            for seat in 0..2 {
                assert_eq!(has_passed(&game, &position, Player(seat)), passed, "{rows}");
            }
        }
    }

    #[test]
    fn the_way_home_is_legal_and_leads_home() {
        let game = game("");
        let text = "r/rr/rrr/rrr1/4r8/12/11/10/9/3g6/11/12/4g8/ggg1/gg1/gg/g g 60";
        let mut position = game.parse_position(text).expect(text);
        let way = way_home(&game, &position, Player(0), &[], &mut |_| false).expect("a way");
        for mv in way.moves {
            assert!(game.is_legal(&position, mv), "{mv:?}");
            game.play_unchecked(&mut position, mv);
            game.hand_on(&mut position);
        }
        assert_eq!(game.outcome(&position).map(|outcome| outcome.reason), Some("home"));
    }

    #[test]
    fn who_is_shut_in_at_the_target_is_let_out() {
        let game = game("");
        let text = "r/rr/rrr/rrr1/13/12/11/10/9/10/11/12/6g6/gggg/ggg/gg/r g 90";
        let position = game.parse_position(text).expect(text);
        let (marbles, target) = (position.marbles(Colour::Green), Colour::Green.target());
        let others = position.occupied() & !marbles;
        assert_eq!(trapped(marbles, others, target), (1, 1));
        // Red hops out once two marbles have made way; until then it can only wait.
        let mut past = vec![position];
        while trapped(past[past.len() - 1].marbles(Colour::Green), others, target).0 > 0 {
            assert!(past.len() < 5, "{past:?}");
            let mut position = past[past.len() - 1];
            let way = way_home(&game, &position, Player(0), &past, &mut |nodes| nodes > 50_000);
            game.play_unchecked(&mut position, way.expect("a way").moves[0]);
            game.hand_on(&mut position);
            past.push(position);
        }
    }

    #[test]
    fn a_plan_does_not_go_back_to_the_past() {
        let game = game("");
        let text = "r/rr/rrr/2rr/5r7/4g7/11/4r5/4g4/10/11/12/13/gggg/g2/gg/g g 140";
        let position = game.parse_position(text).expect(text);
        let mut past = Vec::new();
        let first = |past: &[Position]| {
            let way =
                way_home(&game, &position, Player(0), past, &mut |nodes| nodes > 50_000).expect("a way");
            after(position.marbles(Colour::Green), way.moves[0])
        };
        for _ in 0..3 {
            let next = first(&past);
            assert!(past.iter().all(|held: &Position| held.marbles(Colour::Green) != next));
            let mut held = position;
            let mv = {
                let from = (position.marbles(Colour::Green) & !next).iter().next().expect("a marble");
                let to = (next & !position.marbles(Colour::Green)).iter().next().expect("a hole");
                Move::Marble { from, to }
            };
            game.play_unchecked(&mut held, mv);
            past.push(held);
        }
    }
}
