//! Weights from files, in bot specifications on the command line and nowhere else: once read here, a specification holds the weights themselves, so
//! that servers, tournament files and records never name a file.

use agon_erased::{BotSpec, Rules};
use agon_match::Occupant;
use agon_tune::WeightFile;

/// The bot that `text` specifies, with the weights of the file that it names, if any.
pub(crate) fn bot(text: &str, rules: &dyn Rules) -> anyhow::Result<BotSpec> {
    Ok(WeightFile::resolve(&text.parse()?, rules)?)
}

/// The same for whoever may play a seat.
pub(crate) fn occupant(occupant: Occupant, rules: &dyn Rules) -> anyhow::Result<Occupant> {
    Ok(match occupant {
        Occupant::Bot(spec) => Occupant::Bot(WeightFile::resolve(&spec, rules)?),
        Occupant::Person | Occupant::Program(_) => occupant,
    })
}
