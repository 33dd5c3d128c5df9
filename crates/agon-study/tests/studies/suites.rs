//! Position suites.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use agon_erased::Limits;
use agon_registry::GAMES;
use agon_study::positions::{Conditions, Suite, SuiteError};

use crate::support::Still;

/// Two positions of the FFO endgame test, as lists of it and as OBF files have them.
const FFO: &str = "# the FFO endgame test\n\
    40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X +38 a2 empties=20\n\
    --XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; h2:-20;\n";

fn conditions(bots: &[&str], limits: Limits) -> Conditions {
    Conditions {
        bots: bots.iter().map(|bot| bot.parse().expect("a specification")).collect(),
        limits,
        seed: 1,
        jobs: 2,
        clock: Arc::new(Still),
        stop: Arc::new(AtomicBool::new(false)),
    }
}

#[test]
fn obf_files_and_our_own_are_read() {
    let suite = Suite::parse(GAMES, FFO, "").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(suite.rules.spec().id, "othello");
    let names: Vec<&str> = suite.positions.iter().map(|position| position.name.as_str()).collect();
    assert_eq!(names, ["40", "2"]);
    assert_eq!(suite.positions[0].best, ["a2"]);
    assert_eq!(suite.positions[1].best, ["g3", "c7"]);
    let own = "game othello size=6\nmoves d2 best b2 d1\nposition 6/6/2xo2/2ox2/6/6 x moves best e3,b4\n";
    let suite = Suite::parse(GAMES, own, "");
    // The moves are those of a board of 6 by 6; which of them are legal, the rules say.
    if let Err(error) = &suite {
        assert!(error.line >= 2, "{error}");
    }
    for (bad, line, what) in [
        ("", 1, "there is no position"),
        ("# nothing\n", 1, "there is no position"),
        ("game othello\n", 1, "there is no position"),
        ("game othelo\n", 1, "did you mean othello?"),
        ("game othello size=7\nmoves d3 best c3\n", 1, "size=7 is not allowed"),
        ("game othello\nmoves d3\n", 2, "best MOVE"),
        ("game othello\nmoves d3 best a1\n", 2, "the best move 'a1' is not legal there"),
        ("game othello\nmoves a1 best d3\n", 2, "move 1"),
        ("game othello\nmoves d3 best\n", 2, "it does not say which moves are best"),
        ("XO X +3 a1\n", 1, "squares where 64 are expected"),
        (
            "40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X +38\n",
            1,
            "does not say which moves",
        ),
        (
            "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; a2=3\n",
            1,
            "a move with its score",
        ),
    ] {
        let error = Suite::parse(GAMES, bad, "").err().unwrap_or_else(|| panic!("{bad} was taken"));
        assert_eq!(error.line, line, "{bad}: {error}");
        assert!(error.fault.contains(what), "{bad}: {error}");
    }
}

#[test]
fn bots_are_scored_by_what_they_solve() {
    // After the first move all three replies are legal; the file says which are best.
    let text = "game othello\nmoves d3 best c3 c5 e3\nmoves d3 best e3\nmoves d3 best c5\n";
    let suite = Suite::parse(GAMES, text, "").unwrap_or_else(|error| panic!("{error}"));
    let mut seen = 0;
    let outcome = suite
        .run(&conditions(&["alphabeta:depth=4", "random"], Limits::default()), &mut |_| seen += 1)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((seen, outcome.attempts.len(), outcome.complete), (6, 6, true));
    let search = &outcome.bots[0];
    assert_eq!((search.positions, search.bot.as_str()), (3, "alphabeta:depth=4"));
    // It plays the same move everywhere, which is the best one of the first line and of at most one other.
    let chosen: Vec<&str> = outcome
        .attempts
        .iter()
        .filter(|attempt| attempt.bot == search.bot)
        .map(|attempt| attempt.chosen.as_str())
        .collect();
    assert!(chosen.iter().all(|token| *token == chosen[0]), "{chosen:?}");
    let expected = 1 + u64::from(chosen[0] == "e3") + u64::from(chosen[0] == "c5");
    assert_eq!(search.solved, expected);
    assert!(search.mean_solution_nodes.is_some_and(|nodes| nodes > 0.0 && nodes <= search.nodes as f64));
    let table = agon_study::positions::table(&outcome);
    assert!(table.contains(&format!("{expected} of 3")), "{table}");
}

#[test]
fn bots_that_cannot_answer_are_refused() {
    let suite =
        Suite::parse(GAMES, "game othello\nmoves d3 best c3\n", "").unwrap_or_else(|error| panic!("{error}"));
    let refused =
        |bot: &str, limits| suite.run(&conditions(&[bot], limits), &mut |_| {}).expect_err("it cannot play");
    assert!(matches!(refused("expert", Limits::default()), SuiteError::Unlimited(_)));
    assert!(matches!(refused("expertt", Limits::default()), SuiteError::Bot(_)));
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    assert!(suite.run(&conditions(&["expert"], limits), &mut |_| {}).is_ok());
}
