//! `agon train 2048`: lets a network learn 2048 and writes what it has learnt.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use agon_core::text::{duration, duration_text};
use agon_train::game2048::{Course, Learner, Progress, Settings, train};
use anyhow::Context;

/// `agon train 2048`
#[derive(clap::Args)]
#[command(after_help = "Example:
  agon train 2048 --time 60m --out 2048.bin --checkpoint 2048.checkpoint

Stopped and called again with the same checkpoint, training goes on from there.")]
pub(super) struct Args {
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Stop after so many games, those before a checkpoint included
    #[arg(long, value_name = "N", required_unless_present = "time")]
    games: Option<u64>,
    /// Stop after so long, such as 90s or 60m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Keep all that the learner knows in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often the checkpoint is written
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    checkpoint_every: Duration,
    /// How often progress is told
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    report_every: Duration,
    /// What a board that was never tried is thought to be worth, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    optimism: f32,
    /// Do not play the second halves of games again
    #[arg(long)]
    no_restarts: bool,
    /// Let untried entries with large tiles borrow from tried ones every so many games; 0 for never
    #[arg(long, value_name = "N", default_value_t = 2000)]
    promote_every: u64,
    /// What weights are rounded to in the file, in points
    #[arg(long, value_name = "POINTS", default_value_t = 8.0)]
    step: f32,
    /// Fixes all randomness
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        anyhow::ensure!(self.step > 0.0 && self.step.is_finite(), "--step must be a number above 0");
        anyhow::ensure!(self.optimism.is_finite(), "--optimism must be a number");
        let settings = Settings {
            seed: self.seed,
            optimism: self.optimism,
            restarts: !self.no_restarts,
            promote_every: self.promote_every,
        };
        let mut learner = match &self.checkpoint {
            Some(path) if path.exists() => Learner::load(settings, path)?,
            _ => Learner::new(settings),
        };
        let course = Course {
            games: self.games,
            time: self.time,
            checkpoint: self.checkpoint.clone().map(|path| (path, self.checkpoint_every)),
            report_every: self.report_every,
        };
        writeln!(
            out,
            "{:>8} {:>9} {:>7} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6}",
            "time", "games", "Mmoves", "mean", "2048", "4096", "8192", "16384", "32768", "moves/s", "left"
        )?;
        out.flush()?;
        let mut written = Ok(());
        train(&mut learner, &course, |progress| {
            let line = tell(progress, out);
            written = std::mem::replace(&mut written, Ok(())).and(line);
        })?;
        written?;
        let file = learner.weights_file(self.step)?;
        fs::write(&self.out, &file).with_context(|| format!("{} cannot be written", self.out.display()))?;
        writeln!(out, "{} bytes in {}", file.len(), self.out.display())?;
        Ok(())
    }
}

fn tell(progress: &Progress, out: &mut impl Write) -> io::Result<()> {
    let whole_seconds = |time: Duration| duration_text(Duration::from_secs(time.as_secs()));
    write!(
        out,
        "{:>8} {:>9} {:>7.1} {:>8.0}",
        whole_seconds(progress.elapsed),
        progress.games,
        progress.moves as f64 / 1e6,
        progress.mean
    )?;
    for share in progress.reached {
        write!(out, " {:>5.1}%", 100.0 * share)?;
    }
    let left = progress.left.map_or_else(|| "-".to_owned(), whole_seconds);
    writeln!(out, " {:>9.0} {left:>6}", progress.speed)?;
    out.flush()
}
