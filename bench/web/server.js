// The server of boardgame.io as its documentation sets it up, with tables in memory, which is its default.
'use strict';

const { Origins, Server } = require('boardgame.io/server');
const { Othello } = require('./othello');

const server = Server({ games: [Othello], origins: [Origins.LOCALHOST] });
// What it says on starting would end up among the figures.
console.log = () => {};
server.run({ port: Number(process.argv[2]) }, () => process.stdout.write('ready\n'));
