//! The tournament file that submissions go into. Everything but the part between two marks belongs to whoever organises the tournament.

use std::path::Path;

use super::Submission;
use crate::program::least_threads;

/// The line before the submissions.
const BEGIN: &str =
    "# >>> submissions, written by `agon arena import`; it rewrites everything down to the closing line >>>";
/// The line after them.
const END: &str = "# <<< submissions <<<";

/// A new tournament file.
pub(super) fn new_file(name: &str, game: &str) -> String {
    format!(
        "# A tournament for `agon arena run`. Change it as you like: importing again rewrites only the part between the marks.\n\
         name = {name}\n\
         seed = 1\n\
         memory = \"1GB\"\n\
         printing = \"loss\"\n\n\
         {BEGIN}\n{END}\n\n\
         # What may be handed in, by which importing again judges.\n\
         # [submissions]\n\
         # types = [\".py\", \".txt\"]\n\
         # size = \"1MB\"\n\
         # data = \"none\"\n\n\
         # A built-in bot, so that everybody has somebody to play against.\n\
         [[players]]\n\
         name = \"house\"\n\
         bot = \"easy\"\n\n\
         [[rounds]]\n\
         game = {game}\n\
         time = \"1s\"\n\
         setup = \"10s\"\n",
        name = text(name),
        game = text(game),
    )
}

/// The file with these players between its marks.
///
/// # Errors
/// If it has no marks; says how to add them.
pub(super) fn with_players(file: &str, players: &[&Submission]) -> Result<String, String> {
    let marks = file.find(BEGIN).zip(file.find(END)).filter(|(begin, end)| begin < end);
    let (begin, end) = marks.ok_or_else(|| {
        format!("it has no part for submissions; add these two lines, each once, where they should go:\n{BEGIN}\n{END}")
    })?;
    let part: String = players.iter().map(|player| player_section(player)).collect();
    Ok(format!("{}{BEGIN}\n{part}{}", &file[..begin], &file[end..]))
}

/// The section of a tournament file by which a submission takes part.
pub fn player_section(player: &Submission) -> String {
    let command: Vec<String> = player.command.iter().map(|word| text(word)).collect();
    let mut section = format!(
        "[[players]]  # version {}\nname = {}\ncommand = [{}]\nprotocol = {}\n",
        player.version,
        text(&player.name),
        command.join(", "),
        text(&player.protocol),
    );
    if !player.authors.is_empty() {
        section += &format!("authors = {}\n", text(&player.authors));
    }
    let threads = player.command.first().map_or(1, |program| least_threads(Path::new(program)));
    if threads > 1 {
        section += &format!("threads = {threads}  # the interpreter itself needs some\n");
    }
    section.push('\n');
    section
}

/// A text as TOML has it. Control characters have been refused before; what else JSON escapes, TOML reads the same.
pub fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, version: u32) -> Submission {
        Submission {
            name: name.to_owned(),
            version,
            command: vec!["python3".to_owned(), format!("agents/{name}/{version}/agent.py")],
            protocol: "jsonl".to_owned(),
            ..Submission::default()
        }
    }

    #[test]
    fn only_the_part_between_the_marks_is_rewritten() {
        let first =
            with_players(&new_file("my \"course\"", "loa"), &[&player("dana", 1)]).expect("it has marks");
        let edited = first.replace("time = \"1s\"", "time = \"250ms\"  # mine");
        let second = with_players(&edited, &[&player("avi", 1), &player("dana", 2)]).expect("it has marks");
        assert!(
            second.contains("250ms\"  # mine")
                && second.contains("agents/dana/2/")
                && !second.contains("agents/dana/1/")
        );
        let value: toml::Table = toml::from_str(&second).expect("it is TOML");
        let names: Vec<&str> = value["players"]
            .as_array()
            .expect("players")
            .iter()
            .filter_map(|player| player["name"].as_str())
            .collect();
        assert_eq!(names, ["avi", "dana", "house"]);
        assert_eq!(value["name"].as_str(), Some("my \"course\""));
        assert_eq!(with_players(&second, &[&player("avi", 1), &player("dana", 2)]), Ok(second));
    }

    #[test]
    fn interpreters_with_threads_of_their_own_get_them() {
        let java =
            Submission { command: vec!["java".to_owned(), "a/agent.jar".to_owned()], ..player("dana", 1) };
        let file = with_players(&new_file("x", "loa"), &[&java, &player("avi", 1)]).expect("it has marks");
        assert_eq!(file.matches("threads = 64").count(), 1, "{file}");
    }

    #[test]
    fn a_file_without_marks_is_left_alone() {
        for file in ["name = \"x\"\n".to_owned(), format!("{END}\n{BEGIN}\n")] {
            let fault = with_players(&file, &[]).expect_err("nowhere to write");
            assert!(fault.contains(BEGIN) && fault.contains(END));
        }
    }
}
