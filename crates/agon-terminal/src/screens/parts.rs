//! Pieces of screens: the split into board and panel, seats, moves, a bar of expectation, overlays.

use agon_answers::review::Mark;
use agon_core::view::{Board, Form, Shape, Sign};
use agon_core::{Player, Turn};
use agon_erased::Rules;
use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use crate::board::{BoardPane, Looks, colours, marble_sign};
use crate::theme::{Theme, palette};

/// The least width of a panel beside a board, and its least height below one, in low windows too.
const PANEL: (u16, u16) = (30, 7);
const LOW: (u16, u16) = (20, 5);
/// The width in which sentences fit on a line, and the scale at which a board is large enough for them to have it.
const COMFORTABLE_PANEL: u16 = 44;
const EASY_SCALE: u16 = 3;
/// The most width that a panel can use.
const WIDEST_PANEL: u16 = 52;

/// Where board, panel and the line at the bottom are.
pub(crate) struct Split {
    pub(crate) board: Rect,
    pub(crate) panel: Rect,
    pub(crate) footer: Rect,
}

/// Splits the screen: the panel goes beside the board if there is room, else below it.
pub(crate) fn split(area: Rect, pane: &BoardPane, board: &Board, theme: Theme) -> Split {
    let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
    let inner = Rect { height: area.height - 1, ..area };
    let room = |panel: u16| Rect { width: inner.width.saturating_sub(panel), ..inner };
    // A board that is easy to see already grows no further at the cost of what is said beside it.
    let comfortable = pane.scale(board, theme, room(COMFORTABLE_PANEL)) >= EASY_SCALE;
    let beside = room(if comfortable { COMFORTABLE_PANEL } else { PANEL.0 });
    let least = if inner.height < LOW.0 { LOW.1 } else { PANEL.1 };
    let below = Rect { height: inner.height.saturating_sub(least), ..inner };
    let size = |room: Rect| pane.preferred(board, theme, room);
    let wide = size(beside);
    // Beside the board there is always more height for it than above the panel.
    if wide.0 <= beside.width + 1 || inner.width >= 2 * PANEL.0 + 10 {
        // The board gets what the panel cannot use, and is centred there.
        let width = (inner.width - (wide.0 + 1).min(beside.width)).min(WIDEST_PANEL);
        let board = Rect { width: inner.width - width, ..inner };
        let panel = Rect { x: board.right(), width, ..inner };
        return Split { board, panel, footer };
    }
    let (_, height) = size(below);
    let height = height.min(below.height);
    Split {
        board: Rect { height, ..inner },
        panel: Rect { y: inner.y + height, height: inner.height - height, ..inner },
        footer,
    }
}

/// The sign of a player's pieces, and its style.
pub(crate) fn piece_sign(board: &Board, player: Player, theme: Theme) -> Span<'static> {
    let piece = board.cells.iter().filter_map(|cell| cell.piece).find(|piece| piece.owner == player);
    let Some(piece) = piece else { return Span::raw(" ") };
    let looks = Looks::of(board);
    let look = looks.piece(piece);
    match look.map(|look| look.form) {
        Some(Form::Piece(Shape::Tile)) => Span::raw(theme.either("▦", "#")),
        _ if theme.letters() => {
            Span::styled(looks.letter(piece).to_string(), Style::new().add_modifier(Modifier::BOLD))
        }
        Some(Form::Piece(Shape::Marble)) => {
            let sign = marble_sign(look.and_then(|look| look.sign));
            Span::styled(sign, theme.text(colours::of_piece(piece, look)))
        }
        // On the terminal's own ground black and white are told apart by their shape.
        Some(Form::Piece(Shape::Disc)) => {
            Span::raw(if look.is_some_and(|look| look.sign == Some(Sign::Ring)) { "○" } else { "●" })
        }
        _ => Span::styled("●", theme.text(colours::of_piece(piece, look))),
    }
}

/// A player in one line: sign, name, what is counted, and what else there is to say; what does not fit is shortened, the words first.
pub(crate) fn seat_line(
    board: &Board,
    player: Player,
    name: Span<'static>,
    tail: Option<Span<'static>>,
    width: u16,
    theme: Theme,
) -> Line<'static> {
    let counts = |words: bool| -> String {
        let counts = board.counts.iter().filter(|count| count.owner == player);
        let texts = counts.map(|count| {
            let of = count.of.map(|of| format!("/{of}")).unwrap_or_default();
            if words { format!("  {}", count.text) } else { format!("  {}{of}", count.value) }
        });
        texts.collect()
    };
    let room = usize::from(width).saturating_sub(2);
    let tail_width = tail.as_ref().map_or(0, Span::width);
    let words = name.width() + counts(true).width() + tail_width <= room;
    let counts = counts(words);
    let left = room.saturating_sub(counts.width() + tail_width);
    let name = if name.width() > left {
        let kept: String = name.content.chars().take(left.saturating_sub(1)).collect();
        Span::styled(kept + theme.either("…", "~"), name.style)
    } else {
        name
    };
    let mut spans = vec![piece_sign(board, player, theme), Span::raw(" "), name, Span::raw(counts)];
    spans.extend(tail);
    Line::from(spans)
}

/// How far the game has gone; red for the last ten before a limit.
pub(crate) fn progress_line(board: &Board, plies: usize, theme: Theme) -> Line<'static> {
    let Some(progress) = &board.progress else { return Line::from(format!("Move {plies}")) };
    match progress.left().filter(|_| progress.is_pressing()) {
        Some(left) => {
            let style = theme.text(palette::DANGER).add_modifier(Modifier::BOLD);
            let text = format!("{} {} {left} left!", progress.text, theme.either("·", "-"));
            Line::styled(text, style)
        }
        None => Line::from(progress.text.to_string()),
    }
}

/// What stands in place of a bar while nothing is known.
pub(crate) fn unknown_line(theme: Theme) -> Line<'static> {
    Line::styled("Evaluating…".replace('…', theme.either("…", "...")), theme.muted())
}

/// A bar that shows what a position promises the first player, 0 to 1, behind a label.
pub(crate) fn expectation_line(expected: f64, label: &str, width: u16, theme: Theme) -> Line<'static> {
    let room = bar_room(label, width);
    let full = (expected * room as f64).round() as usize;
    let bar = theme.either("█", "#").repeat(full);
    let rest = theme.either("░", "-").repeat(room - full);
    Line::from(vec![
        Span::raw(label.to_owned()),
        Span::styled(bar, theme.text(palette::ACCENT)),
        Span::styled(rest, theme.muted()),
    ])
}

/// How likely each of several players is to win: in words, and as a bar in their colours and signs or by their letters.
pub(crate) fn chances_lines(
    board: &Board,
    titles: &[String],
    chances: &[f64],
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let chance = |(title, chance): (&String, &f64)| format!("{title} {:.0}%", 100.0 * chance);
    let words: Vec<String> = titles.iter().zip(chances).map(chance).collect();
    let room = bar_room("", width);
    let mut spans = Vec::new();
    let (mut sum, mut drawn) = (0.0, 0);
    for (seat, chance) in (0..).zip(chances) {
        sum += chance;
        let end = (sum * room as f64).round() as usize;
        let sign = piece_sign(board, Player(seat), theme);
        spans.push(Span::styled(sign.content.repeat(end.saturating_sub(drawn)), sign.style));
        drawn = end;
    }
    vec![Line::from(words.join(", ")), Line::from(spans)]
}

/// The room that a label leaves to the bar behind it.
fn bar_room(label: &str, width: u16) -> usize {
    usize::from(width).saturating_sub(label.width() + 2).clamp(4, 30)
}

/// What is wrong with a move.
pub(crate) struct Fault {
    pub(crate) mark: Mark,
    /// The move that would have been better.
    pub(crate) better: String,
}

/// A move of the list.
pub(crate) struct Listed {
    pub(crate) mover: Turn,
    pub(crate) token: String,
    pub(crate) fault: Option<Fault>,
    pub(crate) is_current: bool,
}

/// The moves, a line a round in games of two, a line a move in others; draws of chance are left out.
pub(crate) fn move_lines(moves: &[Listed], rules: &dyn Rules, theme: Theme) -> (Vec<Line<'static>>, usize) {
    let titles = rules.titles();
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut current = 0;
    let mut number = 0;
    let mut open = false;
    // What was wrong with the moves of this line.
    let mut faults: Vec<Line<'static>> = Vec::new();
    for listed in moves {
        let Turn::Player(player) = listed.mover else { continue };
        let mark = listed.fault.as_ref().map(|fault| fault.mark);
        let style = match mark {
            Some(Mark::Blunder) => theme.text(palette::DANGER).add_modifier(Modifier::BOLD),
            Some(Mark::Mistake) => theme.text(palette::WARN),
            Some(Mark::Dubious) => theme.text(palette::WARN),
            None => Style::new(),
        };
        let style = if listed.is_current { style.add_modifier(Modifier::REVERSED) } else { style };
        let mark = mark.map_or("", Mark::sign);
        let cell = Span::styled(format!("{:<10} ", format!("{}{mark}", listed.token)), style);
        if titles.len() == 2 {
            if player == Player(0) || !open {
                lines.append(&mut faults);
                number += 1;
                let mut spans = vec![Span::styled(format!("{number:>3}. "), theme.muted())];
                if player != Player(0) {
                    spans.push(Span::styled(format!("{:<11}", "..."), theme.muted()));
                }
                lines.push(Line::from(spans));
            }
            if let Some(line) = lines.last_mut() {
                line.spans.push(cell);
            }
            open = player == Player(0);
        } else {
            number += 1;
            let mut spans = vec![Span::styled(format!("{number:>4}. "), theme.muted()), cell];
            if titles.len() > 2 {
                spans.push(Span::styled(titles[player.index()].clone(), theme.muted()));
            }
            lines.push(Line::from(spans));
        }
        if listed.is_current {
            current = lines.len() - 1;
        }
        if let Some(Fault { better, .. }) = &listed.fault {
            let text = format!("     {}{mark}: {better} was better", listed.token);
            faults.push(Line::styled(text, theme.muted()));
        }
        // In games of two they stand below the round.
        if !open {
            lines.append(&mut faults);
        }
    }
    lines.append(&mut faults);
    (lines, current)
}

/// Shows as much of the list as there is room for, with the current line in sight.
pub(crate) fn draw_list(frame: &mut Frame, area: Rect, lines: Vec<Line<'static>>, current: usize) {
    let height = usize::from(area.height);
    let first =
        (current + 1).saturating_sub(height.max(1) - height / 4).min(lines.len().saturating_sub(height));
    let shown: Vec<Line> = lines.into_iter().skip(first).take(height).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

/// Text over the middle of the screen, from the line `top` on, which is lowered to where all that is left fits.
pub(crate) fn draw_overlay(
    frame: &mut Frame,
    title: &str,
    lines: Vec<Line<'static>>,
    top: &mut u16,
    theme: Theme,
) {
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0) as u16;
    let width = (widest + 4).max(title.len() as u16 + 4).min(area.width);
    let lines = wrapped(lines, width.saturating_sub(2));
    let height = (lines.len() as u16 + 2).min(area.height);
    *top = (*top).min(lines.len() as u16 + 2 - height);
    let place =
        Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    frame.render_widget(Clear, place);
    let hidden = lines.len() as u16 + 2 - height - *top;
    let more = if hidden > 0 { theme.either("▾ ", "v ") } else { "" };
    let block = framed(title, theme).title_bottom(more);
    frame.render_widget(Paragraph::new(lines).block(block).scroll((*top, 0)), place);
}

/// Where an overlay is after a key: scrolled, or closed, which is `None`.
pub(crate) fn scrolled(top: u16, key: KeyCode) -> Option<u16> {
    match key {
        KeyCode::Down => Some(top + 1),
        KeyCode::Up => Some(top.saturating_sub(1)),
        KeyCode::PageDown => Some(top + PAGE),
        KeyCode::PageUp => Some(top.saturating_sub(PAGE)),
        _ => None,
    }
}

/// How many lines a page is.
pub(crate) const PAGE: u16 = 8;

/// A frame with a title.
pub(crate) fn framed(title: &str, theme: Theme) -> Block<'static> {
    let block = Block::bordered().title(format!(" {title} "));
    if theme.ascii {
        block.border_set(ratatui::symbols::border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        })
    } else {
        block.border_set(ratatui::symbols::border::ROUNDED)
    }
}

/// The line at the bottom: keys and what they do, as many as there is room for.
pub(crate) fn draw_footer(frame: &mut Frame, area: Rect, keys: &[(&str, &str)], theme: Theme) {
    let mut spans = Vec::new();
    let mut width = 0;
    for (key, what) in keys {
        let length = key.chars().count() + what.chars().count() + 4;
        if width + length > usize::from(area.width) {
            break;
        }
        width += length;
        spans.push(Span::styled(format!(" {key} "), theme.chosen()));
        spans.push(Span::raw(format!(" {what} ")));
    }
    frame.render_widget(Line::from(spans), area);
}

/// Lines broken at words to fit a width. One of several styles is left as it is, to be cut at the edge.
pub(crate) fn wrapped(lines: Vec<Line<'static>>, width: u16) -> Vec<Line<'static>> {
    let width = usize::from(width).max(1);
    let mut broken = Vec::new();
    for line in lines {
        if line.width() <= width || line.spans.len() > 1 {
            broken.push(line);
            continue;
        }
        let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
        let style = line.style.patch(line.spans.first().map_or_else(Style::new, |span| span.style));
        let mut row = String::new();
        for word in text.split(' ') {
            let mut word = word.to_owned();
            let gap = usize::from(!row.is_empty());
            if row.width() + gap + word.width() > width && !row.is_empty() {
                broken.push(Line::styled(std::mem::take(&mut row), style));
            }
            while word.width() > width {
                let rest = word.split_off(word.char_indices().nth(width).map_or(word.len(), |(at, _)| at));
                broken.push(Line::styled(std::mem::replace(&mut word, rest), style));
            }
            if !row.is_empty() {
                row.push(' ');
            }
            row.push_str(&word);
        }
        broken.push(Line::styled(row, style));
    }
    broken
}

/// Draws lines, broken to fit, at the top of an area, and gives what is left of it below.
pub(crate) fn draw_lines(frame: &mut Frame, area: Rect, lines: Vec<Line<'static>>) -> Rect {
    let lines = wrapped(lines, area.width);
    let height = (lines.len() as u16).min(area.height);
    frame.render_widget(Paragraph::new(lines), Rect { height, ..area });
    Rect { y: area.y + height, height: area.height - height, ..area }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_shortened_where_there_is_no_room() {
        let session =
            agon_registry::GAMES.find("tablut").expect("tablut").rules("").expect("the usual game").start();
        let board = session.board();
        let theme = Theme { depth: crate::theme::Depth::None, ascii: true };
        let text = |name: &'static str, width| {
            let tail = Some(Span::raw("  4:10"));
            seat_line(&board, Player(0), Span::raw(name), tail, width, theme).to_string()
        };
        assert_eq!(text("Dana", 40), "b Dana  16/16 pieces  4:10");
        assert_eq!(text("Dana", 22), "b Dana  16/16  4:10");
        assert_eq!(text("Maximiliane", 22), "b Maximi~  16/16  4:10");
    }

    #[test]
    fn lines_break_at_words_and_long_words_break_too() {
        let text = |lines: Vec<Line<'static>>| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
        let broken = wrapped(vec![Line::from("one two three"), Line::from("abcdefghij x")], 7);
        assert_eq!(text(broken), ["one two", "three", "abcdefg", "hij x"]);
        assert_eq!(text(wrapped(vec![Line::default()], 7)), [""]);
    }
}
