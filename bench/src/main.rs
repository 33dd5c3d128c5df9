//! Our move generators timed against published ones, side by side in one run, on one thread.
//!
//! How it is kept fair is told in `docs/benchmarks.md`; `run.sh` prepares the peers and starts this.

mod cases;
mod magpie_perft;
mod measure;
mod open_spiel;
mod ours;
mod report;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use agon_core::playout::Tally;
use agon_core::random::seeded;
use anyhow::{Context, Result};
use clap::Parser;
use clap::builder::PossibleValuesParser;

use cases::{LARGE, PERFT, PLAYOUTS, PLAYOUTS_AIM, PLAYOUTS_FLOOR, SLIDES_FLOOR};
use measure::Plan;
use open_spiel::OpenSpiel;
use report::{Figure, Mark};

/// How long a sample takes at least.
const SAMPLE: Duration = Duration::from_millis(400);

/// Times our move generators against published ones. Exits with 1 if a floor is missed.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Only these games; all of them if none is named
    #[arg(value_name = "GAME", value_parser = PossibleValuesParser::new(cases::GAMES))]
    games: Vec<String>,
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// A Python interpreter that has OpenSpiel; without it our playouts are timed alone
    #[arg(long, value_name = "FILE")]
    python: Option<PathBuf>,
    /// How many samples of either side; the median counts
    #[arg(long, default_value_t = 7, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=99))]
    rounds: u32,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut run = Run {
        plan: Plan { rounds: arguments.rounds, sample: SAMPLE },
        arguments,
        terminal: std::io::stderr().is_terminal(),
        missed: 0,
        without_peer: false,
    };
    match run.all() {
        Ok(()) => run.verdict(),
        Err(error) => {
            eprintln!("agon-bench-peers: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// A run: what was asked for, and what has been found so far.
struct Run {
    arguments: Arguments,
    plan: Plan,
    terminal: bool,
    missed: u32,
    without_peer: bool,
}

impl Run {
    fn all(&mut self) -> Result<()> {
        if !self.arguments.json {
            println!("{}", report::header());
        }
        self.perft_against_magpie()?;
        self.playouts_against_open_spiel()?;
        self.slides()?;
        self.large_boards()
    }

    fn perft_against_magpie(&mut self) -> Result<()> {
        for case in PERFT {
            let what = format!("perft {} of {}", case.depth, case.label);
            if !self.begin(case.game, &what) {
                continue;
            }
            let subject = ours::open(case.game, case.options)?;
            let duel = self
                .plan
                .duel(&mut || subject.perft(case.position, case.depth, case.nodes), || {
                    self.plan.sample(&mut magpie_perft::perft)
                })
                .with_context(|| format!("{} {what}", case.game))?;
            self.report(Figure {
                peer: Some(magpie_perft::NAME.to_owned()),
                peer_value: Some(duel.peer),
                ratio: Some(duel.ratio),
                floor: Some(case.floor),
                aim: Some(case.aim),
                ..Figure::new(case.game, what, duel.ours, "leaves/s")
            })?;
        }
        Ok(())
    }

    fn playouts_against_open_spiel(&mut self) -> Result<()> {
        let mut open_spiel = None;
        for case in PLAYOUTS {
            let what = format!("playouts of {}", case.label);
            if !self.begin(case.game, &what) {
                continue;
            }
            if open_spiel.is_none() && !self.without_peer {
                open_spiel = self.open_spiel();
            }
            let subject = ours::open(case.game, case.options)?;
            let (mut rng, mut our_tally, mut peer_tally) = (seeded(1), Tally::default(), Tally::default());
            let mut play = || {
                let batch = subject.playouts(&mut rng);
                add(&mut our_tally, batch);
                Ok(batch.games)
            };
            let mut figure = Figure::new(case.game, what, 0.0, "games/s");
            if let Some(peer) = &mut open_spiel {
                let duel = self.plan.duel(&mut play, || {
                    let (tally, time) = peer.play(case.open_spiel, 2 * SAMPLE)?;
                    add(&mut peer_tally, tally);
                    Ok(tally.games as f64 / time.as_secs_f64())
                })?;
                figure.value = duel.ours;
                figure.peer = Some(peer.name.clone());
                figure.peer_value = Some(duel.peer);
                figure.ratio = Some(duel.ratio);
                figure.floor = Some(PLAYOUTS_FLOOR);
                figure.aim = Some(PLAYOUTS_AIM);
            } else {
                figure.value = self.plan.speed(&mut play)?;
            }
            // The mean length of the games, ours first: the sign that both sides play the same game.
            let lengths = [our_tally, peer_tally].map(mean_plies).join("/");
            figure.note = format!("plies {lengths}");
            self.report(figure)?;
        }
        Ok(())
    }

    /// Starts OpenSpiel, or says why it is missing.
    fn open_spiel(&mut self) -> Option<OpenSpiel> {
        let started = match &self.arguments.python {
            Some(python) => OpenSpiel::start(python),
            None => Err(anyhow::anyhow!("no interpreter was named by --python")),
        };
        match started {
            Ok(peer) => Some(peer),
            Err(error) => {
                self.clear_progress();
                eprintln!("OpenSpiel cannot be run, playouts are timed without a peer: {error:#}");
                self.without_peer = true;
                None
            }
        }
    }

    fn slides(&mut self) -> Result<()> {
        if !self.begin("2048", "slides") {
            return Ok(());
        }
        let slides = ours::Slides::new()?;
        let speed = self.plan.speed(&mut || Ok(slides.slide_all()))?;
        self.report(Figure { floor: Some(SLIDES_FLOOR), ..Figure::new("2048", "slides", speed, "slides/s") })
    }

    fn large_boards(&mut self) -> Result<()> {
        for case in LARGE {
            let what = format!("perft {} of {}", case.depth, case.label);
            if !self.begin(case.game, &what) {
                continue;
            }
            let subject = ours::open(case.game, case.options)?;
            let speed = self
                .plan
                .speed(&mut || subject.perft(None, case.depth, case.nodes))
                .with_context(|| format!("{} {what}", case.game))?;
            self.report(Figure::new(case.game, what, speed, "leaves/s"))?;

            let what = format!("playouts of {}", case.label);
            self.begin(case.game, &what);
            let mut rng = seeded(1);
            let speed = self.plan.speed(&mut || Ok(subject.playouts(&mut rng).games))?;
            self.report(Figure::new(case.game, what, speed, "games/s"))?;

            let bytes = subject.position_bytes() as f64;
            self.report(Figure::new(case.game, format!("position of {}", case.label), bytes, "bytes"))?;
        }
        Ok(())
    }

    /// Announces a measurement on standard error, if it is wanted.
    fn begin(&self, game: &str, what: &str) -> bool {
        let wanted =
            self.arguments.games.is_empty() || self.arguments.games.iter().any(|wanted| wanted == game);
        if wanted {
            self.clear_progress();
            eprint!("measuring {game} {what} …{}", if self.terminal { "" } else { "\n" });
        }
        wanted
    }

    /// Wipes the progress line off a terminal.
    fn clear_progress(&self) {
        if self.terminal {
            eprint!("\r\x1b[K");
        }
    }

    fn report(&mut self, figure: Figure) -> Result<()> {
        self.clear_progress();
        if figure.mark() == Mark::Missed {
            self.missed += 1;
        }
        let line = if self.arguments.json { serde_json::to_string(&figure)? } else { figure.line() };
        let mut output = std::io::stdout().lock();
        writeln!(output, "{line}")?;
        Ok(output.flush()?)
    }

    /// The last word: the exit code, and a sentence for people.
    fn verdict(&self) -> ExitCode {
        let unmeasured = if self.without_peer { "; OpenSpiel is missing" } else { "" };
        let sentence = match self.missed {
            0 => format!("every floor that was measured is reached{unmeasured}"),
            missed => format!("{missed} floors are missed{unmeasured}"),
        };
        eprintln!("{sentence}");
        if self.missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

fn add(sum: &mut Tally, tally: Tally) {
    sum.games += tally.games;
    sum.plies += tally.plies;
}

fn mean_plies(tally: Tally) -> String {
    if tally.games == 0 { "-".to_owned() } else { format!("{:.1}", tally.plies as f64 / tally.games as f64) }
}
