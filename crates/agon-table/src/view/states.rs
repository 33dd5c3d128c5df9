//! A table as browsers are shown it.

use agon_answers::score::ScoreScale;
use agon_core::view::{self, Piece};
use agon_core::{Message, Player, Turn, Verdict};
use agon_erased::{Rules, Session, proven_in};
use agon_match::{Board, End, Match, Millis, PlyNote, Remark, fault_message};
use agon_messages::MESSAGES;
use agon_protocol::web::{
    BoardFacts, BoardPicture, BoardState, EndKind, EndState, LastMove, MoveState, OfferKind, OfferState,
    PlyState, ScoreState, SeatState,
};

/// With more legal moves than this, what each of them does is sent only once it has been played.
const MOVES_WITH_EFFECTS: usize = 300;
/// Of longer games only the last plies are sent unasked.
const SENT_PLIES: usize = 200;

/// A board as it stands, for whoever follows the table from now on.
pub fn board_state(play: &Match, board: usize, now: Millis, hides_help: bool) -> BoardState {
    let game = &play.boards()[board];
    let mut seen = game.session().board();
    let picture = BoardPicture::of(&mut seen);
    let total = game.session().len();
    let skipped = total.saturating_sub(SENT_PLIES);
    BoardState {
        picture,
        skipped,
        plies: ply_states(game, skipped, total, hides_help),
        facts: BoardFacts { last: last_move(game.session()), ..facts(play, board, seen, now) },
    }
}

/// The plies `from..to` of a match, with what bots thought of them unless that is withheld.
pub fn ply_states(game: &Board, from: usize, to: usize, hides_help: bool) -> Vec<PlyState> {
    let scale = |seat: usize| ScoreScale::of(&**game.rules(), &game.seats()[seat].occupant);
    let seen = |note: PlyNote| {
        let remark = note.remark.filter(|_| !hides_help);
        ply_state(PlyNote { remark, ..note }, scale)
    };
    (from..to).filter_map(|index| game.ply(index)).map(seen).collect()
}

fn ply_state(note: PlyNote, scale: impl Fn(usize) -> ScoreScale) -> PlyState {
    let seat = match note.mover {
        Turn::Player(seat) => Some(seat.index()),
        Turn::Chance => None,
    };
    let Remark { score, depth, nodes, .. } = note.remark.unwrap_or_default();
    let score = seat.and_then(|seat| Some(score_state(score?, &scale(seat))));
    PlyState {
        token: note.token.to_owned(),
        seat,
        millis: note.spent.map(|spent| spent.0),
        score,
        depth,
        nodes,
    }
}

/// A score of a bot as people read it.
pub fn score_state(score: f64, scale: &ScoreScale) -> ScoreState {
    let value = scale.value(score);
    ScoreState {
        // What nobody reads need not be sent.
        value: (value * 10.0).round() / 10.0,
        unit: scale.name(),
        dead_end: scale.is_dead_end(score),
        proven: proven_in(score).filter(|_| scale.players > 1).and_then(|plies| i32::try_from(plies).ok()),
    }
}

/// What is to be said about a board, of which `seen` is what is left of its picture, besides its last move.
pub fn facts(play: &Match, board: usize, seen: view::Board, now: Millis) -> BoardFacts {
    let game = &play.boards()[board];
    let session = game.session();
    let turn = game.to_move().filter(|_| !play.is_waiting(board));
    let needs_moves = turn.is_some_and(|seat| game.seats()[seat.index()].is_person());
    let (moves, placed) = if needs_moves { legal_moves(session) } else { Default::default() };
    BoardFacts {
        moves_made: game.moves_made(),
        turn: game.to_move().map(Player::index),
        moves,
        placed,
        stopped: game.is_paused() || game.clock_stands_until().is_some_and(|until| until > now),
        earlier: earlier_moves(session, game.seats().len()),
        // A board that was given up before its turn waits for nothing.
        waits: play.is_waiting(board) && game.end().is_none(),
        clocks: clocks(play, game, now),
        offer: offer(game),
        can_take_back: can_take_back(play, board),
        played_through: game.is_played_through(),
        end: end_of(game),
        ..session_facts(session, seen)
    }
}

/// What can be said about a position by itself, besides the last move and how many there were.
pub fn session_facts(session: &dyn Session, seen: view::Board) -> BoardFacts {
    BoardFacts {
        ply: session.len(),
        position: session.position(),
        counts: seen.counts,
        progress: seen.progress,
        threats: seen.threats,
        milestone: seen.milestone,
        mark: seen.mark,
        chance: session.chance_message(),
        score: session.standing().map(|standing| standing.score),
        ..BoardFacts::default()
    }
}

/// The facts of a position that nobody plays: whose turn it is, what is legal and how it has ended besides.
pub fn position_facts(rules: &dyn Rules, session: &dyn Session, seen: view::Board) -> BoardFacts {
    let over = session.outcome();
    let turn = match session.turn() {
        Turn::Player(seat) if over.is_none() => Some(seat.index()),
        _ => None,
    };
    let end = over.zip(session.end_message()).map(|(outcome, reason)| {
        let (kind, seat) = verdict_kind(&outcome.verdict);
        EndState { kind, seat, reason }
    });
    debug_assert!(turn.is_none_or(|seat| seat < rules.seats().len()));
    let (moves, placed) = if over.is_none() { legal_moves(session) } else { Default::default() };
    let moves_made = session.movers().iter().filter(|mover| **mover != Turn::Chance).count();
    let (last, earlier) = (last_move(session), earlier_moves(session, rules.seats().len()));
    BoardFacts { moves_made, turn, moves, placed, last, earlier, end, ..session_facts(session, seen) }
}

/// The legal moves, with what they do unless there are too many, and what all of them put on the board.
fn legal_moves(session: &dyn Session) -> (Vec<MoveState>, Option<Piece>) {
    let steps = session.steps();
    let with_effects = steps.len() <= MOVES_WITH_EFFECTS;
    let legal = |(token, step)| MoveState::new(token, step, with_effects);
    let mut moves: Vec<MoveState> = steps.into_iter().map(legal).collect();
    let placed = MoveState::take_placed(&mut moves);
    (moves, placed)
}

/// The last move of a player.
pub fn last_move(session: &dyn Session) -> Option<LastMove> {
    // At most two draws of chance follow a move.
    let from = session.len().saturating_sub(3);
    let movers = session.movers_since(from);
    let (offset, seat) = movers.iter().enumerate().rev().find_map(|(offset, mover)| match mover {
        Turn::Player(seat) => Some((offset, *seat)),
        Turn::Chance => None,
    })?;
    let step = session.steps_since(from + offset).into_iter().next()?;
    Some(LastMove { seat: seat.index(), token: session.token_at(from + offset)?, step })
}

/// The moves before the last one among so many `seats`, oldest first, as far as nobody has moved twice since; none among two.
pub fn earlier_moves(session: &dyn Session, seats: usize) -> Vec<LastMove> {
    if seats <= 2 {
        return Vec::new();
    }
    let from = session.len().saturating_sub(seats - 1);
    let movers = session.movers_since(from);
    let mut moves: Vec<LastMove> = Vec::new();
    for (index, (mover, step)) in movers.into_iter().zip(session.steps_since(from)).enumerate() {
        let (Turn::Player(seat), Some(token)) = (mover, session.token_at(from + index)) else { continue };
        // Whoever moves again has seen what came before.
        moves.drain(..moves.iter().rposition(|known| known.seat == seat.index()).map_or(0, |at| at + 1));
        moves.push(LastMove { seat: seat.index(), token, step });
    }
    moves.pop();
    moves
}

fn clocks(play: &Match, game: &Board, now: Millis) -> Vec<Option<u64>> {
    // A race against time has one clock for all.
    if let Some(ends) = play.deadline().filter(|_| !play.has_clock() && game.end().is_none()) {
        return vec![Some(ends.minus(now).0)];
    }
    let left: Vec<Option<u64>> = (0..game.seats().len() as u8)
        .map(|seat| game.time_left(Player(seat), now).map(|left| left.0))
        .collect();
    if left.iter().all(Option::is_none) { Vec::new() } else { left }
}

fn offer(game: &Board) -> Option<OfferState> {
    let draw = game.draw_offer().map(|seat| (OfferKind::Draw, seat));
    let request = || game.take_back_request().map(|(seat, _)| (OfferKind::TakeBack, seat));
    let (kind, seat) = draw.or_else(request)?;
    Some(OfferState { kind, seat: seat.index(), agreed: game.agreed().map(Player::index).collect() })
}

/// Whether somebody could take something back. In a race nobody can: all have the same luck.
pub fn can_take_back(play: &Match, board: usize) -> bool {
    let game = &play.boards()[board];
    let has_people = game.seats().iter().any(|seat| seat.is_person());
    !play.is_race() && has_people && game.moves_made() > 0
}

fn verdict_kind(verdict: &Verdict) -> (EndKind, Option<usize>) {
    match verdict {
        Verdict::Won(seat) => (EndKind::Won, Some(seat.index())),
        Verdict::Drawn => (EndKind::Drawn, None),
        Verdict::Lost => (EndKind::Lost, None),
    }
}

/// How a game has ended; `None` while it goes on.
pub fn end_of(game: &Board) -> Option<EndState> {
    Some(match game.end()? {
        End::Rules { verdict, reason } => {
            let (mut kind, seat) = verdict_kind(verdict);
            let is_bots_alone = game.seats().len() == 1 && !game.seats()[0].is_person();
            if is_bots_alone && !game.session().board().milestone.is_some_and(|feat| feat.counts_for_bots) {
                kind = EndKind::Lost;
            }
            let said = || Message::english(reason.clone());
            EndState { kind, seat, reason: game.session().end_message().unwrap_or_else(said) }
        }
        End::Forfeit { seat, reason, detail } => {
            let reason = fault_message(&**game.rules(), *reason, detail, game.player_name(*seat));
            EndState { kind: EndKind::Forfeit, seat: Some(seat.index()), reason }
        }
        End::Agreed => EndState { kind: EndKind::Drawn, seat: None, reason: MESSAGES.say("end.agreed", []) },
        End::Goal => EndState { kind: EndKind::Lost, seat: None, reason: MESSAGES.say("end.goal", []) },
        End::Aborted { .. } => {
            EndState { kind: EndKind::Aborted, seat: None, reason: MESSAGES.say("end.aborted", []) }
        }
    })
}

/// Who sits at a table; `is_mine` says which seats the browser holds that is told.
pub fn seat_states(play: &Match, is_mine: impl Fn(usize) -> bool) -> Vec<SeatState> {
    let state = |board: usize, index: usize, title: Message, styles: Vec<&'static str>| {
        let game = &play.boards()[board];
        let seat = &game.seats()[index];
        let number = play.seat(board, Player(index as u8));
        SeatState {
            title,
            name: seat.name.clone(),
            occupant: seat.occupant.to_string(),
            person: seat.is_person(),
            mine: is_mine(number) && seat.is_person(),
            styles,
            forfeited: game.has_forfeited(Player(index as u8)),
            stand_in: false,
            program: false,
            presence: None,
        }
    };
    let titles = play.rules().title_messages();
    let styles = play.rules().seat_styles();
    let seats = play.boards().iter().enumerate();
    let seats = seats.flat_map(|(board, game)| (0..game.seats().len()).map(move |index| (board, index)));
    seats.map(|(board, index)| state(board, index, titles[index].clone(), styles[index].clone())).collect()
}
