//! Tablut in a browser.

agon_tab::module!(agon_tablut::ENTRY);
