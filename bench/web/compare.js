// Our server and that of boardgame.io under the same load, in one run: rounds of both, back to back, taking turns to go first.
//
// What a move costs is judged at full speed: every game goes on as soon as the opponent has seen the last move. It is shown at 1,000 moves
// a second as well, where both servers wait most of the time.
//
// node compare.js AGON [--json] [--rounds N] [--games N]
'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    games: { type: 'string', default: '200' },
  },
});
const [agon] = positionals;
const FLOOR = 5;
const AIM = 10;
// The moves a second of all games together; the first is more than either server can do.
const LOADS = [
  { name: 'full speed', rate: '100000', isJudged: true },
  { name: '1,000 moves/s', rate: '1000', isJudged: false },
];

const run = (command, args) => {
  const text = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return new Map(text.trim().split('\n').map((line) => JSON.parse(line)).map((figure) => [figure.what, figure]));
};
const sides = {
  ours: (rate) => run(agon, ['bench', 'serve', '--only', 'moves', '--json', '--games', values.games, '--rate', rate]),
  peer: (rate) => run(process.execPath, [path.join(__dirname, 'load.js'), values.games, rate]),
};
const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
const cost = 'CPU per move';

const measure = ({ name, rate, isJudged }) => {
  const rounds = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = round % 2 ? ['peer', 'ours'] : ['ours', 'peer'];
    rounds.push(Object.fromEntries(order.map((side) => [side, sides[side](rate)])));
  }
  // The delay to the opponent is measured on our side only.
  const rows = [...rounds[0].ours.values()].filter(({ what }) => rounds[0].peer.has(what)).map(({ game, what, unit }) => {
    const of = (side) => median(rounds.map((round) => round[side].get(what).value));
    return { game, what, unit, value: of('ours'), peer: of('peer') };
  });
  const ratio = median(rounds.map(({ ours, peer }) => peer.get(cost).value / ours.get(cost).value));
  return { name, isJudged, rows, ratio };
};

const print = ({ name, isJudged, rows, ratio }) => {
  const show = (value) => value.toFixed(value < 100 ? 1 : 0).padStart(14);
  console.log(`${`people playing Othello, ${name}`.padEnd(38)}${'ours'.padStart(14)}${'boardgame.io'.padStart(14)}`);
  for (const { what, value, unit, peer } of rows) console.log(`${what.padEnd(38)}${show(value)}${show(peer)} ${unit}`);
  const reached = ratio >= AIM ? 'aim reached' : ratio >= FLOOR ? 'floor reached' : 'floor missed';
  const judgement = isJudged ? ` (floor ${FLOOR}, aim ${AIM}): ${reached}` : '';
  console.log(`a move costs boardgame.io ${ratio.toFixed(1)} times the CPU time${judgement}\n`);
};

const printJson = ({ name, isJudged, rows, ratio }) => {
  for (const { game, what, value, unit, peer } of rows) {
    const isCost = what === cost;
    const judged = { ratio: isCost ? ratio : null, floor: isCost && isJudged ? FLOOR : null, aim: isCost && isJudged ? AIM : null };
    console.log(JSON.stringify({ game, what: `server, ${name}: ${what}`, value, unit, peer: 'boardgame.io', peerValue: peer, ...judged }));
  }
};

for (const load of LOADS) {
  const measured = measure(load);
  (values.json ? printJson : print)(measured);
  if (measured.isJudged) process.exitCode = measured.ratio >= FLOOR ? 0 : 1;
}
