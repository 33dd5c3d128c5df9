//! Ends of games for people. Records and the match itself say them in the same words, those of the message catalogues.

use agon_core::message::{Message, Value};
use agon_core::{Player, Verdict};
use agon_erased::{Rules, Session};

use crate::{Board, End, Fault};

/// How a game ended, or that it goes on: a phrase without a full stop. `session` is where it ended, and `name` says who
/// plays a seat.
pub fn result_message(
    rules: &dyn Rules,
    session: &dyn Session,
    end: Option<&End>,
    name: impl Fn(Player) -> Value,
) -> Message {
    let messages = rules.spec().messages;
    let seats = rules.seats().len();
    match end {
        None => messages.say("result.unfinished", []),
        Some(End::Agreed) => messages.say("result.drawn.agreement", []),
        Some(End::Goal) => messages.say("result.goal", []),
        Some(End::Aborted { .. }) => messages.say("result.aborted", []),
        Some(End::Forfeit { seat, reason, detail }) => {
            let fault = fault_message(rules, *reason, detail, name(*seat));
            // Against one opponent, a loss is the opponent's win.
            if seats != 2 {
                return fault;
            }
            let winner = name(Player(1 - seat.0));
            messages.say("result.won.forfeit", [("fault", fault.into()), ("winner", winner)])
        }
        Some(End::Rules { verdict, reason }) => {
            let why = session.end_message().map_or_else(|| Value::from(reason.clone()), Value::from);
            let why = ("reason", why);
            match verdict {
                Verdict::Won(_) if seats == 1 => messages.say("result.won.alone", [why]),
                Verdict::Won(player) => messages.say("result.won", [("winner", name(*player)), why]),
                Verdict::Drawn => messages.say("result.drawn", [why]),
                Verdict::Lost => messages.say("result.lost", [why]),
            }
        }
    }
}

/// Why `player` has forfeited a game: a phrase without a full stop. `detail` may be empty.
pub fn fault_message(rules: &dyn Rules, fault: Fault, detail: &str, player: Value) -> Message {
    let player = ("player", player);
    // There is no more to say about running out of time and about giving up.
    if detail.is_empty() || matches!(fault, Fault::Time | Fault::Resigned) {
        return rules.spec().messages.say(format!("fault.{}", fault.word()), [player]);
    }
    rules.spec().messages.say("fault.detail", [player, ("detail", detail.to_owned().into())])
}

impl Board {
    /// How it ended, or that it goes on: a phrase without a full stop.
    pub fn result_message(&self) -> Message {
        result_message(&**self.rules(), self.session(), self.end(), |player| self.player_name(player))
    }

    /// A player by name and by side, `Dana (Black)`: the name alone where it says the same or there is one side only.
    pub fn player_name(&self, player: Player) -> Value {
        let title = self.rules().title_messages().swap_remove(player.index());
        let name = &self.seats()[player.index()].name;
        if name.is_empty() || *name == title.text {
            title.into()
        } else if self.seats().len() == 1 {
            name.clone().into()
        } else {
            let arguments = [("name", name.clone().into()), ("title", title.into())];
            self.rules().spec().messages.say("player.named", arguments).into()
        }
    }
}
