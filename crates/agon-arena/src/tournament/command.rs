//! Commands of agents: where their files are.

use std::path::{Path, PathBuf};

use agon_core::text::quote;
use agon_players::external::CommandLine;

/// Endings of files that an interpreter runs.
const SCRIPTS: [&str; 9] = ["py", "jar", "class", "js", "mjs", "rb", "pl", "lua", "sh"];

/// Finds the files of a command, whose paths are relative to `base`, and the folder of the first of them. A program without a `/`
/// in its name is looked up as shells do, and then in `base`.
///
/// # Errors
/// Which word is wrong, and how.
pub fn resolve(words: &[&str], base: &Path) -> Result<(CommandLine, Option<PathBuf>), (usize, String)> {
    let Some(name) = words.first() else {
        return Err((0, "the command is empty; expected a program and its arguments".to_owned()));
    };
    let here = |word: &str| {
        let path = base.join(word);
        path.is_file().then_some(path)
    };
    let searched = || CommandLine::parse(&quoted_word(name)).ok().map(|command| command.program);
    let (program, is_own) = if name.contains('/') {
        (here(name), true)
    } else {
        let found = searched();
        let is_own = found.is_none();
        (found.or_else(|| here(name)), is_own)
    };
    let Some(program) = program else {
        let place = if name.contains('/') { format!(" in {}", base.display()) } else { String::new() };
        return Err((0, format!("there is no program {}{place}", quote(name))));
    };
    let program = absolute(&program).map_err(|fault| (0, fault))?;
    if CommandLine::parse(&quoted_word(&program.to_string_lossy())).is_err() {
        return Err((0, format!("{} cannot be executed; try chmod +x", quote(name))));
    }
    let mut folder = is_own.then(|| program.parent().map(Path::to_path_buf)).flatten();
    let mut arguments = Vec::new();
    for (index, word) in words.iter().enumerate().skip(1) {
        let is_script =
            Path::new(word).extension().is_some_and(|end| SCRIPTS.iter().any(|known| end == *known));
        match here(word).filter(|_| !word.starts_with('-')) {
            Some(file) => {
                let file = absolute(&file).map_err(|fault| (index, fault))?;
                folder = folder.or_else(|| file.parent().map(Path::to_path_buf));
                arguments.push(file.to_string_lossy().into_owned());
            }
            None if is_script && folder.is_none() && !word.starts_with('-') => {
                return Err((index, format!("there is no file {} in {}", quote(word), base.display())));
            }
            None => arguments.push((*word).to_owned()),
        }
    }
    Ok((CommandLine { program, arguments }, folder))
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    path.canonicalize().map_err(|error| format!("{} cannot be used: {error}", quote(&path.to_string_lossy())))
}

/// A word as [`CommandLine::parse`], or a shell, reads it.
pub fn quoted_word(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "-_./=:,+@%".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A command in one line.
pub(crate) fn joined(words: &[&str]) -> String {
    words.iter().map(|word| quoted_word(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_are_found_and_the_first_one_gives_the_folder() {
        let base = std::env::temp_dir().join(format!("agon-command-{}", std::process::id()));
        fs::create_dir_all(base.join("mine/lib")).expect("a folder");
        for file in ["mine/agent.py", "mine/lib/data.txt"] {
            fs::write(base.join(file), "").expect("a file");
        }
        let real = base.canonicalize().expect("it is there");
        let (command, folder) =
            resolve(&["sh", "mine/agent.py", "-x", "mine/lib/data.txt", "7"], &base).expect("it is found");
        assert_eq!(folder, Some(real.join("mine")));
        assert!(command.program.is_absolute());
        let [agent, data] =
            ["mine/agent.py", "mine/lib/data.txt"].map(|file| real.join(file).display().to_string());
        assert_eq!(command.arguments, [agent, "-x".to_owned(), data, "7".to_owned()]);
        assert_eq!(resolve(&["sh", "-c", "true"], &base).expect("a shell").1, None);
        for (words, wrong, expected) in [
            (&["sh", "yours.py"][..], 1, "there is no file 'yours.py'"),
            (&["no-such-program-anywhere"], 0, "there is no program"),
            (&["mine/agent.py"], 0, "chmod +x"),
            (&[], 0, "empty"),
        ] {
            let (index, fault) = resolve(words, &base).expect_err("it is wrong");
            assert!(index == wrong && fault.contains(expected), "{words:?}: {fault}");
        }
        assert_eq!(joined(&["a b", "c", "it's"]), r"'a b' c 'it'\''s'");
        fs::remove_dir_all(&base).expect("it is ours");
    }
}
