//! What followers have asked for and was done: who asks again, because no answer has come, must not have it done twice.

use std::collections::HashMap;

/// So many are remembered at the least. Nobody asks again for what was answered, and nobody has so much waiting for an answer.
const REMEMBERED: u64 = 128;

/// What has been done of late, by the names that followers gave it.
#[derive(Debug, Default)]
pub(crate) struct DoneMessages {
    messages: HashMap<String, Done>,
    /// How many there have been.
    count: u64,
}

#[derive(Debug)]
struct Done {
    /// The number of the last event that it led to.
    seq: u64,
    /// Which one it was, from 1.
    number: u64,
}

impl DoneMessages {
    /// The number of the last event that a message led to; `None` if nothing was done for it.
    pub(crate) fn seq(&self, message: &str) -> Option<u64> {
        self.messages.get(message).map(|done| done.seq)
    }

    /// Remembers a message that led to the events up to `seq`. What was done long ago is forgotten.
    pub(crate) fn insert(&mut self, message: String, seq: u64) {
        self.count += 1;
        self.messages.insert(message, Done { seq, number: self.count });
        if self.messages.len() as u64 > 2 * REMEMBERED {
            let oldest = self.count - REMEMBERED;
            self.messages.retain(|_, done| done.number > oldest);
        }
    }

    /// How many there have been.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Forgets all but the first `count`.
    pub(crate) fn truncate(&mut self, count: u64) {
        self.messages.retain(|_, done| done.number <= count);
        self.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_of_late_is_remembered_in_little_room() {
        let mut done = DoneMessages::default();
        for number in 1..=10 * REMEMBERED {
            done.insert(format!("move-{number}"), number + 1);
            assert_eq!(done.seq(&format!("move-{number}")), Some(number + 1));
            if let Some(earlier) = number.checked_sub(REMEMBERED - 1).filter(|earlier| *earlier > 0) {
                assert_eq!(done.seq(&format!("move-{earlier}")), Some(earlier + 1));
            }
            assert!(done.messages.len() as u64 <= 2 * REMEMBERED);
        }
        assert_eq!(done.seq("move-1"), None, "nobody asks for that any more");
    }

    #[test]
    fn what_could_not_be_stored_was_not_done() {
        let mut done = DoneMessages::default();
        done.insert("kept".to_owned(), 1);
        let before = done.count();
        done.insert("lost".to_owned(), 2);
        done.truncate(before);
        assert_eq!((done.seq("kept"), done.seq("lost"), done.count()), (Some(1), None, 1));
    }
}
