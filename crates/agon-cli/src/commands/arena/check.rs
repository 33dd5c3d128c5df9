//! `agon arena check`: whether a tournament file holds.

use std::io::Write;
use std::path::PathBuf;

use agon_arena::tournament::{Kind, Tournament};
use agon_core::text::counted;
use agon_registry::GAMES;

use super::host;
use crate::programs;

/// `agon arena check`
#[derive(clap::Args)]
pub(super) struct Args {
    /// The tournament file
    file: PathBuf,
    /// Also refuse what `agon arena run --strict` refuses
    #[arg(long)]
    strict: bool,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let tournament = Tournament::read_asking(GAMES, &self.file, &programs::ask)?;
        host::refuse_or_warn(&tournament, self.strict)?;
        write_plan(&tournament, out)
    }
}

/// Says what would be played.
fn write_plan(tournament: &Tournament, out: &mut impl Write) -> anyhow::Result<()> {
    let Tournament { name, players, rounds, seed, .. } = tournament;
    writeln!(
        out,
        "{name}: {}, {}, {}, seed {seed}",
        counted(players.len(), "player"),
        counted(rounds.len(), "round"),
        counted(tournament.planned_games().iter().sum(), "game")
    )?;
    let width = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
    for player in players {
        let plays = match &player.kind {
            Kind::Bot(spec) => format!("bot {spec}"),
            Kind::Program(program) => program.spec.to_string(),
            Kind::Person => "a person at this terminal".to_owned(),
        };
        writeln!(out, "  {:<width$}  {plays}", player.name)?;
    }
    for (number, (round, games)) in (1..).zip(rounds.iter().zip(tournament.planned_games())) {
        writeln!(
            out,
            "  round {number}: {} {}, {} per {}, {}, {}",
            round.rules.spec().id,
            round.rules.options(),
            round.time,
            if round.is_budget() { "game" } else { "move" },
            round.format.name(),
            counted(games, "game")
        )?;
    }
    Ok(())
}
