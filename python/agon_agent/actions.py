"""Moves as objects, and how each game writes them.

Squares are pairs ``(row, column)``, both from 0, row 0 at the top: the square of ``board[row][column]``. A move can always be
given as its text instead, as it appears in ``GameState.legal_moves``.
"""

import re
from dataclasses import dataclass
from typing import Tuple, Union

Square = Tuple[int, int]

#: The move of a player who has no other.
PASS = "pass"


@dataclass(frozen=True)
class MoveAction:
    """A piece goes from one square to another: Lines of Action, Tablut and Chinese Checkers."""

    source: Square
    target: Square


@dataclass(frozen=True)
class SpinAction:
    """Turns a 2x2 block of Lines of Action clockwise. The block is named by its top left square."""

    corner: Square


@dataclass(frozen=True)
class PlaceAction:
    """Puts a disc on a square: Othello."""

    square: Square


Action = Union[MoveAction, SpinAction, PlaceAction, str]


def text_of_action(game: str, action: Action) -> str:
    """The text of a move, such as ``7,6-5,6``. A text is returned as it is.

    Raises TypeError for anything that is not a move.
    """
    if isinstance(action, str):
        return action
    if isinstance(action, MoveAction):
        start, end = _square(action.source), _square(action.target)
        if game == "loa":
            return "%d,%d-%d,%d" % (*start, *end)
        if game == "chinese-checkers":
            return "%02d%02d-%02d%02d" % (*start, *end)
        return _name(start) + _name(end)
    if isinstance(action, SpinAction):
        return "@%d,%d" % _square(action.corner)
    if isinstance(action, PlaceAction):
        return _name(_square(action.square))
    raise TypeError(
        "a move must be a MoveAction, a SpinAction, a PlaceAction or the text of a move, not %r" % (action,)
    )


def action_from_text(game: str, text: str) -> Action:
    """The move that a text stands for; a text without squares, such as ``pass`` or ``left``, stays a text."""
    if game == "loa":
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if text.startswith("@"):
            return SpinAction((numbers[0], numbers[1]))
        if len(numbers) == 4:
            return MoveAction((numbers[0], numbers[1]), (numbers[2], numbers[3]))
    elif game == "chinese-checkers":
        found = re.fullmatch(r"(\d\d)(\d\d)-(\d\d)(\d\d)", text)
        if found:
            row, column, to_row, to_column = map(int, found.groups())
            return MoveAction((row, column), (to_row, to_column))
    elif game in ("othello", "tablut"):
        names = re.fullmatch(r"([a-z])(\d+)(?:([a-z])(\d+))?", text)
        if names:
            column, row, to_column, to_row = names.groups()
            first = (int(row) - 1, ord(column) - ord("a"))
            if to_column is None:
                return PlaceAction(first)
            return MoveAction(first, (int(to_row) - 1, ord(to_column) - ord("a")))
    return text


def _square(square: Square) -> Square:
    """The square, if it is one."""
    try:
        row, column = square
        # Numbers of other kinds, such as those of numpy, are taken too.
        return int(row), int(column)
    except (TypeError, ValueError):
        raise TypeError("a square must be a pair (row, column), not %r" % (square,)) from None


def _name(square: Square) -> str:
    """A square as Othello and Tablut name it: column letter and row number from 1."""
    row, column = square
    return "%s%d" % (chr(ord("a") + column), row + 1)
