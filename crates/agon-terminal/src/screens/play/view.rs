//! How a board of a match is seen.

use std::time::{Duration, Instant};

use agon_core::view::{Board, Step};
use agon_erased::Session;
use ratatui::Frame;
use ratatui::layout::Rect;

use crate::board::{BoardPane, Marks, Motion};
use crate::theme::Theme;

/// How long tiles slide.
const SLIDE: Duration = Duration::from_millis(100);

/// A board as it is drawn, and what slides on it.
pub(super) struct BoardView {
    pub(super) pane: BoardPane,
    /// What was on the board when it was last looked at.
    pub(super) shown: Board,
    pub(super) last: Option<Step>,
    pub(super) motion: Option<(Motion, Instant)>,
}

impl BoardView {
    pub(super) fn of(session: &dyn Session) -> Self {
        let (shown, last) = (session.board(), session.last_step());
        Self { pane: BoardPane::default(), shown, last, motion: None }
    }

    /// Looks at the game again after something has changed.
    pub(super) fn refresh(&mut self, session: &dyn Session) {
        (self.shown, self.last) = (session.board(), session.last_step());
    }

    /// Lets the board slide from what is shown if the last move of `session` slides it.
    pub(super) fn start_motion(&mut self, session: &dyn Session) {
        if let Some(step) = session.last_step().filter(|step| step.heading.is_some()) {
            self.motion = Some((Motion { before: self.shown.clone(), step, share: 0.0 }, Instant::now()));
        }
    }

    /// Moves on what slides.
    pub(super) fn tick(&mut self) {
        if let Some((motion, began)) = &mut self.motion {
            motion.share = began.elapsed().as_secs_f32() / SLIDE.as_secs_f32();
            if motion.share >= 1.0 {
                self.motion = None;
            }
        }
    }

    pub(super) fn paint(&mut self, frame: &mut Frame, area: Rect, marks: &Marks, theme: Theme) {
        let motion = self.motion.as_ref().map(|(motion, _)| motion);
        self.pane.paint(frame.buffer_mut(), area, &self.shown, marks, motion, theme);
    }
}
