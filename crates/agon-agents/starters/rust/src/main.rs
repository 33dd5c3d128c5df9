//! My agent for {{title}}.

mod json;

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What the referee says when it asks for a move.
struct Turn {
    /// Where the game stands, as text; README.md explains it.
    position: String,
    /// The legal moves.
    legal: Vec<String>,
    /// When the answer must have been sent; `None` without a time limit.
    deadline: Option<Instant>,
}

/// My agent. What it keeps here stays from move to move.
struct Agent {
    seat: String,
    random: u64,
}

impl Agent {
    /// Called once, before the game.
    fn new(seat: String) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self { seat, random: now.map_or(1, |time| time.as_nanos() as u64 | 1) }
    }

    /// Chooses a move. Replace this by something better.
    fn choose(&mut self, turn: &Turn) -> String {
        // Standard error is kept for you; standard output is the referee's.
        eprintln!("{} to move in {}", self.seat, turn.position);
        let mut best = &turn.legal[0];
        for mv in &turn.legal {
            // Look at the clock now and then, and stop well before the deadline.
            if turn.deadline.is_some_and(|deadline| Instant::now() + Duration::from_millis(30) > deadline) {
                break;
            }
            // A random number (xorshift) instead of an opinion: the last move that wins the toss is played.
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            if self.random % turn.legal.len() as u64 == 0 {
                best = mv;
            }
        }
        best.clone()
    }
}

fn main() -> io::Result<()> {
    let mut agent = None;
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let received = Instant::now();
        match json::text(&line, "type").unwrap_or_default() {
            "setup" => {
                agent = Some(Agent::new(json::text(&line, "seat").unwrap_or_default().to_owned()));
                writeln!(output, r#"{{"type": "ready", "name": "my agent"}}"#)?;
            }
            "move" => {
                let seconds = json::value(&line, "time").and_then(|time| time.parse().ok());
                let turn = Turn {
                    position: json::text(&line, "position").unwrap_or_default().to_owned(),
                    legal: json::texts(&line, "legal"),
                    deadline: seconds.map(|seconds| received + Duration::from_secs_f64(seconds)),
                };
                if let Some(agent) = &mut agent {
                    writeln!(output, r#"{{"type": "move", "move": "{}"}}"#, agent.choose(&turn))?;
                }
            }
            // The result of the game: nothing is answered, and the input then ends.
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
