//! What only the author of a player gets to see.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_core::text::counted;

use super::analysis::Analysis;
use super::words::{advice, name_text, plain, points_text, time_text};
use crate::results::{GameResult, Offence, Row, Standing};

/// The longest part of a name that a folder is called by.
const MAX_CHARS: usize = 40;

/// Where the folders of authors are, in the folder of a tournament.
const AUTHORS: &str = "authors";

/// The private folder of a player's author, relative to `dir`, the folder of the tournament: `authors/NAME`.
pub fn author_folder(dir: &Path, name: &str) -> PathBuf {
    Path::new(AUTHORS).join(folder_name(&dir.join(AUTHORS), name))
}

/// What the folder of somebody of this name is called in `parent`. It depends on nothing but the name, is safe on every file system, and no two
/// names share one; except that a folder that an earlier version made there keeps its name.
pub fn folder_name(parent: &Path, name: &str) -> String {
    let earlier = slug(name, |char| char.is_ascii_alphanumeric());
    let present = slug(name, char::is_alphanumeric);
    if earlier != present && parent.join(&earlier).is_dir() { earlier } else { present }
}

/// A name fit for a file, of letters that may stay as they are. Names that are not fit as they stand get a hash of the original appended; and so do those in
/// other letters than Latin ones, of which file systems may take two for the same.
fn slug(name: &str, is_letter: impl Fn(char) -> bool) -> String {
    let fit: String = name
        .chars()
        .take(MAX_CHARS)
        .flat_map(char::to_lowercase)
        .map(|char| if is_letter(char) || "-_".contains(char) { char } else { '-' })
        .collect();
    if fit == name && name.is_ascii() && !name.is_empty() && !ends_like_a_hash(name) && !is_reserved(name) {
        return fit;
    }
    format!("{fit}-{:016x}", fnv(name.as_bytes()))
}

/// Whether a name could be mistaken for one that had its hash appended.
fn ends_like_a_hash(name: &str) -> bool {
    name.rsplit_once('-')
        .is_some_and(|(_, end)| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether Windows keeps the name for a device.
fn is_reserved(name: &str) -> bool {
    let numbered = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.len() == 1);
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt")
}

/// The FNV-1a hash: the same on every machine and in every version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The most offences that are explained one by one.
const MAX_EXPLAINED: usize = 50;

/// What an author should know, in plain language: the result, every technical loss with its rule and how to fix it, and all games.
pub(super) fn report(analysis: &Analysis, row: &Row) -> String {
    let results = analysis.results;
    let mut text = format!("{}\n{}\n\n", name_text(&row.name), plain(&results.name));
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "Place {} of {}, {} from {}.",
        row.place,
        results.players.len(),
        with_unit(row.points),
        counted(row.games, "game")
    );
    let _ = writeln!(
        text,
        "Won {}, drawn {}, lost {}; won {} because the opponent failed, lost {} because this player failed.",
        row.wins, row.draws, row.losses, row.technical_wins, row.technical_losses
    );
    if row.conduct.moves > 0 {
        let _ = writeln!(
            text,
            "{}, {} each on average; the slowest took {}.",
            counted(row.conduct.moves as usize, "move"),
            time_text(Duration::from_secs_f64(row.conduct.mean_time())),
            time_text(row.conduct.slowest)
        );
    }
    if row.conduct.warnings > 0 {
        let _ = writeln!(
            text,
            "It printed {} to standard output that the protocol does not allow; this tournament only counts them.",
            counted(row.conduct.warnings as usize, "line")
        );
    }
    if row.disqualified {
        text.push_str("\nThis player was DISQUALIFIED. Its remaining games count as technical losses and were not played.\n");
    }
    technical_losses(analysis, row, &mut text);
    text.push_str("\nAll games\n\n");
    for game in &results.games {
        for seat in seats_of(game, &row.name) {
            let _ = writeln!(text, "  {}", game_line(game, seat));
        }
    }
    text
}

fn seats_of(game: &GameResult, name: &str) -> impl Iterator<Item = usize> {
    game.seats.iter().enumerate().filter(move |(_, seat)| *seat == name).map(|(seat, _)| seat)
}

fn game_line(game: &GameResult, seat: usize) -> String {
    let result = match game.standing(seat) {
        Standing::Win => "won",
        Standing::Draw => "drawn",
        Standing::Loss => "lost",
        Standing::TechnicalWin => "won, because another player failed",
        Standing::TechnicalLoss => "lost, because this player failed",
    };
    let opponents = opponents(game, seat);
    let record = game.record.as_ref().map_or_else(String::new, |record| format!("; record {record}"));
    format!(
        "game {} (round {}), seat {} against {opponents}: {result} ({}), {}{record}",
        game.shown_number(),
        game.round,
        seat + 1,
        plain(game.outcome.reason()),
        with_unit(game.points.get(seat).copied().unwrap_or(0.0))
    )
}

/// `1 point`, `-2 points`.
fn with_unit(points: f64) -> String {
    format!("{} {}", points_text(points), if points == 1.0 { "point" } else { "points" })
}

fn opponents(game: &GameResult, seat: usize) -> String {
    let others =
        game.seats.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, name)| name_text(name));
    others.collect::<Vec<_>>().join(", ")
}

fn technical_losses(analysis: &Analysis, row: &Row, text: &mut String) {
    let mut by_reason: BTreeMap<&str, Vec<(&GameResult, &Offence)>> = BTreeMap::new();
    for (game, name, offence) in analysis.offences() {
        if name == row.name {
            by_reason.entry(offence.reason.word()).or_default().push((game, offence));
        }
    }
    if by_reason.is_empty() {
        text.push_str("\nNo technical losses. Well done.\n");
        return;
    }
    text.push_str("\nTechnical losses\n");
    for (word, cases) in by_reason {
        let (rule, fix) = advice(cases[0].1.reason);
        let _ = write!(
            text,
            "\n{word}: {}\n  Rule: {}\n  How to fix it: {}\n",
            counted(cases.len(), "game"),
            rule.text,
            fix.text
        );
        for (game, offence) in cases.iter().take(MAX_EXPLAINED) {
            let sentence = if offence.sentence.is_empty() { "no details" } else { &plain(&offence.sentence) };
            let opponents = opponents(game, offence.seat);
            let _ =
                write!(text, "  - Game {} (round {}) against {opponents}", game.shown_number(), game.round);
            let _ = if game.was_played() {
                write!(text, ", after {}: {sentence}", counted(offence.ply, "ply").replace("plys", "plies"))
            } else {
                write!(text, ", not played: {sentence}")
            };
            if let Some(Some(log)) = game.logs.get(offence.seat) {
                let _ = write!(text, "\n    What the program wrote is in {}", inside(log));
            }
            text.push('\n');
        }
        if cases.len() > MAX_EXPLAINED {
            let _ = writeln!(text, "  - and {} more", cases.len() - MAX_EXPLAINED);
        }
    }
    text.push_str("\nTry your program yourself: `agon agent check COMMAND` plays it through every rule.\n");
}

/// The path of a log as seen from the author's folder.
fn inside(log: &str) -> String {
    let path = Path::new(log);
    // Behind the name of the author's folder.
    path.strip_prefix(AUTHORS)
        .map_or(path, |path| Path::new(path))
        .components()
        .skip(1)
        .collect::<PathBuf>()
        .display()
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_safe_and_no_two_names_share_one() {
        let names = [
            "",
            "deep-lines",
            "Deep-lines",
            "deep lines",
            "deep/lines",
            "..",
            ".",
            "../../etc",
            "con",
            "nul",
            "com1",
            "a\0b",
            "a\nb",
            "אבא",
            "אמא",
            "e\u{301}",
            "é",
            "É",
            "a\u{202e}b",
            &"🎲".repeat(50),
            "deep-lines-0123456789abcdef",
            "<script>",
            &"x".repeat(300),
            &"x".repeat(301),
        ];
        let nowhere = Path::new("there is no such folder");
        let slug = |name: &str| folder_name(nowhere, name);
        let folders: Vec<String> = names.iter().map(|name| slug(name)).collect();
        for folder in &folders {
            assert!(folder.len() < 200 && !folder.is_empty(), "{folder}");
            assert!(
                folder.chars().all(|char| char.is_alphanumeric() || char == '-' || char == '_'),
                "{folder}"
            );
        }
        let mut distinct = folders.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), names.len());
        assert_eq!(author_folder(nowhere, "deep-lines"), Path::new("authors/deep-lines"));
        assert!(author_folder(nowhere, "Dana Cohen").to_string_lossy().starts_with("authors/dana-cohen-"));
        // Names stay readable in every script.
        assert!(slug("דנה כהן").starts_with("דנה-כהן-"), "{}", slug("דנה כהן"));
        assert!(!folders.contains(&"con".to_owned()));
        // A name that looks like another one with its hash must not get that one's folder.
        assert_ne!(slug(&slug("Deep-lines")), slug("Deep-lines"));
    }

    #[test]
    fn a_folder_that_an_earlier_version_made_keeps_its_name() {
        let dir = std::env::temp_dir().join(format!("agon-authors-{}", std::process::id()));
        let hash = folder_name(&dir, "דנה כהן").rsplit_once('-').expect("it has a hash").1.to_owned();
        // Every letter was a dash.
        let earlier = format!("--------{hash}");
        std::fs::create_dir_all(dir.join("authors").join(&earlier)).expect("a folder");
        assert_eq!(author_folder(&dir, "דנה כהן"), Path::new("authors").join(&earlier));
        assert_ne!(author_folder(&dir, "אבי לוי"), Path::new("authors").join(&earlier));
        std::fs::remove_dir_all(&dir).expect("it is ours");
    }
}
