//! What stands beside the board: who plays, how it stands, what bots think, which moves were made.

use agon_core::Player;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::super::parts::{
    Listed, draw_footer, draw_lines, draw_list, draw_overlay, expectation_line, move_lines, piece_sign,
    progress_line, split,
};
use super::{Mode, PlayScreen, Tone, Typing};
use crate::table::clock_text;
use crate::theme::{Theme, palette};
use crate::words;

impl PlayScreen {
    pub(super) fn draw_screen(&mut self, frame: &mut Frame, theme: Theme) {
        let parts = split(frame.area(), &self.pane, &self.board, theme);
        let marks = self.marks();
        let motion = self.motion.as_ref().map(|(motion, _)| motion);
        self.pane.paint(frame.buffer_mut(), parts.board, &self.board, &marks, motion, theme);
        if let Some(area) = marks.cursor.and_then(|cursor| self.pane.place(cursor)) {
            // The terminal's own cursor is there for those who follow it.
            frame.set_cursor_position((area.x, area.y));
        }
        let panel = Rect { x: parts.panel.x + 1, width: parts.panel.width.saturating_sub(1), ..parts.panel };
        self.draw_panel(frame, panel, theme);
        self.draw_keys(frame, parts.footer, theme);
        if self.show_help {
            draw_overlay(frame, "Keys", self.help(), theme);
        }
    }

    fn draw_keys(&self, frame: &mut Frame, area: Rect, theme: Theme) {
        if let Some((typing, prompt)) = &self.prompt {
            let label = match typing {
                Typing::Move => "Move:",
                Typing::File => "Save to:",
            };
            frame.render_widget(prompt.line(label, theme), area);
            return;
        }
        let keys: &[(&str, &str)] = if self.table.failure().is_some() {
            &[("y", "try again"), ("o", "take over"), ("s", "save"), ("q", "leave")]
        } else if self.table.is_over() {
            &[
                ("Enter", "again"),
                ("v", "look back"),
                ("u", "take back"),
                ("s", "save"),
                ("q", "leave"),
                ("?", "help"),
            ]
        } else if self.is_watched() {
            &[
                ("p", "pause"),
                (".", "step"),
                ("[ ]", "pace"),
                ("e", "evaluation"),
                ("q", "leave"),
                ("?", "help"),
            ]
        } else if self.slides() {
            &[("arrows", "slide"), ("u", "undo"), ("h", "hint"), ("S", "save"), ("q", "leave"), ("?", "help")]
        } else {
            &[
                ("Enter", "move"),
                ("m", "type"),
                ("u", "undo"),
                ("h", "hint"),
                ("q", "leave"),
                ("?", "help"),
                ("e", "evaluation"),
                ("t", "thinking"),
                ("n", "next"),
            ]
        };
        draw_footer(frame, area, keys, theme);
    }

    fn draw_panel(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let session = self.table.session();
        let plies = session.history().len();
        let spec = self.table.rules().spec();
        let mut lines = Vec::new();
        let title = match self.mode {
            Mode::Play if self.is_watched() => format!("{}: bots", spec.title),
            Mode::Play => spec.title.to_owned(),
            Mode::Analyse => format!("{}: analysis", spec.title),
        };
        lines.push(Line::styled(title, ratatui::style::Style::new().add_modifier(Modifier::BOLD)));
        lines.push(progress_line(&self.board, self.moves_made(), theme));
        for player in (0..self.table.seats().len() as u8).map(Player) {
            lines.push(self.seat_line(player, theme));
        }
        if self.slides() {
            let best = self.best.unwrap_or(0).max(session.standing().map_or(0, |standing| standing.score));
            lines.push(Line::from(format!("Best score: {best}")));
        }
        if self.show_evaluation && self.table.seats().len() == 2 {
            let expected = self.assistant.expected(plies, self.table.session());
            lines.push(expectation_line(expected, &self.assistant.first_title(), area.width, theme));
        }
        lines.push(Line::default());
        lines.push(self.status(theme));
        if let Some(line) = self.answer_line(theme) {
            lines.push(line);
        }
        if let Some(line) = self.preview_line(theme) {
            lines.push(line);
        }
        if self.show_thinking {
            lines.extend(self.thinking(area.width, theme));
        }
        let below = draw_lines(frame, area, lines);
        if below.height > 1 {
            self.draw_moves(frame, below, theme);
        }
    }

    fn moves_made(&self) -> usize {
        let movers = self.table.session().movers();
        movers.iter().filter(|mover| matches!(mover, agon_core::Turn::Player(_))).count()
    }

    fn seat_line(&self, player: Player, theme: Theme) -> Line<'static> {
        let is_mover = self.table.to_move() == Some(player);
        let arrow = if is_mover { theme.either("▸ ", "> ") } else { "  " };
        let mut spans = vec![
            Span::styled(arrow, theme.text(palette::ACCENT)),
            piece_sign(&self.board, player, theme),
            Span::raw(" "),
        ];
        let name = words::seat_text(&self.table, player);
        let style = ratatui::style::Style::new();
        spans.push(Span::styled(name, if is_mover { style.add_modifier(Modifier::BOLD) } else { style }));
        for count in self.board.counts.iter().filter(|count| count.owner == player) {
            let of = count.of.map(|of| format!("/{of}")).unwrap_or_default();
            spans.push(Span::raw(format!("  {}{of} {}", count.value, count.what)));
        }
        if let Some(left) = self.table.time_left(player) {
            let pressing = left.as_secs() < 10;
            let style =
                if pressing { theme.text(palette::DANGER).add_modifier(Modifier::BOLD) } else { style };
            spans.push(Span::styled(format!("  {}", clock_text(left)), style));
        }
        Line::from(spans)
    }

    /// What is going on, then what to do.
    fn status(&self, theme: Theme) -> Line<'static> {
        if let Some((text, tone)) = &self.message {
            let style = match tone {
                Tone::Plain => theme.text(palette::OK),
                Tone::Wrong => theme.text(palette::DANGER),
            };
            return Line::styled(plain_if(text, theme), style);
        }
        let text = match self.table.to_move() {
            _ if self.table.is_over() => words::result_text(&self.table),
            None => "A tile appears.".to_owned(),
            Some(player) if self.table.seats()[player.index()].is_human() => self.invitation(player),
            Some(_) if self.table.is_paused() => "Paused. p goes on, . makes one move.".to_owned(),
            Some(player) => {
                let seconds = self.table.spent().as_secs();
                let since = if seconds > 0 { format!(" {seconds}s") } else { String::new() };
                format!("{} is thinking…{since}", words::seat_text(&self.table, player))
            }
        };
        Line::from(plain_if(&text, theme))
    }

    fn invitation(&self, player: Player) -> String {
        let alone = self.table.seats().iter().filter(|seat| seat.is_human()).count() == 1;
        let who = if alone {
            "Your turn".to_owned()
        } else {
            format!("{} to move", words::seat_text(&self.table, player))
        };
        let what = if self.slides() {
            "Slide the tiles."
        } else if self.pointer.block.is_some() {
            "Enter turns the block."
        } else if self.pointer.selected.is_some() {
            "Choose where it goes."
        } else if self.steps.iter().any(|(_, step)| step.from.is_some()) {
            "Choose a piece."
        } else {
            "Choose a square."
        };
        let danger = if self.board.threats.is_empty() { "" } else { " The king is in danger." };
        format!("{who}. {what}{danger}")
    }

    /// What the bot before has played, and how long it took.
    fn answer_line(&self, theme: Theme) -> Option<Line<'static>> {
        let session = self.table.session();
        let (mover, token) = (session.movers().pop()?, session.history().pop()?);
        let note = self.table.notes().last().filter(|note| note.thought.is_some())?;
        let agon_core::Turn::Player(player) = mover else { return None };
        let name = &self.table.seats()[player.index()].name;
        let text = format!("{name} played {token} in {:.1}s", note.time.as_secs_f64());
        Some(Line::styled(text, theme.muted()))
    }

    /// The move that Enter would make.
    fn preview_line(&self, theme: Theme) -> Option<Line<'static>> {
        self.table.person_to_move()?;
        let (token, step) = self.pointer.preview(&self.steps)?;
        let taken = step
            .effects
            .iter()
            .filter(|effect| matches!(effect, agon_core::view::Effect::Remove { .. }))
            .count();
        let turned = step
            .effects
            .iter()
            .filter(|effect| matches!(effect, agon_core::view::Effect::Flip { .. }))
            .count();
        let mut text = format!("Enter plays {token}");
        if turned > 0 {
            text += &format!(", turns {turned}");
        }
        if taken > 0 {
            text += &format!(", takes {taken}");
        }
        if step.path.len() > 2 {
            text += &format!(", {} hops", step.path.len() - 1);
        }
        Some(Line::styled(text, theme.muted()))
    }

    fn thinking(&self, width: u16, theme: Theme) -> Vec<Line<'static>> {
        let analysed = self.mode == Mode::Analyse;
        let thought = if analysed { self.assistant.live.as_ref() } else { self.table.live() };
        let Some(thought) = thought else { return Vec::new() };
        let players = self.table.seats().len();
        let line = thought.line.join(" ");
        let room = usize::from(width).max(10) * 2;
        let short: String = line.chars().take(room).collect();
        vec![
            Line::styled(
                format!("Thinks: {}", words::thought_text(thought, players)),
                theme.text(palette::ACCENT),
            ),
            Line::styled(short, theme.muted()),
        ]
    }

    fn draw_moves(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let (history, movers) = (self.table.session().history(), self.table.session().movers());
        let over = self.table.is_over();
        let mut listed = Vec::with_capacity(history.len());
        for (ply, (token, mover)) in history.iter().zip(movers).enumerate() {
            let mark = if over { self.assistant.mark(ply, self.table.session(), token) } else { None };
            listed.push(Listed { mover, token: token.clone(), mark, is_current: false });
        }
        let (mut lines, _) = move_lines(&listed, &**self.table.rules(), theme);
        if over && self.table.has_people() && self.mode == Mode::Play {
            let (known, wanted) = self.assistant.progress(self.table.session());
            let marked = listed.iter().filter(|listed| listed.mark.is_some()).count();
            let text = if let Some(reason) = &self.assistant.failure {
                format!("No look back: {reason}")
            } else if known < wanted {
                format!("Looking back: {known} of {wanted}")
            } else if marked == 0 {
                "Looking back: no mistakes.".to_owned()
            } else {
                format!("Looking back: {marked} marked ?! ? ??")
            };
            lines.push(Line::styled(text, theme.muted()));
        }
        let last = lines.len().saturating_sub(1);
        draw_list(frame, area, lines, last);
    }

    fn help(&self) -> Vec<Line<'static>> {
        let mut rows: Vec<(&str, &str)> = Vec::new();
        if self.slides() {
            rows.push(("arrows, W A S D", "slide the tiles"));
        } else {
            rows.extend([
                ("arrows, mouse", "go to a square; click to choose"),
                ("Enter, space", "choose a piece, then its target"),
                ("n N, tab", "next piece or target"),
                ("r R, right click", "choose a block that turns; Enter turns it"),
                ("b", "turn the board around"),
                ("+ - 0", "larger, smaller, as it fits"),
            ]);
        }
        rows.extend([
            ("m :", "type a move, also (row,col) in Othello"),
            ("u", "take back"),
            ("h", "hint"),
            ("e", "evaluation bar"),
            ("t", "what the bot thinks"),
            ("g", "have the bot move now"),
            ("p . [ ]", "pause bots, one step, slower, faster"),
            ("s S", "save the record"),
            ("X", "resign"),
            ("q, Esc", "leave; an unfinished game is kept"),
        ]);
        let mut lines: Vec<Line> =
            rows.iter().map(|(key, what)| Line::from(format!("{key:<17} {what}"))).collect();
        lines.push(Line::default());
        lines.push(Line::from("Any key goes back to the game."));
        lines
    }
}

/// The text without what only Unicode has.
fn plain_if(text: &str, theme: Theme) -> String {
    if theme.ascii { text.replace('…', "...") } else { text.to_owned() }
}
