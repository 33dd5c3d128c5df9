//! Directories that were written before results carried the hash of their job.

use std::path::Path;

use agon_arena::experiment::RunEnd;
use agon_study::{GameResult, Study};
use agon_testkit::TemporaryFolder;

use crate::support::run_text;

/// The first nine games of a study: the last pair is incomplete.
const CUT_SHORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/directories/study");
const FILE: &str = include_str!("../directories/study/study.toml");
/// All games as they were entered when nothing interrupted the study.
const WHOLE: &str = include_str!("../directories/study-whole.jsonl");

/// Games without what a clock has measured.
fn timeless(lines: &str) -> Vec<GameResult> {
    let game = |line: &str| {
        let mut game: GameResult = serde_json::from_str(line).expect("a game");
        for side in &mut game.sides {
            side.micros = 0;
            side.depths.iter_mut().for_each(|depth| depth.micros = 0);
        }
        game
    };
    lines.lines().map(game).collect()
}

/// The earlier version ended each comparison by itself. What it left out is played, and what it played counts.
#[test]
fn comparisons_that_an_earlier_version_ended_are_continued() {
    const TEXT: &str = r#"
game = "othello"
reference = "alphabeta:nodes=100,tt=1"
games = 40
[[vary]]
parameter = "nodes"
values = [2, 80]
[[across]]
option = "size"
values = [4, 6]
"#;
    let study = crate::support::study(TEXT);
    let folder = TemporaryFolder::new();
    let (end, whole) = run_text(&study, TEXT, &folder.path("whole"), 2, usize::MAX);
    assert_eq!(end, RunEnd::Finished);
    let lines = folder.read("whole/games.jsonl");
    // The third comparison, nodes=2 on 6×6, is clear long before its circumstances are.
    let was_played = |line: &&str| {
        let game: serde_json::Value = serde_json::from_str(line).expect("a game");
        game["comparison"] != 2 || game["game"].as_u64() < Some(24)
    };
    let earlier: Vec<&str> = lines.lines().filter(was_played).collect();
    assert!(earlier.len() < lines.lines().count(), "{:?}", whole.comparisons[2]);
    let dir = folder.copy(&folder.path("whole"), "earlier");
    folder.write("earlier/games.jsonl", &(earlier.join("\n") + "\n"));
    let (end, again) = run_text(&study, TEXT, &dir, 2, usize::MAX);
    assert_eq!((end, &again), (RunEnd::Finished, &whole));
    assert_eq!(folder.read("earlier/games.jsonl").lines().count(), lines.lines().count());
}

#[test]
fn another_version_of_a_study_is_refused_with_the_reason() {
    let folder = TemporaryFolder::new();
    let dir = folder.copy(Path::new(CUT_SHORT), "earlier");
    let labelled =
        FILE.replace("values = [10, 40]", "values = [10, 40]\nlabels = [\"few nodes\", \"some nodes\"]");
    let refused = agon_study::Store::open(&dir, &labelled, false).expect_err("its file differs").to_string();
    assert!(
        refused.contains("holds another study, or another version of this one; choose a new directory"),
        "{refused}"
    );
}

#[test]
fn a_study_that_an_earlier_version_began_is_continued() {
    let study = Study::parse(agon_registry::GAMES, "study.toml", FILE, "earlier", Path::new("."), false)
        .expect("it holds");
    let folder = TemporaryFolder::new();
    for jobs in [1, 3] {
        let name = format!("jobs-{jobs}");
        let dir = folder.copy(Path::new(CUT_SHORT), &name);
        let before = folder.read(&format!("{name}/games.jsonl"));
        let (end, results) = run_text(&study, FILE, &dir, jobs, usize::MAX);
        assert_eq!((end, results.games()), (RunEnd::Finished, WHOLE.lines().count() as u64));
        let now = folder.read(&format!("{name}/games.jsonl"));
        assert!(now.starts_with(&before));
        assert_eq!(timeless(&now), timeless(WHOLE));
    }
}
