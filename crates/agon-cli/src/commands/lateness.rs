//! `agon bench --lateness`: whether moves come in time, counted over many.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_arena::journaled::JournaledGame;
use agon_arena::openings::opening;
use agon_arena::referee::{self, Conduct, Contestant, RefereeStatistics, Terms};
use agon_core::random::mix;
use agon_erased::{BotSpec, GameEntry, Rules, SystemClock};
use agon_match::{End, Late, Match, Occupant, Seat, Setup, TimeControl};
use agon_registry::GAMES;
use indicatif::ProgressBar;

use super::bench::{Figure, searcher};
use crate::progress;
use crate::times::duration_argument;

/// What `agon bench` is told about lateness.
#[derive(clap::Args)]
pub(crate) struct Lateness {
    /// Measure how often the best bot exceeds its time limit in games against itself; without a game, also on a 30×30 board
    #[arg(long)]
    lateness: bool,
    /// Number of moves to time in each game
    #[arg(long, value_name = "N", default_value = "1000", requires = "lateness", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    moves: u64,
    /// Time limit per move
    #[arg(long, value_name = "TIME", default_value = "100ms", requires = "lateness", value_parser = duration_argument)]
    time: Duration,
    /// Keep the other cores busy meanwhile
    #[arg(long, requires = "lateness")]
    busy: bool,
}

/// The board on which single nodes take longest.
const HARDEST: (&str, &str) = ("loa", "size=30");

impl Lateness {
    pub(super) fn is_asked(&self) -> bool {
        self.lateness
    }

    /// Measures the games of `entries`, and the hardest board if `adds_hardest`.
    pub(super) fn run(
        &self,
        entries: &[&GameEntry],
        options: &str,
        adds_hardest: bool,
        json: bool,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let mut cases: Vec<(&GameEntry, &str)> = entries.iter().map(|entry| (*entry, options)).collect();
        if adds_hardest {
            cases.push((GAMES.find(HARDEST.0)?, HARDEST.1));
        }
        let bar = progress::bar(self.moves * cases.len() as u64, "moves");
        let _load = self.busy.then(Load::start);
        for (entry, options) in cases {
            let rules = entry.rules(options)?;
            let conduct = self.measure(entry, &rules, &bar)?;
            let which = if options.is_empty() { String::new() } else { format!(", {options}") };
            let milliseconds = |time: f64| time * 1000.0;
            for (what, value, unit) in [
                ("moves", conduct.moves as f64, "moves"),
                ("late moves", conduct.late as f64, "moves"),
                ("mean move", milliseconds(conduct.mean_time()), "ms"),
                ("slowest move", milliseconds(conduct.slowest.as_secs_f64()), "ms"),
            ] {
                let figure = Figure { game: entry.spec.id, what: format!("{what}{which}"), value, unit };
                bar.suspend(|| figure.write(json, out))?;
            }
            out.flush()?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn measure(
        &self,
        entry: &GameEntry,
        rules: &Arc<dyn Rules>,
        bar: &ProgressBar,
    ) -> anyhow::Result<Conduct> {
        let seats = rules.seats().len();
        let bot: BotSpec = searcher(&**rules).parse()?;
        let terms = Terms {
            clock: Arc::new(SystemClock::default()),
            stop: Arc::new(AtomicBool::new(false)),
            max_plies: usize::MAX,
        };
        let mut statistics = RefereeStatistics::new(seats);
        let mut made = 0;
        for seed in 0.. {
            if made == self.moves {
                break;
            }
            let opening = opening(&**rules, entry.opening_rounds * seats, seed);
            let setup = Setup {
                moves: opening.into_iter().map(Into::into).collect(),
                seats: vec![Seat::of(Occupant::Bot(bot.clone())); seats],
                policy: referee::policy(vec![TimeControl::PerMove(self.time.into())], Late::Counted),
                ..Setup::default()
            };
            let mut game =
                JournaledGame::without_journal(Match::start(Arc::clone(rules), setup, seed, terms.now())?);
            let mut contestants = Vec::new();
            for seat in 0..seats {
                let seed = mix(seed, seat as u64);
                contestants.push(Contestant::house(rules.bot(&bot, seed)?, seed));
            }
            while game.board().end().is_none() && made < self.moves {
                referee::turn(&mut game, &mut contestants, &terms, &mut statistics)?;
                if let Some(End::Forfeit { detail, .. }) = game.board().end() {
                    anyhow::bail!("{bot} failed: {detail}");
                }
                made += 1;
                bar.inc(1);
            }
        }
        let mut all = Conduct::default();
        statistics.conduct.iter().for_each(|conduct| all.add(conduct));
        Ok(all)
    }
}

/// Threads that keep all cores but one busy until this is dropped.
struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Load {
    fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = (1..cores.max(2))
            .map(|_| {
                let stop = Arc::clone(&stop);
                std::thread::spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                })
            })
            .collect();
        Self { stop, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A loop that only spins does not fail.
            let _ = thread.join();
        }
    }
}
