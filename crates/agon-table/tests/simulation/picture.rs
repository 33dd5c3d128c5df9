//! What a page makes of the messages that it gets.

use std::time::Duration;

use agon_protocol::web::{BoardUpdate, LastMove, ServerMessage, TableState, Update};

/// A table as a page sees it that believes everything it is told.
#[derive(Clone)]
pub(crate) struct Picture {
    state: TableState,
    /// When each board, and who is there, was last told.
    boards_at: Vec<Duration>,
    presence_at: Duration,
}

impl Picture {
    pub(crate) fn of(state: &TableState, at: Duration) -> Self {
        Self { boards_at: vec![at; state.boards.len()], state: state.clone(), presence_at: at }
    }

    /// The last event that the page knows of.
    pub(crate) fn seq(&self) -> u64 {
        self.state.seq
    }

    /// Takes a message in.
    pub(crate) fn hear(&mut self, message: &ServerMessage, at: Duration) {
        match message {
            ServerMessage::State { state, .. } => *self = Self::of(state, at),
            ServerMessage::Event(update) => self.update(update, at),
            ServerMessage::Watchers { count, .. } => self.state.watchers = *count,
            ServerMessage::Presence { seats, spectators, .. } => {
                self.state.spectators = *spectators;
                for (seat, presence) in self.state.seats.iter_mut().zip(seats) {
                    seat.presence = *presence;
                }
                self.presence_at = at;
            }
            ServerMessage::Rematch { rematch, .. } => {
                if let Some(online) = &mut self.state.online {
                    online.rematch = rematch.clone();
                }
            }
            _ => {}
        }
    }

    fn update(&mut self, update: &Update, at: Duration) {
        assert_eq!(update.from, self.state.seq, "an update does not follow what the page knows");
        self.state.seq = update.seq;
        self.state.paused = update.paused;
        self.state.pace = update.pace;
        self.state.skipping = update.skipping;
        self.state.ranking = update.ranking.clone();
        for board in &update.boards {
            self.update_board(board);
            self.boards_at[board.board] = at;
        }
    }

    fn update_board(&mut self, update: &BoardUpdate) {
        let board = &mut self.state.boards[update.board];
        for change in &update.changes {
            for cell in board.picture.cells.iter_mut().filter(|cell| change.spots.contains(&cell.spot)) {
                (cell.ground, cell.piece) = (change.ground, change.piece);
            }
        }
        let kept = update.kept.checked_sub(board.skipped).expect("plies that were never told are kept");
        assert!(kept <= board.plies.len(), "{kept} plies are kept of {}", board.plies.len());
        board.plies.truncate(kept);
        board.plies.extend(update.plies.iter().cloned());
        board.facts = update.facts.clone();
        let shown = update.plies.iter().zip(&update.steps).rev();
        let last = shown.filter_map(|(ply, step)| {
            Some(LastMove { seat: ply.seat?, token: ply.token.clone(), step: step.clone() })
        });
        board.facts.last = last.into_iter().next().or(board.facts.last.take());
    }

    /// What the page shows now: clocks and waiting times have run on by themselves.
    pub(crate) fn shown(&self, now: Duration) -> TableState {
        let mut state = self.state.clone();
        for (board, at) in state.boards.iter_mut().zip(&self.boards_at) {
            let facts = &mut board.facts;
            let runs = !facts.stopped && !facts.waits && facts.end.is_none();
            if let Some(Some(left)) = facts.turn.filter(|_| runs).and_then(|turn| facts.clocks.get_mut(turn))
            {
                *left = left.saturating_sub((now - *at).as_millis() as u64);
            }
        }
        for presence in state.seats.iter_mut().filter_map(|seat| seat.presence.as_mut()) {
            if let Some(left) = &mut presence.leaves_in {
                *left = left.saturating_sub((now - self.presence_at).as_millis() as u64);
            }
        }
        state
    }
}

/// Fails unless a page shows a table as it is.
pub(crate) fn compare(shown: TableState, mut real: TableState) {
    let mut shown = shown;
    // Of a long game a page may know more plies than are told to whoever comes now, or fewer.
    for (one, other) in shown.boards.iter_mut().zip(&mut real.boards) {
        let skipped = one.skipped.max(other.skipped);
        for board in [one, other] {
            board.plies.drain(..(skipped - board.skipped).min(board.plies.len()));
            board.skipped = skipped;
        }
    }
    match (&mut shown.online, &mut real.online) {
        // A page knows whom it mutes itself.
        (Some(shown), Some(real)) => shown.muted.clone_from(&real.muted),
        // Nobody shows how many look on at somebody's own game.
        _ => shown.spectators = real.spectators,
    }
    if shown != real {
        let value = |state: &TableState| serde_json::to_value(state).expect("JSON");
        let (shown, real) = (value(&shown), value(&real));
        panic!("a page shows something else than there is: {}", difference("", &shown, &real));
    }
}

fn difference(path: &str, shown: &serde_json::Value, real: &serde_json::Value) -> String {
    use serde_json::Value::{Array, Object};
    match (shown, real) {
        (Object(one), Object(other)) => {
            let keys = one.keys().chain(other.keys());
            let null = serde_json::Value::Null;
            let part = |key: &String| {
                let (one, other) = (one.get(key).unwrap_or(&null), other.get(key).unwrap_or(&null));
                (one != other).then(|| difference(&format!("{path}.{key}"), one, other))
            };
            keys.filter_map(part).next().unwrap_or_default()
        }
        (Array(one), Array(other)) if one.len() == other.len() => {
            let parts = one.iter().zip(other).enumerate().filter(|(_, (one, other))| one != other);
            let part = parts.map(|(index, (one, other))| difference(&format!("{path}[{index}]"), one, other));
            part.into_iter().next().unwrap_or_default()
        }
        _ => format!("{path} is shown as {shown} and is {real}"),
    }
}
