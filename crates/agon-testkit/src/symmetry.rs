//! Turned and mirrored boards, made from the written position alone.

/// The position text with its first field, the rows, replaced.
pub fn with_rows(position: &str, rows: &str) -> String {
    match position.split_once(' ') {
        Some((_, rest)) => format!("{rows} {rest}"),
        None => rows.to_owned(),
    }
}

/// The eight images of a position on a square board, itself first: the four rotations, then the
/// mirror image of each.
pub fn square_images(position: &str) -> Vec<String> {
    let rows = position.split(' ').next().unwrap_or_default();
    let mut cells: Vec<Vec<char>> = rows.split('/').map(expand).collect();
    let mut rotations = Vec::new();
    let mut mirrored = Vec::new();
    for _ in 0..4 {
        rotations.push(with_rows(position, &compress(&cells)));
        let flipped: Vec<Vec<char>> = cells.iter().map(|row| row.iter().rev().copied().collect()).collect();
        mirrored.push(with_rows(position, &compress(&flipped)));
        let size = cells.len();
        cells =
            (0..size).map(|row| (0..size).map(|column| cells[size - 1 - column][row]).collect()).collect();
    }
    rotations.extend(mirrored);
    rotations
}

fn expand(row: &str) -> Vec<char> {
    let mut cells = Vec::new();
    let mut run = 0;
    for char in row.chars() {
        match char.to_digit(10) {
            Some(digit) => run = run * 10 + digit,
            None => {
                cells.extend((0..run).map(|_| '.'));
                run = 0;
                cells.push(char);
            }
        }
    }
    cells.extend((0..run).map(|_| '.'));
    cells
}

fn compress(cells: &[Vec<char>]) -> String {
    let rows = cells.iter().map(|row| {
        row.chunk_by(|a, b| *a == '.' && *b == '.')
            .map(|run| if run[0] == '.' { run.len().to_string() } else { run[0].to_string() })
            .collect::<String>()
    });
    rows.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::square_images;

    #[test]
    fn a_corner_piece_visits_all_corners() {
        let images = square_images("x2/3/3 x");
        assert_eq!(images[..4], ["x2/3/3 x", "2x/3/3 x", "3/3/2x x", "3/3/x2 x"]);
        assert_eq!(images[4], "2x/3/3 x");
        assert_eq!(images.len(), 8);
    }
}
