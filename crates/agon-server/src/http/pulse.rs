//! Whether a browser is still there. Where clocks run it is asked every two seconds, by pings that browsers answer by themselves, and
//! counts as silent when it has not answered for three: whoever was not asked has nothing to answer.

use std::time::Duration;

use tokio::time::Instant;

/// How often a browser is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(20);
/// The same where clocks run.
const QUICK_HEARTBEAT: Duration = Duration::from_secs(2);
/// After how long without an answer a browser counts as silent, where clocks run.
const UNANSWERED: Duration = Duration::from_secs(3);
/// After how long it is given up.
const GIVEN_UP: Duration = Duration::from_secs(50);

/// Signs of life of a browser.
#[derive(Debug)]
pub(super) struct Pulse {
    heard: Instant,
    asked: Option<Instant>,
    /// When it was first asked of the questions to which it has not answered.
    unanswered: Option<Instant>,
    is_silent: bool,
}

/// What is to be done about a browser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beat {
    /// Nothing yet.
    Wait,
    /// Ask whether it is still there.
    Ask,
    /// Nothing has been heard for so long: those are to know who wait for its moves.
    FallSilent(Duration),
    /// It has gone.
    GiveUp,
}

impl Pulse {
    /// A browser that has just connected.
    pub(super) fn new(now: Instant) -> Self {
        Self { heard: now, asked: None, unanswered: None, is_silent: false }
    }

    /// When something is to be done, if nothing is heard until then. The first question comes at once, to measure the way through the
    /// network.
    pub(super) fn next(&self, is_timed: bool) -> Instant {
        let period = if is_timed { QUICK_HEARTBEAT } else { HEARTBEAT };
        let asks = self.asked.map_or(self.heard, |asked| asked + period);
        let notices = self.unanswered.filter(|_| is_timed && !self.is_silent).map(|since| since + UNANSWERED);
        notices.map_or(asks, |notices| asks.min(notices))
    }

    /// What is to be done now.
    pub(super) fn beat(&mut self, now: Instant, is_timed: bool) -> Beat {
        let silent_for = now.saturating_duration_since(self.heard);
        if silent_for > GIVEN_UP {
            return Beat::GiveUp;
        }
        let unanswered_for = self.unanswered.map(|since| now.saturating_duration_since(since));
        if let Some(unanswered_for) = unanswered_for.filter(|span| *span >= UNANSWERED)
            && is_timed
            && !self.is_silent
        {
            self.is_silent = true;
            // It may have been cut off right after the question before.
            return Beat::FallSilent(silent_for.min(unanswered_for + QUICK_HEARTBEAT));
        }
        if now < self.next(is_timed) {
            return Beat::Wait;
        }
        self.asked = Some(now);
        self.unanswered.get_or_insert(now);
        Beat::Ask
    }

    /// Something is heard; says whether the browser was silent until now.
    pub(super) fn hear(&mut self, now: Instant) -> bool {
        self.heard = now;
        self.unanswered = None;
        std::mem::take(&mut self.is_silent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done about a browser in the first `seconds`, which answers as long as `answers` says so.
    fn beats(seconds: u64, is_timed: bool, answers: impl Fn(Duration) -> bool) -> Vec<(u64, Beat)> {
        let start = Instant::now();
        let (mut pulse, mut beats) = (Pulse::new(start), Vec::new());
        loop {
            let now = pulse.next(is_timed);
            let at = now - start;
            if at > Duration::from_secs(seconds) {
                return beats;
            }
            let beat = pulse.beat(now, is_timed);
            let is_over = beat == Beat::GiveUp;
            if beat == Beat::Ask && answers(at) {
                pulse.hear(now);
            }
            if beat != Beat::Wait {
                beats.push((at.as_secs(), beat));
            }
            if is_over {
                return beats;
            }
        }
    }

    #[test]
    fn whoever_was_not_asked_is_not_silent_when_clocks_begin_to_run() {
        let start = Instant::now();
        let mut pulse = Pulse::new(start);
        assert_eq!(pulse.beat(start, false), Beat::Ask);
        pulse.hear(start);
        let later = start + Duration::from_secs(15);
        assert_eq!(pulse.beat(later, true), Beat::Ask);
        pulse.hear(later);
        assert_eq!(pulse.beat(later + Duration::from_secs(1), true), Beat::Wait);
    }

    #[test]
    fn silence_is_noticed_soon_where_clocks_run() {
        let until = |seconds| move |at: Duration| at < Duration::from_secs(seconds);
        let silent = |beats: &[(u64, Beat)]| {
            beats.iter().find(|(_, beat)| matches!(beat, Beat::FallSilent(_))).map(|(at, _)| *at)
        };
        let timed = beats(100, true, until(21));
        assert_eq!(silent(&timed), Some(25), "last heard after 20 s: {timed:?}");
        assert_eq!(timed.iter().filter(|(_, beat)| matches!(beat, Beat::FallSilent(_))).count(), 1);
        assert_eq!(timed.last().map(|(_, beat)| beat), Some(&Beat::GiveUp));
        assert_eq!(silent(&beats(100, true, |_| true)), None);
        let untimed = beats(100, false, until(21));
        assert_eq!(silent(&untimed), None);
        assert_eq!(
            untimed,
            [(0, Beat::Ask), (20, Beat::Ask), (40, Beat::Ask), (60, Beat::Ask), (80, Beat::GiveUp)]
        );
    }
}
