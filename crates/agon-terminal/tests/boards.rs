//! Boards as they are drawn: in signs and in letters, with marks, too large for the window, turned, on their way.

use agon_core::view::{Spot, Step};
use agon_erased::{GameEntry, Session};
use agon_registry::GAMES;
use agon_terminal::board::{BoardPane, Marks, Motion};
use agon_terminal::theme::{Depth, Theme};
use agon_testkit::{snapshots, variant_name};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const RICH: Theme = Theme { depth: Depth::True, ascii: false };
const PLAIN: Theme = Theme { depth: Depth::None, ascii: true };

fn game(name: &str, options: &str, moves: &[&str]) -> Box<dyn Session> {
    let mut session = GAMES.find(name).expect(name).rules(options).expect(options).start();
    for token in moves {
        session.play(token).expect(token);
    }
    session
}

/// A game in which a player has moved and a player is to move again.
fn after_a_move(entry: &GameEntry, options: &str) -> Box<dyn Session> {
    let mut session = entry.rules(options).expect(options).start();
    let chance_acts = |session: &mut dyn Session| while session.draw(1 << 61).is_some() {};
    chance_acts(&mut *session);
    let legal = session.legal();
    session.play(&legal[legal.len() / 2]).expect("a legal move");
    chance_acts(&mut *session);
    session
}

/// The text of what is drawn into a window.
fn drawn(session: &dyn Session, marks: &Marks, theme: Theme, (width, height): (u16, u16)) -> String {
    let mut pane = BoardPane::default();
    painted(&mut pane, session, marks, theme, (width, height))
}

fn painted(
    pane: &mut BoardPane,
    session: &dyn Session,
    marks: &Marks,
    theme: Theme,
    (width, height): (u16, u16),
) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    pane.paint(&mut buffer, area, &session.board(), marks, None, theme);
    text(&buffer)
}

fn text(buffer: &Buffer) -> String {
    let rows = (0..buffer.area.height).map(|y| {
        let row: String = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect();
        row.trim_end().to_owned() + "\n"
    });
    rows.collect::<String>().trim_end().to_owned() + "\n"
}

fn marks(session: &dyn Session) -> Marks {
    let targets =
        session.steps().into_iter().filter(|(_, step)| step.from.is_none()).filter_map(|(_, step)| step.to);
    Marks {
        targets: targets.collect(),
        last: session.last_step(),
        threats: session.board().threats.iter().map(|threat| threat.at).collect(),
        cursor: Some(Spot { row: 2, column: 4 }),
        ..Marks::default()
    }
}

#[test]
fn boards_of_all_games_in_signs_and_letters() {
    for (entry, options) in GAMES.variants() {
        let session = after_a_move(entry, options);
        let marks = marks(&*session);
        let pictures: Vec<String> =
            [(RICH, (120, 40)), (RICH, (36, 20)), (PLAIN, (120, 40)), (PLAIN, (34, 20))]
                .into_iter()
                .map(|(theme, size)| drawn(&*session, &marks, theme, size))
                .collect();
        let name = variant_name("boards", options);
        snapshots(entry).bind(|| insta::assert_snapshot!(name, pictures.join("\n")));
    }
}

#[test]
fn a_board_that_is_too_large_scrolls_with_the_cursor() {
    let session = game("othello", "size=26", &[]);
    let mut pane = BoardPane::default();
    for (row, column) in [(0, 0), (13, 13), (25, 25), (25, 0)] {
        let cursor = Spot { row, column };
        let marks = Marks { cursor: Some(cursor), ..Marks::default() };
        let picture = painted(&mut pane, &*session, &marks, RICH, (40, 16));
        let area = pane.place(cursor).expect("the cursor is in sight");
        assert_eq!(pane.hit(area.x, area.y), Some(cursor));
        let name = (row + 1).to_string();
        assert!(picture.lines().any(|line| line.trim_start().starts_with(&name)), "row {name}: {picture}");
    }
}

#[test]
fn every_cell_can_be_hit_where_it_is_drawn() {
    for (entry, options) in GAMES.variants() {
        let (name, session) = (entry.spec.id, entry.rules(options).expect(options).start());
        for turned in [false, true] {
            for theme in [RICH, PLAIN] {
                let mut pane = BoardPane::default();
                pane.turned = turned;
                painted(&mut pane, &*session, &Marks::default(), theme, (250, 120));
                for cell in &session.board().cells {
                    let area = pane.place(cell.spot).expect("in sight");
                    assert_eq!(pane.hit(area.x, area.y), Some(cell.spot), "{name}");
                    assert_eq!(pane.hit(area.right() - 1, area.bottom() - 1), Some(cell.spot), "{name}");
                }
            }
        }
    }
}

#[test]
fn a_turned_board_has_its_names_turned_too() {
    let session = game("othello", "size=4", &[]);
    let mut pane = BoardPane::default();
    pane.turned = true;
    let picture = painted(&mut pane, &*session, &Marks::default(), PLAIN, (16, 6));
    let first = picture.lines().next().expect("a line");
    assert_eq!(first.split_whitespace().collect::<Vec<_>>(), ["d", "c", "b", "a"]);
    assert!(picture.lines().nth(1).expect("a line").trim_start().starts_with('4'), "{picture}");
}

#[test]
fn tiles_slide() {
    let mut session = game("2048", "", &["@0,0=2", "@0,1=2"]);
    let before = session.board();
    session.play("right").expect("a slide");
    let step: Step = session.last_step().expect("a step");
    let picture = |share: f32| {
        let area = Rect::new(0, 0, 50, 20);
        let mut buffer = Buffer::empty(area);
        let motion = Motion { before: before.clone(), step: step.clone(), share };
        BoardPane::default().paint(
            &mut buffer,
            area,
            &session.board(),
            &Marks::default(),
            Some(&motion),
            RICH,
        );
        text(&buffer)
    };
    let (start, middle, end) = (picture(0.0), picture(0.5), picture(1.0));
    assert!(start.contains('2') && !start.contains('4'));
    assert!(start != middle && middle != end);
}

/// In a large window the board is enlarged and stands in the middle.
#[test]
fn boards_use_the_room_that_there_is() {
    let session = game("othello", "", &["d3"]);
    let area = Rect::new(5, 3, 180, 66);
    let mut pane = BoardPane::default();
    let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 70));
    pane.paint(&mut buffer, area, &session.board(), &Marks::default(), None, RICH);
    let place = |row, column| pane.place(Spot { row, column }).expect("it is seen");
    let (first, last) = (place(0, 0), place(7, 7));
    assert_eq!((first.width, first.height), (16, 8));
    assert!((first.x - area.x).abs_diff(area.right() - last.right()) <= 4, "{first:?} {last:?}");
    assert!((first.y - area.y).abs_diff(area.bottom() - last.bottom()) <= 3, "{first:?} {last:?}");
    assert!(text(&buffer).contains("████████"), "discs are filled");
    for (name, options) in [("tablut", ""), ("chinese-checkers", ""), ("2048", "")] {
        let session = game(name, options, &[]);
        let mut pane = BoardPane::default();
        pane.paint(&mut buffer, area, &session.board(), &Marks::default(), None, RICH);
        let cells = session.board().cells;
        let places: Vec<Rect> = cells.iter().filter_map(|cell| pane.place(cell.spot)).collect();
        let height =
            places.iter().map(|place| place.bottom()).max().zip(places.iter().map(|place| place.y).min());
        let (bottom, top) = height.expect("cells");
        assert!(bottom - top > 45, "{name} is {} lines high", bottom - top);
    }
}

/// Where there is room for one sign a marble, that sign tells its colour.
#[test]
fn marbles_differ_by_more_than_colour_at_every_size() {
    let session = game("chinese-checkers", "seats=g/y/o/r/p/b", &[]);
    for size in [(50, 23), (60, 23), (60, 40), (100, 60)] {
        let picture = drawn(&*session, &Marks::default(), RICH, size);
        for sign in ["▲", "○", "━", "×", "◆", "║"] {
            assert_eq!(picture.matches(sign).count(), 10, "{sign} at {size:?}: {picture}");
        }
    }
}
