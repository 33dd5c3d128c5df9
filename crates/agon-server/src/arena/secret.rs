//! What ids of tournaments and keys of authors are made from.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::random;

/// How many letters the id of a tournament has.
const ID_LETTERS: usize = 12;

/// A secret of this server from which ids and keys follow. The ids of tournaments and studies tell nobody where they are on the disk, and are the same after
/// a restart; keys need not be stored anywhere.
#[derive(Clone, Default)]
pub struct Secret([u8; 32]);

impl Secret {
    /// The secret that is kept in a file, which is made if there is none.
    ///
    /// # Errors
    /// If the file cannot be read or written, or holds something else.
    pub fn keep(path: &Path) -> io::Result<Self> {
        let text = random::kept_private(path, random::name)?;
        if !random::is_name(text.trim()) {
            return Err(io::Error::other(format!("{} is damaged", path.display())));
        }
        Ok(Self(Sha256::digest(text.trim().as_bytes()).into()))
    }

    /// The id of the tournament in a folder.
    pub fn tournament(&self, folder: &Path) -> String {
        self.id("tournament", folder)
    }

    /// The id of the study in a folder.
    pub fn study(&self, folder: &Path) -> String {
        self.id("study", folder)
    }

    fn id(&self, purpose: &str, folder: &Path) -> String {
        let mut id = self.letters(purpose, &[folder.as_os_str().as_bytes()]);
        id.truncate(ID_LETTERS);
        id
    }

    /// Whether this could be the id of a tournament or a study.
    pub fn is_id(id: &str) -> bool {
        id.len() == ID_LETTERS && random::is_letters(id)
    }

    /// The key of the author of a player.
    pub fn author(&self, tournament: &str, player: &str) -> String {
        self.letters("author", &[tournament.as_bytes(), player.as_bytes()])
    }

    /// Letters that nobody can foretell who does not know the secret.
    fn letters(&self, purpose: &str, parts: &[&[u8]]) -> String {
        let mut hash = Sha256::new();
        hash.update(self.0);
        for part in std::iter::once(&purpose.as_bytes()).chain(parts) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        random::letters(&hash.finalize())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn ids_and_keys_are_stable_and_different() {
        let path = std::env::temp_dir().join(format!("agon-secret-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let secret = Secret::keep(&path).expect("it is made");
        let id = secret.tournament(Path::new("/srv/course"));
        assert!(Secret::is_id(&id), "{id}");
        assert_ne!(secret.study(Path::new("/srv/course")), id);
        let key = secret.author(&id, "dana");
        assert!(random::is_name(&key), "{key}");
        // The same after a restart, another one elsewhere.
        let again = Secret::keep(&path).expect("it is read");
        assert_eq!(
            (again.tournament(Path::new("/srv/course")), again.author(&id, "dana")),
            (id.clone(), key.clone())
        );
        assert_ne!(secret.tournament(Path::new("/srv/course2")), id);
        assert_ne!(secret.author(&id, "avi"), key);
        assert_ne!(Secret::default().author(&id, "dana"), key);
        fs::write(&path, "x").expect("it can be written");
        assert!(Secret::keep(&path).is_err());
        fs::remove_file(&path).expect("it is there");
    }
}
