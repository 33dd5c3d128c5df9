//! Reports: what they look like (snapshots, looked at in a browser), and what hostile names do to them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use agon_arena::authors::Author;
use agon_arena::referee::Conduct;
use agon_arena::report;
use agon_arena::results::{
    Bye, GameResult, Offence, Outcome, Overhead, Player, Points, Results, Round, State,
};
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
        ..Player::default()
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
        ..Round::default()
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
                        let folder = report::author_folder(Path::new(""), names[player]);
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

/// A game that one player has lost by an offence; or would have, had it been played.
fn lost(number: usize, [good, bad]: [&str; 2], was_played: bool) -> GameResult {
    let sentence =
        if was_played { "it tried to read '/etc/shadow'" } else { "the player had been disqualified" };
    let offences = vec![Offence {
        seat: 1,
        reason: Fault::Files,
        sentence: sentence.to_owned(),
        ply: 12,
        disqualified: true,
    }];
    let outcome = Outcome::Technical { offences };
    GameResult {
        number,
        round: 1,
        seats: [good, bad].map(String::from).to_vec(),
        points: Points::default().awarded(&outcome, 2),
        outcome,
        record: was_played.then(|| format!("games/{:05}.txt", number + 1)),
        ..GameResult::default()
    }
}

#[test]
fn what_repeats_is_told_once_and_after_the_cross_table() {
    let folder = TemporaryFolder::new();
    let names: Vec<String> = (0..36).map(|number| format!("player {number}")).collect();
    let player = |name: &str| Player { name: name.to_owned(), ..Player::default() };
    let players = names.iter().map(|name| player(name)).chain([player("cheater")]).collect();
    let games = names.iter().enumerate();
    let games = games.map(|(number, name)| lost(number, [name, "cheater"], number == 0)).collect();
    report::write(&folder.path(""), &Results { players, games, ..Results::default() }).expect("reports");
    let html = folder.read("report.html");
    assert_eq!(html.matches("<td class=\"start wrap\" title=\"A program may read").count(), 1, "{html}");
    let row = "files: it tried to read &#39;/etc/shadow&#39; <span class=\"small\">after 12 plies against <bdi>player 0</bdi>; 35 more games not played";
    assert!(html.replace("&#x27;", "&#39;").contains(row), "{html}");
    let [cross, losses] = ["Cross table", "Technical losses"].map(|title| html.find(title).expect(title));
    assert!(cross < losses);
    let text = folder.read("report.txt");
    let line = "  cheater, game 1, after 12 plies against player 0; 35 more games not played: files: it tried to read '/etc/shadow'";
    assert!(text.contains(line) && text.matches("disqualified").count() == 1, "{text}");
    assert_eq!(folder.read("games.csv").matches("cheater").count(), 36, "every game is in the list");
}

#[test]
fn ids_and_addresses_are_in_the_grades_and_nowhere_else() {
    let folder = TemporaryFolder::new();
    let mut results = course(&NAMES[..3], &[6]);
    let author = |name: &str, id: &str, email: &str| Author {
        name: name.to_owned(),
        id: id.to_owned(),
        email: email.to_owned(),
    };
    results.players[0].authors =
        vec![author("דנה כהן", "012345678", "dana@example.org"), author("Levi, Avi", "7", "")];
    report::write(&folder.path(""), &results).expect("reports");
    let grades = folder.read("grades.csv");
    let of_first: Vec<&str> = grades.lines().filter(|line| line.starts_with("deep-lines")).collect();
    assert_eq!(of_first.len(), 2, "{grades}");
    assert!(of_first[0].ends_with(",\"דנה כהן\",012345678,dana@example.org"), "{grades}");
    assert!(of_first[1].ends_with(",\"Levi, Avi\",7,"), "{grades}");
    let others = grades.lines().filter(|line| line.starts_with("quiet-storm")).collect::<Vec<_>>();
    assert!(others.len() == 1 && others[0].ends_with(",,,"), "{grades}");
    for name in ["report.html", "report.txt", "results.json", "table.csv", "crosstable.csv", "games.csv"] {
        let text = folder.read(name);
        assert!(!text.contains("012345678") && !text.contains("dana@example.org"), "{name}");
        assert!(!text.contains("grades.csv"), "{name} leads to what is not published");
    }
}

#[test]
fn pauses_count_and_finalists_stand_first() {
    let mut results = course(&NAMES[..3], &[6]);
    let before = results.table();
    let last = before.rows[2].clone();
    results.byes.push(Bye { round: 1, player: last.name.clone(), points: 6.0 });
    let row = |results: &Results, name: &str| {
        results.table().rows.into_iter().find(|row| row.name == name).expect("it takes part")
    };
    let with_pause = row(&results, &last.name);
    assert_eq!((with_pause.points, with_pause.games, with_pause.byes), (last.points + 6.0, last.games, 1));
    results.byes.clear();
    results.rounds[0].finalists = vec![last.name.clone()];
    let table = results.table();
    assert_eq!((table.rows[0].name.as_str(), table.rows[0].place), (last.name.as_str(), 1));
    results.byes.push(Bye { round: 1, player: last.name, points: 6.0 });
    let read = Results::from_json(&results.to_json(&[]).expect("JSON")).expect("results");
    assert_eq!((read.byes, read.rounds), (results.byes, results.rounds));
}
