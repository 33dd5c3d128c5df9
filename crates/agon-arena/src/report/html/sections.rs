//! The parts of the page.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_plot::{Axis, Bar, BarChart, Dot, DotPlot, LinePlot, Point, Series};

use super::super::analysis::{Analysis, Failing};
use super::super::markup::Html;
use super::super::words::{advice, elo_text, name_text, plain, points_text, time_text};
use crate::results::{GameResult, Row};

/// The most players that a matrix or a plot shows.
const MAX_SHOWN: usize = 40;
/// The most ways of failing that are listed.
const MAX_LISTED: usize = 100;

fn shown<'a>(analysis: &'a Analysis) -> &'a [Row] {
    &analysis.table.rows[..analysis.table.rows.len().min(MAX_SHOWN)]
}

/// Says that a matrix is not complete.
fn remark(page: &mut Html, analysis: &Analysis) {
    if analysis.table.rows.len() > MAX_SHOWN {
        let players = analysis.table.rows.len();
        page.raw("<p class=\"small\">")
            .text(&format!("The first {MAX_SHOWN} of {players} players."))
            .raw("</p>");
    }
}

/// With a typographic minus.
fn signed(points: f64) -> String {
    points_text(points).replace('-', "−")
}

pub(super) fn table(page: &mut Html, analysis: &Analysis) {
    page.raw("<section><div class=\"card\"><table><thead><tr><th></th><th class=\"start\">Player</th><th>Points</th>");
    page.raw("<th>Games</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Technical</th><th>Elo</th></tr></thead><tbody>");
    for row in &analysis.table.rows {
        let player = &analysis.results.players[row.player];
        page.raw("<tr>");
        page.cell("", &row.place.to_string());
        page.raw("<td class=\"start player\"")
            .attribute("title", &plain(&player.plays))
            .raw(">")
            .name(&row.name);
        if !player.kind.is_empty() {
            page.raw(" <span class=\"kind\">").text(&plain(&player.kind)).raw("</span>");
        }
        if row.disqualified {
            page.raw(" <span class=\"small bad\">disqualified</span>");
        }
        page.raw("</td>");
        page.cell("total", &signed(row.points));
        for count in [row.games, row.wins, row.draws, row.losses] {
            page.cell("", &count.to_string());
        }
        match (row.technical_wins, row.technical_losses) {
            (0, 0) => page.cell("none", "0"),
            (wins, 0) => page.cell("none", &format!("+{wins}")),
            (0, losses) => page.cell("bad", &format!("−{losses}")),
            (wins, losses) => page.cell("bad", &format!("+{wins} −{losses}")),
        }
        match analysis.strength(row.player) {
            Some(strength) => page.cell("", &elo_text(strength)),
            None => page.cell("none", "–"),
        }
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    page.close();
}

pub(super) fn technical_losses(page: &mut Html, analysis: &Analysis) {
    let all = analysis.offences().count();
    page.open("Technical losses");
    if all == 0 {
        page.raw("<p class=\"none\">None.</p>");
        return page.close();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, offence) in analysis.offences() {
        *counts.entry(offence.reason.word()).or_default() += 1;
    }
    let counts: Vec<String> = counts.into_iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    page.raw("<p class=\"small\">")
        .text(&format!("{all} in all: {}", counts.join(", ")))
        .raw("</p><table><tbody>");
    let failings = analysis.failings();
    for failing in failings.iter().take(MAX_LISTED) {
        let Failing { name, reason, game, offence, .. } = *failing;
        page.raw("<tr><td class=\"start player\">").name(name).raw("</td><td class=\"start wrap\"");
        page.attribute("title", &advice(reason).0.text).raw(">").text(reason.word());
        if !offence.sentence.is_empty() {
            page.text(": ").text(&plain(&offence.sentence));
        }
        let [before, names, after] = failing.extent();
        page.raw(" <span class=\"small\">")
            .text(&before)
            .raw("<bdi>")
            .text(&names)
            .raw("</bdi>")
            .text(&after);
        page.raw("</span></td><td>");
        record_link(page, game, "Record");
        page.raw("</td></tr>");
    }
    page.raw("</tbody></table><p class=\"small\">");
    if failings.len() > MAX_LISTED {
        page.text(&format!("The first {MAX_LISTED} of {}. ", failings.len()));
    }
    page.text("Every game is in ").link("games.csv", "games.csv").raw(".</p>");
    page.close();
}

fn record_link(page: &mut Html, game: &GameResult, text: &str) {
    match &game.record {
        Some(record) => page.link(record, text),
        None => page.raw("<span class=\"none\">–</span>"),
    };
}

pub(super) fn strength(page: &mut Html, analysis: &Analysis) {
    let dots: Vec<Dot> = shown(analysis)
        .iter()
        .filter_map(|row| {
            let (value, error) = analysis.strength(row.player)?;
            Some(Dot {
                label: name_text(&row.name),
                value,
                interval: (value - error, value + error),
                ..Dot::default()
            })
        })
        .collect();
    if dots.is_empty() {
        return;
    }
    page.open("Strength, with 95% intervals");
    let plot =
        DotPlot { axis: Axis::new("Elo"), reference: Some(0.0), dots, width: 440.0, ..DotPlot::default() };
    page.plot(&plot.draw());
    page.close();
}

pub(super) fn progress(page: &mut Html, analysis: &Analysis) {
    /// More lines than this cannot be told apart.
    const MAX_LINES: usize = 12;
    let parts = analysis.progress.iter().map(Vec::len).max().unwrap_or(0);
    if parts < 2 {
        return;
    }
    let by_round = analysis.results.rounds.len() > 1;
    let games = analysis.results.games.len();
    let x = |part: usize| if by_round { part as f64 } else { (part * games) as f64 / parts as f64 };
    let series = shown(analysis).iter().take(MAX_LINES).map(|row| {
        let points = &analysis.progress[row.player];
        let points = (1..).zip(points).map(|(part, points)| Point::new(x(part), *points));
        Series {
            name: name_text(&row.name),
            points: std::iter::once(Point::new(0.0, 0.0)).chain(points).collect(),
        }
    });
    let plot = LinePlot {
        x: Axis::whole(if by_round { "rounds" } else { "games" }),
        y: Axis::new("points"),
        series: series.collect(),
        marks: by_round,
        width: 440.0,
        ..LinePlot::default()
    };
    page.open(if by_round { "Points over rounds" } else { "Points over games" });
    page.plot(&plot.draw());
    page.close();
}

/// A square table of players: `shade` is from -1 to 1.
fn matrix(page: &mut Html, analysis: &Analysis, entry: impl Fn(&Row, &Row) -> Option<(f64, String, String)>) {
    let rows = shown(analysis);
    page.raw("<table class=\"matrix\"><thead><tr><th></th><th class=\"start\">Player</th>");
    for number in 1..=rows.len() {
        page.raw("<th>").text(&number.to_string()).raw("</th>");
    }
    page.raw("</tr></thead><tbody>");
    for (number, row) in rows.iter().enumerate() {
        page.raw("<tr>");
        page.cell("", &(number + 1).to_string());
        page.raw("<td class=\"start player\">").name(&row.name).raw("</td>");
        for other in rows {
            if other.player == row.player {
                page.raw("<td class=\"self\"></td>");
                continue;
            }
            let Some((shade, text, hint)) = entry(row, other) else {
                page.cell("none", "·");
                continue;
            };
            page.raw("<td").attribute("class", if shade < 0.0 { "against" } else { "for" });
            page.attribute("style", &format!("--shade:{:.0}%", shade.abs().min(1.0) * 45.0));
            page.attribute("title", &hint).raw(">").text(&text).raw("</td>");
        }
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    remark(page, analysis);
}

pub(super) fn cross_table(page: &mut Html, analysis: &Analysis) {
    if analysis.table.rows.len() < 2 {
        return;
    }
    page.open("Cross table");
    page.raw("<p class=\"small\">Points of the players in rows against those in columns; won, drawn and lost games in brackets.</p>");
    matrix(page, analysis, |row, other| {
        let cross = &analysis.cross[row.player][other.player];
        if cross.games == 0 {
            return None;
        }
        let record = format!("+{} ={} −{}", cross.wins, cross.draws, cross.losses);
        let hint = format!("{} against {}: {record}", name_text(&row.name), name_text(&other.name));
        Some((2.0 * cross.share() - 1.0, format!("{} ({record})", signed(cross.points)), hint))
    });
    page.close();
}

pub(super) fn superiority(page: &mut Html, analysis: &Analysis) {
    if analysis.table.rows.len() < 2 || analysis.results.games.is_empty() {
        return;
    }
    page.open("Likelihood of superiority");
    page.raw("<p class=\"small\">How likely it is that the player in the row is stronger than the one in the column, in percent.</p>");
    matrix(page, analysis, |row, other| {
        analysis.strength(row.player).and(analysis.strength(other.player))?;
        let likelihood = analysis.ratings.superiority(row.player, other.player);
        let hint = format!(
            "{} stronger than {}: {:.1}%",
            name_text(&row.name),
            name_text(&other.name),
            100.0 * likelihood
        );
        // Never certain.
        let percent = (100.0 * likelihood).clamp(0.1, 99.9);
        let text =
            if (1.0..=99.0).contains(&percent) { format!("{percent:.0}") } else { format!("{percent:.1}") };
        Some((2.0 * likelihood - 1.0, text, hint))
    });
    page.close();
}

pub(super) fn conduct(page: &mut Html, analysis: &Analysis) {
    let rows: Vec<&Row> = analysis.table.rows.iter().filter(|row| row.conduct.moves > 0).collect();
    if rows.is_empty() {
        return;
    }
    page.raw("<div class=\"two\">");
    page.open("Time and depth");
    page.raw("<table><thead><tr><th class=\"start\">Player</th><th>Moves</th><th>Mean time</th><th>Slowest</th><th>Depth</th>");
    page.raw("<th>Nodes per move</th></tr></thead><tbody>");
    for row in &rows {
        let conduct = &row.conduct;
        page.raw("<tr><td class=\"start player\">").name(&row.name).raw("</td>");
        page.cell("", &conduct.moves.to_string());
        page.cell("", &time_text(Duration::from_secs_f64(conduct.mean_time())));
        page.cell("", &time_text(conduct.slowest));
        let told = |value: f64, text: String| if value > 0.0 { text } else { "–".to_owned() };
        page.cell("", &told(conduct.mean_depth(), format!("{:.1}", conduct.mean_depth())));
        let nodes = agon_core::text::grouped(conduct.mean_nodes() as u64);
        page.cell("", &told(conduct.mean_nodes(), nodes));
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    let overheads: Vec<_> = analysis.results.games.iter().filter_map(|game| game.overhead).collect();
    if !overheads.is_empty() {
        let mut medians: Vec<Duration> = overheads.iter().map(|overhead| overhead.median).collect();
        medians.sort_unstable();
        let most = overheads.iter().map(|overhead| overhead.most).max().unwrap_or_default();
        let median = time_text(medians[medians.len() / 2]);
        page.raw("<p class=\"small\">");
        page.text(&format!(
            "The referee's own overhead per move: median {median}, most {}.",
            time_text(most)
        ));
        page.raw(" It is not counted against players, who also have a grace of 20 ms.</p>");
    }
    page.close();
    page.open("Time per move");
    let bars = rows.iter().take(MAX_SHOWN).map(|row| Bar {
        label: name_text(&row.name),
        value: 1000.0 * row.conduct.mean_time(),
        interval: None,
    });
    let chart = BarChart {
        axis: Axis::new("mean time per move, ms"),
        digits: 1,
        bars: bars.collect(),
        width: 520.0,
        ..BarChart::default()
    };
    page.plot(&chart.draw());
    page.close();
    page.raw("</div>");
}

pub(super) fn rounds(page: &mut Html, analysis: &Analysis) {
    if analysis.results.rounds.is_empty() {
        return;
    }
    page.open("Rounds");
    page.raw("<table><thead><tr><th></th><th class=\"start\">Game</th><th class=\"start\">Options</th><th>Time</th><th>Setup</th>");
    page.raw("<th class=\"start\">Format</th><th>Games</th><th>First player scores</th><th>Draws</th></tr></thead><tbody>");
    for (index, round) in analysis.results.rounds.iter().enumerate() {
        page.raw("<tr>");
        page.cell("", &(index + 1).to_string());
        page.cell("start", &plain(&round.title));
        page.cell("start wrap", &plain(&round.options));
        page.cell("", &plain(&round.time));
        page.cell("", &plain(&round.setup));
        page.cell("start", &plain(&round.format));
        let played = analysis.results.games.iter().filter(|game| game.round == index + 1);
        let games = played.count();
        page.cell("", &format!("{games} of {}", round.games.max(games)));
        match analysis.ratings.groups.get(index).filter(|group| group.encounters > 0) {
            Some(group) => {
                let (low, high) = group.first_interval;
                let percent = |share: f64| format!("{:.0}", 100.0 * share);
                page.cell(
                    "",
                    &format!("{}% ({} to {})", percent(group.first_score), percent(low), percent(high)),
                );
                page.cell("", &format!("{}%", percent(group.draws)));
            }
            None => {
                page.cell("none", "–");
                page.cell("none", "–");
            }
        }
        page.raw("</tr>");
    }
    page.raw("</tbody></table><p class=\"small\">What the first player scores, and the share of draws, are estimates for equal players.</p>");
    page.close();
}

pub(super) fn games(page: &mut Html, analysis: &Analysis) {
    page.raw("<section class=\"long\"><h2>Games</h2><div class=\"card\"><p class=\"small\">As files: ");
    for file in ["results.json", "table.csv", "crosstable.csv", "games.csv"] {
        page.link(file, file).raw(" ");
    }
    page.raw("</p><details");
    // Short lists need no click.
    if analysis.results.games.len() <= 60 {
        page.raw(" open");
    }
    page.raw("><summary>")
        .text(&agon_core::text::counted(analysis.results.games.len(), "game"))
        .raw("</summary>");
    page.raw("<table><thead><tr><th>Game</th><th>Round</th><th class=\"start\">Players, in turn order</th><th class=\"start\">Points</th>");
    page.raw("<th class=\"start\">How it ended</th><th>Plies</th><th></th></tr></thead><tbody>");
    for game in &analysis.results.games {
        page.raw("<tr>");
        page.cell("", &game.shown_number().to_string());
        page.cell("", &game.round.to_string());
        page.raw("<td class=\"start wrap\">");
        for (seat, name) in game.seats.iter().enumerate() {
            if seat > 0 {
                page.raw(" – ");
            }
            // Who has gained most stands out.
            let is_best = game.standing(seat).share() > 0.75;
            page.raw(if is_best { "<b>" } else { "" }).name(name).raw(if is_best { "</b>" } else { "" });
        }
        page.raw("</td>");
        let points: Vec<String> = game.points.iter().map(|points| signed(*points)).collect();
        page.cell("start", &points.join(" : "));
        let scores: Vec<String> = game.scores.iter().map(ToString::to_string).collect();
        let scores = if scores.is_empty() { String::new() } else { format!(" ({})", scores.join(" : ")) };
        let class = if game.is_technical() { "start wrap bad" } else { "start wrap" };
        page.cell(class, &(plain(game.outcome.reason()) + &scores));
        page.cell("", &game.plies.to_string());
        page.raw("<td>");
        record_link(page, game, "Record");
        page.raw("</td></tr>");
    }
    page.raw("</tbody></table></details>");
    page.close();
}

pub(super) fn method(page: &mut Html, analysis: &Analysis) {
    let points = &analysis.results.points;
    page.raw("<section><h2>How to read this</h2><div class=\"card small\"><p>");
    page.text(&format!(
        "Points: win {}, draw {}, loss {}, technical win {}, technical loss {}. Won, drawn and lost games do not include technical ones. \
         Players with equal points are ordered by the points they took from each other, then by games won.",
        signed(points.win),
        signed(points.draw),
        signed(points.loss),
        signed(points.technical_win),
        signed(points.technical_loss)
    ));
    page.raw("</p><p>Elo ratings are fitted to all games that were played, technical results included: a Bradley-Terry model with draws and");
    page.raw(" an advantage of the first move for each round. Their mean is 0. The intervals hold 95% of what is likely; a weak prior keeps");
    page.raw(" players with all points or none at finite ratings. In games of three and more seats, every two players are compared by their places.</p>");
    page.close();
}
