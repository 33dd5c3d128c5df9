//! What only the author of a player gets to see.

use std::path::{Path, PathBuf};

/// The longest part of a name that a folder is called by.
const MAX_CHARS: usize = 40;

/// The private folder of a player's author, relative to the folder of the tournament: `authors/NAME`. It depends on nothing but
/// the name, is safe on every file system, and no two names share one.
pub fn author_folder(name: &str) -> PathBuf {
    Path::new("authors").join(slug(name))
}

/// A name fit for a file. Names that are not fit as they stand get a hash of the original appended.
fn slug(name: &str) -> String {
    let is_fit = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || "-_".contains(char);
    let fit: String =
        name.chars().take(MAX_CHARS).map(|char| if is_fit(char) { char } else { '-' }).collect();
    if fit == name && !name.is_empty() && !ends_like_a_hash(name) && !is_reserved(name) {
        return fit;
    }
    format!("{fit}-{:016x}", fnv(name.as_bytes()))
}

/// Whether a name could be mistaken for one that had its hash appended.
fn ends_like_a_hash(name: &str) -> bool {
    name.rsplit_once('-')
        .is_some_and(|(_, end)| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether Windows keeps the name for a device.
fn is_reserved(name: &str) -> bool {
    let numbered = |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| rest.len() == 1);
    ["con", "prn", "aux", "nul"].contains(&name) || numbered("com") || numbered("lpt")
}

/// The FNV-1a hash: the same on every machine and in every version.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_safe_and_no_two_names_share_one() {
        let names = [
            "",
            "deep-lines",
            "Deep-lines",
            "deep lines",
            "deep/lines",
            "..",
            ".",
            "../../etc",
            "con",
            "nul",
            "com1",
            "a\0b",
            "a\nb",
            "אבא",
            "אמא",
            "deep-lines-0123456789abcdef",
            "<script>",
            &"x".repeat(300),
            &"x".repeat(301),
        ];
        let folders: Vec<String> = names.iter().map(|name| slug(name)).collect();
        for folder in &folders {
            assert!(folder.len() < 64 && !folder.is_empty(), "{folder}");
            assert!(
                folder.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'),
                "{folder}"
            );
        }
        let mut distinct = folders.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), names.len());
        assert_eq!(author_folder("deep-lines"), Path::new("authors/deep-lines"));
        assert!(!folders.contains(&"con".to_owned()));
        // A name that looks like another one with its hash must not get that one's folder.
        assert_ne!(slug(&slug("Deep-lines")), slug("Deep-lines"));
    }
}
