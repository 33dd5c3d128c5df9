//! Running tunings: what comes of them depends on their plan and seed alone.

use std::collections::HashSet;

use agon_arena::experiment::RunEnd;
use agon_arena::folder::ClaimError;
use agon_erased::BotSpec;
use agon_testkit::TemporaryFolder;
use agon_tune::{Order, Part, Plan, Results, Store, WeightFile, html, split_opening, summary};

use crate::support::{order, run};

/// Runs a plan whole and in pieces, and checks that nothing differs.
fn is_the_same_in_pieces(plan: &Plan, pieces: &[(usize, usize)]) -> Results {
    let folder = TemporaryFolder::new();
    let (end, whole) = run(plan, &folder.path("whole"), 2, usize::MAX);
    assert_eq!(end, RunEnd::Finished);
    for &(most, jobs) in pieces {
        let (end, results) = run(plan, &folder.path("cut"), jobs, most);
        assert_eq!(end, RunEnd::Stopped, "after {most}");
        assert_ne!(results, whole);
    }
    let (end, results) = run(plan, &folder.path("cut"), 1, usize::MAX);
    assert_eq!((end, &results), (RunEnd::Finished, &whole));
    for name in ["results.json", "summary.txt", "report.html", "tuning.jsonl", "match.jsonl", "weights.toml"]
    {
        assert_eq!(folder.read(&format!("cut/{name}")), folder.read(&format!("whole/{name}")), "{name}");
    }
    whole
}

#[test]
fn interruptions_and_jobs_change_nothing_by_regression() {
    let plan = Plan::new(Order { match_games: 20, ..order("tablut", "expert:tt=1") }).expect("a plan");
    let results = is_the_same_in_pieces(&plan, &[(0, 1), (3, 1), (9, 2), (23, 2)]);
    let fit = results.fit.as_ref().expect("a fit");
    assert!(fit.positions > 100 && fit.held_out > 20, "{fit:?}");
    assert!(fit.steps.len() > 2 && fit.steps.last().expect("steps").train < fit.steps[0].train, "{fit:?}");
    let contest = results.contest.as_ref().expect("a match");
    assert_eq!((contest.games, contest.wins + contest.draws + contest.losses), (20, 20));
    assert!(contest.fault.is_none());
    assert!(results.changes.iter().all(|change| !change.after.contains('.')), "whole numbers: {results:?}");
    assert!(results.summary.iter().any(|sentence| sentence.contains("openings that tuning never saw")));
    assert!(summary(&results).contains("rhombus") && html(&results).contains("<svg"));
}

#[test]
fn interruptions_and_jobs_change_nothing_by_spsa() {
    let climb = Order {
        is_spsa: true,
        batch: Some(4),
        parameters: Some("lmr=1..6,futility=50..600,rhombus=-300..0".to_owned()),
        match_games: 20,
        ..order("tablut", "expert:tt=1")
    };
    let plan = Plan::new(climb).expect("a plan");
    let results = is_the_same_in_pieces(&plan, &[(0, 1), (2, 1), (9, 2), (23, 2)]);
    assert_eq!(results.climb.len(), 6, "the start and five steps");
    assert!(results.climb.windows(2).any(|pair| pair[0] != pair[1]), "it has moved");
    for (change, (low, high)) in results.changes.iter().zip([(1.0, 6.0), (50.0, 600.0), (-300.0, 0.0)]) {
        let value: f64 = change.after.parse().expect("a number");
        assert!((low..=high).contains(&value) && value.fract() == 0.0, "{change:?}");
    }
    let after: BotSpec = results.after.as_ref().expect("a bot").parse().expect("a specification");
    assert!(after.sets("lmr") && after.sets("futility"));
    assert!(after.value("weights").is_some_and(|weights| weights.starts_with("rhombus:")), "{after}");
}

#[test]
fn a_climb_goes_uphill() {
    // Whoever does not care for corners learns to.
    let climb = Order {
        options: vec!["size=6".to_owned()],
        is_spsa: true,
        batch: Some(8),
        games: Some(240),
        nodes: None,
        parameters: Some("corners=-1000..1000".to_owned()),
        match_games: 0,
        ..order("othello", "alphabeta:eval=features,depth=1,tt=off,weights=corners:0")
    };
    let folder = TemporaryFolder::new();
    let (_, results) = run(&Plan::new(climb).expect("a plan"), &folder.path("out"), 2, usize::MAX);
    let [corners] = &results.changes[..] else { panic!("one value: {results:?}") };
    let after: f64 = corners.after.parse().expect("a number");
    assert!(corners.before == "0" && after > 100.0, "{corners:?} {:?}", results.climb);
}

#[test]
fn only_named_weights_change_and_the_file_can_be_loaded() {
    let few = Order { parameters: Some("rhombus,mobility".to_owned()), ..order("tablut", "expert:tt=1") };
    let plan = Plan::new(Order { match_games: 0, ..few }).expect("a plan");
    let folder = TemporaryFolder::new();
    let (_, results) = run(&plan, &folder.path("out"), 2, usize::MAX);
    assert!(results.contest.is_none());
    for change in &results.changes {
        let is_named = ["rhombus", "mobility"].contains(&change.name.as_str());
        assert!(is_named || change.before == change.after, "{change:?}");
    }
    let path = folder.path("out/weights.toml");
    let rules = &*plan.variants[0].rules;
    let bot: BotSpec = format!("expert:weights={}", path.display()).parse().expect("a specification");
    let resolved = WeightFile::resolve(&bot, rules).expect("a good file");
    let weights = rules.linear(&resolved).expect("a bot").weights;
    for (weight, change) in weights.iter().zip(&results.changes) {
        assert_eq!(
            (weight.name.as_str(), weight.value.to_string()),
            (change.name.as_str(), change.after.clone())
        );
    }
    // Only where files are resolved: nobody else can name one, even if it is there.
    let refused = rules.bot(&bot, 0).err().expect("it is no weight").to_string();
    assert!(refused.contains("weights:"), "{refused}");
}

#[test]
fn a_directory_belongs_to_one_tuning_and_one_process() {
    let folder = TemporaryFolder::new();
    let dir = folder.path("out");
    let plan = Plan::new(order("tablut", "expert:tt=1")).expect("a plan");
    let store = Store::open(&dir, &plan.identity()).expect("a new directory");
    let error = Store::open(&dir, &plan.identity()).expect_err("it is held").to_string();
    assert!(error.contains("another process is running"), "{error}");
    drop(store);
    let other = Plan::new(Order { seed: 2, ..order("tablut", "expert:tt=1") }).expect("a plan");
    assert!(matches!(Store::open(&dir, &other.identity()), Err(ClaimError::Other { .. })));
    std::fs::write(folder.path("note.txt"), "mine").expect("a file");
    assert!(matches!(Store::open(&folder.path(""), &plan.identity()), Err(ClaimError::NotEmpty { .. })));
}

#[test]
fn the_match_begins_with_positions_that_tuning_did_not_begin_with() {
    let plan = Plan::new(order("tablut", "expert:tt=1")).expect("a plan");
    let folder = TemporaryFolder::new();
    run(&plan, &folder.path("out"), 2, usize::MAX);
    let rules = &*plan.variants[0].rules;
    let opening_plies = plan.variants[0].opening_plies;
    let ledger = folder.read("out/tuning.jsonl");
    let begun: HashSet<String> = ledger
        .lines()
        .map(|line| {
            let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let moves = game["moves"].as_array().expect("moves").iter().take(opening_plies);
            let moves: Vec<String> = moves.map(|token| token.as_str().expect("text").to_owned()).collect();
            rules.open(None, &moves).expect("legal moves").position()
        })
        .collect();
    assert!(begun.len() > 15 && begun.iter().all(|position| Part::of(position) == Part::Tuning));
    for seed in 0..50 {
        let opening = split_opening(rules, opening_plies, Part::Match, seed).expect("an opening");
        let position = rules.open(None, &opening.moves).expect("legal moves").position();
        assert!(Part::of(&position) == Part::Match && !begun.contains(&position));
    }
}
