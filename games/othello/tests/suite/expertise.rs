//! Othello: the solver against plain minimax and known results, the evaluations against their definitions.

use agon_board::Rows;
use agon_core::random::{Rng, below, seeded};
use agon_core::{Game, Line, Notation, Options, Player};
use agon_erased::Expertise;
use agon_othello::expertise::patterns::{Arrangement, WEIGHTS, image, representatives};
use agon_othello::expertise::solver::{Effort, Solution, Solver};
use agon_othello::expertise::weights::{STAGES, Stage, Weights, stage};
use agon_othello::{ENTRY, Flank, Move, Othello, Position};
use agon_search::{
    ALGORITHMS, Bound, Budget, Evaluation, GameBot, Limits, Tactics, Thought, Unit, Watch, build,
};

/// The final disc difference for the side to move, by looking at everything.
fn minimax(game: &Othello<u64>, position: &Position<u64>) -> i32 {
    if game.outcome(position).is_some() {
        let difference = position.own.count_ones() as i32 - position.opponent.count_ones() as i32;
        return difference + difference.signum() * empties(game, position) as i32;
    }
    let mut best = i32::MIN;
    game.for_each_move(position, |mv| {
        let mut next = *position;
        game.play_unchecked(&mut next, mv);
        best = best.max(-minimax(game, &next));
    });
    best
}

fn empties(game: &Othello<u64>, position: &Position<u64>) -> u32 {
    (game.board() & !(position.own | position.opponent)).count_ones()
}

/// A position of a random game with at most this many empty squares that is not over.
fn late_position(game: &Othello<u64>, most: u32, rng: &mut Rng) -> Position<u64> {
    loop {
        let mut position = game.start();
        while let Some(mv) = game.random_move(&position, rng) {
            if empties(game, &position) <= most {
                return position;
            }
            game.play_unchecked(&mut position, mv);
        }
    }
}

fn solve(solver: &mut Solver, position: &Position<u64>, effort: Effort) -> Solution {
    solver.solve(position, effort, &mut |_| false).expect("never told to stop")
}

/// Plays the line and gives its final score for the side to move first.
fn play_out(game: &Othello<u64>, position: &Position<u64>, line: &[Move]) -> i32 {
    let mut end = *position;
    for &mv in line {
        assert!(game.is_legal(&end, mv), "{mv:?} in {end:?}");
        game.play_unchecked(&mut end, mv);
    }
    assert!(game.outcome(&end).is_some(), "the line ends with the game");
    let score = minimax(game, &end);
    if end.to_move == position.to_move { score } else { -score }
}

#[test]
fn the_solver_agrees_with_minimax() {
    let mut rng = seeded(1);
    for (size, most, count) in [(4, 9, 60), (6, 8, 60), (8, 8, 120)] {
        let game = Othello::new(size);
        let mut solvers = [Solver::new(&game, 1), Solver::with_weights(&game, 1, Some(Weights::builtin()))];
        for _ in 0..count {
            let position = late_position(&game, 1 + below(&mut rng, most) as u32, &mut rng);
            let expected = minimax(&game, &position);
            for solver in &mut solvers {
                let solution = solve(solver, &position, Effort::Score);
                assert_eq!(solution.score, expected, "{}", game.position_text(&position));
                assert!(solution.is_exact);
                assert_eq!(play_out(&game, &position, &solution.line), expected);
                let outcome = solve(solver, &position, Effort::Outcome);
                assert_eq!(outcome.score.signum(), expected.signum());
                let mut next = position;
                game.play_unchecked(&mut next, outcome.line[0]);
                let reply = if next.to_move == position.to_move { 1 } else { -1 };
                assert_eq!((reply * minimax(&game, &next)).signum(), expected.signum(), "its move holds");
            }
        }
    }
}

#[test]
fn deeper_ends_come_out_the_same_with_and_without_the_evaluation() {
    let game = Othello::new(8);
    let mut rng = seeded(2);
    let mut plain = Solver::new(&game, 4);
    let mut guided = Solver::with_weights(&game, 4, Some(Weights::builtin()));
    let mut in_threads = Solver::with_weights(&game, 4, Some(Weights::builtin()));
    for count in 0..12 {
        let position = late_position(&game, 13 + count % 4, &mut rng);
        in_threads.use_threads(2 + count as usize % 3);
        let expected = solve(&mut plain, &position, Effort::Score);
        for solver in [&mut guided, &mut in_threads] {
            let solution = solve(solver, &position, Effort::Score);
            assert_eq!(solution.score, expected.score, "{}", game.position_text(&position));
            assert_eq!(play_out(&game, &position, &solution.line), expected.score);
        }
    }
}

#[test]
fn threads_that_solve_together_count_and_stop_together() {
    let game = Othello::new(8);
    let mut solver = Solver::with_weights(&game, 1, Some(Weights::builtin()));
    solver.use_threads(3);
    let mut seen = 0;
    let found = solver.solve(&game.start(), Effort::Score, &mut |nodes| {
        assert!(nodes >= seen, "nodes of all threads only grow");
        seen = nodes;
        nodes > 100_000
    });
    assert_eq!(found, None, "it would go on for ever");
    // One that leads and fails takes its helpers with it.
    let fails = std::panic::AssertUnwindSafe(|| {
        solver.solve(&game.start(), Effort::Score, &mut |nodes| panic!("after {nodes} nodes"))
    });
    assert!(std::panic::catch_unwind(fails).is_err());
}

#[test]
fn known_results_are_found() {
    let game = Othello::new(4);
    let solution = solve(&mut Solver::new(&game, 1), &game.start(), Effort::Score);
    assert_eq!(solution.score, -10, "white wins 11-3, and the two empty squares");
    // FFO #40 after its first five moves, and #42 after its first eight; their scores are 38 and 6.
    let game = Othello::new(8);
    let mut solver = Solver::with_weights(&game, 16, Some(Weights::builtin()));
    let board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X";
    let mut position = game.parse_board_string(board).expect("a position");
    for token in ["a2", "b1", "c1", "pass", "b6"] {
        let mv = game.parse_move(token).expect("a move");
        assert!(game.is_legal(&position, mv));
        game.play_unchecked(&mut position, mv);
    }
    let solution = solve(&mut solver, &position, Effort::Score);
    assert_eq!(solution.score, -38);
    assert_eq!(play_out(&game, &position, &solution.line), -38);
}

/// Selective searches of this position disagree with one another in every window but the whole one.
#[test]
fn a_score_that_is_missed_from_both_sides_is_found() {
    let game = Othello::new(8);
    let mut position = game.start();
    let moves = "d3 e3 f4 c3 f5 e6 f3 g6 c4 d6 d2 e1 c5 b3 b4 e2 c6 g5 g4 b5 f2 h4 b6 d7 c7 c8 b7 a5 a7 g3 c2 a8 d1 c1 a6 a4 \
                 h3 h2 g1 g2 b2 b1 a1 a3";
    for token in moves.split_whitespace() {
        let mv = game.parse_move(token).expect(token);
        assert!(game.is_legal(&position, mv), "{token}");
        game.play_unchecked(&mut position, mv);
    }
    let expected = solve(&mut Solver::new(&game, 16), &position, Effort::Score);
    let mut guided = Solver::with_weights(&game, 16, Some(Weights::builtin()));
    assert_eq!(solve(&mut guided, &position, Effort::Score).score, expected.score);
}

#[test]
fn a_stop_is_obeyed_and_what_was_found_is_kept() {
    let game = Othello::new(8);
    let mut solver = Solver::with_weights(&game, 1, Some(Weights::builtin()));
    assert_eq!(solver.solve(&game.start(), Effort::Score, &mut |nodes| nodes > 20_000), None);
    let position = late_position(&game, 16, &mut seeded(3));
    let exact = solve(&mut solver, &position, Effort::Score);
    let (mut limit, mut seen_unproven) = (2_000, false);
    while limit < 1 << 30 {
        // One that remembers nothing: it does the same as before, only longer.
        let mut solver = Solver::with_weights(&game, 1, Some(Weights::builtin()));
        let found = solver.solve(&position, Effort::AsFarAsPossible, &mut |nodes| nodes > limit);
        match found {
            Some(solution) if solution.is_exact => {
                assert_eq!(solution.score, exact.score);
                assert!(seen_unproven, "some limit lies between");
                return;
            }
            Some(solution) => {
                seen_unproven = true;
                assert!(game.is_legal(&position, solution.line[0]));
            }
            None => assert!(!seen_unproven, "more nodes never find less"),
        }
        limit += limit / 8;
    }
    panic!("never solved");
}

#[test]
fn thinking_goes_on_to_the_proven_result_unless_it_is_stopped() {
    let game = Othello::new(8);
    let mut rng = seeded(14);
    let mut solver = Solver::with_weights(&game, 1, Some(Weights::builtin()));
    for most in (1..=9).cycle().take(40) {
        let position = late_position(&game, most, &mut rng);
        let insight = solver.think(&position, 64, &mut |_| false).expect("never told to stop");
        assert!(insight.is_exact, "{}", game.position_text(&position));
        assert_eq!(insight.score, minimax(&game, &position));
        let mut next = position;
        for &mv in &insight.line {
            assert!(game.is_legal(&next, mv), "{mv:?} in {}", game.position_text(&next));
            game.play_unchecked(&mut next, mv);
        }
        if let Some(&best) = insight.line.first() {
            let mut next = position;
            game.play_unchecked(&mut next, best);
            let sign = if next.to_move == position.to_move { 1 } else { -1 };
            assert_eq!(sign * minimax(&game, &next), insight.score, "its move holds what it promises");
        }
    }
    // From the start it gets as deep as it is let, and no deeper than it is asked to.
    let depths: Vec<u32> = [2_000, 20_000, 200_000]
        .into_iter()
        .map(|limit| {
            let mut solver = Solver::with_weights(&game, 1, Some(Weights::builtin()));
            let insight = solver.think(&game.start(), 64, &mut |nodes| nodes > limit).expect("something");
            assert!(!insight.is_exact && insight.nodes < limit + 1_000, "{insight:?}");
            insight.depth
        })
        .collect();
    assert!(depths.is_sorted() && depths[0] < depths[2], "{depths:?}");
    assert_eq!(solver.think(&game.start(), 5, &mut |_| false).map(|insight| insight.depth), Some(5));
    assert_eq!(solver.think(&game.start(), 64, &mut |_| true), None);
}

#[test]
fn the_expert_thinks_within_its_limits_and_compares_moves_by_the_general_search() {
    let rules = ENTRY.rules("").expect("defaults");
    let session = rules.start();
    let think = |spec: &str, limits: Limits| {
        let mut bot = rules.bot(&spec.parse().expect(spec), 0).expect(spec);
        bot.think(&*session, &Budget::new(limits), &mut |_| {}).expect("a move")
    };
    let of_nodes = Limits { nodes: Some(30_000), ..Limits::default() };
    let own = think("expert", of_nodes);
    assert!(own.nodes < 31_000 && own.depth >= 8 && own.statistics.is_empty(), "{own:?}");
    assert!(!think("expert:solve=26", of_nodes).statistics.is_empty(), "too far from the end");
    assert_eq!(think("expert:multi=3", of_nodes).moves.len(), 4, "the four first moves are one by symmetry");
    let of_depth = Limits { depth: Some(3), ..Limits::default() };
    assert_eq!(think("expert", of_depth).depth, 3);
}

#[test]
fn patterns_are_carried_along_and_look_the_same_from_all_sides() {
    let (game, weights) = (Othello::<u64>::new(8), Weights::builtin());
    let mut rng = seeded(4);
    for _ in 0..20 {
        let mut position = game.start();
        let knowledge = game.knowledge("patterns").expect("the board is 8×8");
        let mut state = knowledge.state(&game, &position);
        while let Some(mv) = game.random_move(&position, &mut rng) {
            let mut next = position;
            game.play_unchecked(&mut next, mv);
            knowledge.advance(&game, &mut state, &position, mv, &next);
            position = next;
            assert!(state == knowledge.state(&game, &position));
            let value =
                |own: u64, opponent: u64| weights.value(&Arrangement::new(own, opponent), own, opponent, 1);
            let expected = value(position.own, position.opponent);
            for symmetry in 1..8 {
                let turned = |set: u64| {
                    let squares = (0..64u8).filter(|square| set >> square & 1 != 0);
                    squares.fold(0, |image_set, square| image_set | 1u64 << image(square, symmetry))
                };
                assert_eq!(value(turned(position.own), turned(position.opponent)), expected);
            }
            let Position { own, opponent, .. } = position;
            let factor = if position.to_move == Player(0) { 1 } else { -1 };
            assert_eq!(weights.value(&state, own, opponent, factor), expected, "white sees what black would");
        }
    }
}

#[test]
fn files_of_weights_are_read_back_and_wrong_ones_refused() {
    let representatives = representatives();
    let stages = (0..STAGES).map(|stage| {
        // Few different numbers, so that compressing them takes no time.
        let weight = |place: usize| (representatives[place] as usize / 5_000 + stage) as i16;
        let patterns: Box<[i16]> = (0..WEIGHTS).map(weight).collect();
        let patterns = patterns.try_into().expect("the right length");
        Stage { patterns, terms: std::array::from_fn(|term| (term % 7) as i16) }
    });
    let weights = Weights::new(stages.collect());
    let file = weights.encode().expect("memory enough");
    assert!(Weights::decode(&file).expect("our own file") == weights);
    assert!(Weights::decode(b"no weights").is_err());
    assert!(Weights::decode(&[]).is_err());
    assert!(Weights::decode(&file[..file.len() / 2]).is_err());
    assert_eq!((stage(4), stage(5), stage(6), stage(64)), (0, 0, 1, STAGES - 1));
}

fn opinions_add_up<B: Flank>(game: &Othello<B>)
where
    Othello<B>: Expertise + Game<Position = Position<B>, Move = Move>,
    <Othello<B> as Expertise>::Knowledge: Evaluation<Othello<B>>,
{
    let mut rng = seeded(5);
    for spec in game.evaluations() {
        let knowledge = game.knowledge(spec.name).expect("it is listed");
        let mut position = game.start();
        for _ in 0..60 {
            let state = knowledge.state(game, &position);
            let score = f64::from(knowledge.score(game, &position, &state));
            for (player, sign) in [(position.to_move, 1.0), (Player(1 - position.to_move.0), -1.0)] {
                let features = knowledge.features(game, &position, player);
                let sum: f64 = features.iter().map(|feature| feature.value * feature.weight).sum();
                assert!((sum - sign * score).abs() <= 0.5, "{}: {sum} and {score}", spec.name);
            }
            let Some(mv) = game.random_move(&position, &mut rng) else { break };
            game.play_unchecked(&mut position, mv);
        }
    }
    assert!(game.knowledge("nonsense").is_none());
}

#[test]
fn features_add_up_to_the_opinion_on_every_board() {
    opinions_add_up(&Othello::<u64>::new(8));
    opinions_add_up(&Othello::<u64>::new(4));
    opinions_add_up(&Othello::<u128>::new(10));
    opinions_add_up(&Othello::<Rows>::new(26));
    assert!(Othello::<u64>::new(6).knowledge("patterns").is_none(), "the patterns are those of 8×8");
}

#[test]
fn the_shares_of_s5_are_those_of_its_text() {
    let game = Othello::<u64>::new(8);
    // Own: one corner and three more discs; enemy: two discs.
    let position = game.parse_position("x7/8/8/3oxx2/3xo3/8/8/8 x").expect("a position");
    let mobility = |side: u64, other: u64| f64::from(<u64 as Flank>::moves(&game, side, other).count_ones());
    let (own, enemy) = (mobility(position.own, position.opponent), mobility(position.opponent, position.own));
    let discs = (4.0 - 2.0) / 6.0;
    let moves = (own - enemy) / (own + enemy);
    for (name, expected) in [
        ("s5-beginner", discs),
        ("s5-intermediate", 0.4 * discs + 0.6 * moves),
        ("s5-advanced", 0.25 * discs + 0.35 * moves + 0.4 * 0.25),
    ] {
        let knowledge = game.knowledge(name).expect("an evaluation");
        let score = knowledge.score(&game, &position, &knowledge.state(&game, &position));
        assert!((f64::from(score) - 10_000.0 * expected).abs() <= 0.5, "{name}: {score}");
    }
}

#[test]
fn bots_let_the_solver_play_the_end_within_its_reach() {
    let game = std::sync::Arc::new(Othello::<u64>::new(8));
    let knowledge = game.knowledge("patterns").expect("the board is 8×8");
    let position = late_position(&game, 9, &mut seeded(6));
    let expected = minimax(&game, &position);
    let count = empties(&game, &position);
    let line = Line::from_position(game, position);
    let solution = knowledge.solve(&line, count, 1.0, &mut Watch::unlimited()).expect("within reach");
    assert_eq!(solution.score, f64::from(100 * expected));
    assert_eq!(knowledge.solve(&line, count - 1, 1.0, &mut Watch::unlimited()), None);
}

/// What alpha-beta with these settings thinks of a position.
fn judged(position: &Position<u64>, evaluation: &str, settings: &str) -> Thought<Move> {
    let game = std::sync::Arc::new(Othello::<u64>::new(8));
    let knowledge = game.knowledge(evaluation).expect(evaluation);
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == "alphabeta").expect("it is listed");
    let options = Options::parse_declared("alphabeta", algorithm.parameters, settings).expect(settings);
    let mut bot: Box<dyn GameBot<Othello<u64>>> =
        build("alphabeta", &*game, knowledge, &options, 1).expect("a bot");
    let line = Line::from_position(game, *position);
    bot.think(&line, &Budget::analysis(Limits::default()), &mut |_| {}).expect("a move")
}

#[test]
fn ends_count_in_discs_and_are_proven() {
    let game = Othello::new(8);
    let mut rng = seeded(7);
    let (mut wins, mut losses) = (0, 0);
    for _ in 0..25 {
        let position = late_position(&game, 7, &mut rng);
        let expected = minimax(&game, &position);
        (wins, losses) = (wins + u32::from(expected > 0), losses + u32::from(expected < 0));
        for (evaluation, disc) in [("patterns", 100), ("features", 100), ("discs", 1)] {
            for settings in ["depth=60", "depth=60,multi=500,tt=off", "depth=60,probcut=1.3"] {
                let thought = judged(&position, evaluation, settings);
                assert_eq!(thought.score, Some(f64::from(disc * expected)), "{evaluation} {settings}");
                assert!(settings.contains("probcut") || thought.is_proven(), "{evaluation} {settings}");
                assert_eq!(thought.moves[0].mv, thought.best);
            }
        }
        // Every move has the result that it leads to.
        for known in judged(&position, "patterns", "depth=60,multi=500").moves {
            let mut next = position;
            game.play_unchecked(&mut next, known.mv);
            assert_eq!(known.score, f64::from(-100 * minimax(&game, &next)), "{known:?}");
        }
    }
    assert!(wins > 5 && losses > 5);
}

/// A position near the end in which everything loses: the loss that is proven to be small must not give way to a worse one that is not
/// proven.
#[test]
fn the_best_move_leads_its_list_and_loses_as_few_discs_as_it_sees() {
    let rules = ENTRY.rules("").expect("defaults");
    let text = "2oooo2/2oooo2/xxoooxoo/1xooooxo/xooxoxoo/ooooxooo/2oxoo2/2xooo2 o";
    let session = rules.start_from(text).expect(text);
    let game = Othello::new(8);
    let position = game.parse_position(text).expect(text);
    let mut solver = Solver::with_weights(&game, 16, Some(Weights::builtin()));
    let mut result = |token: &str| {
        let mut next = position;
        game.play_unchecked(&mut next, game.parse_move(token).expect(token));
        -solve(&mut solver, &next, Effort::Score).score
    };
    let mut nodes = 6_000;
    while nodes < 600_000 {
        for multi in [1, 5] {
            let spec = format!("expert:multi={multi}").parse().expect("a specification");
            let mut bot = rules.bot(&spec, 0).expect("a bot");
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let thought = bot.think(&*session, &Budget::analysis(limits), &mut |_| {}).expect("a move");
            let first = &thought.moves[0];
            assert_eq!((&first.mv, Some(first.score)), (&thought.best, thought.score), "{nodes}");
            let exact = thought.moves.iter().filter(|known| known.bound == Bound::Exact);
            assert!(exact.is_sorted_by(|one, other| one.score >= other.score), "{nodes} {thought:?}");
            assert!(thought.moves.iter().all(|known| known.score.abs() <= 6400.0), "{nodes} {thought:?}");
            for known in thought.moves.iter().filter(|known| known.is_proven) {
                assert_eq!(known.score, f64::from(100 * result(&known.mv)), "{nodes} {known:?}");
            }
            if nodes > 100_000 {
                assert!(result(&thought.best) >= -20, "{nodes}: {} {}", thought.best, result(&thought.best));
            }
        }
        nodes += nodes / 3;
    }
}

#[test]
fn an_analysis_within_the_solvers_reach_has_the_result_of_every_move_or_a_bound() {
    let rules = ENTRY.rules("").expect("defaults");
    let game = Othello::new(8);
    let position = late_position(&game, 11, &mut seeded(12));
    let session = rules.start_from(&game.position_text(&position)).expect("a position");
    // One bot, asked again and again: what its solver has found before must not matter.
    let mut bot = rules.bot(&"expert:multi=5".parse().expect("a specification"), 0).expect("a bot");
    let mut ask = |nodes: u64| {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        bot.think(&*session, &Budget::analysis(limits), &mut |_| {}).expect("a move")
    };
    let all = ask(10_000_000);
    assert_eq!((ask(10_000_000).nodes, ask(3_000).moves), (all.nodes, ask(3_000).moves));
    assert_eq!(all.moves.len(), session.legal().len());
    let results: Vec<i32> = all
        .moves
        .iter()
        .map(|known| {
            let mut next = position;
            game.play_unchecked(&mut next, game.parse_move(&known.mv).expect("a move"));
            -100 * solve(&mut Solver::new(&game, 1), &next, Effort::Score).score
        })
        .collect();
    let found: Vec<i32> = all.moves.iter().map(|known| known.score as i32).collect();
    assert_eq!(found, results);
    assert!(found.is_sorted_by(|one, other| one >= other) && all.is_proven());
    assert!(all.moves.iter().all(|known| known.is_proven && known.bound == Bound::Exact));
    // With too few nodes for all, the others are known to be no better than the best.
    let few = (1..40)
        .map(|thousands| ask(thousands * 1000))
        .find(|thought| thought.is_proven() && thought.moves.iter().any(|known| known.bound == Bound::Upper));
    let few = few.expect("some number of nodes lies between");
    assert_eq!((few.best, few.score), (all.best.clone(), all.score));
    let bounds = few.moves.iter().skip_while(|known| known.bound == Bound::Exact);
    assert!(bounds.into_iter().all(|known| known.bound == Bound::Upper && Some(known.score) == all.score));
}

/// Source S5's search by its definition: a finished game and a position without a move count by the heuristic.
fn s5_minimax(game: &Othello<u64>, position: &Position<u64>, depth: u32) -> i32 {
    if depth == 0 || <u64 as Flank>::moves(game, position.own, position.opponent) == 0 {
        let [own, enemy] = [position.own, position.opponent].map(|discs| f64::from(discs.count_ones()));
        return (10_000.0 * (own - enemy) / (own + enemy)).round() as i32;
    }
    let mut best = i32::MIN;
    game.for_each_move(position, |mv| {
        let mut next = *position;
        game.play_unchecked(&mut next, mv);
        best = best.max(-s5_minimax(game, &next, depth - 1));
    });
    best
}

#[test]
fn s5_counts_ends_and_passes_by_its_heuristic_and_takes_the_later_of_equal_moves() {
    let rules = ENTRY.rules("").expect("defaults");
    let game = Othello::new(8);
    let mut rng = seeded(9);
    let (mut ties, mut choices) = (0, 0);
    for _ in 0..120 {
        let position = late_position(&game, 2 + below(&mut rng, 12) as u32, &mut rng);
        let mut expected = Vec::new();
        game.for_each_move(&position, |mv| {
            let mut next = position;
            game.play_unchecked(&mut next, mv);
            expected.push((-s5_minimax(&game, &next, 1), game.move_text(mv)));
        });
        if expected.len() < 2 {
            continue;
        }
        let score = expected.iter().map(|(score, _)| *score).max().expect("a move");
        let best: Vec<&String> =
            expected.iter().filter(|(other, _)| *other == score).map(|(_, text)| text).collect();
        let session = rules.start_from(&game.position_text(&position)).expect("a position");
        let mut bot = rules.bot(&"s5-beginner".parse().expect("a specification"), 0).expect("a bot");
        let thought = bot.think(&*session, &Budget::new(Limits::default()), &mut |_| {}).expect("a move");
        assert_eq!(thought.score, Some(f64::from(score)), "{}", game.position_text(&position));
        assert_eq!(Some(&thought.best), best.last().copied(), "{}", game.position_text(&position));
        (ties, choices) = (ties + usize::from(best.len() > 1), choices + 1);
    }
    assert!(ties > 5 && choices > 50, "{ties} {choices}");
}

#[test]
fn symmetric_moves_are_alike() {
    for size in [4, 6, 8] {
        let game = Othello::<u64>::new(size);
        agon_testkit::symmetric_moves_are_alike(game, game.start(), 3);
    }
    let game = Othello::<u128>::new(10);
    agon_testkit::symmetric_moves_are_alike(game, game.start(), 3);
    let game = Othello::<Rows>::new(12);
    agon_testkit::symmetric_moves_are_alike(game, game.start(), 3);
}

#[test]
fn bots_say_what_their_scores_mean_and_take_weights() {
    let rules = ENTRY.rules("").expect("defaults");
    let bot = |spec: &str| rules.bot(&spec.parse().expect(spec), 0);
    for (spec, unit) in [
        ("expert", Unit::Amount { name: "discs", one: 100.0 }),
        ("novice", Unit::Amount { name: "discs", one: 1.0 }),
        ("s5-advanced", Unit::Amount { name: "S5 points", one: 100.0 }),
    ] {
        assert_eq!(bot(spec).expect(spec).unit(), Some(unit), "{spec}");
    }
    assert_eq!(bot("random").expect("a bot").unit(), None);
    let session = rules.start();
    let weights = |spec: &str| {
        let features = bot(spec).expect(spec).features(&*session).into_iter();
        features.map(|feature| (feature.name, feature.weight)).collect::<Vec<_>>()
    };
    assert!(weights("s5-advanced:weights=corners:50").contains(&("share of corners", 5000.0)));
    assert!(weights("medium:weights=potential-mobility:33").contains(&("potential mobility", 33.0)));
    let error = bot("expert:weights=corners:50").err().expect("patterns have no such weights").to_string();
    assert!(error.contains("no weights"), "{error}");
}

#[test]
fn tuned_weights_go_by_name_and_are_those_of_expert_on_larger_boards() {
    let weights = |options: &str, spec: &str| {
        let rules = ENTRY.rules(options).expect(options);
        let linear = rules.linear(&spec.parse().expect(spec)).expect(spec);
        (linear.evaluation, linear.weights.into_iter().map(|weight| weight.value).collect::<Vec<_>>())
    };
    let (evaluation, own) = weights("size=10", "alphabeta");
    let (_, tuned) = weights("size=10", "alphabeta:weights=tuned");
    assert_eq!((evaluation.as_str(), own.len()), ("features", tuned.len()));
    assert_ne!(own, tuned);
    assert_eq!(weights("size=10", "expert").1, tuned);
    assert_eq!(weights("size=10", "expert:eval=features").1, own, "an evaluation that is named has its own");
    assert_eq!(weights("size=6", "expert").1, own);
    assert_eq!(weights("", "alphabeta:eval=features,weights=tuned").1, tuned, "on every board");
    assert_eq!(weights("", "expert"), ("patterns".to_owned(), Vec::new()));
    // Another evaluation does not get them.
    assert_eq!(weights("size=10", "expert:eval=s5-advanced").1, [25.0, 35.0, 40.0]);
    assert_eq!(weights("", "s5-advanced:weights=tuned+discs:9").1, [9.0, 24.46, 54.52]);
    let rules = ENTRY.rules("").expect("defaults");
    let wrong = "alphabeta:eval=features,weights=tune".parse().expect("a specification");
    let error = rules.bot(&wrong, 0).err().expect("there is no such set").to_string();
    assert!(error.contains("did you mean tuned?"), "{error}");
}
