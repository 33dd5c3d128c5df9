//! What may be handed in: the table `[submissions]` of a tournament file, by which an import judges.

use std::ops::RangeInclusive;

use agon_core::text::{or_list, quote};
use serde::Serialize;

use crate::program_keys::bytes;
use crate::reader::{self, Mistakes, Section};

/// Files that say how an agent is run, who has written it, or what it is: they are always taken.
const DESCRIPTIONS: [&str; 2] = ["agent.toml", "submissions.txt"];
/// Endings of files that people write programs in, and of what belongs to their building.
const SOURCES: [&str; 28] = [
    ".py",
    ".rs",
    ".java",
    ".kt",
    ".scala",
    ".c",
    ".h",
    ".cc",
    ".cpp",
    ".hpp",
    ".cs",
    ".go",
    ".js",
    ".mjs",
    ".ts",
    ".rb",
    ".lua",
    ".pl",
    ".hs",
    ".ml",
    ".sh",
    ".toml",
    ".lock",
    ".md",
    ".mf",
    ".gitignore",
    ".gitattributes",
    "makefile",
];
const MAX_FILES: u64 = 1000;
const SIZE: RangeInclusive<u64> = 1 << 10..=64 << 20;

/// What may be handed in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SubmissionRules {
    /// How files may end; anything if there are none.
    types: Vec<String>,
    /// The most bytes of all files together.
    size: Option<u64>,
    /// The most files.
    files: Option<u64>,
    /// Whether files that are neither source nor program are refused.
    refuses_data: bool,
}

impl SubmissionRules {
    /// Reads the rules of a tournament file; everything else in it is passed over.
    ///
    /// # Errors
    /// Every mistake in them, or that the file is not TOML.
    pub fn read(file: &str, text: &str) -> Result<Self, Mistakes> {
        reader::parse(file, text, |top| Some(Self::of(top)))
    }

    /// Those of the file with this top.
    pub(super) fn of(top: &Section) -> Self {
        let Some(section) = top.table("submissions", "[submissions]") else { return Self::default() };
        let types = section.texts("types", r#"[".py", ".txt"]"#).unwrap_or_default();
        for (ending, span) in &types {
            if !ending.starts_with('.') || ending.len() < 2 || ending.contains(['/', '*']) {
                let what = format!("types: {} is not the ending of a file, such as \".py\"", quote(ending));
                section.doc.wrong(span.clone(), what);
            }
        }
        let rules = Self {
            types: types.iter().map(|(ending, _)| ending.to_lowercase()).collect(),
            size: section
                .parsed("size", "1MB", |text| bytes(text, SIZE, "from 1KB to 64MB, such as \"1MB\"")),
            files: section.whole("files", 1..=MAX_FILES),
            refuses_data: section.choice("data", &[("any", false), ("none", true)]).unwrap_or(false),
        };
        section.close();
        rules
    }

    /// Why a submission of these files, each with its size, may not be handed in. `programs` are those that its command names.
    pub fn fault<'a>(
        &self,
        files: impl Iterator<Item = (&'a str, u64)>,
        programs: &[&str],
    ) -> Option<String> {
        let (mut count, mut size) = (0, 0);
        for (path, bytes) in files {
            count += 1;
            size += bytes;
            let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
            if DESCRIPTIONS.contains(&name.as_str()) || name.starts_with("readme") {
                continue;
            }
            if !self.types.is_empty() && !self.types.iter().any(|ending| name.ends_with(ending)) {
                let types = or_list(self.types.iter().map(String::as_str));
                return Some(format!("{} may not be handed in: files must end in {types}", quote(path)));
            }
            if self.refuses_data
                && !programs.contains(&path)
                && !SOURCES.iter().any(|ending| name.ends_with(ending))
            {
                return Some(format!("{} is a data file, and none may be handed in", quote(path)));
            }
        }
        if let Some(most) = self.files.filter(|most| count > *most) {
            return Some(format!("it holds {count} files; at most {most} may be handed in"));
        }
        let most = self.size.filter(|most| size > *most)?;
        Some(format!(
            "its files have {} together; at most {} may be handed in",
            size_text(size),
            size_text(most)
        ))
    }
}

/// A size for people, rounded up.
fn size_text(bytes: u64) -> String {
    if bytes >= 10 << 20 {
        format!("{} MB", bytes.div_ceil(1 << 20))
    } else {
        format!("{} KB", bytes.div_ceil(1 << 10))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(table: &str) -> SubmissionRules {
        let text = format!("name = \"x\"\n[submissions]\n{table}\n[[rounds]]\ngame = \"loa\"\n");
        SubmissionRules::read("course.toml", &text).expect(table)
    }

    fn fault(table: &str, files: &[(&str, u64)]) -> Option<String> {
        rules(table).fault(files.iter().copied(), &["agent.jar"])
    }

    #[test]
    fn files_are_judged_by_type_number_size_and_purpose() {
        let plain = [
            ("agent.py", 100),
            ("lib/Search.PY", 100),
            ("submissions.txt", 20),
            ("README.txt", 9),
            ("agent.toml", 1),
        ];
        for table in
            ["", "types = [\".py\"]", "data = \"none\"", "files = 5", "size = \"1KB\"", "data = \"any\""]
        {
            assert_eq!(fault(table, &plain), None, "{table}");
        }
        let book = [("agent.py", 100), ("book.txt", 5000)];
        for (table, expected) in [
            ("types = [\".py\", \".c\"]", "'book.txt' may not be handed in: files must end in .py or .c"),
            ("data = \"none\"", "'book.txt' is a data file, and none may be handed in"),
            ("files = 1", "it holds 2 files; at most 1 may be handed in"),
            ("size = \"4KB\"", "its files have 5 KB together; at most 4 KB may be handed in"),
        ] {
            assert_eq!(fault(table, &book).as_deref(), Some(expected));
        }
        assert_eq!(fault("data = \"none\"", &[("agent.jar", 1)]), None, "the program itself is no data");
        assert!(fault("data = \"none\"", &[("other.jar", 1)]).is_some());
    }

    #[test]
    fn wrong_rules_are_shown_in_their_place() {
        for (table, expected) in [
            ("tpyes = [\".py\"]", "f:2:1: there is no key 'tpyes' in [submissions]; did you mean types?"),
            ("types = [\"py\"]", "f:2:10: types: 'py' is not the ending of a file"),
            ("types = \".py\"", "f:2:9: types: expected a list of texts"),
            ("size = \"1\"", "f:2:8: size: '1' is not an amount from 1KB to 64MB"),
            ("data = \"non\"", "f:2:8: data: 'non' is not known; did you mean \"none\"?"),
            ("files = 0", "f:2:9: files: expected a whole number from 1 to 1000"),
        ] {
            let fault = SubmissionRules::read("f", &format!("[submissions]\n{table}\n")).expect_err(table);
            assert!(fault.to_string().contains(expected), "{fault}");
        }
    }
}
