//! A program at a seat: what it knows of the game, and how it is asked for a move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_core::Player;
use agon_erased::{Bot, BotError, Budget, Limits, Session, Thought};
use agon_match::{Occupant, TimeControl};
use agon_players::external::Hosting;
use agon_players::{guarded, hosted_player};
use agon_registry::GAMES;
use anyhow::{Context, ensure};
use tokio::task::JoinHandle;

use crate::remote::{BoardChange, Facts, GameState, Ply};

/// What is kept back of every time limit for the way to the server and back.
const RESERVE: Duration = Duration::from_millis(50);

/// A program at a seat.
pub(super) struct Agent {
    /// Its seat, counted over all boards.
    seat: usize,
    /// Its board: the only one, or its own in a race.
    board: usize,
    /// Its seat on that board.
    player: Player,
    control: TimeControl,
    session: Box<dyn Session>,
    /// The program, unless it is thinking.
    bot: Option<Box<dyn Bot>>,
    thinking: Option<Thinking>,
}

/// The program, and what came of its thinking.
type Thoughts = (Box<dyn Bot>, Result<Thought<String>, BotError>);

/// A move that is being looked for.
struct Thinking {
    ply: usize,
    stop: Arc<AtomicBool>,
    task: JoinHandle<Thoughts>,
}

/// A move that was found.
pub(super) struct Found {
    pub(super) board: usize,
    pub(super) ply: usize,
    pub(super) token: String,
}

impl Agent {
    /// The program of `occupant` at the first seat of `state` that is ours. `plies` are those of each board from the beginning.
    pub(super) fn new(state: &GameState, plies: Vec<String>, occupant: &Occupant) -> anyhow::Result<Self> {
        let (seat, board) = place(state)?;
        let rules =
            GAMES.rules(&state.game, &state.options).context("the server plays a game of another version")?;
        let session = rules.open(None, &plies).context("the server plays by other rules")?;
        let player = Player(if state.boards.len() > 1 { 0 } else { seat as u8 });
        let seed = plies.len() as u64;
        let bot = hosted_player(&*rules, occupant, seed, &Hosting::default())?;
        let control = TimeControl::parse(&state.clock).map_err(anyhow::Error::msg)?;
        Ok(Self { seat, board, player, control, session, bot: Some(bot), thinking: None })
    }

    /// Its board.
    pub(super) fn board(&self) -> usize {
        self.board
    }

    /// Its seat, counted over all boards.
    pub(super) fn seat(&self) -> usize {
        self.seat
    }

    /// Takes up the plies of its board anew, after a connection was lost.
    pub(super) fn take_up(&mut self, plies: &[String]) -> anyhow::Result<()> {
        let known = self.session.history();
        let common = known.iter().zip(plies).take_while(|(one, other)| one == other).count();
        let rest: Vec<Ply> = plies[common..].iter().map(|token| Ply { token: token.clone() }).collect();
        self.replay(common, &rest)
    }

    /// Hears of a change.
    pub(super) fn hear(&mut self, change: &BoardChange) -> anyhow::Result<()> {
        self.replay(change.kept, &change.plies)
    }

    fn replay(&mut self, kept: usize, plies: &[Ply]) -> anyhow::Result<()> {
        ensure!(kept <= self.session.len(), "the server has skipped a move");
        while self.session.len() > kept {
            self.session.undo();
        }
        for Ply { token } in plies {
            self.session.play(token).context("the server plays by other rules")?;
        }
        if let Some(thinking) = &self.thinking
            && thinking.ply != self.session.len()
        {
            thinking.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Has the program think, if it is its turn and it does not think already.
    pub(super) fn think(&mut self, facts: &Facts) {
        let is_due = facts.end.is_none() && facts.turn == Some(self.player.index());
        let Some(mut bot) = self.bot.take_if(|_| is_due) else { return };
        let budget = Budget::new(self.limits(facts));
        let stop = Arc::clone(&budget.stop);
        let (ply, session) = (self.session.len(), self.session.fork());
        let task = tokio::task::spawn_blocking(move || {
            let thought = guarded(|| bot.think(&*session, &budget, &mut |_| {}));
            (bot, thought)
        });
        self.thinking = Some(Thinking { ply, stop, task });
    }

    fn limits(&self, facts: &Facts) -> Limits {
        let left = facts.clocks.get(self.player.index()).copied().flatten();
        let left = left.map(|left| Duration::from_millis(left).saturating_sub(RESERVE));
        match (self.control, left) {
            (TimeControl::Game { increment, .. }, Some(left)) => Limits::of_clock(left, increment.into()),
            (_, Some(left)) => Limits::of_time(left),
            (_, None) => Limits::default(),
        }
    }

    /// The move of the program, as soon as it has found it; never, while it does not think. `None` if the position is another by
    /// now.
    pub(super) async fn found(&mut self) -> anyhow::Result<Option<Found>> {
        let Some(thinking) = &mut self.thinking else { return std::future::pending().await };
        let (bot, thought) = (&mut thinking.task).await.context("the program could not be run")?;
        let ply = thinking.ply;
        self.thinking = None;
        self.bot = Some(bot);
        if ply != self.session.len() {
            return Ok(None);
        }
        Ok(Some(Found { board: self.board, ply, token: thought?.best }))
    }

    /// Tells the program that the game is over.
    pub(super) async fn conclude(mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.stop.store(true, Ordering::Relaxed);
            self.bot = thinking.task.await.ok().map(|(bot, _)| bot);
        }
        let (session, player) = (self.session.fork(), self.player);
        if let Some(mut bot) = self.bot.take() {
            let _ = tokio::task::spawn_blocking(move || bot.conclude(&*session, player)).await;
        }
    }
}

/// The first seat that is ours, and its board.
pub(super) fn place(state: &GameState) -> anyhow::Result<(usize, usize)> {
    let seat = state.seats.iter().position(|seat| seat.mine);
    let seat = seat.context("the game has started without us; there is nothing left to do but watch")?;
    Ok((seat, if state.boards.len() > 1 { seat } else { 0 }))
}
