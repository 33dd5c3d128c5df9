//! What is shown of a game wherever it is played: here, or elsewhere under our eyes.

use agon_core::view::StepKind;
use agon_core::{Player, Turn};
use agon_match::{Match, Millis};
use agon_protocol::web::api::PlyList;
use agon_protocol::web::{BoardPicture, BoardUpdate, RefusalCode, ServerMessage, TableState};
use agon_records::Record;

use super::Ask;
use super::bots::forced_pass;
use super::picture::{board_state, changed_cells, facts, last_move, ply_states, seat_states, session_facts};
use super::play::{LogEvent, Play};
use super::watchers::Told;
use crate::words::Refused;

/// More moves than this are not shown one by one.
const SHOWN_STEPS: usize = 8;

/// When and how a game is looked at.
#[derive(Clone, Copy)]
pub(super) struct Sight {
    /// The moment on the game's own time line.
    pub(super) now: Millis,
    /// Whether what bots thought is withheld.
    pub(super) hides_help: bool,
}

/// A table as somebody sees it who has no part in it, and of which nothing is known but the game.
pub(super) fn bare_state(id: &str, created: &str, play: &Play, sight: Sight) -> TableState {
    let board = |board: usize| board_state(play, board, sight.now, sight.hides_help);
    TableState {
        id: id.to_owned(),
        seq: play.event_count() as u64,
        game: play.rules().spec().id.to_owned(),
        options: play.rules().options(),
        mode: play.mode(),
        created: created.to_owned(),
        owner: false,
        seats: seat_states(play, |_| false),
        clock: play.boards()[0].policy().time.control(Player(0)).to_string(),
        pace: 0,
        paused: false,
        boards: (0..play.boards().len()).map(board).collect(),
        ranking: play.ranking(),
        watchers: 0,
        spectators: 0,
        online: None,
        styles: play.rules().spec().styles.to_vec(),
    }
}

/// The boards on which something has happened.
pub(super) fn touched(events: &[(usize, LogEvent<'_>)]) -> Vec<usize> {
    let mut boards: Vec<usize> = events.iter().map(|(board, _)| *board).collect();
    boards.sort_unstable();
    boards.dedup();
    boards
}

/// What has changed on a board since it was `told`, with `events` in between; it counts as told then.
pub(super) fn board_update(
    play: &Play,
    board: usize,
    events: &[(usize, LogEvent<'_>)],
    told: &mut Told,
    sight: Sight,
) -> BoardUpdate {
    let own = events.iter().filter(|(known, _)| *known == board).map(|(_, event)| *event);
    let kept = own.filter_map(LogEvent::taken_back_to).fold(told.plies, usize::min);
    let game = &play.boards()[board];
    let mut seen = game.session().board();
    let cells = std::mem::take(&mut seen.cells);
    let changed = changed_cells(&told.cells, &cells);
    let total = game.session().len();
    let steps = if total - kept <= SHOWN_STEPS { game.session().steps_since(kept) } else { Vec::new() };
    let plies = ply_states(game, kept, total, sight.hides_help);
    let mut facts = facts(play, board, seen, sight.now);
    let shows_last = plies.iter().zip(&steps).any(|(ply, _)| ply.seat.is_some());
    facts.last = if shows_last { None } else { last_move(game.session()) };
    let must_pass = matches!(facts.moves.as_slice(), [only] if only.kind == StepKind::Pass);
    *told = Told { cells, plies: total, must_pass };
    BoardUpdate { board, kept, plies, steps, cells: changed, facts }
}

impl Told {
    /// A board as it stands.
    pub(super) fn of(game: &Match) -> Self {
        let session = game.session();
        Self { cells: session.board().cells, plies: session.len(), must_pass: forced_pass(game).is_some() }
    }
}

/// A board of what is played.
pub(super) fn board(play: &Play, index: usize) -> Result<&Match, Refused> {
    let unknown = || Refused::plain(RefusalCode::Unknown, "refused.unknown-board");
    play.boards().get(index).ok_or_else(unknown)
}

/// The answer to a question that the rules alone can answer; `None` if it is not such a one.
pub(super) fn answer_by_rules(
    game: &Match,
    id: &str,
    question: &Ask,
) -> Result<Option<ServerMessage>, Refused> {
    let id = id.to_owned();
    Ok(Some(match *question {
        Ask::Hint => return Ok(None),
        Ask::Explain(gesture) => ServerMessage::Explained { id, message: game.session().why_not(gesture) },
        Ask::Look(ply) => {
            let mut past = game.session().fork();
            if ply > past.len() {
                return Err(Refused::plain(RefusalCode::Unknown, "refused.unknown-ply"));
            }
            while past.len() > ply && past.undo() {}
            let mut seen = past.board();
            let picture = Box::new(BoardPicture::of(&mut seen));
            let mut facts = Box::new(session_facts(&*past, seen));
            facts.last = last_move(&*past);
            facts.turn = match past.turn() {
                Turn::Player(seat) if past.outcome().is_none() => Some(seat.index()),
                _ => None,
            };
            ServerMessage::Looked { id, ply, picture, facts }
        }
    }))
}

/// Some plies of a board.
pub(super) fn plies(
    play: &Play,
    index: usize,
    from: usize,
    to: usize,
    hides_help: bool,
) -> Result<PlyList, Refused> {
    let game = board(play, index)?;
    Ok(PlyList { from, plies: ply_states(game, from, to.min(game.session().len()), hides_help) })
}

/// The record of what has been played, as everybody may have it.
pub(super) fn record(play: &Play, created: &str) -> Record {
    let mut record = play.record();
    record.date = Some(created.to_owned());
    if !play.is_over() {
        // From the seed all luck could be foretold.
        record.seed = None;
    }
    record
}
