//! The results as a page and as text.

use agon_arena::report::Html;
use agon_arena::report::words::plain;
use agon_core::text::{counted, grouped};
use agon_plot::{Axis, Drawing, LinePlot, Point, Series};

use crate::results::{Change, FitResult, MatchResult, Results, Verdict};

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// What came of a tuning, a sentence each.
pub(crate) fn sentences(results: &Results) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(fit) = &results.fit {
        let changed = results.changes.iter().filter(|change| change.before != change.after).count();
        sentences.push(format!(
            "The weights of {} were fitted to {} positions of {} that the bot played against itself; one game in five was held out. {} of {} \
             changed.",
            results.evaluation,
            grouped(fit.positions as u64),
            counted(results.tuning_games, "game"),
            changed,
            counted(results.changes.len(), "weight"),
        ));
        let [before, after] = fit.loss;
        let [right_before, right_after] = fit.accuracy;
        sentences.push(format!(
            "In the held-out games ({} positions) the log loss went from {before:.4} to {after:.4}, and the side that was thought to be \
             ahead won {} of decided games after {} before.",
            grouped(fit.held_out as u64),
            percent(right_after),
            percent(right_before),
        ));
        sentences.push(format!(
            "A lead of {:.0} multiplies the odds by e, before and after; evaluations spread {:.2} times as far as before.",
            fit.scale, fit.spread,
        ));
    } else if !results.climb.is_empty() {
        let changes: Vec<String> = results
            .changes
            .iter()
            .map(|change| format!("{} from {} to {}", change.name, change.before, change.after))
            .collect();
        sentences.push(format!(
            "SPSA took {} in {}: {}.",
            counted(results.climb.len() - 1, "step"),
            counted(results.tuning_games, "game"),
            changes.join(", "),
        ));
    }
    if let Some(contest) = &results.contest {
        sentences.push(verdict(contest));
    }
    sentences
}

fn verdict(contest: &MatchResult) -> String {
    let MatchResult { games, wins, draws, losses, score, interval: [low, high], verdict, limit, .. } =
        contest;
    let what = match verdict {
        Verdict::Better => "The tuned bot is stronger than it was",
        Verdict::Worse => "The tuned bot is weaker than it was",
        Verdict::Open => "Whether the tuned bot is stronger or weaker than it was could not be shown",
    };
    format!(
        "{what}: it scored {} (95% interval {} to {}) in {}, {wins} won, {draws} drawn and {losses} lost, at {limit} per move, \
         from openings that tuning never saw.",
        percent(*score),
        percent(*low),
        percent(*high),
        counted(*games as usize, "game"),
    )
}

/// The results for terminals.
pub fn summary(results: &Results) -> String {
    let mut text = format!("{}: {} by {}\n\n", results.game, results.before, results.method);
    for sentence in &results.summary {
        text.push_str(sentence);
        text.push('\n');
    }
    let longest = results.changes.iter().map(|change| change.name.chars().count()).max().unwrap_or(0);
    if !results.changes.is_empty() {
        text.push_str(&format!("\n  {:<longest$}  {:>10}  {:>10}\n", "", "before", "after"));
    }
    for Change { name, before, after, .. } in &results.changes {
        text.push_str(&format!("  {name:<longest$}  {before:>10}  {after:>10}\n"));
    }
    if let Some(after) = &results.after {
        text.push_str(&format!("\nThe tuned bot: {after}\n"));
    }
    text.push_str(&format!("Made by: {}\n", results.command));
    text
}

/// The results as one page that needs nothing else.
pub fn html(results: &Results) -> String {
    let mut page = Html::page(&format!("Tuning {}", results.game));
    page.raw("<h1>").text(&format!("Tuning {}", results.game)).raw(" <span class=\"badge\">");
    page.text(&results.method).raw("</span></h1><p class=\"sub\">");
    page.text(&plain(&results.before)).raw("<br>").text(&results.options.join("; ")).raw("</p>");
    page.open("What came of it");
    page.raw("<ul>");
    for sentence in &results.summary {
        page.raw("<li>").text(sentence).raw("</li>");
    }
    if results.summary.is_empty() {
        page.raw("<li>").text("Nothing yet: games are being played.").raw("</li>");
    }
    page.raw("</ul>");
    page.close();
    if let Some(fit) = &results.fit {
        page.open("Log loss");
        page.plot(&losses(fit));
        page.close();
    }
    if results.climb.len() > 1 {
        page.open("Parameters");
        page.plot(&climb(results));
        page.close();
    }
    if !results.changes.is_empty() {
        values(&mut page, results);
    }
    method(&mut page, results);
    page.finish()
}

fn losses(fit: &FitResult) -> Drawing {
    let series = |name: &str, value: &dyn Fn(usize) -> f64| Series {
        name: name.to_owned(),
        points: (0..fit.steps.len()).map(|step| Point::new(step as f64, value(step))).collect(),
    };
    LinePlot {
        x: Axis::whole("step of the fit"),
        y: Axis::new("mean log loss"),
        series: vec![
            series("fitted games", &|step| fit.steps[step].train),
            series("held-out games", &|step| fit.steps[step].held_out),
        ],
        marks: true,
        ..LinePlot::default()
    }
    .draw()
}

/// The most lines of a plot.
const MAX_LINES: usize = 12;

fn climb(results: &Results) -> Drawing {
    // Each relative to its first value, since they have different units.
    let line = |(place, change): (usize, &Change)| {
        let first = results.climb[0][place];
        let unit = if first == 0.0 { 1.0 } else { first.abs() };
        let value = |point: &Vec<f64>| 100.0 + 100.0 * (point[place] - first) / unit;
        let points =
            results.climb.iter().enumerate().map(|(step, point)| Point::new(step as f64, value(point)));
        Series { name: change.name.clone(), points: points.collect() }
    };
    LinePlot {
        x: Axis::whole("step"),
        y: Axis::new("value, % of the first"),
        series: results.changes.iter().enumerate().take(MAX_LINES).map(line).collect(),
        reference: Some(100.0),
        ..LinePlot::default()
    }
    .draw()
}

fn values(page: &mut Html, results: &Results) {
    page.open("Values");
    page.raw("<table><thead><tr><th class=\"start\">Name</th><th>Before</th><th>After</th>");
    let has_shares = results.changes.iter().any(|change| change.seen.is_some());
    if has_shares {
        page.raw("<th>Seen in</th>");
    }
    page.raw("</tr></thead><tbody>");
    for Change { name, before, after, seen } in &results.changes {
        page.raw("<tr>");
        page.cell("start", name);
        page.cell("", before);
        page.cell(if before == after { "none" } else { "total" }, after);
        if has_shares {
            page.cell("", &seen.map_or_else(String::new, percent));
        }
        page.raw("</tr>");
    }
    page.raw("</tbody></table>");
    page.close();
}

fn method(page: &mut Html, results: &Results) {
    page.open("Method");
    page.raw("<p class=\"small\">");
    page.text(if results.method == "spsa" {
        "Every step compares two bots whose values lie on either side of the present ones, in pairs of games from the same opening with \
         sides swapped, and moves all values towards the better one (SPSA, with the gains of Spall). \
         What is found is the mean of the second half."
    } else {
        "The chance of winning is modelled as a logistic function of the evaluation. Positions are quiet ones of self-play, after the random \
         opening and before the last plies. The weights minimise the mean log loss and a penalty for leaving the present weights; the scale \
         was fitted to the present weights and then held fixed."
    });
    page.raw(" ").text(
        "In the match every opening is played twice with sides swapped. Openings are divided by a hash of their positions: no game of the \
         match begins with a position from which tuning played. The interval is Wilson's.",
    );
    page.raw("</p><p class=\"small\"><code>").text(&results.command).raw("</code></p>");
    if let Some(after) = &results.after {
        page.raw("<p class=\"small\"><code>").text(after).raw("</code></p>");
    }
    page.close();
}
