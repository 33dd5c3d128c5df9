//! A program on a real pseudo-terminal, and the screen as a terminal would show it.
//!
//! Tests wait for what the screen shows, never for a span of time; the deadline only ends a test that has failed already.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// When a test gives up.
const DEADLINE: Duration = Duration::from_secs(60);

/// A folder for one test, gone when the test is.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("agon-screen-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// A folder of a user whose name is known, and who does not wait for bots.
    pub(crate) fn of_user() -> Self {
        let folder = Self::new();
        std::fs::create_dir_all(folder.0.join("config/agon")).expect("a folder");
        std::fs::write(folder.0.join("config/agon/settings"), "name: Dana\npace: off\n").expect("a file");
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// How many games are kept.
    pub(crate) fn kept(&self) -> usize {
        self.kept_files().len()
    }

    /// The files of the games that are kept.
    pub(crate) fn kept_files(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.0.join("data/agon/unfinished")).into_iter().flatten();
        files.map(|file| file.expect("a file").path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program as it is started in a terminal of a user whose files are in `folder`.
fn command(program: &Path, folder: &Path, args: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.args(args);
    command.cwd(folder);
    for (key, value) in [
        ("HOME", folder.to_path_buf()),
        ("XDG_CONFIG_HOME", folder.join("config")),
        ("XDG_DATA_HOME", folder.join("data")),
        ("TERM", "xterm-256color".into()),
        ("COLORTERM", "truecolor".into()),
        ("LC_ALL", "C.UTF-8".into()),
        ("USER", "".into()),
    ] {
        command.env(key, value);
    }
    command.env_remove("NO_COLOR");
    // What is said about a panic must stay in the window.
    command.env_remove("RUST_BACKTRACE");
    command
}

/// Starts a program in a window, waits for texts and presses keys after each, closes the window, and gives the exit code.
pub(crate) fn close_window(program: &Path, folder: &Path, args: &[&str], talk: &[(&str, &str)]) -> u32 {
    let size = PtySize { rows: 36, cols: 100, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let mut child = pair.slave.spawn_command(command(program, folder, args)).expect("it starts");
    drop(pair.slave);
    // Everything is read here: a thread that waits for more would keep the window open.
    let mut parser = vt100::Parser::new(size.rows, size.cols, 0);
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let mut writer = pair.master.take_writer().expect("a writer");
    let mut buffer = [0; 4096];
    for (text, keys) in talk {
        while !parser.screen().contents().contains(text) {
            let count = reader.read(&mut buffer).expect("it draws");
            parser.process(&buffer[..count]);
        }
        writer.write_all(keys.as_bytes()).expect("it listens");
    }
    drop((reader, writer, pair.master));
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.exit_code();
        }
        if began.elapsed() > DEADLINE {
            let _ = child.kill();
            panic!("it goes on without its window");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A terminal with a program in it.
pub(crate) struct Terminal {
    parser: Arc<Mutex<vt100::Parser>>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Starts a program in a terminal of this many columns and rows.
    pub(crate) fn start(program: &Path, folder: &Path, args: &[&str], (columns, rows): (u16, u16)) -> Self {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let command = command(program, folder, args);
        let child = pair.slave.spawn_command(command).expect("it starts");
        drop(pair.slave);
        let parser = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let shared = Arc::clone(&parser);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                shared.lock().unwrap_or_else(PoisonError::into_inner).process(&buffer[..count]);
            }
        });
        let writer = pair.master.take_writer().expect("a writer");
        Self { parser, writer, child, master: pair.master }
    }

    fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.parser.lock().unwrap_or_else(PoisonError::into_inner).screen())
    }

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.with_screen(vt100::Screen::contents)
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        // A program that has ended hears nothing.
        let _ = self.writer.write_all(keys.as_bytes());
        let _ = self.writer.flush();
    }

    /// Waits until the screen satisfies `holds` and gives its text.
    pub(crate) fn wait(&self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if holds(&text) {
                return text;
            }
            assert!(began.elapsed() < DEADLINE, "waiting for {what}; the screen shows\n{text}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the screen shows `text`.
    pub(crate) fn shows(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.parser.lock().unwrap_or_else(PoisonError::into_inner).screen_mut().set_size(rows, columns);
        self.master.resize(size).expect("a terminal can be resized");
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.child.process_id().expect("it runs").to_string();
        let sent = std::process::Command::new("kill").args(["-s", name, &pid]).status().expect("kill runs");
        assert!(sent.success());
    }

    /// Waits for the end of the program and gives its exit code.
    pub(crate) fn end(&mut self) -> u32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                // What it said last may still be on its way.
                std::thread::sleep(Duration::from_millis(50));
                return status.exit_code();
            }
            assert!(began.elapsed() < DEADLINE, "it does not end; the screen shows\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Holds the terminal to be as it was before: its own screen, cursor, mouse, line discipline.
    pub(crate) fn assert_restored(&self) {
        self.wait("the ordinary screen", |_| true);
        let began = Instant::now();
        loop {
            let restored = self.with_screen(|screen| {
                !screen.alternate_screen()
                    && !screen.hide_cursor()
                    && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
                    && !screen.bracketed_paste()
            });
            if restored {
                break;
            }
            assert!(began.elapsed() < DEADLINE, "the terminal was not given back");
            std::thread::sleep(Duration::from_millis(10));
        }
        let termios = format!("{:?}", self.master.get_termios().expect("a terminal"));
        for flag in ["ICANON", "ECHO", "ISIG"] {
            assert!(termios.contains(flag), "{flag} is off: {termios}");
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
