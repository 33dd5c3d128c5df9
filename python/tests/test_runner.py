"""An agent as a referee sees it: a process that answers line by line."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGE = os.path.dirname(HERE)

START = "1bbb1/w3w/w3w/w3w/1bbb1 b 0"
SETUP = {
    "type": "setup",
    "game": "loa",
    "options": "size=5,turns=20,rules=rotating,first=black",
    "seat": "b",
    "position": START,
    "time_per_move": 1.0,
    "setup_time": 10.0,
}
MOVE = {"type": "move", "position": START, "ply": 0, "history": [], "legal": ["0,1-2,1", "@0,0"], "time": 1.0}
RESULT = {"type": "result", "outcome": "won", "reason": "connected"}


class Referee(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def play(self, source, messages, *, direct=False, raw=None):
        """Runs an agent on messages: what it answered, what it said on standard error, and its exit code."""
        path = os.path.join(self.folder, "agent.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(source))
        command = [sys.executable, path] if direct else [sys.executable, "-m", "agon_agent", path]
        return self.run_command(command, messages, raw)

    def run_command(self, command, messages, raw=None):
        text = raw if raw is not None else "".join(json.dumps(message) + "\n" for message in messages)
        environment = dict(os.environ, PYTHONPATH=PACKAGE, PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, env=environment, cwd=self.folder, timeout=60
        )
        return [json.loads(line) for line in done.stdout.splitlines()], done.stderr, done.returncode


PARAMETERS = """
    from agon_agent import Bool, Choice, Float, GameAgent, Int, Text

    class Mine(GameAgent):
        parameters = {
            "tt": Int(20, 0, 26),
            "share": Float(0.5, 0),
            "quiet": Bool(False),
            "ordering": Choice("none", "history"),
            "label": Text(),
        }

        def __init__(self):
            self.comment = dict(self.parameters)

        def move(self, game_state):
            self.report(depth=3, nodes=120, comment=self.comment, cutoffs=7, hits=0.5)
            return game_state.legal_moves[0]
"""


class Parameters(Referee):
    def values(self, arguments, setup):
        path = os.path.join(self.folder, "agent.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(PARAMETERS))
        command = [sys.executable, "-m", "agon_agent", path, *arguments]
        return self.run_command(command, [{**SETUP, **setup}, MOVE])

    def test_parameters_are_declared_and_have_their_defaults(self):
        [ready, move], errors, code = self.values([], {})
        self.assertEqual((errors, code), ("", 0))
        self.assertEqual(
            ready["parameters"],
            {
                "tt": {"type": "int", "default": 20, "min": 0, "max": 26},
                "share": {"type": "float", "default": 0.5, "min": 0},
                "quiet": {"type": "bool", "default": False},
                "ordering": {"type": "choice", "default": "none", "choices": ["none", "history"]},
                "label": {"type": "text", "default": ""},
            },
        )
        self.assertEqual(
            move["comment"], {"tt": 20, "share": 0.5, "quiet": False, "ordering": "none", "label": ""}
        )
        self.assertEqual((move["depth"], move["nodes"], move["counters"]), (3, 120, {"cutoffs": 7, "hits": 0.5}))

    def test_the_setup_wins_over_the_command_line(self):
        arguments = ["--set", "tt=22", "--set", "quiet=on", "--set", "label=a=b"]
        [_, move], _, _ = self.values(arguments, {"parameters": {"tt": 25, "share": 1, "ordering": "history"}})
        self.assertEqual(
            move["comment"], {"tt": 25, "share": 1.0, "quiet": True, "ordering": "history", "label": "a=b"}
        )

    def test_unknown_and_bad_ones_are_named(self):
        for arguments, setup, expected in [
            (["--set", "tt=27"], {}, "parameter tt: 27 does not fit; expected a whole number from 0 to 26"),
            (["--set", "ordrng=none"], {}, "the agent has no parameter ordrng; expected ordering"),
            ([], {"parameters": {"share": "x"}}, "parameter share: x does not fit; expected a number of at least 0"),
            ([], {"parameters": {"share": float("inf")}}, "a number of at least 0"),
            ([], {"parameters": {"tt": 1.5}}, "parameter tt: 1.5 does not fit"),
            ([], {"parameters": {"quiet": "perhaps"}}, "true or false"),
            ([], {"parameters": {"ordering": "histroy"}}, "parameter ordering: histroy does not fit; expected history"),
        ]:
            answers, errors, code = self.values(arguments, setup)
            self.assertEqual((answers, code), ([], 1), errors)
            self.assertIn("agon_agent: ", errors)
            self.assertIn(expected, errors)

    def test_the_command_line_is_read_strictly(self):
        for arguments in [["--set"], ["--set", "tt"], ["--set", "=1"], ["other.py"]]:
            answers, errors, code = self.values(arguments, {})
            self.assertEqual((answers, code), ([], 2), arguments)
            self.assertIn("usage:", errors)

    def test_an_agent_whose_parameters_are_something_else_is_told(self):
        source = "from agon_agent import GameAgent\n\nclass Mine(GameAgent):\n    parameters = {'tt': 20}\n"
        answers, errors, code = self.play(source, [SETUP])
        self.assertEqual((answers, code), ([], 1))
        self.assertIn("Mine.parameters is no declaration", errors)


class Games(Referee):
    def test_a_game_from_setup_to_result(self):
        answers, errors, code = self.play(
            """
            from agon_agent import GameAgent, SpinAction

            class Mine(GameAgent):
                name = "my agent"

                def setup(self, player, game_state, turn_time_limit, setup_time_limit, turns):
                    assert (player, turn_time_limit, setup_time_limit, turns) == ("b", 1.0, 10.0, 20)
                    assert game_state.size == 5 and game_state.legal_moves == []

                def move(self, game_state):
                    assert game_state.legal_moves == ["0,1-2,1", "@0,0"] and 0 < game_state.time_left <= 1
                    self.report(score=0.5, depth=3)
                    return SpinAction((0, 0))

                def end(self, outcome, reason, rank):
                    assert (outcome, reason, rank) == ("won", "connected", None)
            """,
            [SETUP, MOVE, RESULT],
        )
        self.assertEqual(errors, "")
        self.assertEqual(code, 0)
        self.assertEqual(
            answers,
            [
                {"type": "ready", "name": "my agent"},
                {"type": "move", "move": "@0,0", "score": 0.5, "depth": 3},
            ],
        )

    def test_every_move_gets_a_board_of_its_own_and_every_game_an_agent_of_its_own(self):
        answers, errors, code = self.play(
            """
            from agon_agent import GameAgent

            class Mine(GameAgent):
                moves = 0

                def move(self, game_state):
                    self.moves += 1
                    found = (self.moves, game_state.board[0][0], len(game_state.legal_moves))
                    game_state.board[0][0] = "b"
                    game_state.legal_moves.clear()
                    self.report(comment=found)
                    return "@0,0"
            """,
            [SETUP, MOVE, MOVE, RESULT, SETUP, MOVE],
        )
        comments = [answer["comment"] for answer in answers if answer["type"] == "move"]
        self.assertEqual(comments, [[1, ".", 2], [2, ".", 2], [1, ".", 2]])
        self.assertEqual((errors, code), ("", 0))

    def test_fields_and_messages_that_are_unknown_are_passed_over(self):
        answers, errors, code = self.play(
            """
            from agon_agent import GameAgent

            class Mine(GameAgent):
                def move(self, game_state):
                    return game_state.legal_moves[0]
            """,
            [dict(SETUP, new=[1]), {"type": "news"}, dict(MOVE, new={"a": None}, time=None, clock={"left": 9.5, "increment": 0.1})],
        )
        self.assertEqual([answer["type"] for answer in answers], ["ready", "move"])
        self.assertIn("'news'", errors)
        self.assertEqual(code, 0)

    def test_the_kits_own_agents_are_called_by_name(self):
        for name in ["random", "alphabeta"]:
            command = [sys.executable, "-m", "agon_agent", name]
            answers, errors, code = self.run_command(command, [SETUP, dict(MOVE, time=0.01), RESULT])
            self.assertEqual((answers[0]["type"], answers[0]["name"]), ("ready", name))
            self.assertEqual((code, len(answers)), (0, 2), errors)

    def test_an_interactive_agent_without_a_terminal_says_so(self):
        # A session of its own has no terminal.
        code = "import os, sys; os.setsid(); os.execv(sys.executable, [sys.executable, '-m', 'agon_agent', 'interactive'])"
        command = [sys.executable, "-c", "import os\nif os.fork():\n    os._exit(os.waitstatus_to_exitcode(os.wait()[1]))\n" + code]
        answers, errors, status = self.run_command(command, [SETUP])
        self.assertEqual((answers, status), ([], 1))
        self.assertIn("/dev/tty", errors)


class SixthGame(Referee):
    """A game that Agon does not have: the kit knows of it what the setup message says, and nothing else."""

    SETUP = {
        "type": "setup",
        "game": "connect-four",
        "options": "size=7x6",
        "seat": "r",
        "position": "7/7/7/7/7/3y3 r 1",
        "time_per_move": 1.0,
        "setup_time": 10.0,
        "seats": ["y", "r"],
        "turns": 21,
        "board": {
            "places": "{column}{row}",
            "rows": ["6", "5", "4", "3", "2", "1"],
            "columns": ["a", "b", "c", "d", "e", "f", "g"],
            "shape": ["......."] * 6,
        },
    }
    MOVE = {
        "type": "move",
        "position": "7/7/7/7/7/3y3 r 1",
        "ply": 1,
        "history": ["d1"],
        "legal": ["a1", "b1", "c1", "d2", "e1", "f1", "g1"],
        "time": 1.0,
    }

    def test_boards_seats_and_moves_are_those_of_the_setup(self):
        answers, errors, code = self.play(
            """
            from agon_agent import EMPTY, GameAgent, PlaceAction

            class Mine(GameAgent):
                def setup(self, player, game_state, turn_time_limit, setup_time_limit, turns):
                    assert (player, game_state.opponent, game_state.seats, turns) == ("r", "y", ["y", "r"], 21)
                    assert (game_state.player_to_move, game_state.size, game_state.score) == ("r", 6, None)

                def move(self, game_state):
                    board = game_state.board
                    row, column = 5, board[5].index("y")
                    drops = [(max(row for row in range(6) if board[row][c] == EMPTY), c) for c in range(7)]
                    assert game_state.legal_actions == [PlaceAction(square) for square in drops]
                    return PlaceAction((row - 1, column))
            """,
            [self.SETUP, self.MOVE, dict(RESULT, reason="four in a row")],
        )
        self.assertEqual((errors, code), ("", 0))
        self.assertEqual(answers[1], {"type": "move", "move": "d2"})

    def test_the_random_agent_plays_it(self):
        command = [sys.executable, "-m", "agon_agent", "random"]
        answers, errors, code = self.run_command(command, [self.SETUP, self.MOVE, RESULT])
        self.assertEqual((errors, code), ("", 0))
        self.assertIn(answers[1]["move"], self.MOVE["legal"])


class Output(Referee):
    PRINTS = """
        import os, subprocess, sys
        print("at import")
        from agon_agent import GameAgent, run

        class Mine(GameAgent):
            def setup(self, *arguments):
                print("in setup")

            def move(self, game_state):
                print("in move")
                sys.stdout.write("written\\n")
                sys.__stdout__.write("by the original\\n")
                os.write(1, b"by the descriptor\\n")
                subprocess.run(["echo", "by another program"])
                return "@0,0"
        """

    def test_what_an_agent_prints_goes_to_standard_error(self):
        answers, errors, code = self.play(self.PRINTS, [SETUP, MOVE, RESULT])
        self.assertEqual([answer["type"] for answer in answers], ["ready", "move"])
        for line in ["at import", "in setup", "in move", "written", "by the original", "by the descriptor", "by another program"]:
            self.assertIn(line + "\n", errors)
        self.assertEqual(code, 0)

    def test_an_agent_cannot_read_the_referees_messages(self):
        for read in ["input()", "sys.stdin.readline()", "next(iter(sys.stdin))"]:
            source = """
                import sys
                from agon_agent import GameAgent

                class Mine(GameAgent):
                    def move(self, game_state):
                        return %s
                """
            answers, errors, code = self.play(source % read, [SETUP, MOVE, MOVE])
            self.assertEqual([answer["type"] for answer in answers], ["ready"], read)
            self.assertIn("no standard input", errors)
            self.assertEqual(code, 1)


class Failures(Referee):
    def fails(self, body, expected, answers=1):
        source = "from agon_agent import GameAgent\nclass Mine(GameAgent):\n    def move(self, game_state):\n        " + body
        found, errors, code = self.play(source, [SETUP, MOVE, MOVE])
        self.assertEqual(code, 1, errors)
        self.assertEqual(len(found), answers)
        self.assertIn(expected, errors)
        return errors

    def test_an_exception_is_shown_with_its_place(self):
        errors = self.fails("return 1 / 0", "ZeroDivisionError")
        self.assertIn("agent.py", errors)
        self.assertIn("line 4", errors)

    def test_no_move(self):
        self.fails("pass", "Mine.move returned no move: a move must be a MoveAction")

    def test_an_exit(self):
        self.fails("raise SystemExit(0)", "the agent ended the program")

    def test_a_report_that_is_no_json(self):
        self.fails("self.report(comment={1, 2}); return '@0,0'", "cannot be written as JSON")

    def test_an_illegal_move_is_sent_and_explained(self):
        source = "from agon_agent import GameAgent\nclass Mine(GameAgent):\n    def move(self, game_state):\n        return '9,9-9,9'"
        answers, errors, code = self.play(source, [SETUP, MOVE])
        self.assertEqual(answers[-1]["move"], "9,9-9,9")
        self.assertIn("9,9-9,9 is not legal", errors)
        self.assertEqual(code, 0)

    def test_a_move_that_was_not_written(self):
        source = "from agon_agent import GameAgent\nclass Mine(GameAgent):\n    pass\n"
        _, errors, code = self.play(source, [SETUP, MOVE])
        self.assertIn("write the method move", errors)
        self.assertEqual(code, 1)

    def test_lines_that_are_no_messages(self):
        source = "from agon_agent import GameAgent\nclass Mine(GameAgent):\n    pass\n"
        answers, errors, code = self.play(source, [], raw="hello\n[]\n{}\n" + json.dumps(MOVE) + "\n")
        self.assertEqual((answers, code), ([], 0))
        self.assertEqual(errors.count("agon_agent: "), 4)


class Files(Referee):
    def test_an_agent_can_be_started_directly(self):
        source = """
            import agon_agent

            class Mine(agon_agent.GameAgent):
                def move(self, game_state):
                    return game_state.legal_moves[0]

            if __name__ == "__main__":
                agon_agent.run(Mine)
            """
        for direct in [True, False]:
            answers, errors, code = self.play(source, [SETUP, MOVE, RESULT], direct=direct)
            self.assertEqual(answers[0]["name"], "Mine")
            self.assertEqual((len(answers), errors, code), (2, "", 0))

    def test_helpers_and_base_classes_are_no_agents(self):
        with open(os.path.join(self.folder, "helper.py"), "w", encoding="utf-8") as file:
            file.write("from agon_agent import GameAgent\nclass Imported(GameAgent):\n    pass\n")
        source = """
            from helper import Imported
            class Base(Imported):
                pass
            class Mine(Base):
                pass
            Again = Mine
            """
        answers, errors, _ = self.play(source, [SETUP])
        self.assertEqual((answers, errors), ([{"type": "ready", "name": "Mine"}], ""))

    def test_files_without_one_agent_are_refused(self):
        two = "from agon_agent import GameAgent\nclass A(GameAgent):\n    pass\nclass B(GameAgent):\n    pass\n"
        for source, expected in [
            ("x = 1\n", "has no agent"),
            (two, "more than one agent: A, B"),
            ("def broken(:\n", "SyntaxError"),
            ("import no_such_module\n", "No module named 'no_such_module'"),
        ]:
            answers, errors, code = self.play(source, [SETUP])
            self.assertEqual((answers, code), ([], 1))
            self.assertIn(expected, errors)

    def test_wrong_arguments(self):
        for arguments, expected, code in [
            (["missing.py"], "there is no file", 1),
            ([], "usage:", 2),
            (["a", "b"], "usage:", 2),
        ]:
            command = [sys.executable, "-m", "agon_agent", *arguments]
            answers, errors, status = self.run_command(command, [SETUP])
            self.assertEqual((answers, status), ([], code))
            self.assertIn(expected, errors)


if __name__ == "__main__":
    unittest.main()
