"""Runs an agent for a referee: the agent protocol, one JSON object per line.

Standard output belongs to the protocol, and anything else on it costs the game. So while an agent runs, whatever it prints goes
to standard error, which is kept for its author, and it has no standard input to read from.
"""

import importlib.util
import inspect
import json
import os
import sys
import time
import traceback
from typing import Any, Dict, Iterable, List, Optional, Type

from .agent import GameAgent
from .parameters import ParameterError, declarations, declared_by, values
from .state import GameState


class AgentError(Exception):
    """A fault of the agent that can be explained without a traceback."""


def run(agent_class: Type[GameAgent]) -> None:
    """Plays as the referee on standard input says, until it closes the input. Ends the program if the agent fails.

    For files that are started directly::

        if __name__ == "__main__":
            agon_agent.run(Agent)
    """
    sys.exit(serve(lambda: agent_class, Pipes()))


def run_file(path: str, settings: Optional[Dict[str, str]] = None) -> int:
    """Runs the agent of a file and returns the exit code. What the file prints while it is loaded does no harm either.

    settings: what its parameters are set to, unless the referee sets them.
    """
    pipes = Pipes()
    return serve(lambda: find_agent(path), pipes, settings or {})


class Pipes:
    """The referee's pipes, taken away from everything else in this process."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._input = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
        self._output = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # The descriptor itself is turned round, so that programs and libraries in C cannot print on it either.
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        sys.stdin = _NoInput()

    def lines(self) -> Iterable[str]:
        """What the referee says, line by line."""
        # Iterating over a file would read ahead.
        return iter(self._input.readline, "")

    def say(self, message: Dict[str, Any]) -> None:
        """Answers the referee."""
        data = (json.dumps(message) + "\n").encode("utf-8")
        while data:
            data = data[os.write(self._output, data) :]


class _NoInput:
    """Stands where standard input was."""

    def __getattr__(self, name: str) -> Any:
        raise AgentError("an agent has no standard input: the referee speaks on it")

    def __iter__(self) -> Any:
        raise AgentError("an agent has no standard input: the referee speaks on it")


def serve(find: Any, pipes: Any, settings: Optional[Dict[str, str]] = None) -> int:
    """Plays until the input ends; returns the exit code. `find` returns the agent's class."""
    try:
        agent_class = find()
        values(declared_by(agent_class), settings or {})
        _play(agent_class, pipes, settings or {})
    except BrokenPipeError:
        # The referee has gone, and with it everybody who wanted an answer.
        return 0
    except (AgentError, ParameterError) as error:
        _complain(str(error))
        return 1
    except SystemExit as error:
        _complain("the agent ended the program (exit code %r)" % (error.code,))
        return 1
    except KeyboardInterrupt:
        return 130
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _play(agent_class: Type[GameAgent], pipes: Any, settings: Dict[str, str]) -> None:
    agent: Optional[GameAgent] = None
    setup: Dict[str, Any] = {}
    for line in pipes.lines():
        received = time.monotonic()
        try:
            message = json.loads(line)
            kind = message["type"]
        except (ValueError, TypeError, KeyError):
            _complain("the referee said something that is no message: %r" % line[:200])
            continue
        if kind == "setup":
            # Nothing is remembered from one game to the next.
            setup, declared = message, declared_by(agent_class)
            # What the referee sets wins over the command line.
            chosen = values(declared, settings, setup.get("parameters") or {})
            agent = agent_class.__new__(agent_class)
            agent.parameters = chosen
            agent.__init__()  # type: ignore[misc]
            state = _state(setup, setup, received)
            agent.setup(
                setup["seat"], state, setup.get("time_per_move"), setup.get("setup_time"), state.turns
            )
            ready: Dict[str, Any] = {"type": "ready", "name": str(agent.name or agent_class.__name__)}
            if declared:
                ready["parameters"] = declarations(declared)
            pipes.say(ready)
        elif kind == "move" and agent is not None:
            state = _state(setup, message, received)
            choice = agent.move(state)
            try:
                text = state.text_of(choice)
            except TypeError as error:
                raise AgentError("%s.move returned no move: %s" % (agent_class.__name__, error)) from None
            if text not in message["legal"]:
                # The referee judges; the agent's author wants to know where it happened.
                _complain("the move %s is not legal in the position %s" % (text, state.position))
            remarks = agent._take_remarks()
            try:
                pipes.say({"type": "move", "move": text, **remarks})
            except (TypeError, ValueError) as error:
                raise AgentError("what the agent reported about its move cannot be written as JSON: %s" % error)
        elif kind == "result" and agent is not None:
            agent.end(message["outcome"], message["reason"], message.get("rank"))
            agent = None
        else:
            _complain("a message of the type %r is not expected now" % (kind,))


def _state(setup: Dict[str, Any], message: Dict[str, Any], received: float) -> GameState:
    """The state that a message tells of."""
    return GameState(
        setup["game"],
        setup["options"],
        setup["seat"],
        message["position"],
        legal_moves=message.get("legal"),
        history=message.get("history"),
        ply=message.get("ply", 0),
        time_limit=message.get("time"),
        clock=message.get("clock"),
        received=received,
        seats=setup.get("seats"),
        turns=setup.get("turns"),
        board=setup.get("board"),
    )


def find_agent(path: str) -> Type[GameAgent]:
    """The agent of a file: the one class that is made from GameAgent there."""
    path = os.path.abspath(path)
    if not os.path.isfile(path):
        raise AgentError("there is no file %s" % path)
    # The agent's own modules are found beside it, as if it had been started directly.
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise AgentError("%s is not a Python file: its name must end in .py" % path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return _choose(vars(module).values(), module.__name__, path)


def _choose(values: Iterable[Any], module: str, path: str) -> Type[GameAgent]:
    candidates: List[Type[GameAgent]] = []
    for value in values:
        if inspect.isclass(value) and issubclass(value, GameAgent) and value.__module__ == module:
            if value not in candidates:
                candidates.append(value)
    # A class that others are made from is a help for them, not an agent.
    leaves = [one for one in candidates if not any(other is not one and issubclass(other, one) for other in candidates)]
    if len(leaves) == 1:
        return leaves[0]
    if not leaves:
        raise AgentError("%s has no agent: write a class that is made from GameAgent" % path)
    names = ", ".join(sorted(leaf.__name__ for leaf in leaves))
    raise AgentError("%s has more than one agent: %s; leave one of them" % (path, names))


def _complain(fault: str) -> None:
    print("agon_agent: " + fault, file=sys.stderr, flush=True)
