//! `agon train othello`: the weights of the patterns.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use agon_train::othello::{Fit, Labeller, Sample, SelfPlay, WthorGame, fit, read_wthor};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

/// `agon train othello`
#[derive(clap::Args)]
pub(super) struct Args {
    /// A directory of WTHOR files (*.wtb)
    #[arg(long, value_name = "DIR")]
    wthor: PathBuf,
    /// Where the weights go
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many games the program plays against itself besides, with the weights that it has
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: u64,
    /// From how many empty squares on positions are solved
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=20), value_name = "N")]
    solve: u32,
    /// Steps of the fit for each stage of the game
    #[arg(long, default_value_t = 40, value_name = "N")]
    steps: usize,
    /// How strongly rare arrangements are pulled towards zero, in samples
    #[arg(long, default_value_t = 8.0, value_name = "X")]
    ridge: f32,
    /// Keep the samples in this file, and use them if it is there
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Fixes all randomness
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// How many threads label the games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256), value_name = "N")]
    jobs: u64,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let samples = match &self.samples {
            Some(file) if file.exists() => read_samples(file)?,
            _ => self.samples()?,
        };
        if let Some(file) = self.samples.as_ref().filter(|file| !file.exists()) {
            write_samples(file, &samples)?;
        }
        writeln!(out, "{} samples", samples.len())?;
        writeln!(out, "{:>5}  {:>9}  {:>7}  {:>9}  {:>7}", "stage", "samples", "error", "held out", "error")?;
        let settings = Fit { steps: self.steps, ridge: self.ridge, ..Fit::default() };
        let mut written = Ok(());
        let weights = fit(&samples, settings, |report| {
            let line = writeln!(
                out,
                "{:>5}  {:>9}  {:>7.3}  {:>9}  {:>7.3}",
                report.stage, report.samples, report.error, report.held_out, report.held_out_error
            );
            written = std::mem::replace(&mut written, Ok(())).and(line).and_then(|()| out.flush());
        });
        written?;
        let bytes = weights.encode()?;
        fs::write(&self.out, &bytes).with_context(|| format!("{} cannot be written", self.out.display()))?;
        writeln!(out, "{} bytes in {}", bytes.len(), self.out.display())?;
        Ok(())
    }

    /// The samples of all games.
    fn samples(&self) -> anyhow::Result<Vec<Sample>> {
        let games = read_directory(&self.wthor)?;
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?;
        let total = games.len() as u64 + self.games;
        let progress = ProgressBar::new(total).with_style(style).with_message("labelling");
        let jobs = self.jobs;
        let label = |job: u64| {
            let (mut labeller, mut samples) = (Labeller::new(self.solve), Vec::new());
            for game in games.iter().skip(job as usize).step_by(jobs as usize) {
                let solved = Some((game.solved, game.solved_empties));
                labeller.label(&game.positions, solved, &mut samples);
                progress.inc(1);
            }
            if self.games > 0 {
                let mut player = SelfPlay::new(self.seed.wrapping_mul(jobs).wrapping_add(job));
                for _ in (job..self.games).step_by(jobs as usize) {
                    labeller.label(&player.play(), None, &mut samples);
                    progress.inc(1);
                }
            }
            samples
        };
        let samples = thread::scope(|scope| {
            let handles: Vec<_> = (0..jobs).map(|job| scope.spawn(move || label(job))).collect();
            let joined = handles.into_iter().map(|handle| handle.join());
            joined.collect::<Result<Vec<_>, _>>().map_err(|_| anyhow::anyhow!("a labelling thread failed"))
        })?;
        progress.finish_and_clear();
        Ok(samples.concat())
    }
}

/// All games of the WTHOR files of a directory.
pub(super) fn read_directory(directory: &Path) -> anyhow::Result<Vec<WthorGame>> {
    let listing =
        fs::read_dir(directory).with_context(|| format!("{} cannot be read", directory.display()))?;
    let mut files = Vec::new();
    for entry in listing {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
            files.push(path);
        }
    }
    anyhow::ensure!(!files.is_empty(), "{} has no WTHOR file (*.wtb)", directory.display());
    files.sort();
    let mut games = Vec::new();
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        games.extend(read_wthor(&bytes).with_context(|| file.display().to_string())?);
    }
    Ok(games)
}

/// A sample as bytes: the two sets of discs, the score, whether it is held out.
const SAMPLE_BYTES: usize = 18;

fn write_samples(file: &Path, samples: &[Sample]) -> anyhow::Result<()> {
    let mut bytes = Vec::with_capacity(samples.len() * SAMPLE_BYTES);
    for sample in samples {
        bytes.extend(sample.own.to_le_bytes());
        bytes.extend(sample.opponent.to_le_bytes());
        bytes.extend([sample.score as u8, u8::from(sample.is_held_out)]);
    }
    fs::write(file, bytes).with_context(|| format!("{} cannot be written", file.display()))
}

fn read_samples(file: &Path) -> anyhow::Result<Vec<Sample>> {
    let bytes = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
    anyhow::ensure!(bytes.len().is_multiple_of(SAMPLE_BYTES), "{} is not a file of samples", file.display());
    let samples = bytes.chunks_exact(SAMPLE_BYTES).map(|bytes| {
        let word = |from: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[from..from + 8]);
            u64::from_le_bytes(word)
        };
        let (own, opponent) = (word(0), word(8));
        anyhow::ensure!(own & opponent == 0, "{}: a square with two discs", file.display());
        Ok(Sample { own, opponent, score: bytes[16] as i8, is_held_out: bytes[17] != 0 })
    });
    samples.collect()
}
