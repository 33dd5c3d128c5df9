//! A match: what is played on one board or several, and everything that has happened there.

use std::cmp::Reverse;
use std::sync::Arc;

use agon_core::Player;
use agon_erased::Rules;

use crate::action::{Action, Refusal};
use crate::board::Board;
use crate::clock::{Millis, TimeControl};
use crate::end::End;
use crate::event::{Event, LogEvent, SCHEMA, Started};
use crate::setup::{BoardOrder, Goal, MatchSetup, StartError};

/// A game being played on one board or, for a race in a game for one, on two to six: a board for each seat, all with the same luck. The
/// k-th draw is made from the same number on every board.
#[derive(Debug)]
pub struct Match {
    order: BoardOrder,
    goal: Goal,
    /// When the match began.
    began: Millis,
    /// When the match ends, wherever its boards stand.
    deadline: Option<Millis>,
    boards: Vec<Board>,
    /// How many boards have had their turn to begin.
    begun: usize,
    /// The ranking of a race from when no move could change it any more.
    decided: Option<Vec<Vec<usize>>>,
    /// Where each event after the start is: its board, and its index there. On a single board that goes without saying.
    log: Vec<(u8, u32)>,
}

impl Match {
    /// Starts a match at the moment `now`. Chance draws at once where it is its turn; all that happens is among the
    /// [events](Match::events). Where boards are played in turn, the clocks of those that wait are stopped.
    ///
    /// # Errors
    /// If anything in `setup` does not hold. Whether its bots exist is not checked here.
    pub fn start(
        rules: Arc<dyn Rules>,
        setup: impl Into<MatchSetup>,
        seed: u64,
        now: Millis,
    ) -> Result<Self, StartError> {
        let setup = setup.into();
        setup.check(&*rules)?;
        let MatchSetup { boards, order, goal } = setup;
        let deadline = match goal {
            Goal::Time(time) => Some(now.plus(time)),
            Goal::Finish | Goal::Moves(_) => None,
        };
        let boards: Result<Vec<Board>, StartError> =
            boards.into_iter().map(|setup| Board::new(Arc::clone(&rules), setup, seed, now)).collect();
        let (boards, log) = (boards?, Vec::new());
        let mut game = Self { order, goal, began: now, deadline, boards, begun: 0, decided: None, log };
        for board in 0..game.boards.len() {
            if game.boards.len() > 1 {
                game.boards[board].note(Event::Opened { at: now });
            }
            game.boards[board].settle(now);
            game.note(board, 0);
        }
        if order == BoardOrder::InTurn {
            for board in 1..game.boards.len() {
                // A board that is over already has nothing to wait with.
                let _ = game.act(board, Action::Pause, now);
            }
        }
        for board in 0..game.boards.len() {
            game.count_moves(board, now);
        }
        game.call_time(now);
        game.let_begin(now);
        game.decide();
        Ok(game)
    }

    /// The rules, which all boards share.
    pub fn rules(&self) -> &Arc<dyn Rules> {
        self.boards[0].rules()
    }

    /// The boards: one, or one for each seat.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The first board, which is the only one unless several race.
    pub fn board(&self) -> &Board {
        &self.boards[0]
    }

    /// Whether several boards race.
    pub fn is_race(&self) -> bool {
        self.boards.len() > 1
    }

    /// Who plays when on several boards.
    pub fn order(&self) -> BoardOrder {
        self.order
    }

    /// What decides a match of several boards.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// What fixes all randomness; not to be shown before the end.
    pub fn seed(&self) -> u64 {
        self.boards[0].seed()
    }

    /// When the match ends, wherever its boards stand; `None` if no such moment was set or all have ended.
    pub fn deadline(&self) -> Option<Millis> {
        self.deadline.filter(|_| !self.is_over())
    }

    /// The board and the player of a seat of the match. Seats are counted through, board by board.
    pub fn locate(&self, seat: usize) -> Option<(usize, Player)> {
        let mut before = 0;
        for (board, game) in self.boards.iter().enumerate() {
            if seat < before + game.seats().len() {
                return Some((board, Player((seat - before) as u8)));
            }
            before += game.seats().len();
        }
        None
    }

    /// The seat of the match that a player on a board has.
    pub fn seat(&self, board: usize, player: Player) -> usize {
        let before: usize = self.boards[..board].iter().map(|game| game.seats().len()).sum();
        before + player.index()
    }

    /// Whether anybody has a clock.
    pub fn has_clock(&self) -> bool {
        let time = &self.boards[0].policy().time;
        time.controls.iter().any(|control| *control != TimeControl::None)
    }

    /// How many events there have been.
    pub fn event_count(&self) -> usize {
        1 + if self.is_race() { self.log.len() } else { self.boards[0].log.len() }
    }

    /// What has happened, from the event with the index `from` on.
    pub fn events(
        &self,
        from: usize,
    ) -> impl DoubleEndedIterator<Item = LogEvent> + ExactSizeIterator + Clone {
        let count = self.event_count();
        (from.min(count)..count).map(|index| self.event(index))
    }

    fn event(&self, index: usize) -> LogEvent {
        let Some(index) = index.checked_sub(1) else { return self.started() };
        let (board, index) = match self.log.get(index) {
            Some((board, index)) => (usize::from(*board), *index as usize),
            None => (0, index),
        };
        // Only events that there are come here.
        self.boards[board].log.get(index).map_or_else(|| self.started(), |event| LogEvent { board, event })
    }

    /// How the match began.
    fn started(&self) -> LogEvent {
        // What boards have made of their setups, such as full clocks, belongs to the start.
        let boards = self.boards.iter().map(Board::setup).collect();
        let setup = MatchSetup { boards, order: self.order, goal: self.goal };
        let (rules, seed) = (self.rules(), Some(self.seed()));
        let (game, options) = (rules.spec().id.to_owned(), rules.options());
        let started = Started { schema: SCHEMA, at: self.began, game, options, setup, seed };
        LogEvent { board: 0, event: Event::Started(Box::new(started)) }
    }

    /// Gives back the room that more events could have taken. For a match that was rebuilt and may stay in memory as it is.
    pub fn shrink(&mut self) {
        self.log.shrink_to_fit();
        self.boards.iter_mut().for_each(Board::shrink);
    }

    /// A copy of everything that has happened.
    pub fn log(&self) -> Vec<LogEvent> {
        self.events(0).collect()
    }

    /// The same as players may see it: the seed, from which all luck could be foretold, stays hidden until the end.
    pub fn public_log(&self) -> Vec<LogEvent> {
        let mut log = self.log();
        if let Some(LogEvent { event: Event::Started(started), .. }) = log.first_mut()
            && !self.is_over()
        {
            started.seed = None;
        }
        log
    }

    /// The moment of the last event. A driver that resumes a match lets its time line go on from here.
    pub fn last_time(&self) -> Millis {
        self.boards.iter().map(Board::last_time).fold(self.began, Millis::max)
    }

    /// Whether the games on all boards have ended.
    pub fn is_over(&self) -> bool {
        self.boards.iter().all(|board| board.end().is_some())
    }

    /// Whether a board must wait for its turn.
    pub fn is_waiting(&self, board: usize) -> bool {
        board >= self.begun
    }

    /// How many moves players have made on all boards.
    pub fn moves_made(&self) -> usize {
        self.boards.iter().map(Board::moves_made).sum()
    }

    /// The first moment at which a [tick](Action::Tick) changes anything on some board, and which board that is.
    pub fn due(&self) -> Option<(usize, Millis)> {
        let due = |(index, board): (usize, &Board)| {
            let deadline = self.deadline.filter(|_| board.end().is_none());
            Some((index, board.due().into_iter().chain(deadline).min()?))
        };
        self.boards.iter().enumerate().filter_map(due).min_by_key(|(_, due)| *due)
    }

    /// The seats from first place to last, those that share a place together; empty before that is decided and after a match without
    /// a result. A race may be decided although somebody plays on.
    pub fn ranking(&self) -> Vec<Vec<usize>> {
        if let Some(decided) = &self.decided {
            decided.clone()
        } else if !self.is_over() {
            Vec::new()
        } else if self.is_race() {
            self.race_ranking()
        } else {
            let seats = |place: Vec<Player>| place.into_iter().map(Player::index).collect();
            self.boards[0].ranking().into_iter().map(seats).collect()
        }
    }

    /// The boards of a race from first place to last by points, also while it goes on; those with the same points share a place,
    /// except that bots are ahead of people, as in the game that the race comes from. Boards that were forfeited share the last
    /// place, whatever their points.
    pub fn race_ranking(&self) -> Vec<Vec<usize>> {
        let key = |board: &usize| {
            let game = &self.boards[*board];
            let is_forfeited = matches!(game.end(), Some(End::Forfeit { .. }));
            let points = (!is_forfeited).then(|| game.standing().map_or(0, |standing| standing.score));
            (Reverse(points), points.is_some() && game.seats()[0].is_person())
        };
        let mut boards: Vec<usize> = (0..self.boards.len()).collect();
        boards.sort_by_key(key);
        boards.chunk_by(|one, other| key(one) == key(other)).map(<[usize]>::to_vec).collect()
    }

    /// Does what `action` says on a board at the moment `now`. That adds [events](Match::events): none for most ticks, otherwise the
    /// event that the action stands for and those that follow from it. A moment before the last event counts as that of the last
    /// event. A player whose turn has come may begin. Once the time of a race is up, it ends on all boards, and whatever else was to
    /// be done comes too late.
    ///
    /// # Errors
    /// If that is impossible; nothing has changed then.
    pub fn apply(&mut self, board: usize, action: Action, now: Millis) -> Result<(), Refusal> {
        let now = now.max(self.last_time());
        if board >= self.boards.len() {
            return Err(Refusal::NoSeat);
        }
        if self.is_waiting(board) && matches!(action, Action::Move(_) | Action::Pause | Action::Resume) {
            return Err(Refusal::NotYourTurn);
        }
        if !self.call_time(now) {
            self.act(board, action, now)?;
            self.count_moves(board, now);
            self.let_begin(now);
        }
        self.decide();
        Ok(())
    }

    fn act(&mut self, board: usize, action: Action, now: Millis) -> Result<(), Refusal> {
        let known = self.boards[board].log.len();
        self.boards[board].act(action, now)?;
        self.note(board, known);
        Ok(())
    }

    /// Ends the game of a board that has had its moves.
    fn count_moves(&mut self, board: usize, now: Millis) {
        let game = &self.boards[board];
        if matches!(self.goal, Goal::Moves(most) if game.moves_made() >= most as usize) {
            self.end(board, now);
        }
    }

    /// Ends the games of all boards if the time of the match is up, and says whether there were any to end.
    fn call_time(&mut self, now: Millis) -> bool {
        let is_up = self.deadline().is_some_and(|deadline| now >= deadline);
        if is_up {
            for board in 0..self.boards.len() {
                self.end(board, now);
            }
        }
        is_up
    }

    fn end(&mut self, board: usize, now: Millis) {
        let known = self.boards[board].log.len();
        self.boards[board].reach_goal(now);
        self.note(board, known);
    }

    /// Adds the events of a board, from the one with this index there on, to those of the match.
    fn note(&mut self, board: usize, from: usize) {
        if self.is_race() {
            self.log.extend((from..self.boards[board].log.len()).map(|index| (board as u8, index as u32)));
        }
    }

    /// Notes how a race ends once the only board on which somebody still plays is ahead of all others: points are never lost, and giving
    /// that board up changes nothing any more.
    fn decide(&mut self) {
        let is_open = |board: &usize| self.boards[*board].end().is_none();
        let open: Vec<usize> = (0..self.boards.len()).filter(is_open).collect();
        if self.is_race() && !open.is_empty() {
            let ranking = self.race_ranking();
            self.decided = (open.len() == 1 && ranking[0] == open).then_some(ranking);
        }
    }

    /// Lets those boards begin whose turn has come. A board that has begun is never stopped again, even if a board before it
    /// goes on after a move was taken back.
    fn let_begin(&mut self, now: Millis) {
        let is_over = |board: &Board| board.end().is_some();
        while self.begun < self.boards.len()
            && (self.order == BoardOrder::Together || self.boards[..self.begun].iter().all(is_over))
        {
            let board = self.begun;
            self.begun += 1;
            if self.boards[board].is_paused() {
                let _ = self.act(board, Action::Resume, now);
            }
        }
    }
}
