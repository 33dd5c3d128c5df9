//! From a place on the board to a move: the cursor, the chosen piece, the block that would turn.
//!
//! Which moves there are, and which places mean them, is told by their [`Step`]s; nothing here knows a rule. A move is made by
//! pointing at its places one after another, one that turns a block by choosing the block.

use agon_core::Player;
use agon_core::view::{Board, Gesture, Heading, Spot, Step, StepKind};

/// Where the user is and what is chosen.
#[derive(Clone, Debug)]
pub(crate) struct Pointer {
    pub(crate) cursor: Spot,
    /// The places that have been pointed at, with which some move begins.
    chosen: Vec<Spot>,
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
    /// It means several moves, of which the user must choose one.
    Several(Vec<String>),
    /// No legal move names these places; the game knows what to make of it.
    Elsewhere(Gesture),
    /// The piece there is the mover's own and has no move.
    Stuck,
}

type Steps = [(String, Step)];

impl Pointer {
    /// A pointer at the move that lies nearest to the middle.
    pub(crate) fn new(board: &Board, steps: &Steps) -> Self {
        let middle = Spot::new(board.rows.len() / 2, board.columns.len() / 2);
        let mut pointer = Self { cursor: middle, chosen: Vec::new(), block: None, anchor: middle.column };
        let near = pointer
            .choices(steps)
            .into_iter()
            .map(|choice| choice.0)
            .min_by_key(|spot| (distance(*spot, middle), *spot));
        pointer.go(near.or_else(|| board.cells.first().map(|cell| cell.spot)).unwrap_or(middle));
        pointer
    }

    fn go(&mut self, spot: Spot) {
        self.cursor = spot;
        self.anchor = spot.column;
    }

    /// The place that was pointed at last, if a move has been begun.
    pub(crate) fn selected(&self) -> Option<Spot> {
        self.chosen.last().copied()
    }

    /// Forgets what is chosen; `false` if nothing was.
    pub(crate) fn clear(&mut self) -> bool {
        let had = !self.chosen.is_empty() || self.block.is_some();
        self.chosen.clear();
        self.block = None;
        had
    }

    /// What has been pointed at if this place comes next.
    fn with(&self, spot: Spot) -> Vec<Spot> {
        self.chosen.iter().copied().chain([spot]).collect()
    }

    /// The places that can be pointed at next with some sense, in reading order, and whether that makes a move. Of the places
    /// that mean a move, the one where its piece arrives stands for all, if it is among them.
    fn choices(&self, steps: &Steps) -> Vec<(Spot, bool)> {
        let mut choices = Vec::new();
        let mut places = self.chosen.clone();
        for (_, step) in steps {
            let first = choices.len();
            step.for_each_next_place(&self.chosen, |spot| {
                places.push(spot);
                choices.push((spot, step.is_at(&places)));
                places.pop();
            });
            let arrival =
                choices[first..].iter().copied().find(|choice| step.to == Some(choice.0) && choice.1);
            if let Some(arrival) = arrival {
                choices.truncate(first);
                choices.push(arrival);
            }
        }
        choices.sort_unstable();
        choices.dedup();
        choices
    }

    /// The places to be marked: those that end a move, and those that continue one that has been begun.
    pub(crate) fn targets(&self, steps: &Steps) -> Vec<Spot> {
        let is_begun = !self.chosen.is_empty();
        let choices = self.choices(steps).into_iter();
        choices.filter(|&(_, is_move)| is_move || is_begun).map(|(spot, _)| spot).collect()
    }

    /// The moves that pointing at a place now means.
    fn meant<'a>(&self, spot: Spot, steps: &'a Steps) -> Vec<&'a (String, Step)> {
        let gesture = match self.block {
            Some(corner) => Gesture::Turn { corner },
            None => Gesture::Point { places: self.with(spot) },
        };
        steps.iter().filter(|(_, step)| step.is_meant_by(&gesture)).collect()
    }

    /// The move that Enter would make here.
    pub(crate) fn preview<'a>(&self, steps: &'a Steps) -> Option<&'a (String, Step)> {
        match self.meant(self.cursor, steps)[..] {
            [meant] => Some(meant),
            _ => None,
        }
    }

    /// Points at a place.
    pub(crate) fn point(&mut self, spot: Spot, board: &Board, steps: &Steps, mover: Player) -> Pointed {
        self.go(spot);
        match self.meant(spot, steps)[..] {
            [] => {}
            [(token, _)] => {
                self.clear();
                return Pointed::Move(token.clone());
            }
            ref several => {
                self.clear();
                return Pointed::Several(several.iter().map(|(token, _)| token.clone()).collect());
            }
        }
        self.block = None;
        let begins = |places: &[Spot]| steps.iter().any(|(_, step)| step.is_begun_by(places));
        let places = self.with(spot);
        if begins(&places) {
            self.chosen = places;
            return Pointed::Chosen;
        }
        if self.selected() == Some(spot) {
            self.clear();
            return Pointed::Chosen;
        }
        if begins(&[spot]) {
            self.chosen = vec![spot];
            return Pointed::Chosen;
        }
        let is_own = board.cell(spot).and_then(|cell| cell.piece).is_some_and(|piece| piece.owner == mover);
        let pieces_move = steps.iter().any(|(_, step)| step.kind == StepKind::Move);
        if !self.clear() && is_own && pieces_move {
            return Pointed::Stuck;
        }
        Pointed::Elsewhere(Gesture::Point { places })
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
        let choices: Vec<Spot> = self.choices(steps).into_iter().map(|choice| choice.0).collect();
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
        self.chosen.clear();
        let count = corners.len();
        let at = self.block.and_then(|block| corners.iter().position(|corner| *corner == block));
        let next = at.map_or(0, |at| (at + 1) % count);
        self.block = Some(corners[next]);
        true
    }

    /// Points at the block whose top left cell this is: once to choose it, again to turn it.
    pub(crate) fn point_block(&mut self, corner: Spot, steps: &Steps) -> Pointed {
        let gesture = Gesture::Turn { corner };
        let Some((token, _)) = steps.iter().find(|(_, step)| step.is_meant_by(&gesture)) else {
            return Pointed::Elsewhere(gesture);
        };
        if self.block == Some(corner) {
            self.block = None;
            return Pointed::Move(token.clone());
        }
        self.chosen.clear();
        self.block = Some(corner);
        Pointed::Chosen
    }
}

fn distance(one: Spot, other: Spot) -> u32 {
    u32::from(one.row.abs_diff(other.row)).pow(2) + u32::from(one.column.abs_diff(other.column)).pow(2)
}

#[cfg(test)]
mod tests {
    use agon_erased::{Rules, Session, erase};
    use agon_registry::GAMES;
    use agon_testkit::columns::{Columns, SPEC};

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
        assert_eq!(refused, Pointed::Elsewhere(Gesture::Point { places: vec![spot(0, 0)] }));
    }

    #[test]
    fn two_places_make_a_move_where_pieces_go() {
        let session = start("tablut", "");
        let (board, steps) = (session.board(), session.steps());
        let mut pointer = Pointer::new(&board, &steps);
        assert_eq!(pointer.point(spot(0, 3), &board, &steps, Player(0)), Pointed::Chosen);
        assert!(pointer.targets(&steps).contains(&spot(2, 3)));
        assert_eq!(pointer.point(spot(2, 3), &board, &steps, Player(0)), Pointed::Move("d1d3".to_owned()));
        assert_eq!(pointer.selected(), None);
        let other = pointer.point(spot(4, 4), &board, &steps, Player(0));
        assert_eq!(other, Pointed::Elsewhere(Gesture::Point { places: vec![spot(4, 4)] }));
    }

    #[test]
    fn any_place_of_a_column_means_it_and_the_one_where_the_disc_lands_is_marked() {
        let session = erase(&SPEC, Columns).start();
        let (board, steps) = (session.board(), session.steps());
        let mut pointer = Pointer::new(&board, &steps);
        assert_eq!(pointer.targets(&steps), [spot(1, 0), spot(1, 1), spot(1, 2)]);
        assert_eq!(pointer.point(spot(0, 2), &board, &steps, Player(0)), Pointed::Move("c".to_owned()));
    }

    #[test]
    fn moves_of_three_places_and_moves_that_share_their_places() {
        let board = start("tablut", "").board();
        let step = |places: &[Spot]| Step::between(spot(0, 0), spot(0, 1)).meant_by(vec![places.to_vec()]);
        let [from, to, shot] = [spot(0, 0), spot(0, 1), spot(0, 2)];
        let steps: Vec<(String, Step)> =
            [("shot", &[from, to, shot][..]), ("q", &[to, from]), ("n", &[to, from])]
                .map(|(token, places)| (token.to_owned(), step(places)))
                .into();
        let mut pointer = Pointer::new(&board, &steps);
        let mut point = |spot| pointer.point(spot, &board, &steps, Player(0));
        assert_eq!([point(from), point(to)], [Pointed::Chosen, Pointed::Chosen]);
        assert_eq!(point(shot), Pointed::Move("shot".to_owned()));
        assert_eq!(point(to), Pointed::Chosen);
        assert_eq!(point(from), Pointed::Several(vec!["q".to_owned(), "n".to_owned()]));
        // What is neither a move nor its continuation is told as it was pointed at.
        assert_eq!([point(from), point(to)], [Pointed::Chosen, Pointed::Chosen]);
        let missed = vec![from, to, spot(5, 5)];
        assert_eq!(point(spot(5, 5)), Pointed::Elsewhere(Gesture::Point { places: missed }));
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
