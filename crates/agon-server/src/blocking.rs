//! Work that would hold up others.

use agon_messages::Refused;
use agon_protocol::web::RefusalCode;

/// Does what may take a while (unpacking a bot's weights, replaying a long record) where it holds up nobody else.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refused> + Send + 'static,
) -> Result<T, Refused> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| Refused::plain(RefusalCode::State, "refused.busy"))?
}
