//! What systemd does for a service: it hands sockets over that stay open while the service is restarted, and
//! waits until the service can be asked.

use std::io;
use std::net::TcpListener;

/// The socket that this process was started with, if it was (`LISTEN_FDS`). To be asked once, before there
/// are threads: it clears the variables, so that programs that this one starts do not take them for theirs.
///
/// # Errors
/// If what was handed over is no listening socket of the internet.
pub(crate) fn inherited_listener() -> io::Result<Option<TcpListener>> {
    let listener = listenfd::ListenFd::from_env().take_tcp_listener(0)?;
    if let Some(listener) = &listener {
        listener.set_nonblocking(true)?;
    }
    Ok(listener)
}

/// Says that the service can be asked (`NOTIFY_SOCKET`), to whoever waits for it.
pub(crate) fn notify_ready() {
    #[cfg(target_os = "linux")]
    if let Some(path) = std::env::var_os("NOTIFY_SOCKET")
        && let Err(error) = send(&path, b"READY=1")
    {
        tracing::warn!(%error, "systemd could not be told that the server is ready");
    }
}

#[cfg(target_os = "linux")]
fn send(path: &std::ffi::OsStr, message: &[u8]) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let address = match path.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(path)?,
    };
    UnixDatagram::unbound()?.send_to_addr(message, &address).map(|_| ())
}
