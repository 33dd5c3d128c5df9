//! `agon serve` as a process: how it starts and ends, what it does when it is killed, and when there is no room left.

mod arena;
mod backup;
// These are the server's own; not everything in them is needed here.
#[allow(dead_code)]
#[path = "../../../agon-server/tests/server/support/client.rs"]
mod client;
mod https;
mod join;
mod kill;
mod players;
mod process;
#[allow(dead_code)]
#[path = "../../../agon-server/tests/server/support/request.rs"]
mod request;
mod restart;
mod settings;
mod storage;
