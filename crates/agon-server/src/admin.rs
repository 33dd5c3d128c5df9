//! The admin token: whoever has it may read the metrics from elsewhere, and run tournaments.

use std::io;
use std::path::Path;

use crate::random;
use crate::store::KeyHash;

/// What is known of the admin token: its hash. The token itself is shown once and never stored.
#[derive(Clone)]
pub struct AdminToken(KeyHash);

impl AdminToken {
    /// The token that whoever runs the server has chosen.
    ///
    /// # Errors
    /// If it could be guessed.
    pub fn chosen(token: &str) -> Result<Self, String> {
        if random::is_token(token) {
            return Ok(Self(random::hash(token)));
        }
        Err("the admin token must have 24 to 128 visible ASCII characters".to_owned())
    }

    /// The token whose hash is in a file. If there is no such file, or `renew` says so, a new one is made and returned as well: nobody will see it
    /// again.
    ///
    /// # Errors
    /// If the file cannot be read or written, or holds something else.
    pub fn kept(path: &Path, renew: bool) -> io::Result<(Self, Option<String>)> {
        let token = random::name();
        let hash = random::hash(&token);
        if renew {
            random::replace_private(path, &hex(&hash))?;
            return Ok((Self(hash), Some(token)));
        }
        let kept = random::kept_private(path, || hex(&hash))?;
        if kept == hex(&hash) {
            return Ok((Self(hash), Some(token)));
        }
        let damaged = || {
            let fault = format!("{} is damaged; replace it with --new-admin-token", path.display());
            io::Error::other(fault)
        };
        Ok((Self(parse_hex(kept.trim()).ok_or_else(damaged)?), None))
    }

    /// Whether this is the token. How long the answer takes does not depend on how much of it is right.
    pub fn is(&self, token: &str) -> bool {
        let given = random::hash(token);
        let difference = self.0.iter().zip(given).fold(0, |sum, (known, given)| sum | (known ^ given));
        std::hint::black_box(difference) == 0
    }
}

fn hex(hash: &KeyHash) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn parse_hex(text: &str) -> Option<KeyHash> {
    let mut hash = KeyHash::default();
    if text.len() != 2 * hash.len() || !text.is_ascii() {
        return None;
    }
    for (index, byte) in hash.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * index..2 * index + 2)?, 16).ok()?;
    }
    Some(hash)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_is_shown_once_and_stored_as_a_hash() {
        let path = std::env::temp_dir().join(format!("agon-admin-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let (admin, token) = AdminToken::kept(&path, false).expect("it is made");
        let token = token.expect("it is shown");
        assert!(admin.is(&token) && !admin.is(&random::name()) && !admin.is(""));
        let stored = fs::read_to_string(&path).expect("it is stored");
        assert!(!stored.contains(&token), "{stored}");
        assert_eq!(fs::metadata(&path).expect("a file").permissions().mode() & 0o777, 0o600);
        let (again, shown) = AdminToken::kept(&path, false).expect("it is read");
        assert!(again.is(&token) && shown.is_none());
        let (renewed, new) = AdminToken::kept(&path, true).expect("it is replaced");
        let new = new.expect("it is shown");
        assert!(renewed.is(&new) && !renewed.is(&token));
        let (kept, _) = AdminToken::kept(&path, false).expect("it is read");
        assert!(kept.is(&new) && !kept.is(&token));
        for damaged in ["", "zz", &"é".repeat(32), &"a".repeat(63)] {
            fs::write(&path, damaged).expect("it can be written");
            let fault = AdminToken::kept(&path, false).err().expect(damaged).to_string();
            assert!(fault.contains("--new-admin-token"), "{fault}");
        }
        fs::remove_file(&path).expect("it is there");
        assert!(AdminToken::chosen("too short").is_err());
        assert!(AdminToken::chosen("long enough for anybody").is_err());
        assert!(
            AdminToken::chosen("long-enough-for-anybody-").expect("a token").is("long-enough-for-anybody-")
        );
    }
}
