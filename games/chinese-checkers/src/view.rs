//! What people see of Chinese Checkers, and what they are told.

use agon_core::message::COMMON;
use agon_core::view::{
    Board, Cell, Count, Gesture, Layout, Pattern, Piece, Progress, Shape, Sign, Spot, Step, Style, Token,
    no_move, off_board,
};
use agon_core::{Game, Message, Messages, Outcome, Player, View};

use super::colours::{Colour, MARBLES};
use super::holes::{COLUMNS, Hole, ROWS};
use super::position::{Move, Position};
use super::{ChineseCheckers, Goal, path};

pub(super) static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// The names of rows and columns.
const NAMES: [&str; COLUMNS] = [
    "00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16",
    "17", "18", "19", "20", "21", "22", "23", "24",
];

/// The marbles in the order of [`Colour::ALL`], then the homes in the same order.
pub(super) const STYLES: &[Style] = &[
    Style::piece("marble-g", "piece.green", Shape::Marble, "green").signed(Sign::Triangle).lettered('g'),
    Style::piece("marble-y", "piece.yellow", Shape::Marble, "yellow").signed(Sign::Ring).lettered('y'),
    Style::piece("marble-o", "piece.orange", Shape::Marble, "orange").signed(Sign::Bar).lettered('o'),
    Style::piece("marble-r", "piece.red", Shape::Marble, "red").signed(Sign::Cross).lettered('r'),
    Style::piece("marble-p", "piece.purple", Shape::Marble, "purple").signed(Sign::Diamond).lettered('p'),
    Style::piece("marble-b", "piece.blue", Shape::Marble, "blue").signed(Sign::TwoBars).lettered('b'),
    Style::ground("home-g", "ground.green", Pattern::Outlined).coloured("green").signed(Sign::Triangle),
    Style::ground("home-y", "ground.yellow", Pattern::Outlined).coloured("yellow").signed(Sign::Ring),
    Style::ground("home-o", "ground.orange", Pattern::Outlined).coloured("orange").signed(Sign::Bar),
    Style::ground("home-r", "ground.red", Pattern::Outlined).coloured("red").signed(Sign::Cross),
    Style::ground("home-p", "ground.purple", Pattern::Outlined).coloured("purple").signed(Sign::Diamond),
    Style::ground("home-b", "ground.blue", Pattern::Outlined).coloured("blue").signed(Sign::TwoBars),
];

/// The titles of the colours, in the same order.
const TITLES: [&str; 6] =
    ["seat.green", "seat.yellow", "seat.orange", "seat.red", "seat.purple", "seat.blue"];

fn spot(hole: Hole) -> Spot {
    Spot::new(hole.row(), hole.column())
}

fn ground(hole: Hole) -> Option<Token> {
    let home = Colour::ALL.into_iter().find(|colour| colour.home().contains(hole))?;
    Some(STYLES[Colour::ALL.len() + home as usize].token)
}

/// A message of all games about a hole.
fn about(key: &'static str, hole: Hole) -> Message {
    COMMON.say(key, [("at", hole.to_string().into())])
}

impl ChineseCheckers {
    fn owner(&self, colour: Colour) -> Player {
        let seat = self.seats.iter().position(|seat| seat.colours.contains(&colour));
        // Every marble on the board is somebody's.
        Player(seat.unwrap_or(0) as u8)
    }

    fn marble(&self, colour: Colour) -> Piece {
        Piece { style: STYLES[colour as usize].token, owner: self.owner(colour), number: None }
    }

    /// Why the seat to move cannot move a marble from a hole, wherever it goes.
    fn why_not_from(&self, position: &Position, from: Hole) -> Option<Message> {
        match position.colour_at(from) {
            None => Some(about("illegal.empty", from)),
            Some(colour) if self.owner(colour) != position.turn => Some(COMMON.say("illegal.not-yours", [])),
            Some(_) => None,
        }
    }
}

impl View for ChineseCheckers {
    fn title(&self, player: Player) -> Message {
        let title = |colour: Colour| MESSAGES.say(TITLES[colour as usize], []);
        match *self.colours(player) {
            [one, two] => {
                MESSAGES.say("seat.two", [("first", title(one).into()), ("second", title(two).into())])
            }
            [one, two, three] => MESSAGES.say(
                "seat.three",
                [("first", title(one).into()), ("second", title(two).into()), ("third", title(three).into())],
            ),
            // A seat has one colour at least.
            ref colours => title(colours.first().copied().unwrap_or(Colour::Green)),
        }
    }

    fn seat_styles(&self, player: Player) -> Vec<Token> {
        self.colours(player).iter().map(|&colour| self.marble(colour).style).collect()
    }

    fn board(&self, position: &Position) -> Board {
        let holes = (0..ROWS).flat_map(|row| (0..COLUMNS).filter_map(move |column| Hole::at(row, column)));
        let cells = holes.map(|hole| Cell {
            spot: spot(hole),
            ground: ground(hole),
            piece: position.colour_at(hole).map(|colour| self.marble(colour)),
        });
        let counts = (0..self.seats.len() as u8).map(Player).map(|owner| {
            let (value, of) = (self.progress(position, owner).0, MARBLES * self.colours(owner).len() as u64);
            let text = MESSAGES.say("count.home", [("n", value.into()), ("of", of.into())]);
            Count { owner, name: MESSAGES.say("counted.home", []), value, of: Some(of), text }
        });
        let (plies, seats) = (position.plies(), self.seats.len() as u32);
        let (played, limit) = (plies / seats, self.rounds);
        // The round of the next move, or that of the last one if there is none.
        let shown = if self.outcome(position).is_some() { plies.div_ceil(seats) } else { played + 1 };
        let text = MESSAGES.say("progress.limited", [("n", shown.into()), ("m", limit.into())]);
        let [rows, columns] = [ROWS, COLUMNS].map(|count| NAMES[..count].to_vec());
        Board {
            cells: cells.collect(),
            counts: counts.collect(),
            progress: Some(Progress { played, limit: Some(limit), text }),
            ..Board::new(Layout::Star, "tray", STYLES, "{row}{column}", rows, columns)
        }
    }

    fn step(&self, position: &Position, mv: Move) -> Step {
        match mv {
            Move::Marble { from, to } => {
                let path = path(position.occupied(), mv).into_iter().map(spot).collect();
                Step { path, ..Step::between(spot(from), spot(to)) }
            }
            Move::Pass => Step::pass(),
        }
    }

    fn end_message(&self, _position: &Position, outcome: &Outcome) -> Message {
        match (outcome.reason, self.goal) {
            ("home", Goal::Strict) => MESSAGES.say("end.home", []),
            ("home", Goal::Fill) => MESSAGES.say("end.home.fill", []),
            _ => COMMON.say("end.limit", []),
        }
    }

    fn broken_rule(&self, position: &Position, mv: Move) -> Message {
        let Move::Marble { from, to } = mv else { return COMMON.say("illegal.pass", []) };
        if let Some(reason) = self.why_not_from(position, from) {
            reason
        } else if from == to {
            COMMON.say("illegal.stay", [])
        } else if position.occupied().contains(to) {
            about("illegal.occupied", to)
        } else {
            MESSAGES.say("illegal.unreachable", [("at", to.to_string().into())])
        }
    }

    fn gestured_move(&self, _position: &Position, gesture: &Gesture) -> Result<Move, Message> {
        let (from, to) = gesture.ends().ok_or_else(no_move)?;
        let hole = |spot: Spot| Hole::at(spot.row.into(), spot.column.into()).ok_or_else(off_board);
        Ok(Move::Marble { from: hole(from)?, to: hole(to)? })
    }
}
