//! What is shown of a game wherever it is played: here, or elsewhere under our eyes.

use std::ops::Range;

use agon_core::view::{self, Cell, Spot, Step};
use agon_core::{Player, Turn};
use agon_erased::Session;
use agon_match::{Board, Event, LogEvent, Match, Millis};
use agon_messages::Refused;
use agon_protocol::web::api::PlyList;
use agon_protocol::web::{BoardPicture, BoardUpdate, Change, RefusalCode, ServerMessage, TableState};
use agon_records::Record;

use super::states::{board_state, earlier_moves, facts, last_move, ply_states, seat_states, session_facts};
use crate::command::Question;
use crate::stored::mode;

/// More moves than this are not shown one by one.
const SHOWN_STEPS: usize = 8;

/// Who has missed more events than this is told everything: that is shorter.
const MISSED_EVENTS: u64 = 64;

/// When and how a game is looked at.
#[derive(Clone, Copy)]
pub struct Viewpoint {
    /// The moment on the game's own time line.
    pub now: Millis,
    /// Whether what bots thought is withheld.
    pub hides_help: bool,
}

/// A table as somebody sees it who has no part in it, and of which nothing is known but the game.
pub fn bare_state(id: &str, created: &str, play: &Match, viewpoint: Viewpoint) -> TableState {
    let board = |board: usize| board_state(play, board, viewpoint.now, viewpoint.hides_help);
    TableState {
        id: id.to_owned(),
        seq: play.event_count() as u64,
        game: play.rules().spec().id.to_owned(),
        options: play.rules().options(),
        mode: mode(play),
        created: created.to_owned(),
        owner: false,
        seats: seat_states(play, |_| false),
        clock: play.boards()[0].policy().time.control(Player(0)).to_string(),
        pace: 0,
        paused: false,
        skipping: false,
        boards: (0..play.boards().len()).map(board).collect(),
        ranking: play.ranking(),
        watchers: 0,
        spectators: 0,
        online: None,
        styles: play.rules().spec().styles.to_vec(),
    }
}

/// The last event that somebody knows who is to be told of those up to `seq`; `None` if everything has to be told.
pub fn known_event(since: Option<u64>, seq: u64) -> Option<u64> {
    since.filter(|since| seq.checked_sub(*since).is_some_and(|missed| missed <= MISSED_EVENTS))
}

/// What has changed on the boards since the event with the number `from`; `None` if all has to be told anew, because somebody else
/// sits there now or too much has happened.
pub fn updates_since(play: &Match, from: u64, viewpoint: Viewpoint) -> Option<Vec<BoardUpdate>> {
    let from = usize::try_from(known_event(Some(from), play.event_count() as u64)?).ok()?;
    let events: Vec<LogEvent> = play.events(from).collect();
    let is_anew = |event: &Event| matches!(event, Event::Started(_)) || event.changes_seats();
    if events.iter().any(|entry| is_anew(&entry.event)) {
        return None;
    }
    // What was taken back cannot be seen any more.
    let takes_back = events.iter().any(|entry| taken_back_to(&entry.event).is_some());
    let before = if takes_back { Some(play.rewound(from).ok()?) } else { None };
    // A player who had left the game may be back.
    let has_left = |board: &Board| board.forfeits().map(|forfeit| forfeit.seat).collect::<Vec<_>>();
    let is_back =
        |before: &Match| !before.boards().iter().map(has_left).eq(play.boards().iter().map(has_left));
    if before.as_ref().is_some_and(is_back) {
        return None;
    }
    let mut boards: Vec<usize> = events.iter().map(|entry| entry.board).collect();
    boards.sort_unstable();
    boards.dedup();
    let update = |board: usize| {
        let own = events.iter().filter(|entry| entry.board == board).map(|entry| &entry.event);
        let before = before.as_ref().map(|before| &before.boards()[board]);
        board_update(play, board, own, before, viewpoint)
    };
    Some(boards.into_iter().map(update).collect())
}

/// How many plies are left, if some were taken back.
fn taken_back_to(event: &Event) -> Option<usize> {
    match event {
        Event::TakenBack { to, .. } => Some(*to),
        _ => None,
    }
}

/// A board to which `events` have happened, and as it was `before` if some plies were taken back.
fn board_update<'a>(
    play: &Match,
    board: usize,
    events: impl Iterator<Item = &'a Event> + Clone,
    before: Option<&Board>,
    viewpoint: Viewpoint,
) -> BoardUpdate {
    let game = &play.boards()[board];
    let session = game.session();
    let total = session.len();
    let known = match before {
        Some(before) => before.session().len(),
        None => total - events.clone().filter(|event| matches!(event, Event::Played(_))).count(),
    };
    let kept = events.filter_map(taken_back_to).fold(known, usize::min);
    let mut seen = session.board();
    let mut steps = session.steps_since(kept);
    let changes = Change::of(match before {
        Some(before) => different_cells(&before.session().board(), &seen),
        None => changed_cells(&steps, &seen),
    });
    if steps.len() > SHOWN_STEPS {
        steps.clear();
    }
    seen.cells = Vec::new();
    let plies = ply_states(game, kept, total, viewpoint.hides_help);
    let mut facts = facts(play, board, seen, viewpoint.now);
    let shows_last = plies.iter().zip(&steps).any(|(ply, _)| ply.seat.is_some());
    facts.last = if shows_last { None } else { last_move(session) };
    BoardUpdate { board, kept, plies, steps, changes, facts }
}

/// A board of which only what is to be said has changed.
pub fn unchanged_board(play: &Match, board: usize, viewpoint: Viewpoint) -> BoardUpdate {
    board_update(play, board, std::iter::empty(), None, viewpoint)
}

/// The cells of a board that these steps have changed.
fn changed_cells(steps: &[Step], now: &view::Board) -> Vec<Cell> {
    let mut spots: Vec<Spot> = steps.iter().flat_map(Step::changed_spots).collect();
    spots.sort_unstable();
    spots.dedup();
    spots.into_iter().filter_map(|spot| now.cell(spot).copied()).collect()
}

/// The cells that are not as they were before.
fn different_cells(before: &view::Board, now: &view::Board) -> Vec<Cell> {
    now.cells.iter().filter(|cell| before.cell(cell.spot) != Some(cell)).copied().collect()
}

/// A board of what is played.
pub fn board(play: &Match, index: usize) -> Result<&Board, Refused> {
    let unknown = || Refused::plain(RefusalCode::Unknown, "refused.unknown-board");
    play.boards().get(index).ok_or_else(unknown)
}

/// The answer to a question that the rules alone can answer; `None` if it is not such a one.
pub fn answer_by_rules(
    game: &Board,
    id: &str,
    question: &Question,
) -> Result<Option<ServerMessage>, Refused> {
    let id = id.to_owned();
    Ok(Some(match question {
        Question::Hint => return Ok(None),
        Question::Explain(gesture) => {
            ServerMessage::Explained { id, message: game.session().why_not(gesture) }
        }
        &Question::Look(ply) => {
            let mut past = game.session().fork();
            if ply > past.len() {
                return Err(Refused::plain(RefusalCode::Unknown, "refused.unknown-ply"));
            }
            past.rewind(ply);
            let mut seen = past.board();
            let picture = Box::new(BoardPicture::of(&mut seen));
            let mut facts = Box::new(session_facts(&*past, seen));
            facts.last = last_move(&*past);
            facts.earlier = earlier_moves(&*past, game.seats().len());
            facts.moves_made = game.moves_before(ply);
            facts.turn = match past.turn() {
                Turn::Player(seat) if past.outcome().is_none() => Some(seat.index()),
                _ => None,
            };
            ServerMessage::Looked { id, ply, picture, facts }
        }
    }))
}

/// Which plies of a board are asked for.
#[derive(Clone, Debug)]
pub enum PlyRange {
    /// Those with these indices.
    Plies(Range<usize>),
    /// Those of the moves of players with these indices, and the draws of chance that follow them.
    Moves(Range<usize>),
}

/// Some plies of a board.
pub fn plies(play: &Match, index: usize, range: PlyRange, hides_help: bool) -> Result<PlyList, Refused> {
    let game = board(play, index)?;
    let (from, to) = match range {
        PlyRange::Plies(Range { start, end }) => (start, end.min(game.session().len())),
        PlyRange::Moves(Range { start, end }) => (game.ply_of_move(start), game.ply_of_move(end)),
    };
    let plies = ply_states(game, from, to, hides_help);
    Ok(PlyList { from, moves_before: game.moves_before(from), plies })
}

/// A board whose game is over, to be looked back at.
///
/// # Errors
/// If there is no such board, or the game goes on.
pub fn finished(play: &Match, index: usize) -> Result<Box<dyn Session>, Refused> {
    let game = board(play, index)?;
    match play.is_over() {
        true => Ok(game.session().fork()),
        false => Err(Refused::plain(RefusalCode::State, "refused.not-over")),
    }
}

/// The record of what has been played, as everybody may have it.
pub fn record(play: &Match, created: &str) -> Record {
    let mut record = Record::of(play);
    record.date = Some(created.to_owned());
    if !play.is_over() {
        // From the seed all luck could be foretold.
        record.seed = None;
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_gaps_are_told() {
        assert_eq!(known_event(Some(7), 7), Some(7));
        assert_eq!(known_event(Some(1), MISSED_EVENTS + 1), Some(1));
        assert_eq!(known_event(Some(1), MISSED_EVENTS + 2), None, "too much was missed");
        assert_eq!(known_event(Some(8), 7), None, "it has not happened here");
        assert_eq!(known_event(None, 7), None);
    }
}
