//! 2048: the search against its definition, the evaluations, the bots.

use std::sync::Arc;

use agon_2048::{Game2048, Position};
use agon_core::random::{RandomSource, seeded};
use agon_core::{Game, Line, Notation, Options, Player, Rng, Turn};
use agon_erased::Expertise;
use agon_search::{ALGORITHMS, Budget, Evaluation, GameBot, Limits, Tactics, build, deepen};

const GAME: Game2048 = Game2048;

fn bot(algorithm: &str, settings: &str, evaluation: &str, seed: u64) -> Box<dyn GameBot<Game2048>> {
    let algorithm = ALGORITHMS.iter().find(|known| known.name == algorithm).expect("a known algorithm");
    let options =
        Options::parse_declared(algorithm.name, algorithm.parameters, settings).expect("right settings");
    let knowledge = GAME.knowledge(evaluation).expect("a known evaluation");
    build(algorithm.name, &GAME, knowledge, &options, seed).expect("right settings")
}

/// Lets chance act until a player is to move or the game is over.
fn settle(position: &mut Position, rng: &mut Rng) {
    while GAME.turn(position) == Turn::Chance {
        let tile = GAME.draw(position, rng.next_u64()).expect("chance acts");
        GAME.play_chance(position, tile);
    }
}

/// The positions of a random game in which the player moves; most of the last ones are full.
fn random_game(seed: u64) -> Vec<Position> {
    let mut rng = seeded(seed);
    let mut position = GAME.start();
    let mut positions = Vec::new();
    loop {
        settle(&mut position, &mut rng);
        let Some(mv) = GAME.random_move(&position, &mut rng) else { return positions };
        positions.push(position);
        GAME.play_unchecked(&mut position, mv);
    }
}

#[test]
fn expectimax_has_the_value_of_the_plain_search() {
    let analysis = Budget { keeps_own_limits: false, ..Budget::new(Limits::default()) };
    for seed in 0..4 {
        let positions = random_game(seed);
        let last = positions.len() - 1;
        for position in [positions[last / 2], positions[last - 2], positions[last]] {
            let line = Line::from_position(Arc::new(GAME), position);
            for evaluation in ["score", "features", "s3", "network"] {
                let knowledge = GAME.knowledge(evaluation).expect("a known evaluation");
                let deepest = if position.board().count_empty() > 3 { 3 } else { 5 };
                for depth in [1, 2, deepest] {
                    let plain = deepen(&GAME, &position, &knowledge, depth, |_| false);
                    let limits = Limits { depth: Some(depth), ..Limits::default() };
                    for table in ["tt=off", "tt=1"] {
                        let mut bot = bot("expectimax", table, evaluation, 1);
                        let budget = Budget { limits, ..analysis.clone() };
                        let thought = bot.think(&line, &budget, &mut |_| {}).expect("a move");
                        let about = format!("{evaluation} at depth {depth}, {table}: {position:x?}");
                        assert_eq!(thought.score, Some(plain.value.of(Player(0))), "{about}");
                        assert_eq!(Some(thought.best), plain.best, "{about}");
                    }
                }
            }
        }
    }
}

#[test]
fn s3_fears_the_end_above_all() {
    let end = |seed| {
        let mut rng = seeded(seed);
        let mut position = *random_game(seed).last().expect("games have moves");
        let mv = GAME.random_move(&position, &mut rng).expect("the last move");
        GAME.play_unchecked(&mut position, mv);
        settle(&mut position, &mut rng);
        position
    };
    let over = (0..100).map(end).find(|position| GAME.outcome(position).is_some()).expect("some end here");
    let outcome = GAME.outcome(&over).expect("it is over");
    let worth = |evaluation| {
        let knowledge = GAME.knowledge(evaluation).expect("a known evaluation");
        knowledge.at_end(&GAME, &over, &outcome).of(Player(0))
    };
    // Even the least likely end that its deepest search can see, three tiles of 4 on boards with room for all, outweighs the best
    // board there can be: 131072 in the corner and the next smaller tiles after it.
    let (least_likely, best) = ((0.1 / 16.0f64).powi(3), 131_072.0 * 8.0 / 7.0);
    assert!(worth("s3") * least_likely < -best, "{}", worth("s3"));
    assert_eq!(worth("features"), over.score() as f64);
    assert_eq!(worth("network"), over.score() as f64);
}

#[test]
fn opinions_are_the_sums_of_their_features() {
    for position in random_game(7) {
        for evaluation in GAME.evaluations() {
            let knowledge = GAME.knowledge(evaluation.name).expect("it is listed");
            let features = knowledge.features(&GAME, &position, Player(0));
            let sum: f64 = features.iter().map(|feature| feature.value * feature.weight).sum();
            assert_eq!(knowledge.payoffs(&GAME, &position, &()).of(Player(0)), sum, "{}", evaluation.name);
        }
    }
}

#[test]
fn the_adaptive_depth_of_s3_follows_score_and_tiles() {
    let knowledge = GAME.knowledge("s3").expect("a known evaluation");
    let rule = knowledge.depth_rules().iter().position(|rule| *rule == "s3").expect("it is listed");
    let depth = |tiles: usize, score: u32| {
        let rows: Vec<String> = (0..4)
            .map(|row| {
                let cells = (0..4).map(|column| if 4 * row + column < tiles { "2" } else { "0" });
                cells.collect::<Vec<_>>().join(",")
            })
            .collect();
        let text = format!("{} {score}", rows.join("/"));
        let position = agon_core::Notation::parse_position(&GAME, &text).expect("a position");
        knowledge.depth(&GAME, &position, rule)
    };
    // One more than the source says: it does not count the root's own move.
    assert_eq!([depth(4, 29_999), depth(16, 29_999)], [5, 5]);
    assert_eq!([7, 8, 12, 13, 16].map(|tiles| depth(tiles, 30_000)), [5, 6, 6, 7, 7]);
}

#[test]
fn every_bot_plays() {
    for preset in GAME.presets() {
        let algorithm =
            ALGORITHMS.iter().find(|known| known.name == preset.algorithm).expect("a known algorithm");
        let options = Options::parse_declared(algorithm.name, algorithm.parameters, preset.settings);
        let options = options.expect("right settings");
        let judges = algorithm.parameters.iter().any(|parameter| parameter.key == "eval");
        let evaluation = if judges { options.value("eval").expect("its own") } else { "score" };
        let mut bot = bot(preset.algorithm, preset.settings, evaluation, 1);
        let position = random_game(3)[20];
        let line = Line::from_position(Arc::new(GAME), position);
        let mv = bot.choose(&line).expect("a move");
        assert!(GAME.is_legal(&position, mv), "{}", preset.name);
    }
}

#[test]
fn the_shipped_network_plays_well_without_looking_ahead() {
    let mut bot = bot("expectimax", "depth=1", "network", 1);
    let mut scores = Vec::new();
    for seed in 0..5 {
        let mut rng = seeded(seed);
        let mut position = GAME.start();
        loop {
            settle(&mut position, &mut rng);
            if GAME.outcome(&position).is_some() {
                break;
            }
            let mv = bot.choose(&Line::from_position(Arc::new(GAME), position)).expect("a move");
            GAME.play_unchecked(&mut position, mv);
        }
        scores.push(position.score());
    }
    assert!(scores.iter().sum::<u64>() / 5 > 60_000, "{scores:?}");
}

/// A search from a board without a tile of 4096 judges 16384 and 8192 as it would 8192 and 4096.
#[test]
fn a_search_shows_the_network_large_tiles_as_smaller() {
    let position = |large: &str| {
        GAME.parse_position(&format!("{large},2048,1024/64,128,256,512/32,16,8,4/2,0,0,0 300000"))
            .expect("a position")
    };
    let (late, smaller) = (position("16384,8192"), position("8192,4096"));
    let mut knowledge = GAME.knowledge("network").expect("it is listed");
    let expected = knowledge.payoffs(&GAME, &smaller, &()).of(Player(0));
    assert_ne!(knowledge.payoffs(&GAME, &late, &()).of(Player(0)), expected);
    knowledge.prepare(&Line::from_position(Arc::new(GAME), late));
    assert_eq!(knowledge.payoffs(&GAME, &late, &()).of(Player(0)), expected);
}

#[test]
fn source_s3_rates_a_dead_leaf_like_any_other() {
    use agon_core::Notation;
    // The slide to the right leaves one empty cell, and whatever tile comes there, no slide is left.
    let position = GAME.parse_position("4,2,4,2/2,4,2,4/8,2,8,2/16,4,8,8 100").expect("a position");
    let line = Line::from_position(Arc::new(GAME), position);
    let right = |depth: u32| {
        let budget = Budget::analysis(Limits { depth: Some(depth), ..Limits::default() });
        let thought = bot("expectimax", "", "s3", 1).think(&line, &budget, &mut |_| {}).expect("a move");
        let is_right = |known: &&agon_search::ScoredMove<_>| GAME.move_text(known.mv) == "right";
        thought.moves.iter().find(is_right).expect("it is legal").score
    };
    // The slide and a tile, as at the end of an odd number of layers: dead boards count by their tiles.
    assert!((0.0..20.0).contains(&right(2)), "{}", right(2));
    // With one layer more the player finds no slide, which counts as minus infinity.
    assert!(right(3) < -1e11, "{}", right(3));
    let unit = |spec: &str| bot("expectimax", "", spec, 1).unit();
    assert_eq!(unit("s3"), Some(agon_search::Unit::Amount { name: "S3 points", one: 1.0 }));
    assert_eq!(unit("network"), Some(agon_search::Unit::Amount { name: "points", one: 1.0 }));
}

#[test]
fn noise_varies_play_and_not_what_is_reported() {
    let line = Line::from_position(Arc::new(GAME), random_game(3)[40]);
    let ask = |noise: &str, seed: u64| {
        let budget = Budget { seed: Some(seed), ..Budget::new(Limits::default()) };
        let mut bot = bot("expectimax", &format!("depth=3,noise={noise}"), "features", 1);
        bot.think(&line, &budget, &mut |_| {}).expect("a move")
    };
    let clear = ask("off", 0);
    let noisy: Vec<_> = (0..20).map(|seed| ask("5000", seed)).collect();
    assert!(noisy.iter().all(|thought| thought.moves == clear.moves));
    assert!(noisy.iter().any(|thought| thought.best != clear.best));
}

/// Of slides that a symmetry of the board turns into each other, one is searched, so their scores are equal to the last bit.
#[test]
fn symmetric_slides_score_the_same() {
    let all = ["left", "right", "up", "down"];
    let boards: [(&str, &[&[&str]]); 5] = [
        ("2,0,0,2/0,0,0,0/0,0,0,0/2,0,0,2 0", &[&all]),
        ("2,0,0,2/0,4,4,0/0,0,0,0/0,0,0,0 0", &[&["left", "right"]]),
        ("2,0,0,0/4,0,0,0/4,0,0,0/2,0,0,0 0", &[&["up", "down"]]),
        ("2,4,8,0/4,8,0,0/8,0,2,0/0,0,0,4 0", &[&["left", "up"], &["right", "down"]]),
        ("0,2,4,0/2,0,0,8/0,0,0,4/2,0,2,0 0", &[]),
    ];
    for (text, classes) in boards {
        let position = GAME.parse_position(text).expect("a position");
        let line = Line::from_position(Arc::new(GAME), position);
        for evaluation in ["network", "features", "score"] {
            let knowledge = GAME.knowledge(evaluation).expect("a known evaluation");
            assert_eq!(knowledge.symmetries(&GAME, &position).is_empty(), classes.is_empty(), "{text}");
            let mut bot = bot("expectimax", "depth=3", evaluation, 1);
            let thought =
                bot.think(&line, &Budget::analysis(Limits::default()), &mut |_| {}).expect("a move");
            let score = |slide: &str| {
                thought.moves.iter().find(|known| known.mv.name() == slide).map(|known| known.score)
            };
            for slides in classes {
                assert!(slides.iter().all(|slide| score(slide) == score(slides[0])), "{evaluation}: {text}");
            }
        }
        let s3 = GAME.knowledge("s3").expect("a known evaluation");
        assert!(s3.symmetries(&GAME, &position).is_empty(), "S3 prefers a corner");
    }
}
