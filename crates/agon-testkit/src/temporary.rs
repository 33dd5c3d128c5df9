//! Folders that last as long as a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A new folder that is removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl Default for TemporaryFolder {
    fn default() -> Self {
        Self::new()
    }
}

impl TemporaryFolder {
    /// An empty folder that no other test has.
    ///
    /// # Panics
    /// If it cannot be made.
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-test-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// The path of what is called `name` in it; the folder itself if that is empty.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file and returns its path.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file for the test");
        path
    }

    /// Reads a file.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Copies a folder with everything in it, under a name in this one, and returns the path of the copy.
    ///
    /// # Panics
    /// If it cannot be read or written.
    pub fn copy(&self, folder: &Path, name: &str) -> PathBuf {
        let target = self.path(name);
        fs::create_dir_all(&target).expect("a folder for the test");
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry").path();
            let inner = format!("{name}/{}", path.file_name().unwrap_or_default().to_string_lossy());
            if path.is_dir() {
                self.copy(&path, &inner);
            } else {
                fs::copy(&path, self.path(&inner)).expect("a copy for the test");
            }
        }
        target
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
