//! What `agon duel` prints at its end.

use std::io::Write;

use agon_arena::duel::{DuelEnd, Standings};
use agon_arena::referee::Conduct;
use agon_arena::solo::Achievements;
use agon_arena::statistics::{Decision, Sprt, Tally};
use agon_core::text::counted;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// What was played.
pub(crate) struct Setting {
    pub(crate) game: &'static str,
    /// One text a rule set.
    pub(crate) options: Vec<String>,
    pub(crate) bots: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) sprt: Option<Sprt>,
}

/// The smallest tile whose share is told.
const LEAST_MARK: u64 = 2048;

/// The score in a few words, for a line that is drawn again and again.
pub(crate) fn brief(tally: &Tally) -> String {
    let (low, high) = tally.interval();
    let Tally { wins, draws, losses, .. } = tally;
    format!(
        "+{wins} ={draws} -{losses}, {:.1}% ({:.1} to {:.1})",
        100.0 * tally.score(),
        100.0 * low,
        100.0 * high
    )
}

pub(crate) fn write_duel(
    setting: &Setting,
    standings: &Standings,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if json {
        writeln!(out, "{}", serde_json::to_string(&DuelReport::new(setting, standings))?)?;
        return Ok(());
    }
    heading(setting, out)?;
    let indent = setting.options.iter().map(String::len).max().unwrap_or(0).clamp(8, 40);
    writeln!(
        out,
        "  {:<indent$}  {:>6}  {:>6}  {:>6}  {:>6}  {:>7}",
        "", "games", "wins", "draws", "losses", "score"
    )?;
    let mut row = |name: &str, tally: &Tally| {
        let Tally { wins, draws, losses, .. } = tally;
        let (games, score) = (tally.games(), 100.0 * tally.score());
        writeln!(out, "  {name:<indent$}  {games:>6}  {wins:>6}  {draws:>6}  {losses:>6}  {score:>6.1}%")
    };
    row("all", &standings.tally)?;
    for (seat, tally) in &standings.by_seat {
        row(&format!("as {seat}"), tally)?;
    }
    if setting.options.len() > 1 {
        for (options, tally) in setting.options.iter().zip(&standings.by_variant) {
            row(options, tally)?;
        }
    }
    let tally = &standings.tally;
    let (low, high) = tally.interval();
    writeln!(
        out,
        "\n  score {:.1}%, 95% interval {:.1}% to {:.1}% (Wilson)",
        100.0 * tally.score(),
        100.0 * low,
        100.0 * high
    )?;
    match (tally.elo(), tally.elo_error()) {
        (Some(elo), Some(error)) => {
            let elo = rounded(elo, 0);
            writeln!(out, "  Elo {elo:+.0} ± {error:.0} (95%, by pairs)")?;
        }
        _ => writeln!(out, "  Elo unbounded: one side has every point")?,
    }
    if let Some(sprt) = &setting.sprt {
        let (lower, upper) = sprt.bounds();
        let ratio = sprt.log_likelihood_ratio(tally);
        let verdict = match sprt.decision(tally) {
            None => "undecided".to_owned(),
            Some(Decision::Null) => format!("Elo is nearer to {} than to {}", sprt.elo0, sprt.elo1),
            Some(Decision::Alternative) => format!("Elo is nearer to {} than to {}", sprt.elo1, sprt.elo0),
        };
        writeln!(out, "  SPRT {verdict}: ratio {ratio:.2}, bounds {lower:.2} and {upper:.2}")?;
    }
    writeln!(out)?;
    conduct_table(&setting.bots, &standings.conduct, out)?;
    writeln!(
        out,
        "\n  {}, {}, seed {}; {}",
        counted(tally.games() as usize, "game"),
        counted(standings.plies as usize, "ply").replace("plys", "plies"),
        setting.seed,
        end_text(standings.end)
    )?;
    for (side, name) in setting.bots.iter().enumerate() {
        if let Some(fault) = &standings.faults[side] {
            let forfeits = counted(standings.forfeits[side] as usize, "game");
            writeln!(out, "  {name} forfeited {forfeits}; the first time {}", fault)?;
        }
    }
    if standings.unfinished > 0 {
        let cut = counted(standings.unfinished as usize, "game");
        writeln!(out, "  {cut} reached the limit of plies and count as draws")?;
    }
    Ok(())
}

fn end_text(end: Option<DuelEnd>) -> &'static str {
    match end {
        Some(DuelEnd::AllPlayed) => "all were played",
        Some(DuelEnd::Until) => "the score is clear",
        Some(DuelEnd::Sprt(_)) => "the test is decided",
        Some(DuelEnd::Stopped) | None => "stopped before the end",
    }
}

fn heading(setting: &Setting, out: &mut impl Write) -> anyhow::Result<()> {
    let options = setting.options.join("; ");
    let options = if options.is_empty() { String::new() } else { format!(" ({options})") };
    writeln!(out, "{}{options}: {}\n", setting.game, setting.bots.join(" against "))?;
    Ok(())
}

fn conduct_table(bots: &[String], conduct: &[Conduct], out: &mut impl Write) -> anyhow::Result<()> {
    let indent = bots.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(8, 40);
    writeln!(
        out,
        "  {:<indent$}  {:>8}  {:>9}  {:>9}  {:>6}  {:>10}",
        "", "moves", "time/move", "slowest", "depth", "nodes/move"
    )?;
    let shown = |name: &str| name.chars().take(indent).collect::<String>();
    for (name, conduct) in bots.iter().zip(conduct) {
        // Programs need not say how deep they look, and who never moved has no time.
        let known = |is_known: bool, text: String| if is_known { text } else { "–".to_owned() };
        let time = |seconds: f64| known(conduct.moves > 0, format!("{seconds:.4}s"));
        writeln!(
            out,
            "  {:<indent$}  {:>8}  {:>9}  {:>9}  {:>6}  {:>10}",
            shown(name),
            conduct.moves,
            time(conduct.mean_time()),
            time(conduct.slowest.as_secs_f64()),
            known(conduct.depth > 0, format!("{:.2}", conduct.mean_depth())),
            known(conduct.nodes > 0, format!("{:.0}", conduct.mean_nodes())),
        )?;
    }
    writeln!(
        out,
        "\n  {:<indent$}  {:>8}  {:>9}  {:>9}  {:>9}",
        "faults", "late", "illegal", "crash", "printing"
    )?;
    for (name, conduct) in bots.iter().zip(conduct) {
        let Conduct { late, illegal, crashes, printing, .. } = conduct;
        writeln!(out, "  {:<indent$}  {late:>8}  {illegal:>9}  {crashes:>9}  {printing:>9}", shown(name))?;
    }
    Ok(())
}

/// A number with no more digits than it is worth.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    // The sum does away with a negative zero.
    (value * scale).round() / scale + 0.0
}

/// A duel as JSON: first what interfaces promise, then what else is known.
#[derive(Serialize)]
struct DuelReport<'a> {
    game: &'a str,
    /// One text, or a list of them where games went over several rule sets.
    options: Value,
    a: &'a str,
    b: &'a str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    late_a: u64,
    late_b: u64,
    illegal_a: u64,
    illegal_b: u64,
    crash_a: u64,
    crash_b: u64,
    printing_a: u64,
    printing_b: u64,
    time_a: f64,
    time_b: f64,
    depth_a: f64,
    depth_b: f64,
    nodes_a: f64,
    nodes_b: f64,
    interval: [f64; 2],
    seed: u64,
    end: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_options: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Value>,
}

impl<'a> DuelReport<'a> {
    fn new(setting: &'a Setting, standings: &Standings) -> Self {
        let Standings { tally, conduct: [a, b], by_variant, end, .. } = standings;
        let (low, high) = tally.interval();
        let (options, by_options) = match &setting.options[..] {
            [only] => (json!(only), Vec::new()),
            several => (json!(several), several.iter().zip(by_variant).map(tally_json).collect()),
        };
        Self {
            game: setting.game,
            options,
            a: &setting.bots[0],
            b: &setting.bots[1],
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            score: tally.score(),
            elo: tally.elo().map(|elo| rounded(elo, 2)),
            elo_error: tally.elo_error().map(|error| rounded(error, 2)),
            late_a: a.late,
            late_b: b.late,
            illegal_a: a.illegal,
            illegal_b: b.illegal,
            crash_a: a.crashes,
            crash_b: b.crashes,
            printing_a: a.printing,
            printing_b: b.printing,
            time_a: rounded(a.mean_time(), 7),
            time_b: rounded(b.mean_time(), 7),
            depth_a: rounded(a.mean_depth(), 3),
            depth_b: rounded(b.mean_depth(), 3),
            nodes_a: rounded(a.mean_nodes(), 1),
            nodes_b: rounded(b.mean_nodes(), 1),
            interval: [rounded(low, 6), rounded(high, 6)],
            seed: setting.seed,
            end: end_word(*end),
            by_options,
            sprt: setting.sprt.map(|sprt| sprt_json(&sprt, tally)),
        }
    }
}

fn tally_json((options, tally): (&String, &Tally)) -> Value {
    let Tally { wins, draws, losses, .. } = tally;
    json!({ "options": options, "games": tally.games(), "wins": wins, "draws": draws, "losses": losses, "score": tally.score() })
}

fn sprt_json(sprt: &Sprt, tally: &Tally) -> Value {
    let (lower, upper) = sprt.bounds();
    let ratio = rounded(sprt.log_likelihood_ratio(tally), 4);
    json!({ "elo0": sprt.elo0, "elo1": sprt.elo1, "ratio": ratio, "lower": rounded(lower, 4), "upper": rounded(upper, 4) })
}

fn end_word(end: Option<DuelEnd>) -> &'static str {
    match end {
        Some(DuelEnd::AllPlayed) => "games",
        Some(DuelEnd::Until) => "until",
        Some(DuelEnd::Sprt(Decision::Null)) => "sprt elo0",
        Some(DuelEnd::Sprt(Decision::Alternative)) => "sprt elo1",
        Some(DuelEnd::Stopped) | None => "stopped",
    }
}

/// Games of one player as JSON, in the same order.
#[derive(Serialize)]
struct SoloReport {
    games: usize,
    mean: f64,
    median: f64,
    max: u64,
    reached: Shares,
    moves_per_second: f64,
    mean_error: f64,
    late: u64,
    illegal: u64,
    crash: u64,
    printing: u64,
    seed: u64,
}

/// Shares of games by mark, from the lowest to the highest: as text they would be in another order.
struct Shares(Vec<(u64, f64)>);

impl Serialize for Shares {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(mark, share)| (mark.to_string(), share)))
    }
}

pub(crate) fn write_solo(
    setting: &Setting,
    done: &Achievements,
    json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let reached = done.reached(LEAST_MARK);
    if json {
        let report = SoloReport {
            games: done.scores.len(),
            mean: rounded(done.mean(), 2),
            median: done.median(),
            max: done.max(),
            reached: Shares(reached),
            moves_per_second: rounded(done.moves_per_second(), 1),
            mean_error: rounded(done.mean_error(), 2),
            late: done.conduct.late,
            illegal: done.conduct.illegal,
            crash: done.conduct.crashes,
            printing: done.conduct.printing,
            seed: setting.seed,
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    heading(setting, out)?;
    writeln!(out, "  mean    {:>10.0} ± {:.0} (95%)", done.mean(), done.mean_error())?;
    writeln!(out, "  median  {:>10.0}", done.median())?;
    writeln!(out, "  max     {:>10}", done.max())?;
    for (mark, share) in reached {
        writeln!(out, "  {mark:<7} {:>9.1}%", 100.0 * share)?;
    }
    writeln!(out)?;
    conduct_table(&setting.bots, &[done.conduct], out)?;
    let ended = if done.is_stopped { "stopped before the end" } else { "all were played" };
    writeln!(
        out,
        "\n  {}, {:.0} moves a second, seed {}; {ended}",
        counted(done.scores.len(), "game"),
        done.moves_per_second(),
        setting.seed
    )?;
    if let Some(fault) = &done.fault {
        let forfeits = counted(done.forfeits as usize, "game");
        writeln!(out, "  {} forfeited {forfeits}; the first time {}", setting.bots[0], fault)?;
    }
    Ok(())
}
