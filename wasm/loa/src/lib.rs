//! Lines of Action in a browser.

agon_tab::module!(agon_loa::ENTRY);
