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

    /// What a sandbox has noted about an agent that has otherwise done nothing wrong.
    pub(super) fn of_notes(notes: &[String]) -> Option<Self> {
        let what = || format!("The sandbox has noted: {}.", notes.join("; "));
        (!notes.is_empty()).then(|| Self::advice(what(), FIX_NOTES))
    }

    /// The same with the end of the agent's standard error, and what a sandbox has noted.
    pub(super) fn with_last_words(self, last_words: Vec<String>, notes: Vec<String>) -> Self {
        let notes = notes.into_iter().map(|note| format!("note: {note}"));
        Self { errors: last_words.into_iter().chain(notes).collect(), ..self }
    }

    /// Whether both are the same fault, met in different places: what a crash is, its last words say.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let kind = |finding: &Self| (finding.reason, finding.fix.clone(), finding.errors.last().cloned());
        kind(self) == kind(other)
    }

    /// The same with every place, such as a folder that was made for the check, called what the agent's author calls it.
    pub(super) fn in_words_of(mut self, names: &[(String, String)]) -> Self {
        for text in std::iter::once(&mut self.what).chain(&mut self.errors) {
            *text = named(text, names);
        }
        self
    }

    /// Whether it costs games.
    pub fn costs_games(&self) -> bool {
        self.reason.is_some()
    }
}

/// A text with each of these names in place of what it stands for.
pub(super) fn named(text: &str, names: &[(String, String)]) -> String {
    names.iter().fold(text.to_owned(), |text, (place, name)| text.replace(place, name))
}

pub(super) const FIX_PRINTING: &str = "Standard output is for answers only: one JSON object per line, each when it is asked for. \
    Write everything else to standard error (in Python: print(…, file=sys.stderr); `python3 -m agon_agent` does that for you).";

pub(super) const FIX_SILENT: &str = "Read standard input line by line and answer every setup and move message with one line. Flush the \
    output after each answer: many languages keep it back when standard output is a pipe.";

pub(super) const FIX_LATE: &str = "Look at a clock while you search, stop well before the limit (at 80 per cent of it, say), and return the \
    best move so far. The time runs from the moment that the message is sent; starting up and reading it count.";

pub(super) const FIX_SETUP: &str = "Answer the setup message with {\"type\": \"ready\", \"name\": \"…\"} before its setup_time is over; the \
    start of the program counts. Prepare less, or during your own moves.";

pub(super) const FIX_START: &str = "Name a program that is installed here, and files that exist.";

pub(super) const FIX_STAYS: &str =
    "Leave the program at the end of the input; end threads and programs of your own before.";

pub(super) const FIX_ENGINE: &str = "Answer `ugi` with `ugiok`, `isready` with `readyok` and `go` with `bestmove` and the move, each on a line of its \
    own (in GTP, each command with `= ` and an empty line), and flush the output after it. Leave the program at `quit`.";

pub(super) const FIX_NOTES: &str =
    "Nothing, if the agent plays as it should: such a call fails, and costs no game.";
pub(super) const FIX_CRASH: &str = "The end of its standard error, shown here, says where it failed. Run it by hand on the same input, which \
    `agon agent check` keeps, to look closer.";

pub(super) const FIX_ILLEGAL: &str = "Choose from the list `legal` of the move message. If your own move generator disagrees with it, \
    compare the two for this position: `agon query` answers with the legal moves of any position.";

pub(super) const FIX_PROTOCOL: &str = "Answer a setup with {\"type\": \"ready\", \"name\": \"…\"} and a move with \
    {\"type\": \"move\", \"move\": \"…\"}. A ready message has no other fields; a move message may have score, depth and comment.";
