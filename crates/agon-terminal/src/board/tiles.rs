//! Tiles with numbers, at rest and on their way.

use agon_core::view::{Cell, Effect, Look, Spot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::{CellMarks, Geometry, Motion, fill};
use crate::theme::{Theme, palette};

const TRAY: u32 = 0x1C_26_30;
const EMPTY: u32 = 0x2C_3A_46;
/// From 2 on.
const COLOURS: [u32; 17] = [
    0xE8_ED_F2, 0xF3_E3_AE, 0xFF_CE_7A, 0xFF_AE_5C, 0xFF_8F_66, 0xFF_74_74, 0xF5_8F_BC, 0xE9_A8_F2,
    0xA6_72_F2, 0x9C_C4_FF, 0xFF_D8_3D, 0x5B_C0_F0, 0x4F_D6_CF, 0x3D_DC_A6, 0x8F_E0_70, 0xCB_E8_5A,
    0xFF_FF_FF,
];

pub(super) struct Tiles {
    rows: u16,
    columns: u16,
    theme: Theme,
    width: u16,
    height: u16,
    gap: u16,
}

fn value(cell: &Cell) -> Option<u32> {
    match cell.piece?.look {
        Look::Tile(value) => Some(value),
        _ => None,
    }
}

impl Tiles {
    pub(super) fn new(rows: u16, columns: u16, theme: Theme, scale: u16) -> Self {
        let (width, height, gap) = match scale {
            1 => (6, 1, 1),
            2 => (8, 3, 1),
            _ => (12, 5, 1),
        };
        Self { rows, columns, theme, width, height, gap }
    }

    fn style(&self, value: u32) -> Style {
        let index = value.max(2).trailing_zeros() as usize - 1;
        self.theme.on(palette::INK, COLOURS[index.min(COLOURS.len() - 1)]).add_modifier(Modifier::BOLD)
    }

    fn paint_tile(&self, buffer: &mut Buffer, area: Rect, value: Option<u32>) {
        let style = value.map_or_else(|| self.theme.on(TRAY, EMPTY), |value| self.style(value));
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
        let text = match value {
            Some(value) => value.to_string(),
            None if self.theme.letters() => ".".to_owned(),
            None => return,
        };
        let x = area.x + (area.width.saturating_sub(text.len() as u16)) / 2;
        buffer.set_string(x, area.y + area.height / 2, &text, style);
        // From 2048 on tiles are framed.
        if value.is_some_and(|value| value >= 2048) && !self.theme.letters() && area.height >= 3 {
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
        fill(buffer, area, " ", self.theme.on(palette::NOW, TRAY));
    }

    fn paint(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks) {
        self.paint_tile(buffer, area, value(cell));
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
                Effect::Slide { from, to } | Effect::Merge { from, to } => Some((from, to)),
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
            let moving = motion.before.cell(from).and_then(value);
            self.paint_tile(buffer, area, moving);
        }
        true
    }
}
