//! `agon backup` and `agon restore`: everything that a server keeps, as it is at one moment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::client::Client;
use crate::process::{Folder, Running, new_table, serve, start, start_on};
use crate::storage::play;

const ANNA: &str = "anna-keeps-this-token-to-herself";

fn agon(arguments: &[&str], paths: &[&Path]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(arguments).args(paths).env_remove("AGON_DATA").output().expect("agon runs")
}

fn backup(data: &Path, to: &Path) -> Output {
    agon(&["backup", "--data"], &[data, to])
}

fn restore(from: &Path, data: &Path) -> Output {
    agon(&["restore", "--data"], &[data, from])
}

fn succeeds(output: &Output) -> String {
    let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes)).concat();
    assert!(output.status.success(), "{text}");
    text
}

fn fails(output: &Output, words: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{words:?}");
    for word in words {
        assert!(text.contains(word), "{word}: {text}");
    }
}

/// All files below a folder with what is in them.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            found.extend(contents(&entry));
        } else {
            found.push((entry.clone(), fs::read(&entry).expect("a file")));
        }
    }
    found.sort();
    found
}

/// A server with a game, and with a tournament in its data directory.
async fn begin(folder: &Folder) -> (Running, Client, String) {
    let server = start_on(folder).expect("it starts");
    let tournament = folder.data().join("arena/course/games");
    fs::create_dir_all(&tournament).expect("a folder");
    fs::write(tournament.join("00001.txt"), "a record").expect("written");
    let table = server.open(ANNA, &new_table("othello", "size=6", &["human", "human"])).await;
    let mut client = Client::connect(server.address, ANNA).await;
    client.open(&table).await.expect("it opens");
    (server, client, table)
}

/// A server on restored data.
fn start_restored(folder: &Folder, data: &Path) -> Running {
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(data);
    start(command, &folder.0).expect("it starts")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_running_server_is_restored_and_played_on() {
    let folder = Folder::new();
    let (server, mut client, table) = begin(&folder).await;
    let before = play(&mut client, &table).await.expect("legal");
    // It is taken while moves are stored, which it neither stops nor tears apart.
    let (data, copy) = (folder.data(), folder.0.join("backup"));
    let (from, to) = (data.clone(), copy.clone());
    let taken = tokio::task::spawn_blocking(move || backup(&from, &to));
    let mut after = before;
    while !taken.is_finished() && client.to_move(&table).is_some() {
        after = play(&mut client, &table).await.expect("legal");
    }
    let said = succeeds(&taken.await.expect("it ends"));
    assert!(said.contains("4 files"), "the database, two secrets and a record: {said}");
    assert!(copy.join("agon.sqlite").exists() && !copy.join("agon.sqlite-wal").exists());
    server.kill();
    fs::remove_dir_all(&data).expect("the disk is lost");

    let elsewhere = folder.0.join("elsewhere");
    succeeds(&restore(&copy, &elsewhere));
    for name in ["admin-token", "arena-secret", "arena/course/games/00001.txt"] {
        assert!(
            fs::read(elsewhere.join(name)).expect(name) == fs::read(copy.join(name)).expect(name),
            "{name}"
        );
    }
    let server = start_restored(&folder, &elsewhere);
    let mut client = Client::connect(server.address, ANNA).await;
    let seq = client.open(&table).await.expect("the game is there");
    assert!((before..=after).contains(&seq), "{before} <= {seq} <= {after}");
    while client.to_move(&table).is_some() {
        play(&mut client, &table).await.expect("it is played on");
    }
    assert!(client.is_over(&table));
}

#[tokio::test]
async fn nothing_is_overwritten() {
    let folder = Folder::new();
    let (server, mut client, table) = begin(&folder).await;
    let (data, copy) = (folder.data(), folder.0.join("backup"));
    fs::create_dir(&copy).expect("a folder");
    succeeds(&backup(&data, &copy));
    let first = contents(&copy);
    fails(&backup(&data, &copy), &["backup", "already"]);
    assert!(contents(&copy) == first, "the backup is as it was");
    fails(&backup(&data, &data.join("backup")), &["inside"]);
    fails(&backup(&folder.0.join("none"), &folder.0.join("other")), &["agon.sqlite", "--data"]);
    assert!(!folder.0.join("other").exists());
    fails(&restore(&copy, &data), &["running server"]);
    let seq = play(&mut client, &table).await.expect("legal");
    assert!(server.terminate().success());
    let kept = contents(&data);
    fails(&restore(&copy, &data), &["agon.sqlite", "--replace"]);
    assert!(contents(&data) == kept, "the data is as it was");

    let said = succeeds(&agon(&["restore", "--replace", "--data"], &[&data, &copy]));
    let aside = said.lines().find_map(|line| line.strip_prefix("What was there before is in "));
    let aside = PathBuf::from(aside.expect("it says where the old data is"));
    let server = start_on(&folder).expect("it starts");
    let mut client = Client::connect(server.address, ANNA).await;
    assert_eq!(client.open(&table).await, Ok(seq - 1), "the move came after the backup");
    assert!(server.terminate().success());
    // A backup is of what is used, not of what was replaced; and that can be put back as well.
    let second = folder.0.join("second");
    assert!(succeeds(&backup(&data, &second)).contains("4 files"));
    let server = start_restored(&folder, &aside);
    let mut client = Client::connect(server.address, ANNA).await;
    assert_eq!(client.open(&table).await, Ok(seq));
}

#[tokio::test]
async fn a_damaged_backup_is_not_restored() {
    let folder = Folder::new();
    let (server, mut client, table) = begin(&folder).await;
    play(&mut client, &table).await.expect("legal");
    let copy = folder.0.join("backup");
    succeeds(&backup(&folder.data(), &copy));
    assert!(server.terminate().success());
    let data = folder.0.join("elsewhere");
    let refused = |words: &[&str]| {
        fails(&restore(&copy, &data), words);
        let left = contents(&data);
        assert!(left.iter().all(|(path, _)| path.ends_with("server.lock")), "{left:?}");
    };
    for (path, bytes) in contents(&copy) {
        let mut damaged = bytes.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        fs::write(&path, &damaged).expect("written");
        refused(&[&*copy.to_string_lossy()]);
        fs::remove_file(&path).expect("it is there");
        refused(&[&*copy.to_string_lossy()]);
        fs::write(&path, &bytes).expect("written");
    }
    let extra = copy.join("arena/course/extra");
    fs::write(&extra, "x").expect("written");
    refused(&["extra"]);
    fs::remove_file(&extra).expect("it is there");
    let sums = fs::read_to_string(copy.join("SHA256SUMS")).expect("text");
    fs::write(copy.join("SHA256SUMS"), sums.replace("  arena/course", "  ../course")).expect("written");
    refused(&["SHA256SUMS"]);
    // A database that is damaged, but has the checksum that is expected of it.
    let mut bytes = fs::read(copy.join("agon.sqlite")).expect("bytes");
    bytes[4096..].iter_mut().step_by(3).for_each(|byte| *byte ^= 0x5a);
    fs::write(copy.join("agon.sqlite"), &bytes).expect("written");
    let sum = Command::new("sha256sum").arg(copy.join("agon.sqlite")).output().expect("sha256sum runs");
    let sum = String::from_utf8_lossy(&sum.stdout)[..64].to_owned();
    let with_sum = |line: &str| {
        if line.ends_with("  agon.sqlite") { format!("{sum}  agon.sqlite\n") } else { format!("{line}\n") }
    };
    fs::write(copy.join("SHA256SUMS"), sums.lines().map(with_sum).collect::<String>()).expect("written");
    refused(&["agon.sqlite", "damaged"]);
    refused(&["database"]);
    fails(&restore(&folder.0, &data), &["not a backup"]);
}

/// Whoever is interrupted while files take their places leaves nothing that a server would take for the
/// whole.
#[tokio::test]
async fn a_restore_that_was_interrupted_is_noticed() {
    let folder = Folder::new();
    let (server, _, _) = begin(&folder).await;
    let copy = folder.0.join("backup");
    succeeds(&backup(&folder.data(), &copy));
    assert!(server.terminate().success());
    fs::create_dir(folder.data().join(".restoring")).expect("a folder");
    let failed = start_on(&folder).err().expect("it must not start");
    assert!(failed.errors.contains("restore"), "{}", failed.errors);
    succeeds(&agon(&["restore", "--replace", "--data"], &[&folder.data(), &copy]));
    start_on(&folder).expect("it starts");
}
