//! Results for a terminal, and as a plain text file.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::analysis::{Analysis, Failing};
use super::words::{elo_text, name_text, plain, points_text, time_text};

/// The most columns a name takes.
const MAX_NAME: usize = 24;
/// The most players whose cross table fits on a terminal.
const MAX_CROSS: usize = 16;

/// Columns, each as wide as its widest cell; the first is aligned to the left, the others to the right.
fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for (column, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[column] - cell.width());
            // Names stand to the left, numbers to the right.
            let cell = if column == 1 { format!("{cell}{padding}") } else { format!("{padding}{cell}") };
            let _ = write!(line, " {cell} ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A name that fits its column.
fn short_name(name: &str) -> String {
    let name = name_text(name);
    if name.width() <= MAX_NAME {
        return name;
    }
    let mut short = String::new();
    for char in name.chars() {
        if short.width() + 3 > MAX_NAME {
            break;
        }
        short.push(char);
    }
    short + "…"
}

/// The table alone, for a screen that is drawn again and again.
pub(super) fn table(analysis: &Analysis) -> String {
    let header =
        ["", "player", "points", "games", "won", "drawn", "lost", "technical", "Elo", "time/move", "depth"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for row in &analysis.table.rows {
        let technical = match (row.technical_wins, row.technical_losses) {
            (0, 0) => "0".to_owned(),
            (wins, losses) => format!("+{wins} -{losses}"),
        };
        let moved = row.conduct.moves > 0;
        let mark = if row.disqualified { " (disqualified)" } else { "" };
        rows.push(vec![
            row.place.to_string(),
            short_name(&row.name) + mark,
            points_text(row.points),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            technical,
            analysis.strength(row.player).map_or_else(|| "-".to_owned(), elo_text),
            if moved {
                time_text(row.conduct.time / row.conduct.moves.max(1) as u32)
            } else {
                "-".to_owned()
            },
            // Programs need not say how deep they look.
            if row.conduct.depth > 0 { format!("{:.1}", row.conduct.mean_depth()) } else { "-".to_owned() },
        ]);
    }
    columns(&rows)
}

/// The whole report.
pub(super) fn report(analysis: &Analysis) -> String {
    let results = analysis.results;
    let mut text = format!(
        "{}: {} of {} games\n\n{}",
        plain(&results.name),
        results.games.len(),
        results.scheduled(),
        table(analysis)
    );
    let rows = &analysis.table.rows[..analysis.table.rows.len().min(MAX_CROSS)];
    if rows.len() > 1 {
        text.push_str("\npoints of the players in rows against those in columns\n\n");
        let header = ["".to_owned(), String::new()]
            .into_iter()
            .chain((1..=rows.len()).map(|number| number.to_string()));
        let mut lines = vec![header.collect::<Vec<_>>()];
        for (number, row) in rows.iter().enumerate() {
            let cells = rows.iter().map(|other| match &analysis.cross[row.player][other.player] {
                cross if cross.games == 0 => "·".to_owned(),
                cross => points_text(cross.points),
            });
            let names = [(number + 1).to_string(), short_name(&row.name)];
            lines.push(names.into_iter().chain(cells).collect());
        }
        text.push_str(&columns(&lines));
    }
    let mut heading = "\ntechnical losses\n\n";
    for failing in analysis.failings() {
        let Failing { name, reason, game, offence, .. } = failing;
        let sentence = if offence.sentence.is_empty() {
            String::new()
        } else {
            format!(": {}", plain(&offence.sentence))
        };
        let number = game.shown_number();
        let extent = failing.extent().concat();
        let _ =
            writeln!(text, "{heading}  {}, game {number}, {extent}: {reason}{sentence}", short_name(name));
        heading = "";
    }
    for note in &results.notes {
        let _ = writeln!(text, "\nnote: {}", plain(note));
    }
    text
}
