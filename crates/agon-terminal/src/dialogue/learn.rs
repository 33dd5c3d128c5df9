//! The rules as text.

use std::io;

use agon_core::message::ENGLISH;
use agon_core::view::Style;
use agon_erased::GameEntry;

use super::{Dialogue, in_lines};

impl Dialogue<'_> {
    /// Tells all that newcomers are taught about a game.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn learn(&mut self, entry: &GameEntry) -> io::Result<()> {
        self.say(&format!("{}. {}", entry.spec.title(), entry.spec.summary()))?;
        let letter = |style: &Style| {
            Some(format!("{} {}", style.letter?, entry.spec.messages.find(ENGLISH, style.name)?))
        };
        let letters: Vec<String> = entry.spec.styles.iter().filter_map(letter).collect();
        if !letters.is_empty() {
            self.say(&format!("Boards are drawn in letters: {}.", letters.join(", ")))?;
        }
        for (index, lesson) in entry.spec.lessons.iter().enumerate() {
            let number = index + 1;
            self.say(&format!("\n{number}. {}\n", entry.spec.lesson_title(index)))?;
            for paragraph in entry.spec.lesson_text(index).lines() {
                let words: Vec<String> = paragraph.split(' ').map(str::to_owned).collect();
                self.say(&in_lines(&words, 0))?;
            }
            let Ok(rules) = entry.rules(lesson.options) else { continue };
            let session = match lesson.position {
                Some(position) => rules.start_from(position).ok(),
                None => Some(rules.start()),
            };
            let Some(mut session) = session else { continue };
            // A page without a position of its own and without a move has nothing new to show.
            if lesson.position.is_none() && lesson.example.is_none() && number > 1 {
                continue;
            }
            if let Some(example) = lesson.example {
                self.say(&format!("\nAfter {example}:"))?;
                if session.play(example).is_err() {
                    continue;
                }
            }
            write!(self.out, "\n{}", session.diagram())?;
        }
        self.say(&format!("\nPlay it: agon play {}", entry.spec.id))
    }
}
