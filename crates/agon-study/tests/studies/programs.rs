//! Studies of other people's programs: what their files may say, and that interruptions change nothing.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use agon_arena::experiment::{Host, RunEnd, Stops};
use agon_arena::program_keys::Program;
use agon_erased::Rules;
use agon_players::external::{Hosting, Launcher, OwnGroup, declared_parameters};
use agon_protocol::parameters::Parameters;
use agon_registry::GAMES;
use agon_study::{Means, Results, Store, Study, report};
use agon_testkit::TemporaryFolder;
use serde_json::Value;

use crate::support::Still;

/// An agent that plays the first or the last legal move and says what it counted.
const AGENT: &str = r#"read setup
case "$setup" in *'"pick":"last"'*) pick=last;; *) pick=first;; esac
echo '{"type":"ready","name":"a","parameters":{"pick":{"type":"choice","default":"first","choices":["first","last"]},"nodes":{"type":"int","default":0,"min":0,"max":1000},"quiet":{"type":"bool","default":true}}}'
while read line; do case "$line" in *'"type":"move"'*)
  legal=${line#*'"legal":["'}; legal=${legal%%'"]'*}
  case $pick in first) move=${legal%%'"'*};; last) move=${legal##*'"'};; esac
  echo "{\"type\":\"move\",\"move\":\"$move\",\"depth\":2,\"nodes\":${#legal},\"counters\":{\"seen\":${#legal},\"loss\":-1.5}}";;
esac; done
"#;

const STUDY: &str = r#"game = "othello"
options = "size=4"
games = 6
opening_plies = 3
reference = { command = ["sh", "agent.sh"], parameters = { nodes = 10 } }
[[vary]]
parameter = "pick"
values = ["first", "last"]
[[vary]]
bots = ["random", { name = "wild", command = ["sh", "agent.sh"], parameters = { pick = "last", nodes = 7 } }]
"#;

fn ask(rules: &dyn Rules, program: &Program) -> Result<Parameters, String> {
    assert!(program.spec.parameters.is_empty(), "it is asked without any being set");
    declared_parameters(rules, &program.spec, program.command.clone(), Hosting::default())
}

fn read(folder: &TemporaryFolder, text: &str, is_quick: bool) -> Result<Study, String> {
    folder.write("agent.sh", AGENT);
    let base = folder.path("");
    Study::parse_asking(GAMES, "test.toml", text, "test", &base, is_quick, &ask)
        .map_err(|mistakes| mistakes.to_string())
}

fn run(study: &Study, folder: &TemporaryFolder, name: &str, jobs: usize, most: usize) -> (RunEnd, Results) {
    let store = Store::open(&folder.path(name), &study.name, false).expect("a directory");
    let stops = Stops::default();
    let host = Host { jobs, clock: Arc::new(Still), stops: stops.clone() };
    let launchers: Vec<Arc<dyn Launcher>> =
        study.programs.iter().map(|_| Arc::new(OwnGroup) as Arc<dyn Launcher>).collect();
    let means = Means { launchers: &launchers, clock: Arc::new(Still) };
    let run = study.run(&store, &host, &means, &mut |progress| {
        if progress.done >= most {
            stops.drain.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    run.expect("the study can be run")
}

#[test]
fn programs_are_reference_and_settings_and_interruptions_change_nothing() {
    let folder = TemporaryFolder::new();
    let study = read(&folder, STUDY, false).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(study.programs.len(), 1, "the same program is asked once");
    let names: Vec<&str> = study.settings.iter().map(|setting| setting.name.as_str()).collect();
    assert_eq!(
        names,
        ["reference", "pick=last", "random", "wild"],
        "what the reference has anyway is left out"
    );
    let players: Vec<String> = study.circumstances[0].bots.iter().map(ToString::to_string).collect();
    assert_eq!(
        players,
        [
            "jsonl(nodes=10):sh agent.sh",
            "jsonl(nodes=10,pick=last):sh agent.sh",
            "random",
            "jsonl(nodes=7,pick=last):sh agent.sh"
        ]
    );
    let (end, whole) = run(&study, &folder, "whole", 2, usize::MAX);
    assert_eq!(end, RunEnd::Finished);
    for (most, jobs) in [(1, 1), (6, 2), (usize::MAX, 1)] {
        let (_, results) = run(&study, &folder, "cut", jobs, most);
        assert_eq!(results == whole, most == usize::MAX, "{most}");
    }
    // What the agents reported is measured.
    let [last, reference] = &whole.comparisons[0].sides;
    assert!(last.depth == 2.0 && last.nodes > 0.0 && last.counters["loss"] == -1.5, "{last:?}");
    assert_eq!(reference.counters["seen"], reference.nodes);
    assert_eq!(whole.comparisons[0].faults, 0, "{:?}", whole.comparisons[0].fault);
    assert_eq!(whole.counters(), ["loss", "seen"]);
    let page = report::html(&whole);
    assert!(page.contains("What the programs counted") && page.contains("−1.50"));
    let table = report::file(&whole, "comparisons.csv").expect("a file");
    assert!(table.lines().next().is_some_and(|head| head.contains("opponent_late,opponent_counter_loss")));
    let text = report::json(&whole).expect("JSON");
    let read = Results::read(&text).expect("they can be read");
    assert_eq!(
        (read.counters(), read.comparisons[0].sides[0].counters["loss"]),
        (vec!["loss", "seen"], -1.5)
    );
}

#[test]
fn time_limits_programs_and_late_moves_are_counted() {
    let folder = TemporaryFolder::new();
    let text = STUDY.replace("parameters = { nodes = 10 }", "time = \"20s\"");
    let text = text.split("[[vary]]\nbots").next().expect("the first part");
    let study = read(&folder, text, false).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert!(study.has_timed_programs());
    let (_, results) = run(&study, &folder, "out", 1, usize::MAX);
    assert!(results.comparisons[0].sides.iter().all(|side| side.late == 0));
    let across = "[[across]]\nlimit = \"time\"\nvalues = [\"20s\", \"30s\"]\nquick = [5, 9]\n";
    let text = format!("{}{across}", text.replace(", time = \"20s\"", ""));
    let timed = read(&folder, &text, false).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let seconds =
        |study: &Study, index: usize| study.circumstances[index].bots[1].time.map(|time| time.as_secs());
    assert_eq!((seconds(&timed, 0), seconds(&timed, 1)), (Some(20), Some(30)));
    // The quick version counts nodes by the parameter that the program has for that.
    let quick = read(&folder, &text, true).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    assert_eq!(quick.circumstances[1].bots[0].to_string(), "jsonl(nodes=9):sh agent.sh");
    assert!(!quick.has_timed_programs());
}

/// What the kit's alpha-beta player declares.
fn kits_player(kit: &Path) -> Parameters {
    let setups = fs::read_to_string(kit.join("tests/setups.jsonl")).expect("the setups");
    let setup = setups.lines().find(|line| line.contains("\"loa\"")).expect("one of Lines of Action");
    let mut player = Command::new("python3")
        .args(["-m", "agon_agent", "alphabeta.py"])
        .current_dir(kit)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("there is Python");
    writeln!(player.stdin.take().expect("its input"), "{setup}").expect("it listens");
    let output = player.wait_with_output().expect("it ends with its input");
    let ready: Value = serde_json::from_slice(&output.stdout).expect("one answer");
    serde_json::from_value(ready["parameters"].clone()).expect("parameters")
}

/// The example of the Python kit: its file fits the kit's player, and what is published of it has the names of that file.
#[test]
fn the_example_of_the_kit_fits_its_player_and_what_is_published() {
    let kit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python");
    let file = |name: &str| fs::read_to_string(kit.join(name)).expect(name);
    let declared = |_: &dyn Rules, _: &Program| Ok(kits_player(&kit));
    let text = file("alphabeta-study.toml");
    let study = Study::parse_asking(GAMES, "alphabeta-study.toml", &text, "example", &kit, false, &declared)
        .unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let published = Results::read(&file("alphabeta-study/results.json")).expect("it holds");
    let settings = study.settings.iter().map(|setting| &setting.name);
    assert!(settings.eq(published.settings.iter().map(|setting| &setting.name)));
    let circumstances = study.circumstances.iter().map(|here| &here.name);
    assert!(circumstances.eq(published.circumstances.iter().map(|here| &here.name)));
    assert_eq!(study.question, published.question);
}

#[test]
fn whatever_a_program_does_not_take_is_refused_in_its_place() {
    let folder = TemporaryFolder::new();
    for (from, to, expected) in [
        (
            "nodes = 10 }",
            "nodes = 1001 }",
            "test.toml:5:60: nodes = '1001' does not fit; expected a whole number from 0 to 1000",
        ),
        ("nodes = 10 }", "node = 10 }", "has no parameter 'node'; did you mean nodes?"),
        (
            "\"pick\"",
            "\"pikc\"",
            "test.toml:7:13: parameter: the program 'sh agent.sh' has no parameter 'pikc'; did you mean pick?",
        ),
        ("\"first\", \"last\"", "\"lats\"", "test.toml:8:11: pick = 'lats' does not fit; did you mean last?"),
        ("parameter = \"pick\"", "weight = \"pick\"", "a program has no weights"),
        (", parameters = { nodes = 10 }", "", "test.toml:5:13: reference: this program could think for ever"),
        ("{ nodes = 10 }", "{ nodes = 0 }", "could think for ever"),
        (
            "\"agent.sh\"], parameters = { nodes",
            "\"other.sh\"], parameters = { nodes",
            "test.toml:5:32: command: there is no file 'other.sh'",
        ),
        ("parameters = { nodes = 10 }", "time = \"1ms\"", "is not a time per move from 10ms to 1m"),
        ("name = \"wild\", ", "", "expected a name, by which the report calls the program"),
        (
            "name = \"wild\"",
            "nam = \"wild\"",
            "there is no key 'nam' in the table of a program; did you mean name?",
        ),
        (
            "pick = \"last\", nodes",
            "pick = \"middle\", nodes",
            "pick = 'middle' does not fit; expected first or last",
        ),
        ("name = \"wild\"", "name = \"random\"", "'random' is listed twice"),
        ("[\"random\",", "[\"human\",", "people do not take part in studies"),
        (
            "{ command = [\"sh\", \"agent.sh\"], parameters = { nodes = 10 } }\n",
            "\"jsonl(nodes=10):sh 'agent.sh\"\n",
            "a ' is missing",
        ),
        (
            "{ command = [\"sh\", \"agent.sh\"], parameters = { nodes = 10 } }\n",
            "{ parameters = { nodes = 10 } }\n",
            "there is no command",
        ),
    ] {
        assert!(STUDY.contains(from), "{from}");
        let mistakes = read(&folder, &STUDY.replacen(from, to, 1), false).map(|_| ()).expect_err(to);
        assert!(mistakes.contains(expected), "{to}: {mistakes}");
    }
    let short = STUDY.replacen(
        "{ command = [\"sh\", \"agent.sh\"], parameters = { nodes = 10 } }\n",
        "\"jsonl(nodes=10):sh agent.sh\"\n",
        1,
    );
    read(&folder, &short, false).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    // Programs that do not get ready, files that are read where nothing is run, and limits that nothing takes.
    let dead = STUDY.replace("[\"sh\", \"agent.sh\"]", "[\"sh\", \"dead.sh\"]");
    folder.write("dead.sh", "exit 3");
    let mistakes = read(&folder, &dead, false).map(|_| ()).expect_err("it ends");
    assert!(mistakes.contains("it ended (exit status: 3)"), "{mistakes}");
    let unasked = Study::parse(GAMES, "test.toml", STUDY, "test", &folder.path(""), false);
    assert!(unasked.is_err_and(|mistakes| mistakes.to_string().contains("programs are not run here")));
    let limited = format!("{STUDY}[[across]]\nlimit = \"depth\"\nvalues = [2]\n");
    let mistakes = read(&folder, &limited, false).map(|_| ()).expect_err("it has no depth");
    assert!(mistakes.contains("[[across]] limits depth, but the program"), "{mistakes}");
    // A value that a limit cannot have is told once, where it stands, and not for every setting.
    let unset = STUDY.replace(", parameters = { nodes = 10 }", "").replace(", nodes = 7 }", " }");
    let limited = format!("{unset}[[across]]\nlimit = \"nodes\"\nvalues = [2, 1001]\n");
    let mistakes = read(&folder, &limited, false).map(|_| ()).expect_err("it is too large");
    assert_eq!(mistakes.matches("test.toml:").count(), 1, "{mistakes}");
    assert!(mistakes.contains("test.toml:13:14: nodes = '1001' does not fit"), "{mistakes}");
    let twice = format!("{STUDY}[[across]]\nlimit = \"nodes\"\nvalues = [2]\n");
    let mistakes = read(&folder, &twice, false).map(|_| ()).expect_err("nodes are set");
    assert!(mistakes.contains("the reference sets nodes as well"), "{mistakes}");
}
