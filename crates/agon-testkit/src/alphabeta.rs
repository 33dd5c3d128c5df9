//! Alpha-beta against minimax by its definition, on a game of two, with every evaluation that it has.

use std::sync::Arc;

use agon_core::random::{below, seeded};
use agon_core::{Game, Line, Options, Ply, Rng};
use agon_erased::Expertise;
use agon_search::{ALGORITHMS, Budget, Evaluation, GameBot, Limits, Tactics, build};

use crate::{Minimax, ends_by};

/// A game after this many random plies; fewer if it ends before.
fn random_line<G: Game>(game: &Arc<G>, plies: u64, rng: &mut Rng) -> Line<G> {
    let mut line = Line::new(Arc::clone(game));
    for _ in 0..plies {
        let legal = line.legal();
        assert!(line.play(legal[below(rng, legal.len() as u64) as usize]));
        if line.outcome().is_some() {
            line.undo();
            break;
        }
    }
    line
}

/// Switches that must not change the value.
const HARMLESS: [&str; 6] = [
    "exact=on,window=full,deepening=off,ordering=none,hash=off,killers=off,history=off,tt=off",
    "exact=on,tt=1",
    "exact=on,tt=1,aspiration=20,counter=on,multi=2,replace=always",
    "exact=on,tt=1,window=full,shallow=1,replace=depth",
    "exact=on,tt=off,ordering=original,aspiration=300",
    "exact=on,tt=2,ordering=none,start=2,threads=3",
];

/// Compares the scores of both searches over random positions, one depth after another with the same bot, so that what
/// its table keeps is used.
///
/// # Panics
/// Where the two differ.
pub fn alphabeta_is_minimax<G: Expertise>(game: G, deepest: u32, seed: u64) {
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == "alphabeta").expect("it is listed");
    let game = Arc::new(game);
    let mut rng = seeded(seed);
    for evaluation in game.evaluations() {
        let knowledge = || game.knowledge(evaluation.name).expect(evaluation.name);
        let judge = knowledge();
        let stops = |line: &Line<G>| judge.is_leaf(line.game(), line.position());
        let oracle = Minimax {
            end: &ends_by(&judge),
            stops: &stops,
            leaf: &|_, line: &mut Line<G>, _| {
                let state = judge.state(line.game(), line.position());
                judge.score(line.game(), line.position(), &state)
            },
        };
        for settings in HARMLESS {
            let options =
                Options::parse_declared("alphabeta", algorithm.parameters, settings).expect(settings);
            let mut bot: Box<dyn GameBot<G>> =
                build("alphabeta", &*game, knowledge(), &options, 1).expect(settings);
            let plies = below(&mut rng, 70);
            let mut line = random_line(&game, plies, &mut rng);
            for depth in 1..=deepest {
                let budget = Budget {
                    keeps_own_limits: false,
                    ..Budget::new(Limits { depth: Some(depth), ..Limits::default() })
                };
                let thought = bot.think(&line, &budget, &mut |_| {}).expect("a move");
                let expected = oracle.score(&mut line, depth, 0);
                let context = format!("{} with {settings}, depth {depth}, {plies} plies", evaluation.name);
                assert_eq!(thought.score, Some(f64::from(expected)), "{context}: {:?}", line.position());
                assert!(line.is_legal(Ply::Move(thought.best)), "{context}");
            }
        }
    }
}
