"""What an agent sees of a game: the position as plain lists, the legal moves, the time."""

import copy
import time
from typing import Dict, List, Optional, Tuple

from .actions import Action, action_from_text, text_of_action

#: A square or hole without a piece.
EMPTY = "."
#: A place of the Chinese Checkers grid where the board has no hole.
NO_HOLE = " "

#: The seats in the order of their letters' meaning: whoever begins is said by the position.
_SEATS = {"othello": ["x", "o"], "tablut": ["b", "w"], "loa": ["b", "w"], "2048": ["player"]}

_STAR_WIDTH = 25


class GameState:
    """A position, and what is known about the game around it.

    Every call of ``setup`` and ``move`` gets a new object with lists of its own, so an agent may change them as it likes.

    Attributes:
        game: the name of the game: ``othello``, ``tablut``, ``loa``, ``chinese-checkers`` or ``2048``.
        options: the options of the game as a dictionary of texts, such as ``{"size": "8", "turns": "100"}``.
        position: the position as text, as ``agon show`` prints it.
        board: a list of rows from the top. In Othello, Tablut and Lines of Action each square is a letter (``x``, ``o``;
            ``b``, ``w``, ``k``) or ``EMPTY``. Chinese Checkers has 17 rows of 25 places, so that ``board[row][column]`` fits
            the coordinates of moves; places without a hole are ``NO_HOLE``. In 2048 the squares are numbers, 0 if empty.
        size: the number of rows.
        player: the agent's own seat.
        player_to_move: the seat whose turn it is; in ``move`` that is always the agent's own.
        seats: all seats; in Chinese Checkers in playing order.
        legal_moves: the legal moves as texts; empty in ``setup``.
        history: the moves played since the position of the setup, those of chance included.
        ply: the number of moves played.
        score: the points so far in 2048, otherwise None.
        time_limit: the seconds for this move, None without a limit.
        clock: with a budget for the whole game, a dictionary ``{"left": seconds, "increment": seconds}``, otherwise None.
    """

    def __init__(
        self,
        game: str,
        options: str,
        player: str,
        position: str,
        legal_moves: Optional[List[str]] = None,
        history: Optional[List[str]] = None,
        ply: int = 0,
        time_limit: Optional[float] = None,
        clock: Optional[Dict[str, float]] = None,
        received: Optional[float] = None,
    ) -> None:
        self.game = game
        self.options = dict(pair.split("=", 1) for pair in options.split(",") if "=" in pair)
        self.player = player
        self.position = position
        self.board, self.player_to_move, self.score = _parse(game, position)
        self.size = len(self.board)
        self.seats = _seats(game, self.options, self.player_to_move)
        self.legal_moves = list(legal_moves or [])
        self.history = list(history or [])
        self.ply = ply
        self.time_limit = time_limit
        self.clock = dict(clock) if clock else None
        #: When the referee's message arrived, on the clock of ``time.monotonic``.
        self.received = time.monotonic() if received is None else received

    @property
    def time_left(self) -> Optional[float]:
        """The seconds that are left for this move at this moment; None without a limit."""
        limit = self.time_limit
        if limit is None and self.clock:
            limit = self.clock["left"]
        return None if limit is None else limit - (time.monotonic() - self.received)

    @property
    def legal_actions(self) -> List[Action]:
        """The legal moves as objects, in the order of ``legal_moves``."""
        return [action_from_text(self.game, text) for text in self.legal_moves]

    @property
    def opponent(self) -> Optional[str]:
        """The other seat in games of two, otherwise None."""
        others = [seat for seat in self.seats if seat != self.player]
        return others[0] if len(others) == 1 else None

    @property
    def turns(self) -> Optional[int]:
        """How many turns each player has in this game before it is drawn; None if nothing limits them."""
        if self.game == "tablut" and "limit" in self.options:
            # The limit counts the moves of both sides.
            return (int(self.options["limit"]) + 1) // 2
        limit = self.options.get("turns", self.options.get("rounds"))
        return None if limit is None else int(limit)

    def is_legal(self, action: Action) -> bool:
        """Whether a move is among the legal ones."""
        return text_of_action(self.game, action) in self.legal_moves

    def copy(self) -> "GameState":
        """A copy that shares nothing with this one."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        cells = [[str(cell) for cell in row] for row in self.board]
        width = max((len(cell) for row in cells for cell in row), default=1)
        gap = "" if width == 1 else " "
        return "\n".join(gap.join(cell.rjust(width) for cell in row) for row in cells)


def _seats(game: str, options: Dict[str, str], to_move: str) -> List[str]:
    if "seats" in options:
        return options["seats"].split("/")
    return list(_SEATS.get(game, [to_move]))


def _parse(game: str, position: str) -> Tuple[List[list], str, Optional[int]]:
    """The board of a position, the seat to move, and the score of 2048."""
    fields = position.split()
    rows = fields[0].split("/")
    if game == "2048":
        board = [[int(tile) for tile in row.split(",")] for row in rows]
        return board, "player", int(fields[1].rstrip("+"))
    cells = [_expand(row) for row in rows]
    if game == "chinese-checkers":
        cells = [_star_row(holes) for holes in cells]
    return cells, fields[1], None


def _expand(row: str) -> List[str]:
    """A row with its run lengths written out: ``b2w`` is ``b``, two empty squares, ``w``."""
    cells: List[str] = []
    number = ""
    for char in row + "/":
        if char.isdigit():
            number += char
            continue
        cells.extend([EMPTY] * int(number or 0))
        number = ""
        if char != "/":
            cells.append(char)
    return cells


def _star_row(holes: List[str]) -> List[str]:
    """The holes of a row of the star at their columns: two apart, centred."""
    row = [NO_HOLE] * _STAR_WIDTH
    first = _STAR_WIDTH // 2 - (len(holes) - 1)
    for index, hole in enumerate(holes):
        row[first + 2 * index] = hole
    return row
