"""The alpha-beta example: its rules, its heuristic, its search."""

import json
import math
import os
import unittest

from agon_agent import GameState, MoveAction, SpinAction
from agon_agent.examples import alphabeta_agent
from agon_agent.examples.alphabeta_agent import WIN, AlphaBetaAgent, Position, euler_number, is_connected

HERE = os.path.dirname(os.path.abspath(__file__))


def known_positions():
    """Positions with their legal moves and results, as `agon query` answers them; a test of the program holds them to it."""
    with open(os.path.join(HERE, "loa_positions.jsonl"), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def state_of(known, **more):
    return GameState(
        "loa", known["options"], known["to_move"], known["position"], known["legal"], ply=known["ply"], **more
    )


def squares(*rows):
    return {(row, column) for row, cells in enumerate(rows) for column, cell in enumerate(cells) if cell == "b"}


class Rules(unittest.TestCase):
    def test_moves_and_results_are_those_of_the_rules(self):
        for known in known_positions():
            with self.subTest(known["position"]):
                state = state_of(known)
                position = Position.from_state(state)
                if known["status"] == "ongoing":
                    self.assertIsNone(position.result())
                    moves = sorted(state.text_of(move) for move in position.moves())
                    self.assertEqual(moves, known["legal"])
                elif known["status"] == "drawn":
                    self.assertEqual(position.result(), 0)
                else:
                    self.assertEqual(position.result(), WIN if known["winner"] == known["to_move"] else -WIN)

    def test_a_block_turns_clockwise(self):
        position = Position(3, {"b": {(0, 0), (2, 2)}, "w": {(0, 1)}}, "b", 0, 20, True)
        after = position.play(SpinAction((0, 0)))
        self.assertEqual(after.pieces, {"b": {(0, 1), (2, 2)}, "w": {(1, 1)}})
        self.assertEqual((after.to_move, after.ply), ("w", 1))

    def test_a_capture_takes_the_piece_and_leaves_the_old_position_alone(self):
        position = Position(3, {"b": {(0, 0)}, "w": {(0, 2), (2, 0)}}, "b", 0, 20, True)
        after = position.play(MoveAction((0, 0), (0, 2)))
        self.assertEqual(after.pieces, {"b": {(0, 2)}, "w": {(2, 0)}})
        self.assertEqual(position.pieces["w"], {(0, 2), (2, 0)})


class Heuristic(unittest.TestCase):
    def test_the_euler_number_counts_groups_less_holes(self):
        for rows, expected in [
            (("b",), 1),
            (("b.b",), 2),
            (("b..", ".b.", "..b"), 1),
            (("bbb", "b.b", "bbb"), 0),
            (("b.b", "...", "b.b"), 4),
            ((".b.", "b.b", ".b."), 0),
        ]:
            self.assertEqual(euler_number(squares(*rows)), expected, rows)

    def test_connection(self):
        self.assertTrue(is_connected(squares("bbb", "b.b", "bbb")))
        # A ring and a piece apart have the Euler number of one group.
        self.assertFalse(is_connected(squares("bbb..", "b.b..", "bbb.b")))
        self.assertTrue(is_connected(squares("b")))


def minimax(position, depth):
    """The value of a position for the side to move by its definition."""
    result = position.result()
    if result is not None:
        return result - math.copysign(position.ply, result) if result else 0
    if depth == 0:
        return position.value()
    return max(-minimax(position.play(action), depth - 1) for action in position.moves())


class FixedTime(GameState):
    """A state whose time does not run."""

    time_left = property(lambda self: self.time_limit)


class Search(unittest.TestCase):
    def setUp(self):
        # The clock of the tests goes on by one at each look, so that what is found does not depend on the machine.
        self.looks = 0

        class Clock:
            @staticmethod
            def monotonic():
                self.looks += 1
                return float(self.looks)

        self.real_time, alphabeta_agent.time = alphabeta_agent.time, Clock

    def tearDown(self):
        alphabeta_agent.time = self.real_time

    def move(self, position, options="size=5,turns=20,rules=rotating,first=black", looks=10_000, **parameters):
        """What the agent plays if it may look at the clock so often."""
        to_move, ply = position.split()[1], int(position.split()[2])
        state = FixedTime("loa", options, to_move, position, ply=ply, time_limit=looks / alphabeta_agent.SHARE_OF_TIME)
        state.legal_moves = [state.text_of(move) for move in Position.from_state(state).moves()]
        agent = AlphaBetaAgent()
        agent.parameters.update(parameters)
        agent.setup(to_move, state, 1.0, 10.0, state.turns)
        return agent.move(state), agent

    def test_it_connects_where_it_can(self):
        move, agent = self.move("b4/5/1b3/3w1/w3w b 4")
        after = Position(5, {"b": {(0, 0), (2, 1)}, "w": {(3, 3), (4, 0), (4, 4)}}, "b", 4, 40, True).play(move)
        self.assertTrue(is_connected(after.pieces["b"]))
        self.assertGreater(agent._take_remarks()["score"], WIN - 100)

    def test_cuts_change_no_value(self):
        small = [known for known in known_positions() if known["status"] == "ongoing" and "size=5" in known["options"]]
        self.assertGreater(len(small), 3)
        # Neither does the order of the moves, nor a table, however small it is.
        for settings in [{}, {"ordering": "none"}, {"ordering": "captures"}, {"table": 12}, {"table": 3}]:
            agent = self.searcher(small[0], **settings)
            for known in small:
                position = Position.from_state(state_of(known))
                for depth in range(3):
                    found = agent.search(position, depth, -math.inf, math.inf)
                    self.assertEqual(found, minimax(position, depth), (settings, known["position"]))
            self.assertGreater(agent.cutoffs, 0)
            if settings.get("table") == 12:
                again = agent.search(position, 2, -math.inf, math.inf)
                self.assertEqual((again, agent.table_hits > 0), (found, True))
            self.assertLessEqual(len(agent.table), agent.table_size)

    def searcher(self, known, **settings):
        """An agent that searches without a limit."""
        agent = AlphaBetaAgent()
        agent.parameters.update(settings)
        agent.setup("b", state_of(known), 1.0, 10.0, 100)
        agent.deadline = math.inf
        return agent

    def test_quiescence_follows_captures_and_nothing_else(self):
        def quiet(position, depth):
            result = position.result()
            if result is not None:
                return alphabeta_agent.final(result, position)
            captures = [action for action in position.moves() if position.is_capture(action)] if depth else []
            return max([position.value()] + [-quiet(position.play(action), depth - 1) for action in captures])

        ongoing = [known for known in known_positions() if known["status"] == "ongoing" and "size=5" in known["options"]]
        followed = 0
        for known in ongoing:
            agent = self.searcher(known, quiescence=3)
            position = Position.from_state(state_of(known))
            self.assertEqual(agent.search(position, 0, -math.inf, math.inf), quiet(position, 3), known["position"])
            followed += agent.quiet_nodes
        self.assertGreater(followed, 0)

    def test_selection_looks_at_the_first_moves_only(self):
        known = next(known for known in known_positions() if known["status"] == "ongoing")
        position = Position.from_state(state_of(known))
        agent = self.searcher(known, selection=3, ordering="captures")
        self.assertEqual(len(agent.ordered(position)), 3)
        captures = [position.is_capture(action) for action in self.searcher(known, ordering="captures").ordered(position)]
        self.assertEqual(captures, sorted(captures, reverse=True))

    def test_nodes_limit_the_search(self):
        start = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0"
        _, agent = self.move(start, "size=8,turns=100,rules=rotating,first=black", nodes=200)
        remarks = agent._take_remarks()
        self.assertEqual(remarks["nodes"], 201)
        self.assertEqual(set(remarks["counters"]), {"cutoffs", "first_cutoffs", "table_hits", "quiescence_nodes"})

    def test_it_has_a_legal_move_however_little_time_there_is(self):
        start = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0"
        move, agent = self.move(start, "size=8,turns=100,rules=rotating,first=black", looks=1)
        self.assertIsInstance(move, (MoveAction, SpinAction))
        self.assertNotIn("score", agent._take_remarks())

    def test_it_stops_when_the_time_is_up(self):
        start = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b 0"
        self.move(start, "size=8,turns=100,rules=rotating,first=black", looks=500)
        self.assertLessEqual(self.looks, 505)

    def test_it_refuses_other_games(self):
        state = GameState("othello", "size=4", "x", "4/1ox1/1xo1/4 x")
        with self.assertRaisesRegex(ValueError, "Lines of Action"):
            AlphaBetaAgent().setup("x", state, 1.0, 10.0, None)


if __name__ == "__main__":
    unittest.main()
