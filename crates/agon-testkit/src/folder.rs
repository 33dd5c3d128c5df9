//! Where a game's data and snapshots are kept: in its own folder, whichever crate tests it.

use std::path::{Path, PathBuf};

use agon_erased::GameEntry;

/// The folder of a game, which is called like its id.
pub fn folder(entry: &GameEntry) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(entry.spec.id)
}

/// Keeps the snapshots of a test in the folder of a game.
pub fn snapshots(entry: &GameEntry) -> insta::Settings {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder(entry).join("tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// The name of a snapshot that a game has for each of its variants.
pub fn variant_name(what: &str, variant: &str) -> String {
    format!("{what}-{variant}").replace([',', '=', '/'], "-")
}
