//! What people see of Othello.

use agon_core::view::{Board, Count, Effect, Ground, Look, Piece, Spot, Step};
use agon_core::{Game, Player, View};

use super::{Flank, Move, Othello, Position};
use agon_board::notation::column_letter;
use agon_board::view::squares;

const LOOKS: [(Look, char); 2] = [(Look::Black, 'x'), (Look::White, 'o')];

fn disc(owner: Player) -> Piece {
    let (look, letter) = LOOKS[owner.index()];
    Piece { look, letter, owner }
}

fn spot<B: Flank>(square: usize) -> Spot {
    let (row, column) = B::row_column(square);
    Spot::new(row, column)
}

impl<B: Flank> View for Othello<B> {
    fn title(&self, player: Player) -> String {
        ["Black", "White"][player.index()].to_owned()
    }

    fn board(&self, position: &Position<B>) -> Board {
        let count =
            |owner| Count { owner, what: "discs", value: u64::from(position.discs(owner).count()), of: None };
        Board {
            counts: vec![count(Player(0)), count(Player(1))],
            ..squares(
                self.size(),
                true,
                |column| column_letter(column).to_string(),
                |row| (row + 1).to_string(),
                |row, column| (Ground::Plain, self.disc(position, row, column).map(disc)),
            )
        }
    }

    fn step(&self, position: &Position<B>, mv: Move) -> Step {
        let Move::Place(square) = mv else { return Step::default() };
        let at = spot::<B>(usize::from(square));
        let mut after = *position;
        self.play_unchecked(&mut after, mv);
        let mut flipped = Vec::new();
        (position.opponent & after.discs(position.to_move)).for_each(|index| flipped.push(spot::<B>(index)));
        // They turn over from the new disc outwards.
        flipped.sort_by_key(|flip: &Spot| flip.row.abs_diff(at.row).max(flip.column.abs_diff(at.column)));
        let place = Effect::Place { at, piece: disc(position.to_move) };
        let flips = flipped.into_iter().map(|at| Effect::Flip { at });
        Step { to: Some(at), effects: std::iter::once(place).chain(flips).collect(), ..Step::default() }
    }
}
