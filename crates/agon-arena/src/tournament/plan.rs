//! What a tournament consists of, once its file has been read.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_erased::{BotSpec, Rules};
use agon_match::{Fault, TimeControl};

use super::pairing::planned_games;
use crate::authors::Author;
use crate::openings::Openings;
use crate::program_keys::Program;
use crate::results::{self, Points};
use crate::statistics::Sprt;

/// A tournament.
#[derive(Clone)]
pub struct Tournament {
    /// What it is called.
    pub name: String,
    /// Fixes openings, luck and the randomness of the bots.
    pub seed: u64,
    /// What printing costs.
    pub printing: PrintingRule,
    /// What breaking a limit costs.
    pub offences: OffenceRule,
    /// What it costs to be late while the machine is overloaded.
    pub late: LateRule,
    /// What a game is worth.
    pub points: Points,
    /// Who takes part.
    pub players: Vec<Participant>,
    /// What is played.
    pub rounds: Vec<Round>,
}

/// What it costs an agent to print what the protocol does not allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrintingRule {
    /// Nothing; it is counted.
    Warn,
    /// The game.
    #[default]
    Loss,
    /// The game and all that remain.
    Disqualify,
}

/// What it costs an agent to be late while the machine is overloaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LateRule {
    /// The game, as ever.
    #[default]
    Loss,
    /// Nothing: the game is played again.
    Replay,
}

/// What it costs an agent to break its limits of memory, threads, network, files or interrupts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffenceRule {
    /// The game.
    Loss,
    /// The game and all that remain.
    #[default]
    Disqualify,
}

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Participant {
    /// A unique name.
    pub name: String,
    /// Who plays.
    pub kind: Kind,
    /// Who has written it, for grades alone.
    pub authors: Vec<Author>,
}

/// Who plays.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A bot of the house.
    Bot(BotSpec),
    /// Somebody's program.
    Program(Program),
    /// A person at the terminal, with a clock or without.
    Person(TimeControl),
}

impl Participant {
    /// What results call it, and what it plays by.
    pub(crate) fn described(&self) -> results::Player {
        let (kind, plays) = match &self.kind {
            Kind::Bot(spec) => ("bot", spec.to_string()),
            Kind::Program(Program { spec, command, .. }) => {
                let plays = if spec.parameters.is_empty() { spec.command.clone() } else { spec.to_string() };
                (interpreter(&command.program).unwrap_or_else(|| spec.language.name()), plays)
            }
            Kind::Person(_) => ("person", "human".to_owned()),
        };
        let authors = self.authors.clone();
        results::Player { name: self.name.clone(), kind: kind.to_owned(), plays, authors }
    }

    /// Whether a person plays.
    pub fn is_person(&self) -> bool {
        matches!(self.kind, Kind::Person(_))
    }
}

/// What a program is written in, if that is to be seen from the interpreter that runs it.
fn interpreter(program: &Path) -> Option<&'static str> {
    let name =
        program.file_name()?.to_str()?.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    ["python", "java", "node", "ruby", "lua", "perl"].into_iter().find(|known| *known == name)
}

/// What is played, by which rules and in which format.
#[derive(Clone)]
pub struct Round {
    /// The rules of the game.
    pub rules: Arc<dyn Rules>,
    /// Time for moves.
    pub time: TimeControl,
    /// Time to get ready.
    pub setup: Duration,
    /// Who meets whom.
    pub format: Format,
    /// How often all of it is played.
    pub repetitions: usize,
    /// Where games begin.
    pub openings: Openings,
    /// How seats are shared out in games of three or more.
    pub seatings: Seatings,
    /// After so many plies a game is a draw.
    pub max_plies: usize,
}

impl Round {
    /// Whether players have a budget for the whole game.
    pub fn is_budget(&self) -> bool {
        matches!(self.time, TimeControl::Game { .. })
    }
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// Players with equal points meet, for so many turns.
    Swiss {
        /// How many.
        turns: usize,
    },
    /// One meets all others.
    Gauntlet {
        /// Who, by index.
        challenger: usize,
        /// Ends the round as soon as this test is decided.
        sprt: Option<Sprt>,
    },
    /// Losers leave; the last one standing wins.
    KnockOut,
    /// Everybody meets everybody of a group; the first of each group play on.
    Groups {
        /// How many groups.
        groups: usize,
        /// How many of each group play on.
        qualify: usize,
        /// How they do.
        finals: Finals,
    },
}

/// What is played after the groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finals {
    /// Losers leave.
    #[default]
    KnockOut,
    /// Everybody meets everybody.
    RoundRobin,
}

impl Format {
    /// The name that files give it.
    pub fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Swiss { .. } => "swiss",
            Self::Gauntlet { .. } => "gauntlet",
            Self::KnockOut => "knock-out",
            Self::Groups { .. } => "groups",
        }
    }
}

/// How seats are shared out in games of three or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seatings {
    /// Everybody has every seat once: one game for each rotation.
    #[default]
    Rotations,
    /// One game for each order of the players.
    All,
}

impl fmt::Debug for Tournament {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut debug = formatter.debug_struct("Tournament");
        debug.field("name", &self.name).field("players", &self.players).finish_non_exhaustive()
    }
}

impl Tournament {
    /// Whether a player who has lost by this fault is disqualified.
    pub(crate) fn disqualifies(&self, fault: Fault) -> bool {
        match fault {
            Fault::Printing => self.printing == PrintingRule::Disqualify,
            Fault::Memory | Fault::Threads | Fault::Network | Fault::Files | Fault::Interrupts => {
                self.offences == OffenceRule::Disqualify
            }
            _ => false,
        }
    }

    /// How many games each round has, as far as that is known before it starts.
    pub fn planned_games(&self) -> Vec<usize> {
        self.rounds.iter().map(|round| planned_games(round, self.players.len())).collect()
    }

    /// Whether people take part.
    pub fn has_people(&self) -> bool {
        self.players.iter().any(Participant::is_person)
    }

    /// How many cores the largest game keeps busy: one for each side that may be thinking at the same time. Built-in bots think
    /// only when it is their turn, so a game between them needs as many as the threads that one of them searches in; a program may think at
    /// any time. The thread limit
    /// says nothing about this: most threads of a Java program, for example, are idle.
    pub fn cores_per_game(&self) -> usize {
        let seats = self.rounds.iter().map(|round| round.rules.seats().len().max(2)).max().unwrap_or(2);
        let programs =
            self.players.iter().filter(|player| matches!(player.kind, Kind::Program { .. })).count();
        let threads = self.players.iter().map(|player| match &player.kind {
            Kind::Bot(spec) => spec.threads(),
            Kind::Program(_) | Kind::Person(_) => 1,
        });
        // While a bot thinks, the programs of the other seats may, too.
        programs.clamp(1, seats).max(threads.max().unwrap_or(1))
    }

    /// Players whose agents can read each other's files because they share a folder, or one's folder holds another's: a sentence
    /// for each pair.
    pub fn shared_folders(&self) -> Vec<String> {
        let folder = |player: &'_ Participant| match &player.kind {
            Kind::Program(Program { folder: Some(folder), .. }) => {
                Some((player.name.clone(), folder.clone()))
            }
            _ => None,
        };
        let folders: Vec<(String, PathBuf)> = self.players.iter().filter_map(folder).collect();
        let mut found = Vec::new();
        for (index, (name, folder)) in folders.iter().enumerate() {
            for (other, others) in &folders[index + 1..] {
                if folder == others {
                    found.push(format!(
                        "{name} and {other} share the folder {} and can read each other's files",
                        folder.display()
                    ));
                } else if folder.starts_with(others) || others.starts_with(folder) {
                    let (outer, inner) =
                        if folder.starts_with(others) { (other, name) } else { (name, other) };
                    found.push(format!(
                        "{outer} can read the files of {inner}, whose folder is inside its own"
                    ));
                }
            }
        }
        found
    }
}
