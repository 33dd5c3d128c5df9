//! Courses from what was handed in to the players of a tournament file.

use super::*;

struct Course(PathBuf);

impl Course {
    fn new(name: &str) -> Self {
        let base = std::env::temp_dir().join(format!("agon-course-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        fs::create_dir_all(base.join("in")).expect("a folder");
        Self(base)
    }

    fn hand_in(&self, path: &str, text: &str) {
        folder::write(&self.0.join("in"), &[(path, text)]).expect("it can be written");
    }

    fn import(&self) -> Vec<Found> {
        self.import_from("in").expect("it is imported")
    }

    fn import_from(&self, folder: &str) -> io::Result<Vec<Found>> {
        let out = self.0.join("course.toml");
        Import { folder: &self.0.join(folder), out: &out, game: "loa" }.run()
    }

    fn players(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.join("course.toml")).expect("a file");
        let value: toml::Table = toml::from_str(&text).expect("TOML");
        let words = |player: &toml::Value| {
            let command = player.get("command")?.as_array()?.last()?.as_str()?.to_owned();
            Some(command)
        };
        value["players"].as_array().expect("players").iter().filter_map(words).collect()
    }
}

impl Drop for Course {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_newest_valid_version_plays() {
    let course = Course::new("versions");
    course.hand_in("dana/agent.py", "from agon_agent import GameAgent  # 1");
    course.hand_in("avi/main.py", "");
    course.hand_in("notes.txt", "");
    let found = course.import();
    let summary = |found: &[Found]| -> Vec<(String, u32, bool, bool, Option<u32>)> {
        found.iter().map(|f| (f.name.clone(), f.version, f.known, f.rejected.is_some(), f.plays)).collect()
    };
    let row =
        |name: &str, version, known, rejected, plays| (name.to_owned(), version, known, rejected, plays);
    assert_eq!(
        summary(&found),
        [
            row("avi", 1, false, true, None),
            row("dana", 1, false, false, Some(1)),
            row("'notes.txt'", 0, false, true, None)
        ]
    );
    assert_eq!(course.players(), ["course-agents/dana/1/agent.py"]);
    assert!(course.0.join("course-agents/dana/1/agon_agent/__main__.py").exists(), "the kit is beside it");
    // Nothing new.
    assert_eq!(summary(&course.import())[1], row("dana", 1, true, false, Some(1)));
    // A newer one that is rejected leaves the older one playing.
    fs::remove_file(course.0.join("in/dana/agent.py")).expect("it is there");
    course.hand_in("dana/other.py", "");
    course.hand_in("avi/agent.py", "import json");
    assert_eq!(
        summary(&course.import())[..2],
        [row("avi", 2, false, false, Some(2)), row("dana", 2, false, true, Some(1))]
    );
    assert_eq!(summary(&course.import())[1], row("dana", 2, true, true, Some(1)));
    course.hand_in("dana/agent.py", "from agon_agent import GameAgent  # 3");
    assert_eq!(summary(&course.import())[1], row("dana", 3, false, false, Some(3)));
    assert_eq!(course.players(), ["course-agents/avi/2/agent.py", "course-agents/dana/3/agent.py"]);
    let kept = fs::read_to_string(course.0.join("course-agents/dana/1/agent.py")).expect("versions are kept");
    assert!(kept.ends_with("# 1"));
    // An author whose folder is gone still plays.
    fs::remove_dir_all(course.0.join("in/avi")).expect("it is there");
    course.import();
    assert_eq!(course.players().len(), 2);
}

#[test]
fn a_folder_and_a_zip_of_one_author_become_two_versions_and_no_more() {
    let course = Course::new("both");
    course.hand_in("dana/agent.py", "import json");
    // What cannot be read is a version, too: a rejected one.
    course.hand_in("dana.zip", "no ZIP at all");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    let zip = fs::File::options().append(true).open(course.0.join("in/dana.zip")).expect("it is there");
    zip.set_modified(later).expect("its time can be set");
    for known in [false, true, true] {
        let found: Vec<_> =
            course.import().into_iter().map(|found| (found.version, found.known, found.plays)).collect();
        assert_eq!(found, [(1, known, Some(1)), (2, known, Some(1))]);
    }
}

#[test]
fn a_copy_has_what_an_import_would_add() {
    let course = Course::new("copy");
    course.hand_in("dana/agent.py", "from agon_agent import GameAgent");
    let to = course.0.join("copy");
    fs::create_dir(&to).expect("a folder");
    let entry = copy(&course.0.join("in/dana"), &to).expect("it is a submission");
    assert_eq!(entry.command, ["python3", "-m", "agon_agent", "agent.py"]);
    assert!(to.join("agent.py").exists() && to.join("agon_agent/__main__.py").exists());
    course.hand_in("avi/main.py", "");
    let fault = copy(&course.0.join("in/avi"), &to).expect_err("it is not one");
    assert!(fault.contains("neither agent.py"), "{fault}");
}

/// A ZIP of these files.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
    for (path, bytes) in files {
        writer.start_file(*path, zip::write::SimpleFileOptions::default()).expect("an entry");
        io::Write::write_all(&mut writer, bytes).expect("its bytes");
    }
    writer.finish().expect("a ZIP").into_inner()
}

fn summary(found: &[Found]) -> Vec<String> {
    let plays = |one: &Found| match (&one.rejected, one.plays) {
        (None, Some(version)) => format!("{} {version}", one.name),
        (rejected, _) => format!("{}: {}", one.name, rejected.as_deref().unwrap_or("?")),
    };
    found.iter().map(plays).collect()
}

#[test]
fn what_moodle_exports_is_taken_as_a_zip_and_as_a_folder() {
    let course = Course::new("moodle");
    let agent = zipped(&[
        ("agent.py", b"import json"),
        ("submissions.txt", "דנה כהן,012345678,dana@example.org\n".as_bytes()),
    ]);
    let files: Vec<(&str, &[u8])> = vec![
        ("דנה כהן_12345_assignsubmission_file_/my agent.zip", &agent),
        ("דנה כהן_12345_assignsubmission_file_/report.pdf", b"%PDF"),
        ("Avi Levi_777_assignsubmission_file_/agent.py", b"import json"),
        ("Avi Levi_777_assignsubmission_file_/search.py", b"x = 1"),
        ("Avi Levi_777_assignsubmission_onlinetext_/onlinetext.html", b"hello"),
        // Another person of this name, whose files are not in a folder.
        ("Avi Levi_888_assignsubmission_file_agent.py", b"import sys"),
    ];
    fs::write(course.0.join("export.zip"), zipped(&files)).expect("a file");
    let expected = [
        "Avi Levi 1",
        "Avi Levi (888) 1",
        "דנה כהן 1",
        "'Avi Levi_777_assignsubmission_onlinetext…': it is a text that was typed on the platform, and no file",
    ];
    let found = course.import_from("export.zip").expect("it is imported");
    assert_eq!(summary(&found), expected);
    for (path, bytes) in &files {
        folder::write(&course.0.join("in"), &[(path, bytes)]).expect("files");
    }
    let again = course.import();
    assert_eq!(summary(&again), expected);
    assert!(again.iter().all(|one| one.known || one.version == 0), "both are the same: {again:?}");
    // Names stay readable, and the kit of a platform is not in the way.
    let players = course.players();
    assert!(players.iter().any(|path| path.starts_with("course-agents/דנה-כהן-")), "{players:?}");
    assert!(players.iter().all(|path| course.0.join(path).exists()), "{players:?}");
    assert!(!course.0.join("course-agents/.export.part").exists(), "nothing is left of the unpacking");
    let text = fs::read_to_string(course.0.join("course.toml")).expect("a file");
    let value: toml::Table = toml::from_str(&text).expect("TOML");
    let authors: Vec<String> = value["players"]
        .as_array()
        .expect("players")
        .iter()
        .filter_map(|player| fs::read_to_string(course.0.join(player.get("authors")?.as_str()?)).ok())
        .collect();
    assert_eq!(authors, ["Avi Levi,777,\n", "Avi Levi,888,\n", "דנה כהן,012345678,dana@example.org\n"]);
}

#[test]
fn what_canvas_exports_is_put_together() {
    let course = Course::new("canvas");
    let agent = zipped(&[("agent.py", b"import json")]);
    let files: Vec<(&str, &[u8])> = vec![
        ("cohendana_12345_600_agent.zip", &agent),
        ("leviavi_LATE_777_601_agent-1.py", b"import search"),
        ("leviavi_LATE_777_602_search.py", b"x = 1"),
        ("barnoa_888_text.html", b"see my mail"),
    ];
    for (path, bytes) in &files {
        folder::write(&course.0.join("in"), &[(path, bytes)]).expect("files");
    }
    let found = course.import();
    let ignored = "'barnoa_888_text.html': it is neither a folder nor a ZIP";
    assert_eq!(summary(&found), ["cohendana 1", "leviavi 1", ignored]);
    let own = course.0.join("course-agents/leviavi/1");
    assert!(own.join("agent.py").exists() && own.join("search.py").exists());
    // A folder around them all makes no difference.
    let outer: Vec<(String, &[u8])> =
        files.iter().map(|(path, bytes)| (format!("Agent/{path}"), *bytes)).collect();
    let outer: Vec<(&str, &[u8])> = outer.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
    fs::write(course.0.join("export.zip"), zipped(&outer)).expect("a file");
    let again = course.import_from("export.zip").expect("it is imported");
    assert_eq!(summary(&again), summary(&found));
}

#[test]
fn an_export_is_bounded_and_leads_nowhere_else() {
    let course = Course::new("hostile");
    for (name, bytes, expected) in [
        ("out.zip", zipped(&[("../../evil_1_assignsubmission_file_agent.py", b"")]), "leads out"),
        ("none.zip", b"no ZIP".to_vec(), "cannot be read"),
        (
            "one.zip",
            zipped(&[("agent.py", b"import json")]),
            "it is a submission itself, for it holds agent.py",
        ),
    ] {
        fs::write(course.0.join(name), bytes).expect("a file");
        let fault = course.import_from(name).expect_err(name).to_string();
        assert!(fault.contains(expected), "{name}: {fault}");
        assert!(!course.0.join("course-agents/.export.part").exists(), "{name}");
    }
    course.hand_in("agent.py", "");
    assert!(
        course.import_from("in").expect_err("a submission").to_string().contains("it is a submission itself")
    );
}

#[test]
fn what_breaks_the_rules_of_the_teacher_is_rejected_until_they_change() {
    let course = Course::new("rules");
    course.hand_in("dana/agent.py", "import json");
    course.hand_in("dana/book.json", "{}");
    course.hand_in("avi/agent.py", "import json");
    course.hand_in("avi/submissions.txt", "Avi Levi,avi@example.org,7\n");
    course.import_from("in").expect("it is imported");
    assert_eq!(course.players(), ["course-agents/dana/1/agent.py"], "there were no rules");
    let out = course.0.join("course.toml");
    let text = fs::read_to_string(&out).expect("a file");
    let with = |rules: &str| {
        fs::write(&out, text.replace("[[rounds]]", &format!("{rules}\n[[rounds]]"))).expect("a file")
    };
    with("[submissions]\ndata = \"none\"");
    course.hand_in("dana/agent.py", "import json  # again");
    let found = course.import();
    assert_eq!(
        found[0].rejected.as_deref(),
        Some(
            "submissions.txt:1:10: 'avi@example.org' is not an id; the order is name,id,email, as in Dana Cohen,123456789,dana@example.org"
        )
    );
    assert_eq!(found[1].rejected.as_deref(), Some("'book.json' is a data file, and none may be handed in"));
    assert_eq!((found[1].version, found[1].plays), (2, Some(1)));
    // The same once more is known; by other rules it is judged again.
    assert!(course.import()[1].known);
    with("[submissions]\ntypes = [\".py\", \".json\"]");
    let found = course.import();
    assert_eq!((found[1].version, found[1].plays, found[1].known), (3, Some(3), false));
    with("[submissions]\ntyps = []");
    let fault = course.import_from("in").expect_err("a wrong rule").to_string();
    assert!(fault.contains("there is no key 'typs' in [submissions]; did you mean types?"), "{fault}");
}

#[test]
fn authors_may_have_any_name() {
    let course = Course::new("names");
    for name in ["דנה כהן", "A B", "A-B", "a-b", "x|y", "x\"y", "..z"] {
        course.hand_in(&format!("{name}/agent.py"), "");
    }
    let found = course.import();
    let rejected: Vec<&str> =
        found.iter().filter(|found| found.plays.is_none()).map(|found| found.name.as_str()).collect();
    assert_eq!(rejected, ["'a-b'", "'x|y'"]);
    let players: BTreeSet<String> = course.players().into_iter().collect();
    assert_eq!(players.len(), 4, "no two share a folder: {players:?}");
    assert!(players.iter().all(|path| course.0.join(path).exists()), "{players:?}");
}

#[test]
fn a_tournament_file_without_a_place_for_players_stays_as_it_is() {
    let course = Course::new("marks");
    course.hand_in("dana/agent.py", "");
    let out = course.0.join("course.toml");
    fs::write(&out, "name = \"mine\"\n").expect("a file");
    let import = Import { folder: &course.0.join("in"), out: &out, game: "loa" };
    let fault = import.run().expect_err("nowhere to write").to_string();
    assert!(fault.contains("add these two lines"), "{fault}");
    assert_eq!(fs::read_to_string(&out).expect("it is there"), "name = \"mine\"\n");
    assert!(!course.0.join("course-agents").exists());
}
