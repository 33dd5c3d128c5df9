"""Write agents for Agon's board games.

An agent is a class in a file of its own::

    from agon_agent import GameAgent

    class Agent(GameAgent):
        def move(self, game_state):
            return game_state.legal_moves[0]

Run it with ``python3 -m agon_agent agent.py``, and let a referee run that command:
``agon agent check 'python3 -m agon_agent agent.py' --game GAME``.
"""

from .actions import PASS, MoveAction, PlaceAction, SpinAction
from .agent import GameAgent
from .parameters import Bool, Choice, Float, Int, Text
from .runner import run
from .state import EMPTY, NO_HOLE, GameState

__all__ = [
    "EMPTY",
    "NO_HOLE",
    "PASS",
    "Bool",
    "Choice",
    "Float",
    "GameAgent",
    "GameState",
    "Int",
    "MoveAction",
    "PlaceAction",
    "SpinAction",
    "Text",
    "run",
]
