// Our server and that of boardgame.io under the same load, in one run: rounds of both, back to back, taking turns to go first.
//
// node compare.js AGON [--json] [--rounds N] [--games N] [--rate N]
'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    games: { type: 'string', default: '200' },
    rate: { type: 'string', default: '1000' },
  },
});
const [agon] = positionals;
const FLOOR = 5;
const AIM = 10;

const run = (command, args) => {
  const text = execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return new Map(text.trim().split('\n').map((line) => JSON.parse(line)).map((figure) => [figure.what, figure]));
};
const sides = {
  ours: () => run(agon, ['bench', 'serve', '--only', 'moves', '--json', '--games', values.games, '--rate', values.rate]),
  peer: () => run(process.execPath, [path.join(__dirname, 'load.js'), values.games, values.rate]),
};
const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];

const rounds = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const order = round % 2 ? ['peer', 'ours'] : ['ours', 'peer'];
  rounds.push(Object.fromEntries(order.map((side) => [side, sides[side]()])));
}

// The delay to the opponent is measured on our side only.
const rows = [...rounds[0].ours.values()].filter(({ what }) => rounds[0].peer.has(what)).map(({ game, what, unit }) => {
  const of = (side) => median(rounds.map((round) => round[side].get(what).value));
  return { game, what, unit, value: of('ours'), peer: of('peer') };
});
const cost = 'CPU per move';
const ratio = median(rounds.map(({ ours, peer }) => peer.get(cost).value / ours.get(cost).value));

if (values.json) {
  for (const { game, what, value, unit, peer } of rows) {
    const judged = what === cost ? { ratio, floor: FLOOR, aim: AIM } : { ratio: null, floor: null, aim: null };
    console.log(JSON.stringify({ game, what: `server: ${what}`, value, unit, peer: 'boardgame.io', peerValue: peer, ...judged }));
  }
} else {
  const show = (value) => value.toFixed(value < 100 ? 1 : 0).padStart(14);
  console.log(`${'server, people playing Othello'.padEnd(32)}${'ours'.padStart(14)}${'boardgame.io'.padStart(14)}`);
  for (const { what, value, unit, peer } of rows) console.log(`${what.padEnd(32)}${show(value)}${show(peer)} ${unit}`);
  const reached = ratio >= AIM ? 'aim reached' : ratio >= FLOOR ? 'floor reached' : 'floor missed';
  console.log(`a move costs boardgame.io ${ratio.toFixed(1)} times the CPU time (floor ${FLOOR}, aim ${AIM}): ${reached}`);
}
process.exitCode = ratio >= FLOOR ? 0 : 1;
