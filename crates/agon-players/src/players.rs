//! Players by specification: bots of the house, and other people's programs.

use agon_erased::{Bot, Rules, SpecificationError};
use agon_match::Occupant;

use crate::external::{self, Hosting};

/// The bot that plays for `occupant`, its randomness fixed by `seed`; programs are run as processes of this machine.
///
/// # Errors
/// If there is no such player. Nobody plays for a person.
pub fn player(rules: &dyn Rules, occupant: &Occupant, seed: u64) -> Result<Box<dyn Bot>, SpecificationError> {
    hosted_player(rules, occupant, seed, &Hosting::default())
}

/// The same, with programs run as `hosting` says.
///
/// # Errors
/// If there is no such player. Nobody plays for a person.
pub fn hosted_player(
    rules: &dyn Rules,
    occupant: &Occupant,
    seed: u64,
    hosting: &Hosting,
) -> Result<Box<dyn Bot>, SpecificationError> {
    match occupant {
        Occupant::Bot(spec) => rules.bot(spec, seed),
        Occupant::Program(program) => external::program(rules, program, hosting.clone()),
        Occupant::Person => {
            let fault = "a person cannot play here".to_owned();
            Err(SpecificationError::Program { name: occupant.to_string(), fault })
        }
    }
}
