//! A game on the screen: people play, bots are watched, positions are analysed.

mod actions;
mod commands;
mod keys;
mod panel;
pub(crate) mod pointing;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_core::view::{Board, Gesture, Heading, Layout, Spot, Step};
use agon_core::{Message, Player};
use agon_match::{Event, Match, Played, Refusal};
use crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;

use self::commands::Command;
use self::pointing::{Pointed, Pointer};
use super::assistant::{Assistant, Duty};
use super::parts::scrolled;
use super::prompt::Prompt;
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks, Motion};
use crate::driver::{DriveError, Driver, GameDriver, Happening};
use crate::home::Kept;
use crate::keeper::Keeper;
use crate::words;

/// How long tiles slide.
const SLIDE: Duration = Duration::from_millis(100);
/// How long people who have no move are shown that they pass, unless a key ends it.
const PASS_PAUSE: Duration = Duration::from_secs(2);
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

/// A game on the screen.
pub struct PlayScreen {
    driver: GameDriver,
    mode: Mode,
    pane: BoardPane,
    pointer: Pointer,
    prompt: Option<(Typing, Prompt)>,
    message: Option<(String, Tone)>,
    assistant: Assistant,
    show_evaluation: bool,
    show_thinking: bool,
    /// What lies over the board, and its first line that is shown.
    overlay: Option<(Overlay, u16)>,
    board: Board,
    steps: Vec<(String, Step)>,
    last: Option<Step>,
    motion: Option<(Motion, Instant)>,
    keeper: Keeper,
    /// Whether what is due at the end of a game has been done.
    is_finished: bool,
    best: Option<u64>,
    /// Where the user wants the record in the end.
    save_to: Option<PathBuf>,
    /// What has been achieved so far.
    milestone: Option<Message>,
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
    /// A game on the screen.
    pub fn new(driver: GameDriver, mode: Mode, context: &Context) -> Self {
        let is_kept = driver.has_people() && mode == Mode::Play;
        let keeper = if is_kept { Keeper::new(&driver, &context.home) } else { Keeper::default() };
        Self::with_keeper(driver, keeper, mode, context)
    }

    fn with_keeper(mut driver: GameDriver, keeper: Keeper, mode: Mode, context: &Context) -> Self {
        // What chance has brought before anybody moves is seen on the board.
        while driver.untold().is_some() {}
        let session = driver.game().session();
        let (board, steps, last) = (session.board(), session.steps(), session.last_step());
        let watched = !driver.has_people();
        driver.set_pace(actions::usual_pace(&driver, &context.home));
        driver.set_pass_pause(PASS_PAUSE);
        let mut pane = BoardPane::default();
        pane.turned = is_better_turned(driver.game(), &board);
        Self {
            pointer: Pointer::new(&board, &steps),
            assistant: Assistant::new(context.games, std::sync::Arc::clone(driver.game().rules())),
            keeper,
            best: context.home.best(driver.game().rules().spec().id),
            last,
            driver,
            mode,
            pane,
            prompt: None,
            message: None,
            show_evaluation: mode == Mode::Analyse,
            show_thinking: watched || mode == Mode::Analyse,
            overlay: None,
            milestone: board.milestone.clone(),
            board,
            steps,
            motion: None,
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

    /// Resumes an interrupted game.
    ///
    /// # Errors
    /// If it cannot be resumed.
    pub fn resume(kept: &Kept, context: &Context) -> Result<Self, DriveError> {
        let driver = GameDriver::resume(context.games, &kept.record, context.home.person())?;
        let keeper = Keeper::taking_up(&driver, kept).ok_or(DriveError::Taken)?;
        let mut screen = Self::with_keeper(driver, keeper, Mode::Play, context);
        screen.say("The game goes on where it was left.");
        Ok(screen)
    }

    /// The game.
    pub fn game(&self) -> &Match {
        self.driver.game()
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
        self.board.layout == Layout::Tiles
    }

    fn is_watched(&self) -> bool {
        !self.driver.has_people()
    }

    /// Says it once when something has been achieved for good.
    fn celebrate(&mut self) {
        let is_new = std::mem::replace(&mut self.milestone, self.board.milestone.clone()).is_none();
        if let Some(milestone) = self.board.milestone.clone().filter(|_| is_new && !self.driver.is_over()) {
            self.say(milestone.text);
        }
    }

    /// Looks at the game again after something has changed.
    fn refresh(&mut self) {
        let session = self.driver.game().session();
        self.board = session.board();
        self.steps = if self.driver.person_to_move().is_some() { session.steps() } else { Vec::new() };
        self.last = session.last_step();
        self.assistant.follow(session.len());
        self.pointer.clear();
        self.back = 0;
    }

    fn play(&mut self, token: &str) {
        match self.driver.play(token) {
            Ok(()) => self.go_on(),
            Err(refusal) => self.refuse(reason(&refusal)),
        }
    }

    /// The person has moved: what was taken back before is gone.
    fn go_on(&mut self) {
        self.undone.clear();
        self.catch_up();
    }

    /// Handles at once what a person's action has caused, so that a quick player's next key finds the game ready.
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
        if fast || !self.slides() {
            return;
        }
        if let Some(step) = self.driver.told().last_step().filter(|step| step.heading.is_some()) {
            self.motion = Some((Motion { before: self.board.clone(), step, share: 0.0 }, Instant::now()));
        }
    }

    /// Writes the game down as it stands, so that nothing is lost whatever happens.
    fn keep(&mut self) {
        if let Err(error) = self.keeper.keep(&self.driver) {
            // Told once; the game itself goes on.
            self.refuse(format!("The game could not be saved: {error}."));
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
        let mut text = words::result_text(self.game());
        let lines =
            [("Final count of ", words::counts_text(self.game())), ("", words::ranking_text(self.game()))];
        for (what, line) in lines.iter().filter(|(_, line)| !line.is_empty()) {
            text += &format!(" {what}{line}.");
        }
        self.verdict = Some(text);
    }

    fn note_score(&mut self, context: &mut Context) {
        // A bot's score, or one that was tried out, is not the user's.
        let is_own = self.driver.has_people() && self.mode == Mode::Play;
        if let Some(standing) = self.game().standing().filter(|_| is_own) {
            // A score that cannot be written is still shown.
            let _ = context.home.note_score(self.game().rules().spec().id, standing.score);
        }
    }

    fn hear(&mut self, event: &Event) {
        match event {
            Event::Played(Played { seat: Some(seat), .. }) => {
                self.message = None;
                self.start_motion();
                self.refresh();
                if self.game().seats()[seat.index()].is_person() {
                    self.celebrate();
                }
                if self.driver.told().last_step().is_some_and(|step| step.is_pass()) {
                    self.tell_pass(*seat);
                }
            }
            Event::TakenBack { .. } => {
                (self.is_finished, self.verdict, self.motion) = (false, None, None);
                self.refresh();
                self.say("Taken back.");
            }
            Event::Forfeited { seat, reason, detail, .. } => {
                self.refresh();
                self.say(words::leaving_text(self.game(), *seat, *reason, detail));
            }
            Event::SeatChanged { by, .. } => {
                self.refresh();
                if by.is_person() {
                    self.say("The seat is yours.");
                }
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

    fn tell_failure(&mut self, seat: Player) {
        let name = words::seat_text(self.game(), seat);
        let reason = self.driver.failure().map_or("", |(_, reason)| reason).to_owned();
        self.prompt = None;
        self.refuse(format!(
            "{name} has failed: {reason}. Nothing is lost: Y tries again, O takes its seat over, Q leaves."
        ));
    }

    fn act(&mut self, pointed: Pointed) {
        match pointed {
            Pointed::Chosen => self.message = None,
            Pointed::Move(token) => self.play(&token),
            Pointed::Refused(gesture) => self.explain(gesture),
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
            self.pointer.arrow(heading, &self.board, self.pane.turned);
            return;
        }
        if self.mover().is_none() {
            return;
        }
        let token =
            self.steps.iter().find(|(_, step)| step.heading == Some(heading)).map(|(token, _)| token.clone());
        match token {
            Some(token) => self.play(&token),
            None => self.explain(Gesture::Slide { heading }),
        }
    }

    /// Says why a gesture makes no move.
    fn explain(&mut self, gesture: Gesture) {
        if let Some(reason) = self.game().session().why_not(gesture) {
            self.refuse(reason.text);
        }
    }
}

/// Why something was refused, without what was asked for.
fn reason(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Illegal(error) => error.reason.clone(),
        other => other.to_string(),
    }
}

/// Whether the board is better seen from the other side: where homes are and the only person's is at the top.
fn is_better_turned(game: &Match, board: &Board) -> bool {
    let mut people = game.seats().iter().enumerate().filter(|(_, seat)| seat.is_person());
    let (Some((person, _)), None) = (people.next(), people.next()) else { return false };
    let own =
        board.cells.iter().filter(|cell| cell.piece.is_some_and(|piece| piece.owner == Player(person as u8)));
    let rows: Vec<usize> = own.map(|cell| usize::from(cell.spot.row)).collect();
    let sum: usize = rows.iter().sum();
    board.layout == Layout::Star && 2 * sum < rows.len() * (board.rows.len() - 1)
}

impl Screen for PlayScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        self.draw_screen(frame, context.home.person(), context.theme);
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some((overlay, top)) = self.overlay {
            self.overlay = scrolled(top, key.code).map(|top| (overlay, top));
            if let (Overlay::Plans, KeyCode::Char(digit)) = (overlay, key.code) {
                self.take_plan(digit, context);
            }
            return Next::Stay;
        }
        if self.driver.awaits_pass() && matches!(key.code, KeyCode::Enter | KeyCode::Char(' ')) {
            self.driver.pass();
            self.catch_up();
            return Next::Stay;
        }
        let armed = self.armed;
        // Input ends what moves.
        let next = self.typed(key, context).unwrap_or_else(|| {
            self.motion = None;
            self.key_at_board(key, context)
        });
        if self.armed == armed {
            self.armed = None;
        }
        next
    }

    fn paste(&mut self, text: &str, _context: &mut Context) -> Next {
        let (_, prompt) = self.prompt.get_or_insert_with(|| (Typing::Move, Prompt::default()));
        prompt.paste(text);
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
        let Some(spot) = self.pane.hit(mouse.column, mouse.row) else { return Next::Stay };
        let dragged = self.pointer.selected.is_some_and(|from| from != spot);
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
            self.pointer.point(spot, &self.board, &self.steps, mover)
        };
        self.act(pointed);
        Next::Stay
    }

    fn tick(&mut self, context: &mut Context) -> Next {
        if let Some((motion, began)) = &mut self.motion {
            motion.share = began.elapsed().as_secs_f32() / SLIDE.as_secs_f32();
            if motion.share >= 1.0 {
                self.motion = None;
            }
        }
        // A few events at a time, so that keys are heard while fast bots play.
        for _ in 0..8 {
            match self.driver.advance(Duration::ZERO) {
                None => break,
                Some(Happening::Thought) => {}
                Some(Happening::Failed(seat)) => self.tell_failure(seat),
                Some(Happening::Event(event)) => {
                    self.hear(&event);
                    if matches!(event, Event::Played(_)) && !self.slides() {
                        break;
                    }
                }
            }
        }
        if self.driver.is_over() {
            self.finish(context);
        }
        let duty = match (self.driver.is_over(), self.show_evaluation) {
            (true, _) if self.driver.has_people() && self.mode == Mode::Play => Duty::All,
            (_, true) => Duty::Present,
            _ => Duty::None,
        };
        let had_hint = self.assistant.hint.is_some();
        self.assistant.tick(self.driver.game().session(), duty);
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
        if self.motion.is_some() { Duration::from_millis(16) } else { Duration::from_millis(40) }
    }

    fn leave(&mut self, context: &mut Context) {
        self.note_score(context);
        if !self.driver.is_over() {
            self.keep();
            if self.keeper.is_kept() {
                context.notes.push("The game is kept: agon resume continues it.".to_owned());
            } else if self.mode == Mode::Play && !self.is_watched() && self.game().moves_made() > 0 {
                context.notes.push("The game is not kept: there is no place on disk for it.".to_owned());
            }
        }
        if let Some(path) = self.save_to.clone() {
            context.notes.push(match self.marked_record().save(&path) {
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
            selected: self.pointer.selected,
            targets: if person { self.pointer.targets(&self.steps) } else { Vec::new() },
            last: self.last.clone(),
            hint: self.assistant.hint.as_ref().map(|hint| hint.step.clone()),
            block: self.pointer.block,
            threats: self.board.threats.iter().map(|threat| threat.at).collect(),
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
