//! A game as a conversation.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_core::{Player, Turn};
use agon_players::{default_bot, player};
use agon_registry::{Bot, Budget, Limits, Thought};

use super::{Dialogue, Ended, in_lines};
use crate::home::{GUEST, Kept, Place};
use crate::table::{Event, RaceOrder, Rival, Setup, SetupError, Table, moves_made, score};
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
struct Course {
    /// Where the game is kept while it is not over.
    place: Option<Place>,
    /// The bot that is raced.
    rival: Option<Rival>,
    adviser: Option<Box<dyn Bot>>,
    since_praise: usize,
    mark: u64,
    shows_boards: bool,
}

impl Course {
    /// Writes the game down as it stands.
    fn keep(&mut self, table: &Table) {
        if let Some(place) = self.place.as_mut().filter(|_| !table.is_over()) {
            let record = self.rival.as_ref().map_or_else(|| table.record(), |rival| rival.record(table));
            // It goes on without being kept; a conversation is no place to complain about disks at every move.
            let _ = place.keep(&record);
        }
    }
}

impl Dialogue<'_> {
    /// Plays a game to its end.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn play(&mut self, table: &mut Table) -> io::Result<Ended> {
        let place = self.place(table);
        self.run(table, place, None, false)
    }

    /// Goes on with a game that was interrupted.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn resume(&mut self, kept: &Kept) -> io::Result<Ended> {
        let rival = Rival::resume(&kept.record).transpose();
        let table = Table::resume(&kept.record, self.home.person());
        let parts = rival.and_then(|rival| Ok((table?, rival, kept.take().ok_or(SetupError::Taken)?)));
        match parts {
            Ok((mut table, None, place)) => self.run(&mut table, Some(place), None, false),
            Ok((mut table, Some(rival), place)) => self.race(&mut table, rival, Some(place)),
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }

    /// Watches bots, with a board after every move.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn watch(&mut self, table: &mut Table) -> io::Result<Ended> {
        self.run(table, None, None, true)
    }

    /// A person and a bot at a game of one, with the same luck; the higher score wins.
    ///
    /// # Errors
    /// If nobody listens any more, or the table cannot be laid.
    pub fn contest(&mut self, setup: &Setup, bot: &str, order: RaceOrder) -> Result<Ended, ContestError> {
        let mut table = Table::new(setup)?;
        let rival = Rival::new(setup, bot, order)?;
        let place = self.place(&table);
        Ok(self.race(&mut table, rival, place)?)
    }

    /// Where a game is kept that a person plays.
    fn place(&self, table: &Table) -> Option<Place> {
        let keeps = self.keeps && table.has_people();
        keeps.then(|| self.home.place(table.rules().spec().id, table.seed())).flatten()
    }

    fn race(&mut self, table: &mut Table, mut rival: Rival, place: Option<Place>) -> io::Result<Ended> {
        let bot = rival.bot().to_owned();
        if rival.order == RaceOrder::Together {
            self.say(&format!("{bot} plays beside you with the same luck, a move for each of yours."))?;
            if moves_made(rival.table.session()) > 0 {
                self.say(&format!("It has {} points, you have {}.", score(&rival.table), score(table)))?;
            }
        } else {
            self.say(&format!("{bot} plays first; then it is your turn, with the same luck."))?;
            if self.pursue(&mut rival, usize::MAX)? == Ended::Left {
                return Ok(Ended::Left);
            }
            write!(self.out, "\n{}", rival.table.session().diagram())?;
            self.say(&format!("{bot} has scored {}. Can you do better?", score(&rival.table)))?;
        }
        self.run(table, place, Some(rival), false)
    }

    /// Lets the bot of a race play until it has made so many moves.
    fn pursue(&mut self, rival: &mut Rival, moves: usize) -> io::Result<Ended> {
        rival.table.set_paused(false);
        while !rival.table.is_over() && moves_made(rival.table.session()) < moves {
            if let Some(Event::Failed(_)) = rival.table.advance(Duration::from_millis(200)) {
                let reason = rival.table.failure().map_or("", |(_, reason)| reason);
                self.say(&format!("{} has failed: {reason}", rival.bot()))?;
                let Some(answer) = self.ask("Type retry to let it try again, or exit:")? else {
                    return Ok(Ended::Left);
                };
                if answer == "retry" {
                    rival.table.retry();
                } else {
                    self.refuse(&answer, "expected retry")?;
                }
            }
        }
        rival.table.draw_all();
        Ok(Ended::Done)
    }

    /// Lets the bot that plays beside the person make as many moves as the person has, and says where that leaves both.
    fn keep_up(&mut self, rival: &mut Rival, table: &Table) -> io::Result<Ended> {
        let before = moves_made(rival.table.session());
        if self.pursue(rival, moves_made(table.session()))? == Ended::Left {
            return Ok(Ended::Left);
        }
        if moves_made(rival.table.session()) > before {
            let (bot, mine, theirs) = (rival.bot(), score(table), score(&rival.table));
            self.say(&format!("{bot} moves too and has {theirs} points, you have {mine}."))?;
        }
        Ok(Ended::Done)
    }

    fn run(
        &mut self,
        table: &mut Table,
        place: Option<Place>,
        rival: Option<Rival>,
        shows_boards: bool,
    ) -> io::Result<Ended> {
        let mark = table.session().standing().map_or(0, |standing| standing.mark);
        let mut course = Course { place, rival, adviser: None, since_praise: MODESTY, mark, shows_boards };
        while !table.is_over() {
            if let Some(event) = table.advance(Duration::from_millis(200)) {
                if !self.tell(table, &event, &course)? {
                    return Ok(Ended::Left);
                }
            } else if table.person_to_move().is_some() {
                if self.turn(table, &mut course)? == Ended::Left {
                    return self.left(table, &course);
                }
                if let Some(rival) = course.rival.as_mut().filter(|rival| rival.order == RaceOrder::Together)
                    && self.keep_up(rival, table)? == Ended::Left
                {
                    course.keep(table);
                    return self.left(table, &course);
                }
                course.keep(table);
            }
        }
        // Bots are told that it is over.
        table.advance(Duration::ZERO);
        self.announce(table, &mut course)?;
        Ok(Ended::Done)
    }

    /// The person leaves, and is told that nothing is lost.
    fn left(&mut self, table: &Table, course: &Course) -> io::Result<Ended> {
        if course.place.is_some() && moves_made(table.session()) > 0 {
            self.say("The game is kept; the menu offers it again.")?;
        }
        Ok(Ended::Left)
    }

    /// Says what has happened; `false` if the game cannot go on.
    fn tell(&mut self, table: &mut Table, event: &Event, course: &Course) -> io::Result<bool> {
        match event {
            Event::Played { mover: Turn::Chance, token, .. } => match table.session().chance_message() {
                Some(message) => self.say(&format!("{message} ({token})"))?,
                None => self.say(&format!("Chance brings {token}."))?,
            },
            Event::Played { mover: Turn::Player(player), token, is_pass } => {
                let name = words::seat_text(table, *player);
                if *is_pass && table.seats()[player.index()].is_human() {
                    self.say(&format!("{name}, you have no move: you pass."))?;
                } else if *is_pass {
                    self.say(&format!("{name} has no move and passes."))?;
                } else {
                    self.say(&format!("{name} plays {token}"))?;
                }
                if course.shows_boards && !table.is_over() {
                    write!(self.out, "{}", table.session().diagram())?;
                }
            }
            Event::Thought => {}
            Event::TimeUp(player) => {
                let name = words::seat_text(table, *player);
                self.say(&format!("Time is up for {name}."))?;
            }
            Event::Failed(player) => return self.failed(table, *player),
        }
        Ok(true)
    }

    /// A bot has failed: a person may take its seat.
    fn failed(&mut self, table: &mut Table, player: Player) -> io::Result<bool> {
        let name = words::seat_text(table, player);
        let reason = table.failure().map_or("", |(_, reason)| reason).to_owned();
        if !table.has_people() {
            // Whoever called tells it; there is nobody to ask.
            return Ok(false);
        }
        self.say(&format!("{name} has failed: {reason}"))?;
        loop {
            let prompt = "Type retry to let it try again, mine to play on for it, or exit:";
            let Some(answer) = self.ask(prompt)? else { return Ok(false) };
            match answer.as_str() {
                "retry" => table.retry(),
                "mine" => table.take_over(player, self.home.person()),
                _ => {
                    self.refuse(&answer, "expected retry or mine")?;
                    continue;
                }
            }
            return Ok(true);
        }
    }

    /// Lets a person move.
    fn turn(&mut self, table: &mut Table, course: &mut Course) -> io::Result<Ended> {
        let beside = course.rival.as_ref().filter(|rival| rival.order == RaceOrder::Together);
        let boards = match beside {
            Some(rival) => beside_each_other(table, &rival.table),
            None => table.session().diagram(),
        };
        write!(self.out, "\n{boards}")?;
        let legal = table.session().legal();
        let person = table.person_to_move().unwrap_or(Player(0));
        let name = words::seat_text(table, person);
        let board = table.session().board();
        if let Some((progress, left)) = board.progress.as_ref().and_then(|progress| {
            progress.left().filter(|_| progress.is_pressing()).map(|left| (progress, left))
        }) {
            self.say(&format!("{}, {left} left before the game is a draw.", progress.text))?;
        }
        for threat in &board.threats {
            self.say(&threat.message.text)?;
        }
        if let Some(left) = table.time_left(person) {
            self.say(&format!("Time left: {}", crate::table::clock_text(left)))?;
        }
        self.say(&format!("{name}, it is your turn. Your moves:"))?;
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
                "board" => write!(self.out, "{}", table.session().diagram())?,
                "hint" => self.hint(table, course)?,
                "save" => self.save(table, rest.trim())?,
                "resign" => {
                    table.resign(person);
                    return Ok(Ended::Done);
                }
                "undo" => {
                    if table.take_back() {
                        self.say("Taken back.")?;
                        return Ok(Ended::Done);
                    }
                    self.say("There is nothing to take back.")?;
                }
                _ => {
                    let before = table.session().fork();
                    match table.play_typed(&answer) {
                        Ok(()) => {
                            let played = table.session().history().pop().unwrap_or_default();
                            self.praise(table, &*before, &played, course)?;
                            return Ok(Ended::Done);
                        }
                        Err(error) => self.refuse(&answer, &error.reason)?,
                    }
                }
            }
        }
    }

    fn save(&mut self, table: &Table, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return self.refuse("save", "expected the name of a file, such as save game.txt");
        }
        match table.save(Path::new(name)) {
            Ok(()) => self.say(&format!("Saved to {name}.")),
            Err(error) => self.say(&format!("The record could not be written to {name}: {error}.")),
        }
    }

    fn hint(&mut self, table: &Table, course: &mut Course) -> io::Result<()> {
        match advise(table, course, &*table.session().fork(), HINT_NODES) {
            Some(thought) => self.say(&format!(
                "You could play {} ({}).",
                thought.best,
                words::thought_text(
                    &Thought { elapsed: Duration::ZERO, ..thought.clone() },
                    table.seats().len()
                )
            )),
            None => self.say("Nobody has a hint for you here."),
        }
    }

    /// Now and then, a compliment.
    fn praise(
        &mut self,
        table: &Table,
        before: &dyn agon_registry::Session,
        played: &str,
        course: &mut Course,
    ) -> io::Result<()> {
        let person = self.home.person().to_owned();
        let person = if person == GUEST { "friend".to_owned() } else { person };
        if let Some(standing) = table.session().standing() {
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
        if advise(table, course, before, PRAISE_NODES).is_some_and(|thought| thought.best == played) {
            course.since_praise = 0;
            let number = table.session().history().len() as u64;
            self.say(&words::compliment(&person, number))?;
        }
        Ok(())
    }

    fn announce(&mut self, table: &Table, course: &mut Course) -> io::Result<()> {
        if let Some(place) = &mut course.place {
            place.forget();
            let _ = self.home.shelve(&table.record());
        }
        write!(self.out, "\n{}", table.session().diagram())?;
        let counts = words::counts_text(&**table.rules(), table.session());
        if !counts.is_empty() {
            self.say(&format!("Final count of {counts}."))?;
        }
        self.say(&words::result_text(table))?;
        // The same as records say it, for those who read by program.
        self.say(&format!("Result: {}", table.result()))?;
        let ranking = words::ranking_text(&**table.rules(), table.session());
        if !ranking.is_empty() {
            self.say(&format!("Ranking: {ranking}"))?;
        }
        if let Some(standing) = table.session().standing().filter(|_| table.has_people() && self.keeps) {
            let is_best = self.home.note_score(table.rules().spec().id, standing.score).unwrap_or(false);
            if is_best {
                self.say("That is your best score so far.")?;
            }
        }
        if let Some(rival) = &mut course.rival
            && self.pursue(rival, usize::MAX)? == Ended::Done
        {
            self.say(&rival.verdict(table))?;
        }
        Ok(())
    }
}

/// Why a contest could not be held.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The table cannot be laid.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Nobody listens any more.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// What our best bot would play in `session` after so many nodes.
fn advise(
    table: &Table,
    course: &mut Course,
    session: &dyn agon_registry::Session,
    nodes: u64,
) -> Option<Thought<String>> {
    let rules = Arc::clone(table.rules());
    if course.adviser.is_none() {
        course.adviser = player(&*rules, default_bot(&*rules), 0).ok();
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let budget = Budget { keeps_own_limits: false, ..Budget::new(limits) };
    course.adviser.as_mut()?.think(session, &budget, &mut |_| {}).ok()
}

/// Two boards beside each other, the person's first.
fn beside_each_other(mine: &Table, theirs: &Table) -> String {
    let (left, right) = (mine.session().diagram(), theirs.session().diagram());
    let width = left.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 3;
    let rows = left.lines().count().max(right.lines().count());
    let row = |index: usize| {
        let [left, right] = [&left, &right].map(|text| text.lines().nth(index).unwrap_or_default());
        format!("{left:<width$}{right}").trim_end().to_owned() + "\n"
    };
    (0..rows).map(row).collect()
}
