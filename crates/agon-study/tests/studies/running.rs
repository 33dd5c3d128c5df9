//! Playing studies: what comes of them depends on their file and seed alone.

use agon_arena::experiment::RunEnd;
use agon_study::{State, Verdict};
use agon_testkit::TemporaryFolder;

use crate::support::{run, study};

const NODES: &str = r#"
game = "othello"
options = "size=6"
reference = "alphabeta:nodes=200,tt=1"
games = 24
[[vary]]
parameter = "nodes"
values = [10, 60]
[[vary]]
weight = "corners"
values = [0]
[[vary]]
parameter = "eval"
values = ["features"]
"#;

/// The same with an evaluation that has weights.
fn nodes() -> String {
    NODES.replace("tt=1", "tt=1,eval=features").replace("values = [\"features\"]", "values = [\"discs\"]")
}

#[test]
fn interruptions_and_jobs_change_nothing() {
    let study = study(&nodes());
    let folder = TemporaryFolder::new();
    let (end, whole) = run(&study, &folder.path("whole"), 2, usize::MAX);
    assert_eq!((end, whole.state), (RunEnd::Finished, State::Finished));
    for (most, jobs) in [(1, 1), (5, 2), (20, 3), (usize::MAX, 1)] {
        let (_, results) = run(&study, &folder.path("cut"), jobs, most);
        if most == usize::MAX {
            assert_eq!(results, whole);
        } else {
            assert_eq!(results.state, State::Stopped);
            assert!(results.games() < whole.games());
        }
    }
    // The lines of games that count are the same too, though not in order if games were played at once.
    let lines = |name: &str| {
        let text = folder.read(name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines("cut/games.jsonl"), lines("whole/games.jsonl"));
}

#[test]
fn a_clear_comparison_ends_early_and_all_have_the_same_openings() {
    let study = study(&nodes().replace("games = 24", "games = 60"));
    let folder = TemporaryFolder::new();
    let (_, results) = run(&study, &folder.path("out"), 2, usize::MAX);
    let weak = &results.comparisons[0];
    assert_eq!(results.settings[weak.setting].name, "nodes=10");
    assert_eq!((weak.verdict, weak.stopped_early), (Verdict::Weaker, true), "{weak:?}");
    assert!(weak.games < 60 && weak.games % 2 == 0 && weak.score.high < 0.5);
    assert!(results.comparisons.iter().all(|comparison| comparison.games % 2 == 0));
    // It searched less deep with fewer nodes, and both are told apart from the reference.
    assert!(weak.nodes_ratio.is_some_and(|ratio| ratio.high < 0.2), "{weak:?}");
    assert!(weak.depth_difference.is_some_and(|difference| difference.high < 0.0), "{weak:?}");
    let [side, other] = &weak.sides;
    assert!(
        side.nodes <= 10.0 && other.nodes > 100.0 && other.branching.is_some_and(|branching| branching > 1.0)
    );
    // Without early stopping everything is played.
    let patient =
        crate::support::study(&nodes().replace("games = 24", "games = 24\nearly_stopping = \"off\""));
    let (_, results) = run(&patient, &folder.path("patient"), 2, usize::MAX);
    assert!(results.comparisons.iter().all(|comparison| comparison.games == 24 && !comparison.stopped_early));
}

#[test]
fn all_meet_all_and_are_rated() {
    let study = study(&nodes().replace("games = 24", "games = 4\nagainst = \"all\""));
    let folder = TemporaryFolder::new();
    let (_, results) = run(&study, &folder.path("out"), 2, usize::MAX);
    assert_eq!(results.comparisons.len(), 10);
    let ratings = &results.circumstances[0].ratings;
    assert_eq!(ratings.len(), 5);
    assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
    assert!(ratings[0].elo > ratings[1].elo, "200 nodes beat 10: {ratings:?}");
}

#[test]
fn games_for_one_and_for_many_are_compared_too() {
    let alone = study("game = \"2048\"\nreference = \"greedy\"\ngames = 4\n[[vary]]\nbots = [\"random\"]\n");
    let folder = TemporaryFolder::new();
    let (_, results) = run(&alone, &folder.path("alone"), 2, usize::MAX);
    let [random, greedy] = &results.comparisons[0].sides;
    let points = |side: &agon_study::SideResult| side.points.expect("points").value;
    assert!(points(random) > 0.0 && points(greedy) > points(random));
    let many = study(
        "game = \"chinese-checkers\"\noptions = \"seats=g/o/p,rounds=20\"\nreference = \"greedy\"\ngames = 2\n[[vary]]\nbots = [\"random\"]\n",
    );
    let (_, results) = run(&many, &folder.path("many"), 2, usize::MAX);
    assert_eq!(results.comparisons[0].games, 2);
}

#[test]
fn what_is_observed_is_counted_by_ranges() {
    let study = study(
        r#"
game = "tablut"
reference = "greedy"
games = 20
early_stopping = "off"
[[vary]]
bots = ["random"]
[[observe]]
name = "Plies until the king leaves the castle"
piece = "king"
ground = "castle"
measure = "plies-until-none"
[[observe]]
name = "Attackers at the end"
piece = "attacker"
measure = "count-at-end"
"#,
    );
    let folder = TemporaryFolder::new();
    let (_, results) = run(&study, &folder.path("out"), 2, usize::MAX);
    let [left, attackers] = &results.observations[..] else { panic!("two observations") };
    assert_eq!((left.games[1], attackers.games), (20, [20, 20]));
    assert!(attackers.mean > 8.0 && attackers.mean <= 16.0, "{}", attackers.mean);
    for observation in [left, attackers] {
        assert_eq!(observation.bins.iter().map(|bin| bin.games).sum::<u64>(), 20);
        assert!(observation.bins.iter().all(|bin| (bin.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9));
    }
}
