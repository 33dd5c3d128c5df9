//! What people see of Lines of Action.

use agon_core::view::{Board, Count, Effect, Ground, Look, Piece, Progress, Spot, Step};
use agon_core::{Notation, Player, View};

use super::grid::Grid;
use super::{Loa, Move, Position};
use agon_board::view::squares;

fn spot<B: Grid>(square: u16) -> Spot {
    let (row, column) = B::row_column(square.into());
    Spot::new(row, column)
}

impl<B: Grid> Loa<B> {
    fn is_black(&self, player: Player) -> bool {
        self.seat(player) == "b"
    }

    fn piece(&self, position: &Position<B>, row: usize, column: usize) -> Option<Piece> {
        let square = B::index(row, column);
        let owner = [0, 1].map(Player).into_iter().find(|&owner| position.pieces(owner).contains(square))?;
        let (look, letter) = if self.is_black(owner) { (Look::Black, 'b') } else { (Look::White, 'w') };
        Some(Piece { look, letter, owner })
    }
}

impl<B: Grid> View for Loa<B> {
    fn title(&self, player: Player) -> String {
        if self.is_black(player) { "Black" } else { "White" }.to_owned()
    }

    fn board(&self, position: &Position<B>) -> Board {
        let count = |owner| Count {
            owner,
            what: "pieces",
            value: u64::from(position.pieces(owner).count()),
            of: Some(u64::from(self.pieces_at_start())),
        };
        Board {
            counts: vec![count(Player(0)), count(Player(1))],
            progress: Some(Progress { unit: "turn", played: position.ply / 2, limit: Some(self.turns) }),
            ..squares(
                self.size(),
                false,
                |column| column.to_string(),
                |row| row.to_string(),
                |row, column| (Ground::Plain, self.piece(position, row, column)),
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
            Move::Rotate { corner } => {
                Step { effects: vec![Effect::Turn { corner: spot::<B>(corner) }], ..Step::default() }
            }
            Move::Pass => Step::default(),
        }
    }
}
