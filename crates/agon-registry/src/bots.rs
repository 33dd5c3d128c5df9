//! Bots by name.

use std::marker::PhantomData;

use agon_core::Ply;
use agon_core::text::quote;
use agon_search::{Greedy, Random};

use crate::advice;
use crate::session::{Playable, Running, Session};

/// A bot as listings show it.
#[derive(Clone, Copy, Debug)]
pub struct BotSpec {
    /// The name by which it is called everywhere.
    pub name: &'static str,
    /// How it plays, in one sentence.
    pub summary: &'static str,
}

/// Every bot, weakest first.
pub const BOTS: &[BotSpec] = &[
    BotSpec { name: "random", summary: "Plays any legal move, each equally likely." },
    BotSpec {
        name: "greedy",
        summary: "Takes the move that looks best right after it, without looking further.",
    },
];

/// There is no such bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no bot {}; {}", quote(.name), advice(.name, BOTS.iter().map(|bot| bot.name)))]
pub struct UnknownBot {
    /// What was asked for.
    pub name: String,
}

/// A move that a bot has chosen: its text and its index in the sorted list of legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub text: String,
    /// Its place in [`Session::legal`].
    pub index: usize,
}

/// A bot of some game.
pub trait Bot: Send {
    /// The move it makes in `session`; `None` if no player is to move there, or if the session is
    /// one of another game than the bot was made for.
    fn choose(&mut self, session: &dyn Session) -> Option<Choice>;
}

struct Erased<G, B> {
    bot: B,
    game: PhantomData<fn(G)>,
}

impl<G: Playable, B: agon_search::Bot<G>> Bot for Erased<G, B> {
    fn choose(&mut self, session: &dyn Session) -> Option<Choice> {
        let running = session.as_any().downcast_ref::<Running<G>>()?;
        if running.line.outcome().is_some() {
            return None;
        }
        let text = running.ply_text(Ply::Move(self.bot.choose(&running.line)?));
        let index = running.legal().binary_search(&text).ok()?;
        Some(Choice { text, index })
    }
}

fn erase<G: Playable>(bot: impl agon_search::Bot<G> + 'static) -> Box<dyn Bot> {
    Box::new(Erased { bot, game: PhantomData::<fn(G)> })
}

/// Makes the bot that `specification` names.
pub(crate) fn build<G: Playable>(specification: &str, seed: u64) -> Result<Box<dyn Bot>, UnknownBot> {
    match specification {
        "random" => Ok(erase::<G>(Random::new(seed))),
        "greedy" => Ok(erase::<G>(Greedy::new(G::evaluation(), seed))),
        _ => Err(UnknownBot { name: specification.to_owned() }),
    }
}
