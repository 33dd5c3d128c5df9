//! 2048: one player and chance.
