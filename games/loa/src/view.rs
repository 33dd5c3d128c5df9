//! What people see of Lines of Action, and what they are told.

use agon_core::message::COMMON;
use agon_core::view::{
    Board, Count, Effect, Gesture, Piece, Progress, Shape, Sign, Spot, Step, Style, Token, no_move,
};
use agon_core::{Game, Message, Messages, Outcome, Player, View};

use super::field::Obstacle;
use super::grid::Grid;
use super::{Loa, Move, Position};
use agon_board::notation::number_name;
use agon_board::view::{on_board, squares};

pub(super) static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// The pieces, by colour.
pub(super) const STYLES: &[Style] = &[
    Style::piece("black", "piece.black", Shape::Disc, "black").signed(Sign::Ring).lettered('b'),
    Style::piece("white", "piece.white", Shape::Disc, "white").lettered('w'),
];

fn spot<B: Grid>(square: u16) -> Spot {
    let (row, column) = B::row_column(square.into());
    Spot::new(row, column)
}

impl<B: Grid> Loa<B> {
    fn style(&self, owner: Player) -> Token {
        STYLES[self.colour(owner)].token
    }

    fn piece(&self, position: &Position<B>, row: usize, column: usize) -> Option<Piece> {
        let square = B::index(row, column);
        let owner = [0, 1].map(Player).into_iter().find(|&owner| position.pieces(owner).contains(square))?;
        Some(Piece { style: self.style(owner), owner, number: None })
    }

    /// A message of all games about a square.
    fn about(key: &'static str, square: u16) -> Message {
        COMMON.say(key, [("at", Self::square_text(square).into())])
    }

    /// Why the side to move cannot move a piece from a square, wherever it goes.
    fn why_not_from(&self, position: &Position<B>, from: u16) -> Option<Message> {
        if position.own.contains(from.into()) {
            return None;
        }
        Some(match position.enemy.contains(from.into()) {
            true => COMMON.say("illegal.not-yours", []),
            false => Self::about("illegal.empty", from),
        })
    }

    fn why_not_slide(&self, position: &Position<B>, from: u16, to: u16) -> Message {
        if let Some(reason) = self.why_not_from(position, from) {
            return reason;
        }
        match self.field.obstacle(position, from.into(), to.into()) {
            Obstacle::Nowhere => COMMON.say("illegal.stay", []),
            Obstacle::NoLine => MESSAGES.say("illegal.not-in-line", []),
            Obstacle::Length(pieces) => MESSAGES.say("illegal.length", [("n", pieces.into())]),
            Obstacle::Enemy(square) => Self::about("illegal.blocked", square as u16),
            Obstacle::Own => Self::about("illegal.own-piece", to),
        }
    }
}

impl<B: Grid> View for Loa<B> {
    fn title(&self, player: Player) -> Message {
        MESSAGES.say(["seat.black", "seat.white"][self.colour(player)], [])
    }

    fn seat_styles(&self, player: Player) -> Vec<Token> {
        vec![self.style(player)]
    }

    fn board(&self, position: &Position<B>) -> Board {
        let count = |owner| {
            let (value, of) = (position.pieces(owner).count(), self.pieces_at_start());
            let text = MESSAGES.say("count.pieces", [("n", value.into()), ("of", of.into())]);
            let name = MESSAGES.say("counted.pieces", []);
            Count { owner, name, value: value.into(), of: Some(of.into()), text }
        };
        let (played, limit) = (position.ply / 2, self.turns);
        // The turn of the next move, or that of the last one if there is none.
        let shown = if self.outcome(position).is_some() { position.ply.div_ceil(2) } else { played + 1 };
        let text = MESSAGES.say("progress.limited", [("n", shown.into()), ("m", limit.into())]);
        Board {
            counts: vec![count(Player(0)), count(Player(1))],
            progress: Some(Progress { played, limit: Some(limit), text }),
            ..squares(
                (self.size(), self.size()),
                "wood",
                STYLES,
                "{row},{column}",
                number_name,
                number_name,
                |row, column| (None, self.piece(position, row, column)),
            )
        }
    }

    fn step(&self, position: &Position<B>, mv: Move) -> Step {
        match mv {
            Move::Slide { from, to } => {
                let mut step = Step::between(spot::<B>(from), spot::<B>(to));
                if position.enemy().contains(to.into()) {
                    // What stood there falls before somebody else arrives.
                    step.effects.insert(0, Effect::Remove { at: spot::<B>(to) });
                }
                step
            }
            Move::Rotate { corner } => Step::turn(spot::<B>(corner)),
            Move::Pass => Step::pass(),
        }
    }

    fn end_message(&self, _position: &Position<B>, outcome: &Outcome) -> Message {
        match outcome.reason {
            "connected" => MESSAGES.say("end.connected", []),
            "both connected" => MESSAGES.say("end.both-connected", []),
            _ => COMMON.say("end.limit", []),
        }
    }

    fn broken_rule(&self, position: &Position<B>, mv: Move) -> Message {
        match mv {
            Move::Slide { from, to } => self.why_not_slide(position, from, to),
            Move::Rotate { .. } if !self.rotating => MESSAGES.say("illegal.no-turning", []),
            Move::Rotate { .. } => MESSAGES.say("illegal.block", []),
            Move::Pass => COMMON.say("illegal.pass", []),
        }
    }

    fn gestured_move(&self, _position: &Position<B>, gesture: &Gesture) -> Result<Move, Message> {
        let square =
            |size, spot| on_board((size, size), spot).map(|(row, column)| B::index(row, column) as u16);
        let size = self.size();
        match *gesture {
            Gesture::Point { .. } => {
                let (from, to) = gesture.ends().ok_or_else(no_move)?;
                Ok(Move::Slide { from: square(size, from)?, to: square(size, to)? })
            }
            // A block needs a square below it and one to its right.
            Gesture::Turn { corner } => Ok(Move::Rotate { corner: square(size - 1, corner)? }),
            Gesture::Slide { .. } => Err(no_move()),
        }
    }
}
