//! What people see of Chinese Checkers.

use agon_core::view::{Board, Cell, Count, Ground, Layout, Look, Piece, Progress, Spot, Step};
use agon_core::{Player, View};

use super::colours::{Colour, MARBLES};
use super::holes::{COLUMNS, Hole, ROWS};
use super::position::{Move, Position};
use super::{ChineseCheckers, path};

fn spot(hole: Hole) -> Spot {
    Spot::new(hole.row(), hole.column())
}

fn ground(hole: Hole) -> Ground {
    let home = Colour::ALL.into_iter().find(|colour| colour.home().contains(hole));
    home.map_or(Ground::Plain, |colour| Ground::Home(colour.letter()))
}

impl ChineseCheckers {
    fn owner(&self, colour: Colour) -> Player {
        let seat = self.seats.iter().position(|seat| seat.colours.contains(&colour));
        // Every marble on the board is somebody's.
        Player(seat.unwrap_or(0) as u8)
    }

    fn marble(&self, colour: Colour) -> Piece {
        let letter = colour.letter();
        Piece { look: Look::Marble(letter), letter, owner: self.owner(colour) }
    }
}

impl View for ChineseCheckers {
    fn title(&self, player: Player) -> String {
        let names = self.colours(player).iter().map(|colour| match colour {
            Colour::Green => "Green",
            Colour::Yellow => "Yellow",
            Colour::Orange => "Orange",
            Colour::Red => "Red",
            Colour::Purple => "Purple",
            Colour::Blue => "Blue",
        });
        names.collect::<Vec<_>>().join(" and ")
    }

    fn board(&self, position: &Position) -> Board {
        let holes = (0..ROWS).flat_map(|row| (0..COLUMNS).filter_map(move |column| Hole::at(row, column)));
        let cells = holes.map(|hole| Cell {
            spot: spot(hole),
            ground: ground(hole),
            piece: position.colour_at(hole).map(|colour| self.marble(colour)),
        });
        let counts = (0..self.seats.len() as u8).map(Player).map(|owner| Count {
            owner,
            what: "home",
            value: self.progress(position, owner).0,
            of: Some(MARBLES * self.colours(owner).len() as u64),
        });
        Board {
            layout: Layout::Star,
            rows: (0..ROWS).map(|row| format!("{row:02}")).collect(),
            columns: (0..COLUMNS).map(|column| format!("{column:02}")).collect(),
            cells: cells.collect(),
            counts: counts.collect(),
            progress: Some(Progress {
                unit: "round",
                played: position.plies() / self.seats.len() as u32,
                limit: Some(self.rounds),
            }),
            threats: Vec::new(),
        }
    }

    fn step(&self, position: &Position, mv: Move) -> Step {
        match mv {
            Move::Marble { from, to } => {
                let path = path(position.occupied(), mv).into_iter().map(spot).collect();
                Step { path, ..Step::between(spot(from), spot(to)) }
            }
            Move::Pass => Step::default(),
        }
    }
}
