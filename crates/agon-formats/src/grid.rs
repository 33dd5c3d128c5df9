//! Boards in positions as text: rows of letters and run lengths of empty squares, which other protocols write square by
//! square.

/// The squares of `rows`, row by row; `.` is an empty one.
pub fn expand(rows: &str) -> Vec<Vec<char>> {
    rows.split('/')
        .map(|row| {
            let mut squares = Vec::new();
            let mut empty = 0;
            for char in row.chars() {
                match char.to_digit(10) {
                    Some(digit) => empty = 10 * empty + digit as usize,
                    None => {
                        squares.resize(squares.len() + std::mem::take(&mut empty), '.');
                        squares.push(char);
                    }
                }
            }
            squares.resize(squares.len() + empty, '.');
            squares
        })
        .collect()
}

/// The text of `squares`: what [`expand`] reads.
pub fn compress<'a>(squares: impl IntoIterator<Item = &'a [char]>) -> String {
    let row_text = |row: &[char]| {
        row.chunk_by(|one, other| *one == '.' && *other == '.')
            .map(|run| if run[0] == '.' { run.len().to_string() } else { run[0].to_string() })
            .collect::<String>()
    };
    squares.into_iter().map(row_text).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_expanded_and_compressed() {
        for rows in ["12/x11/5o6/xx10", "4/1ox1/1xo1/4", "xo/2"] {
            let squares = expand(rows);
            assert_eq!(compress(squares.iter().map(Vec::as_slice)), rows);
        }
        assert_eq!(expand("1x/o1"), [['.', 'x'], ['o', '.']]);
    }
}
