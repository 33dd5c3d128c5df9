// Two players in each of many matches, each over a socket of their own, play random moves on boardgame.io until all matches have ended:
// the load of `agon bench serve --only moves`. Prints the same figures as JSON lines.
//
// node load.js [GAMES [MOVES PER SECOND]]
'use strict';

const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { once } = require('node:events');
const { io } = require('socket.io-client');
const { legalMoves } = require('./othello');

const games = Number(process.argv[2] ?? 200);
const rate = Number(process.argv[3] ?? 1000);
const REST = 2000;
const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

// Processor time of a process, its own and the system's for it, in microseconds.
const ticks = Number(execFileSync('getconf', ['CLK_TCK']));
function processorTime(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').pop().trim().split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / ticks;
}

function resident(pid) {
  return Number(/VmRSS:\s*(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}

async function post(url, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

let received = 0;

// A player's end of a match: its socket, and the state that it has heard of last.
async function connect(base, matchID, playerID, credentials) {
  const player = { state: null, heard: () => {}, credentials };
  player.socket = io(`${base}/othello`, { transports: ['websocket'], forceNew: true, reconnection: false });
  player.socket.io.engine.on('packet', ({ data }) => { received += data?.length ?? 0; });
  player.socket.on('sync', (_, { state }) => { player.state = state; player.heard(); });
  player.socket.on('update', (_, state) => { player.state = state; player.heard(); });
  await once(player.socket, 'connect');
  player.socket.emit('sync', matchID, playerID, credentials, 2);
  await until(player, () => player.state);
  return player;
}

// Waits until what `player` has heard satisfies `isSo`.
async function until(player, isSo) {
  while (!isSo()) await new Promise((done) => { player.heard = done; });
}

async function open(base) {
  const { matchID } = await post(`${base}/games/othello/create`, { numPlayers: 2 });
  const players = [];
  for (const playerID of ['0', '1']) {
    const { playerCredentials } = await post(`${base}/games/othello/${matchID}/join`, { playerID, playerName: playerID });
    players.push(await connect(base, matchID, playerID, playerCredentials));
  }
  return { matchID, players };
}

async function play({ matchID, players }, start, every, times) {
  let next = start;
  for (;;) {
    const { G, ctx, _stateID: known } = players[0].state;
    if (ctx.gameover) return;
    await sleep(Math.max(0, next - performance.now()));
    next = Math.max(next, performance.now()) + every;
    const playerID = ctx.currentPlayer;
    const mover = players[Number(playerID)];
    const cells = legalMoves(G.board, playerID);
    const [type, args] = cells.length ? ['place', [cells[Math.floor(Math.random() * cells.length)]]] : ['pass', []];
    const action = { type: 'MAKE_MOVE', payload: { type, args, playerID, credentials: mover.credentials } };
    const began = performance.now();
    mover.socket.emit('update', action, known, matchID, playerID);
    await until(mover, () => mover.state._stateID > known);
    times.push(performance.now() - began);
    for (const player of players) await until(player, () => player.state._stateID >= mover.state._stateID);
  }
}

async function main() {
  const port = await freePort();
  const env = { ...process.env, NODE_ENV: 'production' };
  const server = spawn(process.execPath, [path.join(__dirname, 'server.js'), String(port)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  const base = `http://127.0.0.1:${port}`;
  const matches = [];
  for (let count = 0; count < games; count += 1) matches.push(await open(base));
  await sleep(REST);
  const before = processorTime(server.pid);
  received = 0;
  const began = performance.now();
  const every = (games / rate) * 1000;
  const times = [];
  await Promise.all(matches.map((match, number) => play(match, began + (every * number) / games, every, times)));
  const elapsed = (performance.now() - began) / 1000;
  const spent = processorTime(server.pid) - before;
  times.sort((one, other) => one - other);
  const at = (share) => times[Math.min(Math.floor(times.length * share), times.length - 1)];
  const say = (game, what, value, unit) => console.log(JSON.stringify({ game, what, value, unit }));
  say('othello', 'moves', times.length, 'moves');
  say('othello', 'rate', times.length / elapsed, 'moves/s');
  say('othello', 'CPU per move', spent / times.length, 'µs');
  say('othello', 'sent per move', received / times.length, 'bytes');
  say('othello', 'send to acknowledgement p50', at(0.5), 'ms');
  say('othello', 'send to acknowledgement p99', at(0.99), 'ms');
  say('server', 'resident size', resident(server.pid) / 1e6, 'MB');
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(2);
});
