//! The menu as a conversation: name, game, options, who plays, how well.

use std::io;
use std::sync::Arc;

use agon_erased::{BotSpec, GameEntry, Rules};
use agon_match::{BoardOrder, Occupant};

use super::{Dialogue, Ended, first_word};
use crate::driver::{MatchDriver, NewGame, seed_from_clock};
use crate::home::valid_name;
use crate::screens::{offered_bots, option_of};

/// How a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    AgainstComputer,
    Race(BoardOrder),
    Watch,
    People,
    Learn,
}

impl Dialogue<'_> {
    /// Asks what to do until the user leaves or the input ends.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn menu(&mut self) -> io::Result<()> {
        self.say("Agon: board games for people and machines.")?;
        self.say("Type exit at any prompt to leave.")?;
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
            let Some(answer) = self.ask_for("What is your name?")? else { return Ok(Ended::Left) };
            let Some(name) = valid_name(&answer) else {
                self.refuse(&answer, "expected a name")?;
                continue;
            };
            if self.home.set_name(&name).is_err() {
                self.say("The name could not be saved; it is used until you leave.")?;
            }
            self.say(&format!("Hello, {name}."))?;
            return Ok(Ended::Done);
        }
    }

    /// One game from the first question to the last word.
    fn round(&mut self) -> io::Result<Ended> {
        self.say("")?;
        let kept = if self.keeps { self.home.unfinished(self.games) } else { Vec::new() };
        let mut items: Vec<String> = self.games.iter().map(|entry| entry.spec.title().to_owned()).collect();
        items.extend(kept.iter().take(3).map(|kept| format!("Resume {}", kept.title(self.games))));
        let last = self.games.iter().position(|entry| Some(entry.spec.id) == self.home.last_game());
        let Some(chosen) = self.choose("Which game?", &items, last)? else { return Ok(Ended::Left) };
        let Some(entry) = self.games.iter().nth(chosen) else {
            return self.resume(&kept[chosen - self.games.iter().len()]);
        };
        // If it cannot be saved, it is merely asked for again.
        let _ = self.home.set_last_game(entry.spec.id);
        let Some(rules) = self.options(entry)? else { return Ok(Ended::Left) };
        let Some(way) = self.way(rules.seats().len())? else { return Ok(Ended::Left) };
        if way == Way::Learn {
            self.learn(entry)?;
            return Ok(Ended::Done);
        }
        let bot = if way == Way::People {
            Occupant::Person
        } else {
            let Some(bot) = self.level(&*rules)? else { return Ok(Ended::Left) };
            Occupant::Bot(bot)
        };
        let mut players = vec![bot.clone(); rules.seats().len()];
        if way == Way::AgainstComputer {
            let Some(side) = self.side(&*rules)? else { return Ok(Ended::Left) };
            players[side] = Occupant::Person;
        } else if matches!(way, Way::Race(_)) {
            players[0] = Occupant::Person;
        }
        let mut new = NewGame::new(rules, players, self.home.person(), seed_from_clock());
        let seats = &mut new.setup.boards[0].seats;
        if way == Way::People && seats.len() > 1 {
            for seat in seats {
                let prompt = format!("What is the name of {0}? Enter for {0}:", seat.name);
                let Some(answer) = self.ask(&prompt)? else { return Ok(Ended::Left) };
                seat.name = valid_name(&answer).unwrap_or_else(|| seat.name.clone());
            }
        }
        if let Way::Race(order) = way {
            new = new.against(bot, order);
        }
        match MatchDriver::start(new) {
            Ok(mut driver) if way == Way::Watch => self.watch(&mut driver),
            Ok(mut driver) => self.play(&mut driver),
            Err(error) => self.say(&error.to_string()).map(|()| Ended::Done),
        }
    }

    /// Asks for every option; an empty answer takes the default.
    fn options(&mut self, entry: &GameEntry) -> io::Result<Option<Arc<dyn Rules>>> {
        let mut pairs: Vec<String> = Vec::new();
        for option in entry.spec.options {
            let rules = entry.suggested_rules(&pairs.join(","));
            let default = rules.ok().and_then(|rules| option_of(&*rules, option.key));
            let Some(default) = default else { continue };
            loop {
                let prompt = format!(
                    "{}: {} ({}; Enter for {default}):",
                    entry.spec.option_title(option),
                    entry.spec.option_help(option),
                    option.kind.allowed(),
                );
                let Some(answer) = self.ask(&prompt)? else { return Ok(None) };
                let answer = first_word(&answer).to_owned();
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
        match entry.suggested_rules(&pairs.join(",")) {
            Ok(rules) => Ok(Some(rules)),
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
                (Way::Race(BoardOrder::InTurn), "The computer plays first, then you; the higher score wins"),
                (Way::Race(BoardOrder::Together), "You and the computer side by side; the higher score wins"),
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

    fn level(&mut self, rules: &dyn Rules) -> io::Result<Option<BotSpec>> {
        let bots = offered_bots(rules);
        let items: Vec<String> = bots.iter().map(|bot| format!("{:<16} {}", bot.name, bot.summary)).collect();
        let easy = bots.iter().position(|bot| bot.name == "easy");
        Ok(self.choose("Which level?", &items, easy)?.map(|index| BotSpec::named(bots[index].name)))
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
