//! Records as projections of matches and races: what is written can be resumed again, also from older files.

use std::sync::Arc;

use agon_core::Player;
use agon_core::random::scale;
use agon_erased::Rules;
use agon_match::{
    Action, BoardOrder, End, Fault, Goal, Late, Match, MatchSetup, Millis, Move, Occupant, Policy, Remark,
    Seat, Setup, TimeControl, TimePolicy,
};
use agon_records::{Record, RecordResult};
use agon_registry::GAMES;

fn seat(name: &str, occupant: &str) -> Seat {
    Seat { name: name.to_owned(), ..Seat::of(occupant.parse().expect("an occupant")) }
}

fn timed(control: &str) -> Policy {
    let control = TimeControl::parse(control).expect("a control");
    Policy { time: TimePolicy::new(control, Millis::ZERO), ..Policy::default() }
}

/// A match in which everybody picks moves by their seeds.
fn played(rules: Arc<dyn Rules>, policy: Policy, seats: Vec<Seat>, moves: usize) -> Match {
    let setup = Setup { seats, policy, ..Setup::default() };
    let mut game = Match::start(rules, setup, 11, Millis::ZERO).expect("a match");
    for number in 1..=moves as u64 {
        move_on(&mut game, Millis(number * 250));
    }
    game
}

fn move_on(game: &mut Match, now: Millis) {
    let Some(seat) = game.board().to_move() else { return };
    let mut legal = game.board().session().legal();
    let token = legal.swap_remove(scale(game.board().bot_seed(seat), legal.len() as u64) as usize);
    let remark =
        now.0.is_multiple_of(500).then(|| Remark { score: Some(-1.25), depth: Some(7), ..Remark::default() });
    game.apply(0, Action::Move(Move { remark, ..Move::new(seat, token) }), now).expect("a legal move");
}

fn written(record: &Record) -> Record {
    let text = record.to_string();
    let read = Record::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    assert_eq!(read, *record, "{text}");
    read.replay(GAMES).unwrap_or_else(|error| panic!("{error}:\n{text}"));
    read
}

fn taken_up(record: &Record) -> Match {
    written(record).to_match(GAMES, Millis::ZERO, |_| {}).expect("a record that holds")
}

#[test]
fn a_match_of_every_game_is_taken_up_from_its_record() {
    for entry in GAMES {
        let rules = entry.rules("").expect("good options");
        let seats: Vec<Seat> = (0..rules.seats().len())
            .map(|index| if index == 0 { Seat::person("Dana") } else { seat("bot", "greedy:eval=s1") })
            .collect();
        let mut game = played(rules, timed("5m+3s"), seats, 9);
        let record = Record::of(&game);
        assert_eq!(record.clock.as_deref(), Some("5m+3s"));
        let mut resumed = taken_up(&record);
        assert_eq!(Record::of(&resumed), record, "nothing was lost");
        assert_eq!(resumed.board().seats(), game.board().seats());
        for player in (0..game.board().seats().len() as u8).map(Player) {
            assert_eq!(
                resumed.board().time_left(player, Millis::ZERO),
                game.board().time_left(player, game.last_time())
            );
        }
        // The same bots go on with the same luck.
        for number in 10..20 {
            move_on(&mut game, Millis(number * 250));
            move_on(&mut resumed, Millis(number * 250));
        }
        assert_eq!(resumed.board().session().history(), game.board().session().history());
    }
}

#[test]
fn what_was_noted_about_plies_is_one_value_a_ply() {
    let othello = GAMES.rules("othello", "").expect("good options");
    let game = played(othello, Policy::default(), vec![Seat::person("Ada"), seat("x", "greedy")], 3);
    let record = Record::of(&game);
    assert_eq!(record.header("x-times"), Some("250ms 250ms 250ms"));
    assert_eq!(record.header("x-scores"), Some("- -1.25 -"));
    assert_eq!(record.header("x-depths"), Some("- 7 -"));
    assert_eq!((record.clock.as_deref(), record.header("x-clocks")), (None, None));
    let resumed = taken_up(&record);
    let note = resumed.board().ply(1).expect("a ply");
    assert_eq!((note.spent, note.remark.and_then(|remark| remark.depth)), (Some(Millis(250)), Some(7)));
    let chance = played(
        GAMES.rules("2048", "").expect("good options"),
        Policy::default(),
        vec![Seat::person("Ada")],
        1,
    );
    assert_eq!(Record::of(&chance).header("x-times"), Some("- - 250ms -"));
    // Notes that do not fit are as good as none.
    let mut unfit = record;
    unfit.extra.retain(|(key, _)| key != "x-times");
    unfit.extra.push(("x-times".to_owned(), "1s".to_owned()));
    assert_eq!(taken_up(&unfit).board().ply(0).and_then(|ply| ply.spent), None);
}

#[test]
fn a_command_with_bars_survives() {
    for command in ["ugi:a | b", "ugi:a || b", "jsonl:sh -c 'a|b'", "gtp:x |", "ugi:a ||| b |"] {
        let seats = vec![seat("Ada | Ben", "human"), seat("it", command)];
        let game = played(GAMES.rules("othello", "").expect("good options"), Policy::default(), seats, 2);
        let resumed = taken_up(&Record::of(&game));
        assert_eq!(resumed.board().seats()[1].occupant.to_string(), command);
        assert_eq!(resumed.board().seats()[0].name, "Ada / Ben");
    }
}

#[test]
fn results_are_those_of_the_end() {
    let othello = GAMES.rules("othello", "").expect("good options");
    let people = || vec![Seat::person("Ada"), Seat::person("Ben")];
    let fresh = || played(Arc::clone(&othello), timed("15s"), people(), 4);
    let forfeit = |reason: Fault| Action::Fault { seat: Player(1), reason, detail: "because".to_owned() };
    let ends = [
        (Action::Resign(Player(0)), "forfeit x (resigned)"),
        (Action::Tick, "forfeit x (late)"),
        (forfeit(Fault::Crash), "forfeit o (crash)"),
        (Action::Conclude(End::Agreed), "drawn (agreement)"),
        (Action::Conclude(End::Aborted { reason: agon_match::Abort::Stopped }), "*"),
    ];
    for (action, result) in ends {
        let mut game = fresh();
        game.apply(0, action, Millis(90_000)).expect("an end");
        let record = Record::of(&game);
        assert_eq!(record.result.as_ref().map(ToString::to_string).as_deref(), Some(result));
        let resumed = taken_up(&record);
        assert_eq!(
            resumed.board().end(),
            game.board().end().filter(|end| !matches!(end, End::Aborted { .. })),
            "{result}"
        );
    }
    let finished =
        played(GAMES.rules("othello", "size=4").expect("good options"), Policy::default(), people(), 20);
    assert!(matches!(finished.board().end(), Some(End::Rules { .. })));
    assert_eq!(taken_up(&Record::of(&finished)).board().end(), finished.board().end());
}

#[test]
fn a_seat_that_was_left_stays_last_when_the_game_is_taken_up() {
    let star = GAMES.rules("chinese-checkers", "seats=g/y/o").expect("good options");
    let people = ["Ada", "Ben", "Cleo"].map(Seat::person).to_vec();
    let mut game = played(star, Policy::default(), people, 4);
    game.apply(0, Action::Resign(Player(1)), Millis(5000)).expect("a resignation");
    move_on(&mut game, Millis(6000));
    let record = Record::of(&game);
    assert_eq!(record.header("x-forfeits"), Some("y 4 (resigned)"));
    assert_eq!(record.players[1], "Ben");
    let mut resumed = taken_up(&record);
    assert!(matches!(&resumed.board().seats()[1].occupant, Occupant::Bot(bot) if bot.name() == "medium"));
    resumed.apply(0, Action::Conclude(End::Agreed), Millis::ZERO).expect("an end");
    assert_eq!(resumed.ranking().last(), Some(&vec![1]));
    for bad in ["y 4", "y 4 (bored)", "z 4 (late)", "y 99 (late)", "y 4 (late) | y 4 (late)"] {
        let mut broken = record.clone();
        broken.extra.retain(|(key, _)| key != "x-forfeits");
        broken.extra.push(("x-forfeits".to_owned(), bad.to_owned()));
        assert!(broken.to_match(GAMES, Millis::ZERO, |_| {}).is_err(), "{bad}");
    }
}

#[test]
fn drivers_say_who_plays_and_how_strictly() {
    let othello = GAMES.rules("othello", "").expect("good options");
    let game = played(othello, timed("15s"), vec![Seat::person("Ada"), seat("x", "greedy")], 2);
    let resumed = Record::of(&game).to_match(GAMES, Millis(40), |setup| {
        setup.seats[0].name = "Dana".to_owned();
        setup.policy.time.late = Late::Counted;
    });
    let resumed = resumed.expect("a match");
    assert_eq!(
        (resumed.board().seats()[0].name.as_str(), resumed.last_time(), resumed.due()),
        ("Dana", Millis(40), None)
    );
}

#[test]
fn older_records_are_still_taken_up() {
    let old = "agon: 1\ngame: tablut\noptions: \nplayers: Dana | expert\nseed: 7\nclock: 1m+2s\nresult: *\n\
               x-seats: human | expert\nx-clocks: 42000ms | 60000ms\n\nd1d3\n";
    let game = Record::parse(old.as_bytes())
        .expect("a record")
        .to_match(GAMES, Millis::ZERO, |_| {})
        .expect("a match");
    assert_eq!(game.board().time_left(Player(0), Millis::ZERO), Some(Millis(42_000)));
    assert_eq!(game.board().time_left(Player(1), Millis(1000)), Some(Millis(59_000)));
    assert_eq!((game.seed(), game.board().seats()[1].occupant.to_string().as_str()), (7, "expert"));
    // Free words about time, and nobody's names.
    let old = "agon: 1\ngame: tablut\noptions: \nclock: 60s a move\nresult: forfeit w (late)\n\nd1d3\n";
    let game = Record::parse(old.as_bytes())
        .expect("a record")
        .to_match(GAMES, Millis::ZERO, |_| {})
        .expect("a match");
    assert!(matches!(game.board().end(), Some(End::Forfeit { reason: Fault::Time, .. })));
    assert!(game.board().seats().iter().all(Seat::is_person));
    for bad in ["x-seats: human", "x-seats: human |  ", "result: forfeit w (bored)"] {
        let text = format!("agon: 1\ngame: tablut\noptions: \n{bad}\n\nd1d3\n");
        assert!(
            Record::parse(text.as_bytes()).expect("a record").to_match(GAMES, Millis::ZERO, |_| {}).is_err(),
            "{bad}"
        );
    }
}

fn race(order: BoardOrder, goal: Goal, occupants: &[&str]) -> Match {
    let rules = GAMES.rules("2048", "").expect("good options");
    let setup = |occupant: &&str| Setup { seats: vec![seat(occupant, occupant)], ..Setup::default() };
    let boards = occupants.iter().map(setup).collect();
    Match::start(rules, MatchSetup { boards, order, goal }, 5, Millis::ZERO).expect("a race")
}

#[test]
fn a_race_is_taken_up_from_its_record() {
    for (order, occupants) in [
        (BoardOrder::Together, vec!["human", "greedy"]),
        (BoardOrder::InTurn, vec!["greedy", "human"]),
        (BoardOrder::Together, vec!["human", "greedy", "expert:time=1s", "human"]),
    ] {
        let mut race = race(order, Goal::Finish, &occupants);
        for number in 0..6 {
            let board = if order == BoardOrder::Together { number % occupants.len() } else { 0 };
            let token = race.boards()[board].session().legal().swap_remove(0);
            race.apply(board, Action::Move(Move::new(Player(0), token)), Millis(0)).expect("a move");
        }
        let record = Record::of(&race);
        assert_eq!(record.rival(), Some("greedy"));
        let resumed = written(&record).to_match(GAMES, Millis::ZERO, |_| {}).expect("one that holds");
        assert_eq!(Record::of(&resumed), record);
        assert_eq!((resumed.order(), resumed.race_ranking()), (order, race.race_ranking()));
        for (board, other) in resumed.boards().iter().zip(race.boards()) {
            assert_eq!(board.session().history(), other.session().history());
            assert_eq!(board.seats()[0].occupant, other.seats()[0].occupant);
        }
    }
}

#[test]
fn the_goal_of_a_race_is_kept_with_the_time_that_is_left() {
    let resume = |race: &Match| {
        let record = written(&Record::of(race));
        record.to_match(GAMES, Millis::ZERO, |_| {}).expect("one that holds")
    };
    let by = |goal| race(BoardOrder::Together, goal, &["human", "greedy"]);
    let mut moves = by(Goal::Moves(1));
    assert_eq!(resume(&moves).goal(), Goal::Moves(1));
    for board in 0..2 {
        let token = moves.boards()[board].session().legal().swap_remove(0);
        moves.apply(board, Action::Move(Move::new(Player(0), token)), Millis(0)).expect("a move");
    }
    assert!(moves.is_over() && resume(&moves).is_over());
    let mut time = by(Goal::Time(Millis(60_000)));
    let token = time.boards()[0].session().legal().swap_remove(0);
    time.apply(0, Action::Move(Move::new(Player(0), token)), Millis(15_000)).expect("a move");
    assert_eq!(resume(&time).goal(), Goal::Time(Millis(45_000)));
    time.apply(0, Action::Tick, Millis(60_000)).expect("the end");
    assert!(resume(&time).is_over());
    for bad in ["0 moves", "moves", "5", "-1s", "soon"] {
        let text = format!(
            "agon: 1\ngame: 2048\noptions: \nx-race: together\nx-race-goal: {bad}\nx-rival: greedy\n\n"
        );
        let record = Record::parse(text.as_bytes()).expect("a record");
        assert!(record.to_match(GAMES, Millis::ZERO, |_| {}).is_err(), "{bad}");
    }
}

#[test]
fn an_older_record_of_a_race_is_still_taken_up() {
    let board = &race(BoardOrder::Together, Goal::Finish, &["human", "greedy"]).boards()[0]
        .session()
        .history()
        .join(" ");
    for (header, order) in [("together", BoardOrder::Together), ("first", BoardOrder::InTurn)] {
        let old = format!(
            "agon: 1\ngame: 2048\noptions: \nseed: 5\nresult: *\nx-seats: human\nx-race: {header}\nx-rival: greedy\n\
             x-rival-moves: {board}\n\n{board}\n"
        );
        let record = Record::parse(old.as_bytes()).expect("a record");
        let race = record.to_match(GAMES, Millis::ZERO, |_| {}).expect("one that holds");
        assert_eq!((race.order(), race.boards().len()), (order, 2));
        let own = if order == BoardOrder::Together { 0 } else { 1 };
        assert!(race.boards()[own].seats()[0].is_person());
        assert_eq!(race.is_waiting(own), order == BoardOrder::InTurn);
    }
    let plain = Record::parse(b"agon: 1\ngame: 2048\noptions: \n\n").expect("a record");
    let one = plain.to_match(GAMES, Millis::ZERO, |_| {}).expect("a match");
    assert!(!one.is_race() && plain.rival().is_none());
    let lonely = Record::parse(b"agon: 1\ngame: 2048\noptions: \nx-race: together\n\n").expect("a record");
    assert!(lonely.to_match(GAMES, Millis::ZERO, |_| {}).is_err(), "a race needs a rival");
}

#[test]
fn a_record_continues_earlier_ones_of_its_game_and_no_others() {
    let othello = GAMES.rules("othello", "").expect("good options");
    let mut game = played(othello, Policy::default(), vec![Seat::person("Ada"), Seat::person("Ben")], 3);
    let earlier = Record::of(&game);
    move_on(&mut game, Millis(9000));
    let later = Record::of(&game);
    assert!(later.continues(&earlier) && earlier.continues(&later), "moves may have been taken back");
    assert!(!Record { seed: Some(99), ..later.clone() }.continues(&earlier));
    assert_eq!(later.result, Some(RecordResult::Unfinished));
}
