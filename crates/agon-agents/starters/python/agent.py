"""My agent for {{title}}."""

import random

from agon_agent import GameAgent


class Agent(GameAgent):
    name = "my agent"

    def setup(self, player, game_state, turn_time_limit, setup_time_limit, turns):
        # Called once, before the game. Times are in seconds; turn_time_limit is None if there is no limit.
        self.player = player

    def move(self, game_state):
        # Called for every move. game_state.board is a list of rows, game_state.time_left says how many seconds are left.
        # README.md lists everything else. Replace the next line by something better.
        return random.choice(game_state.legal_actions)
