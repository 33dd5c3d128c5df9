//! `agon train 2048`: lets a network learn 2048 and writes what it has learnt.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_core::text::{counted, duration, duration_text};
use agon_train::game2048::{Learner, Settings, TrainingPlan, TrainingProgress, train};
use anyhow::Context;

use crate::progress;

/// `agon train 2048`
#[derive(clap::Args)]
#[command(
    after_help = "Ctrl-C stops training after the current game and saves the weights and a checkpoint. Run again with the \
same checkpoint, training continues from there.

Example:
  agon train 2048 --time 60m --out 2048.bin --checkpoint 2048.checkpoint"
)]
pub(super) struct Args {
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Stop after N games, including those before a checkpoint
    #[arg(long, value_name = "N", required_unless_present = "time")]
    games: Option<u64>,
    /// Stop after this time, e.g. 90s or 60m
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    /// Save the state of the training in this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often to write the checkpoint
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5m")]
    checkpoint_every: Duration,
    /// How often to report progress
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    report_every: Duration,
    /// Initial value of a board that has never been seen, in points
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    optimism: f32,
    /// Do not replay the second halves of games
    #[arg(long)]
    no_restarts: bool,
    /// Every N games, let entries for large tiles that were never trained copy from trained ones; 0 turns this off
    #[arg(long, value_name = "N", default_value_t = 2000)]
    promote_every: u64,
    /// Round weights in the file to multiples of this, in points
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
        let plan = TrainingPlan {
            games: self.games,
            time: self.time,
            checkpoint: self.checkpoint.clone().map(|path| (path, self.checkpoint_every)),
            report_every: self.report_every,
            stop: progress::interrupt()?,
        };
        writeln!(
            out,
            "{:>8} {:>9} {:>7} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6}",
            "time", "games", "Mmoves", "mean", "2048", "4096", "8192", "16384", "32768", "moves/s", "left"
        )?;
        out.flush()?;
        let mut written = Ok(());
        train(&mut learner, &plan, |progress| {
            let line = tell(progress, out);
            written = std::mem::replace(&mut written, Ok(())).and(line);
        })?;
        written?;
        let file = learner.weights_file(self.step)?;
        fs::write(&self.out, &file).with_context(|| format!("{} cannot be written", self.out.display()))?;
        writeln!(out, "Wrote {} bytes to {}", file.len(), self.out.display())?;
        if plan.stop.load(Ordering::Relaxed) {
            self.say_how_to_continue(&learner, out)?;
        }
        Ok(())
    }

    /// Keeps the learner of an interrupted training, also if no checkpoint was asked for.
    fn say_how_to_continue(&self, learner: &Learner, out: &mut impl Write) -> anyhow::Result<()> {
        let kept = self.checkpoint.clone().unwrap_or_else(|| self.out.with_extension("checkpoint"));
        if self.checkpoint.is_none() {
            learner.save(&kept)?;
        }
        writeln!(
            out,
            "Interrupted after {}. To continue, run the same command with --checkpoint {}",
            counted(learner.games() as usize, "game"),
            kept.display()
        )?;
        Ok(())
    }
}

fn tell(progress: &TrainingProgress, out: &mut impl Write) -> io::Result<()> {
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
