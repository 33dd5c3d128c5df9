//! What `run` and `resume` share: the conditions on this machine, and the run itself.

use std::io::{self, Write};
use std::sync::Arc;

use agon_arena::experiment::{Host, RunEnd};
use agon_arena::report::table_text;
use agon_arena::tournament::{Kind, Participant, Store, Tournament, TournamentHost};
use agon_erased::{Bot, SystemClock};
use agon_players::external::{Launcher, OwnGroup};
use agon_sandbox::Capabilities;
use anyhow::Context;

use super::person::Person;
use crate::live::Live;
use crate::programs;
use crate::progress;
use crate::screen_args::Signalled;

/// How a tournament is run.
#[derive(clap::Args)]
pub(super) struct Conditions {
    /// Games played in parallel [default: the number of cores divided by those that a game needs: one for bots, one per thread for programs]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Refuse to run programs unless this machine can enforce every limit
    #[arg(long)]
    strict: bool,
    /// Stop at once when standard input closes: for programs that run tournaments and must not leave any behind
    #[arg(long)]
    stop_on_eof: bool,
    /// Print the results as JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// What a tournament needs from this machine.
pub(super) struct Prepared {
    launchers: Vec<Arc<dyn Launcher>>,
    notes: Vec<String>,
    jobs: usize,
}

impl Conditions {
    /// Finds out what this machine can do, and warns of what it cannot.
    pub(super) fn prepare(&self, tournament: &Tournament) -> anyhow::Result<Prepared> {
        if self.stop_on_eof && tournament.has_people() {
            anyhow::bail!("people need standard input: --stop-on-eof cannot be used with them");
        }
        let notes = refuse_or_warn(tournament, self.strict)?;
        let launchers = tournament.players.iter().map(|player| self.launcher(player));
        let launchers = launchers.collect::<anyhow::Result<_>>()?;
        Ok(Prepared { launchers, notes, jobs: self.jobs(tournament) })
    }

    /// What starts the program of a player, if it is one: a sandbox with the limits of the file.
    fn launcher(&self, player: &Participant) -> anyhow::Result<Arc<dyn Launcher>> {
        let Kind::Program(program) = &player.kind else { return Ok(Arc::new(OwnGroup)) };
        let sandbox = programs::sandbox(program)
            .with_context(|| format!("the agent of {} cannot be run", player.name))?;
        Ok(Arc::new(if self.strict { sandbox.strict() } else { sandbox }))
    }

    fn jobs(&self, tournament: &Tournament) -> usize {
        // People cannot be asked about two games at once.
        if tournament.has_people() {
            return 1;
        }
        let (cores, per_game) = (cores(), tournament.cores_per_game());
        let jobs = self.jobs.map_or_else(|| usual_jobs(tournament), usize::from);
        if jobs > 1 && jobs * per_game > cores {
            let busy = jobs * per_game;
            warn(&format!(
                "{jobs} parallel games may keep {busy} cores busy, and there are {cores}: moves may be late that would not be on a quieter machine"
            ));
        }
        jobs
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many games are played at a time if nobody says otherwise.
pub(super) fn usual_jobs(tournament: &Tournament) -> usize {
    if tournament.has_people() { 1 } else { (cores() / tournament.cores_per_game()).max(1) }
}

fn warn(what: &str) {
    let _ = writeln!(io::stderr(), "warning: {what}");
}

/// Says what could make a tournament unfair, and refuses it if that is asked for.
pub(super) fn refuse_or_warn(tournament: &Tournament, strict: bool) -> anyhow::Result<Vec<String>> {
    let mut faults = tournament.shared_folders();
    if tournament.players.iter().any(|player| matches!(player.kind, Kind::Program { .. })) {
        faults.extend(unenforced());
    }
    if strict && !faults.is_empty() {
        anyhow::bail!("refused because of --strict:\n  {}", faults.join("\n  "));
    }
    faults.iter().for_each(|fault| warn(fault));
    Ok(faults)
}

/// The limits that this machine cannot enforce, or only by looking now and then.
fn unenforced() -> Vec<String> {
    Capabilities::detect().doubts().into_iter().map(str::to_owned).collect()
}

/// Plays the tournament and prints its table.
pub(super) fn play(
    tournament: &Tournament,
    store: &Store,
    prepared: Prepared,
    conditions: &Conditions,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let stops = progress::stops()?;
    if conditions.stop_on_eof {
        progress::stop_on_eof(&stops);
    }
    let person = |name: &str, line| Box::new(Person::new(name, line)) as Box<dyn Bot>;
    let Prepared { launchers, notes, jobs } = prepared;
    let host = Host { jobs, clock: Arc::new(SystemClock::default()), stops };
    let host = TournamentHost { host, launchers, person: &person, notes };
    // People need the terminal for their own board.
    let mut live = Live::new(tournament.has_people());
    let run = tournament.run(store, &host, &mut |progress| live.show(progress));
    drop(live);
    let (end, results) = run?;
    let dir = store.dir().display();
    if conditions.json {
        out.write_all(&std::fs::read(store.dir().join("results.json"))?)?;
    } else {
        write!(out, "{}", table_text(&results))?;
    }
    match end {
        RunEnd::Finished => {
            let _ = writeln!(io::stderr(), "Results and games are in {dir}");
            Ok(())
        }
        RunEnd::Stopped => {
            let _ = writeln!(io::stderr(), "Stopped. Continue with: agon arena resume {dir}");
            Err(Signalled(2).into())
        }
    }
}
