//! What readers see.

use agon_study::report;

use crate::support::{Folder, run, study};

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
    let folder = Folder::new();
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
    let read: agon_study::Results = serde_json::from_str(&folder.read("out/results.json")).expect("JSON");
    assert_eq!((read.summary, read.comparisons.len()), (results.summary, results.comparisons.len()));
}

#[test]
fn a_study_without_a_game_can_be_reported() {
    let folder = Folder::new();
    let (_, results) = run(&study(STUDY), &folder.path("out"), 1, 0);
    assert_eq!(results.games(), 0);
    assert!(report::html(&results).contains("stopped") && !report::table(&results).is_empty());
}
