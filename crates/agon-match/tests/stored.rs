//! Events that an earlier version stored: they are converted when they are read, keep their numbers, and the match goes on from them.

use std::path::Path;
use std::sync::Arc;

use agon_core::Player;
use agon_match::{Action, BoardOrder, End, Event, Fault, Goal, LogEvent, Match, Millis, SCHEMA};
use agon_registry::GAMES;

/// The match of a stored file, and how many lines it has.
fn stored(name: &str) -> (Match, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/version-1").join(name);
    let text = std::fs::read_to_string(path).expect("a file");
    let event = |line: &str| LogEvent::from_json(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let events: Vec<LogEvent> = text.lines().map(event).collect();
    let Some(LogEvent { event: Event::Started(started), .. }) = events.first() else { panic!("a start") };
    assert_eq!(started.schema, SCHEMA, "what is read is of this version");
    let rules = GAMES.find(&started.game).expect("a game").rules(&started.options).expect("good options");
    let game = Match::replay(rules, &events).expect("a match");
    (game, events.len())
}

fn positions(game: &Match) -> Vec<String> {
    game.boards().iter().map(|board| board.session().position()).collect()
}

#[test]
fn a_stored_race_is_a_match_of_two_boards() {
    let (game, lines) = stored("race-together.jsonl");
    assert_eq!(game.event_count(), lines, "every event keeps its number");
    assert_eq!(
        positions(&game),
        ["0,2,4,4/0,0,2,8/0,0,0,4/2,0,0,0 24", "4,8,0,0/2,8,0,0/4,0,0,2/2,0,0,0 36"]
    );
    assert_eq!((game.order(), game.goal()), (BoardOrder::Together, Goal::Moves(12)));
    let taken_back = |board: usize| {
        let is_taken_back = |event: &Event| matches!(event, Event::TakenBack { .. });
        game.boards()[board].events().filter(is_taken_back).count()
    };
    assert_eq!((taken_back(0), taken_back(1)), (0, 1), "a move was taken back on the second board");
    assert!(matches!(game.boards()[0].end(), Some(End::Forfeit { reason: Fault::Resigned, .. })));
    assert_eq!(game.boards()[1].end(), Some(&End::Goal));
    assert_eq!(game.ranking(), [[1], [0]]);
    assert_eq!(game.seed(), 18_446_744_073_709_551_557);
}

#[test]
fn a_stored_race_in_turn_goes_on_where_it_stood() {
    let (mut game, lines) = stored("race-in-turn.jsonl");
    assert_eq!(game.event_count(), lines);
    assert_eq!(game.order(), BoardOrder::InTurn);
    assert!(!game.is_waiting(1), "the first board has ended");
    let known = game.event_count();
    game.apply(1, Action::Resign(Player(0)), Millis(500)).expect("the second board goes on");
    let new: Vec<String> =
        game.events(known).map(|event| serde_json::to_string(&event).expect("JSON")).collect();
    assert_eq!(
        new,
        [
            r#"{"type":"ended","at":500,"end":{"by":"forfeit","seat":0,"reason":"resigned","detail":""},"board":1}"#
        ]
    );
    // What was stored by two versions is read as one log.
    let log: Vec<LogEvent> = game.log();
    assert_eq!(LogEvent::from_json(&new[0]).expect("an event"), log[known]);
    let (rules, events) = (game.rules().clone(), game.event_count());
    assert_eq!(Match::replay(rules, &log).expect("a match").event_count(), events);
}

#[test]
fn a_stored_race_against_time_has_its_deadline() {
    let (game, lines) = stored("race-against-time.jsonl");
    assert_eq!(game.event_count(), lines);
    assert_eq!(game.goal(), Goal::Time(Millis(400)));
    assert!(game.is_over());
}

#[test]
fn a_stored_match_with_moves_taken_back_is_the_same_match() {
    let (game, lines) = stored("take-back.jsonl");
    assert_eq!((game.event_count(), game.boards().len()), (lines, 1));
    assert_eq!(positions(&game), ["1o1ox1/1oox2/1oxxx1/2xx2/4x1/6 o"]);
    assert!(!game.is_over() && !game.board().seats()[1].is_person(), "a bot has taken the second seat");
}

#[test]
fn a_stored_forfeit_is_the_same_forfeit() {
    let (game, lines) = stored("forfeit.jsonl");
    assert_eq!(game.event_count(), lines);
    let left: Vec<Player> = game.board().forfeits().map(|forfeit| forfeit.seat).collect();
    assert_eq!(left, [Player(1)], "a bot plays on for one who has resigned");
    assert_eq!(game.ranking(), [vec![2], vec![0], vec![1]], "and another has run out of time");
}

#[test]
fn starts_of_unknown_versions_are_refused() {
    let start = r#"{"type":"started","schema":9,"at":0,"game":"2048","options":"","boards":[{"seats":[],"policy":{"time":{"controls":["none"],"grace":0,"late":"loses"},"faults":"end","stand_in":"easy"}}],"seed":"1"}"#;
    let rules = GAMES.find("2048").expect("a game").rules("").expect("good options");
    for version in ["0", "3", "9"] {
        let event = LogEvent::from_json(start.replace('9', version)).expect("an event");
        let error = Match::replay(Arc::clone(&rules), &[event]).expect_err("an unknown version");
        let expected = format!("the events are of version {version}; only versions 1 to 2 can be read");
        assert_eq!(error.to_string(), expected);
    }
    let both = start.replace("\"boards\"", "\"setup\":{},\"boards\"");
    assert!(LogEvent::from_json(&both).is_err());
    assert!(LogEvent::from_json(start.replace("\"at\":0", "\"at\":0,\"extra\":1")).is_err());
}
