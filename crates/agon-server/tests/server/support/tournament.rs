//! Tournaments that were played before a test, or are played during it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_arena::experiment::{Host, Stops};
use agon_arena::tournament::{Store, Tournament, TournamentHost};
use agon_erased::{Bot, SystemClock};
use agon_players::external::{Launcher, OwnGroup};
use agon_registry::GAMES;

/// A tournament of three bots that takes a moment.
pub(crate) const COURSE: &str = r#"
name = "Spring course"
[[players]]
name = "first"
bot = "greedy"
[[players]]
name = "second"
bot = "random"
[[players]]
name = "third"
bot = "random"
[[rounds]]
game = "othello"
options = "size=6"
"#;

/// A race of two bots.
pub(crate) const RACE: &str = r#"
[[players]]
name = "first"
bot = "greedy"
[[players]]
name = "second"
bot = "random"
[[rounds]]
game = "2048"
max_plies = 40
"#;

/// A tournament in which an agent of Dana's fails.
pub(crate) const FAILURES: &str = r#"
[[players]]
name = "dana"
command = ["sh", "agent.sh"]
[[players]]
name = "avi"
command = ["sh", "other.sh"]
[[players]]
name = "house"
bot = "random"
[[rounds]]
game = "othello"
options = "size=6"
setup = "5s"
"#;

/// Plays a tournament in `data/arena/NAME` and returns its folder.
pub(crate) fn play(data: &Path, name: &str, text: &str) -> PathBuf {
    let files = data.join("files").join(name);
    fs::create_dir_all(&files).expect("a folder");
    fs::write(files.join("agent.sh"), "echo dana was here >&2\nexit 3\n").expect("an agent");
    fs::write(files.join("other.sh"), "echo avi was here >&2\nexit 4\n").expect("an agent");
    let file = files.join("file.toml");
    fs::write(&file, text).expect("a file");
    let tournament = Tournament::read(GAMES, &file).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let dir = data.join("arena").join(name);
    let store = Store::create(&dir, &file).expect("a new folder");
    let launchers = tournament.players.iter().map(|_| Arc::new(OwnGroup) as Arc<dyn Launcher>).collect();
    let person = |_: &str, _| -> Box<dyn Bot> { panic!("nobody is here") };
    let (clock, stops) = (Arc::new(SystemClock::default()), Stops::default());
    let host = Host { jobs: 2, clock, stops };
    let host = TournamentHost { host, launchers, person: &person, notes: Vec::new() };
    tournament.run(&store, &host, &mut |_| {}).expect("it can be played");
    dir
}

/// Takes back what is known of a game's end, so that it is being played: its journal is cut after so many lines and its record is removed.
/// Returns the other lines.
pub(crate) fn cut(dir: &Path, number: usize, kept: usize) -> Vec<String> {
    let journal = dir.join(format!("games/{number:05}.jsonl"));
    let text = fs::read_to_string(&journal).expect("a journal");
    let lines: Vec<&str> = text.lines().collect();
    let (begun, rest) = lines.split_at(kept);
    fs::write(&journal, begun.join("\n") + "\n").expect("it can be written");
    fs::remove_file(dir.join(format!("games/{number:05}.txt"))).expect("a record");
    rest.iter().map(|line| (*line).to_owned()).collect()
}

/// Leaves only the first games in the results of a tournament, which is running now.
pub(crate) fn rewind(dir: &Path, games: usize) {
    let path = dir.join("results.json");
    let mut results: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).expect("results")).expect("JSON");
    results["games"].as_array_mut().expect("games").truncate(games);
    results["state"] = "running".into();
    fs::write(&path, results.to_string()).expect("it can be written");
}
