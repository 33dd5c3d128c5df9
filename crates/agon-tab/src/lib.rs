//! Agon in a browser's tab: the table and the engine of a module for WebAssembly, without I/O.
//!
//! A [`Tab`] is what a server is to a page: it takes what pages say and ask and gives an ordered list of what is to be done, of which
//! telling and storing are the most. It acknowledges nothing that has not been stored. An [`Engine`] lets bots think in slices, between
//! which its host can stop it. Both speak JSON, so that the host need understand nothing but the kinds of its messages.
//!
//! [`module!`] makes a module of one game's entry. docs/tab.md describes what goes in and out.

mod engine;
mod query;
mod requests;
mod seated;
mod tab;
pub mod wire;

#[cfg(target_family = "wasm")]
#[doc(hidden)]
pub mod exports;

pub use engine::{Engine, Host};
pub use tab::Tab;
