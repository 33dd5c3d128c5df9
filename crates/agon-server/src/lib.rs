//! Agon in the browser: a server with tables at which people and bots play, and the web app in which they see them.
//!
//! `table` is what is played and who follows it, `lobby` where people wait for one another before that, `tables`
//! all tables and lobbies together, `store` where they are kept, `data` the directory of all that is kept, `backup`
//! its copies, `checkup` the search for damage, `bots` the threads in which bots think, `arena` the tournaments that
//! are shown, `studies` the studies, `http` what the outside sees, `tls` the door through which it comes.

pub mod admin;
pub mod arena;
pub mod backup;
mod blocking;
pub mod bots;
pub mod catalogue;
pub mod checkup;
pub mod data;
pub mod dates;
pub mod folders;
pub mod http;
pub mod lobby;
mod networks;
mod random;
mod serve;
pub mod store;
pub mod studies;
mod systemd;
pub mod table;
pub mod tables;
pub mod tls;

pub use http::{WebApp, WebFile};
pub use serve::{Ready, ServeError, Settings, raise_file_limit, serve, set_nodelay};
