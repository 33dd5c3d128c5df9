//! The arguments by which commands are told a game and where it begins.

use agon_core::text::or_list;
use agon_erased::Opened;
use agon_registry::GAMES;

/// The help of an argument that is a game.
pub(crate) fn game_help() -> String {
    format!("The game: {}", or_list(GAMES.iter().map(|entry| entry.spec.id)))
}

/// A game, its options, and where it begins.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    #[arg(help = game_help())]
    pub(crate) game: String,
    /// Options of the game, as key=value separated by commas; see `agon games`
    #[arg(long, default_value = "", hide_default_value = true, value_name = "OPTIONS")]
    pub(crate) options: String,
    /// Start from this position, in the game's notation
    #[arg(long, value_name = "POSITION")]
    pub(crate) position: Option<String>,
    /// Start from a game or board in another notation, e.g. `--import transcript f5d6c3`
    #[arg(long, num_args = 2, value_names = ["FORMAT", "TEXT"], conflicts_with = "position")]
    pub(crate) import: Option<Vec<String>>,
}

impl GameArgs {
    /// The rules and the game at its beginning.
    pub(crate) fn open(&self) -> anyhow::Result<Opened> {
        let entry = GAMES.find(&self.game)?;
        let rules = entry.rules(&self.options)?;
        let session = match self.import.as_deref() {
            Some([format, text]) => entry.import(&*rules, format, text)?,
            _ => rules.open(self.position.as_deref(), &[])?,
        };
        Ok((rules, session))
    }
}
