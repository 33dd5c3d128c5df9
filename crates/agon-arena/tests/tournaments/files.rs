//! Tournament files: what is taken, and how mistakes are told.

use std::time::Duration;

use agon_arena::program_keys::Program;
use agon_arena::results::Points;
use agon_arena::tournament::{
    Format, Kind, LateRule, OffenceRule, Openings, PrintingRule, Seatings, Tournament,
};
use agon_match::{Language, Millis, TimeControl};
use agon_protocol::parameters::Parameter;
use agon_registry::GAMES;
use agon_testkit::TemporaryFolder;

const PLAYERS: &str =
    "[[players]]\nname = \"a\"\nbot = \"random\"\n\n[[players]]\nname = \"b\"\nbot = \"greedy\"\n\n";

/// The file of the interface.
const COURSE: &str = r#"name = "course"
seed = 1
memory = "1GB"            # per agent process
printing = "loss"         # or "warn", "disqualify"

[points]                  # these are the defaults
win = 3
loss = 0
draw = 1
technical_win = 2
technical_loss = -2

[[players]]
name = "mine"
command = ["sh", "my_agent.py"]   # relative to this file
protocol = "jsonl"                     # or "ugi"

[[players]]
name = "house"
bot = "medium"

[[rounds]]
game = "loa"
options = "size=6,turns=20"
time = "500ms"                         # per move: 100ms to 20s
setup = "2s"
"#;

fn read(text: &str) -> Result<Tournament, String> {
    let folder = TemporaryFolder::new();
    folder.write("my_agent.py", "");
    Tournament::read(GAMES, &folder.write("file.toml", text)).map_err(|mistakes| mistakes.to_string())
}

fn with_round(round: &str) -> String {
    format!("{PLAYERS}[[rounds]]\n{round}\n")
}

#[test]
fn the_file_of_the_interface_is_read() {
    let course = read(COURSE).expect("it holds");
    assert_eq!((course.name.as_str(), course.seed), ("course", 1));
    assert_eq!((course.printing, course.offences), (PrintingRule::Loss, OffenceRule::Disqualify));
    assert_eq!(course.late, LateRule::Loss);
    assert_eq!(course.points, Points::default());
    let [mine, house] = &course.players[..] else { panic!("two players") };
    let Kind::Program(Program { spec, command, folder, memory, threads }) = &mine.kind else {
        panic!("a program")
    };
    assert_eq!((*memory, *threads), (1 << 30, 1));
    assert_eq!((spec.language, spec.command.as_str()), (Language::Jsonl, "sh my_agent.py"));
    let folder = folder.as_ref().expect("the folder of the script");
    assert_eq!(command.arguments, [folder.join("my_agent.py").to_string_lossy()]);
    assert!(matches!(&house.kind, Kind::Bot(spec) if spec.name() == "medium"));
    let round = &course.rounds[0];
    assert_eq!((round.rules.spec().id, round.time), ("loa", TimeControl::PerMove(Millis(500))));
    assert_eq!((round.setup, round.format), (Duration::from_secs(2), Format::RoundRobin));
    assert_eq!(course.planned_games(), [2]);
    assert!(course.shared_folders().is_empty());
}

#[test]
fn parameters_of_programs_are_read_and_checked_by_asking_them() {
    let folder = TemporaryFolder::new();
    folder.write("my_agent.py", "");
    let read = |parameters: &str| {
        let text = COURSE
            .replace("protocol = \"jsonl\"", &format!("parameters = {parameters}\nprotocol = \"jsonl\""));
        let ask = |_: &dyn agon_erased::Rules, program: &Program| {
            assert_eq!(program.spec.command, "sh my_agent.py");
            Ok([("tt".to_owned(), Parameter::Int { default: 20, min: Some(0), max: Some(26) })].into())
        };
        Tournament::read_asking(GAMES, &folder.write("file.toml", &text), &ask)
            .map_err(|mistakes| mistakes.to_string())
    };
    let course = read("{ tt = 22 }").expect("it holds");
    let Kind::Program(program) = &course.players[0].kind else { panic!("a program") };
    assert_eq!(program.spec.to_string(), "jsonl(tt=22):sh my_agent.py");
    for (parameters, expected) in [
        ("{ tt = 27 }", "file.toml:16:16: tt = '27' does not fit; expected a whole number from 0 to 26"),
        ("{ tt_ = 1 }", "file.toml:16:16: the program has no parameter 'tt_'; expected tt"),
        ("{ tt = [1] }", "tt: expected a text, a number, true or false, found an array"),
        ("{ \"a=b\" = 1 }", "'a=b' cannot name a parameter"),
        ("[1]", "parameters: expected a table parameters"),
    ] {
        let mistakes = read(parameters).expect_err(parameters);
        assert!(mistakes.contains(expected), "{parameters}: {mistakes}");
    }
    let house = COURSE.replace("bot = \"medium\"", "bot = \"medium\"\nparameters = { tt = 1 }");
    let mistakes =
        Tournament::read(GAMES, &folder.write("file.toml", &house)).expect_err("a bot").to_string();
    assert!(mistakes.contains("only players with a command have this"), "{mistakes}");
}

#[test]
fn what_is_not_said_has_its_default() {
    let plain = read(&with_round("game = \"othello\"")).expect("it holds");
    assert_eq!((plain.name.as_str(), plain.printing), ("file", PrintingRule::Loss));
    assert!(plain.players.iter().all(|player| matches!(player.kind, Kind::Bot(_))));
    let round = &plain.rounds[0];
    assert_eq!(round.time, TimeControl::PerMove(Millis(5000)));
    assert_eq!((round.setup, round.repetitions), (Duration::from_secs(10), 1));
    assert_eq!((&round.openings, round.seatings), (&Openings::Start, Seatings::Rotations));
}

#[test]
fn every_key_is_understood() {
    let folder = TemporaryFolder::new();
    folder.write("agent.sh", "");
    folder.write("lines.txt", "d3 c5\n");
    let text = r#"
name = "all"
memory = "512MB"
threads = 2
printing = "disqualify"
offences = "loss"
late = "replay"
points = { win = 1, draw = 0.5, technical_win = 1 }
players = [
  { name = "one", command = ["sh", "agent.sh"], protocol = "gtp", memory = "2GB", threads = 4 },
  { name = "two", bot = "ugi:sh agent.sh" },
  { name = "three", bot = "human" },
  { name = "four", bot = "expert:nodes=100" },
]

[[rounds]]
game = "othello"
format = "gauntlet"
challenger = "two"
sprt = { elo0 = -5, elo1 = 5.5, alpha = 0.1 }
time = "10s+100ms"
openings = "lines.txt"
repetitions = 10
max_plies = 70

[[rounds]]
game = "othello"
options = "size=6"
format = "swiss"
turns = 3
openings = "random"
opening_plies = 4

[[rounds]]
game = "othello"
format = "knock-out"
openings = "start"
"#;
    let all =
        Tournament::read(GAMES, &folder.write("file.toml", text)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((all.printing, all.offences), (PrintingRule::Disqualify, OffenceRule::Loss));
    assert_eq!(all.late, LateRule::Replay);
    assert_eq!((all.points.win, all.points.loss, all.points.draw), (1.0, 0.0, 0.5));
    let limits: Vec<(u64, u32)> = all
        .players
        .iter()
        .filter_map(|player| match &player.kind {
            Kind::Program(program) => Some((program.memory, program.threads)),
            _ => None,
        })
        .collect();
    assert_eq!(limits[..2], [(2 << 30, 4), (512 << 20, 2)]);
    assert!(all.has_people());
    assert_eq!(
        all.cores_per_game(),
        2,
        "two programs that may think at any time, whatever their thread limits"
    );
    assert_eq!(all.shared_folders().len(), 1, "both agents are in one folder");
    let Format::Gauntlet { challenger: 1, sprt: Some(sprt) } = all.rounds[0].format else {
        panic!("a gauntlet")
    };
    assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-5.0, 5.5, 0.1, 0.05));
    assert!(matches!(&all.rounds[0].openings, Openings::Listed(list) if list.len() == 1));
    assert!(all.rounds[0].is_budget());
    assert_eq!(all.rounds[1].format, Format::Swiss { turns: 3 });
    assert_eq!(all.rounds[1].openings, Openings::Random { plies: 4 });
    assert_eq!(all.planned_games(), [3 * 2 * 10, 3 * 2 * 2, 3 * 2]);
}

#[test]
fn a_file_without_players_is_refused_whatever_its_rounds_are() {
    let folder = TemporaryFolder::new();
    for format in ["round-robin", "swiss", "gauntlet", "knock-out", "groups"] {
        let text = format!("[[rounds]]\ngame = \"othello\"\nformat = \"{format}\"\n");
        let mistakes =
            Tournament::read(GAMES, &folder.write("file.toml", &text)).expect_err(format).to_string();
        assert!(mistakes.contains("there is no player"), "{format}: {mistakes}");
        assert!(!mistakes.contains("more than"), "{format}: {mistakes}");
    }
}

#[test]
fn every_mistake_has_its_place_and_its_remedy() {
    let players = |text: &str| {
        format!("{text}\n[[players]]\nname = \"b\"\nbot = \"random\"\n[[rounds]]\ngame = \"othello\"\n")
    };
    for (text, line, column, expected) in [
        ("name = ", 1, 8, ""),
        ("nme = \"x\"\n", 1, 1, "did you mean name?"),
        ("seed = -1\n", 1, 8, "a whole number from 0"),
        ("name = \"a/b\"\n", 1, 8, "cannot name a folder"),
        ("memory = \"1 giga\"\n", 1, 10, "such as \"1GB\""),
        ("memory = 5\n", 1, 10, "expected text in quotation marks"),
        ("printing = \"los\"\n", 1, 12, "did you mean \"loss\"?"),
        ("offences = \"warn\"\n", 1, 12, "expected loss or disqualify"),
        ("late = \"warn\"\n", 1, 8, "expected loss or replay"),
        ("[points]\nwon = 3\n", 2, 1, "did you mean win?"),
        ("[points]\nwin = \"3\"\n", 2, 7, "expected a number"),
        (&players("[[players]]\nname = \"a\"\n"), 1, 1, "neither a bot nor a command"),
        (&players("[[players]]\nbot = \"random\"\n"), 1, 1, "this player has no name"),
        (&players("[[players]]\nname = \"b\"\nbot = \"random\"\n"), 6, 8, "player 1 has this name already"),
        (&players("[[players]]\nname = \"a|c\"\nbot = \"random\"\n"), 2, 8, "is not a name"),
        (&players("[[players]]\nname = \"a\"\nbot = \"randm\"\n"), 3, 7, "did you mean random?"),
        (&players("[[players]]\nname = \"a\"\nbot = \"greedy:depth=x\"\n"), 3, 7, "a cannot play round 1"),
        (
            &players("[[players]]\nname = \"a\"\nbot = \"random\"\nthreads = 2\n"),
            4,
            11,
            "only players with a command",
        ),
        (&players("[[players]]\nname = \"a\"\ncommand = \"python3 x.py\"\n"), 3, 11, "a list of texts"),
        (&players("[[players]]\nname = \"a\"\ncommand = []\n"), 3, 11, "the command is empty"),
        (
            &players("[[players]]\nname = \"a\"\ncommand = [\"sh\", \"gone.py\"]\n"),
            3,
            18,
            "there is no file 'gone.py'",
        ),
        (
            &players("[[players]]\nname = \"a\"\ncommand = [\"no-such-program\"]\n"),
            3,
            12,
            "there is no program",
        ),
        (
            &players("[[players]]\nname = \"a\"\nbot = \"random\"\ncommand = [\"sh\"]\n"),
            4,
            11,
            "either a bot or a command",
        ),
        (
            &players("[[players]]\nname = \"a\"\ncommand = [\"sh\"]\nprotocol = \"uci\"\n"),
            4,
            12,
            "did you mean \"ugi\"?",
        ),
        (
            "[[players]]\nname = \"a\"\nbot = \"random\"\n[[rounds]]\ngame = \"othello\"\n",
            1,
            1,
            "only one player",
        ),
        (PLAYERS, 1, 1, "there is no round"),
        (&with_round("gam = \"othello\""), 9, 1, "there is no game; expected game ="),
        (&with_round("game = \"otello\""), 10, 8, "did you mean othello?"),
        (&with_round("game = \"othello\"\noptions = \"size=5\""), 11, 11, "options: "),
        (&with_round("game = \"othello\"\ntime = \"5\""), 11, 8, "such as \"500ms\""),
        (&with_round("game = \"othello\"\ntime = \"30s\""), 11, 8, "from 100ms to 20s"),
        (&with_round("game = \"othello\"\ntime = \"none\""), 11, 8, "from 100ms to 20s"),
        (&with_round("game = \"othello\"\nsetup = \"1h\""), 11, 9, "a time with its unit"),
        (&with_round("game = \"othello\"\nformat = \"roundrobin\""), 11, 10, "did you mean \"round-robin\"?"),
        (&with_round("game = \"othello\"\nrepetitions = 0"), 11, 15, "from 1 to"),
        (&with_round("game = \"othello\"\nturns = 2"), 11, 9, "format = \"swiss\""),
        (
            &with_round("game = \"othello\"\nformat = \"gauntlet\"\nchallenger = \"c\""),
            12,
            14,
            "there is no player 'c'",
        ),
        (
            &with_round("game = \"othello\"\nformat = \"gauntlet\"\nsprt = { elo0 = 5, elo1 = 0 }"),
            12,
            27,
            "above elo0",
        ),
        (
            &with_round("game = \"othello\"\nformat = \"gauntlet\"\nsprt = { elo0 = 5 }"),
            12,
            8,
            "elo1 is missing",
        ),
        (&with_round("game = \"othello\"\nseatings = \"all\""), 11, 12, "three or more seats"),
        (
            &with_round("game = \"chinese-checkers\"\noptions = \"seats=g/y/r\""),
            10,
            8,
            "the game has 3 seats",
        ),
        (&with_round("game = \"2048\"\nopenings = \"random\""), 11, 12, "luck is what differs"),
        (&with_round("game = \"othello\"\nopenings = \"none.txt\""), 11, 12, "a file of openings"),
        (&with_round("game = \"othello\"\nopenings = \"my_agent.py\""), 11, 12, "there is no opening in it"),
        (&with_round("game = \"othello\"\nopening_plies = 3"), 11, 17, "openings = \"random\""),
        (
            &with_round(
                "game = \"othello\"\nrepetitions = 100000\n[[rounds]]\ngame=\"loa\"\nrepetitions=100000\n",
            )
            .replace("100000", "900000"),
            11,
            15,
            "from 1 to 100000",
        ),
    ] {
        let fault = read(text).err().unwrap_or_else(|| panic!("{text} was taken"));
        assert!(
            fault.contains(&format!("file.toml:{line}:{column}: ")) && fault.contains(expected),
            "{text}\n{fault}"
        );
    }
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text =
        "nme = 1\nseed = \"x\"\n[[players]]\nname = \"a\"\nbot = \"randm\"\n[[rounds]]\ngame = \"othelo\"\n";
    let fault = read(text).expect_err("it is wrong");
    for place in [":1:1: ", ":2:8: ", ":3:1: ", ":7:8: "] {
        assert!(fault.contains(place), "{fault}");
    }
    assert!(fault.contains("  7 | game = \"othelo\"\n    |        ^^^^^^^^"), "{fault}");
}

/// So many players, and a round.
fn with_players(count: usize, round: &str) -> String {
    let player = |number| format!("[[players]]\nname = \"p{number}\"\nbot = \"random\"\n");
    (0..count).map(player).collect::<String>() + &format!("[[rounds]]\ngame = \"othello\"\n{round}\n")
}

#[test]
fn swiss_rounds_and_groups_take_any_number_of_players() {
    let planned = |count, round| read(&with_players(count, round)).expect(round).planned_games();
    assert_eq!(planned(7, "format = \"swiss\"\nturns = 3"), [3 * 3 * 2]);
    assert_eq!(planned(10, "format = \"groups\""), [(2 * 10 + 3) * 2]);
    let odd = "format = \"groups\"\ngroups = 3\nqualify = 1\nfinals = \"round-robin\"";
    assert_eq!(planned(10, odd), [(3 + 3 + 6 + 3) * 2]);
    for (count, round, expected) in [
        (
            5,
            "format = \"groups\"\ngroups = 3",
            "11:10: groups: 3 groups need at least 6 players, and there are 5",
        ),
        (
            6,
            "format = \"groups\"\nqualify = 3",
            "qualify: expected fewer than the 3 players of the smallest group",
        ),
        (6, "format = \"swiss\"\ngroups = 3", "groups: only rounds with format = \"groups\" have this"),
        (
            6,
            "format = \"groups\"\nfinals = \"swiss\"",
            "finals: 'swiss' is not known; expected knock-out or round-robin",
        ),
    ] {
        let fault = read(&with_players(count, round)).expect_err(round);
        assert!(fault.contains(expected.trim_start_matches("11:10: ")), "{fault}");
    }
}

#[test]
fn people_may_have_a_clock_of_their_own() {
    let with =
        |time: &str| format!("[[players]]\nname = \"me\"\nbot = \"human\"\n{time}\n{}", with_players(1, ""));
    let kind = |time: &str| read(&with(time)).expect(time).players[0].kind.clone();
    assert!(matches!(kind(""), Kind::Person(TimeControl::None)));
    assert!(matches!(kind("time = \"1m\""), Kind::Person(TimeControl::PerMove(Millis(60_000)))));
    assert!(matches!(kind("time = \"10m+5s\""), Kind::Person(TimeControl::Game { .. })));
    for (time, expected) in
        [("time = \"soon\"", "a time per move such as \"1m\""), ("time = \"none\"", "a time per move")]
    {
        let fault = read(&with(time)).expect_err(time);
        assert!(fault.contains(expected) && fault.contains(":4:8: "), "{fault}");
    }
    let bot =
        "[[players]]\nname = \"it\"\nbot = \"random\"\ntime = \"1m\"\n".to_owned() + &with_players(1, "");
    assert!(
        read(&bot)
            .expect_err("a bot")
            .contains("only people, with bot = \"human\", have a clock of their own")
    );
}

#[test]
fn authors_are_read_from_the_file_that_is_named() {
    let folder = TemporaryFolder::new();
    folder.write("dana.txt", "דנה כהן,012345678,dana@example.org\n");
    folder.write("avi.txt", "Avi Levi,avi@example.org,7\n");
    let with = |file: &str| {
        let text =
            format!("[[players]]\nname = \"d\"\nbot = \"random\"\nauthors = {file}\n{}", with_players(1, ""));
        Tournament::read(GAMES, &folder.write("file.toml", &text)).map_err(|mistakes| mistakes.to_string())
    };
    let read = with("\"dana.txt\"").expect("it is in order");
    assert_eq!(read.players[0].authors[0].id, "012345678");
    for (file, expected) in [
        ("\"avi.txt\"", "file.toml:4:11: authors: avi.txt:1:10: 'avi@example.org' is not an id"),
        ("\"noa.txt\"", "file.toml:4:11: authors: noa.txt cannot be opened"),
        ("3", "file.toml:4:11: authors: expected text"),
    ] {
        let fault = with(file).expect_err(file);
        assert!(fault.contains(expected), "{fault}");
    }
}

#[test]
fn nothing_makes_the_reader_panic() {
    let mut text = COURSE.to_owned();
    while let Some((index, _)) = text.char_indices().next_back() {
        text.truncate(index);
        let _ = read_only(&text);
    }
    for odd in [
        "\u{feff}",
        "\0",
        "[[players]]",
        "players = 3",
        "rounds = [3]",
        "points = []",
        "[[[",
        "name = \"\u{202e}\"",
    ] {
        assert!(read_only(odd).is_err(), "{odd:?} was taken");
    }
    assert!(
        Tournament::read(GAMES, std::path::Path::new("/dev/zero"))
            .is_err_and(|fault| fault.to_string().contains("too large"))
    );
    assert!(Tournament::read(GAMES, std::path::Path::new("no-such-file.toml")).is_err());
}

fn read_only(text: &str) -> Result<Tournament, String> {
    Tournament::parse(GAMES, "f", text, "f", std::path::Path::new("/"))
        .map_err(|mistakes| mistakes.to_string())
}
