//! What the program prints, as snapshots; and what it does with input that nobody should send.

#[path = "support/lists.rs"]
mod lists;
mod support;

use agon_registry::GAMES;
use agon_testkit::snapshots;
use lists::without_lists_of_games;
use proptest::prelude::*;
use support::{agon, transcript};

#[test]
fn games_are_listed_with_their_options() {
    let listing = String::from_utf8(agon(&["games"], b"").stdout).expect("UTF-8");
    let sections: Vec<&str> = listing.split_terminator("\n\n").collect();
    assert_eq!(sections.len(), GAMES.iter().len(), "{listing}");
    for (entry, section) in GAMES.iter().zip(sections) {
        snapshots(entry).bind(|| insta::assert_snapshot!("listing", section));
    }
}

#[test]
fn help_and_boards() {
    insta::assert_snapshot!("help", transcript(&["--help"], ""));
    let boards: Vec<String> = [
        &["show", "othello"][..],
        &["show", "othello", "--import", "transcript", "f5d6c3"],
        &["show", "othello", "--options", "size=26"],
        &["show", "tablut"],
        &["show", "loa", "--options", "size=12,rules=standard"],
        &["show", "chinese-checkers", "--options", "seats=g/y/o/r/p/b"],
        &["show", "2048", "--position", "2,4,8,16/0,0,0,0/131072,0,2048,0/0,0,0,0 4096"],
    ]
    .iter()
    .map(|args| transcript(args, ""))
    .collect();
    insta::assert_snapshot!("boards", boards.join("\n"));
}

#[test]
fn errors_say_what_is_wrong() {
    let errors: Vec<String> = [
        &["show", "otello"][..],
        &["show", "othello", "--options", "size=7"],
        &["show", "othello", "--options", "rules=old,size=8,size=8"],
        &["show", "othello", "--position", "8/8 x"],
        &["show", "othello", "--import", "sgf", "x"],
        &["show", "othello", "--import", "transcript", "f5a1"],
        &["show", "othello", "--import", "obf", "XO X"],
        &["show", "tablut", "--options", "rules=bologna,limit=50"],
        &["show", "chinese-checkers", "--options", "seats=g"],
        &["show", "2048", "--position", "3,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0"],
        &["play", "othello", "--players", "human"],
        &["play", "othello", "--players", "human,gredy"],
        &["play", "2048", "--against", "human"],
        &["play", "2048", "--race", "human"],
        &["play", "2048", "--race", "human:Avi"],
        &["play", "othello", "--pace", "fast"],
        &["play", "othello", "--coordinates", "roman"],
        &["record", "check", "no-such-file"],
        &["bench", "othello", "loa", "--options", "size=6"],
    ]
    .iter()
    .map(|args| transcript(args, ""))
    .collect();
    insta::assert_snapshot!("errors", errors.join("\n"));
}

#[test]
fn games_played_on_lines() {
    let players = ["--players", "human,greedy", "--seed", "1"];
    let othello = |input| transcript(&[&["play", "othello"][..], &players].concat(), input);
    let dialogue = "help\nz9\n\n(3,4)\nmoves\nundo\nboard\nhint\nsave\nd3\nEXIT\n";
    insta::assert_snapshot!("play-othello", without_opinions(&othello(dialogue)));
    // The end of the input is a way to leave.
    assert!(othello("d3\n").ends_with("Goodbye. Thank you for playing.\n"));
    insta::assert_snapshot!(
        "play-bots",
        transcript(
            &["play", "othello", "--options", "size=4", "--players", "greedy,random", "--seed", "1"],
            ""
        )
    );
    insta::assert_snapshot!(
        "watch-bots",
        transcript(
            &["watch", "othello", "--options", "size=4", "--players", "greedy,random", "--seed", "1"],
            ""
        )
    );
    insta::assert_snapshot!("play-2048", transcript(&["play", "2048", "--seed", "1"], "left\nleft\nup\n"));
    let limited = ["play", "tablut", "--options", "limit=10", "--players", "human,human"];
    insta::assert_snapshot!("play-tablut", transcript(&limited, "d1d3\nresign\n"));
}

/// A conversation without what the bots of today think.
fn without_opinions(text: &str) -> String {
    let mask = |line: &str| match line.split_once("You could play ") {
        Some((before, _)) => format!("{before}You could play …"),
        None => line.to_owned(),
    };
    text.lines().map(mask).collect::<Vec<_>>().join("\n")
}

#[test]
fn people_play_to_the_end_and_are_told_of_passes_and_counts() {
    let args = ["play", "othello", "--options", "size=4", "--players", "human,human"];
    // Every prompt is answered by the first move that it proposes.
    let mut moves = String::new();
    let text = loop {
        let text = transcript(&args, &moves);
        let Some(proposal) =
            text.rsplit_once("Type a move such as ").filter(|_| !text.contains("Final count"))
        else {
            break text;
        };
        let token = proposal.1.split(',').next().expect("a move");
        moves += &format!("{token}\n");
    };
    insta::assert_snapshot!("play-to-the-end", text);
    let stuck = ["--options", "size=4", "--position", "ooox/ooxx/ooxx/1oxx o", "--players", "human,human"];
    let passed = transcript(&[&["play", "othello"][..], &stuck].concat(), "exit\n");
    assert!(passed.contains("White, you have no move: you pass."), "{passed}");
}

/// A conversation with the menu in which the games are listed, without them.
fn menu(input: &str) -> String {
    let text = transcript(&[], input);
    let list: String =
        (1..).zip(GAMES).map(|(number, entry)| format!("{number:>4}  {}\n", entry.spec.title())).collect();
    assert!(text.contains(&list), "{text}");
    let last = GAMES.iter().len();
    text.replace(&list, "   …\n")
        .replace(&format!("Which game? 1 to {last},"), "Which game? 1 to N,")
        .replace(
            &format!("'{}' is invalid: expected a number from 1 to {last}.", last + 1),
            "'N + 1' is invalid: expected a number from 1 to N.",
        )
}

#[test]
fn the_menu_talks() {
    let othello = 1 + GAMES.iter().position(|entry| entry.spec.id == "othello").expect("it is listed");
    let none = GAMES.iter().len() + 1;
    insta::assert_snapshot!("menu", menu(&format!("\nDana\n{none}\n{othello}\n7\n4\n1\nstrong\nEXIT\n")));
    insta::assert_snapshot!("menu-people", menu(&format!("Dana\n{othello}\n4\n3\nAvi\n\nb1\nexit\n")));
    insta::assert_snapshot!("learn", transcript(&["learn", "tablut"], ""));
}

#[test]
fn a_person_against_the_computer_at_2048() {
    let contest = |flag, input| transcript(&["play", "2048", flag, "random", "--seed", "1"], input);
    let text = contest("--against", "left\nresign\n");
    assert!(text.contains("random plays first"), "{text}");
    assert!(text.contains("The computer won: "), "{text}");
    let text = contest("--race", "left\nundo\nleft\nup\nresign\n");
    assert!(text.contains("random plays beside you"), "{text}");
    assert_eq!(text.matches("random moves too").count(), 2, "no more often than the person: {text}");
    assert!(text.contains("The computer won: "), "it plays on to its own end: {text}");
    let text = transcript(&["play", "2048", "--against", "jsonl:true"], "");
    assert!(text.contains("jsonl:true has failed: "), "{text}");
}

/// Among three the game goes on when one player resigns, and its record says so and can be read again.
#[test]
fn a_bot_plays_on_for_somebody_who_gives_up_among_three() {
    let file = std::env::temp_dir().join(format!("agon-three-{}.txt", std::process::id()));
    let path = file.to_str().expect("a plain path");
    let game = ["play", "chinese-checkers", "--options", "seats=g/y/r,rounds=20", "--seed", "1"];
    let args = [&game[..], &["--players", "human,random,random", "--save", path]].concat();
    let text = transcript(&args, "resign\n");
    assert!(text.contains("Guest (Green) resigned. medium takes over."), "{text}");
    assert!(text.contains("3. Green"), "whoever gives up is last: {text}");
    assert!(text.ends_with("Goodbye. Thank you for playing.\n"), "{text}");
    let checked = transcript(&["record", "check", path], "");
    assert!(checked.contains("60 plies"), "{checked}");
    std::fs::remove_file(&file).expect("the record can go");
}

#[test]
fn saving_replaces_nothing_but_earlier_records_of_the_game() {
    let folder = std::env::temp_dir().join(format!("agon-save-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (notes, game) = (folder.join("notes.txt"), folder.join("game.txt"));
    std::fs::write(&notes, "do not lose this").expect("a file");
    let dialogue = format!("d3\nsave {0}\nsave {1}\nc3\nsave {1}\nexit\n", notes.display(), game.display());
    let said = transcript(&["play", "othello", "--players", "human,human", "--seed", "1"], &dialogue);
    assert!(said.contains("there is such a file already"), "{said}");
    assert_eq!(said.matches("Saved to ").count(), 2, "{said}");
    assert_eq!(std::fs::read_to_string(&notes).expect("it is there"), "do not lose this");
    assert!(std::fs::read_to_string(&game).expect("a record").contains("d3 c3"), "{said}");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn records_are_replayed_on_lines() {
    let folder = std::env::temp_dir().join(format!("agon-replay-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("game.txt");
    let name = file.to_str().expect("a plain path");
    std::fs::write(&file, agon(&["record", "import", "othello", "transcript", "f5d6c3"], b"").stdout)
        .expect("a file");
    let said = transcript(&["replay", name], "next\n7\n\n\n\nback\nstart\nplay\nd3\nexit\n");
    insta::assert_snapshot!("replay", said.replace(name, "game.txt"));
    std::fs::write(&file, "agon: 1\ngame: othello\noptions: size=8\n\nf5 f5\n").expect("a file");
    let refused = transcript(&["replay", name], "");
    assert!(refused.contains("move 2") && refused.contains("exit code Some(1)"), "{refused}");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn a_game_of_every_kind_is_played_to_its_end_and_its_record_holds() {
    let folder = std::env::temp_dir().join(format!("agon-test-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for records");
    let huge = (agon_registry::GAMES.find("loa").expect("a game"), "size=30,turns=10");
    for (index, (entry, options)) in GAMES.variants().chain([huge]).enumerate() {
        let game = entry.spec.id;
        let seats = entry.rules(options).expect("good options").seats().len();
        let players: Vec<&str> = ["greedy", "random"].into_iter().cycle().take(seats).collect();
        let path = folder.join(format!("{index}.txt"));
        let file = path.to_str().expect("a plain path");
        let players = players.join(",");
        let args = ["play", game, "--options", options, "--players", &players, "--seed", "3", "--save", file];
        let output = agon(&args, b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let check = agon(&["record", "check", file], b"");
        let said = String::from_utf8_lossy(&check.stdout).into_owned();
        assert!(check.status.success() && !said.contains('*'), "{game} {options}: {said}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn perft_prints_a_table_or_one_object() {
    let text = String::from_utf8(agon(&["perft", "othello", "--depth", "5"], b"").stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 7, "{text}");
    assert_eq!(lines[6], "nodes 1396");
    let output = agon(&["perft", "othello", "--depth", "3", "--json"], b"");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["game"], "othello");
    assert_eq!(report["options"], "size=8");
    assert_eq!(report["position"], "8/8/8/3ox3/3xo3/8/8/8 x");
    assert_eq!(report["rows"][2]["depth"], 3);
    assert_eq!(report["rows"][2]["nodes"], 56);
    assert!(report["rows"][2]["nodes_per_second"].is_u64());
}

#[test]
fn queries_are_answered_line_by_line() {
    let requests = r#"{"game": "othello", "moves": ["d3", "c3"]}
{"game": "loa", "options": "size=6", "perft": 3}
{"game": "tablut", "position": "9/9/9/9/9/9/9/9/k8 b 7"}
{"game": "chinese-checkers", "options": "seats=yp/g"}
{"game": "2048", "position": "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 12"}
{"game": "othello", "perft": 20}
{"game": "tablut", "options": "limit=10", "perft": 11}
{"game": "othello", "options": "size=4", "perft": 14}
{"game": "2048", "moves": ["left"]}
{"game": "2048", "moves": ["@0,0=2", "@0,1=2", "@0,2=2"]}
{"game": "chinese-checkers", "moves": ["0309-0409"]}
{"game": "loa", "moves": ["0,1-0,2"]}
{"game": "othello", "options": "size=08"}
{"game": "othello", "options": "size=8,"}
{"game": "othello", "moves": ["a1"]}
{"game": "othello", "options": "size=8,size=8"}
{"game": "no-such-game"}
[]
"#;
    insta::assert_snapshot!("query", without_lists_of_games(&transcript(&["query"], requests)));
}

/// A request about some game that is well-formed but for what is asked.
fn request() -> impl Strategy<Value = String> {
    let games = GAMES.iter().map(|entry| entry.spec.id).collect::<Vec<_>>();
    (prop::sample::select(games), ", ?\"(options|position)\": ?\"\\PC{0,30}\"")
        .prop_map(|(game, rest)| format!("{{\"game\": \"{game}\"{rest}}}"))
}

proptest! {
    // Each case starts the program; the parsers themselves have their own, longer tests.
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn query_answers_every_line_whatever_it_is(lines in prop::collection::vec(
        prop_oneof![
            "\\PC{0,60}",
            request(),
            "\\{\"game\": \"(othello|loa)\", \"moves\": \\[\"[a-h][1-8]\"(, \"\\PC{0,5}\")*\\]\\}",
        ], 1..40)) {
        let output = agon(&["query"], format!("{}\n", lines.join("\n")).as_bytes());
        prop_assert!(output.status.success());
        let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
        prop_assert_eq!(text.lines().count(), lines.len());
        for line in text.lines() {
            let answer: serde_json::Value = serde_json::from_str(line).expect("every answer is JSON");
            prop_assert!(answer["ok"].is_boolean());
        }
    }
}

/// The text with the digits of all times taken out: they are different every time.
fn timeless(text: &str) -> String {
    let is_time = |word: &str| {
        word.strip_suffix('s').is_some_and(|number| number.contains('.') && number.parse::<f64>().is_ok())
    };
    text.split_inclusive(' ')
        .map(|part| {
            let word = part.trim();
            if is_time(word) {
                part.replace(|char: char| char.is_ascii_digit(), "#")
            } else {
                part.to_owned()
            }
        })
        .collect()
}

#[test]
fn duels_are_told_in_a_table() {
    let args = ["duel", "tablut", "random", "random", "--games", "8", "--seed", "1", "--options"];
    let sets = "limit=20;rules=bologna";
    let text: Vec<String> =
        [[&args[..], &[sets]].concat(), vec!["duel", "2048", "random", "--games", "3", "--seed", "1"]]
            .iter()
            .map(|args| timeless(&transcript(args, "")))
            .map(|text| {
                text.lines()
                    .map(|line| if line.contains("moves a second") { "  …" } else { line }.to_owned() + "\n")
                    .collect()
            })
            .collect();
    insta::assert_snapshot!("duels", text.join("\n"));
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = agon(args, b"");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one object")
}

fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn duels_have_the_fields_that_programs_rely_on() {
    let run = |jobs: &str| {
        json(&[
            "duel",
            "othello",
            "random",
            "greedy",
            "--games",
            "5",
            "--seed",
            "9",
            "--options",
            "size=4",
            "--jobs",
            jobs,
            "--json",
        ])
    };
    let report = run("1");
    for key in [
        "game",
        "options",
        "a",
        "b",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "elo_error",
        "late_a",
        "late_b",
        "illegal_a",
        "illegal_b",
        "time_a",
        "time_b",
        "depth_a",
        "depth_b",
    ] {
        assert!(keys(&report).contains(&key), "{key} is missing: {report}");
    }
    let count = |key: &str| report[key].as_u64().expect("a count");
    assert_eq!(count("games"), 5);
    assert_eq!(count("wins") + count("draws") + count("losses"), 5);
    assert_eq!((&report["a"], &report["options"]), (&"random".into(), &"size=4".into()));
    let (score, points) =
        (report["score"].as_f64().expect("a number"), count("wins") as f64 + count("draws") as f64 / 2.0);
    assert!((score - points / 5.0).abs() < 1e-9);
    let again = run("2");
    for key in ["wins", "draws", "losses", "elo"] {
        assert_eq!(report[key], again[key], "{key} depends on the jobs");
    }
    // One side has every point: there is no number for that.
    let clear = json(&[
        "duel",
        "loa",
        "alphabeta:depth=2",
        "random",
        "--games",
        "2",
        "--seed",
        "1",
        "--options",
        "size=6",
        "--json",
    ]);
    assert_eq!((&clear["score"], &clear["elo"]), (&1.0.into(), &serde_json::Value::Null));
    let alone = json(&["duel", "2048", "random", "--games", "4", "--seed", "1", "--json"]);
    assert_eq!(alone["games"], 4);
    assert_eq!(alone["reached"]["2048"], 0.0);
    for key in ["mean", "median", "max", "moves_per_second"] {
        assert!(alone[key].is_number(), "{key}: {alone}");
    }
}

#[test]
fn games_of_duels_are_saved_and_hold() {
    let folder = std::env::temp_dir().join(format!("agon-duel-{}", std::process::id()));
    let path = folder.to_str().expect("a plain path");
    json(&[
        "duel",
        "loa",
        "greedy",
        "random",
        "--games",
        "3",
        "--options",
        "size=6",
        "--time",
        "1s",
        "--save",
        path,
        "--json",
    ]);
    json(&["duel", "2048", "greedy", "random", "--games", "1", "--save", path, "--json"]);
    let mut files: Vec<String> = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|file| file.expect("a file").path().to_str().expect("a plain path").to_owned())
        .collect();
    files.sort();
    let names: Vec<&str> = files.iter().map(|file| &file[path.len() + 1..]).collect();
    assert_eq!(names, ["0001-a.txt", "0001-b.txt", "0001.txt", "0002.txt", "0003.txt"]);
    let mut args = vec!["record", "check"];
    args.extend(files.iter().map(String::as_str));
    let check = agon(&args, b"");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
    let first = std::fs::read_to_string(&files[2]).expect("a record");
    assert!(first.contains("players: greedy | random") && first.contains("clock: 1s\n"), "{first}");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn bad_duels_and_analyses_are_refused_by_name() {
    let errors: Vec<String> = [
        &["duel", "othello", "greedy", "random", "--games", "0"][..],
        &["duel", "othello", "greedy", "random", "--time", "0s"],
        &["duel", "othello", "greedy", "random", "--time", "5"],
        &["duel", "othello", "greedy", "random", "--time", "99999m"],
        &["duel", "othello", "greedy", "random", "--time=-1s"],
        &["duel", "othello", "greedy", "random", "--until", "1.5"],
        &["duel", "othello", "greedy", "random", "--sprt", "5"],
        &["duel", "othello", "greedy", "random", "--sprt", "10,-5"],
        &["duel", "othello", "greedy", "random", "--jobs", "0"],
        &["duel", "othello", "greedy", "random", "--options", "size=6;size=7"],
        &["duel", "othello", "greedy"],
        &["duel", "othello", "gredy", "random"],
        &["duel", "othello", "greedy", "random:depth=3"],
        &["analyze", "othello", "--bot", "rndom"],
        &["analyze", "othello", "--moves", "d3 z9"],
        &["analyze", "othello", "--time", "0ms"],
        &["analyze", "tablut", "--position", "9/9/9/9/9/9/9/9/k8 b 7"],
        &["bots", "otello"],
        &["play", "loa", "--players", "human,random:depth=2,tt=off"],
        &["play", "loa", "--player", "random"],
    ]
    .iter()
    .map(|args| transcript(args, ""))
    .collect();
    insta::assert_snapshot!("duel-errors", errors.join("\n"));
}

#[test]
fn bots_are_listed_with_all_that_can_be_set() {
    let listing = json(&["bots", "loa", "--json"]);
    let names = |value: &serde_json::Value| -> Vec<String> {
        let items = value.as_array().expect("a list").iter();
        items.map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
    };
    let bots = names(&listing["games"][0]["bots"]);
    assert!(["random", "greedy"].iter().all(|name| bots.iter().any(|bot| bot == name)), "{bots:?}");
    let parameters = &listing["algorithms"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|algorithm| algorithm["name"] == "plain");
    assert_eq!(parameters.expect("plain")["parameters"][0]["key"], "time");
    let text = String::from_utf8(agon(&["bots", "loa"], b"").stdout).expect("UTF-8");
    for name in bots.iter().chain(&names(&listing["games"][0]["evaluations"])) {
        assert!(text.contains(name.as_str()), "{name} is not in the text");
    }
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "too long for 80 columns: {line}");
    }
    assert_eq!(json(&["bots", "--json"])["games"].as_array().expect("a list").len(), GAMES.iter().len());
}

#[test]
fn analyses_have_the_fields_that_programs_rely_on() {
    for game in GAMES.iter().map(|entry| entry.spec.id) {
        let report = json(&["analyze", game, "--bot", "plain:depth=2", "--json"]);
        for key in
            ["best", "score", "unit", "depth", "nodes", "nodes_per_second", "line", "moves", "features"]
        {
            assert!(keys(&report).contains(&key), "{key} is missing: {report}");
        }
        assert_eq!(report["depth"], 2, "{game}");
        assert_eq!(report["line"][0], report["best"], "{game}");
        for feature in report["features"].as_array().expect("a list") {
            assert_eq!(keys(feature), ["name", "value", "weight"]);
        }
    }
    // The king is one move from the edge.
    let king = "9/9/9/9/9/9/9/1k7/9 w 7";
    let args = ["analyze", "tablut", "--position", king, "--bot", "alphabeta:depth=3"];
    let report = json(&[&args[..], &["--json"]].concat());
    assert_eq!(report["proven"], "win in 1");
    assert_eq!(keys(&report["moves"][0]), ["bound", "move", "score"]);
    let several = json(&["analyze", "loa", "--bot", "alphabeta:nodes=5000", "--json"]);
    assert!(several["moves"].as_array().expect("a list").len() >= 5, "{several}");
    let text = String::from_utf8(agon(&args, b"").stdout).expect("UTF-8");
    assert!(
        text.contains("  score       win in 1\n") && text.contains("Moves at depth 1, best first"),
        "{text}"
    );
}

#[test]
fn lateness_is_counted_over_as_many_moves_as_asked_for() {
    let args =
        ["bench", "loa", "--options", "size=5", "--lateness", "--moves", "25", "--time", "2ms", "--json"];
    let output = agon(&args, b"");
    let lines: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .expect("UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    assert_eq!((&lines[0]["what"], &lines[0]["value"]), (&"moves, size=5".into(), &25.0.into()));
    assert_eq!(lines[1]["what"], "late moves, size=5");
}

#[test]
fn othello_positions_are_solved() {
    let solve = |args: &[&str]| {
        let output = agon(&[&["solve", "othello"], args].concat(), b"");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    let start = ["--options", "size=4", "--position", "4/1ox1/1xo1/4 x", "--json"];
    let (_, found, _) = solve(&start);
    assert!(found.starts_with(r#"{"score":-10,"best":""#) && found.lines().count() == 1, "{found}");
    let file = std::env::temp_dir().join(format!("agon-solve-{}.obf", std::process::id()));
    let name = file.to_str().expect("a plain path");
    let solve_file = |text: &str| {
        std::fs::write(&file, text).expect("the file is written");
        let found = solve(&["--options", "size=4", "--file", name, "--json"]);
        std::fs::remove_file(&file).expect("the file is there");
        found
    };
    let (_, found, _) = solve_file("# two\n40 -----OX--XO----- X +0\n\n-----OX--XO----- O; d3\n");
    assert_eq!(found.matches(r#""score":-10"#).count(), 2, "{found}");
    for (text, words) in [
        ("-----OX--XO---- X\n", "line 1"),
        ("-----OX--XO----- X\n-----OX--XO----- Z\n", "line 2"),
        ("# nothing\n", "has no position"),
        ("XXXXXXXXXXXXXXXX X\n", "the game is over"),
    ] {
        let (ok, _, error) = solve_file(text);
        assert!(!ok && error.contains(words), "{text}: {error}");
    }
    for (args, words) in [
        (
            &["--options", "size=10", "--position", "10/10/10/10/4ox4/4xo4/10/10/10/10 x"][..],
            "boards up to 8×8",
        ),
        (&["--position", "nonsense"], "rows"),
        (&[], "--position"),
        (&["--file", "/nonexistent"], "cannot open /nonexistent"),
        (&["--file", "/dev/zero"], "/dev/zero is too large"),
    ] {
        let (ok, _, error) = solve(args);
        assert!(!ok && error.contains(words), "{args:?}: {error}");
    }
}
