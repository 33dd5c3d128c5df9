//! The menu as a conversation: name, game, options, who plays, how well.

use std::io;

use agon_registry::{GAMES, GameEntry, Rules};

use super::game::ContestError;
use super::{Dialogue, Ended};
use crate::home::valid_name;
use crate::screens::{offered_bots, seed_from_clock};
use crate::table::{HUMAN, RaceOrder, Setup, Table, TimeControl};

/// How a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    AgainstComputer,
    Race(RaceOrder),
    Watch,
    People,
    Learn,
}

impl Dialogue<'_> {
    /// Asks what to do until the user leaves or the input ends.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub fn menu(&mut self) -> io::Result<()> {
        self.say("Agon: board games for people and machines.")?;
        self.say("Every prompt takes exit or EXIT to leave.")?;
        if self.greet()? == Ended::Done {
            while self.round()? == Ended::Done {}
        }
        self.farewell()
    }

    fn greet(&mut self) -> io::Result<Ended> {
        if let Some(name) = self.home.name().map(str::to_owned) {
            self.say(&format!("Hello, {name}."))?;
            return Ok(Ended::Done);
        }
        loop {
            let Some(answer) = self.ask("What is your name?")? else { return Ok(Ended::Left) };
            let Some(name) = valid_name(&answer) else {
                self.refuse(&answer, "expected a name")?;
                continue;
            };
            if self.home.set_name(&name).is_err() {
                self.say("The name cannot be kept on disk; it holds until you leave.")?;
            }
            self.say(&format!("Hello, {name}."))?;
            return Ok(Ended::Done);
        }
    }

    /// One game from the first question to the last word.
    fn round(&mut self) -> io::Result<Ended> {
        self.say("")?;
        let kept = if self.keeps { self.home.unfinished() } else { Vec::new() };
        let mut items: Vec<String> = GAMES.iter().map(|entry| entry.spec.title.to_owned()).collect();
        items.extend(kept.iter().take(3).map(|kept| format!("Resume {}", kept.title())));
        let Some(chosen) = self.choose("Which game?", &items, None)? else { return Ok(Ended::Left) };
        if let Some(kept) = chosen.checked_sub(GAMES.len()).and_then(|index| kept.get(index)) {
            return self.resume(kept);
        }
        let entry = &GAMES[chosen];
        let Some((options, rules)) = self.options(entry)? else { return Ok(Ended::Left) };
        let Some(way) = self.way(rules.seats().len())? else { return Ok(Ended::Left) };
        if way == Way::Learn {
            self.learn(entry)?;
            return Ok(Ended::Done);
        }
        let needs_bot = way != Way::People;
        let bot = match needs_bot.then(|| self.level(&*rules)) {
            None => None,
            Some(answer) => match answer? {
                Some(bot) => Some(bot),
                None => return Ok(Ended::Left),
            },
        };
        let bot = bot.unwrap_or_else(|| HUMAN.to_owned());
        let mut seats = vec![bot.clone(); rules.seats().len()];
        if way == Way::AgainstComputer {
            let Some(side) = self.side(&*rules)? else { return Ok(Ended::Left) };
            HUMAN.clone_into(&mut seats[side]);
        } else if matches!(way, Way::Race(_)) {
            HUMAN.clone_into(&mut seats[0]);
        }
        let setup = Setup {
            game: entry.spec.id.to_owned(),
            options,
            position: None,
            moves: Vec::new(),
            seats,
            person: self.home.person().to_owned(),
            clock: TimeControl::None,
            seed: seed_from_clock(),
        };
        self.start(&setup, way, &bot)
    }

    fn start(&mut self, setup: &Setup, way: Way, bot: &str) -> io::Result<Ended> {
        if let Way::Race(order) = way {
            return match self.contest(setup, bot, order) {
                Ok(ended) => Ok(ended),
                Err(ContestError::Output(error)) => Err(error),
                Err(ContestError::Setup(error)) => self.say(&error.to_string()).map(|()| Ended::Done),
            };
        }
        match Table::new(setup) {
            Ok(mut table) if way == Way::Watch => self.watch(&mut table),
            Ok(mut table) => self.play(&mut table),
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }

    /// Asks for every option; an empty answer takes the default.
    fn options(&mut self, entry: &GameEntry) -> io::Result<Option<(String, std::sync::Arc<dyn Rules>)>> {
        let mut pairs: Vec<String> = Vec::new();
        for option in entry.spec.options {
            loop {
                let prompt = format!(
                    "{}: {} ({}; Enter for {}):",
                    option.key,
                    option.help,
                    option.kind.allowed(),
                    option.default
                );
                let Some(answer) = self.ask(&prompt)? else { return Ok(None) };
                if answer.is_empty() {
                    break;
                }
                let mut tried = pairs.clone();
                tried.push(format!("{}={answer}", option.key));
                match entry.rules(&tried.join(",")) {
                    Ok(_) => {
                        pairs = tried;
                        break;
                    }
                    Err(error) => self.refuse(&answer, &error.to_string())?,
                }
            }
        }
        let options = pairs.join(",");
        match entry.rules(&options) {
            Ok(rules) => Ok(Some((options, rules))),
            Err(error) => {
                // Each held with those before it, so all do.
                self.say(&error.to_string())?;
                Ok(None)
            }
        }
    }

    fn way(&mut self, seats: usize) -> io::Result<Option<Way>> {
        let ways: &[(Way, &str)] = if seats == 1 {
            &[
                (Way::People, "You play"),
                (
                    Way::Race(RaceOrder::ComputerFirst),
                    "The computer plays first, then you; the higher score wins",
                ),
                (Way::Race(RaceOrder::Together), "You and the computer side by side; the higher score wins"),
                (Way::Watch, "The computer plays while you watch"),
                (Way::Learn, "Learn the rules"),
            ]
        } else {
            &[
                (Way::AgainstComputer, "You against the computer"),
                (Way::Watch, "The computer against itself while you watch"),
                (Way::People, "People at one screen"),
                (Way::Learn, "Learn the rules"),
            ]
        };
        let items: Vec<String> = ways.iter().map(|(_, label)| (*label).to_owned()).collect();
        Ok(self.choose("Who plays?", &items, Some(0))?.map(|index| ways[index].0))
    }

    fn level(&mut self, rules: &dyn Rules) -> io::Result<Option<String>> {
        let bots = offered_bots(rules);
        let items: Vec<String> = bots.iter().map(|bot| format!("{:<16} {}", bot.name, bot.summary)).collect();
        let easy = bots.iter().position(|bot| bot.name == "easy");
        Ok(self.choose("Which level?", &items, easy)?.map(|index| bots[index].name.to_owned()))
    }

    fn side(&mut self, rules: &dyn Rules) -> io::Result<Option<usize>> {
        let items: Vec<String> = rules
            .titles()
            .into_iter()
            .enumerate()
            .map(|(index, title)| if index == 0 { format!("{title}, who begins") } else { title })
            .collect();
        self.choose("Which side is yours?", &items, Some(0))
    }
}
