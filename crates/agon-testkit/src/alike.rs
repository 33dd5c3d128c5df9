//! Moves that a game takes to be the same by symmetry.

use std::collections::HashSet;
use std::sync::Arc;

use agon_core::perft::perft;
use agon_core::{Line, Ply, Turn};
use agon_erased::Expertise;
use agon_search::{ALGORITHMS, Budget, GameBot, Limits, Tactics, build};

/// Holds a symmetric position to what the game says of its symmetries: that there are `count` besides that of changing nothing, that they
/// make legal moves of legal moves, one of each, and that the game goes on alike after both. An analysis then gives the same score to
/// all moves of a class.
///
/// # Panics
/// If they do not.
pub fn symmetric_moves_are_alike<G: Expertise>(game: G, position: G::Position, count: usize) {
    let game = Arc::new(game);
    let evaluation = game.evaluations()[0].name;
    let knowledge = || game.knowledge(evaluation).expect(evaluation);
    let line = Line::from_position(Arc::clone(&game), position);
    let legal = |ply| if let Ply::Move(mv) = ply { Some(mv) } else { None };
    let moves: Vec<G::Move> = line.legal().into_iter().filter_map(legal).collect();
    let symmetries = knowledge().symmetries(&game, &position);
    assert_eq!(symmetries.len(), count, "{position:?}");
    let answers = |mv: G::Move| {
        let mut next = position;
        game.play_unchecked(&mut next, mv);
        perft(&*game, &next, 2, u64::MAX).expect("few positions")
    };
    let algorithm = ALGORITHMS.iter().find(|algorithm| algorithm.name == "alphabeta").expect("it is listed");
    let options = agon_core::Options::parse_declared("alphabeta", algorithm.parameters, "multi=500");
    let mut bot: Box<dyn GameBot<G>> =
        build("alphabeta", &*game, knowledge(), &options.expect("right"), 1).expect("a bot");
    let budget = Budget::analysis(Limits { depth: Some(3), ..Limits::default() });
    assert!(matches!(line.turn(), Turn::Player(_)));
    let thought = bot.think(&line, &budget, &mut |_| {}).expect("a move");
    let score = |mv| thought.moves.iter().find(|known| known.mv == mv).expect("every move is listed").score;
    assert_eq!(thought.moves.len(), moves.len());
    assert!(thought.moves.is_sorted_by(|one, other| one.score >= other.score));
    for symmetry in symmetries {
        let images: HashSet<G::Move> =
            moves.iter().map(|&mv| knowledge().image(&game, mv, symmetry)).collect();
        assert_eq!(images, moves.iter().copied().collect::<HashSet<_>>(), "symmetry {symmetry}");
        for &mv in &moves {
            let image = knowledge().image(&game, mv, symmetry);
            assert_eq!(answers(mv), answers(image), "{mv:?} and {image:?}, symmetry {symmetry}");
            assert_eq!(score(mv), score(image), "{mv:?} and {image:?}");
        }
    }
}
