//! Known counts: every case of `data/perft.txt` in each game's folder, a line a case.

use std::fs;

use agon_registry::GAMES;
use agon_testkit::folder;

#[test]
fn every_known_count_is_met() {
    for entry in GAMES {
        let path = folder(entry).join("data/perft.txt");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut cases = 0;
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let [options, position, depth, nodes] = fields[..] else {
                panic!("{}: {line}: not 'options | position | depth | nodes'", path.display());
            };
            let rules = entry.rules(options).unwrap_or_else(|error| panic!("{line}: {error}"));
            let session = rules.open(Some(position).filter(|text| *text != "start"), &[]).expect(line);
            let depth = depth.parse().expect(line);
            assert_eq!(
                session.perft(depth, u64::MAX),
                Ok(nodes.parse().expect(line)),
                "{}: {line}",
                entry.spec.id
            );
            cases += 1;
        }
        assert!(cases > 0, "{} has no case", path.display());
    }
}
