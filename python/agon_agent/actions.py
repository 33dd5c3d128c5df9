"""Moves as objects, and how they are written.

Squares are pairs ``(row, column)``, both from 0, row 0 at the top: the square of ``board[row][column]``. A move can always be
given as its text instead, as it appears in ``GameState.legal_moves``.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict, List, Sequence, Tuple, Union

Square = Tuple[int, int]

#: The move of a player who has no other.
PASS = "pass"


@dataclass(frozen=True)
class MoveAction:
    """A piece goes from one square to another."""

    source: Square
    target: Square


@dataclass(frozen=True)
class SpinAction:
    """Turns a 2x2 block clockwise. The block is named by its top left square."""

    corner: Square


@dataclass(frozen=True)
class PlaceAction:
    """Puts a piece on a square."""

    square: Square


Action = Union[MoveAction, SpinAction, PlaceAction, str]


class MoveNotation:
    """How the moves of a game name squares, as the referee's setup message describes it.

    A move is the name of a square (``PlaceAction``), the names of two squares, with or without a hyphen between them
    (``MoveAction``), or ``@`` and the name of a square (``SpinAction``). Any other move, such as ``pass`` or ``left``, stays a text.
    """

    def __init__(self, places: str, rows: Sequence[str], columns: Sequence[str]) -> None:
        """``places`` is such as ``{column}{row}``; the others are the names of the rows from the top and of the columns."""
        self._names: Dict[Square, str] = {}
        for row, row_name in enumerate(rows):
            for column, column_name in enumerate(columns):
                name = places.replace("{row}", row_name).replace("{column}", column_name)
                self._names[row, column] = name
        self._squares = {name: square for square, name in self._names.items()}
        # Names that end and begin with digits cannot follow one another without a hyphen.
        self._separator = "-" if self._squares and next(iter(self._squares))[0].isdigit() else ""

    def action_of(self, text: str) -> Action:
        """The move that a text stands for; a text without squares stays a text."""
        if text in self._squares:
            return PlaceAction(self._squares[text])
        if text[:1] == "@" and text[1:] in self._squares:
            return SpinAction(self._squares[text[1:]])
        for end in range(1, len(text)):
            source, target = text[:end], text[end:]
            if source in self._squares:
                target = target[1:] if target[0] == "-" else target
                if target in self._squares:
                    return MoveAction(self._squares[source], self._squares[target])
        return text

    def text_of(self, action: Action, legal_moves: Sequence[str] = ()) -> str:
        """The text of a move, as ``legal_moves`` write it if it is one of them. A text is returned as it is.

        Raises TypeError for anything that is not a move.
        """
        if isinstance(action, str):
            return action
        action = _checked(action)
        if isinstance(action, MoveAction):
            text = self._name(action.source) + self._separator + self._name(action.target)
        elif isinstance(action, SpinAction):
            text = "@" + self._name(action.corner)
        else:
            text = self._name(action.square)
        if text in legal_moves:
            return text
        return next((legal for legal in legal_moves if self.action_of(legal) == action), text)

    def __deepcopy__(self, _memo: Any) -> "MoveNotation":
        # It never changes, so copies of a state may share it.
        return self

    def _name(self, square: Square) -> str:
        # Such a move is not legal; the referee and the author are to see which square was meant.
        return self._names.get(square, "(%d,%d)" % square)


def notation_of_setup(board: Dict[str, Any]) -> MoveNotation:
    """The notation that the field ``board`` of a setup message describes."""
    return _notation(board["places"], tuple(board["rows"]), tuple(board["columns"]))


@lru_cache(maxsize=8)
def _notation(places: str, rows: Tuple[str, ...], columns: Tuple[str, ...]) -> MoveNotation:
    """Every message of a game needs the same one."""
    return MoveNotation(places, rows, columns)


def guessed_notation(rows: int, columns: int, legal_moves: Sequence[str]) -> MoveNotation:
    """The notation for a referee whose setup message does not describe it: the one that fits the legal moves."""
    from_zero = tuple(str(number) for number in range(max(rows, columns)))
    two_digits = tuple(number.zfill(2) for number in from_zero)
    from_one = tuple(str(number + 1) for number in range(rows))
    letters = tuple(chr(ord("a") + number) for number in range(min(columns, 26)))
    candidates: List[MoveNotation] = [
        _notation("{row},{column}", from_zero[:rows], from_zero[:columns]),
        _notation("{row}{column}", two_digits[:rows], two_digits[:columns]),
        _notation("{column}{row}", from_one, letters),
    ]
    return max(candidates, key=lambda notation: sum(notation.action_of(move) != move for move in legal_moves))


def _checked(action: Action) -> Action:
    """The move with its squares as pairs of plain numbers."""
    if isinstance(action, MoveAction):
        return MoveAction(_square(action.source), _square(action.target))
    if isinstance(action, SpinAction):
        return SpinAction(_square(action.corner))
    if isinstance(action, PlaceAction):
        return PlaceAction(_square(action.square))
    raise TypeError(
        "a move must be a MoveAction, a SpinAction, a PlaceAction or the text of a move, not %r" % (action,)
    )


def _square(square: Square) -> Square:
    """The square, if it is one."""
    try:
        row, column = square
        # Numbers of other kinds, such as those of numpy, are taken too.
        return int(row), int(column)
    except (TypeError, ValueError):
        raise TypeError("a square must be a pair (row, column), not %r" % (square,)) from None
