//! What people see agrees with the rules: boards, steps and lessons of all games.

use agon_core::Turn;
use agon_core::random::{RandomSource, below, seeded};
use agon_core::view::{Board, Effect, Piece, Spot, StepKind};
use agon_registry::{GAMES, Session, find};

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
            Effect::Flip { at, piece } => {
                assert_ne!(find(at).expect("a piece that turns over").owner, piece.owner);
                set(at, Some(piece));
            }
            Effect::Turn { corner } => {
                let at = |row: u8, column: u8| Spot { row: corner.row + row, column: corner.column + column };
                let ring = [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
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
        assert!(token.contains(&name) && !name.is_empty(), "{token} does not name {spot:?} {name:?}");
    }
    if let [first, .., last] = step.path[..] {
        assert_eq!((Some(first), Some(last)), (step.from, step.to));
    }
}

#[test]
fn steps_change_boards_as_moves_do() {
    for (game, options, games) in [
        ("othello", "", 4),
        ("othello", "size=12", 1),
        ("tablut", "", 8),
        ("tablut", "rules=bologna", 2),
        ("loa", "", 4),
        ("loa", "size=13,first=white,turns=20", 1),
        ("chinese-checkers", "seats=gy/r/pb,rounds=20", 2),
        ("2048", "", 4),
    ] {
        let rules = agon_registry::find(game).expect(game).rules(options).expect(options);
        let mut rng = seeded(7);
        for _ in 0..games {
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
                assert_eq!(session.movers().len(), ply + 1);
            }
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
        assert_eq!(board.styles, entry.spec.styles);
        assert_eq!(rules.titles().len(), rules.seats().len());
        assert_eq!(rules.scale().is_some(), rules.seats().len() > 1);
    }
}

#[test]
fn lessons_show_what_can_happen() {
    for entry in GAMES {
        assert!(entry.spec.lessons.len() >= 4, "{}", entry.spec.id);
        for lesson in entry.spec.lessons {
            let rules = entry.rules(lesson.options).expect(lesson.title);
            let mut session = match lesson.position {
                Some(position) => rules.start_from(position).expect(lesson.title),
                None => rules.start(),
            };
            // What the text says about the position is so.
            match lesson.title {
                "Passing" => assert_eq!(session.legal(), ["pass"], "{}", entry.spec.id),
                "The end" if lesson.position.is_some() => {
                    assert!(session.outcome().is_some(), "{}", entry.spec.id)
                }
                _ => assert!(session.outcome().is_none(), "{}: {}", entry.spec.id, lesson.title),
            }
            if let Some(example) = lesson.example {
                session.play(example).unwrap_or_else(|error| panic!("{}: {error}", lesson.title));
            }
        }
    }
}

#[test]
fn a_king_in_danger_is_shown() {
    let rules = agon_registry::find("tablut").expect("tablut").rules("").expect("the defaults hold");
    let threats = |position: &str| -> Vec<Spot> {
        let threats = rules.start_from(position).expect(position).board().threats;
        assert!(threats.iter().all(|threat| threat.message.text == "The king is in danger."));
        threats.iter().map(|threat| threat.at).collect()
    };
    assert_eq!(threats("9/9/2k1b4/9/9/9/9/9/9 w 4"), [], "nobody is near");
    assert_eq!(threats("9/9/b1kb5/9/9/9/9/9/9 b 4"), [Spot { row: 2, column: 2 }]);
    assert_eq!(threats("9/9/b1kb5/9/9/9/9/9/9 w 4"), [Spot { row: 2, column: 2 }], "whoever is to move");
}

/// People write moves in more ways than files do.
#[test]
fn typed_moves_are_taken_as_people_write_them() {
    for (game, typed, written) in [
        ("othello", "(3,4)", "d3"),
        ("othello", " ( 3, 4 ) ", "d3"),
        ("othello", "D3", "d3"),
        ("tablut", "d1d3", "d1d3"),
        ("tablut", "D1-D3", "d1d3"),
        ("tablut", "d1 d3", "d1d3"),
        ("tablut", "(1,4)-(3,4)", "d1d3"),
        ("loa", "7,6-5,6", "7,6-5,6"),
        ("loa", "(7,6)-(5,6)", "7,6-5,6"),
        ("loa", "7, 6 - 5, 6", "7,6-5,6"),
        ("loa", "@(0,0)", "@0,0"),
        ("chinese-checkers", "0309 - 0410", "0309-0410"),
        ("chinese-checkers", "(3,9)-(4,10)", "0309-0410"),
    ] {
        let mut session = find(game).expect(game).rules("").expect("the usual game").start();
        session.play_typed(typed).unwrap_or_else(|error| panic!("{game} {typed}: {error}"));
        assert_eq!(session.history(), [written], "{game} {typed}");
    }
    for (game, bad) in [
        ("othello", "(4,3,1)"),
        ("tablut", "(1,4)"),
        ("tablut", "d1--d3"),
        ("loa", "(7,6)"),
        ("loa", "@(7,7)"),
        ("chinese-checkers", "(0,0)-(1,1)"),
        ("chinese-checkers", "(99999999999999999999,0)-(1,1)"),
        ("2048", "sideways"),
    ] {
        let mut session = find(game).expect(game).rules("").expect("the usual game").start();
        assert!(session.play_typed(bad).is_err(), "{game} {bad}");
        assert!(session.history().is_empty());
    }
}
