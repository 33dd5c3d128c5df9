//! `agon train othello`: the weights of the patterns.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use agon_core::random::mix;
use agon_train::othello::{Fit, Labeller, Sample, SelfPlay, WthorGame, fit, read_wthor};
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::files::read_bounded;
use crate::progress;
use crate::screen_args::Signalled;

/// The number of the signal that Ctrl-C sends.
const SIGINT: i32 = 2;

/// `agon train othello`
#[derive(clap::Args)]
#[command(
    after_help = "Ctrl-C stops labelling and saves the samples so far. Run again with the same --samples file, labelling \
continues from there.

Example:
  agon train othello --wthor DIR --out weights.bin --samples samples.bin"
)]
pub(super) struct Args {
    /// A directory of WTHOR files (*.wtb)
    #[arg(long, value_name = "DIR")]
    wthor: PathBuf,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games of self-play to add, played with the built-in weights
    #[arg(long, default_value_t = 0, value_name = "N")]
    games: u64,
    /// Solve positions with at most N empty squares
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=20), value_name = "N")]
    solve: u32,
    /// Steps of the fit for each stage of the game
    #[arg(long, default_value_t = 40, value_name = "N")]
    steps: usize,
    /// Strength of the ridge that pulls rare arrangements towards zero, in samples
    #[arg(long, default_value_t = 8.0, value_name = "X")]
    ridge: f32,
    /// Save the samples in this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Fixes all randomness
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of threads that label games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256), value_name = "N")]
    jobs: u64,
}

/// What has been labelled so far: the samples of the first `games` of `total` games.
#[derive(Debug, Default, PartialEq)]
struct Labelled {
    games: u64,
    total: u64,
    samples: Vec<Sample>,
}

impl Labelled {
    fn is_complete(&self) -> bool {
        self.total > 0 && self.games >= self.total
    }
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let stop = progress::interrupt()?;
        let mut labelled = match &self.samples {
            Some(file) if file.exists() => read_samples(file)?,
            _ => Labelled::default(),
        };
        if !labelled.is_complete() {
            self.label(&mut labelled, &stop)?;
            if let Some(file) = &self.samples {
                write_samples(file, &labelled)?;
            }
        }
        if stop.load(Ordering::Relaxed) {
            return self.say_how_to_continue(&labelled, out);
        }
        writeln!(out, "{} samples", labelled.samples.len())?;
        writeln!(out, "{:>5}  {:>9}  {:>7}  {:>9}  {:>7}", "stage", "samples", "error", "held out", "error")?;
        let settings = Fit { steps: self.steps, ridge: self.ridge, ..Fit::default() };
        let mut written = Ok(());
        let weights = fit(&labelled.samples, settings, |report| {
            let line = writeln!(
                out,
                "{:>5}  {:>9}  {:>7.3}  {:>9}  {:>7.3}",
                report.stage, report.samples, report.error, report.held_out, report.held_out_error
            );
            written = std::mem::replace(&mut written, Ok(())).and(line).and_then(|()| out.flush());
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written?;
        let Some(weights) = weights else { return self.say_how_to_continue(&labelled, out) };
        let bytes = weights.encode()?;
        fs::write(&self.out, &bytes).with_context(|| format!("cannot write {}", self.out.display()))?;
        writeln!(out, "Wrote {} bytes to {}", bytes.len(), self.out.display())?;
        Ok(())
    }

    /// Keeps what was labelled before an interruption, also if nobody asked for that.
    fn say_how_to_continue(&self, labelled: &Labelled, out: &mut impl Write) -> anyhow::Result<()> {
        let kept = self.samples.clone().unwrap_or_else(|| self.out.with_extension("samples"));
        if self.samples.is_none() {
            write_samples(&kept, labelled)?;
        }
        writeln!(
            out,
            "Interrupted with {} of {} games labelled. To continue, run the same command with --samples {}",
            labelled.games,
            labelled.total,
            kept.display()
        )?;
        out.flush()?;
        Err(Signalled(SIGINT).into())
    }

    /// Labels the games that are not labelled yet, until `stop` is set.
    fn label(&self, labelled: &mut Labelled, stop: &AtomicBool) -> anyhow::Result<()> {
        let games = read_directory(&self.wthor)?;
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?;
        let total = games.len() as u64 + self.games;
        labelled.total = total;
        let progress = ProgressBar::new(total).with_style(style).with_message("labelling");
        progress.set_position(labelled.games);
        // Games are handed out in their order, so that those done when training is interrupted are the first ones.
        let next = AtomicU64::new(labelled.games);
        let work = || {
            let (mut labeller, mut done) = (Labeller::new(self.solve), Vec::new());
            while !stop.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let mut samples = Vec::new();
                match games.get(number as usize) {
                    Some(game) => {
                        let solved = Some((game.solved, game.solved_empties));
                        labeller.label(number, &game.positions, solved, &mut samples);
                    }
                    None if number < total => {
                        let game = SelfPlay::new(mix(self.seed, number)).play();
                        labeller.label(number, &game, None, &mut samples);
                    }
                    None => break,
                }
                done.push((number, samples));
                progress.inc(1);
            }
            done
        };
        let mut done = thread::scope(|scope| {
            let handles: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            let joined = handles.into_iter().map(|handle| handle.join());
            let joined: Result<Vec<_>, _> = joined.collect();
            joined.map(|done| done.concat()).map_err(|_| anyhow::anyhow!("a labelling thread failed"))
        })?;
        progress.finish_and_clear();
        done.sort_unstable_by_key(|(number, _)| *number);
        labelled.games += done.len() as u64;
        labelled.samples.extend(done.into_iter().flat_map(|(_, samples)| samples));
        Ok(())
    }
}

/// All games of the WTHOR files of a directory.
pub(super) fn read_directory(directory: &Path) -> anyhow::Result<Vec<WthorGame>> {
    let listing = fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
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
        let bytes = read_bounded(file, MAX_WTHOR)?;
        games.extend(read_wthor(&bytes).with_context(|| file.display().to_string())?);
    }
    Ok(games)
}

/// What a file of samples begins with; the numbers of games labelled and of all games follow.
const MAGIC: &[u8; 8] = b"agonsmpl";
const HEADER_BYTES: usize = 24;
/// A sample as bytes: the two sets of discs, the score, whether it is held out.
const SAMPLE_BYTES: usize = 18;
/// The largest files that are read, in bytes.
const MAX_SAMPLES: u64 = 2 << 30;
const MAX_WTHOR: u64 = 64 << 20;

fn write_samples(file: &Path, labelled: &Labelled) -> anyhow::Result<()> {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + labelled.samples.len() * SAMPLE_BYTES);
    bytes.extend(MAGIC);
    bytes.extend(labelled.games.to_le_bytes());
    bytes.extend(labelled.total.to_le_bytes());
    for sample in &labelled.samples {
        bytes.extend(sample.own.to_le_bytes());
        bytes.extend(sample.opponent.to_le_bytes());
        bytes.extend([sample.score as u8, u8::from(sample.is_held_out)]);
    }
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

fn read_samples(file: &Path) -> anyhow::Result<Labelled> {
    let bytes = read_bounded(file, MAX_SAMPLES)?;
    let word = |bytes: &[u8], from: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[from..from + 8]);
        u64::from_le_bytes(word)
    };
    let header = bytes
        .split_at_checked(HEADER_BYTES)
        .filter(|(header, samples)| header.starts_with(MAGIC) && samples.len().is_multiple_of(SAMPLE_BYTES));
    let (header, samples) = header.with_context(|| format!("{} is not a file of samples", file.display()))?;
    let samples = samples.chunks_exact(SAMPLE_BYTES).map(|bytes| {
        let (own, opponent) = (word(bytes, 0), word(bytes, 8));
        anyhow::ensure!(own & opponent == 0, "{}: a square with two discs", file.display());
        Ok(Sample { own, opponent, score: bytes[16] as i8, is_held_out: bytes[17] != 0 })
    });
    let samples = samples.collect::<Result<_, _>>()?;
    Ok(Labelled { games: word(header, 8), total: word(header, 16), samples })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(folder: &Path, jobs: u64) -> Args {
        Args {
            wthor: folder.to_owned(),
            out: folder.join("weights"),
            games: 6,
            solve: 4,
            steps: 1,
            ridge: 8.0,
            samples: None,
            seed: 1,
            jobs,
        }
    }

    #[test]
    fn labelling_that_is_interrupted_continues_where_it_stopped() {
        let folder = std::env::temp_dir().join(format!("agon-label-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder can be made");
        // A file of games that has none: everything comes from self-play.
        let mut empty = vec![0; 16];
        empty[12] = 8;
        fs::write(folder.join("none.wtb"), empty).expect("the folder can be written to");
        let mut whole = Labelled::default();
        args(&folder, 1).label(&mut whole, &AtomicBool::new(false)).expect("it labels");
        assert!(whole.is_complete() && !whole.samples.is_empty());
        let mut stopped = Labelled::default();
        args(&folder, 1).label(&mut stopped, &AtomicBool::new(true)).expect("it labels nothing");
        assert_eq!((stopped.games, stopped.total), (0, 6));
        let mut part = Labelled { games: 0, total: 6, samples: Vec::new() };
        let fewer = Args { games: 2, ..args(&folder, 1) };
        fewer.label(&mut part, &AtomicBool::new(false)).expect("it labels");
        let file = folder.join("samples");
        write_samples(&file, &Labelled { total: 6, ..part }).expect("the folder can be written to");
        let mut continued = read_samples(&file).expect("just written");
        assert!(!continued.is_complete());
        args(&folder, 2).label(&mut continued, &AtomicBool::new(false)).expect("it goes on");
        assert_eq!(continued, whole);
        fs::write(&file, "something else").expect("the folder can be written to");
        assert!(read_samples(&file).is_err());
        fs::remove_dir_all(folder).expect("it is ours");
    }
}
