//! What readers see.

use std::fs;
use std::path::Path;

use agon_study::library::PUBLISHED;
use agon_study::{Results, report};
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
    assert_eq!((read.summary, read.effects.len()), (results.summary, results.effects.len()));
}

/// Results of the first version have no main effects; what can be said about them follows from their comparisons.
#[test]
fn results_of_the_first_version_can_be_read_and_claim_no_more_than_they_did() {
    let text = include_str!("../results/first-version.json");
    let results = agon_study::Results::read(text).expect("it holds");
    assert_eq!((results.version, results.circumstances.len(), results.effects.len()), (1, 3, 3));
    for effect in &results.effects {
        let parts: Vec<_> = results.parts_of(effect).collect();
        assert_eq!(parts.len(), 3);
        let mean = |end: fn(&agon_study::Estimate) -> f64| {
            parts.iter().map(|part| end(&part.score)).sum::<f64>() / 3.0
        };
        assert!((effect.score.low - mean(|score| score.low)).abs() < 1e-12);
        assert!((effect.score.value - mean(|score| score.value)).abs() < 1e-12);
        assert!((effect.score.high - mean(|score| score.high)).abs() < 1e-12);
        assert_eq!(effect.games, parts.iter().map(|part| part.games).sum::<u64>());
    }
    let said = report::summary(&results);
    assert!(said.contains("An earlier version of the program played this study"), "{said}");
    // Under one circumstance its comparisons were the main effects already.
    let mut one: Value = serde_json::from_str(text).expect("JSON");
    let places = one["circumstances"].as_array_mut().expect("a list");
    places.truncate(1);
    let comparisons = one["comparisons"].as_array_mut().expect("a list");
    comparisons.retain(|comparison| comparison["circumstance"] == 0);
    let one = agon_study::Results::read(&one.to_string()).expect("it holds");
    for (effect, comparison) in one.effects.iter().zip(&one.comparisons) {
        assert_eq!((effect.score, effect.verdict), (comparison.score, comparison.verdict));
    }
    assert!(!report::summary(&one).contains("earlier version"));
}

#[test]
fn the_answer_comes_first_in_two_sentences_and_in_both_languages() {
    let folder = TemporaryFolder::new();
    let text = STUDY
        .replace("reference =", "reference_label = \"120 nodes\"\nreference =")
        .replace("[4, 40, 400]", "[4, 40, 400]\nlabels = [\"4 nodes\", \"40 nodes\", \"400 nodes\"]");
    let (_, results) = run(&study(&text), &folder.path("out"), 2, usize::MAX);
    let answer = agon_study::answer(&results);
    let [shown, open] = &answer[..] else { panic!("two sentences: {answer:?}") };
    assert!(shown.text.starts_with("Over all 2 circumstances, 4 nodes"), "{shown}");
    assert!(shown.text.contains("weaker than 120 nodes, with "), "{shown}");
    assert!(open.text.starts_with("For ") && open.text.contains("nothing is shown"), "{open}");
    let html = report::html(&results);
    let at = |what: &str| html.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(at(&shown.text) < at("Main effects") && at("Main effects") < at("Single circumstances"));
    let hebrew = agon_study::MESSAGES.text("he", shown);
    assert!(html.contains(&hebrew), "{hebrew}");
    // Other questions have other answers.
    for (asks, expected) in
        [("nodes", "times the nodes per move of 120 nodes"), ("observations", "Black discs at the end")]
    {
        let text = text.replace("seed = 3", &format!("seed = 3\nasks = \"{asks}\""));
        let (_, results) = run(&study(&text), &folder.path(asks), 2, 80);
        assert!(
            agon_study::answer(&results)[0].text.contains(expected),
            "{:?}",
            agon_study::answer(&results)
        );
    }
}

/// What people read about our own runs is what the program makes of their results.
#[test]
fn the_documents_say_what_the_results_of_our_runs_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: String| fs::read_to_string(root.join(&path)).unwrap_or_else(|_| panic!("{path}"));
    let studies =
        PUBLISHED.iter().map(|run| ("docs/studies/README.md".to_owned(), format!("docs/studies/{}", run.id)));
    let example = ("python/alphabeta-study/README.md".to_owned(), "python/alphabeta-study".to_owned());
    for (document, folder) in studies.chain([example]) {
        let results = Results::read(&read(format!("{folder}/results.json"))).expect("it holds");
        assert_eq!(read(format!("{folder}/summary.txt")), report::summary(&results), "{folder}");
        let document = read(document);
        let answer: Vec<String> =
            agon_study::answer(&results).into_iter().map(|said| said.text.into_owned()).collect();
        assert!(document.contains(&format!("\n> {}\n", answer.join(" "))), "{folder}: {answer:?}");
        for finding in agon_study::findings(&results) {
            assert!(document.contains(&format!("\n- {}\n", finding.text)), "{folder}: {finding}");
        }
    }
}

#[test]
fn a_large_study_is_cut_to_what_can_be_printed() {
    let folder = TemporaryFolder::new();
    let values: Vec<String> = (2..82).map(|value| value.to_string()).collect();
    let text = format!(
        "game = \"othello\"\noptions = \"size=4\"\nreference = \"alphabeta:tt=1\"\ngames = 2\n[[vary]]\nparameter = \"tt\"\n\
         values = [{}]\n[[across]]\nlimit = \"nodes\"\nvalues = [1, 2]\n",
        values.join(", ")
    );
    let (_, results) = run(&study(&text), &folder.path("out"), 2, 4);
    let html = report::html(&results);
    assert!(html.contains("100 more are in comparisons.csv"));
    assert!(html.matches("<tr>").count() < 400, "{}", html.matches("<tr>").count());
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
        ("/version", json!(3), "version 3, expected 1 to 2"),
        ("/effects/1/setting", json!(9), "effects[1].setting: expected 0 to 4, found 9"),
        ("/effects/0/deviation", json!(2), "effects[0].deviation: expected 0 to 1, found 2"),
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
