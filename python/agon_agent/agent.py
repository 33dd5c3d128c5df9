"""The class that agents are made of."""

from typing import Any, Dict, Optional

from .actions import Action
from .parameters import declared_by, values
from .state import GameState


class GameAgent:
    """An agent for one seat of one game.

    A new object is made for every game. Write ``move``; ``setup`` and ``end`` are optional.
    """

    #: What the agent calls itself. The name of the class if it is left out.
    name: Optional[str] = None

    #: What can be set from outside: ``parameters = {"tt": Int(20, 0, 26), "ordering": Choice("none", "history")}``.
    #: In an object, and so in every method, ``self.parameters`` holds the values: ``self.parameters["tt"]``.
    parameters: Dict[str, Any] = {}

    def __new__(cls, *arguments: Any, **named: Any) -> "GameAgent":
        agent = super().__new__(cls)
        # What is not set has its default, also in tests that make agents of their own.
        agent.parameters = values(declared_by(cls))
        return agent

    def setup(
        self,
        player: str,
        game_state: GameState,
        turn_time_limit: Optional[float],
        setup_time_limit: float,
        turns: Optional[int],
    ) -> None:
        """Prepares for a game, within ``setup_time_limit`` seconds.

        player: the agent's seat, by the name that positions give it.
        game_state: the position that the game starts from; ``game_state.size`` is the size of the board.
        turn_time_limit: the seconds for each move; None without a limit.
        turns: how many turns each player has; None without a limit.
        """

    def move(self, game_state: GameState) -> Action:
        """Chooses a move, within ``game_state.time_left`` seconds.

        Returns a MoveAction, a SpinAction, a PlaceAction or the text of a move from ``game_state.legal_moves``.
        """
        raise NotImplementedError("write the method move(self, game_state)")

    def end(self, outcome: str, reason: str, rank: Optional[int]) -> None:
        """Hears how the game ended, and has a second to clean up.

        outcome: ``won``, ``lost`` or ``drawn``.
        rank: the agent's place from 1 in games of three or more seats, otherwise None.
        """

    def report(
        self,
        score: Optional[float] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        comment: Any = None,
        **counters: float,
    ) -> None:
        """Called from ``move``: what the agent thinks of its move, for the record of the game and for studies.

        depth: how many plies it looked ahead.
        nodes: how many positions it looked at.
        counters: numbers of your own, such as ``cutoffs=120, table_hits=33``; studies show their means.
        """
        remarks = {"score": score, "depth": depth, "nodes": nodes, "comment": comment, "counters": counters or None}
        self._remarks: Dict[str, Any] = {key: value for key, value in remarks.items() if value is not None}

    def _take_remarks(self) -> Dict[str, Any]:
        """What was reported since the last move."""
        remarks, self._remarks = getattr(self, "_remarks", {}), {}
        return remarks
