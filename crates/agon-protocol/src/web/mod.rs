//! What the server and browsers say to one another: WebSocket messages ([`ClientMessage`], [`ServerMessage`]) and the
//! bodies of REST requests and answers ([`api`]).
//!
//! The server alone knows rules. A browser is told what stands where, which moves are legal and what each of them does, and
//! answers with one of them. Every message of a browser is answered by an acknowledgement, by what was asked for, or by a
//! refusal with a code for programs and a sentence for people.
//!
//! A game that is being played is addressed by its id: messages say `game` for it and `id` for their own id. In REST documents `id` is
//! the id of a game being played, and `game` the name of what is played, such as `othello`. Inside the server the place where a game
//! is played is called a table.
//!
//! All types describe themselves as JSON Schema: the OpenAPI document and the TypeScript types of the web app are made from
//! these descriptions.

pub mod api;
pub mod arena;
mod client;
pub mod online;
mod server;
mod state;
pub mod studies;
pub mod tree;

pub use client::{ClientAction, ClientMessage, MAX_CLIENT_BYTES, MAX_MESSAGE_ID};
pub use server::{BoardUpdate, Change, RefusalCode, ServerMessage, Thinking, Update};
pub use state::{
    BoardFacts, BoardPicture, BoardState, EndKind, EndState, LastMove, MoveState, OfferKind, OfferState,
    PlyState, ScoreState, SeatState, TableMode, TableState,
};

/// The version of these messages. A page that was loaded from a server of another version must be loaded anew.
pub const PROTOCOL: u32 = 7;
