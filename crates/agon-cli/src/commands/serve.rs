//! `agon serve`: Agon in the browser.

mod log;

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_registry::GAMES;
use agon_server::data::DataError;
use agon_server::http::ConnectionLimits;
use agon_server::tables::Limits;
use agon_server::tls::TlsFiles;
use agon_server::{Ready, ServeError, Settings, WebApp, serve};
use anyhow::{Context, bail};
use clap::{Args as _, Command, FromArgMatches};
use ipnet::IpNet;

use log::BoundedLog;

/// `agon serve`
#[derive(clap::Args)]
#[command(
    after_help = "Flags override variables, and variables override the configuration file, which has a line such as\nlisten = \"0.0.0.0:80\" for each flag.\n\nExamples:\n  agon serve --open\n  agon serve --listen 0.0.0.0:8048 --data /var/lib/agon\n  agon serve --config agon.toml --public-url https://agon.example.org\n  agon serve --arena results                # show a tournament that `agon arena run --out results` plays\n  agon serve --studies ordering             # show a study that `agon study run --out ordering` plays"
)]
pub(crate) struct Args {
    /// Read settings from a TOML file
    #[arg(long, value_name = "FILE", env = "AGON_CONFIG")]
    config: Option<PathBuf>,
    /// Replace the admin token and print the new one
    #[arg(long)]
    new_admin_token: bool,
    /// If a server is already using the data directory, print its address and exit successfully
    #[arg(long)]
    or_running: bool,
    #[command(flatten)]
    given: Given,
}

/// What can be given as a flag, as a variable or in the configuration file. This is the only place that lists it.
#[derive(clap::Args)]
struct Given {
    /// Address and port to listen on; port 0 picks a free one [default: 127.0.0.1:8048, or the next free port]
    #[arg(long, value_name = "ADDR:PORT", env = "AGON_LISTEN")]
    listen: Option<SocketAddr>,
    /// Directory for games and settings [default: $XDG_DATA_HOME/agon/server]
    #[arg(long, value_name = "DIR", env = "AGON_DATA")]
    data: Option<PathBuf>,
    /// Speak https with the certificate in this PEM file; it is read again when it changes
    #[arg(long, value_name = "FILE", env = "AGON_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    /// PEM file with the private key of the certificate
    #[arg(long, value_name = "FILE", env = "AGON_TLS_KEY")]
    tls_key: Option<PathBuf>,
    /// Address under which others reach the server, if there is a proxy in front of it
    #[arg(long, value_name = "URL", env = "AGON_PUBLIC_URL")]
    public_url: Option<String>,
    /// Addresses or networks of proxies whose X-Forwarded-For header counts, such as 127.0.0.1 or 10.0.0.0/8
    #[arg(long, value_name = "ADDR", env = "AGON_TRUST_PROXY", value_delimiter = ',', value_parser = network)]
    trust_proxy: Option<Vec<IpNet>>,
    /// Number of open lobbies allowed from one address [default: 300]
    #[arg(long, value_name = "N", env = "AGON_LOBBIES_PER_ADDRESS")]
    lobbies_per_address: Option<usize>,
    /// Number of minutes for which a private lobby, or a host who waits alone, is kept while away [default: 15]
    #[arg(long, value_name = "N", env = "AGON_LOBBY_MINUTES", value_parser = clap::value_parser!(u32).range(1..=1440))]
    lobby_minutes: Option<u32>,
    /// Number of days after which an abandoned online game is aborted [default: 30]
    #[arg(long, value_name = "N", env = "AGON_ABANDONED_DAYS", value_parser = clap::value_parser!(u32).range(1..=3650))]
    abandoned_days: Option<u32>,
    /// Megabytes of games that one browser may store [default: 100]
    #[arg(long, value_name = "MB", env = "AGON_STORED_PER_BROWSER", value_parser = clap::value_parser!(u32).range(1..))]
    stored_per_browser: Option<u32>,
    /// Megabytes of games that may be stored from one address [default: 1024]
    #[arg(long, value_name = "MB", env = "AGON_STORED_PER_ADDRESS", value_parser = clap::value_parser!(u32).range(1..))]
    stored_per_address: Option<u32>,
    /// Megabytes that the database may have before no more games are opened [default: 20480]
    #[arg(long, value_name = "MB", env = "AGON_STORED_TOTAL", value_parser = clap::value_parser!(u32).range(1..))]
    stored_total: Option<u32>,
    /// Megabytes that the games may take in memory that one browser follows [default: 16]
    #[arg(long, value_name = "MB", env = "AGON_FOLLOWED_PER_BROWSER", value_parser = clap::value_parser!(u32).range(1..))]
    followed_per_browser: Option<u32>,
    /// The same for one address [default: 64]
    #[arg(long, value_name = "MB", env = "AGON_FOLLOWED_PER_ADDRESS", value_parser = clap::value_parser!(u32).range(1..))]
    followed_per_address: Option<u32>,
    /// The same in all [default: 1024]
    #[arg(long, value_name = "MB", env = "AGON_FOLLOWED_TOTAL", value_parser = clap::value_parser!(u32).range(1..))]
    followed_total: Option<u32>,
    /// Number of days after which a game that nobody has opened is deleted [default: 365]
    #[arg(long, value_name = "N", env = "AGON_KEPT_DAYS", value_parser = clap::value_parser!(u32).range(1..=36500))]
    kept_days: Option<u32>,
    /// The same for uploaded records [default: 30]
    #[arg(long, value_name = "N", env = "AGON_UPLOADS_KEPT_DAYS", value_parser = clap::value_parser!(u32).range(1..=36500))]
    uploads_kept_days: Option<u32>,
    /// Open the browser
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL", env = "AGON_OPEN")]
    open: Option<bool>,
    /// Number of threads in which bots think [default: one per core]
    #[arg(long, value_name = "N", env = "AGON_BOT_THREADS", value_parser = clap::value_parser!(u16).range(1..=1024))]
    bot_threads: Option<u16>,
    /// Number of connections allowed in all [default: 10000]
    #[arg(long, value_name = "N", env = "AGON_CONNECTIONS")]
    connections: Option<usize>,
    /// Number of connections allowed from one address [default: 512]
    #[arg(long, value_name = "N", env = "AGON_CONNECTIONS_PER_ADDRESS")]
    connections_per_address: Option<usize>,
    /// Number of messages per second allowed over one connection [default: 30]
    #[arg(long, value_name = "N", env = "AGON_MESSAGES_PER_SECOND", value_parser = clap::value_parser!(u32).range(1..))]
    messages_per_second: Option<u32>,
    /// Tournament, or folder of tournaments, to show besides those in the data directory; may be given several times
    #[arg(long, value_name = "DIR", env = "AGON_ARENA")]
    arena: Option<Vec<PathBuf>>,
    /// Study, or folder of studies, to show besides those in the data directory; may be given several times
    #[arg(long, value_name = "DIR", env = "AGON_STUDIES")]
    studies: Option<Vec<PathBuf>>,
    /// Let whoever has the admin token upload agents and start tournaments on the web; they run in the sandbox, under --strict
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "BOOL", env = "AGON_ARENA_UPLOADS")]
    arena_uploads: Option<bool>,
    /// Admin token, for tournaments and for reading /metrics from another machine [default: one that is made and printed at the first start]
    #[arg(long, value_name = "TOKEN", env = "AGON_ADMIN_TOKEN", hide_env_values = true)]
    admin_token: Option<String>,
    /// Form of the log on standard error
    #[arg(long, value_name = "FORM", env = "AGON_LOG", value_enum)]
    log: Option<LogForm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LogForm {
    /// Warnings and errors only
    Quiet,
    /// A line of text for each event
    Text,
    /// A JSON object for each event
    Json,
}

const DEFAULT_LISTEN: ([u8; 4], u16) = ([127, 0, 0, 1], 8048);

impl Given {
    /// These settings, and those of `other` that are not among them.
    fn or(self, other: Self) -> Self {
        Self {
            listen: self.listen.or(other.listen),
            data: self.data.or(other.data),
            tls_cert: self.tls_cert.or(other.tls_cert),
            tls_key: self.tls_key.or(other.tls_key),
            public_url: self.public_url.or(other.public_url),
            trust_proxy: self.trust_proxy.or(other.trust_proxy),
            lobbies_per_address: self.lobbies_per_address.or(other.lobbies_per_address),
            lobby_minutes: self.lobby_minutes.or(other.lobby_minutes),
            abandoned_days: self.abandoned_days.or(other.abandoned_days),
            stored_per_browser: self.stored_per_browser.or(other.stored_per_browser),
            stored_per_address: self.stored_per_address.or(other.stored_per_address),
            stored_total: self.stored_total.or(other.stored_total),
            followed_per_browser: self.followed_per_browser.or(other.followed_per_browser),
            followed_per_address: self.followed_per_address.or(other.followed_per_address),
            followed_total: self.followed_total.or(other.followed_total),
            kept_days: self.kept_days.or(other.kept_days),
            uploads_kept_days: self.uploads_kept_days.or(other.uploads_kept_days),
            open: self.open.or(other.open),
            bot_threads: self.bot_threads.or(other.bot_threads),
            connections: self.connections.or(other.connections),
            connections_per_address: self.connections_per_address.or(other.connections_per_address),
            messages_per_second: self.messages_per_second.or(other.messages_per_second),
            arena: self.arena.or(other.arena),
            studies: self.studies.or(other.studies),
            arena_uploads: self.arena_uploads.or(other.arena_uploads),
            admin_token: self.admin_token.or(other.admin_token),
            log: self.log.or(other.log),
        }
    }

    /// The settings of a configuration file: its lines are read as if they were flags.
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let table: toml::Table = text.parse().with_context(|| path.display().to_string())?;
        let mut flags = Vec::new();
        for (key, value) in table {
            // Flags that may be given several times have lists.
            let values = if let toml::Value::Array(values) = value { values } else { vec![value] };
            for value in values {
                let value = match value {
                    toml::Value::String(text) => text,
                    toml::Value::Integer(number) => number.to_string(),
                    toml::Value::Boolean(switch) => switch.to_string(),
                    _ => bail!("{}: {key}: expected text, a number, true or false", path.display()),
                };
                flags.push(format!("--{key}={value}"));
            }
        }
        // Variables must not count as if they stood in the file.
        let lines = Command::new("agon.toml").no_binary_name(true).disable_help_flag(true);
        let command = Self::augment_args(lines).mut_args(|argument| argument.env(None::<&str>));
        let matches = command.try_get_matches_from(flags).map_err(|error| {
            let first = error.to_string().lines().next().unwrap_or_default().replacen("error: ", "", 1);
            anyhow::anyhow!("{}: {first}", path.display())
        })?;
        Ok(Self::from_arg_matches(&matches)?)
    }
}

impl Args {
    pub(crate) fn run(self, web_app: WebApp, out: &mut impl Write) -> anyhow::Result<()> {
        let given = match &self.config {
            Some(path) => self.given.or(Given::read(path)?),
            None => self.given,
        };
        if self.new_admin_token && given.admin_token.is_some() {
            bail!(
                "--new-admin-token replaces the stored token, but the admin token is given by a flag, a variable or the configuration file"
            );
        }
        start_log(given.log.unwrap_or(LogForm::Quiet));
        let data = data_dir(given.data, "--data")?;
        let usual = ConnectionLimits::default();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut limits = Limits::default();
        limits.lobbies.per_address = given.lobbies_per_address.unwrap_or(limits.lobbies.per_address);
        if let Some(minutes) = given.lobby_minutes {
            limits.lobbies.wait = Duration::from_secs(60) * minutes;
        }
        if let Some(days) = given.abandoned_days {
            limits.abandoned_after = Duration::from_secs(24 * 3600) * days;
        }
        let megabytes =
            |given: Option<u32>, usual: u64| given.map_or(usual, |number| u64::from(number) << 20);
        let stored = &mut limits.stored;
        stored.browser.bytes = megabytes(given.stored_per_browser, stored.browser.bytes);
        stored.address.bytes = megabytes(given.stored_per_address, stored.address.bytes);
        stored.total = megabytes(given.stored_total, stored.total);
        stored.kept_days = given.kept_days.unwrap_or(stored.kept_days);
        stored.uploads_kept_days = given.uploads_kept_days.unwrap_or(stored.uploads_kept_days);
        let followed = &mut limits.followed;
        for (room, given) in [
            (&mut followed.browser, given.followed_per_browser),
            (&mut followed.address, given.followed_per_address),
            (&mut followed.total, given.followed_total),
        ] {
            *room = usize::try_from(megabytes(given, *room as u64)).unwrap_or(usize::MAX);
        }
        let tls = match (given.tls_cert, given.tls_key) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
            (None, None) => None,
            _ => bail!("--tls-cert and --tls-key go together: give both, or neither"),
        };
        let settings = Settings {
            games: GAMES,
            web_app,
            listen: given.listen.unwrap_or_else(|| DEFAULT_LISTEN.into()),
            may_move: given.listen.is_none(),
            data,
            tls,
            public_url: given.public_url,
            proxies: given.trust_proxy.unwrap_or_default(),
            admin_token: given.admin_token,
            new_admin_token: self.new_admin_token,
            arena: given.arena.unwrap_or_default(),
            studies: given.studies.unwrap_or_default(),
            arena_uploads: given.arena_uploads.unwrap_or(false),
            workers: given.bot_threads.map_or(cores, usize::from),
            limits,
            connections: ConnectionLimits {
                total: given.connections.unwrap_or(usual.total),
                per_address: given.connections_per_address.unwrap_or(usual.per_address),
                messages_per_second: given.messages_per_second.unwrap_or(usual.messages_per_second),
            },
        };
        let opens = given.open.unwrap_or(false);
        let ready = |Ready { address, new_admin_token }: Ready| {
            if let Some(token) = new_admin_token {
                // On standard error, where nobody looks for an address.
                let _ = writeln!(std::io::stderr(), "Admin token, shown only this once: {token}");
            }
            // A reader that has gone is no reason not to serve.
            let _ = writeln!(out, "Agon is at {address}").and_then(|()| out.flush());
            if opens {
                open_browser(address);
            }
        };
        match serve(settings, ready) {
            Err(ServeError::Data(DataError::Running { address: Some(address), .. })) if self.or_running => {
                writeln!(out, "Agon is at {address} (it was running already)")?;
                Ok(())
            }
            served => Ok(served?),
        }
    }
}

/// The directory of the server's data: the one given, or the usual one. `flag` is what to use if there is none.
pub(crate) fn data_dir(given: Option<PathBuf>, flag: &str) -> anyhow::Result<PathBuf> {
    given
        .or_else(|| agon_terminal::data_folder().map(|folder| folder.join("server")))
        .with_context(|| format!("there is no home directory: say with {flag} where to keep games"))
}

/// A network, or a single address.
fn network(text: &str) -> Result<IpNet, String> {
    let address = text.parse::<IpAddr>().map(IpNet::from);
    address
        .or_else(|_| text.parse())
        .map_err(|_| "expected an address or a network such as 10.0.0.0/8".to_owned())
}

fn start_log(form: LogForm) {
    // A line that cannot be written, because its file is on a full disk, is lost; complaining about it on the same file would be fatal.
    let lines = tracing_subscriber::fmt()
        .with_writer(BoundedLog::to_stderr())
        .with_target(false)
        .log_internal_errors(false);
    // Whoever has set up a log before keeps it.
    let _ = match form {
        LogForm::Quiet => lines.with_max_level(tracing::Level::WARN).try_init(),
        LogForm::Text => lines.try_init(),
        LogForm::Json => lines.json().try_init(),
    };
}

/// Opens the browser, if this machine has a way to; the address has been printed anyway.
fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = std::process::Command::new(opener)
        .arg(address)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
}
