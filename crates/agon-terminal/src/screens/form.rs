//! The form for a new game: options, seats, clock and starting position.

use agon_core::OptionKind;
use agon_core::OptionSpec;
use agon_erased::{BotSpec, GameEntry, Rules};
use agon_match::{BoardOrder, Occupant, TimeControl};
use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;
use ratatui::layout::{Margin, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::menu::offered_bots;
use super::parts::draw_footer;
use super::play::{Mode, PlayScreen};
use super::prompt::{Prompt, Typed, command};
use crate::app::{Context, Next, Screen};
use crate::driver::{MatchDriver, NewGame, read_player, seed_from_clock};
use crate::theme::palette;

/// What the game is laid out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Play,
    Watch,
    Analyse,
    /// A person and a bot with the same luck, in a game of one.
    Race(BoardOrder),
}

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Option(usize),
    Seat(usize),
    Clock,
    Position,
    Start,
}

/// A form.
pub(super) struct FormScreen {
    entry: &'static GameEntry,
    purpose: Purpose,
    /// What each option is set to; `None` is its default.
    options: Vec<Option<String>>,
    seats: Vec<Occupant>,
    /// What people are called, where that has been said.
    names: Vec<Option<String>>,
    clock: String,
    position: String,
    chosen: usize,
    prompt: Option<Prompt>,
    fault: Option<String>,
}

impl FormScreen {
    pub(super) fn new(entry: &'static GameEntry, purpose: Purpose) -> Self {
        let mut form = Self {
            entry,
            purpose,
            options: vec![None; entry.spec.options.len()],
            seats: Vec::new(),
            names: Vec::new(),
            clock: TimeControl::PRESETS[0].to_owned(),
            position: String::new(),
            chosen: 0,
            prompt: None,
            fault: None,
        };
        form.fit_seats();
        form.chosen = form.fields().len() - 1;
        form
    }

    fn rules(&self) -> Result<std::sync::Arc<dyn Rules>, String> {
        self.entry.suggested_rules(&self.options_text()).map_err(|error| error.to_string())
    }

    fn options_text(&self) -> String {
        let set = self.entry.spec.options.iter().zip(&self.options);
        let pairs = set.filter_map(|(spec, value)| Some(format!("{}={}", spec.key, value.as_ref()?)));
        pairs.collect::<Vec<_>>().join(",")
    }

    /// Adjusts the number of seats to the options.
    fn fit_seats(&mut self) {
        match self.rules() {
            Ok(rules) => {
                self.fault = None;
                let wanted = if self.is_race() { 1 } else { rules.seats().len() };
                while self.seats.len() < wanted {
                    self.seats.push(match self.purpose {
                        Purpose::Analyse => Occupant::Person,
                        Purpose::Play if self.seats.is_empty() => Occupant::Person,
                        Purpose::Play => Occupant::Bot(BotSpec::named("easy")),
                        Purpose::Watch | Purpose::Race(_) => Occupant::Bot(BotSpec::named("medium")),
                    });
                }
                self.seats.truncate(wanted);
                self.names.resize(wanted, None);
            }
            Err(fault) => self.fault = Some(fault),
        }
    }

    /// Sets an option. Options that conflict with it return to their defaults.
    fn set_option(&mut self, index: usize, value: Option<String>) {
        self.options[index] = value;
        let others = (0..self.options.len()).filter(|other| *other != index);
        for other in others.collect::<Vec<_>>() {
            if self.rules().is_ok() {
                break;
            }
            let before = self.options[other].take();
            if self.rules().is_err() {
                self.options[other] = before;
            }
        }
        self.fit_seats();
        let field = Field::Option(index);
        self.chosen = self.fields().iter().position(|other| *other == field).unwrap_or(0);
    }

    /// Whether an option means anything with the others as they are.
    fn applies(&self, index: usize) -> bool {
        self.rules().map_or(true, |rules| option_of(&*rules, self.entry.spec.options[index].key).is_some())
    }

    fn is_race(&self) -> bool {
        matches!(self.purpose, Purpose::Race(_))
    }

    fn fields(&self) -> Vec<Field> {
        let options = (0..self.options.len()).filter(|index| self.applies(*index)).map(Field::Option);
        let seats = (0..self.seats.len()).map(Field::Seat).filter(|_| self.purpose != Purpose::Analyse);
        let mut fields: Vec<Field> = options.chain(seats).collect();
        if matches!(self.purpose, Purpose::Play | Purpose::Watch) {
            fields.push(Field::Clock);
        }
        if !self.is_race() {
            fields.push(Field::Position);
        }
        fields.push(Field::Start);
        fields
    }

    fn field(&self) -> Field {
        let fields = self.fields();
        fields[self.chosen.min(fields.len() - 1)]
    }

    /// What an option is set to. A default may depend on other options, so the rules are asked for it.
    fn option_value(&self, index: usize) -> String {
        let option = &self.entry.spec.options[index];
        let default = || self.rules().ok().and_then(|rules| option_of(&*rules, option.key));
        self.options[index].clone().or_else(default).unwrap_or_else(|| option.default.to_owned())
    }

    /// The value beside the present one.
    fn change(&mut self, forward: bool) {
        match self.field() {
            Field::Option(index) => {
                let spec = &self.entry.spec.options[index];
                if let Some(value) = neighbour(spec, &self.option_value(index), forward) {
                    self.set_option(index, Some(value));
                }
            }
            Field::Seat(index) => {
                let Ok(rules) = self.rules() else { return };
                let mut players = vec![Occupant::Person];
                players
                    .extend(offered_bots(&*rules).iter().map(|bot| Occupant::Bot(BotSpec::named(bot.name))));
                if self.is_race() || self.purpose == Purpose::Watch {
                    players.remove(0);
                }
                self.seats[index] = beside(&players, &self.seats[index], forward);
            }
            Field::Clock => {
                let names: Vec<String> = TimeControl::PRESETS.iter().map(|name| (*name).to_owned()).collect();
                self.clock = beside(&names, &self.clock, forward);
            }
            Field::Position | Field::Start => {}
        }
    }

    fn type_value(&mut self) {
        let text = match self.field() {
            Field::Option(index) => self.option_value(index),
            Field::Seat(index) => self.seat_text(index),
            Field::Clock => self.clock.clone(),
            Field::Position => self.position.clone(),
            Field::Start => return,
        };
        self.prompt = Some(Prompt::proposing(&text));
    }

    fn take(&mut self, text: &str) {
        let text = text.trim().to_owned();
        match self.field() {
            Field::Option(index) => {
                self.set_option(index, (!text.is_empty()).then_some(text));
            }
            Field::Seat(index) => match read_player(&text) {
                Ok((player, name)) => {
                    (self.seats[index], self.names[index], self.fault) = (player, name, None);
                }
                Err(error) => self.fault = Some(error.to_string()),
            },
            Field::Clock => match TimeControl::parse(&text) {
                Ok(_) => self.clock = text,
                Err(fault) => self.fault = Some(fault),
            },
            Field::Position => self.position = text,
            Field::Start => {}
        }
    }

    /// Who sits somewhere, as it is typed.
    fn seat_text(&self, index: usize) -> String {
        match (&self.seats[index], &self.names[index]) {
            (Occupant::Person, Some(name)) => format!("human:{name}"),
            (player, _) => player.to_string(),
        }
    }

    fn start(&mut self, context: &Context) -> Next {
        match self.lay(context) {
            Ok(screen) => Next::Replace(screen),
            Err(fault) => {
                self.fault = Some(fault);
                Next::Stay
            }
        }
    }

    fn lay(&self, context: &Context) -> Result<Box<dyn Screen>, String> {
        let players = if self.is_race() { vec![Occupant::Person] } else { self.seats.clone() };
        let mut new = NewGame::new(self.rules()?, players, context.home.person(), seed_from_clock())
            .with_names(&self.names)
            .with_clock(TimeControl::parse(&self.clock)?);
        if !self.position.is_empty() {
            new = new.from_position(&self.position);
        }
        if let Purpose::Race(order) = self.purpose {
            new = new.against(self.seats[0].clone(), order);
        }
        let driver = MatchDriver::start(new).map_err(|error| error.to_string())?;
        let mode = if self.purpose == Purpose::Analyse { Mode::Analyse } else { Mode::Play };
        Ok(Box::new(PlayScreen::new(driver, mode, context)))
    }

    /// Name, value and explanation of a field.
    fn describe(&self, field: Field) -> (String, String, String) {
        match field {
            Field::Option(index) => {
                let spec = self.entry.spec;
                let option = &spec.options[index];
                let help = format!("{}: {}", spec.option_help(option), option.kind.allowed());
                let value = self.option_value(index);
                (spec.option_title(option).to_owned(), spec.value_title(option, &value).to_owned(), help)
            }
            Field::Seat(index) => {
                let rules = self.rules().ok();
                let title =
                    rules.as_ref().and_then(|rules| rules.titles().get(index).cloned()).unwrap_or_default();
                let player = &self.seats[index];
                let bots = rules.map(|rules| rules.bots()).unwrap_or_default();
                let summary = match player {
                    Occupant::Person => {
                        Some("a person at this screen; press Enter to give a name, such as human:Avi")
                    }
                    Occupant::Bot(spec) => {
                        bots.iter().find(|bot| bot.name == spec.name()).map(|bot| &*bot.summary.text)
                    }
                    Occupant::Program(_) => None,
                };
                let summary =
                    summary.unwrap_or("a bot such as expert:time=2s, or gtp:CMD, ugi:CMD, jsonl:CMD");
                let title = if self.is_race() { "Rival".to_owned() } else { title };
                (title, self.seat_text(index), summary.to_owned())
            }
            Field::Clock => {
                let help = "a time per move (15s), a time per game plus an increment (5m+3s), or none";
                ("Clock".to_owned(), self.clock.clone(), help.to_owned())
            }
            Field::Position => {
                let value = if self.position.is_empty() { "the usual start" } else { &self.position };
                (
                    "Position".to_owned(),
                    value.to_owned(),
                    "Press Enter to type or paste a position in the game's notation".to_owned(),
                )
            }
            Field::Start => ("".to_owned(), "Start".to_owned(), "Press Enter to start".to_owned()),
        }
    }
}

/// What an option is set to under `rules`; `None` where it does not apply.
pub(crate) fn option_of(rules: &dyn Rules, key: &str) -> Option<String> {
    let options = rules.options();
    let mut pairs = options.split(',').filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
}

/// The next or the previous value of an option; `None` where values cannot be listed.
fn neighbour(spec: &OptionSpec, value: &str, forward: bool) -> Option<String> {
    match spec.kind {
        OptionKind::Integer { min, max, step } => {
            let value: u32 = value.parse().ok()?;
            // Large ranges are crossed in larger steps.
            let step = if max - min > 90 { step.max(10) } else { step };
            let next = if forward { value.saturating_add(step) } else { value.saturating_sub(step) };
            Some(next.clamp(min, max).to_string())
        }
        OptionKind::Choice(words) => {
            let names: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            Some(beside(&names, value, forward))
        }
        OptionKind::Text { suggestions, .. } if !suggestions.is_empty() => {
            let names: Vec<String> = suggestions.iter().map(|name| (*name).to_owned()).collect();
            Some(beside(&names, value, forward))
        }
        _ => None,
    }
}

/// The one after or before `value`, the first one if it is not among them.
fn beside<T: PartialEq<V> + Clone, V: ?Sized>(all: &[T], value: &V, forward: bool) -> T {
    let count = all.len();
    let next = match all.iter().position(|other| other == value) {
        Some(at) if forward => (at + 1) % count,
        Some(at) => (at + count - 1) % count,
        None => 0,
    };
    all[next].clone()
}

impl Screen for FormScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        let theme = context.theme;
        let area = frame.area();
        let what = match self.purpose {
            Purpose::Play => "new game",
            Purpose::Watch => "watch bots",
            Purpose::Analyse => "analysis",
            Purpose::Race(BoardOrder::Together) => "race a bot with the same luck",
            Purpose::Race(BoardOrder::InTurn) => "the computer plays first, then you",
        };
        let mut lines = vec![
            Line::styled(
                format!(" {}: {what}", self.entry.spec.title()),
                Style::new().add_modifier(Modifier::BOLD),
            ),
            Line::default(),
        ];
        let fields = self.fields();
        for (index, field) in fields.iter().enumerate() {
            let (name, value, _) = self.describe(*field);
            let is_chosen = index == self.chosen.min(fields.len() - 1);
            let style = if is_chosen { theme.chosen() } else { Style::new() };
            let arrow = if is_chosen { theme.either("▸", ">") } else { " " };
            let value = if is_chosen && *field != Field::Start && *field != Field::Position {
                format!("{} {value} {}", theme.either("◂", "<"), theme.either("▸", ">"))
            } else {
                format!(" {value} ")
            };
            lines.push(Line::from(vec![
                Span::raw(format!(" {arrow} {name:<16}")),
                Span::styled(value, style),
            ]));
        }
        lines.push(Line::default());
        let mut notes = vec![Line::styled(self.describe(self.field()).2, theme.muted())];
        notes.extend(self.fault.iter().map(|fault| Line::styled(fault.clone(), theme.text(palette::DANGER))));
        let body = Rect { height: area.height - 1, ..area };
        // A form that is too long scrolls with the chosen line.
        let skip = (self.chosen as u16 + 5).saturating_sub(body.height);
        let below = (lines.len() as u16).saturating_sub(skip).min(body.height);
        let indent = Margin::new(3, 0);
        let rest = Rect { y: body.y + below, height: body.height - below, ..body }.inner(indent);
        frame.render_widget(Paragraph::new(lines).scroll((skip, 0)), body);
        frame.render_widget(Paragraph::new(notes).wrap(Wrap { trim: false }), rest);
        let footer = Rect { y: area.bottom() - 1, height: 1, ..area };
        match &self.prompt {
            Some(prompt) => frame
                .render_widget(prompt.line(&format!("{}:", self.describe(self.field()).0), theme), footer),
            None => draw_footer(
                frame,
                footer,
                &[("Enter", "start or type"), ("up/down", "line"), ("left/right", "change"), ("Q", "back")],
                theme,
            ),
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some(mut prompt) = self.prompt.take() {
            match prompt.key(key) {
                Typed::Going => self.prompt = Some(prompt),
                Typed::Left => {}
                Typed::Done => self.take(&prompt.text),
            }
            return Next::Stay;
        }
        let count = self.fields().len();
        match command(key) {
            KeyCode::Up => self.chosen = (self.chosen + count - 1) % count,
            KeyCode::Down | KeyCode::Tab => self.chosen = (self.chosen + 1) % count,
            KeyCode::Left => self.change(false),
            KeyCode::Right => self.change(true),
            KeyCode::Enter | KeyCode::Char(' ') if self.field() == Field::Start => {
                return self.start(context);
            }
            KeyCode::Enter => self.type_value(),
            KeyCode::Char('Q') | KeyCode::Esc => return Next::Close,
            _ => {}
        }
        Next::Stay
    }

    fn paste(&mut self, text: &str, _context: &mut Context) -> Next {
        self.prompt.get_or_insert_default().paste(text);
        Next::Stay
    }
}
