//! An Othello engine that speaks GTP as GRhino's `gtp-rhino` does: the same commands, the same words for what is wrong.
//!
//! A side without a move passes by itself, so that nobody has to say so; asked for a move, it answers `pass`. GRhino takes
//! `play white pass` for a syntax error; we let those who are used to other programs say a pass that has to be made.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_core::Player;
use agon_core::text::{decimal, number};
use agon_erased::{Bot, Limits, Rules};
use agon_formats::grid::{compress, expand};
use agon_match::{Action, Match, Move, TakeBackTo};
use agon_protocol::gtp::{Answer, Colour, GAME, Request, response};

use crate::{Casting, NOW, budget, next_line, thinking_time, told_game};

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 64 << 10;
/// What the rules call a pass.
const PASS: &str = "pass";

const SYNTAX: &str = "syntax error";
const ILLEGAL: &str = "illegal move";

const COMMANDS: [&str; 21] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "showboard",
    "reg_genmove",
    "set_game",
    "list_games",
    "grhino-setup_board",
    "grhino-show_history",
];

/// Serves a controller until it says `quit` or its input ends.
///
/// # Errors
/// If the game is not Othello, the bot does not play it, or input or output fail.
pub fn run(
    rules: Arc<dyn Rules>,
    casting: Casting,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> io::Result<()> {
    if rules.spec().id != GAME {
        return Err(io::Error::other("GTP is for Othello; try --protocol ugi or jsonl"));
    }
    let bot = casting.bot(&*rules).map_err(io::Error::other)?;
    let game = told_game(&rules, None, &[], casting.seed).map_err(io::Error::other)?;
    let mut engine = Engine { game, bot, casting, allotment: Allotment::default() };
    while let Some(line) = next_line(input, MAX_LINE)? {
        let request = match &line {
            Ok(line) => Request::parse(line),
            Err(_) => Some(Request::default()),
        };
        let Some(request) = request else { continue };
        let answer = engine.answer(&request);
        out.write_all(response(request.id, &answer).as_bytes())?;
        out.flush()?;
        if request.name == "quit" {
            break;
        }
    }
    Ok(())
}

struct Engine {
    casting: Casting,
    game: Match,
    bot: Box<dyn Bot>,
    allotment: Allotment,
}

impl Engine {
    fn answer(&mut self, request: &Request) -> Answer {
        let arguments: Vec<&str> = request.arguments.iter().map(String::as_str).collect();
        let arguments = arguments.as_slice();
        match request.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Agon".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => match arguments {
                [name, ..] => Ok(COMMANDS.contains(name).to_string()),
                [] => fault(SYNTAX),
            },
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => done(),
            "boardsize" => self.resize(arguments),
            "clear_board" => self.begin(&Arc::clone(self.game.rules()), None),
            "komi" => match arguments {
                [komi, ..] if decimal(komi).is_ok() => done(),
                _ => fault(SYNTAX),
            },
            "play" => self.play(arguments),
            "genmove" => self.generate(arguments, true),
            "reg_genmove" => self.generate(arguments, false),
            "undo" => self.undo(),
            "time_settings" => self.allotment.set(arguments),
            "time_left" => self.allotment.correct(arguments),
            "final_score" => self.score(),
            "showboard" => Ok(self.board()),
            "set_game" => match arguments {
                ["Othello", ..] => done(),
                [_, ..] => fault("unsupported game"),
                [] => fault(SYNTAX),
            },
            "list_games" => Ok("Othello".to_owned()),
            "grhino-setup_board" => self.set_up(arguments),
            "grhino-show_history" => {
                let history = self.game.board().session().history();
                Ok(history.iter().map(|token| vertex(token)).collect::<Vec<_>>().join(" "))
            }
            _ => fault("unknown command"),
        }
    }

    /// Begins a game; what the bot remembers of the last one is forgotten.
    fn begin(&mut self, rules: &Arc<dyn Rules>, position: Option<String>) -> Answer {
        let game = told_game(rules, position, &[], self.casting.seed).map_err(|_| SYNTAX)?;
        self.bot = self.casting.bot(&**rules).map_err(|error| error.to_string())?;
        self.game = game;
        self.allotment.restart();
        self.pass();
        done()
    }

    fn resize(&mut self, arguments: &[&str]) -> Answer {
        let [size, ..] = arguments else { return fault(SYNTAX) };
        let size = number(size, 0..=u64::MAX).map_err(|_| SYNTAX.to_owned())?;
        let rules =
            self.casting.games.find(GAME).ok().and_then(|entry| entry.rules(&format!("size={size}")).ok());
        self.begin(&rules.ok_or("unacceptable size")?, None)
    }

    fn play(&mut self, arguments: &[&str]) -> Answer {
        let [colour, vertex, ..] = arguments else { return fault(SYNTAX) };
        let colour = Colour::parse(colour).ok_or(SYNTAX)?;
        let vertex = vertex.to_ascii_lowercase();
        if vertex == PASS {
            // It has been made already, or may not be made.
            let has_passed = self.game.board().session().last_ply().is_some_and(|last| last == PASS);
            return if has_passed && self.colour() != colour { done() } else { fault(ILLEGAL) };
        }
        if !self.is_square(&vertex) {
            return fault(SYNTAX);
        }
        let seat = self.mover(colour).ok_or(ILLEGAL)?;
        self.game.apply(0, Action::Move(Move::new(seat, vertex)), NOW).map_err(|_| ILLEGAL)?;
        self.pass();
        done()
    }

    fn generate(&mut self, arguments: &[&str], plays: bool) -> Answer {
        let [colour, ..] = arguments else { return fault(SYNTAX) };
        let colour = Colour::parse(colour).ok_or(SYNTAX)?;
        let Some(seat) = self.mover(colour) else { return Ok(PASS.to_owned()) };
        let began = Instant::now();
        let budget = budget(&self.game, self.allotment.limits(colour), &self.casting);
        let thought = self.bot.think(self.game.board().session(), &budget, &mut |_| {});
        let thought = thought.map_err(|error| error.to_string())?;
        if plays {
            let spent = began.elapsed();
            self.allotment.spend(colour, spent);
            let mv = Move::of_thought(seat, &thought, spent.into());
            self.game.apply(0, Action::Move(mv), NOW).map_err(|refusal| refusal.to_string())?;
            self.pass();
        }
        Ok(vertex(&thought.best))
    }

    /// Passes for a side that has no move.
    fn pass(&mut self) {
        while let Some(seat) =
            self.game.board().to_move().filter(|_| self.game.board().session().legal() == [PASS])
            && self.game.apply(0, Action::Move(Move::new(seat, PASS)), NOW).is_ok()
        {}
    }

    fn undo(&mut self) -> Answer {
        let history = self.game.board().session().history();
        let keep = history.iter().rposition(|token| token != PASS).ok_or("cannot undo")?;
        // The program that runs the engine holds all seats.
        let request = Action::RequestTakeBack(Player(0), TakeBackTo::Ply(keep));
        self.game.apply(0, request, NOW).map_err(|refusal| refusal.to_string())?;
        done()
    }

    fn score(&self) -> Answer {
        if self.game.board().session().outcome().is_none() {
            return fault("cannot score");
        }
        let squares = self.squares();
        let count = |disc| squares.iter().flatten().filter(|square| **square == disc).count();
        let (black, white) = (count('x'), count('o'));
        Ok(match black.cmp(&white) {
            std::cmp::Ordering::Greater => format!("B+{}", black - white),
            std::cmp::Ordering::Less => format!("W+{}", white - black),
            std::cmp::Ordering::Equal => "0".to_owned(),
        })
    }

    fn board(&self) -> String {
        let squares = self.squares();
        let next = match (self.game.board().session().outcome(), self.colour()) {
            (Some(_), _) => "Game ended",
            (None, Colour::Black) => "Next move: Black",
            (None, Colour::White) => "Next move: White",
        };
        let columns: String = ('a'..='z').take(squares.len()).map(|letter| format!(" {letter}")).collect();
        let mut board = format!("{next}\n   {columns}");
        for (row, number) in squares.iter().zip(1..) {
            let row: String = row.iter().map(|square| format!(" {}", square.to_ascii_uppercase())).collect();
            board += &format!("\n{number:>3}{row}");
        }
        board
    }

    fn set_up(&mut self, arguments: &[&str]) -> Answer {
        let [squares, side @ ..] = arguments else { return fault(SYNTAX) };
        let side = match side {
            [] => 'x',
            [side, ..] => match (Colour::parse(side), side.to_ascii_lowercase().as_str()) {
                (Some(Colour::Black), _) | (None, "x") => 'x',
                (Some(Colour::White), _) | (None, "o") => 'o',
                _ => return fault(SYNTAX),
            },
        };
        let size = self.squares().len();
        let squares: Option<Vec<char>> = squares.to_ascii_lowercase().chars().map(square).collect();
        let squares = squares.filter(|squares| squares.len() == size * size).ok_or(SYNTAX)?;
        let position = format!("{} {side}", compress(squares.chunks(size)));
        self.begin(&Arc::clone(self.game.rules()), Some(position))
    }

    /// The side to move.
    fn colour(&self) -> Colour {
        if self.game.board().session().turn_name() == "x" { Colour::Black } else { Colour::White }
    }

    /// The seat of the side to move, if that is `colour`.
    fn mover(&self, colour: Colour) -> Option<Player> {
        self.game.board().to_move().filter(|_| self.colour() == colour)
    }

    /// The board row by row, `.` for an empty square.
    fn squares(&self) -> Vec<Vec<char>> {
        let position = self.game.board().session().position();
        expand(position.split(' ').next().unwrap_or_default())
    }

    /// Whether `vertex` names a square of this board.
    fn is_square(&self, vertex: &str) -> bool {
        let size = self.squares().len();
        let mut chars = vertex.chars();
        let column = chars.next().is_some_and(|letter| ('a'..='z').take(size).any(|known| known == letter));
        column && number(chars.as_str(), 1..=size as u64).is_ok()
    }
}

/// A square as a board string writes it, in our letters.
fn square(letter: char) -> Option<char> {
    match letter {
        '-' | '.' => Some('.'),
        'x' | 'o' => Some(letter),
        _ => None,
    }
}

fn done() -> Answer {
    Ok(String::new())
}

fn fault(words: &str) -> Answer {
    Err(words.to_owned())
}

/// A move as GTP writes it.
fn vertex(token: &str) -> String {
    if token == PASS { token.to_owned() } else { token.to_ascii_uppercase() }
}

/// What the engine was told about the time that each side has. The program that runs it judges who is late. Seconds may have a fraction, which GTP itself does not know.
#[derive(Default)]
struct Allotment {
    settings: Option<Settings>,
    /// What is left to each side, and for how many moves, 0 being all.
    left: [Option<(Duration, u32)>; 2],
}

#[derive(Clone, Copy)]
struct Settings {
    main: Duration,
    byo_yomi: Duration,
    stones: u32,
}

impl Allotment {
    fn set(&mut self, arguments: &[&str]) -> Answer {
        let [main, byo_yomi, stones, ..] = arguments else { return fault(SYNTAX) };
        let (main, byo_yomi) = seconds(main).zip(seconds(byo_yomi)).ok_or(SYNTAX)?;
        let stones = number(stones, 0..=1_000_000).map_err(|_| SYNTAX)? as u32;
        // GTP: overtime without a number of moves is no limit at all.
        let is_limit = !main.is_zero() || !byo_yomi.is_zero();
        let is_endless = stones == 0 && !byo_yomi.is_zero();
        self.settings = (is_limit && !is_endless).then_some(Settings { main, byo_yomi, stones });
        self.restart();
        done()
    }

    fn correct(&mut self, arguments: &[&str]) -> Answer {
        let [colour, time, stones, ..] = arguments else { return fault(SYNTAX) };
        let colour = Colour::parse(colour).ok_or(SYNTAX)?;
        let time = seconds(time).ok_or(SYNTAX)?;
        let stones = number(stones, 0..=1_000_000).map_err(|_| SYNTAX)? as u32;
        self.left[colour as usize] = Some((time, stones));
        done()
    }

    fn restart(&mut self) {
        self.left = [self.settings.map(|settings| (settings.main, 0)); 2];
    }

    /// The limits of the next move of `colour`.
    fn limits(&self, colour: Colour) -> Limits {
        let time = match (self.left[colour as usize], self.settings) {
            (Some((left, 0)), _) if !left.is_zero() => Limits::of_clock(left, Duration::ZERO).time,
            (Some((left, stones @ 1..)), _) => Some(left / stones),
            (_, Some(Settings { byo_yomi, stones: stones @ 1.., .. })) => Some(byo_yomi / stones),
            (Some(_), _) => Some(Duration::ZERO),
            (None, _) => None,
        };
        Limits { time: time.map(thinking_time), ..Limits::default() }
    }

    /// Notes that a move of `colour` took so long.
    fn spend(&mut self, colour: Colour, time: Duration) {
        self.left[colour as usize] = match self.left[colour as usize] {
            Some((left, 0)) => Some((left.saturating_sub(time), 0)),
            Some((left, stones @ 2..)) => Some((left.saturating_sub(time), stones - 1)),
            // The next period is as long as the settings say.
            Some((_, 1)) => self.settings.map(|_| (Duration::ZERO, 0)),
            None => None,
        };
    }
}

fn seconds(text: &str) -> Option<Duration> {
    decimal(text).ok().filter(|seconds| (0.0..=1e6).contains(seconds)).map(Duration::from_secs_f64)
}
