//! Agents that do what they should not: each gets the right verdict, its opponent wins, and nothing hangs. Where a program must not be
//! late, it has plenty of time; where it must be, a second.

use std::fs;

use agon_arena::results::{GameResult, Results};
use agon_match::Fault;
use agon_testkit::TemporaryFolder;

use crate::support::{essence, play};

/// Answers the setup.
pub(crate) const READY: &str = r#"read l; echo '{"type":"ready","name":"x"}'; "#;
/// Plays the first legal move whenever it is asked.
pub(crate) const PLAY: &str = r#"while read -r l; do case "$l" in *'"type":"move"'*) m=${l#*\"legal\":[\"}; m=${m%%\"*}; echo "{\"type\":\"move\",\"move\":\"$m\"}";; *'"type":"result"'*) exit 0;; esac; done"#;

fn agent(folder: &TemporaryFolder, name: &str, script: &str) -> String {
    folder.write(&format!("{name}.sh"), script);
    format!("[[players]]\nname = \"{name}\"\ncommand = [\"sh\", \"{name}.sh\"]\n")
}

/// Plays house bots against these agents, one game from either side each.
fn gauntlet(folder: &TemporaryFolder, agents: &[(&str, &str)], top: &str, round: &str) -> Results {
    let mut text = format!("{top}\n[[players]]\nname = \"house\"\nbot = \"random\"\n");
    for (name, script) in agents {
        text += &agent(folder, name, script);
    }
    text +=
        &format!("[[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\nformat = \"gauntlet\"\n{round}\n");
    play(folder, &text, 2)
}

fn check(results: &Results, agents: &[(&str, String, Fault)]) {
    for (name, _, fault) in agents {
        let games: Vec<_> =
            results.games.iter().filter(|game| game.seats.iter().any(|seat| seat == name)).collect();
        assert_eq!(games.len(), 2, "{name}");
        for game in games {
            let offences = game.outcome.offences();
            let seat = game.seats.iter().position(|seat| seat == name).expect("it plays");
            assert!(game.is_technical() && offences.len() == 1, "{name}: {game:?}");
            assert_eq!((offences[0].seat, offences[0].reason), (seat, *fault), "{name}: {game:?}");
            assert!(!offences[0].sentence.is_empty(), "{name}");
            assert_eq!((game.points[seat], game.points[1 - seat]), (-2.0, 2.0), "{name}");
        }
    }
}

fn judged(agents: &[(&str, String, Fault)], top: &str, round: &str) -> Results {
    let folder = TemporaryFolder::new();
    let scripts: Vec<(&str, &str)> =
        agents.iter().map(|(name, script, _)| (*name, script.as_str())).collect();
    let results = gauntlet(&folder, &scripts, top, round);
    check(&results, agents);
    results
}

#[test]
fn agents_that_fail_or_say_the_wrong_thing_lose() {
    let answer = |text: &str| format!("{READY}read l; {text}; read l; read l");
    judged(
        &[
            ("crash", format!("{READY}read l; echo oops >&2; exit 3"), Fault::Crash),
            ("leaves", r#"read l; echo '{"type":"ready","name":"x"}'; exit 0"#.to_owned(), Fault::Crash),
            ("half", format!("{READY}read l; printf '{{\"type\": \"mo'"), Fault::Crash),
            ("unready", "exit 1".to_owned(), Fault::Setup),
            ("illegal", answer(r#"echo '{"type":"move","move":"b2"}'"#), Fault::Illegal),
            ("nonsense", answer(r#"echo '{"type":"move","move":"over there"}'"#), Fault::Illegal),
            ("malformed", answer(r#"echo '{"type":"move","move":5}'"#), Fault::Protocol),
            ("pointless", answer(r#"echo '{"type":"ready","name":"x"}'"#), Fault::Protocol),
            ("debugging", answer("echo thinking about it"), Fault::Printing),
            ("eager", r#"read l; printf '{"type":"ready","name":"x"}\n{"type":"move","move":"a2"}\n'; read l; read l"#.to_owned(), Fault::Printing),
            ("flood", "yes".to_owned(), Fault::Printing),
            ("errors", format!("{READY}yes >&2 & read l; exit 4"), Fault::Crash),
            ("endless-line", "head -c 1000000000 /dev/zero | tr '\\0' x".to_owned(), Fault::Protocol),
            ("binary", r"printf '\377\376\n'; read l; read l".to_owned(), Fault::Protocol),
        ],
        "",
        "time = \"20s\"\nsetup = \"1m\"",
    );
}

/// Every file in a folder and the folders in it.
fn files_in(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("it is a folder").flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files_in(&path) } else { vec![path] }).collect()
}

#[test]
fn what_an_agent_says_on_standard_error_is_for_its_author_alone() {
    let folder = TemporaryFolder::new();
    let agent = format!("{READY}read l; printf 'secret \\033[2J' >&2; exit 3");
    gauntlet(&folder, &[("crash", &agent)], "", "time = \"20s\"\nsetup = \"1m\"");
    let log = folder.read("out/authors/crash/00001.log");
    assert!(log.contains("err: secret \\u{1b}[2J"), "{log}");
    let mut public = files_in(&folder.path("out"));
    public.retain(|path| !path.components().any(|part| part.as_os_str() == "authors"));
    assert!(public.len() > 3, "{public:?}");
    for path in public {
        let bytes = std::fs::read(&path).expect("it can be read");
        assert!(!String::from_utf8_lossy(&bytes).contains("secret"), "{}", path.display());
    }
}

#[test]
fn agents_that_never_answer_are_late_and_ended() {
    judged(
        &[
            ("loop", format!("{READY}read l; while :; do :; done"), Fault::Time),
            ("silent", format!("{READY}read l; exec sleep 1000"), Fault::Time),
            ("deaf", format!("trap '' TERM INT; {READY}read l; while :; do sleep 100; done"), Fault::Time),
            ("half-way", format!("{READY}read l; printf '{{\"type\"'; exec sleep 1000"), Fault::Time),
        ],
        "",
        "time = \"1s\"\nsetup = \"1m\"",
    );
    judged(&[("asleep", "exec sleep 1000".to_owned(), Fault::Setup)], "", "time = \"20s\"\nsetup = \"1s\"");
    let budget = [("slow", format!("{READY}read l; exec sleep 1000"), Fault::Time)];
    judged(&budget, "", "time = \"1s+100ms\"\nsetup = \"1m\"");
}

#[test]
fn a_flood_that_is_only_counted_does_not_hold_the_referee_up() {
    let flood = [("flood", format!("{READY}read l; yes"), Fault::Time)];
    judged(&flood, "printing = \"warn\"", "time = \"1s\"\nsetup = \"1m\"");
}

#[test]
fn printing_costs_what_the_file_says() {
    let chatty = format!("{READY}{}", PLAY.replace("echo \"{", "echo debug; echo \"{"));
    let agents = [("chatty", chatty.as_str())];
    let round = "time = \"20s\"\nsetup = \"1m\"\nrepetitions = 2";
    let folder = TemporaryFolder::new();
    let warned = gauntlet(&folder, &agents, "printing = \"warn\"", round);
    assert!(warned.games.iter().all(|game| !game.is_technical()), "{:?}", warned.games);
    let chatty_conduct = |game: &GameResult| {
        let seat = game.seats.iter().position(|seat| seat == "chatty").expect("it plays");
        game.conduct[seat]
    };
    for conduct in warned.games.iter().map(chatty_conduct) {
        assert_eq!((conduct.warnings, conduct.printing), (conduct.moves, 0), "one line before each move");
    }
    let report = folder.read("out/authors/chatty/report.txt");
    assert!(report.contains("that the protocol does not allow"), "{report}");
    let log = folder.read("out/authors/chatty/00001.log");
    assert!(log.contains("out: debug\n"), "{log}");
    let lost = gauntlet(&folder, &agents, "printing = \"loss\"", round);
    assert!(lost.games.iter().all(|game| game.is_technical() && game.was_played()));
    assert!(lost.table().rows.iter().all(|row| !row.disqualified));
    let out = gauntlet(&folder, &agents, "printing = \"disqualify\"", round);
    assert!(out.table().rows.iter().any(|row| row.disqualified && row.technical_losses == 4));
    assert!(out.games[0].was_played() && out.games[1..].iter().all(|game| !game.was_played()));
    assert!(out.games.iter().all(|game| game.outcome.offences()[0].reason == Fault::Printing));
    assert!(!folder.path("out/games/00002.jsonl").exists());
}

#[test]
fn two_that_are_disqualified_make_games_void() {
    let folder = TemporaryFolder::new();
    let chatty = format!("{READY}read l; echo debug; read l");
    let mut text = "printing = \"disqualify\"\n[[players]]\nname = \"house\"\nbot = \"random\"\n".to_owned();
    text += &agent(&folder, "one", &chatty);
    text += &agent(&folder, "two", &chatty);
    text += "[[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\ntime = \"20s\"\nsetup = \"1m\"\nrepetitions = 2\n";
    let one = play(&folder, &text, 1);
    let many = play(&folder, &text, 4);
    assert_eq!(
        essence(&one),
        essence(&many),
        "who is out does not depend on how many games are played at once"
    );
    let json = folder.read("out/results.json");
    assert!(json.contains("\"result\": \"void\""), "{json}");
}

#[test]
fn an_honest_agent_plays_hears_the_result_and_may_use_its_budget() {
    let folder = TemporaryFolder::new();
    let heard = folder.path("heard");
    let note = format!(
        "case \"$l\" in *'\"clock\":{{\"left\":'*) echo clock >> {0};; *'\"outcome\"'*) echo \"$l\" >> {0};; esac; case",
        heard.display()
    );
    let script = format!("{READY}{}", PLAY.replacen("case", &note, 1));
    let results = gauntlet(&folder, &[("honest", &script)], "", "time = \"1m+1s\"\nsetup = \"1m\"");
    assert!(results.games.iter().all(|game| !game.is_technical()), "{:?}", results.games);
    let heard = fs::read_to_string(&heard).expect("it was told");
    assert!(heard.contains("clock"), "{heard}");
    assert_eq!(heard.matches("\"type\":\"result\"").count(), 2, "{heard}");
    let conduct = &results.games[0].conduct;
    assert!(conduct.iter().all(|seat| seat.moves > 0));
    // A winner by an offence of the other side hears of it too.
    let folder = TemporaryFolder::new();
    let heard = folder.path("heard");
    let listener = format!(
        "{READY}while read -r l; do case \"$l\" in *'\"type\":\"move\"'*) m=${{l#*\\\"legal\\\":[\\\"}}; m=${{m%%\\\"*}}; echo \"{{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"$m\\\"}}\";; *) echo \"$l\" >> {};; esac; done",
        heard.display()
    );
    let mut text = agent(&folder, "listener", &listener);
    text += &agent(&folder, "quitter", &format!("{READY}read l; exit 1"));
    text += "[[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\ntime = \"20s\"\nsetup = \"1m\"\n";
    play(&folder, &text, 1);
    let heard = fs::read_to_string(&heard).expect("it was told");
    assert_eq!(heard.matches(r#""outcome":"won","reason":"crash""#).count(), 2, "{heard}");
}
