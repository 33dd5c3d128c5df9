//! The built web app as part of the program. A crate of its own, so that a change of the app recompiles neither the server nor the
//! command line.

use std::borrow::Cow;

use rust_embed::RustEmbed;

/// What `npm run build` makes; nothing if that was not run. Test builds read the folder when they are asked.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// The paths of all files.
pub fn paths() -> Vec<String> {
    Dist::iter().map(|path| path.into_owned()).collect()
}

/// The content of the file at `path` and its SHA-256 hash; `None` if there is no such file.
pub fn file(path: &str) -> Option<(Cow<'static, [u8]>, [u8; 32])> {
    Dist::get(path).map(|file| (file.data, file.metadata.sha256_hash()))
}
