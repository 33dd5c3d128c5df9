//! The conformance suite: random games, and at every position of them what [`Game`] promises.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use agon_core::cpu::{Portable, Root};
use agon_core::perft::{Perft, perft, perft_shared};
use agon_core::playout::{Playouts, playouts};
use agon_core::random::{RandomSource, below, seeded};
use agon_core::{Diagram, Game, Line, Notation, Ply, Turn, Verdict};

/// Plays `games` random games of `game`, none longer than `max_plies`, and checks everything that
/// a game promises at each of their positions.
///
/// # Panics
/// At the first promise that does not hold.
pub fn conformance<G: Game + Notation>(game: G, games: u64, max_plies: usize) {
    let game = Arc::new(game);
    assert!((1..=agon_core::MAX_PLAYERS).contains(&game.players()));
    let names: HashSet<&str> =
        (0..game.players()).map(|seat| game.seat(agon_core::Player(seat as u8))).collect();
    assert_eq!(names.len(), game.players(), "every seat has a name of its own");
    let mut keys = HashMap::new();
    for seed in 0..games {
        let mut rng = seeded(seed);
        let mut line = Line::new(Arc::clone(&game));
        let mut positions = Vec::new();
        for _ in 0..max_plies {
            check_position(&game, &line, &mut keys, &mut rng);
            let legal = line.legal();
            if legal.is_empty() {
                break;
            }
            let ply = legal[below(&mut rng, legal.len() as u64) as usize];
            check_undo(&mut line, ply);
            positions.push(*line.position());
            assert!(line.play(ply), "a listed ply can be played");
        }
        check_past(&line, &positions, &mut rng);
        for (ply, (position, _)) in line.plies_since(0).enumerate() {
            let left = game.plies_left(&position).map_or(usize::MAX, |left| left as usize);
            let text = game.position_text(&position);
            assert!(ply.saturating_add(left) >= line.plies().len(), "{text}: {left} plies left at the most");
        }
    }
    check_counts(&game);
}

/// Checks everything that a game promises at one position, however it came about.
///
/// # Panics
/// At the first promise that does not hold.
pub fn position_conforms<G: Game + Notation>(game: &Arc<G>, position: G::Position) {
    let line = Line::from_position(Arc::clone(game), position);
    check_position(game, &line, &mut HashMap::new(), &mut seeded(0));
}

fn check_position<G: Game + Notation>(
    game: &Arc<G>,
    line: &Line<G>,
    keys: &mut HashMap<u64, String>,
    rng: &mut agon_core::Rng,
) {
    let position = line.position();
    let text = game.position_text(position);
    let reread = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(reread, *position, "{text}: a position reads back as itself");
    assert_eq!(game.position_text(&reread), text);
    assert_eq!(game.key(&reread), game.key(position), "{text}: equal positions have equal keys");
    // The last field of a position is its ply count where it has one; keys leave that out.
    let essence = match game.ply(position) {
        Some(_) => text.rsplit_once(' ').map_or(text.as_str(), |(essence, _)| essence),
        None => text.as_str(),
    };
    let known = keys.entry(game.key(position)).or_insert_with(|| essence.to_owned());
    assert_eq!(known, essence, "different positions have different keys");

    let mut moves = Vec::new();
    game.for_each_move(position, |mv| moves.push(mv));
    let mut draws = Vec::new();
    let mut probability = 0.0;
    game.for_each_chance(position, |draw, chance| {
        draws.push(draw);
        probability += chance;
    });
    assert_eq!(moves.iter().collect::<HashSet<_>>().len(), moves.len(), "{text}: no move twice");
    assert_eq!(game.count_moves(position), moves.len() as u64, "{text}: moves are counted as listed");
    assert_eq!(game.count_chances(position), draws.len() as u64, "{text}: draws are counted as listed");
    match game.turn(position) {
        Turn::Player(player) => {
            assert!(player.index() < game.players());
            assert!(draws.is_empty(), "{text}: chance waits for the player");
        }
        Turn::Chance => {
            assert!(moves.is_empty(), "{text}: the player waits for chance");
            assert!((probability - 1.0).abs() < 1e-9, "{text}: probabilities add up to {probability}");
        }
    }
    let replies = moves.iter().map(|&mv| {
        let mut next = *position;
        game.play_unchecked(&mut next, mv);
        game.count_moves(&next) + game.count_chances(&next)
    });
    assert_eq!(game.count_replies(position), replies.sum::<u64>(), "{text}: replies are counted as played");
    let outcome = game.outcome(position);
    assert_eq!(
        outcome.is_some(),
        moves.is_empty() && draws.is_empty(),
        "{text}: over exactly if nothing can be played"
    );
    if let Some(outcome) = line.outcome() {
        assert!(!outcome.reason.is_empty());
        let ranked: Vec<_> = game.ranking(position, &outcome).concat();
        assert_eq!(ranked.iter().collect::<HashSet<_>>().len(), game.players(), "{text}: all are ranked");
        if let Verdict::Won(winner) = outcome.verdict {
            let payoffs = game.payoffs(position, &outcome);
            assert_eq!(ranked[0], winner, "{text}: the winner is first");
            assert!(payoffs.0[..game.players()].iter().all(|&payoff| payoff <= payoffs.of(winner)));
        }
    }

    for &mv in &moves {
        assert!(game.is_legal(position, mv), "{text}: listed and legal");
        let token = game.move_text(mv);
        assert_eq!(game.parse_move(&token).as_ref(), Ok(&mv), "{text}: {token} reads back as itself");
        assert!(!token.contains(char::is_whitespace));
    }
    for &draw in &draws {
        let token = game.chance_text(draw);
        assert_eq!(game.parse_chance(&token).as_ref(), Ok(&draw), "{text}: {token} reads back as itself");
        assert!(line.is_legal(Ply::Chance(draw)));
    }
    match game.random_move(position, rng) {
        Some(mv) => assert!(moves.contains(&mv), "{text}: a random move is a legal one"),
        None => assert!(moves.is_empty(), "{text}: a random move is found where there is one"),
    }
    match game.draw(position, rng.next_u64()) {
        Some(draw) => assert!(draws.contains(&draw), "{text}: a draw is a possible one"),
        None => assert!(draws.is_empty(), "{text}: a draw is made where there is one"),
    }
    let Diagram { board, facts } = game.diagram(position);
    assert!(board.ends_with('\n') && !facts.contains('\n') && !facts.is_empty(), "{text}: {board}{facts}");
}

/// Checks what a line says of its past, in which plies were played in `positions`, and that it can go back anywhere.
fn check_past<G: Game>(line: &Line<G>, positions: &[G::Position], rng: &mut agon_core::Rng) {
    assert!(line.plies_since(0).map(|(before, _)| before).eq(positions.iter().copied()));
    assert!(line.past().eq(positions.iter().rev().copied()));
    for (from, position) in positions.iter().enumerate() {
        let (before, ply) = line.plies_since(from).next().expect("a ply");
        assert_eq!((before, ply), (*position, line.plies()[from]), "ply {from}");
    }
    let mut back = line.clone();
    for _ in 0..20 {
        let count = below(rng, back.plies().len() as u64 + 1) as usize;
        back.rewind(count);
        assert_eq!(back.position(), positions.get(count).unwrap_or(line.position()));
        assert_eq!((Some(back.start()), back.plies().len()), (positions.first(), count));
        assert!(back.past().eq(positions[..count].iter().rev().copied()));
        // What was taken back may be played again.
        for ply in line.plies()[count..].iter().take(below(rng, 40) as usize) {
            assert!(back.play(*ply));
        }
    }
}

/// Moves from elsewhere in the game: each must be legal exactly if it is listed.
fn check_undo<G: Game + Notation>(line: &mut Line<G>, ply: Ply<G::Move, G::Chance>) {
    let (position, outcome, legal) = (*line.position(), line.outcome(), line.legal());
    assert!(line.play(ply));
    for later in line.legal() {
        let listed = legal.contains(&later);
        let taken_back = line.undo();
        assert_eq!(taken_back, Some(ply));
        assert_eq!(line.is_legal(later), listed, "legal exactly if listed");
        assert!(line.play(ply));
    }
    line.undo();
    assert_eq!(*line.position(), position, "undo restores the position");
    assert_eq!(line.outcome(), outcome, "undo restores the outcome");
    assert_eq!(line.legal(), legal, "undo restores the moves");
}

/// Bulk counting agrees with playing one by one, the portable code with what the processor offers.
fn check_counts<G: Game + Notation>(game: &Arc<G>) {
    let line = Line::new(Arc::clone(game));
    for depth in 0..=3 {
        let limit = 200_000;
        let bulk = perft(&**game, line.position(), depth, limit);
        let portable = Perft { game: &**game, position: line.position(), depth, limit }.at(Portable);
        assert_eq!(bulk, portable, "the portable count at depth {depth}");
        if let Ok(count) = bulk {
            assert_eq!(count, count_singly(&mut line.clone(), depth), "the count at depth {depth}");
            let shared = perft_shared(&**game, line.position(), depth, limit);
            assert_eq!(shared, Ok(count), "the shared count at depth {depth}");
        }
    }
    let (mut rng, mut portable_rng) = (seeded(1), seeded(1));
    let fast = playouts(&**game, line.position(), 3, 500, &mut rng);
    let root = Playouts {
        game: &**game,
        position: line.position(),
        games: 3,
        max_plies: 500,
        rng: &mut portable_rng,
    };
    assert_eq!(fast, root.at(Portable), "the portable playouts");
}

/// Perft by the checked interface alone.
fn count_singly<G: Game>(line: &mut Line<G>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    for ply in line.legal() {
        assert!(line.play(ply));
        count += count_singly(line, depth - 1);
        line.undo();
    }
    count
}
