// Othello for boardgame.io. The board is one string of 64 characters, '.', '0' or '1': text is no object, so Immer wraps nothing, and
// reading a cell costs as little as it can.
'use strict';

const DIRECTIONS = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

// The cells on the way from each cell to the edge, in each direction.
const RAYS = Array.from({ length: 64 }, (_, cell) =>
  DIRECTIONS.map(([down, right]) => {
    const ray = [];
    let row = (cell >> 3) + down;
    let column = (cell & 7) + right;
    while (row >= 0 && row < 8 && column >= 0 && column < 8) {
      ray.push(row * 8 + column);
      row += down;
      column += right;
    }
    return ray;
  }).filter((ray) => ray.length > 1),
);

// How many discs a disc of `player` turns along a ray.
function turned(board, player, ray) {
  for (let index = 0; index < ray.length; index += 1) {
    const found = board[ray[index]];
    if (found === player) return index;
    if (found === '.') return 0;
  }
  return 0;
}

const isLegal = (board, player, cell) =>
  board[cell] === '.' && RAYS[cell].some((ray) => turned(board, player, ray) > 0);

function hasMove(board, player) {
  for (let cell = 0; cell < 64; cell += 1) if (isLegal(board, player, cell)) return true;
  return false;
}

function legalMoves(board, player) {
  const cells = [];
  for (let cell = 0; cell < 64; cell += 1) if (isLegal(board, player, cell)) cells.push(cell);
  return cells;
}

function play(board, player, cell) {
  const cells = board.split('');
  for (const ray of RAYS[cell]) {
    for (let index = turned(board, player, ray) - 1; index >= 0; index -= 1) cells[ray[index]] = player;
  }
  cells[cell] = player;
  return cells.join('');
}

const START = `${'.'.repeat(27)}10${'.'.repeat(6)}01${'.'.repeat(27)}`;

const Othello = {
  name: 'othello',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ board: START }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, cell) => {
      if (!Number.isInteger(cell) || cell < 0 || cell > 63 || !isLegal(G.board, playerID, cell)) return 'INVALID_MOVE';
      return { board: play(G.board, playerID, cell) };
    },
    pass: ({ G, playerID }) => (hasMove(G.board, playerID) ? 'INVALID_MOVE' : undefined),
  },
  endIf: ({ G }) => {
    if (hasMove(G.board, '0') || hasMove(G.board, '1')) return undefined;
    const count = (player) => G.board.split(player).length - 1;
    const [black, white] = [count('0'), count('1')];
    return black === white ? { draw: true } : { winner: black > white ? '0' : '1' };
  },
};

module.exports = { Othello, legalMoves };
