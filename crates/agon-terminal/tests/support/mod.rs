//! Screens drawn into memory, and keys pressed there.

use agon_registry::GAMES;
use agon_terminal::app::{Context, Next, Screen};
use agon_terminal::theme::Depth;
use agon_terminal::{Home, NewGame, Theme};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// A terminal whose user has no files.
pub(crate) fn context(ascii: bool) -> Context {
    let depth = if ascii { Depth::None } else { Depth::True };
    Context::new(GAMES, Theme { depth, ascii }, Home::at(None, None))
}

/// A game of these players; the only person is Dana.
pub(crate) fn new_game(game: &str, options: &str, players: &[&str]) -> NewGame {
    let rules = GAMES.rules(game, options).expect(game);
    let players = players.iter().map(|player| player.parse().expect("a player")).collect();
    NewGame::new(rules, players, "Dana", 3)
}

/// What the screen shows at a size.
pub(crate) fn drawn(screen: &mut dyn Screen, context: &Context, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
    terminal.draw(|frame| screen.draw(frame, context)).expect("it draws");
    terminal.backend().to_string()
}

pub(crate) fn press(screen: &mut dyn Screen, key: KeyCode, context: &mut Context) -> Next {
    screen.key(KeyEvent::new(key, KeyModifiers::NONE), context)
}
