//! The web app is part of the program: it is compiled again when the app has been built again.

fn main() {
    println!("cargo:rerun-if-changed=../../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
