//! What people are shown.

use agon_core::view::Spot;
use agon_tablut::ENTRY;

#[test]
fn a_king_in_danger_is_shown() {
    let rules = ENTRY.rules("").expect("the defaults hold");
    let threats = |position: &str| -> Vec<Spot> {
        let threats = rules.start_from(position).expect(position).board().threats;
        assert!(threats.iter().all(|threat| threat.message.text == "The king is in danger."));
        threats.iter().map(|threat| threat.at).collect()
    };
    assert_eq!(threats("9/9/2k1b4/9/9/9/9/9/9 w 4"), [], "nobody is near");
    assert_eq!(threats("9/9/b1kb5/9/9/9/9/9/9 b 4"), [Spot { row: 2, column: 2 }]);
    assert_eq!(threats("9/9/b1kb5/9/9/9/9/9/9 w 4"), [Spot { row: 2, column: 2 }], "whoever is to move");
}
