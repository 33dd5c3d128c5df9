//! What holds in a match outside the rules of its game: clocks, ends, offers, taking back, seats, luck.

use std::sync::Arc;

use agon_core::{Player, Turn};
use agon_erased::{BotSpec, OpenError, Rules};
use agon_match::{
    Abort, Action, Board, End, Event, Fault, Faults, Late, LogEvent, Match, Millis, Move, MoveRequest,
    Occupant, PASS_PAUSE, PastPly, PlyNote, Policy, Refusal, Seat, Setup, StartError, TakeBackTo,
    TimeControl, TimePolicy, fault_message,
};
use agon_registry::GAMES;

const FIRST: Player = Player(0);
const SECOND: Player = Player(1);
const THIRD: Player = Player(2);

fn rules(game: &str, options: &str) -> Arc<dyn Rules> {
    GAMES.find(game).expect("a game").rules(options).expect("good options")
}

/// People who each decide for themselves, and a bot where the name is that of one.
fn seats(names: &[&str]) -> Vec<Seat> {
    let seat = |(index, name): (usize, &&str)| match *name {
        "greedy" => Seat::of(Occupant::Bot(BotSpec::named("greedy"))),
        name => Seat { controller: index as u32, ..Seat::person(name) },
    };
    names.iter().enumerate().map(seat).collect()
}

fn start(game: &str, options: &str, names: &[&str], policy: Policy) -> Match {
    let setup = Setup { seats: seats(names), policy, ..Setup::default() };
    Match::start(rules(game, options), setup, 7, Millis::ZERO).expect("a match")
}

/// A game of three.
fn three(names: [&str; 3], policy: Policy) -> Match {
    start("chinese-checkers", "seats=g/y/o", &names, policy)
}

fn timed(control: &str, grace: u64, late: Late) -> Policy {
    let control = TimeControl::parse(control).expect("a control");
    Policy { time: TimePolicy { late, ..TimePolicy::new(control, Millis(grace)) }, ..Policy::default() }
}

/// Does what must not be refused, and names the events.
fn act(game: &mut Match, action: Action, now: u64) -> Vec<String> {
    let known = game.event_count();
    game.apply(0, action, Millis(now)).expect("it may be done");
    kinds(&game.log()[known..])
}

/// The player to move makes some legal move.
fn move_on(game: &mut Match, now: u64) {
    let seat = game.board().to_move().expect("somebody is to move");
    let token = game.board().session().legal().swap_remove(0);
    act(game, Action::Move(Move::new(seat, token)), now);
}

fn refusal(game: &mut Match, action: Action) -> Refusal {
    let log = game.log();
    let refusal = game.apply(0, action, Millis(1_000_000)).expect_err("it is refused");
    assert_eq!(game.log(), log, "a refusal changes nothing");
    refusal
}

fn kinds(events: &[LogEvent]) -> Vec<String> {
    let kind = |event: &LogEvent| {
        let json = serde_json::to_value(event).expect("JSON");
        json["type"].as_str().unwrap_or_default().to_owned()
    };
    events.iter().map(kind).collect()
}

fn choice(seat: Player) -> Action {
    Action::RequestTakeBack(seat, TakeBackTo::Choice)
}

#[test]
fn moves_are_made_in_turn_typed_or_as_records_have_them() {
    let mut game = start("othello", "", &["Ada", "Ben"], Policy::default());
    assert_eq!(refusal(&mut game, Action::Move(Move::new(SECOND, "d3"))), Refusal::NotYourTurn);
    assert!(matches!(refusal(&mut game, Action::Move(Move::new(FIRST, "a1"))), Refusal::Illegal(_)));
    assert!(matches!(refusal(&mut game, Action::Move(Move::new(FIRST, "D3"))), Refusal::Illegal(_)));
    let typed = Move::requested(FIRST, MoveRequest::Typed(" D 3".to_owned()));
    game.apply(0, Action::Move(typed), Millis(900)).expect("a legal move");
    assert!(
        matches!(&game.board().events().collect::<Vec<_>>()[..], [Event::Played(played)] if played.token == "d3" && played.spent == Millis(900))
    );
    let note = game.board().ply(0).expect("a ply");
    assert_eq!((note.mover, note.token, note.spent), (Turn::Player(FIRST), "d3", Some(Millis(900))));
    assert_eq!(game.board().to_move(), Some(SECOND));
    // The time line never runs back.
    move_on(&mut game, 100);
    assert_eq!(game.last_time(), Millis(900));
}

#[test]
fn a_match_goes_on_from_a_position_and_moves() {
    let othello = rules("othello", "size=4");
    let setup = |position: &str, moves: &[&str]| Setup {
        position: Some(position.to_owned()),
        moves: moves.iter().map(|token| (*token).into()).collect(),
        seats: seats(&["Ada", "Ben"]),
        ..Setup::default()
    };
    let started = |setup: Setup| Match::start(Arc::clone(&othello), setup, 1, Millis(50));
    let begun =
        rules("othello", "size=4").start_from("4/1xo1/1oo1/4 x").expect("a position").legal().swap_remove(0);
    let mut game = started(setup("4/1xo1/1oo1/4 x", &[&begun])).expect("a match");
    assert_eq!((game.board().to_move(), game.board().plies().count()), (Some(SECOND), 1));
    assert_eq!(game.board().ply(0).and_then(|ply| ply.spent), None, "nobody noted it");
    act(&mut game, choice(FIRST), 60);
    act(&mut game, Action::GrantTakeBack(SECOND), 60);
    assert!(game.board().session().is_empty());
    assert!(matches!(started(setup("nonsense", &[])), Err(StartError::Open(OpenError::Position(_)))));
    let twice = started(setup("4/1xo1/1oo1/4 x", &[&begun, &begun]));
    assert!(matches!(twice, Err(StartError::Open(OpenError::Move { number: 2, .. }))));
    // A game that is over already.
    let over = started(setup("xxxx/xxxx/xxxx/xxxx x", &[])).expect("a match");
    assert!(matches!(over.board().end(), Some(End::Rules { .. })));
}

#[test]
fn setups_that_do_not_hold_are_refused() {
    let othello = rules("othello", "");
    let refused =
        |setup: Setup| Match::start(Arc::clone(&othello), setup, 1, Millis::ZERO).expect_err("it is refused");
    let good = || Setup { seats: seats(&["Ada", "Ben"]), ..Setup::default() };
    let short = refused(Setup { seats: seats(&["Ada"]), ..Setup::default() });
    assert_eq!(short.to_string(), "players: 1 given for the 2 seats x, o");
    assert_eq!(refused(Setup { seats: seats(&["Ada", "Ben\n"]), ..good() }), StartError::Name);
    let clocks = refused(Setup { clocks: vec![Millis(5); 2], ..good() });
    assert!(matches!(clocks, StartError::Clocks { given: 2, .. }), "there are none in a game without time");
    let controls = vec![TimeControl::None; 3];
    let policy = Policy { time: TimePolicy { controls, ..TimePolicy::default() }, ..Policy::default() };
    assert!(matches!(refused(Setup { policy, ..good() }), StartError::Clocks { given: 3, .. }));
    let forfeit = agon_match::Forfeit { seat: FIRST, ply: 0, reason: Fault::Resigned };
    assert_eq!(refused(Setup { forfeits: vec![forfeit], ..good() }), StartError::Forfeits);
}

#[test]
fn a_flag_falls_after_the_time_and_the_grace() {
    let mut game = start("tablut", "", &["Ada", "Ben"], timed("1m+2s", 50, Late::Loses));
    assert_eq!(game.board().due(), Some(Millis(60_051)));
    move_on(&mut game, 20_000);
    assert_eq!(game.board().time_left(FIRST, Millis(20_000)), Some(Millis(42_000)));
    assert_eq!(game.board().time_left(SECOND, Millis(50_000)), Some(Millis(30_000)));
    let due = game.board().due().expect("a flag can fall");
    assert_eq!(due, Millis(80_051));
    assert!(act(&mut game, Action::Tick, due.0 - 1).is_empty());
    let end = End::Forfeit { seat: SECOND, reason: Fault::Time, detail: String::new() };
    game.apply(0, Action::Tick, due).expect("a tick");
    assert_eq!(game.board().events().last(), Some(Event::Ended { at: due, end }));
    assert_eq!((game.board().due(), game.board().time_left(SECOND, due)), (None, Some(Millis::ZERO)));
    assert_eq!(game.board().ranking(), [[FIRST], [SECOND]]);
    assert_eq!(refusal(&mut game, Action::Resign(FIRST)), Refusal::Over);
}

#[test]
fn a_late_move_loses_or_is_counted() {
    for (late, kind) in [(Late::Loses, "ended"), (Late::Counted, "played")] {
        let mut game = start("tablut", "", &["Ada", "Ben"], timed("1s", 20, late));
        move_on(&mut game, 1020);
        assert!(!game.board().ply(0).expect("a ply").late, "neither over the time nor the grace");
        move_on(&mut game, 2041);
        assert_eq!(kinds(&game.log()[2..]), [kind]);
        assert_eq!(game.board().ply(1).is_some_and(|ply| ply.late), late == Late::Counted);
        assert_eq!(game.board().due(), None, "{late:?}: nobody loses by a late move that is only counted");
    }
    // The thinking time of a bot counts, not when its move is shown.
    let mut game = start("tablut", "", &["Ada", "Ben"], timed("1s", 0, Late::Loses));
    let token = game.board().session().legal().swap_remove(0);
    let quick = Move { spent: Some(Millis(10)), ..Move::new(FIRST, token) };
    assert_eq!(act(&mut game, Action::Move(quick), 5000), ["played"]);
}

#[test]
fn clocks_stand_still_in_a_pause() {
    let mut game = start("tablut", "", &["Ada", "Ben"], timed("1m+2s", 0, Late::Loses));
    act(&mut game, Action::Pause, 10_000);
    assert_eq!(
        (game.board().due(), game.board().time_left(FIRST, Millis(90_000))),
        (None, Some(Millis(50_000)))
    );
    assert_eq!(refusal(&mut game, Action::Move(Move::new(FIRST, "d1d3"))), Refusal::Paused);
    assert_eq!(refusal(&mut game, Action::Pause), Refusal::Paused);
    assert!(act(&mut game, Action::Tick, 100_000).is_empty());
    act(&mut game, Action::Resume, 110_000);
    assert_eq!(refusal(&mut game, Action::Resume), Refusal::NotPaused);
    assert_eq!(game.board().due(), Some(Millis(160_001)));
    act(&mut game, Action::Move(Move::new(FIRST, "d1d3")), 115_000);
    assert_eq!(game.board().time_left(FIRST, Millis(115_000)), Some(Millis(47_000)));
}

#[test]
fn taking_back_gives_the_time_back_and_needs_consent() {
    let mut game = start("tablut", "", &["Ada", "Ben"], timed("1m+2s", 0, Late::Loses));
    move_on(&mut game, 20_000);
    move_on(&mut game, 30_000);
    assert_eq!(act(&mut game, choice(FIRST), 31_000), ["take_back_requested"]);
    assert_eq!(
        game.board().take_back_request(),
        Some((FIRST, 0)),
        "both plies, for the choice was the first"
    );
    assert_eq!(refusal(&mut game, choice(SECOND)), Refusal::OfferPending);
    assert_eq!(
        refusal(&mut game, Action::GrantTakeBack(FIRST)),
        Refusal::NoOffer,
        "nobody grants their own request"
    );
    assert_eq!(refusal(&mut game, Action::AcceptDraw(SECOND)), Refusal::NoOffer);
    act(&mut game, Action::DeclineTakeBack(SECOND), 32_000);
    assert_eq!((game.board().take_back_request(), game.board().plies().count()), (None, 2));
    act(&mut game, choice(SECOND), 33_000);
    assert_eq!(act(&mut game, Action::GrantTakeBack(FIRST), 34_000), ["take_back_granted", "taken_back"]);
    assert_eq!((game.board().plies().count(), game.board().to_move()), (1, Some(SECOND)));
    assert_eq!(game.board().time_left(SECOND, Millis(34_000)), Some(Millis(60_000)));
    assert_eq!(game.board().time_left(FIRST, Millis(34_000)), Some(Millis(42_000)));
    // An answer that comes after the next move comes too late.
    act(&mut game, choice(FIRST), 35_000);
    move_on(&mut game, 36_000);
    assert_eq!(refusal(&mut game, Action::GrantTakeBack(SECOND)), Refusal::NoOffer);
}

#[test]
fn bots_and_people_who_share_a_screen_let_moves_be_taken_back_at_once() {
    let mut game = start("othello", "", &["Ada", "greedy"], Policy::default());
    assert_eq!(refusal(&mut game, choice(FIRST)), Refusal::NothingToTakeBack);
    move_on(&mut game, 1);
    move_on(&mut game, 2);
    assert_eq!(act(&mut game, choice(FIRST), 3), ["take_back_requested", "taken_back"]);
    assert!(game.board().session().is_empty(), "back to the person's choice");
    let mut game = start("othello", "", &["greedy", "greedy"], Policy::default());
    move_on(&mut game, 1);
    move_on(&mut game, 2);
    act(&mut game, choice(FIRST), 3);
    assert_eq!(game.board().session().len(), 1, "where only bots play, the last move");
    let setup = Setup { seats: vec![Seat::person("Ada"), Seat::person("Ben")], ..Setup::default() };
    let mut game = Match::start(rules("othello", ""), setup, 7, Millis::ZERO).expect("a match");
    move_on(&mut game, 1);
    act(&mut game, choice(SECOND), 3);
    assert!(game.board().session().is_empty());
}

#[test]
fn passes_and_draws_of_chance_are_taken_back_with_the_choice_before_them() {
    let setup = Setup {
        position: Some("ooox/ooxx/ooxx/1oxx o".to_owned()),
        seats: vec![Seat::person("Ada"), Seat::person("Ben")],
        ..Setup::default()
    };
    let mut game = Match::start(rules("othello", "size=4"), setup, 7, Millis::ZERO).expect("a match");
    act(&mut game, Action::Move(Move::new(SECOND, "pass")), 1);
    move_on(&mut game, 2);
    assert!(matches!(game.board().end(), Some(End::Rules { .. })));
    act(&mut game, choice(SECOND), 3);
    assert_eq!(
        (game.board().session().len(), game.board().end()),
        (1, None),
        "nobody had a choice: the last move of all"
    );
    let mut game = start("2048", "", &["Ada"], Policy::default());
    assert_eq!(kinds(&game.log()), ["started", "played", "played"], "chance draws by itself");
    move_on(&mut game, 1);
    let history = game.board().session().history();
    let first = game.board().ply(2).expect("a move").token.to_owned();
    act(&mut game, choice(FIRST), 2);
    assert_eq!((game.board().session().history(), game.board().moves_made()), (history[..2].to_vec(), 0));
    act(&mut game, Action::Move(Move::new(FIRST, first)), 3);
    assert_eq!(game.board().session().history(), history, "the same luck");
}

#[test]
fn moves_are_counted_without_draws_of_chance() {
    fn check(board: &Board) {
        let is_move = |note: &PlyNote| note.mover != Turn::Chance;
        let movers: Vec<bool> = board.plies().map(|note| is_move(&note)).collect();
        let made = |ply: usize| movers[..ply].iter().filter(|is_move| **is_move).count();
        for ply in 0..=movers.len() {
            assert_eq!(board.moves_before(ply), made(ply), "{movers:?}");
        }
        let moves: Vec<usize> = (0..movers.len()).filter(|ply| movers[*ply]).collect();
        let found: Vec<usize> = (0..moves.len()).map(|index| board.ply_of_move(index)).collect();
        assert_eq!(found, moves);
        assert_eq!(board.ply_of_move(moves.len()), movers.len(), "there is no such move");
        assert_eq!(board.moves_made(), moves.len());
    }
    let mut game = start("2048", "", &["Ada"], Policy::default());
    check(game.board());
    for now in 1..8 {
        move_on(&mut game, now);
        check(game.board());
    }
    act(&mut game, choice(FIRST), 8);
    check(game.board());
    let setup = game.board().setup();
    let moves =
        game.board().plies().map(|note| PastPly { token: note.token.to_owned(), ..PastPly::default() });
    let setup = Setup { moves: moves.collect(), ..setup };
    let mut game = Match::start(rules("2048", ""), setup, 7, Millis::ZERO).expect("a match");
    check(game.board());
    move_on(&mut game, 1);
    check(game.board());
}

#[test]
fn an_end_outside_the_rules_can_be_taken_back() {
    let mut game = start("tablut", "", &["Ada", "greedy"], timed("1m+2s", 0, Late::Loses));
    move_on(&mut game, 1000);
    move_on(&mut game, 2000);
    act(&mut game, Action::Resign(FIRST), 3000);
    assert_eq!(game.board().ranking(), [[SECOND], [FIRST]]);
    act(&mut game, choice(FIRST), 9000);
    assert_eq!((game.board().end(), game.board().plies().count()), (None, 2), "the resignation alone");
    assert_eq!(game.board().time_left(FIRST, Millis(9000)), Some(Millis(61_000)));
    act(&mut game, Action::Tick, 90_000);
    assert!(matches!(game.board().end(), Some(End::Forfeit { reason: Fault::Time, .. })));
    act(&mut game, choice(FIRST), 95_000);
    assert_eq!((game.board().end(), game.board().plies().count()), (None, 0), "to the last choice");
}

#[test]
fn a_draw_needs_every_other_person_and_no_bot() {
    let mut game = start("othello", "", &["Ada", "Ben"], Policy::default());
    act(&mut game, Action::OfferDraw(FIRST), 1);
    assert_eq!(game.board().draw_offer(), Some(FIRST));
    move_on(&mut game, 2);
    assert_eq!(refusal(&mut game, Action::AcceptDraw(SECOND)), Refusal::NoOffer, "it lapsed with the move");
    act(&mut game, Action::OfferDraw(FIRST), 3);
    assert_eq!(act(&mut game, Action::AcceptDraw(SECOND), 4), ["draw_accepted", "ended"]);
    assert_eq!((game.board().end(), game.board().ranking()), (Some(&End::Agreed), vec![vec![FIRST, SECOND]]));

    let mut game = start("othello", "", &["Ada", "greedy"], Policy::default());
    assert_eq!(act(&mut game, Action::OfferDraw(FIRST), 1), ["draw_offered", "draw_declined"]);
    assert_eq!(game.board().draw_offer(), None);

    let mut game = three(["Ada", "Ben", "Cleo"], Policy::default());
    act(&mut game, Action::OfferDraw(SECOND), 1);
    act(&mut game, Action::AcceptDraw(THIRD), 1);
    assert_eq!(refusal(&mut game, Action::AcceptDraw(THIRD)), Refusal::NoOffer, "one answer each");
    assert_eq!(game.board().end(), None);
    act(&mut game, Action::AcceptDraw(FIRST), 1);
    assert_eq!(game.board().end(), Some(&End::Agreed));

    let mut alone = start("2048", "", &["Ada"], Policy::default());
    assert_eq!(refusal(&mut alone, Action::OfferDraw(FIRST)), Refusal::NoOpponent);
}

#[test]
fn whoever_leaves_a_game_of_three_is_played_on_and_ranked_last() {
    let mut game = three(["Ada", "Ben", "greedy"], timed("1m+0s", 0, Late::Loses));
    move_on(&mut game, 1000);
    assert_eq!(act(&mut game, Action::Resign(SECOND), 2000), ["forfeited"]);
    assert_eq!((game.board().end(), game.board().to_move()), (None, Some(SECOND)), "never skipped");
    assert_eq!(game.board().seats()[1].occupant, Occupant::Bot(BotSpec::named("medium")));
    assert_eq!(game.board().seats()[1].name, "Ben");
    assert_eq!(
        (game.board().due(), game.board().time_left(SECOND, Millis(2000))),
        (None, None),
        "no clock runs for the bot"
    );
    for action in [Action::Resign(SECOND), Action::OfferDraw(SECOND)] {
        assert_eq!(refusal(&mut game, action), Refusal::NotPlaying);
    }
    let left = game.board().forfeits().map(|forfeit| (forfeit.seat, forfeit.ply, forfeit.reason));
    assert_eq!(left.collect::<Vec<_>>(), [(SECOND, 1, Fault::Resigned)]);
    move_on(&mut game, 500_000);
    assert_eq!(game.board().to_move(), Some(THIRD));
    // Those who stay are ranked before those who have left.
    act(&mut game, Action::Conclude(End::Agreed), 500_000);
    assert_eq!(game.board().ranking(), [vec![FIRST, THIRD], vec![SECOND]]);
}

#[test]
fn a_seat_that_was_left_is_last_even_if_its_bot_wins() {
    let mut game = three(["Ada", "Ben", "Cleo"], Policy::default());
    act(&mut game, Action::Resign(FIRST), 1);
    // Whatever comes of it, the order of the others is that of the rules.
    for step in 0..100_000_u64 {
        let Some(seat) = game.board().to_move() else { break };
        let legal = game.board().session().legal();
        let index = agon_core::random::scale(game.board().bot_seed(seat), legal.len() as u64) as usize;
        act(&mut game, Action::Move(Move::new(seat, legal[index].as_str())), step);
    }
    assert!(matches!(game.board().end(), Some(End::Rules { .. })), "games of people have a limit by default");
    let rules: Vec<Player> =
        game.board().session().ranking().into_iter().flatten().filter(|seat| *seat != FIRST).collect();
    let ranking = game.board().ranking();
    assert_eq!(ranking.last(), Some(&vec![FIRST]));
    assert_eq!(ranking[..ranking.len() - 1].concat(), rules);
}

#[test]
fn a_resignation_from_a_game_of_three_can_be_taken_back() {
    let mut game = three(["Ada", "greedy", "greedy"], Policy::default());
    for now in 0..3 {
        move_on(&mut game, now);
    }
    act(&mut game, Action::Resign(FIRST), 4);
    move_on(&mut game, 5);
    act(&mut game, choice(FIRST), 6);
    assert_eq!((game.board().plies().count(), game.board().to_move()), (3, Some(FIRST)));
    assert!(game.board().seats()[0].is_person() && !game.board().has_forfeited(FIRST));
}

#[test]
fn the_last_who_stays_has_won() {
    let mut game = three(["Ada", "Ben", "Cleo"], Policy::default());
    act(&mut game, Action::Resign(THIRD), 1);
    act(&mut game, Action::Resign(FIRST), 2);
    assert!(matches!(game.board().end(), Some(End::Forfeit { seat: FIRST, reason: Fault::Resigned, .. })));
    assert_eq!(game.board().ranking(), [[SECOND], [FIRST], [THIRD]]);
}

#[test]
fn a_fault_ends_a_game_of_three_in_tournaments_only() {
    for (faults, kind) in [(Faults::End, "ended"), (Faults::PlayOn, "forfeited")] {
        let fresh = || three(["Ada", "Ben", "Cleo"], Policy { faults, ..timed("1s", 0, Late::Loses) });
        let mut game = fresh();
        let fault = Action::Fault { seat: SECOND, reason: Fault::Memory, detail: "x".repeat(10_000) };
        assert_eq!(act(&mut game, fault, 1), [kind]);
        assert!(
            serde_json::to_string(&game.log()).expect("JSON").len() < 6000,
            "what is kept of it is bounded"
        );
        assert_eq!(act(&mut fresh(), Action::Tick, 5000), [kind]);
        assert_eq!(act(&mut fresh(), Action::Resign(FIRST), 1), ["forfeited"]);
    }
}

#[test]
fn seats_change_hands_and_matches_are_broken_off() {
    let mut game = start("othello", "", &["Ada", "greedy"], timed("1m+0s", 0, Late::Loses));
    move_on(&mut game, 1000);
    act(&mut game, Action::ReplaceSeat(SECOND, Seat::person("Ben")), 31_000);
    assert!(game.board().seats()[1].is_person());
    assert_eq!(
        game.board().time_left(SECOND, Millis(31_000)),
        Some(Millis(60_000)),
        "a newcomer starts thinking now"
    );
    assert_eq!(refusal(&mut game, Action::ReplaceSeat(THIRD, Seat::person("Ben"))), Refusal::NoSeat);
    assert_eq!(refusal(&mut game, Action::ReplaceSeat(FIRST, Seat::person("\n"))), Refusal::Name);
    let rules = End::Rules { verdict: agon_core::Verdict::Drawn, reason: "discs".to_owned() };
    assert_eq!(refusal(&mut game, Action::Conclude(rules)), Refusal::NotByRules);
    let end = End::Aborted { reason: Abort::TooLong };
    act(&mut game, Action::Conclude(end.clone()), 40_000);
    assert_eq!((game.board().end(), game.board().ranking()), (Some(&end), Vec::new()));
}

#[test]
fn the_seed_is_hidden_until_the_end() {
    let mut game = start("2048", "", &["Ada"], Policy::default());
    let shown = |game: &Match| serde_json::to_string(&game.public_log()).expect("JSON");
    assert!(!shown(&game).contains("seed"));
    assert!(serde_json::to_string(&game.log()).expect("JSON").contains("\"seed\":\"7\""));
    act(&mut game, Action::Resign(FIRST), 1);
    assert!(shown(&game).contains("\"seed\":\"7\""));
}

#[test]
fn a_bots_randomness_depends_on_seed_seat_and_ply_alone() {
    let mut game = start("othello", "", &["greedy", "greedy"], Policy::default());
    let first = game.board().bot_seed(FIRST);
    assert_ne!(first, game.board().bot_seed(SECOND));
    move_on(&mut game, 1);
    assert_ne!(first, game.board().bot_seed(FIRST));
    act(&mut game, Action::RequestTakeBack(FIRST, TakeBackTo::Ply(0)), 2);
    assert_eq!(first, game.board().bot_seed(FIRST));
}

#[test]
fn faults_have_the_words_of_records() {
    for fault in Fault::ALL {
        assert_eq!(fault.word().parse(), Ok(fault));
        assert_eq!(serde_json::to_string(&fault).expect("JSON"), format!("\"{fault}\""));
    }
    assert_eq!(Fault::Time.word(), "late");
    assert!("time".parse::<Fault>().is_err());
}

#[test]
fn results_are_good_grammar_for_one_winner_and_for_many() {
    let told = |names: [&str; 2], language: &str| {
        let mut game = start("tablut", "", &names, Policy::default());
        assert_eq!(game.board().result_message().text, "Unfinished");
        act(&mut game, Action::Resign(SECOND), 1);
        game.rules().text(language, &game.board().result_message())
    };
    assert_eq!(told(["Attackers", "Defenders"], "en"), "Defenders resigned: Attackers won");
    assert_eq!(told(["Dana", "Noa"], "en"), "Noa (Defenders) resigned: Dana (Attackers) won");
    assert_eq!(told(["Attackers", "Defenders"], "he"), "כניעה של מגינים; ניצחון של תוקפים");

    let mut three = three(["Dana", "Noa", "Avi"], Policy::default());
    assert_eq!(three.board().result_message().text, "Unfinished");
    act(&mut three, Action::Conclude(End::Aborted { reason: Abort::Stopped }), 1);
    assert_eq!(three.board().result_message().text, "The game was abandoned");

    let rules = rules("loa", "");
    for fault in Fault::ALL {
        let told = fault_message(&*rules, fault, "", "Dana".to_owned().into());
        assert!(told.text.starts_with("Dana "), "{told}");
        assert_ne!(rules.text("he", &told), told.text, "{told}");
    }
    let told = fault_message(&*rules, Fault::Crash, "it ran out of ink", "Dana".to_owned().into());
    assert_eq!(told.text, "Dana forfeited the game: it ran out of ink");
}

/// A game that comes to a forced pass when the bits of `path` choose the first or the last move, and the time then.
fn forced_to_pass(names: &[&str; 2], policy: &Policy, path: u32) -> Option<(Match, u64)> {
    let mut game = start("othello", "size=4", names, policy.clone());
    for ply in 0.. {
        let steps = game.board().session().steps();
        let is_pass = matches!(steps.as_slice(), [(_, step)] if step.is_pass());
        let has_people = game.board().due_person().is_some();
        assert_eq!(game.board().forced_pass().is_some(), is_pass && has_people, "asked at every ply");
        if is_pass {
            return Some((game, 10 * ply));
        }
        let seat = game.board().to_move()?;
        let (token, _) = if path >> ply & 1 == 0 { steps.first()? } else { steps.last()? };
        act(&mut game, Action::Move(Move::new(seat, token.as_str())), 10 * (ply + 1));
    }
    None
}

#[test]
fn whoever_can_only_pass_is_shown_it_and_then_passes_without_losing_time() {
    let clock = timed("1s", 0, Late::Loses);
    for names in [["Ada", "Ben"], ["greedy", "greedy"]] {
        let (mut game, now) = (0..).find_map(|path| forced_to_pass(&names, &clock, path)).expect("a pass");
        let mover = game.board().to_move().expect("the game goes on");
        if names[0] == "greedy" {
            assert_eq!(game.board().forced_pass(), None, "bots are asked");
            assert_eq!(game.due(), Some((0, Millis(now + 1001))), "and may be late");
            continue;
        }
        // The clock would run out before the pause is over: nobody loses by that.
        let due = now + 1001;
        assert!(due < now + PASS_PAUSE.0);
        assert_eq!(game.due(), Some((0, Millis(due))));
        assert!(act(&mut game, Action::Tick, due - 1).is_empty());
        assert_eq!(act(&mut game, Action::Tick, due)[0], "played");
        let note = game.board().plies().next_back().expect("a ply");
        assert_eq!((note.mover, note.spent), (Turn::Player(mover), Some(Millis::ZERO)));
        assert!(!matches!(game.board().end(), Some(End::Forfeit { .. })));
        let mut paused = start("othello", "size=4", &names, Policy::default());
        act(&mut paused, Action::Pause, 0);
        assert_eq!((paused.board().due_person(), paused.due()), (None, None), "nobody is due in a pause");
    }
}
