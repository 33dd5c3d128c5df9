//! `agon games`: the games, their options and notations.

use std::io::Write;

use agon_core::OptionSpec;
use agon_registry::GAMES;
use serde_json::json;

/// `agon games`
#[derive(clap::Args)]
#[command(after_help = "Example:\n  agon games --json")]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.json { print_json(out) } else { print_text(out) }
    }
}

fn print_text(out: &mut impl Write) -> anyhow::Result<()> {
    for entry in GAMES {
        writeln!(out, "{}: {}. {}", entry.spec.id, entry.spec.title(), entry.spec.summary())?;
        for option in entry.spec.options {
            let OptionSpec { key, kind, default, .. } = option;
            let help = entry.spec.option_help(option);
            writeln!(out, "  {:<9}{help}", format!("{key}="))?;
            writeln!(out, "  {:<9}{}; default {default}", "", kind.allowed())?;
        }
        for import in entry.imports {
            writeln!(out, "  --import {}: {}", import.name, import.summary)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn print_json(out: &mut impl Write) -> anyhow::Result<()> {
    let games: Vec<_> = GAMES
        .iter()
        .map(|entry| {
            let options: Vec<_> = entry
                .spec
                .options
                .iter()
                .map(|option| option_json(option, entry.spec.option_help(option)))
                .collect();
            let imports: Vec<_> = entry
                .imports
                .iter()
                .map(|import| json!({ "name": import.name, "summary": import.summary }))
                .collect();
            json!({
                "game": entry.spec.id,
                "title": entry.spec.title(),
                "summary": entry.spec.summary(),
                "options": options,
                "imports": imports,
            })
        })
        .collect();
    writeln!(out, "{}", json!({ "games": games }))?;
    Ok(())
}

/// An option of a game or a parameter of a bot as JSON.
pub(crate) fn option_json(option: &OptionSpec, help: &str) -> serde_json::Value {
    json!({
        "key": option.key,
        "values": option.kind.allowed(),
        "default": option.default,
        "help": help,
    })
}
