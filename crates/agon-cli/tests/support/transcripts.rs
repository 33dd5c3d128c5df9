//! What a user sees of a run, as snapshots keep it.

use agon_core::text::or_list;
use agon_registry::GAMES;

use crate::support::agon;

/// The text with every list of all games left out: a new game changes no snapshot but its own.
pub(crate) fn without_lists_of_games(text: &str) -> String {
    text.replace(&or_list(GAMES.iter().map(|entry| entry.spec.id)), "(any game)")
}

/// Everything that a user sees of a run.
pub(crate) fn transcript(args: &[&str], input: &str) -> String {
    let output = agon(args, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    let mut seen = format!("$ agon {}\n{}", args.join(" "), text(&output.stdout));
    if !output.stderr.is_empty() {
        seen += &format!("--- standard error\n{}", text(&output.stderr));
    }
    if !output.status.success() {
        seen += &format!("--- exit code {:?}\n", output.status.code());
    }
    seen
}
