//! What people see agrees with the rules: boards, steps and lessons of all games.

use agon_core::Turn;
use agon_core::message::Value;
use agon_core::random::{RandomSource, below, seeded};
use agon_core::view::{Board, Effect, Form, Piece, Spot, StepKind, block_spots};
use agon_erased::{Rules, Session};
use agon_registry::GAMES;

/// The board that the effects of a step make of the one before it.
fn changed(before: &Board, effects: &[Effect]) -> Vec<(Spot, Option<Piece>)> {
    let find = |spot: Spot| before.cell(spot).expect("a cell").piece;
    let mut cells: Vec<(Spot, Option<Piece>)> =
        before.cells.iter().map(|cell| (cell.spot, cell.piece)).collect();
    let slides = effects.iter().any(|effect| matches!(effect, Effect::Slide { .. }));
    if slides {
        cells.iter_mut().for_each(|cell| cell.1 = None);
    }
    for effect in effects {
        let mut set = |spot: Spot, piece: Option<Piece>| {
            cells.iter_mut().find(|cell| cell.0 == spot).expect("a cell").1 = piece;
        };
        match *effect {
            Effect::Place { at, piece } => set(at, Some(piece)),
            Effect::Move { from, to } => {
                set(from, None);
                set(to, find(from));
            }
            Effect::Remove { at } => set(at, None),
            Effect::Flip { ref spots, piece } => {
                let piece = piece.expect("what they become");
                for at in spots {
                    assert_ne!(find(*at).expect("a piece that turns over").owner, piece.owner);
                    set(*at, Some(piece));
                }
            }
            Effect::Turn { corner } => {
                let ring = block_spots(corner);
                for index in 0..4 {
                    set(ring[(index + 1) % 4], find(ring[index]));
                }
            }
            Effect::Slide { from, to } => set(to, find(from)),
            Effect::Merge { to, piece, .. } => set(to, Some(piece)),
        }
    }
    cells
}

fn check(session: &dyn Session, token: &str, after: &dyn Session) {
    let before = session.board();
    let steps = session.steps();
    let step = &steps.iter().find(|step| step.0 == token).expect("a legal move has a step").1;
    assert_eq!(Some(step), after.last_step().as_ref());
    let board = after.board();
    for (spot, piece) in changed(&before, &step.effects) {
        let there = board.cell(spot).expect("a cell").piece;
        assert_eq!(piece, there, "{token} at {spot:?} in {}", session.position());
    }
    let changed_spots = step.changed_spots();
    for (one, other) in before.cells.iter().zip(&board.cells) {
        assert!(one == other || changed_spots.contains(&one.spot), "{token} does not tell of {:?}", one.spot);
    }
    let effects = |wanted: fn(&Effect) -> bool| step.effects.iter().filter(|effect| wanted(effect)).count();
    match step.kind {
        StepKind::Pass => assert_eq!((token, step.effects.len(), step.to), ("pass", 0, None)),
        StepKind::Place | StepKind::Appear => {
            assert_eq!(effects(|effect| matches!(effect, Effect::Place { .. })), 1);
            assert_eq!(session.turn() == Turn::Chance, step.kind == StepKind::Appear);
        }
        StepKind::Move => assert_eq!(effects(|effect| matches!(effect, Effect::Move { .. })), 1),
        StepKind::Turn => assert!(step.block().is_some()),
        StepKind::Slide => assert!(step.heading.is_some()),
    }
    for spot in [step.from, step.to, step.block()].into_iter().flatten() {
        let name = board.place_name(spot);
        // A move that says itself how it is pointed at need not be written by places: a column stands for a drop into it.
        let is_named = token.contains(&name) || !step.places.is_empty();
        assert!(is_named && !name.is_empty(), "{token} does not name {spot:?} {name:?}");
    }
    if let [first, .., last] = step.path[..] {
        assert_eq!((Some(first), Some(last)), (step.from, step.to));
    }
}

/// In games for several players every piece has one of the styles that its owner declares.
fn check_owners(rules: &dyn Rules, board: &Board) {
    let styles = rules.seat_styles();
    if styles.len() == 1 {
        return;
    }
    for piece in board.cells.iter().filter_map(|cell| cell.piece) {
        let declared = &styles[piece.owner.index()];
        assert!(declared.contains(&piece.style), "{}: {piece:?} is none of {declared:?}", rules.spec().id);
    }
}

#[test]
fn seats_of_games_for_several_declare_styles_of_pieces() {
    for (entry, options) in GAMES.variants() {
        let rules = entry.rules(options).expect(options);
        let seats = rules.seat_styles();
        assert_eq!(seats.len(), rules.seats().len(), "{} {options}", entry.spec.id);
        for styles in &seats {
            assert!(seats.len() == 1 || !styles.is_empty(), "{} {options}", entry.spec.id);
            let is_piece = |form| matches!(form, Form::Piece(_));
            let known =
                |token| entry.spec.styles.iter().any(|style| style.token == token && is_piece(style.form));
            assert!(styles.iter().all(|token| known(*token)), "{} {options}: {styles:?}", entry.spec.id);
        }
        check_owners(&*rules, &rules.start().board());
    }
}

#[test]
fn steps_change_boards_as_moves_do() {
    for (entry, options) in GAMES.variants() {
        let game = entry.spec.id;
        let rules = entry.rules(options).expect(options);
        let mut rng = seeded(7);
        for _ in 0..2 {
            let mut session = rules.start();
            for ply in 0..400 {
                if session.outcome().is_some() {
                    break;
                }
                let before = session.fork();
                let token = if session.turn() == Turn::Chance {
                    session.draw(rng.next_u64()).expect("a draw")
                } else {
                    let legal = session.legal();
                    let steps: Vec<String> = session.steps().into_iter().map(|step| step.0).collect();
                    assert_eq!(legal, steps, "{game}");
                    let token = legal[below(&mut rng, legal.len() as u64) as usize].clone();
                    session.play(&token).expect("a legal move");
                    token
                };
                check(&*before, &token, &*session);
                check_owners(&*rules, &session.board());
                assert_eq!(session.movers().len(), ply + 1);
            }
        }
    }
}

#[test]
fn the_number_that_is_shown_is_that_of_the_next_move() {
    for (entry, options) in GAMES.variants() {
        let rules = entry.rules(options).expect(options);
        let mut session = rules.start();
        let mut rng = seeded(5);
        let mut last = 0;
        while let Some(progress) = session.board().progress {
            let shown = match progress.text.arguments.get("n") {
                Some(Value::Number(number)) => *number,
                other => panic!("{}: {other:?} is not a number", entry.spec.id),
            };
            let about = format!("{} {options}: {} after {}", entry.spec.id, progress.text, progress.played);
            assert!((last..=last + 1).contains(&shown), "{about}");
            assert!(progress.limit.is_none_or(|limit| shown <= limit.into()), "{about}");
            if session.outcome().is_some() {
                break;
            }
            assert_eq!(shown, u64::from(progress.played) + 1, "{about}");
            last = shown;
            let legal = session.legal();
            session.play(&legal[below(&mut rng, legal.len() as u64) as usize]).expect("a legal move");
        }
    }
}

#[test]
fn cells_are_sorted_and_named() {
    for entry in GAMES {
        let rules = entry.rules("").expect("the defaults hold");
        let board = rules.start().board();
        assert!(board.cells.is_sorted_by_key(|cell| cell.spot), "{}", entry.spec.id);
        for cell in &board.cells {
            assert!(usize::from(cell.spot.row) < board.rows.len());
            assert!(usize::from(cell.spot.column) < board.columns.len());
        }
        for cell in &board.cells {
            let tokens = [cell.ground, cell.piece.map(|piece| piece.style)];
            for token in tokens.into_iter().flatten() {
                assert!(entry.spec.styles.iter().any(|style| style.token == token), "{token}");
            }
        }
        for dot in &board.dots {
            let below = Spot { row: dot.row + 1, column: dot.column + 1 };
            assert!(board.cell(*dot).is_some() && board.cell(below).is_some(), "{}: {dot:?}", entry.spec.id);
        }
        assert_eq!(board.styles, entry.spec.styles);
        assert_eq!(rules.titles().len(), rules.seats().len());
        assert_eq!(rules.scale().is_some(), rules.seats().len() > 1);
    }
}

#[test]
fn lessons_show_what_can_happen() {
    for entry in GAMES {
        assert!(!entry.spec.lessons.is_empty(), "{}", entry.spec.id);
        for (index, lesson) in entry.spec.lessons.iter().enumerate() {
            let title = entry.spec.lesson_title(index);
            let rules = entry.rules(lesson.options).expect(title);
            let mut session = match lesson.position {
                Some(position) => rules.start_from(position).expect(title),
                None => rules.start(),
            };
            match lesson.example {
                Some(example) => {
                    session.play(example).unwrap_or_else(|error| panic!("{}: {error}", title));
                }
                None if lesson.piece.is_some() => {
                    let moves =
                        session.steps().into_iter().filter(|(_, step)| step.from == lesson.piece).count();
                    assert!(moves > 0, "{}: {}", entry.spec.id, title);
                }
                // A position of its own without a move to show is one in which there is nothing to choose.
                None if lesson.position.is_some() => {
                    let passes = session.steps().iter().all(|(_, step)| step.kind == StepKind::Pass);
                    assert!(passes, "{}: {}", entry.spec.id, title);
                }
                None => assert!(session.outcome().is_none(), "{}: {}", entry.spec.id, title),
            }
            if let Some([first, last]) = lesson.part {
                let board = session.board();
                let is_in = |at: Spot| {
                    (first.row..=last.row).contains(&at.row)
                        && (first.column..=last.column).contains(&at.column)
                };
                let told = session.last_step().map(|step| [step.from, step.to]);
                let told = told.into_iter().flatten().flatten().chain(lesson.piece);
                assert!(told.into_iter().all(is_in), "{}: {} is cut off", entry.spec.id, title);
                assert!(board.cells.iter().any(|cell| is_in(cell.spot)), "{}: {}", entry.spec.id, title);
            }
        }
    }
}
