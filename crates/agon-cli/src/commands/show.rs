//! `agon show`: a board in plain text.

use std::io::Write;

use agon_records::RecordResult;

use crate::game_args::GameArgs;

/// `agon show`
#[derive(clap::Args)]
#[command(after_help = "Examples:
  agon show loa --options size=12,rules=standard
  agon show othello --import transcript f5d6c3
  agon show 2048 --position '2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,0 36'")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
}

impl Args {
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let (rules, session) = self.game.open()?;
        write!(out, "{}", session.diagram())?;
        writeln!(out, "position: {}", session.position())?;
        if !rules.options().is_empty() {
            writeln!(out, "options: {}", rules.options())?;
        }
        match session.outcome() {
            None => writeln!(out, "moves: {}", session.legal().join(" "))?,
            outcome => {
                let result = RecordResult::of(&*rules, outcome);
                writeln!(out, "result: {}", result.sentence(&*rules, &*session))?;
            }
        }
        Ok(())
    }
}
