//! Drivers of matches: clocks, bots, chance, take-back, pauses, records.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_core::Player;
use agon_erased::Clock;
use agon_match::{
    Action, BoardOrder, End, Event, Fault, LogEvent, Millis, Occupant, PASS_PAUSE, Played, TimeControl,
};
use agon_records::{Record, RecordResult};
use agon_registry::GAMES;
use agon_terminal::driver::{Happening, MatchDriver, NewGame, read_player, seat_plans};

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

fn new_game(game: &str, options: &str, players: &[&str]) -> NewGame {
    let rules = GAMES.rules(game, options).expect("a game");
    let players = players.iter().map(|player| player.parse().expect("a player")).collect();
    NewGame::new(rules, players, "Dana", 7)
}

/// A race of a person against a bot that plays by chance.
fn new_race(order: BoardOrder) -> NewGame {
    new_game("2048", "", &["human"]).against("random".parse().expect("a bot"), order)
}

fn race(order: BoardOrder) -> MatchDriver {
    MatchDriver::start(new_race(order)).expect("a race")
}

fn start(game: &str, players: &[&str]) -> MatchDriver {
    MatchDriver::start(new_game(game, "", players)).expect("a game")
}

/// Lets the game go on until a person is to move, nothing can go on or the game is over, and gives what
/// happened.
fn settle(driver: &mut MatchDriver) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        match driver.advance(Duration::from_millis(50)) {
            Some(Happening::Event(event)) => events.push(event.event),
            Some(Happening::Failed) => return events,
            Some(Happening::Thought) => {}
            None if driver.is_over() || driver.person_to_move().is_some() => return events,
            None => {}
        }
    }
}

/// The event that comes next, without waiting for it.
fn happening(driver: &mut MatchDriver) -> Option<Event> {
    match driver.advance(Duration::ZERO) {
        Some(Happening::Event(LogEvent { event, .. })) => Some(event),
        _ => None,
    }
}

/// What was read from the text of a record.
fn reread(record: &Record) -> Record {
    Record::parse(record.to_string().as_bytes()).expect("a record")
}

#[test]
fn people_and_bots_take_turns() {
    let mut driver = start("othello", &["human", "greedy"]);
    assert!(settle(&mut driver).is_empty());
    assert!(driver.play("a1").is_err());
    driver.play_typed("(3,4)").expect("d3");
    assert!(driver.play("c3").is_err(), "it is the bot's turn");
    let events = settle(&mut driver);
    let [Event::Played(person), Event::Played(bot)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((person.seat, person.token.as_str()), (Some(Player(0)), "d3"));
    assert_eq!(bot.seat, Some(Player(1)));
    assert!(bot.remark.is_some() && person.remark.is_none());
    assert_eq!(driver.board().plies().count(), 2);
    driver.take_back().expect("there is a choice to go back to");
    assert!(driver.board().session().is_empty());
    assert!(driver.take_back().is_err());
}

#[test]
fn passes_are_made_and_told() {
    let mut new = new_game("othello", "size=4", &["human", "human"]);
    new.setup.boards[0].position = Some("ooox/ooxx/ooxx/1oxx o".to_owned());
    let mut driver = MatchDriver::start(new).expect("a game");
    assert!(driver.pass());
    let events = happening(&mut driver);
    assert!(matches!(&events, Some(Event::Played(Played { spent: Millis(0), .. }))), "{events:?}");
    assert!(driver.told(0).last_step().is_some_and(|step| step.is_pass()), "{events:?}");
}

/// A game in which White can only pass, and a clock that the test moves.
fn before_a_pass(control: &str) -> (MatchDriver, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let mut new = new_game("othello", "size=4", &["human", "human"])
        .with_clock(TimeControl::parse(control).expect("a control"));
    new.setup.boards[0].position = Some("ooox/ooxx/ooxx/1oxx o".to_owned());
    let driver = MatchDriver::start_by(new, Arc::clone(&clock) as Arc<dyn Clock>).expect("a game");
    (driver, clock)
}

/// People see that they pass: for a moment, or until they press a key.
#[test]
fn a_forced_pass_waits_until_it_is_noticed() {
    let (mut driver, clock) = before_a_pass("none");
    assert!(driver.awaits_pass());
    clock.pass(Duration::from(PASS_PAUSE) - Duration::from_millis(1));
    assert_eq!(driver.advance(Duration::ZERO), None);
    clock.pass(Duration::from_millis(1));
    assert!(matches!(happening(&mut driver), Some(Event::Played(_))));
    assert!(!driver.awaits_pass());

    let (mut driver, _) = before_a_pass("none");
    assert!(driver.pass(), "a key is enough");
    assert_eq!(driver.board().session().last_ply().as_deref(), Some("pass"));

    let (mut driver, clock) = before_a_pass("1s");
    clock.pass(Duration::from_secs(10));
    driver.advance(Duration::ZERO);
    assert_eq!(driver.board().session().len(), 1, "nobody loses on time for looking at a pass");
}

/// Against people a bot's move is held back until the pace allows it, however fast it was found.
#[test]
fn bots_keep_the_pace() {
    let clock = Arc::new(TestClock::default());
    let new = new_game("othello", "", &["human", "greedy"]);
    let mut driver = MatchDriver::start_by(new, Arc::clone(&clock) as Arc<dyn Clock>).expect("a game");
    driver.set_pace(Duration::from_millis(400));
    driver.play("d3").expect("a move");
    while driver.live().is_none() {
        driver.advance(Duration::from_millis(20));
    }
    clock.pass(Duration::from_millis(399));
    for _ in 0..5 {
        driver.advance(Duration::from_millis(1));
    }
    assert_eq!(driver.board().session().len(), 1, "it is held back");
    clock.pass(Duration::from_millis(1));
    settle(&mut driver);
    assert_eq!(driver.board().session().len(), 2);
}

#[test]
fn a_game_is_started_again_and_its_players_change_while_it_goes_on() {
    let mut driver = start("othello", &["human", "greedy"]);
    driver.play("d3").expect("a move");
    settle(&mut driver);
    let plans = seat_plans(driver.board(), "Dana");
    let labels: Vec<&str> = plans.iter().map(|plan| plan.label.as_str()).collect();
    assert_eq!(
        labels,
        [
            "You play Black against greedy",
            "You play White against greedy",
            "People at one screen",
            "You watch greedy",
        ]
    );
    let occupants = |driver: &MatchDriver| {
        driver.board().seats().iter().map(|seat| seat.occupant.to_string()).collect::<Vec<_>>().join(",")
    };
    driver.reseat(plans[1].seats.clone()).expect("the game goes on");
    assert_eq!(driver.board().session().len(), 2, "nothing is lost");
    settle(&mut driver);
    assert_eq!(driver.board().session().len(), 3, "the bot plays Black now");
    assert_eq!(occupants(&driver), "greedy,human");
    driver.restart(9).expect("a new game");
    assert!(driver.board().session().is_empty() && driver.board().seed() == 9);
    assert_eq!(occupants(&driver), "greedy,human", "a new game keeps the mode");
    let alone = seat_plans(start("2048", &["human"]).board(), "Dana");
    assert_eq!(alone[0].label, "You play");
    assert_eq!(alone[1].label, "You watch easy");

    let mut race = race(BoardOrder::Together);
    let legal = race.board().session().legal();
    race.play(&legal[0]).expect("a move");
    race.restart(9).expect("a new race");
    assert_eq!(race.game().moves_made(), 0);
    assert_eq!(race.game().boards()[1].seats()[0].name, "random");
}

#[test]
fn a_tie_goes_to_the_computer() {
    let race = race(BoardOrder::Together);
    assert_eq!(race.game().race_ranking(), [[1], [0]]);
    assert_eq!(
        agon_terminal::words::race_text(&race),
        "The computer won: a tie at 0 points goes to the computer."
    );
}

#[test]
fn whoever_branches_off_finds_everybody_in_their_seats() {
    let mut driver = start("othello", &["greedy", "human"]);
    settle(&mut driver);
    let record = reread(&driver.record());
    let session = driver.board().session();
    let rules = || Arc::clone(driver.board().rules());
    let seats = |record: &Record| {
        let new = NewGame::branching_off(rules(), session, record, "Avi", 1);
        let seats = new.setup.boards[0].seats.iter().map(|seat| format!("{}: {}", seat.name, seat.occupant));
        seats.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(seats(&record), "greedy: greedy, Avi: human");
    let unknown = Record::parse(b"agon: 1\ngame: othello\noptions: size=8\n\nd3\n").expect("a record");
    assert_eq!(seats(&unknown), "medium: medium, Avi: human", "the person plays for whoever is to move");
    let bots = start("othello", &["greedy", "random"]).record();
    assert_eq!(seats(&bots), "greedy: greedy, Avi: human");
    // Other programs note names only.
    let named = |players: &str| {
        let text = format!("agon: 1\ngame: othello\noptions: size=8\nplayers: {players}\n\nd3\n");
        seats(&Record::parse(text.as_bytes()).expect("a record"))
    };
    assert_eq!(named("guest | expert"), "Avi: human, expert: expert");
    assert_eq!(named("Dana | Noa"), "Dana: human, Noa: human");
    assert_eq!(named("Dana | expert:time=2s"), "Avi: human, expert:time=2s: expert:time=2s");
}

/// A record may come from anybody: it names programs, but they are not started.
#[test]
fn a_record_starts_no_program() {
    let driver = start("othello", &["human", "human"]);
    for header in ["players: guest | gtp:touch /tmp/x", "players: a | b\nx-seats: human | gtp:touch /tmp/x"] {
        let text = format!("agon: 1\ngame: othello\noptions: size=8\n{header}\n\nd3\n");
        let record = Record::parse(text.as_bytes()).expect("a record");
        let rules = Arc::clone(driver.board().rules());
        let new = NewGame::branching_off(rules, driver.board().session(), &record, "Avi", 1);
        let is_program = |seat: &agon_match::Seat| matches!(seat.occupant, Occupant::Program(_));
        assert!(
            !new.setup.boards[0].seats.iter().any(is_program),
            "{header}: {:?}",
            new.setup.boards[0].seats
        );
    }
}

#[test]
fn people_at_one_screen_have_names() {
    let players = ["human:Dana", "human"].map(|text| read_player(text).expect("a person"));
    let (players, names): (Vec<Occupant>, Vec<Option<String>>) = players.into_iter().unzip();
    let rules = GAMES.rules("othello", "").expect("a game");
    let new = NewGame::new(rules, players, "Guest", 1).with_names(&names);
    let seats: Vec<&str> = new.setup.boards[0].seats.iter().map(|seat| seat.name.as_str()).collect();
    assert_eq!(seats, ["Dana", "White"]);
}

/// A game with a minute and two seconds a move, whose first move took twenty seconds.
fn after_twenty_seconds() -> (MatchDriver, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let new = new_game("tablut", "", &["human", "human"])
        .with_clock(TimeControl::parse("1m+2s").expect("a control"));
    let mut driver = MatchDriver::start_by(new, Arc::clone(&clock) as Arc<dyn Clock>).expect("a game");
    clock.pass(Duration::from_secs(20));
    driver.play("d1d3").expect("a move");
    settle(&mut driver);
    (driver, clock)
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let (mut driver, clock) = after_twenty_seconds();
    assert_eq!(driver.time_left(Player(0)), Some(Duration::from_secs(42)));
    clock.pass(Duration::from_secs(60));
    assert_eq!(driver.time_left(Player(1)), Some(Duration::ZERO));
    assert_eq!(driver.advance(Duration::ZERO), None, "a busy machine makes nobody late");
    clock.pass(Duration::from_millis(101));
    let late = happening(&mut driver);
    let Some(Event::Ended { end, .. }) = late else { panic!("{late:?}") };
    assert_eq!(end, End::Forfeit { seat: Player(1), reason: Fault::Time, detail: String::new() });
    assert!(driver.is_over());
    assert!(matches!(driver.record().result, Some(RecordResult::Forfeit { seat, .. }) if seat == "w"));
    driver.record().replay(GAMES).expect("the record holds");
    // Taking back gives the time back too.
    driver.take_back().expect("a move");
    assert_eq!(driver.time_left(Player(0)), Some(Duration::from_secs(60)));
}

#[test]
fn luck_is_the_same_after_a_move_was_taken_back() {
    let mut driver = start("2048", &["human"]);
    let legal = driver.board().session().legal();
    driver.play(&legal[0]).expect("a move");
    let history = driver.board().session().history();
    driver.take_back().expect("a move");
    assert_eq!(driver.board().session().history(), history[..2]);
    driver.play(&legal[0]).expect("a move");
    assert_eq!(driver.board().session().history(), history);
}

/// What chance brings is told after the move that it follows, and what a move did can still be seen then.
#[test]
fn events_are_told_once_and_in_order() {
    let mut driver = start("2048", &["human"]);
    let told = settle(&mut driver);
    assert!(told.iter().all(|event| matches!(event, Event::Played(Played { seat: None, .. }))));
    assert_eq!(told.len(), 2, "{told:?}");
    let legal = driver.board().session().legal();
    driver.play(&legal[0]).expect("a move");
    assert_eq!(driver.board().session().len(), 4, "chance has acted already");
    let mut seats = || match driver.untold().map(|event| event.event) {
        Some(Event::Played(Played { seat, .. })) => Some((seat, driver.told(0))),
        _ => None,
    };
    let (seat, then) = seats().expect("the move");
    assert!(seat.is_some() && then.last_step().is_some_and(|step| step.heading.is_some()));
    let (seat, then) = seats().expect("the tile");
    assert!(seat.is_none() && then.chance_message().is_some());
    assert_eq!(driver.untold(), None);
}

#[test]
fn an_interrupted_game_goes_on_from_its_record() {
    let mut driver = start("othello", &["human", "greedy"]);
    driver.play("d3").expect("a move");
    settle(&mut driver);
    let resumed = MatchDriver::resume(GAMES, &reread(&driver.record()), "Avi").expect("a game");
    assert_eq!(resumed.board().session().position(), driver.board().session().position());
    assert_eq!(resumed.board().seats()[1].occupant.to_string(), "greedy");
    assert_eq!(resumed.board().seats()[0].name, "Avi", "whoever resumes it plays");
    assert_eq!(resumed.board().seed(), 7);
}

/// Bots that play by chance go on as if nothing had happened.
#[test]
fn a_resumed_bot_plays_as_an_uninterrupted_one() {
    let mut whole = start("loa", &["random", "random"]);
    let mut cut = start("loa", &["random", "random"]);
    let play = |driver: &mut MatchDriver, plies: usize| {
        while driver.board().session().len() < plies {
            driver.advance(Duration::from_millis(50));
        }
    };
    play(&mut whole, 12);
    for plies in [3, 4, 9, 12] {
        play(&mut cut, plies);
        cut = MatchDriver::resume(GAMES, &reread(&cut.record()), "Dana").expect("a game");
    }
    assert_eq!(cut.board().session().history(), whole.board().session().history());
}

#[test]
fn clocks_go_on_where_they_were() {
    let (driver, _) = after_twenty_seconds();
    let resumed = MatchDriver::resume(GAMES, &reread(&driver.record()), "Dana").expect("a game");
    assert_eq!(resumed.time_left(Player(0)), Some(Duration::from_secs(42)));
}

#[test]
fn a_game_against_a_command_with_a_bar_is_resumed() {
    let command = "jsonl:sh -c 'cat | true'";
    let mut driver = start("othello", &["human", command]);
    driver.play("d3").expect("a move");
    let resumed = MatchDriver::resume(GAMES, &reread(&driver.record()), "Dana").expect("a game");
    let seat = &resumed.board().seats()[1];
    assert_eq!((seat.name.as_str(), seat.occupant.to_string().as_str()), (command, command));
    assert_eq!(resumed.board().session().history(), ["d3"]);
}

/// Files that were written before there were matches, with one bar between the seats and the last reply
/// missing.
#[test]
fn older_records_are_taken_up() {
    let game = Record::parse(include_bytes!("records/game.txt")).expect("a record");
    let driver = MatchDriver::resume(GAMES, &game, "Dana").expect("a game");
    let seats = driver.board().seats().iter().map(|seat| format!("{}: {}", seat.name, seat.occupant));
    assert!(seats.eq(["Dana: human", "expert:time=200ms,tt=off: expert:time=200ms,tt=off"]));
    assert_eq!(driver.board().session().history(), ["d3"]);
    assert_eq!(driver.board().policy().time.common(), TimeControl::parse("5m+3s").ok().as_ref());
    let left = [0, 1].map(|seat| driver.board().clocks().left(Player(seat), Millis::ZERO));
    assert_eq!(left, [Some(Millis(301_991)), Some(Millis(300_000))]);
    assert!(!driver.game().is_race());

    let race = |text: &[u8]| {
        let record = Record::parse(text).expect("a record");
        let race = MatchDriver::resume(GAMES, &record, "Dana").expect("it holds");
        let rival = rival_of(&race);
        let names = [race.own(), rival].map(|board| race.game().boards()[board].seats()[0].name.as_str());
        assert_eq!(names, ["Dana", "random"]);
        // The tile that followed the last move was not written.
        let history = race.board().session().history();
        assert_eq!(history[..record.moves.len()], record.moves);
        assert_eq!(history.len(), record.moves.len() + 1);
        race
    };
    let together = race(include_bytes!("records/race-together.txt"));
    assert_eq!(together.game().order(), BoardOrder::Together);
    assert_eq!(together.game().boards()[rival_of(&together)].moves_made(), 2);
    let first = race(include_bytes!("records/race-first.txt"));
    assert_eq!(first.game().order(), BoardOrder::InTurn);
    assert!(first.game().boards()[rival_of(&first)].end().is_some() && first.person_to_move().is_some());
}

#[test]
fn a_bot_that_fails_can_be_replaced() {
    let mut driver = start("othello", &["human", "jsonl:true"]);
    driver.play("d3").expect("a move");
    settle(&mut driver);
    let failure = driver.failure().expect("a program that says nothing fails");
    let player = failure.seat;
    assert_eq!(player, Player(1));
    assert!(!failure.reason.is_empty());
    assert!(driver.play("c3").is_err(), "the seat is the program's");
    driver.take_over(player, "Dana").expect("the game goes on");
    assert!(driver.failure().is_none());
    driver.play("c3").expect("the seat is a person's now");
}

/// A bot that waits is not asked, uses no time, and makes one move when it may.
#[test]
fn bots_wait_while_paused_and_step() {
    let clock = Arc::new(TestClock::default());
    let new = new_game("othello", "", &["random", "random"])
        .with_clock(TimeControl::parse("1m+1s").expect("a control"));
    let mut driver = MatchDriver::start_by(new, Arc::clone(&clock) as Arc<dyn Clock>).expect("a game");
    driver.set_paused(true);
    assert!(matches!(happening(&mut driver), Some(Event::Paused { .. })));
    for _ in 0..20 {
        clock.pass(Duration::from_secs(60));
        assert_eq!(driver.advance(Duration::from_secs(60)), None, "nothing is waited for");
    }
    assert_eq!(driver.time_left(Player(0)), Some(Duration::from_secs(60)));
    driver.step();
    // The thread is waited for, however long it takes; no time passes on the match's own line.
    while driver.board().session().is_empty() {
        driver.advance(Duration::from_secs(1));
    }
    while driver.advance(Duration::from_secs(60)).is_some() {}
    assert_eq!(driver.board().session().len(), 1);
    assert!(driver.board().is_paused());
    assert_eq!(driver.time_left(Player(0)), Some(Duration::from_secs(61)));
    assert_eq!(driver.time_left(Player(1)), Some(Duration::from_secs(60)));
}

/// Among three, a player who resigns leaves a bot to play on for the others, and may change their mind.
#[test]
fn a_bot_plays_on_for_somebody_who_gives_up_among_three() {
    let options = "seats=g/y/r";
    let mut driver =
        MatchDriver::start(new_game("chinese-checkers", options, &["human", "random", "random"]))
            .expect("a game");
    driver.act(Action::Resign(Player(0))).expect("the game goes on");
    assert!(!driver.is_over() && !driver.has_people());
    assert_eq!(driver.board().seats()[0].occupant.to_string(), "medium");
    driver.take_back().expect("a resignation can be taken back");
    assert!(driver.has_people());
    assert_eq!(driver.person_to_move(), Some(Player(0)));
    driver.act(Action::Resign(Player(0))).expect("the game goes on");
    let again = driver.again(8);
    assert_eq!(again.setup.boards[0].seats[0].occupant, Occupant::Person, "another game is theirs again");
}

/// The only board of a race that is not the person's.
fn rival_of(race: &MatchDriver) -> usize {
    race.rivals().next().expect("a rival")
}

/// What has been played on each board of a race.
fn histories(race: &MatchDriver) -> Vec<Vec<String>> {
    race.game().boards().iter().map(|board| board.session().history()).collect()
}

/// Lets the bots of a race move until they wait for the person or have played to the end.
fn let_bots_play(race: &mut MatchDriver) {
    while race.awaits_bot() {
        race.advance(Duration::from_secs(1));
    }
}

#[test]
fn rivals_have_the_same_luck_and_wait_for_the_person() {
    let mut race = race(BoardOrder::Together);
    let boards = histories(&race);
    assert_eq!(boards[0], boards[1], "the same tiles");
    assert!(race.person_to_move().is_some() && !race.awaits_bot());
    let legal = race.board().session().legal();
    race.play(&legal[0]).expect("a move");
    assert!(race.awaits_bot());
    let_bots_play(&mut race);
    assert_eq!(race.game().boards()[rival_of(&race)].moves_made(), 1);

    let mut race = self::race(BoardOrder::InTurn);
    assert!(race.person_to_move().is_none() && race.awaits_bot());
    let legal = race.board().session().legal();
    assert!(race.play(&legal[0]).is_err(), "the computer plays first");
    let_bots_play(&mut race);
    race.play(&legal[0]).expect("now the person plays");
    let resumed = MatchDriver::resume(GAMES, &reread(&race.record()), "Dana").expect("it holds");
    assert_eq!(histories(&resumed), histories(&race));
}

/// A race that was interrupted takes the course that it would have taken: the same tiles, the same moves of
/// the bot, and the bot still waits for the person.
#[test]
fn an_interrupted_race_goes_on_from_its_record() {
    let round = |race: &mut MatchDriver| {
        let legal = race.board().session().legal();
        race.play(&legal[0]).expect("a move");
        let_bots_play(race);
    };
    let mut whole = race(BoardOrder::Together);
    let mut cut = race(BoardOrder::Together);
    for _ in 0..6 {
        round(&mut whole);
        round(&mut cut);
        cut = MatchDriver::resume(GAMES, &reread(&cut.record()), "Avi").expect("it holds");
        assert!(cut.game().is_race() && !cut.awaits_bot());
        let made: Vec<usize> = cut.game().boards().iter().map(|board| board.moves_made()).collect();
        assert_eq!(made, [cut.board().moves_made(); 2]);
        assert_eq!(cut.board().seats()[0].name, "Avi", "whoever resumes it plays");
    }
    assert_eq!(histories(&cut), histories(&whole));
    // One who leaves before the bot has answered finds it at its move.
    let legal = cut.board().session().legal();
    cut.play(&legal[0]).expect("a move");
    let resumed = MatchDriver::resume(GAMES, &reread(&cut.record()), "Avi").expect("it holds");
    assert!(resumed.awaits_bot());
}

/// Nothing but the first bot's thinking is waited for, yet all bots keep up with the person.
#[test]
fn several_bots_race_a_person() {
    let third = "random".parse().expect("a bot");
    let new = new_race(BoardOrder::Together).against(third, BoardOrder::Together);
    let mut race = MatchDriver::start(new).expect("a race");
    for moves in 1..4 {
        let legal = race.board().session().legal();
        race.play(&legal[0]).expect("a move");
        let_bots_play(&mut race);
        let made: Vec<usize> = race.game().boards().iter().map(|board| board.moves_made()).collect();
        assert_eq!(made, [moves; 3]);
    }
    race.act(Action::Resign(Player(0))).expect("a person may give up");
    race.skip();
    let_bots_play(&mut race);
    assert!(race.is_over(), "the bots play to the end of their games");
    assert!(agon_terminal::words::race_text(&race).starts_with("The computer won: "));
}

#[test]
fn wrong_games_are_refused_with_a_reason() {
    let refused = |game: &str, players: &[&str]| {
        MatchDriver::start(new_game(game, "", players)).err().expect("it is refused").to_string()
    };
    assert!(refused("othello", &["human"]).contains("1 given for the 2 seats"));
    assert!(refused("othello", &["human", "gredy"]).contains("greedy"));
    let refused = |new: NewGame, rival: &str| {
        let race = MatchDriver::start(new.against(rival.parse().expect("a player"), BoardOrder::InTurn));
        race.err().expect("it is refused").to_string()
    };
    assert!(refused(new_game("othello", "", &["human", "human"]), "random").contains("one player"));
    assert!(refused(new_game("2048", "", &["human"]), "human").contains("against a bot"));
}
