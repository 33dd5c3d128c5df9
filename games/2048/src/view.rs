//! What people see of 2048.

use agon_core::view::{Board, Cell, Count, Effect, Ground, Heading, Layout, Look, Piece, Spot, Step};
use agon_core::{Player, View};

use super::notation::value;
use super::{Direction, Game2048, PLAYER, Position, Tile};

fn spot(cell: usize) -> Spot {
    Spot::new(cell / 4, cell % 4)
}

fn tile(exponent: u8) -> Piece {
    Piece { look: Look::Tile(value(exponent)), letter: '#', owner: PLAYER }
}

impl View for Game2048 {
    fn title(&self, _player: Player) -> String {
        "Player".to_owned()
    }

    fn board(&self, position: &Position) -> Board {
        let names: Vec<String> = (0..4).map(|index| index.to_string()).collect();
        let cells = (0..16).map(|cell| Cell {
            spot: spot(cell),
            ground: Ground::Plain,
            piece: Some(position.board().exponent(cell)).filter(|&exponent| exponent > 0).map(tile),
        });
        Board {
            layout: Layout::Tiles,
            rows: names.clone(),
            columns: names,
            cells: cells.collect(),
            counts: vec![Count { owner: PLAYER, what: "points", value: position.score(), of: None }],
            progress: None,
            threats: Vec::new(),
        }
    }

    fn step(&self, position: &Position, mv: Direction) -> Step {
        let (heading, vertical, backwards) = match mv {
            Direction::Left => (Heading::Left, false, false),
            Direction::Right => (Heading::Right, false, true),
            Direction::Up => (Heading::Up, true, false),
            Direction::Down => (Heading::Down, true, true),
        };
        let (after, _) = position.board().slide(mv);
        let mut effects = Vec::new();
        for line in 0..4 {
            let cell = |step: usize| {
                let along = if backwards { 3 - step } else { step };
                if vertical { 4 * along + line } else { 4 * line + along }
            };
            // Tiles arrive in the order in which they lie. Where the tile that results is larger than the one that
            // arrives, the next one merges into it.
            let (mut target, mut waiting) = (0, false);
            for step in 0..4 {
                let exponent = position.board().exponent(cell(step));
                if exponent == 0 {
                    continue;
                }
                let (from, to) = (spot(cell(step)), spot(cell(target)));
                if waiting {
                    effects.push(Effect::Merge { from, to });
                    (target, waiting) = (target + 1, false);
                } else {
                    effects.push(Effect::Slide { from, to });
                    waiting = after.exponent(cell(target)) != exponent;
                    target += usize::from(!waiting);
                }
            }
        }
        Step { heading: Some(heading), effects, ..Step::default() }
    }

    fn chance_step(&self, _position: &Position, chance: Tile) -> Step {
        let at = spot(chance.cell());
        let place = Effect::Place { at, piece: tile(chance.exponent()) };
        Step { to: Some(at), effects: vec![place], ..Step::default() }
    }
}
