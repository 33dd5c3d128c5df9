//! The written form of boards: run-length rows, fields, coordinates, diagrams.

use std::fmt::Write;
use std::ops::RangeInclusive;

use agon_core::PositionError;
use agon_core::text::{counted, number, or_list, quote};

/// The largest ply count that a position may carry.
pub const MAX_PLY: u64 = 1_000_000;

/// Splits a position into its fields, separated by one space each.
///
/// # Errors
/// If there are more or fewer fields than `names`.
pub fn fields<'a, const N: usize>(text: &'a str, names: [&str; N]) -> Result<[&'a str; N], PositionError> {
    let parts: Vec<&str> = text.splitn(N + 1, ' ').collect();
    parts.try_into().map_err(|_| {
        PositionError::new(format!(
            "{} does not have the {N} fields {} separated by one space each",
            quote(text),
            names.join(", ")
        ))
    })
}

/// Reads a ply count.
///
/// # Errors
/// If it is not a plain number up to [`MAX_PLY`].
pub fn ply(text: &str) -> Result<u32, PositionError> {
    let plies = number(text, 0..=MAX_PLY).map_err(|fault| PositionError::new(format!("plies: {fault}")))?;
    Ok(plies as u32)
}

/// Reads the side to move.
///
/// # Errors
/// If `text` is none of `names`.
pub fn side(text: &str, names: &[&str]) -> Result<usize, PositionError> {
    names
        .iter()
        .position(|name| *name == text)
        .ok_or_else(|| PositionError::new(format!("side to move: {} is not {}", quote(text), or_list(names))))
}

/// Reads rows separated by `/`, from the top, made of piece letters and run lengths of empty cells,
/// and calls `place` with row, column and letter. `widths` has the length of every row.
///
/// # Errors
/// If a row is missing or too many, too short or too long, or holds anything but `letters` and plain
/// numbers. All bad rows are named.
pub fn read_rows(
    text: &str,
    widths: &[usize],
    letters: &str,
    mut place: impl FnMut(usize, usize, char),
) -> Result<(), PositionError> {
    let count = text.split('/').count();
    if count != widths.len() {
        return Err(PositionError::new(format!(
            "{} where {} are expected",
            counted(count, "row"),
            widths.len()
        )));
    }
    let mut faults = Vec::new();
    for (row, (line, &width)) in text.split('/').zip(widths).enumerate() {
        if let Err(fault) = read_row(line, width, letters, |column, letter| place(row, column, letter)) {
            faults.push(format!("row {} from the top: {fault}", row + 1));
        }
    }
    PositionError::check(faults)
}

fn read_row(
    line: &str,
    width: usize,
    letters: &str,
    mut place: impl FnMut(usize, char),
) -> Result<(), String> {
    let mut rest = line;
    let mut column = 0;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
            let (run, tail) = rest.split_at(end);
            column += number(run, 1..=width as u64).map_err(|fault| format!("run length {fault}"))? as usize;
            rest = tail;
        } else if letters.contains(first) {
            if column < width {
                place(column, first);
            }
            column += 1;
            rest = &rest[first.len_utf8()..];
        } else {
            let allowed = or_list(letters.chars());
            return Err(format!("{} is not {allowed} or a run length", quote(&first.to_string())));
        }
        if column > width {
            return Err(format!("more than {width} cells"));
        }
    }
    if column < width {
        Err(format!("{} where {width} are expected", counted(column, "cell")))
    } else {
        Ok(())
    }
}

/// Writes rows as [`read_rows`] reads them; `letter` gives the piece of a cell.
pub fn write_rows(widths: &[usize], letter: impl Fn(usize, usize) -> Option<char>) -> String {
    // Enough for a full board, so that it never grows.
    let mut text = String::with_capacity(widths.iter().map(|width| width + 1).sum());
    for (row, &width) in widths.iter().enumerate() {
        if row > 0 {
            text.push('/');
        }
        let mut run = 0;
        for column in 0..=width {
            let piece = if column < width { letter(row, column) } else { None };
            if (piece.is_some() || column == width) && run > 0 {
                text.push_str(number_name(run));
                run = 0;
            }
            match piece {
                Some(piece) => text.push(piece),
                None => run += 1,
            }
        }
    }
    text
}

/// `d3`: a column letter and a row number from 1.
pub fn algebraic(row: usize, column: usize) -> String {
    [column_name(column), number_name(row + 1)].concat()
}

/// The names of columns.
const LETTERS: [&str; 26] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u",
    "v", "w", "x", "y", "z",
];

/// The name of a column, `a` to `z`.
pub fn column_name(column: usize) -> &'static str {
    LETTERS[column]
}

/// The names of rows and columns that are numbers.
const NUMBERS: [&str; 31] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18",
    "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30",
];

/// A number of a row or column as it is written, `0` to `30`.
pub fn number_name(number: usize) -> &'static str {
    NUMBERS[number]
}

/// Reads one square like `d3` from the front of `text`: row and column from 0, and what follows.
/// `None` if there is no such square on a board of so many rows and columns.
pub fn take_algebraic(text: &str, (rows, columns): (usize, usize)) -> Option<((usize, usize), &str)> {
    let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
    let column = usize::from(letter - b'a');
    let digits = &text[1..];
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    let row = number(&digits[..end], 1..=rows as u64).ok()? as usize - 1;
    (column < columns).then_some(((row, column), &digits[end..]))
}

/// Reads `N` places as people type them, `(row,column)` with `-` or nothing between them; the numbers must lie within `range`.
pub fn bracketed<const N: usize>(text: &str, range: RangeInclusive<u64>) -> Option<[(usize, usize); N]> {
    let coordinate = |text: &str| number(text, range.clone()).ok().map(|value| value as usize);
    let mut places = [(0, 0); N];
    let mut rest = text;
    for (index, place) in places.iter_mut().enumerate() {
        let from = if index > 0 { rest.strip_prefix('-').unwrap_or(rest) } else { rest };
        let (inner, after) = from.strip_prefix('(')?.split_once(')')?;
        let (row, column) = inner.split_once(',')?;
        *place = (coordinate(row)?, coordinate(column)?);
        rest = after;
    }
    rest.is_empty().then_some(places)
}

/// A board of so many rows and columns with its coordinates, a cell every two characters.
pub fn diagram(
    (rows, columns): (usize, usize),
    column_name: impl Fn(usize) -> &'static str,
    row_name: impl Fn(usize) -> &'static str,
    cell: impl Fn(usize, usize) -> char,
) -> String {
    let margin = (0..rows).map(|row| row_name(row).len()).max().unwrap_or(0);
    let width = (0..columns).map(|column| column_name(column).len()).max().unwrap_or(1);
    let mut text = " ".repeat(margin);
    for column in 0..columns {
        let _ = write!(text, " {:>width$}", column_name(column));
    }
    text.push('\n');
    for row in 0..rows {
        let _ = write!(text, "{:>margin$}", row_name(row));
        for column in 0..columns {
            let _ = write!(text, " {:>width$}", cell(row, column));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, widths: &[usize]) -> Result<String, String> {
        let mut cells: Vec<Vec<Option<char>>> = widths.iter().map(|&width| vec![None; width]).collect();
        read_rows(text, widths, "xo", |row, column, letter| cells[row][column] = Some(letter))
            .map_err(|error| error.to_string())?;
        Ok(write_rows(widths, |row, column| cells[row][column]))
    }

    #[test]
    fn places_in_brackets_are_read_strictly() {
        assert_eq!(bracketed("(3,4)", 1..=8), Some([(3, 4)]));
        assert_eq!(bracketed("(1,4)-(3,4)", 1..=9), Some([(1, 4), (3, 4)]));
        assert_eq!(bracketed("(1,4)(3,4)", 1..=9), Some([(1, 4), (3, 4)]));
        for bad in [
            "",
            "(3,4",
            "3,4)",
            "(3)",
            "(3,9)",
            "(0,1)",
            "(3,4)-",
            "-(3,4)",
            "(3,4)-(1,1)",
            "((3,4))",
            "(03,4)",
        ] {
            assert_eq!(bracketed::<1>(bad, 1..=8), None, "{bad}");
        }
        assert_eq!(bracketed::<2>("(3,4)", 1..=8), None);
        assert_eq!(bracketed::<2>("(3,4)--(3,5)", 1..=8), None);
    }

    #[test]
    fn rows_round_trip() {
        for (text, widths) in [("x1o/12/3", &[3, 12, 3][..]), ("xxx/10oo/1x1", &[3, 12, 3])] {
            assert_eq!(read(text, widths).as_deref(), Ok(text));
        }
    }

    #[test]
    fn bad_rows_are_refused_by_name() {
        for (text, fault) in [
            ("3", "1 row where 2 are expected"),
            ("3/3/3", "3 rows where 2 are expected"),
            ("3/2", "row 2 from the top: 2 cells where 3 are expected"),
            ("3/", "row 2 from the top: 0 cells where 3 are expected"),
            ("xxxx/3", "row 1 from the top: more than 3 cells"),
            ("03/3", "row 1 from the top: run length '03' is not a whole number from 1 to 3"),
            ("0xxx/3", "row 1 from the top: run length '0'"),
            ("x٢/3", "row 1 from the top: '٢' is not x or o or a run length"),
            ("99999999999999999999/3", "row 1 from the top: run length"),
            ("X2/3", "'X' is not x or o"),
        ] {
            let error = read(text, &[3, 3]).expect_err(text);
            assert!(error.contains(fault), "{text}: {error}");
        }
    }

    #[test]
    fn squares_are_read_strictly() {
        assert_eq!(take_algebraic("d3", (8, 8)), Some(((2, 3), "")));
        assert_eq!(take_algebraic("z26a1", (26, 26)), Some(((25, 25), "a1")));
        for bad in ["", "d", "3d", "d0", "d03", "d9", "i1", "D3", "é3"] {
            assert_eq!(take_algebraic(bad, (8, 8)), None, "{bad}");
        }
        assert_eq!(take_algebraic("c2", (2, 3)), Some(((1, 2), "")));
        assert_eq!((take_algebraic("d2", (2, 3)), take_algebraic("c3", (2, 3))), (None, None));
    }

    #[test]
    fn a_diagram_may_be_wider_than_high() {
        let cell = |row, column| if (row, column) == (1, 2) { 'x' } else { '.' };
        let text = diagram((2, 3), column_name, |row| number_name(2 - row), cell);
        assert_eq!(text, "  a b c\n2 . . .\n1 . . x\n");
    }
}
