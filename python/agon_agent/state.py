"""What an agent sees of a game: the position as plain lists, the legal moves, the time."""

import copy
import re
import time
from typing import Any, Dict, List, Optional

from .actions import Action, guessed_notation, notation_of_setup

#: A square or hole without a piece.
EMPTY = "."
#: A place of the grid where the board has none.
NO_HOLE = " "


class GameState:
    """A position, and what is known about the game around it.

    Every call of ``setup`` and ``move`` gets a new object with lists of its own, so an agent may change them as it likes.

    Attributes:
        game: the name of the game, as the referee calls it.
        options: the options of the game as a dictionary of texts, such as ``{"size": "8", "turns": "100"}``.
        position: the position as text, as ``agon show`` prints it.
        board: a list of rows from the top, so that ``board[row][column]`` fits the squares of moves. A square is the letter by
            which the position names its piece, or ``EMPTY``; places of the grid that the board does not have are ``NO_HOLE``.
            In games with numbers on their squares it is a number, 0 if the square is empty.
        size: the number of rows.
        player: the agent's own seat.
        player_to_move: the seat whose turn it is; in ``move`` that is always the agent's own.
        seats: all seats in playing order.
        legal_moves: the legal moves as texts; empty in ``setup``.
        history: the moves played since the position of the setup, those of chance included.
        ply: the number of moves played.
        score: the points so far in games of one player, otherwise None.
        turns: how many turns each player has in this game before it is drawn; None if nothing limits them.
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
        seats: Optional[List[str]] = None,
        turns: Optional[int] = None,
        board: Optional[Dict[str, Any]] = None,
    ) -> None:
        """``board``, ``seats`` and ``turns`` are those of the referee's setup message, which may leave them out."""
        self.game = game
        self.options = dict(pair.split("=", 1) for pair in options.split(",") if "=" in pair)
        self.player = player
        self.position = position
        self.legal_moves = list(legal_moves or [])
        rows, *fields = position.split()
        cells = [_cells(row) for row in rows.split("/")]
        self.board = _on_grid(cells, board["shape"] if board else _guessed_shape(cells))
        self.size = len(self.board)
        self.player_to_move = fields[0] if fields and fields[0].isalpha() else player
        self.seats = list(seats) if seats else _guessed_seats(self.options, player, self.player_to_move)
        self.score = _score(fields) if len(self.seats) == 1 else None
        if turns is None and "turns" in self.options:
            turns = int(self.options["turns"])
        self.turns = turns
        if board:
            self._notation = notation_of_setup(board)
        else:
            self._notation = guessed_notation(self.size, len(self.board[0]), self.legal_moves)
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
        return [self._notation.action_of(text) for text in self.legal_moves]

    @property
    def opponent(self) -> Optional[str]:
        """The other seat in games of two, otherwise None."""
        others = [seat for seat in self.seats if seat != self.player]
        return others[0] if len(others) == 1 else None

    def text_of(self, action: Action) -> str:
        """The text of a move, such as ``7,6-5,6``. A text is returned as it is.

        Raises TypeError for anything that is not a move.
        """
        return self._notation.text_of(action, self.legal_moves)

    def is_legal(self, action: Action) -> bool:
        """Whether a move is among the legal ones."""
        return self.text_of(action) in self.legal_moves

    def copy(self) -> "GameState":
        """A copy that shares nothing with this one."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        cells = [[str(cell) for cell in row] for row in self.board]
        width = max((len(cell) for row in cells for cell in row), default=1)
        gap = "" if width == 1 else " "
        return "\n".join(gap.join(cell.rjust(width) for cell in row) for row in cells)


def _guessed_seats(options: Dict[str, str], player: str, to_move: str) -> List[str]:
    """The seats that are known if the referee does not list them."""
    if "seats" in options:
        return options["seats"].split("/")
    return [player] if player == to_move else [player, to_move]


def _score(fields: List[str]) -> Optional[int]:
    """The first number behind the board of a position, which a sign may follow."""
    numbers = [field.rstrip("+") for field in fields]
    return next((int(number) for number in numbers if number.isdigit()), None)


def _cells(row: str) -> List[Any]:
    """The cells of a row: numbers with commas between them, or letters and the lengths of runs of empty squares."""
    if "," in row:
        return [int(number) for number in row.split(",")]
    cells: List[Any] = []
    for run, piece in re.findall(r"(\d+)|(\D)", row):
        cells.extend([EMPTY] * int(run) if run else [piece])
    return cells


def _on_grid(cells: List[List[Any]], shape: List[str]) -> List[List[Any]]:
    """Puts the cells of each row where the shape of the board has a place."""
    grid: List[List[Any]] = []
    for row, places in zip(cells, shape):
        rest = iter(row)
        grid.append([NO_HOLE if place == NO_HOLE else next(rest, EMPTY) for place in places])
    return grid


def _guessed_shape(cells: List[List[Any]]) -> List[str]:
    """The shape of a board that the referee does not describe. Rows of different lengths are taken to be centred, with neighbours two
    columns apart, as on boards whose places touch six others."""
    lengths = [len(row) for row in cells]
    if len(set(lengths)) == 1:
        return ["." * length for length in lengths]
    width = 2 * max(lengths) - 1
    return [" ".join("." * length).center(width) for length in lengths]
