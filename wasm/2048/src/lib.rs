//! 2048 in a browser.

agon_tab::module!(agon_2048::ENTRY);
