//! Who plays for a setting: a bot of the house, or a program with its parameters.

use std::cell::{Ref, RefCell};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use agon_arena::program_keys::{self, Ask, DEFAULT_MEMORY, Program, ProgramKeys};
use agon_arena::reader::Section;
use agon_core::text::{duration, duration_text, or_list, quote};
use agon_erased::{BotSpec, Rules, nearest};
use agon_match::{Occupant, ProgramSpec, parameter_value};
use agon_protocol::parameters::{ParameterValues, Parameters, settle, value_text};

use crate::plan::StudyPlayer;

/// The times that a program may be given for a move.
const TIMES: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(60));
/// Parameters by which a program can be limited, if it has them.
const COUNTED_LIMITS: [&str; 2] = ["nodes", "depth"];

/// A player as a file names it.
#[derive(Clone, Debug)]
pub(crate) enum NamedPlayer {
    /// A bot of the house.
    Bot(BotSpec),
    /// Somebody's program.
    Program { keys: ProgramKeys, memory: u64, threads: u32, time: Option<Duration> },
}

impl NamedPlayer {
    /// Reads a specification: a bot, or a program in the short form `jsonl:CMD`, which stands at `span`.
    pub(crate) fn parse(text: &str, span: &Range<usize>) -> Result<Self, String> {
        match text.parse::<Occupant>().map_err(|error| error.to_string())? {
            Occupant::Bot(spec) => Ok(Self::Bot(spec)),
            Occupant::Program(spec) => {
                let keys = ProgramKeys::short(spec, span)?;
                Ok(Self::Program { keys, memory: DEFAULT_MEMORY, threads: 1, time: None })
            }
            Occupant::Person => Err("people do not take part in studies".to_owned()),
        }
    }

    /// Reads the table of a program.
    pub(crate) fn table(section: &Section) -> Option<Self> {
        if section.value("command").is_none() {
            section.doc.wrong(
                section.span(),
                "there is no command; expected command = [\"python3\", \"my_agent.py\"]",
            );
        }
        let keys = ProgramKeys::read(section);
        let memory = program_keys::memory(section).unwrap_or(DEFAULT_MEMORY);
        let threads = program_keys::threads(section).unwrap_or(1);
        let time = section.parsed("time", "200ms", time);
        section.close();
        Some(Self::Program { keys: keys?, memory, threads, time })
    }
}

/// A time per move.
fn time(text: &str) -> Result<Duration, String> {
    let (least, most) = TIMES;
    let time = duration(text)?;
    let fault = || {
        let (least, most) = (duration_text(least), duration_text(most));
        format!("{} is not a time per move from {least} to {most}", quote(text))
    };
    (least..=most).contains(&time).then_some(time).ok_or_else(fault)
}

/// The programs of a study, each of which is asked once for its parameters.
pub(crate) struct Programs<'a> {
    base: &'a Path,
    ask: &'a Ask<'a>,
    known: RefCell<Vec<KnownProgram>>,
}

struct KnownProgram {
    /// Without parameters.
    program: Program,
    declared: Parameters,
}

impl<'a> Programs<'a> {
    pub(crate) fn new(base: &'a Path, ask: &'a Ask<'a>) -> Self {
        Self { base, ask, known: RefCell::default() }
    }

    /// The folder that paths are relative to.
    pub(crate) fn base(&self) -> &'a Path {
        self.base
    }

    /// All programs, in the order in which they were found.
    pub(crate) fn into_list(self) -> Vec<Program> {
        self.known.into_inner().into_iter().map(|known| known.program).collect()
    }

    fn known(&self, index: usize) -> Ref<'_, KnownProgram> {
        Ref::map(self.known.borrow(), |known| &known[index])
    }

    /// Finds the player that a file names. What is wrong with it is noted in its section, at `place`.
    pub(crate) fn find(
        &self,
        named: &NamedPlayer,
        section: &Section,
        place: &Range<usize>,
        rules: &dyn Rules,
    ) -> Option<Player> {
        let (keys, memory, threads, time) = match named {
            NamedPlayer::Bot(spec) => return Some(Player::Bot(spec.clone())),
            NamedPlayer::Program { keys, memory, threads, time } => (keys.clone(), *memory, *threads, *time),
        };
        let mut program = keys.program(section, self.base, memory, threads)?;
        let parameters = std::mem::take(&mut program.spec.parameters);
        let found = self.known.borrow().iter().position(|known| known.program == program);
        let index = match found {
            Some(index) => index,
            None => {
                let declared = (self.ask)(rules, &program)
                    .map_err(|fault| {
                        section.doc.wrong(
                            place.clone(),
                            format!("the program cannot be asked for its parameters: {fault}"),
                        );
                    })
                    .ok()?;
                self.known.borrow_mut().push(KnownProgram { program, declared });
                self.known.borrow().len() - 1
            }
        };
        let settled = settle(&self.known(index).declared, &parameters);
        let parameters = settled
            .map_err(|fault| {
                // A table of parameters has a place for each of them.
                let table = section.table("parameters", "parameters");
                let place =
                    table.and_then(|table| table.place_of(&fault.name)).unwrap_or_else(|| place.clone());
                section.doc.wrong(place, fault.what);
            })
            .ok()?;
        Some(Player::Program(ProgramPlayer { index, parameters, time }))
    }

    /// The player as it takes part.
    pub(crate) fn player(&self, player: &ProgramPlayer) -> StudyPlayer {
        let spec = self.known(player.index).program.spec.clone();
        let spec = ProgramSpec { parameters: player.parameters.clone(), ..spec };
        StudyPlayer { plays: Occupant::Program(spec), program: Some(player.index), time: player.time }
    }

    /// What one of its parameters is set to, or by default; also its time, if no parameter is called so.
    fn value(&self, player: &ProgramPlayer, key: &str) -> Option<String> {
        let known = self.known(player.index);
        match known.declared.get(key) {
            Some(declared) => {
                let default = declared.default();
                Some(value_text(player.parameters.get(key).unwrap_or(&default)))
            }
            None if key == "time" => player.time.map(duration_text),
            None => None,
        }
    }

    /// Whether the program plays the same with a parameter set to a value.
    pub(crate) fn has(&self, player: &ProgramPlayer, key: &str, text: &str) -> bool {
        let meant = match self.known(player.index).declared.get(key) {
            Some(declared) => declared.settle(&parameter_value(text)).map(|value| value_text(&value)).ok(),
            None => time(text).map(duration_text).ok(),
        };
        meant.is_some() && meant == self.value(player, key)
    }

    /// The program with a parameter set, or its time.
    pub(crate) fn with(
        &self,
        mut player: ProgramPlayer,
        key: &str,
        text: &str,
    ) -> Result<ProgramPlayer, Misfit> {
        let known = self.known(player.index);
        match known.declared.get(key) {
            Some(declared) => {
                let value = declared.settle(&parameter_value(text)).map_err(Misfit::Value)?;
                player.parameters.insert(key.to_owned(), value);
            }
            None if key == "time" => player.time = Some(time(text).map_err(Misfit::Value)?),
            None => {
                let names = || known.declared.keys().map(String::as_str).chain(["time"]);
                let advice = match nearest(key, names()) {
                    Some(meant) => format!("did you mean {meant}?"),
                    None => format!("expected {}", or_list(names())),
                };
                let command = &known.program.spec.command;
                let what =
                    format!("the program {} has no parameter {}; {advice}", quote(command), quote(key));
                return Err(Misfit::Name(what));
            }
        }
        Ok(player)
    }

    /// Whether nothing limits how long the program thinks about a move.
    pub(crate) fn is_unlimited(&self, player: &ProgramPlayer) -> bool {
        let is_counted = |key: &&str| {
            let value = self.value(player, key).and_then(|value| value.parse::<f64>().ok());
            value.is_some_and(|number| number > 0.0)
        };
        player.time.is_none() && !COUNTED_LIMITS.iter().any(is_counted)
    }
}

/// What does not fit: the name of a parameter or its value, in words.
pub(crate) enum Misfit {
    Name(String),
    Value(String),
}

/// A player that was found.
#[derive(Clone, Debug)]
pub(crate) enum Player {
    Bot(BotSpec),
    Program(ProgramPlayer),
}

/// A program with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct ProgramPlayer {
    index: usize,
    parameters: ParameterValues,
    pub(crate) time: Option<Duration>,
}

impl Player {
    /// Whether a parameter is set, or a limit.
    pub(crate) fn sets(&self, key: &str) -> bool {
        match self {
            Self::Bot(spec) => spec.sets(key),
            Self::Program(program) => program.sets(key),
        }
    }
}

impl ProgramPlayer {
    pub(crate) fn sets(&self, key: &str) -> bool {
        self.parameters.contains_key(key) || (key == "time" && self.time.is_some())
    }
}
