//! From a place on the board to a move: the cursor, the chosen piece, the block that would turn.
//!
//! Which moves there are is told by their [`Step`]s; nothing here knows a rule. A move that only has an end is made by pointing there, one
//! that has a beginning too by pointing at both, one that turns a block by choosing the block.

use agon_core::Player;
use agon_core::view::{Board, Gesture, Heading, Spot, Step, StepKind};

/// Where the user is and what is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub(crate) cursor: Spot,
    pub(crate) selected: Option<Spot>,
    pub(crate) block: Option<Spot>,
    /// The column to which going up and down keeps, where rows are not above one another.
    anchor: u8,
}

/// What came of pointing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pointed {
    /// The choice has changed.
    Chosen,
    /// A move has been made up.
    Move(String),
    /// It is no legal move; the game knows why.
    Refused(Gesture),
    /// The piece there is the mover's own and has no move.
    Stuck,
}

type Steps = [(String, Step)];

impl Pointer {
    /// A pointer at the move that lies nearest to the middle.
    pub(crate) fn new(board: &Board, steps: &Steps) -> Self {
        let middle = Spot::new(board.rows.len() / 2, board.columns.len() / 2);
        let mut pointer = Self { cursor: middle, selected: None, block: None, anchor: middle.column };
        let near = pointer.choices(steps).into_iter().min_by_key(|spot| (distance(*spot, middle), *spot));
        pointer.go(near.or_else(|| board.cells.first().map(|cell| cell.spot)).unwrap_or(middle));
        pointer
    }

    fn go(&mut self, spot: Spot) {
        self.cursor = spot;
        self.anchor = spot.column;
    }

    /// Forgets what is chosen; `false` if nothing was.
    pub(crate) fn clear(&mut self) -> bool {
        let had = self.selected.is_some() || self.block.is_some();
        (self.selected, self.block) = (None, None);
        had
    }

    /// The places that can be pointed at with some sense, in reading order: targets of the chosen piece, or pieces that can move and
    /// places where one can appear.
    fn choices(&self, steps: &Steps) -> Vec<Spot> {
        let mut spots: Vec<Spot> = match self.selected {
            Some(from) => steps
                .iter()
                .filter(|(_, step)| step.from == Some(from))
                .filter_map(|(_, step)| step.to)
                .collect(),
            None => steps.iter().filter_map(|(_, step)| step.from.or(step.to)).collect(),
        };
        spots.sort_unstable();
        spots.dedup();
        spots
    }

    /// The places to be marked as ends of moves.
    pub(crate) fn targets(&self, steps: &Steps) -> Vec<Spot> {
        let ends =
            steps.iter().filter(|(_, step)| step.from == self.selected).filter_map(|(_, step)| step.to);
        ends.collect()
    }

    /// The move that Enter would make here.
    pub(crate) fn preview<'a>(&self, steps: &'a Steps) -> Option<&'a (String, Step)> {
        steps.iter().find(|(_, step)| match self.block {
            Some(corner) => step.block() == Some(corner),
            None => step.to == Some(self.cursor) && step.from == self.selected,
        })
    }

    /// Points at a place.
    pub(crate) fn point(&mut self, spot: Spot, board: &Board, steps: &Steps, mover: Player) -> Pointed {
        self.go(spot);
        if let Some(corner) = self.block.take() {
            let turned = steps.iter().find(|(_, step)| step.block() == Some(corner));
            if let Some((token, _)) = turned {
                return Pointed::Move(token.clone());
            }
        }
        if let Some((token, _)) = self.preview(steps) {
            let token = token.clone();
            self.clear();
            return Pointed::Move(token);
        }
        if self.selected == Some(spot) {
            self.clear();
            return Pointed::Chosen;
        }
        if steps.iter().any(|(_, step)| step.from == Some(spot)) {
            self.selected = Some(spot);
            return Pointed::Chosen;
        }
        let from = self.selected.unwrap_or(spot);
        let is_own = board.cell(spot).and_then(|cell| cell.piece).is_some_and(|piece| piece.owner == mover);
        let pieces_move = steps.iter().any(|(_, step)| step.kind == StepKind::Move);
        if !self.clear() && is_own && pieces_move {
            return Pointed::Stuck;
        }
        Pointed::Refused(Gesture::Point { from, to: spot })
    }

    /// Goes one place on; what lies there as it is seen.
    pub(crate) fn arrow(&mut self, heading: Heading, board: &Board, turned: bool) {
        let heading = match (heading, turned) {
            (heading, false) => heading,
            (Heading::Left, true) => Heading::Right,
            (Heading::Right, true) => Heading::Left,
            (Heading::Up, true) => Heading::Down,
            (Heading::Down, true) => Heading::Up,
        };
        let Spot { row, column } = self.cursor;
        let spots = board.cells.iter().map(|cell| cell.spot);
        let found = match heading {
            Heading::Left => spots.filter(|spot| spot.row == row && spot.column < column).max(),
            Heading::Right => spots.filter(|spot| spot.row == row && spot.column > column).min(),
            Heading::Up | Heading::Down => {
                let wanted = if heading == Heading::Up { row.checked_sub(1) } else { row.checked_add(1) };
                let anchor = self.anchor;
                let found = spots
                    .filter(|spot| Some(spot.row) == wanted)
                    .min_by_key(|spot| spot.column.abs_diff(anchor));
                self.cursor = found.unwrap_or(self.cursor);
                return;
            }
        };
        if let Some(spot) = found {
            self.go(spot);
        }
    }

    /// Goes to the next place that can be pointed at with sense.
    pub(crate) fn next(&mut self, backwards: bool, steps: &Steps) {
        let choices = self.choices(steps);
        let found = if backwards {
            choices.iter().rev().find(|spot| **spot < self.cursor).or(choices.last())
        } else {
            choices.iter().find(|spot| **spot > self.cursor).or(choices.first())
        };
        if let Some(spot) = found {
            self.go(*spot);
        }
    }

    /// Chooses the next block that can turn, the nearest to the cursor first; `false` if there is none.
    pub(crate) fn next_block(&mut self, steps: &Steps) -> bool {
        let mut corners: Vec<Spot> = steps.iter().filter_map(|(_, step)| step.block()).collect();
        let centre = self.cursor;
        corners.sort_by_key(|corner| (distance(*corner, centre), *corner));
        if corners.is_empty() {
            return false;
        }
        self.selected = None;
        let count = corners.len();
        let at = self.block.and_then(|block| corners.iter().position(|corner| *corner == block));
        let next = at.map_or(0, |at| (at + 1) % count);
        self.block = Some(corners[next]);
        true
    }

    /// Points at the block whose top left cell this is: once to choose it, again to turn it.
    pub(crate) fn point_block(&mut self, corner: Spot, steps: &Steps) -> Pointed {
        let Some((token, _)) = steps.iter().find(|(_, step)| step.block() == Some(corner)) else {
            return Pointed::Refused(Gesture::Turn { corner });
        };
        if self.block == Some(corner) {
            self.block = None;
            return Pointed::Move(token.clone());
        }
        self.selected = None;
        self.block = Some(corner);
        Pointed::Chosen
    }
}

fn distance(one: Spot, other: Spot) -> u32 {
    u32::from(one.row.abs_diff(other.row)).pow(2) + u32::from(one.column.abs_diff(other.column)).pow(2)
}

#[cfg(test)]
mod tests {
    use agon_erased::{Rules, Session};
    use agon_registry::GAMES;

    use super::*;

    fn start(game: &str, options: &str) -> Box<dyn Session> {
        let rules: std::sync::Arc<dyn Rules> = GAMES.find(game).expect(game).rules(options).expect(options);
        rules.start()
    }

    fn spot(row: u8, column: u8) -> Spot {
        Spot { row, column }
    }

    #[test]
    fn one_place_makes_a_move_where_pieces_appear() {
        let session = start("othello", "");
        let (board, steps) = (session.board(), session.steps());
        let mut pointer = Pointer::new(&board, &steps);
        assert!(pointer.preview(&steps).is_some(), "Enter plays at once");
        assert_eq!(pointer.point(spot(2, 3), &board, &steps, Player(0)), Pointed::Move("d3".to_owned()));
        let refused = pointer.point(spot(0, 0), &board, &steps, Player(0));
        assert_eq!(refused, Pointed::Refused(Gesture::Point { from: spot(0, 0), to: spot(0, 0) }));
    }

    #[test]
    fn two_places_make_a_move_where_pieces_go() {
        let session = start("tablut", "");
        let (board, steps) = (session.board(), session.steps());
        let mut pointer = Pointer::new(&board, &steps);
        assert_eq!(pointer.point(spot(0, 3), &board, &steps, Player(0)), Pointed::Chosen);
        assert!(pointer.targets(&steps).contains(&spot(2, 3)));
        assert_eq!(pointer.point(spot(2, 3), &board, &steps, Player(0)), Pointed::Move("d1d3".to_owned()));
        assert_eq!(pointer.selected, None);
        let other = pointer.point(spot(4, 4), &board, &steps, Player(0));
        assert_eq!(other, Pointed::Refused(Gesture::Point { from: spot(4, 4), to: spot(4, 4) }));
    }

    #[test]
    fn blocks_turn() {
        let session = start("loa", "size=5");
        let (board, steps) = (session.board(), session.steps());
        let mut pointer = Pointer::new(&board, &steps);
        assert!(pointer.next_block(&steps));
        let block = pointer.block.expect("a block");
        let Pointed::Move(token) = pointer.point(pointer.cursor, &board, &steps, Player(0)) else {
            panic!("Enter turns the block")
        };
        assert_eq!(token, format!("@{},{}", block.row, block.column));
        assert_eq!(pointer.point_block(spot(0, 0), &steps), Pointed::Chosen);
        assert_eq!(pointer.point_block(spot(0, 0), &steps), Pointed::Move("@0,0".to_owned()));
    }

    #[test]
    fn arrows_go_by_what_is_seen_and_stay_on_the_star() {
        let session = start("chinese-checkers", "");
        let (board, steps) = (session.board(), session.steps());
        let mut pointer = Pointer::new(&board, &steps);
        pointer.go(spot(0, 12));
        for _ in 0..20 {
            pointer.arrow(Heading::Down, &board, false);
            assert!(board.cell(pointer.cursor).is_some());
        }
        assert_eq!(pointer.cursor, spot(16, 12));
        pointer.arrow(Heading::Down, &board, true);
        assert_eq!(pointer.cursor.row, 15, "down on a board that is turned");
        for _ in 0..30 {
            pointer.arrow(Heading::Right, &board, false);
        }
        assert_eq!(pointer.cursor, spot(15, 13));
    }
}
