//! What can be asked for at a game beside moves, each declared once: its key, its word, and what the help says.
//!
//! One scheme serves all games. Small letters, digits and signs are typed, because moves are made of them; capital letters are
//! commands; and every command can be typed as a word too, as in the dialogue. Capital W, A, S and D slide tiles.
//! Where bots are watched there is nothing to type, and small letters are commands as well.

/// Something that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Help,
    Hint,
    Undo,
    Redo,
    Moves,
    Next,
    Block,
    Evaluation,
    Thinking,
    TurnBoard,
    Fit,
    Save,
    Pause,
    Go,
    Review,
    Restart,
    SeatPlans,
    Resign,
    Retry,
    TakeOver,
    Leave,
}

/// How a command is reached.
pub(super) struct Entry {
    pub(super) key: char,
    pub(super) word: &'static str,
    pub(super) command: Command,
    pub(super) help: &'static str,
}

const fn entry(key: char, word: &'static str, command: Command, help: &'static str) -> Entry {
    Entry { key, word, command, help }
}

/// All of them, in the order of the help. W, A, S and D are left to those who slide tiles.
pub(super) const COMMANDS: [Entry; 21] = [
    entry('H', "hint", Command::Hint, "a good move"),
    entry('U', "undo", Command::Undo, "take back"),
    entry('I', "redo", Command::Redo, "redo a move that was taken back"),
    entry('L', "moves", Command::Moves, "list all legal moves"),
    entry('N', "next", Command::Next, "next piece or target; Tab too"),
    entry('R', "rotate", Command::Block, "choose a block to rotate; right click too"),
    entry('E', "evaluation", Command::Evaluation, "a bar that shows who is ahead"),
    entry('T', "thinking", Command::Thinking, "what the bot thinks: depth, score, line"),
    entry('G', "go", Command::Go, "have the bot move now"),
    entry('P', "pause", Command::Pause, "pause the bots; . one move, [ slower, ] faster"),
    entry('B', "board", Command::TurnBoard, "turn the board around"),
    entry('Z', "fit", Command::Fit, "the size that fits; + and - change it"),
    entry('F', "save", Command::Save, "write the record to a file"),
    entry('V', "review", Command::Review, "replay the game"),
    entry('K', "restart", Command::Restart, "start again with the same players"),
    entry('M', "mode", Command::SeatPlans, "change who plays; the game goes on"),
    entry('X', "resign", Command::Resign, "give up"),
    entry('Y', "retry", Command::Retry, "let a bot that failed try again"),
    entry('O', "mine", Command::TakeOver, "take the seat of a bot that failed"),
    entry('Q', "exit", Command::Leave, "leave; an unfinished game is kept"),
    entry('?', "help", Command::Help, "this page"),
];

/// The command of a key, in either case.
pub(super) fn of_key(key: char) -> Option<Command> {
    let key = key.to_ascii_uppercase();
    COMMANDS.iter().find(|entry| entry.key == key).map(|entry| entry.command)
}

/// The command of a word, and what follows it.
pub(super) fn of_word(text: &str) -> Option<(Command, &str)> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let word = word.to_ascii_lowercase();
    let word = if matches!(word.as_str(), "q" | "quit") { "exit" } else { &word };
    let entry = COMMANDS.iter().find(|entry| entry.word == word)?;
    // Only a file can follow.
    (rest.is_empty() || entry.command == Command::Save).then_some((entry.command, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_words_are_told_apart() {
        for (index, entry) in COMMANDS.iter().enumerate() {
            assert!(!"WASD".contains(entry.key), "{}: tiles slide by it", entry.word);
            for other in &COMMANDS[..index] {
                assert!(other.key != entry.key && other.word != entry.word, "{} twice", entry.word);
            }
            assert_eq!(of_key(entry.key.to_ascii_lowercase()), Some(entry.command));
            assert_eq!(of_word(entry.word), Some((entry.command, "")));
        }
        assert_eq!(of_word("EXIT"), Some((Command::Leave, "")));
        assert_eq!(of_word("q"), Some((Command::Leave, "")));
        assert_eq!(of_word("save my game.txt"), Some((Command::Save, "my game.txt")));
        assert_eq!(of_word("undo it"), None);
        assert_eq!(of_word("d3"), None);
    }
}
