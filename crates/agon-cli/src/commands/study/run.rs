//! `agon study run`: a study from its file to its report.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_arena::ProcessorClock;
use agon_arena::experiment::{Host, RunEnd};
use agon_arena::program_keys::Program;
use agon_erased::SystemClock;
use agon_players::external::Launcher;
use agon_registry::GAMES;
use agon_sandbox::Capabilities;
use agon_study::library::ReadyMade;
use agon_study::{Means, Store, Study, report};
use anyhow::Context;

use crate::live::Live;
use crate::programs;
use crate::progress;
use crate::screen_args::Signalled;

/// `agon study run`
#[derive(clap::Args)]
#[command(
    after_help = "Every comparison is a match of pairs of games, the same openings for all. What a setting is worth over all circumstances comes first; \
a setting is played no further once that and every circumstance is clear. All claims of a study together are wrong with a probability of \
at most 5%. Before the first game it is said what so many games can show. Ctrl-C lets the running games end and stops; \
a second Ctrl-C stops at once. The same command continues a study that was stopped, and plays nothing twice.

The directory gets report.html, summary.txt, effects.csv, comparisons.csv, depths.csv, results.json and plots/*.png.

Examples:
  agon study run loa-extensions --quick --out extensions
  agon study run my-study.toml --out results --jobs 2"
)]
pub(super) struct Args {
    /// A study file, or the name of a ready-made study (see `agon study list`)
    #[arg(value_name = "FILE|NAME")]
    study: String,
    /// Directory for games and reports: a new one, or that of the same study begun before
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Run the quick version: fewer games, and fixed nodes instead of time
    #[arg(long)]
    quick: bool,
    /// Games played in parallel [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Print the results as JSON instead of a summary
    #[arg(long)]
    json: bool,
}

/// What starts each program of a study: a sandbox, as in tournaments.
pub(super) fn launchers(study: &Study) -> anyhow::Result<Vec<Arc<dyn Launcher>>> {
    if !study.programs.is_empty() {
        for missing in Capabilities::detect().missing() {
            let _ = writeln!(io::stderr(), "warning: {missing}");
        }
    }
    let launcher = |program: &Program| -> anyhow::Result<Arc<dyn Launcher>> {
        let sandbox = programs::sandbox(program);
        Ok(Arc::new(sandbox.with_context(|| format!("{} cannot be run", program.spec.command))?))
    };
    study.programs.iter().map(launcher).collect()
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (study, text) = self.read()?;
        let launchers = launchers(&study)?;
        let store = Store::open(&self.out, &text, self.quick)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or_else(|| study.usual_jobs(cores), usize::from);
        if jobs > cores && !self.quick {
            let _ = writeln!(
                io::stderr(),
                "warning: {jobs} parallel games on {cores} cores: bots limited by time get less of it"
            );
        }
        let host = Host { jobs, clock: Arc::new(SystemClock::default()), stops: progress::stops()? };
        if !self.json {
            let _ = writeln!(io::stderr(), "{}", study.promise());
        }
        let mut live = Live::new(false);
        let means = Means { launchers: &launchers, clock: Arc::new(ProcessorClock::default()) };
        let run = study.run(&store, &host, &means, &mut |progress| live.show(progress));
        drop(live);
        let (end, results) = run?;
        if self.json {
            out.write_all(report::json(&results)?.as_bytes())?;
        } else {
            write!(out, "{}\n{}", report::summary(&results), report::table(&results))?;
        }
        let dir = store.dir().display();
        match end {
            RunEnd::Finished => {
                let _ = writeln!(io::stderr(), "The report is {dir}/report.html");
                Ok(())
            }
            RunEnd::Stopped => {
                let _ = writeln!(io::stderr(), "Stopped. The same command continues it.");
                Err(Signalled(2).into())
            }
        }
    }

    /// The study and the text of its file.
    fn read(&self) -> anyhow::Result<(Study, String)> {
        let path = Path::new(&self.study);
        // A folder is what `--out` has made of a ready-made study, which is meant by the same name again.
        if path.is_file() || self.study.ends_with(".toml") {
            return Ok(Study::read(GAMES, path, self.quick, &programs::ask)?);
        }
        let ready_made = ReadyMade::find(&self.study).map_err(anyhow::Error::msg)?;
        Ok((ready_made.study(GAMES, self.quick)?, ready_made.text.to_owned()))
    }
}
