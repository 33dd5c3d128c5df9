//! Directories that were written before results carried the hash of their job.

use std::fs;
use std::path::Path;

use agon_arena::results::{GameResult, Results};
use agon_testkit::TemporaryFolder;

use crate::support::{essence, resume};

/// Thirteen games are entered and a fourteenth line was cut; games 14, 15 and 17 have whole journals, and that of game 16 was cut.
const CUT_SHORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/directories/tournament");
/// All games as they were entered when nothing interrupted the tournament.
const WHOLE: &str = include_str!("../directories/tournament-whole.jsonl");

#[test]
fn a_tournament_that_an_earlier_version_began_is_continued() {
    let folder = TemporaryFolder::new();
    let games: Vec<GameResult> =
        WHOLE.lines().map(|line| serde_json::from_str(line).expect("a result")).collect();
    let whole = Results { games, ..Results::default() };
    for jobs in [1, 3] {
        let dir = folder.copy(Path::new(CUT_SHORT), &format!("jobs-{jobs}"));
        let journal = |number: usize| dir.join(format!("games/{number:05}.jsonl"));
        let journals = [14, 15, 17].map(|number| (number, fs::read(journal(number)).expect("a journal")));
        let cut = fs::read(journal(16)).expect("a journal");
        let ledger = fs::read_to_string(dir.join("finished.jsonl")).expect("a ledger");
        let entered = &ledger[..=ledger.rfind('\n').expect("whole lines")];
        assert_eq!(essence(&resume(&dir, jobs)), essence(&whole));
        for (number, before) in journals {
            assert_eq!(
                fs::read(journal(number)).expect("it is kept"),
                before,
                "game {number} was played again"
            );
        }
        assert_eq!(fs::read(dir.join("games/00016.jsonl.cut-1")).expect("it is kept"), cut);
        let now = fs::read_to_string(dir.join("finished.jsonl")).expect("a ledger");
        assert!(now.starts_with(entered) && now.lines().count() == whole.games.len());
    }
}
