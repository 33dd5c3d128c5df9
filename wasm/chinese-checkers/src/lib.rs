//! Chinese Checkers in a browser.

agon_tab::module!(agon_chinese_checkers::ENTRY);
