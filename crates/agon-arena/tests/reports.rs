//! Reports: what they look like (snapshots, looked at in a browser), and what hostile names do to them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agon_arena::referee::Conduct;
use agon_arena::report;
use agon_arena::results::{GameResult, Offence, Outcome, Overhead, Player, Points, Results, Round, State};
use agon_core::random::{Rng, seeded, unit};
use agon_match::Fault;
use agon_testkit::TemporaryFolder;

fn conduct(rng: &mut Rng, milliseconds: f64, depth: u64) -> Conduct {
    let moves = 20 + (unit(rng) * 20.0) as u64;
    let time = Duration::from_micros((1000.0 * milliseconds * moves as f64 * (0.9 + 0.2 * unit(rng))) as u64);
    Conduct {
        moves,
        time,
        slowest: time / moves as u32 * 2,
        depth: depth * moves,
        nodes: 3000 * depth * depth * moves,
        ..Conduct::default()
    }
}

/// A course: every pair plays two games per round, the stronger one wins more often, and two players fail now and then.
fn course(names: &[&str], sizes: &[u32]) -> Results {
    let mut rng = seeded(15);
    let points = Points::default();
    let kinds = ["python", "bot", "java", "python", "c", "bot"];
    let players = names.iter().zip(kinds.iter().cycle()).map(|(name, kind)| Player {
        name: (*name).to_owned(),
        kind: (*kind).to_owned(),
        plays: format!("{kind} {name}"),
    });
    let pairs: Vec<(usize, usize)> = (0..names.len())
        .flat_map(|first| (0..names.len()).map(move |second| (first, second)))
        .filter(|(first, second)| first != second)
        .collect();
    let rounds = sizes.iter().map(|size| Round {
        game: "loa".to_owned(),
        title: "Lines of Action".to_owned(),
        options: format!("size={size},turns=100"),
        time: "500ms".to_owned(),
        setup: "2s".to_owned(),
        format: "round robin".to_owned(),
        games: pairs.len(),
    });
    let mut results = Results {
        name: "Spring course".to_owned(),
        state: State::Finished,
        seed: 1,
        points,
        players: players.collect(),
        rounds: rounds.collect(),
        ..Results::default()
    };
    for round in 1..=sizes.len() {
        for &(first, second) in &pairs {
            let number = results.games.len();
            let chance = 1.0 / (1.0 + (0.8 * (first as f64 - second as f64) - 0.2).exp());
            let drawn = unit(&mut rng);
            // The third and the fifth player fail now and then.
            let fails =
                [first, second].iter().position(|player| [2, 4].contains(player) && unit(&mut rng) < 0.12);
            let outcome = match fails {
                Some(seat) => Outcome::Technical { offences: vec![offence(seat, number)] },
                None => {
                    let places = match drawn {
                        drawn if drawn < chance - 0.05 => vec![1, 2],
                        drawn if drawn < chance + 0.05 => vec![1, 1],
                        _ => vec![2, 1],
                    };
                    Outcome::Placed { places, reason: "connected".to_owned(), sentence: String::new() }
                }
            };
            results.games.push(GameResult {
                number,
                round,
                seats: [first, second].map(|player| names[player].to_owned()).to_vec(),
                points: points.awarded(&outcome, 2),
                outcome,
                plies: 40 + (unit(&mut rng) * 60.0) as usize,
                conduct: [first, second]
                    .map(|player| {
                        conduct(&mut rng, 60.0 * (7 - player.min(6)) as f64, 7 - player.min(5) as u64)
                    })
                    .to_vec(),
                record: Some(format!("games/{:05}.txt", number + 1)),
                logs: [first, second]
                    .map(|player| {
                        let folder = report::author_folder(names[player]);
                        Some(folder.join(format!("{:05}.log", number + 1)).display().to_string())
                    })
                    .to_vec(),
                scores: Vec::new(),
                repeats: Vec::new(),
                overhead: Some(Overhead {
                    moves: 60,
                    median: Duration::from_micros(110),
                    most: Duration::from_micros(900),
                }),
            });
        }
    }
    results
}

fn offence(seat: usize, number: usize) -> Offence {
    let (reason, sentence) = [
        (Fault::Time, "the move came after 0.81 s; allowed are 0.5 s"),
        (Fault::Illegal, "3,4-3,7 jumps over an enemy piece"),
        (Fault::Crash, "the program ended with exit code 1"),
    ][number % 3];
    Offence { seat, reason, sentence: sentence.to_owned(), ply: 12 + number, disqualified: false }
}

const NAMES: [&str; 6] = ["deep-lines", "house hard", "quiet-storm", "spinner", "first-try", "random"];

#[test]
fn reports_stay_as_they_were_looked_at() {
    let folder = TemporaryFolder::new();
    let results = course(&NAMES[..3], &[6, 8]);
    report::write(&folder.path(""), &results).expect("reports");
    for name in ["report.txt", "table.csv", "crosstable.csv", "games.csv", "grades.csv", "report.html"] {
        insta::assert_snapshot!(name, folder.read(name));
    }
    assert_eq!(Results::from_json(&folder.read("results.json")).expect("results").games, results.games);
    report::write(&folder.path(""), &course(&NAMES, &[6, 8, 12])).expect("reports");
    insta::assert_snapshot!("author.txt", folder.read("authors/first-try/report.txt"));
    assert!(folder.read("authors/random/report.txt").contains("No technical losses"));
    // To look at larger ones: AGON_GALLERY=FOLDER cargo test -p agon-arena --test reports.
    if let Some(gallery) = std::env::var_os("AGON_GALLERY") {
        let gallery = Path::new(&gallery);
        report::write(gallery, &course(&NAMES, &[6, 8, 12])).expect("reports");
        let mut running = course(&NAMES, &[6]);
        running.games.truncate(17);
        running.state = State::Running;
        running
            .notes
            .push("This machine cannot limit memory: the limit of 1 GB is watched, not enforced.".to_owned());
        fs::write(gallery.join("running.html"), report::html(&running)).expect("a file");
        fs::write(gallery.join("hostile.html"), report::html(&hostile())).expect("a file");
    }
}

const HOSTILE: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "=cmd|' /C calc'!A0",
    "../../../etc/passwd",
    "a\u{1b}[2J\r\nb",
    "\u{202e}nimda",
    "שחקן, עם פסיק",
    "</style></title>{{}}${}",
    "",
];

fn hostile() -> Results {
    let long = "x".repeat(2000);
    let names: Vec<&str> = HOSTILE.into_iter().chain([long.as_str()]).collect();
    let mut results = course(&names, &[6]);
    for player in &mut results.players {
        player.kind.clone_from(&player.name);
        player.plays.clone_from(&player.name);
    }
    for (game, name) in results.games.iter_mut().zip(names.iter().cycle()) {
        game.record = Some((*name).to_owned());
        match &mut game.outcome {
            Outcome::Technical { offences } => offences[0].sentence = (*name).to_owned(),
            Outcome::Placed { reason, .. } => reason.clone_from(&(*name).to_owned()),
        }
    }
    for round in &mut results.rounds {
        round.title = HOSTILE[0].to_owned();
        round.options = HOSTILE[1].to_owned();
        round.time = HOSTILE[7].to_owned();
    }
    results.notes = names.iter().map(ToString::to_string).collect();
    results.name = HOSTILE[0].to_owned();
    results
}

#[test]
fn hostile_names_do_no_harm() {
    let folder = TemporaryFolder::new();
    let results = hostile();
    report::write(&folder.path(""), &results).expect("reports");
    let html = folder.read("report.html");
    for bad in
        ["<script", "<img", "onerror=alert(1)>", "\u{1b}", "\u{202e}", "</style></title>", "=\"javascript"]
    {
        assert!(!html.contains(bad), "{bad}");
    }
    // Every name is in its place, with nothing lost.
    assert!(html.contains("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>"));
    assert!(html.contains("<bdi>שחקן, עם פסיק</bdi>"));
    assert!(html.contains("<bdi>(no name)</bdi>"));
    assert!(!html.contains(&format!("<bdi>{}", "x".repeat(450))), "long names are cut");
    for name in ["report.txt", "table.csv", "crosstable.csv", "games.csv", "grades.csv"] {
        let text = folder.read(name);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{name}");
        assert!(!text.lines().any(|line| line.starts_with('=')), "{name}");
        assert!(!text.contains(",=") && !text.contains("\"="), "{name}: a formula");
    }
    // Every line of a table has as many cells as its head.
    let table = folder.read("table.csv");
    let cells = |line: &str| {
        let mut quoted = false;
        1 + line
            .chars()
            .filter(|char| {
                quoted ^= *char == '"';
                *char == ',' && !quoted
            })
            .count()
    };
    assert!(table.lines().all(|line| cells(line) == 17), "{table}");
    assert_eq!(table.lines().count(), 11);
    // Nothing outside the folder, and one private folder each.
    let authors: Vec<_> = fs::read_dir(folder.path("").join("authors")).expect("a folder").collect();
    assert_eq!(authors.len(), 10);
    assert_eq!(Results::from_json(&folder.read("results.json")).expect("results").games, results.games);
}

#[test]
fn reports_of_nothing_and_of_games_of_many_seats_are_reports_too() {
    let folder = TemporaryFolder::new();
    report::write(&folder.path(""), &Results::default()).expect("reports");
    assert!(folder.read("report.html").contains("0 of 0 games"));

    let outcome = Outcome::Technical { offences: vec![offence(1, 0)] };
    let points = Points::default();
    let game = GameResult {
        round: 1,
        seats: ["a", "b", "c"].map(String::from).to_vec(),
        points: points.awarded(&outcome, 3),
        outcome,
        record: None,
        ..GameResult::default()
    };
    let placed =
        Outcome::Placed { places: vec![2, 1, 3], reason: "home".to_owned(), sentence: String::new() };
    let second = GameResult {
        number: 1,
        points: points.awarded(&placed, 3),
        outcome: placed,
        record: Some("games/1.txt".to_owned()),
        ..game.clone()
    };
    let players = ["a", "b", "c"].map(|name| Player { name: name.to_owned(), ..Player::default() }).to_vec();
    let results = Results { players, games: vec![game, second], ..Results::default() };
    report::write(&folder.path(""), &results).expect("reports");
    let text = folder.read("report.txt");
    insta::assert_snapshot!("three seats", text);
    assert!(folder.read("authors/b/report.txt").contains("not played: the move came after"));
    // The game that was not played says nothing about strength: b has won the only one that was.
    let json: serde_json::Value = serde_json::from_str(&folder.read("results.json")).expect("JSON");
    let elo = |index: usize| json["players"][index]["elo"].as_f64().expect("a number");
    let best = (0..3).max_by(|a, b| elo(*a).total_cmp(&elo(*b))).expect("players");
    assert_eq!(json["players"][best]["name"], "b");
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_old_one() {
    let folder = TemporaryFolder::new();
    let results = course(&NAMES[..2], &[6]);
    report::write(&folder.path(""), &results).expect("reports");
    let before = folder.read("report.html");
    fs::remove_file(folder.path("").join("report.html")).expect("a file");
    fs::create_dir_all(folder.path("").join("report.html/in the way")).expect("a folder");
    assert!(report::write(&folder.path(""), &results).is_err());
    fs::remove_dir_all(folder.path("").join("report.html")).expect("a folder");
    report::write(&folder.path(""), &results).expect("reports");
    assert_eq!(folder.read("report.html"), before);
    let left: Vec<_> =
        fs::read_dir(folder.path("")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".tmp")), "{left:?}");
}
