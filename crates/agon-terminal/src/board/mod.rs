//! Boards drawn in cells of text, one painter a layout. Nothing here knows a game: everything comes from [`Board`], its
//! styles and [`Step`], so that a new game on squares, a star or tiles is drawn without a change.
//!
//! A board is painted whole onto a canvas of its own and shown through a window: one that is too large scrolls with the cursor, and
//! its coordinates stay beside it.

pub(crate) mod colours;
mod squares;
mod star;
mod tiles;

pub(crate) use star::mark as marble_sign;

use agon_core::view::{Board, Cell, Effect, Layout, Piece, Spot, Step, Style as Look, Token, block_spots};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::theme::{Theme, palette};

/// What is to be pointed out on a board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Where the user is.
    pub cursor: Option<Spot>,
    /// The piece that the user has chosen.
    pub selected: Option<Spot>,
    /// Where moves can go.
    pub targets: Vec<Spot>,
    /// The last move.
    pub last: Option<Step>,
    /// A move that was recommended.
    pub hint: Option<Step>,
    /// The top left cell of a block that would turn.
    pub block: Option<Spot>,
    /// Pieces in danger.
    pub threats: Vec<Spot>,
}

/// What is pointed out about one cell.
#[derive(Clone, Copy, Debug, Default)]
struct CellMarks {
    cursor: bool,
    selected: bool,
    target: bool,
    last_end: bool,
    last_start: bool,
    path: bool,
    fallen: bool,
    flipped: bool,
    hint: bool,
    block: bool,
    threat: bool,
}

fn in_block(corner: Spot, spot: Spot) -> bool {
    block_spots(corner).contains(&spot)
}

impl Marks {
    fn of(&self, spot: Spot) -> CellMarks {
        let last = self.last.as_ref();
        let effects = last.map_or(&[][..], |step| &step.effects);
        let hint = self.hint.as_ref();
        CellMarks {
            cursor: self.cursor == Some(spot),
            selected: self.selected == Some(spot),
            target: self.targets.contains(&spot),
            last_end: last.is_some_and(|step| {
                step.to == Some(spot) || step.block().is_some_and(|corner| in_block(corner, spot))
            }),
            last_start: last.is_some_and(|step| step.from == Some(spot)),
            path: last.is_some_and(|step| step.path.len() > 2 && step.path.contains(&spot)),
            fallen: effects.contains(&Effect::Remove { at: spot }),
            flipped: effects
                .iter()
                .any(|effect| matches!(effect, Effect::Flip { spots, .. } if spots.contains(&spot))),
            hint: hint.is_some_and(|step| {
                step.to == Some(spot)
                    || step.from == Some(spot)
                    || step.block().is_some_and(|corner| in_block(corner, spot))
            }),
            block: self.block.is_some_and(|corner| in_block(corner, spot)),
            threat: self.threats.contains(&spot),
        }
    }
}

impl CellMarks {
    /// The colour that a mark lends to its cell, and how strongly of 255; the most urgent first.
    fn tint(&self) -> Option<(u32, u32)> {
        match self {
            Self { selected: true, .. } => Some((palette::NOW, 150)),
            Self { block: true, .. } => Some((palette::NOW, 110)),
            Self { threat: true, .. } => Some((palette::THREAT, 170)),
            Self { hint: true, .. } => Some((palette::HINT, 130)),
            Self { last_end: true, .. } => Some((palette::LAST, 130)),
            Self { last_start: true, .. } | Self { fallen: true, .. } => Some((palette::LAST, 70)),
            Self { path: true, .. } => Some((palette::LAST, 70)),
            Self { flipped: true, .. } => Some((palette::LAST, 35)),
            _ => None,
        }
    }

    /// The signs that stand left and right of a piece where pieces are letters.
    fn brackets(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self { cursor: true, .. } => Some(("[", "]")),
            Self { selected: true, .. } => Some(("{", "}")),
            Self { block: true, .. } => Some(("@", "@")),
            Self { threat: true, .. } => Some(("!", "!")),
            Self { hint: true, .. } => Some(("?", "?")),
            Self { target: true, .. } => Some(("*", "*")),
            Self { last_end: true, .. } => Some(("(", ")")),
            Self { last_start: true, .. } | Self { path: true, .. } | Self { fallen: true, .. } => {
                Some((".", "."))
            }
            _ => None,
        }
    }
}

/// A picture of tiles on their way: how far they are, of 1.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The board before.
    pub before: Board,
    /// What moves.
    pub step: Step,
    /// How far it is.
    pub share: f32,
}

/// Where cells lie on the canvas of a layout at some scale.
trait Geometry {
    /// Width and height of the whole canvas.
    fn size(&self) -> (u16, u16);
    /// The cell at a row and a column as they are seen.
    fn rect(&self, row: u16, column: u16) -> Rect;
    /// Paints one cell.
    fn paint(&self, buffer: &mut Buffer, area: Rect, cell: &Cell, marks: &CellMarks);
    /// Paints what lies under all cells.
    fn paint_ground(&self, _buffer: &mut Buffer) {}
    /// Paints all tiles on their way; `false` if this layout does not move.
    fn paint_motion(&self, _buffer: &mut Buffer, _motion: &Motion) -> bool {
        false
    }
    /// Whether every second name of the columns is enough.
    fn sparse_columns(&self) -> bool {
        false
    }
}

/// How what stands on a board looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks(&'static [Look]);

impl Looks {
    pub(crate) fn of(board: &Board) -> Self {
        Self(board.styles)
    }

    fn find(self, token: &str) -> Option<&'static Look> {
        self.0.iter().find(|look| look.token == token)
    }

    /// The look of a piece.
    pub(crate) fn piece(self, piece: Piece) -> Option<&'static Look> {
        self.find(piece.style)
    }

    /// The look of a cell that is not plain.
    fn ground(self, cell: &Cell) -> Option<&'static Look> {
        cell.ground.and_then(|token| self.find(token))
    }

    /// The letter of a piece, or what stands for one.
    pub(crate) fn letter(self, piece: Piece) -> char {
        self.piece(piece).and_then(|look| look.letter).unwrap_or('#')
    }
}

/// How many scales a layout has.
fn scales(layout: Layout, theme: Theme) -> u16 {
    match layout {
        Layout::Squares if theme.letters() => 2,
        Layout::Squares => 10,
        Layout::Star if theme.letters() => 2,
        Layout::Star => 4,
        Layout::Tiles => 6,
    }
}

fn geometry(board: &Board, theme: Theme, scale: u16) -> Box<dyn Geometry> {
    match board.layout {
        Layout::Squares => Box::new(squares::Squares::new(board, theme, scale)),
        Layout::Star => Box::new(star::Star::new(board, theme, scale)),
        Layout::Tiles => Box::new(tiles::Tiles::new(board, theme, scale)),
    }
}

/// A board on the screen: its scale, where it is scrolled to, and where its cells are.
#[derive(Clone, Debug, Default)]
pub struct BoardPane {
    /// How much larger or smaller than what fits the user wants it.
    pub zoom: i16,
    /// Whether it is turned by 180°.
    pub turned: bool,
    offset: (u16, u16),
    cells: Vec<(Spot, Rect)>,
    more: [bool; 4],
}

impl BoardPane {
    /// The cell at a place of the screen.
    pub fn hit(&self, column: u16, row: u16) -> Option<Spot> {
        let position = ratatui::layout::Position { x: column, y: row };
        self.cells.iter().find(|(_, area)| area.contains(position)).map(|(spot, _)| *spot)
    }

    /// Where a cell is on the screen, if it is seen.
    pub fn place(&self, spot: Spot) -> Option<Rect> {
        self.cells.iter().find(|(seen, _)| *seen == spot).map(|(_, area)| *area)
    }

    /// The size of a board at the largest scale that fits into `area`, coordinates included.
    pub fn preferred(&self, board: &Board, theme: Theme, area: Rect) -> (u16, u16) {
        let scale = self.scale(board, theme, area);
        let (width, height) = geometry(board, theme, scale).size();
        let (left, top) = rulers(board, theme, scale);
        (width + left + 1, height + top + 1)
    }

    /// The largest scale that fits into `area`, or what the user has made of it.
    pub(crate) fn scale(&self, board: &Board, theme: Theme, area: Rect) -> u16 {
        let fits = |scale: &u16| {
            let (width, height) = geometry(board, theme, *scale).size();
            let (left, top) = rulers(board, theme, *scale);
            width + left <= area.width && height + top <= area.height
        };
        let scales = scales(board.layout, theme);
        let best = (1..=scales).rev().find(fits).unwrap_or(1);
        best.saturating_add_signed(self.zoom).clamp(1, scales)
    }

    /// Paints the board into the middle of `area`.
    pub fn paint(
        &mut self,
        buffer: &mut Buffer,
        area: Rect,
        board: &Board,
        marks: &Marks,
        motion: Option<&Motion>,
        theme: Theme,
    ) {
        self.cells.clear();
        let scale = self.scale(board, theme, area);
        let geometry = geometry(board, theme, scale);
        let (width, height) = geometry.size();
        let (left, top) = rulers(board, theme, scale);
        if area.width <= left || area.height <= top {
            return;
        }
        let spare = |room: u16, used: u16| room.saturating_sub(used) / 2;
        let (dx, dy) = (spare(area.width, left + width), spare(area.height, top + height));
        let area = Rect { x: area.x + dx, y: area.y + dy, width: area.width - dx, height: area.height - dy };
        let window = Rect {
            x: area.x + left,
            y: area.y + top,
            width: width.min(area.width - left),
            height: height.min(area.height - top),
        };
        let (rows, columns) = (board.rows.len() as u16, board.columns.len() as u16);
        let seen = |spot: Spot| {
            let (row, column) = (u16::from(spot.row), u16::from(spot.column));
            if self.turned { (rows - 1 - row, columns - 1 - column) } else { (row, column) }
        };
        let mut canvas = Buffer::empty(Rect::new(0, 0, width, height));
        geometry.paint_ground(&mut canvas);
        let moved = motion.is_some_and(|motion| geometry.paint_motion(&mut canvas, motion));
        for cell in &board.cells {
            let (row, column) = seen(cell.spot);
            let rect = geometry.rect(row, column);
            if !moved {
                geometry.paint(&mut canvas, rect, cell, &marks.of(cell.spot));
            }
        }
        let focus = marks.cursor.or(marks.last.as_ref().and_then(|step| step.to));
        if let Some((row, column)) = focus.map(seen) {
            let rect = geometry.rect(row, column);
            self.offset.0 = scrolled(self.offset.0, rect.x, rect.width, window.width, width);
            self.offset.1 = scrolled(self.offset.1, rect.y, rect.height, window.height, height);
        }
        let (dx, dy) = (self.offset.0.min(width - window.width), self.offset.1.min(height - window.height));
        self.offset = (dx, dy);
        self.more = [dx > 0, dx + window.width < width, dy > 0, dy + window.height < height];
        for y in 0..window.height {
            for x in 0..window.width {
                buffer[(window.x + x, window.y + y)] = canvas[(x + dx, y + dy)].clone();
            }
        }
        for cell in &board.cells {
            let (row, column) = seen(cell.spot);
            let rect = geometry.rect(row, column);
            let shown = Rect { x: rect.x + window.x, y: rect.y + window.y, ..rect };
            let clipped = Rect {
                x: shown.x.saturating_sub(dx).max(window.x),
                y: shown.y.saturating_sub(dy).max(window.y),
                width: shown.width,
                height: shown.height,
            };
            if rect.x >= dx && rect.y >= dy && clipped.intersects(window) {
                self.cells.push((cell.spot, clipped.intersection(window)));
            }
        }
        self.paint_rulers(buffer, area, window, board, &*geometry, theme);
    }

    fn paint_rulers(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        window: Rect,
        board: &Board,
        geometry: &dyn Geometry,
        theme: Theme,
    ) {
        let style = theme.muted();
        let name = |names: &[Token], index: usize| {
            let index = if self.turned { names.len() - 1 - index } else { index };
            names[index]
        };
        for row in 0..board.rows.len() {
            let rect = geometry.rect(row as u16, 0);
            let y = rect.y + (rect.height - 1) / 2;
            if y < self.offset.1 || y - self.offset.1 >= window.height {
                continue;
            }
            let text = name(&board.rows, row);
            let x = window.x.saturating_sub(text.len() as u16 + 1).max(area.x);
            buffer.set_string(x, window.y + y - self.offset.1, text, style);
        }
        let upright = window.y - area.y > 1;
        for column in (0..board.columns.len()).step_by(if geometry.sparse_columns() { 2 } else { 1 }) {
            let rect = geometry.rect(0, column as u16);
            let text = name(&board.columns, column);
            let shift = if upright { 0 } else { (text.len() as u16 - 1) / 2 };
            let x = (rect.x + (rect.width - 1) / 2).saturating_sub(shift);
            if x < self.offset.0 || x - self.offset.0 >= window.width {
                continue;
            }
            let x = window.x + x - self.offset.0;
            if upright {
                let first = window.y - text.len() as u16;
                for (step, digit) in text.chars().enumerate() {
                    buffer.set_string(x, first + step as u16, digit.to_string(), style);
                }
            } else {
                buffer.set_string(x, area.y, text, style);
            }
        }
        // Where there is more than is seen, an arrow says so.
        let arrow = theme.text(palette::WARN).add_modifier(Modifier::BOLD);
        let [left, right, up, down] = self.more;
        let (middle_x, middle_y) = (window.x + window.width / 2, window.y + window.height / 2);
        let mut point = |shown: bool, x: u16, y: u16, rich: &str, plain: &str| {
            if shown {
                buffer.set_string(x, y, theme.either(rich, plain), arrow);
            }
        };
        point(left, area.x, middle_y, "◂", "<");
        point(right, window.right() - 1, middle_y, "▸", ">");
        point(up, middle_x, window.y.saturating_sub(1), "▴", "^");
        point(down, middle_x, window.bottom() - 1, "▾", "v");
    }
}

/// The room that the names of rows take on the left, and those of columns at the top.
fn rulers(board: &Board, theme: Theme, scale: u16) -> (u16, u16) {
    let longest = |names: &[Token]| names.iter().map(|name| name.len()).max().unwrap_or(0) as u16;
    let geometry = geometry(board, theme, scale);
    let pitch = geometry.rect(0, 1).x.saturating_sub(geometry.rect(0, 0).x)
        * if geometry.sparse_columns() { 2 } else { 1 };
    let tall = longest(&board.columns);
    (longest(&board.rows) + 1, if tall < pitch || tall == 1 { 1 } else { tall })
}

/// The offset at which a stretch from `place` on is seen, as near to the present `offset` as can be.
fn scrolled(offset: u16, place: u16, extent: u16, window: u16, whole: u16) -> u16 {
    if whole <= window {
        return 0;
    }
    let margin = (window / 4).min(extent * 2);
    let least = (place + extent + margin).saturating_sub(window);
    let most = place.saturating_sub(margin);
    offset.clamp(least.min(most), most.max(least)).min(whole - window)
}

/// Fills what is inside of a shape, given by coordinates from -1 to 1 within the area, with half blocks.
fn fill_shape(buffer: &mut Buffer, area: Rect, style: Style, is_inside: impl Fn(f32, f32) -> bool) {
    let within =
        |place: u16, shift: f32, extent: u16| 2.0 * (f32::from(place) + shift) / f32::from(extent) - 1.0;
    for row in 0..area.height {
        for column in 0..area.width {
            let x = within(column, 0.5, area.width);
            let [upper, lower] = [0.25, 0.75].map(|shift| is_inside(x, within(row, shift, area.height)));
            let sign = match (upper, lower) {
                (true, true) => "█",
                (true, false) => "▀",
                (false, true) => "▄",
                (false, false) => continue,
            };
            buffer[(area.x + column, area.y + row)].set_symbol(sign).set_style(style);
        }
    }
}

/// Fills an area with one sign.
fn fill(buffer: &mut Buffer, area: Rect, sign: &str, style: Style) {
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            buffer[(x, y)].set_symbol(sign).set_style(style);
        }
    }
}
