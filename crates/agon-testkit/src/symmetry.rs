//! Turned and mirrored boards, made from the written position alone.

/// The eight images of a position on a square board, itself first: the four rotations, then the
/// mirror image of each.
pub fn square_images(position: &str) -> Vec<String> {
    images(position, expand, compress)
}

/// The same for a board whose cells are numbers between commas.
pub fn number_images(position: &str) -> Vec<String> {
    let read = |row: &str| row.split(',').map(str::to_owned).collect();
    let write = |cells: &[Vec<String>]| cells.iter().map(|row| row.join(",")).collect::<Vec<_>>().join("/");
    images(position, read, write)
}

fn images<T: Clone>(
    position: &str,
    read_row: impl Fn(&str) -> Vec<T>,
    write_rows: impl Fn(&[Vec<T>]) -> String,
) -> Vec<String> {
    let (rows, rest) = position.split_once(' ').unwrap_or((position, ""));
    let mut cells: Vec<Vec<T>> = rows.split('/').map(read_row).collect();
    let write = |cells: &[Vec<T>]| format!("{} {rest}", write_rows(cells));
    let mut rotations = Vec::new();
    let mut mirrored = Vec::new();
    for _ in 0..4 {
        rotations.push(write(&cells));
        let flipped: Vec<Vec<T>> = cells.iter().map(|row| row.iter().rev().cloned().collect()).collect();
        mirrored.push(write(&flipped));
        let size = cells.len();
        cells = (0..size)
            .map(|row| (0..size).map(|column| cells[size - 1 - column][row].clone()).collect())
            .collect();
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

/// The rows of a board as positions write them, `.` being an empty cell.
pub fn compress(cells: &[Vec<char>]) -> String {
    let rows = cells.iter().map(|row| {
        row.chunk_by(|a, b| *a == '.' && *b == '.')
            .map(|run| if run[0] == '.' { run.len().to_string() } else { run[0].to_string() })
            .collect::<String>()
    });
    rows.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{number_images, square_images};

    #[test]
    fn a_corner_piece_visits_all_corners() {
        let images = square_images("x2/3/3 x");
        assert_eq!(images[..4], ["x2/3/3 x", "2x/3/3 x", "3/3/2x x", "3/3/x2 x"]);
        assert_eq!(images[4], "2x/3/3 x");
        assert_eq!(images.len(), 8);
    }

    #[test]
    fn numbers_stay_whole() {
        let images = number_images("16,2/0,4 8+");
        assert_eq!(images[..4], ["16,2/0,4 8+", "0,16/4,2 8+", "4,0/2,16 8+", "2,4/16,0 8+"]);
        assert_eq!(images[4], "2,16/4,0 8+");
        assert_eq!(images.len(), 8);
    }
}
