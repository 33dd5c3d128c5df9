"""Random playouts of OpenSpiel's games, timed on request.

Started by agon-bench-peers, which takes turns with it. Says `ready VERSION` when OpenSpiel is loaded. Then
every line `SECONDS GAME` on standard input is answered by `GAMES PLIES SECONDS`: games played to their end
within at least that processor time, their plies (chance draws included) and the time they took.
"""

import random
import sys
import time
from importlib.metadata import version

import pyspiel


def playout(game):
    """Plays one random game and says how many plies it had."""
    state = game.new_initial_state()
    plies = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            action = random.choices(outcomes, weights)[0]
        else:
            action = random.choice(state.legal_actions())
        state.apply_action(action)
        plies += 1
    return plies


def timed(game, seconds):
    """Plays games for at least `seconds`."""
    games = plies = 0
    start = time.thread_time()
    elapsed = 0.0
    while elapsed < seconds:
        plies += playout(game)
        games += 1
        elapsed = time.thread_time() - start
    return games, plies, elapsed


def main():
    random.seed(1)
    print("ready", version("open_spiel"), flush=True)
    for line in sys.stdin:
        seconds, name = line.split(maxsplit=1)
        print(*timed(pyspiel.load_game(name.strip()), float(seconds)), flush=True)


if __name__ == "__main__":
    main()
