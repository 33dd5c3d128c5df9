//! What a module exports and imports; [`module!`](crate::module) gives it a game.

use std::cell::RefCell;
use std::time::Duration;

#[doc(hidden)]
pub use agon_erased::{GameEntry, Games};

use crate::{Engine, Host, Tab, wire};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    #[link_name = "now"]
    safe fn host_now() -> f64;
    #[link_name = "pause"]
    safe fn host_pause() -> i32;
    #[link_name = "tell"]
    safe fn host_tell(start: *const u8, length: usize);
}

/// The worker in which the module runs.
struct Worker;

impl Host for Worker {
    fn now(&self) -> Duration {
        wire::millis(host_now())
    }

    fn pause(&self) -> bool {
        host_pause() != 0
    }

    fn tell(&self, news: &[u8]) {
        host_tell(news.as_ptr(), news.len());
    }
}

/// A module in its worker.
pub struct Module {
    games: Games,
    tab: RefCell<Tab>,
    engine: RefCell<Engine<Worker>>,
    room: RefCell<Vec<u8>>,
    answer: RefCell<Vec<u8>>,
}

impl Module {
    /// A module of one game.
    pub fn new(games: Games) -> Self {
        Self {
            games,
            tab: RefCell::new(Tab::new(games)),
            engine: RefCell::new(Engine::new(games, Worker)),
            room: RefCell::default(),
            answer: RefCell::default(),
        }
    }

    /// Room for a message of so many bytes.
    pub fn room(&self, length: usize) -> *mut u8 {
        let mut room = self.room.borrow_mut();
        *room = vec![0; length];
        room.as_mut_ptr()
    }

    /// Has the table do what the message in the room says, and says how long the answer is.
    pub fn handle(&self, now: f64, date: f64) -> usize {
        let message = self.room.take();
        self.answered(self.tab.borrow_mut().handle(&message, now, date))
    }

    /// Has the engine answer the question in the room, and says how long the answer is.
    pub fn think(&self) -> usize {
        let question = self.room.take();
        self.answered(self.engine.borrow_mut().think(&question))
    }

    fn answered(&self, answer: Vec<u8>) -> usize {
        let length = answer.len();
        self.answer.replace(answer);
        length
    }

    /// Takes the file of weights that is in the room: 0 if it is one, 1 if it is not, 2 if the game has none.
    pub fn load_weights(&self) -> i32 {
        let file = self.room.take();
        let weights = self.games.iter().find_map(|entry| entry.weights);
        weights.map_or(2, |weights| i32::from(!weights.hand_in(&file)))
    }

    /// Where the last answer begins.
    pub fn answer(&self) -> *const u8 {
        self.answer.borrow().as_ptr()
    }
}

/// Makes a module of the entry of a game.
#[macro_export]
macro_rules! module {
    ($entry:expr) => {
        static ENTRIES: &[&$crate::exports::GameEntry] = &[&$entry];

        std::thread_local! {
            static MODULE: $crate::exports::Module =
                $crate::exports::Module::new($crate::exports::Games::new(ENTRIES));
        }

        /// Room for a message of so many bytes.
        #[unsafe(no_mangle)]
        pub extern "C" fn room(length: usize) -> *mut u8 {
            MODULE.with(|module| module.room(length))
        }

        /// Has the table do what the message in the room says, and says how long the answer is.
        #[unsafe(no_mangle)]
        pub extern "C" fn handle(now: f64, date: f64) -> usize {
            MODULE.with(|module| module.handle(now, date))
        }

        /// Has the engine answer the question in the room, and says how long the answer is.
        #[unsafe(no_mangle)]
        pub extern "C" fn think() -> usize {
            MODULE.with(|module| module.think())
        }

        /// Takes the file of weights that is in the room.
        #[unsafe(no_mangle)]
        pub extern "C" fn load_weights() -> i32 {
            MODULE.with(|module| module.load_weights())
        }

        /// Where the last answer begins.
        #[unsafe(no_mangle)]
        pub extern "C" fn answer() -> *const u8 {
            MODULE.with(|module| module.answer())
        }
    };
}
