//! A record played through: forward, back, anywhere, and on from there.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_answers::review::Mark;
use agon_core::Turn;
use agon_core::view::Board;
use agon_erased::{Games, Rules, Session};
use agon_files::{LoadError, load_record};
use agon_match::Millis;
use agon_records::{Record, RecordError, recorded_board};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::assistant::{Assistant, Duty};
use super::parts::{
    Fault, Listed, draw_footer, draw_lines, draw_list, draw_overlay, move_lines, progress_line, scrolled,
    seat_line, split,
};
use super::play::{Mode, PlayScreen};
use super::prompt::{Prompt, Typed, command};
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks};
use crate::driver::{MatchDriver, NewGame, seed_from_clock};
use crate::home::moves_made;
use crate::theme::{Theme, palette};
use crate::words;

/// How long each position is shown when a record plays by itself.
const PACE: Duration = Duration::from_millis(800);

/// A record on the screen.
pub struct ReplayScreen {
    record: Record,
    rules: Arc<dyn Rules>,
    whole: Box<dyn Session>,
    session: Box<dyn Session>,
    at: usize,
    pane: BoardPane,
    assistant: Assistant,
    /// How the game ended, in a sentence.
    result: String,
    show_evaluation: bool,
    playing: Option<Instant>,
    prompt: Option<Prompt>,
    message: Option<String>,
    /// The first line of the help that is shown.
    help: Option<u16>,
}

impl ReplayScreen {
    /// Opens a file.
    ///
    /// # Errors
    /// If it is not a record, or is inconsistent.
    pub fn open(games: Games, path: &Path) -> Result<Self, LoadError> {
        Ok(Self::of_record(games, load_record(path)?)?)
    }

    /// Shows a record from its beginning.
    ///
    /// # Errors
    /// If it does not hold.
    pub fn of_record(games: Games, record: Record) -> Result<Self, RecordError> {
        let whole = record.replay(games)?;
        let setup = |fault: String| RecordError::Setup(fault);
        let entry = games.find(&record.game).map_err(|error| setup(error.to_string()))?;
        let rules = entry.rules(&record.options).map_err(|error| setup(error.to_string()))?;
        let mut session = whole.fork();
        while session.undo() {}
        let game = record.to_match(games, Millis::ZERO, |_| {})?;
        let result = words::result_text(recorded_board(&game));
        let result = if result.is_empty() { "The game is unfinished.".to_owned() } else { result };
        Ok(Self {
            result,
            assistant: Assistant::new(games, Arc::clone(&rules)),
            record,
            rules,
            whole,
            session,
            at: 0,
            pane: BoardPane::default(),
            show_evaluation: false,
            playing: None,
            prompt: None,
            message: None,
            help: None,
        })
    }

    /// The same replay with what an assistant has found out about the game already.
    pub(super) fn reviewed(mut self, assistant: &Assistant) -> Self {
        self.assistant.remember(assistant);
        self.show_evaluation = self.assistant.has_marks();
        self
    }

    /// What the record notes as wrong with a ply.
    fn noted(&self, ply: usize) -> Option<Fault> {
        let (mark, better) = Mark::parse_note(self.record.marks().get(ply).copied()??)?;
        Some(Fault { mark, better: better.to_owned() })
    }

    fn plies(&self) -> usize {
        self.record.moves.len()
    }

    fn jump(&mut self, to: usize) {
        let to = to.min(self.plies());
        while self.at > to && self.session.undo() {
            self.at -= 1;
        }
        while self.at < to && self.session.play(&self.record.moves[self.at]).is_ok() {
            self.at += 1;
        }
        self.message = None;
    }

    /// One move on; a draw of chance goes with the move before it.
    fn forward(&mut self) {
        self.jump(self.at + 1);
        while self.at < self.plies() && self.session.turn() == Turn::Chance {
            self.jump(self.at + 1);
        }
    }

    fn back(&mut self) {
        self.jump(self.at.saturating_sub(1));
        while self.at > 0 && self.session.turn() == Turn::Chance {
            self.jump(self.at - 1);
        }
    }

    /// Plays on from here with those who sat there; or studies it, a person playing for all.
    fn branch(&mut self, mode: Mode, context: &Context) -> Next {
        if self.session.outcome().is_some() {
            self.message = Some("The game is over here: step back to play on.".to_owned());
            return Next::Stay;
        }
        let (rules, person, seed) = (Arc::clone(&self.rules), context.home.person(), seed_from_clock());
        let new = match mode {
            Mode::Play => NewGame::branching_off(rules, &*self.session, &self.record, person, seed),
            Mode::Analyse => NewGame::for_study(rules, &*self.session, person, seed),
        };
        match MatchDriver::start(new) {
            Ok(driver) => Next::Open(Box::new(PlayScreen::new(driver, mode, context))),
            Err(error) => {
                self.message = Some(error.to_string());
                Next::Stay
            }
        }
    }

    fn draw_panel(&mut self, frame: &mut Frame, area: Rect, board: &Board, theme: Theme) {
        let mut lines = vec![
            Line::styled(
                format!("{}: replay", self.rules.spec().title()),
                Style::new().add_modifier(Modifier::BOLD),
            ),
            progress_line(board, moves_made(&*self.session), theme),
        ];
        let titles = self.rules.titles();
        for (index, title) in titles.iter().enumerate() {
            let player = agon_core::Player(index as u8);
            let name = self.record.players.get(index).unwrap_or(title);
            let name =
                if name == title || titles.len() == 1 { name.clone() } else { format!("{name} ({title})") };
            lines.push(seat_line(board, player, Span::raw(name), None, area.width, theme));
        }
        if self.record.date.is_some() {
            lines.push(Line::styled(words::recorded_date(&self.record), theme.muted()));
        }
        lines.push(Line::from(self.result.clone()));
        if self.show_evaluation {
            lines.extend(self.assistant.bar(&*self.whole, &*self.session, board, area.width, theme));
            if titles.len() == 2 {
                lines.push(self.curve(area.width, theme));
            }
            let (known, wanted) = self.assistant.progress(&*self.whole);
            if known < wanted {
                lines.push(Line::styled(format!("Reviewing: {known} of {wanted}"), theme.muted()));
            }
        }
        lines.push(Line::default());
        // Nobody has looked for mistakes, and nobody would guess how to.
        let is_unmarked = !self.show_evaluation && self.record.marks().is_empty() && self.plies() > 0;
        let advice = if is_unmarked { " E marks mistakes." } else { "" };
        let place = format!("After {} of {} plies.{advice}", self.at, self.plies());
        lines.push(match &self.message {
            Some(message) => Line::styled(message.clone(), theme.text(palette::WARN)),
            None => Line::from(place),
        });
        let below = draw_lines(frame, area, lines);
        let movers = self.whole.movers();
        let mut listed = Vec::with_capacity(self.plies());
        for ply in 0..self.plies() {
            let token = self.record.moves[ply].clone();
            let found =
                if self.show_evaluation { self.assistant.fault(ply, &*self.whole, &token) } else { None };
            let fault = found.or_else(|| self.noted(ply));
            // With a draw of chance the move before it is the current one.
            let is_current = self.at > 0
                && (ply + 1 == self.at
                    || movers[ply + 1..self.at.max(ply + 1)].iter().all(|mover| *mover == Turn::Chance))
                && ply < self.at;
            listed.push(Listed { mover: movers[ply], token, fault, is_current });
        }
        let (lines, current) = move_lines(&listed, &*self.rules, theme);
        if below.height > 1 {
            draw_list(frame, below, lines, current);
        }
    }

    /// What all positions promised the first player, as a row of bars.
    fn curve(&mut self, width: u16, theme: Theme) -> Line<'static> {
        let bars =
            theme.either(["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"], ["_", "_", ".", "-", "-", "=", "^", "^"]);
        let room = usize::from(width).saturating_sub(1).max(1);
        let count = self.plies() + 1;
        let shown = count.min(room);
        let spans = (0..shown).map(|index| {
            let at = if shown > 1 { index * (count - 1) / (shown - 1) } else { 0 };
            let bar = match self.assistant.expected(at, &*self.whole) {
                Some(expected) => bars[((expected * 7.99) as usize).min(7)],
                None => " ",
            };
            let here = if shown > 1 { self.at * (shown - 1) / (count - 1).max(1) == index } else { true };
            Span::styled(bar, if here { theme.chosen() } else { theme.text(palette::ACCENT) })
        });
        Line::from(spans.collect::<Vec<_>>())
    }

    fn help() -> Vec<Line<'static>> {
        let rows = [
            ("right, . / left, ,", "one move on, one back"),
            ("PgDn / PgUp", "ten on, ten back"),
            ("Home / End", "the beginning, the end"),
            ("J, or digits", "jump to a ply"),
            ("space", "play by itself, stop"),
            ("Enter", "play on from here with the same players"),
            ("A", "analyse from here"),
            ("E", "evaluation, curve and marks"),
            ("B + - Z", "turn the board, larger, smaller, as it fits"),
            ("Q", "leave"),
        ];
        rows.iter().map(|(key, what)| Line::from(format!("{key:<19} {what}"))).collect()
    }
}

impl Screen for ReplayScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let theme = context.theme;
        let board = self.session.board();
        let parts = split(frame.area(), &self.pane, &board, theme);
        let marks = Marks {
            last: self.session.last_step(),
            threats: board.threats.iter().map(|threat| threat.at).collect(),
            ..Marks::default()
        };
        self.pane.paint(frame.buffer_mut(), parts.board, &board, &marks, None, theme);
        let panel = Rect { x: parts.panel.x + 1, width: parts.panel.width.saturating_sub(1), ..parts.panel };
        self.draw_panel(frame, panel, &board, theme);
        match &self.prompt {
            Some(prompt) => frame.render_widget(prompt.line("Jump to ply:", theme), parts.footer),
            None => draw_footer(
                frame,
                parts.footer,
                &[
                    (theme.either("← →", "left right"), "step"),
                    ("space", "play"),
                    ("J", "jump"),
                    ("Enter", "play on"),
                    ("E", "evaluation"),
                    ("Q", "leave"),
                    ("?", "help"),
                ],
                theme,
            ),
        }
        if let Some(top) = &mut self.help {
            draw_overlay(frame, "Keys", Self::help(), top, theme);
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some(top) = self.help {
            self.help = scrolled(top, key.code);
            return Next::Stay;
        }
        if let Some(mut prompt) = self.prompt.take() {
            match prompt.key(key) {
                Typed::Going => self.prompt = Some(prompt),
                Typed::Left => {}
                Typed::Done => match agon_core::text::number(prompt.text.trim(), 0..=self.plies() as u64) {
                    Ok(ply) => self.jump(ply as usize),
                    Err(fault) => self.message = Some(format!("ply {fault}")),
                },
            }
            return Next::Stay;
        }
        let was_playing = self.playing.take().is_some();
        match command(key) {
            KeyCode::Right | KeyCode::Char('.') => self.forward(),
            KeyCode::Left | KeyCode::Char(',') => self.back(),
            KeyCode::PageDown | KeyCode::Down => self.jump(self.at + 10),
            KeyCode::PageUp | KeyCode::Up => self.jump(self.at.saturating_sub(10)),
            KeyCode::Home => self.jump(0),
            KeyCode::End => self.jump(self.plies()),
            KeyCode::Char('J') => self.prompt = Some(Prompt::default()),
            KeyCode::Char(digit @ '0'..='9') => self.prompt = Some(Prompt::with(&digit.to_string())),
            KeyCode::Char(' ') if !was_playing => self.playing = Some(Instant::now()),
            KeyCode::Enter => return self.branch(Mode::Play, context),
            KeyCode::Char('A') => return self.branch(Mode::Analyse, context),
            KeyCode::Char('E') => self.show_evaluation = !self.show_evaluation,
            KeyCode::Char('B') => self.pane.turned = !self.pane.turned,
            KeyCode::Char('+' | '=') => self.pane.zoom = (self.pane.zoom + 1).min(2),
            KeyCode::Char('-') => self.pane.zoom = (self.pane.zoom - 1).max(-2),
            KeyCode::Char('Z') => self.pane.zoom = 0,
            KeyCode::Char('?') => self.help = Some(0),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn tick(&mut self, _context: &mut Context) -> Next {
        if self.playing.is_some_and(|since| since.elapsed() >= PACE) {
            self.forward();
            self.playing = (self.at < self.plies()).then(Instant::now);
        }
        let duty = if self.show_evaluation { Duty::All } else { Duty::None };
        self.assistant.tick(&*self.whole, duty);
        Next::Stay
    }

    fn patience(&self) -> Duration {
        Duration::from_millis(if self.playing.is_some() || self.show_evaluation { 50 } else { 250 })
    }
}
