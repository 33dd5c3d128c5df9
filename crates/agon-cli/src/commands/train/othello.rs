//! `agon train othello`: the weights by which Othello's `expert` judges.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::statistics::{Score, Tally};
use agon_core::text::{duration_text, grouped};
use agon_othello::expertise::weights::Weights;
use agon_train::othello::{
    Fit, Labeller, Recipe, Sample, SampleFile, SelfPlay, StageReport, Trial, TrialScore, WthorGame, fit,
    generate, read_wthor, relabel,
};
use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::files::read_bounded;
use crate::progress;
use crate::screen_args::Signalled;

/// The number of the signal that Ctrl-C sends.
const SIGINT: i32 = 2;

/// `agon train othello`
#[derive(clap::Args)]
#[command(
    after_help = "Games are saved as they are played. After Ctrl-C, or with a larger --games, the same command plays on from \
there; however often it was interrupted and however many threads there are, it comes to the same weights.

Example:
  agon train othello --games 100000 --out weights.bin"
)]
pub(super) struct Args {
    /// Where to write the weights; beside them a file with the ending .txt says how they were made
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games of self-play
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    games: u64,
    /// Save the games in this file, and continue from it if it exists [default: the name of the weights with the ending .samples]
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// How many plies each move is searched
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16), value_name = "N")]
    depth: u32,
    /// Play perfectly from N empty squares on
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=24), value_name = "N")]
    solve: u32,
    /// Add games between people: a directory of WTHOR files (*.wtb)
    #[arg(long, value_name = "DIR")]
    wthor: Option<PathBuf>,
    /// Take one in N of them
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..), value_name = "N")]
    every: u64,
    /// How much a position of theirs counts, where one of self-play counts 1
    #[arg(long, default_value_t = Fit::default().people, value_name = "X")]
    people: f32,
    /// How often the weights are fitted; before each fit but the first all positions are searched again by the weights of the last
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10), value_name = "N")]
    rounds: u32,
    /// How deep positions are searched again
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=16), value_name = "N")]
    relabel: u32,
    /// How much the search counts in a label, from 0 to 1; the rest is the result of the game
    #[arg(long, default_value_t = Fit::default().searched, value_name = "X")]
    searched: f32,
    /// Steps of a fit for each stage of the game
    #[arg(long, default_value_t = Fit::default().steps, value_name = "N")]
    steps: usize,
    /// Strength of the ridge that pulls rare arrangements towards zero, in samples
    #[arg(long, default_value_t = Fit::default().ridge, value_name = "X")]
    ridge: f32,
    /// Fixes all randomness
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=256), value_name = "N")]
    jobs: Option<u64>,
    /// Number of openings from which the new weights play two games each against the present ones
    #[arg(long, default_value_t = 200, value_name = "N")]
    pairs: u64,
}

/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_secs(30);
/// With how many empty squares games between people are solved.
const PEOPLE_SOLVED: u32 = 10;
/// How deep both sides of the last match search.
const TRIAL_DEPTH: u32 = 6;

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        anyhow::ensure!((0.0..=1.0).contains(&self.searched), "--searched must be a number from 0 to 1");
        anyhow::ensure!(self.people >= 0.0 && self.people.is_finite(), "--people must be a number from 0 on");
        anyhow::ensure!(self.ridge > 0.0 && self.ridge.is_finite(), "--ridge must be a number above 0");
        let stop = progress::interrupt()?;
        match self.train(&stop, out)? {
            Some(()) => Ok(()),
            None => {
                let file = self.sample_file();
                writeln!(out, "Interrupted; the games are in {}. The same command goes on.", file.display())?;
                out.flush()?;
                Err(Signalled(SIGINT).into())
            }
        }
    }

    /// Everything, one after the other; `None` if it was interrupted.
    fn train(&self, stop: &AtomicBool, out: &mut impl Write) -> anyhow::Result<Option<()>> {
        let mut samples = self.play(stop, out)?;
        if let Some(directory) = &self.wthor {
            samples.extend(self.label(read_directory(directory)?, stop));
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        writeln!(out, "{} samples", grouped(samples.len() as u64))?;
        let mut weights: Option<&'static Weights> = None;
        let mut errors = Vec::new();
        for round in 1..=self.rounds {
            if let Some(weights) = weights {
                writeln!(out, "searching all of them again")?;
                if !relabel(&mut samples, weights, self.relabel, self.solve, self.jobs(), stop) {
                    return Ok(None);
                }
            }
            writeln!(out, "fit {round} of {}", self.rounds)?;
            out.flush()?;
            let Self { steps, ridge, searched, people, .. } = *self;
            let settings = Fit { steps, ridge, searched, people, ..Fit::default() };
            let reports = Mutex::new(Vec::new());
            let report = |report| reports.lock().map_or((), |mut all| all.push(report));
            let Some(fitted) = fit(&samples, settings, self.jobs(), stop, report) else { return Ok(None) };
            errors = reports.into_inner().unwrap_or_default();
            // A few times in the life of the process: solvers keep their weights for good.
            weights = Some(Box::leak(Box::new(fitted)));
        }
        let Some(weights) = weights else { return Ok(None) };
        errors.sort_by_key(|report: &StageReport| report.stage);
        let bytes = weights.encode()?;
        agon_files::replace(&self.out, &bytes)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        writeln!(out, "Wrote {} bytes to {}", grouped(bytes.len() as u64), self.out.display())?;
        let mut recipe = self.recipe(&bytes, samples.len(), &errors);
        agon_files::replace(&self.recipe_file(), recipe.as_bytes())?;
        let trial = Trial {
            new: weights,
            old: Weights::builtin(),
            depth: TRIAL_DEPTH,
            pairs: self.pairs,
            seed: self.seed,
        };
        writeln!(out, "playing {} games against the present weights", 2 * self.pairs)?;
        out.flush()?;
        recipe += &told(trial.play(self.jobs(), stop));
        agon_files::replace(&self.recipe_file(), recipe.as_bytes())?;
        write!(out, "{recipe}")?;
        Ok((!stop.load(Ordering::Relaxed)).then_some(()))
    }

    /// The samples of self-play, those of the file and those still missing.
    fn play(&self, stop: &AtomicBool, out: &mut impl Write) -> anyhow::Result<Vec<Sample>> {
        let name = self.sample_file();
        let recipe = Recipe { seed: self.seed, depth: self.depth, solve_from: self.solve };
        let mut file = SampleFile::open(&name, recipe).with_context(|| name.display().to_string())?;
        let play = SelfPlay {
            seed: self.seed,
            depth: self.depth,
            solve_from: self.solve,
            weights: Weights::builtin(),
        };
        let (began, first, mut last) = (Instant::now(), file.games(), Instant::now());
        let mut written = Ok(());
        generate(&play, self.games, self.jobs(), &mut file, stop, &mut |games| {
            if last.elapsed() < REPORT_EVERY && games < self.games || written.is_err() || games == first {
                return;
            }
            last = Instant::now();
            let speed = (games - first) as f64 / began.elapsed().as_secs_f64();
            let left = Duration::from_secs_f64(self.games.saturating_sub(games) as f64 / speed);
            let (games, all) = (grouped(games), grouped(self.games));
            let line =
                writeln!(out, "{games} of {all} games, {speed:.1} a second, {} left", duration_text(left));
            written = line.and_then(|()| out.flush());
        })
        .with_context(|| name.display().to_string())?;
        written?;
        file.read().with_context(|| name.display().to_string())
    }

    /// The samples of some of the games between people.
    fn label(&self, games: Vec<WthorGame>, stop: &AtomicBool) -> Vec<Sample> {
        let numbered = (1..).zip(games).filter(|(number, _): &(u64, _)| number.is_multiple_of(self.every));
        let chosen: Vec<(u64, WthorGame)> = numbered.collect();
        let share = chosen.len().div_ceil(self.jobs()).max(1);
        let label = |games: &[(u64, WthorGame)]| {
            let mut labeller = Labeller::new(PEOPLE_SOLVED);
            let mut samples = Vec::new();
            for (number, game) in games.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
                let known = Some((game.solved, game.solved_empties));
                samples.extend(labeller.label(*number, &game.positions, known));
            }
            samples
        };
        thread::scope(|scope| {
            let handles: Vec<_> = chosen.chunks(share).map(|part| scope.spawn(|| label(part))).collect();
            handles.into_iter().flat_map(|handle| handle.join().unwrap_or_default()).collect()
        })
    }

    /// What the file beside the weights says.
    fn recipe(&self, bytes: &[u8], samples: usize, errors: &[StageReport]) -> String {
        let hash = Sha256::digest(bytes);
        let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let people = match &self.wthor {
            Some(_) => format!(" --wthor DIR --every {} --people {}", self.every, self.people),
            None => String::new(),
        };
        let mut text = format!(
            "sha256 {hash}\n\nagon train othello --games {} --seed {} --depth {} --solve {}{people} --rounds {} --relabel {} \
             --searched {} --steps {} --ridge {}\n\n{} samples; errors in discs, trained and held out, by stage:\n",
            self.games,
            self.seed,
            self.depth,
            self.solve,
            self.rounds,
            self.relabel,
            self.searched,
            self.steps,
            self.ridge,
            grouped(samples as u64),
        );
        for StageReport { stage, error, held_out_error, .. } in errors {
            text += &format!("{stage:>2}  {error:>6.2}  {held_out_error:>6.2}\n");
        }
        text
    }

    fn sample_file(&self) -> PathBuf {
        self.samples.clone().unwrap_or_else(|| self.out.with_extension("samples"))
    }

    fn recipe_file(&self) -> PathBuf {
        self.out.with_extension("txt")
    }

    fn jobs(&self) -> usize {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(all, |jobs| jobs as usize)
    }
}

/// How the match came out.
fn told(score: TrialScore) -> String {
    let TrialScore { wins, draws, losses } = score;
    let mut tally = Tally::default();
    for (count, result) in [(wins, Score::Win), (draws, Score::Draw), (losses, Score::Loss)] {
        (0..count).for_each(|_| tally.push(result));
    }
    let (low, high) = tally.interval();
    format!(
        "\n{:.1}% (95% interval {:.1}% to {:.1}%) in {} games against the weights before, both searching {TRIAL_DEPTH} plies\n",
        100.0 * tally.score(),
        100.0 * low,
        100.0 * high,
        tally.games(),
    )
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

/// The largest WTHOR files that are read, in bytes.
const MAX_WTHOR: u64 = 64 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn training_leaves_weights_their_recipe_and_games_that_a_longer_run_goes_on_with() {
        let folder = std::env::temp_dir().join(format!("agon-train-othello-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder can be made");
        let mut args = Args {
            out: folder.join("weights.bin"),
            games: 6,
            samples: None,
            depth: 1,
            solve: 6,
            wthor: None,
            every: 5,
            people: 0.3,
            rounds: 2,
            relabel: 1,
            searched: 0.4,
            steps: 1,
            ridge: 8.0,
            seed: 1,
            jobs: Some(2),
            pairs: 1,
        };
        let mut train = |games: u64, stop: bool| {
            args.games = games;
            let mut out = Vec::new();
            let done = args.train(&AtomicBool::new(stop), &mut out).expect("it trains");
            (done.is_some(), String::from_utf8(out).expect("text"))
        };
        let (done, text) = train(6, true);
        assert!(!done && !text.contains("Wrote"), "{text}");
        let (done, text) = train(4, false);
        assert!(done && text.contains("4 of 4 games") && text.contains("fit 2 of 2"), "{text}");
        let (done, text) = train(6, false);
        assert!(done && text.contains("6 of 6 games"), "{text}");
        let bytes = fs::read(folder.join("weights.bin")).expect("written");
        Weights::decode(&bytes).expect("weights");
        let recipe = fs::read_to_string(folder.join("weights.txt")).expect("written");
        assert!(recipe.contains("--games 6 --seed 1 --depth 1 --solve 6 --rounds 2"), "{recipe}");
        assert!(recipe.contains("in 2 games against the weights before"), "{recipe}");
        fs::remove_dir_all(folder).expect("it is ours");
    }
}
