//! Results: points, the order of the table, and `results.json`.

use std::time::Duration;

use agon_arena::referee::Conduct;
use agon_arena::results::json::Strength;
use agon_arena::results::{GameResult, Offence, Outcome, Overhead, Player, Points, Results, Round, State};
use agon_match::Fault;
use serde_json::{Value, json};

fn placed(places: &[usize]) -> Outcome {
    Outcome::Placed { places: places.to_vec(), reason: "connected".to_owned(), sentence: String::new() }
}

fn technical(seats: &[usize], reason: Fault, disqualified: bool) -> Outcome {
    let offence =
        |&seat: &usize| Offence { seat, reason, sentence: "it failed".to_owned(), ply: 7, disqualified };
    Outcome::Technical { offences: seats.iter().map(offence).collect() }
}

/// Results of games between players whose names are single letters.
fn results(games: &[(&str, Outcome)]) -> Results {
    let mut names: Vec<char> = games.iter().flat_map(|(seats, _)| seats.chars()).collect();
    names.sort_unstable();
    names.dedup();
    let points = Points::default();
    let game = |(number, (seats, outcome)): (usize, &(&str, Outcome))| GameResult {
        number,
        round: 1,
        seats: seats.chars().map(String::from).collect(),
        points: points.awarded(outcome, seats.len()),
        outcome: outcome.clone(),
        plies: 30,
        record: Some(format!("games/{number}.txt")),
        ..GameResult::default()
    };
    Results {
        players: names.into_iter().map(|name| Player { name: name.into(), ..Player::default() }).collect(),
        games: games.iter().enumerate().map(game).collect(),
        ..Results::default()
    }
}

fn order(games: &[(&str, Outcome)]) -> String {
    results(games).table().rows.iter().map(|row| format!("{}{} ", row.place, row.name)).collect()
}

#[test]
fn points_are_those_of_the_course() {
    let awarded = |outcome: Outcome, seats| Points::default().awarded(&outcome, seats);
    assert_eq!(awarded(placed(&[1, 2]), 2), [3.0, 0.0]);
    assert_eq!(awarded(placed(&[2, 1]), 2), [0.0, 3.0]);
    assert_eq!(awarded(placed(&[1, 1]), 2), [1.0, 1.0]);
    assert_eq!(awarded(technical(&[1], Fault::Time, false), 2), [2.0, -2.0]);
    assert_eq!(awarded(technical(&[0, 1], Fault::Time, false), 2), [-2.0, -2.0]);
    assert_eq!(awarded(placed(&[2, 1, 3]), 3), [0.0, 3.0, 0.0]);
    assert_eq!(awarded(placed(&[1, 1, 3]), 3), [1.0, 1.0, 0.0]);
    assert_eq!(awarded(technical(&[2], Fault::Crash, false), 4), [2.0, 2.0, -2.0, 2.0]);
}

#[test]
fn every_game_counts_in_one_column() {
    let games = [
        ("ab", placed(&[1, 2])),
        ("ba", placed(&[1, 1])),
        ("ab", technical(&[1], Fault::Illegal, false)),
        ("ba", technical(&[0, 1], Fault::Time, false)),
    ];
    let table = results(&games).table();
    let [a, b] = &table.rows[..] else { panic!("two players") };
    let columns = |row: &agon_arena::results::Row| {
        [row.games, row.wins, row.draws, row.losses, row.technical_wins, row.technical_losses]
    };
    assert_eq!(columns(a), [4, 1, 1, 0, 1, 1]);
    assert_eq!(columns(b), [4, 0, 1, 1, 0, 2]);
    assert_eq!((a.points, b.points), (4.0, -3.0));
    assert!(!a.disqualified && !b.disqualified);
}

#[test]
fn equal_points_are_decided_by_direct_comparison_then_wins_then_shared() {
    // a and b have three points each; b has beaten a.
    assert_eq!(order(&[("ab", placed(&[2, 1])), ("ac", placed(&[1, 2]))]), "1b 2a 3c ");
    // Each of three has beaten one of the others: nothing tells them apart.
    let circle = [("ab", placed(&[1, 2])), ("bc", placed(&[1, 2])), ("ca", placed(&[1, 2]))];
    assert_eq!(order(&circle), "1a 1b 1c ");
    // Three points of one win are more than three draws, where nobody has met.
    let draws = [("ax", placed(&[1, 1])), ("ay", placed(&[1, 1])), ("az", placed(&[1, 1]))];
    let games = [&draws[..], &[("bw", placed(&[1, 2]))]].concat();
    assert!(order(&games).starts_with("1b 2a "), "{}", order(&games));
    // Whom nothing but the name tells apart shares a place.
    assert_eq!(order(&[("ab", placed(&[1, 1]))]), "1a 1b ");
}

#[test]
fn a_disqualification_marks_the_player_and_nobody_else() {
    let table = results(&[("ab", technical(&[1], Fault::Network, true))]).table();
    assert_eq!(table.rows.iter().map(|row| row.disqualified).collect::<Vec<_>>(), [false, true]);
}

fn rich() -> Results {
    let mut results = results(&[
        ("ab", placed(&[1, 2])),
        ("ba", technical(&[0], Fault::Time, false)),
        ("ab", technical(&[0, 1], Fault::Crash, true)),
        ("abc", placed(&[3, 1, 2])),
    ]);
    results.name = "course".to_owned();
    results.state = State::Finished;
    results.seed = 7;
    results.points.draw = 0.5;
    results.rounds = vec![Round { game: "loa".to_owned(), games: 4, ..Round::default() }];
    results.notes = vec!["no memory limit".to_owned()];
    let game = &mut results.games[0];
    let time = Duration::from_millis(1500);
    game.conduct =
        vec![Conduct { moves: 3, time, slowest: time, depth: 12, nodes: 99, ..Conduct::default() }; 2];
    game.scores = vec![4, 8];
    game.logs = vec![None, Some("authors/b/logs/0.txt".to_owned())];
    game.overhead = Some(Overhead { moves: 6, median: Duration::from_micros(120), most: time });
    results.games[2].record = None;
    results
}

#[test]
fn results_are_written_as_documented() {
    let text = rich().to_json(&[Strength { elo: Some(12.0), error: Some(3.5) }]).expect("JSON");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let names: Vec<&Value> =
        value["players"].as_array().expect("a list").iter().map(|player| &player["name"]).collect();
    assert_eq!(names, ["a", "c", "b"].map(|name| json!(name)).iter().collect::<Vec<_>>());
    let part = |value: &Value, keys: &[&str]| -> Value {
        keys.iter()
            .map(|key| ((*key).to_owned(), value.get(*key).cloned().unwrap_or(json!("absent"))))
            .collect()
    };
    let keys = [
        "name",
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "technical_wins",
        "technical_losses",
        "disqualified",
    ];
    assert_eq!(
        part(&value["players"][0], &keys),
        json!({ "name": "a", "points": 3, "games": 4, "wins": 1, "draws": 0, "losses": 1, "technical_wins": 1,
            "technical_losses": 1, "disqualified": true })
    );
    assert_eq!(value["players"][0]["elo"], json!(12.0));
    let keys = ["round", "first", "second", "seats", "result", "technical", "reason", "plies", "record"];
    let game = |number: usize| part(&value["games"][number], &keys);
    assert_eq!(
        game(0),
        json!({ "round": 1, "first": "a", "second": "b", "seats": "absent", "result": "first", "technical": false,
            "reason": "connected", "plies": 30, "record": "games/0.txt" })
    );
    assert_eq!(
        game(1),
        json!({ "round": 1, "first": "b", "second": "a", "seats": "absent", "result": "second", "technical": true,
            "reason": "late", "plies": 30, "record": "games/1.txt" })
    );
    assert_eq!((&game(2)["result"], &game(2)["record"]), (&json!("void"), &Value::Null));
    assert_eq!((&game(3)["seats"], &game(3)["first"]), (&json!(["a", "b", "c"]), &json!("absent")));
    assert_eq!(game(3)["result"], json!([0, 3, 0]));
}

#[test]
fn what_is_written_is_read_back() {
    let results = rich();
    let text = results.to_json(&[]).expect("JSON");
    // Players are written in the order of the table.
    let mut expected = results.clone();
    expected.players.swap(1, 2);
    assert_eq!(Results::from_json(&text).expect("results"), expected);
    for game in &results.games {
        let line = serde_json::to_string(game).expect("JSON");
        assert_eq!(&serde_json::from_str::<GameResult>(&line).expect("a game"), game);
    }
}

#[test]
fn games_that_contradict_themselves_are_refused() {
    let game = |number: usize| serde_json::to_value(&rich().games[number]).expect("JSON");
    let refused = |number: usize, key: &str, value: Value, expected: &str| {
        let mut game = game(number);
        game[key] = value;
        let error = serde_json::from_value::<GameResult>(game).expect_err(key).to_string();
        assert!(error.contains(expected), "{key}: {error}");
    };
    refused(0, "places", json!([1]), "one from 1 on for each seat");
    refused(0, "places", json!([0, 1]), "one from 1 on for each seat");
    refused(0, "points", json!([3]), "one number for each seat");
    refused(0, "result", json!("second"), "does not follow");
    refused(0, "result", json!("lost"), "variant");
    refused(0, "conduct", json!([{}]), "one entry for each seat");
    refused(0, "seats", json!(["a", "b", "c"]), "expected `first` and `second`");
    refused(1, "offences", json!([]), "needs `offences`");
    refused(
        1,
        "offences",
        json!([{"seat": 2, "reason": "late", "sentence": "", "ply": 1, "disqualified": false}]),
        "needs",
    );
    refused(3, "seats", json!(["a"]), "more than two names");
    refused(3, "result", json!([1, 1, 1]), "does not follow");
}
