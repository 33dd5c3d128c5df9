//! The server as a process: its data directory, its address, its beginning and its end.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agon_erased::Games;
use ipnet::IpNet;
use metrics_exporter_prometheus::PrometheusBuilder;
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};

use crate::admin::AdminToken;
use crate::arena::Arena;
use crate::checkup::Checkup;
use crate::data::{self, ADMIN_TOKEN, DATABASE, DataError, Lock};
use crate::dates::Dates;
use crate::folders::FolderError;
use crate::http::{App, ConnectionLimits, Site, WebApp, answer};
use crate::store::StoreError;
use crate::store::sqlite::SqliteStore;
use crate::studies::Studies;
use crate::systemd::{inherited_listener, notify_ready};
use crate::tables::{Limits, Tables};
use crate::tls::{Certificate, Door, TlsError, TlsFiles};

/// How many ports are tried if the first one is taken.
const PORTS: u16 = 100;
/// How long connections are given to hear that the server stops.
const FAREWELL: Duration = Duration::from_millis(300);
/// How often games are looked after that nobody follows.
const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// How long stored games are left alone after all of them have been checked.
const CHECK_EVERY: Duration = Duration::from_secs(6 * 3600);
/// After a game has been checked, the check rests so many times as long as that took, and at least so long.
const RESTING: u32 = 50;
const SHORTEST_REST: Duration = Duration::from_millis(20);
/// How often it is looked whether the certificate has changed.
const RELOAD_EVERY: Duration = Duration::from_secs(2);
/// How long threads may take to end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The games that are played.
    pub games: Games,
    /// The pages that browsers are shown.
    pub web_app: WebApp,
    /// Where it listens; port 0 picks a free one.
    pub listen: SocketAddr,
    /// Whether it may listen on a later port if that one is taken.
    pub may_move: bool,
    /// Where it keeps its data.
    pub data: PathBuf,
    /// Its certificate, if it is to speak https.
    pub tls: Option<TlsFiles>,
    /// Its address as others see it.
    pub public_url: Option<String>,
    /// The proxies whose word counts on who asks.
    pub proxies: Vec<IpNet>,
    /// The admin token; if left out, the one whose hash is kept with the data.
    pub admin_token: Option<String>,
    /// Whether to replace the admin token that is kept with the data.
    pub new_admin_token: bool,
    /// Whether agents can be uploaded and tournaments started on the web.
    pub arena_uploads: bool,
    /// Tournaments and folders of tournaments that are shown besides those in the data directory.
    pub arena: Vec<PathBuf>,
    /// Studies and folders of studies that are shown besides our own runs and those in the data directory.
    pub studies: Vec<PathBuf>,
    /// In how many threads bots think.
    pub workers: usize,
    /// What visitors may use.
    pub limits: Limits,
    /// What connections may use.
    pub connections: ConnectionLimits,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The data directory cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// What is stored cannot be used.
    #[error("{}: {error}", .path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: StoreError,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What is wrong.
        error: io::Error,
    },
    /// A folder of tournaments or studies cannot be shown.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The admin token cannot be used.
    #[error("{0}")]
    AdminToken(String),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The public address does not hold.
    #[error("{0}")]
    PublicUrl(String),
    /// The system has failed.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// What is to be said when a server can be asked.
#[derive(Clone, Copy, Debug)]
pub struct Ready<'a> {
    /// Where.
    pub address: &'a str,
    /// The admin token, if it was made just now: nobody will see it again.
    pub new_admin_token: Option<&'a str>,
}

/// Serves until the process is told to end. `ready` hears of the address as soon as the server can be asked.
///
/// # Errors
/// If the server cannot start.
pub fn serve(settings: Settings, ready: impl FnOnce(Ready)) -> Result<(), ServeError> {
    let inherited = inherited_listener()?;
    let mut site =
        Site::new(settings.public_url.as_deref(), settings.proxies).map_err(ServeError::PublicUrl)?;
    site.is_https |= settings.tls.is_some();
    let certificate = settings.tls.map(Certificate::load).transpose()?.map(Arc::new);
    let mut lock = Lock::take(&settings.data)?;
    data::check(&settings.data)?;
    raise_file_limit();
    // Half of the cores: moves are little work, and bots need the rest. On two cores, a second thread made a
    // move cost a third more CPU time at 1,000 moves a second.
    let threads = (std::thread::available_parallelism().map_or(1, usize::from) / 2).max(1);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if threads == 1 {
        // Tasks that cannot move to another thread are cheaper to wake: this saves 8 % of a move's CPU time.
        builder = tokio::runtime::Builder::new_current_thread();
    }
    let runtime = builder.worker_threads(threads).enable_all().build()?;
    let path = settings.data.join(DATABASE);
    let _inside = runtime.enter();
    let store = SqliteStore::open(&path).map_err(|error| ServeError::Store { path, error })?;
    let studies = Studies::open(settings.games, &settings.data, &settings.studies)?;
    let mut arena = Arena::open(&settings.data, &settings.arena)?;
    if settings.arena_uploads {
        arena = arena.with_uploads(&settings.data, std::env::current_exe()?)?;
    }
    let (admin, new_admin_token) = match &settings.admin_token {
        Some(token) => (AdminToken::chosen(token).map_err(ServeError::AdminToken)?, None),
        None => AdminToken::kept(&settings.data.join(ADMIN_TOKEN), settings.new_admin_token)?,
    };
    let served = runtime.block_on(async {
        let listener = match inherited {
            Some(listener) => TcpListener::from_std(listener)?,
            None => listen(settings.listen, settings.may_move).await?,
        };
        let scheme = if certificate.is_some() { "https" } else { "http" };
        let address = format!("{scheme}://{}", reachable(listener.local_addr()?));
        let door = Door::new(listener, certificate.clone()).map_err(io::Error::other)?;
        if let Some(certificate) = certificate {
            tokio::spawn(keep_current(certificate));
        }
        let metrics = PrometheusBuilder::new().install_recorder().ok();
        let (store, arena, dates) = (Arc::new(store), Arc::new(arena), Dates::by_system());
        let tables = Tables::new(settings.games, store, settings.limits, settings.workers, arena, dates);
        let lobbies = tables.restore_lobbies().await;
        lobbies.map_err(|error| ServeError::Store { path: settings.data.join(DATABASE), error })?;
        tokio::spawn(sweep(Arc::clone(&tables)));
        let time_keeper = Arc::clone(&tables);
        tokio::spawn(async move { time_keeper.keep_time().await });
        let arena = Arc::clone(tables.arena());
        tokio::spawn(async move { arena.restore().await });
        let mut app = App::new(Arc::clone(&tables), site, settings.connections);
        app.metrics = metrics;
        app.admin = Some(admin);
        app.studies = Arc::new(studies);
        app.web_app = settings.web_app;
        tokio::spawn(check_up(Arc::clone(&app.checkup), Arc::clone(&tables)));
        let (mut ends, mut interrupts) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let shown = settings.public_url.unwrap_or_else(|| address.clone());
        lock.say(&shown);
        tracing::info!(address, "serving");
        notify_ready();
        ready(Ready { address: &shown, new_admin_token: new_admin_token.as_deref() });
        tokio::select! {
            () = answer(door, Arc::new(app)) => {}
            _ = ends.recv() => {}
            _ = interrupts.recv() => {}
        }
        tracing::info!("stopping");
        tables.stop().await;
        tokio::time::sleep(FAREWELL).await;
        Ok(())
    });
    // Tasks are dropped here, and with the last of them the store, which writes what still waits.
    runtime.shutdown_timeout(LAST_WAIT);
    served
}

/// Looks after games that nobody follows, again and again.
async fn sweep(tables: Arc<Tables>) {
    let mut clock = tokio::time::interval(SWEEP_EVERY);
    loop {
        clock.tick().await;
        tables.sweep(tables.date()).await;
    }
}

/// Looks for damaged games, again and again, and takes a small part of one core for it.
async fn check_up(checkup: Arc<Checkup>, tables: Arc<Tables>) {
    let rest = |took: Duration| tokio::time::sleep((took * RESTING).max(SHORTEST_REST));
    loop {
        if let Err(error) = checkup.look(tables.games(), &**tables.store(), rest).await {
            tracing::warn!(%error, "stored games could not be checked");
        }
        tokio::time::sleep(CHECK_EVERY).await;
    }
}

/// Reads the certificate again whenever its files have changed.
async fn keep_current(certificate: Arc<Certificate>) {
    let mut clock = tokio::time::interval(RELOAD_EVERY);
    loop {
        clock.tick().await;
        let files = Arc::clone(&certificate);
        match tokio::task::spawn_blocking(move || files.reload()).await {
            Ok(Ok(true)) => tracing::info!("the certificate was read again"),
            Ok(Err(error)) => {
                tracing::error!(%error, "the certificate has changed and cannot be used; the old one is")
            }
            _ => {}
        }
    }
}

/// Allows this process as many open files, and so connections, as it may have at all: what it has unasked is often only 1024.
pub fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // If that is refused, there is room for as many connections as before.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// Turns Nagle's algorithm off, so that every message is sent at once. A move and its acknowledgement are small, and the second would otherwise wait until the
/// first has been confirmed, which many systems delay by 40 ms.
pub fn set_nodelay(stream: &mut TcpStream) {
    // Where the system refuses, messages are slower.
    let _ = stream.set_nodelay(true);
}

async fn listen(address: SocketAddr, may_move: bool) -> Result<TcpListener, ServeError> {
    let mut port = address.port();
    loop {
        let tried = SocketAddr::new(address.ip(), port);
        match TcpListener::bind(tried).await {
            Ok(listener) => return Ok(listener),
            Err(error)
                if error.kind() == io::ErrorKind::AddrInUse && may_move && port - address.port() < PORTS =>
            {
                port += 1;
            }
            Err(error) => return Err(ServeError::Listen { address: tried, error }),
        }
    }
}

/// An address at which a server can be reached that listens on this one.
fn reachable(address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        SocketAddr::new(std::net::Ipv4Addr::LOCALHOST.into(), address.port())
    } else {
        address
    }
}
