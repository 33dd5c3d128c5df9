//! Tiles with numbers, at rest and on their way.

use agon_core::view::{Board, Cell, Effect, Ornament, Piece, Spot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::colours::{self, Surface};
use super::{CellMarks, Geometry, Looks, Motion, fill};
use crate::theme::{Theme, palette};

pub(super) struct Tiles {
    rows: u16,
    columns: u16,
    surface: Surface,
    looks: Looks,
    theme: Theme,
    width: u16,
    height: u16,
    gap: u16,
}

impl Tiles {
    pub(super) fn new(board: &Board, theme: Theme, scale: u16) -> Self {
        let (width, height, gap) = match scale {
            1 => (6, 1, 1),
            2 => (8, 3, 1),
            scale => (4 * scale, 2 * scale - 1, 1),
        };
        Self {
            rows: board.rows.len() as u16,
            columns: board.columns.len() as u16,
            surface: colours::surface(board.surface),
            looks: Looks::of(board),
            theme,
            width,
            height,
            gap,
        }
    }

    fn paint_tile(&self, buffer: &mut Buffer, area: Rect, tile: Option<Piece>) {
        let look = tile.and_then(|tile| self.looks.piece(tile));
        let style = match tile {
            Some(tile) => {
                let colour = colours::of_piece(tile, look);
                self.theme.on(palette::INK, colour).add_modifier(Modifier::BOLD)
            }
            None => self.theme.on(self.surface.cells[0], self.surface.gap),
        };
        fill(buffer, area, " ", style);
        if self.theme.letters() && area.height >= 3 {
            let edge = format!("+{}+", "-".repeat(usize::from(area.width) - 2));
            for y in area.top()..area.bottom() {
                buffer.set_string(area.x, y, "|", style);
                buffer.set_string(area.right() - 1, y, "|", style);
            }
            buffer.set_string(area.x, area.top(), &edge, style);
            buffer.set_string(area.x, area.bottom() - 1, &edge, style);
        }
        let text = match tile {
            Some(tile) => {
                tile.number.map_or_else(|| self.looks.letter(tile).to_string(), |number| number.to_string())
            }
            None if self.theme.letters() => ".".to_owned(),
            None => return,
        };
        let x = area.x + (area.width.saturating_sub(text.len() as u16)) / 2;
        buffer.set_string(x, area.y + area.height / 2, &text, style);
        let is_framed = look.is_some_and(|look| look.ornament == Some(Ornament::Frame));
        if is_framed && !self.theme.letters() && area.height >= 3 {
            let bar = "▔".repeat(usize::from(area.width));
            buffer.set_string(area.x, area.y, bar, style);
        }
    }
}

impl Geometry for Tiles {
    fn size(&self) -> (u16, u16) {
        (self.columns * (self.width + 2 * self.gap), self.rows * (self.height + self.gap) + self.gap)
    }

    fn rect(&self, row: u16, column: u16) -> Rect {
        let x = column * (self.width + 2 * self.gap) + self.gap;
        let y = row * (self.height + self.gap) + self.gap;
        Rect::new(x, y, self.width, self.height)
    }

    fn paint_ground(&self, buffer: &mut Buffer) {
        let area = buffer.area;
        fill(buffer, area, " ", self.theme.on(palette::NOW, self.surface.cells[0]));
    }

    fn paint(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks) {
        self.paint_tile(buffer, area, cell.piece);
        if marks.last_end && cell.piece.is_some() {
            // The tile that chance has put there.
            let style = buffer[(area.x, area.y)].style();
            buffer.set_string(area.right() - 1, area.y, self.theme.either("•", "*"), style);
        }
    }

    fn paint_motion(&self, buffer: &mut Buffer, motion: &Motion) -> bool {
        let slides: Vec<(Spot, Spot)> = motion
            .step
            .effects
            .iter()
            .filter_map(|effect| match *effect {
                Effect::Slide { from, to } | Effect::Merge { from, to, .. } => Some((from, to)),
                _ => None,
            })
            .collect();
        if slides.is_empty() {
            return false;
        }
        let at = |spot: Spot| self.rect(spot.row.into(), spot.column.into());
        for cell in &motion.before.cells {
            self.paint_tile(buffer, at(cell.spot), None);
        }
        for (from, to) in slides {
            let (start, end) = (at(from), at(to));
            let between = |one: u16, other: u16| {
                (f32::from(one) + (f32::from(other) - f32::from(one)) * motion.share).round() as u16
            };
            let area = Rect { x: between(start.x, end.x), y: between(start.y, end.y), ..start };
            let moving = motion.before.cell(from).and_then(|cell| cell.piece);
            self.paint_tile(buffer, area, moving);
        }
        true
    }
}
