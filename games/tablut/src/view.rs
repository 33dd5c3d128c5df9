//! What people see of Tablut, and what they are told.

use agon_core::message::COMMON;
use agon_core::view::{
    Board, Count, Effect, Gesture, Ornament, Pattern, Piece, Progress, Shape, Sign, Spot, Step, Style,
    Threat, Token, no_move,
};
use agon_core::{Game, Message, Messages, Outcome, Player, View};

use super::lines::SIZE;
use super::notation::name_of;
use super::position::{Move, Position, Side};
use super::rules::{CAMPS, CASTLE, EXITS};
use super::{Rules, Tablut};
use agon_board::Bits;
use agon_board::notation::{column_name, number_name};
use agon_board::view::{on_board, squares};

pub(super) static MESSAGES: Messages =
    Messages::new(&[("en", include_str!("messages/en.txt")), ("he", include_str!("messages/he.txt"))]);

const CAMP: Token = "camp";
const KEEP: Token = "castle";
const EXIT: Token = "exit";
const BLACK: Token = "black";
const WHITE: Token = "white";
const KING: Token = "king";

pub(super) const STYLES: &[Style] = &[
    Style::ground(CAMP, "ground.camp", Pattern::Hatched),
    Style::ground(KEEP, "ground.castle", Pattern::Crossed).with(Ornament::Frame),
    Style::ground(EXIT, "ground.exit", Pattern::Chevron),
    Style::piece(BLACK, "piece.attacker", Shape::Disc, "black").signed(Sign::Ring).lettered('b'),
    Style::piece(WHITE, "piece.defender", Shape::Disc, "white").lettered('w'),
    Style::piece(KING, "piece.king", Shape::Disc, "white").with(Ornament::Crown).lettered('k'),
];

/// With how many pieces the sides begin, the king apart.
const ATTACKERS: u64 = 16;
const DEFENDERS: u64 = 8;

fn spot(square: usize) -> Spot {
    let (row, column) = u128::row_column(square);
    Spot::new(row, column)
}

fn ground(square: usize) -> Option<Token> {
    match square {
        _ if CAMPS.contains(square) => Some(CAMP),
        _ if CASTLE.contains(square) => Some(KEEP),
        _ if EXITS.contains(square) => Some(EXIT),
        _ => None,
    }
}

/// A message of all games about a square.
fn about(key: &'static str, square: usize) -> Message {
    COMMON.say(key, [("at", name_of(square).into())])
}

impl Tablut {
    fn piece(&self, position: &Position, square: usize) -> Option<Piece> {
        let (style, side) = match square {
            _ if position.king() == Some(square) => (KING, Side::Defenders),
            _ if position.attackers().contains(square) => (BLACK, Side::Attackers),
            _ if position.defenders().contains(square) => (WHITE, Side::Defenders),
            _ => return None,
        };
        Some(Piece { style, owner: self.player(side), number: None })
    }

    /// Whether the attackers could take the king if it were their turn.
    fn is_king_in_danger(&self, position: &Position) -> bool {
        let mut view = *position;
        if view.side() == Side::Defenders {
            self.skip(&mut view);
        }
        let Some(king) = view.king() else { return false };
        let mut danger = false;
        self.for_each_move(&view, |mv| danger |= self.captured_by(&view, mv).contains(king));
        danger
    }

    /// Why no piece of the side to move can leave a square, wherever it goes.
    fn why_not_from(&self, position: &Position, from: usize) -> Option<Message> {
        let [attackers, defenders] = position.pieces;
        if !(attackers | defenders).contains(from) {
            return Some(about("illegal.empty", from));
        }
        let is_own = position.pieces[position.side as usize].contains(from);
        (!is_own).then(|| COMMON.say("illegal.not-yours", []))
    }
}

impl View for Tablut {
    fn title(&self, player: Player) -> Message {
        MESSAGES.say(
            match self.side_of(player) {
                Side::Attackers => "seat.attackers",
                Side::Defenders => "seat.defenders",
            },
            [],
        )
    }

    fn seat_styles(&self, player: Player) -> Vec<Token> {
        match self.side_of(player) {
            Side::Attackers => vec![BLACK],
            Side::Defenders => vec![WHITE, KING],
        }
    }

    fn board(&self, position: &Position) -> Board {
        let count = |side, value: u32, of: u64| {
            let text = MESSAGES.say("count.pieces", [("n", value.into()), ("of", of.into())]);
            let name = MESSAGES.say("counted.pieces", []);
            Count { owner: self.player(side), name, value: value.into(), of: Some(of), text }
        };
        let mut counts = vec![
            count(Side::Attackers, position.attackers().count(), ATTACKERS),
            count(Side::Defenders, position.defenders().count(), DEFENDERS),
        ];
        counts.sort_by_key(|count| count.owner);
        let (played, limit) = (position.ply, (self.rules == Rules::Ashton).then_some(self.limit));
        // The number of the next move, or that of the last one if there is none.
        let shown = if self.outcome(position).is_some() { played } else { played + 1 };
        let text = match limit {
            Some(limit) => MESSAGES.say("progress.limited", [("n", shown.into()), ("m", limit.into())]),
            None => MESSAGES.say("progress", [("n", shown.into())]),
        };
        let king = position.king().filter(|_| self.is_king_in_danger(position));
        let threat = |king| Threat { at: spot(king), message: MESSAGES.say("threat.king", []) };
        Board {
            counts,
            progress: Some(Progress { played, limit, text }),
            threats: king.map(threat).into_iter().collect(),
            ..squares(
                (SIZE, SIZE),
                "wood",
                STYLES,
                "{column}{row}",
                column_name,
                |row| number_name(row + 1),
                |row, column| {
                    let square = u128::index(row, column);
                    (ground(square), self.piece(position, square))
                },
            )
        }
    }

    fn step(&self, position: &Position, mv: Move) -> Step {
        let mut step = Step::between(spot(mv.from()), spot(mv.to()));
        self.captured_by(position, mv)
            .for_each(|square| step.effects.push(Effect::Remove { at: spot(square) }));
        step
    }

    fn end_message(&self, position: &Position, outcome: &Outcome) -> Message {
        match outcome.reason {
            "king captured" => MESSAGES.say("end.king-captured", []),
            "king escaped" => MESSAGES.say("end.king-escaped", []),
            "no move" => match position.side() {
                Side::Attackers => MESSAGES.say("end.no-move.attackers", []),
                Side::Defenders => MESSAGES.say("end.no-move.defenders", []),
            },
            "repetition" => COMMON.say("end.repetition", []),
            _ => COMMON.say("end.limit", []),
        }
    }

    fn broken_rule(&self, position: &Position, mv: Move) -> Message {
        if let Some(reason) = self.why_not_from(position, mv.from()) {
            return reason;
        }
        // The first square in its way that it cannot go to.
        let (start, end) = mv.places();
        let reach =
            self.lines.cells(position.lines[mv.line()]).reachable_span(position.side, mv.line(), start);
        let stop = if start < end { reach.high + 1 } else { reach.low.saturating_sub(1) };
        let stop = Move::along(mv.line(), start, stop).to();
        let occupied = position.pieces[0] | position.pieces[1];
        if occupied.contains(stop) {
            let key = if stop == mv.to() { "illegal.occupied" } else { "illegal.blocked" };
            return about(key, stop);
        }
        let key = match position.side() {
            _ if CASTLE.contains(stop) => "illegal.castle",
            Side::Attackers => "illegal.camp.attackers",
            Side::Defenders => "illegal.camp.defenders",
        };
        MESSAGES.say(key, [])
    }

    fn gestured_move(&self, position: &Position, gesture: &Gesture) -> Result<Move, Message> {
        let (from, to) = gesture.ends().ok_or_else(no_move)?;
        let (from, to) = (on_board((SIZE, SIZE), from)?, on_board((SIZE, SIZE), to)?);
        if let Some(reason) = self.why_not_from(position, u128::index(from.0, from.1)) {
            return Err(reason);
        }
        Move::between(from, to).ok_or_else(|| match from == to {
            true => COMMON.say("illegal.stay", []),
            false => MESSAGES.say("illegal.not-in-line", []),
        })
    }
}
