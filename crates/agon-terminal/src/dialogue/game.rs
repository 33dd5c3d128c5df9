//! A game as a conversation.

use std::io;
use std::path::Path;
use std::time::Duration;

use agon_core::Player;
use agon_match::{Action, End, Event, Fault, Match, Played, Refusal, clock_text};
use agon_players::default_bot;
use agon_registry::{Bot, Budget, Limits, Session, Thought};

use super::race::race_diagram;
use super::{Dialogue, Ended, in_lines};
use crate::driver::{DriveError, Driver, GameDriver, Happening, RaceDriver};
use crate::home::{GUEST, Kept};
use crate::keeper::Keeper;
use crate::words;

/// How much a hint, and a judgement whether a move deserves a compliment, may look at: counted in moves and not in time, so that the same
/// conversation takes the same course everywhere.
const HINT_NODES: u64 = 30_000;
const PRAISE_NODES: u64 = 1_000;
/// After a compliment so many moves go without one.
const MODESTY: usize = 3;

const HELP: &str = "Type a move as it is listed, or one of
  moves      list all legal moves
  board      draw the board again
  hint       ask for a good move
  undo       take your last move back
  save FILE  write the record of the game to a file
  resign     give up
  exit       leave; EXIT does the same";

/// What is remembered during a game.
pub(super) struct Course {
    pub(super) keeper: Keeper,
    adviser: Option<Box<dyn Bot>>,
    since_praise: usize,
    mark: u64,
    shows_boards: bool,
}

impl Course {
    fn new(driver: &dyn Driver, keeper: Keeper) -> Self {
        let mark = driver.game().standing().map_or(0, |standing| standing.mark);
        Self { keeper, adviser: None, since_praise: MODESTY, mark, shows_boards: false }
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
    /// If nobody listens any more.
    pub fn play(&mut self, driver: &mut GameDriver) -> io::Result<Ended> {
        let keeper = self.keeper(driver);
        let course = Course::new(driver, keeper);
        self.run(driver, course)
    }

    /// Goes on with a game that was interrupted.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn resume(&mut self, kept: &Kept) -> io::Result<Ended> {
        let person = self.home.person();
        let driver: Result<Box<dyn Driver>, DriveError> = match RaceDriver::resume(&kept.record, person) {
            Some(race) => race.map(|race| Box::new(race) as Box<dyn Driver>),
            None => GameDriver::resume(&kept.record, person).map(|game| Box::new(game) as Box<dyn Driver>),
        };
        let taken_up = driver.and_then(|driver| {
            let keeper = Keeper::taking_up(&*driver, kept).ok_or(DriveError::Taken)?;
            Ok((driver, keeper))
        });
        match taken_up {
            Ok((mut driver, keeper)) => {
                let course = Course::new(&*driver, keeper);
                self.run(&mut *driver, course)
            }
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }

    /// Watches bots, with a board after every move.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn watch(&mut self, driver: &mut GameDriver) -> io::Result<Ended> {
        let course = Course { shows_boards: true, ..Course::new(driver, Keeper::default()) };
        self.run(driver, course)
    }

    /// A person and a bot at a game of one, with the same luck; the higher score wins.
    ///
    /// # Errors
    /// If nobody listens any more.
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
            match driver.advance(Duration::from_millis(200)) {
                Some(happening) if !self.tell(driver, &happening, &course)? => return Ok(Ended::Left),
                Some(_) => {}
                None if driver.is_over() => break,
                None if driver.person_to_move().is_some() => {
                    let mut ended = self.turn(driver, &mut course)?;
                    if let Some(race) = driver.as_race().filter(|_| ended == Ended::Done) {
                        ended = self.keep_up(race)?;
                    }
                    if ended == Ended::Left {
                        course.keep(driver);
                        return self.left(driver, &course);
                    }
                }
                None => {}
            }
            course.keep(driver);
        }
        self.announce(driver, &mut course)?;
        Ok(Ended::Done)
    }

    /// The person leaves, and is told that nothing is lost.
    fn left(&mut self, driver: &dyn Driver, course: &Course) -> io::Result<Ended> {
        if course.keeper.is_kept() && driver.game().moves_made() > 0 {
            self.say("The game is kept; the menu offers it again.")?;
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
        let (token, then) = (&played.token, driver.told());
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
            write!(self.out, "{}", then.diagram())?;
        }
        Ok(())
    }

    /// A bot has failed: a person may take its seat.
    fn failed(&mut self, driver: &mut dyn Driver, player: Player) -> io::Result<bool> {
        let name = words::seat_text(driver.game(), player);
        let reason = driver.failure().map_or("", |(_, reason)| reason).to_owned();
        if !driver.has_people() {
            // Whoever called tells it; there is nobody to ask.
            return Ok(false);
        }
        self.say(&format!("{name} has failed: {reason}"))?;
        loop {
            let prompt = "Type retry to let it try again, mine to play on for it, or exit:";
            let Some(answer) = self.ask(prompt)? else { return Ok(false) };
            match answer.as_str() {
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
            None => driver.game().session().diagram(),
        };
        write!(self.out, "\n{boards}")?;
        let legal = driver.game().session().legal();
        let person = driver.person_to_move().unwrap_or(Player(0));
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
        self.say(&format!("{}, it is your turn. Your moves:", words::seat_text(driver.game(), person)))?;
        self.say(&in_lines(&legal, 2))?;
        let example = legal.first().cloned().unwrap_or_default();
        loop {
            let prompt = format!("Type a move such as {example}, or help or exit:");
            let Some(answer) = self.ask(&prompt)? else { return Ok(Ended::Left) };
            let (word, rest) = answer.split_once(' ').unwrap_or((&answer, ""));
            match word {
                "" => self.refuse(&answer, "expected a move or a word such as help")?,
                "help" => self.say(HELP)?,
                "moves" => self.say(&in_lines(&legal, 2))?,
                "board" => write!(self.out, "{}", driver.game().session().diagram())?,
                "hint" => self.hint(driver.game(), course)?,
                "save" => self.save(driver, rest.trim())?,
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
                    let before = driver.game().session().fork();
                    match driver.play_typed(&answer) {
                        Ok(()) => {
                            self.praise(driver.game(), &*before, course)?;
                            return Ok(Ended::Done);
                        }
                        Err(Refusal::Illegal(error)) => self.refuse(&answer, &error.reason)?,
                        Err(refusal) => self.refuse(&answer, &refusal.to_string())?,
                    }
                }
            }
        }
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
        match advise(game, course, game.session(), HINT_NODES) {
            Some(thought) => self.say(&format!(
                "You could play {} ({}).",
                thought.best,
                words::thought_text(
                    &Thought { elapsed: Duration::ZERO, ..thought.clone() },
                    game.seats().len()
                )
            )),
            None => self.say("Nobody has a hint for you here."),
        }
    }

    /// Now and then, a compliment for what a person has played in the position `before`.
    fn praise(&mut self, game: &Match, before: &dyn Session, course: &mut Course) -> io::Result<()> {
        // Whoever was too late has not moved.
        let Some(played) = game.ply(before.len()) else { return Ok(()) };
        let person = self.home.person().to_owned();
        let person = if person == GUEST { "friend".to_owned() } else { person };
        if let Some(standing) = game.standing() {
            if standing.mark > course.mark && standing.mark >= 64 {
                self.say(&format!("A {}! Well done, {person}.", standing.mark))?;
            }
            course.mark = course.mark.max(standing.mark);
            return Ok(());
        }
        course.since_praise += 1;
        if course.since_praise <= MODESTY || before.legal().len() < 2 {
            return Ok(());
        }
        if advise(game, course, before, PRAISE_NODES).is_some_and(|thought| thought.best == played.token) {
            course.since_praise = 0;
            self.say(&words::compliment(&person, game.session().len() as u64))?;
        }
        Ok(())
    }

    fn announce(&mut self, driver: &mut dyn Driver, course: &mut Course) -> io::Result<()> {
        course.keeper.shelve(driver, self.home);
        let game = driver.game();
        write!(self.out, "\n{}", game.session().diagram())?;
        let counts = words::counts_text(game);
        if !counts.is_empty() {
            self.say(&format!("Final count of {counts}."))?;
        }
        self.say(&words::result_text(game))?;
        // The same as records say it, for those who read by program.
        if let Some(result) = driver.record().result {
            self.say(&format!("Result: {result}"))?;
        }
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

/// What our best bot would play in `session`, a position of `game`, after so many nodes.
fn advise(game: &Match, course: &mut Course, session: &dyn Session, nodes: u64) -> Option<Thought<String>> {
    if course.adviser.is_none() {
        course.adviser = game.rules().bot(&default_bot(&**game.rules()), 0).ok();
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
    course.adviser.as_mut()?.think(session, &budget, &mut |_| {}).ok()
}
