//! Results as CSV, for spreadsheets: the table, the cross table, all games, and grades.

use super::analysis::Analysis;
use super::words::{plain, points_text};
use crate::authors::Author;

/// A CSV file as RFC 4180 has it.
#[derive(Debug)]
pub struct Csv(String);

impl Csv {
    /// A file with a header.
    pub fn new(header: &[&str]) -> Self {
        let mut csv = Self(String::new());
        csv.row(header.iter().map(ToString::to_string));
        csv
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().map(|cell| quoted(&cell)).collect();
        self.0.push_str(&cells.join(","));
        self.0.push_str("\r\n");
    }

    /// The whole file.
    pub fn finish(self) -> String {
        self.0
    }
}

/// A cell. Text that a spreadsheet would run as a formula gets an apostrophe before it: names are chosen by strangers.
fn quoted(cell: &str) -> String {
    let mut cell = plain(cell);
    if cell.starts_with(['=', '+', '-', '@', '\'']) && cell.parse::<f64>().is_err() {
        cell.insert(0, '\'');
    }
    if cell.contains([',', '"', '\'', ' ']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

/// An optional number with so many digits.
pub fn decimal(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(String::new, |value| format!("{value:.digits$}"))
}

/// The table, best first.
pub(super) fn table(analysis: &Analysis) -> String {
    let mut csv = Csv::new(&[
        "place",
        "player",
        "kind",
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "technical_wins",
        "technical_losses",
        "disqualified",
        "elo",
        "elo_error",
        "seconds_per_move",
        "slowest_seconds",
        "depth",
        "nodes_per_move",
    ]);
    for row in &analysis.table.rows {
        let strength = analysis.strength(row.player);
        let conduct = &row.conduct;
        let moved = |value: f64| (conduct.moves > 0).then_some(value);
        csv.row([
            row.place.to_string(),
            row.name.clone(),
            analysis.results.players[row.player].kind.clone(),
            points_text(row.points),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.technical_wins.to_string(),
            row.technical_losses.to_string(),
            row.disqualified.to_string(),
            decimal(strength.map(|(elo, _)| elo), 1),
            decimal(strength.map(|(_, error)| error), 1),
            decimal(moved(conduct.mean_time()), 6),
            decimal(moved(conduct.slowest.as_secs_f64()), 6),
            decimal(moved(conduct.mean_depth()), 2),
            decimal(moved(conduct.mean_nodes()), 0),
        ]);
    }
    csv.finish()
}

/// Points of the players in rows against those in columns.
pub(super) fn cross_table(analysis: &Analysis) -> String {
    let names = || analysis.table.rows.iter().map(|row| row.name.clone());
    let mut csv = Csv(String::new());
    csv.row(std::iter::once("player".to_owned()).chain(names()));
    for row in &analysis.table.rows {
        let cells = analysis.table.rows.iter().map(|other| {
            let cross = &analysis.cross[row.player][other.player];
            if cross.games == 0 { String::new() } else { points_text(cross.points) }
        });
        csv.row(std::iter::once(row.name.clone()).chain(cells));
    }
    csv.finish()
}

/// Every game, one line per seat.
pub(super) fn games(analysis: &Analysis) -> String {
    let mut csv = Csv::new(&[
        "game",
        "round",
        "seat",
        "player",
        "result",
        "points",
        "technical",
        "reason",
        "plies",
        "moves",
        "seconds",
        "slowest_seconds",
        "depth",
        "nodes",
        "score",
        "record",
    ]);
    for game in &analysis.results.games {
        for (seat, name) in game.seats.iter().enumerate() {
            let result = match game.standing(seat).share() {
                share if share > 0.75 => "win",
                share if share > 0.25 => "draw",
                _ => "loss",
            };
            let conduct = game.conduct.get(seat);
            csv.row([
                game.shown_number().to_string(),
                game.round.to_string(),
                (seat + 1).to_string(),
                name.clone(),
                result.to_owned(),
                points_text(game.points.get(seat).copied().unwrap_or(0.0)),
                game.is_technical().to_string(),
                game.outcome.reason().to_owned(),
                game.plies.to_string(),
                conduct.map_or_else(String::new, |conduct| conduct.moves.to_string()),
                decimal(conduct.map(|conduct| conduct.time.as_secs_f64()), 6),
                decimal(conduct.map(|conduct| conduct.slowest.as_secs_f64()), 6),
                decimal(conduct.map(|conduct| conduct.mean_depth()), 2),
                conduct.map_or_else(String::new, |conduct| conduct.nodes.to_string()),
                game.scores.get(seat).map_or_else(String::new, ToString::to_string),
                game.record.clone().unwrap_or_default(),
            ]);
        }
    }
    csv.finish()
}

/// Grades: the share of the points that winning every game would have brought, in percent, not below 0. A line for each author, where a
/// player's authors are known.
pub(super) fn grades(analysis: &Analysis) -> String {
    let mut csv = Csv::new(&[
        "player",
        "place",
        "points",
        "possible",
        "percent",
        "technical_losses",
        "disqualified",
        "author",
        "id",
        "email",
    ]);
    for row in &analysis.table.rows {
        let possible = analysis.results.points.win * row.games as f64;
        let percent = if possible > 0.0 { (100.0 * row.points / possible).clamp(0.0, 100.0) } else { 0.0 };
        let nobody = [Author::default()];
        let known = &analysis.results.players[row.player].authors;
        for Author { name, id, email } in if known.is_empty() { &nobody[..] } else { known } {
            csv.row([
                row.name.clone(),
                row.place.to_string(),
                points_text(row.points),
                points_text(possible),
                format!("{percent:.1}"),
                row.technical_losses.to_string(),
                row.disqualified.to_string(),
                name.clone(),
                id.clone(),
                email.clone(),
            ]);
        }
    }
    csv.finish()
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn cells_are_neither_split_nor_run() {
        assert_eq!(quoted("deep-lines"), "deep-lines");
        assert_eq!(quoted("a,\"b\"\nc"), "\"a,\"\"b\"\" c\"");
        assert_eq!(quoted("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(quoted("@sum"), "\"'@sum\"");
        assert_eq!(quoted("+1+1"), "\"'+1+1\"");
        assert_eq!(quoted("-2"), "-2");
    }
}
