"""Positions as lists and moves as objects, for every game of which a setup message tells."""

import json
import os
import time
import unittest

from agon_agent import EMPTY, NO_HOLE, GameState, MoveAction, PlaceAction, SpinAction

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "setups.jsonl"), encoding="utf-8") as file:
    #: What the referee says at the start of a game of the usual size; a test of the referee keeps it true.
    SETUPS = {setup["game"]: setup for setup in map(json.loads, file)}


def state(game, options, player, position, **more):
    """A state of a game whose setup message describes nothing."""
    return GameState(game, options, player, position, **more)


def described(game, position=None, **more):
    """A state of a game as its setup message describes it."""
    setup = SETUPS[game]
    told = {field: setup.get(field) for field in ("seats", "turns", "board")}
    return GameState(game, setup["options"], setup["seat"], position or setup["position"], **told, **more)


def square_board(size, places, first):
    """The description of a square board, with numbers from `first` for rows and letters or numbers for columns."""
    rows = [str(number + first) for number in range(size)]
    columns = [chr(ord("a") + number) for number in range(size)] if first else rows
    return {"places": places, "rows": rows, "columns": columns, "shape": ["." * size] * size}


class Boards(unittest.TestCase):
    def test_othello(self):
        found = described("othello")
        self.assertEqual(found.size, 8)
        self.assertEqual(found.board[3], list("...ox..."))
        self.assertEqual(found.board[0], [EMPTY] * 8)
        self.assertEqual((found.player_to_move, found.opponent, found.turns), ("x", "o", None))

    def test_run_lengths_of_two_digits(self):
        found = state("othello", "size=12", "o", "12/12/12/12/12/5ox5/5xo5/12/12/12/12/11x o")
        self.assertEqual([len(row) for row in found.board], [12] * 12)
        self.assertEqual(found.board[11], [EMPTY] * 11 + ["x"])

    def test_tablut(self):
        found = described("tablut")
        self.assertEqual(found.board[4], list("bbwwkwwbb"))
        self.assertEqual((found.player_to_move, found.opponent, found.turns), ("b", "w", 50))

    def test_lines_of_action(self):
        found = state("loa", "size=5,turns=20,rules=rotating,first=black", "b", "1bbb1/w3w/w3w/w3w/1bbb1 b 0")
        self.assertEqual(found.board, [list(row) for row in (".bbb.", "w...w", "w...w", "w...w", ".bbb.")])
        self.assertEqual((found.size, found.turns, found.options["rules"]), (5, 20, "rotating"))
        self.assertEqual(str(found), ".bbb.\nw...w\nw...w\nw...w\n.bbb.")

    def test_chinese_checkers(self):
        for found in [described("chinese-checkers"), undescribed("chinese-checkers")]:
            self.assertEqual((found.size, found.seats), (17, ["g", "r"]))
            self.assertTrue(all(len(row) == 25 for row in found.board))
            # The hole of the move 0309-0410 is where the board says.
            self.assertEqual((found.board[3][9], found.board[4][10], found.board[3][10]), ("g", EMPTY, NO_HOLE))
            self.assertEqual((found.board[0][12], found.board[4][0], found.board[4][24]), ("g", EMPTY, EMPTY))
            self.assertEqual(sum(cell != NO_HOLE for row in found.board for cell in row), 121)
        self.assertEqual(described("chinese-checkers").turns, 300)

    def test_2048(self):
        found = described("2048", "2,0,0,0/0,0,0,16/0,0,2,0/0,0,0,0 32")
        self.assertEqual(found.board[1], [0, 0, 0, 16])
        self.assertEqual((found.score, found.player_to_move, found.opponent), (32, "player", None))
        self.assertEqual(described("2048").score, 0)

    def test_a_shape_that_nobody_could_guess_is_that_of_the_setup(self):
        shape = ["..   ", ".....", "   .."]
        names = [str(number) for number in range(5)]
        board = {"places": "{row},{column}", "rows": names[:3], "columns": names, "shape": shape}
        found = state("any", "", "b", "b1/2b2/1w b", board=board)
        self.assertEqual(str(found), "b.   \n..b..\n   .w")

    def test_the_turns_of_the_setup_count_and_not_an_option_of_that_name(self):
        self.assertEqual(state("any", "turns=20", "b", "4/4 b", turns=10).turns, 10)
        self.assertEqual(state("any", "turns=20", "b", "4/4 b").turns, 20)

    def test_what_a_referee_leaves_out_is_guessed(self):
        for game in SETUPS:
            with self.subTest(game):
                self.assertEqual(undescribed(game).board, described(game).board)
        self.assertEqual(undescribed("loa").turns, 100)
        self.assertEqual(undescribed("othello").seats, ["x"])
        self.assertEqual(state("othello", "size=8", "o", SETUPS["othello"]["position"]).opponent, "x")


def undescribed(game):
    """A state of a game whose setup message has only the fields that no referee leaves out."""
    setup = SETUPS[game]
    return GameState(game, setup["options"], setup["seat"], setup["position"])


class Copies(unittest.TestCase):
    def test_a_copy_shares_nothing(self):
        first = state("loa", "size=5", "b", "1bbb1/w3w/w3w/w3w/1bbb1 b 0", legal_moves=["@0,0"])
        second = first.copy()
        second.board[0][0] = "b"
        second.legal_moves.clear()
        self.assertEqual((first.board[0][0], first.legal_moves), (EMPTY, ["@0,0"]))

    def test_lists_that_are_passed_in_are_not_shared(self):
        legal = ["@0,0"]
        found = state("loa", "size=5", "b", "1bbb1/w3w/w3w/w3w/1bbb1 b 0", legal_moves=legal)
        found.legal_moves.clear()
        self.assertEqual(legal, ["@0,0"])


class Time(unittest.TestCase):
    start = "1bbb1/w3w/w3w/w3w/1bbb1 b 0"

    def test_the_time_left_runs_from_the_arrival_of_the_message(self):
        found = state("loa", "size=5", "b", self.start, time_limit=5.0, received=time.monotonic() - 2)
        self.assertLessEqual(found.time_left, 3.0)

    def test_a_clock_for_the_whole_game(self):
        found = state("loa", "size=5", "b", self.start, clock={"left": 9.5, "increment": 0.1})
        self.assertLessEqual(found.time_left, 9.5)
        self.assertGreater(found.time_left, 0)

    def test_no_limit(self):
        self.assertIsNone(state("loa", "size=5", "b", self.start).time_left)


class Actions(unittest.TestCase):
    def test_both_ways(self):
        loa_30, othello_26 = square_board(30, "{row},{column}", 0), square_board(26, "{column}{row}", 1)
        for board, text, action in [
            (SETUPS["loa"]["board"], "7,6-5,6", MoveAction((7, 6), (5, 6))),
            (loa_30, "29,0-28,10", MoveAction((29, 0), (28, 10))),
            (SETUPS["loa"]["board"], "@2,3", SpinAction((2, 3))),
            (SETUPS["loa"]["board"], "pass", "pass"),
            (SETUPS["tablut"]["board"], "d1d3", MoveAction((0, 3), (2, 3))),
            (SETUPS["othello"]["board"], "d3", PlaceAction((2, 3))),
            (othello_26, "z26", PlaceAction((25, 25))),
            (othello_26, "a1", PlaceAction((0, 0))),
            (SETUPS["othello"]["board"], "pass", "pass"),
            (SETUPS["chinese-checkers"]["board"], "0309-0410", MoveAction((3, 9), (4, 10))),
            (SETUPS["chinese-checkers"]["board"], "pass", "pass"),
            (SETUPS["2048"]["board"], "left", "left"),
        ]:
            with self.subTest(text):
                position = "/".join(str(row.count(".")) for row in board["shape"]) + " b"
                found = state("any", "", "b", position, board=board, legal_moves=[text])
                self.assertEqual(found.legal_actions, [action])
                self.assertEqual(state("any", "", "b", position, board=board).text_of(action), text)
                guessed = state("any", "", "b", position, legal_moves=[text])
                self.assertEqual(guessed.legal_actions, [action])
                self.assertEqual(guessed.text_of(action), text)

    def test_a_legal_move_is_written_as_the_referee_writes_it(self):
        board = square_board(4, "{column}{row}", 1)
        found = state("any", "", "b", "4/4/4/4 b", board=board, legal_moves=["a1-b2"])
        self.assertEqual(found.legal_actions, [MoveAction((0, 0), (1, 1))])
        self.assertEqual(found.text_of(MoveAction((0, 0), (1, 1))), "a1-b2")
        self.assertEqual(found.text_of(MoveAction((0, 0), (1, 2))), "a1c2")

    def test_squares_beyond_the_board_are_written_too(self):
        self.assertEqual(described("othello").text_of(PlaceAction((8, 0))), "(8,0)")

    def test_actions_can_be_compared_and_counted(self):
        self.assertEqual(len({SpinAction((0, 0)), SpinAction((0, 0)), PlaceAction((0, 0))}), 2)

    def test_what_is_no_move_is_refused(self):
        for wrong in [None, 3, (1, 2), ["7,6-5,6"], MoveAction((1, 2), None), SpinAction(("a", 1)), MoveAction]:
            with self.assertRaises(TypeError):
                described("loa").text_of(wrong)

    def test_is_legal(self):
        found = state("loa", "size=5", "b", "1bbb1/w3w/w3w/w3w/1bbb1 b 0", legal_moves=["@0,0"])
        self.assertTrue(found.is_legal(SpinAction((0, 0))))
        self.assertFalse(found.is_legal("@1,1"))


if __name__ == "__main__":
    unittest.main()
