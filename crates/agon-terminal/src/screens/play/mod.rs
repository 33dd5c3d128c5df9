//! A match on the screen: people play, bots are watched, positions are analysed, people and bots race.

mod actions;
mod commands;
mod keys;
mod panel;
pub(crate) mod pointing;
mod race;
mod view;

use std::path::PathBuf;
use std::time::Duration;

use agon_core::Player;
use agon_core::view::{Gesture, Heading, Layout, Milestone, Spot, Step};
use agon_files::save_record;
use agon_match::{Board, Event, LogEvent, MoveRequest, Played, Refusal};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;

use self::commands::Command;
use self::pointing::{Pointed, Pointer};
use self::view::BoardView;
use super::assistant::{Assistant, Duty};
use super::parts::scrolled;
use super::prompt::Prompt;
use crate::app::{Context, Next, Screen};
use crate::board::Marks;
use crate::driver::{DriveError, Failure, Happening, MatchDriver};
use crate::home::Kept;
use crate::keeper::Keeper;
use crate::words;

/// Above this pace tiles do not slide: one would see nothing else.
const SLIDING_PACE: Duration = Duration::from_millis(125);

/// What a game is on the screen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// To be played or watched.
    Play,
    /// To be studied: all sides are the user's, and a bot says what it thinks.
    Analyse,
}

/// How a message is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tone {
    Plain,
    Wrong,
}

enum Typing {
    Move,
    File,
}

/// What lies over the board until a key is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overlay {
    Help,
    Moves,
    /// Who could play instead.
    Plans,
}

/// A match on the screen: one board with all that is known about it beside it, or the boards of a race.
pub struct PlayScreen {
    driver: MatchDriver,
    mode: Mode,
    /// The people's own board.
    view: BoardView,
    /// The other boards of a race, by their indexes.
    rivals: Vec<(usize, BoardView)>,
    pointer: Pointer,
    prompt: Option<(Typing, Prompt)>,
    message: Option<(String, Tone)>,
    assistant: Assistant,
    show_evaluation: bool,
    show_thinking: bool,
    /// What lies over the board, and its first line that is shown.
    overlay: Option<(Overlay, u16)>,
    steps: Vec<(String, Step)>,
    keeper: Keeper,
    /// Whether what is due at the end of a game has been done.
    is_finished: bool,
    best: Option<u64>,
    /// Where the user wants the record in the end.
    save_to: Option<PathBuf>,
    /// What has been achieved so far.
    milestone: Option<Milestone>,
    /// How the game has ended.
    verdict: Option<String>,
    /// How many lines the list of moves is scrolled back.
    back: u16,
    /// A command that is carried out only if it is given twice in a row: once may be a mistake.
    armed: Option<Command>,
    /// Moves that were taken back on the analysis board, the last first.
    undone: Vec<Vec<String>>,
}

impl PlayScreen {
    /// A match on the screen.
    pub fn new(driver: MatchDriver, mode: Mode, context: &Context) -> Self {
        let is_kept = driver.has_people() && mode == Mode::Play;
        let keeper = if is_kept { Keeper::new(&driver, &context.home) } else { Keeper::default() };
        Self::with_keeper(driver, keeper, mode, context)
    }

    fn with_keeper(mut driver: MatchDriver, keeper: Keeper, mode: Mode, context: &Context) -> Self {
        // What chance has brought before anybody moves is seen on the board.
        while driver.untold().is_some() {}
        driver.set_pace(actions::usual_pace(&driver, &context.home));
        let watched = !driver.has_people();
        let board = driver.board();
        let steps = board.session().steps();
        let mut view = BoardView::of(board.session());
        view.pane.turned = is_better_turned(board, &view.shown);
        let rival = |index: usize| (index, BoardView::of(driver.game().boards()[index].session()));
        Self {
            pointer: Pointer::new(&view.shown, &steps),
            assistant: Assistant::new(context.games, std::sync::Arc::clone(board.rules())),
            keeper,
            best: context.home.best(board.rules().spec().id),
            milestone: view.shown.milestone.clone(),
            rivals: driver.rivals().map(rival).collect(),
            driver,
            mode,
            view,
            prompt: None,
            message: None,
            show_evaluation: mode == Mode::Analyse,
            show_thinking: watched || mode == Mode::Analyse,
            overlay: None,
            steps,
            is_finished: false,
            save_to: None,
            verdict: None,
            back: 0,
            armed: None,
            undone: Vec::new(),
        }
    }

    /// The same game, whose record is written to a file when it is left.
    #[must_use]
    pub fn saved_to(mut self, path: Option<PathBuf>) -> Self {
        self.save_to = path;
        self
    }

    /// The same game at another pace.
    #[must_use]
    pub fn at_pace(mut self, pace: Duration) -> Self {
        self.driver.set_pace(pace);
        self
    }

    /// Resumes an interrupted match.
    ///
    /// # Errors
    /// If it cannot be resumed.
    pub fn resume(kept: &Kept, context: &Context) -> Result<Self, DriveError> {
        let driver = MatchDriver::resume(context.games, &kept.record, context.home.person())?;
        let keeper = Keeper::taking_up(&driver, kept).ok_or(DriveError::Taken)?;
        let mut screen = Self::with_keeper(driver, keeper, Mode::Play, context);
        screen.say(format!("The {} goes on where it was left.", screen.noun()));
        Ok(screen)
    }

    /// The board that people play on, or that is watched.
    pub fn board(&self) -> &Board {
        self.driver.board()
    }

    /// What is being played.
    fn noun(&self) -> &'static str {
        if self.driver.game().is_race() { "race" } else { "game" }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Tone::Plain));
    }

    fn refuse(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Tone::Wrong));
    }

    /// Whether a legal move turns a block.
    fn can_turn_blocks(&self) -> bool {
        self.steps.iter().any(|(_, step)| step.block().is_some())
    }

    /// Whether the whole board slides in this game.
    fn slides(&self) -> bool {
        self.view.shown.layout == Layout::Tiles
    }

    fn is_watched(&self) -> bool {
        !self.driver.has_people()
    }

    /// Says it once when something has been achieved for good.
    fn celebrate(&mut self) {
        let before = std::mem::replace(&mut self.milestone, self.view.shown.milestone.clone());
        let Some(milestone) = self.milestone.clone().filter(|_| !self.driver.is_over()) else { return };
        let board = self.driver.board();
        if board.seats()[0].is_person() {
            if before.is_none() {
                self.say(milestone.text.text);
            }
        } else if milestone.counts_for_bots && !before.is_some_and(|known| known.counts_for_bots) {
            let name = board.player_name(Player(0));
            self.say(format!("{name} has reached {}.", milestone.what.text));
        }
    }

    /// Looks at the game again after something has changed.
    fn refresh(&mut self) {
        let session = self.driver.board().session();
        self.view.refresh(session);
        self.steps = if self.driver.person_to_move().is_some() { session.steps() } else { Vec::new() };
        self.assistant.follow(session.len());
        self.pointer.clear();
        self.back = 0;
    }

    fn play(&mut self, request: MoveRequest) {
        match self.driver.request(request) {
            Ok(()) => self.go_on(),
            Err(refusal) => self.refuse(reason(&refusal)),
        }
    }

    /// The person has moved: what was taken back before is gone.
    fn go_on(&mut self) {
        self.undone.clear();
        self.catch_up();
    }

    /// Handles at once what a person's action has caused, so that a quick player's next key finds the game
    /// ready.
    fn catch_up(&mut self) {
        self.prompt = None;
        while let Some(event) = self.driver.untold() {
            self.hear(&event);
        }
    }

    fn play_typed(&mut self, text: &str) {
        match self.driver.play_typed(text.trim()) {
            Ok(()) => self.go_on(),
            Err(refusal) => {
                let quoted = agon_core::text::quote(text.trim());
                let reason = reason(&refusal);
                self.refuse(format!("The input {quoted} is invalid: {}.", reason.trim_end_matches('.')));
            }
        }
    }

    /// Lets the board slide where the last event that was told slides it.
    fn start_motion(&mut self) {
        let fast = self.is_watched() && self.driver.pace() < SLIDING_PACE;
        if !fast {
            self.view.start_motion(&*self.driver.told(self.driver.own()));
        }
    }

    /// Writes the game down as it stands, so that nothing is lost whatever happens.
    fn keep(&mut self) {
        if let Err(error) = self.keeper.keep(&self.driver) {
            // Told once; the game itself goes on.
            self.refuse(format!("The {} could not be saved: {error}.", self.noun()));
        }
    }

    /// What is to be done once when a game is over.
    fn finish(&mut self, context: &mut Context) {
        if self.mode == Mode::Analyse || std::mem::replace(&mut self.is_finished, true) {
            return;
        }
        self.prompt = None;
        self.note_score(context);
        self.keeper.shelve(&self.driver, &context.home);
        let mut text = words::result_text(self.board());
        let lines =
            [("Final count of ", words::counts_text(self.board())), ("", words::ranking_text(self.board()))];
        for (what, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
            text += &format!(" {what}{line}.");
        }
        self.verdict = Some(text);
    }

    fn note_score(&mut self, context: &mut Context) {
        // A bot's score, or one that was tried out, is not the user's.
        let is_own = self.driver.has_people() && self.mode == Mode::Play;
        if let Some(standing) = self.board().standing().filter(|_| is_own) {
            // A score that cannot be written is still shown.
            let _ = context.home.note_score(self.board().rules().spec().id, standing.score);
        }
    }

    /// Shows what has happened.
    fn hear(&mut self, event: &LogEvent) {
        if event.board != self.driver.own() {
            return self.hear_rival(event);
        }
        match &event.event {
            Event::Played(Played { seat: Some(seat), .. }) => {
                self.message = None;
                self.start_motion();
                self.refresh();
                if self.board().seats()[seat.index()].is_person() {
                    self.celebrate();
                }
                if self.driver.told(self.driver.own()).last_step().is_some_and(|step| step.is_pass()) {
                    self.tell_pass(*seat);
                }
            }
            Event::TakenBack { .. } => {
                (self.is_finished, self.verdict, self.view.motion) = (false, None, None);
                self.refresh();
                self.say("Taken back.");
            }
            Event::Forfeited { seat, reason, detail, .. } => {
                self.refresh();
                self.say(words::leaving_text(self.board(), *seat, *reason, detail));
            }
            Event::SeatChanged { by, .. } => {
                self.refresh();
                if by.is_person() {
                    self.say("The seat is yours.");
                }
            }
            // The person's turn to play a race has come.
            Event::Resumed { .. } if self.driver.game().is_race() => {
                self.message = None;
                self.refresh();
            }
            Event::Paused { .. } | Event::Resumed { .. } => {}
            _ => self.refresh(),
        }
        self.keep();
    }

    fn tell_pass(&mut self, seat: Player) {
        let mut text = self.pass_text(seat);
        if let Some(next) = self.driver.person_to_move() {
            text += &format!(" {}", self.invitation(next));
        }
        self.say(text);
    }

    /// Says that a bot on the own board has failed; one of a race is spoken of as long as it does not go on.
    fn tell_failure(&mut self) {
        let failure = self.driver.failure().filter(|failure| failure.board == self.driver.own());
        let Some(Failure { seat, reason, .. }) = failure else { return };
        let name = words::seat_text(self.board(), seat);
        let text = format!(
            "{name} has failed: {reason}. Nothing is lost: Y tries again, O takes its seat over, Q leaves."
        );
        self.prompt = None;
        self.refuse(text);
    }

    fn act(&mut self, pointed: Pointed) {
        match pointed {
            Pointed::Chosen => self.message = None,
            Pointed::Move(token) => self.play(MoveRequest::Token(token)),
            Pointed::Several(tokens) => {
                self.say(format!("Which one: {}?", tokens.join(", ")));
                self.prompt = Some((Typing::Move, Prompt::with(common_beginning(&tokens))));
            }
            // Should the game take it for a move nevertheless, it is one; otherwise the game knows why it is not.
            Pointed::Elsewhere(gesture) => self.play(MoveRequest::Gesture(gesture)),
            Pointed::Stuck => self.refuse("This piece cannot move."),
        }
    }

    /// The player for whom the user points, or why nobody can.
    fn mover(&mut self) -> Option<Player> {
        let mover = self.driver.person_to_move();
        if mover.is_none() {
            let text = if self.driver.is_over() { "The game is over." } else { "Not your turn." };
            self.refuse(text);
        }
        mover
    }

    fn arrow(&mut self, heading: Heading) {
        if !self.slides() {
            self.pointer.arrow(heading, &self.view.shown, self.view.pane.turned);
            return;
        }
        if self.mover().is_none() {
            return;
        }
        self.play(MoveRequest::Gesture(Gesture::Slide { heading }));
    }
}

/// What all of these begin with.
fn common_beginning<T: AsRef<str>>(tokens: &[T]) -> &str {
    let Some((first, others)) = tokens.split_first() else { return "" };
    others.iter().fold(first.as_ref(), |common, token| {
        let pairs = common.chars().zip(token.as_ref().chars());
        let shared = pairs.take_while(|(one, other)| one == other);
        &common[..shared.map(|(one, _)| one.len_utf8()).sum()]
    })
}

/// Why something was refused, without what was asked for.
fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Illegal(error) => error.reason.clone(),
        other => other.to_string(),
    }
}

/// Whether the board is better seen from the other side: where homes are and the only person's is at the top.
fn is_better_turned(board: &Board, shown: &agon_core::view::Board) -> bool {
    let mut people = board.seats().iter().enumerate().filter(|(_, seat)| seat.is_person());
    let (Some((person, _)), None) = (people.next(), people.next()) else { return false };
    let own =
        shown.cells.iter().filter(|cell| cell.piece.is_some_and(|piece| piece.owner == Player(person as u8)));
    let rows: Vec<usize> = own.map(|cell| usize::from(cell.spot.row)).collect();
    let sum: usize = rows.iter().sum();
    shown.layout == Layout::Star && 2 * sum < rows.len() * (shown.rows.len() - 1)
}

impl Screen for PlayScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        if self.driver.game().is_race() {
            self.draw_race(frame, context.theme);
        } else {
            self.draw_screen(frame, context.home.person(), context.theme);
        }
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some((overlay, top)) = self.overlay {
            self.overlay = scrolled(top, key.code).map(|top| (overlay, top));
            if let (Overlay::Plans, KeyCode::Char(digit)) = (overlay, key.code) {
                self.take_plan(digit, context);
            }
            return Next::Stay;
        }
        if self.driver.game().is_race() {
            return self.key_in_race(key, context);
        }
        if self.driver.awaits_pass() && matches!(key.code, KeyCode::Enter | KeyCode::Char(' ')) {
            self.driver.pass();
            self.catch_up();
            return Next::Stay;
        }
        let armed = self.armed;
        // Input ends what moves.
        let next = self.typed(key, context).unwrap_or_else(|| {
            self.view.motion = None;
            self.key_at_board(key, context)
        });
        if self.armed == armed {
            self.armed = None;
        }
        next
    }

    fn paste(&mut self, text: &str, _context: &mut Context) -> Next {
        if !self.driver.game().is_race() {
            let (_, prompt) = self.prompt.get_or_insert_with(|| (Typing::Move, Prompt::default()));
            prompt.paste(text);
        }
        Next::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, _context: &mut Context) -> Next {
        if self.slides() || self.overlay.is_some() {
            return Next::Stay;
        }
        match mouse.kind {
            // A board that is too large is scrolled by its cursor.
            MouseEventKind::ScrollUp => self.arrow(Heading::Up),
            MouseEventKind::ScrollDown => self.arrow(Heading::Down),
            MouseEventKind::ScrollLeft => self.arrow(Heading::Left),
            MouseEventKind::ScrollRight => self.arrow(Heading::Right),
            _ => {}
        }
        let Some(spot) = self.view.pane.hit(mouse.column, mouse.row) else { return Next::Stay };
        let dragged = self.pointer.selected().is_some_and(|from| from != spot);
        let right = match mouse.kind {
            MouseEventKind::Down(button) => button == MouseButton::Right,
            // A piece that was dragged is let go.
            MouseEventKind::Up(MouseButton::Left) if dragged => false,
            _ => return Next::Stay,
        };
        if right && !self.can_turn_blocks() {
            return Next::Stay;
        }
        let Some(mover) = self.mover() else { return Next::Stay };
        let pointed = if right {
            self.pointer.point_block(spot, &self.steps)
        } else {
            self.pointer.point(spot, &self.view.shown, &self.steps, mover)
        };
        self.act(pointed);
        Next::Stay
    }

    fn tick(&mut self, context: &mut Context) -> Next {
        for view in std::iter::once(&mut self.view).chain(self.rivals.iter_mut().map(|(_, view)| view)) {
            view.tick();
        }
        // A few events at a time, so that keys are heard while fast bots play; many where nobody waits to see
        // them.
        for _ in 0..if self.driver.is_hurried() { 200 } else { 8 } {
            match self.driver.advance(Duration::ZERO) {
                None => break,
                Some(Happening::Thought) => {}
                Some(Happening::Failed) => self.tell_failure(),
                Some(Happening::Event(event)) => {
                    self.hear(&event);
                    if matches!(event.event, Event::Played(_)) && !self.slides() {
                        break;
                    }
                }
            }
        }
        if self.driver.is_over() {
            self.finish(context);
        }
        let duty = match (self.driver.is_over(), self.show_evaluation) {
            _ if self.driver.game().is_race() => Duty::None,
            (true, _) if self.driver.has_people() && self.mode == Mode::Play => Duty::All,
            (_, true) => Duty::Present,
            _ => Duty::None,
        };
        let had_hint = self.assistant.hint.is_some();
        self.assistant.tick(self.driver.board().session(), duty);
        if let Some(hint) = self.assistant.hint.clone().filter(|_| !had_hint) {
            let thought = words::thought_text(&hint.thought, self.assistant.scores());
            self.say(format!("Hint: {} ({thought})", hint.token));
        }
        if let Some(reason) = self.assistant.failure.clone().filter(|_| self.assistant.is_searching()) {
            self.refuse(format!("No hint: {reason}."));
        }
        Next::Stay
    }

    fn patience(&self) -> Duration {
        // In a race bots may move at any moment.
        let is_race = self.driver.game().is_race() && !self.driver.is_over();
        Duration::from_millis(if is_race || self.view.motion.is_some() { 16 } else { 40 })
    }

    fn leave(&mut self, context: &mut Context) {
        self.note_score(context);
        if self.board().end().is_none() {
            self.keep();
            if self.keeper.is_kept() {
                context.notes.push(format!("The {} is kept: agon resume continues it.", self.noun()));
            } else if self.mode == Mode::Play && !self.is_watched() && self.board().moves_made() > 0 {
                let note = format!("The {} is not kept: there is no place on disk for it.", self.noun());
                context.notes.push(note);
            }
        }
        if let Some(path) = self.save_to.clone() {
            context.notes.push(match save_record(&self.marked_record(), &path) {
                Ok(()) => format!("Saved to {}.", path.display()),
                Err(error) => format!("The record could not be written to {}: {error}.", path.display()),
            });
        }
    }
}

impl PlayScreen {
    fn marks(&self) -> Marks {
        let person = self.driver.person_to_move().is_some();
        let mut marks = Marks {
            cursor: (person && !self.slides()).then_some(self.pointer.cursor),
            selected: self.pointer.selected(),
            targets: if person { self.pointer.targets(&self.steps) } else { Vec::new() },
            last: self.view.last.clone(),
            hint: self.assistant.hint.as_ref().map(|hint| hint.step.clone()),
            block: self.pointer.block,
            threats: self.view.shown.threats.iter().map(|threat| threat.at).collect(),
        };
        // What is being typed is seen on the board as if it were pointed at.
        if let Some(matching) = self.matching().filter(|matching| !matching.is_empty()) {
            let steps = || matching.iter().map(|&index| &self.steps[index].1);
            let shared = |of: fn(&Step) -> Option<Spot>| {
                let first = steps().next().and_then(of);
                first.filter(|_| steps().all(|step| of(step) == first))
            };
            marks.cursor = None;
            marks.selected = shared(|step| step.from);
            marks.block = shared(Step::block);
            marks.targets = steps().filter_map(|step| step.to).collect();
        }
        marks
    }
}
