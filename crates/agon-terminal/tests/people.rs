//! What people see on the full screen: passes, scores, what can be rotated, who plays, what they type.

mod support;

use agon_files::load_record;
use agon_match::{BoardOrder, Occupant, Seat};
use agon_registry::GAMES;
use agon_terminal::app::{Context, Next, Screen};
use agon_terminal::screens::{MenuScreen, Mode, PlayScreen, ReplayScreen};
use agon_terminal::{Home, MatchDriver, NewGame};
use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use support::{context, drawn, new_game, press};

const WINDOW: (u16, u16) = (110, 36);

fn screen_of(new: NewGame, mode: Mode, context: &Context) -> PlayScreen {
    PlayScreen::new(MatchDriver::start(new).expect("a game"), mode, context)
}

fn type_text(screen: &mut dyn Screen, text: &str, context: &mut Context) {
    for char in text.chars() {
        press(screen, KeyCode::Char(char), context);
    }
}

/// Lets the screen go on until it shows `text`.
fn wait_for(screen: &mut dyn Screen, text: &str, context: &mut Context) -> String {
    wait_until(screen, context, |shown| shown.contains(text))
}

/// Lets the screen go on until what it shows `is_right`.
fn wait_until(screen: &mut dyn Screen, context: &mut Context, is_right: impl Fn(&str) -> bool) -> String {
    for _ in 0..3000 {
        screen.tick(context);
        let shown = drawn(screen, context, WINDOW);
        if is_right(&shown) {
            return shown;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it is not shown: {}", drawn(screen, context, WINDOW));
}

#[test]
fn a_forced_pass_is_announced_and_waits_for_a_key() {
    let mut context = context(true);
    let mut new = new_game("othello", "size=4", &["random", "human"]);
    new.setup.boards[0].position = Some("ooox/ooxx/ooxx/1oxx o".to_owned());
    let mut screen = screen_of(new, Mode::Play, &context);
    screen.tick(&mut context);
    let shown = drawn(&mut screen, &context, WINDOW);
    assert!(shown.contains("No move: you pass.") && shown.contains("Enter  pass"), "{shown}");
    assert!(screen.board().session().is_empty());
    press(&mut screen, KeyCode::Enter, &mut context);
    assert_eq!(screen.board().session().last_ply().as_deref(), Some("pass"));
}

/// The person's board and the bot's, side by side, with the same keys for both orders of play.
#[test]
fn the_boards_of_a_race_are_beside_each_other() {
    let mut context = context(true);
    let random: Occupant = "random".parse().expect("a bot");
    let race = |order| new_game("2048", "", &["human"]).against(random.clone(), order);
    let mut screen = screen_of(race(BoardOrder::Together), Mode::Play, &context);
    let shown = drawn(&mut screen, &context, WINDOW);
    let titles = shown.lines().next().expect("a line");
    assert!(
        titles.contains("Dana: 0 points, 0 moves") && titles.contains("random: 0 points, 0 moves"),
        "{shown}"
    );
    assert!(
        shown.contains("Best score: 0. Both boards have the same luck; the higher score wins."),
        "{shown}"
    );
    assert!(shown.contains("Your turn. Slide the tiles."), "{shown}");
    let shown = drawn(&mut screen, &context, (69, 24));
    let first = shown.lines().next().expect("a line");
    assert!(first.contains("Dana: ") && !first.contains("random"), "one board in a narrow window: {shown}");
    assert!(shown.contains("random: 0 points, 0 moves"), "{shown}");
    // Small letters slide as well: nothing is typed in a race. The bot answers each move with one of its own.
    type_text(&mut screen, "wasd", &mut context);
    let made = agon_core::text::counted(screen.board().moves_made(), "move");
    assert!(screen.board().moves_made() > 1);
    wait_until(&mut screen, &mut context, |shown| shown.matches(&made).count() == 2);
    press(&mut screen, KeyCode::Char('h'), &mut context);
    assert!(drawn(&mut screen, &context, WINDOW).contains("That is not available in a race."));

    let mut screen = screen_of(race(BoardOrder::InTurn), Mode::Play, &context);
    assert!(
        drawn(&mut screen, &context, WINDOW).contains("random plays first. K skips to the end of its game.")
    );
    press(&mut screen, KeyCode::Left, &mut context);
    assert_eq!(screen.board().moves_made(), 0, "it is not the person's turn");
    press(&mut screen, KeyCode::Char('k'), &mut context);
    assert!(!drawn(&mut screen, &context, WINDOW).contains("Your turn"));
    wait_for(&mut screen, "Your turn. Slide the tiles.", &mut context);
}

#[test]
fn words_are_typed_where_tiles_slide() {
    let mut context = context(true);
    let mut new = new_game("2048", "", &["human"]);
    new.setup.boards[0].position = Some("0,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0".to_owned());
    let mut screen = screen_of(new, Mode::Play, &context);
    type_text(&mut screen, "left", &mut context);
    let shown = drawn(&mut screen, &context, WINDOW);
    assert!(shown.contains("Move: left") && !shown.contains("Save to:"), "{shown}");
    press(&mut screen, KeyCode::Enter, &mut context);
    assert_eq!(screen.board().session().history()[0], "left");
    let plies = screen.board().session().len();
    // Words that begin with what slides elsewhere.
    type_text(&mut screen, "down", &mut context);
    press(&mut screen, KeyCode::Enter, &mut context);
    assert_eq!(screen.board().session().history()[plies], "down");
    let plies = screen.board().session().len();
    let file = std::env::temp_dir().join(format!("agon-save-{}.txt", std::process::id()));
    type_text(&mut screen, &format!("save {}", file.display()), &mut context);
    press(&mut screen, KeyCode::Enter, &mut context);
    assert_eq!(screen.board().session().len(), plies, "nothing has slid");
    std::fs::remove_file(&file).expect("the record was written");
    let shown = drawn(&mut screen, &context, WINDOW);
    assert!(shown.contains("Saved to"), "{shown}");
    type_text(&mut screen, "UR", &mut context);
    assert!(screen.board().session().len() < plies, "capitals are commands");
    type_text(&mut screen, "WASD", &mut context);
    assert!(screen.board().session().len() >= plies, "and capital W A S D slide");
}

#[test]
fn blocks_to_rotate_are_offered_where_there_are_any() {
    let context = context(true);
    let mut loa = screen_of(new_game("loa", "", &["human", "random"]), Mode::Play, &context);
    let shown = drawn(&mut loa, &context, WINDOW);
    assert!(shown.contains("press R to rotate a"), "the status line: {shown}");
    assert!(shown.contains("rotate a block"), "the key bar: {shown}");
    for (game, options) in [("loa", "rules=standard"), ("othello", "")] {
        let mut other = screen_of(new_game(game, options, &["human", "random"]), Mode::Play, &context);
        let shown = drawn(&mut other, &context, WINDOW);
        assert!(!shown.contains("rotate"), "{shown}");
    }
}

#[test]
fn a_right_click_where_nothing_turns_says_nothing() {
    let mut context = context(true);
    let mut screen = screen_of(new_game("othello", "", &["human", "human"]), Mode::Play, &context);
    let before = drawn(&mut screen, &context, WINDOW);
    for row in 0..30 {
        for column in 0..60 {
            let kind = MouseEventKind::Down(MouseButton::Right);
            screen.mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }, &mut context);
        }
    }
    assert_eq!(drawn(&mut screen, &context, WINDOW), before);
}

#[test]
fn a_game_is_restarted_and_its_players_are_changed_at_any_moment() {
    let mut context = context(true);
    let mut screen = screen_of(new_game("othello", "", &["human", "human"]), Mode::Play, &context);
    type_text(&mut screen, "d3", &mut context);
    press(&mut screen, KeyCode::Enter, &mut context);
    assert_eq!(screen.board().session().len(), 1);
    press(&mut screen, KeyCode::Char('K'), &mut context);
    assert!(drawn(&mut screen, &context, WINDOW).contains("Press K again to restart."));
    assert_eq!(screen.board().session().len(), 1, "once may be a slip");
    press(&mut screen, KeyCode::Char('K'), &mut context);
    assert!(screen.board().session().is_empty());
    type_text(&mut screen, "d3", &mut context);
    press(&mut screen, KeyCode::Enter, &mut context);
    press(&mut screen, KeyCode::Char('M'), &mut context);
    let shown = drawn(&mut screen, &context, WINDOW);
    assert!(shown.contains("2  You play White against easy"), "{shown}");
    press(&mut screen, KeyCode::Char('2'), &mut context);
    let people: Vec<bool> = screen.board().seats().iter().map(Seat::is_person).collect();
    assert_eq!(people, [false, true]);
    assert_eq!(screen.board().session().len(), 1, "the game goes on");
    assert!(drawn(&mut screen, &context, WINDOW).contains("You play White against easy."));
}

#[test]
fn scores_have_units_and_the_analysis_board_keeps_what_it_thought() {
    let mut context = context(true);
    let mut screen = screen_of(new_game("othello", "size=6", &["human", "human"]), Mode::Analyse, &context);
    let thinks = |shown: &str| shown.lines().find(|line| line.contains("Thinks:")).map(str::to_owned);
    // The bar comes when the position is judged: in discs here, in per cent elsewhere.
    let shown = wait_for(&mut screen, "#--", &mut context);
    let bar = shown.lines().find(|line| line.contains("#--")).expect("the bar");
    assert!(bar.contains("Black ") && bar.contains(" disc") && !bar.contains('%'), "{bar}");
    let first = thinks(&shown).expect("a thought");
    assert!(first.contains(" disc") && first.contains("nodes/s"), "{first}");
    let token = screen.board().session().legal()[0].clone();
    type_text(&mut screen, &token, &mut context);
    press(&mut screen, KeyCode::Enter, &mut context);
    assert_eq!(screen.board().session().len(), 1);
    press(&mut screen, KeyCode::Char('U'), &mut context);
    assert!(screen.board().session().is_empty());
    let shown = drawn(&mut screen, &context, WINDOW);
    assert_eq!(thinks(&shown), Some(first), "it is known already");
    press(&mut screen, KeyCode::Char('I'), &mut context);
    assert_eq!(screen.board().session().history(), [token]);
    press(&mut screen, KeyCode::Char('I'), &mut context);
    assert!(drawn(&mut screen, &context, WINDOW).contains("There is nothing to redo."));
    press(&mut screen, KeyCode::Char('H'), &mut context);
    let shown = wait_for(&mut screen, "Hint: ", &mut context);
    let hint = shown.lines().find(|line| line.contains("Hint: ")).expect("a hint").to_owned();
    assert!(!hint.contains("nodes"), "speed is for the panel of thoughts: {hint}");
}

#[test]
fn every_seats_chance_is_shown_among_three() {
    let mut context = context(true);
    let players = ["human", "human", "human"];
    let mut screen = screen_of(new_game("chinese-checkers", "seats=g/y/r", &players), Mode::Play, &context);
    press(&mut screen, KeyCode::Char('E'), &mut context);
    let shown = drawn(&mut screen, &context, WINDOW);
    assert!(shown.contains("Green 33%, Yellow 33%, Red 33%"), "{shown}");
}

/// Marks name the better move, and a replay still has them.
#[test]
fn a_replay_keeps_the_marks() {
    let mut context = context(true);
    let mut screen = screen_of(new_game("othello", "size=4", &["human", "human"]), Mode::Play, &context);
    while screen.board().end().is_none() {
        screen.tick(&mut context);
        if let Some(token) = screen.board().session().legal().last().cloned() {
            type_text(&mut screen, &token, &mut context);
            press(&mut screen, KeyCode::Enter, &mut context);
        }
    }
    wait_for(&mut screen, "was better", &mut context);
    let Next::Open(mut replay) = press(&mut screen, KeyCode::Char('V'), &mut context) else {
        panic!("the game is replayed")
    };
    let shown = drawn(&mut *replay, &context, WINDOW);
    assert!(shown.contains("was better"), "{shown}");
    assert!(!shown.contains("won x") && !shown.contains("won o"), "no letters: {shown}");
    assert!(!shown.contains("E marks mistakes."), "they are there: {shown}");

    // So has a file, once all has been judged.
    wait_for(&mut screen, "marked ?! ? ??", &mut context);
    let file = std::env::temp_dir().join(format!("agon-marks-{}.txt", std::process::id()));
    type_text(&mut screen, &format!("/save {}", file.display()), &mut context);
    press(&mut screen, KeyCode::Enter, &mut context);
    let mut replay = ReplayScreen::open(GAMES, &file).expect("a record");
    let shown = drawn(&mut replay, &context, WINDOW);
    assert!(shown.contains("was better") && !shown.contains("E marks mistakes."), "{shown}");
    let mut record = load_record(&file).expect("a record");
    std::fs::remove_file(&file).expect("the record was written");
    // A file without marks says how to get them.
    record.set_marks(std::iter::empty());
    let mut replay = ReplayScreen::of_record(GAMES, record).expect("a record");
    let shown = drawn(&mut replay, &context, WINDOW);
    assert!(!shown.contains("was better") && shown.contains("E marks mistakes."), "{shown}");
}

/// Three players with two sets each take opposite corners.
#[test]
fn seats_with_two_sets_each_are_offered() {
    let mut context = context(true);
    let mut menu = MenuScreen::new(&context);
    let checkers = GAMES.iter().position(|entry| entry.spec.id == "chinese-checkers").expect("it is listed");
    for _ in 0..checkers {
        press(&mut menu, KeyCode::Down, &mut context);
    }
    let mut form = open(press(&mut menu, KeyCode::Char('N'), &mut context));
    press(&mut *form, KeyCode::Down, &mut context);
    for _ in 0..10 {
        let shown = drawn(&mut *form, &context, WINDOW);
        if shown.contains("< gr/yp/ob >") {
            for title in ["Green and Red", "Yellow and Purple", "Orange and Blue"] {
                assert!(shown.contains(title), "{shown}");
            }
            return;
        }
        press(&mut *form, KeyCode::Right, &mut context);
    }
    panic!("gr/yp/ob is not offered: {}", drawn(&mut *form, &context, WINDOW));
}

fn open(next: Next) -> Box<dyn Screen> {
    match next {
        Next::Open(screen) => screen,
        _ => panic!("a screen opens"),
    }
}

#[test]
fn the_form_offers_what_applies_and_takes_names() {
    let mut context = context(true);
    let mut menu = MenuScreen::new(&context);
    press(&mut menu, KeyCode::Down, &mut context);
    let mut form = open(press(&mut menu, KeyCode::Char('N'), &mut context));
    let shown = drawn(&mut *form, &context, WINDOW);
    assert!(shown.contains("Tablut: new game") && shown.contains("   Move limit "), "{shown}");
    // Options and choices bear their titles, and a default that depends on another option is worked out.
    assert!(shown.contains("   First to move    Attackers"), "{shown}");
    // From the button at the end to the first line, which is the rule set.
    press(&mut *form, KeyCode::Down, &mut context);
    press(&mut *form, KeyCode::Right, &mut context);
    let shown = drawn(&mut *form, &context, WINDOW);
    assert!(shown.contains("< Bologna >") && !shown.contains("   Move limit "), "{shown}");
    assert!(shown.contains("   First to move    Defenders"), "{shown}");
    // Down to the first seat; what is typed takes the place of what was there.
    press(&mut *form, KeyCode::Down, &mut context);
    press(&mut *form, KeyCode::Down, &mut context);
    press(&mut *form, KeyCode::Enter, &mut context);
    type_text(&mut *form, "human:Avi", &mut context);
    press(&mut *form, KeyCode::Enter, &mut context);
    let shown = drawn(&mut *form, &context, WINDOW);
    assert!(shown.contains("< human:Avi >"), "{shown}");
}

#[test]
fn the_menu_begins_with_the_last_game() {
    let folder = std::env::temp_dir().join(format!("agon-last-{}", std::process::id()));
    let mut context = context(true);
    context.home = Home::at(Some(folder.clone()), None);
    let mut menu = MenuScreen::new(&context);
    assert!(drawn(&mut menu, &context, WINDOW).contains(">  1  Othello"));
    press(&mut menu, KeyCode::Char('3'), &mut context);
    context.home = Home::at(Some(folder.clone()), None);
    let shown = drawn(&mut MenuScreen::new(&context), &context, WINDOW);
    assert!(shown.contains(">  3  "), "{shown}");
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}

#[test]
fn the_pace_against_people_is_remembered() {
    let folder = std::env::temp_dir().join(format!("agon-pace-{}", std::process::id()));
    let mut context = context(true);
    context.home = Home::at(Some(folder.clone()), None);
    let mut screen = screen_of(new_game("othello", "", &["human", "random"]), Mode::Play, &context);
    type_text(&mut screen, "]]]]", &mut context);
    let shown = drawn(&mut screen, &context, WINDOW);
    assert!(shown.contains("Pace: bots move as soon as"), "{shown}");
    let again = Home::at(Some(folder.clone()), None);
    assert!(again.pace().is_zero(), "{:?}", again.pace());
    std::fs::remove_dir_all(&folder).expect("the folder can go");
}
