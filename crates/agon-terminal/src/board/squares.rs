//! Boards of squares with discs on them.

use agon_core::view::{Cell, Ground, Look, Piece};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::{CellMarks, Geometry, fill};
use crate::theme::{Theme, blend, palette};

const FELT: [u32; 2] = [0x2F_8A_5A, 0x2B_80_53];
const WOOD: [u32; 2] = [0xA8_7B_4B, 0x9C_70_42];
const CAMP: u32 = 0x7A_58_34;
const CASTLE: u32 = 0x5E_46_2C;
const EDGE: u32 = 0x41_29_0F;
const BLACK: u32 = 0x0E_11_15;
const WHITE: u32 = 0xFB_F8_F0;
const CROWN: u32 = 0xFF_D8_5C;

pub(super) struct Squares {
    rows: u16,
    columns: u16,
    felt: bool,
    theme: Theme,
    width: u16,
    height: u16,
}

impl Squares {
    pub(super) fn new(rows: u16, columns: u16, felt: bool, theme: Theme, scale: u16) -> Self {
        let (width, height) = match (theme.letters(), scale) {
            (true, 1) => (3, 1),
            (true, _) => (4, 2),
            (false, 1) => (2, 1),
            (false, 2) => (4, 2),
            (false, _) => (6, 3),
        };
        Self { rows, columns, felt, theme, width, height }
    }

    fn ground_colour(&self, cell: &Cell) -> u32 {
        let shade = usize::from((cell.spot.row + cell.spot.column) % 2);
        match cell.ground {
            Ground::Camp => CAMP,
            Ground::Castle => CASTLE,
            _ if self.felt => FELT[shade],
            _ => WOOD[shade],
        }
    }

    /// The sign of a special cell, and whether it fills the cell.
    fn ground_sign(&self, cell: &Cell) -> (&'static str, bool) {
        let (last_row, last_column) = (self.rows - 1, self.columns - 1);
        let (row, column) = (u16::from(cell.spot.row), u16::from(cell.spot.column));
        match cell.ground {
            Ground::Camp => (self.theme.either("╱", ":"), true),
            Ground::Castle => (self.theme.either("╳", "+"), true),
            Ground::Exit => {
                let sign = match (row, column) {
                    (0, 0) => ("◤", "/"),
                    (0, column) if column == last_column => ("◥", "\\"),
                    (row, 0) if row == last_row => ("◣", "\\"),
                    (row, column) if row == last_row && column == last_column => ("◢", "/"),
                    (0, _) => ("▴", "^"),
                    (_, 0) => ("◂", "<"),
                    (row, _) if row == last_row => ("▾", "v"),
                    _ => ("▸", ">"),
                };
                (self.theme.either(sign.0, sign.1), false)
            }
            Ground::Plain | Ground::Home(_) => (self.theme.either(" ", "."), false),
        }
    }

    /// The signs of a piece, a string a line of the cell; those of an unknown look are its letter.
    fn shape(&self, piece: Piece) -> [&'static str; 3] {
        match (piece.look, self.height) {
            (Look::King, 1) => ["♚ ", "", ""],
            (Look::King, 2) => ["▐▙▟▌", "▝▀▀▘", ""],
            (Look::King, _) => [" ▖▗▖▗ ", " █▟▙█ ", " ▀▀▀▀ "],
            (_, 1) => ["● ", "", ""],
            (_, 2) => ["▗▆▆▖", "▝  ▘", ""],
            _ => [" ▗▄▄▖ ", " ████ ", " ▝▀▀▘ "],
        }
    }

    fn colour_of(piece: Piece) -> u32 {
        match piece.look {
            Look::Black => BLACK,
            Look::King => CROWN,
            _ => WHITE,
        }
    }

    fn paint_letter(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks, ground: Style) {
        fill(buffer, area, " ", ground);
        let (sign, _) = self.ground_sign(cell);
        let letter = match cell.piece {
            Some(piece) => piece.letter.to_string(),
            None if marks.target => "*".to_owned(),
            None if sign == " " => ".".to_owned(),
            None => sign.to_owned(),
        };
        let style = match cell.piece {
            Some(piece) => {
                let text = self.theme.on(Self::colour_of(piece), 0);
                ground.fg(text.fg.unwrap_or_default()).add_modifier(Modifier::BOLD)
            }
            None => ground,
        };
        buffer.set_string(area.x + 1, area.y, letter, style);
        if let Some((left, right)) = marks.brackets() {
            let style = ground.add_modifier(Modifier::BOLD);
            let only_target = marks.target && cell.piece.is_none() && !marks.cursor && !marks.hint;
            if !only_target {
                buffer.set_string(area.x, area.y, left, style);
                buffer.set_string(area.x + 2, area.y, right, style);
            }
        }
    }
}

impl Geometry for Squares {
    fn size(&self) -> (u16, u16) {
        (self.columns * self.width, self.rows * self.height)
    }

    fn rect(&self, row: u16, column: u16) -> Rect {
        Rect::new(column * self.width, row * self.height, self.width, self.height)
    }

    fn paint(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks) {
        let mut colour = self.ground_colour(cell);
        if let Some((tint, share)) = marks.tint() {
            colour = blend(colour, tint, share);
        }
        let ground = self.theme.on(EDGE, colour);
        if self.theme.letters() {
            return self.paint_letter(buffer, area, cell, marks, ground);
        }
        fill(buffer, area, " ", ground);
        let (sign, fills) = self.ground_sign(cell);
        let (middle_x, middle_y) = (area.x + (self.width - 1) / 2, area.y + (self.height - 1) / 2);
        match cell.piece {
            Some(piece) => {
                let style = ground.fg(self.theme.colour(Self::colour_of(piece)));
                for (line, text) in self.shape(piece).iter().enumerate().take(usize::from(self.height)) {
                    buffer.set_string(area.x, area.y + line as u16, text, style);
                }
                if self.height == 2 && piece.look != Look::King {
                    // Signs fill a cell from below: what the disc leaves free at the bottom is drawn on the disc.
                    let hollow = self.theme.on(colour, Self::colour_of(piece));
                    buffer.set_string(area.x + 1, area.y + 1, "▂▂", hollow);
                }
                if marks.target {
                    // A piece that can be taken is ringed.
                    self.paint_sides(buffer, area, "▌", "▐", self.theme.text(palette::NOW));
                }
            }
            None if marks.target => {
                let style = ground.fg(self.theme.colour(palette::NOW));
                match self.height {
                    1 => buffer.set_string(area.x, area.y, "•", style),
                    2 => {
                        buffer.set_string(area.x + 1, area.y, "▗▖", style);
                        buffer.set_string(area.x + 1, area.y + 1, "▝▘", style);
                    }
                    _ => buffer.set_string(middle_x, middle_y, "▐▌", style),
                }
            }
            None if marks.fallen => buffer.set_string(middle_x, middle_y, "×", ground),
            None if fills => fill(buffer, area, sign, ground),
            None => buffer.set_string(middle_x, middle_y, sign, ground),
        }
        if marks.threat {
            let style = self.theme.on(palette::NOW, palette::THREAT).add_modifier(Modifier::BOLD);
            buffer.set_string(area.right() - 1, area.y, "!", style);
        }
        if self.height == 3 && (marks.last_end || marks.hint) {
            let sign = if marks.last_end { palette::LAST } else { palette::HINT };
            let style = Style::new().fg(self.theme.colour(sign));
            for (x, y, corner) in [
                (area.left(), area.top(), "┌"),
                (area.right() - 1, area.top(), "┐"),
                (area.left(), area.bottom() - 1, "└"),
                (area.right() - 1, area.bottom() - 1, "┘"),
            ] {
                buffer.set_string(x, y, corner, style);
            }
        }
        if marks.cursor {
            if self.height == 1 {
                let style = self.theme.on(palette::INK, palette::ACCENT);
                let keep = cell.piece.map(|piece| self.theme.colour(Self::colour_of(piece)));
                buffer.set_style(area, keep.map_or(style, |colour| style.fg(colour)));
                buffer.set_string(area.x + 1, area.y, "◂", style);
            } else {
                self.paint_sides(buffer, area, "▌", "▐", self.theme.text(palette::NOW));
            }
        }
    }
}

impl Squares {
    fn paint_sides(&self, buffer: &mut Buffer, area: Rect, left: &str, right: &str, style: Style) {
        for y in area.top()..area.bottom() {
            buffer.set_string(area.left(), y, left, style);
            buffer.set_string(area.right() - 1, y, right, style);
        }
    }
}
