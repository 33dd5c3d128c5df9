//! Answers are typed, serialise to the documented JSON, and end when the caller says so.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_answers::{AnalysisError, AnalysisRequest, QueryError, analyze, query};
use agon_protocol::query::Request;
use agon_registry::{Budget, Clock, Limits, Rules, find};

/// A clock that stands still, so that an analysis takes no time.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn rules(game: &str, options: &str) -> Arc<dyn Rules> {
    find(game).expect("a game").rules(options).expect("options")
}

fn asked(bot: &str) -> AnalysisRequest {
    AnalysisRequest { bot: Some(bot.parse().expect("a specification")), seed: 1 }
}

fn still(limits: Limits) -> Budget {
    Budget { clock: Arc::new(Still), ..Budget::new(limits) }
}

#[test]
fn a_request_is_answered_or_told_what_is_wrong_with_it() {
    let request = Request { game: "othello".to_owned(), options: "size=4".to_owned(), ..Request::default() };
    let answer = query(&Request { perft: Some(2), ..request.clone() }).expect("an answer");
    assert_eq!(
        serde_json::to_string(&answer).expect("JSON"),
        r#"{"ok":true,"game":"othello","options":"size=4","position":"4/1ox1/1xo1/4 x","ply":0,"to_move":"x","status":"ongoing","winner":null,"reason":null,"legal":["a2","b1","c4","d3"],"nodes":12}"#
    );
    let moves = vec!["a2".to_owned(), "a2".to_owned()];
    let error = query(&Request { moves, ..request.clone() }).expect_err("a2 is taken");
    assert!(matches!(error, QueryError::Move { index: 1, .. }), "{error:?}");
    assert!(error.to_string().starts_with("moves[1]: "), "{error}");
    let game = "otello".to_owned();
    let error = query(&Request { game, ..request }).expect_err("there is no such game");
    assert!(error.to_string().starts_with("game: "), "{error}");
}

#[test]
fn an_analysis_is_one_object_whose_fields_have_their_order() {
    let rules = rules("othello", "size=4");
    let mut session = rules.start();
    let mut depths = Vec::new();
    let analysis = analyze(
        &*rules,
        &mut *session,
        &asked("alphabeta:depth=2"),
        still(Limits::default()),
        &mut |thought| {
            depths.push(thought.depth);
        },
    );
    let analysis = analysis.expect("it answers");
    assert_eq!((analysis.depth, analysis.bot.as_str()), (2, "alphabeta:depth=2"));
    assert_eq!(depths, [1, 2], "whoever asks hears of the progress");
    let json = serde_json::to_string(&analysis).expect("JSON");
    let order = [
        "{\"best\":",
        "\"score\":",
        "\"unit\":\"discs\",",
        "\"depth\":2,",
        "\"nodes\":",
        "\"nodes_per_second\":0,",
        "\"line\":[",
        "\"moves\":[{\"move\":\"b1\",\"score\":",
        ",\"bound\":null},{\"move\":",
        "\"features\":[{\"name\":",
        "\"proven\":null,",
        "\"chances\":null,",
        "\"moves_depth\":2,",
        "\"statistics\":{",
        "\"seconds\":0.0,",
        "\"bot\":\"alphabeta:depth=2\",",
        "\"position\":\"4/1ox1/1xo1/4 x\"}",
    ];
    let places: Vec<Option<usize>> = order.iter().map(|field| json.find(field)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} in {json}");
}

#[test]
fn scores_are_given_in_the_unit_that_is_named() {
    let think = |game: &str, options: &str, bot: &str| {
        let rules = rules(game, options);
        analyze(&*rules, &mut *rules.start(), &asked(bot), still(Limits::default()), &mut |_| {})
            .expect("it answers")
    };
    let othello = think("othello", "", "alphabeta:depth=4");
    assert_eq!(othello.unit, Some("discs"));
    assert!(othello.score.expect("it judges").abs() < 10.0, "{othello:?}");
    assert!(othello.text.is_some_and(|text| text.ends_with("discs") || text.ends_with("disc")));
    let loa = think("loa", "", "alphabeta:depth=2");
    assert_eq!(loa.unit, Some("percent"));
    assert!((25.0..75.0).contains(&loa.score.expect("it judges")), "{loa:?}");
    assert!(loa.moves.iter().all(|known| known.text.ends_with('%')), "{loa:?}");
    assert_eq!(loa.chances, None);
    let three = think("chinese-checkers", "seats=g/y/r", "maxn:depth=1");
    let chances = three.chances.expect("each seat has its chance");
    assert!(chances.len() == 3 && (chances.iter().sum::<f64>() - 100.0).abs() < 1e-6, "{chances:?}");
    assert_eq!(Some(chances[0]), three.score, "the player to move has the chance that the score promises");
    let random = think("othello", "", "random");
    assert_eq!((random.score, random.unit), (None, None), "a bot that does not judge has no unit");
}

#[test]
fn an_analysis_without_limits_ends_when_it_is_stopped() {
    let rules = rules("loa", "");
    // On a clock that stands still the usual second never ends.
    let budget = still(Limits::default());
    let stop = Arc::clone(&budget.stop);
    let analysis = analyze(&*rules, &mut *rules.start(), &asked("alphabeta"), budget, &mut |thought| {
        stop.store(thought.depth >= 2, Ordering::Relaxed);
    });
    assert_eq!(analysis.expect("what was found is kept").moves_depth, 2);
}

#[test]
fn chance_acts_before_a_player_is_advised() {
    let rules = rules("2048", "");
    let ask = |seed| {
        let mut session = rules.start();
        let request = AnalysisRequest { seed, ..asked("greedy") };
        let analysis = analyze(&*rules, &mut *session, &request, still(Limits::default()), &mut |_| {});
        (analysis.expect("it answers").position, session.position())
    };
    let (position, stands) = ask(1);
    assert_eq!(position, stands, "the game has gone on to where it was analysed");
    assert_eq!(ask(1).0, position);
    assert_ne!(ask(2).0, position);
}

#[test]
fn what_cannot_be_analysed_is_told() {
    let rules = rules("othello", "size=4");
    let mut over = rules.start_from("xxxx/xxxx/xxxx/xxxx x").expect("a position");
    let ask = |session: &mut dyn agon_registry::Session, bot| {
        analyze(&*rules, session, &asked(bot), still(Limits::default()), &mut |_| {})
    };
    let error = ask(&mut *over, "plain").expect_err("nobody can move");
    assert_eq!(
        error.to_string(),
        "there is nothing to analyze: the game is over in this position (Black won: 16 discs to 0)"
    );
    let error = ask(&mut *rules.start(), "plan").expect_err("there is no such bot");
    assert!(matches!(error, AnalysisError::Specification(_)), "{error:?}");
}
