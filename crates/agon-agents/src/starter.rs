//! Agents to start from, in several languages. Each plays legal moves of every game from the first minute.

use agon_core::text::or_list;
use agon_erased::Rules;

use crate::kit;

/// A language that there is a starter in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python, with the kit.
    Python,
    /// Rust, without dependencies.
    Rust,
    /// Java, without dependencies.
    Java,
    /// C.
    C,
}

/// The files of one starter and how they become a running agent.
struct Template {
    files: &'static [(&'static str, &'static str)],
    build: &'static [&'static str],
    command: &'static str,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Python, Self::Rust, Self::Java, Self::C];

    fn template(self) -> Template {
        match self {
            Self::Python => Template {
                files: &[
                    ("agent.py", include_str!("../starters/python/agent.py")),
                    ("README.md", include_str!("../starters/python/README.md")),
                ],
                build: &[],
                command: "python3 -m agon_agent agent.py",
            },
            Self::Rust => Template {
                files: &[
                    // Under another name here, since cargo takes a folder with the real one for a package of ours.
                    ("Cargo.toml", include_str!("../starters/rust/Cargo.toml.txt")),
                    ("src/main.rs", include_str!("../starters/rust/src/main.rs")),
                    ("src/json.rs", include_str!("../starters/rust/src/json.rs")),
                    ("README.md", include_str!("../starters/rust/README.md")),
                ],
                build: &["cargo build --release --quiet"],
                command: "target/release/agent",
            },
            Self::Java => Template {
                files: &[
                    ("Agent.java", include_str!("../starters/java/Agent.java")),
                    ("README.md", include_str!("../starters/java/README.md")),
                ],
                build: &["javac Agent.java", "jar cfe agent.jar Agent Agent.class"],
                command: "java -jar agent.jar",
            },
            Self::C => Template {
                files: &[
                    ("agent.c", include_str!("../starters/c/agent.c")),
                    ("Makefile", include_str!("../starters/c/Makefile")),
                    ("README.md", include_str!("../starters/c/README.md")),
                ],
                build: &["make"],
                command: "./agent",
            },
        }
    }

    /// What builds the agent, in its folder.
    pub fn build(self) -> &'static [&'static str] {
        self.template().build
    }

    /// What runs it, in its folder.
    pub fn command(self) -> &'static str {
        self.template().command
    }

    /// The files of a starter for a game: paths and texts.
    pub fn files(self, rules: &dyn Rules) -> Vec<(String, String)> {
        let Template { files, command, .. } = self.template();
        let id = rules.spec().id;
        // Games of one player have no opponent to duel with.
        let mut commands = vec![format!("agon agent check '{command}' --game {id}")];
        if rules.seats().len() > 1 {
            commands.push(format!("agon play {id} --players \"human,jsonl:{command}\""));
            commands.push(format!("agon duel {id} easy 'jsonl:{command}' --games 10 --time 500ms"));
        } else {
            commands.push(format!("agon watch {id} --players 'jsonl:{command}'"));
        }
        let fill = |text: &str| {
            text.replace("{{commands}}", &commands.join("\n"))
                .replace("{{protocol}}", include_str!("../starters/protocol.md").trim_end())
                .replace("{{game}}", &about(rules))
                .replace("{{title}}", rules.spec().title())
        };
        let mut found: Vec<(String, String)> =
            files.iter().map(|(path, text)| ((*path).to_owned(), fill(text))).collect();
        if self == Self::Python {
            // It is found by its name; others say how they are run.
            found.extend(kit::FILES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
        } else {
            let words: Vec<String> = command.split(' ').map(|word| format!("\"{word}\"")).collect();
            let text = format!(
                "# How a referee runs the agent, once it is built.\ncommand = [{}]\n",
                words.join(", ")
            );
            found.push(("agent.toml".to_owned(), text));
        }
        found
    }
}

/// What the author of an agent has to know of a game, in Markdown.
fn about(rules: &dyn Rules) -> String {
    let spec = rules.spec();
    let mut session = rules.start();
    // Where chance begins, moves come after it.
    while session.draw(0).is_some() {}
    // From all over the list, which is sorted by kinds of moves.
    let legal = session.legal();
    let moves: Vec<&String> = legal.iter().rev().step_by(legal.len().div_ceil(6).max(1)).collect();
    let options = match rules.options() {
        options if options.is_empty() => "it has none".to_owned(),
        options => format!("such as `{options}`"),
    };
    format!(
        "## {}\n\n{}\n\n- The seats, in playing order: {}.\n- Options: {options}; `agon games` explains them.\n\
         - A position is one line of text, such as `{}`; `agon show {} --position …` draws it.\n\
         - Moves are written like {}.\n- `agon learn {}` teaches the rules, and `agon query` answers questions about them.",
        spec.title(),
        spec.summary(),
        rules.seats().iter().map(|seat| format!("`{seat}`")).collect::<Vec<_>>().join(", "),
        session.position(),
        spec.id,
        or_list(moves.iter().map(|token| format!("`{token}`"))),
        spec.id,
    )
}

#[cfg(test)]
mod tests {
    use agon_registry::GAMES;

    use super::*;
    use crate::submissions::{Entry, Files};

    #[test]
    fn a_folder_that_was_built_is_a_submission() {
        let rules = GAMES.iter().next().expect("a game").rules("").expect("the defaults hold");
        for (language, built) in [
            (Language::Python, "agon_agent/__init__.py"),
            (Language::Rust, "target/release/agent"),
            (Language::Java, "agent.jar"),
            (Language::C, "agent"),
        ] {
            let mut files = Files::single(built, Vec::new()).expect("a file");
            for (path, text) in language.files(&*rules) {
                files.0.extend(Files::single(&path, text.into_bytes()).expect("a file").0);
            }
            let entry = Entry::of(&files).unwrap_or_else(|fault| panic!("{language:?}: {fault}"));
            assert_eq!(entry.command.join(" "), language.command().trim_start_matches("./"));
            assert_eq!(entry.own.last(), Some(&true), "{language:?}");
        }
    }

    #[test]
    fn nothing_is_left_to_fill_in() {
        for entry in GAMES {
            let rules = entry.rules("").expect("the defaults hold");
            for language in Language::ALL {
                for (path, text) in language.files(&*rules) {
                    assert!(!text.contains("{{") || path.ends_with(".rs"), "{path}: {text}");
                    assert!(!text.contains("{{title}}") && !text.contains("{{game}}"), "{path}");
                    if path == "README.md" {
                        let command = language.command();
                        let check = format!("agon agent check '{command}' --game {}", entry.spec.id);
                        assert!(text.contains(&check), "{text}");
                        assert!(language.build().iter().all(|step| text.contains(step)), "{text}");
                        assert!(text.contains(&format!("## {}", entry.spec.title())), "{text}");
                    }
                }
            }
        }
    }
}
