//! A match as a conversation.

use std::io;
use std::path::Path;
use std::time::Duration;

use agon_answers::score::ScoreScale;
use agon_core::random::mix;
use agon_core::{Player, Turn};
use agon_erased::{Bot, BotSpec, Budget, Limits, Thought, default_bot};
use agon_files::save_record_as;
use agon_match::{Action, Board, End, Event, Fault, Occupant, Played, Refusal, clock_text};

use super::{Dialogue, Ended, first_word, in_lines};
use crate::driver::{DriveError, Failure, Happening, MatchDriver, seat_plans};
use crate::home::{GUEST, Kept};
use crate::keeper::Keeper;
use crate::words;

/// How much a hint may look at: counted in moves and not in time, so that the same conversation takes the
/// same state everywhere.
const HINT_NODES: u64 = 30_000;

const HELP: &str = "Type a move as it is listed, or one of these words:
  moves      list all legal moves
  board      draw the board again
  hint       ask for a good move
  undo       take your last move back
  restart    start again with the same players
  mode       change who plays; the game goes on
  numbers    name squares by row and column, as in (4,2); letters: as usual
  save FILE  write the record of the game to a file
  resign     give up
  exit       leave; EXIT does the same";

/// What is remembered during a game.
pub(super) struct DialogueState {
    pub(super) keeper: Keeper,
    adviser: Option<Box<dyn Bot>>,
    mark: u64,
    shows_boards: bool,
    /// Whether it has been said that blocks can be rotated.
    knows_blocks: bool,
}

impl DialogueState {
    fn new(driver: &MatchDriver, keeper: Keeper) -> Self {
        let mark = driver.board().standing().map_or(0, |standing| standing.mark);
        Self { keeper, adviser: None, mark, shows_boards: false, knows_blocks: false }
    }

    /// Writes the game down as it stands.
    fn keep(&mut self, driver: &MatchDriver) {
        // It goes on without being kept; a conversation is no place to complain about disks.
        let _ = self.keeper.keep(driver);
    }
}

impl Dialogue<'_> {
    /// Plays a match to its end.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn play(&mut self, driver: &mut MatchDriver) -> io::Result<Ended> {
        let is_kept = self.keeps && driver.has_people();
        let keeper = if is_kept { Keeper::new(driver, self.home) } else { Keeper::default() };
        self.converse(driver, keeper)
    }

    /// Goes on with a match that was interrupted.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn resume(&mut self, kept: &Kept) -> io::Result<Ended> {
        let driver = MatchDriver::resume(self.games, &kept.record, self.home.person());
        let taken_up = driver.and_then(|driver| {
            let keeper = Keeper::taking_up(&driver, kept).ok_or(DriveError::Taken)?;
            Ok((driver, keeper))
        });
        match taken_up {
            Ok((mut driver, keeper)) => self.converse(&mut driver, keeper),
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }

    /// Watches bots, with a board after every move.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn watch(&mut self, driver: &mut MatchDriver) -> io::Result<Ended> {
        let state = DialogueState { shows_boards: true, ..DialogueState::new(driver, Keeper::default()) };
        self.run(driver, state)
    }

    fn converse(&mut self, driver: &mut MatchDriver, keeper: Keeper) -> io::Result<Ended> {
        // The moves of a race's bots are not told one by one, so nobody needs time to read them.
        driver.set_pace(if driver.game().is_race() { Duration::ZERO } else { self.pace });
        let state = DialogueState::new(driver, keeper);
        self.run(driver, state)
    }

    fn run(&mut self, driver: &mut MatchDriver, mut state: DialogueState) -> io::Result<Ended> {
        self.introduce(driver)?;
        loop {
            // On lines there is nothing to look at before one passes.
            driver.pass();
            let ended = match driver.advance(Duration::from_millis(200)) {
                // What bots do on their own boards is written down with the person's next move.
                Some(Happening::Event(event)) if event.board != driver.own() => {
                    self.tell_rival(driver, &event)?;
                    continue;
                }
                Some(happening) => self.tell(driver, &happening, &state)?,
                None if driver.is_over() => break,
                None if driver.person_to_move().is_some() && !driver.awaits_bot() => {
                    self.turn(driver, &mut state)?
                }
                None => Ended::Done,
            };
            state.keep(driver);
            if ended == Ended::Left {
                return self.left(&state);
            }
        }
        state.keeper.shelve(driver, self.home);
        if driver.game().is_race() {
            self.say(&words::race_text(driver))?;
        }
        Ok(Ended::Done)
    }

    /// The person leaves, and is told that nothing is lost.
    fn left(&mut self, state: &DialogueState) -> io::Result<Ended> {
        if state.keeper.is_kept() {
            self.say("The game is kept; agon resume continues it.")?;
        }
        Ok(Ended::Left)
    }

    /// Says what has happened on the own board, or that a bot has failed.
    fn tell(
        &mut self,
        driver: &mut MatchDriver,
        happening: &Happening,
        state: &DialogueState,
    ) -> io::Result<Ended> {
        let event = match happening {
            Happening::Thought => return Ok(Ended::Done),
            Happening::Failed => return self.failed(driver),
            Happening::Event(event) => &event.event,
        };
        match event {
            Event::Played(played) => self.tell_ply(driver, played, state)?,
            Event::Forfeited { seat, reason, detail, .. } => {
                self.say(&words::leaving_text(driver.board(), *seat, *reason, detail))?;
            }
            Event::Ended { end, .. } => self.announce(driver, end)?,
            _ => {}
        }
        Ok(Ended::Done)
    }

    fn tell_ply(&mut self, driver: &MatchDriver, played: &Played, state: &DialogueState) -> io::Result<()> {
        let then = driver.told(driver.own());
        let token = match then.last_step() {
            Some(step) => &self.coordinates.move_text(&then.board(), &played.token, &step),
            None => &played.token,
        };
        let Some(seat) = played.seat else {
            return match then.chance_message() {
                Some(message) => self.say(&format!("{message} ({token})")),
                None => self.say(&format!("Chance brings {token}.")),
            };
        };
        let name = words::seat_text(driver.board(), seat);
        let is_person = driver.board().seats()[seat.index()].is_person();
        match (then.last_step().is_some_and(|step| step.is_pass()), is_person) {
            (true, true) => self.say(&format!("{name}, you have no move: you pass."))?,
            (true, false) => self.say(&format!("{name} has no move and passes."))?,
            (false, false) => self.say(&format!("{name} plays {token}"))?,
            // People know what they have typed.
            (false, true) => {}
        }
        if state.shows_boards && then.outcome().is_none() {
            write!(self.out, "{}", self.coordinates.diagram(&*then))?;
        }
        Ok(())
    }

    /// A bot has failed: it tries again, or a person takes its seat, unless it plays on a board of its own.
    fn failed(&mut self, driver: &mut MatchDriver) -> io::Result<Ended> {
        let Some(Failure { board, seat, reason }) = driver.failure() else { return Ok(Ended::Done) };
        if !driver.has_people() {
            // The caller reports it; there is nobody to ask.
            return Ok(Ended::Left);
        }
        let name = words::seat_text(&driver.game().boards()[board], seat);
        let is_rival = board != driver.own();
        self.say(&format!("{name} has failed: {reason}"))?;
        let (prompt, expected) = if is_rival {
            ("Type retry to let it try again, or exit:", "expected retry")
        } else {
            ("Type retry to let it try again, mine to play on for it, or exit:", "expected retry or mine")
        };
        loop {
            let Some(answer) = self.ask_for(prompt)? else { return Ok(Ended::Left) };
            match first_word(&answer) {
                "retry" => driver.retry(),
                "mine" if !is_rival => {
                    if let Err(refusal) = driver.take_over(seat, self.home.person()) {
                        self.say(&format!("The seat cannot be taken: {refusal}."))?;
                    }
                }
                _ => {
                    self.refuse(&answer, expected)?;
                    continue;
                }
            }
            return Ok(Ended::Done);
        }
    }

    /// Lets a person move.
    fn turn(&mut self, driver: &mut MatchDriver, state: &mut DialogueState) -> io::Result<Ended> {
        write!(self.out, "\n{}", self.diagrams(driver))?;
        let person = driver.person_to_move().unwrap_or(Player(0));
        self.tell_circumstances(driver, person, state)?;
        self.say(&format!("{}, it is your turn. Your moves:", words::seat_text(driver.board(), person)))?;
        self.list_moves(driver.board())?;
        loop {
            let moves = self.coordinates.moves(driver.board().session());
            let example = moves.into_iter().next().map(|(_, text)| text).unwrap_or_default();
            let prompt = format!("Type a move such as {example}, or help or exit:");
            let Some(answer) = self.ask_for(&prompt)? else { return Ok(Ended::Left) };
            let (word, rest) = answer.split_once(' ').unwrap_or((&answer, ""));
            match word {
                "help" => self.say(HELP)?,
                "moves" => self.list_moves(driver.board())?,
                "board" => write!(self.out, "{}", self.coordinates.diagram(driver.board().session()))?,
                "letters" | "numbers" => {
                    self.coordinates = word.parse().unwrap_or_default();
                    self.list_moves(driver.board())?;
                }
                "hint" => self.hint(driver.board(), state)?,
                "save" => self.save(driver, rest.trim())?,
                "restart" => match self.restart(driver, state)? {
                    true => return Ok(Ended::Done),
                    false => continue,
                },
                "mode" => return self.change_mode(driver, state),
                "resign" => match driver.act(Action::Resign(person)) {
                    Ok(()) => return Ok(Ended::Done),
                    Err(refusal) => self.refuse(&answer, &refusal.to_string())?,
                },
                "undo" => {
                    if driver.take_back().is_ok() {
                        self.say("Taken back.")?;
                        return Ok(Ended::Done);
                    }
                    self.say("There is nothing to take back.")?;
                }
                _ => {
                    let before = driver.board().session().len();
                    match self.play_answer(driver, &answer) {
                        Ok(()) => {
                            self.praise(driver.board(), before, state)?;
                            return Ok(Ended::Done);
                        }
                        Err(Refusal::Illegal(error)) => self.refuse(word, &error.reason)?,
                        Err(refusal) => self.refuse(word, &refusal.to_string())?,
                    }
                }
            }
        }
    }

    /// What a person should know before moving.
    fn tell_circumstances(
        &mut self,
        driver: &MatchDriver,
        person: Player,
        state: &mut DialogueState,
    ) -> io::Result<()> {
        let board = driver.board().session().board();
        if let Some((progress, left)) = board.progress.as_ref().and_then(|progress| {
            progress.left().filter(|_| progress.is_pressing()).map(|left| (progress, left))
        }) {
            self.say(&format!("{}, {left} left before the game is a draw.", progress.text))?;
        }
        for threat in &board.threats {
            self.say(&threat.message.text)?;
        }
        if let Some(left) = driver.time_left(person) {
            self.say(&format!("Time left: {}", clock_text(left)))?;
        }
        if !std::mem::replace(&mut state.knows_blocks, true) {
            let steps = driver.board().session().steps();
            if let Some((token, step)) = steps.iter().find(|(_, step)| step.block().is_some()) {
                let text = self.coordinates.move_text(&board, token, step);
                self.say(&format!(
                    "Instead of moving a piece, you may rotate a block of four squares: type {text}, for example."
                ))?;
            }
        }
        Ok(())
    }

    fn list_moves(&mut self, board: &Board) -> io::Result<()> {
        let moves = self.coordinates.moves(board.session());
        let texts: Vec<String> = moves.into_iter().map(|(_, text)| text).collect();
        self.say(&in_lines(&texts, 2))
    }

    /// Plays what was typed: the line as a move, for people put spaces into moves, or else its first word.
    fn play_answer(&mut self, driver: &mut MatchDriver, answer: &str) -> Result<(), Refusal> {
        let tidy: String = answer.split_whitespace().collect::<String>().to_lowercase();
        let moves = self.coordinates.moves(driver.board().session());
        let as_shown = |text: &str| moves.iter().find(|(_, shown)| shown == text).map(|(token, _)| token);
        if let Some(token) = as_shown(&tidy).or_else(|| as_shown(&first_word(answer).to_lowercase())) {
            return driver.play(token);
        }
        driver.play_typed(answer).or_else(|_| driver.play_typed(first_word(answer)))
    }

    /// Starts again; `false` if that cannot be done.
    fn restart(&mut self, driver: &mut MatchDriver, state: &mut DialogueState) -> io::Result<bool> {
        let seed = agon_core::random::mix(driver.game().seed(), 1);
        if let Err(error) = driver.restart(seed) {
            self.say(&format!("The game cannot be started again: {error}."))?;
            return Ok(false);
        }
        state.keeper.start_over(driver, self.home);
        state.mark = 0;
        self.say("A new game begins.")?;
        self.introduce(driver)?;
        Ok(true)
    }

    /// Asks who is to play from now on.
    fn change_mode(&mut self, driver: &mut MatchDriver, state: &mut DialogueState) -> io::Result<Ended> {
        if driver.game().is_race() {
            return self.say("A race is between you and the computer.").map(|()| Ended::Done);
        }
        let mut plans = seat_plans(driver.board(), self.home.person());
        let labels: Vec<String> = plans.iter().map(|plan| plan.label.clone()).collect();
        let Some(chosen) = self.choose("Who plays?", &labels, None)? else { return Ok(Ended::Left) };
        match driver.reseat(plans.swap_remove(chosen).seats) {
            Ok(()) => state.shows_boards = !driver.has_people(),
            Err(error) => self.say(&format!("The players cannot be changed: {error}."))?,
        }
        Ok(Ended::Done)
    }

    fn save(&mut self, driver: &MatchDriver, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return self.refuse("save", "expected the name of a file, such as save game.txt");
        }
        match save_record_as(&driver.record(), Path::new(name)) {
            Ok(()) => self.say(&format!("Saved to {name}.")),
            Err(error) => self.say(&format!("The record could not be written to {name}: {error}.")),
        }
    }

    fn hint(&mut self, board: &Board, state: &mut DialogueState) -> io::Result<()> {
        let adviser = default_bot(&**board.rules());
        let scores = ScoreScale::of(&**board.rules(), &Occupant::Bot(adviser.clone()));
        match advise(board, state, adviser) {
            Some(thought) => {
                let moves = self.coordinates.moves(board.session());
                let shown = moves.into_iter().find(|(token, _)| *token == thought.best);
                let best = shown.map_or_else(|| thought.best.clone(), |(_, text)| text);
                self.say(&format!("You could play {best} ({}).", words::thought_text(&thought, scores)))
            }
            None => self.say("There is no hint here."),
        }
    }

    /// A compliment for what a person has played after this many plies. Games of one have something better to
    /// praise.
    fn praise(&mut self, board: &Board, plies: usize, state: &mut DialogueState) -> io::Result<()> {
        // A player who was too late has not moved.
        let Some(played) = board.ply(plies) else { return Ok(()) };
        let Turn::Player(player) = played.mover else { return Ok(()) };
        let name = &board.seats()[player.index()].name;
        let person = if name == GUEST { "friend" } else { name.as_str() };
        if let Some(standing) = board.standing() {
            if standing.mark > state.mark && standing.mark >= 64 {
                self.say(&format!("A {}! Well done, {person}.", standing.mark))?;
            }
            state.mark = state.mark.max(standing.mark);
            return Ok(());
        }
        // The same conversation takes the same state, whatever the seed.
        let number = played.token.bytes().fold(plies as u64, |number, byte| mix(number, byte.into()));
        self.say(&words::compliment(person, number))
    }

    /// Says how the game on the own board has ended.
    fn announce(&mut self, driver: &MatchDriver, end: &End) -> io::Result<()> {
        let board = driver.board();
        if let End::Forfeit { seat, reason: Fault::Time, detail } = end {
            self.say(&words::forfeit_text(board, *seat, Fault::Time, detail))?;
        }
        write!(self.out, "\n{}", self.coordinates.diagram(board.session()))?;
        let counts = words::counts_text(board);
        if !counts.is_empty() {
            self.say(&format!("Final count of {counts}."))?;
        }
        self.say(&words::result_text(board))?;
        let ranking = words::ranking_text(board);
        if !ranking.is_empty() {
            self.say(&format!("Ranking: {ranking}"))?;
        }
        if let Some(standing) = board.standing().filter(|_| driver.has_people() && self.keeps) {
            let is_best = self.home.note_score(board.rules().spec().id, standing.score).unwrap_or(false);
            if is_best {
                self.say("That is your best score so far.")?;
            }
        }
        Ok(())
    }
}

/// What our best bot would play.
fn advise(board: &Board, state: &mut DialogueState, adviser: BotSpec) -> Option<Thought<String>> {
    if state.adviser.is_none() {
        state.adviser = board.rules().bot(&adviser, 0).ok();
    }
    let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
    let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
    state.adviser.as_mut()?.think(board.session(), &budget, &mut |_| {}).ok()
}
