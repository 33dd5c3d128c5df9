//! Duels between bots that do as they are told: late, illegal, failing, panicking. Time is what the tests say it is.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_arena::bout::Bout;
use agon_arena::duel::{Duel, DuelEnd, DuelError, Standings};
use agon_arena::entrants::{Entrant, MakePlayer, PlayerRequest};
use agon_arena::openings::opening;
use agon_arena::referee::{Contestant, GRACE, Terms};
use agon_arena::runner::{Runner, Variant};
use agon_arena::solo::Solo;
use agon_arena::statistics::{Decision, Sprt};
use agon_core::{Player, Standing};
use agon_erased::{Bot, BotError, Budget, Clock, Offence, Session, Thought};
use agon_match::{End, Fault, Late, Millis, Seat, TimeControl};
use agon_registry::GAMES;

/// A clock that stands still unless somebody moves it.
#[derive(Default)]
struct Hands(AtomicU64);

impl Hands {
    fn advance(&self, time: Duration) {
        self.0.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Clock for Hands {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

/// What a scripted bot does with its turn.
#[derive(Clone, Copy)]
enum Behaviour {
    /// The first legal move, after so much time.
    First(Duration),
    Illegal,
    Fail,
    Late,
    Panic,
    /// Says something that nobody asked for.
    Print,
    /// Breaks a limit that it was started under.
    Offend(Offence),
    /// Cannot even begin.
    Unready,
}

struct Scripted {
    behaviour: Behaviour,
    clock: Arc<Hands>,
}

impl Bot for Scripted {
    fn prepare(&mut self, _: &dyn Session, _: Player, _: &Budget) -> Result<(), BotError> {
        match self.behaviour {
            Behaviour::Unready => Err(BotError::Failed("not today".to_owned())),
            _ => Ok(()),
        }
    }

    fn think(
        &mut self,
        session: &dyn Session,
        _budget: &Budget,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        let best = match self.behaviour {
            Behaviour::First(time) => {
                self.clock.advance(time);
                session.legal().swap_remove(0)
            }
            Behaviour::Illegal => "a1".to_owned(),
            Behaviour::Fail => return Err(BotError::Failed("it has ended".to_owned())),
            Behaviour::Late => return Err(BotError::Late),
            Behaviour::Panic => panic!("as the script says"),
            Behaviour::Print => return Err(BotError::Printing("it said \"hello\" unasked".to_owned())),
            Behaviour::Offend(offence) => return Err(BotError::Offence(offence, "it did wrong".to_owned())),
            Behaviour::Unready => unreachable!("it was not ready"),
        };
        Ok(Thought {
            best,
            score: Some(1.5),
            depth: 3,
            nodes: 7,
            line: Vec::new(),
            moves: Vec::new(),
            statistics: Vec::new(),
            elapsed: Duration::ZERO,
        })
    }
}

fn terms(clock: &Arc<Hands>) -> Terms {
    Terms {
        clock: Arc::clone(clock) as Arc<dyn Clock>,
        stop: Arc::new(AtomicBool::new(false)),
        max_plies: 5000,
    }
}

fn variant(game: &str, options: &str, opening_plies: usize) -> Variant {
    let rules = GAMES.find(game).expect("a game").rules(options).expect("options");
    Variant { rules, opening_plies }
}

const LIMIT: Millis = Millis(100);

fn runner<'a>(make: &'a MakePlayer<'a>, variants: Vec<Variant>) -> Runner<'a> {
    let entrant = |name| Entrant { seat: Seat::person(name), control: TimeControl::PerMove(LIMIT) };
    Runner { variants, entrants: vec![entrant("one"), entrant("other")], make, late: Late::Counted }
}

fn duel<'a>(make: &'a MakePlayer<'a>, variants: Vec<Variant>, games: usize) -> Duel<'a> {
    Duel { runner: runner(make, variants), games, seed: 1, jobs: 1, until: None, sprt: None }
}

/// Runs a duel of scripted bots at Othello.
fn scripted(a: Behaviour, b: Behaviour, games: usize) -> Result<(Standings, Vec<Bout>), DuelError> {
    let clock = Arc::new(Hands::default());
    let make = |request: PlayerRequest| {
        let behaviour = if request.entrant == 0 { a } else { b };
        Ok(Contestant::house(Box::new(Scripted { behaviour, clock: Arc::clone(&clock) }), request.seed))
    };
    let mut bouts = Vec::new();
    let standings =
        duel(&make, vec![variant("othello", "", 8)], games).run(&terms(&clock), &mut |_, bout| {
            bouts.push(bout.clone());
            ControlFlow::Continue(())
        })?;
    Ok((standings, bouts))
}

/// A house bot for each side.
fn house<'a>(a: &'a str, b: &'a str) -> impl Fn(PlayerRequest) -> Result<Contestant, String> + Sync + 'a {
    move |request| {
        let spec = if request.entrant == 0 { a } else { b }.parse().expect("a specification");
        let bot = request.rules.bot(&spec, request.seed).map_err(|error| error.to_string())?;
        Ok(Contestant::house(bot, request.seed))
    }
}

fn run(duel: &Duel) -> (Standings, Vec<String>) {
    let mut records = Vec::new();
    let done = duel.run(&terms(&Arc::new(Hands::default())), &mut |_, bout| {
        records.extend(bout.games.iter().map(|game| game.record.to_string()));
        ControlFlow::Continue(())
    });
    (done.expect("a duel"), records)
}

#[test]
fn a_move_is_late_only_beyond_limit_and_grace() {
    let most = Duration::from(LIMIT.plus(GRACE));
    let on_time = Behaviour::First(most);
    let late = Behaviour::First(most + Duration::from_nanos(1));
    let (standings, _) = scripted(on_time, late, 2).expect("a duel");
    let [a, b] = standings.conduct;
    assert_eq!((a.late, a.illegal), (0, 0));
    assert_eq!((b.late, b.illegal), (b.moves, 0));
    assert!(b.moves > 20, "a late bot plays on: {}", b.moves);
    assert_eq!(a.time, most * a.moves as u32);
    assert_eq!(a.slowest, most);
    assert!((a.mean_depth() - 3.0).abs() < 1e-9);
    assert!((a.mean_nodes() - 7.0).abs() < 1e-9);
    assert_eq!(standings.end, Some(DuelEnd::AllPlayed));
}

#[test]
fn who_fails_forfeits_and_the_record_says_so() {
    let good = Behaviour::First(Duration::ZERO);
    // Late, illegal, crash, printing.
    for (behaviour, reason, counted) in [
        (Behaviour::Late, Fault::Time, [4, 0, 0, 0]),
        (Behaviour::Illegal, Fault::Illegal, [0, 4, 0, 0]),
        (Behaviour::Fail, Fault::Crash, [0, 0, 4, 0]),
        (Behaviour::Panic, Fault::Crash, [0, 0, 4, 0]),
        (Behaviour::Unready, Fault::Setup, [0, 0, 4, 0]),
        (Behaviour::Print, Fault::Printing, [0, 0, 0, 4]),
        (Behaviour::Offend(Offence::Memory), Fault::Memory, [0, 0, 4, 0]),
        (Behaviour::Offend(Offence::Threads), Fault::Threads, [0, 0, 4, 0]),
        (Behaviour::Offend(Offence::Network), Fault::Network, [0, 0, 4, 0]),
        (Behaviour::Offend(Offence::Files), Fault::Files, [0, 0, 4, 0]),
        (Behaviour::Offend(Offence::Interrupts), Fault::Interrupts, [0, 0, 4, 0]),
    ] {
        let (standings, bouts) = scripted(good, behaviour, 4).expect("a duel");
        assert_eq!((standings.tally.wins, standings.tally.games()), (4, 4), "{reason}");
        assert_eq!(standings.forfeits, [0, 4], "{reason}");
        assert_eq!(standings.tally.elo(), None);
        let faults = standings.conduct.map(|seen| [seen.late, seen.illegal, seen.crashes, seen.printing]);
        assert_eq!(faults, [[0; 4], counted], "{reason}");
        assert!(standings.faults[0].is_none());
        for bout in bouts {
            let game = &bout.games[0];
            assert!(matches!(&game.end, End::Forfeit { reason: fault, .. } if *fault == reason), "{reason}");
            let text = game.record.to_string();
            let seat = if game.seats[0] == 1 { "x" } else { "o" };
            assert!(text.contains(&format!("result: forfeit {seat} ({reason})")), "{text}");
            game.record.replay(GAMES).expect("the record holds");
        }
    }
}

#[test]
fn records_carry_scores_depths_and_times() {
    let (_, bouts) =
        scripted(Behaviour::First(Duration::from_millis(30)), Behaviour::First(Duration::ZERO), 2)
            .expect("a duel");
    for bout in bouts {
        let record = &bout.games[0].record;
        let values = |name| record.header(name).unwrap_or_else(|| panic!("{name} in {record}")).split(' ');
        for name in ["x-times", "x-scores", "x-depths"] {
            assert_eq!(values(name).count(), record.moves.len(), "{name}: one value a ply");
        }
        assert_eq!(
            values("x-times").filter(|time| *time == "30ms").count(),
            values("x-times").filter(|time| *time == "0ms").count()
        );
        assert!(values("x-depths").skip(8).all(|depth| depth == "3"), "{record}");
        assert!(values("x-scores").skip(8).all(|score| score == "1.5"), "{record}");
    }
}

#[test]
fn two_bots_that_cannot_play_are_an_error() {
    let error = scripted(Behaviour::Fail, Behaviour::Panic, 100).expect_err("nobody can play");
    let text = error.to_string();
    assert!(
        text.contains("one: it has ended") && text.contains("other: it panicked: as the script says"),
        "{text}"
    );
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let make = house("greedy", "random");
    let variants = || vec![variant("othello", "size=6", 4), variant("othello", "size=4", 2)];
    let (alone, records) = run(&duel(&make, variants(), 30));
    let (together, same) = run(&Duel { jobs: 4, ..duel(&make, variants(), 30) });
    assert_eq!(alone.tally, together.tally);
    assert_eq!(alone.by_variant, together.by_variant);
    assert_eq!(records, same);
    assert_eq!(alone.by_variant.iter().map(|tally| tally.games()).sum::<u64>(), 30);
    let (other, _) = run(&Duel { seed: 2, ..duel(&make, variants(), 30) });
    assert_ne!(alone.plies, other.plies, "another seed is another duel");
}

#[test]
fn a_duel_ends_when_the_score_is_clear_and_not_before() {
    let clock = Arc::new(Hands::default());
    let make = |request: PlayerRequest| match request.entrant {
        0 => house("random", "random")(request),
        _ => Err("it does not exist".to_owned()),
    };
    for jobs in [1, 3] {
        let until = Duel { jobs, until: Some(0.85), ..duel(&make, vec![variant("loa", "size=6", 2)], 200) };
        let done = until.run(&terms(&clock), &mut |_, _| ControlFlow::Continue(())).expect("a duel");
        // Wilson's interval of 22 wins in a row is the first above 85%.
        assert_eq!(
            (done.tally.wins, done.tally.games(), done.end),
            (22, 22, Some(DuelEnd::Until)),
            "{jobs} jobs"
        );
    }
    let sprt = Some(Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 });
    let test = Duel { sprt, ..duel(&make, vec![variant("loa", "size=6", 2)], 200) };
    let done = test.run(&terms(&clock), &mut |_, _| ControlFlow::Continue(())).expect("a duel");
    assert_eq!(done.end, Some(DuelEnd::Sprt(Decision::Alternative)));
    assert!(done.tally.games() < 200);
}

#[test]
fn an_observer_can_stop_it_and_what_stands_is_kept() {
    let make = house("random", "random");
    let duel = duel(&make, vec![variant("othello", "size=4", 0)], 1000);
    let done = duel.run(&terms(&Arc::new(Hands::default())), &mut |standings, _| {
        if standings.tally.games() == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let done = done.expect("a duel");
    assert_eq!((done.tally.games(), done.end), (7, Some(DuelEnd::Stopped)));
}

#[test]
fn games_without_end_are_cut_and_drawn() {
    let make = house("random", "random");
    let duel = duel(&make, vec![variant("chinese-checkers", "", 0)], 2);
    let terms = Terms { max_plies: 10, ..terms(&Arc::new(Hands::default())) };
    let done = duel.run(&terms, &mut |_, _| ControlFlow::Continue(())).expect("a duel");
    assert_eq!((done.tally.draws, done.unfinished), (2, 2));
}

#[test]
fn seats_of_large_games_are_shared_and_the_best_finisher_decides() {
    let make = house("greedy", "random");
    let (done, records) =
        run(&duel(&make, vec![variant("chinese-checkers", "seats=g/y/r,rounds=150", 3)], 6));
    assert_eq!(done.tally.games(), 6);
    assert_eq!(done.tally.losses, 0, "a random mover does not come home");
    assert!(done.tally.wins > 0);
    assert!(done.by_seat.is_empty());
    let of_one: usize = records.iter().map(|record| record.matches("one").count()).sum();
    assert_eq!(of_one, 9, "half of the 18 seats");
}

#[test]
fn alone_both_have_the_same_luck() {
    let make = house("greedy", "greedy");
    let (done, records) = run(&duel(&make, vec![variant("2048", "", 0)], 5));
    assert_eq!(done.tally.games(), 5);
    assert_eq!(records.len(), 10);
    // Greedy bots break ties by seeds of their own, here the same for both: so the games are the same.
    assert_eq!(done.tally.draws, 5);
    let make = house("greedy", "random");
    let (done, _) = run(&duel(&make, vec![variant("2048", "", 0)], 40));
    assert!(done.tally.score() > 0.6, "{:?}", done.tally);
}

#[test]
fn games_without_an_opponent_have_points_and_a_mark() {
    let standing = |game: &str, position: &str| {
        let rules = GAMES.find(game).expect("a game").rules("").expect("options");
        rules.start_from(position).expect("a position").standing()
    };
    let tiles = "2,4,8,16/0,0,0,0/1024,0,0,0/0,0,0,0 9876";
    assert_eq!(standing("2048", tiles), Some(Standing { score: 9876, mark: 1024 }));
    assert_eq!(standing("2048", "0,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 0+"), Some(Standing { score: 0, mark: 0 }));
    assert_eq!(standing("othello", "8/8/8/3ox3/3xo3/8/8/8 x"), None);
}

#[test]
fn a_player_alone_is_known_by_its_points() {
    let make = house("greedy", "greedy");
    let solo = |jobs| Solo { runner: runner(&make, vec![variant("2048", "", 0)]), games: 9, seed: 3, jobs };
    let terms = || terms(&Arc::new(Hands::default()));
    let done = solo(1).run(&terms(), &mut |_, _| ControlFlow::Continue(())).expect("games");
    let same = solo(3).run(&terms(), &mut |_, _| ControlFlow::Continue(())).expect("games");
    assert_eq!(done.scores, same.scores);
    assert_eq!(done.scores.len(), 9);
    let mut sorted = done.scores.clone();
    sorted.sort_unstable();
    assert!((done.median() - sorted[4] as f64).abs() < 1e-9);
    assert_eq!(done.max(), sorted[8]);
    assert_eq!(done.marks.values().sum::<usize>(), 9);
    let least = *done.marks.keys().next().expect("a tile");
    let reached = done.reached(least);
    assert_eq!(reached[0], (least, 1.0), "all games reach the lowest of their marks");
    assert!(reached.windows(2).all(|pair| pair[0].0 * 2 == pair[1].0 && pair[0].1 >= pair[1].1));
    assert!(!done.is_stopped);
}

#[test]
fn openings_are_open_and_their_own() {
    for (entry, options) in GAMES.variants() {
        let game = format!("{} {options}", entry.spec.id);
        let rules = entry.rules(options).expect("options");
        if rules.seats().len() == 1 {
            // Who plays alone needs no opening, luck being what differs.
            assert_eq!(entry.opening_rounds, 0, "{game}");
            continue;
        }
        let plies = entry.opening_rounds * rules.seats().len();
        let mut seen = Vec::new();
        for seed in 0..20 {
            let moves = opening(&*rules, plies, seed);
            assert_eq!(moves.len(), plies, "{game}");
            let mut session = rules.start();
            for token in &moves {
                session.play(token).expect("a legal opening");
            }
            assert!(session.outcome().is_none(), "{game}");
            assert_eq!(moves, opening(&*rules, plies, seed));
            seen.push(moves);
        }
        seen.sort();
        seen.dedup();
        assert!(seen.len() > 10, "{game} has {} openings of 20", seen.len());
    }
    // Longer than the game: what is left is shorter, and still open.
    let rules = GAMES.find("othello").expect("a game").rules("size=4").expect("options");
    let moves = opening(&*rules, 100, 1);
    assert!(!moves.is_empty() && moves.len() < 16, "{}", moves.len());
}

/// Plays the first legal move and notes what it was given for its randomness.
struct Noting(Arc<Mutex<Vec<Option<u64>>>>);

impl Bot for Noting {
    fn think(
        &mut self,
        session: &dyn Session,
        budget: &Budget,
        _observe: &mut dyn FnMut(&Thought<String>),
    ) -> Result<Thought<String>, BotError> {
        self.0.lock().expect("nobody panics").push(budget.seed);
        Ok(Thought::instinct(session.legal().swap_remove(0)))
    }
}

#[test]
fn every_move_has_a_seed_of_its_own_and_the_same_one_again() {
    let seeds = || {
        let noted = Arc::new(Mutex::new(Vec::new()));
        let make = |request: PlayerRequest| {
            Ok(Contestant::house(Box::new(Noting(Arc::clone(&noted))), request.seed))
        };
        run(&duel(&make, vec![variant("othello", "size=4", 0)], 2));
        noted.lock().expect("nobody panics").clone()
    };
    let first = seeds();
    assert!(first.len() > 10 && first.iter().all(Option::is_some), "{first:?}");
    let mut distinct = first.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), first.len(), "the two games of a pair differ too");
    assert_eq!(seeds(), first);
}

#[test]
fn a_fault_ends_games_of_many_seats_too() {
    let make = |request: PlayerRequest| match request.entrant {
        0 => house("random", "random")(request),
        _ => {
            let failing = Scripted { behaviour: Behaviour::Fail, clock: Arc::default() };
            Ok(Contestant::house(Box::new(failing), request.seed))
        }
    };
    let (done, records) = run(&duel(&make, vec![variant("chinese-checkers", "seats=g/y/r", 0)], 2));
    assert_eq!((done.tally.wins, done.forfeits), (2, [0, 2]));
    assert!(records.iter().all(|record| record.contains("(crash)\n")), "{records:?}");
}
