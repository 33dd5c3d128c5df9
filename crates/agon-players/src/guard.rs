//! Bots that panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use agon_erased::BotError;

/// Has a bot do something; a panic is a failure like others. A bot that has panicked must not be asked again.
///
/// # Errors
/// If the bot fails or panics.
pub fn guarded<T>(act: impl FnOnce() -> Result<T, BotError>) -> Result<T, BotError> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let said = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        Err(BotError::Failed(format!("it panicked: {}", said.as_deref().unwrap_or("without a message"))))
    })
}
