// Our server and that of boardgame.io under the same load, in one run: rounds of both, back to back, taking turns to go first.
//
// What a move costs is judged at full speed: every game goes on as soon as the opponent has seen the last move. It is shown at 1,000 moves
// a second as well, where both servers wait most of the time.
//
// With --old, another build of our server takes the place of boardgame.io, to see what a change costs.
//
// node compare.js AGON [--old AGON] [--json] [--rounds N] [--games N]
'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    old: { type: 'string' },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    games: { type: 'string', default: '200' },
  },
});
const [agon] = positionals;
const peerName = values.old ? 'the old build' : 'boardgame.io';
const FLOOR = 5;
const AIM = 10;
// The moves a second of all games together; the first is more than either server can do.
const LOADS = [
  { name: 'full speed', rate: '100000', isJudged: !values.old },
  { name: '1,000 moves/s', rate: '1000', isJudged: false },
];

const run = (command, args) => {
  const text = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return new Map(text.trim().split('\n').map((line) => JSON.parse(line)).map((figure) => [figure.what, figure]));
};
const runAgon = (program, rate) =>
  run(program, ['bench', 'serve', '--only', 'moves', '--json', '--games', values.games, '--rate', rate]);
const runBoardgameIo = (rate) => run(process.execPath, [path.join(__dirname, 'load.js'), values.games, rate]);
const sides = {
  ours: (rate) => runAgon(agon, rate),
  peer: (rate) => (values.old ? runAgon(values.old, rate) : runBoardgameIo(rate)),
};
const median = (numbers) => {
  const half = numbers.length >> 1;
  const ordered = [...numbers].sort((one, other) => one - other);
  return numbers.length % 2 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
};
// The least and the most, to see how far the rounds differ.
const spread = (numbers) => [Math.min(...numbers), Math.max(...numbers)];
const cost = 'CPU per move';

const measure = ({ name, rate, isJudged }) => {
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = round % 2 ? ['peer', 'ours'] : ['ours', 'peer'];
    rounds.push(Object.fromEntries(order.map((side) => [side, sides[side](rate)])));
  }
  // The delay to the opponent is measured on our side only.
  const rows = [...rounds[0].ours.values()].filter(({ what }) => rounds[0].peer.has(what)).map(({ game, what, unit }) => {
    const [ours, peer] = ['ours', 'peer'].map((side) => rounds.map((round) => round[side].get(what).value));
    const spreads = { ours: spread(ours), peer: spread(peer) };
    return { game, what, unit, value: median(ours), peer: median(peer), spreads };
  });
  const ratio = median(rounds.map(({ ours, peer }) => peer.get(cost).value / ours.get(cost).value));
  return { name, isJudged, rows, ratio };
};

const print = ({ name, isJudged, rows, ratio }) => {
  const digits = (value) => value.toFixed(value < 100 ? 1 : 0);
  const show = (value, range) => `${digits(value)} (${range.map(digits).join('-')})`.padStart(24);
  console.log(`${`people playing Othello, ${name}`.padEnd(38)}${'ours'.padStart(24)}${peerName.padStart(24)}`);
  for (const { what, value, unit, peer, spreads } of rows) {
    console.log(`${what.padEnd(38)}${show(value, spreads.ours)}${show(peer, spreads.peer)} ${unit}`);
  }
  const reached = ratio >= AIM ? 'aim reached' : ratio >= FLOOR ? 'floor reached' : 'floor missed';
  const judgement = isJudged ? ` (floor ${FLOOR}, aim ${AIM}): ${reached}` : '';
  console.log(`a move costs ${peerName} ${ratio.toFixed(values.old ? 2 : 1)} times the CPU time${judgement}\n`);
};

const printJson = ({ name, isJudged, rows, ratio }) => {
  for (const { game, what, value, unit, peer } of rows) {
    const isCost = what === cost;
    const judged = { ratio: isCost ? ratio : null, floor: isCost && isJudged ? FLOOR : null, aim: isCost && isJudged ? AIM : null };
    console.log(JSON.stringify({ game, what: `server, ${name}: ${what}`, value, unit, peer: peerName, peerValue: peer, ...judged }));
  }
};

for (const load of LOADS) {
  const measured = measure(load);
  (values.json ? printJson : print)(measured);
  if (measured.isJudged) process.exitCode = measured.ratio >= FLOOR ? 0 : 1;
}
