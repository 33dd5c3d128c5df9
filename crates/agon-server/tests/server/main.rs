//! The server as those see it who talk to it: over HTTP and WebSockets, with its store on a disk.

mod arena;
mod bots;
mod deletion;
mod fuzz;
mod games;
mod http;
mod lobbies;
mod online;
mod quotas;
mod slow;
mod socket;
mod storage;
mod studies;
mod support;
mod time;
mod tls;
mod trees;
mod uploads;
