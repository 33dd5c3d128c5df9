"""Positions of every game as lists, and moves as objects."""

import time
import unittest

from agon_agent import EMPTY, NO_HOLE, GameState, MoveAction, PlaceAction, SpinAction, action_from_text, text_of_action


def state(game, options, player, position, **more):
    return GameState(game, options, player, position, **more)


class Boards(unittest.TestCase):
    def test_othello(self):
        found = state("othello", "size=8", "x", "8/8/8/3ox3/3xo3/8/8/8 x")
        self.assertEqual(found.size, 8)
        self.assertEqual(found.board[3], list("...ox..."))
        self.assertEqual(found.board[0], [EMPTY] * 8)
        self.assertEqual((found.player_to_move, found.opponent, found.turns), ("x", "o", None))

    def test_run_lengths_of_two_digits(self):
        found = state("othello", "size=12", "o", "12/12/12/12/12/5ox5/5xo5/12/12/12/12/11x o")
        self.assertEqual([len(row) for row in found.board], [12] * 12)
        self.assertEqual(found.board[11], [EMPTY] * 11 + ["x"])

    def test_tablut(self):
        start = "3bbb3/4b4/4w4/b3w3b/bbwwkwwbb/b3w3b/4w4/4b4/3bbb3 b 0"
        found = state("tablut", "rules=ashton,first=attackers,limit=100", "w", start)
        self.assertEqual(found.board[4], list("bbwwkwwbb"))
        self.assertEqual((found.player_to_move, found.opponent, found.turns), ("b", "b", 50))
        self.assertIsNone(state("tablut", "rules=bologna,first=defenders", "w", start).turns)

    def test_lines_of_action(self):
        found = state("loa", "size=5,turns=20,rules=rotating,first=black", "b", "1bbb1/w3w/w3w/w3w/1bbb1 b 0")
        self.assertEqual(found.board, [list(row) for row in (".bbb.", "w...w", "w...w", "w...w", ".bbb.")])
        self.assertEqual((found.size, found.turns, found.options["rules"]), (5, 20, "rotating"))
        self.assertEqual(str(found), ".bbb.\nw...w\nw...w\nw...w\n.bbb.")

    def test_chinese_checkers(self):
        start = "g/gg/ggg/gggg/13/12/11/10/9/10/11/12/13/rrrr/rrr/rr/r g 0"
        found = state("chinese-checkers", "seats=g/r,goal=strict,rounds=300", "r", start)
        self.assertEqual((found.size, found.seats, found.turns), (17, ["g", "r"], 300))
        self.assertTrue(all(len(row) == 25 for row in found.board))
        # The hole of the move 0309-0410 is where the board says.
        self.assertEqual((found.board[3][9], found.board[4][10], found.board[3][10]), ("g", EMPTY, NO_HOLE))
        self.assertEqual((found.board[0][12], found.board[4][0], found.board[4][24]), ("g", EMPTY, EMPTY))
        self.assertEqual(sum(cell != NO_HOLE for row in found.board for cell in row), 121)

    def test_2048(self):
        found = state("2048", "", "player", "2,0,0,0/0,0,0,16/0,0,2,0/0,0,0,0 32")
        self.assertEqual(found.board[1], [0, 0, 0, 16])
        self.assertEqual((found.score, found.player_to_move, found.opponent), (32, "player", None))
        self.assertEqual(state("2048", "", "player", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+").score, 0)

    def test_a_game_that_the_kit_does_not_know(self):
        found = state("checkers", "size=4", "w", "b3/4/4/3w w 9", legal_moves=["a1"])
        self.assertEqual(found.board[0], list("b..."))
        self.assertEqual(found.legal_actions, ["a1"])


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
        for game, text, action in [
            ("loa", "7,6-5,6", MoveAction((7, 6), (5, 6))),
            ("loa", "29,0-28,10", MoveAction((29, 0), (28, 10))),
            ("loa", "@2,3", SpinAction((2, 3))),
            ("loa", "pass", "pass"),
            ("tablut", "d1d3", MoveAction((0, 3), (2, 3))),
            ("othello", "d3", PlaceAction((2, 3))),
            ("othello", "z26", PlaceAction((25, 25))),
            ("othello", "pass", "pass"),
            ("chinese-checkers", "0309-0410", MoveAction((3, 9), (4, 10))),
            ("chinese-checkers", "pass", "pass"),
            ("2048", "left", "left"),
        ]:
            self.assertEqual(action_from_text(game, text), action)
            self.assertEqual(text_of_action(game, action), text)

    def test_actions_can_be_compared_and_counted(self):
        self.assertEqual(len({SpinAction((0, 0)), SpinAction((0, 0)), PlaceAction((0, 0))}), 2)

    def test_what_is_no_move_is_refused(self):
        for wrong in [None, 3, (1, 2), ["7,6-5,6"], MoveAction((1, 2), None), SpinAction(("a", 1)), MoveAction]:
            with self.assertRaises(TypeError):
                text_of_action("loa", wrong)

    def test_is_legal(self):
        found = state("loa", "size=5", "b", "1bbb1/w3w/w3w/w3w/1bbb1 b 0", legal_moves=["@0,0"])
        self.assertTrue(found.is_legal(SpinAction((0, 0))))
        self.assertFalse(found.is_legal("@1,1"))


if __name__ == "__main__":
    unittest.main()
