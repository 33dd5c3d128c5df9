//! Whether Python can read the sources of an agent. They are parsed, and not run.

use std::io::Write;
use std::process::{Command, Stdio};

use super::archive::Files;
use super::entry::Entry;

/// Reads the first file, and whatever it imports, and says where the first mistake is. Its memory and its time are bounded, since a stranger
/// wrote what it reads.
const READ: &str = r"
import ast, posixpath, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
except (ImportError, ValueError, OSError):
    pass
files = {}
while True:
    header = sys.stdin.buffer.readline().decode().rstrip('\n')
    if not header:
        break
    length, name = header.split(' ', 1)
    files[name] = sys.stdin.buffer.read(int(length))
todo = list(files)[:1]
for name in todo:
    try:
        tree = ast.parse(files[name], name)
    except SyntaxError as fault:
        sys.exit('%s:%s:%s: %s' % (name, fault.lineno or 1, fault.offset or 1, fault.msg))
    except BaseException as fault:
        sys.exit('%s: Python cannot read it: %s' % (name, fault or type(fault).__name__))
    for node in ast.walk(tree):
        folders = ['', posixpath.dirname(todo[0])]
        modules = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                folder = posixpath.dirname(name)
                for _ in range(node.level - 1):
                    folder = posixpath.dirname(folder)
                folders = [folder]
            module = node.module or ''
            modules = [module] + [(module + '.' + alias.name).lstrip('.') for alias in node.names]
        for module in modules:
            for end in '.py', '/__init__.py':
                for folder in folders:
                    path = posixpath.join(folder, module.replace('.', '/')) + end
                    if path in files and path not in todo:
                        todo.append(path)
";
/// The longest reason, in characters.
const MAX_REASON: usize = 300;

/// Has Python read the program of an agent that it runs, and whatever of these files that imports. Others are not looked at.
///
/// # Errors
/// The first mistake, with its line and column.
pub(super) fn check(files: &Files, entry: &Entry) -> Result<(), String> {
    let own = entry.command.iter().zip(&entry.own).filter(|(word, own)| **own && word.ends_with(".py"));
    let Some(program) = own.map(|(word, _)| word).next() else { return Ok(()) };
    let others = files.0.iter().filter(|(path, _)| path.ends_with(".py") && *path != program);
    let sources = files.0.get_key_value(program).into_iter().chain(others);
    let input: Vec<u8> = sources
        .flat_map(|(path, file)| [format!("{} {path}\n", file.bytes.len()).as_bytes(), &file.bytes].concat())
        .collect();
    let started = Command::new("python3")
        .args(["-I", "-c", READ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    // Without Python nothing can be said, here or by a referee.
    let Ok(mut python) = started else { return Ok(()) };
    if let Some(mut stdin) = python.stdin.take() {
        // It says little and stops reading at the first mistake.
        let _ = stdin.write_all(&input);
    }
    let Ok(output) = python.wait_with_output() else { return Ok(()) };
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let fault =
        said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("Python fails to read its sources");
    Err(fault.chars().filter(|char| !char.is_control()).take(MAX_REASON).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(files: &[(&str, &[u8])]) -> Option<String> {
        let mut all = Files::default();
        for (path, bytes) in files {
            all.0.extend(Files::single(path, bytes.to_vec()).expect("a file").0);
        }
        check(&all, &Entry::of(&all).expect("an agent")).err()
    }

    #[test]
    fn the_first_mistake_is_named_with_its_place() {
        assert_eq!(fault(&[("agent.py", b"x = 1\n"), ("notes.txt", b"def (")]), None);
        assert_eq!(
            fault(&[("agent.py", b"x = 1\nif x\n")]).map(|fault| fault[..14].to_owned()).as_deref(),
            Some("agent.py:2:5: ")
        );
        for bytes in [&b"\xff\xfe = 1"[..], b"x = '\0'", &[b'('; 100_000]] {
            assert!(
                fault(&[("agent.py", bytes)]).is_some_and(|fault| fault.starts_with("agent.py")),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn what_is_imported_counts_and_what_lies_beside_it_does_not() {
        let broken = ("old.py", &b"print 'as once'"[..]);
        assert_eq!(fault(&[("agent.py", b"import json"), broken]), None);
        for import in [
            "import old",
            "from old import x",
            "import lib.search",
            "from lib import search",
            "from lib.search import x",
        ] {
            let files = [
                ("agent.py", import.as_bytes()),
                ("lib/__init__.py", b""),
                ("lib/search.py", b"from . import deep\nfrom ..old import x"),
                ("lib/deep.py", b""),
                broken,
            ];
            assert!(fault(&files).is_some_and(|fault| fault.starts_with("old.py:1:")), "{import}");
        }
    }
}
