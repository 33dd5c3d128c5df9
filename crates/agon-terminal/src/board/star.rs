//! The star: holes in rows, marbles with a mark of their own for each colour.

use agon_core::view::{Board, Cell, Sign};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::colours::{self, Surface};
use super::{CellMarks, Geometry, Looks, fill, fill_shape};
use crate::theme::{Theme, blend, palette};

pub(super) struct Star {
    rows: u16,
    columns: u16,
    surface: Surface,
    looks: Looks,
    theme: Theme,
    wide: bool,
    /// Whether there is a line between rows, which makes the star as high as it is wide and its marbles round.
    tall: bool,
    /// Whether marbles are three lines high.
    large: bool,
}

/// The mark of a marble, by which it is known without its colour.
pub(crate) fn mark(sign: Option<Sign>) -> &'static str {
    match sign {
        Some(Sign::Triangle) => "▲",
        Some(Sign::Ring) => "○",
        Some(Sign::Bar) => "━",
        Some(Sign::Cross) => "×",
        Some(Sign::Diamond) => "◆",
        Some(Sign::TwoBars) => "║",
        None => "●",
    }
}

impl Star {
    pub(super) fn new(board: &Board, theme: Theme, scale: u16) -> Self {
        Self {
            rows: board.rows.len() as u16,
            columns: board.columns.len() as u16,
            surface: colours::surface(board.surface),
            looks: Looks::of(board),
            theme,
            wide: scale > 1,
            tall: scale > 2 && !theme.letters(),
            large: scale > 3 && !theme.letters(),
        }
    }
}

impl Geometry for Star {
    fn size(&self) -> (u16, u16) {
        match self {
            Self { large: true, .. } => (3 * self.columns + 4, 3 * self.rows),
            Self { tall: true, .. } => (2 * self.columns + 3, 2 * self.rows + 1),
            Self { wide: true, .. } => (2 * self.columns + 3, self.rows),
            _ => (self.columns + 2, self.rows),
        }
    }

    fn rect(&self, row: u16, column: u16) -> Rect {
        match self {
            Self { large: true, .. } => Rect::new(3 * column + 1, 3 * row, 5, 3),
            Self { tall: true, .. } => Rect::new(2 * column + 1, 2 * row + 1, 3, 1),
            Self { wide: true, .. } => Rect::new(2 * column + 1, row, 3, 1),
            _ => Rect::new(column + 1, row, 1, 1),
        }
    }

    fn sparse_columns(&self) -> bool {
        self.wide
    }

    fn paint_ground(&self, buffer: &mut Buffer) {
        if !self.theme.letters() {
            let area = buffer.area;
            fill(buffer, area, " ", self.theme.on(self.surface.line, self.surface.cells[0]));
        }
    }

    fn paint(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks) {
        let [tray, _] = self.surface.cells;
        let home = self.looks.ground(cell).and_then(colours::of_ground);
        let marble = cell.piece.map(|piece| {
            let look = self.looks.piece(piece);
            (colours::of_piece(piece, look), mark(look.and_then(|look| look.sign)))
        });
        let tint = marks.tint();
        let middle = area.x + area.width / 2;
        let letters = self.theme.letters();
        let bold = Modifier::BOLD;
        if letters {
            let sign = match cell.piece {
                Some(piece) => self.looks.letter(piece).to_string(),
                None if marks.target => "*".to_owned(),
                None => ".".to_owned(),
            };
            let colour = marble.map(|(colour, _)| colour).or(home);
            let mut style = colour.map_or_else(Default::default, |colour| self.theme.text(colour));
            if cell.piece.is_some() {
                style = style.add_modifier(bold);
            }
            if !self.wide && (marks.cursor || marks.selected || marks.hint) {
                style = style.add_modifier(Modifier::REVERSED);
            } else if !self.wide && (marks.last_end || marks.last_start || marks.path) {
                style = style.add_modifier(Modifier::UNDERLINED);
            }
            buffer.set_string(middle, area.y, sign, style);
            if self.wide
                && let Some((left, right)) = marks.brackets()
            {
                let only_target = marks.target && cell.piece.is_none() && !marks.cursor && !marks.hint;
                if !only_target {
                    buffer.set_string(area.x, area.y, left, style);
                    buffer.set_string(area.right() - 1, area.y, right, style);
                }
            }
            return;
        }
        let line = area.y + area.height / 2;
        match marble {
            Some((colour, mark)) => {
                let style = self.theme.on(palette::INK, colour).add_modifier(bold);
                if self.large {
                    fill_shape(buffer, area, self.theme.on(colour, tray), |x, y| x * x + y * y <= 0.95);
                    buffer.set_string(middle, line, mark, style);
                } else if self.wide {
                    fill(buffer, area, " ", style);
                    buffer.set_string(middle, line, mark, style);
                    if self.tall {
                        let edge = self.theme.on(colour, tray);
                        buffer.set_string(middle, area.y - 1, "▄", edge);
                        buffer.set_string(middle, area.y + 1, "▀", edge);
                    }
                } else {
                    let ground = tint.map_or(tray, |(tint, share)| blend(tray, tint, share));
                    buffer.set_string(middle, line, mark, self.theme.on(colour, ground).add_modifier(bold));
                }
            }
            None => {
                let ground = tint.map_or(tray, |(tint, share)| blend(tray, tint, share));
                let hole = home.map_or(blend(self.surface.line, tray, 80), |home| blend(home, tray, 60));
                let (sign, colour) = match marks {
                    CellMarks { target: true, .. } => ("●", palette::NOW),
                    CellMarks { path: true, .. } | CellMarks { last_start: true, .. } => ("•", palette::LAST),
                    _ => ("·", hole),
                };
                let style = self.theme.on(colour, ground);
                if self.wide {
                    fill(buffer, area, " ", style);
                }
                buffer.set_string(middle, line, sign, style);
            }
        }
        let sides = match marks {
            CellMarks { cursor: true, .. } => Some(("▐", "▌", palette::NOW)),
            CellMarks { selected: true, .. } => Some(("(", ")", palette::NOW)),
            CellMarks { hint: true, .. } => Some(("(", ")", palette::HINT)),
            CellMarks { last_end: true, .. } => Some(("(", ")", palette::LAST)),
            _ => None,
        };
        if let Some((left, right, colour)) = sides {
            let style = self.theme.on(colour, tray).add_modifier(bold);
            // At the small scale the gaps between holes have room for it.
            let (before, after) =
                if self.wide { (area.x, area.right() - 1) } else { (area.x - 1, area.right()) };
            buffer.set_string(before, line, left, style);
            buffer.set_string(after, line, right, style);
        }
    }
}
