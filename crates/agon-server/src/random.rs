//! Names that nobody can guess.

use sha2::{Digest, Sha256};

use crate::store::{KeyHash, VisitorId};

/// How many letters a name has: 5 bits each, 130 in all.
const LETTERS: usize = 26;
/// Letters and digits that are not easily mistaken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The shortest token by which a program may identify itself, in bytes.
const SHORTEST_TOKEN: usize = 24;
/// The longest one.
const LONGEST_TOKEN: usize = 128;

/// A new name for a table or a browser.
pub(crate) fn name() -> String {
    let mut bytes = [0; LETTERS];
    fill(&mut bytes);
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
}

/// Whether `text` could be such a name.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() == LETTERS && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// Whether `text` may be the token of a browser or a program.
pub(crate) fn is_token(text: &str) -> bool {
    let length = text.len();
    (SHORTEST_TOKEN..=LONGEST_TOKEN).contains(&length) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Who keeps this token. The token itself is never stored.
pub(crate) fn visitor(token: &str) -> VisitorId {
    Sha256::digest(token.as_bytes()).into()
}

/// What is kept of a key.
pub(crate) fn hash(key: &str) -> KeyHash {
    visitor(key)
}

/// A number that nobody can foretell.
pub(crate) fn seed() -> u64 {
    let mut bytes = [0; 8];
    fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

/// The system's own randomness. A system without any is not one to keep secrets on.
fn fill(bytes: &mut [u8]) {
    if let Err(error) = getrandom::fill(bytes) {
        panic!("the system gives no random numbers: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_long_and_different() {
        let (one, other) = (name(), name());
        assert_ne!(one, other);
        assert!(is_name(&one) && is_token(&one), "{one}");
        for bad in ["", "x", "../../../../etc/passwd/aaaa", &one.to_uppercase(), &format!("{one}a")] {
            assert!(!is_name(bad), "{bad}");
        }
        assert_ne!(visitor(&one), visitor(&other));
        assert_ne!(seed(), seed());
    }
}
