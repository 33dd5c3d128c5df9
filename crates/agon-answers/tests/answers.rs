//! Answers are typed, serialise to the documented JSON, and end when the caller says so.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agon_answers::{
    AnalysisError, Analyst, Judge, QueryError, TreeError, TreeRequest, analyze, explore, feature_key,
    features, query, review,
};
use agon_erased::{BotSpec, Budget, Clock, Limits, Rules, TreeExample, Yardstick};
use agon_protocol::query::Request;
use agon_protocol::web::tree::{FeatureAnswer, SearchTree, TreeAnswer, TreeEvent, TreeFate};
use agon_registry::GAMES;

/// A clock that stands still, so that an analysis takes no time.
struct Still;

impl Clock for Still {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

fn rules(game: &str, options: &str) -> Arc<dyn Rules> {
    GAMES.find(game).expect("a game").rules(options).expect("options")
}

fn analyst(rules: &dyn Rules, bot: &str) -> Analyst {
    Analyst::of_spec(rules, &bot.parse().expect("a specification"), 1).expect("a bot")
}

fn still(limits: Limits) -> Budget {
    Budget { clock: Arc::new(Still), ..Budget::new(limits) }
}

#[test]
fn a_request_is_answered_or_told_what_is_wrong_with_it() {
    let request = Request { game: "othello".to_owned(), options: "size=4".to_owned(), ..Request::default() };
    let answer = query(GAMES, &Request { perft: Some(2), ..request.clone() }).expect("an answer");
    assert_eq!(
        serde_json::to_string(&answer).expect("JSON"),
        r#"{"ok":true,"game":"othello","options":"size=4","position":"4/1ox1/1xo1/4 x","ply":0,"to_move":"x","status":"ongoing","winner":null,"reason":null,"legal":["a2","b1","c4","d3"],"nodes":12}"#
    );
    let moves = vec!["a2".to_owned(), "a2".to_owned()];
    let error = query(GAMES, &Request { moves, ..request.clone() }).expect_err("a2 is taken");
    assert!(matches!(error, QueryError::Move { index: 1, .. }), "{error:?}");
    assert!(error.to_string().starts_with("moves[1]: "), "{error}");
    let game = "otello".to_owned();
    let error = query(GAMES, &Request { game, ..request }).expect_err("there is no such game");
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
        &mut analyst(&*rules, "alphabeta:depth=2"),
        1,
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
        analyze(
            &*rules,
            &mut *rules.start(),
            &mut analyst(&*rules, bot),
            1,
            still(Limits::default()),
            &mut |_| {},
        )
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
    let mut alphabeta = analyst(&*rules, "alphabeta");
    let analysis = analyze(&*rules, &mut *rules.start(), &mut alphabeta, 1, budget, &mut |thought| {
        stop.store(thought.depth >= 2, Ordering::Relaxed);
    });
    assert_eq!(analysis.expect("what was found is kept").moves_depth, 2);
}

#[test]
fn chance_acts_before_a_player_is_advised() {
    let rules = rules("2048", "");
    let ask = |seed| {
        let mut session = rules.start();
        let mut greedy = analyst(&*rules, "greedy");
        let analysis =
            analyze(&*rules, &mut *session, &mut greedy, seed, still(Limits::default()), &mut |_| {});
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
    let mut plain = analyst(&*rules, "plain");
    let error = analyze(&*rules, &mut *over, &mut plain, 1, still(Limits::default()), &mut |_| {})
        .expect_err("nobody can move");
    assert_eq!(
        error.to_string(),
        "there is nothing to analyze: the game is over in this position (Black won: 16 discs to 0)"
    );
    assert!(matches!(error, AnalysisError::GameOver(_)), "{error:?}");
    assert!(Analyst::of_spec(&*rules, &BotSpec::named("plan"), 1).is_err(), "there is no such bot");
}

fn tree(rules: &dyn Rules, request: &TreeRequest) -> Result<TreeAnswer, TreeError> {
    explore(rules, &mut *rules.start(), request, still(Limits::default()))
}

#[test]
fn every_game_shows_a_tree_of_plain_alpha_beta_or_of_playouts() {
    for (entry, options) in GAMES.variants() {
        let rules = entry.rules(options).expect("options");
        let request = TreeRequest { depth: Some(2), playouts: Some(30), ..TreeRequest::default() };
        let answer = tree(&*rules, &request).unwrap_or_else(|error| panic!("{}: {error}", entry.spec.id));
        let is_duel = rules.seats().len() == 2 && !rules.has_chance();
        let context = format!("{} {options}", entry.spec.id);
        match answer.tree {
            SearchTree::Window(tree) => {
                assert!(is_duel, "{context}");
                let fits = tree.nodes.len() as u64 == tree.visited + tree.pruned;
                assert!(
                    tree.finished && tree.passes.len() == 1 && (fits || tree.nodes.len() <= 5000),
                    "{context}"
                );
                assert!(tree.nodes.iter().any(|node| node.fate == TreeFate::Leaf), "{context}");
            }
            SearchTree::Playouts(tree) => {
                assert!(!is_duel, "{context}");
                assert_eq!(tree.steps.len(), 30, "{context}");
            }
        }
    }
}

/// The searches that a lecture compares: plain alpha-beta, with ordered moves, and with a table.
const LECTURE: [&str; 3] = [
    "alphabeta:window=full,deepening=off,ordering=none,hash=off,killers=off,history=off,tt=off",
    "alphabeta:window=full,deepening=off,hash=off,tt=off",
    "alphabeta:window=full,deepening=off,tt=1",
];

#[test]
fn every_game_for_two_has_an_example_whose_tree_can_be_gone_through() {
    for (entry, options) in GAMES.variants() {
        let rules = entry.rules(options).expect("options");
        let TreeExample { options, position, depth, evaluation } = rules.tree_example();
        let rules = entry.rules(options).expect("options of the example");
        if rules.bots().iter().all(|bot| bot.name != "alphabeta") {
            continue;
        }
        let found = LECTURE.map(|bot| {
            let evaluation = evaluation.map(|evaluation| format!(",eval={evaluation}")).unwrap_or_default();
            let bot = Some(format!("{bot}{evaluation}").parse().expect("a bot"));
            let request = TreeRequest { bot, depth: Some(depth), ..TreeRequest::default() };
            let mut session = rules.open(position, &[]).expect("the position of the example");
            explore(&*rules, &mut *session, &request, still(Limits::default())).expect("a tree")
        });
        let context = entry.spec.id;
        let values = found.each_ref().map(|answer| {
            let SearchTree::Window(tree) = &answer.tree else { panic!("alpha-beta has windows") };
            let root = tree.nodes[0].value.expect("the root is visited");
            assert!((15..=80).contains(&tree.visited), "{context}: {} nodes", tree.visited);
            assert_eq!(tree.nodes.len() as u64, tree.visited + tree.pruned, "{context}: all of it is shown");
            assert!(tree.steps.iter().any(|step| step.event == TreeEvent::Cut), "{context}");
            root
        });
        assert!(values.iter().all(|value| *value == values[0]), "{context}: {values:?}");
    }
}

#[test]
fn a_tree_agrees_with_the_analysis_and_moves_that_are_the_same_are_said_to_be() {
    let rules = rules("othello", "size=6");
    let bot: BotSpec = "alphabeta:depth=3".parse().expect("a bot");
    let answer = tree(&*rules, &TreeRequest { bot: Some(bot), ..TreeRequest::default() }).expect("a tree");
    let analysis = analyze(
        &*rules,
        &mut *rules.start(),
        &mut analyst(&*rules, "alphabeta:depth=3,multi=1"),
        1,
        still(Limits::default()),
        &mut |_| {},
    )
    .expect("an analysis");
    assert_eq!((&answer.best, &answer.line), (&analysis.best, &analysis.line));
    let SearchTree::Window(tree) = answer.tree else { panic!("alpha-beta has windows") };
    let twins = tree.nodes.iter().filter(|node| node.fate == TreeFate::Symmetric).count();
    assert_eq!(twins, 3, "the four first moves are one");
    assert_eq!(tree.passes.len(), 3, "one pass a depth");
}

#[test]
fn there_is_no_tree_without_a_search() {
    let rules = rules("othello", "");
    let of = |bot: &str| {
        let bot = Some(bot.parse().expect("a specification"));
        tree(&*rules, &TreeRequest { bot, ..TreeRequest::default() }).expect_err("no tree").to_string()
    };
    assert!(of("greedy").contains("alphabeta or mcts"), "{}", of("greedy"));
    assert!(of("alphabeta:dept=3").contains("depth"), "{}", of("alphabeta:dept=3"));
    assert!(of("alfabeta").contains("alphabeta"), "{}", of("alfabeta"));
    let stopped = still(Limits::default());
    stopped.stop.store(true, Ordering::Relaxed);
    let error = explore(&*rules, &mut *rules.start(), &TreeRequest::default(), stopped).expect_err("stopped");
    assert_eq!(error, TreeError::Stopped);
    let mut over = rules.start_from("8/8/8/8/8/8/8/xxxxxxxx x").expect("a position");
    let error = explore(&*rules, &mut *over, &TreeRequest::default(), still(Limits::default()));
    assert!(matches!(error, Err(TreeError::Analysis(AnalysisError::GameOver(_)))), "{error:?}");
}

#[test]
fn the_reasons_of_a_bot_are_those_of_its_own_evaluation() {
    let seen = |game: &str, bot: &str| {
        let rules = rules(game, "");
        let mut session = rules.start();
        while session.draw(1).is_some() {}
        let bot: BotSpec = bot.parse().expect("a specification");
        features(&*rules, &*session, Judge::Bot(&bot)).expect("a bot of the game")
    };
    let named = |answer: &FeatureAnswer| -> Vec<String> {
        answer.features.iter().map(|feature| feature.name.key.to_string()).collect()
    };
    let s5 = seen("othello", "s5-advanced");
    let shares = ["feature.share-of-discs", "feature.share-of-moves", "feature.share-of-corners"];
    assert_eq!((s5.evaluation.as_str(), &s5.stands_for), ("s5-advanced", &None));
    assert!(named(&s5).iter().all(|name| shares.contains(&name.as_str())) && s5.features.len() == 3);
    assert_eq!(s5.worth.expect("reasons").unit, Some("S5 points"));
    let beginner = seen("othello", "s5-beginner");
    assert_eq!(named(&beginner), ["feature.share-of-discs"], "what has no weight is left out");

    let expert = seen("othello", "expert");
    assert_eq!((expert.evaluation.as_str(), expert.stands_for.as_deref()), ("features", Some("patterns")));
    assert!(expert.features.len() > 3 && expert.features.iter().all(|feature| feature.weight != 0.0));
    assert_eq!(expert.worth.expect("reasons").unit, Some("discs"));
    assert_eq!(seen("2048", "expert").stands_for.as_deref(), Some("network"));

    let plain = seen("tablut", "greedy:eval=s1");
    let set = seen("tablut", "greedy:eval=s1,weights=danger:0");
    assert!(named(&plain).contains(&"feature.danger-to-the-king".to_owned()));
    assert!(!named(&set).contains(&"feature.danger-to-the-king".to_owned()), "its weights are its own");

    let random = seen("othello", "random");
    assert_eq!((random.evaluation.as_str(), random.features.len(), random.worth), ("", 0, None));
}

#[test]
fn features_have_names_in_every_language_and_come_largest_first() {
    for (entry, options) in GAMES.variants() {
        let rules = entry.rules(options).expect("options");
        let mut session = rules.start();
        let mut number = 7;
        for _ in 0..6 {
            number += 1;
            match session.legal().into_iter().next() {
                Some(token) if session.draw(number).is_none() => drop(session.play(&token).expect("legal")),
                _ => {}
            }
        }
        while session.draw(number).is_some() {}
        for evaluation in rules.evaluations() {
            let found =
                features(&*rules, &*session, Judge::Evaluation(evaluation.name)).expect(evaluation.name);
            let context = format!("{} {options} {}", entry.spec.id, evaluation.name);
            assert!(!found.features.is_empty() && found.seat.is_some(), "{context}");
            let sum: f64 = found.features.iter().map(|feature| feature.value * feature.weight).sum();
            assert!((found.total - sum).abs() < 1e-6, "{context}");
            let sizes: Vec<f64> = found.features.iter().map(|feature| feature.product.abs()).collect();
            assert!(sizes.is_sorted_by(|one, other| one >= other), "{context}");
            for feature in found.features {
                let hebrew = rules.text("he", &feature.name);
                assert!(hebrew != feature.name.text && !hebrew.is_empty(), "{context}: {:?}", feature.name);
            }
        }
    }
    assert_eq!(feature_key("king's nearness to an exit"), "feature.kings-nearness-to-an-exit");
    let rules = rules("loa", "size=6");
    let error =
        features(&*rules, &*rules.start(), Judge::Evaluation("feature")).expect_err("no such evaluation");
    assert!(error.to_string().contains("features"), "{error}");
    assert!(features(&*rules, &*rules.start(), Judge::Evaluation("a,b=c")).is_err());
}

#[test]
fn a_finished_game_is_looked_through_in_parts_of_any_length() {
    let rules = rules("othello", "size=4");
    let mut session = rules.start();
    while session.outcome().is_none() {
        let token = session.legal().pop().expect("somebody is to move");
        session.play(&token).expect("legal");
    }
    let budget = Budget::analysis(review::review_limits());
    let look = |from: usize, most: usize| {
        let mut bot = rules.bot(&review::reviewer(&*rules), 0).expect("a bot");
        let mut judged = 0;
        let goes_on = || {
            judged += 1;
            judged < most
        };
        review::faults(&*rules, Yardstick::Points(100.0), &*session, from, &mut *bot, &budget, goes_on)
            .expect("it judges")
    };
    let (all, to) = look(0, usize::MAX);
    assert_eq!(to, session.len());
    assert!(!all.is_empty(), "somebody who plays the last legal move gives something away");
    for fault in &all {
        assert_ne!(Some(&fault.better), session.token_at(fault.ply).as_ref());
    }
    let (mut parts, mut from) = (Vec::new(), 0);
    while from < session.len() {
        let (found, to) = look(from, 3);
        assert_eq!(to, session.len().min(from + 3));
        parts.extend(found);
        from = to;
    }
    assert_eq!(parts, all);
}
