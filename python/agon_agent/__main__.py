"""``python3 -m agon_agent agent.py`` runs the agent of a file; ``random``, ``interactive`` and ``alphabeta`` are agents of the kit."""

import os
import sys

from .runner import run_file

EXAMPLES = {"random": "random_agent.py", "interactive": "interactive_agent.py", "alphabeta": "alphabeta_agent.py"}

USAGE = """usage: python3 -m agon_agent FILE

Runs the agent of a Python file for a referee, which speaks on standard input. FILE may also be one of the kit's own agents:
%s.

To play against an agent:   agon play GAME --players "human,jsonl:python3 -m agon_agent FILE"
To check an agent:          agon agent check 'python3 -m agon_agent FILE' --game GAME""" % ", ".join(EXAMPLES)


def main() -> int:
    arguments = sys.argv[1:]
    if arguments in (["--help"], ["-h"]):
        print(USAGE)
        return 0
    if len(arguments) != 1:
        print(USAGE, file=sys.stderr)
        return 2
    name = arguments[0]
    if name in EXAMPLES and not os.path.exists(name):
        name = os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples", EXAMPLES[name])
    return run_file(name)


if __name__ == "__main__":
    sys.exit(main())
