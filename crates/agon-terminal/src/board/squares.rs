//! Boards of squares with discs on them.

use agon_core::view::{Board, Cell, Form, Ornament, Pattern, Piece, Spot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::colours::{self, Surface};
use super::{CellMarks, Geometry, Looks, fill, fill_shape};
use crate::theme::{Theme, blend, palette};

pub(super) struct Squares {
    rows: u16,
    columns: u16,
    surface: Surface,
    /// The crossings with a dot, each named by the cell to its upper left.
    dots: Vec<Spot>,
    looks: Looks,
    theme: Theme,
    width: u16,
    height: u16,
}

impl Squares {
    pub(super) fn new(board: &Board, theme: Theme, scale: u16) -> Self {
        let (width, height) = match (theme.letters(), scale) {
            (true, 1) => (3, 1),
            (true, _) => (4, 2),
            (false, scale) => (2 * scale, scale),
        };
        Self {
            rows: board.rows.len() as u16,
            columns: board.columns.len() as u16,
            surface: colours::surface(board.surface),
            dots: board.dots.clone(),
            looks: Looks::of(board),
            theme,
            width,
            height,
        }
    }

    fn pattern(&self, cell: &Cell) -> Option<Pattern> {
        match self.looks.ground(cell)?.form {
            Form::Ground(pattern) => Some(pattern),
            Form::Piece(_) => None,
        }
    }

    fn ground_colour(&self, cell: &Cell) -> u32 {
        match self.pattern(cell) {
            Some(Pattern::Hatched) => self.surface.hatched,
            Some(Pattern::Crossed) => self.surface.crossed,
            _ => self.surface.cells[usize::from((cell.spot.row + cell.spot.column) % 2)],
        }
    }

    /// The sign of a special cell, and whether it fills the cell.
    fn ground_sign(&self, cell: &Cell) -> (&'static str, bool) {
        let (last_row, last_column) = (self.rows - 1, self.columns - 1);
        let (row, column) = (u16::from(cell.spot.row), u16::from(cell.spot.column));
        match self.pattern(cell) {
            Some(Pattern::Hatched) => (self.theme.either("╱", ":"), true),
            Some(Pattern::Crossed) => (self.theme.either("╳", "+"), true),
            Some(Pattern::Chevron) => {
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
            Some(Pattern::Outlined) | None => (self.theme.either(" ", "."), false),
        }
    }

    /// Paints a cell's quarters of the dots on its corners, where discs leave room for them.
    fn paint_dots(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, ground: Style) {
        if self.height < 3 {
            return;
        }
        let Spot { row, column } = cell.spot;
        for (up, left, x, y, quarter) in [
            (1, 1, area.left(), area.top(), "▘"),
            (1, 0, area.right() - 1, area.top(), "▝"),
            (0, 1, area.left(), area.bottom() - 1, "▖"),
            (0, 0, area.right() - 1, area.bottom() - 1, "▗"),
        ] {
            let (Some(row), Some(column)) = (row.checked_sub(up), column.checked_sub(left)) else { continue };
            if self.dots.contains(&Spot { row, column }) {
                buffer.set_string(x, y, quarter, ground);
            }
        }
    }

    fn is_crowned(&self, piece: Piece) -> bool {
        self.looks.piece(piece).is_some_and(|look| look.ornament == Some(Ornament::Crown))
    }

    /// The signs of a piece, a string a line of the cell; none where it is larger than signs.
    fn shape(&self, piece: Piece) -> [&'static str; 3] {
        match (self.is_crowned(piece), self.height) {
            (_, 4..) => ["", "", ""],
            (true, 1) => ["♚ ", "", ""],
            (true, 2) => ["▐▙▟▌", "▝▀▀▘", ""],
            (true, _) => [" ▖▗▖▗ ", " █▟▙█ ", " ▀▀▀▀ "],
            (false, 1) => ["● ", "", ""],
            (false, 2) => ["▗▆▆▖", "▝  ▘", ""],
            (false, _) => [" ▗▄▄▖ ", " ████ ", " ▝▀▀▘ "],
        }
    }

    fn colour_of(&self, piece: Piece) -> u32 {
        colours::of_piece(piece, self.looks.piece(piece))
    }

    fn paint_letter(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks, ground: Style) {
        fill(buffer, area, " ", ground);
        let (sign, _) = self.ground_sign(cell);
        let letter = match cell.piece {
            Some(piece) => self.looks.letter(piece).to_string(),
            None if marks.target => "*".to_owned(),
            None if sign == " " => ".".to_owned(),
            None => sign.to_owned(),
        };
        let style = match cell.piece {
            Some(piece) => {
                let text = self.theme.on(self.colour_of(piece), 0);
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
        let ground = self.theme.on(self.surface.line, colour);
        if self.theme.letters() {
            return self.paint_letter(buffer, area, cell, marks, ground);
        }
        fill(buffer, area, " ", ground);
        let (sign, fills) = self.ground_sign(cell);
        let (middle_x, middle_y) = (area.x + (self.width - 1) / 2, area.y + (self.height - 1) / 2);
        match cell.piece {
            Some(piece) => {
                let style = ground.fg(self.theme.colour(self.colour_of(piece)));
                if self.height > 3 {
                    self.paint_large(buffer, area, piece, style);
                }
                for (line, text) in self.shape(piece).iter().enumerate().take(usize::from(self.height)) {
                    buffer.set_string(area.x, area.y + line as u16, text, style);
                }
                if self.height == 2 && !self.is_crowned(piece) {
                    // Signs fill a cell from below: what the disc leaves free at the bottom is drawn on the disc.
                    let hollow = self.theme.on(colour, self.colour_of(piece));
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
        self.paint_dots(buffer, area, cell, ground);
        if marks.threat {
            let style = self.theme.on(palette::NOW, palette::THREAT).add_modifier(Modifier::BOLD);
            buffer.set_string(area.right() - 1, area.y, "!", style);
        }
        if self.height >= 3 && (marks.last_end || marks.hint) {
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
                let keep = cell.piece.map(|piece| self.theme.colour(self.colour_of(piece)));
                buffer.set_style(area, keep.map_or(style, |colour| style.fg(colour)));
                buffer.set_string(area.x + 1, area.y, "◂", style);
            } else {
                self.paint_sides(buffer, area, "▌", "▐", self.theme.text(palette::NOW));
            }
        }
    }
}

impl Squares {
    /// Paints a piece that is larger than any sign: a disc, or a crown.
    fn paint_large(&self, buffer: &mut Buffer, area: Rect, piece: Piece, style: Style) {
        // Between the three points of a crown lie two notches.
        let crown = |x: f32, y: f32| {
            let from_point = (x / 0.7).abs().min(1.0 - (x / 0.7).abs()).max(0.0);
            x.abs() <= 0.75 && y <= 0.7 && y >= -0.7 + 1.6 * from_point
        };
        let disc = |x: f32, y: f32| x * x + y * y <= 0.7;
        if self.is_crowned(piece) {
            fill_shape(buffer, area, style, crown);
        } else {
            fill_shape(buffer, area, style, disc);
        }
    }

    fn paint_sides(&self, buffer: &mut Buffer, area: Rect, left: &str, right: &str, style: Style) {
        for y in area.top()..area.bottom() {
            buffer.set_string(area.left(), y, left, style);
            buffer.set_string(area.right() - 1, y, right, style);
        }
    }
}
