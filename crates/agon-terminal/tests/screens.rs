//! Screens drawn into memory: at all sizes, in all themes, with keys that nobody should press.

mod support;

use std::time::Duration;

use agon_erased::{BotSpec, GameEntry};
use agon_match::{BoardOrder, Occupant, TimeControl};
use agon_registry::GAMES;
use agon_terminal::app::{Context, Next, Screen};
use agon_terminal::screens::{LearnScreen, MenuScreen, Mode, NameScreen, PlayScreen, ReplayScreen};
use agon_terminal::{MatchDriver, NewGame};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use support::{context, drawn, new_game, press};

const SIZES: [(u16, u16); 8] =
    [(40, 12), (41, 13), (60, 15), (80, 24), (120, 40), (230, 70), (40, 60), (250, 12)];

/// A game with a clock, and a person on the first seat if there are people.
fn timed_game(game: &str, options: &str, people: bool) -> NewGame {
    let seats = GAMES.rules(game, options).expect(game).seats().len();
    let mut players = vec!["random"; seats];
    if people {
        players[0] = "human";
    }
    new_game(game, options, &players).with_clock(TimeControl::parse("5m+3s").expect("a clock"))
}

/// The options of the variant with the largest board and the most seats.
fn largest(entry: &GameEntry) -> &'static str {
    let size = |options: &&&str| {
        let rules = entry.rules(options).expect("good options");
        (rules.start().board().cells.len(), rules.seats().len())
    };
    entry.variants.iter().max_by_key(size).expect("every game has the usual variant")
}

/// Draws at all sizes, with keys and clicks in between.
fn exercise(screen: &mut dyn Screen, context: &mut Context) {
    // All commands but the one that writes files, then what is typed, then what is neither.
    let keys = "NR?xHETBZ+-P.[]GJYOVAXLUK".chars().map(KeyCode::Char);
    let keys = keys.chain([KeyCode::Tab, KeyCode::Enter, KeyCode::Esc]);
    let keys = keys.chain("nrmhetpgjyovax(1@ ,;\u{5d0}".chars().map(KeyCode::Char));
    let keys = keys.chain([
        KeyCode::Enter,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Esc,
    ]);
    for (number, key) in keys.enumerate() {
        let next = press(screen, key, context);
        if matches!(next, Next::Close | Next::Quit) {
            break;
        }
        screen.tick(context);
        drawn(screen, context, SIZES[number % SIZES.len()]);
        let click = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: (number * 7 % 80) as u16,
            row: (number * 5 % 24) as u16,
            modifiers: KeyModifiers::NONE,
        };
        screen.mouse(click, context);
    }
    for size in SIZES {
        drawn(screen, context, size);
    }
}

#[test]
fn screens_of_all_games_are_drawn_at_all_sizes() {
    for ascii in [false, true] {
        let mut context = context(ascii);
        exercise(&mut NameScreen::new(), &mut context);
        exercise(&mut MenuScreen::new(&context), &mut context);
        // The largest board of all is no variant: it would be slow everywhere else.
        let huge = (GAMES.find("loa").expect("a game"), "size=30");
        for (entry, options) in GAMES.iter().map(|entry| (entry, largest(entry))).chain([huge]) {
            let game = entry.spec.id;
            // Letters are drawn the same way whatever a game is on the screen for.
            let purposes = [(Mode::Play, true), (Mode::Play, false), (Mode::Analyse, true)];
            for (mode, people) in purposes.into_iter().take(if ascii { 1 } else { 3 }) {
                let driver = MatchDriver::start(timed_game(game, options, people)).expect("a game");
                exercise(&mut PlayScreen::new(driver, mode, &context), &mut context);
            }
            let learn = &mut LearnScreen::new(entry);
            for _ in 0..entry.spec.lessons.len() {
                for size in SIZES {
                    drawn(learn, &context, size);
                }
                press(learn, KeyCode::Right, &mut context);
            }
            let mut driver = MatchDriver::start(timed_game(game, options, false)).expect("a game");
            for _ in 0..40 {
                driver.advance(Duration::from_millis(20));
            }
            let record = driver.record();
            exercise(&mut ReplayScreen::of_record(GAMES, record).expect("a record that holds"), &mut context);
        }
        for order in [BoardOrder::Together, BoardOrder::InTurn] {
            let rival = Occupant::Bot(BotSpec::named("random"));
            let race = timed_game("2048", "", true).against(rival.clone(), order);
            for new in [race.clone(), race.against(rival, order)] {
                let driver = MatchDriver::start(new).expect("a race");
                exercise(&mut PlayScreen::new(driver, Mode::Play, &context), &mut context);
            }
        }
    }
}

#[test]
fn the_menu_lists_all_games_and_plain_terminals_get_ascii() {
    let plain = context(true);
    let menu = drawn(&mut MenuScreen::new(&plain), &plain, (80, 24));
    for entry in GAMES {
        assert!(menu.contains(entry.spec.title()), "{menu}");
    }
    assert!(menu.is_ascii(), "{menu}");
}

#[test]
fn the_last_ten_turns_are_pointed_out() {
    let context = context(false);
    for (played, warned) in [(89, false), (90, true), (93, true)] {
        let mut new = timed_game("tablut", "", true);
        new.setup.boards[0].position =
            Some(format!("3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 b {played}"));
        let driver = MatchDriver::start(new).expect("a game");
        let screen = drawn(&mut PlayScreen::new(driver, Mode::Play, &context), &context, (100, 36));
        assert!(screen.contains(&format!("Move {} of 100", played + 1)), "{screen}");
        assert_eq!(screen.contains("left!"), warned, "{screen}");
    }
}
