//! Folders that are written as a whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Writes files into a folder that exists, with the folders that their paths name.
///
/// # Errors
/// If one of them cannot be written.
pub fn write<P: AsRef<Path>, T: AsRef<[u8]>>(folder: &Path, files: &[(P, T)]) -> io::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// Makes a folder by `fill`ing another one beside it, which then takes its name: whoever looks sees nothing or everything.
///
/// # Errors
/// If there is a folder or file of that name that is not empty, or something cannot be written. Nothing is left then.
pub fn create(folder: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    let draft = draft_of(folder)?;
    // What an earlier run has left half-done.
    if draft.exists() {
        fs::remove_dir_all(&draft)?;
    }
    fs::create_dir(&draft)?;
    // An empty folder is replaced; anything else is in the way.
    let done = fill(&draft).and_then(|()| fs::rename(&draft, folder));
    if done.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    done
}

fn draft_of(folder: &Path) -> io::Result<PathBuf> {
    let name = folder.file_name().ok_or_else(|| io::Error::other("the path names no folder"))?;
    let mut draft = std::ffi::OsString::from(".");
    draft.push(name);
    draft.push(".part");
    Ok(folder.with_file_name(draft))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_complete_or_absent() {
        let base = std::env::temp_dir().join(format!("agon-folder-{}", std::process::id()));
        let made = base.join("a/b");
        create(&made, |folder| write(folder, &[("x/y.txt", "one")])).expect("it is new");
        assert_eq!(fs::read_to_string(made.join("x/y.txt")).expect("it is there"), "one");
        let again = create(&made, |folder| write(folder, &[("z.txt", "two")]));
        assert!(again.is_err() && !made.join("z.txt").exists(), "nothing is overwritten");
        let failing = create(&base.join("c"), |_| Err(io::Error::other("full")));
        assert!(failing.is_err());
        let left: Vec<_> =
            fs::read_dir(&base).expect("it is there").flatten().map(|e| e.file_name()).collect();
        assert_eq!(left, ["a"], "nothing is left of the failure");
        fs::create_dir(base.join("empty")).expect("it is new");
        create(&base.join("empty"), |folder| write(folder, &[("z", "")]))
            .expect("an empty folder is replaced");
        fs::remove_dir_all(&base).expect("it is ours");
    }
}
