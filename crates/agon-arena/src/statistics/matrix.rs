//! As much linear algebra as a fit of some dozens of parameters needs.

/// A symmetric positive definite matrix, decomposed as L times L transposed (Cholesky).
pub struct Cholesky {
    size: usize,
    /// The rows of L.
    lower: Vec<f64>,
}

impl Cholesky {
    /// Decomposes a matrix that is given by its rows; `None` if it is not positive definite.
    pub fn new(matrix: &[f64], size: usize) -> Option<Self> {
        let mut lower = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let (done, now) = lower.split_at(row * size);
                let other = if column == row { &now[..column] } else { &done[column * size..][..column] };
                let product: f64 = now[..column].iter().zip(other).map(|(a, b)| a * b).sum();
                let rest = matrix[row * size + column] - product;
                lower[row * size + column] = if column < row {
                    rest / lower[column * size + column]
                } else if rest > 0.0 {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(Self { size, lower })
    }

    /// The solution of the matrix times x = `right`.
    pub fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Self { size, lower } = self;
        let mut x = right.to_vec();
        for row in 0..*size {
            let known: f64 = lower[row * size..][..row].iter().zip(&x).map(|(a, b)| a * b).sum();
            x[row] = (x[row] - known) / lower[row * size + row];
        }
        for row in (0..*size).rev() {
            let known: f64 = (row + 1..*size).map(|below| lower[below * size + row] * x[below]).sum();
            x[row] = (x[row] - known) / lower[row * size + row];
        }
        x
    }

    /// The inverse of the matrix, by its rows.
    pub(super) fn inverse(&self) -> Vec<f64> {
        let unit = |column: usize| -> Vec<f64> {
            (0..self.size).map(|row| if row == column { 1.0 } else { 0.0 }).collect()
        };
        // Symmetric: columns are rows.
        (0..self.size).flat_map(|column| self.solve(&unit(column))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = [4.0, 2.0, 0.6, 2.0, 5.0, 1.0, 0.6, 1.0, 3.0];
        let inverse = Cholesky::new(&matrix, 3).expect("positive definite").inverse();
        for row in 0..3 {
            for column in 0..3 {
                let sum: f64 = (0..3).map(|k| matrix[row * 3 + k] * inverse[k * 3 + column]).sum();
                let expected = if row == column { 1.0 } else { 0.0 };
                assert!((sum - expected).abs() < 1e-12, "{row} {column} {sum}");
            }
        }
        assert!(Cholesky::new(&[1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
