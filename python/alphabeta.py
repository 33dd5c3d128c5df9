"""The kit's alpha-beta player as an agent of its own: the example that alphabeta-study.toml studies."""

from agon_agent.examples.alphabeta_agent import AlphaBetaAgent


class Agent(AlphaBetaAgent):
    """Plays as the kit's player does."""
