//! Tournaments that were cut off at any moment, and continued.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use agon_arena::results::GameResult;
use agon_arena::tournament::{Store, Tournament};
use agon_core::random::{below, seeded};
use agon_registry::GAMES;
use agon_testkit::TemporaryFolder;

use crate::support::{essence, play, resume, run, try_run};

/// Slow enough to be cut in the middle of a game.
const TOURNAMENT: &str = r#"
seed = 7
[[players]]
name = "search"
bot = "expert:nodes=2000"
[[players]]
name = "plain"
bot = "expert:nodes=500"
[[players]]
name = "greedy"
bot = "greedy"
[[rounds]]
game = "othello"
options = "size=6"
time = "20s"
openings = "random"
[[rounds]]
game = "2048"
time = "20s"
max_plies = 60
[[rounds]]
game = "loa"
options = "size=6"
time = "20s"
max_plies = 30
format = "gauntlet"
"#;

/// Names the folder in which this test program plays a tournament as a child, to be killed.
const CHILD: &str = "AGON_TEST_TOURNAMENT";

/// Not a test by itself: what the child of the test below does.
#[test]
fn a_child_plays() {
    let Some(dir) = std::env::var_os(CHILD) else { return };
    let (store, tournament) = Store::open(GAMES, Path::new(&dir)).expect("a tournament");
    run(&tournament, &store, 2);
}

fn finished(dir: &Path) -> Vec<GameResult> {
    let text = fs::read_to_string(dir.join("finished.jsonl")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    whole.lines().map(|line| serde_json::from_str(line).expect("a result")).collect()
}

#[test]
fn killed_at_any_moment_it_ends_with_the_same_table_and_repeats_nothing() {
    let folder = TemporaryFolder::new();
    let whole = play(&folder, TOURNAMENT, 2);
    let dir = folder.path("killed");
    let file = folder.path("file.toml");
    drop(Store::create(&dir, &file).expect("a new folder"));
    let mut rng = seeded(1);
    let mut journals: Vec<(usize, Vec<u8>)> = Vec::new();
    let mut cuts = 0;
    for _ in 0..8 {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "resuming::a_child_plays", "--test-threads=1"])
            .env(CHILD, &dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("this program can be run");
        std::thread::sleep(Duration::from_millis(50 + below(&mut rng, 250)));
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
        // What was finished stays as it is.
        for (number, before) in &journals {
            let now = fs::read(dir.join(format!("games/{:05}.jsonl", number + 1))).expect("it is kept");
            assert_eq!(&now, before, "game {number} was played again");
        }
        for game in finished(&dir).iter().skip(journals.len()) {
            let path = dir.join(format!("games/{:05}.jsonl", game.number + 1));
            journals.push((game.number, fs::read(path).expect("a journal")));
        }
        let names = fs::read_dir(dir.join("games")).expect("a folder");
        cuts = names.flatten().filter(|entry| entry.file_name().to_string_lossy().contains(".cut-")).count();
    }
    let rest = resume(&dir, 2);
    assert_eq!(essence(&rest), essence(&whole), "after {cuts} cut games");
    assert_eq!(rest.table().rows.len(), 3);
    assert_eq!(rest.notes, whole.notes);
}

/// Cuts the journal of a game after so many bytes, as if the machine had stopped there, and forgets it and all after it.
fn cut(dir: &Path, number: usize, length: usize) {
    let journal = dir.join(format!("games/{:05}.jsonl", number + 1));
    let text = fs::read(&journal).expect("a journal");
    fs::write(&journal, &text[..length.min(text.len())]).expect("it can be written");
    let ledger = fs::read_to_string(dir.join("finished.jsonl")).expect("a ledger");
    let kept: Vec<&str> = ledger.lines().take(number).collect();
    // The last line was being written.
    let text = kept.iter().map(|line| format!("{line}\n")).collect::<String>() + "{\"round\":1,\"fir";
    fs::write(dir.join("finished.jsonl"), text).expect("it can be written");
}

#[test]
fn a_game_that_was_cut_anywhere_is_played_again_and_what_was_left_of_it_is_kept() {
    let folder = TemporaryFolder::new();
    let whole = play(&folder, TOURNAMENT, 2);
    let dir = folder.path("out");
    let games = dir.join("games");
    for (attempt, (number, length)) in
        [(0, 0), (3, 1), (5, 900), (7, 2500), (9, 40), (whole.games.len() - 1, 700)].into_iter().enumerate()
    {
        let left = {
            cut(&dir, number, length);
            fs::read(games.join(format!("{:05}.jsonl", number + 1))).expect("what is left")
        };
        let others = fs::read(games.join(format!("{:05}.jsonl", number.max(1)))).expect("a journal");
        // Records can be made again.
        let _ = fs::remove_file(games.join("00002.txt"));
        let again = resume(&dir, 1 + attempt % 2);
        assert_eq!(essence(&again), essence(&whole), "game {number} cut at {length}");
        let kept = fs::read(games.join(format!("{:05}.jsonl.cut-1", number + 1))).expect("it is kept");
        assert_eq!(kept, left);
        if number > 0 {
            assert_eq!(fs::read(games.join(format!("{number:05}.jsonl"))).expect("it is there"), others);
        }
    }
}

#[test]
fn a_finished_tournament_stays_as_it_is() {
    let folder = TemporaryFolder::new();
    let whole = play(&folder, TOURNAMENT, 2);
    let dir = folder.path("out");
    let before = fs::read(dir.join("finished.jsonl")).expect("a ledger");
    let again = resume(&dir, 2);
    assert_eq!(again.games, whole.games);
    assert_eq!(fs::read(dir.join("finished.jsonl")).expect("a ledger"), before);
    // Without the ledger everything is found in the journals, but for what only the referee knew.
    fs::remove_file(dir.join("finished.jsonl")).expect("it is ours");
    assert_eq!(essence(&resume(&dir, 2)), essence(&whole));
}

#[test]
fn a_folder_that_was_tampered_with_is_refused() {
    let folder = TemporaryFolder::new();
    play(&folder, TOURNAMENT, 2);
    let dir = folder.path("out");
    let copy = fs::read_to_string(dir.join("tournament.toml")).expect("a copy");
    fs::write(dir.join("tournament.toml"), copy.replace("seed = 7", "seed = 8")).expect("it can be written");
    fs::remove_file(dir.join("finished.jsonl")).expect("it is ours");
    let (store, tournament) = Store::open(GAMES, &dir).expect("a tournament");
    let failed = try_run(&tournament, &store, 1).expect_err("games of another seed");
    assert!(failed.to_string().contains("was it changed?"), "{failed}");
    drop(store);
    fs::write(dir.join("tournament.toml"), "nonsense").expect("it can be written");
    assert!(Store::open(GAMES, &dir).is_err());
    assert!(Tournament::read(GAMES, &dir.join("tournament.toml")).is_err());
}
