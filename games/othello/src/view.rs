//! What people see of Othello, and what they are told.

use agon_core::message::COMMON;
use agon_core::view::{Board, Count, Gesture, Piece, Shape, Sign, Spot, Step, Style, Token, no_move};
use agon_core::{Game, Message, Messages, Notation, Outcome, Player, Verdict, View};

use super::{Flank, Move, Othello, Position};
use agon_board::notation::{column_name, number_name};
use agon_board::view::{on_board, squares};

pub(super) static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

/// The discs, by player.
pub(super) const STYLES: &[Style] = &[
    Style::piece("black", "piece.black", Shape::Disc, "black").signed(Sign::Ring).lettered('x'),
    Style::piece("white", "piece.white", Shape::Disc, "white").lettered('o'),
];

fn disc(owner: Player) -> Piece {
    Piece { style: STYLES[owner.index()].token, owner, number: None }
}

fn spot<B: Flank>(square: usize) -> Spot {
    let (row, column) = B::row_column(square);
    Spot::new(row, column)
}

/// The crossings that Othello boards have a dot on: two lines from each edge, unless the board is too small for them.
fn dots(size: usize) -> Vec<Spot> {
    if size < 6 {
        return Vec::new();
    }
    // A crossing is named by the square to its upper left.
    let lines = [1, size - 3];
    lines.iter().flat_map(|&row| lines.map(|column| Spot::new(row, column))).collect()
}

impl<B: Flank> View for Othello<B> {
    fn title(&self, player: Player) -> Message {
        MESSAGES.say(["seat.black", "seat.white"][player.index()], [])
    }

    fn seat_styles(&self, player: Player) -> Vec<Token> {
        vec![disc(player).style]
    }

    fn board(&self, position: &Position<B>) -> Board {
        let count = |owner| {
            let value = u64::from(position.discs(owner).count());
            let text = MESSAGES.say("count.discs", [("n", value.into())]);
            Count { owner, name: MESSAGES.say("counted.discs", []), value, of: None, text }
        };
        Board {
            counts: vec![count(Player(0)), count(Player(1))],
            dots: dots(self.size()),
            ..squares(
                (self.size(), self.size()),
                "felt",
                STYLES,
                "{column}{row}",
                column_name,
                |row| number_name(row + 1),
                |row, column| (None, self.disc(position, row, column).map(disc)),
            )
        }
    }

    fn step(&self, position: &Position<B>, mv: Move) -> Step {
        let Move::Place(square) = mv else { return Step::pass() };
        let (at, piece) = (spot::<B>(usize::from(square)), disc(position.to_move));
        let mut after = *position;
        self.play_unchecked(&mut after, mv);
        let turned = position.opponent & after.discs(position.to_move);
        let mut flipped = Vec::with_capacity(turned.count() as usize);
        turned.for_each(|index| flipped.push(spot::<B>(index)));
        // They turn over from the new disc outwards.
        flipped.sort_by_key(|flip: &Spot| flip.row.abs_diff(at.row).max(flip.column.abs_diff(at.column)));
        Step::place_and_flip(at, piece, flipped)
    }

    fn end_message(&self, position: &Position<B>, outcome: &Outcome) -> Message {
        let discs = [0, 1].map(|player| position.discs(Player(player)).count());
        match outcome.verdict {
            Verdict::Won(_) => MESSAGES.say(
                "end.discs",
                [("more", discs[0].max(discs[1]).into()), ("fewer", discs[0].min(discs[1]).into())],
            ),
            Verdict::Drawn | Verdict::Lost => MESSAGES.say("end.discs.drawn", [("each", discs[0].into())]),
        }
    }

    fn broken_rule(&self, position: &Position<B>, mv: Move) -> Message {
        match mv {
            Move::Pass => COMMON.say("illegal.pass", []),
            Move::Place(square) if (position.own | position.opponent).contains(square.into()) => {
                COMMON.say("illegal.occupied", [("at", self.move_text(mv).into())])
            }
            Move::Place(_) => {
                let enclosed = ["illegal.encloses-no-white", "illegal.encloses-no-black"];
                MESSAGES.say(enclosed[position.to_move.index()], [])
            }
        }
    }

    fn gestured_move(&self, _position: &Position<B>, gesture: &Gesture) -> Result<Move, Message> {
        let (_, to) = gesture.ends().ok_or_else(no_move)?;
        let (row, column) = on_board((self.size(), self.size()), to)?;
        Ok(self.place(row, column))
    }
}
