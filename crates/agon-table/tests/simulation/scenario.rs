//! What is played in a run, by whom, and under which rules of the house.

use std::sync::Arc;
use std::time::Duration;

use agon_erased::Rules;
use agon_match::{Goal, Match, Millis, Occupant, Policy, Seat, Setup, TimeControl, TimePolicy};
use agon_protocol::web::TableMode;
use agon_protocol::web::online::{self, Leavers, Terms};
use agon_table::online::{Participant, Start};
use agon_table::{FailingBots, HouseRules, RaceBots, TableSettings, VisitorId, stored};

use crate::dice::Dice;
use crate::store::TABLE;

/// How many visitors there are: the first one owns the table, the last one only looks on.
pub(crate) const VISITORS: usize = 4;
const BOTS: [&str; 2] = ["random", "novice"];
/// Games that are over soon.
const GAMES: [(&str, &str); 9] = [
    ("othello", "size=4"),
    ("othello", "size=6"),
    ("loa", "size=5,turns=10"),
    ("loa", "size=6,turns=12"),
    ("tablut", "limit=10"),
    ("chinese-checkers", "seats=g/r,rounds=20"),
    ("chinese-checkers", "seats=g/r/y,rounds=20"),
    ("2048", ""),
    ("2048", ""),
];

pub(crate) fn visitor(index: usize) -> VisitorId {
    [index as u8 + 1; 32]
}

/// What happens to go wrong in a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Troubles {
    /// How many writes of a hundred fail.
    pub(crate) store: usize,
    /// Before how many effects of a thousand the driver crashes.
    pub(crate) crash: usize,
    /// How many requests of a hundred that bots may think are refused.
    pub(crate) permission: usize,
    /// How many answers of bots of a hundred are late, wrong or missing.
    pub(crate) bots: usize,
    /// Whether bots can do nothing but fail.
    pub(crate) are_bots_broken: bool,
    /// Whether they never answer.
    pub(crate) are_bots_silent: bool,
}

pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) game: Match,
    pub(crate) settings: TableSettings,
    pub(crate) house: HouseRules,
    pub(crate) troubles: Troubles,
    pub(crate) seed: u64,
}

impl Scenario {
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let &(game, options) = dice.pick(&GAMES);
        let rules = agon_registry::GAMES.rules(game, options).expect("a game");
        let mode = match rules.seats().len() {
            1 => *dice.pick(&[TableMode::Single, TableMode::Race, TableMode::InTurn]),
            _ => TableMode::Single,
        };
        let seats = if mode == TableMode::Single { rules.seats().len() } else { 2 + dice.below(2) };
        let is_terminal = dice.percent(30);
        let house = if is_terminal {
            HouseRules {
                failing_bots: FailingBots::Wait,
                race_bots: RaceBots::MoveForMove,
                waiting_stops_clocks: true,
                ..HouseRules::default()
            }
        } else {
            HouseRules::default()
        };
        // Long enough to be told from any other number.
        let seed = dice.number() | 1 << 63;
        let is_online = !is_terminal && dice.percent(60);
        let (game, settings) = if is_online {
            online_game(rules, mode, seats, seed, dice)
        } else {
            offline_game(rules, mode, seats, seed, dice)
        };
        let troubles = Troubles {
            store: *dice.pick(&[0, 0, 4, 25]),
            crash: *dice.pick(&[0, 0, 2, 10]),
            permission: *dice.pick(&[0, 0, 30]),
            bots: *dice.pick(&[0, 10, 40]),
            are_bots_broken: dice.percent(3),
            are_bots_silent: false,
        };
        let name = format!(
            "{}:{} {mode:?} {:?} {settings:?} {troubles:?} terminal={is_terminal}",
            game.rules().spec().id,
            game.rules().options(),
            game.boards()
                .iter()
                .flat_map(|board| board.seats())
                .map(|seat| seat.occupant.to_string())
                .collect::<Vec<_>>(),
        );
        Self { name, game, settings, house, troubles, seed }
    }
}

fn bot(dice: &mut Dice) -> Occupant {
    dice.pick(&BOTS).parse().expect("a bot")
}

fn offline_game(
    rules: Arc<dyn Rules>,
    mode: TableMode,
    seats: usize,
    seed: u64,
    dice: &mut Dice,
) -> (Match, TableSettings) {
    let people = *dice.pick(&[0, 50, 50, 100]);
    let clock = *dice.pick(&["none", "none", "5s", "8s+1s"]);
    let control = TimeControl::parse(clock).expect("a clock");
    let policy = Policy { time: TimePolicy::new(control, Millis(0)), ..Policy::default() };
    let seats: Vec<Seat> = (0..seats)
        .map(|_| if dice.percent(people) { Seat::person("Ann") } else { Seat::of(bot(dice)) })
        .collect();
    let setup = Setup { policy, ..Setup::default() };
    let boards: Vec<Setup> = match mode {
        TableMode::Single => vec![Setup { seats, ..setup }],
        _ => seats.into_iter().map(|seat| Setup { seats: vec![seat], ..setup.clone() }).collect(),
    };
    let goal =
        if mode == TableMode::Race { *dice.pick(&[Goal::Finish, Goal::Moves(8)]) } else { Goal::Finish };
    let game = stored::start(rules, mode, goal, boards, seed).expect("a game");
    let pace = *dice.pick(&[0, 0, 400, 2000]);
    (game, TableSettings { pace, paused: dice.percent(10), online: None })
}

fn online_game(
    rules: Arc<dyn Rules>,
    mode: TableMode,
    seats: usize,
    seed: u64,
    dice: &mut Dice,
) -> (Match, TableSettings) {
    let mut terms = Terms {
        leavers: *dice.pick(&[None, Some(Leavers::Bot), Some(Leavers::Resign), Some(Leavers::Ask)]),
        grace: *dice.pick(&[5, 60]),
        help: dice.percent(40),
        ..Terms::default()
    };
    match dice.below(4) {
        0 => terms.clock = "10s".to_owned(),
        1 => terms.clock = "20s+1s".to_owned(),
        2 => terms.days = Some(2),
        _ => {}
    }
    if mode == TableMode::Race {
        terms.goal = *dice.pick(&[
            None,
            Some(online::Goal::Score),
            Some(online::Goal::Moves { moves: 8 }),
            Some(online::Goal::Time { seconds: 30 }),
        ]);
    }
    let people = *dice.pick(&[60, 100]);
    let players = (0..seats).map(|seat| {
        if seat > 0 && !dice.percent(people) {
            return Participant::bot(bot(dice));
        }
        let holder = Some(visitor(if dice.percent(10) { 0 } else { seat % 3 }));
        Participant { name: format!("P{seat}"), occupant: Occupant::Person, holder, program: false }
    });
    let start = Start {
        id: TABLE.to_owned(),
        key: None,
        name: "Lobby".to_owned(),
        owner: visitor(0),
        rules,
        mode,
        players: players.collect(),
        terms,
        muted: Vec::new(),
        lines: Vec::new(),
    };
    let settings = TableSettings { online: Some(start.online()), pace: *dice.pick(&[0, 400]), paused: false };
    (start.game(seed).expect("a game"), settings)
}

/// How long bots play on among themselves when nobody looks.
pub(crate) const UNWATCHED: Duration = Duration::from_secs(60);
