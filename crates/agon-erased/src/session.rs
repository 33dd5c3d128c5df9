//! Games and running games behind object-safe traits.

use std::any::Any;
use std::sync::Arc;

use agon_core::line::PlyOf;
use agon_core::message::COMMON;
use agon_core::perft::{PerftError, perft, perft_shared};
use agon_core::playout::{Tally, playouts};
use agon_core::random::seeded;
use agon_core::view::{Board, Gesture, Step, Token};
use agon_core::{
    Diagram, Game, GameSpec, Line, Message, MoveError, Notation, Outcome, Player, Ply, PositionError,
    Standing, Turn, View,
};
use agon_search::{Evaluation, Knowledge, Unit};

use crate::bot_spec::BotSpec;
use crate::bots::{self, Bot, BotListing, SpecificationError};
use crate::expertise::{EvaluationSpec, Expertise, TreeExample, WeightSet};
use crate::weights::Linear;

/// A game with its options fixed.
pub trait Rules: Send + Sync {
    /// What the game is called and which options it takes.
    fn spec(&self) -> &'static GameSpec;

    /// Every option that applies, as `key=value` separated by commas, in the order of declaration.
    fn options(&self) -> String;

    /// Options that go well with these, for people who have not chosen them.
    fn suggested_options(&self) -> &'static [(&'static str, &'static str)];

    /// The names of the seats in playing order.
    fn seats(&self) -> Vec<String>;

    /// What people call the seats, in playing order.
    fn title_messages(&self) -> Vec<Message>;

    /// The same in English.
    fn titles(&self) -> Vec<String> {
        self.title_messages().into_iter().map(|title| title.text.into_owned()).collect()
    }

    /// The styles of the pieces that each seat may have on the board, in playing order of the seats.
    fn seat_styles(&self) -> Vec<Vec<Token>>;

    /// A message of this game in a language, or in English where the language lacks it.
    fn text(&self, language: &str, message: &Message) -> String {
        self.spec().messages.text(language, message)
    }

    /// The lead that wins about three games in four, in the unit of the best evaluation; `None` in games of one.
    fn scale(&self) -> Option<f64>;

    /// A new game from the usual start.
    fn start(&self) -> Box<dyn Session>;

    /// A new game from a written position.
    ///
    /// # Errors
    /// If the position cannot be read or is impossible.
    fn start_from(&self, position: &str) -> Result<Box<dyn Session>, PositionError>;

    /// A game at `position` (at the usual start if there is none), after `moves`.
    ///
    /// # Errors
    /// If the position or one of the moves does not hold.
    fn open(&self, position: Option<&str>, moves: &[String]) -> Result<Box<dyn Session>, OpenError> {
        let mut session = match position {
            Some(position) => self.start_from(position)?,
            None => self.start(),
        };
        for (index, token) in moves.iter().enumerate() {
            session.play(token).map_err(|error| OpenError::Move { number: index + 1, error })?;
        }
        Ok(session)
    }

    /// Whether chance takes part in the game.
    fn has_chance(&self) -> bool;

    /// The bot that `spec` names, its randomness fixed by `seed`.
    ///
    /// # Errors
    /// If there is no such bot, or it cannot be set so.
    fn bot(&self, spec: &BotSpec, seed: u64) -> Result<Box<dyn Bot>, SpecificationError>;

    /// What the scores of the bot that `spec` names mean to people, as it would say itself; `None` if it does not judge, or
    /// there is no such bot.
    fn unit(&self, spec: &BotSpec) -> Option<Unit>;

    /// Whether the bot that `spec` names can only think once the game's trained weights are there.
    fn needs_weights(&self, spec: &BotSpec) -> bool;

    /// By which evaluation the bot that `spec` names judges, and by which weights.
    ///
    /// # Errors
    /// If there is no such bot, or it cannot be set so.
    fn linear(&self, spec: &BotSpec) -> Result<Linear, SpecificationError>;

    /// The bots that play this game, weakest first.
    fn bots(&self) -> Vec<BotListing>;

    /// The evaluations that bots of this game can be given, the best first.
    fn evaluations(&self) -> &'static [EvaluationSpec];

    /// The evaluation whose reasons people are shown where a bot judges by `evaluation`.
    fn readable_evaluation<'a>(&self, evaluation: &'a str) -> &'a str;

    /// The sets of weights that bots of this game can be given by name.
    fn weight_sets(&self) -> &'static [WeightSet];

    /// A position whose search tree people can go through step by step.
    fn tree_example(&self) -> TreeExample;
}

/// A game that cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The position does not hold.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move does not hold.
    #[error("move {number}: {error}")]
    Move {
        /// The move's number from 1, draws of chance counted too.
        number: usize,
        /// What is wrong.
        error: MoveError,
    },
}

/// A game being played.
pub trait Session: Send {
    /// The position it began with.
    fn start_position(&self) -> String;

    /// The present position.
    fn position(&self) -> String;

    /// The ply count that the position carries, or else the number of plies played.
    fn ply(&self) -> u32;

    /// After how many more plies the game is drawn; `None` if nothing limits it.
    fn plies_left(&self) -> Option<u32>;

    /// Who acts; in a finished game, who would have acted.
    fn turn(&self) -> Turn;

    /// The name of who acts: a seat, or `chance`.
    fn turn_name(&self) -> String;

    /// How the game has ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Why the game has ended: a phrase that can follow a colon; `None` while it goes on.
    fn end_message(&self) -> Option<Message>;

    /// What chance has brought, if the last ply was its draw.
    fn chance_message(&self) -> Option<Message>;

    /// The legal moves that a gesture means, sorted by bytes: usually one or none. If there are several, whoever made it must choose.
    fn moves_meant(&self, gesture: &Gesture) -> Vec<String>;

    /// Why a gesture means no legal move; `None` if it means one.
    fn why_not(&self, gesture: &Gesture) -> Option<Message>;

    /// Every legal move, or draw where chance acts, sorted by bytes; none once the game is over.
    fn legal(&self) -> Vec<String>;

    /// The only legal move or draw, and what it does; `None` where there is a choice, or nothing to play.
    fn only_move(&self) -> Option<(String, Step)>;

    /// Plays a move or a draw, and returns it as it is written.
    ///
    /// # Errors
    /// If it cannot be read or is not legal; the game is then as it was.
    fn play(&mut self, token: &str) -> Result<String, MoveError>;

    /// Plays a move as people type it: capitals and spaces do not matter, and games take more at a terminal than in files.
    /// Returns the move as it is written.
    ///
    /// # Errors
    /// As [`Session::play`].
    fn play_typed(&mut self, text: &str) -> Result<String, MoveError>;

    /// Plays the move that a gesture means, and returns it as it is written.
    ///
    /// # Errors
    /// If it means no legal move, or several; the game is then as it was.
    fn play_gesture(&mut self, gesture: &Gesture) -> Result<String, MoveError>;

    /// Lets chance act by `number` and returns what it drew; `None` if it is not chance's turn.
    fn draw(&mut self, number: u64) -> Option<String>;

    /// Takes the last ply back and says whether there was one.
    fn undo(&mut self) -> bool;

    /// Takes all but the first `count` plies back.
    fn rewind(&mut self, count: usize);

    /// How many plies have been played.
    fn len(&self) -> usize;

    /// Whether nothing has been played.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The last ply played.
    fn last_ply(&self) -> Option<String>;

    /// Every ply played so far.
    fn history(&self) -> Vec<String>;

    /// The seats from first place to last, those that share a place together; empty while the game goes on.
    fn ranking(&self) -> Vec<Vec<Player>>;

    /// What the best evaluation takes the position to be worth to each player at first sight, or its end if the game is over.
    fn prospects(&self) -> Vec<f64>;

    /// What a game without an opponent is remembered by; `None` where games are won and lost.
    fn standing(&self) -> Option<Standing>;

    /// The board drawn in plain text.
    fn diagram(&self) -> String;

    /// The board as people see it.
    fn board(&self) -> Board;

    /// What each of the [`legal`](Session::legal) moves and draws does, in their order.
    fn steps(&self) -> Vec<(String, Step)>;

    /// What the last ply has done; `None` at the start.
    fn last_step(&self) -> Option<Step> {
        self.steps_since(self.len().saturating_sub(1)).pop()
    }

    /// What each ply has done after the first `ply` of them.
    fn steps_since(&self, ply: usize) -> Vec<Step>;

    /// Who made each ply of the [`history`](Session::history).
    fn movers(&self) -> Vec<Turn> {
        self.movers_since(0)
    }

    /// Who made each ply after the first `ply` of them.
    fn movers_since(&self, ply: usize) -> Vec<Turn>;

    /// The ply with this index; `None` if there are fewer.
    fn token_at(&self, ply: usize) -> Option<String>;

    /// The same game once more, to be played on by somebody else.
    fn fork(&self) -> Box<dyn Session>;

    /// The number of positions exactly `depth` plies on, from the position alone: repetition is ignored.
    ///
    /// # Errors
    /// If there are more than `limit`.
    fn perft(&self, depth: u32, limit: u64) -> Result<u64, PerftError>;

    /// The same number found faster, by counting positions that are reached in several ways once.
    ///
    /// # Errors
    /// If there are more than `limit`, or they take too long to count.
    fn perft_shared(&self, depth: u32, limit: u64) -> Result<u64, PerftError>;

    /// Plays `games` random games from here, none longer than `max_plies`.
    fn playouts(&self, games: u64, max_plies: u64, seed: u64) -> Tally;

    /// The running game as its own type, for the bots of its game.
    fn as_any(&self) -> &dyn Any;
}

/// What a game must offer to enter the registry.
pub trait Playable: Game + Notation + View + Expertise {}
impl<G: Game + Notation + View + Expertise> Playable for G {}

/// Erases the type of a game.
pub fn erase<G: Playable>(spec: &'static GameSpec, game: G) -> Arc<dyn Rules> {
    Arc::new(Fixed { spec, game: Arc::new(game) })
}

struct Fixed<G> {
    spec: &'static GameSpec,
    game: Arc<G>,
}

impl<G: Playable> Rules for Fixed<G> {
    fn spec(&self) -> &'static GameSpec {
        self.spec
    }

    fn options(&self) -> String {
        let pairs = self.game.options();
        pairs.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(",")
    }

    fn suggested_options(&self) -> &'static [(&'static str, &'static str)] {
        self.game.suggested_options()
    }

    fn seats(&self) -> Vec<String> {
        (0..self.game.players() as u8).map(|seat| self.game.seat(Player(seat)).to_owned()).collect()
    }

    fn title_messages(&self) -> Vec<Message> {
        (0..self.game.players() as u8).map(|seat| self.game.title(Player(seat))).collect()
    }

    fn seat_styles(&self) -> Vec<Vec<Token>> {
        (0..self.game.players() as u8).map(|seat| self.game.seat_styles(Player(seat))).collect()
    }

    fn scale(&self) -> Option<f64> {
        (self.game.players() > 1).then(|| Some(best_knowledge(&*self.game)?.scale())).flatten()
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Running { line: Line::new(Arc::clone(&self.game)) })
    }

    fn start_from(&self, position: &str) -> Result<Box<dyn Session>, PositionError> {
        let start = self.game.parse_position(position)?;
        Ok(Box::new(Running { line: Line::from_position(Arc::clone(&self.game), start) }))
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn bot(&self, spec: &BotSpec, seed: u64) -> Result<Box<dyn Bot>, SpecificationError> {
        bots::build(&*self.game, spec, seed)
    }

    fn unit(&self, spec: &BotSpec) -> Option<Unit> {
        bots::unit(&*self.game, spec)
    }

    fn needs_weights(&self, spec: &BotSpec) -> bool {
        bots::needs_weights(&*self.game, spec)
    }

    fn linear(&self, spec: &BotSpec) -> Result<Linear, SpecificationError> {
        bots::linear(&*self.game, spec)
    }

    fn bots(&self) -> Vec<BotListing> {
        bots::listings(self.spec, &*self.game)
    }

    fn evaluations(&self) -> &'static [EvaluationSpec] {
        self.game.evaluations()
    }

    fn readable_evaluation<'a>(&self, evaluation: &'a str) -> &'a str {
        self.game.readable_evaluation(evaluation)
    }

    fn weight_sets(&self) -> &'static [WeightSet] {
        self.game.weight_sets()
    }

    fn tree_example(&self) -> TreeExample {
        self.game.tree_example()
    }
}

fn best_knowledge<G: Playable>(game: &G) -> Option<impl Knowledge<G>> {
    game.knowledge(game.evaluations().first()?.name)
}

/// A running game with its type.
pub(crate) struct Running<G: Game> {
    pub(crate) line: Line<G>,
}

impl<G: Playable> Running<G> {
    pub(crate) fn ply_text(&self, ply: PlyOf<G>) -> String {
        match ply {
            Ply::Move(mv) => self.line.game().move_text(mv),
            Ply::Chance(chance) => self.line.game().chance_text(chance),
        }
    }

    fn step_of(&self, before: &G::Position, ply: PlyOf<G>) -> Step {
        match ply {
            Ply::Move(mv) => self.line.game().step(before, mv),
            Ply::Chance(chance) => self.line.game().chance_step(before, chance),
        }
    }

    fn read_ply(&self, token: &str) -> Result<PlyOf<G>, MoveError> {
        let game = self.line.game();
        let is_draw = self.line.turn() == Turn::Chance;
        let read = |as_draw: bool| {
            if as_draw {
                game.parse_chance(token).map(Ply::Chance)
            } else {
                game.parse_move(token).map(Ply::Move)
            }
        };
        read(is_draw).map_err(|error| match read(!is_draw) {
            // A good token at the wrong time is told apart from a bad one.
            Ok(_) => {
                let due = if is_draw { "draw" } else { "move" };
                MoveError::new(token, format!("{} is to {due}; {}", self.turn_title(), error.reason))
            }
            Err(_) => error,
        })
    }

    /// Plays a ply that was read from `text`.
    fn play_ply(&mut self, ply: PlyOf<G>, text: &str) -> Result<String, MoveError> {
        if self.line.play(ply) { Ok(self.ply_text(ply)) } else { Err(self.refusal(text, ply)) }
    }

    /// The legal moves that a gesture means, of which there is at least one, or else why it means none.
    fn meaning(&self, gesture: &Gesture) -> Result<Vec<String>, Message> {
        let is_meant = |(token, step): (String, Step)| step.is_meant_by(gesture).then_some(token);
        let named: Vec<String> = self.steps().into_iter().filter_map(is_meant).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        match self.line.game().gestured_move(self.line.position(), gesture).map(Ply::Move) {
            Ok(ply) if self.line.is_legal(ply) => Ok(vec![self.ply_text(ply)]),
            Ok(ply) => Err(self.broken_rule(ply)),
            Err(reason) => Err(self.end_message().map_or(reason, over_message)),
        }
    }

    /// Why a well-formed ply may not be played: the rule that it breaks, then what is legal.
    fn refusal(&self, token: &str, ply: PlyOf<G>) -> MoveError {
        MoveError::illegal(
            token,
            [Some(self.broken_rule(ply)), self.instead(token)].into_iter().flatten().collect(),
        )
    }

    fn broken_rule(&self, ply: PlyOf<G>) -> Message {
        let (game, position): (&G, _) = (self.line.game(), self.line.position());
        match (self.end_message(), ply, self.line.turn()) {
            (Some(reason), _, _) => over_message(reason),
            (None, Ply::Move(mv), Turn::Player(_)) => game.broken_rule(position, mv),
            (None, Ply::Move(_), Turn::Chance) => COMMON.say("illegal.chance", []),
            (None, Ply::Chance(_), _) => COMMON.say("illegal.draw", []),
        }
    }

    /// The legal moves, or some of them; `None` if there are none.
    fn instead(&self, token: &str) -> Option<Message> {
        let mut legal = self.legal();
        let count = legal.len();
        // Most helpful are the moves that look like the one that was meant: those of the same piece, say.
        legal.sort_by_key(|other| std::cmp::Reverse(common_prefix(other, token)));
        legal.truncate(SHOWN_MOVES);
        let moves = ("moves", legal.join(", ").into());
        let mover = ("mover", self.turn_title().into());
        match count {
            0 => None,
            _ if count == legal.len() => Some(COMMON.say("instead.all", [mover, moves])),
            _ => Some(COMMON.say("instead.some", [mover, ("n", (count as u64).into()), moves])),
        }
    }

    /// What people call who acts.
    fn turn_title(&self) -> Message {
        match self.line.turn() {
            Turn::Player(player) => self.line.game().title(player),
            Turn::Chance => COMMON.say("seat.chance", []),
        }
    }
}

/// What somebody is told who moves in a game that has ended for `reason`.
fn over_message(reason: Message) -> Message {
    COMMON.say("illegal.over", [("reason", reason.into())])
}

/// How many legal moves an error about an illegal one shows.
const SHOWN_MOVES: usize = 5;

fn common_prefix(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

impl<G: Playable> Session for Running<G> {
    fn start_position(&self) -> String {
        self.line.game().position_text(self.line.start())
    }

    fn position(&self) -> String {
        self.line.game().position_text(self.line.position())
    }

    fn ply(&self) -> u32 {
        self.line.game().ply(self.line.position()).unwrap_or(self.line.plies().len() as u32)
    }

    fn plies_left(&self) -> Option<u32> {
        self.line.game().plies_left(self.line.position())
    }

    fn turn(&self) -> Turn {
        self.line.turn()
    }

    fn turn_name(&self) -> String {
        match self.line.turn() {
            Turn::Player(player) => self.line.game().seat(player).to_owned(),
            Turn::Chance => "chance".to_owned(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.line.outcome()
    }

    fn end_message(&self) -> Option<Message> {
        let outcome = self.line.outcome()?;
        Some(self.line.game().end_message(self.line.position(), &outcome))
    }

    fn chance_message(&self) -> Option<Message> {
        match *self.line.plies().last()? {
            Ply::Chance(chance) => self.line.game().chance_message(chance),
            Ply::Move(_) => None,
        }
    }

    fn moves_meant(&self, gesture: &Gesture) -> Vec<String> {
        self.meaning(gesture).unwrap_or_default()
    }

    fn why_not(&self, gesture: &Gesture) -> Option<Message> {
        self.meaning(gesture).err()
    }

    fn legal(&self) -> Vec<String> {
        let mut tokens: Vec<String> = self.line.legal().into_iter().map(|ply| self.ply_text(ply)).collect();
        tokens.sort_unstable();
        tokens
    }

    fn only_move(&self) -> Option<(String, Step)> {
        match self.line.legal()[..] {
            [ply] => Some((self.ply_text(ply), self.step_of(self.line.position(), ply))),
            _ => None,
        }
    }

    fn play(&mut self, token: &str) -> Result<String, MoveError> {
        let ply = self.read_ply(token)?;
        self.play_ply(ply, token)
    }

    fn play_typed(&mut self, text: &str) -> Result<String, MoveError> {
        // Nobody means anything by capitals and spaces.
        let tidy: String = text.split_whitespace().collect::<String>().to_lowercase();
        let ply = Ply::Move(self.line.game().parse_typed_move(&tidy)?);
        self.play_ply(ply, text)
    }

    fn play_gesture(&mut self, gesture: &Gesture) -> Result<String, MoveError> {
        let refusal = |message| MoveError::illegal("", vec![message]);
        match &self.meaning(gesture).map_err(refusal)?[..] {
            [token] => self.play(token),
            several => Err(refusal(COMMON.say("illegal.ambiguous", [("moves", several.join(", ").into())]))),
        }
    }

    fn draw(&mut self, number: u64) -> Option<String> {
        let chance = Ply::Chance(self.line.game().draw(self.line.position(), number)?);
        self.line.play(chance).then(|| self.ply_text(chance))
    }

    fn undo(&mut self) -> bool {
        self.line.undo().is_some()
    }

    fn rewind(&mut self, count: usize) {
        self.line.rewind(count);
    }

    fn len(&self) -> usize {
        self.line.plies().len()
    }

    fn last_ply(&self) -> Option<String> {
        self.line.plies().last().map(|ply| self.ply_text(*ply))
    }

    fn history(&self) -> Vec<String> {
        self.line.plies().iter().map(|ply| self.ply_text(*ply)).collect()
    }

    fn ranking(&self) -> Vec<Vec<Player>> {
        let outcome = self.line.outcome();
        outcome.map_or_else(Vec::new, |outcome| self.line.game().ranking(self.line.position(), &outcome))
    }

    fn prospects(&self) -> Vec<f64> {
        let (game, position): (&G, _) = (self.line.game(), self.line.position());
        let Some(knowledge) = best_knowledge(game) else { return Vec::new() };
        let payoffs = match self.line.outcome() {
            Some(outcome) => knowledge.at_end(game, position, &outcome),
            None => knowledge.payoffs(game, position, &knowledge.state(game, position)),
        };
        (0..game.players() as u8).map(|player| payoffs.of(Player(player))).collect()
    }

    fn standing(&self) -> Option<Standing> {
        self.line.game().standing(self.line.position())
    }

    fn diagram(&self) -> String {
        let game = self.line.game();
        let Diagram { board, facts } = game.diagram(self.line.position());
        let state = match self.line.turn() {
            _ if self.line.outcome().is_some() => Some("Game over".to_owned()),
            Turn::Player(player) if game.players() > 1 => {
                Some(format!("{} ({}) to move", game.title(player), game.seat(player)))
            }
            _ => None,
        };
        let caption: Vec<String> = state.into_iter().chain([facts]).collect();
        format!("{board}{}\n", caption.join(", "))
    }

    fn board(&self) -> Board {
        self.line.game().board(self.line.position())
    }

    fn steps(&self) -> Vec<(String, Step)> {
        let plies = self.line.legal().into_iter();
        let mut plies: Vec<(String, PlyOf<G>)> = plies.map(|ply| (self.ply_text(ply), ply)).collect();
        plies.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        plies.into_iter().map(|(text, ply)| (text, self.step_of(self.line.position(), ply))).collect()
    }

    fn steps_since(&self, ply: usize) -> Vec<Step> {
        self.line.plies_since(ply).map(|(before, ply)| self.step_of(&before, ply)).collect()
    }

    fn movers_since(&self, ply: usize) -> Vec<Turn> {
        self.line.plies_since(ply).map(|(before, _)| self.line.game().turn(&before)).collect()
    }

    fn token_at(&self, ply: usize) -> Option<String> {
        self.line.plies().get(ply).map(|ply| self.ply_text(*ply))
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Self { line: self.line.clone() })
    }

    fn perft(&self, depth: u32, limit: u64) -> Result<u64, PerftError> {
        perft(&**self.line.game(), self.line.position(), depth, limit)
    }

    fn perft_shared(&self, depth: u32, limit: u64) -> Result<u64, PerftError> {
        perft_shared(&**self.line.game(), self.line.position(), depth, limit)
    }

    fn playouts(&self, games: u64, max_plies: u64, seed: u64) -> Tally {
        playouts(&**self.line.game(), self.line.position(), games, max_plies, &mut seeded(seed))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
