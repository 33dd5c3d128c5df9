//! Names of tables: letters that nobody can guess.

/// How many letters a name has: 5 bits each, 130 in all.
pub const LETTERS: usize = 26;
/// Letters and digits that are not easily mistaken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// As many letters of these bytes as a name has.
pub fn letters(bytes: &[u8]) -> String {
    bytes.iter().take(LETTERS).map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
}

/// Whether `text` could be such a name.
pub fn is_name(text: &str) -> bool {
    text.len() == LETTERS && is_letters(text)
}

/// Whether `text` is made of the letters of names.
pub fn is_letters(text: &str) -> bool {
    text.bytes().all(|byte| ALPHABET.contains(&byte))
}
