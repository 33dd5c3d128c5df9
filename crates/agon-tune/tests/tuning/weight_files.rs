//! Weight files: written as they are read, and refused with the place of every mistake.

use std::fs;
use std::sync::Arc;

use agon_erased::{BotSpec, Rules};
use agon_registry::GAMES;
use agon_testkit::TemporaryFolder;
use agon_tune::WeightFile;

const GOOD: &str = r#"name = "mine"
game = "tablut"
evaluation = "s1"
command = "agon tune tablut --bot s1"

[weights]
danger = 12
king-paths = 40.5
guards = -0.25
"#;

fn tablut() -> Arc<dyn Rules> {
    GAMES.find("tablut").expect("a game").rules("").expect("defaults")
}

fn bot(text: &str) -> BotSpec {
    text.parse().expect("a specification")
}

#[test]
fn files_are_written_as_they_are_read() {
    let rules = tablut();
    let file = WeightFile::parse("mine.toml", GOOD, &*rules, &bot("s1")).expect("a good file");
    assert_eq!((file.name.as_str(), file.weights.len(), file.weights[1].1), ("mine", 3, 40.5));
    assert_eq!(file.to_text(), GOOD);
    // Names that are no bare keys.
    let quoted = WeightFile {
        evaluation: "tafl".to_owned(),
        command: "agon \"tune\" \\".to_owned(),
        weights: vec![("king's-moves".to_owned(), -3.0)],
        ..file
    };
    let text = quoted.to_text();
    assert!(text.contains("\"king's-moves\" = -3\n"), "{text}");
    let again = WeightFile::parse("mine.toml", &text, &*rules, &bot("expert")).expect("a good file");
    assert_eq!(again, quoted);
}

#[test]
fn bots_get_the_weights_of_the_file_that_they_name() {
    let (rules, folder) = (tablut(), TemporaryFolder::new());
    let path = folder.path("mine.toml");
    fs::write(&path, GOOD).expect("a file");
    let named = bot(&format!("s1:depth=2,weights={}", path.display()));
    let resolved = WeightFile::resolve(&named, &*rules).expect("a good file");
    assert_eq!(resolved.to_string(), "s1:depth=2,weights=danger:12+king-paths:40.5+guards:-0.25");
    assert!(rules.bot(&resolved, 0).is_ok());
    for untouched in ["s1", "s1:weights=danger:12", "expert:nodes=5"] {
        assert_eq!(WeightFile::resolve(&bot(untouched), &*rules).expect("no file").to_string(), untouched);
    }
}

#[test]
fn every_mistake_has_its_place() {
    let rules = tablut();
    let change = |from: &str, to: &str| GOOD.replace(from, to);
    for (text, place, part) in [
        (change("danger", "dangr"), "7:1", "did you mean danger?"),
        (change("danger", "nonsense"), "7:1", "its weights are white-alive"),
        (change("= 12", "= \"12\""), "7:10", "expected a number"),
        (change("= 12", "= 20001"), "7:10", "from -20000 to 20000"),
        (change("= 12", "= nan"), "7:10", "expected a number"),
        (change("= 12", "= 1e9"), "7:10", "expected a number"),
        (change("guards = -0.25", "danger = 3"), "9:1", "duplicate key"),
        (change("tablut\"\nev", "tablt\"\nev"), "2:8", "did you mean tablut?"),
        (change("tablut\"\nev", "loa\"\nev"), "2:8", "for 'loa', not for tablut"),
        (change("\"s1\"\nc", "\"s2\"\nc"), "3:14", "expected one of tafl, s1"),
        (change("\"s1\"\nc", "\"tafk\"\nc"), "3:14", "did you mean \"tafl\"?"),
        (change("\"s1\"\nc", "\"tafl\"\nc"), "3:14", "the evaluation of s1 is s1"),
        (change("name = \"mine\"\n", ""), "1:1", "there is no name"),
        (change("command", "comand"), "4:1", "did you mean command?"),
        (change("\"mine\"", "\"a\\nb\""), "1:8", "expected a line of at most 60 characters"),
        (change("\"mine\"", &format!("\"{}\"", "x".repeat(61))), "1:8", "at most 60"),
        ("name = \"x\"\ngame = \"tablut\"\nevaluation = \"s1\"\n".to_owned(), "1:1", "there is no weights"),
        (
            "name = \"x\"\ngame = \"tablut\"\nevaluation = \"s1\"\nweights = 3\n".to_owned(),
            "4:11",
            "expected a table",
        ),
        (
            "name = \"x\"\ngame = \"tablut\"\nevaluation = \"s1\"\n[weights]\n".to_owned(),
            "4:1",
            "there are no weights",
        ),
        ("name = ".to_owned(), "1:8", "string"),
        (String::new(), "1:1", "there is no name"),
    ] {
        let said = WeightFile::parse("f.toml", &text, &*rules, &bot("s1")).expect_err(&text).to_string();
        let first = format!("f.toml:{place}: ");
        assert!(said.contains(&first) && said.contains(part), "expected {first}{part}\n{said}");
    }
}

#[test]
fn files_that_cannot_be_read_are_refused() {
    let (rules, folder) = (tablut(), TemporaryFolder::new());
    let refusal = |path: &std::path::Path| {
        let named = bot(&format!("s1:weights={}", path.display()));
        WeightFile::resolve(&named, &*rules).expect_err("it is refused").to_string()
    };
    assert!(refusal(&folder.path("none.toml")).contains("cannot be opened"));
    assert!(refusal(&folder.path("")).contains("cannot be"), "a directory");
    let large = folder.path("large.toml");
    fs::write(&large, format!("#{}", "x".repeat(70_000))).expect("a file");
    assert!(refusal(&large).contains("too large"));
    let binary = folder.path("binary.toml");
    fs::write(&binary, [0xff, 0xfe]).expect("a file");
    assert!(refusal(&binary).contains("not UTF-8"));
    // A bot without weights has no use for any.
    let good = folder.path("good.toml");
    fs::write(&good, GOOD).expect("a file");
    let random = bot(&format!("random:weights={}", good.display()));
    let said = WeightFile::resolve(&random, &*rules).expect_err("it does not judge").to_string();
    assert!(said.contains("the evaluation of random is none"), "{said}");
}

#[test]
fn every_set_of_weights_that_a_game_ships_can_be_used() {
    let mut sets = 0;
    for (entry, options) in agon_registry::GAMES.variants() {
        let rules = entry.rules(options).expect(options);
        for set in rules.weight_sets() {
            if !rules.evaluations().iter().any(|evaluation| evaluation.name == set.evaluation) {
                continue;
            }
            let own = rules.linear(&bot(&format!("greedy:eval={}", set.evaluation))).expect("a bot").weights;
            let named = bot(&format!("greedy:eval={},weights={}", set.evaluation, set.name));
            let weights = rules.linear(&named).expect("a bot").weights;
            assert!(rules.bot(&named, 0).is_ok() && weights != own, "{named}");
            sets += 1;
        }
    }
    assert!(sets >= 3, "{sets}");
}
