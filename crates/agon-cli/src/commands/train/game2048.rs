//! `agon train 2048`: lets a network learn 2048 and writes what it has learnt.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_2048::expertise::weights::{self, Network};
use agon_core::text::{counted, duration, duration_text};
use agon_files::replace;
use agon_train::game2048::{Extract, Learner, Settings, TrainingPlan, TrainingProgress, comparison, train};
use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::files::read_bounded;
use crate::progress;

/// The most bytes that a file of weights has.
const MOST: u64 = 1 << 28;
/// The games of the match at the end have luck that no game of the training has.
const MATCH_SEED: u64 = 0x2048;

/// `agon train 2048`
#[derive(clap::Args)]
#[command(
    after_help = "Ctrl-C stops training after the current game and saves the weights and a checkpoint. Run again with the \
same checkpoint, training continues from there. Beside the weights lies FILE.recipe, which says how they were made.

Examples:
  agon train 2048 --time 60m --out 2048.bin --checkpoint 2048.checkpoint
  agon train 2048 --time 60m --from games/2048/data/weights.bin --out 2048.bin
  agon train 2048 --time 0s --checkpoint 2048.checkpoint --step 64 --threshold 2e9 --out small.bin"
)]
pub(super) struct Args {
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin with what this file of weights holds, if there is no checkpoint yet
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Stop after N games from the start, including those before a checkpoint
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
    /// Begin every game at the start, and none on late boards of earlier games
    #[arg(long)]
    no_restarts: bool,
    /// Every N games, let entries for large tiles that were never trained copy from trained ones; 0 turns this off
    #[arg(long, value_name = "N", default_value_t = 5000)]
    promote_every: u64,
    /// Round weights in the file to multiples of this, in points
    #[arg(long, value_name = "POINTS", default_value_t = 16.0)]
    step: f32,
    /// Leave weights out of the file that hardly matter: the more, the higher this is
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    threshold: f32,
    /// At the end, play N games with these weights and N with the built-in ones
    #[arg(long = "match", value_name = "N", default_value_t = 20)]
    games_of_match: u64,
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
        anyhow::ensure!(
            self.threshold >= 0.0 && self.threshold.is_finite(),
            "--threshold must be a number that is not below 0"
        );
        let (mut learner, origin) = match (&self.checkpoint, &self.from) {
            (Some(path), _) if path.exists() => (Learner::load(settings, path)?, "a checkpoint".to_owned()),
            (_, Some(path)) => {
                let file = read_bounded(path, MOST)?;
                let learner = Learner::from_weights(settings, &file)
                    .with_context(|| format!("{} cannot be read", path.display()))?;
                (learner, format!("weights {}", hash(&file)))
            }
            _ => (Learner::new(settings), "nothing".to_owned()),
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
        let extract = Extract { step: self.step, threshold: self.threshold };
        let file = learner.weights_file(extract)?;
        let write = |path: &Path, contents: &[u8]| {
            replace(path, contents).with_context(|| format!("{} cannot be written", path.display()))
        };
        write(&self.out, &file)?;
        write(&with_ending(&self.out, ".recipe"), self.recipe(&learner, &file, &origin).as_bytes())?;
        writeln!(out, "Wrote {} bytes to {}", file.len(), self.out.display())?;
        if plan.stop.load(Ordering::Relaxed) {
            return self.say_how_to_continue(&learner, out);
        }
        drop(learner);
        self.play_match(&Network::decode(&file)?, &plan.stop, out)
    }

    /// How the weights were made.
    fn recipe(&self, learner: &Learner, file: &[u8], origin: &str) -> String {
        let Self { seed, optimism, no_restarts, promote_every, step, threshold, .. } = self;
        format!(
            "weights for 2048 {hash}\nfrom {origin}\ngames {games}\nmoves {moves}\nseed {seed}\noptimism {optimism}\n\
             restarts {restarts}\npromote-every {promote_every}\nstep {step}\nthreshold {threshold}\n\
             agon {version}\n",
            hash = hash(file),
            games = learner.games(),
            moves = learner.moves(),
            restarts = !no_restarts,
            version = env!("CARGO_PKG_VERSION"),
        )
    }

    /// Has the new weights and the built-in ones play the same games.
    fn play_match(&self, new: &Network, stop: &AtomicBool, out: &mut impl Write) -> anyhow::Result<()> {
        let present = weights::SHIPPED.get().context("the built-in weights cannot be read")?;
        let (mut scores, mut built_in) = (Vec::new(), Vec::new());
        for game in 0..self.games_of_match {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            scores.extend(comparison::scores(new, MATCH_SEED, game..=game));
            built_in.extend(comparison::scores(present, MATCH_SEED, game..=game));
        }
        if scores.len() < 2 {
            return Ok(());
        }
        writeln!(out, "Looking one tile ahead, in {}:", counted(scores.len(), "game"))?;
        for (name, scores) in [("these weights", &scores), ("built-in weights", &built_in)] {
            let (mean, interval) = comparison::mean(scores.iter().map(|score| *score as f64));
            writeln!(out, "  {name:<17} {mean:>8.0} ± {interval:.0} (95%)")?;
        }
        let differences = scores.iter().zip(&built_in).map(|(new, old)| *new as f64 - *old as f64);
        let (mean, interval) = comparison::mean(differences);
        writeln!(out, "  {:<17} {mean:>+8.0} ± {interval:.0}", "difference")?;
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

/// The name of a file with something added: files that differ only in their extension must not share one.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// What a file of weights is known by.
fn hash(file: &[u8]) -> String {
    Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect()
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
