//! What stands beside the board: who plays, how it stands, what bots think, which moves were made.

use std::time::Duration;

use agon_answers::score::ScoreScale;
use agon_core::view::Effect;
use agon_core::{Player, Turn};
use agon_match::{End, Occupant, clock_text};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::super::parts::{
    Listed, draw_footer, draw_lines, draw_list, draw_overlay, move_lines, progress_line, seat_line, split,
    wrapped,
};
use super::commands::{COMMANDS, Command};
use super::{Mode, Overlay, PlayScreen, Tone, Typing};
use crate::driver::seat_plans;
use crate::theme::{Theme, palette};
use crate::words;

impl PlayScreen {
    pub(super) fn draw_screen(&mut self, frame: &mut Frame, person: &str, theme: Theme) {
        let parts = split(frame.area(), &self.view.pane, &self.view.shown, theme);
        let marks = self.marks();
        self.view.paint(frame, parts.board, &marks, theme);
        if let Some(area) = marks.cursor.and_then(|cursor| self.view.pane.place(cursor)) {
            // The terminal's own cursor is there for those who follow it.
            frame.set_cursor_position((area.x, area.y));
        }
        let panel = Rect { x: parts.panel.x + 1, width: parts.panel.width.saturating_sub(1), ..parts.panel };
        self.draw_panel(frame, panel, theme);
        self.draw_keys(frame, parts.footer, theme);
        let Some((overlay, mut top)) = self.overlay else { return };
        match overlay {
            Overlay::Help => draw_overlay(frame, "Help", self.help(theme), &mut top, theme),
            Overlay::Moves => self.draw_legal(frame, &mut top, theme),
            Overlay::Plans => self.draw_plans(frame, person, &mut top, theme),
        }
        self.overlay = Some((overlay, top));
    }

    fn draw_keys(&self, frame: &mut Frame, area: Rect, theme: Theme) {
        if let Some((typing, prompt)) = &self.prompt {
            let mut line = match typing {
                Typing::Move => prompt.line("Move:", theme),
                Typing::File => prompt.line("Save to:", theme),
            };
            let aid = match self.matching() {
                Some(matching) if !matching.is_empty() => {
                    let tokens: Vec<&str> =
                        matching.iter().map(|&index| self.steps[index].0.as_str()).collect();
                    format!("  {}", tokens.join(" "))
                }
                _ => "  Enter confirms, Esc clears".to_owned(),
            };
            line.spans.push(Span::styled(aid, theme.muted()));
            frame.render_widget(line, area);
            return;
        }
        let typing = (theme.either("a…z 0…9", "a-z 0-9"), "type");
        let keys: &[(&str, &str)] = if self.driver.failure().is_some() {
            &[("Y", "try again"), ("O", "take over"), ("F", "save"), ("Q", "leave")]
        } else if self.driver.is_over() {
            &[("N", "new game"), ("V", "replay"), ("U", "undo"), ("F", "save"), ("Q", "leave"), ("?", "help")]
        } else if self.is_watched() {
            &[
                ("P", "pause"),
                (".", "step"),
                ("[ ]", "pace"),
                ("Q", "leave"),
                ("?", "help"),
                ("T", "thinking"),
            ]
        } else if self.slides() {
            &[
                (theme.either("↑↓←→", "arrows"), "slide"),
                ("?", "help"),
                ("Q", "leave"),
                ("U", "undo"),
                ("H", "hint"),
                ("K", "restart"),
                ("M", "mode"),
                ("F", "save"),
            ]
        } else if self.driver.awaits_pass() {
            &[
                ("Enter", "pass"),
                ("?", "help"),
                ("Q", "leave"),
                ("U", "undo"),
                ("K", "restart"),
                ("M", "mode"),
            ]
        } else if self.mode == Mode::Analyse {
            &[
                ("Enter", "move"),
                typing,
                ("?", "help"),
                ("Q", "leave"),
                ("U", "undo"),
                ("I", "redo"),
                ("H", "hint"),
            ]
        } else {
            &[
                ("Enter", "move"),
                typing,
                ("?", "help"),
                ("Q", "leave"),
                ("U", "undo"),
                ("H", "hint"),
                ("K", "restart"),
                ("M", "mode"),
                ("E", "evaluation"),
                ("T", "thinking"),
            ]
        };
        let mut keys = keys.to_vec();
        if self.can_turn_blocks() {
            keys.insert(2, ("R", "rotate a block"));
        }
        draw_footer(frame, area, &keys, theme);
    }

    fn draw_panel(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let board = self.driver.board();
        let (session, spec) = (board.session(), board.rules().spec());
        let mut lines = Vec::new();
        let title = match self.mode {
            Mode::Play if self.is_watched() => format!("{}: bots", spec.title()),
            Mode::Play => spec.title().to_owned(),
            Mode::Analyse => format!("{}: analysis", spec.title()),
        };
        lines.push(Line::styled(title, Style::new().add_modifier(Modifier::BOLD)));
        let mut standing = vec![progress_line(&self.view.shown, board.moves_made(), theme)];
        for player in (0..board.seats().len() as u8).map(Player) {
            standing.push(self.seat_line(player, area.width, theme));
        }
        if self.slides() {
            let best = self.best.unwrap_or(0).max(session.standing().map_or(0, |standing| standing.score));
            standing.push(Line::from(format!("Best score: {best}")));
        }
        let bar = if self.show_evaluation && !matches!(board.end(), Some(End::Forfeit { .. })) {
            self.assistant.bar(session, session, &self.view.shown, area.width, theme)
        } else {
            Vec::new()
        };
        let mut status = self.status(theme);
        status.extend(self.answer_line(theme));
        status.extend(self.preview_line(theme));
        // Where there is little room, what is going on goes before what stands there all the time.
        if usize::from(area.height) < standing.len() + 6 {
            lines.extend(status);
            lines.extend(bar);
            lines.extend(standing);
        } else {
            lines.extend(standing);
            lines.extend(bar);
            lines.push(Line::default());
            lines.extend(status);
        }
        if self.show_thinking {
            lines.extend(self.thinking(area.width, theme));
        }
        let below = draw_lines(frame, area, lines);
        if below.height > 1 {
            self.draw_moves(frame, below, theme);
        }
    }

    fn seat_line(&self, player: Player, width: u16, theme: Theme) -> Line<'static> {
        let is_mover = self.board().to_move() == Some(player);
        let style = if is_mover { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        let name = Span::styled(words::seat_text(self.board(), player), style);
        let clock = self.driver.time_left(player).map(|left| {
            let pressing = left.as_secs() < 10;
            let style =
                if pressing { theme.text(palette::DANGER).add_modifier(Modifier::BOLD) } else { style };
            Span::styled(format!("  {}", clock_text(left)), style)
        });
        let mut line = seat_line(&self.view.shown, player, name, clock, width.saturating_sub(2), theme);
        let arrow = if is_mover { theme.either("▸ ", "> ") } else { "  " };
        line.spans.insert(0, Span::styled(arrow, theme.text(palette::ACCENT)));
        line
    }

    /// How the game ended, what has just happened, or what to do.
    fn status(&self, theme: Theme) -> Vec<Line<'static>> {
        let mut lines: Vec<Line<'static>> = Vec::new();
        if let Some(verdict) = &self.verdict {
            lines.push(Line::styled(plain_if(verdict, theme), theme.text(palette::OK)));
        }
        if let Some((text, tone)) = &self.message {
            let style = match tone {
                Tone::Plain => theme.text(palette::OK),
                Tone::Wrong => theme.text(palette::DANGER),
            };
            lines.push(Line::styled(plain_if(text, theme), style));
        }
        if lines.is_empty() {
            lines.push(Line::from(plain_if(&self.invitation_to_all(), theme)));
        }
        lines
    }

    fn invitation_to_all(&self) -> String {
        match self.board().to_move() {
            _ if self.driver.is_over() => words::result_text(self.board()),
            None => "Chance is to act.".to_owned(),
            Some(player) if self.board().seats()[player.index()].is_person() => self.invitation(player),
            Some(_) if self.driver.is_paused() => "Paused. P goes on, . makes one move.".to_owned(),
            Some(player) => {
                let seconds = self.driver.thinking_time().as_secs();
                let since = if seconds > 0 { format!(" {seconds}s") } else { String::new() };
                format!("{} is thinking…{since}", words::seat_text(self.board(), player))
            }
        }
    }

    pub(super) fn invitation(&self, player: Player) -> String {
        let alone = self.board().seats().iter().filter(|seat| seat.is_person()).count() == 1;
        let who = if alone {
            "Your turn".to_owned()
        } else {
            format!("{} to move", words::seat_text(self.board(), player))
        };
        let what = if self.driver.awaits_pass() {
            return self.pass_text(player);
        } else if self.slides() {
            "Slide the tiles."
        } else if self.pointer.block.is_some() {
            "Enter rotates the block, R goes to the next one."
        } else if self.pointer.selected().is_some() {
            "Choose where it goes."
        } else if self.can_turn_blocks() {
            "Choose a piece, or press R to rotate a block."
        } else if self.steps.iter().any(|(_, step)| step.from.is_some()) {
            "Choose a piece."
        } else {
            "Choose a square."
        };
        let threats: String =
            self.view.shown.threats.iter().map(|threat| format!(" {}", threat.message)).collect();
        format!("{who}. {what}{threats}")
    }

    /// What is said when a player has no move.
    pub(super) fn pass_text(&self, player: Player) -> String {
        let is_alone = self.board().seats().iter().filter(|seat| seat.is_person()).count() == 1;
        if is_alone && self.board().seats()[player.index()].is_person() {
            "No move: you pass.".to_owned()
        } else {
            format!("{} has no move and passes.", words::seat_text(self.board(), player))
        }
    }

    /// What the bot before has played, how long it took, and what it thinks of it.
    fn answer_line(&self, theme: Theme) -> Option<Line<'static>> {
        let ply = self.board().plies().next_back().filter(|ply| ply.remark.is_some())?;
        let Turn::Player(player) = ply.mover else { return None };
        let seat = &self.board().seats()[player.index()];
        let time = Duration::from(ply.spent.unwrap_or_default());
        let score = ply.remark.and_then(|remark| remark.score);
        let score = score.map(|score| self.scores_of(&seat.occupant).text(score));
        let score = score.map(|score| format!(" ({score})")).unwrap_or_default();
        let text = format!("{} played {} in {:.1}s{score}", seat.name, ply.token, time.as_secs_f64());
        Some(Line::styled(text, theme.muted()))
    }

    /// The move that Enter would make.
    fn preview_line(&self, theme: Theme) -> Option<Line<'static>> {
        self.driver.person_to_move()?;
        let (token, step) = self.pointer.preview(&self.steps)?;
        let (mut taken, mut turned) = (0, 0);
        for effect in &step.effects {
            match effect {
                Effect::Remove { .. } => taken += 1,
                Effect::Flip { spots, .. } => turned += spots.len(),
                _ => {}
            }
        }
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
        let thought = if analysed { self.assistant.live.as_ref() } else { self.driver.live() };
        let Some(thought) = thought else { return Vec::new() };
        let scores = match self.thinks_last() {
            Some(occupant) if !analysed => self.scores_of(occupant),
            _ => self.assistant.scores(),
        };
        let speed = words::speed_text(thought).map(|speed| format!(", {speed}")).unwrap_or_default();
        let line = thought.line.join(" ");
        let room = usize::from(width).max(10) * 2;
        let short: String = line.chars().take(room).collect();
        vec![
            Line::styled(
                format!("Thinks: {}{speed}", words::thought_text(thought, scores)),
                theme.text(palette::ACCENT),
            ),
            Line::styled(short, theme.muted()),
        ]
    }

    /// How the scores of a player are shown.
    fn scores_of(&self, occupant: &Occupant) -> ScoreScale {
        ScoreScale::of(&**self.board().rules(), occupant)
    }

    /// The bot that is to move, or else the one that moved last.
    fn thinks_last(&self) -> Option<&Occupant> {
        let seats = self.board().seats();
        let movers = self.board().plies().rev().map(|ply| ply.mover);
        let movers = self.board().to_move().map(Turn::Player).into_iter().chain(movers);
        let mut occupants = movers.filter_map(|mover| match mover {
            Turn::Player(player) => Some(&seats[player.index()].occupant),
            Turn::Chance => None,
        });
        occupants.find(|occupant| **occupant != Occupant::Person)
    }

    fn draw_moves(&mut self, frame: &mut Frame, area: Rect, theme: Theme) {
        let (history, movers) = (self.board().session().history(), self.board().session().movers());
        let over = self.driver.is_over();
        let mut listed = Vec::with_capacity(history.len());
        for (ply, (token, mover)) in history.iter().zip(movers).enumerate() {
            let fault =
                if over { self.assistant.fault(ply, self.driver.board().session(), token) } else { None };
            listed.push(Listed { mover, token: token.clone(), fault, is_current: false });
        }
        let (mut lines, _) = move_lines(&listed, &**self.board().rules(), theme);
        if over && self.driver.has_people() && self.mode == Mode::Play && !listed.is_empty() {
            let (known, wanted) = self.assistant.progress(self.board().session());
            let marked = listed.iter().filter(|listed| listed.fault.is_some()).count();
            let text = if let Some(reason) = &self.assistant.failure {
                format!("No review: {reason}")
            } else if known < wanted {
                format!("Reviewing: {known} of {wanted}")
            } else if marked == 0 {
                "Review: no mistakes.".to_owned()
            } else {
                format!("Review: {marked} marked ?! ? ??")
            };
            lines.push(Line::styled(text, theme.muted()));
        }
        let last = lines.len().saturating_sub(1);
        self.back = self.back.min(lines.len().saturating_sub(usize::from(area.height)) as u16);
        draw_list(frame, area, lines, last.saturating_sub(usize::from(self.back)));
    }

    fn help(&self, theme: Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let mut row = |key: &str, what: &str| lines.push(Line::from(format!("{key:<16} {what}")));
        if self.slides() {
            row("arrows", "slide the tiles; Shift with W A S D too");
            row("a…z", "type a move or a word, Enter makes it: left");
        } else {
            let example = self.steps.first().map(|(token, _)| format!(": {token}")).unwrap_or_default();
            row("a…z 0…9 ( @", &format!("type a move, Enter makes it{example}"));
            row("arrows, mouse", "go to a square; click or drag a piece");
            row("Enter, space", "choose a piece, then its target");
        }
        for entry in COMMANDS.iter().filter(|entry| self.applies(entry.command)) {
            row(&format!("{}  {}", entry.key, entry.word), entry.help);
        }
        row("PgUp, PgDn", "scroll the list of moves");
        row("Ctrl-L Z C", "redraw, suspend, quit at once");
        lines.push(Line::default());
        lines.push(Line::from("The words can be typed too. Press any key to go back to the game."));
        lines.into_iter().map(|line| Line::from(plain_if(&line.to_string(), theme))).collect()
    }

    /// Whether a command makes sense in this game.
    fn applies(&self, command: Command) -> bool {
        match command {
            Command::Block => self.can_turn_blocks(),
            Command::Next => !self.slides() && !self.is_watched() && !self.driver.is_over(),
            Command::TurnBoard => !self.slides(),
            Command::Evaluation => self.board().seats().len() > 1,
            Command::Go | Command::Pause | Command::Thinking => {
                self.board().seats().iter().any(|seat| !seat.is_person())
            }
            Command::Retry | Command::TakeOver => self.driver.failure().is_some(),
            Command::Review => self.driver.is_over() || self.is_watched(),
            Command::Resign | Command::SeatPlans if self.mode == Mode::Analyse => false,
            Command::Redo => self.mode == Mode::Analyse,
            Command::SeatPlans => !self.driver.is_over(),
            Command::Resign | Command::Hint | Command::Moves => !self.driver.is_over() && !self.is_watched(),
            _ => true,
        }
    }

    /// Who could play instead.
    fn draw_plans(&self, frame: &mut Frame, person: &str, top: &mut u16, theme: Theme) {
        let plans = seat_plans(self.board(), person);
        let mut lines: Vec<Line> =
            (1..).zip(&plans).map(|(number, plan)| Line::from(format!("{number}  {}", plan.label))).collect();
        lines.push(Line::default());
        lines.push(Line::from("Press a digit. The game continues where it stands; K restarts it."));
        draw_overlay(frame, "Who plays?", lines, top, theme);
    }

    /// All legal moves.
    fn draw_legal(&self, frame: &mut Frame, top: &mut u16, theme: Theme) {
        let tokens: Vec<&str> = self.steps.iter().map(|(token, _)| token.as_str()).collect();
        let title = agon_core::text::counted(tokens.len(), "legal move");
        let width = frame.area().width.saturating_sub(4).min(72);
        let text = if tokens.is_empty() { "None: it is not your turn.".to_owned() } else { tokens.join(" ") };
        draw_overlay(frame, &title, wrapped(vec![Line::from(text)], width), top, theme);
    }
}

/// The text without what only Unicode has.
fn plain_if(text: &str, theme: Theme) -> String {
    if theme.ascii { text.replace('…', "...") } else { text.to_owned() }
}
