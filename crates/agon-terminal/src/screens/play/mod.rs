//! A game on the screen: people play, bots are watched, positions are analysed.

mod commands;
mod keys;
mod panel;
pub(crate) mod pointing;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_core::view::{Board, Gesture, Heading, Layout, Spot, Step};
use agon_core::{Message, Player, Turn};
use crossterm::event::{KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Frame;

use self::pointing::{Pointed, Pointer};
use super::assistant::{Assistant, Duty};
use super::parts::scrolled;
use super::prompt::Prompt;
use crate::app::{Context, Next, Screen};
use crate::board::{BoardPane, Marks, Motion};
use crate::home::{Kept, Place};
use crate::table::{Event, SetupError, Table, moves_made};
use crate::words;

/// How long tiles slide.
const SLIDE: Duration = Duration::from_millis(100);
/// The paces at which bots can be watched, the fastest first.
const PACES: [Duration; 7] = [
    Duration::ZERO,
    Duration::from_millis(100),
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(5),
];
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
}

/// A game on the screen.
pub struct PlayScreen {
    table: Table,
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
    /// Where the game is kept while it is not finished, and how many plies of it are.
    place: Option<Place>,
    kept: usize,
    is_kept: bool,
    shelved: bool,
    best: Option<u64>,
    pace: usize,
    /// Where the user wants the record in the end.
    save_to: Option<PathBuf>,
    /// What has been achieved so far.
    milestone: Option<Message>,
    /// How the game has ended.
    verdict: Option<String>,
    /// How many lines the list of moves is scrolled back.
    back: u16,
    /// How often in a row the key was pressed that gives up: once may be a mistake.
    resign_keys: u8,
}

impl PlayScreen {
    /// A game on the screen.
    pub fn new(table: Table, mode: Mode, context: &Context) -> Self {
        let mut table = table;
        table.draw_all();
        let (board, steps) = (table.session().board(), table.session().steps());
        let game = table.rules().spec().id;
        let watched = !table.has_people();
        // Fast enough to be interesting, slow enough to be seen; tiles come faster than pieces.
        let pace = match (watched, board.layout) {
            (false, _) => 0,
            (true, Layout::Tiles) => 2,
            (true, _) => 3,
        };
        table.pace = PACES[pace];
        let mut pane = BoardPane::default();
        pane.turned = is_better_turned(&table, &board);
        Self {
            pointer: Pointer::new(&board, &steps),
            assistant: Assistant::new(std::sync::Arc::clone(table.rules())),
            place: (!watched && mode == Mode::Play).then(|| context.home.place(game, table.seed())).flatten(),
            kept: table.session().history().len(),
            is_kept: false,
            best: context.home.best(game),
            last: table.session().last_step(),
            table,
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
            shelved: false,
            pace,
            save_to: None,
            verdict: None,
            back: 0,
            resign_keys: 0,
        }
    }

    /// The same game, whose record is written to a file when it is left.
    #[must_use]
    pub fn saved_to(mut self, path: Option<PathBuf>) -> Self {
        self.save_to = path;
        self
    }

    /// The same game at another pace, the nearest that there is.
    #[must_use]
    pub fn at_pace(mut self, pace: Duration) -> Self {
        self.pace = (0..PACES.len()).min_by_key(|&index| PACES[index].abs_diff(pace)).unwrap_or(0);
        self.table.pace = pace;
        self
    }

    /// Takes up a game that was interrupted and is kept in `file`.
    ///
    /// # Errors
    /// If it cannot be taken up.
    pub fn resume(kept: &Kept, context: &Context) -> Result<Self, SetupError> {
        let table = Table::resume(&kept.record, context.home.person())?;
        let place = kept.take().ok_or(SetupError::Taken)?;
        let mut screen = Self::new(table, Mode::Play, context);
        (screen.place, screen.is_kept) = (Some(place), true);
        screen.say("The game goes on where it was left.");
        Ok(screen)
    }

    /// The game.
    pub fn table(&self) -> &Table {
        &self.table
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Tone::Plain));
    }

    fn refuse(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Tone::Wrong));
    }

    /// Whether the whole board slides in this game.
    fn slides(&self) -> bool {
        self.board.layout == Layout::Tiles
    }

    fn is_watched(&self) -> bool {
        !self.table.has_people()
    }

    /// Says it once when something has been achieved for good.
    fn celebrate(&mut self) {
        let is_new = std::mem::replace(&mut self.milestone, self.board.milestone.clone()).is_none();
        if let Some(milestone) = self.board.milestone.clone().filter(|_| is_new && !self.table.is_over()) {
            self.say(milestone.text);
        }
    }

    /// Looks at the game anew after something has changed.
    fn refresh(&mut self) {
        self.board = self.table.session().board();
        self.steps =
            if self.table.person_to_move().is_some() { self.table.session().steps() } else { Vec::new() };
        self.last = self.table.session().last_step();
        self.pointer.clear();
        self.back = 0;
        self.assistant.follow(self.table.session().history().len());
    }

    fn play(&mut self, token: &str) {
        let before = self.board.clone();
        match self.table.play(token) {
            Ok(()) => self.moved(before),
            Err(error) => self.refuse(error.reason),
        }
    }

    /// A person has moved.
    fn moved(&mut self, before: Board) {
        (self.message, self.prompt) = (None, None);
        self.start_motion(before);
        self.table.draw_all();
        self.refresh();
        self.celebrate();
        self.keep();
    }

    fn play_typed(&mut self, text: &str) {
        let before = self.board.clone();
        match self.table.play_typed(text.trim()) {
            Ok(()) => self.moved(before),
            Err(error) => {
                let quoted = agon_core::text::quote(text.trim());
                let reason = error.reason.trim_end_matches('.');
                self.refuse(format!("The input {quoted} is invalid: {reason}."));
            }
        }
    }

    fn start_motion(&mut self, before: Board) {
        let fast = self.is_watched() && self.table.pace < SLIDING_PACE;
        let step = self.table.session().last_step().filter(|step| step.heading.is_some() && !fast);
        if let Some(step) = step {
            self.motion = Some((Motion { before, step, share: 0.0 }, Instant::now()));
        }
    }

    /// Writes the game down as it stands, so that nothing is lost whatever happens.
    fn keep(&mut self) {
        let plies = self.table.session().history().len();
        let is_due = plies != self.kept && !self.table.is_over();
        let Some(place) = self.place.as_mut().filter(|_| is_due) else { return };
        self.is_kept = plies > 0;
        if plies == 0 {
            place.forget();
        } else if let Err(error) = place.keep(&self.table.record()) {
            // Told once; the game itself goes on.
            (self.place, self.is_kept) = (None, false);
            self.refuse(format!("The game cannot be kept on disk: {error}."));
        }
        self.kept = plies;
    }

    /// What is to be done once when a game is over.
    fn finish(&mut self, context: &mut Context) {
        if self.shelved || self.mode == Mode::Analyse {
            return;
        }
        self.shelved = true;
        self.prompt = None;
        if let Some(place) = &mut self.place {
            place.forget();
            // Should the end be taken back, the game is written down again as it stands.
            (self.kept, self.is_kept) = (usize::MAX, false);
        }
        if self.table.has_people() {
            self.note_score(context);
            // A shelf that is full or not there is no reason to disturb a winner.
            let _ = context.home.shelve(&self.table.record());
        }
        let mut text = words::result_text(&self.table);
        let (rules, session) = (&**self.table.rules(), self.table.session());
        for (what, line) in [
            ("Final count of ", words::counts_text(rules, session)),
            ("", words::ranking_text(rules, session)),
        ] {
            if !line.is_empty() {
                text += &format!(" {what}{line}.");
            }
        }
        self.verdict = Some(text);
    }

    fn note_score(&mut self, context: &mut Context) {
        // A bot's score, or one that was tried out, is not the user's.
        let is_own = self.table.has_people() && self.mode == Mode::Play;
        if let Some(standing) = self.table.session().standing().filter(|_| is_own) {
            // A score that cannot be written is still shown.
            let _ = context.home.note_score(self.table.rules().spec().id, standing.score);
        }
    }

    fn hear(&mut self, event: &Event, before: Board) {
        match event {
            Event::Played { mover, is_pass, .. } => {
                if matches!(mover, Turn::Player(_)) {
                    self.message = None;
                    self.start_motion(before);
                }
                self.refresh();
                self.keep();
                if *is_pass && let Turn::Player(player) = mover {
                    let name = words::seat_text(&self.table, *player);
                    let mut text = format!("{name} has no move and passes.");
                    if let Some(next) = self.table.person_to_move() {
                        text += &format!(" {}", self.invitation(next));
                    }
                    self.say(text);
                }
            }
            Event::Thought => {}
            Event::TimeUp(_) => self.refresh(),
            Event::Failed(player) => {
                let name = words::seat_text(&self.table, *player);
                let reason = self.table.failure().map_or("", |(_, reason)| reason).to_owned();
                self.prompt = None;
                self.refuse(format!(
                    "{name} has failed: {reason}. Nothing is lost: Y tries again, O takes its seat over, Q leaves."
                ));
            }
        }
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
        let mover = self.table.person_to_move();
        if mover.is_none() {
            let text = if self.table.is_over() { "The game is over." } else { "Not your turn." };
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
        if let Some(reason) = self.table.session().why_not(gesture) {
            self.refuse(reason.text);
        }
    }

    fn set_pace(&mut self, slower: bool) {
        self.pace = if slower { (self.pace + 1).min(PACES.len() - 1) } else { self.pace.saturating_sub(1) };
        self.table.pace = PACES[self.pace];
        let text = match PACES[self.pace] {
            Duration::ZERO => "Pace: as fast as the bots play.".to_owned(),
            pace => format!("Pace: {} a move at least.", agon_core::text::duration_text(pace)),
        };
        self.say(text);
    }

    fn take_back(&mut self) {
        if self.table.take_back() {
            self.shelved = false;
            self.verdict = None;
            self.motion = None;
            self.refresh();
            self.say("Taken back.");
            self.keep();
        } else {
            self.refuse("There is nothing to take back.");
        }
    }

    fn again(&mut self, context: &Context) -> Next {
        let mut setup = self.table.setup(context.home.person());
        setup.seed = agon_core::random::mix(setup.seed, 1);
        match Table::new(&setup) {
            Ok(table) => Next::Replace(Box::new(Self::new(table, self.mode, context))),
            Err(error) => {
                self.refuse(error.to_string());
                Next::Stay
            }
        }
    }

    fn save(&mut self, name: &str) {
        match self.table.save(std::path::Path::new(name.trim())) {
            Ok(()) => self.say(format!("Saved to {}.", name.trim())),
            Err(error) => {
                self.refuse(format!("The record could not be written to {}: {error}.", name.trim()))
            }
        }
    }
}

/// Whether the board is better seen from the other side: where homes are and the only person's is at the top.
fn is_better_turned(table: &Table, board: &Board) -> bool {
    let mut people = table.seats().iter().enumerate().filter(|(_, seat)| seat.is_human());
    let (Some((person, _)), None) = (people.next(), people.next()) else { return false };
    let own =
        board.cells.iter().filter(|cell| cell.piece.is_some_and(|piece| piece.owner == Player(person as u8)));
    let rows: Vec<usize> = own.map(|cell| usize::from(cell.spot.row)).collect();
    let sum: usize = rows.iter().sum();
    board.layout == Layout::Star && 2 * sum < rows.len() * (board.rows.len() - 1)
}

impl Screen for PlayScreen {
    fn draw(&mut self, frame: &mut Frame, context: &Context) {
        self.draw_screen(frame, context.theme);
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Next {
        if let Some((overlay, top)) = self.overlay {
            self.overlay = scrolled(top, key.code).map(|top| (overlay, top));
            return Next::Stay;
        }
        let resign_keys = self.resign_keys;
        // Input ends what moves.
        let next = self.typed(key, context).unwrap_or_else(|| {
            self.motion = None;
            self.key_at_board(key, context)
        });
        if self.resign_keys == resign_keys {
            self.resign_keys = 0;
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
            let before = self.board.clone();
            let Some(event) = self.table.advance(Duration::ZERO) else { break };
            let played = matches!(event, Event::Played { mover: Turn::Player(_), .. });
            self.hear(&event, before);
            if played && !self.slides() {
                break;
            }
        }
        if self.table.is_over() {
            self.finish(context);
        }
        let duty = match (self.table.is_over(), self.show_evaluation) {
            (true, _) if self.table.has_people() && self.mode == Mode::Play => Duty::All,
            (_, true) => Duty::Present,
            _ => Duty::None,
        };
        let had_hint = self.assistant.hint.is_some();
        self.assistant.tick(self.table.session(), duty);
        if let Some(hint) = self.assistant.hint.clone().filter(|_| !had_hint) {
            let thought = words::thought_text(&hint.thought, self.table.seats().len());
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
        if !self.table.is_over() {
            self.keep();
            if self.is_kept {
                context.notes.push("The game is kept: agon offers it again.".to_owned());
            } else if self.mode == Mode::Play && !self.is_watched() && moves_made(self.table.session()) > 0 {
                context.notes.push("The game is not kept: there is no place on disk for it.".to_owned());
            }
        }
        if let Some(path) = &self.save_to {
            context.notes.push(match self.table.record().save(path) {
                Ok(()) => format!("Saved to {}.", path.display()),
                Err(error) => format!("The record could not be written to {}: {error}.", path.display()),
            });
        }
    }
}

impl PlayScreen {
    fn marks(&self) -> Marks {
        let person = self.table.person_to_move().is_some();
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
