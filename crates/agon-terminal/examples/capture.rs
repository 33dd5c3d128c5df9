//! Pictures of the real screens, for the README: `cargo run -p agon-terminal --example capture docs/screens`.
//!
//! Every picture is what a terminal would show: the screen draws into ratatui's test terminal, and its cells become an SVG. Signs
//! that fill parts of a cell are drawn as rectangles, so that they meet as they do on a terminal, whatever the font.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_match::TimeControl;
use agon_registry::GAMES;
use agon_terminal::app::{Context, Screen};
use agon_terminal::screens::{MenuScreen, Mode, PlayScreen, ReplayScreen};
use agon_terminal::theme::Depth;
use agon_terminal::{Home, MatchDriver, NewGame, Theme};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

const CELL: (u32, u32) = (9, 18);
const GROUND: &str = "#12161b";
const TEXT: &str = "#e8ecf1";

fn hex(color: Color, default: &str) -> String {
    match color {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => default.to_owned(),
    }
}

/// The parts of a cell that a sign fills, in eighths: left, top, right, bottom.
fn parts(symbol: &str) -> Option<&'static [[u32; 4]]> {
    Some(match symbol {
        "█" => &[[0, 0, 8, 8]],
        "▀" => &[[0, 0, 8, 4]],
        "▄" => &[[0, 4, 8, 8]],
        "▌" => &[[0, 0, 4, 8]],
        "▐" => &[[4, 0, 8, 8]],
        "▖" => &[[0, 4, 4, 8]],
        "▗" => &[[4, 4, 8, 8]],
        "▘" => &[[0, 0, 4, 4]],
        "▝" => &[[4, 0, 8, 4]],
        "▙" => &[[0, 0, 4, 8], [4, 4, 8, 8]],
        "▟" => &[[4, 0, 8, 8], [0, 4, 4, 8]],
        "▛" => &[[0, 0, 4, 8], [4, 0, 8, 4]],
        "▜" => &[[4, 0, 8, 8], [0, 0, 4, 4]],
        "▆" => &[[0, 2, 8, 8]],
        "▂" => &[[0, 6, 8, 8]],
        "▔" => &[[0, 0, 8, 1]],
        _ => return None,
    })
}

fn svg(buffer: &Buffer) -> Result<String, std::fmt::Error> {
    let (width, height) = (u32::from(buffer.area.width) * CELL.0, u32::from(buffer.area.height) * CELL.1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"15\" shape-rendering=\"crispEdges\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{GROUND}\"/>\n"
    );
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            let cell = &buffer[(x, y)];
            let (mut fore, mut back) = (hex(cell.fg, TEXT), hex(cell.bg, GROUND));
            if cell.modifier.contains(Modifier::REVERSED) {
                std::mem::swap(&mut fore, &mut back);
            }
            let (left, top) = (u32::from(x) * CELL.0, u32::from(y) * CELL.1);
            if back != GROUND {
                writeln!(
                    text,
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"{back}\"/>",
                    CELL.0, CELL.1
                )?;
            }
            let symbol = cell.symbol();
            if let Some(parts) = parts(symbol) {
                for [x1, y1, x2, y2] in parts {
                    let at = |origin: u32, extent: u32, eighths: u32| origin + (extent * eighths + 4) / 8;
                    let (x1, x2) = (at(left, CELL.0, *x1), at(left, CELL.0, *x2));
                    let (y1, y2) = (at(top, CELL.1, *y1), at(top, CELL.1, *y2));
                    writeln!(
                        text,
                        "<rect x=\"{x1}\" y=\"{y1}\" width=\"{}\" height=\"{}\" fill=\"{fore}\"/>",
                        x2 - x1,
                        y2 - y1
                    )?;
                }
            } else if symbol != " " {
                let symbol = symbol.replace('&', "&amp;").replace('<', "&lt;");
                let bold = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
                let dim = if cell.modifier.contains(Modifier::DIM) { " fill-opacity=\"0.65\"" } else { "" };
                writeln!(
                    text,
                    "<text x=\"{left}\" y=\"{}\" fill=\"{fore}\"{bold}{dim}>{symbol}</text>",
                    top + 14
                )?;
            }
        }
    }
    text.push_str("</svg>\n");
    Ok(text)
}

/// What is on the screen after some keys, each given the time to have its effect.
fn shot(
    screen: &mut dyn Screen,
    keys: &[KeyCode],
    settle: Duration,
    context: &mut Context,
    size: (u16, u16),
) -> Result<Buffer, Box<dyn Error>> {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1))?;
    let wait = |screen: &mut dyn Screen, context: &mut Context, time: Duration| {
        let began = Instant::now();
        while began.elapsed() < time {
            screen.tick(context);
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    wait(screen, context, Duration::from_millis(300));
    for key in keys {
        screen.key(KeyEvent::new(*key, KeyModifiers::NONE), context);
        wait(screen, context, Duration::from_millis(200));
    }
    wait(screen, context, settle);
    terminal.draw(|frame| screen.draw(frame, context))?;
    Ok(terminal.backend().buffer().clone())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "docs/screens".to_owned()));
    fs::create_dir_all(&folder)?;
    let theme = Theme { depth: Depth::True, ascii: false };
    let mut home = Home::at(None, None);
    home.set_name("Dana")?;
    let mut context = Context::new(GAMES, theme, home);
    let start =
        |game: &str, options: &str, position: Option<&str>, moves: &str, players: &[&str], clock: &str| {
            let players = players.iter().map(|player| player.parse()).collect::<Result<_, _>>()?;
            let rules = GAMES.rules(game, options)?;
            let mut new = NewGame::new(rules, players, "Dana", 5).with_clock(TimeControl::parse(clock)?);
            let board = &mut new.setup.boards[0];
            board.position = position.map(str::to_owned);
            board.moves = moves.split_whitespace().map(Into::into).collect();
            Ok::<_, Box<dyn Error>>(MatchDriver::start(new)?)
        };
    let none = Duration::from_millis(100);
    let mut pictures: Vec<(&str, Buffer)> = Vec::new();
    let menu = &mut MenuScreen::new(&context);
    pictures.push(("menu", shot(menu, &[], none, &mut context, (92, 27))?));
    for (name, driver, keys, settle, size) in [
        (
            "othello",
            start(
                "othello",
                "",
                None,
                "f5 d6 c3 d3 c4 f4 c5 b3 c2 e6 c6 b4 b5 d2",
                &["human", "medium"],
                "5m+3s",
            ),
            &[KeyCode::Char('E'), KeyCode::Char('H')][..],
            Duration::from_secs(3),
            (92, 27),
        ),
        (
            "tablut",
            start(
                "tablut",
                "",
                Some("3bbb3/4b4/2w1w4/b7b/bb1wk1wbb/b3w3b/4w2b1/9/3b1b3 w 93"),
                "",
                &["hard", "human"],
                "none",
            ),
            &[KeyCode::Tab, KeyCode::Tab, KeyCode::Tab, KeyCode::Enter],
            none,
            (92, 30),
        ),
        (
            "loa",
            start("loa", "", None, "7,6-5,6 5,0-5,3 0,2-2,2 3,7-1,5", &["human", "expert"], "none"),
            &[KeyCode::Char('R')],
            none,
            (92, 27),
        ),
        (
            "chinese-checkers",
            start(
                "chinese-checkers",
                "seats=g/y/o/r/p/b",
                Some(
                    "g/gg/ggg/1gg1/bbbb1g1g1yyyy/bbb6yyy/bb7yy/b8y/9/p8o/pp7oo/ppp6ooo/pppp5oooo/rrrr/rrr/rr/r g 12",
                ),
                "0111-0511",
                &["human"; 6],
                "none",
            ),
            &[KeyCode::Char('E'), KeyCode::Enter],
            none,
            (92, 38),
        ),
        (
            "2048",
            start(
                "2048",
                "",
                Some("2,16,64,2048/4,8,32,256/0,2,16,512/2,0,4,1024 41240"),
                "",
                &["human"],
                "none",
            ),
            &[KeyCode::Right],
            none,
            (92, 27),
        ),
    ] {
        let mut screen = PlayScreen::new(driver?, Mode::Play, &context);
        pictures.push((name, shot(&mut screen, keys, settle, &mut context, size)?));
    }
    let mut driver = start("othello", "size=6", None, "", &["novice", "hard"], "none")?;
    while !driver.is_over() {
        driver.advance(Duration::from_millis(50));
    }
    let mut replay = ReplayScreen::of_record(GAMES, driver.record())?;
    let keys = [KeyCode::Char('E'), KeyCode::End, KeyCode::Left, KeyCode::Left, KeyCode::Left];
    pictures.push(("replay", shot(&mut replay, &keys, Duration::from_secs(12), &mut context, (92, 21))?));
    for (name, buffer) in pictures {
        fs::write(folder.join(format!("{name}.svg")), svg(&buffer)?)?;
    }
    Ok(())
}
