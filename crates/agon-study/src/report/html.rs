//! The results as one HTML file that needs nothing else: light and dark, printable.

use std::time::Duration;

use agon_arena::report::Html;
use agon_arena::report::words::{plain, time_text};
use agon_core::text::counted;

use super::plots::plots;
use super::text::{elo, number, score, share, verdict};
use crate::results::{ComparisonResult, Results, SideResult, State, Verdict};

/// The page.
pub fn page(results: &Results) -> String {
    let mut page = Html::page(&plain(&results.name));
    heading(&mut page, results);
    page.open("What came of it");
    page.raw("<ul>");
    for sentence in &results.summary {
        page.raw("<li>").text(&plain(sentence)).raw("</li>");
    }
    page.raw("</ul>");
    page.close();
    page.raw("<div class=\"two\">");
    for plot in plots(results) {
        page.open(&plain(&plot.heading));
        page.plot(&plot.drawing);
        page.close();
    }
    page.raw("</div>");
    strength(&mut page, results);
    searches(&mut page, results);
    counters(&mut page, results);
    method(&mut page, results);
    page.finish()
}

fn heading(page: &mut Html, results: &Results) {
    let state = match results.state {
        State::Running => "running",
        State::Stopped => "stopped",
        State::Finished => "finished",
    };
    let mut titles: Vec<&str> = results.circumstances.iter().map(|here| here.title.as_str()).collect();
    titles.dedup();
    page.raw("<h1>").text(&plain(&results.name)).raw(" <span class=\"badge\">");
    let kind = if results.quick { "quick study" } else { "study" };
    page.text(&format!("{} · {kind} · {state}", titles.join(", "))).raw("</span></h1><p class=\"sub\">");
    if !results.question.is_empty() {
        page.text(&plain(&results.question)).raw("<br>");
    }
    page.text(&format!(
        "{} · {} · {}",
        counted(results.settings.len(), "setting"),
        counted(results.comparisons.len(), "comparison"),
        counted(results.games() as usize, "game")
    ));
    page.raw("</p>");
}

fn strength(page: &mut Html, results: &Results) {
    page.open("Strength");
    page.raw("<table><thead><tr><th class=\"start\">Comparison</th><th>Games</th><th>Won</th><th>Drawn</th><th>Lost</th>");
    page.raw("<th>Score</th><th>Elo</th><th class=\"start\">Verdict</th></tr></thead><tbody>");
    for comparison in &results.comparisons {
        page.raw("<tr>");
        let bot = &results.circumstances[comparison.circumstance].bots[comparison.setting];
        page.raw("<td class=\"start player\"").attribute("title", &plain(bot)).raw(">");
        page.text(&plain(&results.label(comparison))).raw("</td>");
        let ComparisonResult { games, wins, draws, losses, .. } = comparison;
        for count in [games, wins, draws, losses] {
            page.cell("", &count.to_string());
        }
        page.cell("", &score(comparison.score));
        page.cell("", &elo(comparison));
        let class = if comparison.verdict == Verdict::Open { "start none" } else { "start total" };
        let early = if comparison.stopped_early { ", stopped early" } else { "" };
        page.cell(class, &format!("{}{early}", verdict(comparison.verdict)));
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    page.close();
}

/// A row for each setting under each of the circumstances, and one for the reference.
fn rows(results: &Results) -> Vec<(String, &SideResult)> {
    let mut rows = Vec::new();
    let mut last = None;
    for comparison in results.comparisons.iter().filter(|comparison| comparison.games > 0) {
        let [side, other] = &comparison.sides;
        // One row for the reference is enough: it is the same bot in all comparisons of a circumstance.
        if !results.all_against_all && last != Some(comparison.circumstance) {
            let place = &results.circumstances[comparison.circumstance].name;
            let label = if results.circumstances.len() > 1 {
                format!("reference ({place})")
            } else {
                "reference".to_owned()
            };
            rows.push((label, other));
            last = Some(comparison.circumstance);
        }
        rows.push((results.label(comparison), side));
    }
    rows
}

fn searches(page: &mut Html, results: &Results) {
    let rows = rows(results);
    // Only programs that have a time for their moves can be late.
    let is_late = rows.iter().any(|(_, side)| side.late > 0);
    page.open("Searches");
    page.raw("<table><thead><tr><th class=\"start\">Bot</th><th>Moves</th><th>Time</th>");
    page.raw(if is_late { "<th>Late</th>" } else { "" });
    page.raw("<th>Nodes</th><th>Depth</th><th>Branching</th><th>Cut-offs</th><th>First move</th><th>Table hits</th></tr></thead><tbody>");
    for (label, side) in &rows {
        search_row(page, label, side, is_late);
    }
    page.raw("</tbody></table><p class=\"small\">");
    page.text(
        "Means per move. Branching: by how much a search grows when it goes one ply deeper. Cut-offs: the share of nodes that end in \
         one. First move: the share of cut-offs by the first move that was tried. Table hits: the share of nodes that the transposition \
         table answered.",
    );
    page.raw("</p>");
    page.close();
}

/// What programs counted on their own, if they did.
fn counters(page: &mut Html, results: &Results) {
    let names = results.counters();
    if names.is_empty() {
        return;
    }
    page.open("What the programs counted");
    page.raw("<table><thead><tr><th class=\"start\">Program</th>");
    for name in &names {
        page.raw("<th>").text(&plain(name)).raw("</th>");
    }
    page.raw("</tr></thead><tbody>");
    for (label, side) in rows(results) {
        page.raw("<tr><td class=\"start player\">").text(&plain(&label)).raw("</td>");
        for name in &names {
            let mean = side.counters.get(*name);
            page.cell("", &mean.map_or_else(|| "–".to_owned(), |mean| signed(*mean)));
        }
        page.raw("</tr>");
    }
    page.raw("</tbody></table><p class=\"small\">");
    page.text("Means per move of what each program reported, under its own names.").raw("</p>");
    page.close();
}

/// A number that may be negative.
fn signed(value: f64) -> String {
    if value < 0.0 { format!("−{}", number(-value)) } else { number(value) }
}

fn search_row(page: &mut Html, label: &str, side: &SideResult, has_late: bool) {
    page.raw("<tr><td class=\"start player\">").text(&plain(label)).raw("</td>");
    page.cell("", &side.moves.to_string());
    page.cell("", &time_text(Duration::from_secs_f64(side.seconds)));
    if has_late {
        page.cell("", &side.late.to_string());
    }
    page.cell("", &number(side.nodes));
    page.cell("", &format!("{:.2}", side.depth));
    page.cell("", &side.branching.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")));
    page.cell("", &share(side.cutoff_rate));
    page.cell("", &share(side.first_move_cutoffs));
    page.cell("", &share(side.table_hits));
    page.raw("</tr>");
}

fn method(page: &mut Html, results: &Results) {
    page.open("Method");
    page.raw("<p class=\"small\">");
    let comparisons = results.comparisons.len().max(1);
    page.text(&format!(
        "Every opening is played twice with sides swapped, and all settings play the same openings (seed {}). The score of a pair of games \
         is one observation. Intervals of scores are confidence sequences (hedged capital, Waudby-Smith and Ramdas 2023) with an error of \
         {} / {comparisons}, so that all of them hold together, however often one looks, with a probability of {:.0}%; a comparison ends \
         {}. Ratios of nodes and time and differences of depth are means over pairs of games with approximate intervals at the same level.",
        results.seed,
        results.error,
        100.0 * (1.0 - results.error),
        if results.early_stopping { "as soon as its interval leaves 50% out" } else { "when all its games have been played" },
    ));
    page.raw("</p><table><thead><tr><th class=\"start\">Setting</th>");
    page.raw("<th class=\"start\">Bot</th></tr></thead><tbody>");
    for (index, setting) in results.settings.iter().enumerate() {
        page.raw("<tr>");
        page.cell("start", &plain(&setting.name));
        page.cell("start wrap", &plain(&results.circumstances[0].bots[index]));
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    if results.circumstances.len() > 1 {
        page.raw("<p class=\"small\">")
            .text("Bots are shown as they play under the first circumstances.")
            .raw("</p>");
    }
    page.close();
}
