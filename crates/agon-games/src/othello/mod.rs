//! Othello on n×n boards.
