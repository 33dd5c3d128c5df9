//! Study files: what is refused, where and why, and what the others mean.

use std::path::Path;

use agon_registry::GAMES;
use agon_study::Study;
use agon_study::library::READY_MADE;

use crate::support::study;

const GOOD: &str = r#"
game = "othello"
reference = "alphabeta:nodes=100"
[[vary]]
parameter = "tt"
values = ["off", 1]
"#;

/// What is wrong with a file.
fn mistakes(text: &str, is_quick: bool) -> String {
    match Study::parse(GAMES, "test.toml", text, "test", Path::new("."), is_quick) {
        Ok(_) => panic!("{text} was taken"),
        Err(mistakes) => mistakes.to_string(),
    }
}

#[test]
fn mistakes_are_named_with_their_place_and_what_was_meant() {
    let with = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        GOOD.replace(from, to)
    };
    let plus = |more: &str| format!("{GOOD}{more}");
    for (text, line, column, what) in [
        (with("game =", "gam ="), 2, 1, "there is no key 'gam' in the file; did you mean game?"),
        (with("othello", "otello"), 2, 8, "did you mean othello?"),
        (with("[[vary]]\nparameter = \"tt\"\nvalues = [\"off\", 1]\n", ""), 1, 1, "nothing is varied"),
        (
            with("\"tt\"", "\"quiescense\""),
            5,
            13,
            "the bot alphabeta has no parameter 'quiescense'; did you mean quiescence?",
        ),
        (with("\"off\", 1", ""), 6, 10, "expected 1 to 200 values, found 0"),
        (with("\"off\", 1", "1, 1"), 6, 14, "'1' is listed twice"),
        (with("\"off\", 1", "\"on\""), 6, 11, "tt=on is not allowed"),
        (with("\"off\", 1", "[2]"), 6, 11, "expected a text, a number, true or false"),
        (with("\"off\", 1", "32"), 3, 13, "it is the only setting"),
        (with("values = [\"off\", 1]", "range = { from = 5, to = 1, step = 1 }"), 6, 9, "it is empty"),
        (
            with("values = [\"off\", 1]", "range = { from = 1, to = 5, step = 0 }"),
            6,
            9,
            "expected a step above 0",
        ),
        (
            with("values = [\"off\", 1]", "range = { from = 1, to = 5 }"),
            6,
            9,
            "expected either a step or a factor",
        ),
        (
            with("values = [\"off\", 1]", "range = { from = 1, to = 9000, step = 1 }"),
            6,
            9,
            "more than 200 values",
        ),
        (with("values = [\"off\", 1]", ""), 4, 1, "there are no values"),
        (with("alphabeta:nodes=100", "alphabeta"), 3, 13, "would think for ever"),
        (with("alphabeta:nodes=100", "alphabet:nodes=100"), 3, 13, "did you mean alphabeta?"),
        (with("alphabeta:nodes=100", "alphabeta:nodes"), 3, 13, "is not of the form key=value"),
        (with("reference = \"alphabeta:nodes=100\"", ""), 1, 1, "there is no reference"),
        (plus("[[across]]\nlimit = \"nodes\"\nvalues = [5]"), 8, 9, "the reference sets nodes as well"),
        (plus("[[across]]\nlimit = \"node\"\nvalues = [5]"), 8, 9, "did you mean \"nodes\"?"),
        (plus("[[across]]\noption = \"sise\"\nvalues = [6]"), 8, 10, "did you mean size?"),
        (plus("[[across]]\noption = \"size\"\nvalues = [7]"), 8, 10, "size=7 is not allowed"),
        (
            plus("[[across]]\noption = \"size\"\nlimit = \"time\"\nvalues = [6]"),
            7,
            1,
            "several keys say what is varied",
        ),
        (
            plus("[[vary]]\nparameter = \"tt\"\nvalues = [2]"),
            7,
            1,
            "tt is varied by an earlier table as well",
        ),
        (plus("[[vary]]\nweight = \"corner\"\nvalues = [2]"), 9, 11, "weights"),
        (plus("[[vary]]\nbots = [\"expert\", \"s1\"]"), 8, 9, "would think for ever"),
        (
            plus("[[observe]]\nname = \"x\"\npiece = \"blak\"\nmeasure = \"count-at-end\""),
            9,
            9,
            "has no such piece",
        ),
        (with("game =", "games = 3\ngame ="), 2, 9, "expected an even number"),
        (with("game =", "error = 0.9\ngame ="), 2, 9, "from 0.001 to 0.5"),
        (with("game =", "openings = \"start\"\ngame ="), 2, 12, "games from one position repeat each other"),
        (with("game =", "design = \"cross\"\ngame ="), 2, 10, "did you mean \"crossed\"?"),
        (
            with("values = [\"off\", 1]", "values = [\"off\", 1]\nlabels = [\"no table\"]"),
            7,
            10,
            "2 in all, found 1",
        ),
        (
            with("values = [\"off\", 1]", "values = [\"off\", 1]\nlabels = [\"a\", \"a\"]"),
            7,
            16,
            "'a' is listed twice",
        ),
        (with("values = [\"off\", 1]", "values = [\"off\", 1]\nlabel = \"a\""), 7, 9, "2 in all, found 1"),
        (
            with("values = [\"off\", 1]", "values = [\"off\", 1]\nlabels = [\"a\", 5]"),
            7,
            16,
            "expected a text",
        ),
        (
            with("values = [\"off\", 1]", "values = [\"off\", 1]\nlabels = [\"reference\", \"b\"]"),
            6,
            11,
            "two settings would be called 'reference'; expected other labels",
        ),
        (with("game =", "reference_label = \"\"\ngame ="), 2, 19, "is not a text of 1 to 40 characters"),
        (with("game =", "asks = \"node\"\ngame ="), 2, 8, "did you mean \"nodes\"?"),
        (with("game =", "asks = \"observations\"\ngame ="), 2, 8, "nothing is observed"),
        ("game = ".to_owned(), 1, 8, ""),
    ] {
        let said = mistakes(&text, false);
        let place = format!("test.toml:{line}:{column}: ");
        let is_there = said.lines().any(|line| line.starts_with(&place) && line.contains(what));
        assert!(is_there, "{place}{what}\n{text}\n{said}");
    }
}

#[test]
fn quick_studies_count_nodes() {
    let timed = r#"
game = "othello"
reference = "alphabeta:tt=1"
[[vary]]
parameter = "killers"
values = [false]
[[across]]
limit = "time"
values = ["1s", "2s"]
quick = [100]
[quick]
games = 6
"#;
    let parse =
        |text: &str, is_quick| Study::parse(GAMES, "test.toml", text, "test", Path::new("."), is_quick);
    let full = parse(timed, false).expect("it holds");
    assert_eq!((full.circumstances.len(), full.games), (2, 100));
    assert_eq!(full.circumstances[1].bots[1].to_string(), "alphabeta:tt=1,killers=off,time=2s");
    let quick = parse(timed, true).expect("it holds");
    assert_eq!((quick.circumstances.len(), quick.games), (1, 6));
    assert_eq!(quick.circumstances[0].bots[1].to_string(), "alphabeta:tt=1,killers=off,nodes=100");
    let said = mistakes(&timed.replace("quick = [100]", ""), true);
    assert!(said.contains("a quick study counts nodes instead of time"), "{said}");
    let said = mistakes(&GOOD.replace("nodes=100", "time=1s"), true);
    assert!(said.contains("give [quick] a reference of its own"), "{said}");
    // A preset's own time is no obstacle where nodes are counted.
    let preset = timed.replace("othello", "loa").replace("alphabeta:tt=1", "s4").replace("false", "true");
    let preset = parse(&preset, true).expect("it holds");
    assert_eq!(preset.circumstances[0].bots[0].to_string(), "s4:nodes=100,time=off");
}

#[test]
fn factors_are_varied_one_at_a_time_or_crossed() {
    let two = r#"
game = "othello"
reference = "alphabeta:nodes=100,tt=4"
[[vary]]
parameter = "tt"
range = { from = 1, to = 16, factor = 4 }
[[vary]]
parameter = "killers"
values = [true, false]
[[across]]
option = "size"
values = [4, 6]
"#;
    let names = |text: &str| -> Vec<String> {
        study(text).settings.into_iter().map(|setting| setting.name).collect()
    };
    // What the reference has anyway, by its specification or by default, is left out.
    assert_eq!(names(two), ["reference", "tt=1", "tt=16", "killers=off"]);
    let crossed = two.replace("game =", "design = \"crossed\"\ngame =");
    assert_eq!(
        names(&crossed),
        ["reference", "tt=1", "tt=16", "killers=off", "tt=1, killers=off", "tt=16, killers=off"]
    );
    let all = study(&two.replace("game =", "against = \"all\"\ngame ="));
    assert_eq!(all.comparisons().len(), 2 * 6);
    assert_eq!(all.settings[0].name, "alphabeta:nodes=100,tt=4");
    assert_eq!(all.circumstances[1].rules.options(), "size=6");
}

#[test]
fn settings_and_circumstances_are_called_by_their_labels() {
    let text = r#"
game = "othello"
reference = "alphabeta:tt=4"
reference_label = "the usual table"
[[vary]]
parameter = "tt"
values = ["off", 4, 16]
labels = ["no table", "never shown", "a large table"]
quick = ["off", 1]
[[vary]]
bots = ["alphabeta:killers=off"]
label = "no killers"
[[across]]
option = "size"
values = [4, 6]
labels = ["4×4", "6×6"]
[[across]]
limit = "nodes"
values = [10]
"#;
    let names = |study: &Study| -> Vec<String> {
        study.settings.iter().map(|setting| setting.name.clone()).collect()
    };
    let full = study(text);
    assert_eq!(names(&full), ["the usual table", "no table", "a large table", "no killers"]);
    let places: Vec<String> = full.circumstances.iter().map(|circumstance| circumstance.title()).collect();
    assert_eq!(places, ["4×4, nodes=10", "6×6, nodes=10"]);
    // What is varied is known beside what it is called, and so is what the reference has.
    let changes = |setting: usize| full.settings[setting].changes.clone();
    assert_eq!(changes(1), [("tt".to_owned(), "off".to_owned())]);
    assert_eq!(changes(0), [("tt".to_owned(), "4".to_owned())]);
    // Values of the quick version have the labels of the same values.
    let quick = Study::parse(GAMES, "test.toml", text, "test", Path::new("."), true).expect("it holds");
    assert_eq!(names(&quick), ["the usual table", "no table", "tt=1", "no killers"]);
    let crossed = study(&text.replace("game =", "design = \"crossed\"\ngame ="));
    assert_eq!(names(&crossed)[4..], ["no table, no killers", "a large table, no killers"]);
}

#[test]
fn several_games_can_be_studied_together() {
    let study = study(
        r#"
reference = "alphabeta:nodes=50"
[[boards]]
game = "othello"
options = "size=6"
[[boards]]
game = "loa"
opening_plies = 3
[[vary]]
parameter = "tt"
values = ["off"]
"#,
    );
    let names: Vec<String> = study.circumstances.iter().map(|circumstance| circumstance.title()).collect();
    assert_eq!(names, ["Othello", "Lines of Action"]);
    assert_eq!(study.circumstances[1].openings.plies(), 3);
}

#[test]
fn every_ready_made_study_holds() {
    for ready_made in READY_MADE {
        for is_quick in [false, true] {
            let study = ready_made.study(GAMES, is_quick).unwrap_or_else(|mistakes| panic!("{mistakes}"));
            assert_eq!(study.name, ready_made.name);
            assert!(study.question.ends_with('?'), "{}", study.name);
            // Whatever is asked quickly can be repeated exactly.
            let times = |player: &agon_study::StudyPlayer| match &player.plays {
                agon_match::Occupant::Bot(spec) => spec.value("time").is_some_and(|time| time != "off"),
                _ => player.time.is_some(),
            };
            let is_timed = study.circumstances.iter().any(|circumstance| circumstance.bots.iter().any(times));
            assert!(!(is_quick && is_timed), "{}", study.name);
        }
        assert!(ready_made.takes().is_some(), "{}", ready_made.name);
    }
}
