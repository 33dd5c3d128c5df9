//! Names that nobody can guess.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use agon_requests::ids::LETTERS;
pub(crate) use agon_requests::ids::{is_letters, is_name, letters};
use sha2::{Digest, Sha256};

use crate::store::{KeyHash, VisitorId};

/// How much of a file of ours is read, in bytes.
const LONGEST_KEPT: u64 = 1000;
/// The shortest token by which a program may identify itself, in bytes.
const SHORTEST_TOKEN: usize = 24;
/// The longest one.
const LONGEST_TOKEN: usize = 128;

/// A new name for a table or a browser.
pub(crate) fn name() -> String {
    let mut bytes = [0; LETTERS];
    fill(&mut bytes);
    letters(&bytes)
}

/// The text in a file that only its owner may read; `make` makes it if there is no such file.
pub(crate) fn kept_private(path: &Path, make: impl FnOnce() -> String) -> io::Result<String> {
    match File::open(path) {
        Ok(file) => {
            let mut text = String::new();
            file.take(LONGEST_KEPT).read_to_string(&mut text)?;
            Ok(text)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let text = make();
            replace_private(path, &text)?;
            Ok(text)
        }
        Err(error) => Err(error),
    }
}

/// Writes a file that only its owner may read, whole or not at all.
pub(crate) fn replace_private(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension("new");
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    std::fs::rename(&draft, path)
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
