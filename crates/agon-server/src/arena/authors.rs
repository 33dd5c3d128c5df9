//! What the author of a player may see, and nobody else: its games, its logs, and what has cost it games.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_arena::report::words::advice;
use agon_arena::results::Row;
use agon_arena::tournament::Store;
use agon_match::Fault;
use agon_messages::Refused;
use agon_protocol::web::arena::{
    AuthorGame, AuthorKey, AuthorKeys, AuthorPage, MAX_AUTHOR_GAMES, TechnicalLoss, Verdict,
};

use super::folder::{Folder, Snapshot};
use super::{Arena, shown, unknown, view};
use crate::folders::Contents;

/// How many cases of an offence are listed.
const MAX_CASES: usize = 20;
/// Players that nobody has written a program for.
const NO_PROGRAMS: [&str; 2] = ["bot", "person"];

impl Arena {
    /// The keys of the authors of a tournament.
    ///
    /// # Errors
    /// If there is no such tournament.
    pub async fn keys(self: &Arc<Self>, id: &str) -> Result<AuthorKeys, Refused> {
        self.with(id, |arena, folder| {
            let snapshot = folder.snapshot();
            let authors = snapshot.table.rows.iter().filter(|row| has_author(&snapshot, row));
            let key = |row: &Row| AuthorKey {
                player: shown(&row.name),
                key: arena.secret.author(folder.id(), &row.name),
            };
            Ok(AuthorKeys { keys: authors.map(key).collect() })
        })
        .await
    }

    /// The page of the author with this key.
    ///
    /// # Errors
    /// If there is no such tournament or key, which are not told apart.
    pub async fn author(self: &Arc<Self>, id: &str, key: String) -> Result<AuthorPage, Refused> {
        self.with(id, move |arena, folder| {
            let snapshot = folder.snapshot();
            let row = arena.author_of(folder, &snapshot, &key).ok_or_else(unknown)?;
            Ok(page(folder, &snapshot, row))
        })
        .await
    }

    /// What the program of the author with this key wrote in a game, by its number from 1.
    ///
    /// # Errors
    /// If there is no such tournament, key or log.
    pub async fn log(self: &Arc<Self>, id: &str, key: String, number: usize) -> Result<Contents, Refused> {
        self.with(id, move |arena, folder| {
            let snapshot = folder.snapshot();
            let row = arena.author_of(folder, &snapshot, &key).ok_or_else(unknown)?;
            let number = number.checked_sub(1).ok_or_else(unknown)?;
            folder.file(&Store::log_name(folder.dir(), &row.name, number)).ok_or_else(unknown)
        })
        .await
    }

    /// The line in the table of the player whose author has this key.
    fn author_of<'a>(&self, folder: &Folder, snapshot: &'a Snapshot, key: &str) -> Option<&'a Row> {
        let mut authors = snapshot.table.rows.iter().filter(|row| has_author(snapshot, row));
        // Keys are compared by what they are made from: how long that takes tells nothing about them.
        let asked = crate::random::hash(key);
        authors.find(|row| crate::random::hash(&self.secret.author(folder.id(), &row.name)) == asked)
    }
}

fn has_author(snapshot: &Snapshot, row: &Row) -> bool {
    let player = snapshot.results.players.get(row.player);
    player.is_some_and(|player| !NO_PROGRAMS.contains(&player.kind.as_str()))
}

fn page(folder: &Folder, snapshot: &Snapshot, row: &Row) -> AuthorPage {
    let id = folder.id();
    let own = || snapshot.results.games.iter().rev().filter(|game| game.seats.contains(&row.name));
    let game = |game| {
        let seat = |game: &agon_arena::results::GameResult| {
            game.seats.iter().position(|name| *name == row.name).unwrap_or(0)
        };
        AuthorGame {
            seat: seat(game),
            log: folder.size(&Store::log_name(folder.dir(), &row.name, game.number)),
            game: view::ended_game(id, snapshot, game),
        }
    };
    AuthorPage {
        tournament: view::summary(id, snapshot),
        standing: view::standing(snapshot, row),
        verdicts: verdicts(id, snapshot, row),
        warnings: row.conduct.warnings,
        games: own().take(MAX_AUTHOR_GAMES).map(game).collect(),
        games_count: row.games,
    }
}

fn verdicts(id: &str, snapshot: &Snapshot, row: &Row) -> Vec<Verdict> {
    let mut by_fault: BTreeMap<&str, (Fault, usize, Vec<TechnicalLoss>)> = BTreeMap::new();
    for game in snapshot.results.games.iter().rev() {
        for (offence, loss) in game.outcome.offences().iter().zip(view::technical_losses(id, game)) {
            if game.seats.get(offence.seat) != Some(&row.name) {
                continue;
            }
            let (_, count, cases) =
                by_fault.entry(offence.reason.word()).or_insert_with(|| (offence.reason, 0, Vec::new()));
            *count += 1;
            if cases.len() < MAX_CASES {
                cases.push(loss);
            }
        }
    }
    let mut verdicts: Vec<Verdict> = by_fault
        .into_iter()
        .map(|(word, (fault, count, cases))| {
            let (rule, fix) = advice(fault);
            Verdict { fault: word.to_owned(), rule, fix, count, cases }
        })
        .collect();
    verdicts.sort_by_key(|verdict| std::cmp::Reverse(verdict.count));
    verdicts
}
