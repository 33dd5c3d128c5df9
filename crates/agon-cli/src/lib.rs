//! The command line of `agon`: one module per command.

mod commands;
mod files;
mod game_args;
mod help;
mod layout;
mod live;
mod programs;
mod progress;
mod remote;
mod screen_args;
mod temporary;
mod times;
mod weights;

use std::io::{self, Write};
use std::process::ExitCode;

use agon_server::WebApp;
use clap::{Parser, Subcommand};
use screen_args::Signalled;

/// How many cores this machine has.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[derive(Parser)]
#[command(name = "agon", version, about = ABOUT, after_help = EXAMPLES)]
struct Cli {
    /// The command; without one, the menu opens
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    screen: screen_args::ScreenArgs,
}

const ABOUT: &str = "Board games for people and machines: play, watch, compare and analyse.";

const EXAMPLES: &str = "Examples:
  agon                                       open the menu
  agon serve --open                          play in the browser
  agon play othello                          play against a bot
  agon watch loa --players hard,medium       watch bots
  agon learn tablut                          learn the rules
  agon duel loa greedy random --games 20     compare two bots
  agon agent new --lang python my-agent      write a player of your own
  agon arena run course.toml                 run a tournament
  agon study list                            find out what parts of a bot are worth
  agon tune tablut --bot expert --out tuned  tune a bot's evaluation or search
  agon analyze othello --time 2s             ask a bot about a position
  agon show loa --options size=6             show a board
  agon perft tablut --depth 4                count positions
  echo '{\"game\": \"othello\"}' | agon query    ask for the rules";

const QUERY_EXAMPLE: &str = r#"A request has the fields game, options, position, moves and perft. All except game are optional.

Example:
  $ echo '{"game": "othello", "moves": ["d3"], "perft": 1}' | agon query
  {"ok":true,"game":"othello","options":"size=8","position":"8/8/3x4/3xx3/3xo3/8/8/8 o","ply":1,"to_move":"o",
  "status":"ongoing","winner":null,"reason":null,"legal":["c3","c5","e3"],"nodes":3}    (one line)"#;

#[derive(Subcommand)]
enum Command {
    /// List the games and their options
    Games(commands::games::Args),
    /// Draw a board
    Show(commands::show::Args),
    /// Play a game: people, bots or both
    Play(commands::play::Args),
    /// Watch bots play
    Watch(commands::play::WatchArgs),
    /// Step through a game record, and play on from anywhere
    Replay(commands::replay::Args),
    /// Serve Agon to browsers: play, watch and replay on web pages
    Serve(commands::serve::Args),
    /// Write the web app as a folder for any web host, without a server
    ExportSite(commands::export_site::Args),
    /// Copy everything that a server keeps, while it runs
    Backup(commands::backup::BackupArgs),
    /// Put a backup of a server back
    Restore(commands::backup::RestoreArgs),
    /// Let a program take a seat in an online game
    Join(commands::join::Args),
    /// Continue an interrupted game
    Resume(commands::resume::Args),
    /// Learn the rules of a game
    Learn(commands::learn::Args),
    /// Check game records, or convert other notations to records
    Record(commands::record::Args),
    /// Answer questions about the rules: JSON lines on standard input
    #[command(after_help = QUERY_EXAMPLE)]
    Query,
    /// Run a bot for other programs: UGI, GTP or the agent protocol on standard input
    Engine(commands::engine::Args),
    /// Join a server of the Bologna Tablut Challenge
    TablutClient(commands::tablut::ClientArgs),
    /// Referee a game of the Bologna Tablut Challenge
    TablutServer(commands::tablut::ServerArgs),
    /// Count the positions after N plies
    Perft(commands::perft::Args),
    /// List the bots of a game and their parameters
    Bots(commands::bots::Args),
    /// Ask a bot what it thinks of a position, and why
    Analyze(commands::analyze::Args),
    /// Play many games between two bots and report which is stronger
    Duel(commands::duel::Args),
    /// Write and check agents: programs that play in tournaments
    Agent(commands::agent::Args),
    /// Run tournaments: bots, programs and people, under hard limits
    Arena(commands::arena::Args),
    /// Study what parts of a bot are worth, and how many positions of a set bots solve
    Study(commands::study::Args),
    /// Tune a bot: fit its weights to self-play, or try its parameters in matches
    Tune(commands::tune::Args),
    /// Find the exact result of a position
    Solve(commands::solve::Args),
    /// Train the weights that bots play with
    Train(commands::train::Args),
    /// Measure the speed of rules and search
    Bench(commands::bench::Args),
}

/// Runs the command that the process was started with; `web_app` is what `agon serve` shows.
pub fn run(web_app: WebApp) -> ExitCode {
    agon_sandbox::run_helper_if_asked();
    let cli: Cli = match help::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return ExitCode::from(help::print(&error)),
    };
    let mut out = io::stdout().lock();
    let result = match cli.command {
        None => commands::menu::run(cli.screen, &mut io::stdin().lock(), &mut out),
        Some(Command::Games(args)) => args.run(&mut out),
        Some(Command::Serve(args)) => args.run(web_app, &mut out),
        Some(Command::ExportSite(args)) => args.run(web_app, &mut out),
        Some(Command::Backup(args)) => args.run(&mut out),
        Some(Command::Restore(args)) => args.run(&mut out),
        Some(Command::Show(args)) => args.run(&mut out),
        Some(Command::Play(args)) => args.run(&mut io::stdin().lock(), &mut out),
        Some(Command::Watch(args)) => args.run(&mut io::stdin().lock(), &mut out),
        Some(Command::Replay(args)) => args.run(&mut io::stdin().lock(), &mut out),
        Some(Command::Join(args)) => args.run(&mut out),
        Some(Command::Resume(args)) => args.run(&mut io::stdin().lock(), &mut out),
        Some(Command::Learn(args)) => args.run(&mut io::stdin().lock(), &mut out),
        Some(Command::Record(args)) => args.run(&mut out),
        Some(Command::Query) => commands::query::run(&mut io::stdin().lock(), &mut out),
        Some(Command::Engine(args)) => args.run(&mut out),
        Some(Command::TablutClient(args)) => args.run(&mut out),
        Some(Command::TablutServer(args)) => args.run(&mut out),
        Some(Command::Perft(args)) => args.run(&mut out),
        Some(Command::Bots(args)) => args.run(&mut out),
        Some(Command::Analyze(args)) => args.run(&mut out),
        Some(Command::Duel(args)) => args.run(&mut out),
        Some(Command::Agent(args)) => args.run(&mut out),
        Some(Command::Arena(args)) => args.run(&mut out),
        Some(Command::Study(args)) => args.run(&mut out),
        Some(Command::Tune(args)) => args.run(&mut out),
        Some(Command::Solve(args)) => args.run(&mut out),
        Some(Command::Train(args)) => args.run(&mut out),
        Some(Command::Bench(args)) => args.run(&mut out),
    };
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output has gone: nothing is wrong, and nobody is left to tell.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if let Some(&Signalled(signal)) = error.downcast_ref() => {
            // As shells have it.
            ExitCode::from(128 + signal as u8)
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
