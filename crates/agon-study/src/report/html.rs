//! The results as one HTML file that needs nothing else: light and dark, printable.

use std::time::Duration;

use agon_arena::report::Html;
use agon_arena::report::words::{plain, time_text};
use agon_core::text::{counted, grouped};

use super::plots::{Part, Plot, plots};
use super::text::{depth, effect_name, elo, number, place, ratio, score, setting_name, share, verdict};
use crate::forecast::span_text;
use crate::messages::MESSAGES;
use crate::results::{ComparisonResult, Results, SideResult, State, Verdict};
use crate::summary::{self, percent};

/// The most rows of a table: the page is to be printed on a few sheets, and the files have everything.
const MAX_ROWS: usize = 60;

/// The page.
pub fn page(results: &Results) -> String {
    let mut page = Html::page(&plain(&results.name));
    let mut all = plots(results);
    let mut take = |part: Part| -> Vec<Plot> { all.extract_if(.., |plot| plot.part == Some(part)).collect() };
    let parts = [Part::Main, Part::Circumstances, Part::Outlook, Part::Further];
    let [main, circumstances, power, further] = parts.map(&mut take);
    heading(&mut page, results);
    effects(&mut page, results, &main);
    panels(&mut page, results, &circumstances);
    outlook(&mut page, results, &power);
    if !further.is_empty() {
        page.raw("<div class=\"two\">");
        for plot in &further {
            page.open(&plain(&plot.heading));
            page.plot(&plot.drawing);
            page.close();
        }
        page.raw("</div>");
    }
    findings(&mut page, results);
    strength(&mut page, results);
    searches(&mut page, results);
    counters(&mut page, results);
    method(&mut page, results);
    quotation(&mut page, results);
    page.finish()
}

fn heading(page: &mut Html, results: &Results) {
    let state = match results.state {
        State::Running => "running",
        State::Stopped => "stopped",
        State::Finished => "finished",
    };
    let kind = if results.quick { "quick study" } else { "study" };
    page.raw("<p class=\"sub\"><strong>Agon</strong> · ").text(&plain(&results.name));
    page.text(&format!(" · {kind} · {state}")).raw("</p><h1>");
    let title = if results.question.is_empty() { &results.name } else { &results.question };
    page.text(&plain(title)).raw("</h1><p class=\"answer\">");
    let answer: Vec<String> = summary::answer(results).iter().map(|sentence| plain(&sentence.text)).collect();
    page.text(&answer.join(" ")).raw("</p><p class=\"facts\">");
    page.raw("<span><strong>").text(&grouped(results.games())).raw("</strong> games</span>");
    let places: Vec<String> = (0..results.circumstances.len()).map(|index| place(results, index)).collect();
    let mut games: Vec<String> = results.circumstances.iter().map(|here| plain(&here.title)).collect();
    games.dedup();
    page.raw("<span>").text(&games.join(", ")).raw("</span>");
    if (2..=8).contains(&places.len()) {
        page.raw("<span>").text(&places.join(" · ")).raw("</span>");
    } else if places.len() > 1 {
        page.raw("<span>").text(&counted(places.len(), "circumstance")).raw("</span>");
    }
    if !results.all_against_all {
        page.raw("<span>against <strong>").text(&setting_name(results, 0)).raw("</strong></span>");
    }
    page.raw("<span><strong>≤ ")
        .text(&percent(results.error))
        .raw("</strong> risk of any false claim</span></p>");
}

/// The main effects, as a plot and as a table.
fn effects(page: &mut Html, results: &Results, plots: &[Plot]) {
    if results.effects.is_empty() {
        return;
    }
    page.open("Main effects");
    let over = match results.circumstances.len() {
        1 => String::new(),
        many => format!(
            " over all {many} circumstances, each of which counts the same. Small dots: single circumstances"
        ),
    };
    page.raw("<p class=\"small\">").text(&format!("Score{over}. Filled: shown. Hollow: open.")).raw("</p>");
    for plot in plots {
        page.plot(&plot.drawing);
    }
    page.raw("<table><thead><tr><th class=\"start\">Setting</th><th>Games</th><th>Score</th><th>Elo</th>");
    page.raw("<th class=\"start\">Verdict</th><th>Depth</th><th>Nodes</th><th>Time</th></tr></thead><tbody>");
    for effect in results.effects.iter().take(MAX_ROWS) {
        page.raw("<tr>");
        page.cell("start player", &effect_name(results, effect));
        page.cell("", &effect.games.to_string());
        page.cell("", &score(effect.score));
        page.cell("", &elo(effect.elo));
        let class = if effect.verdict == Verdict::Open { "start none" } else { "start total" };
        page.cell(class, verdict(effect.verdict));
        page.cell("", &depth(effect.depth_difference));
        page.cell("", &ratio(effect.nodes_ratio));
        page.cell("", &ratio(effect.seconds_ratio));
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    page.close();
}

fn panels(page: &mut Html, results: &Results, plots: &[Plot]) {
    if plots.is_empty() {
        return;
    }
    page.open("By circumstance");
    page.raw("<p class=\"small\">");
    let more = results.circumstances.len().saturating_sub(plots.len());
    let more =
        if more > 0 { format!(" {more} more are in comparisons.csv and plots.") } else { String::new() };
    page.text(&format!("The same settings, one circumstance each, with the same axis and order.{more}"));
    page.raw("</p><div class=\"three\">");
    for plot in plots {
        page.raw("<div><h3>").text(&plot.heading).raw("</h3>").plot(&plot.drawing).raw("</div>");
    }
    page.raw("</div>");
    page.close();
}

/// What so many games can show, and what others would take.
fn outlook(page: &mut Html, results: &Results, plots: &[Plot]) {
    let [plot] = plots else { return };
    page.open("What these games could show");
    page.raw("<p class=\"small\">");
    page.text(match results.effects.iter().any(|effect| effect.deviation.is_some()) {
        true => "From the spread of the scores of this study.",
        false => "From the spread of the scores of equals without draws.",
    });
    page.text(" Smaller differences will more likely than not stay open.");
    page.raw("</p><div class=\"two\"><div>").plot(&plot.drawing).raw("</div><div>");
    page.raw(
        "<table><thead><tr><th class=\"start\">Smallest difference shown</th><th>Games of a setting</th>",
    );
    page.raw("<th>All settings, one core</th></tr></thead><tbody>");
    for (index, cost) in results.outlook().rows.iter().enumerate() {
        let what = percent(cost.distance);
        page.raw("<tr>");
        match (index, cost.is_each) {
            (_, true) => page.cell("start none", &format!("{what} in every circumstance")),
            (0, _) => page.cell("start total", &format!("{what} from even: this study")),
            _ => page.cell("start", &format!("{what} from even")),
        }
        page.cell("", &grouped(cost.games));
        let time = Duration::try_from_secs_f64(cost.seconds).unwrap_or(Duration::MAX);
        page.cell("", &span_text(time));
        page.raw("</tr>");
    }
    page.raw("</tbody></table></div></div>");
    page.close();
}

fn findings(page: &mut Html, results: &Results) {
    page.open("What else was found");
    page.raw("<ul>");
    for sentence in summary::findings(results) {
        page.raw("<li>").text(&plain(&sentence.text)).raw("</li>");
    }
    page.raw("</ul>");
    page.close();
}

/// Every comparison under its circumstance, where that is not the main effect itself.
fn strength(page: &mut Html, results: &Results) {
    if results.circumstances.len() < 2 {
        return;
    }
    page.open("Single circumstances");
    page.raw("<table><thead><tr><th class=\"start\">Comparison</th><th>Games</th><th>Won</th><th>Drawn</th><th>Lost</th>");
    page.raw("<th>Score</th><th>Elo</th><th class=\"start\">Verdict</th></tr></thead><tbody>");
    for comparison in results.comparisons.iter().take(MAX_ROWS) {
        page.raw("<tr>");
        let bot = &results.circumstances[comparison.circumstance].bots[comparison.setting];
        page.raw("<td class=\"start player\"").attribute("title", &plain(bot)).raw(">");
        page.text(&plain(&results.label(comparison))).raw("</td>");
        let ComparisonResult { games, wins, draws, losses, .. } = comparison;
        for count in [games, wins, draws, losses] {
            page.cell("", &count.to_string());
        }
        page.cell("", &score(comparison.score));
        page.cell("", &elo(comparison.elo));
        let class = if comparison.verdict == Verdict::Open { "start none" } else { "start total" };
        page.cell(class, verdict(comparison.verdict));
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    rest(page, results.comparisons.len());
    page.close();
}

/// Says where rows are that a table has no room for.
fn rest(page: &mut Html, rows: usize) {
    if rows > MAX_ROWS {
        page.raw("<p class=\"small\">");
        page.text(&format!("{} more are in comparisons.csv.", grouped((rows - MAX_ROWS) as u64))).raw("</p>");
    }
}

/// A row for each setting under each of the circumstances, and one for the reference.
fn rows(results: &Results) -> Vec<(String, &SideResult)> {
    let mut rows = Vec::new();
    let mut last = None;
    for comparison in results.comparisons.iter().filter(|comparison| comparison.games > 0) {
        let [side, other] = &comparison.sides;
        // One row for the reference is enough: it is the same bot in all comparisons of a circumstance.
        if !results.all_against_all && last != Some(comparison.circumstance) {
            let reference = setting_name(results, 0);
            let label = if results.circumstances.len() > 1 {
                format!("{reference} ({})", place(results, comparison.circumstance))
            } else {
                reference
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
    for (label, side) in rows.iter().take(MAX_ROWS) {
        search_row(page, label, side, is_late);
    }
    page.raw("</tbody></table><p class=\"small\">");
    page.text(
        "Means per move. Branching: by how much a search grows when it goes one ply deeper. Cut-offs: the share of nodes that end in \
         one. First move: the share of cut-offs by the first move that was tried. Table hits: the share of nodes that the transposition \
         table answered. Bots take processor time, programs the time until they have answered.",
    );
    page.raw("</p>");
    rest(page, rows.len());
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
    for (label, side) in rows(results).into_iter().take(MAX_ROWS) {
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
    page.text(&method_text(results));
    page.raw("</p><table><thead><tr><th class=\"start\">Setting</th>");
    page.raw("<th class=\"start\">Bot</th></tr></thead><tbody>");
    for index in (0..results.settings.len()).take(MAX_ROWS) {
        page.raw("<tr>");
        page.cell("start", &setting_name(results, index));
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

fn method_text(results: &Results) -> String {
    let shares = results.shares();
    let (effects, comparisons) = (results.effects.len().max(1), results.comparisons.len().max(1));
    let sure = percent(1.0 - results.error);
    let error = results.error;
    let pairs = format!(
        "Every opening is played twice with sides swapped, and all settings play the same openings (seed {}). The score of a pair of games \
         is one observation. Intervals of scores are confidence sequences (hedged capital, Waudby-Smith and Ramdas 2023), so that all of \
         them hold together, however often one looks, with a probability of {sure}.",
        results.seed
    );
    let division = match (results.version, results.circumstances.len()) {
        (_, 1) => format!(" Each has an error of {error} / {effects}."),
        (1, _) => format!(
            " Each comparison has an error of {error} / {comparisons}; the interval of a main effect is the mean of those of its \
             circumstances."
        ),
        _ => format!(
            " Half of the error goes to main effects ({:.5} each), half to single circumstances ({:.6} each). A main effect takes a \
             pair under every circumstance at a time, and bets the same on each of them.",
            shares.main, shares.single
        ),
    };
    let end = match results.early_stopping {
        true => " A setting is played no further once its main effect and all its circumstances are clear.",
        false => " All games are played.",
    };
    let ratios = " Ratios of nodes and time and differences of depth are means over pairs of games with approximate intervals.";
    format!("{pairs}{division}{end}{ratios}")
}

/// The answer in both languages, to be quoted, and the command that repeats the study.
fn quotation(page: &mut Html, results: &Results) {
    page.open("To quote");
    let answer = summary::answer(results);
    for (language, direction) in [("en", "ltr"), ("he", "rtl")] {
        let text: Vec<String> =
            answer.iter().map(|sentence| plain(&MESSAGES.text(language, sentence))).collect();
        page.raw("<blockquote").attribute("lang", language).attribute("dir", direction).raw(">");
        page.text(&text.join(" ")).raw("</blockquote>");
    }
    page.raw("<p class=\"small\">");
    let seed = results.seed;
    page.text(&format!(
        "Study {}, {} games, seed {seed}, played by agon.",
        plain(&results.name),
        grouped(results.games())
    ));
    page.raw("</p>");
    page.close();
}
