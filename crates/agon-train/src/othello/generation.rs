//! Samples by the million, in as many threads as there are: games of self-play, and labels made anew by better weights.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use agon_core::Player;
use agon_othello::expertise::solver::Solver;
use agon_othello::expertise::weights::Weights;
use agon_othello::{Othello, Position};

use super::sample::{Sample, Source};
use super::sample_file::SampleFile;
use super::self_play::SelfPlay;

/// How many games are written at once.
const BATCH: u64 = 100;

/// Plays games in `jobs` threads until `file` holds `games` of them or `stop` is set; `report` is told how many it holds. Games are
/// written in their order, so that the file is the same however many threads there are and however often it was interrupted.
///
/// # Errors
/// If the file cannot be written to.
pub fn generate(
    play: &SelfPlay,
    games: u64,
    jobs: usize,
    file: &mut SampleFile,
    stop: &AtomicBool,
    report: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let next = AtomicU64::new(file.games());
    let work = |done: &mpsc::SyncSender<(u64, Vec<Sample>)>| {
        while !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games || done.send((number, play.play(number))).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(BATCH as usize);
        for _ in 0..jobs.max(1) {
            let sender = sender.clone();
            scope.spawn(move || work(&sender));
        }
        drop(sender);
        // Games that are finished, but not yet all that come before them.
        let mut waiting = BTreeMap::new();
        let (mut batch, mut count) = (Vec::new(), 0);
        for (number, samples) in receiver {
            waiting.insert(number, samples);
            while let Some(samples) = waiting.remove(&(file.games() + count)) {
                batch.extend(samples);
                count += 1;
                if count == BATCH {
                    file.append(count, &batch)?;
                    (count, _) = (0, batch.clear());
                    report(file.games());
                }
            }
        }
        file.append(count, &batch)?;
        report(file.games());
        Ok(())
    })
}

/// How large the table of a search that labels is, in megabytes.
const TABLE: usize = 1;

/// Has every sample with more than `solve_from` empty squares searched again, by other weights; `false` once `stop` is set.
pub fn relabel(
    samples: &mut [Sample],
    weights: &'static Weights,
    depth: u32,
    solve_from: u32,
    jobs: usize,
    stop: &AtomicBool,
) -> bool {
    let share = samples.len().div_ceil(jobs.max(1)).max(1);
    thread::scope(|scope| {
        for part in samples.chunks_mut(share) {
            scope.spawn(move || {
                let mut solver = Solver::with_weights(&Othello::new(8), TABLE, Some(weights));
                let unsolved = part.iter_mut().filter(|sample| 64 - sample.discs() > solve_from);
                for sample in unsolved.take_while(|_| !stop.load(Ordering::Relaxed)) {
                    let (own, opponent) = (sample.own, sample.opponent);
                    let position = Position { own, opponent, to_move: Player(0) };
                    let outlook = solver.outlook(&position, depth, true, &mut |_| false);
                    sample.searched = outlook.expect("never stopped").score as i8;
                    if sample.source == Source::Aside {
                        sample.result = sample.searched;
                    }
                }
            });
        }
    });
    !stop.load(Ordering::Relaxed)
}
