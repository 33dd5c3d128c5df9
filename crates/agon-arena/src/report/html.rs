//! The results as one HTML file that needs nothing else: light and dark, printable, every game linked to its record.

mod sections;

use super::analysis::Analysis;
use super::markup::Html;
use super::words::plain;
use crate::results::{Round, State};

/// The page.
pub(super) fn page(analysis: &Analysis) -> String {
    let results = analysis.results;
    let mut page = Html::page(&title(analysis));
    heading(&mut page, analysis);
    page.raw("<div class=\"columns\"><div>");
    sections::table(&mut page, analysis);
    page.raw("</div><div>");
    sections::strength(&mut page, analysis);
    sections::progress(&mut page, analysis);
    page.raw("</div></div>");
    sections::cross_table(&mut page, analysis);
    sections::technical_losses(&mut page, analysis);
    sections::superiority(&mut page, analysis);
    sections::conduct(&mut page, analysis);
    sections::rounds(&mut page, analysis);
    sections::games(&mut page, analysis);
    sections::method(&mut page, analysis);
    for note in &results.notes {
        page.raw("<p class=\"note\">").text(&plain(note)).raw("</p>");
    }
    page.finish()
}

fn title(analysis: &Analysis) -> String {
    let name = plain(&analysis.results.name);
    if name.is_empty() { "Tournament".to_owned() } else { name }
}

fn heading(page: &mut Html, analysis: &Analysis) {
    let results = analysis.results;
    let (done, all) = (results.games.len(), results.scheduled());
    let mut titles: Vec<&str> = results.rounds.iter().map(|round| round.title.as_str()).collect();
    titles.dedup();
    let state = match results.state {
        State::Running => "running",
        State::Finished => "finished",
        State::Stopped => "stopped",
    };
    page.raw("<h1>").text(&title(analysis)).raw(" <span class=\"badge\">");
    let games = if titles.is_empty() { String::new() } else { format!("{} · ", titles.join(", ")) };
    page.text(&format!("{games}{state}")).raw("</span></h1><p class=\"sub\">");
    let now = results.games.iter().map(|game| game.round).max().unwrap_or(1);
    if let Some(round) = results.rounds.get(now.saturating_sub(1)).filter(|_| results.state == State::Running)
    {
        page.text(&format!("Round {now} of {}: {} · ", results.rounds.len(), round_text(round)));
    }
    page.text(&format!("{done} of {all} games · {} players", results.players.len())).raw("</p>");
    if done < all {
        let percent = (100 * done / all.max(1)).to_string();
        page.raw("<div class=\"bar\"").attribute("title", &format!("{percent}%"));
        page.raw("><div").attribute("style", &format!("width:{percent}%")).raw("></div></div>");
    }
}

/// What a round consists of, in a few words.
fn round_text(round: &Round) -> String {
    [round.title.as_str(), &round.options, &round.time]
        .into_iter()
        .filter(|part| !part.is_empty())
        .map(plain)
        .collect::<Vec<_>>()
        .join(", ")
}
