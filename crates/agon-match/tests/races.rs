//! Races: one sequence of luck, boards that move by themselves, one ranking.

use std::sync::Arc;

use agon_core::Player;
use agon_core::random::scale;
use agon_erased::{BotSpec, Budget, Limits, Rules};
use agon_match::{
    Action, Board, BoardOrder, End, Event, Goal, LogEvent, Match, MatchSetup, Millis, Move, Occupant, Policy,
    Refusal, ReplayError, Seat, Setup, StartError, TakeBackTo, TimeControl, TimePolicy,
};
use agon_registry::GAMES;

const ALONE: Player = Player(0);
const SIDE_BY_SIDE: Terms = Terms { order: BoardOrder::Together, goal: Goal::Finish };
const IN_TURN: Terms = Terms { order: BoardOrder::InTurn, goal: Goal::Finish };

/// What holds for all boards.
#[derive(Clone, Copy)]
struct Terms {
    order: BoardOrder,
    goal: Goal,
}

impl Terms {
    fn of(self, boards: Vec<Setup>) -> MatchSetup {
        MatchSetup { boards, order: self.order, goal: self.goal }
    }
}

/// Every game for one player that there is.
fn games_for_one() -> Vec<Arc<dyn Rules>> {
    let all = GAMES.iter().map(|entry| entry.rules("").expect("good options"));
    all.filter(|rules| rules.seats().len() == 1).collect()
}

fn setups(names: &[&str], control: &str) -> Vec<Setup> {
    let time = TimePolicy::new(TimeControl::parse(control).expect("a control"), Millis::ZERO);
    let seat = |name: &str| match name {
        "greedy" => Seat::of(Occupant::Bot(BotSpec::named("greedy"))),
        name => Seat::person(name),
    };
    let policy = Policy { time, ..Policy::default() };
    names
        .iter()
        .map(|name| Setup { seats: vec![seat(name)], policy: policy.clone(), ..Setup::default() })
        .collect()
}

fn race(rules: &Arc<dyn Rules>, names: &[&str], terms: Terms) -> Match {
    Match::start(Arc::clone(rules), terms.of(setups(names, "10m+0s")), 9, Millis::ZERO).expect("a race")
}

fn together(goal: Goal) -> Terms {
    Terms { order: BoardOrder::Together, goal }
}

/// A move picked by the seed that a bot would have.
fn next_move(board: &Board) -> Action {
    let mut legal = board.session().legal();
    let index = scale(board.bot_seed(ALONE), legal.len() as u64) as usize;
    Action::Move(Move::new(ALONE, legal.swap_remove(index)))
}

fn play(race: &mut Match, board: usize, now: u64) {
    let action = next_move(&race.boards()[board]);
    race.apply(board, action, Millis(now)).expect("a legal move");
}

fn finish(race: &mut Match, board: usize) {
    while race.boards()[board].end().is_none() {
        play(race, board, 0);
    }
}

#[test]
fn boards_move_by_themselves_with_the_same_luck() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["Ada", "greedy", "Ben"], SIDE_BY_SIDE);
        for step in 0..10 {
            play(&mut race, 0, step);
        }
        // The same moves meet the same draws, whoever was faster.
        for step in 10..20 {
            play(&mut race, 2, step);
        }
        let [first, second, third] = race.boards() else { panic!("three boards") };
        assert_eq!(first.session().history(), third.session().history());
        assert_eq!(second.moves_made(), 0);
        let ranking = race.race_ranking();
        assert_eq!(ranking[0], [0, 2], "a tie is shown as one");
        race.apply(0, Action::Resign(ALONE), Millis(30)).expect("a resignation");
        race.apply(1, Action::Resign(ALONE), Millis(30)).expect("a resignation");
        assert_eq!(
            race.race_ranking(),
            [vec![2], vec![0, 1]],
            "whoever gives up is last, whatever the points"
        );
    }
}

#[test]
fn in_turn_the_next_board_waits_and_its_clock_stands_still() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["greedy", "Ada"], IN_TURN);
        assert!(!race.is_waiting(0) && race.is_waiting(1));
        let early = next_move(&race.boards()[1]);
        for action in [early, Action::Resume] {
            assert_eq!(race.apply(1, action, Millis(5)).err(), Some(Refusal::NotYourTurn));
        }
        assert_eq!(race.due(), Some((0, Millis(600_001))));
        play(&mut race, 0, 500_000);
        race.apply(0, Action::Resign(ALONE), Millis(550_000)).expect("a resignation");
        assert!(!race.is_waiting(1));
        assert_eq!(race.due(), Some((1, Millis(1_150_001))), "the clock starts now");
        // A board that has begun is not stopped again.
        race.apply(0, Action::RequestTakeBack(ALONE, TakeBackTo::Choice), Millis(560_000))
            .expect("a request");
        play(&mut race, 1, 560_000);
        assert_eq!(race.apply(7, Action::Tick, Millis(5)).err(), Some(Refusal::NoSeat));
    }
}

#[test]
fn a_race_by_moves_ends_each_board_after_its_moves() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["Ada", "Ben"], together(Goal::Moves(5)));
        for _ in 0..5 {
            play(&mut race, 0, 0);
        }
        assert_eq!(race.boards()[0].end(), Some(&End::Goal));
        let further = Action::Move(Move::new(ALONE, race.boards()[0].session().legal().swap_remove(0)));
        assert_eq!(race.apply(0, further, Millis(1)).err(), Some(Refusal::Over));
        assert!(!race.is_over(), "the other board has its moves left");
        for _ in 0..5 {
            play(&mut race, 1, 2);
        }
        assert!(race.is_over());
        assert_eq!(race.race_ranking(), [[0, 1]], "the same moves, the same points");
    }
}

#[test]
fn a_race_against_time_ends_on_all_boards_at_once() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["Ada", "Ben", "greedy"], together(Goal::Time(Millis(60_000))));
        play(&mut race, 0, 10);
        assert_eq!(race.due(), Some((0, Millis(60_000))));
        race.apply(2, Action::Resign(ALONE), Millis(20)).expect("a resignation");
        race.apply(1, Action::Tick, Millis(59_999)).expect("a tick");
        assert!(!race.is_over());
        let before = race.boards()[1].moves_made();
        // A move that comes too late is not played.
        let late = next_move(&race.boards()[1]);
        let known = race.event_count();
        race.apply(1, late, Millis(60_000)).expect("the end");
        let events = race.event_count() - known;
        assert_eq!((events, race.boards()[1].moves_made()), (2, before));
        let ends: Vec<_> = race.boards().iter().map(Board::end).collect();
        assert!(
            matches!(ends[..], [Some(End::Goal), Some(End::Goal), Some(End::Forfeit { .. })]),
            "{ends:?}"
        );
        assert_eq!(race.due(), None);
    }
}

#[test]
fn a_race_is_decided_once_the_last_board_is_ahead_and_may_be_played_on() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["Ada", "Ben"], SIDE_BY_SIDE);
        let mut greedy = rules.bot(&BotSpec::named("greedy"), 1).expect("a bot");
        finish(&mut race, 0);
        let points = |race: &Match, board: usize| race.boards()[board].standing().expect("points").score;
        while race.boards()[1].end().is_none() {
            let is_ahead = points(&race, 1) > points(&race, 0);
            let expected = if is_ahead { vec![vec![1], vec![0]] } else { Vec::new() };
            assert_eq!(race.ranking(), expected, "{} and {}", points(&race, 0), points(&race, 1));
            assert!(!race.is_over(), "the last board goes on all the same");
            if is_ahead && points(&race, 1) > points(&race, 0) + 100 {
                break;
            }
            let budget = Budget::new(Limits::default());
            let thought = greedy.think(race.boards()[1].session(), &budget, &mut |_| {}).expect("a move");
            race.apply(1, Action::Move(Move::new(ALONE, thought.best)), Millis(0)).expect("a legal move");
        }
        assert!(points(&race, 1) > points(&race, 0), "this seed shows nothing");
        race.apply(1, Action::Resign(ALONE), Millis(0)).expect("a resignation");
        assert_eq!(race.ranking(), [[1], [0]], "giving up what is won changes nothing");
    }
}

#[test]
fn goals_that_make_no_sense_are_refused() {
    for rules in games_for_one() {
        let start = |order, goal| {
            let terms = Terms { order, goal };
            Match::start(Arc::clone(&rules), terms.of(setups(&["Ada", "Ben"], "none")), 9, Millis::ZERO).err()
        };
        for (order, goal) in
            [(BoardOrder::Together, Goal::Moves(0)), (BoardOrder::InTurn, Goal::Time(Millis(1)))]
        {
            assert!(matches!(start(order, goal), Some(StartError::Boards(_))), "{order:?} {goal:?}");
        }
        let mut race = race(&rules, &["Ada", "Ben"], SIDE_BY_SIDE);
        let claimed = race.apply(0, Action::Conclude(End::Goal), Millis(1)).err();
        assert_eq!(claimed, Some(Refusal::NotByRules), "only a goal ends a race so");
    }
}

#[test]
fn a_race_that_was_cut_anywhere_goes_on_as_one_that_was_not() {
    for rules in games_for_one() {
        for terms in [SIDE_BY_SIDE, IN_TURN, together(Goal::Moves(8)), together(Goal::Time(Millis(300)))] {
            let mut race = race(&rules, &["greedy", "Ada"], terms);
            let order = terms.order;
            // The board, and how long the log was after each move.
            let mut script = Vec::new();
            let mut lengths = vec![race.log().len()];
            for step in 0..60 {
                let board = match step {
                    0..40 => usize::from(order == BoardOrder::Together && step % 3 == 0),
                    40 => 0,
                    _ => 1,
                };
                let is_over = race.boards()[board].end().is_some();
                let action = match step {
                    40 => Action::Resign(ALONE),
                    _ if is_over => Action::Tick,
                    _ => next_move(&race.boards()[board]),
                };
                script.push((board, action.clone(), Millis(10 * step)));
                // A board that is over refuses further moves.
                let _ = race.apply(board, action, Millis(10 * step));
                lengths.push(race.log().len());
            }
            let log = race.log();
            for cut in 1..=log.len() {
                let line = |event| serde_json::to_string(event).expect("JSON");
                let json: Vec<String> = log[..cut].iter().map(line).collect();
                let json = json.join("\n");
                let events: Vec<LogEvent> =
                    json.lines().map(|line| LogEvent::from_json(line).expect("an event")).collect();
                let mut resumed = Match::replay(Arc::clone(&rules), &events).expect("its own events");
                let done = lengths.iter().position(|length| *length >= cut).expect("the log is that long");
                assert_eq!(resumed.log(), &log[..lengths[done]]);
                let mut followed = Match::replay(Arc::clone(&rules), &events).expect("its own events");
                followed.follow(cut, &log[cut..]).expect("its own events");
                assert_eq!(followed.log(), log);
                for (board, action, now) in &script[done..] {
                    let _ = resumed.apply(*board, action.clone(), *now);
                }
                assert_eq!(resumed.log(), log);
                assert_eq!((resumed.due(), resumed.race_ranking()), (race.due(), race.race_ranking()));
            }
        }
    }
}

#[test]
fn events_that_no_race_had_are_refused() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["greedy", "Ada"], IN_TURN);
        play(&mut race, 0, 1);
        let replay = |events: &[LogEvent]| Match::replay(Arc::clone(&rules), events).err();
        let log = race.log();
        assert_eq!(replay(&[]), Some(ReplayError::NotStarted));
        assert_eq!(replay(&log[1..]), Some(ReplayError::NotStarted));
        assert_eq!(replay(&race.public_log()), Some(ReplayError::HiddenSeed));
        for index in 1..log.len() {
            let mut doubled = log.clone();
            doubled.insert(index, log[index].clone());
            assert!(replay(&doubled).is_some(), "event {index} twice");
        }
        let mut elsewhere = log.clone();
        let Some(LogEvent { board, event: Event::Played(_) }) = elsewhere.last_mut() else {
            panic!("a draw")
        };
        *board = usize::MAX;
        assert!(replay(&elsewhere).is_some());
    }
}

#[test]
fn the_seed_is_hidden_until_all_boards_are_over() {
    for rules in games_for_one() {
        let mut race = race(&rules, &["greedy", "Ada"], IN_TURN);
        finish(&mut race, 0);
        let shows =
            |race: &Match| serde_json::to_string(&race.public_log()).expect("JSON").contains("\"seed\"");
        assert!(!shows(&race), "the luck of the other board could be foretold");
        finish(&mut race, 1);
        assert!(race.is_over() && shows(&race));
        assert_eq!(race.ranking(), [[0], [1]], "the same points, where a bot is ahead of a person");
    }
}

#[test]
fn races_that_make_no_sense_are_refused() {
    let refused = |game: &str, setups: Vec<Setup>| {
        let rules = GAMES.find(game).expect("a game").rules("").expect("good options");
        Match::start(rules, SIDE_BY_SIDE.of(setups), 1, Millis::ZERO).err()
    };
    assert!(matches!(refused("othello", setups(&["Ada", "Ben"], "none")), Some(StartError::Boards(_))));
    for count in [0, 7] {
        assert!(
            matches!(refused("2048", setups(&vec!["Ada"; count], "none")), Some(StartError::Boards(_))),
            "{count}"
        );
    }
    let mut unlike = setups(&["Ada", "Ben"], "none");
    unlike[1].position = Some("nonsense".to_owned());
    assert!(matches!(refused("2048", unlike), Some(StartError::Boards(_))));
}
