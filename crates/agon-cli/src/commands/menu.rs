//! The menu that opens when `agon` is started alone.

use std::io::{BufRead, Write};

use agon_core::text::quote;
use agon_registry::{BotListing, GAMES, GameEntry};

use super::play::{Table, ask, seed_from_clock};

/// Asks for a game and its players until somebody leaves or the input ends.
pub(crate) fn run(input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "Agon: five board games for people and machines.")?;
    loop {
        writeln!(out)?;
        let games: Vec<String> = GAMES.iter().map(|entry| entry.spec.title.to_owned()).collect();
        let Some(game) = choose("Which game", &games, input, out)? else { break };
        let entry = &GAMES[game];
        let players = ways_to_play(entry)?;
        let labels: Vec<String> = players.iter().map(|(label, _)| label.clone()).collect();
        let Some(way) = choose("Who plays", &labels, input, out)? else { break };
        let rules = entry.rules("")?;
        let session = rules.start();
        Table::new(rules, session, players[way].1.clone(), seed_from_clock())?.play(input, out)?;
    }
    writeln!(out, "Goodbye.")?;
    Ok(())
}

/// Labels and players: people alone, a person against each bot, each bot alone.
fn ways_to_play(entry: &GameEntry) -> anyhow::Result<Vec<(String, Vec<String>)>> {
    let rules = entry.rules("")?;
    let seats = rules.seats().len();
    let all = |name: &str| vec![name.to_owned(); seats];
    // Bare algorithms are for those who set their parameters; here are the bots that have been set.
    let is_set = |bot: &BotListing| bot.name != bot.algorithm || bot.parameters.len() < 2;
    let bots: Vec<&str> = rules.bots().iter().filter(|bot| is_set(bot)).map(|bot| bot.name).collect();
    let label = if seats == 1 { "You" } else { "People on one screen" };
    let mut ways = vec![(label.to_owned(), all("human"))];
    if seats > 1 {
        for bot in &bots {
            let mut players = all(bot);
            "human".clone_into(&mut players[0]);
            ways.push((format!("You against {bot}"), players));
        }
    }
    ways.extend(bots.iter().map(|bot| (format!("Watch {bot}"), all(bot))));
    Ok(ways)
}

/// Asks until one of `items` is chosen by number; `None` if the user leaves.
fn choose(
    question: &str,
    items: &[String],
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<Option<usize>> {
    for (number, item) in (1..).zip(items) {
        writeln!(out, "  {number}  {item}")?;
    }
    let prompt = format!("{question}? 1 to {}, or exit: ", items.len());
    loop {
        let Some(answer) = ask(&prompt, input, out)? else { return Ok(None) };
        match agon_core::text::number(&answer, 1..=items.len() as u64) {
            Ok(number) => return Ok(Some(number as usize - 1)),
            Err(_) => writeln!(
                out,
                "The input {} is invalid: expected a number from 1 to {} or exit.",
                quote(&answer),
                items.len()
            )?,
        }
    }
}
