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
