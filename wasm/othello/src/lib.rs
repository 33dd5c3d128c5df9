//! Othello in a browser.

agon_tab::module!(agon_othello::ENTRY);
