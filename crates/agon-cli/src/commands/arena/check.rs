//! `agon arena check`: whether a tournament file holds.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use agon_arena::tournament::{Forecast, Kind, Tournament};
use agon_core::text::counted;
use agon_match::TimeControl;
use agon_registry::GAMES;

use super::host;
use crate::programs;

/// From here on it is said how a round would be shorter.
const LONG: Duration = Duration::from_secs(12 * 3600);

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
            Kind::Person(TimeControl::None) => "a person at this terminal, without a clock".to_owned(),
            Kind::Person(time) => format!("a person at this terminal, with {time}"),
        };
        writeln!(out, "  {:<width$}  {plays}", player.name)?;
    }
    let jobs = host::usual_jobs(tournament);
    let forecasts = tournament.forecast();
    for (number, (round, forecast)) in (1..).zip(rounds.iter().zip(&forecasts)) {
        writeln!(
            out,
            "  round {number}: {} {}, {} per {}, {}, {}",
            round.rules.spec().id,
            round.rules.options(),
            round.time,
            if round.is_budget() { "game" } else { "move" },
            round.format.name(),
            counted(forecast.games, "game")
        )?;
        if rounds.len() > 1 {
            writeln!(out, "    {}", duration_of(std::slice::from_ref(forecast), jobs))?;
        }
    }
    let at_a_time =
        if jobs == 1 { "one game at a time".to_owned() } else { format!("{jobs} games at a time") };
    writeln!(out, "with {at_a_time}: {}", duration_of(&forecasts, jobs))?;
    let plies: Vec<String> = forecasts.iter().map(|forecast| forecast.plies.to_string()).collect();
    writeln!(
        out,
        "(at most: games of full length, all time used; likely: {} plies a game as between quick bots, half of the time used)",
        plies.join(", ")
    )?;
    for (number, (round, forecast)) in (1..).zip(rounds.iter().zip(&forecasts)) {
        if forecast.likely / jobs as u32 >= LONG {
            for (key, other) in tournament.shorter(round) {
                let (games, time) = (counted(other.games, "game"), duration_of(&[other], jobs));
                writeln!(out, "round {number} with {key}: {games}, {time}")?;
            }
        }
    }
    Ok(())
}

/// How long rounds take with so many games at a time.
fn duration_of(forecasts: &[Forecast], jobs: usize) -> String {
    let hours = |time: Duration| time_text(time.as_secs_f64() / jobs as f64);
    let likely = hours(forecasts.iter().map(|forecast| forecast.likely).sum());
    let at_most: Option<Duration> = forecasts.iter().map(|forecast| forecast.at_most).sum();
    match at_most {
        Some(most) => format!("at most {}, likely {likely}", hours(most)),
        None => format!("likely {likely}, and whatever people without a clock take"),
    }
}

/// A time for people, from seconds to days.
fn time_text(seconds: f64) -> String {
    let (hours, minutes) = (seconds / 3600.0, seconds / 60.0);
    if hours >= 10.0 {
        format!("{hours:.0} hours")
    } else if hours >= 1.5 {
        format!("{hours:.1} hours")
    } else if minutes >= 2.0 {
        format!("{minutes:.0} minutes")
    } else {
        format!("{seconds:.0} s")
    }
}
