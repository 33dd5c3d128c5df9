//! Files that are none of an agent's business.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use agon_erased::Offence;
use agon_players::external::CommandLine;
use agon_sandbox::Limits;

use crate::stage::{Agent, Folder, in_all_modes, judged, modes, python};

/// A script that tries something and says how it fails.
fn attempt(what: &str) -> String {
    format!("import os\ntry: {what}; print('worked')\nexcept OSError as error: print(error.strerror)\n")
}

const DENIED: &str = "Permission denied";

#[test]
fn the_folder_of_an_opponent_is_closed() {
    let opponent = Folder::new();
    let secret = opponent.write("secret.py", "best = 'd3'");
    let read = attempt(&format!("open('{}').read()", secret.display()));
    judged(&read, Some(Offence::Files), DENIED);
    let list = attempt(&format!("os.listdir('{}')", opponent.0.display()));
    judged(&list, Some(Offence::Files), DENIED);
    let relative = attempt(&format!(
        "open('../{}/secret.py')",
        opponent.0.file_name().expect("it has a name").display()
    ));
    judged(&relative, Some(Offence::Files), DENIED);
    // Whatever is not there is not reached, and looking for it means nothing.
    let absent = attempt(&format!("open('{}/nothing')", opponent.0.display()));
    judged(&absent, None, "No such file or directory");
}

#[test]
fn links_in_its_own_folder_lead_nowhere() {
    let opponent = Folder::new();
    let secret = opponent.write("secret.py", "best = 'd3'");
    for mode in modes() {
        let folder = Folder::new();
        symlink(&secret, folder.0.join("link")).expect("a link can be made");
        folder.write("agent.py", &attempt("open('link')"));
        let command = CommandLine { program: python(), arguments: vec!["agent.py".to_owned()] };
        let fate = Agent::start(mode, Limits::default(), folder, command).fate();
        assert_eq!((fate.offence, fate.output.as_str()), (Some(Offence::Files), DENIED), "{fate:?}");
    }
}

#[test]
fn files_of_the_system_beyond_need_are_closed() {
    judged(&attempt("open('/etc/shadow')"), Some(Offence::Files), DENIED);
    judged(&attempt("os.listdir('/home')"), Some(Offence::Files), DENIED);
    // Settings that programs look for are absent or harmless, and no offence.
    in_all_modes(Limits::default(), &attempt("open('/etc/hostname')"), |fate, _| {
        assert_eq!(fate.offence, None, "{fate:?}");
        assert_ne!(fate.output, "worked");
    });
}

#[test]
fn the_memory_of_others_is_closed() {
    for process in ["os.getppid()".to_owned(), std::process::id().to_string()] {
        for file in ["mem", "environ", "maps"] {
            let script = attempt(&format!("open('/proc/%d/{file}' % {process}, 'rb').read(1)"));
            judged(&script, Some(Offence::Files), DENIED);
        }
    }
    judged(&attempt("open('/proc/self/maps').read(1)"), None, "worked");
}

#[test]
fn nothing_is_written_outside() {
    let outside = Folder::new();
    fs::set_permissions(&outside.0, fs::Permissions::from_mode(0o777)).expect("it is ours");
    let existing = outside.write("existing", "untouched");
    fs::set_permissions(&existing, fs::Permissions::from_mode(0o666)).expect("it is ours");
    let made = outside.0.join("made");
    judged(
        &attempt(&format!("open('{}', 'w').write('x')", existing.display())),
        Some(Offence::Files),
        DENIED,
    );
    judged(&attempt(&format!("open('{}', 'w').write('x')", made.display())), Some(Offence::Files), DENIED);
    judged(&attempt("open('/usr/bin/env', 'r+')"), Some(Offence::Files), DENIED);
    let others = format!(
        "import os\nfor change in [lambda: os.unlink('{0}'), lambda: os.rename('{0}', '/tmp/x'), lambda: os.mkdir('{1}'), lambda: os.chmod('{0}', 0)]:\n\
        \x20   try: change(); print('worked')\n    except OSError: pass\n",
        existing.display(),
        made.display()
    );
    judged(&others, None, "");
    assert_eq!(fs::read_to_string(&existing).expect("it is there"), "untouched");
    assert!(!made.exists());
    assert_eq!(fs::metadata(&existing).expect("it is there").permissions().mode() & 0o777, 0o666);
}

#[test]
fn its_own_folder_is_read_only_and_trying_to_write_there_no_offence() {
    in_all_modes(Limits::default(), &attempt("open('log.txt', 'w')"), |fate, is_caged| {
        let expected = if is_caged { "Read-only file system" } else { DENIED };
        assert_eq!((fate.offence, fate.output.as_str()), (None, expected), "{fate:?}");
        let note = "it could not write to 'log.txt': its own folder is read-only; agents may write to the folder that TMPDIR names";
        assert_eq!(fate.notes, [note]);
    });
    // Of a file that is there, nothing but writing is refused.
    let read = attempt("os.open('agent.py', os.O_RDONLY | os.O_CREAT)");
    in_all_modes(Limits::default(), &read, |fate, _| assert_eq!(fate.notes, [""; 0], "{fate:?}"));
}

#[test]
fn whoever_writes_elsewhere_is_told_where_to_write() {
    in_all_modes(Limits::default(), &attempt("open('/usr/bin/env', 'r+')"), |fate, _| {
        let accusation =
            "it tried to write to '/usr/bin/env'; agents may write to the folder that TMPDIR names";
        assert_eq!(fate.accusation.as_deref(), Some(accusation));
    });
}

#[test]
fn the_scratch_folder_can_be_used_but_not_filled() {
    let use_it = "import os, tempfile\nname = os.path.join(tempfile.gettempdir(), 'notes')\n\
        open(name, 'w').write('x' * 1000); print(len(open(name).read()), os.environ['HOME'] == os.environ['TMPDIR'])\n";
    judged(use_it, None, "1000 True");
    let fill = "import os, tempfile, time\nfolder = tempfile.gettempdir()\n\
        try:\n    for name in range(100):\n        with open(os.path.join(folder, str(name)), 'wb') as file: file.write(b'x' * (1 << 20))\n\
        except OSError as error: print(error.strerror)\n\
        else: time.sleep(1000)\n";
    let limits = Limits { scratch: 8 << 20, ..Limits::default() };
    in_all_modes(limits, fill, |fate, is_caged| {
        // Whether a program that is being stopped can still say something depends on chance.
        let expected =
            if is_caged { (None, Some("No space left on device")) } else { (Some(Offence::Files), None) };
        assert_eq!((fate.offence, is_caged.then_some(fate.output.as_str())), expected, "{fate:?}");
    });
    let left = fs::read_dir(std::env::temp_dir()).expect("there is such a folder").flatten();
    let left: Vec<String> = left
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("agon-scratch-").map(str::to_owned))
        .filter(|helper| !fs::exists(format!("/proc/{helper}")).unwrap_or(true))
        .collect();
    assert_eq!(left, [""; 0], "scratch folders of helpers that have ended");
}
