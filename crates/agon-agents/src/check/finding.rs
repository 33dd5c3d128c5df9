//! What was found: which rule an agent breaks, what happened, and how to fix it.

use agon_match::Fault;
use serde::Serialize;

/// Something that is wrong with an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What a referee calls it: `late`, `illegal`, `crash`, …; `null` for what costs no game.
    pub reason: Option<&'static str>,
    /// What happened, in a sentence.
    pub what: String,
    /// What to do about it.
    pub fix: String,
    /// The last lines of the agent's standard error.
    pub errors: Vec<String>,
}

impl Finding {
    /// A fault for which a referee takes the game away.
    pub(super) fn loss(fault: Fault, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { reason: Some(fault.word()), what: what.into(), fix: fix.into(), errors: Vec::new() }
    }

    /// Something that costs no game, but should be fixed.
    pub(super) fn advice(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { reason: None, what: what.into(), fix: fix.into(), errors: Vec::new() }
    }

    /// Whether it costs games.
    pub fn costs_games(&self) -> bool {
        self.reason.is_some()
    }
}

pub(super) const FIX_PRINTING: &str = "Standard output is for answers only: one JSON object per line, each when it is asked for. \
    Write everything else to standard error (in Python: print(…, file=sys.stderr); `python3 -m agon_agent` does that for you).";

pub(super) const FIX_SILENT: &str = "Read standard input line by line and answer every setup and move message with one line. Flush the \
    output after each answer: many languages keep it back when standard output is a pipe.";

pub(super) const FIX_LATE: &str = "Look at a clock while you search, stop well before the limit (at 80 per cent of it, say), and return the \
    best move so far. The time runs from the moment that the message is sent; starting up and reading it count.";

pub(super) const FIX_SETUP: &str = "Answer the setup message with {\"type\": \"ready\", \"name\": \"…\"} before its setup_time is over; the \
    start of the program counts. Prepare less, or during your own moves.";

pub(super) const FIX_NOTES: &str =
    "Nothing, if the agent plays as it should: such a call fails, and costs no game.";
pub(super) const FIX_CRASH: &str = "Run the agent by hand and paste the messages that it failed on; its standard error, shown here, says \
    where it failed.";

pub(super) const FIX_ILLEGAL: &str = "Choose from the list `legal` of the move message. If your own move generator disagrees with it, \
    compare the two for this position: `agon query` answers with the legal moves of any position.";

pub(super) const FIX_PROTOCOL: &str = "Answer a setup with {\"type\": \"ready\", \"name\": \"…\"} and a move with \
    {\"type\": \"move\", \"move\": \"…\"}. A ready message has no other fields; a move message may have score, depth and comment.";
