"""An alpha-beta player for Lines of Action, to read and to improve.

It shows the four parts that such a player needs: the rules (to look ahead), a heuristic (to judge positions where the game is not
over), the search, and a timer (to answer before the time is up). The four usual extensions of the search (ordering, quiescence,
a table, selection) are parameters, so that a study can say what each of them is worth. Everything is plain Python; the comments
say where there is room for improvement.
"""

import math
import time
from collections import Counter

from agon_agent import PASS, Choice, GameAgent, Int, MoveAction, SpinAction

#: A won game. Earlier wins are worth more, so the number of plies is taken off.
WIN = 100_000

#: The share of the time limit that is used. The rest is for the way of the answer to the referee, and for a busy machine.
SHARE_OF_TIME = 0.7

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
OTHER = {"b": "w", "w": "b"}


class OutOfTime(Exception):
    """The timer has run out in the middle of the search."""


class Position:
    """A board as two sets of squares. Positions are never changed: a move makes a new one."""

    def __init__(self, size, pieces, to_move, ply, last_ply, spins):
        self.size = size
        self.pieces = pieces
        self.to_move = to_move
        self.ply = ply
        #: After so many plies the game is a draw.
        self.last_ply = last_ply
        #: Whether blocks may be turned, which `rules=standard` does not allow.
        self.spins = spins

    @classmethod
    def from_state(cls, state):
        pieces = {"b": set(), "w": set()}
        for row, cells in enumerate(state.board):
            for column, cell in enumerate(cells):
                if cell in pieces:
                    pieces[cell].add((row, column))
        spins = state.options.get("rules", "rotating") == "rotating"
        return cls(state.size, pieces, state.player_to_move, state.ply, 2 * state.turns, spins)

    # The rules.

    def moves(self):
        """All legal moves."""
        own, enemy = self.pieces[self.to_move], self.pieces[OTHER[self.to_move]]
        # A piece moves as many squares as there are pieces on its line, so the pieces on all lines are counted first. The key of a
        # line is its direction, up or down alike, and a number that all of its squares share.
        lines = Counter()
        for row, column in own | enemy:
            lines[0, row] += 1
            lines[1, column] += 1
            lines[2, row - column] += 1
            lines[3, row + column] += 1
        found = []
        for row, column in own:
            for down, right in DIRECTIONS:
                if down == 0:
                    steps = lines[0, row]
                elif right == 0:
                    steps = lines[1, column]
                elif down == right:
                    steps = lines[2, row - column]
                else:
                    steps = lines[3, row + column]
                target = (row + steps * down, column + steps * right)
                if not (0 <= target[0] < self.size and 0 <= target[1] < self.size) or target in own:
                    continue
                # Own pieces are jumped over, enemy pieces are in the way.
                between = ((row + step * down, column + step * right) for step in range(1, steps))
                if not any(square in enemy for square in between):
                    found.append(MoveAction((row, column), target))
        if self.spins:
            # Each own piece is in up to four blocks; a set keeps every block once.
            corners = {(row - down, column - right) for row, column in own for down in (0, 1) for right in (0, 1)}
            last = self.size - 2
            found.extend(SpinAction(corner) for corner in sorted(corners) if 0 <= min(corner) and max(corner) <= last)
        return found or [PASS]

    def play(self, action):
        """The position after a move."""
        own, enemy = set(self.pieces[self.to_move]), set(self.pieces[OTHER[self.to_move]])
        if isinstance(action, MoveAction):
            own.remove(action.source)
            own.add(action.target)
            enemy.discard(action.target)
        elif isinstance(action, SpinAction):
            row, column = action.corner
            clockwise = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
            turned = dict(zip(clockwise, clockwise[1:] + clockwise[:1]))
            own = {turned.get(square, square) for square in own}
            enemy = {turned.get(square, square) for square in enemy}
        pieces = {self.to_move: own, OTHER[self.to_move]: enemy}
        return Position(self.size, pieces, OTHER[self.to_move], self.ply + 1, self.last_ply, self.spins)

    def is_capture(self, action):
        """Whether a move takes a piece."""
        return isinstance(action, MoveAction) and action.target in self.pieces[OTHER[self.to_move]]

    def key(self):
        """What tells the position from all others of a game."""
        return self.to_move, self.ply, frozenset(self.pieces["b"]), frozenset(self.pieces["w"])

    def result(self):
        """What the end of the game is worth to the side to move: WIN, 0 or -WIN; None while the game goes on."""
        own = is_connected(self.pieces[self.to_move])
        enemy = is_connected(self.pieces[OTHER[self.to_move]])
        if own and enemy:
            return 0
        if own or enemy:
            return WIN if own else -WIN
        return 0 if self.ply >= self.last_ply else None

    # The heuristic.

    def value(self):
        """What the position is worth to the side to move, if the game is not over."""
        own, enemy = self.pieces[self.to_move], self.pieces[OTHER[self.to_move]]
        # The weights are guesses: studying them is a good first exercise.
        groups = euler_number(enemy) - euler_number(own)
        closeness = spread(enemy) - spread(own)
        return 20 * groups + 30 * closeness


def euler_number(squares):
    """The number of groups less the number of holes in them, counted by quads.

    A quad is a window of 2x2 squares. Let Q1 be the number of quads with one piece, Q3 with three, and Qd with two on a diagonal.
    Then (Q1 - Q3 - 2 Qd) / 4 is the Euler number: 1 for one group without holes, more for more groups. Only the windows that hold
    a piece have to be looked at.
    """
    quads = {}
    for row, column in squares:
        # The piece is the lower right square of the first window, the lower left one of the second, and so on.
        for corner, bit in (((row - 1, column - 1), 8), ((row - 1, column), 4), ((row, column - 1), 2), ((row, column), 1)):
            quads[corner] = quads.get(corner, 0) | bit
    total = 0
    for quad in quads.values():
        total += QUAD_VALUES[quad]
    return total // 4


#: What each of the 16 patterns of a quad adds to four times the Euler number; 6 and 9 are the diagonals.
QUAD_VALUES = [0, 1, 1, 0, 1, 0, -2, -1, 1, -2, 0, -1, 0, -1, -1, 0]


def spread(squares):
    """The mean distance of the pieces from their common centre."""
    count = len(squares)
    row = sum(square[0] for square in squares) / count
    column = sum(square[1] for square in squares) / count
    return sum(max(abs(square[0] - row), abs(square[1] - column)) for square in squares) / count


def is_connected(squares):
    """Whether the pieces are one group."""
    # More groups than holes plus one cannot be one group. This is quick to see, and true of most positions.
    if euler_number(squares) > 1:
        return False
    rest = set(squares)
    queue = [rest.pop()]
    while queue:
        row, column = queue.pop()
        for down, right in DIRECTIONS:
            neighbour = (row + down, column + right)
            if neighbour in rest:
                rest.remove(neighbour)
                queue.append(neighbour)
    return not rest


class AlphaBetaAgent(GameAgent):
    name = "alphabeta"

    parameters = {
        # In which order moves are tried: as they are found, captures first, or those first that were good elsewhere.
        "ordering": Choice("history", "captures", "none"),
        # How many plies captures are followed beyond the depth of the search.
        "quiescence": Int(0, 0, 8),
        # How many positions are remembered with their values, as a power of two; 0 for none.
        "table": Int(0, 0, 20),
        # How many moves of a position are looked at, the most promising ones by the ordering; 0 for all.
        "selection": Int(0, 0, 100),
        # After how many positions the search ends, besides by time; 0 for no such limit.
        "nodes": Int(0, 0, 10_000_000),
    }

    def setup(self, player, game_state, turn_time_limit, setup_time_limit, turns):
        if game_state.game != "loa":
            raise ValueError("this agent plays Lines of Action (loa) only, not %s" % game_state.game)
        #: How often a move was the best one somewhere in the tree. It may be kept between the moves of a game.
        self.successes = Counter()
        #: What is known of positions: how deep they were searched, their value, and whether that is a bound.
        self.table = {}
        self.table_size = 2 ** self.parameters["table"] if self.parameters["table"] else 0
        self.begin_to_count()

    def move(self, game_state):
        limit = game_state.time_left
        # Without a limit, as against a person, a second is enough. On a clock for the whole game, a move takes a small share.
        if limit is None:
            limit = 1.0
        elif game_state.time_limit is None:
            limit = limit / 30 + game_state.clock["increment"] / 2
        self.deadline = time.monotonic() + SHARE_OF_TIME * limit
        position = Position.from_state(game_state)
        self.begin_to_count()
        # Whatever happens, there is a legal move to return.
        best = game_state.legal_actions[0]
        actions = [best]
        depth, score = 0, None
        try:
            actions = position.moves()
            best = actions[0]
            # Iterative deepening: first one ply, then two, and so on until the time is up. The best move of one iteration is searched
            # first in the next, so an iteration that is cut short can only have found something better.
            while len(actions) > 1 and depth < position.last_ply - position.ply:
                alpha = -math.inf
                for action in list(actions):
                    value = -self.search(position.play(action), depth, -math.inf, -alpha)
                    if value > alpha:
                        alpha, best = value, action
                        actions.remove(action)
                        actions.insert(0, action)
                depth += 1
                score = alpha
                if abs(alpha) >= WIN - position.last_ply:
                    # The game is decided: nothing is found by looking further.
                    break
        except OutOfTime:
            pass
        self.report(
            score=score,
            depth=depth,
            nodes=self.nodes,
            cutoffs=self.cutoffs,
            first_cutoffs=self.first_cutoffs,
            table_hits=self.table_hits,
            quiescence_nodes=self.quiet_nodes,
        )
        return best

    def begin_to_count(self):
        """What is reported with each move begins at zero."""
        self.nodes = self.cutoffs = self.first_cutoffs = self.table_hits = self.quiet_nodes = 0

    def look_at_the_clock(self):
        """Ends the search when it has taken long enough. Reading the clock costs little beside the rest of a node in Python."""
        self.nodes += 1
        most = self.parameters["nodes"]
        if (most and self.nodes > most) or time.monotonic() >= self.deadline:
            raise OutOfTime

    def ordered(self, position):
        """The moves of a position, the most promising ones first: the sooner the best one is found, the more is cut off."""
        actions, ordering = position.moves(), self.parameters["ordering"]
        if ordering == "history":
            actions.sort(key=lambda action: -self.successes[action])
        elif ordering == "captures":
            actions.sort(key=lambda action: not position.is_capture(action))
        # Room for improvement: what is left out here is never found. Moves that connect or capture should stay.
        return actions[: self.parameters["selection"] or None]

    def quiet(self, position, depth, alpha, beta):
        """The value of a position from which captures are followed until there are none, or `depth` plies are over."""
        value = position.value()
        if depth == 0 or value >= beta:
            return value
        alpha = max(alpha, value)
        for action in position.moves():
            if not position.is_capture(action):
                continue
            self.look_at_the_clock()
            self.quiet_nodes += 1
            after = position.play(action)
            result = after.result()
            if result is None:
                found = -self.quiet(after, depth - 1, -beta, -alpha)
            else:
                found = -final(result, after)
            value = max(value, found)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value

    def search(self, position, depth, alpha, beta):
        """The value of a position for the side to move, looking `depth` plies ahead (negamax with alpha-beta cuts)."""
        self.look_at_the_clock()
        result = position.result()
        if result is not None:
            return final(result, position)
        if depth == 0:
            return self.quiet(position, self.parameters["quiescence"], alpha, beta)
        # Many positions are reached in several ways. The ply belongs to the key, because the end of the game is near or far.
        key = position.key() if self.table_size else None
        known = self.table.get(key) if key else None
        if known is not None and known[0] == depth:
            _, value, bound = known
            if bound == "exact" or (bound == "low" and value >= beta) or (bound == "high" and value <= alpha):
                self.table_hits += 1
                return value
        best, floor = -math.inf, alpha
        for number, action in enumerate(self.ordered(position)):
            value = -self.search(position.play(action), depth - 1, -beta, -alpha)
            if value > best:
                best = value
                alpha = max(alpha, value)
            if alpha >= beta:
                self.successes[action] += depth * depth
                self.cutoffs += 1
                self.first_cutoffs += number == 0
                break
        if key:
            # Room for improvement: replace what is of least use, instead of forgetting everything.
            if len(self.table) >= self.table_size and key not in self.table:
                self.table.clear()
            self.table[key] = depth, best, "low" if best >= beta else "high" if best <= floor else "exact"
        return best


def final(result, position):
    """The value of a game that is over, for the side to move. Earlier wins are worth more."""
    return result - math.copysign(position.ply, result) if result else 0
