//! `agon study list`: the ready-made studies.

use std::io::Write;

use agon_core::text::counted;
use agon_registry::GAMES;
use agon_study::library::READY_MADE;
use serde::Serialize;

use crate::layout;

/// `agon study list`
#[derive(clap::Args)]
pub(super) struct Args {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print the file of a study, to start one of your own from it
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    file: Option<String>,
}

/// A study as JSON.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    question: String,
    quick: String,
    full: String,
    comparisons: usize,
    games: usize,
    quick_games: usize,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(name) = &self.file {
            let study = agon_study::library::ReadyMade::find(name).map_err(anyhow::Error::msg)?;
            return Ok(out.write_all(study.text.as_bytes())?);
        }
        let mut entries = Vec::new();
        for ready_made in READY_MADE {
            let (study, quick_study) = (ready_made.plan(GAMES, false)?, ready_made.plan(GAMES, true)?);
            let (quick, full) = ready_made.takes().unwrap_or_default();
            entries.push(Entry {
                name: ready_made.name,
                comparisons: study.comparisons().len(),
                games: study.planned_games(),
                quick_games: quick_study.planned_games(),
                question: study.question,
                quick,
                full,
            });
        }
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&entries)?)?);
        }
        for entry in entries {
            let Entry { name, question, quick, full, comparisons, games, quick_games } = entry;
            let takes = format!(
                "{question} {} of up to {games} games in all, {full}; with --quick up to {quick_games} games, {quick}.",
                counted(comparisons, "comparison")
            );
            layout::entry(0, name, 26, &takes, layout::width(), out)?;
        }
        Ok(())
    }
}
