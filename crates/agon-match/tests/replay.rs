//! A match that is cut at any event, stored as JSON and replayed goes on exactly as one that was never cut, clocks
//! included; and no list of events makes the replay panic.

use std::collections::BTreeSet;
use std::sync::Arc;

use agon_core::Player;
use agon_core::random::{Rng, below, scale, seeded};
use agon_erased::{BotSpec, Rules};
use agon_match::{
    Abort, Action, End, Event, Fault, Faults, Interruptions, Late, LogEvent, Match, Millis, Move,
    MoveRequest, Occupant, Policy, Remark, ReplayError, Seat, Setup, TakeBackTo, TimeControl, TimePolicy,
};
use agon_registry::GAMES;
use proptest::prelude::*;

/// Every game of the registry, in all of its variants.
fn all_rules() -> Vec<Arc<dyn Rules>> {
    GAMES.variants().map(|(entry, options)| entry.rules(options).expect(options)).collect()
}

/// Something that a driver does: a bot's move is found when it is made.
#[derive(Clone, Debug)]
enum RandomAction {
    Bot { spent: Option<Millis>, score: f64 },
    Act(Action),
}

/// The bot of these tests: it picks a legal move by its seed alone.
fn pick(game: &Match, seat: Player) -> String {
    let mut legal = game.board().session().legal();
    let index = scale(game.board().bot_seed(seat), legal.len() as u64) as usize;
    legal.swap_remove(index)
}

fn perform(game: &mut Match, action: &RandomAction, now: Millis) {
    let action = match action {
        RandomAction::Act(action) => action.clone(),
        RandomAction::Bot { spent, score } => {
            let Some(seat) = game.board().to_move() else { return };
            let remark = Some(Remark { score: Some(*score), depth: Some(3), ..Remark::default() });
            Action::Move(Move { spent: *spent, remark, ..Move::new(seat, pick(game, seat)) })
        }
    };
    // What is refused changes nothing, which the comparison of the logs shows.
    let _ = game.apply(0, action, now);
}

fn random_action(game: &Match, rng: &mut Rng) -> RandomAction {
    // Now and then a seat that does not exist.
    let seats = game.board().seats().len() as u64 + u64::from(below(rng, 20) == 0);
    let seat = Player(below(rng, seats) as u8);
    // Offers are answered soon, or nobody would ever agree.
    let kinds = if game.board().draw_offer().is_some() { 5 } else { 40 };
    RandomAction::Act(match below(rng, kinds) {
        0 => Action::Resign(seat),
        1..=2 => Action::OfferDraw(seat),
        3 => Action::AcceptDraw(seat),
        4 => Action::DeclineDraw(seat),
        5 => Action::RequestTakeBack(seat, TakeBackTo::Choice),
        6 => Action::RequestTakeBack(
            seat,
            TakeBackTo::Ply(below(rng, 1 + game.board().plies().count() as u64) as usize),
        ),
        7..=8 => Action::GrantTakeBack(seat),
        9 => Action::DeclineTakeBack(seat),
        10..=12 => Action::Tick,
        13 => Action::Pause,
        14..=15 => Action::Resume,
        16 => {
            Action::ReplaceSeat(seat, Seat { controller: 1 + u32::from(seat.0), ..Seat::person("new | one") })
        }
        17 => Action::Fault { seat, reason: Fault::Crash, detail: "it fell over".to_owned() },
        18 if below(rng, 4) == 0 => Action::Conclude(End::Aborted { reason: Abort::TooLong }),
        // A move out of turn or one that is none.
        19 => Action::Move(Move::requested(seat, MoveRequest::Typed("nonsense".to_owned()))),
        20 => Action::Move(Move::new(seat, pick_any(game))),
        21..=22 => Action::Interrupt(seat, game.last_time().minus(Millis(below(rng, 1000)))),
        23..=24 => Action::Reconnect(seat),
        _ => {
            let spent = (below(rng, 2) == 0).then(|| Millis(below(rng, 2500)));
            return RandomAction::Bot { spent, score: below(rng, 1000) as f64 / 8.0 };
        }
    })
}

fn pick_any(game: &Match) -> String {
    game.board().session().legal().pop().unwrap_or_default()
}

fn random_setup(rules: &dyn Rules, rng: &mut Rng) -> Setup {
    let controls = ["none", "2s", "10s+1s", "5m+3s"];
    let mut control = |_| TimeControl::parse(controls[below(rng, 4) as usize]).expect("a control");
    let seats = rules.seats().len();
    let mut controls: Vec<TimeControl> = (0..seats).map(&mut control).collect();
    if seats % 2 == 1 {
        controls.truncate(1);
    }
    let late = if below(rng, 3) == 0 { Late::Counted } else { Late::Loses };
    let time = TimePolicy {
        controls,
        grace: Millis(below(rng, 2) * 100),
        late,
        interruptions: Interruptions { each: Millis(below(rng, 3) * 500), all: Millis(below(rng, 3) * 700) },
    };
    let faults = if below(rng, 2) == 0 { Faults::End } else { Faults::PlayOn };
    let mut seat = |index: usize| match below(rng, 3) {
        0 => Seat::of(Occupant::Bot(BotSpec::named("greedy"))),
        kind => Seat { controller: kind as u32 * index as u32, ..Seat::person(format!("person {index}")) },
    };
    Setup {
        seats: (0..seats).map(&mut seat).collect(),
        policy: Policy { time, faults, ..Policy::default() },
        ..Setup::default()
    }
}

fn stored(events: &[LogEvent]) -> Vec<LogEvent> {
    let lines: Vec<String> =
        events.iter().map(|event| serde_json::to_string(event).expect("events can be written")).collect();
    lines.iter().map(|line| LogEvent::from_json(line).expect("and read")).collect()
}

/// All that a driver can see of a match.
fn seen(game: &Match, now: Millis) -> impl PartialEq + std::fmt::Debug {
    let players = || (0..game.board().seats().len() as u8).map(Player);
    (
        (
            game.log(),
            game.board().session().position(),
            game.board().session().history(),
            game.board().seats().to_vec(),
        ),
        (
            players().map(|seat| game.board().time_left(seat, now)).collect::<Vec<_>>(),
            game.board().due(),
            game.board().thinking_time(now),
        ),
        (
            players().map(|seat| game.board().bot_seed(seat)).collect::<Vec<_>>(),
            game.board().ranking(),
            game.board().to_move(),
        ),
        (
            game.board().draw_offer(),
            game.board().take_back_request(),
            game.board().is_paused(),
            game.board().end().cloned(),
            game.board().moves_made(),
        ),
    )
}

#[test]
fn a_match_that_was_cut_anywhere_goes_on_as_one_that_was_not() {
    let mut kinds = BTreeSet::new();
    for (number, rules) in all_rules().into_iter().enumerate() {
        for round in 0..12 {
            let seed = 100 * number as u64 + round;
            let mut rng = seeded(seed);
            let setup = random_setup(&*rules, &mut rng);
            let mut game = Match::start(Arc::clone(&rules), setup, seed, Millis(7)).expect("a match");
            let mut now = Millis(7);
            // What was done, when, and how long the log was before and after.
            let mut script = Vec::new();
            let mut lengths = vec![game.log().len()];
            for _ in 0..70 {
                let wait = if below(&mut rng, 12) == 0 { 8000 } else { 700 };
                now = now.plus(Millis(below(&mut rng, wait)));
                let action = random_action(&game, &mut rng);
                perform(&mut game, &action, now);
                script.push((action, now));
                lengths.push(game.log().len());
            }
            let log = game.log();
            kinds.extend(
                log.iter().map(|entry| std::mem::discriminant(&entry.event)).map(|kind| format!("{kind:?}")),
            );
            let cuts = (0..8).map(|_| 1 + below(&mut rng, log.len() as u64) as usize);
            for cut in cuts.chain([1, log.len()]) {
                let mut resumed = Match::replay(Arc::clone(&rules), &stored(&log[..cut]))
                    .unwrap_or_else(|error| panic!("{} cut at {cut}: {error}", rules.spec().id));
                let done = lengths.iter().position(|length| *length >= cut).expect("the log is that long");
                assert_eq!(
                    resumed.log(),
                    &log[..lengths[done]],
                    "what follows from the last action follows again"
                );
                assert_eq!(resumed.last_time(), log[lengths[done] - 1].event.at());
                for (action, now) in &script[done..] {
                    perform(&mut resumed, action, *now);
                }
                assert_eq!(seen(&resumed, now), seen(&game, now), "{} cut at {cut}", rules.spec().id);
            }
        }
    }
    assert_eq!(kinds.len(), 16, "every kind of event has happened");
}

#[test]
fn a_match_can_be_followed_while_it_is_written_down() {
    let (rules, log) = short();
    for step in 1..log.len() {
        let mut followed = Match::replay(Arc::clone(&rules), &stored(&log[..1])).expect("its own events");
        for from in (1..log.len()).step_by(step) {
            let to = log.len().min(from + step);
            followed.follow(from, &stored(&log[from..to])).expect("its own events");
            assert_eq!(followed.log(), Match::replay(Arc::clone(&rules), &log[..to]).expect("a match").log());
        }
        assert_eq!(followed.log(), log);
        followed.follow(log.len(), &[]).expect("nothing more happens");
        let beyond = followed.follow(log.len() + 1, &[]);
        assert_eq!(beyond, Err(ReplayError::Unexpected { index: log.len() + 1 }), "an event is missing");
        let again = followed.follow(log.len(), &log[1..2]);
        assert!(again.is_err(), "a match that is over goes on");
    }
}

#[test]
fn a_whole_game_with_chance_is_replayed() {
    for rules in all_rules().into_iter().filter(|rules| rules.has_chance()) {
        let seats = rules.seats().iter().map(|name| Seat::person(name.as_str())).collect();
        let mut game = Match::start(Arc::clone(&rules), Setup { seats, ..Setup::default() }, 5, Millis::ZERO)
            .expect("a match");
        while game.board().end().is_none() {
            let now = Millis(game.board().moves_made() as u64);
            perform(&mut game, &RandomAction::Bot { spent: None, score: 0.0 }, now);
        }
        assert!(matches!(game.board().end(), Some(End::Rules { .. })));
        let resumed = Match::replay(rules, &stored(&game.log())).expect("its own events");
        assert_eq!(resumed.log(), game.log());
    }
}

/// A short match with a bit of everything.
fn short() -> (Arc<dyn Rules>, Vec<LogEvent>) {
    let rules = GAMES.find("2048").expect("a game").rules("").expect("good options");
    let time = TimePolicy::new(TimeControl::parse("1m+1s").expect("a control"), Millis::ZERO);
    let policy = Policy { time, ..Policy::default() };
    let setup = Setup { seats: vec![Seat::person("Dana")], policy, ..Setup::default() };
    let mut game = Match::start(Arc::clone(&rules), setup, 3, Millis::ZERO).expect("a match");
    for step in 1..4 {
        perform(&mut game, &RandomAction::Bot { spent: None, score: 1.0 }, Millis(1000 * step));
    }
    for action in [
        Action::RequestTakeBack(Player(0), TakeBackTo::Choice),
        Action::Pause,
        Action::Resume,
        Action::Resign(Player(0)),
    ] {
        game.apply(0, action, Millis(5000)).expect("it may be done");
    }
    (rules, game.log())
}

#[test]
fn events_that_no_match_had_are_refused() {
    let (rules, log) = short();
    let replay = |events: &[LogEvent]| Match::replay(Arc::clone(&rules), events).err();
    assert_eq!(replay(&log), None);
    assert_eq!(replay(&[]), Some(ReplayError::NotStarted));
    assert_eq!(replay(&log[1..]), Some(ReplayError::NotStarted));
    let mut hidden = log.clone();
    let Event::Started(started) = &mut hidden[0].event else { panic!("a start") };
    started.seed = None;
    assert_eq!(replay(&hidden), Some(ReplayError::HiddenSeed));
    let other = GAMES.find("othello").expect("a game").rules("").expect("good options");
    assert_eq!(Match::replay(other, &log).err(), Some(ReplayError::OtherRules));
    // No event can be left out, doubled or swapped with the next one without being noticed, ends apart: what follows from an
    // action follows again.
    for index in 1..log.len() {
        let mut doubled = log.clone();
        doubled.insert(index, log[index].clone());
        assert!(replay(&doubled).is_some(), "event {index} twice");
        if index + 1 < log.len() {
            let mut swapped = log.clone();
            swapped.swap(index, index + 1);
            assert!(replay(&swapped).is_some(), "event {index} after the next");
        }
    }
    // Nor can anything in a move be changed.
    let changes: [fn(&mut agon_match::Played); 5] = [
        |played| played.spent = Millis(1),
        |played| played.at = Millis(99_999),
        |played| played.late = true,
        |played| played.clocks[0] = Millis(1 << 40),
        |played| played.token = "up".to_owned() + "!",
    ];
    for change in changes {
        let mut forged = log.clone();
        let played = forged.iter_mut().find_map(|entry| match &mut entry.event {
            Event::Played(played) if played.seat.is_some() => Some(played),
            _ => None,
        });
        change(played.expect("somebody has moved"));
        assert!(replay(&forged).is_some());
    }
}

#[test]
fn the_form_of_events_is_stable() {
    let (_, log) = short();
    let lines: Vec<String> = log.iter().map(|event| serde_json::to_string(event).expect("JSON")).collect();
    assert_eq!(
        lines[0],
        r#"{"type":"started","schema":2,"at":0,"game":"2048","options":"","boards":[{"seats":[{"name":"Dana","occupant":"human","controller":0}],"policy":{"time":{"controls":["1m+1s"],"grace":0,"late":"loses"},"faults":"play_on","stand_in":"medium"},"clocks":[60000]}],"seed":"3"}"#
    );
    let last =
        r#"{"type":"ended","at":5000,"end":{"by":"forfeit","seat":0,"reason":"resigned","detail":""}}"#;
    assert_eq!(lines.last().map(String::as_str), Some(last));
    let unknown = last.replace("\"at\"", "\"by\":1,\"at\"");
    assert!(LogEvent::from_json(&unknown).is_err(), "unknown fields are refused");
}

proptest! {
    #[test]
    fn damaged_events_never_make_the_replay_panic(
        edits in proptest::collection::vec((0..2000_usize, 0..12_usize, "[0-9]{1,20}|\"[a-z_]{1,9}\"|[\\[\\]{}:,]|null"), 1..4),
        order in proptest::collection::vec(0..64_usize, 0..24),
    ) {
        let (rules, log) = short();
        let mut events: Vec<LogEvent> = order.iter().map(|index| log[index % log.len()].clone()).collect();
        events.insert(0, log[0].clone());
        let _ = Match::replay(Arc::clone(&rules), &events);
        let mut text = serde_json::to_string(&log).expect("JSON");
        for (at, length, patch) in edits {
            let at = at % text.len();
            let end = (at + length).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                text.replace_range(at..end, &patch);
            }
        }
        if let Ok(events) = serde_json::from_str::<Vec<LogEvent>>(&text) {
            let _ = Match::replay(rules, &events);
        }
    }
}
