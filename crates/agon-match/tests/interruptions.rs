//! What players get back whose connection was dead, and what they do not.

use std::sync::Arc;

use agon_core::Player;
use agon_match::{
    Action, End, Fault, Interruptions, LogEvent, Match, Millis, Move, Policy, Seat, Setup, TimeControl,
    TimePolicy,
};
use agon_registry::GAMES;

const ANNA: Player = Player(0);
const BENNO: Player = Player(1);

/// A game of Othello with this clock, in which 15 s are given back for an interruption and 20 s in all.
fn game(clock: &str) -> Match {
    let interruptions = Interruptions { each: seconds(15), all: seconds(20) };
    let control = TimeControl::parse(clock).expect("a control");
    let time = TimePolicy { interruptions, ..TimePolicy::new(control, Millis::ZERO) };
    let setup = Setup {
        seats: vec![Seat::person("Anna"), Seat { controller: 1, ..Seat::person("Benno") }],
        policy: Policy { time, ..Policy::default() },
        ..Setup::default()
    };
    Match::start(GAMES.rules("othello", "").expect("othello"), setup, 1, Millis::ZERO).expect("a match")
}

fn seconds(count: u64) -> Millis {
    Millis(count * 1000)
}

fn act(game: &mut Match, action: Action, at: u64) {
    game.apply(0, action, seconds(at)).expect("it is taken");
    // Whatever happens can be stored and replayed at every moment.
    let lines = game.log().into_iter().map(|event| serde_json::to_string(&event).expect("JSON"));
    let log: Vec<LogEvent> = lines.map(|line| LogEvent::from_json(line).expect("an event")).collect();
    let again = Match::replay(Arc::clone(game.rules()), &log).expect("it is replayed");
    for later in at..at + 100 {
        let shown = |game: &Match| [ANNA, BENNO].map(|seat| game.board().time_left(seat, seconds(later)));
        assert_eq!(shown(&again), shown(game), "{later} s");
    }
    assert_eq!(again.due(), game.due());
}

fn left(game: &Match, seat: Player, at: u64) -> u64 {
    game.board().time_left(seat, seconds(at)).expect("a clock").0 / 1000
}

fn moves(game: &mut Match, seat: Player, at: u64) {
    let token = game.board().session().legal().remove(0);
    act(game, Action::Move(Move::new(seat, token)), at);
}

#[test]
fn a_clock_stands_while_its_player_is_silent() {
    let mut game = game("60s+0s");
    act(&mut game, Action::Interrupt(ANNA, seconds(10)), 14);
    assert_eq!(game.board().clock_stands_until(), Some(seconds(25)));
    assert_eq!((left(&game, ANNA, 14), left(&game, ANNA, 20)), (50, 50), "it stands since nothing was heard");
    act(&mut game, Action::Reconnect(ANNA), 20);
    assert_eq!((left(&game, ANNA, 20), left(&game, ANNA, 25)), (50, 45), "it runs again");
    assert_eq!(game.board().clock_stands_until(), None);
    moves(&mut game, ANNA, 25);
    assert_eq!((left(&game, ANNA, 40), left(&game, BENNO, 40)), (45, 45));
    assert_eq!(game.board().ply(0).and_then(|ply| ply.spent), Some(seconds(15)));
}

#[test]
fn so_much_is_given_back_for_an_interruption_and_so_much_in_all() {
    let mut game = game("60s+0s");
    act(&mut game, Action::Interrupt(ANNA, seconds(10)), 14);
    assert_eq!(left(&game, ANNA, 30), 45, "15 of 20 s are given back");
    act(&mut game, Action::Reconnect(ANNA), 30);
    act(&mut game, Action::Interrupt(ANNA, seconds(30)), 31);
    assert_eq!(left(&game, ANNA, 50), 30, "5 of 20 s are left");
    act(&mut game, Action::Reconnect(ANNA), 50);
    act(&mut game, Action::Interrupt(ANNA, seconds(50)), 52);
    assert_eq!(left(&game, ANNA, 60), 20, "nothing is left");
    assert_eq!(game.board().clock_stands_until(), None);
    // The opponent has 20 s of their own.
    moves(&mut game, ANNA, 60);
    act(&mut game, Action::Interrupt(BENNO, seconds(60)), 64);
    assert_eq!(left(&game, BENNO, 70), 60);
}

#[test]
fn a_flag_falls_later_by_what_is_given_back() {
    let mut game = game("30s");
    act(&mut game, Action::Interrupt(ANNA, seconds(25)), 29);
    assert_eq!(game.due(), Some((0, Millis(45_001))));
    act(&mut game, Action::Tick, 45);
    assert!(!game.is_over());
    game.apply(0, Action::Tick, Millis(45_001)).expect("a tick");
    let end = game.board().end().expect("the time is up");
    assert!(matches!(end, End::Forfeit { seat: ANNA, reason: Fault::Time, .. }), "{end:?}");
    // A clock that had run out before does not stand.
    let mut late = self::game("30s");
    act(&mut late, Action::Interrupt(ANNA, seconds(31)), 32);
    assert_eq!(late.due(), Some((0, Millis(30_001))));
}

#[test]
fn only_the_own_turn_counts_and_pauses_do_not() {
    let mut game = game("60s+0s");
    act(&mut game, Action::Interrupt(BENNO, seconds(1)), 5);
    assert_eq!((left(&game, ANNA, 9), left(&game, BENNO, 9)), (51, 60), "it is not the turn of the silent");
    moves(&mut game, ANNA, 10);
    assert_eq!(left(&game, BENNO, 25), 60, "15 s from the beginning of the turn");
    assert_eq!(left(&game, BENNO, 26), 59);
    act(&mut game, Action::Pause, 15);
    assert_eq!(game.board().clock_stands_until(), None, "all clocks stand");
    act(&mut game, Action::Resume, 115);
    assert_eq!((left(&game, BENNO, 125), left(&game, BENNO, 126)), (60, 59), "10 s were left");
}

#[test]
fn what_is_stored_keeps_its_form() {
    let mut game = game("60s");
    act(&mut game, Action::Interrupt(ANNA, seconds(1)), 5);
    act(&mut game, Action::Reconnect(ANNA), 6);
    let lines: Vec<String> =
        game.log().iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
    assert!(
        lines[0].contains(r#""late":"loses","interruptions":{"each":15000,"all":20000}}"#),
        "{}",
        lines[0]
    );
    let stored = [
        r#"{"type":"interrupted","at":5000,"seat":0,"since":1000}"#,
        r#"{"type":"reconnected","at":6000,"seat":0}"#,
    ];
    assert_eq!(lines[1..], stored);
}

#[test]
fn nothing_is_given_back_where_that_was_not_agreed() {
    let mut game = self::game("60s+0s");
    let setup = Setup { policy: Policy::default(), ..game.board().setup().clone() };
    let setup = Setup { clocks: Vec::new(), ..setup };
    let mut without = Match::start(Arc::clone(game.rules()), setup, 1, Millis::ZERO).expect("a match");
    let known = without.event_count();
    without.apply(0, Action::Interrupt(ANNA, Millis::ZERO), seconds(5)).expect("it is taken");
    without.apply(0, Action::Reconnect(ANNA), seconds(6)).expect("it is taken");
    assert_eq!(without.event_count(), known);
    // What is said twice happens once.
    act(&mut game, Action::Interrupt(ANNA, seconds(1)), 5);
    let known = game.event_count();
    act(&mut game, Action::Interrupt(ANNA, seconds(4)), 6);
    assert_eq!(game.event_count(), known);
}
