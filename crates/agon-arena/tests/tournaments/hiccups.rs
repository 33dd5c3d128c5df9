//! What goes wrong on our side: nobody loses a game by it.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use agon_arena::experiment::{Host, Stops};
use agon_arena::results::Results;
use agon_arena::tournament::{Store, Tournament, TournamentError};
use agon_erased::SystemClock;
use agon_match::Fault;
use agon_players::external::{CommandLine, Effort, Launched, Launcher, Life, OurFault, OwnGroup};
use agon_registry::GAMES;
use agon_testkit::TemporaryFolder;

use crate::hostile::{PLAY, READY};
use crate::support::{resume, run_with};

/// Fails so many times before it starts anything, on a machine that is busy or not.
struct Moody {
    failures: AtomicUsize,
    is_busy: bool,
}

impl Launcher for Moody {
    fn launch(&self, command: &CommandLine) -> io::Result<Launched> {
        let count = |left: usize| left.checked_sub(1);
        if self.failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count).is_ok() {
            return Err(OurFault::error("there was no room".to_owned()));
        }
        let launched = OwnGroup.launch(command)?;
        let life = Measured { life: launched.life, is_busy: self.is_busy, effort: Effort::default() };
        Ok(Launched { life: Box::new(life), ..launched })
    }
}

/// A life of which every look costs a second of processor time, and of waiting if the machine is busy.
struct Measured {
    life: Box<dyn Life>,
    is_busy: bool,
    effort: Effort,
}

impl Life for Measured {
    fn has_ended(&mut self) -> bool {
        self.life.has_ended()
    }

    fn end(&mut self) -> Option<ExitStatus> {
        self.life.end()
    }

    fn effort(&mut self) -> Effort {
        let second = Duration::from_secs(1);
        self.effort.processor = Some(self.effort.processor.unwrap_or_default() + second);
        if self.is_busy {
            self.effort.stalled += second * 60;
        }
        self.effort
    }
}

/// Plays one game of an agent against a bot.
fn game(
    folder: &TemporaryFolder,
    top: &str,
    script: &str,
    launcher: Moody,
) -> Result<Results, TournamentError> {
    folder.write("agent.sh", script);
    let file = folder.write(
        "file.toml",
        &format!(
            "{top}\n[[players]]\nname = \"agent\"\ncommand = [\"sh\", \"agent.sh\"]\n\
            [[players]]\nname = \"house\"\nbot = \"random\"\n\
            [[rounds]]\ngame = \"othello\"\noptions = \"size=4\"\ntime = \"1s\"\nsetup = \"1m\"\n"
        ),
    );
    let tournament = Tournament::read(GAMES, &file).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let store = Store::create(&folder.path("out"), &file).expect("a new folder");
    let host = Host { jobs: 1, clock: Arc::new(SystemClock::default()), stops: Stops::default() };
    run_with(&tournament, &store, host, &Arc::new(launcher)).map(|(_, results)| results)
}

/// A launcher that fails so often, on a machine that is not busy.
fn failing(times: usize) -> Moody {
    Moody { failures: AtomicUsize::new(times), is_busy: false }
}

#[test]
fn a_game_that_fails_by_our_fault_is_played_again() {
    let folder = TemporaryFolder::new();
    let launcher = failing(2);
    let results = game(&folder, "", &format!("{READY}{PLAY}"), launcher).expect("it works the third time");
    assert!(results.games.iter().all(|game| !game.is_technical()), "{:?}", results.games);
    assert_eq!(results.games[0].repeats, ["there was no room"; 2]);
    let expected = "Game 1, agent against house, was void 2 times and played again: there was no room; there was no room.";
    assert!(results.notes.iter().any(|note| note == expected), "{:?}", results.notes);
    assert!(folder.read("out/report.html").contains("played again"));
    // Whoever asks later is told the same.
    assert_eq!(resume(&folder.path("out"), 1).notes, results.notes);
}

#[test]
fn what_fails_again_and_again_stops_the_tournament_and_costs_nobody_a_game() {
    let folder = TemporaryFolder::new();
    let launcher = failing(1000);
    let error = game(&folder, "", &format!("{READY}{PLAY}"), launcher).expect_err("it never works");
    assert_eq!(error.to_string(), "game 1 cannot be played: there was no room");
    // Once there is room it goes on.
    let results = resume(&folder.path("out"), 1);
    assert!(results.games.iter().all(|game| !game.is_technical()), "{:?}", results.games);
}

/// Is late in its first game only.
fn late_once(folder: &TemporaryFolder) -> String {
    let mark = folder.path("mark");
    format!("{READY}[ -e {0} ] || {{ touch {0}; read l; exec sleep 1000; }}; {PLAY}", mark.display())
}

#[test]
fn lateness_on_an_overloaded_machine_is_marked_and_forgiven_if_the_file_says_so() {
    for (top, is_busy, is_lost) in
        [("late = \"replay\"", true, false), ("", true, true), ("late = \"replay\"", false, true)]
    {
        let folder = TemporaryFolder::new();
        let script = late_once(&folder);
        let results = game(&folder, top, &script, Moody { is_busy, ..failing(0) }).expect("it can be played");
        let first = &results.games[0];
        assert_eq!(first.is_technical(), is_lost, "{top} {is_busy}: {first:?}");
        assert_eq!(first.repeats.len(), usize::from(!is_lost));
        if let [offence] = first.outcome.offences() {
            assert_eq!(offence.reason, Fault::Time);
            assert_eq!(offence.sentence.ends_with("the machine was overloaded"), is_busy, "{offence:?}");
        }
    }
}

#[test]
fn processor_time_is_told_beside_the_time_that_a_move_took() {
    let folder = TemporaryFolder::new();
    let results = game(&folder, "", &format!("{READY}{PLAY}"), failing(0)).expect("it can be played");
    for game in &results.games {
        let seat = game.seats.iter().position(|seat| seat == "agent").expect("it plays");
        let conduct = game.conduct[seat];
        assert_eq!(conduct.processor, Duration::from_secs(conduct.moves));
    }
    let log = folder.read("out/authors/agent/00001.log");
    assert!(log.contains(" s, with 1.000 s of processor time\n"), "{log}");
}
