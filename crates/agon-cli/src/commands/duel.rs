//! `agon duel`: two bots, many games, one result; or one bot and many games of its own.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_arena::bout::PlayedGame;
use agon_arena::duel::Duel;
use agon_arena::entrants::{Entrant, PlayerRequest};
use agon_arena::referee::{Contestant, Terms};
use agon_arena::runner::{Runner, Variant};
use agon_arena::solo::Solo;
use agon_arena::statistics::Sprt;
use agon_core::text::{counted, decimal, duration, number, quote};
use agon_erased::{GameEntry, Rules, SystemClock};
use agon_files::save_record;
use agon_match::{Late, Occupant, Seat, TimeControl};
use agon_players::external::Hosting;
use agon_players::{hosted_player, player};
use agon_registry::GAMES;
use agon_terminal::driver::seed_from_clock;
use anyhow::Context;

use super::duel_report::{self, Setting};
use crate::cores;
use crate::programs;
use crate::progress;
use crate::times::duration_argument;
use crate::weights;

/// `agon duel`
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[arg(help = crate::game_args::game_help())]
    game: String,
    /// The bot whose score is reported
    a: String,
    /// Its opponent; may be omitted in one-player games, where A then plays alone
    b: Option<String>,
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value = "100", value_parser = games)]
    games: usize,
    /// Options of the game; if given several times, or separated by `;`, pairs of games alternate between them
    #[arg(long, value_name = "OPTIONS")]
    options: Vec<String>,
    /// Time per move, e.g. 0.2s, or `own` to let each bot use its own limits; `TA,TB` sets them separately, e.g. 20ms,own
    #[arg(long, value_name = "TIME", default_value = "own", value_parser = times)]
    time: Times,
    /// Seed of all randomness [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop as soon as the 95% interval of the score lies entirely above or below SCORE, e.g. 0.6
    #[arg(long, value_name = "SCORE", value_parser = score)]
    until: Option<f64>,
    /// Stop as soon as a sequential test decides between two Elo differences: elo0,elo1[,alpha,beta]
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Number of games played in parallel; with more than the number of cores, timed bots are late
    #[arg(long, value_name = "J", default_value = "1", value_parser = jobs)]
    jobs: usize,
    #[arg(long, value_name = "N", value_parser = opening_plies, help = opening_help())]
    opening_plies: Option<usize>,
    /// Stop games after N plies and count them as draws [default: 10000; 1000000 with a single bot]
    #[arg(long, value_name = "N", value_parser = max_plies)]
    max_plies: Option<usize>,
    /// Write the record of every game to this directory
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const HELP: &str = "Every opening is played twice with sides swapped. In games of three to six seats each bot plays several seats, in all \
arrangements in turn, and the bot whose seat finishes first wins. In 2048 both play alone with the same tiles, and more points win.

The interval of the score is Wilson's; the error of the Elo difference is computed from pairs of games. Bots limited by nodes or depth \
repeat their games with the same seed; bots limited by time do not. Ctrl-C ends the duel and prints the result so far.

Examples:
  agon duel othello expert greedy --games 200 --time 0.2s --jobs 2
  agon duel tablut expert s1 --options rules=ashton --options rules=bologna --until 0.85
  agon duel loa expert:nodes=20000 'expert:nodes=20000,tt=off' --sprt 0,30 --seed 1
  agon duel loa 'jsonl(tt=22):python3 -m agon_agent agent.py' 'jsonl(tt=0):python3 -m agon_agent agent.py' --time 500ms
  agon duel 2048 expert --games 100 --json";

const NOTHING_PLAYED: &str = "stopped before the first game ended";

/// What `--time` says of each bot.
#[derive(Clone, Copy, Debug)]
struct Times([Option<Duration>; 2]);

/// The most games of one duel.
const MAX_GAMES: u64 = 1_000_000;
/// The most threads.
const MAX_JOBS: u64 = 256;
/// Where games that would go on for ever are cut: beyond any game that bots have played.
const MAX_PLIES: usize = 10_000;
/// The same for games of one, which are long by nature.
const MAX_PLIES_ALONE: usize = 1_000_000;
fn ranged(text: &str, least: u64, most: u64) -> Result<usize, String> {
    number(text, least..=most).map(|value| value as usize)
}

fn games(text: &str) -> Result<usize, String> {
    ranged(text, 1, MAX_GAMES)
}

fn jobs(text: &str) -> Result<usize, String> {
    ranged(text, 1, MAX_JOBS)
}

fn opening_plies(text: &str) -> Result<usize, String> {
    ranged(text, 0, 60)
}

fn opening_help() -> String {
    let rounds =
        GAMES.iter().map(|entry| format!("{} {}", entry.spec.id, counted(entry.opening_rounds, "round")));
    let rounds = rounds.collect::<Vec<_>>().join(", ");
    format!("Random plies before the bots take over [default: {rounds}]")
}

fn max_plies(text: &str) -> Result<usize, String> {
    ranged(text, 1, MAX_PLIES_ALONE as u64)
}

fn score(text: &str) -> Result<f64, String> {
    let value = decimal(text)?;
    let is_share = value > 0.0 && value < 1.0;
    is_share.then_some(value).ok_or_else(|| format!("{} is not a score between 0 and 1", quote(text)))
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let fail = |what: &str| format!("{} {what}; expected elo0,elo1 or elo0,elo1,alpha,beta", quote(text));
    let values: Vec<f64> = text
        .split(',')
        .map(decimal)
        .collect::<Result<_, _>>()
        .map_err(|fault| fail(&format!("does not hold: {fault}")))?;
    let (elo0, elo1, alpha, beta) = match values[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return Err(fail("has the wrong number of values")),
    };
    let is_error = |share: f64| share > 0.0 && share < 0.5;
    match () {
        () if elo0 >= elo1 => Err(fail("has an elo0 that is not below elo1")),
        () if elo0.abs().max(elo1.abs()) > 2000.0 => Err(fail("goes beyond 2000 Elo")),
        () if !is_error(alpha) || !is_error(beta) => Err(fail("has an error that is not between 0 and 0.5")),
        () => Ok(Sprt { elo0, elo1, alpha, beta }),
    }
}

fn times(text: &str) -> Result<Times, String> {
    let one = |text: &str| match text {
        "own" => Ok(None),
        _ => duration_argument(text).map(Some).map_err(|fault| format!("{fault}, nor own")),
    };
    match text.split_once(',') {
        Some((a, b)) => Ok(Times([one(a)?, one(b)?])),
        None => one(text).map(|time| Times([time; 2])),
    }
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let entry = GAMES.find(&self.game)?;
        let variants = self.variants(entry)?;
        let is_solo = variants.iter().all(|variant| variant.rules.seats().len() == 1);
        anyhow::ensure!(
            self.b.is_some() || is_solo,
            "{} needs two bots: agon duel {} A B; a single bot can only play a one-player game",
            entry.spec.id,
            entry.spec.id
        );
        anyhow::ensure!(
            self.b.is_some() || (self.until.is_none() && self.sprt.is_none() && variants.len() == 1),
            "--until, --sprt and several --options need a second bot"
        );
        let given = [Some(&self.a), self.b.as_ref()].into_iter().flatten();
        let bots: Vec<Occupant> = given
            .clone()
            .map(|text| {
                let rules = &*variants[0].rules;
                programs::checked(weights::occupant(text.parse()?, rules)?, rules)
            })
            .collect::<anyhow::Result<_>>()?;
        let make = |request: PlayerRequest| {
            let (occupant, hosting) = (&bots[request.entrant], Hosting::default());
            let bot = hosted_player(request.rules, occupant, request.seed, &hosting);
            let bot = bot.map_err(|error| error.to_string())?;
            Ok(match occupant {
                Occupant::Program(_) => Contestant::program(bot, request.seed, hosting.liaison),
                Occupant::Bot(_) | Occupant::Person => Contestant::house(bot, request.seed),
            })
        };
        // Before hundreds of games are lost for a slip of the pen.
        for variant in &variants {
            for bot in &bots {
                player(&*variant.rules, bot, 0)?;
            }
        }
        if let Some(folder) = &self.save {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot create the directory {}", folder.display()))?;
        }
        self.warn_of_jobs(&bots);
        let Times(times) = self.time;
        let entrants = bots
            .iter()
            .zip(times)
            .map(|(bot, time)| {
                let time = time.or_else(|| own_time(&*variants[0].rules, bot));
                let control = time.map_or(TimeControl::None, |time| TimeControl::PerMove(time.into()));
                Entrant { seat: Seat::of(bot.clone()), control }
            })
            .collect();
        let max_plies = self.max_plies.unwrap_or(if is_solo { MAX_PLIES_ALONE } else { MAX_PLIES });
        let terms =
            Terms { clock: Arc::new(SystemClock::default()), stop: progress::interrupt()?, max_plies };
        let seed = self.seed.unwrap_or_else(seed_from_clock);
        let setting = Setting {
            game: entry.spec.id,
            options: variants.iter().map(|variant| variant.rules.options()).collect(),
            // As they were typed: weights from a file would fill lines.
            bots: given.cloned().collect(),
            seed,
            sprt: self.sprt,
        };
        let runner = Runner { variants, entrants, make: &make, late: Late::Counted };
        let bar = progress::bar(self.games as u64, "games");
        let mut saver = Saver { folder: self.save.as_deref(), failure: None };
        if self.b.is_none() {
            let solo = Solo { runner, games: self.games, seed, jobs: self.jobs };
            let done = solo.run(&terms, &mut |achievements, game| {
                bar.set_position(achievements.scores.len() as u64);
                bar.set_message(format!("mean {:.0}", achievements.mean()));
                saver.save(&format!("{:04}", achievements.scores.len()), game)
            })?;
            bar.finish_and_clear();
            saver.check()?;
            anyhow::ensure!(!done.scores.is_empty(), NOTHING_PLAYED);
            duel_report::write_solo(&setting, &done, self.json, out)
        } else {
            let duel =
                Duel { runner, games: self.games, seed, jobs: self.jobs, until: self.until, sprt: self.sprt };
            let done = duel.run(&terms, &mut |standings, bout| {
                bar.set_position(standings.tally.games());
                bar.set_message(duel_report::brief(&standings.tally));
                let number = bout.fixture.number + 1;
                bout.games.iter().try_for_each(|game| {
                    let which = match (bout.games.len(), game.seats[0]) {
                        (1, _) => "",
                        (_, 0) => "-a",
                        _ => "-b",
                    };
                    saver.save(&format!("{number:04}{which}"), game)
                })
            });
            bar.finish_and_clear();
            saver.check()?;
            let done = done?;
            anyhow::ensure!(done.tally.games() > 0, NOTHING_PLAYED);
            duel_report::write_duel(&setting, &done, self.json, out)
        }
    }

    fn variants(&self, entry: &GameEntry) -> anyhow::Result<Vec<Variant>> {
        let given = self.options.iter().flat_map(|options| options.split(';')).map(str::trim);
        let texts: Vec<&str> = if self.options.is_empty() { vec![""] } else { given.collect() };
        texts
            .into_iter()
            .map(|text| {
                let rules = entry.rules(text)?;
                let usual = entry.opening_rounds * rules.seats().len();
                Ok(Variant { opening_plies: self.opening_plies.unwrap_or(usual), rules })
            })
            .collect()
    }

    /// Bots of a game think by turns, each in its own number of threads.
    fn warn_of_jobs(&self, bots: &[Occupant]) {
        let cores = cores();
        let threads = bots.iter().map(|bot| if let Occupant::Bot(spec) = bot { spec.threads() } else { 1 });
        let (jobs, threads) = (self.jobs, threads.max().unwrap_or(1));
        if jobs * threads > cores {
            let each = if threads > 1 { format!(" of up to {threads} threads each") } else { String::new() };
            let _ = writeln!(
                io::stderr(),
                "note: {jobs} parallel games{each} on {cores} cores; bots limited by time get less of it"
            );
        }
    }
}

/// The time that a bot's specification or its preset sets, by which its lateness is counted when it goes its own way.
fn own_time(rules: &dyn Rules, bot: &Occupant) -> Option<Duration> {
    let Occupant::Bot(spec) = bot else { return None };
    let bots = rules.bots();
    let bot = bots.iter().find(|bot| bot.name == spec.name())?;
    let preset = bot.settings.split(',').find_map(|setting| setting.strip_prefix("time="));
    spec.value("time").or(preset).and_then(|time| duration(time).ok())
}

/// Writes records until one cannot be written.
struct Saver<'a> {
    folder: Option<&'a Path>,
    failure: Option<anyhow::Error>,
}

impl Saver<'_> {
    fn save(&mut self, name: &str, game: &PlayedGame) -> ControlFlow<()> {
        let Some(folder) = self.folder else { return ControlFlow::Continue(()) };
        let path = folder.join(format!("{name}.txt"));
        match save_record(&game.record, &path) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                let context = format!("cannot write the record to {}", path.display());
                self.failure = Some(anyhow::Error::from(error).context(context));
                ControlFlow::Break(())
            }
        }
    }

    fn check(self) -> anyhow::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }
}
