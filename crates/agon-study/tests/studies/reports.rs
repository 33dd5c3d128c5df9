//! What readers see.

use agon_study::report;
use agon_testkit::TemporaryFolder;
use serde_json::{Value, json};

use crate::support::{run, study};

const STUDY: &str = r#"
name = "the sample"
question = "What are <nodes> worth?"
game = "othello"
reference = "alphabeta:nodes=120,tt=1,eval=features"
games = 40
seed = 3
[[vary]]
parameter = "nodes"
values = [4, 40, 400]
[[vary]]
weight = "corners"
values = [0]
[[across]]
option = "size"
values = [6, 8]
[[observe]]
name = "Black discs at the end"
piece = "black"
measure = "count-at-end"
"#;

#[test]
fn reports_are_as_they_were_when_they_were_looked_at() {
    let folder = TemporaryFolder::new();
    let (_, results) = run(&study(STUDY), &folder.path("out"), 2, usize::MAX);
    insta::assert_snapshot!("summary", report::summary(&results));
    insta::assert_snapshot!("table", report::table(&results));
    insta::assert_snapshot!("comparisons.csv", folder.read("out/comparisons.csv"));
    insta::assert_snapshot!("report.html", report::html(&results));
    assert_eq!(folder.read("out/report.html"), report::html(&results));
    let names: Vec<String> = report::plots(&results).into_iter().map(|plot| plot.name).collect();
    insta::assert_snapshot!("plots", names.join("\n"));
    for name in names {
        let file = std::fs::read(folder.path(&format!("out/plots/{name}.png"))).expect("a plot");
        assert!(file.starts_with(b"\x89PNG"), "{name}");
    }
    // What is written can be read again.
    let read = agon_study::Results::read(&folder.read("out/results.json")).expect("its own results");
    assert_eq!((read.summary, read.comparisons.len()), (results.summary, results.comparisons.len()));
}

#[test]
fn a_study_without_a_game_can_be_reported() {
    let folder = TemporaryFolder::new();
    let (_, results) = run(&study(STUDY), &folder.path("out"), 1, 0);
    assert_eq!(results.games(), 0);
    assert!(report::html(&results).contains("stopped") && !report::table(&results).is_empty());
}

/// Every place in a JSON document at which there is no list or object.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), found));
        }
        Value::Array(items) => {
            (0..).zip(items).for_each(|(index, value): (usize, _)| {
                leaves(value, &format!("{path}/{index}"), found);
            });
        }
        _ => found.push(path.to_owned()),
    }
}

/// Anybody may have written the results that are read: what is taken must not break whatever is made of it.
#[test]
fn results_are_refused_or_can_be_reported() {
    let folder = TemporaryFolder::new();
    let (_, mut results) = run(&study(STUDY), &folder.path("out"), 2, 40);
    results.comparisons.truncate(2);
    results.observations.truncate(1);
    let document = serde_json::to_value(&results).expect("JSON");
    let mut places = Vec::new();
    leaves(&document, "", &mut places);
    let hostile =
        [json!(-1), json!(1e300), json!(u64::MAX), json!(7), json!(null), json!("\u{202e}x"), json!([])];
    let (mut refused, mut taken) = (0, 0);
    for place in &places {
        for wrong in &hostile {
            let mut changed = document.clone();
            *changed.pointer_mut(place).expect("a leaf") = wrong.clone();
            let Ok(read) = agon_study::Results::read(&changed.to_string()) else {
                refused += 1;
                continue;
            };
            taken += 1;
            assert!(
                !agon_study::summary(&read).is_empty() && read.planned_games() < 1 << 60,
                "{place}: {wrong}"
            );
            for name in report::FILES {
                report::file(&read, name).unwrap_or_else(|error| panic!("{place}: {wrong}: {name}: {error}"));
            }
        }
    }
    assert!(taken > places.len() / 2 && refused > places.len(), "{taken} taken, {refused} refused");
}

#[test]
fn results_that_do_not_fit_together_are_refused_with_their_place() {
    let folder = TemporaryFolder::new();
    run(&study(STUDY), &folder.path("out"), 2, 8);
    let text = folder.read("out/results.json");
    agon_study::Results::read(&text).expect("its own results");
    for (place, wrong, fault) in [
        ("/version", json!(2), "version 2, expected 1"),
        ("/comparisons/1/setting", json!(9), "comparisons[1].setting: expected 0 to 4, found 9"),
        ("/comparisons/0/wins", json!(1000), "comparisons[0].games: 1000 +"),
        ("/comparisons/0/score/low", json!(1.5), "comparisons[0].score: expected 0 to 1, found 1.5"),
        ("/comparisons/0/sides/1/seconds", json!(-1), "comparisons[0].seconds: expected 0 to"),
        ("/circumstances/1/bots", json!([]), "circumstances[1].bots: expected 5 to 5, found 0"),
        ("/circumstances", json!([]), "circumstances: expected 1 to"),
        ("/observations/0/bins/0/shares", json!([1.0]), "observations[0].shares: expected 2 to 2, found 1"),
        ("/all_against_all", json!(true), "ratings: expected 5 to 5, found 0"),
        ("/comparisons/0/games", json!("many"), "invalid type"),
    ] {
        let mut changed: Value = serde_json::from_str(&text).expect("JSON");
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("{place}")) = wrong;
        let found = agon_study::Results::read(&changed.to_string()).expect_err(place);
        assert!(found.contains(fault), "{place}: {found}");
    }
    for text in ["", "{}", "[1]", "{\"version\": 1}", "\u{feff}{}", &"[".repeat(100_000)] {
        assert!(agon_study::Results::read(text).is_err());
    }
}

#[test]
fn the_summary_is_said_in_hebrew_too() {
    let folder = TemporaryFolder::new();
    for text in [
        STUDY.to_owned(),
        STUDY.replace("games = 40", "games = 8\nagainst = \"all\"\nearly_stopping = \"off\""),
    ] {
        let (_, results) =
            run(&study(&text), &folder.path(if text == STUDY { "one" } else { "all" }), 2, usize::MAX);
        let sentences = agon_study::summary(&results);
        assert_eq!(
            results.summary,
            sentences.iter().map(|sentence| sentence.text.clone()).collect::<Vec<_>>()
        );
        for sentence in &sentences {
            // What only the author of a study has named is left as it is.
            let hebrew = agon_study::MESSAGES.text("he", sentence).replace("Black discs at the end", "");
            assert!(hebrew.chars().any(|char| ('א'..='ת').contains(&char)), "{hebrew}");
            assert!(
                !hebrew.contains('{') && !hebrew.contains(" the ") && !hebrew.contains("games"),
                "{hebrew}"
            );
        }
    }
}
