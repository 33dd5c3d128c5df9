//! What a teacher can do on the web, and what nobody can.

use std::fs;
use std::io::{Cursor, Write};
use std::path::PathBuf;

use serde_json::{Value, json};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::support::{ADMIN, ANNA, Answer, Options, Request, Server};

/// Stands in for `agon`. It is not written by the test: a program that is still open for writing in some other thread cannot be run.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/server/support/program.sh");

struct Course {
    server: Server,
}

impl Course {
    async fn new() -> Self {
        let uploads = Some(PathBuf::from(PROGRAM));
        Self { server: Server::with(Options { uploads, ..Options::default() }).await }
    }

    fn asked(&self) -> Vec<String> {
        let asked = fs::read_to_string(self.server.folder.0.join("arena-uploads/asked")).unwrap_or_default();
        asked.lines().map(str::to_owned).collect()
    }

    fn admin(&self, method: &str, path: &str) -> Request {
        Request::new(self.server.address, method, path).token(ADMIN)
    }

    async fn upload(&self, name: &str, query: &str, bytes: &[u8]) -> Answer {
        let path = format!("/api/v1/arena/agents/{name}?{query}");
        self.admin("PUT", &path).body(bytes).send().await
    }

    async fn desk(&self) -> Value {
        let answer = self.admin("GET", "/api/v1/arena/desk").send().await;
        answer.as_described(&self.server, "/api/v1/arena/desk", "get").await;
        answer.json()
    }

    async fn start(&self, tournament: &Value) -> Answer {
        self.admin("POST", "/api/v1/arena").json(tournament).send().await
    }
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, bytes) in files {
        writer.start_file(*path, SimpleFileOptions::default()).expect("a file");
        writer.write_all(bytes).expect("it can be written");
    }
    writer.finish().expect("a ZIP").into_inner()
}

fn tournament(name: &str) -> Value {
    json!({"name": name, "agents": ["Dana"], "bots": [{"bot": "greedy"}], "rounds": [{"game": "othello", "options": "size=6", "time": "1s"}]})
}

#[tokio::test]
async fn uploads_are_off_unless_switched_on() {
    let server = Server::start().await;
    let requests = [
        ("PUT", "/api/v1/arena/agents/Dana?interpreter=python3", "x"),
        ("DELETE", "/api/v1/arena/agents/Dana", ""),
        ("POST", "/api/v1/arena", "{}"),
        ("POST", "/api/v1/arena/aaaaaaaaaaaa/stop", ""),
        ("POST", "/api/v1/arena/aaaaaaaaaaaa/resume", ""),
    ];
    for (method, path, body) in requests {
        let request = Request::new(server.address, method, path).token(ADMIN).body(body);
        let said = request.send().await.refusal(403, "disabled");
        assert!(said.contains("--arena-uploads"), "{said}");
    }
    let desk = server.get("/api/v1/arena/desk").token(ADMIN).send().await.expect(200).json();
    assert_eq!((&desk["uploads"], &desk["agents"]), (&json!(false), &json!([])));
    // Where they are on, they are for the admin.
    let course = Course::new().await;
    for (method, path, body) in requests {
        for token in [None, Some(ANNA)] {
            let request = Request::new(course.server.address, method, path).body(body);
            let request = match token {
                Some(token) => request.token(token),
                None => request,
            };
            request.send().await.refusal(403, "forbidden");
        }
    }
    course.server.get("/api/v1/arena/desk").send().await.refusal(403, "forbidden");
    assert_eq!(course.asked(), [] as [String; 0], "nothing was started");
    // A program need not say where it comes from.
    course.admin("GET", "/api/v1/arena/desk").header("origin", None).send().await.expect(200);
    course
        .admin("DELETE", "/api/v1/arena/agents/Dana")
        .header("origin", None)
        .send()
        .await
        .refusal(404, "unknown");
    // A page of another site is refused even with the token.
    let foreign = course.admin("POST", "/api/v1/arena").header("origin", "http://evil.example").body("{}");
    foreign.send().await.refusal(403, "forbidden");
}

#[tokio::test]
async fn agents_are_taken_in_and_removed() {
    let course = Course::new().await;
    let agent = course
        .upload("Dana%20Cohen", "interpreter=python3&file=agent.py", b"import agon_agent")
        .await
        .expect(200)
        .json();
    assert_eq!(
        json!([agent["name"], agent["interpreter"], agent["file"], agent["files"], agent["bytes"]]),
        json!(["Dana Cohen", "python3", "agent.py", 1, 17])
    );
    let packed = zip(&[("dana/main.py", b"import json"), ("dana/lib/util.py", b"")]);
    let agent = course.upload("avi", "interpreter=python3&file=main.py", &packed).await.expect(200).json();
    assert_eq!((&agent["file"], &agent["files"]), (&json!("main.py"), &json!(2)));
    let again = course.upload("avi", "interpreter=python3", b"pass").await.expect(200).json();
    assert_eq!((&again["file"], &again["files"]), (&json!("agent.py"), &json!(1)), "it is replaced");
    let names = |desk: &Value| -> Vec<String> {
        desk["agents"].as_array().expect("agents").iter().map(|agent| agent["name"].to_string()).collect()
    };
    let desk = course.desk().await;
    assert_eq!(names(&desk), ["\"Dana Cohen\"", "\"avi\""]);
    assert!(
        desk["interpreters"].as_array().expect("a list").iter().any(|one| one["name"] == "python3"),
        "{desk}"
    );
    course.admin("DELETE", "/api/v1/arena/agents/avi").send().await.expect(204);
    course.admin("DELETE", "/api/v1/arena/agents/avi").send().await.refusal(404, "unknown");
    assert_eq!(names(&course.desk().await), ["\"Dana Cohen\""]);
}

#[tokio::test]
async fn what_is_wrong_with_an_upload_is_said_and_nothing_is_kept() {
    let course = Course::new().await;
    let bomb = zip(&[("agent.py", &vec![0; 65 << 20])]);
    assert!(bomb.len() < 1 << 20, "it is small before it is unpacked");
    let many: Vec<(String, &[u8])> = (0..1001).map(|index| (format!("f{index}.py"), &b""[..])).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    link.add_symlink("agent.py", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
    let link = link.finish().expect("a ZIP").into_inner();
    let outside = zip(&[("../agent.py", b"")]);
    let absolute = zip(&[("/etc/agent.py", b"")]);
    let toml = zip(&[("agent.toml", b"command = [\"sh\", \"agent.py\"]"), ("agent.py", b"import json")]);
    let cut = &toml[..toml.len() / 2];
    for (name, query, bytes, expected) in [
        ("x", "interpreter=python3", &bomb[..], "64 MiB"),
        ("x", "interpreter=python3", &zip(&many), "1000 files"),
        ("x", "interpreter=python3", &link, "link"),
        ("x", "interpreter=python3", &outside, "leads out"),
        ("x", "interpreter=python3", &absolute, "leads out"),
        ("x", "interpreter=python3", cut, "ZIP cannot be read"),
        ("x", "interpreter=python3&file=other.py", &toml, "there is no 'other.py'"),
        ("x", "interpreter=sh&file=agent.sh", b"rm -rf /", "one of the interpreters"),
        ("x", "interpreter=%2Fbin%2Fsh", b"x", "one of the interpreters"),
        ("x", "interpreter=python3&file=agent.sh", b"x", ".py"),
        ("x", "interpreter=python3&file=..%2Fagent.py", b"x", "leads out"),
        ("x", "interpreter=python3&file=%2Fagent.py", b"x", "leads out"),
        ("x%0Ay", "interpreter=python3", b"x", "name"),
        ("x%7Cy", "interpreter=python3", b"x", "name"),
        (&"x".repeat(61), "interpreter=python3", b"x", "name"),
    ] {
        let said = course.upload(name, query, bytes).await.refusal(422, "invalid");
        assert!(said.contains(expected), "{query}: {said}");
    }
    course.upload("x", "", b"x").await.refusal(400, "malformed");
    course.upload("x", "interpreter=python3", &vec![b'x'; (32 << 20) + 1]).await.refusal(413, "too-large");
    assert_eq!(course.desk().await["agents"], json!([]));
    // A description in an upload names no command: the interpreter is given the file, and nothing else.
    course.upload("Dana", "interpreter=python3", &toml).await.expect(200);
    course.start(&tournament("plain")).await.expect(201);
    let file = course.server.folder.0.join("arena-uploads/tournaments/plain/tournament.toml");
    let file = fs::read_to_string(file).expect("a file");
    assert!(file.contains(r#"command = ["python3", "agents/dana-"#) && !file.contains("\"sh\""), "{file}");
    course.upload("DANA", "interpreter=python3", b"x").await.refusal(422, "invalid");
}

#[tokio::test]
async fn uploads_are_judged_as_imports_are() {
    let course = Course::new().await;
    let refused =
        async |bytes: &[u8]| course.upload("x", "interpreter=python3", bytes).await.refusal(422, "invalid");
    let said = refused(b"x = 1\ndef broken(:\n").await;
    assert!(said.contains("agent.py:2:12: "), "{said}");
    let imported = zip(&[("agent.py", b"import lib"), ("lib.py", b"if"), ("old.py", b"print 'as once'")]);
    let said = refused(&imported).await;
    assert!(said.contains("lib.py:1:"), "{said}");
    let unnamed = zip(&[("agent.py", b"import json"), ("submissions.txt", b"dana@example.org")]);
    let said = refused(&unnamed).await;
    assert!(said.contains("submissions.txt:1:1: expected three fields"), "{said}");
    // Rules of the one who runs the server hold from when they are there.
    let book = zip(&[
        ("agent.py", b"import json"),
        ("book.dat", b"x"),
        ("submissions.txt", "דנה כהן,012345678,dana@example.org".as_bytes()),
    ]);
    course.upload("Dana", "interpreter=python3", &book).await.expect(200);
    let rules = course.server.folder.0.join("arena-uploads/rules.toml");
    fs::write(&rules, "[submissions]\ndata = \"none\"\n").expect("a file");
    let said = refused(&book).await;
    assert!(said.contains("'book.dat' is a data file, and none may be handed in"), "{said}");
    fs::write(&rules, "[submissions]\ndta = \"none\"\n").expect("a file");
    let said = refused(&book).await;
    assert!(
        said.contains("rules.toml:2:1: there is no key 'dta' in [submissions]; did you mean data?"),
        "{said}"
    );
    // Authors come along, for the grades.
    course.start(&tournament("named")).await.expect(201);
    let folder = course.server.folder.0.join("arena-uploads/tournaments/named");
    let file = fs::read_to_string(folder.join("tournament.toml")).expect("a file");
    let authors = file.lines().find_map(|line| line.strip_prefix("authors = \"")?.strip_suffix('"'));
    let authors = fs::read_to_string(folder.join(authors.expect("a file of authors"))).expect("it is there");
    assert_eq!(authors, "דנה כהן,012345678,dana@example.org\n");
}

#[tokio::test]
async fn a_tournament_is_started_stopped_and_resumed() {
    let course = Course::new().await;
    course.upload("Dana", "interpreter=python3", b"import json").await.expect(200);
    let id = course.start(&tournament("spring \"1\"")).await.expect(201).json()["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let asked = course.asked();
    assert!(asked[0].starts_with("arena check --strict"), "{asked:?}");
    assert!(
        asked[1].starts_with("arena run tournament.toml --out ") && asked[1].contains(" --strict"),
        "{asked:?}"
    );
    let text = fs::read_to_string(course.server.folder.0.join("arena/spring \"1\"/tournament.toml"))
        .expect("a file");
    for line in ["name = \"spring \\\"1\\\"\"", "bot = \"greedy\"", "game = \"othello\"", "time = \"1s\""] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(course.desk().await["running"], json!(id));
    let summary =
        course.server.get(&format!("/api/v1/arena/{id}")).send().await.expect(200).json()["summary"].clone();
    assert_eq!(summary["web"], true, "{summary}");
    let said = course.start(&tournament("autumn")).await.refusal(429, "limit");
    assert!(said.contains("spring"), "one at a time: {said}");
    let act = async |what: &str| course.admin("POST", &format!("/api/v1/arena/{id}/{what}")).send().await;
    act("resume").await.refusal(429, "limit");
    act("stop").await.expect(204);
    assert_eq!(course.desk().await["running"], Value::Null);
    act("stop").await.refusal(409, "state");
    course.start(&tournament("spring \"1\"")).await.refusal(409, "taken");
    act("resume").await.expect(204);
    assert_eq!(course.desk().await["running"], json!(id));
    act("stop").await.expect(204);
    let asked = course.asked();
    let last = asked.last().expect("it was started");
    assert!(last.starts_with("arena resume ") && last.contains("--strict"), "{last}");
    act("resume").await.expect(204);
    for path in ["aaaaaaaaaaaa/stop", "aaaaaaaaaaaa/resume"] {
        course.admin("POST", &format!("/api/v1/arena/{path}")).send().await.refusal(404, "unknown");
    }
    // A server that ends lets go of it, and the next one takes it up again.
    let course = Course { server: course.server.restart().await };
    course.server.app.tables.arena().restore().await;
    assert_eq!(course.desk().await["running"], json!(id));
    course.admin("POST", &format!("/api/v1/arena/{id}/stop")).send().await.expect(204);
    assert_eq!(course.asked().iter().filter(|asked| asked.starts_with("arena resume ")).count(), 3);
    let course = Course { server: course.server.restart().await };
    course.server.app.tables.arena().restore().await;
    assert_eq!(course.desk().await["running"], Value::Null, "what was stopped stays so");
}

#[tokio::test]
async fn tournaments_that_cannot_be_played_are_refused() {
    let course = Course::new().await;
    course.upload("Dana", "interpreter=python3", b"import json").await.expect(200);
    let with = |key: &str, value: Value| {
        let mut asked = tournament("spring");
        asked[key] = value;
        asked
    };
    let round = |key: &str, value: Value| {
        let mut asked = tournament("spring");
        asked["rounds"][0][key] = value;
        asked
    };
    for (asked, status, code) in [
        (with("name", json!("")), 422, "invalid"),
        (with("name", json!("../x")), 422, "invalid"),
        (with("name", json!(".x")), 422, "invalid"),
        (with("name", json!("a/b")), 422, "invalid"),
        (with("name", json!("a\nb")), 422, "invalid"),
        (with("name", json!("x".repeat(65))), 422, "invalid"),
        (with("agents", json!(["Nobody"])), 404, "unknown"),
        (with("agents", json!(["../Dana"])), 404, "unknown"),
        (with("bots", json!([{"bot": "human"}])), 422, "invalid"),
        (with("bots", json!([{"bot": "jsonl:sh -c true"}])), 403, "forbidden"),
        (with("bots", json!([{"bot": "expert:tt=100000"}])), 429, "limit"),
        (with("bots", json!([{"bot": "greedy", "name": "a\nb"}])), 422, "invalid"),
        (with("rounds", json!([])), 422, "invalid"),
        (with("command", json!(["sh"])), 422, "malformed"),
        (round("game", json!("chess")), 404, "unknown"),
        (round("options", json!("size=7")), 422, "invalid"),
        (round("time", json!("1s\"\nopenings = \"/etc/passwd")), 422, "invalid"),
        (round("repetitions", json!(1000)), 422, "invalid"),
        (round("openings", json!("/etc/passwd")), 422, "malformed"),
        (with("name", json!("bad")), 422, "invalid"),
    ] {
        let answer = course.start(&asked).await;
        let problem = answer.json();
        assert_eq!((answer.status, problem["code"].as_str()), (status, Some(code)), "{asked}: {problem}");
    }
    let said = course.start(&with("name", json!("bad"))).await.refusal(422, "invalid");
    assert!(said.contains("--strict: no sandbox"), "the reason is passed on: {said}");
    assert!(
        course.asked().iter().all(|asked| asked.starts_with("arena check --strict")),
        "nothing was played"
    );
    let left: Vec<PathBuf> = fs::read_dir(course.server.folder.0.join("arena-uploads/tournaments"))
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    assert_eq!(left, [] as [PathBuf; 0], "nothing is left of what was refused");
}
