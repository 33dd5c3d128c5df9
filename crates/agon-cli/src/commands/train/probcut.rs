//! `agon train probcut`: how far shallow searches are off deeper ones.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use agon_core::random::{below, seeded};
use agon_train::othello::{Comparison, Difference, deviation, fit_deviation};
use indicatif::{ProgressBar, ProgressStyle};

use super::othello::read_directory;

/// `agon train probcut`
#[derive(clap::Args)]
#[command(after_help = "Ctrl-C stops the searches and fits the differences found so far.")]
pub(super) struct Args {
    /// A directory of WTHOR files (*.wtb)
    #[arg(long, value_name = "DIR")]
    wthor: PathBuf,
    /// Number of positions to search
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..=1_000_000), value_name = "N")]
    positions: u64,
    /// Depth of the deepest search
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=16), value_name = "N")]
    depth: u32,
    /// Solve positions with at most N empty squares
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=24), value_name = "N")]
    solve: u32,
    /// Fixes all randomness
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let games = read_directory(&self.wthor)?;
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")?;
        let progress = ProgressBar::new(self.positions).with_style(style).with_message("searching");
        let mut comparison = Comparison::new(self.depth, self.solve);
        let (mut rng, mut differences) = (seeded(self.seed), Vec::new());
        let stop = crate::progress::interrupt()?;
        for _ in 0..self.positions {
            // What has been compared is fitted all the same.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let game = &games[below(&mut rng, games.len() as u64) as usize];
            // The last eight squares are played out without evaluation.
            let count = game.positions.len().saturating_sub(8);
            if count > 0 {
                differences
                    .extend(comparison.compare(&game.positions[below(&mut rng, count as u64) as usize]));
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        let Some(coefficients) = fit_deviation(&differences) else {
            anyhow::bail!("too few differences to fit: search more --positions");
        };
        let [constant, empties, deep, shallow] = coefficients;
        writeln!(out, "{} differences", differences.len())?;
        writeln!(
            out,
            "standard deviation = exp({constant:.4} + {empties:.4} empties + {deep:.4} depth + {shallow:.4} shallow)"
        )?;
        writeln!(out, "\nempties  depth  shallow  pairs  mean  deviation  by formula")?;
        let mut groups: BTreeMap<_, Vec<&Difference>> = BTreeMap::new();
        for found in &differences {
            let depth = if found.depth == found.empties { None } else { Some(found.depth) };
            groups.entry((found.empties / 10, depth, found.shallow)).or_default().push(found);
        }
        for ((tens, depth, shallow), group) in groups {
            let count = group.len() as f64;
            let mean = group.iter().map(|found| f64::from(found.discs)).sum::<f64>() / count;
            let squares = group.iter().map(|found| f64::from(found.discs).powi(2)).sum::<f64>() / count;
            let foretold =
                group.iter().map(|found| deviation(&coefficients, found).powi(2)).sum::<f64>() / count;
            let depth = depth.map_or("end".to_owned(), |depth| depth.to_string());
            writeln!(
                out,
                "{:>7}  {depth:>5}  {shallow:>7}  {:>5}  {mean:>4.1}  {:>9.2}  {:>10.2}",
                format!("{}0s", tens),
                group.len(),
                squares.sqrt(),
                foretold.sqrt()
            )?;
        }
        Ok(())
    }
}
