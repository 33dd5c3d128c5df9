//! The table: clocks, bots, chance, take-back, records.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_arena::RecordResult;
use agon_core::{Player, Turn};
use agon_registry::Clock;
use agon_terminal::table::{Event, Forfeit, Setup, Table, TimeControl};

/// A clock that a test moves.
#[derive(Default)]
struct TestClock(AtomicU64);

impl TestClock {
    fn pass(&self, time: Duration) {
        self.0.fetch_add(time.as_millis() as u64, Ordering::Relaxed);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

fn setup(game: &str, seats: &[&str]) -> Setup {
    Setup {
        game: game.to_owned(),
        options: String::new(),
        position: None,
        moves: Vec::new(),
        seats: seats.iter().map(|seat| (*seat).to_owned()).collect(),
        person: "Dana".to_owned(),
        clock: TimeControl::None,
        seed: 7,
    }
}

/// Lets the table go on until a person is to move or the game is over, and gives what happened.
fn settle(table: &mut Table) -> Vec<Event> {
    let mut events = Vec::new();
    while !table.is_over() && table.failure().is_none() {
        match table.advance(Duration::from_millis(50)) {
            Some(Event::Thought) => {}
            Some(event) => events.push(event),
            None if table.person_to_move().is_some() => break,
            None => {}
        }
    }
    events
}

#[test]
fn people_and_bots_take_turns() {
    let mut table = Table::new(&setup("othello", &["human", "greedy"])).expect("a table");
    assert!(settle(&mut table).is_empty());
    assert!(table.play("a1").is_err());
    table.play_typed("(3,4)").expect("d3");
    assert!(table.play("c3").is_err(), "it is the bot's turn");
    let events = settle(&mut table);
    assert!(matches!(&events[..], [Event::Played { mover: Turn::Player(Player(1)), is_pass: false, .. }]));
    assert_eq!(table.notes().len(), 2);
    assert!(table.notes()[1].thought.is_some());
    assert!(table.take_back());
    assert_eq!(table.session().history().len(), 0);
    assert!(!table.take_back());
}

#[test]
fn passes_are_made_and_told() {
    let mut setup = setup("othello", &["human", "human"]);
    setup.options = "size=4".to_owned();
    setup.position = Some("ooox/ooxx/ooxx/1oxx o".to_owned());
    let mut table = Table::new(&setup).expect("a table");
    let events = settle(&mut table);
    assert!(matches!(&events[0], Event::Played { is_pass: true, .. }), "{events:?}");
}

/// A game with a minute and two seconds a move, whose first move took twenty seconds.
fn after_twenty_seconds() -> (Table, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let mut setup = setup("tablut", &["human", "human"]);
    setup.clock = TimeControl::parse("1m+2s").expect("a control");
    let mut table = Table::with_clock(&setup, Arc::clone(&clock) as Arc<dyn Clock>).expect("a table");
    clock.pass(Duration::from_secs(20));
    table.play("d1d3").expect("a move");
    (table, clock)
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let (mut table, clock) = after_twenty_seconds();
    assert_eq!(table.time_left(Player(0)), Some(Duration::from_secs(42)));
    clock.pass(Duration::from_secs(59));
    assert_eq!(table.advance(Duration::ZERO), None);
    clock.pass(Duration::from_secs(1));
    assert_eq!(table.advance(Duration::ZERO), Some(Event::TimeUp(Player(1))));
    assert_eq!(table.forfeit(), Some(Forfeit::Time(Player(1))));
    assert!(table.is_over());
    assert!(matches!(table.result(), RecordResult::Forfeit { seat, .. } if seat == "w"));
    table.record().replay().expect("the record holds");
    // Taking back gives the time back too.
    assert!(table.take_back());
    assert_eq!(table.time_left(Player(0)), Some(Duration::from_secs(60)));
}

#[test]
fn luck_is_the_same_after_a_move_was_taken_back_and_for_a_rival() {
    let mut table = Table::new(&setup("2048", &["human"])).expect("a table");
    settle(&mut table);
    let legal = table.session().legal();
    table.play(&legal[0]).expect("a move");
    settle(&mut table);
    let history = table.session().history();
    assert!(table.take_back());
    assert_eq!(table.session().history(), history[..2]);
    table.play(&legal[0]).expect("a move");
    settle(&mut table);
    assert_eq!(table.session().history(), history);
    let mut rival = Table::new(&setup("2048", &["human"])).expect("a table");
    settle(&mut rival);
    assert_eq!(rival.session().history(), history[..2]);
}

#[test]
fn an_interrupted_game_goes_on_from_its_record() {
    let mut table = Table::new(&setup("othello", &["human", "greedy"])).expect("a table");
    table.play("d3").expect("a move");
    settle(&mut table);
    let record = table.record();
    let read = agon_arena::Record::parse(record.to_string().as_bytes()).expect("a record");
    let resumed = Table::resume(&read, "Dana").expect("a table");
    assert_eq!(resumed.session().position(), table.session().position());
    assert_eq!(resumed.seats()[1].specification, "greedy");
    assert_eq!(resumed.seats()[0].name, "Dana");
    assert_eq!(resumed.seed(), 7);
}

#[test]
fn clocks_go_on_where_they_were() {
    let (table, _) = after_twenty_seconds();
    let read = agon_arena::Record::parse(table.record().to_string().as_bytes()).expect("a record");
    let resumed = Table::resume(&read, "Dana").expect("a table");
    assert_eq!(resumed.time_left(Player(0)), Some(Duration::from_secs(42)));
}

#[test]
fn a_bot_that_fails_can_be_replaced() {
    let mut table = Table::new(&setup("othello", &["human", "jsonl:true"])).expect("a table");
    table.play("d3").expect("a move");
    settle(&mut table);
    let (player, reason) = table.failure().expect("a program that says nothing fails");
    assert_eq!(player, Player(1));
    assert!(!reason.is_empty());
    table.take_over(player, "Dana");
    assert!(table.failure().is_none());
    table.play("c3").expect("the seat is a person's now");
}

#[test]
fn bots_wait_while_paused_and_step() {
    let mut table = Table::new(&setup("othello", &["random", "random"])).expect("a table");
    table.set_paused(true);
    for _ in 0..20 {
        assert_eq!(table.advance(Duration::from_millis(5)), None);
    }
    table.step();
    let began = std::time::Instant::now();
    while table.session().history().is_empty() && began.elapsed() < Duration::from_secs(60) {
        table.advance(Duration::from_millis(20));
    }
    for _ in 0..20 {
        table.advance(Duration::from_millis(5));
    }
    assert_eq!(table.session().history().len(), 1);
}

#[test]
fn wrong_tables_are_refused_with_a_reason() {
    let refused = |setup: &Setup| Table::new(setup).err().expect("it is refused").to_string();
    assert!(refused(&setup("othello", &["human"])).contains("1 given for the 2 seats"));
    assert!(refused(&setup("othello", &["human", "gredy"])).contains("greedy"));
    assert!(refused(&setup("go", &["human"])).contains("there is no game"));
}
