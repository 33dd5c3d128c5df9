//! The results of our own runs, `docs/studies/*/results.json`, are part of the program, without their blanks. Whatever folders are there are
//! taken: publishing a run needs no change here.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const DOCS: &str = "../../docs/studies";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed={DOCS}");
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut list = "/// Our own runs, by name.\npub const PUBLISHED: &[Published] = &[\n".to_owned();
    for id in folders()? {
        let Ok(text) = fs::read_to_string(Path::new(DOCS).join(&id).join("results.json")) else { continue };
        let path = out.join(format!("{id}.json"));
        fs::write(&path, without_blanks(&text))?;
        let _ = writeln!(list, "    Published {{ id: {id:?}, results: include_str!({path:?}) }},");
    }
    fs::write(out.join("published.rs"), list + "];\n")
}

/// The names of the folders that can be part of an address, sorted. A program that is built without the documentation publishes nothing.
fn folders() -> io::Result<Vec<String>> {
    let Ok(entries) = fs::read_dir(DOCS) else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        let is_safe = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        names.extend(entry.file_name().into_string().ok().filter(|name| name.bytes().all(is_safe)));
    }
    names.sort();
    Ok(names)
}

/// JSON without the blanks between its parts.
fn without_blanks(text: &str) -> String {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let keep = |char: &char| {
        let is_kept = is_quoted || !char.is_ascii_whitespace();
        if !is_escaped && *char == '"' {
            is_quoted = !is_quoted;
        }
        is_escaped = is_quoted && !is_escaped && *char == '\\';
        is_kept
    };
    text.chars().filter(keep).collect()
}
