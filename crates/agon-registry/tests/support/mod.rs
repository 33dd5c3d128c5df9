//! Where snapshots of games are kept.

use std::path::Path;

use agon_registry::GameEntry;

/// Keeps what is asserted in the folder of the game.
pub(crate) fn snapshots(entry: &GameEntry) -> insta::Settings {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(games.join(entry.spec.id).join("tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
