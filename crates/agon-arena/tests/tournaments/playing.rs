//! Tournaments that are played through.

use std::sync::Arc;

use agon_arena::experiment::{RunEnd, Stops};
use agon_arena::results::{Outcome, Results};
use agon_arena::tournament::{Store, Tournament};
use agon_files::load_record;
use agon_match::Fault;
use agon_registry::GAMES;
use agon_testkit::TemporaryFolder;

use crate::support::{StoppingClock, essence, play, resume, run_by};

const FOUR: &str = r#"
[[players]]
name = "random"
bot = "random"
[[players]]
name = "greedy"
bot = "greedy"
[[players]]
name = "other"
bot = "random"
[[players]]
name = "search"
bot = "expert:nodes=50"
"#;

fn with(players: &str, round: &str) -> String {
    format!("{players}\n[[rounds]]\ntime = \"20s\"\n{round}\n")
}

#[test]
fn everybody_meets_everybody_and_every_game_is_a_record() {
    let folder = TemporaryFolder::new();
    let text = with(FOUR, "game = \"othello\"\noptions = \"size=4\"\nrepetitions = 2");
    let results = play(&folder, &text, 2);
    assert_eq!(results.games.len(), 24);
    let table = results.table();
    assert!(table.rows.iter().all(|row| row.games == 12));
    for (number, game) in results.games.iter().enumerate() {
        assert_eq!((game.number, game.round), (number, 1));
        assert!(!game.is_technical(), "{game:?}");
        let name = game.record.as_ref().expect("a record");
        let record = load_record(&folder.path("out").join(name)).expect("a record");
        record.replay(GAMES).expect("it holds");
        assert_eq!(record.players, game.seats);
        assert_eq!(record.moves.len(), game.plies);
        let overhead = game.overhead.expect("it was measured");
        assert_eq!(overhead.moves as usize, game.plies, "one measurement a move");
        assert!(overhead.median <= overhead.most);
    }
    let written = Results::from_json(&folder.read("out/results.json")).expect("results");
    assert_eq!(written.games.len(), 24);
    assert_eq!(written.state, agon_arena::results::State::Finished);
}

#[test]
fn neither_jobs_nor_the_order_of_ends_change_anything() {
    let folder = TemporaryFolder::new();
    for round in [
        "game = \"othello\"\noptions = \"size=6\"\nopenings = \"random\"\nrepetitions = 3",
        "game = \"othello\"\noptions = \"size=4\"\nformat = \"swiss\"\nturns = 3\nopenings = \"random\"",
        "game = \"loa\"\noptions = \"size=6\"\nmax_plies = 40\nformat = \"knock-out\"",
        "game = \"2048\"\nmax_plies = 300",
        "game = \"chinese-checkers\"\noptions = \"seats=g/y/r\"\nmax_plies = 40",
    ] {
        let alone = play(&folder, &with(FOUR, round), 1);
        let together = play(&folder, &with(FOUR, round), 4);
        assert_eq!(essence(&alone), essence(&together), "{round}");
        assert_eq!(alone.notes, together.notes);
        let seeded = play(&folder, &format!("seed = 2\n{}", with(FOUR, round)), 4);
        assert_ne!(essence(&alone), essence(&seeded), "{round}: another seed is another tournament");
    }
}

#[test]
fn odd_numbers_pause_and_the_best_of_groups_play_on() {
    let folder = TemporaryFolder::new();
    let five = format!("{FOUR}[[players]]\nname = \"fifth\"\nbot = \"greedy\"\n");
    let swiss = with(&five, "game = \"othello\"\noptions = \"size=4\"\nformat = \"swiss\"\nturns = 3");
    let alone = play(&folder, &swiss, 1);
    assert_eq!((alone.games.len(), alone.byes.len()), (12, 3));
    let table = alone.table();
    assert!(table.rows.iter().all(|row| row.games + 2 * row.byes == 6), "{:?}", table.rows);
    let groups = "game = \"othello\"\noptions = \"size=4\"\nformat = \"groups\"\nqualify = 1";
    let finals = play(&folder, &with(&five, groups), 1);
    // Three in one group, two in the other, and a final, which may be tied.
    assert!(finals.games.len() >= 10, "{}", finals.games.len());
    let [first, second] = &finals.rounds[0].finalists[..] else { panic!("{:?}", finals.rounds) };
    let table = finals.table();
    assert!(table.rows[..2].iter().all(|row| [first, second].contains(&&row.name) && row.finals == 1));
    let note = &finals.notes[0];
    assert!(
        note.ends_with("has won the finals.") && (note.contains(first) || note.contains(second)),
        "{note}"
    );
    // Resumed when half of it was played, it ends alike.
    for (text, whole) in [(swiss, alone), (with(&five, groups), finals)] {
        let together = play(&folder, &text, 4);
        assert_eq!(
            (essence(&together), &together.byes, &together.rounds),
            (essence(&whole), &whole.byes, &whole.rounds)
        );
        let ledger = folder.path("out/finished.jsonl");
        let lines = folder.read("out/finished.jsonl");
        let half: String = lines.split_inclusive('\n').take(5).collect();
        std::fs::write(ledger, half).expect("a file");
        let resumed = resume(&folder.path("out"), 2);
        assert_eq!(
            (essence(&resumed), &resumed.byes, &resumed.rounds),
            (essence(&whole), &whole.byes, &whole.rounds)
        );
        let read = Results::from_json(&folder.read("out/results.json")).expect("results");
        assert_eq!((read.byes.len(), read.table().rows.len()), (whole.byes.len(), 5));
    }
}

#[test]
fn in_2048_both_have_the_same_tiles_and_more_points_win() {
    let folder = TemporaryFolder::new();
    let text = with(
        "[[players]]\nname = \"a\"\nbot = \"greedy\"\n[[players]]\nname = \"b\"\nbot = \"random\"\n",
        "game = \"2048\"",
    );
    let results = play(&folder, &text, 1);
    assert_eq!(results.games.len(), 2);
    for game in &results.games {
        let Outcome::Placed { places, reason, .. } = &game.outcome else { panic!("{game:?}") };
        assert_eq!((game.scores.len(), reason.as_str()), (2, "points"));
        assert_eq!(places[0] == 1, game.scores[0] >= game.scores[1]);
        let path = folder.path("out").join(game.record.as_ref().expect("a record"));
        let race = load_record(&path).expect("a record").to_match(GAMES, agon_match::Millis::ZERO, |_| {});
        let race = race.expect("it holds");
        // The first tiles are the same: luck does not depend on who plays.
        let tiles: Vec<Vec<String>> =
            race.boards().iter().map(|board| board.session().history()[..2].to_vec()).collect();
        assert_eq!(tiles[0], tiles[1]);
        assert!(game.conduct.iter().all(|conduct| conduct.moves > 0));
    }
    assert_ne!(results.games[0].scores, results.games[1].scores, "every game has other luck");
}

#[test]
fn a_sequential_test_ends_a_gauntlet_and_what_was_played_beyond_it_does_not_count() {
    let folder = TemporaryFolder::new();
    let players =
        "[[players]]\nname = \"a\"\nbot = \"greedy\"\n[[players]]\nname = \"b\"\nbot = \"random\"\n";
    let round = "game = \"othello\"\noptions = \"size=6\"\nformat = \"gauntlet\"\nopenings = \"random\"\nrepetitions = 500\nsprt = { elo0 = 0, elo1 = 100 }\n[[rounds]]\ngame = \"loa\"\noptions = \"size=6\"\nmax_plies = 10\n";
    let one = play(&folder, &with(players, round), 1);
    let many = play(&folder, &with(players, round), 4);
    assert_eq!(essence(&one), essence(&many));
    let first = one.rounds[0].games;
    assert!(first < 1000 && first.is_multiple_of(2) && first > 4, "{first}");
    assert_eq!((one.games.len(), one.rounds[1].games), (first + 2, 2));
    assert!(one.notes[0].contains("nearer to 100 Elo"), "{:?}", one.notes);
    for number in 0..one.games.len() {
        assert!(folder.path("out").join(format!("games/{:05}.jsonl", number + 1)).is_file());
    }
    assert!(!folder.path("out").join(format!("games/{:05}.txt", one.games.len() + 1)).exists());
}

#[test]
fn openings_of_a_file_are_played_in_turn_from_both_sides() {
    let folder = TemporaryFolder::new();
    folder.write("lines.txt", "d3 c5\nf5 d6 c3\n");
    let players =
        "[[players]]\nname = \"a\"\nbot = \"random\"\n[[players]]\nname = \"b\"\nbot = \"random\"\n";
    play(&folder, &with(players, "game = \"othello\"\nopenings = \"lines.txt\"\nrepetitions = 3"), 1);
    let opening = |number: usize| {
        let record = load_record(&folder.path(&format!("out/games/{number:05}.txt"))).expect("a record");
        record.moves[..2].join(" ")
    };
    assert_eq!([1, 2, 3, 4, 5, 6].map(opening), ["d3 c5", "d3 c5", "f5 d6", "f5 d6", "d3 c5", "d3 c5"]);
}

#[test]
fn a_folder_is_not_written_over_and_not_used_twice() {
    let folder = TemporaryFolder::new();
    let text = with(FOUR, "game = \"othello\"\noptions = \"size=4\"");
    play(&folder, &text, 1);
    let (file, out) = (folder.path("file.toml"), folder.path("out"));
    let again = Store::create(&out, &file).expect_err("it is taken");
    assert!(again.to_string().contains("agon arena resume"), "{again}");
    assert!(
        Store::create(&folder.path("."), &file).is_err_and(|error| !error.to_string().contains("resume"))
    );
    let (_held, _) = Store::open(GAMES, &out).expect("it can be resumed");
    let second = Store::open(GAMES, &out).expect_err("it is held");
    assert!(second.to_string().contains("another process"), "{second}");
    assert!(
        Store::open(GAMES, &folder.path("none"))
            .is_err_and(|error| error.to_string().contains("no tournament"))
    );
}

#[test]
fn stopping_lets_running_games_end_and_can_be_resumed() {
    let folder = TemporaryFolder::new();
    let text = with(FOUR, "game = \"othello\"\noptions = \"size=6\"");
    let whole = play(&folder, &text, 1);
    let file = folder.path("file.toml");
    let tournament = Tournament::read(GAMES, &file).expect("it holds");
    let out = folder.path("second");
    let store = Store::create(&out, &file).expect("a new folder");
    // The referee reads its clock several times for each of the thirty or so moves of a game.
    let stops = Stops::default();
    let clock = StoppingClock { stops: stops.clone(), readings: 0.into(), last: 200 };
    let (end, some) = run_by(&tournament, &store, 2, Arc::new(clock), stops).expect("it can be run");
    assert_eq!(end, RunEnd::Stopped);
    assert!((1..8).contains(&some.games.len()), "{}", some.games.len());
    let written = std::fs::read_to_string(out.join("results.json")).expect("results");
    assert_eq!(Results::from_json(&written).expect("results").state, agon_arena::results::State::Stopped);
    drop(store);
    let rest = crate::support::resume(&out, 2);
    assert_eq!(essence(&rest), essence(&whole));
}

#[cfg(unix)]
#[test]
fn with_more_seats_the_game_ends_and_the_offender_pays() {
    let folder = TemporaryFolder::new();
    let two = "[[players]]\nname = \"a\"\nbot = \"random\"\n[[players]]\nname = \"b\"\nbot = \"random\"\n";
    let players = format!("{two}[[players]]\nname = \"c\"\ncommand = [\"sh\", \"-c\", \"read l; exit 3\"]\n");
    let results = play(
        &folder,
        &with(&players, "game = \"chinese-checkers\"\noptions = \"seats=g/y/r\"\nsetup = \"1m\""),
        1,
    );
    assert_eq!(results.games.len(), 3, "everybody has every seat once");
    for game in &results.games {
        let offender = game.seats.iter().position(|name| name == "c").expect("it plays");
        let points: Vec<f64> = (0..3).map(|seat| if seat == offender { -2.0 } else { 2.0 }).collect();
        assert_eq!(game.points, points);
        assert_eq!(game.outcome.offences()[0].reason, Fault::Setup);
    }
    let json = folder.read("out/results.json");
    assert!(json.contains("\"seats\""), "{json}");
}
