"""An agent that asks a person.

Standard input and output belong to the referee, so it talks on a terminal: the one that the referee was started from, or the
one that the variable AGON_AGENT_TTY names. In a second window, ``tty`` prints that window's name and ``sleep infinity`` keeps its
shell from reading what you type::

    AGON_AGENT_TTY=/dev/pts/3 agon duel GAME easy 'jsonl:python3 -m agon_agent interactive' --games 1 --time own
"""

import os
import signal

from agon_agent import GameAgent


class Terminal:
    """A terminal that can be read even by a process in the background."""

    def __init__(self, path):
        self.output = open(path, "w", encoding="utf-8")
        self.input = open(path, encoding="utf-8")

    def say(self, text):
        self.output.write(text + "\n")
        self.output.flush()

    def ask(self, question):
        """Asks for a line; None at the end of the input."""
        # On a line of its own, since a referee may draw its progress on the same terminal.
        self.say(question)
        previous = self.take_over()
        try:
            line = self.input.readline()
        finally:
            if previous is not None:
                os.tcsetpgrp(self.input.fileno(), previous)
        return line.strip() if line else None

    def take_over(self):
        """Puts this process into the terminal's foreground, because the system stops others that read. Returns who was there."""
        # The same goes for those that take over, unless they ignore the signal.
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        try:
            previous = os.tcgetpgrp(self.input.fileno())
            os.tcsetpgrp(self.input.fileno(), os.getpgrp())
            return previous
        except OSError:
            # Another window's terminal cannot be taken over, and does not have to be.
            return None


class InteractiveAgent(GameAgent):
    name = "person"

    def setup(self, player, game_state, turn_time_limit, setup_time_limit, turns):
        self.terminal = Terminal(os.environ.get("AGON_AGENT_TTY", "/dev/tty"))
        limit = "without a time limit" if turn_time_limit is None else "with %g s for each move" % turn_time_limit
        self.terminal.say("A game of %s begins: you are %s, %s." % (game_state.game, player, limit))

    def move(self, game_state):
        self.terminal.say("")
        for number, row in enumerate(str(game_state).split("\n")):
            self.terminal.say("%3d  %s" % (number, row))
        if game_state.history:
            self.terminal.say("The last move was %s." % game_state.history[-1])
        while True:
            text = self.terminal.ask("Your move as %s (? lists the legal ones):" % game_state.player)
            if text is None:
                raise EOFError("nobody is at the terminal any more")
            if text in game_state.legal_moves:
                return text
            if text != "?":
                self.terminal.say("%r is not a legal move." % text)
            self.terminal.say("Legal: " + " ".join(game_state.legal_moves))

    def end(self, outcome, reason, rank):
        self.terminal.say("The game is over: %s (%s)." % (outcome, reason))
