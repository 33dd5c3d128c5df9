"""An agent that plays any legal move of any game."""

import random

from agon_agent import GameAgent


class RandomAgent(GameAgent):
    name = "random"

    def move(self, game_state):
        return random.choice(game_state.legal_moves)
