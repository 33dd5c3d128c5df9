//! Records on disk.

use std::fs;

use agon_files::{LoadError, load_record, save_record, save_record_as};
use agon_records::{MAX_BYTES, Record, RecordError};
use agon_testkit::TemporaryFolder;

fn othello(moves: &str) -> Record {
    let text = format!("agon: 1\ngame: othello\noptions:\nseed: 1\n\n{moves}\n");
    Record::parse(text.as_bytes()).expect("a record")
}

#[test]
fn a_record_is_saved_whole_or_not_at_all() {
    let folder = TemporaryFolder::new();
    let path = folder.path("game.txt");
    let (short, long) = (othello("d3 c3"), othello("d3 c3 c4 c5 d6"));
    save_record(&long, &path).expect("a new file");
    save_record(&short, &path).expect("over an old one");
    assert_eq!(fs::read_to_string(&path).expect("a file"), short.to_string());
    assert_eq!(load_record(&path).expect("a record"), short);
    assert!(save_record(&short, &folder.path("")).is_err(), "a folder is no file");
    assert!(save_record(&short, &folder.path("none/game.txt")).is_err(), "there is no such folder");
    let left: Vec<_> = fs::read_dir(folder.path("")).expect("a folder").collect();
    assert_eq!(left.len(), 1, "no drafts are left behind: {left:?}");
}

#[test]
fn another_game_is_not_overwritten_by_name() {
    let folder = TemporaryFolder::new();
    let path = folder.path("game.txt");
    save_record_as(&othello("d3 c3"), &path).expect("a new file");
    let later = othello("d3 c3 c4");
    save_record_as(&later, &path).expect("the same game, later");
    assert!(save_record_as(&Record { seed: Some(99), ..later.clone() }, &path).is_err());
    fs::write(&path, "a shopping list").expect("a file");
    assert!(save_record_as(&later, &path).is_err());
}

#[test]
fn what_cannot_be_loaded_is_told() {
    let folder = TemporaryFolder::new();
    assert!(matches!(load_record(&folder.path("none.txt")), Err(LoadError::Open(_))));
    assert!(matches!(load_record(&folder.path("")), Err(LoadError::Read(_))));
    let large = folder.path("large.txt");
    fs::write(&large, vec![b'x'; MAX_BYTES + 2]).expect("a file");
    let error = load_record(&large).expect_err("no record is that long");
    let length = MAX_BYTES as u64 + 2;
    assert!(matches!(error, LoadError::Record(RecordError::TooLarge(bytes)) if bytes == length), "{error}");
}
