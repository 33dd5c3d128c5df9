//! Single bytes of the database are damaged. Each is noticed when the file is opened, or by the check-up, or is harmless: no game is
//! shown as sound that is another one, and nothing panics.

use std::collections::BTreeMap;
use std::path::Path;

use agon_registry::GAMES;
use agon_server::checkup::Checkup;
use agon_server::store::sqlite::SqliteStore;
use agon_server::store::{Store, StoreError, StoredTable};
use serde_json::Value;

use crate::client::Client;
use crate::players::Dice;
use crate::process::{Folder, new_table, serve, start_on, start_with_log};
use crate::request::Request;
use crate::rounds::{Outcome, Round, block_on};

const ANNA: &str = "anna-keeps-this-token-to-herself";

pub(crate) fn attack(round: &Round) -> Outcome {
    let mut dice = Dice(round.seed);
    let folder = Folder::new();
    block_on(fill(&folder));
    let sound = std::fs::read(folder.database()).expect("a database");
    let games = block_on(read_all(&folder.database())).expect("it is sound").0;
    assert!(games.len() >= 6, "{} games", games.len());
    let (in_process, served) = (round.either(150, 2000), round.either(3, 20));
    let mut found = 0;
    for _ in 0..in_process {
        let place = damage(&folder, &sound, &mut dice);
        match block_on(read_all(&folder.database())) {
            Err(_) => found += 1,
            Ok((read, damaged)) => {
                found += usize::from(damaged > 0);
                let others = games.keys().filter(|name| damaged == 0 && read.get(*name) != games.get(*name));
                let others: Vec<&String> = others.collect();
                assert!(others.is_empty(), "{place}: shown as sound, and other games now: {others:?}");
            }
        }
    }
    assert!(found > in_process / 10, "of {in_process} damaged bytes only {found} were found");
    for _ in 0..served {
        let place = damage(&folder, &sound, &mut dice);
        let bytes = std::fs::read(folder.database()).expect("a database");
        let is_found = !matches!(block_on(read_all(&folder.database())), Ok((_, 0)));
        write(&folder, &bytes);
        block_on(serve_damaged(&folder, &place, &games, is_found));
    }
    Outcome { faults: (in_process + served) as u64, ..Outcome::default() }
}

/// Plays a few games to their ends and one to its middle, and ends the server.
async fn fill(folder: &Folder) {
    let server = start_on(folder).expect("it starts");
    let mut client = Client::connect(server.address, ANNA).await;
    for (game, options) in
        [("othello", "size=6"), ("tablut", "limit=20"), ("loa", "size=5,turns=10"), ("othello", "size=4")]
    {
        let table = server.open(ANNA, &new_table(game, options, &["random", "random"])).await;
        client.open(&table).await.expect("it opens");
        client.until("it is over", |client| client.is_over(&table)).await;
    }
    for options in ["size=8", "size=6"] {
        let table = server.open(ANNA, &new_table("othello", options, &["human", "human"])).await;
        client.open(&table).await.expect("it opens");
        for _ in 0..10 {
            let (_, _, tokens) = client.to_move(&table).expect("somebody is to move");
            let seq = client.play(&table, &tokens[0]).await.expect("legal");
            client.until_seq(&table, seq).await.expect("it is told");
        }
    }
    assert!(server.terminate().success());
}

/// Writes the database with one byte changed, and says which.
fn damage(folder: &Folder, sound: &[u8], dice: &mut Dice) -> String {
    let mut bytes = sound.to_vec();
    let (place, by) = (dice.roll(bytes.len()), 1 + dice.roll(255));
    let before = bytes[place];
    bytes[place] ^= by as u8;
    write(folder, &bytes);
    format!("byte {place} is {} instead of {before}", bytes[place])
}

/// Writes the database, and nothing beside it.
fn write(folder: &Folder, bytes: &[u8]) {
    for name in ["agon.sqlite-wal", "agon.sqlite-shm"] {
        let _ = std::fs::remove_file(folder.data().join(name));
    }
    std::fs::write(folder.database(), bytes).expect("written");
}

/// What is kept of a game, without what the check-up does not look at: its settings and owner are no part of what was played.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    mode: String,
    events: Vec<String>,
}

impl From<StoredTable> for Kept {
    fn from(table: StoredTable) -> Self {
        Self { mode: format!("{:?}", table.mode), events: table.events }
    }
}

/// All games that can be read, and how many damaged ones the check-up has found.
async fn read_all(path: &Path) -> Result<(BTreeMap<String, Kept>, usize), StoreError> {
    let store = SqliteStore::open(path)?;
    let checkup = Checkup::default();
    checkup.look(GAMES, &store, |_| std::future::ready(())).await?;
    let mut games = BTreeMap::new();
    for name in store.names(String::new(), 1000).await? {
        match store.load(name.clone()).await {
            Ok(Some(table)) => drop(games.insert(name, table.into())),
            Ok(None) => {}
            Err(error) => assert!(checkup.damaged() > 0, "{name}: the check-up has not seen that {error}"),
        }
    }
    Ok((games, checkup.damaged()))
}

/// The program itself on a damaged database: it refuses to start, or shows every game as it was or not at all, unless its check-up,
/// which takes its time, will find the damage (`is_found`).
async fn serve_damaged(folder: &Folder, place: &str, games: &BTreeMap<String, Kept>, is_found: bool) {
    let mut command = serve(&folder.0);
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder.data());
    let log = folder.0.join("log");
    match start_with_log(command, std::fs::File::create(&log).expect("a file")) {
        Err(failed) => assert_eq!(failed.status.code(), Some(1), "{place}: {failed:?}"),
        Ok(server) => {
            for (name, kept) in games {
                let path = format!("/api/v1/games/{name}");
                let shown = Request::new(server.address, "GET", &path).token(ANNA).send().await;
                if shown.status == 200 {
                    let table: Value = shown.json();
                    let is_whole = table["seq"] == kept.events.len();
                    assert!(is_whole || is_found, "{place}: {name} is another game: {}", table["seq"]);
                } else {
                    assert!([404, 503].contains(&shown.status), "{place}: {}", shown.text());
                }
            }
            Request::new(server.address, "GET", "/healthz").send().await.expect(200);
            server.kill();
        }
    }
    let log = std::fs::read_to_string(log).expect("text");
    assert!(!log.contains("panicked"), "{place}: {log}");
}
