//! The menu: which game, and what to do with it.

use std::time::{Duration, Instant};

use agon_erased::{BotListing, BotSpec, GameEntry, Rules};
use agon_match::{BoardOrder, Occupant};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::form::{FormScreen, Purpose};
use super::learn::LearnScreen;
use super::parts::{draw_footer, draw_lines, draw_overlay, scrolled};
use super::pick::PickScreen;
use super::play::{Mode, PlayScreen};
use super::prompt::{Prompt, Typed, command};
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks};
use crate::driver::{FIRST_OPPONENT, MatchDriver, NewGame, seed_from_clock};
use crate::home::Kept;
use crate::theme::palette;

/// How often interrupted games are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// What can be done with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Play,
    New,
    Race(BoardOrder),
    Watch,
    Learn,
    Analyse,
}

impl Action {
    fn name(self, seats: usize) -> &'static str {
        match self {
            Self::Play if seats == 1 => "Play",
            Self::Play => "Play a bot",
            Self::New => "New game…",
            Self::Race(BoardOrder::Together) => "Race a bot…",
            Self::Race(BoardOrder::InTurn) => "Computer first…",
            Self::Watch => "Watch bots…",
            Self::Learn => "Rules",
            Self::Analyse => "Analyse…",
        }
    }
}

enum Entry {
    Resume(Box<Kept>),
    Game(&'static GameEntry),
    Replay,
    Rename,
}

/// The menu.
pub struct MenuScreen {
    entries: Vec<Entry>,
    chosen: usize,
    action: usize,
    note: Option<String>,
    naming: Option<Prompt>,
    /// The first line of the help that is shown.
    help: Option<u16>,
    rows: Vec<Rect>,
    actions: Vec<Rect>,
    looked: Option<Instant>,
}

/// The bots that a picker offers: those that have been set, and algorithms that need no setting.
pub(crate) fn offered_bots(rules: &dyn Rules) -> Vec<BotListing> {
    let is_set = |bot: &BotListing| bot.name != bot.algorithm || bot.parameters.len() < 2;
    rules.bots().into_iter().filter(is_set).collect()
}

/// What a newcomer gets: the usual game, the first move, an opponent who forgives.
pub(super) fn quick_game(entry: &GameEntry, person: &str) -> Result<MatchDriver, String> {
    let rules = entry.rules("").map_err(|error| error.to_string())?;
    let mut players = vec![Occupant::Bot(BotSpec::named(FIRST_OPPONENT)); rules.seats().len()];
    players[0] = Occupant::Person;
    MatchDriver::start(NewGame::new(rules, players, person, seed_from_clock()))
        .map_err(|error| error.to_string())
}

/// Remembers that a game was chosen.
fn note_choice(entry: &GameEntry, context: &mut Context) {
    // If it cannot be saved, it is merely asked for again.
    let _ = context.home.set_last_game(entry.spec.id);
}

impl MenuScreen {
    /// The menu, interrupted games first.
    pub fn new(context: &Context) -> Self {
        let mut menu = Self {
            entries: Vec::new(),
            chosen: 0,
            action: 0,
            note: None,
            naming: None,
            help: None,
            rows: Vec::new(),
            actions: Vec::new(),
            looked: None,
        };
        menu.reload(context);
        let is_game = |entry: &Entry, id: Option<&str>| match entry {
            Entry::Game(game) => id.is_none_or(|id| game.spec.id == id),
            _ => false,
        };
        let find = |id: Option<&str>| menu.entries.iter().position(|entry| is_game(entry, id));
        let last = context.home.last_game().and_then(|id| find(Some(id)));
        menu.chosen = last.or_else(|| find(None)).unwrap_or(0);
        menu
    }

    pub(super) fn say(&mut self, note: String) {
        self.note = Some(note);
    }

    /// Looks again for interrupted games.
    fn reload(&mut self, context: &Context) {
        let before = self.entries.iter().filter(|entry| matches!(entry, Entry::Resume(_))).count();
        let resumes = context
            .home
            .unfinished(context.games)
            .into_iter()
            .take(3)
            .map(|kept| Entry::Resume(Box::new(kept)));
        let games = context.games.iter().map(Entry::Game);
        self.entries = resumes.chain(games).chain([Entry::Replay, Entry::Rename]).collect();
        let after = self.entries.iter().filter(|entry| matches!(entry, Entry::Resume(_))).count();
        self.chosen = (self.chosen + after).saturating_sub(before).min(self.entries.len() - 1);
    }

    fn actions_of(entry: &GameEntry) -> Vec<Action> {
        let seats = entry.rules("").map_or(2, |rules| rules.seats().len());
        let mut actions = vec![Action::Play];
        if seats == 1 {
            actions.extend([Action::Race(BoardOrder::Together), Action::Race(BoardOrder::InTurn)]);
        } else {
            actions.push(Action::New);
        }
        actions.extend([Action::Watch, Action::Learn, Action::Analyse]);
        actions
    }

    fn quick(&mut self, entry: &'static GameEntry, context: &mut Context) -> Next {
        note_choice(entry, context);
        match quick_game(entry, context.home.person()) {
            Ok(driver) => Next::Open(Box::new(PlayScreen::new(driver, Mode::Play, context))),
            Err(fault) => {
                self.say(fault);
                Next::Stay
            }
        }
    }

    fn act(&mut self, entry: &'static GameEntry, action: Action, context: &mut Context) -> Next {
        note_choice(entry, context);
        let form = |purpose| Next::Open(Box::new(FormScreen::new(entry, purpose)) as Box<dyn Screen>);
        match action {
            Action::Play => self.quick(entry, context),
            Action::New => form(Purpose::Play),
            Action::Race(order) => form(Purpose::Race(order)),
            Action::Watch => form(Purpose::Watch),
            Action::Analyse => form(Purpose::Analyse),
            Action::Learn => Next::Open(Box::new(LearnScreen::new(entry))),
        }
    }

    fn enter(&mut self, context: &mut Context) -> Next {
        self.note = None;
        match &self.entries[self.chosen] {
            Entry::Game(entry) => {
                let entry: &'static GameEntry = entry;
                let action = Self::actions_of(entry)[self.action];
                self.act(entry, action, context)
            }
            Entry::Resume(kept) => match PlayScreen::resume(kept, context) {
                Ok(screen) => Next::Open(Box::new(screen)),
                Err(error) => {
                    self.say(format!("This game cannot be resumed: {error}."));
                    Next::Stay
                }
            },
            Entry::Replay => Next::Open(Box::new(PickScreen::new(context))),
            Entry::Rename => {
                self.naming = Some(Prompt::proposing(context.home.name().unwrap_or_default()));
                Next::Stay
            }
        }
    }

    fn shortcut(&mut self, char: char, context: &mut Context) -> Next {
        if let Some(number) = char.to_digit(10) {
            let game = (number as usize).checked_sub(1).and_then(|index| context.games.iter().nth(index));
            return game.map_or(Next::Stay, |entry| self.quick(entry, context));
        }
        if char == 'R' {
            self.chosen = self
                .entries
                .iter()
                .position(|entry| matches!(entry, Entry::Resume(_) | Entry::Replay))
                .unwrap_or(0);
            return self.enter(context);
        }
        let wanted = match char {
            'N' => Action::New,
            'W' => Action::Watch,
            'L' => Action::Learn,
            'A' => Action::Analyse,
            _ => return Next::Stay,
        };
        match self.entries[self.chosen] {
            Entry::Game(entry) => self.act(entry, wanted, context),
            _ => Next::Stay,
        }
    }

    fn move_by(&mut self, down: bool) {
        let count = self.entries.len();
        self.chosen = if down { (self.chosen + 1) % count } else { (self.chosen + count - 1) % count };
        self.action = 0;
        self.note = None;
    }

    fn draw_entries(&mut self, frame: &mut Frame, area: Rect, wide: u16, context: &Context) {
        let theme = context.theme;
        self.rows.clear();
        self.actions.clear();
        let mut y = area.y;
        let mut number = 0;
        for (index, entry) in self.entries.iter().enumerate() {
            if y >= area.bottom() {
                break;
            }
            let text = match entry {
                Entry::Resume(kept) => format!("Resume {}", kept.title(context.games)),
                Entry::Game(entry) => {
                    number += 1;
                    format!("{number}  {}", entry.spec.title())
                }
                Entry::Replay => "Replay a record…".to_owned(),
                Entry::Rename => format!("Name: {}", context.home.person()),
            };
            let text = if theme.ascii { text.replace('…', "...") } else { text };
            let style = if index == self.chosen { theme.chosen() } else { Style::new() };
            // An interrupted game has much to say and nothing beside it.
            let width = if matches!(entry, Entry::Resume(_)) { wide } else { area.width };
            let row = Rect { y, height: 1, width, ..area };
            self.rows.push(row);
            let arrow = if index == self.chosen { theme.either("▸ ", "> ") } else { "  " };
            frame.render_widget(
                Line::from(vec![Span::raw(arrow), Span::styled(format!(" {text} "), style)]),
                row,
            );
            y += 1;
            if matches!(entry, Entry::Resume(_))
                && !matches!(self.entries.get(index + 1), Some(Entry::Resume(_)))
                || index + 2 == self.entries.len() - 1
            {
                y += 1;
            }
        }
    }

    fn draw_actions(&mut self, frame: &mut Frame, area: Rect, context: &Context) {
        let theme = context.theme;
        let Entry::Game(entry) = self.entries[self.chosen] else { return };
        let seats = entry.rules("").map_or(2, |rules| rules.seats().len());
        let mut x = area.x;
        let mut y = area.y;
        for (index, action) in Self::actions_of(entry).into_iter().enumerate() {
            let name = action.name(seats);
            let name = if theme.ascii { name.replace('…', "...") } else { name.to_owned() };
            let width = name.chars().count() as u16 + 2;
            if x + width > area.right() {
                (x, y) = (area.x, y + 1);
            }
            if y >= area.bottom() {
                break;
            }
            let style = if index == self.action { theme.chosen() } else { theme.text(palette::ACCENT) };
            let place = Rect::new(x, y, width, 1);
            frame.render_widget(Span::styled(format!(" {name} "), style), place);
            self.actions.push(place);
            x += width + 1;
        }
    }
}

impl Screen for MenuScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let theme = context.theme;
        let area = frame.area();
        let heading = Line::from(vec![
            Span::styled(" Agon ", Style::new().add_modifier(Modifier::BOLD)),
            Span::raw(format!(" Hello, {}.", context.home.person())),
        ]);
        frame.render_widget(heading, Rect { height: 1, ..area });
        let list_width = (area.width / 2).clamp(30, 44).min(area.width);
        let body =
            Rect { y: area.y + 2, height: area.height.saturating_sub(3), width: list_width, x: area.x + 1 };
        self.draw_entries(frame, body, area.width - 1, context);
        let resumes = self.entries.iter().filter(|entry| matches!(entry, Entry::Resume(_))).count() as u16;
        let above = if resumes > 0 { (resumes + 1).min(body.height) } else { 0 };
        let side = Rect {
            x: area.x + list_width + 2,
            width: area.width.saturating_sub(list_width + 3),
            y: body.y + above,
            height: body.height - above,
        };
        if let Entry::Game(entry) = self.entries[self.chosen] {
            let below = draw_lines(frame, side, vec![Line::from(entry.spec.summary())]);
            let actions = Rect { y: below.y + 1, height: 3, ..side };
            if actions.bottom() <= side.bottom() {
                self.draw_actions(frame, actions, context);
            }
            let preview = Rect {
                y: actions.bottom() + 1,
                height: side.bottom().saturating_sub(actions.bottom() + 1),
                ..side
            };
            if preview.height > 8
                && let Ok(rules) = entry.rules("")
            {
                let lesson = entry
                    .spec
                    .lessons
                    .iter()
                    .find(|lesson| lesson.position.is_some() && lesson.options.is_empty());
                let session = match lesson.and_then(|lesson| lesson.position) {
                    Some(position) if rules.seats().len() == 1 => {
                        rules.start_from(position).unwrap_or_else(|_| rules.start())
                    }
                    _ => rules.start(),
                };
                let board = session.board();
                let mut pane = BoardPane::default();
                let (width, height) = pane.preferred(&board, theme, preview);
                if width <= preview.width + 1 && height <= preview.height + 1 {
                    pane.paint(frame.buffer_mut(), preview, &board, &Marks::default(), None, theme);
                }
            }
        }
        let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
        if let Some(prompt) = &self.naming {
            frame.render_widget(prompt.line("Name:", theme), footer);
        } else if let Some(note) = &self.note {
            frame.render_widget(Line::styled(note.clone(), theme.text(palette::WARN)), footer);
        } else {
            let arrows = theme.either("↑↓←→", "arrows");
            let numbers = format!("1-{}", context.games.iter().len());
            let keys = [
                ("Enter", "go"),
                (numbers.as_str(), "play at once"),
                (arrows, "choose"),
                ("Q", "leave"),
                ("?", "help"),
            ];
            draw_footer(frame, footer, &keys, theme);
        }
        if let Some(top) = &mut self.help {
            let numbers = format!("1 to {}", context.games.iter().len());
            let rows = [
                (numbers.as_str(), "play that game at once, you first, against easy"),
                ("up, down", "choose a game"),
                ("left, right", "choose what to do"),
                ("Enter", "do it"),
                ("N W L A", "new game, watch bots, learn the rules, analyse"),
                ("R", "resume the interrupted game, or replay a record"),
                ("Q, Ctrl-C", "leave"),
            ];
            let mut lines: Vec<Line> =
                rows.iter().map(|(key, what)| Line::from(format!("{key:<12} {what}"))).collect();
            lines.push(Line::default());
            lines.push(Line::from(
                "All of it is also a command: agon play, watch, resume, replay, learn, analyze --board.",
            ));
            draw_overlay(frame, "Help", lines, top, theme);
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some(top) = self.help {
            self.help = scrolled(top, key.code);
            return Next::Stay;
        }
        if let Some(mut prompt) = self.naming.take() {
            match prompt.key(key) {
                Typed::Going => self.naming = Some(prompt),
                Typed::Left => {}
                Typed::Done => {
                    if let Err(error) = context.home.set_name(&prompt.text) {
                        self.say(format!("The name could not be saved: {error}."));
                    }
                }
            }
            return Next::Stay;
        }
        match command(key) {
            KeyCode::Up => self.move_by(false),
            KeyCode::Down | KeyCode::Tab => self.move_by(true),
            KeyCode::Left => self.action = self.action.saturating_sub(1),
            KeyCode::Right => {
                if let Entry::Game(entry) = self.entries[self.chosen] {
                    self.action = (self.action + 1).min(Self::actions_of(entry).len() - 1);
                }
            }
            KeyCode::Enter | KeyCode::Char(' ') => return self.enter(context),
            KeyCode::Char('?') => self.help = Some(0),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Quit,
            KeyCode::Char(char) => return self.shortcut(char, context),
            _ => {}
        }
        Next::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Next {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return Next::Stay;
        }
        let at = ratatui::layout::Position { x: mouse.column, y: mouse.row };
        if let Some(index) = self.rows.iter().position(|row| row.contains(at)) {
            let again = self.chosen == index;
            (self.chosen, self.action) = (index, if again { self.action } else { 0 });
            return if again { self.enter(context) } else { Next::Stay };
        }
        if let Some(index) = self.actions.iter().position(|place| place.contains(at)) {
            self.action = index;
            return self.enter(context);
        }
        Next::Stay
    }

    fn tick(&mut self, context: &mut Context) -> Next {
        if self.looked.is_none_or(|looked| looked.elapsed() > LOOK_EVERY) {
            self.looked = Some(Instant::now());
            self.reload(context);
        }
        Next::Stay
    }
}
