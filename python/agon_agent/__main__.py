"""``python3 -m agon_agent agent.py`` runs the agent of a file; ``random``, ``interactive`` and ``alphabeta`` are agents of the kit."""

import os
import sys
from typing import Dict, List, Optional, Tuple

from .runner import run_file

EXAMPLES = {"random": "random_agent.py", "interactive": "interactive_agent.py", "alphabeta": "alphabeta_agent.py"}

USAGE = """usage: python3 -m agon_agent FILE [--set NAME=VALUE]...

Runs the agent of a Python file for a referee, which speaks on standard input. FILE may also be one of the kit's own agents:
%s.
--set sets a parameter that the agent declares, unless the referee sets it.

To play against an agent:   agon play GAME --players "human,jsonl:python3 -m agon_agent FILE"
To check an agent:          agon agent check 'python3 -m agon_agent FILE' --game GAME""" % ", ".join(EXAMPLES)


def parse(arguments: List[str]) -> Optional[Tuple[str, Dict[str, str]]]:
    """The file and what its parameters are set to; None if the arguments make no sense."""
    files: List[str] = []
    settings: Dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        if argument != "--set":
            files.append(argument)
            continue
        name, sign, value = next(rest, "").partition("=")
        if not sign or not name:
            return None
        settings[name] = value
    is_file = len(files) == 1 and not files[0].startswith("--")
    return (files[0], settings) if is_file else None


def main() -> int:
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    parsed = parse(arguments)
    if parsed is None:
        print(USAGE, file=sys.stderr)
        return 2
    name, settings = parsed
    if name in EXAMPLES and not os.path.exists(name):
        name = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples", EXAMPLES[name])
    return run_file(name, settings)


if __name__ == "__main__":
    sys.exit(main())
