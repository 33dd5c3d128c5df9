//! The web app is part of the program: this crate is compiled again when the app has changed.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
