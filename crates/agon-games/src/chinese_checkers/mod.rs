//! Chinese Checkers for two to six seats.
