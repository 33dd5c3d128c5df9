//! No code: this package unites features of third-party crates. `Cargo.toml` says why.
