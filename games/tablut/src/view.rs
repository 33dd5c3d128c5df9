//! What people see of Tablut.

use agon_core::view::{Board, Count, Effect, Ground, Look, Piece, Progress, Spot, Step};
use agon_core::{Game, Player, View};

use super::lines::SIZE;
use super::position::{Move, Position, Side};
use super::rules::{CAMPS, CASTLE, EXITS};
use super::{Rules, Tablut};
use agon_board::Bits;
use agon_board::notation::column_letter;
use agon_board::view::squares;

/// With how many pieces the sides begin, the king apart.
const ATTACKERS: u64 = 16;
const DEFENDERS: u64 = 8;

fn spot(square: usize) -> Spot {
    let (row, column) = u128::row_column(square);
    Spot::new(row, column)
}

fn ground(square: usize) -> Ground {
    match square {
        _ if CAMPS.contains(square) => Ground::Camp,
        _ if CASTLE.contains(square) => Ground::Castle,
        _ if EXITS.contains(square) => Ground::Exit,
        _ => Ground::Plain,
    }
}

impl Tablut {
    fn piece(&self, position: &Position, square: usize) -> Option<Piece> {
        let (look, letter, side) = match square {
            _ if position.king() == Some(square) => (Look::King, 'k', Side::Defenders),
            _ if position.attackers().contains(square) => (Look::Black, 'b', Side::Attackers),
            _ if position.defenders().contains(square) => (Look::White, 'w', Side::Defenders),
            _ => return None,
        };
        Some(Piece { look, letter, owner: self.player(side) })
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
}

impl View for Tablut {
    fn title(&self, player: Player) -> String {
        match self.side_of(player) {
            Side::Attackers => "Attackers".to_owned(),
            Side::Defenders => "Defenders".to_owned(),
        }
    }

    fn board(&self, position: &Position) -> Board {
        let count = |side, value: u32, of| Count {
            owner: self.player(side),
            what: "pieces",
            value: u64::from(value),
            of: Some(of),
        };
        let mut counts = vec![
            count(Side::Attackers, position.attackers().count(), ATTACKERS),
            count(Side::Defenders, position.defenders().count(), DEFENDERS),
        ];
        counts.sort_by_key(|count| count.owner);
        let limit = (self.rules == Rules::Ashton).then_some(self.limit);
        let threatened = position.king().filter(|_| self.is_king_in_danger(position));
        Board {
            counts,
            progress: Some(Progress { unit: "move", played: position.ply, limit }),
            threats: threatened.map(spot).into_iter().collect(),
            ..squares(
                SIZE,
                false,
                |column| column_letter(column).to_string(),
                |row| (row + 1).to_string(),
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
}
