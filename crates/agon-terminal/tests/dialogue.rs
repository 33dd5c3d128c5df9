//! The conversation on lines: what may be typed, and what is said.

use agon_registry::GAMES;
use agon_terminal::dialogue::{Coordinates, Dialogue};
use agon_terminal::{Home, MatchDriver, NewGame};

fn new_game(game: &str, options: &str, players: &[&str]) -> NewGame {
    let rules = GAMES.rules(game, options).expect(game);
    let players = players.iter().map(|player| player.parse().expect("a player")).collect();
    NewGame::new(rules, players, "Dana", 3)
}

fn talk(input: &str, talk: impl FnOnce(&mut Dialogue)) -> String {
    let mut out = Vec::new();
    let mut home = Home::at(None, None);
    home.set_name("Dana").expect("nothing is written");
    talk(&mut Dialogue::new(GAMES, &mut input.as_bytes(), &mut out, &mut home, false));
    String::from_utf8(out).expect("text")
}

fn play(new: NewGame, coordinates: Coordinates, input: &str) -> String {
    let mut driver = MatchDriver::start(new).expect("a game");
    talk(input, |dialogue| {
        dialogue.coordinates = coordinates;
        dialogue.play(&mut driver).expect("somebody listens");
    })
}

#[test]
fn squares_are_named_by_numbers_where_that_is_wanted() {
    let new = || new_game("othello", "", &["human", "greedy"]);
    let said = play(new(), Coordinates::Numbers, "(4, 3)\nexit\n");
    assert!(said.contains("  1 2 3 4 5 6 7 8\n"), "{said}");
    assert!(said.contains("  (4,3) (3,4) (6,5) (5,6)\n"), "{said}");
    assert!(said.contains("greedy (White) plays ("), "{said}");
    let said = play(new(), Coordinates::Letters, "numbers\nletters\nd3\nexit\n");
    assert!(said.contains("(4,3) (3,4)") && said.contains("greedy (White) plays c"), "{said}");
}

#[test]
fn only_the_first_word_counts_and_blank_lines_are_skipped() {
    let new = || new_game("othello", "", &["human", "greedy"]);
    let said = play(new(), Coordinates::Letters, "\n  \nd3 if you please\nexit now\n");
    assert!(!said.contains("invalid"), "{said}");
    assert!(said.contains("greedy (White) plays "), "{said}");
    let said = play(new_game("tablut", "", &["human", "human"]), Coordinates::Letters, "d1 - d3\nexit\n");
    assert!(!said.contains("invalid"), "spaces within a move do no harm: {said}");
    let said = play(new(), Coordinates::Letters, "a1 b2\n");
    assert!(said.contains("The input 'a1' is invalid"), "{said}");
}

#[test]
fn every_move_of_a_person_earns_a_compliment() {
    let said = play(new_game("othello", "", &["human", "human"]), Coordinates::Letters, "d3\nc3\nc4\nexit\n");
    let praised = |name: &str| {
        let ends = [format!(", {name}."), format!(", {name}!")];
        said.lines().filter(|line| ends.iter().any(|end| line.ends_with(end.as_str()))).count()
    };
    assert_eq!((praised("Black"), praised("White")), (2, 1), "{said}");
}

#[test]
fn games_are_restarted_and_players_changed() {
    let new = new_game("othello", "", &["human", "greedy"]);
    let said = play(new, Coordinates::Letters, "d3\nrestart\nc4\nmode\n2\nexit\n");
    assert!(said.contains("A new game begins."), "{said}");
    assert!(said.contains("2  You play White against greedy"), "{said}");
    assert!(said.contains("Dana (White), it is your turn."), "{said}");
    let rival = "random".parse().expect("a bot");
    let new = new_game("2048", "", &["human"]).against(rival, agon_match::BoardOrder::Together);
    let said = play(new, Coordinates::Letters, "restart\nmode\nexit\n");
    assert_eq!(said.matches("random plays beside you").count(), 2, "{said}");
    assert!(said.contains("A race is between you and the computer."), "{said}");
}

#[test]
fn results_are_sentences_and_rotation_is_told_once() {
    let new = new_game("loa", "", &["human", "human"]);
    let said = play(new, Coordinates::Letters, "7,6-5,6\nresign\n");
    assert_eq!(said.matches("you may rotate a block").count(), 1, "{said}");
    assert!(said.contains("White resigned: Black won."), "{said}");
    assert!(!said.contains("forfeit") && !said.contains("Result:"), "{said}");
}

#[test]
fn hints_have_units() {
    for (game, unit) in [("othello", " disc"), ("tablut", "%"), ("2048", " points")] {
        let seats = GAMES.rules(game, "").expect(game).seats().len();
        let said = play(new_game(game, "", &vec!["human"; seats]), Coordinates::Letters, "hint\nexit\n");
        let hint = said.lines().find(|line| line.contains("You could play")).expect("a hint");
        assert!(hint.contains(unit) || hint.contains(" in "), "{hint}");
        assert!(!hint.contains("nodes"), "{hint}");
    }
}

#[test]
fn the_menu_asks_what_applies_and_for_names() {
    let said = talk("2\nbologna\n\n3\nAvi\nNoa\nexit\n", |dialogue| {
        dialogue.menu().expect("somebody listens");
    });
    assert!(!said.contains("limit:"), "{said}");
    assert!(said.contains("it is your turn") && (said.contains("Avi (") || said.contains("Noa (")), "{said}");
}
