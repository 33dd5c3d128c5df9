//! Directories that were written before results carried the hash of their job.

use std::path::{Path, PathBuf};

use agon_arena::experiment::RunEnd;
use agon_testkit::TemporaryFolder;
use agon_tune::{Order, Plan};

use crate::support::{order, run};

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/directories").join(name)
}

/// The order by which the directories were made.
fn earlier() -> Order {
    Order {
        options: vec!["size=6".to_owned()],
        nodes: Some(30),
        match_games: 4,
        name: "tuned".to_owned(),
        ..order("othello", "alphabeta:eval=features,tt=1")
    }
}

/// The lines of a file of games, without what tells jobs from each other.
fn games(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).expect("games");
    let game = |line: &str| {
        let mut game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        game.as_object_mut().expect("an object").remove("job");
        game
    };
    text.lines().map(game).collect()
}

fn is_continued(name: &str, plan: &Plan) {
    let folder = TemporaryFolder::new();
    let whole = directory(&format!("{name}-whole"));
    let read = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
    for jobs in [1, 3] {
        let dir = folder.copy(&directory(name), &format!("jobs-{jobs}"));
        let before = read(dir.join("tuning.jsonl"));
        let (end, _) = run(plan, &dir, jobs, usize::MAX);
        assert_eq!(end, RunEnd::Finished);
        assert_eq!(read(dir.join("results.json")), read(whole.join("results.json")));
        assert!(read(dir.join("tuning.jsonl")).starts_with(&before));
        for file in ["tuning.jsonl", "match.jsonl"] {
            assert_eq!(games(&dir.join(file)), games(&whole.join(file)), "{file}");
        }
    }
}

#[test]
fn a_regression_that_an_earlier_version_began_is_continued() {
    let order = Order { games: Some(10), positions: Some(4), ..earlier() };
    is_continued("regression", &Plan::new(order).expect("a plan"));
}

#[test]
fn a_climb_that_an_earlier_version_began_is_continued() {
    let order = Order {
        is_spsa: true,
        parameters: Some("corners=-100..100".to_owned()),
        batch: Some(4),
        games: Some(12),
        ..earlier()
    };
    is_continued("spsa", &Plan::new(order).expect("a plan"));
}
