//! A game as a conversation.

use std::io;
use std::path::Path;
use std::time::Duration;

use agon_answers::score::ScoreScale;
use agon_core::random::mix;
use agon_core::{Player, Turn};
use agon_erased::{Bot, BotSpec, Budget, Limits, Thought};
use agon_match::{Action, End, Event, Fault, Match, Occupant, Played, Refusal, clock_text};
use agon_players::default_bot;

use super::race::race_diagram;
use super::{Dialogue, Ended, first_word, in_lines};
use crate::driver::{DriveError, Driver, GameDriver, Happening, RaceDriver, seat_plans};
use crate::home::{GUEST, Kept};
use crate::keeper::Keeper;
use crate::words;

/// How much a hint may look at: counted in moves and not in time, so that the same conversation takes the same course everywhere.
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
pub(super) struct Course {
    pub(super) keeper: Keeper,
    adviser: Option<Box<dyn Bot>>,
    mark: u64,
    shows_boards: bool,
    /// Whether it has been said that blocks can be rotated.
    knows_blocks: bool,
    /// Whether the game has just been started again.
    is_restarted: bool,
}

impl Course {
    fn new(driver: &dyn Driver, keeper: Keeper) -> Self {
        let mark = driver.game().standing().map_or(0, |standing| standing.mark);
        Self { keeper, adviser: None, mark, shows_boards: false, knows_blocks: false, is_restarted: false }
    }

    /// Writes the game down as it stands.
    fn keep(&mut self, driver: &dyn Driver) {
        // It goes on without being kept; a conversation is no place to complain about disks.
        let _ = self.keeper.keep(driver);
    }
}

impl Dialogue<'_> {
    /// Plays a game to its end.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn play(&mut self, driver: &mut GameDriver) -> io::Result<Ended> {
        driver.set_pace(self.pace);
        let keeper = self.keeper(driver);
        let course = Course::new(driver, keeper);
        self.run(driver, course)
    }

    /// Goes on with a game that was interrupted.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn resume(&mut self, kept: &Kept) -> io::Result<Ended> {
        let person = self.home.person();
        let driver: Result<Box<dyn Driver>, DriveError> =
            match RaceDriver::resume(self.games, &kept.record, person) {
                Some(race) => race.map(|race| Box::new(race) as Box<dyn Driver>),
                None => GameDriver::resume(self.games, &kept.record, person)
                    .map(|game| Box::new(game) as Box<dyn Driver>),
            };
        let taken_up = driver.and_then(|driver| {
            let keeper = Keeper::taking_up(&*driver, kept).ok_or(DriveError::Taken)?;
            Ok((driver, keeper))
        });
        match taken_up {
            Ok((mut driver, keeper)) => {
                if let Some(game) = driver.as_game() {
                    game.set_pace(self.pace);
                }
                let course = Course::new(&*driver, keeper);
                self.run(&mut *driver, course)
            }
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }

    /// Watches bots, with a board after every move.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn watch(&mut self, driver: &mut GameDriver) -> io::Result<Ended> {
        let course = Course { shows_boards: true, ..Course::new(driver, Keeper::default()) };
        self.run(driver, course)
    }

    /// A person and a bot at a game of one, with the same luck; the higher score wins.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn race(&mut self, driver: &mut RaceDriver) -> io::Result<Ended> {
        let keeper = self.keeper(driver);
        let course = Course::new(driver, keeper);
        self.run(driver, course)
    }

    /// Keeps a game that a person plays, where that is wanted.
    fn keeper(&self, driver: &dyn Driver) -> Keeper {
        if self.keeps && driver.has_people() { Keeper::new(driver, self.home) } else { Keeper::default() }
    }

    fn run(&mut self, driver: &mut dyn Driver, mut course: Course) -> io::Result<Ended> {
        if let Some(race) = driver.as_race()
            && self.open_race(race)? == Ended::Left
        {
            return Ok(Ended::Left);
        }
        loop {
            if let Some(happening) = driver.advance(Duration::from_millis(200)) {
                if !self.tell(driver, &happening, &course)? {
                    return Ok(Ended::Left);
                }
            } else if driver.is_over() {
                break;
            } else if driver.person_to_move().is_some() {
                let mut ended = self.turn(driver, &mut course)?;
                let restarted = std::mem::take(&mut course.is_restarted);
                if let Some(race) = driver.as_race().filter(|_| ended == Ended::Done) {
                    ended = if restarted { self.open_race(race)? } else { self.keep_up(race)? };
                }
                if ended == Ended::Left {
                    course.keep(driver);
                    return self.left(driver, &course);
                }
            }
            course.keep(driver);
        }
        self.announce(driver, &mut course)?;
        Ok(Ended::Done)
    }

    /// The person leaves, and is told that nothing is lost.
    fn left(&mut self, driver: &dyn Driver, course: &Course) -> io::Result<Ended> {
        if course.keeper.is_kept() && driver.game().moves_made() > 0 {
            self.say("The game is kept; agon resume continues it.")?;
        }
        Ok(Ended::Left)
    }

    /// Says what has happened; `false` if the game cannot go on.
    fn tell(&mut self, driver: &mut dyn Driver, happening: &Happening, course: &Course) -> io::Result<bool> {
        match happening {
            Happening::Thought => {}
            Happening::Failed(player) => return self.failed(driver, *player),
            Happening::Event(Event::Played(played)) => self.tell_ply(driver, played, course)?,
            Happening::Event(Event::Ended {
                end: End::Forfeit { seat, reason: Fault::Time, detail },
                ..
            }) => {
                self.say(&words::forfeit_text(driver.game(), *seat, Fault::Time, detail))?;
            }
            Happening::Event(Event::Forfeited { seat, reason, detail, .. }) => {
                self.say(&words::leaving_text(driver.game(), *seat, *reason, detail))?;
            }
            Happening::Event(_) => {}
        }
        Ok(true)
    }

    fn tell_ply(&mut self, driver: &dyn Driver, played: &Played, course: &Course) -> io::Result<()> {
        let then = driver.told();
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
        let name = words::seat_text(driver.game(), seat);
        let is_person = driver.game().seats()[seat.index()].is_person();
        match (then.last_step().is_some_and(|step| step.is_pass()), is_person) {
            (true, true) => self.say(&format!("{name}, you have no move: you pass."))?,
            (true, false) => self.say(&format!("{name} has no move and passes."))?,
            (false, false) => self.say(&format!("{name} plays {token}"))?,
            // People know what they have typed.
            (false, true) => {}
        }
        if course.shows_boards && then.outcome().is_none() {
            write!(self.out, "{}", self.coordinates.diagram(&*then))?;
        }
        Ok(())
    }

    /// A bot has failed: a person may take its seat.
    fn failed(&mut self, driver: &mut dyn Driver, player: Player) -> io::Result<bool> {
        let name = words::seat_text(driver.game(), player);
        let reason = driver.failure().map_or("", |(_, reason)| reason).to_owned();
        if !driver.has_people() {
            // The caller reports it; there is nobody to ask.
            return Ok(false);
        }
        self.say(&format!("{name} has failed: {reason}"))?;
        loop {
            let prompt = "Type retry to let it try again, mine to play on for it, or exit:";
            let Some(answer) = self.ask_for(prompt)? else { return Ok(false) };
            match first_word(&answer) {
                "retry" => driver.retry(),
                "mine" => {
                    if let Err(refusal) = driver.take_over(player, self.home.person()) {
                        self.say(&format!("The seat cannot be taken: {refusal}."))?;
                    }
                }
                _ => {
                    self.refuse(&answer, "expected retry or mine")?;
                    continue;
                }
            }
            return Ok(true);
        }
    }

    /// Lets a person move.
    fn turn(&mut self, driver: &mut dyn Driver, course: &mut Course) -> io::Result<Ended> {
        let boards = match driver.as_race() {
            Some(race) => race_diagram(race),
            None => self.coordinates.diagram(driver.game().session()),
        };
        write!(self.out, "\n{boards}")?;
        let person = driver.person_to_move().unwrap_or(Player(0));
        self.tell_circumstances(driver, person, course)?;
        self.say(&format!("{}, it is your turn. Your moves:", words::seat_text(driver.game(), person)))?;
        self.list_moves(driver.game())?;
        loop {
            let moves = self.coordinates.moves(driver.game().session());
            let example = moves.into_iter().next().map(|(_, text)| text).unwrap_or_default();
            let prompt = format!("Type a move such as {example}, or help or exit:");
            let Some(answer) = self.ask_for(&prompt)? else { return Ok(Ended::Left) };
            let (word, rest) = answer.split_once(' ').unwrap_or((&answer, ""));
            match word {
                "help" => self.say(HELP)?,
                "moves" => self.list_moves(driver.game())?,
                "board" => write!(self.out, "{}", self.coordinates.diagram(driver.game().session()))?,
                "letters" | "numbers" => {
                    self.coordinates = word.parse().unwrap_or_default();
                    self.list_moves(driver.game())?;
                }
                "hint" => self.hint(driver.game(), course)?,
                "save" => self.save(driver, rest.trim())?,
                "restart" => match self.restart(driver, course)? {
                    true => return Ok(Ended::Done),
                    false => continue,
                },
                "mode" => return self.change_mode(driver, course),
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
                    let before = driver.game().session().len();
                    match self.play_answer(driver, &answer) {
                        Ok(()) => {
                            self.praise(driver.game(), before, course)?;
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
        driver: &dyn Driver,
        person: Player,
        course: &mut Course,
    ) -> io::Result<()> {
        let board = driver.game().session().board();
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
        if !std::mem::replace(&mut course.knows_blocks, true) {
            let steps = driver.game().session().steps();
            if let Some((token, step)) = steps.iter().find(|(_, step)| step.block().is_some()) {
                let text = self.coordinates.move_text(&board, token, step);
                self.say(&format!(
                    "Instead of moving a piece, you may rotate a block of four squares: type {text}, for example."
                ))?;
            }
        }
        Ok(())
    }

    fn list_moves(&mut self, game: &Match) -> io::Result<()> {
        let moves = self.coordinates.moves(game.session());
        let texts: Vec<String> = moves.into_iter().map(|(_, text)| text).collect();
        self.say(&in_lines(&texts, 2))
    }

    /// Plays what was typed: the line as a move, for people put spaces into moves, or else its first word.
    fn play_answer(&mut self, driver: &mut dyn Driver, answer: &str) -> Result<(), Refusal> {
        let tidy: String = answer.split_whitespace().collect::<String>().to_lowercase();
        let moves = self.coordinates.moves(driver.game().session());
        let as_shown = |text: &str| moves.iter().find(|(_, shown)| shown == text).map(|(token, _)| token);
        if let Some(token) = as_shown(&tidy).or_else(|| as_shown(&first_word(answer).to_lowercase())) {
            return driver.play(token);
        }
        driver.play_typed(answer).or_else(|_| driver.play_typed(first_word(answer)))
    }

    /// Starts again; `false` if that cannot be done.
    fn restart(&mut self, driver: &mut dyn Driver, course: &mut Course) -> io::Result<bool> {
        let seed = agon_core::random::mix(driver.game().seed(), 1);
        if let Err(error) = driver.restart(seed) {
            self.say(&format!("The game cannot be started again: {error}."))?;
            return Ok(false);
        }
        course.keeper.start_over(driver, self.home);
        (course.mark, course.is_restarted) = (0, true);
        self.say("A new game begins.")?;
        Ok(true)
    }

    /// Asks who is to play from now on.
    fn change_mode(&mut self, driver: &mut dyn Driver, course: &mut Course) -> io::Result<Ended> {
        let mut plans = seat_plans(driver.game(), self.home.person());
        let Some(game) = driver.as_game() else {
            return self.say("A race is between you and the computer.").map(|()| Ended::Done);
        };
        let labels: Vec<String> = plans.iter().map(|plan| plan.label.clone()).collect();
        let Some(chosen) = self.choose("Who plays?", &labels, None)? else { return Ok(Ended::Left) };
        match game.reseat(plans.swap_remove(chosen).seats) {
            Ok(()) => course.shows_boards = !game.has_people(),
            Err(error) => self.say(&format!("The players cannot be changed: {error}."))?,
        }
        Ok(Ended::Done)
    }

    fn save(&mut self, driver: &dyn Driver, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return self.refuse("save", "expected the name of a file, such as save game.txt");
        }
        match driver.record().save_as(Path::new(name)) {
            Ok(()) => self.say(&format!("Saved to {name}.")),
            Err(error) => self.say(&format!("The record could not be written to {name}: {error}.")),
        }
    }

    fn hint(&mut self, game: &Match, course: &mut Course) -> io::Result<()> {
        let adviser = default_bot(&**game.rules());
        let scores = ScoreScale::of(&**game.rules(), &Occupant::Bot(adviser.clone()));
        match advise(game, course, adviser) {
            Some(thought) => {
                let moves = self.coordinates.moves(game.session());
                let shown = moves.into_iter().find(|(token, _)| *token == thought.best);
                let best = shown.map_or_else(|| thought.best.clone(), |(_, text)| text);
                self.say(&format!("You could play {best} ({}).", words::thought_text(&thought, scores)))
            }
            None => self.say("There is no hint here."),
        }
    }

    /// A compliment for what a person has played after this many plies. Games of one have something better to praise.
    fn praise(&mut self, game: &Match, plies: usize, course: &mut Course) -> io::Result<()> {
        // A player who was too late has not moved.
        let Some(played) = game.ply(plies) else { return Ok(()) };
        let Turn::Player(player) = played.mover else { return Ok(()) };
        let name = &game.seats()[player.index()].name;
        let person = if name == GUEST { "friend" } else { name.as_str() };
        if let Some(standing) = game.standing() {
            if standing.mark > course.mark && standing.mark >= 64 {
                self.say(&format!("A {}! Well done, {person}.", standing.mark))?;
            }
            course.mark = course.mark.max(standing.mark);
            return Ok(());
        }
        // The same conversation takes the same course, whatever the seed.
        let number = played.token.bytes().fold(plies as u64, |number, byte| mix(number, byte.into()));
        self.say(&words::compliment(person, number))
    }

    fn announce(&mut self, driver: &mut dyn Driver, course: &mut Course) -> io::Result<()> {
        course.keeper.shelve(driver, self.home);
        let game = driver.game();
        write!(self.out, "\n{}", self.coordinates.diagram(game.session()))?;
        let counts = words::counts_text(game);
        if !counts.is_empty() {
            self.say(&format!("Final count of {counts}."))?;
        }
        self.say(&words::result_text(game))?;
        let ranking = words::ranking_text(game);
        if !ranking.is_empty() {
            self.say(&format!("Ranking: {ranking}"))?;
        }
        if let Some(standing) = game.standing().filter(|_| driver.has_people() && self.keeps) {
            let is_best = self.home.note_score(game.rules().spec().id, standing.score).unwrap_or(false);
            if is_best {
                self.say("That is your best score so far.")?;
            }
        }
        match driver.as_race() {
            Some(race) => self.close_race(race),
            None => Ok(()),
        }
    }
}

/// What our best bot would play.
fn advise(game: &Match, course: &mut Course, adviser: BotSpec) -> Option<Thought<String>> {
    if course.adviser.is_none() {
        course.adviser = game.rules().bot(&adviser, 0).ok();
    }
    let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
    let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
    course.adviser.as_mut()?.think(game.session(), &budget, &mut |_| {}).ok()
}
